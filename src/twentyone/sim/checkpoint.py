"""A file in which a simulation keeps how far it is: written whole or not at all, read only where it is sound."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from twentyone.errors import Refused
from twentyone.sim import stats
from twentyone.sim.jit import STAMP
from twentyone.sim.job import MOST_ROUNDS, Job
from twentyone.sim.stats import Totals

__all__ = ["Kept", "RunCheckpoint"]

FORMAT = "simulation/2"
HASHED = ("format", "version", "digest", "seed", "next", "seconds", "sums")
"""What the hash of a checkpoint is of."""


@dataclass(frozen=True)
class Kept:
    """How far a simulation was."""

    following: int = 0
    """The next round (or shoe, or pair)."""
    totals: Totals = field(default_factory=Totals.zero)
    """The sums so far."""
    seconds: float = 0.0
    """The time spent."""


@dataclass(frozen=True)
class RunCheckpoint:
    """A file in which a simulation keeps how far it is."""

    path: Path

    def load(self, job: Job) -> Kept:
        """Where to go on; from the beginning where there is no such file."""
        text = self._text()
        if text is None:
            return Kept()
        body = self._body(text)
        if body["version"] != STAMP:
            raise self._refused("was made by another version of the simulator: begin anew, under another name")
        if body["digest"] != job.digest:
            raise self._refused("keeps another simulation (other game, strategy, mode or seed)")
        kept = _kept(body)
        if kept is None or not _fits(job, kept):
            raise self._refused("is damaged: what it counts does not agree")
        return kept

    def try_out(self, job: Job, kept: Kept) -> None:
        """Write it before anything is played, so that hours are not lost to a file that cannot be written."""
        try:
            new = not self.path.exists()
            self.save(job, kept)
            if new:
                self.path.unlink()
        except OSError as wrong:
            raise self._refused(f"cannot be written ({wrong.strerror or wrong})") from None

    def save(self, job: Job, kept: Kept) -> None:
        """Keep the work: whole or not at all."""
        body: dict[str, Any] = {
            "format": FORMAT, "version": STAMP, "digest": job.digest, "seed": job.seed, "next": kept.following,
            "seconds": kept.seconds, "sums": [str(number) for number in kept.totals.sums],
        }  # fmt: skip
        body["hash"] = _hash(body)
        new = self.path.with_name(self.path.name + ".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                json.dump(body, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)

    def _text(self) -> str | None:
        try:
            if self.path.exists() and not self.path.is_file():
                raise self._refused("is no ordinary file: a checkpoint is one")
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError as wrong:
            raise self._refused(f"cannot be read ({wrong.strerror or wrong})") from None
        except ValueError as wrong:
            raise self._refused(f"is no checkpoint: {wrong}") from None

    def _body(self, text: str) -> dict[str, Any]:
        """What a file says, where it is a checkpoint and as it was written."""
        try:
            body: Any = json.loads(text)
        except (ValueError, RecursionError) as wrong:
            raise self._refused(f"is no checkpoint: {wrong}") from None
        said = body.get("format") if isinstance(body, dict) else None
        if not isinstance(said, str) or not said.startswith("simulation/"):
            raise self._refused("is no checkpoint")
        if said != FORMAT:
            raise self._refused(f"is no checkpoint of this version: its format is {said[:40]}, not {FORMAT}")
        if set(body) != {*HASHED, "hash"} or body["hash"] != _hash(body):
            raise self._refused("is damaged: it is not as it was written")
        return dict(body)

    def _refused(self, why: str) -> Refused:
        return Refused(f"{self.path} {why}", step="checkpoint")


def _hash(body: dict[str, Any]) -> str:
    """SHA-256 of everything but the hash itself."""
    try:
        told = json.dumps({name: body[name] for name in HASHED}, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return "of nothing that was ever written"
    return hashlib.sha256(told.encode()).hexdigest()


def _kept(body: dict[str, Any]) -> Kept | None:
    """The numbers of a checkpoint; None where one is no number."""
    following, seconds, sums = body["next"], body["seconds"], body["sums"]
    if type(following) is not int or not 0 <= following <= MOST_ROUNDS:
        return None
    if type(seconds) not in (int, float) or not isfinite(seconds) or seconds < 0:
        return None
    if not isinstance(sums, list) or len(sums) != stats.LENGTH or not all(isinstance(one, str) for one in sums):
        return None
    try:
        numbers = [int(one) for one in sums]
    except ValueError:
        return None
    return Kept(following, Totals(numbers), float(seconds))


def _fits(job: Job, kept: Kept) -> bool:
    """Whether the sums are of as many rounds (in real shoes: of as many shoes) as were played."""
    played = kept.totals[stats.SHOES if job.mode == "shoe" else stats.ROUNDS]
    return played == kept.following * (2 if job.antithetic else 1)
