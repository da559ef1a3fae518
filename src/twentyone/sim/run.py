"""A simulation from beginning to end: batches, checkpoints, when to stop, and what came out."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path

from twentyone.errors import Refused, RulebookError, TwentyoneError
from twentyone.money import Amount
from twentyone.sim import layout as at
from twentyone.sim import stats
from twentyone.sim.checkpoint import Kept, RunCheckpoint
from twentyone.sim.compile import Compiled
from twentyone.sim.control import Control, adjusted_error
from twentyone.sim.engines import Batch, Engine, EngineFault
from twentyone.sim.job import MOST_ROUNDS, Job
from twentyone.sim.layout import BoxMoney, MoneyHead
from twentyone.sim.stats import Totals

__all__ = ["Halted", "Result", "RunCheckpoint", "check_totals", "job_of", "simulate"]

PILOT = 1 << 10
"""Shoes played to estimate the rounds per shoe."""
SLOWER = 8
"""How much smaller a batch is without the state table, so that progress is seen as often."""
SAVE_SECONDS = 5.0
LEAST = {"fresh": 1 << 8, "shoe": 4}
"""Rounds, or shoes, of a batch that is worth playing."""

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
        """Rounds per second of this run."""
        return self.played / self.spent if self.spent else 0.0

    @property
    def time_left(self) -> float:
        """Seconds until the rounds are played."""
        return max(self.wanted - self.totals.rounds, 0) / self.rate if self.rate else 0.0


class Halted(TwentyoneError):
    """A simulation that stopped before its end, with the work so far."""

    def __init__(self, why: str, result: Result, interrupted: bool = False, kept: int = 0) -> None:
        super().__init__(why)
        self.result = result
        """What it had come to."""
        self.interrupted = interrupted
        """Whether somebody stopped it."""
        self.kept = kept
        """Rounds of it that a checkpoint keeps."""


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
    """Play this many rounds (in a real shoe: whole shoes), or until the standard error is small enough.

    `antithetic`: in pairs, the second with cards exchanged; `control`: with a control variate. The plain figures stay.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(f"{rounds} rounds cannot be simulated: 1 to {MOST_ROUNDS}", step="rounds")
    if until is not None and not until > 0:
        raise Refused(f"a standard error of {until} is never reached", step="until")
    job = job_of(compiled, seed, fast, antithetic, control)
    run = _Run(compiled, job, engine, rounds, until, RunCheckpoint(checkpoint) if checkpoint else None, progress)
    return run.play()


def job_of(compiled: Compiled, seed: int, fast: bool, antithetic: bool, control: Control | None) -> Job:
    """The work, unless the sums of a batch worth playing do not hold its wagers."""
    grain, paid = int(compiled.grain), 0
    try:
        job = Job.of(compiled, seed, fast, antithetic, control)
        if job.bounds.most_parts >= LEAST[job.mode]:
            return job
        paid = job.bounds.side if job.bounds.side > job.bounds.total else 0
    except OverflowError:
        pass
    wagers = f"a main wager of {Amount.from_thousandths(int(compiled.game.money[:, :, BoxMoney.MAIN].max()) * grain)}"
    if paid:
        wagers = f"side wagers that pay {Amount.from_thousandths(paid * grain)} in a round"
    verb = "are" if paid else "is"
    why = f"{wagers}, in whole numbers of {compiled.grain}, {verb} more than sums of 64 bits hold: wager less"
    raise Refused(why, step="sides" if paid else "main")


def check_totals(compiled: Compiled, totals: Totals) -> None:
    """Rounds that could not be dealt to their end make a result worthless."""
    rules = compiled.setup.rules
    if totals[stats.FAULTS]:
        clause = rules.irregularities.get("insufficient_cards")
        why = f"the cards ran out in {totals[stats.FAULTS]} rounds, with those of the rack: fewer boxes or more decks"
        raise Refused(why, clause.cite if clause is not None else rules.cards.cite)
    if totals[stats.TALLY]:
        raise RulebookError(rules.rulebook.id, f"no outcome row decides {totals[stats.TALLY]} of the hands")


class _Unwritable(TwentyoneError):
    """A checkpoint that cannot be written."""


class _Run:
    def __init__(
        self, compiled: Compiled, job: Job, engine: Engine, rounds: int, until: float | None,
        kept: RunCheckpoint | None, told: Progress | None,
    ) -> None:  # fmt: skip
        self.compiled, self.job, self.engine = compiled, job, engine
        self.until, self.kept, self.told = until, kept, told
        before = kept.load(job) if kept is not None else Kept()
        check_totals(compiled, before.totals)
        self.next = before.following
        self.result = Result(before.totals, engine.name, job.seed, rounds, before.seconds)
        if before.totals.rounds:
            self._mark()
        self._saved, self._safe = time.monotonic(), before.totals.rounds
        """When the work was kept, and how many rounds of it."""

    def play(self) -> Result:
        """Play to the end; whatever ends it before, the work is kept."""
        if self.kept is not None:
            self.kept.try_out(self.job, self._work)
        try:
            self._play()
            self._keep()
        except KeyboardInterrupt:
            raise self._halted("interrupted", interrupted=True) from None
        except EngineFault as lost:
            if not self.result.totals.rounds:
                raise
            raise self._halted(str(lost)) from None
        except _Unwritable as wrong:
            raise Halted(str(wrong), self.result, kept=self._safe) from None
        return self.result

    def _halted(self, why: str, interrupted: bool = False) -> Halted:
        """What ended the run, once its work is kept; and why that could not be done."""
        try:
            self._keep()
        except _Unwritable as wrong:
            why = f"{why}, and {wrong}"
        return Halted(why, self.result, interrupted, self._safe)

    def _play(self) -> None:
        if self._is_enough():
            return
        last, ends = self._last(), deque[int]()
        results = self.engine.play(self.job, self._noted(last, ends))
        began = time.monotonic()
        try:
            for totals in results:
                check_totals(self.compiled, totals)
                self._add(ends.popleft(), totals, began)
                if self._is_enough():
                    return
        finally:
            results.close()  # type: ignore[attr-defined]

    def _noted(self, last: int, ends: deque[int]) -> Iterator[Batch]:
        """The batches, made when they are asked for; where each ends is noted until its sums are there."""
        for begin, stop in self._stops(last):
            for batch in self._cut(begin, stop):
                ends.append(batch[1])
                yield batch

    def _is_enough(self) -> bool:
        """Whether the standard error is small enough: asked at a stop alone, so that all engines end at the same."""
        if self.until is None or self.next not in takewhile(lambda end: end <= self.next, self._ends()):
            return False
        return self._error() <= self.until

    def _error(self) -> float:
        """The standard error that was asked for: of the mean that variance reduction gives, where there is any."""
        totals, money = self.result.totals, self.job.money
        if money[MoneyHead.CONTROL]:
            return adjusted_error(totals, int(money[at.MONEY_HEADER + BoxMoney.MAIN]))
        return totals.part_error if self.job.antithetic else totals.standard_error

    def _add(self, end: int, totals: Totals, began: float) -> None:
        result = self.result
        before = result.spent
        result.totals, self.next = result.totals + totals, end
        result.played += totals.rounds
        result.spent = time.monotonic() - began
        result.seconds += result.spent - before
        if not result.path or result.totals.rounds > result.path[-1][0] * 1.02:
            self._mark()
        if self.told is not None:
            self.told(result)
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._keep()

    def _mark(self) -> None:
        totals = self.result.totals
        self.result.path.append((totals.rounds, totals.mean, totals.standard_error))

    @property
    def _work(self) -> Kept:
        return Kept(self.next, self.result.totals, self.result.seconds)

    def _keep(self) -> None:
        if self.kept is not None:
            try:
                self.kept.save(self.job, self._work)
            except OSError as wrong:
                raise _Unwritable(f"the checkpoint cannot be written ({wrong.strerror or wrong})") from None
            self._safe = self.result.totals.rounds
        self._saved = time.monotonic()

    def _last(self) -> int:
        """The round (or shoe, or pair) after the last: as many shoes as a pilot says that the rounds need."""
        if self.job.mode != "shoe":
            return -(-self.result.wanted // (2 if self.job.antithetic else 1))
        pilot = Totals.merged(self.engine.play(self.job, self._cut(0, PILOT)))
        check_totals(self.compiled, pilot)
        return max(1, -(-self.result.wanted * PILOT // pilot.rounds))

    def _ends(self) -> Iterator[int]:
        """Where stops are, whoever computes."""
        unit = 1 << 20 if self.job.mode != "shoe" else PILOT * 16
        for step in count():
            end = unit << (step // 2)
            yield end + (end // 2 if step % 2 else 0)

    def _stops(self, last: int) -> Iterator[Batch]:
        """From stop to stop."""
        begin = self.next
        for end in self._ends():
            if begin < min(end, last):
                yield begin, min(end, last)
                begin = end
            if end >= last:
                return

    def _cut(self, begin: int, end: int) -> Iterator[Batch]:
        """Batches as large as the engine likes and the sums hold."""
        size = self.engine.shoes if self.job.mode == "shoe" else self.engine.rounds
        if self.job.table is None and self.engine.name != "cuda":
            size //= SLOWER
        most = self.job.bounds.most_parts
        if size > most:
            size = 1 << (most.bit_length() - 1)
        for first in range(begin, end, size):
            yield first, min(first + size, end)
