"""The loader: citations computed from position, and everything it refuses."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from twentyone.cards import parse_cards
from twentyone.errors import RulebookError, SubmissionRefused
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import CoverCard
from twentyone.rulebook.folders import FOLDER
from twentyone.rulebook.patterns import HandFacts, HandPattern
from twentyone.rulebook.reader import read_book
from twentyone.rulebook.rulebook import build

HEAD: dict[str, Any] = {
    "title": "Test",
    "source": "Test",
    "prefix": "T § ",
    "choices": "1",
    "order": [],
    "paragraphs": ["1", "1(a)"],
}
ENTRY = "# 1 Title\nWords.\n\n> heading: carried by the paragraphs under it\n\n## (a)\nWords of a.\n\n"


def load(folder: Path, text: str, **head: Any) -> Rulebook:
    (folder / "01-test.md").write_text(text, encoding="utf-8")
    return build("test", {**HEAD, **head}, read_book(folder, "T § "))


def test_citation_is_computed_from_the_place(tmp_path: Path) -> None:
    book = load(tmp_path, ENTRY + '```toml\n[pay]\nwagers = "main"\nodds = "3:2"\n```\n')
    (clause,) = book.clauses
    assert clause.cite == "T § 1(a)"
    assert book.entry("1(a)").kind == "clause"
    assert book.entry("1").kind == "heading"
    assert book.entry("1").title == "Title"


PAY = '[[pay]]\nwagers = "main"\nodds = "1:1"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENTRY, "neither a fence nor a note"),
        (ENTRY + "```toml\n[payment]\n```", "clause type 'payment' is none of"),
        (ENTRY + "```toml\n[pay]\nprice = 1\n```", "pay: field 'price' is none of"),
        (ENTRY + '```toml\n[pay]\nwagers = "main"\nodds = "three"\n```', "'three' is not written like"),
        (ENTRY + "```toml\n[pay\n```", "not TOML"),
        (ENTRY + f"```toml\n[pay]\nprice = {'5' * 5_000}\n```", "not TOML: a number has too many digits"),
        (ENTRY + '```toml\n[blackjack]\nace = "Z"\nvalue = 10\n```', "blackjack.ace: 'Z' is none of 2"),
        (ENTRY + "```toml\n[pay]\n```", "pay"),
        (ENTRY + "> clause: something\n", "names the clause"),
        (ENTRY + "> clause: `pay` it\n", "no clause pay carries it"),
        (ENTRY + "> rule: something\n", "a note begins with"),
        (ENTRY + f"```toml\n{PAY}\n{PAY}```", "neither excepts the other"),
        (ENTRY + f'```toml\n{PAY}except_to = ["nobody"]\n```', "no row and no paragraph"),
        (ENTRY + f'```toml\n{PAY}reading = {{x = "y"}}\n```', "pay: reading 'x' is not there"),
        (
            ENTRY + f"```toml\n{PAY}reading = {{x = {{y = 1}}}}\n```",
            "pay.reading: words in quotation marks belong here",
        ),
        (ENTRY + "```toml\n[step.deal]\n```", "is not in the order"),
        (ENTRY.replace("## (a)", "### (a)"), "skips a level"),
        (ENTRY.replace("Words of a.", "") + "> heading: x\n", "says nothing in words"),
        ("text first\n" + ENTRY, "before the first heading"),
        (ENTRY + "> procedure: x\n\n## (b)\nMore.\n\n> procedure: y\n", "no such paragraph"),
        ("# 1 Title\nWords.\n\n> heading: x\n", "has no entry"),
    ],
)
def test_what_does_not_load(text: str, said: str, tmp_path: Path) -> None:
    """Unknown keys, missing paragraphs, overlapping pay rows and dangling references are refused at load."""
    with pytest.raises(RulebookError) as refused:
        load(tmp_path, text)
    assert said in str(refused.value)


OUTCOME = '[[outcome]]\nresult = "win"\n'
KEY = '[submission.decks]\ntype = "integer"\ndefault = 6\nchoices = [6, 8]\n'


@pytest.mark.parametrize(
    ("fence", "said"),
    [
        (OUTCOME.replace("win", "wni"), "outcome.result: 'wni' is none of win, lose, push; did you mean 'win'?"),
        (f"{OUTCOME}\n{OUTCOME.replace('win', 'push')}", "neither excepts the other"),
        (OUTCOME + 'name = "nobody"\n', "no row yields to 'nobody'"),
        (OUTCOME + "player = {totl = 21}\n", "outcome.player: 'totl' is none of"),
        (OUTCOME + 'player = {total = "21"}\n', "a whole number belongs here"),
        (f"{KEY}\n{OUTCOME}when = {{dekcs = 6}}\n", "submission key 'dekcs' is none of decks; did you mean 'decks'?"),
        (f"{KEY}\n{OUTCOME}when = {{decks = 7}}\n", "outcome: decks: 7: it is 6 or 8"),
        (KEY.replace("decks", "wheels"), "no clause asks for this choice, and 'wheels' is none of"),
        (KEY.replace("6\n", "5\n"), "default: 5: it is 6 or 8"),
        (KEY.replace("default = 6\n", ""), "a choice needs a default"),
        ('[task.shufle]\nsays = "x"\n', "task.name: 'shufle' is none of"),
        ('[task.shuffle]\nrole = "dealr"\n', "task.role: 'dealr' is none of player, dealer"),
        ("[step.reveel]\n", "step.name: 'reveel' is none of"),
        ("[boxes]\nmost = true\n", "boxes.most: a whole number belongs here, not True"),
        ("boxes = 7\n", "boxes is a table: [boxes]"),
        ('task = "shuffle"\n', "task is a table: [task.name]"),
        ("[boxes]\n", "boxes needs most"),
        ('[reading.x]\nvalues = ["a"]\n', "no clause asks for 'a', and no note on `x` speaks of it"),
    ],
)
def test_words_that_no_vocabulary_has_do_not_load(fence: str, said: str, tmp_path: Path) -> None:
    """Every value is of its type: refused with file, line, paragraph, what was written and what is allowed."""
    with pytest.raises(RulebookError) as refused:
        load(tmp_path, f"{ENTRY}```toml\n{fence}```\n")
    assert said in str(refused.value)
    assert refused.value.place.startswith(f"{tmp_path.name}/01-test.md:")
    assert refused.value.paragraph == "1(a)"


ACE = "[ace]\nhigh = 11\nlow = 1\nplayer = 21\ndealer = 21\n"
DEAL = '[[deal]]\nto = "boxes"\n'
BAND = '[[band]]\nleast = "5"\nbelow = "25"\npays = "1000"\n'


@pytest.mark.parametrize(
    ("fence", "right", "wrong", "said"),
    [
        (ACE + "[dealer]\nstands = [17, 18, 19, 20, 21]\n", "18, ", "", "are not all totals from the least to 21"),
        (ACE + "[dealer]\nstands = [17, 18, 19, 20, 21]\n", "20, 21", "20, 22", "are not all totals"),
        (DEAL * 2 + "[decision.double]\ncards_least = 2\n", "2", "1", "nobody is asked on 1 of the 2 cards"),
        (DEAL * 2 + "[decision.double]\ncards = 2\n", "2", "1", "nobody is asked on 1 of the 2 cards"),
        ("[decision.hit]\ntotal_below = 21\n[may_not.hit]\ntotal = 21\n", "w = 21", "w = 22", "1(a) forbids it on 21"),
        (BAND + '[[band]]\nleast = "25"\npays = "1"\n', 'least = "25"', 'least = "24"', "ends at 25, not at 24"),
        (
            "[boxes]\nmost = 7\n[batches]\ncount = 4\n",
            "4",
            "5",
            "5 batches cannot have backs of red, blue, green, yellow",
        ),
        ("[boxes]\nmost = 7\n[batches]\ncount = 4\n", "4", "0", "0 batches cannot have backs"),
    ],
)
def test_numbers_that_contradict_each_other_do_not_load(
    fence: str, right: str, wrong: str, said: str, tmp_path: Path
) -> None:
    """Gaps, overlaps, and limits that no hand can meet are refused; the same fence without them loads."""
    assert load(tmp_path, f"{ENTRY}```toml\n{fence}```\n").clauses
    with pytest.raises(RulebookError) as refused:
        load(tmp_path, f"{ENTRY}```toml\n{fence.replace(right, wrong)}```\n")
    assert said in str(refused.value)


def test_step_of_the_order_needs_a_fence(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="has no fence"):
        load(tmp_path, ENTRY + "> procedure: x\n", order=["deal"])


def test_rows_that_say_which_prevails_load(tmp_path: Path) -> None:
    rows = PAY + 'except_to = ["better"]\n\n' + PAY.replace("1:1", "2:1") + 'name = "better"\n'
    assert len(load(tmp_path, ENTRY + f"```toml\n{rows}```").clauses) == 2


def test_unknown_rulebook() -> None:
    with pytest.raises(RulebookError, match="there is no such rulebook"):
        Rulebook.load("../secrets")


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_step_has_one_fence_under_the_default_submission(name: str) -> None:
    rules = Rulebook.load(name).under()
    assert [step.name for step in rules.steps] == [
        step for step in rules.rulebook.order if any(clause.name == step for clause in rules.steps)
    ]
    assert rules.steps[0].name == "deal"
    assert rules.steps[-1].name == "collect"


def test_only_text_of_ours_in_the_folder() -> None:
    """A rulebook's folder holds Markdown and its head, nothing else."""
    assert {path.suffix for path in FOLDER.rglob("*") if path.is_file()} == {".md", ".toml"}


# -- patterns


@pytest.mark.parametrize(
    ("pattern", "cards", "matches"),
    [
        (HandPattern(ranks=("6", "7", "8"), suits="mixed"), "8S 6H 7S", True),
        (HandPattern(ranks=("6", "7", "8"), suits="mixed"), "8S 6S 7S", False),
        (HandPattern(ranks=("6", "7", "8"), suits="same"), "8H 6H 7H", True),
        (HandPattern(ranks=("6", "7", "8"), suits="S"), "8H 6H 7H", False),
        (HandPattern(ranks=("6", "7", "8"), suits="S"), "8S 6S 7S", True),
        (HandPattern(cards=3, total=21), "8S 6S 7S", True),
        (HandPattern(cards=3, total=21), "8S 6S 6S", False),
        (HandPattern(cards_over=2, most=21), "8S 6S 7S", True),
        (HandPattern(over=20), "8S 6S 6S", False),
    ],
)
def test_patterns(pattern: HandPattern, cards: str, matches: bool) -> None:
    hand = Rulebook.load("pa-spanish-21").under().hand(parse_cards(cards))
    assert pattern.matches(hand) is matches


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        (HandPattern(suits="same"), HandPattern(suits="S"), True),
        (HandPattern(suits="same"), HandPattern(suits="mixed"), False),
        (HandPattern(suits="H"), HandPattern(suits="S"), False),
        (HandPattern(cards=5), HandPattern(cards=6), False),
        (HandPattern(cards=6), HandPattern(cards_over=6), False),
        (HandPattern(cards=7), HandPattern(cards_over=6), True),
        (HandPattern(blackjack=True), HandPattern(cards=5), False),
        (HandPattern(blackjack=True), HandPattern(), True),
        (HandPattern(ranks=("7", "7", "7")), HandPattern(cards=3, total=21), True),
        (HandPattern(ranks=("7", "7", "7")), HandPattern(ranks=("6", "7", "8")), False),
    ],
)
def test_overlap(one: HandPattern, other: HandPattern, overlap: bool) -> None:
    assert one.overlaps(other) is overlap
    assert other.overlaps(one) is overlap


def test_facts_are_plain() -> None:
    assert HandFacts((), 0).blackjack is False


# -- outcomes are complete and without conflict


@pytest.mark.parametrize("name", rulebook_ids())
def test_outcome_rows_decide_every_comparison_once(name: str) -> None:
    """For every total, number of cards and kind of both hands exactly one row decides, under every reading."""
    book = Rulebook.load(name)
    choices: list[dict[str, str]] = [{}]
    choices += [{reading.name: value} for reading in book.readings for value in reading.values[1:]]
    for readings in choices:
        rules = book.under({"readings": readings})
        for player in _player_hands():
            for dealer in _dealer_hands():
                if _can_meet(name, player, dealer):
                    rules.outcome(player, dealer)


def _player_hands() -> list[HandFacts]:
    two, three = parse_cards("9S 9H"), parse_cards("9S 9H 3D")
    plain = [HandFacts(cards, points) for cards in (two, three) for points in range(4, 31)]
    split = [hand._replace(split=True) for hand in plain]
    return [*plain, *split, HandFacts(parse_cards("AS KS"), 21, soft=True, blackjack=True)]


def _dealer_hands() -> list[HandFacts]:
    several = [HandFacts(parse_cards("9S 5H 3D"), points) for points in range(17, 27)]
    return [*several, HandFacts(parse_cards("9S 9H"), 18), HandFacts(parse_cards("AS KS"), 21, blackjack=True)]


def _can_meet(name: str, player: HandFacts, dealer: HandFacts) -> bool:
    """A 21 that the text pays at once is never compared."""
    at_once = any(clause.type_key == "paid_at_once" for clause in Rulebook.load(name).clauses)
    return not (at_once and player.points == 21)


# -- submissions


def test_submission_defaults_and_limits() -> None:
    rules = Rulebook.load("pa-spanish-21").under()
    assert rules.submission["decks"] == 6
    assert rules.submission["max_split_hands"] == 4
    with pytest.raises(SubmissionRefused) as refused:
        Rulebook.load("pa-spanish-21").under({"max_split_hands": 1})
    assert refused.value.cite == "58 Pa. Code § 635a.11(c)"
    assert str(refused.value).startswith("submission.max_split_hands: 1 is not allowed")


def test_a_clause_is_frozen_and_wants_its_fields() -> None:
    cover = Rulebook.load("pa-spanish-21").under().maybe(CoverCard)
    assert cover is not None
    with pytest.raises(FrozenInstanceError):
        cover.share = Fraction(1)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del cover.share
    assert replace(cover, paragraph="1").cite == cover.cite
    with pytest.raises(TypeError, match="cite is missing"):
        CoverCard(paragraph="1")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no colour"):
        replace(cover, colour="red")  # type: ignore[call-arg]
