"""A simulation from beginning to end: batches, checkpoints, when to stop, and what came out."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from twentyone.errors import Refused, RulebookError, TwentyoneError
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.compile import Compiled
from twentyone.sim.control import Control, adjusted_error
from twentyone.sim.engines import Batch, Engine, EngineFault
from twentyone.sim.job import Job
from twentyone.sim.stats import Totals

__all__ = ["Checkpoint", "Halted", "Result", "simulate"]

PILOT = 1 << 10
"""Shoes that tell how many rounds a shoe holds."""
SLOWER = 8
"""How much smaller a batch is without the state table, so that progress is seen as often."""
SAVE_SECONDS = 5.0
FORMAT = "simulation/1"

Progress = Callable[["Result"], None]


@dataclass
class Result:
    """What a simulation has come to."""

    totals: Totals
    engine: str
    seed: int
    wanted: int
    """Rounds that were asked for."""
    seconds: float = 0.0
    """Time of play, that of a resumed run included."""
    played: int = 0
    """Rounds of this run alone, a resumed one's not included."""
    spent: float = 0.0
    """Seconds of this run alone."""
    path: list[tuple[int, float, float]] = field(default_factory=list)
    """Rounds, mean and standard error on the way."""

    @property
    def rate(self) -> float:
        """Rounds a second of this run."""
        return self.played / self.spent if self.spent else 0.0

    @property
    def time_left(self) -> float:
        """Seconds until the rounds are played."""
        return max(self.wanted - self.totals.rounds, 0) / self.rate if self.rate else 0.0


class Halted(TwentyoneError):
    """A simulation that stopped before its end, with the work so far."""

    def __init__(self, why: str, result: Result, interrupted: bool = False) -> None:
        super().__init__(why)
        self.result = result
        """What it had come to."""
        self.interrupted = interrupted
        """Whether somebody stopped it."""


@dataclass(frozen=True)
class Checkpoint:
    """A file in which a simulation keeps how far it is."""

    path: Path

    def load(self, job: Job) -> tuple[int, Totals, float]:
        """Where to go on: the next round (or shoe), the sums so far, the seconds spent."""
        if self.path.exists() and not self.path.is_file():
            raise Refused(f"{self.path} is no ordinary file: a checkpoint is one", "--checkpoint")
        try:
            body = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return 0, Totals.nothing(), 0.0
        except (OSError, ValueError) as wrong:
            raise Refused(f"{self.path} is no checkpoint: {wrong}", "--checkpoint") from None
        if not isinstance(body, dict) or body.get("format") != FORMAT or len(body.get("sums", ())) != stats.LENGTH:
            raise Refused(f"{self.path} is no checkpoint", "--checkpoint")
        if body.get("digest") != job.digest:
            raise Refused(f"{self.path} keeps another simulation (other game, strategy, mode or seed)", "--checkpoint")
        return int(body["next"]), Totals([int(number) for number in body["sums"]]), float(body["seconds"])

    def save(self, job: Job, following: int, result: Result) -> None:
        """Keep the work: whole or not at all."""
        body = {
            "format": FORMAT, "digest": job.digest, "seed": job.seed, "next": following, "seconds": result.seconds,
            "sums": [str(number) for number in result.totals.sums],
        }  # fmt: skip
        new = self.path.with_name(self.path.name + ".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump(body, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)


def simulate(
    compiled: Compiled,
    engine: Engine,
    *,
    rounds: int,
    seed: int = 1,
    until: float | None = None,
    checkpoint: Path | None = None,
    fast: bool = True,
    progress: Progress | None = None,
    antithetic: bool = False,
    control: Control | None = None,
) -> Result:
    """Play so many rounds (in a real shoe: whole shoes), or until the standard error is small enough.

    `antithetic`: in pairs, the second with cards exchanged; `control`: with a control variate. The plain figures stay.
    """
    if not 1 <= rounds <= 1 << 50:
        raise Refused(f"{rounds} rounds cannot be simulated: 1 to {1 << 50}", "--rounds")
    if until is not None and not until > 0:
        raise Refused(f"a standard error of {until} is never reached", "--until-stderr")
    job = Job.of(compiled, seed, fast, antithetic, control)
    result = _Run(job, engine, rounds, until, Checkpoint(checkpoint) if checkpoint else None, progress).play()
    _check(compiled, result.totals)
    return result


def _check(compiled: Compiled, totals: Totals) -> None:
    """Rounds that could not be dealt to their end make a result worthless."""
    rules = compiled.setup.rules
    if totals[stats.FAULTS]:
        clause = rules.irregularities.get("insufficient_cards")
        why = f"the cards ran out in {totals[stats.FAULTS]} rounds, with those of the rack: fewer boxes or more decks"
        raise Refused(why, clause.cite if clause is not None else rules.cards.cite)
    if totals[stats.TALLY]:
        raise RulebookError(rules.rulebook.id, f"no outcome row decides {totals[stats.TALLY]} of the hands")


class _Run:
    def __init__(
        self, job: Job, engine: Engine, rounds: int, until: float | None, kept: Checkpoint | None, told: Progress | None
    ) -> None:
        self.job, self.engine, self.until, self.kept, self.told = job, engine, until, kept, told
        self.next, totals, seconds = kept.load(job) if kept is not None else (0, Totals.nothing(), 0.0)
        self.result = Result(totals, engine.name, job.seed, rounds, seconds)
        self._saved = time.monotonic()

    def play(self) -> Result:
        try:
            self._play_to_the_end()
        except OSError as wrong:
            why = f"the checkpoint cannot be written ({wrong.strerror or wrong})"
            raise Halted(why, self.result) from None
        return self.result

    def _play_to_the_end(self) -> None:
        try:
            self._play()
        except KeyboardInterrupt:
            self._keep()
            raise Halted("interrupted", self.result, interrupted=True) from None
        except EngineFault as lost:
            self._keep()
            raise Halted(str(lost), self.result) from None
        self._keep()

    def _play(self) -> None:
        last = self._last()
        ends = list(self._stops(last))
        batches = [batch for begin, end in ends for batch in self._cut(begin, end)]
        stops = {end for _, end in ends}
        results = self.engine.play(self.job, batches)
        began = time.monotonic()
        for (_, end), totals in zip(batches, results, strict=True):
            self._add(end, totals, began)
            if self.until is not None and end in stops and self._error() <= self.until:
                results.close()  # type: ignore[attr-defined]
                return

    def _error(self) -> float:
        """The standard error that was asked for: of the mean that variance reduction gives, where there is any."""
        totals, money = self.result.totals, self.job.money
        if money[at.CONTROL_AT]:
            return adjusted_error(totals, int(money[at.MONEY_HEADER + at.MAIN]))
        return totals.part_error if self.job.antithetic else totals.standard_error

    def _add(self, end: int, totals: Totals, began: float) -> None:
        result = self.result
        before = result.spent
        result.totals, self.next = result.totals + totals, end
        result.played += totals.rounds
        result.spent = time.monotonic() - began
        result.seconds += result.spent - before
        if not result.path or result.totals.rounds > result.path[-1][0] * 1.02:
            result.path.append((result.totals.rounds, result.totals.mean, result.totals.standard_error))
        if self.told is not None:
            self.told(result)
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._keep()

    def _keep(self) -> None:
        if self.kept is not None:
            self.kept.save(self.job, self.next, self.result)
        self._saved = time.monotonic()

    def _last(self) -> int:
        """The round (or shoe, or pair) behind the last: as many shoes as a pilot says that the rounds need."""
        if self.job.mode != "shoe":
            return -(-self.result.wanted // (2 if self.job.antithetic else 1))
        pilot = next(iter(self.engine.play(self.job, [(0, PILOT)]))).rounds
        return max(1, -(-self.result.wanted * PILOT // pilot))

    def _stops(self, last: int) -> Iterator[Batch]:
        """From stop to stop: only there is asked whether the standard error is small enough, whoever computes."""
        begin = self.next
        unit = 1 << 20 if self.job.mode != "shoe" else PILOT * 16
        for step in count():
            end = unit << (step // 2)
            end += end // 2 if step % 2 else 0
            if begin < end or end >= last:
                end = min(end, last)
                if begin < end:
                    yield begin, end
                begin = max(begin, end)
            if end >= last:
                return

    def _cut(self, begin: int, end: int) -> Iterator[Batch]:
        size = self.engine.shoes if self.job.mode == "shoe" else self.engine.rounds
        if self.job.table is None and self.engine.name != "cuda":
            size //= SLOWER
        for first in range(begin, end, size):
            yield first, min(first + size, end)
