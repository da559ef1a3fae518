"""The simulator on a GPU: equal to a core bit for bit, how fast, and how close to the exact values.

    PYTHONPATH=src python -m bench.gpu [--check] [--rates] [--shoes] [--converge] [--rounds 1e10] [--book ID ...]
                                       [--exact FILE] [--out FILE] [--results FOLDER]

Without a choice it does everything. It needs NumPy, Numba and numba-cuda and nothing else; prints one JSON object, each
finished part on standard error. `--exact` names a JSON file: rulebook to decks to the exact mean of its default chart,
{"pa-spanish-21": {"6": -0.0041}} or {"6": {"mean": -0.0040, "mean_without_prizes": -0.0041}}. `--results` leaves a
result of each part in a folder: what is brought into `.prove/results` is taken over by `make evidence`.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bench.results import Row, Running
from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.sim import stats
from twentyone.sim.compile import compile_setup
from twentyone.sim.cuda import Cuda, device_name
from twentyone.sim.job import Job, run_batch
from twentyone.sim.setup import Setup
from twentyone.sim.stats import Totals

SEED = 20261115
GEOMETRIES = ((1056, 256), (2112, 256), (4224, 256), (1056, 512), (2112, 512), (8448, 128))
SIGMAS = 4
MEANS = ("mean", "mean_without_prizes")
PARTS = ("check", "rates", "shoes", "converge")
GOALS = {
    "rates": {"pa-spanish-21": 20},
    "shoes": {"classic-blackjack": 25, "md-spanish-21": 18, "pa-spanish-21": 18, "s13-spanish-21": 18},
}
"""Billion rounds a second on an H200."""


def tell(text: str) -> None:
    """A line to whoever watches."""
    print(text, file=sys.stderr, flush=True)


def job_of(book: str, fast: bool = True, decks: int | None = None, **rest: Any) -> Job:
    """The default game of a rulebook."""
    rules = Rulebook.load(book).under({"decks": decks} if decks else None)
    return Job.of(compile_setup(Setup.of(rules, **rest)), SEED, fast)


# -- equal


def check(book: str) -> dict[str, Any]:
    """The same rounds on a core and on the GPU: table and round function, real shoes, several boxes."""
    began, results = time.perf_counter(), {}
    for name, job, last in _checked(book):
        gpu = Cuda(job, blocks=64, threads=128, each=32, slow=4096)
        results[name] = gpu.run(0, last) == run_batch(job, 0, last)
    return {**results, "seconds": round(time.perf_counter() - began, 1)}


def _checked(book: str) -> Iterator[tuple[str, Job, int]]:
    yield "fresh_table", job_of(book), (1 << 20) + 77
    yield "fresh_round_function", job_of(book, fast=False), 1 << 16
    yield "real_shoe", job_of(book, mode="shoe"), 1 << 11
    if 1 in decks_of(book):
        yield "one_deck", job_of(book, decks=1, mode="shoe"), 1 << 16
        yield "one_deck_three_boxes", job_of(book, decks=1, boxes=3, mode="shoe"), 1 << 11
    yield "three_boxes", job_of(book, fast=False, boxes=3), 1 << 15


# -- fast


def rates(book: str, seconds: float = 1.0) -> dict[str, Any]:
    """Rounds a second by blocks and threads."""
    job, found = job_of(book), {}
    for blocks, threads in GEOMETRIES:
        gpu = Cuda(job, blocks=blocks, threads=threads)
        found[f"{blocks}x{threads}"] = _rate(gpu, gpu.launch, seconds)
    return found


def slow_rates(book: str) -> dict[str, Any]:
    """Rounds a second of the round function alone, and of real shoes."""
    plain = Cuda(job_of(book, fast=False))
    shoes = Cuda(job_of(book, mode="shoe"))
    return {"round_function": _rate(plain, 1 << 24), "real_shoe": _rate(shoes, 1 << 20)}


def _rate(gpu: Cuda, step: int, seconds: float = 1.0) -> float:
    gpu.run(0, step)
    began, played, first = time.perf_counter(), 0, 0
    while (spent := time.perf_counter() - began) < seconds:
        played += gpu.run(first, first + step * 4).rounds
        first += step * 4
    return round(played / spent)


# -- right


def converge(book: str, rounds: int, exact: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Mean and standard error for every number of decks, beside the exact value."""
    for decks in decks_of(book):
        try:
            gpu = Cuda(job_of(book, decks=decks))
        except Refused as refused:
            yield {"rulebook": book, "decks": decks, "refused": str(refused)}
            continue
        began = time.perf_counter()
        totals = gpu.run(0, -(-rounds // gpu.launch) * gpu.launch)
        row = _row(book, decks, totals, exact.get(str(decks)))
        tell(f"  {row}")
        yield {**row, "seconds": round(time.perf_counter() - began, 2), "sums": totals.sums[: stats.TALLY]}


def _row(book: str, decks: int, totals: Totals, exact: Any) -> dict[str, Any]:
    known = exact if isinstance(exact, dict) else {"mean": exact} if exact is not None else {}
    row = {
        "rulebook": book,
        "decks": decks,
        "rounds": totals.rounds,
        "mean": totals.mean,
        "mean_without_prizes": totals.mean_without_prizes,
        "standard_error": totals.standard_error,
    }
    for name in MEANS:
        if known.get(name) is not None:
            sigmas = (row[name] - known[name]) / totals.standard_error
            row |= {f"exact_{name}": known[name], f"sigmas_{name}": sigmas, f"good_{name}": abs(sigmas) <= SIGMAS}
    return row


def decks_of(book: str) -> tuple[int, ...]:
    """The numbers of decks that a rulebook leaves to the operator."""
    key = next(
        clause for clause in Rulebook.load(book).clauses if isinstance(clause, SubmissionKey) and clause.name == "decks"
    )
    return tuple(key.choices) or tuple(range(key.least, key.most + 1))


# -- the command


def main() -> int:
    """Print everything as JSON; status 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=(__doc__ or "").partition("\n")[0])
    for part in PARTS:
        parser.add_argument(f"--{part}", action="store_true")
    parser.add_argument("--rounds", type=float, default=1e10)
    parser.add_argument("--book", action="append", choices=rulebook_ids())
    parser.add_argument("--exact", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--results", type=Path)
    chosen = parser.parse_args()
    body: dict[str, Any] = {
        "device": device_name(), "python": platform.python_version(), "numpy": np.__version__,
        "numba": numba.__version__, "seed": SEED,
    }  # fmt: skip
    for part in [name for name in PARTS if getattr(chosen, name)] or PARTS:
        running = Running(f"bench-gpu-{part}", f"python -m bench.gpu --{part}", ("twentyone.sim", "bench/gpu.py"))
        body[part] = _measured(part, chosen)
        if chosen.results:
            running.ends("held" if _is_good({part: body[part]}) else "broken", rows_of(body, part), chosen.results)
    text = json.dumps(body)
    if chosen.out:
        chosen.out.write_text(text + "\n")
    print(text)
    return 0 if _is_good(body) else 1


def _measured(part: str, chosen: argparse.Namespace) -> dict[str, Any] | list[dict[str, Any]]:
    books = chosen.book or rulebook_ids()
    if part == "converge":
        exact = json.loads(chosen.exact.read_text()) if chosen.exact else {}
        return [row for book in books for row in converge(book, int(chosen.rounds), exact.get(book, {}))]
    found = {}
    for book in books:
        found[book] = {"check": check, "rates": rates, "shoes": slow_rates}[part](book)
        tell(f"{part} {book}: {found[book]}")
    return found


def _is_good(body: dict[str, Any]) -> bool:
    equal = all(value for row in body.get("check", {}).values() for name, value in row.items() if name != "seconds")
    return equal and all(
        value for row in body.get("converge", []) for name, value in row.items() if name.startswith("good_")
    )


# -- its results


def rows_of(body: dict[str, Any], part: str) -> Iterator[Row]:
    """The lines of a part, as the documents show them."""
    yield Row("on", f"{body['device']}, Numba {body['numba']}, NumPy {body['numpy']}")
    if part == "converge":
        yield from map(_converged, body[part])
        return
    for book, row in body[part].items():
        goal = GOALS.get(part, {}).get(book)
        bar = "all equal" if part == "check" else f"goal on an H200 {goal}" if goal else ""
        yield Row(f"{TITLES[part]}, {book}", _figure(part, row), bar)


TITLES = {"check": "the same sums as a core", "rates": "fresh shoes", "shoes": "real shoes"}


def _figure(part: str, row: dict[str, Any]) -> str:
    if part == "check":
        words = {name.replace("_", " "): value for name, value in row.items() if name != "seconds"}
        return "; ".join(f"{name} {'equal' if value else '**differs**'}" for name, value in words.items())
    if part == "shoes":
        real, plain = (row[name] / 1e9 for name in ("real_shoe", "round_function"))
        return f"{real:.1f} billion rounds/s (round function alone {plain:.2f})"
    best = max(row, key=row.__getitem__)
    return (
        f"{row[best] / 1e9:.1f} billion rounds/s (grid {best}; the slowest of {len(row)} {min(row.values()) / 1e9:.1f})"
    )


def _converged(row: dict[str, Any]) -> Row:
    what = f"mean, {row['rulebook']}, {row['decks']} decks"
    if "refused" in row:
        return Row(what, row["refused"])
    name = next((name for name in MEANS if f"exact_{name}" in row), "mean")
    told = f"{row[name]:.7f} ± {row['standard_error']:.7f} over {row['rounds']:,} rounds"
    if f"exact_{name}" not in row:
        return Row(what, told)
    apart = f"exactly {row[f'exact_{name}']:.7f}: {row[f'sigmas_{name}']:+.2f} standard errors apart"
    return Row(what, f"{told}, {apart}", f"bar {SIGMAS}")


if __name__ == "__main__":
    sys.exit(main())
