"""Sweeps: every combination once, each as its own analysis says, refused ones told, and nothing worked out twice."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import DONE, REFUSED, main
from twentyone.odds import analysis
from twentyone.odds.effects import house_edge
from twentyone.odds.sweep import read_values, sweep
from twentyone.rulebook import Rulebook, Rules

OUR = "classic-blackjack"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rules_of(**submission: object) -> Rules:
    return Rulebook.load(OUR).under(submission)


def test_every_combination_as_its_own_analysis_says() -> None:
    games = list(sweep(rules_of(max_split_hands=2), {"decks": (1, 2), "blackjack_pays": ("3:2", "6:5")}))
    assert [tuple(game.choices.values()) for game in games] == [("1", "3:2"), ("1", "6:5"), ("2", "3:2"), ("2", "6:5")]
    for game, decks, pays in zip(games, (1, 1, 2, 2), ("3:2", "6:5") * 2, strict=True):
        wanted = house_edge(rules_of(max_split_hands=2, decks=decks, blackjack_pays=pays))
        assert game.figures["house_edge"] == pytest.approx(wanted, abs=1e-12)
    assert games[0].figures["house_edge"] != games[1].figures["house_edge"]


def test_an_interrupted_sweep_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was worked out before the interruption is not worked out again."""
    worked: list[Any] = []
    real = analysis.analyse

    def counted(rules: Rules) -> Any:
        worked.append(rules.submission["decks"])
        return real(rules)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(analysis, "analyse", counted)
    vary = {"decks": (1, 2)}
    with pytest.raises(KeyboardInterrupt):
        list(sweep(rules_of(), vary, tell=stop))
    assert worked == [1]
    games = list(sweep(rules_of(), vary))
    assert worked == [1, 2]
    assert all(game.figures for game in games)


def test_json_and_csv_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """A combination that the text refuses is a row with its paragraph, not the end of the sweep."""
    argv = ["sweep", "pa-spanish-21", "--vary", "decks=6,7"]
    assert main([*argv, "--json"]) == DONE
    body = json.loads(capsys.readouterr().out)
    assert main([*argv, "--csv"]) == DONE
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["decks"] for row in rows] == ["6", "7"]
    assert float(rows[0]["house_edge"]) == body["games"][0]["house_edge"]
    assert "635a.3(a)" in rows[1]["refused"]
    assert rows[1]["refused"] == body["games"][1]["refused"]
    assert main(argv) == DONE
    assert "0.4219 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [("deckz=1", "it has "), ("decks=x", "whole number"), ("dealer_hits_soft_17=perhaps", "it can be yes")],
)
def test_what_cannot_be_varied_is_refused(text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", OUR, "--vary", text]) == REFUSED
    told = capsys.readouterr()
    assert not told.out
    assert said in told.err


def test_all_values_of_a_key_or_reading() -> None:
    assert read_values(rules_of(), "double_after_split") == ("double_after_split", (True, False))
    maryland = Rulebook.load("md-spanish-21").under()
    name, values = read_values(maryland, "both-bust")
    assert name == "both-bust"
    assert values == next(reading.values for reading in maryland.rulebook.readings if reading.name == name)
