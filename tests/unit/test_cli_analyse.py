"""`twentyone analyse` and `twentyone hand --out`: one round, a session, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twentyone.cards import Card, parse_cards
from twentyone.cli import DONE, REFUSED, USAGE, main
from twentyone.odds.analysis import analyse
from twentyone.odds.hand_values import hand_values
from twentyone.odds.kept_hands import kept_hand
from twentyone.rulebook import Rulebook

CLASSIC = "classic-blackjack"
SCRIPT = {
    "format": "round-script/1",
    "rulebook": CLASSIC,
    "wagers": [{"box": 1, "player": "Ann", "main": "10"}],
    "cards": "10S 7H 2C 10D 10H",
    "decisions": [{"box": 1, "action": "stand"}],
}


@pytest.fixture
def script(tmp_path: Path) -> str:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(SCRIPT), encoding="utf-8")
    return str(file)


def asked(argv: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([*argv, "--json"]) == DONE
    return json.loads(capsys.readouterr().out)


def test_a_mistake_is_told_in_wagers_and_dollars(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    """12 against 7: standing costs; deal, luck and mistakes make the net."""
    (ann,) = asked(["analyse", script], capsys)["players"]
    (decision,) = [step for step in ann["steps"] if "chosen" in step]
    assert (decision["chosen"], decision["best"], decision["values"].keys()) == (
        "stand", "hit", {"stand", "hit", "double"},
    )  # fmt: skip
    assert decision["cost_dollars"] == pytest.approx(10 * decision["cost"])
    assert ann["deal"] + ann["luck"] - ann["mistakes"] == pytest.approx(-10, abs=1e-9)
    assert main(["analyse", script]) == DONE
    said = capsys.readouterr().out
    assert "Ann: net -$10.0000 = deal" in said
    assert "mistake: 0." in said


def test_cards_that_had_left_change_the_values(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without tens in the shoe a hit goes over less often."""

    def hit(*more: str) -> float:
        (ann,) = asked(["analyse", script, *more], capsys)["players"]
        return next(float(step["values"]["hit"]) for step in ann["steps"] if "chosen" in step)

    assert hit("--out", "KS KH KD KC QS QH QD QC JS JH") > hit() + 0.005


@pytest.mark.parametrize(
    ("argv", "status", "said"),
    [
        (["--out", "AS " * 7], REFUSED, "7 of AS were named, but the shoe holds 6"),
        (["--out", "1S"], REFUSED, "--out: "),
        (["--player", "Bo"], REFUSED, "Bo: did not play"),
        (["t:1"], USAGE, "ROUND goes with a ledger"),
    ],
)
def test_what_cannot_be_analysed_is_refused(
    argv: list[str], status: int, said: str, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["analyse", script, *argv])
    except SystemExit as left:
        found = int(str(left.code))
    told = capsys.readouterr()
    assert found == status
    assert said in told.err
    assert not told.out


def test_a_session_of_scripts_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text("\n".join([json.dumps(SCRIPT)] * 3), encoding="utf-8")
    body = asked(["analyse", str(file)], capsys)
    (ann,) = body["players"]
    assert (body["rounds"], ann["rounds"], ann["net"], ann["wrong"]) == (3, 3, "-30", 3)
    assert ann["deal"] + ann["luck"] - ann["mistakes"] == pytest.approx(-30, abs=1e-9)
    assert [row["round"] for row in ann["worst"]] == ["1", "2", "3"]


def test_a_ledger_is_a_session_and_remembers_its_shoe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second round of a shoe is worth another amount to whoever remembers the first."""
    ledger = str(tmp_path / "t.db")
    assert main(["shift", CLASSIC, "--rounds", "2", "--seed", "7", "--ledger", ledger]) == DONE
    capsys.readouterr()
    session = asked(["analyse", ledger, "--seen", "round"], capsys)
    assert session["rounds"] == 2
    for player in session["players"]:
        assert player["deal"] + player["luck"] - player["mistakes"] == pytest.approx(float(player["net"]), abs=1e-9)
    names = [f"{CLASSIC}-1:2", "--seen", "round"], [f"{CLASSIC}-1:2"]
    fresh, known = ([row["deal"] for row in asked(["analyse", ledger, *name], capsys)["players"]] for name in names)
    assert all(one != other for one, other in zip(fresh, known, strict=True))


# -- one hand


def test_a_hand_is_worth_what_the_whole_analysis_says() -> None:
    """Two methods: the whole game worked out, and one situation from the cards left."""
    rules = Rulebook.load(CLASSIC).under()
    whole = analyse(rules)
    for cards, up in (("10S 6D", "10H"), ("8S 8D", "10H"), ("AS 7D", "9C"), ("5S 4D", "6C"), ("AS KD", "10C")):
        hand = parse_cards(cards)
        assert hand_values(rules, hand, Card(up)) == pytest.approx(whole.decisions(hand, Card(up)), abs=1e-12)


def test_cards_that_are_out_move_a_close_decision(capsys: pytest.CaptureFixture[str]) -> None:
    """16 against 10: hit from a full shoe, stand when five small cards are gone."""
    sixteen = ["hand", CLASSIC, "10S 6D", "--up", "10"]
    assert asked(sixteen, capsys)["best"] == "hit"
    small = asked([*sixteen, "--out", "5S 5H 5D 5C 4S 4H"], capsys)
    assert (small["best"], small["out"][0]) == ("stand", "5S")
    again = asked([*sixteen, "--out", "4H 4S 5C 5D 5H 5S"], capsys)
    assert again["decisions"] == small["decisions"]


def test_more_cards_out_than_there_are_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hand", CLASSIC, "10S 6D", "--up", "10H", "--out", "6D " * 6]) == REFUSED
    assert "7 of 6D were asked, but the shoe holds 6" in capsys.readouterr().err


@pytest.mark.parametrize("cards", ["6S 7S", "6S 7D", "7S 7D", "KS 6D", "AS KD", "6H 7H 8H", "KS 5D 9C"])
def test_a_kept_hand_is_the_same_hand(cards: str) -> None:
    """Looked up among all hands against a nine, or worked out by itself."""
    rules, hand, up = Rulebook.load("pa-spanish-21").under(), parse_cards(cards), Card("9C")
    over = rules.hand(hand).points > rules.limit
    kept = kept_hand(rules, hand, up, "", doubled=False)
    assert (kept is None) == over
    if kept is not None:
        assert kept == pytest.approx(hand_values(rules, hand, up), abs=1e-14)
