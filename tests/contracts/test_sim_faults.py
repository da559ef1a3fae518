"""A simulation that cannot be right says so: sums that would run over, rounds without a result, damaged checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.sim_driver import default_game

from twentyone.cli import DONE, REFUSED, USAGE, main
from twentyone.cli.simulate_reduce import control_of
from twentyone.errors import Refused, RulebookError
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.sim import checkpoint as checkpoints
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.bounds import SUM
from twentyone.sim.cache import compiled_once
from twentyone.sim.checkpoint import Kept, RunCheckpoint
from twentyone.sim.compile import Compiled
from twentyone.sim.engines import Batch, CpuEngine, CudaEngine, DaskEngine, Engine, EngineFault
from twentyone.sim.job import Job, run_batch
from twentyone.sim.layout import MoneyHead
from twentyone.sim.run import Halted, simulate
from twentyone.sim.setup import HILO, Box, Setup
from twentyone.sim.stats import Totals
from twentyone.strategy import default_strategy

BOOKS = (
    "classic-blackjack", "md-spanish-21", "pa-double-back-jack", "pa-down-under-blackjack", "pa-spanish-21",
    "s13-spanish-21",
)  # fmt: skip


# -- sums of 64 bits


def _spanish(main: str, side: str, **rest: Any) -> Compiled:
    rules = Rulebook.load("pa-spanish-21").under()
    box = Box(default_strategy(rules), Amount(main), {"match_the_dealer": Amount(side)})
    return compiled_once(Setup(rules, (box,), **rest))


def _exact(job: Job, last: int, size: int = 256) -> Totals:
    """The sums of batches so small that nothing runs over, added up as Python adds."""
    return Totals.merged(run_batch(job, first, min(first + size, last)) for first in range(0, last, size))


def _simulated(compiled: Compiled, engine: Engine, rounds: int) -> Totals:
    try:
        return simulate(compiled, engine, rounds=rounds, seed=3).totals
    finally:
        engine.close()


@pytest.mark.prove
def test_wagers_that_overflow_a_large_batch_are_summed_exactly_by_every_engine() -> None:
    """Ten million grains squared, 1.3 times on average, 2^17 times: more than 2^63."""
    compiled, rounds = _spanish("5000000", "0.5"), 1 << 17
    job = Job.of(compiled, 3)
    wanted = _exact(job, rounds)
    assert wanted[stats.GAIN_2] > SUM
    assert _simulated(compiled, CpuEngine(2), rounds) == wanted
    assert _simulated(compiled, DaskEngine(None, 2), rounds) == wanted
    assert run_batch(job, 0, rounds) != wanted, "one batch would have run over"


def test_real_shoes_with_a_spread_are_summed_exactly() -> None:
    count = replace(HILO, spread={1: 50})
    compiled = _spanish("10000", "0.5", mode="shoe", count=count)
    totals = _simulated(compiled, CpuEngine(2), 30_000)
    assert totals == _exact(Job.of(compiled, 3), totals[stats.SHOES], 4)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--main 1000000000000 --side match_the_dealer=5", "a main wager of 1000000000000"),
        ("--mode shoe --count hilo --spread 1:1000 --main 10005", "a main wager of 10005000,"),
        ("--side match_the_dealer=1000000000000", "side wagers that pay"),
    ],
)
def test_wagers_that_no_sums_hold_are_refused(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(f"simulate pa-spanish-21 --rounds 20000 {words}".split()) == REFUSED
    text = capsys.readouterr()
    assert text.out == ""
    assert told in text.err
    assert len(text.err.splitlines()) == 1


def _games() -> Iterator[Job]:
    wheel = Rulebook.load("md-spanish-21").under({"bonus_spin": "A"})
    sides = {"bonus_spin": Amount("1"), "match_the_dealer": Amount("5")}
    wheels = compiled_once(Setup(wheel, (Box(default_strategy(wheel), sides=sides),) * 3))
    yield Job.of(wheels, 5)
    for book in BOOKS[:3]:
        for mode in ("fresh", "shoe"):
            compiled = default_game(book, mode)
            yield Job.of(compiled, 5)
            yield Job.of(compiled, 5, antithetic=True)
    controlled = default_game("classic-blackjack", "shoe")
    yield Job.of(controlled, 5, antithetic=True, control=control_of(controlled))
    yield Job.of(_spanish("20", "5", mode="shoe", count=replace(HILO, spread={1: 50})), 5)


@pytest.mark.prove
def test_no_part_adds_more_than_its_bound_to_any_sum() -> None:
    for job in _games():
        for part in range(100):
            added = run_batch(job, part, part + 1)
            assert max(map(abs, added.sums)) <= job.bounds.part
        assert job.bounds.most_parts * job.bounds.part <= SUM


def test_a_bound_of_smaller_wagers_would_be_exceeded() -> None:
    job = Job.of(_spanish("2000", "5"), 5)
    money = job.money.copy()
    money[at.MONEY_HEADER : money[MoneyHead.WHEEL]] //= 100
    low = replace(job, money=money).bounds
    assert any(max(map(abs, run_batch(job, part, part + 1).sums)) > low.part for part in range(300))


@pytest.mark.parametrize("book", BOOKS)
def test_default_games_keep_the_batches_of_every_engine(book: str) -> None:
    for mode, most in (("fresh", CudaEngine.rounds), ("shoe", CudaEngine.shoes)):
        assert Job.of(default_game(book, mode), 1).bounds.most_parts >= most


# -- rounds without a result


class Scripted:
    """An engine that answers a batch as it is told, and notes what it was asked."""

    name, rounds, shoes = "cpu", 1 << 12, 1 << 5

    def __init__(self, answer: Callable[[Batch], Totals]) -> None:
        self.answer, self.asked = answer, list[Batch]()

    def play(self, job: Job, batches: Iterable[Batch]) -> Iterator[Totals]:  # noqa: ARG002
        for batch in batches:
            self.asked.append(batch)
            yield self.answer(batch)

    def close(self) -> None:
        pass


def _counted(batch: Batch, **faults: int) -> Totals:
    sums = [0] * stats.LENGTH
    sums[stats.ROUNDS] = sums[stats.INITIAL] = sums[stats.INITIAL_2] = batch[1] - batch[0]
    for name, number in faults.items():
        sums[getattr(stats, name)] = number
    return Totals(sums)


@pytest.mark.parametrize(("fault", "refusal"), [("FAULTS", Refused), ("TALLY", RulebookError)])
def test_the_first_batch_with_a_fault_ends_the_run(fault: str, refusal: type[Exception], tmp_path: Path) -> None:
    compiled, kept = default_game("classic-blackjack"), tmp_path / "work.json"

    def answer(batch: Batch) -> Totals:
        return _counted(batch, **{fault: 2} if batch[0] else {})

    engine = Scripted(answer)
    with pytest.raises(refusal, match="2"):
        simulate(compiled, engine, rounds=1 << 20, checkpoint=kept)
    assert len(engine.asked) == 2
    assert not kept.exists()


def test_an_interrupted_run_shows_no_batch_with_a_fault() -> None:
    def answer(batch: Batch) -> Totals:
        if batch[0]:
            raise KeyboardInterrupt
        return _counted(batch, FAULTS=1)

    with pytest.raises(Refused, match="ran out in 1 rounds"):
        simulate(default_game("classic-blackjack"), Scripted(answer), rounds=1 << 20)


def test_a_checkpoint_with_faults_is_refused(tmp_path: Path) -> None:
    compiled, kept = default_game("classic-blackjack"), tmp_path / "work.json"
    RunCheckpoint(kept).save(Job.of(compiled, 1), Kept(10, _counted((0, 10), FAULTS=3), 1.0))
    engine = Scripted(_counted)
    with pytest.raises(Refused, match="ran out in 3 rounds"):
        simulate(compiled, engine, rounds=1 << 20, checkpoint=kept)
    assert engine.asked == []


# -- checkpoints


def _status(words: list[str]) -> int:
    try:
        return main(words)
    except SystemExit as left:
        return int(str(left.code))


def _written(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    kept = tmp_path / "work.json"
    RunCheckpoint(kept).save(Job.of(default_game("classic-blackjack"), 1), Kept(10, _counted((0, 10)), 1.0))
    return kept, json.loads(kept.read_text())


def _refusal(kept: Path) -> str:
    engine = Scripted(_counted)
    with pytest.raises(Refused) as refused:
        simulate(default_game("classic-blackjack"), engine, rounds=20, checkpoint=kept)
    assert engine.asked == []
    return str(refused.value)


DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]

WRONG: dict[str, list[Any]] = {
    "next": [None, "10", -1, 1 << 51, 10.0, True, 11, []],
    "seconds": [None, "1", -1.0, float("nan"), float("inf"), []],
    "sums": [
        None,
        [],
        "0" * stats.LENGTH,
        [0] * stats.LENGTH,
        ["x"] * stats.LENGTH,
        ["9" * 5_000] * stats.LENGTH,
        DEEP,
    ],
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_number_is_refused_even_under_a_right_hash(name: str, value: Any, whole: bool, tmp_path: Path) -> None:
    kept, body = _written(tmp_path)
    body[name] = value
    if whole:
        body["hash"] = checkpoints._hash(body)
    kept.write_text(json.dumps(body))
    assert "is damaged" in _refusal(kept)


@pytest.mark.parametrize("name", checkpoints.HASHED[1:])
def test_a_checkpoint_without_one_of_its_parts_is_damaged(name: str, tmp_path: Path) -> None:
    kept, body = _written(tmp_path)
    del body[name]
    kept.write_text(json.dumps(body))
    assert "is damaged" in _refusal(kept)


def test_any_altered_digit_is_found(tmp_path: Path) -> None:
    kept, body = _written(tmp_path)
    for place in range(stats.LENGTH):
        sums = list(body["sums"])
        sums[place] = str(int(sums[place]) + 1)
        kept.write_text(json.dumps({**body, "sums": sums}))
        assert "is damaged" in _refusal(kept)


def test_a_checkpoint_as_it_was_written_is_taken(tmp_path: Path) -> None:
    kept, _ = _written(tmp_path)
    engine = Scripted(_counted)
    assert simulate(default_game("classic-blackjack"), engine, rounds=20, checkpoint=kept).totals.rounds == 20
    assert engine.asked == [(10, 20)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 100_000, "is no checkpoint"),
        ('{"format": ' + "[" * 100_000, "is no checkpoint"),
        ('{"format": "simulation/1", "next": 1}', "no checkpoint of this version"),
        ('{"format": null}', "is no checkpoint"),
        ("null", "is no checkpoint"),
        ("9" * 10_000, "is no checkpoint"),
    ],
)
def test_what_is_no_checkpoint_is_told_in_a_sentence(text: str, told: str, tmp_path: Path) -> None:
    kept = tmp_path / "work.json"
    kept.write_text(text)
    assert told in _refusal(kept)
    assert kept.read_text() == text


def test_the_work_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, _ = _written(tmp_path)
    monkeypatch.setattr(checkpoints, "STAMP", "another")
    assert "made by another version" in _refusal(kept)


@pytest.mark.parametrize("name", ["x" * 300, "x" * 252, "y" * 300 + "/work.json"])
def test_a_name_that_is_too_long_is_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "classic-blackjack", "--rounds", "1000", "--checkpoint", str(tmp_path / name)]
    assert _status(words) in (REFUSED, USAGE)
    text = capsys.readouterr()
    assert text.out == ""
    assert "Traceback" not in text.err
    assert name[-100:] in text.err.splitlines()[-1]


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_first_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    engine = Scripted(_counted)
    with pytest.raises(Refused, match=r"cannot be written \(No space left"):
        simulate(default_game("classic-blackjack"), engine, rounds=100, checkpoint=tmp_path / "work.json")
    assert engine.asked == []
    assert list(tmp_path.iterdir()) == []


def test_only_rounds_that_were_written_are_said_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, _ = _written(tmp_path)
    calls: list[object] = []

    def full(*file: object) -> None:
        calls.append(file)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Halted, match="No space left") as halted:
        simulate(default_game("classic-blackjack"), Scripted(_counted), rounds=100, checkpoint=kept)
    assert halted.value.result.totals.rounds == 100
    assert halted.value.kept == 10


# -- beginning and ending


def test_memory_does_not_grow_with_the_rounds() -> None:
    """Batches are made when they are asked for: 2^38 of them are never listed."""

    def answer(batch: Batch) -> Totals:
        if batch[0] > 1 << 14:
            raise KeyboardInterrupt
        return _counted(batch)

    engine = Scripted(answer)
    with pytest.raises(Halted, match="interrupted"):
        simulate(default_game("classic-blackjack"), engine, rounds=1 << 50)
    assert len(engine.asked) < 10


class NoWorkers:
    """A client of a scheduler to which no worker has come."""

    def scatter(self, *_: object, **__: object) -> None:
        raise TimeoutError("No valid workers found")

    def close(self) -> None:
        pass


def test_a_scheduler_without_workers_is_told(tmp_path: Path) -> None:
    engine = DaskEngine.__new__(DaskEngine)
    engine._client, engine._scheduler = NoWorkers(), "tcp://127.0.0.1:8786"
    with pytest.raises(EngineFault, match=r"no worker answers at tcp://127\.0\.0\.1:8786") as lost:
        simulate(default_game("classic-blackjack"), engine, rounds=100, checkpoint=tmp_path / "work.json")
    assert "checkpoint" not in str(lost.value)


def test_a_finished_run_that_is_started_again_still_draws(tmp_path: Path) -> None:
    words = f"simulate classic-blackjack --mode shoe --rounds 20000 --checkpoint {tmp_path / 'work.json'}"
    assert main(words.split()) == DONE
    plot = tmp_path / "mean.svg"
    assert main([*words.split(), "--plot", str(plot)]) == DONE
    assert plot.read_text().lstrip().startswith("<?xml")


def test_a_run_whose_error_is_small_enough_plays_no_more(tmp_path: Path) -> None:
    compiled, kept = default_game("classic-blackjack"), tmp_path / "work.json"
    first = simulate(compiled, engine := CpuEngine(1), rounds=1 << 30, until=1e-3, checkpoint=kept)
    again = simulate(compiled, engine, rounds=1 << 30, until=1e-3, checkpoint=kept)
    engine.close()
    assert first.played
    assert again.played == 0
    assert again.totals == first.totals


def test_more_threads_than_a_machine_has_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert _status(["simulate", "classic-blackjack", "--rounds", "1000", "--threads", "100000"]) == USAGE
    assert "100000 threads are more than 1,024" in capsys.readouterr().err
