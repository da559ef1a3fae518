"""A reader's own copy of a regulation is aligned paragraph by paragraph, however its lines are set."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from functools import cache

import pytest
from tests.copies import copy_of, passages_of, shown_as

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.own_text import NotAligned, align, digest_of
from twentyone.rulebook.text_marks import read_plain

BOOKS = {name: Rulebook.load(name).paragraphs for name in rulebook_ids() if Rulebook.load(name).regulation}


def blocks(text: str) -> list[str]:
    return re.split(r"\n\s*\n", text)


SETTINGS: dict[str, Callable[[str], str]] = {
    "lines of Windows": lambda text: text.replace("\n", "\r\n"),
    "tabs": lambda text: text.replace(" ", "\t"),
    "wrapped at 40": lambda text: "\n\n".join(textwrap.fill(block, 40) for block in blocks(text)),
    "wrapped at 72 with indents": lambda text: "\n\n".join(
        textwrap.fill(block, 72, initial_indent="   ", subsequent_indent="      ") for block in blocks(text)
    ),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "straight quotes": lambda text: text.replace("”", '"'),
    "bullets": lambda text: re.sub(r"^(\(|[A-Z]\.)", r"  - \1", text, flags=re.MULTILINE),
    "emphasis": lambda text: re.sub(r"^(§.*|Chapter.*)$", r"#### **\1**", text, flags=re.MULTILINE),
}
"""The same words, set otherwise."""


@cache
def copies(name: str) -> tuple[str, dict[str, str]]:
    """A copy, and the digests of its passages."""
    copy = copy_of(passages_of(BOOKS[name]), apart=name.startswith("s13"))
    return copy, {each: passage.digest for each, passage in align(copy, BOOKS[name]).passages.items()}


def test_the_five_regulations_have_919_paragraphs() -> None:
    assert sum(map(len, BOOKS.values())) == 919


@pytest.mark.parametrize("apart", [False, True], ids=["beside its label", "under its label"])
@pytest.mark.parametrize("name", BOOKS)
def test_every_paragraph_of_a_copy_is_found_with_its_words(name: str, apart: bool) -> None:
    passages = passages_of(BOOKS[name])
    copy = copy_of(passages, apart)
    own = align(copy, BOOKS[name])
    lines = copy.splitlines()
    assert own.unknown == []
    for paragraph, passage in own.passages.items():
        assert lines[passage.line - 1].startswith(shown_as(paragraph)), paragraph
        assert passage.text.startswith(passages[paragraph].rstrip("-")), paragraph
        assert "Invented" not in passage.text
        section = "(" not in paragraph and not re.search(r"\.[A-Z]$", paragraph)
        assert section or passage.text == passages[paragraph]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", BOOKS)
def test_a_copy_that_is_set_otherwise_has_the_same_digests(name: str, setting: str) -> None:
    copy, plain = copies(name)
    other = align(SETTINGS[setting](copy), BOOKS[name])
    assert [each for each, digest in plain.items() if other.passages[each].digest != digest] == []


@pytest.mark.parametrize("name", BOOKS)
def test_a_copy_run_together_into_one_stream_is_aligned(name: str) -> None:
    """Without heads and notes, which only lines tell apart from the law."""
    passages = passages_of(BOOKS[name])
    stream = textwrap.fill(" ".join(f"{shown_as(paragraph)} {words}" for paragraph, words in passages.items()), 72)
    own = align(stream, BOOKS[name])
    assert [each for each, words in passages.items() if own.passages[each].digest != digest_of(words)] == []


@pytest.mark.parametrize("name", BOOKS)
def test_a_copy_without_a_paragraph_is_refused_with_its_place(name: str) -> None:
    passages = passages_of(BOOKS[name])
    for paragraph in BOOKS[name][3::41]:
        with pytest.raises(NotAligned, match=rf"^mine\.txt: {re.escape(paragraph)} is missing: after .*\(line \d+\)"):
            align(copy_of(passages, without=[paragraph]), BOOKS[name], "mine.txt")


def test_the_refusal_names_the_neighbours_and_how_many_are_missing() -> None:
    passages = passages_of(BOOKS["pa-spanish-21"])
    gone = [paragraph for paragraph in passages if paragraph.startswith("635a.12(b)(")]
    with pytest.raises(NotAligned) as refused:
        align(copy_of(passages, without=gone), BOOKS["pa-spanish-21"])
    assert re.fullmatch(
        r"the text: 635a\.12\(b\)\(1\) is missing: after 635a\.12\(b\) \(line \d+\) and before 635a\.12\(c\) "
        r"\(line \d+\); missing too: 635a\.12\(b\)\(2\), .* and 2 more",
        str(refused.value),
    )


@pytest.mark.parametrize("copy", ["", "\n\n", "This is a poem.\nIt has no paragraphs."])
def test_a_text_that_is_no_regulation_is_refused(copy: str) -> None:
    with pytest.raises(NotAligned, match=r"635a\.1 is missing: nothing in it looks like a paragraph"):
        align(copy, BOOKS["pa-spanish-21"])


def test_a_table_of_contents_is_no_section() -> None:
    """The contents name every section; one that stands nowhere else is missing."""
    passages = passages_of(BOOKS["md-spanish-21"])
    with pytest.raises(NotAligned, match=r"Ch\. 1 is missing"):
        align(copy_of(passages, without=["Ch. 1"]), BOOKS["md-spanish-21"])


def test_a_mark_that_no_paragraph_has_is_told() -> None:
    copy = "§ 1. Cards.\n\n(a) Six decks.\n\n(b) No tens.\n\n(c) No jokers.\n\n§ 2. Wagers.\n"
    own = align(copy, ["1", "1(a)", "1(b)", "2"])
    assert own.unknown == ["line 7: (c)"]
    assert own.passages["1(b)"].text == "No tens.\n\n(c) No jokers."


def test_what_an_editor_adds_belongs_to_the_section() -> None:
    copy = "§ 1. Cards.\n\n(a) Six decks.\n\n#### **Source**\n\n(b) of it was never adopted.\n\n§ 2. Wagers.\n"
    own = align(copy, ["1", "1(a)", "2"])
    assert own.passages["1(a)"].text == "Six decks."
    assert own.passages["1"].text == "Cards.\n\nSource\n\n(b) of it was never adopted."
    assert own.unknown == []


@pytest.mark.parametrize("other", ["Six  decks of cards", "Six decks of\n cards", "Six de-\ncks of cards"])
def test_lines_and_spaces_change_no_digest(other: str) -> None:
    assert digest_of(other) == digest_of("Six decks of cards")


@pytest.mark.parametrize("other", ["six decks of cards", "Six deck of cards", "Six decks of cards;", "Six decks of"])
def test_words_and_signs_change_the_digest(other: str) -> None:
    assert digest_of(other) != digest_of("Six decks of cards")


def test_many_blanks_are_looked_through_once() -> None:
    """A copy of nothing but blanks held up every table of the server for half a minute; here it would for minutes."""
    assert digest_of(f"Six{' ' * 300_000}decks") == digest_of("Six decks")
    for many in (" ", "#"):
        assert read_plain(f"Six{many * 300_000}decks").text.count("Six") == 1
