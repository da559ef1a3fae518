"""Every check can fail: a fault is planted, and the check that stands against it must report it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.property.invariants import check_over
from tests.property.legality import check_legality
from tests.property.simulate import Fault, Played, play_number
from tests.property.worlds import check_two_worlds, hole_card_place

from twentyone.errors import RulebookError
from twentyone.money import Amount, Odds
from twentyone.round import Decision, Need, Offer, Option, Round, State, deciding, evolve, view
from twentyone.round import events as e
from twentyone.round import round as round_module
from twentyone.round.event_base import as_json
from twentyone.round.play import Play
from twentyone.rulebook import Entry, Rulebook, rulebook_ids
from twentyone.rulebook.clauses import Clause, Pay, Step
from twentyone.rulebook.folders import FOLDER
from twentyone.rulebook.rulebook import build
from twentyone.script import replay, result
from twentyone.script.export import export

LAW = Path(__file__).parents[1] / "law"
BOOKS = rulebook_ids()
BOOK = BOOKS[0]


def _play_some(rounds: int = 60) -> None:
    """Random rounds of every rulebook: what the contract on random rounds plays, in small."""
    for book in BOOKS:
        for number in range(rounds):
            play_number(Rulebook.load(book), number, 0)


def test_without_a_planted_fault_nothing_is_reported() -> None:
    _play_some()


# -- wrong payouts


def test_a_wager_that_is_paid_a_cent_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pays = Odds.pays
    monkeypatch.setattr(Odds, "pays", lambda self, amount: pays(self, amount) + Amount("0.01"))
    with pytest.raises(Fault, match="is not"):
        _play_some()


@cache
def _scripts(book: str) -> dict[str, tuple[dict[str, Any], ...]]:
    """The law scripts of a rulebook that settle a wager under a paragraph, by citation."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((LAW / book).glob("*/*.json")):
        script = json.loads(path.read_text(encoding="utf-8"))
        verdict = replay(script) if script["format"].startswith("round-script") else None
        if verdict is not None and verdict.exit == 0 and verdict.round is not None:
            for cite in {row.cite for row in verdict.round.state.rows}:
                found.setdefault(cite, []).append(script)
    return {cite: tuple(scripts) for cite, scripts in found.items()}


@contextmanager
def _planted(clause: Clause, **changes: object) -> Iterator[None]:
    """A clause that says something else for a while."""
    kept = {name: getattr(clause, name) for name in changes}
    try:
        for name, value in changes.items():
            object.__setattr__(clause, name, value)
        yield
    finally:
        for name, value in kept.items():
            object.__setattr__(clause, name, value)


@pytest.mark.parametrize("book", BOOKS)
def test_wrong_odds_in_any_pay_row_are_found_by_a_law_script(book: str) -> None:
    missed, scripts = [], _scripts(book)
    for row in Rulebook.load(book).clauses:
        if isinstance(row, Pay):
            with _planted(row, odds=Odds(row.odds.win + 1, row.odds.lay)):
                if all(replay(script).exit == 0 for script in scripts.get(row.cite, ())):
                    missed.append((row.paragraph, row.name, row.wagers))
    assert missed == []


# -- a leaked hole card


def _with_hole_card() -> Iterator[Played]:
    for book in BOOKS:
        for number in range(40):
            played = play_number(Rulebook.load(book), number, 0)
            if hole_card_place(played) is not None:
                yield played


def _compare_worlds() -> int:
    return sum(check_two_worlds(played, Random(number)) for number, played in enumerate(_with_hole_card()))


def _leak_event(event: e.Event, _: bool) -> dict[str, Any]:
    return as_json(event)


def _leak_cards(*arguments: Any) -> dict[str, Any]:
    seen = view.seen_by(*arguments)
    return {**seen, "dealer": {"cards": [card.name for card in arguments[1].dealer]}}


def _leak_text(rules: Any, state: State, need: Any) -> str:
    return view.describe(rules, state, need) + f" {state.dealer}"


def test_worlds_are_alike_without_a_leak() -> None:
    assert _compare_worlds() > 100


@pytest.mark.parametrize(
    ("module", "name", "leak"),
    [
        (view, "_event", _leak_event),
        (round_module, "seen_by", _leak_cards),
        (round_module, "describe", _leak_text),
    ],
    ids=["event", "dealer", "repr"],
)
def test_a_leaked_hole_card_is_found(
    module: Any, name: str, leak: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, leak)
    with pytest.raises(AssertionError, match="the hole card"):
        _compare_worlds()


# -- rulebooks


def _parts(book: str) -> tuple[dict[str, Any], tuple[Entry, ...]]:
    head = tomllib.loads((FOLDER / book / "rulebook.toml").read_text(encoding="utf-8"))
    return head, tuple(Rulebook.load(book).entries.values())


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_without_one_of_its_paragraphs_does_not_load(book: str) -> None:
    head, entries = _parts(book)
    build(book, head, entries)
    for number, entry in enumerate(entries):
        with pytest.raises(RulebookError, match="the paragraph has no entry") as caught:
            build(book, head, entries[:number] + entries[number + 1 :])
        assert caught.value.paragraph == entry.paragraph


@pytest.mark.parametrize("book", BOOKS)
def test_a_pay_row_that_overlaps_with_another_does_not_load(book: str) -> None:
    head, entries = _parts(book)
    rows = [(number, row) for number, entry in enumerate(entries) for row in entry.clauses if isinstance(row, Pay)]
    assert rows
    for number, row in rows:
        twin = replace(row, odds=Odds(row.odds.win + 1, row.odds.lay))
        entry = replace(entries[number], clauses=(*entries[number].clauses, twin))
        with pytest.raises(RulebookError, match="neither excepts the other"):
            build(book, head, (*entries[:number], entry, *entries[number + 1 :]))


# -- chips and cards


def test_a_wager_that_is_settled_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    emit = Play.emit

    def emit_twice(play: Play, event: e.Event) -> None:
        emit(play, event)
        if isinstance(event, e.WagerSettled):
            emit(play, event)

    monkeypatch.setattr(Play, "emit", emit_twice)
    with pytest.raises(Fault, match=r"lie on the layout|belong to no open wager"):
        _play_some()


def test_a_bonus_that_is_paid_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a bonus lies on the layout: the rows tell."""
    emit = Play.emit
    scripts = [script for book in BOOKS for found in _scripts(book).values() for script in found]

    def emit_twice(play: Play, event: e.Event) -> None:
        emit(play, event)
        if isinstance(event, e.WagerSettled) and event.wager == "super_bonus":
            emit(play, event)

    monkeypatch.setattr(Play, "emit", emit_twice)
    with pytest.raises(AssertionError, match="settled more than once"):
        _check_all_over(scripts)


def _check_all_over(scripts: list[dict[str, Any]]) -> None:
    for script in scripts:
        round_ = replay(script).round
        assert round_ is not None
        check_over(round_)


def test_chips_from_nowhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    settled = evolve._CHANGES[e.WagerSettled]

    def settle(state: State, event: e.WagerSettled) -> None:
        settled(state, event)
        state.house = state.house + event.net

    monkeypatch.setitem(evolve._CHANGES, e.WagerSettled, settle)
    with pytest.raises(Fault, match="the accounts add up to"):
        _play_some()


def test_a_card_that_lies_nowhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = evolve._CHANGES[e.CardDealt]

    def deal(state: State, event: e.CardDealt) -> None:
        dealt(state, event)
        if event.box is None and len(state.dealer) > 2:
            state.dealer = state.dealer[:-1]

    monkeypatch.setitem(evolve._CHANGES, e.CardDealt, deal)
    monkeypatch.setattr("twentyone.round.dealer._must_draw", lambda play: play.state.used < 9)
    with pytest.raises(Fault, match="lie nowhere"):
        _play_some()


# -- the fold, citations, legality, export


def test_a_state_that_changes_without_an_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    emit = Play.emit

    def emit_and_more(play: Play, event: e.Event) -> None:
        emit(play, event)
        if isinstance(event, e.CardDealt):
            play.state.used += 1

    monkeypatch.setattr(Play, "emit", emit_and_more)
    with pytest.raises(Fault, match="not the fold of the events"):
        _play_some()


def test_a_citation_of_a_paragraph_that_does_not_exist_is_found() -> None:
    steps = [clause for clause in Rulebook.load(BOOK).clauses if isinstance(clause, Step)]
    with _planted(steps[0], cite="nowhere"), pytest.raises(Fault, match="'nowhere' is no paragraph"):
        _play_some()


def _offers() -> Iterator[Round]:
    for book in BOOKS:
        for number in range(5):
            played = play_number(Rulebook.load(book), number, 0)
            yield from (round_ for round_ in played.rounds if isinstance(round_.next, Offer))


def _check_all_legal(offers: list[Round]) -> None:
    for round_ in offers:
        check_legality(round_)


def test_without_a_planted_fault_what_is_listed_is_legal() -> None:
    _check_all_legal(list(_offers()))


def test_a_decision_that_is_allowed_but_not_listed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = list(_offers())
    legal = Round.legal
    monkeypatch.setattr(Round, "legal", lambda self: legal(self)[1:])
    with pytest.raises(AssertionError, match="was not refused"):
        _check_all_legal(offers)


def test_a_decision_that_is_listed_but_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = list(_offers())
    legal = Round.legal
    fly = Option("fly", 1, 1, "p1")
    monkeypatch.setattr(Round, "legal", lambda self: (*legal(self), fly))
    with pytest.raises(AssertionError, match="is listed, but refused"):
        _check_all_legal(offers)


def test_a_no_that_ends_the_offer_of_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One player answers for another: whoever says no closes the offer, as if he were the dealer."""
    offers = list(_offers())
    decide = deciding.decide_offer

    def anybody(play: Play, need: Need, decision: Decision) -> None:
        no = decision.action == "decline" and isinstance(need, Offer) and need.optional
        decide(play, need, Decision("decline") if no else decision)

    monkeypatch.setattr("twentyone.round.round.decide_offer", anybody)
    with pytest.raises(AssertionError, match="was not refused"):
        _check_all_legal(offers)


def test_a_script_with_other_cards_has_another_result() -> None:
    found = 0
    for number in range(20):
        played = play_number(Rulebook.load(BOOK), number, 0)
        script = export(played.round)
        first, _, rest = script["cards"].partition(" ")
        other = "5S" if first != "5S" else "6S"
        found += replay({**script, "cards": f"{other} {rest}"}).result != result(played.round)
    assert found == 20
