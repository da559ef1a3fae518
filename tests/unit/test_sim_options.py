"""`twentyone simulate`: options that cannot go together are refused, and a picture that fails takes nothing back."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import DONE, FOUND_WRONG, REFUSED, USAGE, main
from twentyone.cli import simulate as command
from twentyone.cli.simulate_plot import plot_rounds, plot_trips
from twentyone.sim import bankroll
from twentyone.sim.job import Job, run_batch
from twentyone.sim.stats import Totals

TRIPS = "simulate classic-blackjack --bankroll 200 --trip-rounds 20 --trips 30"
ROUNDS = "simulate classic-blackjack --rounds 20000"


def _refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == REFUSED
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize(
    "given",
    [
        "--engine cuda",
        "--engine dask",
        "--checkpoint work.json",
        "--until-stderr 1e-3",
        "--exact",
        "--plain",
        "--antithetic",
        "--control-variate",
        "--engine dask --scheduler tcp://127.0.0.1:1",
    ],
)
def test_what_trips_cannot_heed_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = _refused([*TRIPS.split(), *given.split()], capsys)
    assert "by all cores" in told
    assert given.split()[0] in told


def test_all_that_trips_cannot_heed_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    told = _refused([*TRIPS.split(), "--plain", "--exact", "--engine", "cuda"], capsys)
    assert "leave out --engine cuda, --exact and --plain" in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--penetration 0.5", "--mode shoe"),
        ("--scheduler tcp://127.0.0.1:1", "--engine dask"),
        ("--engine cpu --scheduler tcp://127.0.0.1:1", "--engine dask"),
        ("--trips 10", "--bankroll"),
        ("--trip-rounds 1000", "--bankroll"),
        ("--exact --boxes 2", "--exact"),
        ("--exact --mode shoe", "--exact"),
        ("--exact --error-rate 0.01", "--exact"),
        ("--side match_the_dealer=5 --side match_the_dealer=10", "match_the_dealer"),
        ("--meter bonus_spin=5000 --meter bonus_spin=6000", "bonus_spin"),
    ],
)
def test_an_option_without_effect_is_refused(given: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in _refused(["simulate", "pa-spanish-21", "--rounds", "1000", *given.split()], capsys)


@pytest.mark.parametrize("option", ["penetration", "spread", "checkpoint", "plot", "bankroll", "scheduler"])
def test_an_empty_option_is_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--{option} is empty" in _refused([*ROUNDS.split(), f"--{option}="], capsys)


def test_help_tells_what_holds_where_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for words in ("rounds, as 1e9 (1e8)", "the engine (cpu)", "rounds per trip (1000)", "trips (10000, or"):
        assert words in told


def test_what_holds_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def see(options: Any, *_: object) -> int:
        seen.append(options)
        return DONE

    monkeypatch.setattr(command, "_rounds", see)
    monkeypatch.setattr(command, "_bankroll", see)
    assert main(["simulate", "classic-blackjack"]) == DONE
    assert main(["simulate", "classic-blackjack", "--bankroll", "100", "--engine", "cpu"]) == DONE
    assert (seen[0].rounds, seen[0].engine) == (10**8, "cpu")
    assert (seen[1].trips, seen[1].trip_rounds, seen[1].engine) == (10_000, 1_000, "cpu")


def test_trips_use_all_cores_where_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[int] = []

    def pool(count: int) -> ThreadPoolExecutor:
        seen.append(count)
        return ThreadPoolExecutor(count)

    monkeypatch.setattr(bankroll, "ThreadPoolExecutor", pool)
    assert main(TRIPS.split()) == DONE
    assert main([*TRIPS.split(), "--threads", "1"]) == DONE
    assert seen == [len(os.sched_getaffinity(0)), 1]


def test_a_bankroll_below_the_first_wagers_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    told = _refused(["simulate", "pa-spanish-21", "--bankroll", "10", "--side", "match_the_dealer=5"], capsys)
    assert "bankroll of 10" in told
    assert "wagers of 15" in told


# -- pictures


def _unwritable(where: str, folder: Path) -> str:
    name = folder / "d.png"
    if where == "folder":
        name.mkdir()
    elif where == "full":
        name.symlink_to("/dev/full")
    else:
        return "/proc/x.png"
    return str(name)


@pytest.mark.parametrize("words", [ROUNDS, TRIPS])
@pytest.mark.parametrize("where", ["folder", "full", "proc"])
def test_a_picture_that_cannot_be_written_takes_nothing_back(
    words: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = _unwritable(where, tmp_path)
    assert main([*words.split(), "--json", "--plot", name]) == FOUND_WRONG
    told = capsys.readouterr()
    assert json.loads(told.out)["rulebook"] == "classic-blackjack"
    assert told.err.startswith(f"twentyone simulate: the plot cannot be written ({name}: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("words", [ROUNDS, TRIPS])
def test_a_picture_that_cannot_be_drawn_takes_nothing_back(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("no such font")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    name = tmp_path / "d.png"
    assert main([*words.split(), "--json", "--plot", str(name)]) == FOUND_WRONG
    told = capsys.readouterr()
    assert json.loads(told.out)["seed"] == 1
    assert "cannot be drawn (no such font)" in told.err
    assert not name.exists()


@pytest.mark.parametrize("words", [ROUNDS, TRIPS])
def test_an_unknown_ending_is_refused_before_anything_is_played(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "setup_of", lambda *_: pytest.fail("played"))
    with pytest.raises(SystemExit) as left:
        main([*words.split(), "--plot", "picture.doc"])
    assert left.value.code == USAGE
    assert capsys.readouterr().out == ""


def _drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are written, still open."""
    figures: list[Any] = []
    monkeypatch.setattr("twentyone.cli.simulate_plot._write", lambda figure, _: figures.append(figure))
    return figures


def test_one_point_of_the_mean_is_seen_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = _drawn(monkeypatch)
    body = {"rulebook": "x", "rounds": 1000, "histogram": {"-1.0": 500, "1.0": 500}, "exact": -0.004}
    plot_rounds("x.png", body, [(1000, -0.01, 0.03)])
    left = figures[0].axes[0]
    marked = [line for line in left.lines if line.get_marker() == "o"]
    assert [list(line.get_ydata()) for line in marked] == [[-1.0]]
    low, high = left.get_ylim()
    assert low < -7 < 5 < high


def test_a_mean_without_a_standard_error_is_drawn(tmp_path: Path) -> None:
    body = {"rulebook": "x", "rounds": 1, "histogram": {"1.0": 1}}
    plot_rounds(str(tmp_path / "one.png"), body, [(1, 1.0, float("inf"))])
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_the_fan_begins_with_the_bankroll_and_names_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = _drawn(monkeypatch)
    fan = {"0.05": [80.0, 60.0], "0.5": [100.0, 95.0], "0.95": [120.0, 140.0]}
    body = {"rulebook": "x", "trips": 9, "fan_trips": 9, "trip_rounds": 5, "bankroll": "100", "fan": fan}
    plot_trips("x.png", body)
    axes = figures[0].axes[0]
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines if line.get_label()[0] != "_"}
    assert list(lines) == ["95 %", "50 % (median)", "5 %"]
    assert lines["5 %"] == [[0, 100], [3, 80], [5, 60]]


@pytest.mark.parametrize(
    ("given", "trips", "rounds"),
    [("--rounds 20000", 20, 1000), ("--rounds 300", 1, 300), ("--rounds 1e4 --trip-rounds 50", 200, 50)],
)
def test_rounds_beside_a_bankroll_are_rounds_of_all_trips(
    given: str, trips: int, rounds: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(f"simulate classic-blackjack --bankroll 100000 {given} --json".split()) == DONE
    body = json.loads(capsys.readouterr().out)
    assert (body["trips"], body["trip_rounds"]) == (trips, rounds)
    assert body["rounds"] == body["totals"]["rounds"] == trips * rounds
    assert (body["engine"], body["seed"]) == ("cpu", 1)
    for key in ("mean", "standard_error", "variance", "rounds_per_second"):
        assert isinstance(body[key], float)


def test_rounds_and_trips_say_the_same_thing_twice(capsys: pytest.CaptureFixture[str]) -> None:
    told = _refused([*TRIPS.split(), "--rounds", "600"], capsys)
    assert "both set the number of trips: leave out one" in told


def test_a_gpu_that_gives_up_within_a_run_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Played by a core here, the first batch; then the driver has no memory left."""
    cuda = import_module("twentyone.sim.cuda")

    class Failing:
        def __init__(self, job: Job) -> None:
            self.job, self.batches = job, 0

        def run(self, first: int, last: int) -> Totals:
            self.batches += 1
            if self.batches > 1:
                raise cuda.NoGpu("the GPU gave up: out of memory")
            return run_batch(self.job, first, last)

    monkeypatch.setattr(cuda, "Cuda", Failing)
    kept = tmp_path / "work.json"
    words = f"simulate classic-blackjack --engine cuda --rounds 3e6 --checkpoint {kept} --json"
    assert main(words.split()) == FOUND_WRONG
    told = capsys.readouterr()
    assert "the GPU gave up: out of memory; 1,048,576 rounds are kept in" in told.err
    assert json.loads(told.out)["rounds"] == 1 << 20
    assert main(words.replace("cuda", "cpu").split()) == DONE
    resumed = json.loads(capsys.readouterr().out)["totals"]
    assert main(["simulate", "classic-blackjack", "--rounds", "3e6", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["totals"] == resumed
