"""The dealer's drill: planted mistakes are marked with the paragraph of the text, weak paragraphs come back sooner."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path

import pytest

from twentyone.cards import parse_cards
from twentyone.cli import DONE, FOUND_WRONG, REFUSED, main
from twentyone.errors import Refused
from twentyone.round import Decision, Drawn, Happened, Round
from twentyone.round.commands import Command
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.training import drill_asking, drill_questions
from twentyone.training.drill import AROUND, DrillRecord, mark_answer, next_question, paragraphs, question_named
from twentyone.training.drill_asking import DrillQuestion
from twentyone.training.drill_questions import questions_of
from twentyone.training.drill_rounds import Moment

CLASSIC, PA = "classic-blackjack", "pa-spanish-21"
DAY = 86_400
DESK = (Path(__file__).parents[2] / "docs/desk.md").read_text(encoding="utf-8")
"""It tells how many paragraphs of each game are asked about."""


def rules_of(book: str, **given: object) -> Rules:
    return Rulebook.load(book).under(given)


def dealt(book: str, cards: str, *said: str, boxes: int = 1, **given: object) -> Round:
    """A round with $10 on each box: the cards in their order, and decisions among them."""
    wagers = [{"box": box, "player": f"P{box}", "main": "10"} for box in range(1, boxes + 1)]
    round_ = Round.start(rules_of(book, **given), wagers)
    for card in parse_cards(cards):
        round_ = round_.apply(card)
    for word in said:
        round_ = round_.apply(word)
    return round_


def asked(monkeypatch: pytest.MonkeyPatch, *moments: Moment) -> list[DrillQuestion]:
    """The questions of these moments."""
    monkeypatch.setattr(drill_questions, "dealt_round", lambda *_: iter(moments))
    return list(questions_of(moments[0].before.rules, "planted"))


def moment(before: Round, command: Command, mishap: str = "") -> Moment:
    return Moment(before, command, before.apply(command), mishap)


def wish(before: Round, action: str) -> Moment:
    option = before.legal()[0]._replace(action=action)
    return Moment(before, None, before, wish=option, refused=before.refusal(action))


CARD = parse_cards("5C")[0]
TEN = parse_cards("10S")[0]

PLANTED: dict[str, tuple[Callable[[], Moment], str, str, str]] = {
    "uses a card that lay face up": (
        lambda: moment(dealt(CLASSIC, "8S"), Drawn(CARD, face_up=True), "face_up"),
        "mishap",
        "Use the card as the next card",
        "Classic § 9(a)",
    ),
    "throws away a card drawn in error whose face nobody saw": (
        lambda: moment(dealt(PA, "8S 9D 7C KD"), Happened("card_drawn_in_error"), "card_drawn_in_error"),
        "mishap",
        "The round is void, all wagers go back",
        "58 Pa. Code § 635a.13(c)",
    ),
    "plays a ten that does not belong into the shoe": (
        lambda: moment(dealt(PA, "8S"), Drawn(TEN), "ten"),
        "mishap",
        "Use the card as the next card",
        "58 Pa. Code § 635a.13(b)",
    ),
    "keeps a card drawn on a hand that stands": (
        lambda: moment(
            dealt(CLASSIC, "10S 10D 9C 8D", "stand"),
            Happened("dealer_drew_past_17", card=CARD),
            "dealer_drew_past_17",
        ),
        "mishap",
        "Use the card as the next card",
        "Classic § 9(d)",
    ),
    "deals his own missed card at once": (
        lambda: moment(dealt(PA, "8S"), Happened("dealer_card_missed"), "dealer_card_missed"),
        "mishap",
        "Use the card as the next card",
        "58 Pa. Code § 635a.13(f)",
    ),
    "voids the round because a requested card was missed": (
        lambda: moment(
            dealt(CLASSIC, "8S 9D 3C KD", "hit"), Happened("requested_card_missed"), "requested_card_missed"
        ),
        "mishap",
        "The round is void, all wagers go back",
        "Classic § 9(g)",
    ),
    "lets a player split two different cards": (
        lambda: wish(dealt(CLASSIC, "8S 9D 3C KD"), "split"),
        "refuse",
        "It is allowed: split",
        "Classic § 7(a)",
    ),
    "pays a Blackjack even money": (
        lambda: moment(dealt(CLASSIC, "AS 9D KC"), Drawn(CARD)),
        "pay",
        "Pay $10.00",
        "Classic § 8(f)",
    ),
    "takes a wager that ties": (
        lambda: moment(dealt(CLASSIC, "10S 10D 9C 9H"), Decision("stand")),
        "pay",
        "Take $10.00",
        "Classic § 8(c)(6)",
    ),
    "does not draw to sixteen": (
        lambda: moment(dealt(CLASSIC, "10S 10D 9C 6H", "stand"), Drawn(CARD)),
        "next",
        "Settle the wagers and collect the cards",
        "Classic § 8(a)",
    ),
}
"""What a dealer does wrong: the moment, the kind of question, his answer, and the paragraph by the text."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_marked_with_its_paragraph(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, kind, answer, cite = PLANTED[name]
    monkeypatch.setattr(drill_asking, "CHOICES", 30)
    question = next(one for one in asked(monkeypatch, make()) if one.kind == kind)
    mark = mark_answer(question, question.choices.index(answer))
    assert not mark.right
    assert (mark.said, mark.cite) == (answer, cite)
    right = mark_answer(question, question.right)
    assert right.right
    assert right.cite == cite


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_game_is_drilled_with_its_irregularities(book: str) -> None:
    rules = rules_of(book)
    by_paragraph = paragraphs(rules)
    irregular = {clause.cite for clause in rules.irregularities.values()}
    assert f"| {len(by_paragraph)} |" in next(line for line in DESK.splitlines() if line.startswith(f"| {book} |"))
    assert len(irregular & set(by_paragraph)) >= 6
    for cite, (source, place) in sorted(((cite, names[0]) for cite, names in by_paragraph.items()), key=itemgetter(1)):
        question = question_named(rules, f"{source}.{place}")
        assert question.cite == cite
        assert len(set(question.choices)) == len(question.choices) > 1
    assert [told(one) for one in questions_of(rules, "3")] == [told(one) for one in questions_of(rules, "3")]


def told(question: DrillQuestion) -> tuple[object, ...]:
    """A question as a trainee sees it."""
    return (question.asks, question.table, question.story, question.choices, question.right, question.cite)


def is_around(rules: Rules, named: tuple[str, int]) -> bool:
    source, place = named
    return question_named(rules, f"{source}.{place}").kind in AROUND


@pytest.mark.parametrize("around", [False, True], ids=["in a round", "around the rounds"])
def test_weak_paragraphs_come_back_sooner(around: bool) -> None:
    """By seed and clock: who is always wrong on one paragraph meets it more often than who knows it."""
    rules = rules_of(CLASSIC)
    weak = next(cite for cite, names in paragraphs(rules).items() if is_around(rules, names[0]) == around)

    def course(errs: bool) -> list[int]:
        record, met = DrillRecord(CLASSIC), []
        for at in (day * DAY + number * 20 for day in range(6) for number in range(12)):
            name = next_question(rules, record.known, "seed", at)
            question = question_named(rules, name)
            wrong = errs and question.cite == weak
            choice = (question.right + 1) % len(question.choices) if wrong else question.right
            record.note(name, question, mark_answer(question, choice), at)
            met += [at] if question.cite == weak else []
        return met

    good, bad = course(errs=False), course(errs=True)
    assert bad[0] == good[0]
    assert bad[1] - bad[0] < good[1] - good[0]
    assert len(bad) > 3 * len(good)


def test_names_and_answers_that_there_are_not_are_refused() -> None:
    rules = rules_of(CLASSIC)
    for name in (
        "",
        "x",
        "1",
        "1.999",
        "999.1",
        "-1.2",
        "1.2.3",
        "d",
        "d0",
        "d0.999",
        "d99.1",
        "d-1.0",
        "d0.²",
        "0d.1",
    ):
        with pytest.raises(Refused):
            question_named(rules, name)
    with pytest.raises(Refused, match="there are"):
        mark_answer(question_named(rules, "0.0"), 9)


def drill(monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return main(["drill", *words])


def test_the_command_asks_marks_and_keeps_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ann.json"
    words = (PA, "--seed", "7", "--record", str(path), "--who", "Ann", "--json")
    status = drill(monkeypatch, "1\n9\n1\n1\nq\n", *words)
    body = json.loads(capsys.readouterr().out)
    assert body.pop("run")["games"][0]["rulebook"] == PA
    assert body == json.loads(path.read_text())
    assert (body["rulebook"], body["who"], body["asked"]) == (PA, "Ann", 3)
    assert status == (FOUND_WRONG if body["wrong"] else DONE)
    assert all(answer["cite"].startswith("58 Pa. Code § ") for answer in body["answers"])
    drill(monkeypatch, "1\n" * 9, *words)
    body = json.loads(capsys.readouterr().out)
    assert body["asked"] == 12
    assert {answer["question"].startswith("d") for answer in body["answers"]} == {True, False}
    assert drill(monkeypatch, "1\n", CLASSIC, "--record", str(path)) == REFUSED
    path.write_text("[]")
    assert drill(monkeypatch, "1\n", PA, "--record", str(path)) == REFUSED
    assert capsys.readouterr().out == ""
