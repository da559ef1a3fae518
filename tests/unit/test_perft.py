"""Every round of a small shoe: each line is a round that replay deals, and the command tells what they come to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from twentyone.cards import parse_cards
from twentyone.cli import main
from twentyone.errors import Refused, TwentyoneError
from twentyone.money import ZERO, Amount
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.script import replay
from twentyone.script.perft import perft, perft_lines

TEN = Amount("10")
SPLITS = "8S 7H 8C KD 8D 3S 8H 2C 9D 5S 4H"
ACES = "AS AH 9C 5D AD 7S 2C 9S 3D"
ACTIONS = ("insure", "even_money", "surrender", "hit", "stand", "double", "split", "rescue", "second_chance")


def script_of(book: str, line: str) -> dict[str, Any]:
    """The round of a line as a round script."""
    cards, said, net = line.split(";")
    rows = [word.partition(":") for word in said.split()]
    decisions = [{"box": 1, "action": action, **({"amount": amount} if amount else {})} for action, _, amount in rows]
    return {
        "format": "round-script/1",
        "rulebook": book,
        "wagers": [{"box": 1, "player": "p1", "main": "10"}],
        "cards": cards,
        "decisions": decisions,
        "expect": {"net": {"p1": net}, "cards_used": len(cards.split())},
    }


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("cards", [SPLITS, ACES])
def test_each_line_is_a_round_that_replay_deals(book: str, cards: str) -> None:
    found = perft_lines(Rulebook.load(book).under(), parse_cards(cards), TEN)
    assert len(set(found.rounds)) == len(found.rounds) > 2
    assert [line for line in found.rounds if replay(script_of(book, line)).exit] == []
    assert sum((Amount(line.split(";")[2]) for line in found.rounds), ZERO) == found.net


def followed(said: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """Every row of decisions, legal or not, up to a length."""
    yield said
    if len(said) < most:
        for action in ACTIONS:
            amount = {"insure": ":5", "double": ":10"}.get(action, "")
            yield from followed((*said, f"{action}{amount}"), most)


@pytest.mark.parametrize("book", rulebook_ids())
def test_no_round_is_left_out(book: str) -> None:
    """Of all rows of up to three decisions, those that replay deals are the lines that are found."""
    cards = "5S AH 5C 6D KS 8C 7D 9H"
    lines = perft_lines(Rulebook.load(book).under(), parse_cards(cards), TEN).rounds
    short = {tuple(line.split(";")[1].split()) for line in lines if len(line.split(";")[1].split()) <= 3}
    dealt = {said for said in followed((), 3) if replay(_plain(book, cards, said)).exit == 0}
    assert short == dealt
    assert len(short) > 3


def _plain(book: str, cards: str, said: tuple[str, ...]) -> dict[str, Any]:
    script = script_of(book, f"{cards};{' '.join(said)};0")
    return {key: value for key, value in script.items() if key != "expect"}


def test_any_order_holds_the_given_order() -> None:
    rules, cards = Rulebook.load("classic-blackjack").under(), parse_cards("8S 7H 8C KD 3S")
    given, any_order = (perft_lines(rules, cards, TEN, order) for order in (False, True))
    assert set(given.rounds) < set(any_order.rounds)
    turned = perft(rules, tuple(reversed(cards)), TEN, any_order=True)
    assert turned == perft(rules, cards, TEN, any_order=True), "the order in which they are named does not matter"


def test_cards_that_no_shoe_holds_and_too_many_rounds_are_refused() -> None:
    rules = Rulebook.load("classic-blackjack").under({"decks": 1})
    with pytest.raises(Refused, match="8S"):
        perft(rules, parse_cards("8S 7H 8S KD"), TEN)
    with pytest.raises(TwentyoneError, match="more than 3 rounds: give fewer cards"):
        perft(rules, parse_cards("8S 7H 8C KD 3S 2D"), TEN, any_order=True, most=3)


def test_the_command_tells_figures_that_its_lines_come_to(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["perft", "classic-blackjack", "--cards", "AS 8H 8C 3D KC", "--any-order"]
    assert main([*words, "--lines"]) == 0
    lines = capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["digest"] == hashlib.sha256(lines.encode()).hexdigest()
    assert told["rounds"] == len(lines.splitlines())
    assert main(words) == 0
    assert told["digest"] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cards", "8S 7X"], "cards are rank and suit"),
        (["--cards", "8S 7H", "--wager", "-1"], "a wager is a positive amount"),
        (["--cards", "8S 7H", "--wager", "0.30"], "0.3"),
        (["--cards", "8S 7H 8C KD 3S 2D", "--any-order", "--most", "5"], "more than 5 rounds"),
    ],
)
def test_the_command_refuses(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "classic-blackjack", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


@pytest.mark.parametrize(
    "words", ["classic-blackjack", "none --cards 8S", "classic-blackjack --cards 8S --lines --json"]
)
def test_usage(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["perft", *words.split()])
    assert (left.value.code, capsys.readouterr().out) == (64, "")
