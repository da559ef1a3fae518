"""T28: whole houses under fire, each from one seed; a checker that imports no engine looks at what came out.

    python -m bench.prove_simulation [--count N]                  # seeds 0 to N - 1
    python -m bench.prove_simulation --seed 417                   # one seed again, with its answers
    python -m bench.prove_simulation --count 40 --plant NAME|all  # planted faults, each of which must be found

Work is kept in `.prove/` after every block of seeds. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from tests.simulation.checker import faults_of
from tests.simulation.plants import PLANTS
from tests.simulation.points import POINTS
from tests.simulation.world import History, World

from bench.prove import FAULT, FOLDER, PROVED, STOPPED, fingerprint

__all__ = ["main", "prove", "prove_plant", "too_rare", "wrong_with"]

ROOT = Path(__file__).parents[1]
BLOCK = 25
"""Seeds between two checkpoints of a worker."""
RARE = 100
"""Each point fires once in so many seeds at least: a hundred times in ten thousand."""


def wrong_with(history: History) -> list[str]:
    """Everything that is wrong with a run."""
    found = faults_of(history.rows, history.answers, history.frames)
    return [*found, *history.crashes, *(f"nobody answered {key}" for key in history.unanswered)]


def too_rare(fired: Counter[str], seeds: int) -> list[str]:
    """The points that did not fire often enough to say anything about them."""
    least = max(1, seeds // RARE)
    return [f"{name} fired {fired[name]} times of {least}" for name in POINTS if fired[name] < least]


def _block(start: int, stop: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Some seeds: what came out, what fired, what is wrong."""
    counts, fired, faults = Counter[str](), Counter[str](), list[str]()
    for seed in range(start, stop):
        history = World(seed).run()
        fired.update(history.fired)
        counts.update(answer["kind"] for answer in history.answers)
        counts.update(events=len(history.rows), frames=len(history.frames))
        counts.update(rounds=sum(row[4] == "round_ended" for row in history.rows))
        faults += [f"seed {seed}: {fault}" for fault in wrong_with(history)[:3]]
    return counts, fired, faults


def _code() -> str:
    digest = hashlib.sha256(fingerprint().encode())
    for path in [*sorted((ROOT / "tests" / "simulation").glob("*.py")), ROOT / "tests" / "money" / "account.py"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _load() -> dict[str, Any]:
    fresh: dict[str, Any] = {"code": _code(), "done": 0, "seconds": 0.0, "counts": {}, "fired": {}}
    try:
        kept: dict[str, Any] = json.loads((FOLDER / "simulation.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return fresh
    return kept if kept.get("code") == fresh["code"] else fresh


def _save(kept: dict[str, Any]) -> None:
    FOLDER.mkdir(exist_ok=True)
    new = FOLDER / "simulation.json.new"
    new.write_text(json.dumps(kept), encoding="utf-8")
    new.replace(FOLDER / "simulation.json")


def _blocks(start: int, stop: int, workers: int) -> Iterator[tuple[int, tuple[Counter[str], Counter[str], list[str]]]]:
    ends = [(first, min(first + BLOCK, stop)) for first in range(start, stop, BLOCK)]
    if workers == 1:
        yield from ((last, _block(first, last)) for first, last in ends)
        return
    with ProcessPoolExecutor(workers) as pool:
        jobs = [(last, pool.submit(_block, first, last)) for first, last in ends]
        try:
            yield from ((last, job.result()) for last, job in jobs)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def prove(count: int, workers: int = 1) -> int:
    """Play the seeds that are still missing."""
    kept, console = _load(), Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task, began = progress.add_task("seeds", total=count, completed=kept["done"]), time.monotonic()
        for done, (counts, fired, faults) in _blocks(kept["done"], count, workers):
            if faults:
                print(*faults[:10], "play one again: python -m bench.prove_simulation --seed N", sep="\n", flush=True)
                return FAULT
            kept["counts"] = dict(Counter(kept["counts"]) + counts)
            kept["fired"] = dict(Counter(kept["fired"]) + fired)
            kept["done"], kept["seconds"] = done, kept["seconds"] + time.monotonic() - began
            began = time.monotonic()
            _save(kept)
            progress.update(task, completed=done)
    rare = too_rare(Counter(kept["fired"]), kept["done"])
    print(*(f"  {kept['fired'].get(name, 0):>7,}  {name}" for name in POINTS), sep="\n")
    told = ", ".join(f"{name} {number:,}" for name, number in kept["counts"].items())
    fewest = min(POINTS, key=lambda name: kept["fired"].get(name, 0))
    print(
        f"prove simulation: {kept['done']:,} seeds ({told}), {len(POINTS)} fault points fired "
        f"{sum(kept['fired'].values()):,} times (fewest: {fewest} {kept['fired'].get(fewest, 0)}), "
        f"{len(rare)} faults, {kept['seconds']:.0f} s" + "".join(f"\ntoo rare: {line}" for line in rare),
        flush=True,
    )
    return FAULT if rare else PROVED


def prove_plant(name: str, count: int) -> tuple[int, int]:
    """How many runs a planted fault happened in, and in how many of them it was found: by the checker, or by the house
    itself, which stands still where what is stored is no round of its game."""
    happened = found = 0
    for seed in range(count):
        plant = PLANTS[name](seed)
        try:
            history = World(seed, plant=plant).run()
            noticed = bool(faults_of(history.rows, history.answers, history.frames))
        except AssertionError:
            noticed = plant.done
        happened, found = happened + plant.done, found + (plant.done and noticed)
    return happened, found


def _plants(names: Sequence[str], count: int) -> int:
    found = {name: prove_plant(name, count) for name in names}
    good = all(happened and seen == happened for happened, seen in found.values())
    told = ", ".join(f"{name} {seen} of {happened}" for name, (happened, seen) in found.items())
    print(f"prove simulation: planted faults found: {told}{'' if good else ': NOT ALL FOUND'}", flush=True)
    return PROVED if good else FAULT


def _again(seed: int) -> int:
    """One run again, with everything that clients were told."""
    history = World(seed).run()
    for answer in history.answers:
        print(answer["step"], answer["key"], answer["kind"], answer.get("version", answer.get("why", "")))
    faults = wrong_with(history)
    print(*(faults or ["nothing is wrong"]), sep="\n")
    print(f"seed {seed}: {len(history.rows)} events, fired: {history.fired}")
    return FAULT if faults else PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Play seeds, one seed, or planted faults."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.prove_simulation", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--plant", choices=("all", *PLANTS))
    parser.add_argument(
        "--workers", type=int, default=0, help="processes (two for more than a thousand seeds, else one)"
    )
    options = parser.parse_args(arguments)
    try:
        if options.seed is not None:
            return _again(options.seed)
        if options.plant:
            return _plants(list(PLANTS) if options.plant == "all" else [options.plant], options.count)
        return prove(options.count, options.workers or (2 if options.count > 1_000 else 1))
    except KeyboardInterrupt:
        print("prove simulation: stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
