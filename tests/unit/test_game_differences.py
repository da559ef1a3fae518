"""What is told of a game: from its own clauses and submission, with paragraphs; Blackjack differs in nothing."""

from __future__ import annotations

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.differences import differences, facts_of, in_one_line, pay_table

TOLD = {
    "pa-spanish-21": {"no 10s": "635a.3(a)", "your 21 beats the dealer's": "635a.7(n)(4)"},
    "pa-double-back-jack": {"a second chance after a bust": "673a.7(l)", "Blackjack pays 2 to 1": "673a.12(a)"},
    "pa-down-under-blackjack": {"the dealer's 22 pushes": "685a.7(n)(1)", "split to 2 hands": "685a.10(c)"},
    "s13-spanish-21": {"a doubled hand can be rescued": "13(i)(4)"},
    "md-spanish-21": {"double on any number of cards": "Ch. 10.A"},
}
"""Differences that each text is known for, with its paragraph."""


@pytest.mark.parametrize("name", TOLD)
def test_a_game_is_told_by_what_its_text_is_known_for(name: str) -> None:
    book = Rulebook.load(name)
    found = {fact.short: fact.cite for fact in differences(book.under())}
    assert {short: found.get(short) for short in TOLD[name]} == {
        short: book.cite(paragraph) for short, paragraph in TOLD[name].items()
    }


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_sentence_has_a_paragraph_of_its_book(name: str) -> None:
    """No two facts say the same; every chip leads to an entry."""
    book = Rulebook.load(name)
    rules = book.under(book.showcase)
    facts = facts_of(rules)
    assert len({fact.says for fact in facts}) == len(facts)
    assert all(book.entry(told.cite) for told in (*facts, *pay_table(rules)))
    assert in_one_line(rules).endswith(".")


def test_ordinary_blackjack_differs_in_nothing_from_itself() -> None:
    """It is the book that is no regulation; under other house rules it does differ."""
    book = Rulebook.load("classic-blackjack")
    assert not book.regulation
    assert differences(book.under()) == []
    other = differences(book.under({"dealer_hits_soft_17": True}))
    assert [fact.short for fact in other] == ["the dealer hits soft 17"]


def test_the_submission_decides_what_is_told_and_paid() -> None:
    """Eight decks pay another match; the operator's own odds are shown, not the text's; no reader, no hole card."""
    book = Rulebook.load("pa-spanish-21")
    six, eight = (
        {row.says: row.pays for row in pay_table(book.under({"decks": decks})) if "same suit" in row.says}
        for decks in (6, 8)
    )
    assert (set(six.values()), set(eight.values())) == ({"9 to 1"}, {"12 to 1"})
    section = Rulebook.load("s13-spanish-21")
    assert "no hole card" in {fact.short for fact in facts_of(section.under({"hole_card": "none"}))}
    assert "no hole card" not in {fact.short for fact in facts_of(section.under({"hole_card": "reader"}))}


def test_three_games_of_one_title_are_told_apart() -> None:
    titles = [Rulebook.load(name).full_title for name in rulebook_ids()]
    assert len(set(titles)) == len(titles)
    assert {"Spanish 21, Pennsylvania", "Spanish 21, Maryland", "Spanish 21, Section 13"} <= set(titles)
