"""Whoever is asked may answer: every offer of a round has an option for each person whom it names.

The rounds are full of what narrows an answer: shared boxes, cards drawn in error that somebody refuses, missed cards.
"""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.property.chance import Shoe, random_meters, random_spin, random_submission
from tests.property.invariants import check_offer

import twentyone.round
from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import Command, Confirmed, Decision, Draw, Drawn, Happened, Offer, Over, Round, Spin, Wagers
from twentyone.round.events import Asked
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey

ROUNDS = 120
SHARED = ("p1", "p2", "p3")
TO_THE_POINT = ("refuse", "double", "split", "surrender")
"""Decisions that others on the box have to follow, or that bar somebody from later answers."""


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_offer_has_an_option_for_everybody_whom_it_names(book: str) -> None:
    rulebook, offers = Rulebook.load(book), 0
    for number in range(ROUNDS):
        rng = Random(f"{book}/{number}")
        rules = rulebook.under(_shared(rulebook, random_submission(rulebook, rng)))
        round_ = Round.start(rules, _wagers(rules), random_meters(rules, rng))
        shoe = Shoe(rules, rng)
        while not isinstance(round_.next, Over):
            check_offer(round_)
            offers += isinstance(round_.next, Offer)
            round_ = _mischief(round_, shoe, rng) or round_.apply(_regular(round_, shoe, rng))
    assert offers > ROUNDS


def _shared(rulebook: Rulebook, given: dict[str, Any]) -> dict[str, Any]:
    """A submission by which players share boxes and have two of them, where the text lets them."""
    keys = {clause.name for clause in rulebook.clauses if isinstance(clause, SubmissionKey) and not clause.fixed}
    wanted = {"players_per_box": 3, "boxes_per_player": 2, "boxes": 5}
    return {**given, **{key: value for key, value in wanted.items() if key in keys}}


def _wagers(rules: Rules) -> list[Wagers]:
    """Two boxes of the same players, whose callers differ."""
    shares = SHARED[: int(rules.submission.get("players_per_box") or 1)]
    stake = max(rules.submission.get("table_minimum") or Amount("0"), Amount("100"))
    seated = {1: shares, 2: shares[::-1] if rules.submission.get("boxes_per_player", 1) > 1 else ("p4",)}
    return [Wagers(box, name, stake) for box, names in seated.items() for name in names]


def _mischief(round_: Round, shoe: Shoe, rng: Random) -> Round | None:
    """The round after something that went wrong, where the text takes the report."""
    if rng.random() > 0.25 or shoe.is_empty:
        return None
    need, card = round_.next, shoe.draw()
    box = need.box if isinstance(need, Draw) else None
    names = ("card_drawn_in_error", "box_missed", "requested_card_missed")
    report = Happened(rng.choice(names), box=box, card=card, exposed=True)
    try:
        return round_.apply(report)
    except Refused:
        shoe.put_back(card)
        return None


def _regular(round_: Round, shoe: Shoe, rng: Random) -> Command:
    need = round_.next
    if isinstance(need, Draw):
        return Drawn(shoe.draw())
    if isinstance(need, Spin):
        return random_spin(round_.rules, round_.state, need, rng)
    if not isinstance(need, Offer):
        return Confirmed("Fay")
    if need.optional and rng.random() < 0.2:
        return Decision("decline")
    telling = [option for option in need.options if option.action in TO_THE_POINT and rng.random() < 0.7]
    return rng.choice(telling or need.options).decision()


def test_a_follower_who_refused_a_card_is_not_asked_to_double() -> None:
    """13(m)(4) lets the others double, 13(o)(4) deals no card to who refused one: nobody is left to be asked."""
    rules = Rulebook.load("s13-spanish-21").under({"decks": 6, "players_per_box": 2, "boxes_per_player": 2})
    round_ = Round.start(rules, [Wagers(1, "Ann", Amount("10")), Wagers(2, "Bob", Amount("10")), _behind()])
    for card in ["8S", "6H", "7D", "5S", "4H", "KD"]:
        round_ = round_.apply(card)
    round_ = round_.apply(Happened("card_drawn_in_error", card=Card("9C"), exposed=True))
    round_ = round_.apply("refuse").apply("double")
    assert not any(isinstance(event, Asked) and event.offer == "double" for event in round_.events)
    assert isinstance(round_.next, Over) or round_.legal() or isinstance(round_.next, Draw)


def _behind() -> Wagers:
    return Wagers(2, "Ann", Amount("5"))


def test_questions_are_put_in_one_place() -> None:
    """No other module of the round makes an offer without the check of who may answer it."""
    folder = Path(twentyone.round.__file__).parent
    makers = {path.name: _bare_questions(path) for path in sorted(folder.glob("*.py")) if path.name != "asking.py"}
    assert {name: lines for name, lines in makers.items() if lines} == {}


def _bare_questions(path: Path) -> list[int]:
    """The lines where a question is made, but not handed to `put`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    put = {arg for node in calls if _name(node) == "put" for arg in node.args}
    return [node.lineno for node in calls if _name(node) in ("Asked", "InsuranceOffered") and node not in put]


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""
