"""`run` in the JSON of a command: what was played, and all that is needed to run it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import DONE, REFUSED, main
from twentyone.cli.running import run_block
from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.strategy import default_strategy, strategy_hash, to_csv, to_json
from twentyone.version import __version__

TWO_DECKS = 'rulebook = "classic-blackjack"\ndecks = 1\nmax_split_hands = 2\n'
OWN = strategy_hash(default_strategy(Rulebook.load("classic-blackjack").under()))
MEASURED = ("seconds", "rounds_per_second", "run")
"""What differs between two runs: speed, and the names of files."""


@pytest.fixture(autouse=True, scope="module")
def _one_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What one test has made is there for the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A submission whose game is not played like the default one."""
    (tmp_path / "ours.toml").write_text(TWO_DECKS, encoding="utf-8")
    return tmp_path / "ours.toml"


def answer(words: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a command answers in JSON."""
    assert main([*shlex.split(words), "--json"]) == DONE
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


def words_of(run: dict[str, Any], folder: Path) -> str:
    """The command line that a `run` describes, its submission and its count written out as files."""
    options = {**run["options"], "submission": _file(folder / "s.json", run["games"][0]["submission"])}
    if run.get("count"):
        options |= {"count": _file(folder / "c.json", run["count"]), "spread": None}
    options |= {"penetration": run["penetration"]}
    return shlex.join([run["command"], options.pop("rulebook"), *_words(options)])


def _file(path: Path, body: dict[str, Any]) -> str:
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)


def _words(options: dict[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                yield "--" + name.replace("_", "-")
                yield from () if one is True else (str(one),)


def same(one: dict[str, Any], two: dict[str, Any]) -> bool:
    """Whether two answers are one but for the time they took."""
    return all(one[key] == two[key] for key in one.keys() | two.keys() if key not in MEASURED)


@pytest.mark.parametrize(
    "words",
    [
        "simulate classic-blackjack --submission {ours} --rounds 2e4 --mode shoe --count {count} --spread 0:1,1:4",
        "simulate classic-blackjack --rounds 2e4 --boxes 2 --error-rate 0.01 --main 25 --plain --seed 9",
        "simulate classic-blackjack --bankroll 200 --rounds 4000 --trip-rounds 100 --seed 3",
    ],
)
def test_a_simulation_runs_again_from_its_json_to_the_same_result(
    words: str, ours: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = _file(tmp_path / "count.json", {"tags": {"5": 1, "A": -1}, "lowest": 0, "highest": 1})
    first = answer(words.format(ours=ours, count=count), capsys)
    ours.unlink()
    second = answer(words_of(first["run"], tmp_path), capsys)
    assert same(first, second)
    for key in ("version", "seed", "mode", "strategies", "wagers", "penetration", "count", "error_rate", "games"):
        assert first["run"][key] == second["run"][key]
    other = answer(words_of({**first["run"], "options": first["run"]["options"] | {"seed": 8}}, tmp_path), capsys)
    assert not same(first, other)


def test_a_submission_of_its_own_is_played_by_a_chart_made_for_it_and_kept(
    ours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"simulate classic-blackjack --submission {ours} --rounds 1000"
    run = answer(words, capsys)["run"]
    (played,) = run["strategies"]
    assert played["hash"] != OWN
    assert played["from"] == "made for this submission"
    assert run["version"] == __version__
    assert run["games"][0]["submission"]["decks"] == 1
    monkeypatch.setattr("twentyone.odds.charts.best_chart", None)  # the second time, nothing is worked out
    assert main(words.split()) == DONE
    assert "played by best chart for Blackjack (made for this submission)" in capsys.readouterr().out


def test_the_default_game_is_played_by_the_rulebooks_own_chart(capsys: pytest.CaptureFixture[str]) -> None:
    run = answer("simulate classic-blackjack --rounds 1000", capsys)["run"]
    assert run["strategies"] == [{"title": "best chart for Blackjack", "hash": OWN, "from": "the rulebook's own chart"}]


def test_a_chart_that_was_given_is_named(tmp_path: Path, ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = default_strategy(Rulebook.load("classic-blackjack").under())
    (tmp_path / "mine.csv").write_text(to_csv(own), encoding="utf-8")
    (tmp_path / "mine.json").write_text(to_json(own), encoding="utf-8")
    words = f"simulate classic-blackjack --boxes 2 --strategy {tmp_path}/mine.csv --strategy {tmp_path}/mine.json"
    ours.write_text("decks = 8\n", encoding="utf-8")
    run = answer(f"{words} --submission {ours} --rounds 1000", capsys)["run"]
    assert [row["hash"] for row in run["strategies"]] == [OWN, OWN]
    assert [Path(row["from"]).name for row in run["strategies"]] == ["mine.csv", "mine.json"]
    assert main([*words.split(), "--rounds", "1000"]) == DONE
    assert f"played by box 1: best chart for Blackjack ({tmp_path}/mine.csv); box 2:" in capsys.readouterr().out


def test_a_submission_that_cannot_be_priced_asks_for_a_chart(
    ours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TwentyoneError("this row is not represented")

    monkeypatch.setattr("twentyone.odds.generate.best_chart_for", refuse)
    assert main(f"simulate classic-blackjack --submission {ours} --rounds 1000".split()) == REFUSED
    told = capsys.readouterr()
    assert told.out == ""
    assert "--strategy" in told.err
    assert "not represented" in told.err


@pytest.mark.parametrize("name", rulebook_ids())
def test_a_submission_in_json_makes_the_same_rules_again(name: str) -> None:
    rules = Rulebook.load(name).under()
    written = json.loads(json.dumps(rules.submission.to_json()))
    assert dict(rules.rulebook.under(written).submission.values) == dict(rules.submission.values)


@pytest.mark.parametrize(
    "words", ["check {ours}", "odds classic-blackjack --submission {ours}", "hand classic-blackjack 'AS 7D' --up 9"]
)
def test_every_answer_says_how_it_was_made(words: str, ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = answer(words.format(ours=ours), capsys)["run"]
    assert run["version"] == __version__
    assert run["command"] == words.split()[0]
    assert [game["rulebook"] for game in run["games"]] == ["classic-blackjack"]
    assert len(run["games"][0]["rulebook_hash"]) == 64
    if "{ours}" in words:
        assert list(run["files"]) == [str(ours)]
        assert run["games"][0]["submission"]["decks"] == 1
    assert run_block() is None
