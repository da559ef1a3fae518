"""`twentyone bench`: this machine's rounds per second, for every rulebook and engine."""

from __future__ import annotations

import argparse
import platform
from typing import Any

import twentyone
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.parameters import in_options
from twentyone.errors import TwentyoneError
from twentyone.platforms import core_count
from twentyone.rulebook import Rulebook

__all__ = ["add_parser", "run"]

MOST_SECONDS = 3600
"""The longest time to measure one figure for, in seconds."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "bench",
        help="how many rounds per second the simulator plays on this machine",
        description="Measure the simulator on this machine: every rulebook, fresh and real shoes, one core and all "
        "cores, or a GPU, and a bare shuffle of the same shoe for comparison.",
    )
    parser.add_argument("rulebook", nargs="*", metavar="RULEBOOK", help="rulebooks (all)")
    parser.add_argument("--engine", action="append", choices=("cpu", "cuda", "dask"), help="engines (cpu)")
    parser.add_argument("--seconds", type=_seconds, default=2.0, metavar="S", help="time for each figure (2)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    """A measuring time in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time above 0 and up to {MOST_SECONDS} seconds")
    return seconds


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    try:
        body = _measure(options)
    except TwentyoneError as refused:
        say(f"twentyone bench: {in_options(refused)}")
        return REFUSED
    print_json(body) if options.json else _print(body)
    return DONE


def _measure(options: argparse.Namespace) -> dict[str, Any]:
    import numba
    import numpy as np

    from twentyone.cli.common import load_rulebook, load_rulebooks
    from twentyone.sim.yardstick import shuffled_cards
    from twentyone.strategy import chart_file

    named = [load_rulebook(name).id for name in options.rulebook]
    books = named or [book.id for book in load_rulebooks() if chart_file(book.id).exists()]
    gpu = _gpu() if "cuda" in (options.engine or ()) else {}
    body: dict[str, Any] = {
        "twentyone": twentyone.__version__, "python": platform.python_version(), "numba": numba.__version__,
        "numpy": np.__version__, "machine": platform.machine(), "cores": core_count(),
        **gpu,
        "shuffled_cards_per_second": shuffled_cards(options.seconds / 2), "figures": [],
    }  # fmt: skip
    for name in options.engine or ["cpu"]:
        for threads in _threads(name):
            body["figures"] += _figures(name, threads, books, options.seconds)
    return body


def _gpu() -> dict[str, Any]:
    """The GPU, and the compiler for it."""
    from twentyone.sim.engines import CudaEngine

    engine = CudaEngine()
    return {"gpu": engine.device, "gpu_compiler": engine.compiler}


def _threads(engine: str) -> list[int | None]:
    cores = core_count()
    return [1, cores] if engine != "cuda" and cores > 1 else [None if engine == "cuda" else 1]


def _figures(name: str, threads: int | None, books: list[str], seconds: float) -> list[dict[str, Any]]:
    from twentyone.sim.engines import engine_named
    from twentyone.sim.yardstick import rounds_per_second

    engine, rows = engine_named(name, threads), []
    try:
        for book in books:
            for mode in ("fresh", "shoe"):
                rate = rounds_per_second(engine, Rulebook.load(book).under(), mode, seconds)
                row = {"engine": name, "threads": threads, "rulebook": book, "mode": mode, "rounds_per_second": rate}
                say(f"{name} {threads or ''} {book} {mode}: {rate / 1e6:,.1f} million rounds/s")
                rows.append(row)
    finally:
        engine.close()
    return rows


def _print(body: dict[str, Any]) -> None:
    versions = f"Python {body['python']}, Numba {body['numba']}, NumPy {body['numpy']}"
    print(f"twentyone {body['twentyone']}, {versions}, {body['machine']}, {body['cores']} cores")
    if "gpu" in body:
        print(f"{body['gpu']}, {body['gpu_compiler']}")
    print(f"a bare shuffle: {body['shuffled_cards_per_second'] / 1e6:,.0f} million cards/s on one core")
    print()
    for row in body["figures"]:
        threads = f"{row['threads']} thread{'s' if row['threads'] != 1 else ''}" if row["threads"] else ""
        rate = row["rounds_per_second"] / 1e6
        print(f"  {row['engine']:5} {threads:10} {row['rulebook']:24} {row['mode']:6} {rate:12,.1f} million rounds/s")
