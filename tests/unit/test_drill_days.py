"""The drill around the rounds: planted mistakes are marked with the paragraph of the text, wrong answers are wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, Rules
from twentyone.table import Command, Table
from twentyone.table.script import follow
from twentyone.training import drill_asking, drill_procedures
from twentyone.training.drill import mark_answer, paragraphs, question_named
from twentyone.training.drill_days import HOUR, DayMoment, worked_day
from twentyone.training.drill_procedures import PROCEDURE, TableScene, questions_of_day
from twentyone.training.drill_wishes import Wish, wishes

CLASSIC, PA, BACK, MD, S13 = (
    "classic-blackjack",
    "pa-spanish-21",
    "pa-double-back-jack",
    "md-spanish-21",
    "s13-spanish-21",
)
UNDER = "pa-down-under-blackjack"
NOON = 12 * HOUR
ALLOWED = "It is allowed"


def rules_of(book: str, **given: object) -> Rules:
    return Rulebook.load(book).under(given)


def seated(book: str, **given: object) -> Table:
    """An open table with Ann at box 1 and Ben at box 3, who have chips."""
    table = do(Table.new(rules_of(book, **given)), "open_table", "floorperson", dealer="Dan")
    for name, box in (("Ann", 1), ("Ben", 3)):
        table = do(do(table, "sit", "player", name, boxes=[box]), "buy_in", player=name, amount="1000")
    return table


def do(table: Table, name: str, role: str = "dealer", by: str = "", at: int = NOON, **args: Any) -> Table:
    return table.apply(command(table, name, role, by, at, **args))


def command(table: Table, name: str, role: str = "dealer", by: str = "", at: int = NOON, **args: Any) -> Command:
    return Command(name, role, by or {"dealer": table.state.dealer or "Dan", "floorperson": "Fay"}[role], at, args)


def due(book: str, task: str, **given: object) -> Table:
    """A new table at the moment when this task is due (`""`: when a round can begin)."""
    return follow(seated(book, **given), task, NOON)


def waged(table: Table) -> Table:
    return do(table, "place_wager", "player", "Ann", box=1, amount="10")


class Planted(NamedTuple):
    """What a dealer does wrong outside a round."""

    table: Callable[[], Table]
    """The table at that moment."""
    step: Callable[[Table], Command] | None
    """What he does, or lets somebody do, in answer to "is it allowed?"; none: he answers another question."""
    said: str
    """His answer."""
    cite: str
    """The paragraph that he breaks, by the text."""
    happens: Callable[[Table], Command] | None = None
    """What happens, where he is asked about that."""


def dealer(name: str, **args: Any) -> Callable[[Table], Command]:
    return lambda table: command(table, name, **args)


def near_cover(table: Table) -> Table:
    """Cut, and the cover card so deep that it comes out on box 3, with the second card of a round."""
    cards = table.state.stack_size("red")
    table = do(table, "insert_cover_card", from_bottom=cards - 2)
    table = follow(table, "", NOON)
    table = do(waged(table), "place_wager", "player", "Ben", box=3, amount="10")
    return do(do(table, "deal"), "card", card="9S")


def after_cover(table: Table) -> Table:
    """The round in which the cover card came out on box 3 is over, and its cards are shuffled."""
    table = near_cover(table)
    for card in ("9D", "7C", "9H", "9C", "KD"):
        table = do(table, "card", card=card)
    for name in ("Ann", "Ben"):
        table = do(table, "decide", "player", name, action="stand")
    return follow(do(table, "collect_cards"), "cut", NOON)


PLANTED = {
    "verifies his own inspection": Planted(
        lambda: due(PA, "verify_inspection"), dealer("verify_inspection"), ALLOWED, "58 Pa. Code § 635a.4(a)"
    ),
    "destroys the tens himself": Planted(
        lambda: due(S13, "destroy_tens"), dealer("destroy_tens"), ALLOWED, "Section 13(c)(1)"
    ),
    "mixes the cards before the first player has looked": Planted(
        lambda: due(PA, "show_cards"), dealer("wash_cards"), ALLOWED, "58 Pa. Code § 635a.4(c)"
    ),
    "inspects the reader in the floorperson's place": Planted(
        lambda: do(Table.new(rules_of(UNDER)), "open_table", "floorperson", dealer="Dan"),
        dealer("inspect_device"),
        ALLOWED,
        "58 Pa. Code § 685a.2(d)",
    ),
    "cuts without offering it to anybody": Planted(
        lambda: due(S13, "cut"), dealer("cut", place=100), ALLOWED, "Section 13(d)(3)"
    ),
    "lets a player cut nine cards from the top": Planted(
        lambda: do(due(BACK, "cut"), "offer_cut"),
        lambda table: command(table, "cut", "player", "Ann", place=9),
        ALLOWED,
        "58 Pa. Code § 673a.5(d)",
    ),
    "puts the cover card 71 of 288 cards from the bottom": Planted(
        lambda: due(PA, "insert_cover_card"),
        dealer("insert_cover_card", from_bottom=71),
        ALLOWED,
        "58 Pa. Code § 635a.5(d)",
    ),
    "has the cards cut again out of a full shoe": Planted(
        lambda: due(PA, ""), lambda table: command(table, "recut", "floorperson"), ALLOWED, "58 Pa. Code § 635a.5(e)"
    ),
    "relieves a dealer and deals without burning": Planted(
        lambda: do(waged(due(MD, "")), "change_dealer", "floorperson", dealer="Dot"),
        dealer("deal"),
        ALLOWED,
        "Md. Standard Rules – Spanish 21, Ch. 7.B(4)",
    ),
    "deals cards that are a day and an hour old": Planted(
        lambda: waged(due(PA, "")), dealer("deal", at=NOON + 25 * HOUR), ALLOWED, "58 Pa. Code § 635a.3(b)"
    ),
    "lets a wager be laid once the cards are out": Planted(
        lambda: do(do(waged(due(BACK, "")), "deal"), "card", card="9S"),
        lambda table: command(table, "place_wager", "player", "Ben", box=3, amount="10"),
        ALLOWED,
        "58 Pa. Code § 673a.6(c)",
    ),
    "shuffles by hand beside a broken shuffler": Planted(
        lambda: do(due(PA, "shuffle", shuffler="automated"), "device_out_of_order", device="shuffler"),
        dealer("shuffle", commitment="drill"),
        ALLOWED,
        "58 Pa. Code § 635a.13(m)",
    ),
    "reshuffles in the middle of a round": Planted(
        lambda: near_cover(due(PA, "insert_cover_card")),
        None,
        "Reshuffle at once; the round goes on with the new shoe",
        "58 Pa. Code § 635a.7(d)",
        dealer("card", card="9D"),
    ),
    "offers the cut to another than him on whose box the cover card came out": Planted(
        lambda: after_cover(due(PA, "insert_cover_card")),
        None,
        "Ann, box 1",
        "58 Pa. Code § 635a.5(c)(2)",
        dealer("offer_cut"),
    ),
    "deals on although the card reader has failed": Planted(
        lambda: waged(due(PA, "")),
        None,
        "Yes, without it",
        "58 Pa. Code § 635a.13(k)",
        dealer("device_out_of_order", device="card_reader"),
    ),
    "leaves the cards in the shoe when everybody has gone": Planted(
        lambda: do(due(BACK, ""), "leave", "player", "Ben"),
        None,
        "You: shuffle into one stack",
        "58 Pa. Code § 673a.5(g)",
        lambda table: command(table, "leave", "player", "Ann"),
    ),
    "does not cut although nobody else would": Planted(
        lambda: do(due(MD, "cut"), "offer_cut"),
        None,
        "You: put the cover card in",
        "Md. Standard Rules – Spanish 21, Ch. 5.C",
        lambda table: command(table, "decline_cut", "player", "Ann"),
    ),
    "lets a card be used that showed in the mixing": Planted(
        lambda: due(S13, "stack_cards"),
        None,
        "You: shuffle into one stack",
        "Section 13(c)(3)",
        dealer("stack_cards", exposed=True),
    ),
    "does not call for the tens found at the burn to be destroyed": Planted(
        lambda: due(MD, "burn"),
        None,
        "You: close the wagers and deal",
        "Md. Standard Rules – Spanish 21, Ch. 13.C",
        dealer("burn", card="10S"),
    ),
    "lets a spectator handle cards": Planted(
        lambda: due(S13, ""),
        None,
        "Let it be, as long as you see it",
        "Section 13(g)(11)",
        dealer("handle_cards_refused", who="Zed"),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_marked_with_its_paragraph(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = PLANTED[name]
    table = planted.table()
    made = (planted.happens or planted.step or dealer("deal"))(table)
    after = table.apply(made) if planted.happens is not None else table
    wished = [Wish("You want it.", made)] if planted.step is not None else []
    monkeypatch.setattr(drill_asking, "CHOICES", 40)
    monkeypatch.setattr(drill_procedures, "worked_day", lambda *_: iter([DayMoment(table, made, after, made.at)]))
    monkeypatch.setattr(drill_procedures, "wishes", lambda *_: wished)
    monkeypatch.setattr(drill_procedures, "IN_ROUND", 1)
    monkeypatch.setattr(drill_procedures, "BETWEEN", 1)
    asked = [one for one in questions_of_day(table.rules, "planted") if planted.said in one.choices]
    assert asked
    mark = mark_answer(asked[0], asked[0].choices.index(planted.said))
    assert (mark.right, mark.said, mark.cite) == (False, planted.said, planted.cite)
    assert mark_answer(asked[0], asked[0].right).right


def test_what_is_done_right_is_not_marked_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the planted mistakes: the same questions where nothing is wrong."""
    table = do(due(BACK, "cut"), "offer_cut")
    cut = command(table, "cut", "player", "Ann", place=10)
    monkeypatch.setattr(drill_procedures, "worked_day", lambda *_: iter([DayMoment(table, cut, table, NOON)]))
    monkeypatch.setattr(drill_procedures, "wishes", lambda *_: [Wish("Ann cuts.", cut)])
    monkeypatch.setattr(drill_procedures, "BETWEEN", 1)
    (asked,) = (one for one in questions_of_day(table.rules, "planted") if one.kind == "allow")
    assert mark_answer(asked, asked.choices.index(ALLOWED)).right
    assert asked.cite == "58 Pa. Code § 673a.5(d)"


TRIED: dict[str, dict[str, Any]] = {
    "shuffle": {"commitment": "drill"},
    "cut": {"place": 100},
    "insert_cover_card": {"from_bottom": 200},
    "burn": {"card": "2S"},
    "count_cards": {"cards": 1},
}
"""What a task names that somebody tries."""


@pytest.mark.parametrize("book", [PA, CLASSIC])
def test_a_wrong_answer_is_a_step_that_the_table_refuses(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drill_asking, "CHOICES", 40)
    tried = 0
    for question in questions_of_day(rules_of(book), "d1"):
        if question.kind not in ("step", "upset") or not isinstance(question.scene, TableScene):
            continue
        table, at = question.scene
        tasks = {table.rules.tasks[name].says: name for name in PROCEDURE if name in table.rules.tasks}
        for place, choice in enumerate(question.choices):
            who, _, says = choice.partition(": ")
            if place == question.right or says not in tasks:
                continue
            given = command(
                table, tasks[says], "dealer" if who == "You" else "floorperson", at=at, **TRIED.get(tasks[says], {})
            )
            with pytest.raises(Refused):
                table.apply(given)
            tried += 1
    assert tried > 100


def test_a_day_goes_from_the_opening_to_the_closing_and_is_the_same_again() -> None:
    rules = rules_of(MD)
    day = list(worked_day(rules, "d0"))
    assert (day[0].before.state.phase, day[-1].after.state.phase) == ("closed", "closed")
    assert [moment.command for moment in day] == [moment.command for moment in worked_day(rules, "d0")]
    assert day[-1].after.state.rounds == 4


def test_both_answers_are_right_now_and_then() -> None:
    """Somebody who always says no does not pass."""
    rules = rules_of(PA)
    allow = [one for number in range(3) for one in questions_of_day(rules, f"d{number}") if one.kind == "allow"]
    right = [one.choices[one.right] for one in allow]
    assert set(right) == {ALLOWED, "It is not allowed"}
    assert all(one.because for one in allow if one.choices[one.right] != ALLOWED)
    assert all(one.cite for one in allow)


def test_nobody_wishes_anything_at_a_closed_table() -> None:
    assert wishes(Table.new(rules_of(PA)), NOON) == []


def test_a_day_asks_about_wheels_and_side_wagers() -> None:
    """Who spins and when, and what a prize gains: that of the wheel without the wager."""
    rules = rules_of(MD, bonus_spin="A", xtreme_16=True)
    asked = [one for number in range(2) for one in questions_of_day(rules, f"d{number}")]
    assert {one.cite for one in asked if one.choices[one.right] == "You: spin the wheel"}
    paid = [one for one in asked if one.kind == "pay"]
    assert any("on bonus spin" in one.asks for one in paid)
    assert any("gained" in one.asks for one in paid)


def test_days_reach_what_rounds_do_not() -> None:
    """The paragraphs of opening, shuffle, cut, burn, idle table, wagers, devices: by the text's own headings."""
    reached = paragraphs(rules_of(PA))
    opening = "2(d) 3(b) 4(a) 4(b) 4(c) 4(d) 5(b) 5(c)(1) 5(c)(2) 5(d) 5(e) 5(g)"
    keeping = "6(a) 6(b) 6(c) 7(a) 7(c) 7(d) 7(q) 7(r) 13(k) 13(l) 13(m)"
    assert {f"58 Pa. Code § 635a.{section}" for section in f"{opening} {keeping}".split()} <= set(reached)
    (source, place), *_ = reached["58 Pa. Code § 635a.7(r)"]
    assert question_named(rules_of(PA), f"{source}.{place}").cite == "58 Pa. Code § 635a.7(r)"
