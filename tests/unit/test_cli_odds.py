"""The commands of the odds: what they refuse, with what words and which exit status."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from statistics import correlation as correlation_coefficient
from typing import Any

import pytest

from twentyone.cli import DONE, REFUSED, USAGE, main
from twentyone.cli.extras import needs
from twentyone.odds import effects, efficiency
from twentyone.rulebook import Rulebook
from twentyone.strategy import CellKey, default_strategy, to_csv, to_json

CLASSIC, PA, DUB = "classic-blackjack", "pa-spanish-21", "pa-down-under-blackjack"


def refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that is to be refused; answers what it said."""
    assert main(argv) == REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    return said.err


def strategy_file(folder: Path, book: str, change: str = "") -> str:
    """The default chart as a CSV file, with one line changed."""
    text = to_csv(default_strategy(Rulebook.load(book).under()))
    if change:
        start = change.rpartition(",")[0].rsplit(",", 9)[0]
        lines = [change if line.startswith(start + ",") else line for line in text.splitlines()]
        text = "\n".join(lines)
    (folder / "chart.csv").write_text(text, encoding="utf-8")
    return str(folder / "chart.csv")


@pytest.mark.parametrize("command", ["odds", "strategy", "effects"])
def test_an_unknown_rulebook_is_a_wrong_command_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "spanish-22"])
    assert left.value.code == USAGE
    assert "there is no such rulebook" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["odds", "strategy", "effects"])
def test_an_unknown_key_is_refused_with_the_nearest_known_key(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('deks = 6\nrulebook = "pa-spanish-21"')
    told = refused([command, PA, "--submission", str(file)], capsys)
    assert "submission.deks: this rulebook leaves no choice called 'deks'; did you mean 'decks'?" in told
    assert "§" not in told, "no paragraph speaks of keys that there are not"


@pytest.mark.parametrize("text", ["decks = ", 'rulebook = "md-spanish-21"', "decks = 7", "\xff"])
def test_a_wrong_submission_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(text.encode("latin-1"))
    assert refused(["odds", PA, "--submission", str(file)], capsys)


@pytest.mark.parametrize(
    "words", ["--wager 0", "--wager -5", "--wager five", "--others -1", "--others 99", "--others x"]
)
def test_a_wrong_wager_or_number_of_players_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, value = words.split()
    assert value in refused(["odds", PA, f"{name}={value}"], capsys)


def test_no_such_submission(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["odds", PA, "--submission", "/no/such/file.toml"])
    assert left.value.code == USAGE


def test_a_missing_cell_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = strategy_file(tmp_path, PA, "first,,hard,16,S,S,.,S,S,H,H,H,H,H")
    said = refused(["value", PA, "--strategy", file], capsys)
    assert "first, hard 16 against 4: the cell is missing" in said
    assert "635a.7(h)" in said


def test_an_illegal_cell_is_refused_with_the_paragraph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = strategy_file(tmp_path, PA, "split,,hard,16,Rh,S,S,S,S,H,H,H,H,H")
    said = refused(["value", PA, "--strategy", file], capsys)
    assert "split, hard 16 against 2: Rh: the hand may not surrender: the hand came out of a split" in said
    assert "635a.9(a)" in said


def test_a_strategy_for_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(["value", "md-spanish-21", "--strategy", strategy_file(tmp_path, PA)], capsys)
    assert "for pa-spanish-21, not for md-spanish-21" in said


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"strategy/1", b'{"format": "strategy/1"}', b"[[[["])
def test_a_file_that_is_no_strategy_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chart").write_bytes(content)
    assert refused(["value", PA, "--strategy", str(tmp_path / "chart")], capsys)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([PA, "6S 7X", "--up", "5"], "there is no card '7X'"),
        ([PA, "6S 7S", "--up", "11"], "there is no card '11'"),
        ([PA, "6S 7S", "--up", "5S 6S"], "the dealer has one up card"),
        ([PA, "6S 7S", "--up", ""], "the dealer has one up card"),
        ([PA, "", "--up", "5"], "no hand"),
        ([PA, "6S", "--up", "5"], "no hand"),
        ([PA, "10S 7S", "--up", "5"], "there is no 10S in these decks"),
        ([PA, "6S 7S", "--up", "10C"], "there is no 10C in these decks"),
        ([PA, "6S 7S", "--up", "5", "--out", "10C"], "there is no 10C in these decks"),
        ([PA, "6S 7S", "--up", "9", "--out", " ".join(f"9{suit}" for suit in 6 * "SHDC")], "no 9 is left"),
        ([PA, "6S 7S", "--up", "5", "--hole", "small"], "knows nothing of the hole card"),
        (["pa-down-under-blackjack", "6S 7S", "--up", "5"], "small or medium or large"),
        (["pa-down-under-blackjack", "6S 7S", "--up", "10", "--hole", "large"], "small or medium or =10"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(["hand", *argv], capsys)


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def done(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that is to succeed; answers what it printed."""
    assert main(argv) == DONE
    return capsys.readouterr().out


@pytest.mark.usefixtures("_own_cache")
def test_the_odds_and_their_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "par.html"
    body = json.loads(done(["odds", DUB, "--json", "--par", str(page)], capsys))
    wanted = {"rulebook", "submission", "house_edge", "house_edge_with_super_bonus", "standard_deviation"}
    assert {"return_to_player", "volatility_index", "distribution", "return_ranges", "dealer_by_up"} <= set(body)
    assert sum(row["probability"] for row in body["distribution"]) == pytest.approx(1, abs=1e-12)
    assert wanted | {"element_of_risk", "side_wagers", "method", "seconds"} <= set(body)
    assert body["side_wagers"]["match_the_dealer"]["fraction"] == "1958/48205"
    assert body["cached"] is False
    again = json.loads(done(["odds", DUB, "--json"], capsys))
    assert again | {"run": body["run"]} == {**body, "cached": True}
    _check_page(page.read_text(encoding="utf-8"), body)
    assert "House edge" in done(["odds", DUB], capsys)


def _check_page(text: str, body: dict[str, Any]) -> None:
    """The PAR sheet stands alone and says the same as the JSON."""
    assert re.search(r"<script|<link|src=|url\(|@import|https?:", text) is None
    assert f"{body['house_edge'] * 100:.4f}" in text
    for words in (
        "58 Pa. Code § 685a.9(a)",
        "1958/48205",
        "Return to player",
        "Volatility index",
        "no match",
        "Legend",
        "max-width",
        body["versions"]["rulebook"],
    ):
        assert words in text
    assert text.count("<table") == text.count("</table>")


def test_a_chart_goes_out_and_its_value_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {form: tmp_path / f"chart.{form}" for form in ("json", "csv", "html", "png")}
    done(["strategy", DUB, *(word for form, file in files.items() for word in (f"--{form}", str(file)))], capsys)
    assert all(file.stat().st_size > 1000 for file in files.values())
    values = [
        json.loads(done(["value", DUB, "--strategy", str(files[form]), "--json"], capsys)) for form in ("json", "csv")
    ]
    assert values[0]["house_edge"] == values[1]["house_edge"]
    assert 0 <= values[0]["cost"] < 0.0001
    assert "above the optimum" in done(["strategy", DUB], capsys)
    assert done(["strategy", DUB, "--csv"], capsys) == files["csv"].read_text(encoding="utf-8")


def test_the_decisions_on_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """16 in two cards against a 10 with a ten behind it: the dealer has 20, so a hit cannot be worse than to stand."""
    body = json.loads(done(["hand", DUB, "10S 6D", "--up", "10", "--hole", "=10", "--json"], capsys))
    assert body["best"] == "hit"
    assert body["decisions"]["stand"] == pytest.approx(-1)
    assert set(body["decisions"]) == {"stand", "hit", "double"}
    assert "best" in done(["hand", DUB, "10S 6D", "--up", "10H", "--hole", "=10"], capsys)


@pytest.mark.parametrize("more", [(), ("--doubled",), ("--out", "2S")])
def test_a_ten_is_any_card_that_counts_ten(more: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    ten, jack = (json.loads(done(["hand", PA, "KH 5D", "--up", up, *more, "--json"], capsys)) for up in ("10", "JS"))
    assert ten["decisions"] == pytest.approx(jack["decisions"], abs=1e-12)
    assert ten["up"] == "10"


def test_more_cards_than_the_shoe_holds_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(["hand", DUB, "2S 2S 2S 2S 2S 2S 2S", "--up", "9", "--hole", "small"], capsys)
    assert "the shoe holds 6" in said
    assert "685a.3" in said


def test_a_missing_package_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    @needs("odds")
    def run(_: argparse.Namespace) -> int:
        raise ModuleNotFoundError("No module named 'numba'", name="numba.core")

    assert run(argparse.Namespace()) == USAGE
    assert "needs the package numba: install `twentyone[odds]`" in capsys.readouterr().err


def test_a_strategy_in_both_forms_is_read(tmp_path: Path) -> None:
    """The check of the helper itself: an unchanged file is the default chart."""
    rules = Rulebook.load(PA).under()
    text = Path(strategy_file(tmp_path, PA)).read_text(encoding="utf-8")
    assert text == to_csv(default_strategy(rules))
    assert '"strategy/1"' in to_json(default_strategy(rules))
    assert CellKey("first", "", "hard", "16", "4") in default_strategy(rules).cells


# -- what is worth nothing, and counts that count aside


def test_what_no_round_reads_is_left_out_of_the_effects(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The hour at which a day begins changes no clause of a round; the number of decks does."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(effects, "house_edge", lambda rules, *_: float(rules.submission["decks"]))
    few, every = (json.loads(done(["effects", DUB, "--json", *more], capsys)) for more in ((), ("--all",)))
    keys = [{row["key"] for row in body["effects"]} for body in (few, every)]
    assert "decks" in keys[0]
    assert "gaming_day_begins" in keys[1] - keys[0]
    assert few["left_out"] == len(every["effects"]) - len(few["effects"]) > 0
    left = [row for row in every["effects"] if row not in few["effects"]]
    assert all(row["effect"] == 0 and not row["sides"] for row in left)
    assert every["left_out"] == 0
    assert f"left out: {few['left_out']} values" in done(["effects", DUB], capsys)


def test_a_side_count_is_correlated_where_the_system_uses_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: an ace seen takes the weight off the tags, on whatever cards; constants do not matter."""
    gains = (0.38, 0.44, 0.55, 0.69, 0.46, 0.28, 0.0, -0.18, -0.51, -0.51, -0.51, -0.51, -0.61)
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    monkeypatch.setattr(efficiency, "betting_worth", lambda *_: dict(zip(ranks, gains, strict=True)))
    told = {row["name"]: row for row in json.loads(done(["counts", CLASSIC, "--json"], capsys))["counts"]}
    one = [0, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1]
    two = [1, 1, 2, 2, 1, 1, 0, 0, -2, -2, -2, -2, -2]
    for name, tags in (("hiopt1_aces", one), ("hiopt2_aces", two)):
        assert told[name]["betting_correlation"] == told[name.removesuffix("_aces")]["betting_correlation"]
        assert told[name]["betting_correlation_with_side"] == pytest.approx(
            correlation_coefficient(gains, tags), abs=1e-12
        )
        assert told[name]["insurance_correlation_with_side"] is None
    assert told["hilo"]["betting_correlation_with_side"] is None
    assert told["hiopt1_aces"]["betting_correlation_with_side"] == pytest.approx(0.949, abs=5e-4)
    assert "BC 0.875, with the side count 0.949   IC 0.850" in done(["counts", CLASSIC], capsys)
