"""*Why* opens the paragraph that speaks of this outcome, in every book; a sentence without a paragraph has no chip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from tests.cites.shifts import Shift, shift
from tests.cites.subjects import Wrong, law_of, sentence_kind
from tests.daily import daily
from tests.property.chance import random_rules
from tests.property.simulate import play_random

from twentyone.round import Round
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.catalogue import actions
from twentyone.service.results import paid_by, parts, result
from twentyone.service.saying import saying
from twentyone.table import Table

BOOKS = rulebook_ids()
OUTCOMES = {
    "won": r"beats the dealer's|Your \S+ wins| pays \d+ to \d+: |Dealer busts with \d+: ",
    "lost": r"beats your|Your \S+ loses",
    "bust": "Bust with",
    "tied": "Push, your",
    "void": "The round is void",
    "dead": "Your hand is dead",
    "surrendered": "Surrendered",
    "rescued": "Rescued",
}
"""Outcomes of a hand, and the sentence that tells each."""
WORDS = {
    "won": r"\bwins?\b|\bpaid\b|\bpays?\b|\bodds\b|\d to \d|even money",
    "lost": r"\blos(es?|t)\b|\bcollect|\bbeats\b|\bhigher total\b",
    "bust": r"\blos(es?|t)\b|\bcollect",
    "tied": r"\bties?\b|\bpush\b|\breturn|\bback\b|\bvoid\b",
    "void": r"\bvoids?\b|\bback\b|\breturn|\bdead\b",
    "dead": r"\bdead\b|\bvoid\b|\bsecond\b|\bone card\b",
    "surrendered": r"\bhalf\b|\bwhole\b|\bsurrender\b",
    "rescued": r"\bback\b|\brescue",
}
"""Words of our own for the paragraph that Why shows: it speaks of this outcome, and not of another only."""
NEVER = {
    "pa-double-back-jack": {"void", "rescued"},
    "pa-down-under-blackjack": {"void", "surrendered", "rescued"},
    "classic-blackjack": {"void", "rescued"},
}
"""Outcomes that a text does not have."""


def dealt(book: str, rounds: int) -> Iterator[Round]:
    """Random rounds under random choices, irregular ones among them."""
    rng = Random(book)
    for _ in range(rounds):
        yield play_random(random_rules(Rulebook.load(book), rng), rng, 0.06).round


@pytest.mark.parametrize("rounds", daily([400, 20_000], 400))
@pytest.mark.parametrize("book", BOOKS)
def test_why_opens_the_paragraph_of_the_outcome(book: str, rounds: int) -> None:
    law, told = law_of(book), set()
    shown: dict[tuple[str, str], str] = {}
    for round_ in dealt(book, rounds):
        for who in round_.state.players:
            said = result(round_, who)
            assert [fault for one in said if (fault := law.sentence(one.text, one.cite)) is not None] == []
            assert paid_by(round_, who) in {part.cite for part in parts(round_, who)}
            told |= {sentence_kind(one.text) for one in said}
            shown |= {(sentence_kind(one.text), one.cite): one.text for one in said}
    seen = {name for name, pattern in OUTCOMES.items() if pattern in told}
    assert seen == OUTCOMES.keys() - NEVER.get(book, set())
    entries, prefix = Rulebook.load(book).entries, law.prefix
    named = {pattern: name for name, pattern in OUTCOMES.items()}
    mute = {
        (text, cite)
        for (kind, cite), text in shown.items()
        if kind in named and not re.search(WORDS[named[kind]], entries[cite.removeprefix(prefix)].words)
    }
    assert mute == set()


def sentences(table: Table) -> Iterator[tuple[str, str]]:
    """What a page says to everybody at a table, and to a visitor."""
    steps = table.next_steps()
    looking = [("player", name) for name in (*table.state.players, "")] + [("dealer", "Dan"), ("floorperson", "Fay")]
    for role, who in looking:
        yield from ((said.text, said.cite) for said in saying(table, steps, role, who, None))


@pytest.mark.parametrize(("days", "rounds"), daily([(3, 6), (24, 40)], (3, 6)))
@pytest.mark.parametrize("book", BOOKS)
def test_a_page_cites_what_says_so(book: str, days: int, rounds: int) -> None:
    """Sentences, steps that are asked for, and everything that a console offers."""
    law = law_of(book)
    wrong: dict[str, Wrong] = {}
    for table in (table for day in range(days) for table, _ in _moments(shift(book, day, rounds))):
        found = [law.sentence(*said) for said in sentences(table)]
        found += [law.step(step.do, step.cite) for step in table.next_steps()]
        for role in ("dealer", "floorperson", "operator"):
            rows = [row for row in actions(table, role, entered=True) if row["do"] != "happened"]
            found += [law.step(row["do"], row["cite"]) for row in rows]
        wrong |= {fault.what: fault for fault in found if fault is not None}
    assert wrong == {}


def _moments(worked: Shift) -> Iterator[tuple[Table, object]]:
    yield from worked.moments.values()


# -- the negative control


@pytest.mark.parametrize(
    ("book", "text", "cite"),
    [
        ("pa-spanish-21", "Dealer has 19.", "58 Pa. Code § 635a.7(q)"),
        ("pa-spanish-21", "You have no chips at this table.", "58 Pa. Code § 635a.6(a)"),
        ("pa-spanish-21", "Push, your 17 ties: $25 back.", "58 Pa. Code § 635a.7(n)"),
        ("md-spanish-21", "Your hand is dead: $25 back.", "Md. Standard Rules – Spanish 21, Ch. 7.P"),
        ("s13-spanish-21", "You sat out a round of this shoe.", "Section 13(e)(3)"),
        ("s13-spanish-21", "Dealer's 18 beats your 15: −$25.", "Section 13(e)(5)"),
        ("pa-down-under-blackjack", "Bust with 26: −$25.", "58 Pa. Code § 685a.7(q)(2)"),
        ("pa-double-back-jack", "Your 20 beats the dealer's 19: +$25.", "58 Pa. Code § 673a.7(r)(3)(ii)"),
        ("classic-blackjack", "Take a box to play.", "Classic § 1(e)"),
    ],
)
def test_a_wrong_paragraph_of_a_sentence_is_found(book: str, text: str, cite: str) -> None:
    assert law_of(book).sentence(text, cite) is not None


def test_a_console_cites_no_paragraph_for_chips() -> None:
    table = next(iter(shift("pa-spanish-21", 0, 1).moments.values()))[0]
    cites = {row["do"]: row["cite"] for role in ("dealer", "floorperson") for row in actions(table, role, entered=True)}
    assert [do for do in ("fill", "credit", "buy_in", "seat_guest", "close_table") if cites.get(do)] == []


def test_an_exposed_card_has_its_own_paragraph_at_the_console() -> None:
    """635a.13(c) speaks of a card that stayed hidden, (d) of one that was exposed."""
    table = next(iter(shift("pa-spanish-21", 0, 1).moments.values()))[0]
    row = next(row for row in actions(table, "dealer", entered=True) if row["name"] == "card_drawn_in_error")
    assert (row["cite"], row["exposed_cite"]) == ("58 Pa. Code § 635a.13(c)", "58 Pa. Code § 635a.13(d)")
