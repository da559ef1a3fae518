"""`twentyone play`: the terminal table takes only what the rulebook allows, loses no chip and never falls over."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

import pytest
from tests.daily import daily

from twentyone.cards import Card, parse_cards
from twentyone.cli import main
from twentyone.cli.table_screen import Screen
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.shoes import Custody
from twentyone.money import ZERO, Amount
from twentyone.round import Round, Wagers
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import TableState
from twentyone.table.health import Source

BOOKS = rulebook_ids()
EVERY_KEY = (*"hsdpriecxn12?l", "", "d 5", "i 2.50", "5", "0.25", "$10", "zz", "l 635a.10(d)", "hit", "[red]", "é ü")


def answers(monkeypatch: pytest.MonkeyPatch, lines: Iterable[str]) -> None:
    """Type these lines; then the input ends."""
    source = iter(lines)

    def read(_: str = "") -> str:
        try:
            return next(source)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def totals(out: str) -> tuple[int, list[Amount]]:
    """Rounds and amounts of the last line: chips of every player, then the table inventory."""
    last = " ".join(out.split("\n\n")[-1].split())
    found = re.search(r"(\d+) rounds?: (.*)\.$", last)
    assert found is not None, last
    amounts = re.findall(r"(-?)\+?\$([\d,.]+\d)", found[2])
    return int(found[1]), [Amount(sign + figure.replace(",", "")) for sign, figure in amounts]


def add_up(amounts: Iterable[Amount]) -> Amount:
    total = ZERO
    for amount in amounts:
        total = total + amount
    return total


# -- whole tables


@pytest.mark.parametrize("book", BOOKS)
def test_thirty_rounds_by_the_plain_rule_conserve_chips(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["play", book, "--auto", "--seed", "7", "--rounds", "30", "--players", "Ann,Bob,Cy"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    rounds, amounts = totals(out)
    assert (rounds, len(amounts), err) == (30, 4, "")
    assert add_up(amounts) == ZERO
    assert out.count("paragraphs of") == 30


@pytest.mark.parametrize("book", BOOKS)
def test_any_keys_pressed_lead_through_rounds_and_conserve_chips(
    book: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(book)
    answers(monkeypatch, (chance.choice(EVERY_KEY) for _ in range(5000)))
    assert main(["play", book, "--seed", "2", "--rounds", "12", "--players", "Ann,Bob"]) == 0
    rounds, amounts = totals(capsys.readouterr().out)
    assert rounds == 12
    assert add_up(amounts) == ZERO


SUBMISSIONS = {
    "shared-boxes": (
        'rulebook = "s13-spanish-21"\nplayers_per_box = 3\nhole_card = "none"',
        ["--players", "Ann,Bob,Cy,Dee,Eve", "--boxes", "2", "--side", "match_the_dealer=2"],
    ),
    "unread": ('rulebook = "s13-spanish-21"\nhole_card = "unread"\nboxes_per_player = 3', ["--boxes", "3"]),
    "wheels": (
        'rulebook = "md-spanish-21"\nbonus_spin = "B"\nxtreme_16 = true\nboxes_per_player = 4\n'
        "[wheel_weights.bonus_spin]\njackpot = 1\n250+100 = 2",
        ["--players", "Ann,Bob", "--boxes", "7", "--side", "bonus_spin=1", "--side", "xtreme-16=5"],
    ),
    "one-deck": (
        'rulebook = "pa-double-back-jack"\ndecks = 1',
        ["--players", "Ann,Bob,Cy,Dee,Eve,Fay"],
    ),
    "continuous": ('rulebook = "pa-spanish-21"\nshuffler = "continuous"', ["--boxes", "2"]),
}


@pytest.mark.parametrize(
    ("name", "auto"),
    daily([(name, auto) for name in SUBMISSIONS for auto in (True, False)], *((name, True) for name in SUBMISSIONS)),
)
def test_tables_under_a_submission_conserve_chips(
    name: str, auto: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, arguments = SUBMISSIONS[name]
    file = tmp_path / "submission.toml"
    file.write_text(text.replace("250+100", '"250+100"'), encoding="utf-8")
    chance = random.Random(name)
    answers(monkeypatch, (chance.choice(EVERY_KEY) for _ in range(20000)))
    extra = ["--auto"] if auto else []
    assert main(["play", "--submission", str(file), "--seed", "5", "--rounds", "15", *arguments, *extra]) == 0
    rounds, amounts = totals(capsys.readouterr().out)
    assert rounds == 15
    assert add_up(amounts) == ZERO


# -- one question at a time


def at_table(monkeypatch: pytest.MonkeyPatch, book: str, cards: str, lines: Iterable[str], *arguments: str) -> None:
    """Play one round with these cards leaving the shoe and these lines typed."""
    source = [Card(name) for name in cards.split()]
    draw_from(monkeypatch, lambda: source.pop(0) if source else Card("2C"))
    answers(monkeypatch, lines)
    assert main(["play", book, "--rounds", "1", *arguments]) == 0


def draw_from(monkeypatch: pytest.MonkeyPatch, draw: Callable[[], Card]) -> None:
    """Let every card of a round come from here; the card that is burned is another one."""

    def next_card(_: LiveShoe, state: TableState, __: Custody) -> Card:
        return draw() if state.phase == "round" else Card("2D")

    monkeypatch.setattr(LiveShoe, "next_card", next_card)


def test_a_barred_decision_is_shown_with_its_reason_and_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(monkeypatch, "pa-spanish-21", "4S 7H 3C KD 5C", ["x", "h", "r", "s"])
    out = " ".join(capsys.readouterr().out.split())
    assert "surrender: it is allowed on 2 cards, the hand has 3 635a.9(a)" in out
    assert "box 1 may not surrender" in out
    assert "??" in out
    assert "635a.12(a)" not in out


def test_the_hole_card_stays_hidden_until_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    round_ = Round.start(Rulebook.load("pa-spanish-21").under(), [Wagers(1, "Ann", Amount("10"))])
    for card in parse_cards("9S 7H 8C KD"):
        round_ = round_.apply(card)
    Screen(no_color=True, clears=False).show_round(round_, {"Ann": ZERO}, "round 1")
    before = capsys.readouterr().out
    Screen(no_color=True, clears=False).show_round(round_.apply("stand"), {"Ann": ZERO}, "round 1")
    after = capsys.readouterr().out
    assert "7♥ ??" in before
    assert "K♦" not in before
    assert "7♥ K♦" in after


def test_the_range_is_shown_in_place_of_the_hole_card(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(monkeypatch, "pa-down-under-blackjack", "9S 7H 8C 3D 9D", ["s"])
    out = capsys.readouterr().out
    assert "7♥ ??   shows 7, hole card small: 2 3 4 5" in out


def test_insurance_is_asked_box_by_box_with_an_amount(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["n", "i", "7", "i", "", "s", "s"]
    at_table(monkeypatch, "pa-spanish-21", "9S 9H AS 9C 9D KD", lines, "--players", "Ann,Bob")
    out = " ".join(capsys.readouterr().out.split())
    assert "Ann, box 1: insurance?" in out
    assert "Bob, box 2: insurance?" in out
    assert "a wager of 7 to insure is not positive and at most 5 (58 Pa. Code § 635a.8(b))" in out
    assert re.search(r"insurance \$5\.00 win 2:1 \+\$10\.00", out)
    assert out.endswith("1 round: Ann -$10.00, Bob $0.00; table inventory +$10.00.")


def test_even_money_is_offered_to_a_blackjack_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["e", "e", "n", "s"]
    at_table(monkeypatch, "pa-down-under-blackjack", "AS 9H AD KC 9D 7S", lines, "--players", "Ann,Bob")
    out = " ".join(capsys.readouterr().out.split())
    assert "e even money: the hand is no Blackjack" in out
    assert "even money $10.00 win 1:1 +$10.00" in out


def test_a_game_without_even_money_does_not_speak_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(monkeypatch, "pa-spanish-21", "9S AH 8C 7D", ["n", "s"])
    assert "even money" not in capsys.readouterr().out


def test_a_double_for_less_and_its_rescue(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    at_table(monkeypatch, "pa-spanish-21", "6S 7H 5C KD 2S", ["d 4", "x"])
    out = " ".join(capsys.readouterr().out.split())
    assert "double $4.00 rescued - $0.00 635a.10(d)" in out
    assert out.endswith("You -$10.00; table inventory +$10.00.")


@pytest.mark.parametrize(("chance", "row"), [("6C", "in the rack hard 21"), ("7C", "less 7♣ hard 20")])
def test_a_second_chance_names_its_wager(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], chance: str, row: str
) -> None:
    """673a.7(l)(2): cards that make 21 go into the rack at once; (l)(3): below it they wait for the dealer."""
    at_table(monkeypatch, "pa-double-back-jack", f"KS 7H 9C KD 8S {chance}", ["h", "c"])
    out = " ".join(capsys.readouterr().out.split())
    assert "c second chance for $10.00 n no" in out
    assert row in out
    assert out.endswith("You +$10.00; table inventory -$10.00.")


def test_followers_on_a_split_box_keep_a_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "submission.toml"
    file.write_text("players_per_box = 2\n", encoding="utf-8")
    lines = ["p", "n", "2", "s", "s"]
    arguments = ["--players", "Ann,Bob", "--boxes", "1", "--submission", str(file)]
    at_table(monkeypatch, "s13-spanish-21", "8S 7H 8C KD KS KC", lines, *arguments)
    out = " ".join(capsys.readouterr().out.split())
    assert "Bob, box 1, hand 1: the pair was split: split too, or keep one hand?" in out
    assert "1 keep hand 1 2 keep hand 2" in out
    assert "an answer is needed here" in out
    assert "Bob, box 1: designate hand 2" in out


def test_the_last_paragraph_and_any_other_can_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["l", "p", "l", "l 635a.10(d)", "l 99", "?", "s"]
    at_table(monkeypatch, "pa-spanish-21", "9S 7H 8C KD", lines)
    out = capsys.readouterr().out
    words = " ".join(out.replace("│", " ").split())
    assert "no paragraph has been cited yet" in words
    assert "58 Pa. Code § 635a.11(a)" in words
    assert "take the Double Down Wager back" in words
    assert "has no paragraph '99'" in words
    assert "the rulebook's entry" in words


def test_between_rounds_the_wager_may_change_within_the_limits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, ["s", "s", "s", "s", "abc", "0.25", "25", "q"])
    draw_from(monkeypatch, cards_again("9S 7H 8C KD"))
    assert main(["play", "pa-spanish-21", "--seed", "1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "'abc' is not an amount" in out
    assert "$0.25 is not a multiple of the chip unit $0.50" in out
    assert "main $25.00" in out
    assert out.endswith("The round in progress does not count. 1 round: You $0.00; table inventory $0.00.")


def cards_again(cards: str) -> Callable[[], Card]:
    again = cycle(cards.split())
    return lambda: Card(next(again))


# -- leaving


def test_the_menu_lists_every_rulebook_and_q_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, ["0", "q"])
    assert main(["play"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for name in BOOKS:
        assert Rulebook.load(name).title in out
    assert "'0' is not a number on the list" in out


def test_the_menu_takes_a_number_and_the_end_of_input_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, [str(BOOKS.index("pa-spanish-21") + 1)])
    assert main(["play", "--seed", "1"]) == 0
    assert "0 rounds: You $0.00; table inventory $0.00." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("arguments", [["pa-spanish-21"], []])
def test_an_interrupt_leaves_with_130(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["play", *arguments, "--seed", "1"]) == 130


@pytest.mark.parametrize(("reads", "says"), [(3, ""), (8, "rounds: You")])
def test_entropy_that_fails_closes_the_table(
    reads: int, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the first round, or later: a continuous shuffler asks for a new order after each."""
    chance, count = random.Random(1), iter(range(1000))
    source = Source(lambda size: chance.randbytes(size) if next(count) < reads else bytes(size))
    monkeypatch.setattr("twentyone.table.shoe.os_source", lambda: source)
    file = tmp_path / "submission.toml"
    file.write_text('shuffler = "continuous"', encoding="utf-8")
    arguments = ["pa-spanish-21", "--auto", "--rounds", "20", "--submission", str(file)]
    assert main(["play", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (says in out, err.count("\n")) == (True, 1)
    assert (out == "", "entropy" in err) == (not says, True)


# -- arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-game"],
        ["pa-spanish-21", "--boxes", "8"],
        ["pa-spanish-21", "--boxes", "two"],
        ["pa-spanish-21", "--rounds", "0"],
        ["pa-spanish-21", "--wager", "ten"],
        ["pa-spanish-21", "--side", "match_the_dealer"],
        ["pa-spanish-21", "--side", "main=5"],
        ["pa-spanish-21", "--players", "Ann,,Bob"],
        ["pa-spanish-21", "--players", "Ann,Ann"],
        ["pa-spanish-21", "--players", "An\x1bn"],
        ["pa-spanish-21", "--submission", "/no/such/file.toml"],
        ["pa-spanish-21", "--colour"],
        ["--auto"],
    ],
)
def test_nonsense_leaves_with_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", *arguments])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (64, "")
    assert err.startswith(("usage: twentyone", "twentyone: /no/such"))


REFUSED = [
    (["pa-double-back-jack", "--boxes", "7", "--players", "A,B,C,D"], "there is no box 7", "673a.2(a)"),
    (["pa-spanish-21", "--boxes", "3"], "3 boxes, 2 allowed", "635a.6"),
    (["pa-spanish-21", "--boxes", "1", "--players", "Ann,Bob"], "more than 1 player", "635a.2"),
    (["pa-spanish-21", "--wager", "0"], "is no wager", "635a.6"),
    (["pa-spanish-21", "--wager", "10.25"], "chip unit", "635a.6"),
    (["pa-double-back-jack", "--side", "match_the_dealer=5"], "is not offered here", ""),
    (["s13-spanish-21", "--side", "match_the_dealer=50"], "exceeds the main wager", "13(f)"),
]


@pytest.mark.parametrize(("arguments", "why", "cite"), REFUSED)
def test_what_the_rulebook_refuses_leaves_with_2(
    arguments: list[str], why: str, cite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert why in err
    assert cite in err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("decks = 7", "submission.decks"),
        ("decks = ", "is not TOML"),
        ('rulebook = "s13-spanish-21"', "is a submission for s13-spanish-21"),
        ('rulebook = "poker"', "there is no rulebook 'poker'"),
        ("rulebook = 21", "there is no rulebook 21"),
    ],
)
def test_a_submission_that_will_not_do_leaves_with_2(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "submission.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["play", "pa-spanish-21", "--submission", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert why in err
