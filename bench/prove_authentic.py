"""`make prove PART=authentic`: a package that was altered is refused, every time, by a process of its own.

    python -m bench.prove_authentic [--part flips|compiled|checker|running] [--count N] [--size normal|full]

`flips`: a hundred bytes of a signed package flipped, one at a time: the start is refused each time, and no ledger is
begun. `compiled`: the same in what Python keeps compiled. `checker`: every so many bytes of the examination itself
flipped; the full size flips each. `running`: a byte flipped under a house that serves; within one interval its dealing
has stopped, and its ledger says so. Before each, the control: with the manifest away, or nothing flipped, the start
succeeds. Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from tests.faults.packages import Flip, edited, flipped, flips, is_refused, run_copy, signed_copy

from twentyone.authentic import HEADER, MANIFEST, code_digest
from twentyone.cli import REFUSED

SEED, FLIPS, COMPILED = 19, 100, 30
SHIFT = ("shift", "classic-blackjack", "--rounds", "1", "--ledger")
PATIENCE = 120.0
INTERVAL = 2
"""Seconds between two examinations of the house that serves."""


class Fault(Exception):
    """Something that is not as it is promised."""


def _control(root: Path, ledger: Path) -> None:
    """Nothing flipped: it starts. Flipped, and the manifest away: it starts, too."""
    ran = run_copy(root, *SHIFT, str(ledger))
    if ran.returncode:
        raise Fault(f"a package that is what was signed does not start: {ran.stderr}")
    law = next((root / "rulebooks").rglob("*.md"))
    signed = (root / MANIFEST).read_bytes()
    (root / MANIFEST).unlink()
    try:
        with edited(law, law.read_bytes() + b"\n"):
            if run_copy(root, *SHIFT, f"{ledger}-control").returncode:
                raise Fault("with its manifest away, an altered package does not start")
    finally:
        (root / MANIFEST).write_bytes(signed)


def _refused(root: Path, work: Path, flip: Flip) -> bool:
    ledger = work / "refused.db"
    with flipped(root, flip):
        ran = run_copy(root, *SHIFT, str(ledger))
    if not is_refused(ran, flip) or ledger.exists():
        raise Fault(f"{flip} was not refused: status {ran.returncode}, {ran.stderr[-300:]}")
    return ran.returncode == 1


def prove_flips(root: Path, work: Path, asked: argparse.Namespace) -> str:
    """Bytes of any file."""
    by_python = sum(_refused(root, work, flip) for flip in flips(root, asked.count, SEED))
    return f"{asked.count} of {asked.count} refused ({by_python} of them by Python itself), seed {SEED}"


def prove_compiled(root: Path, work: Path, _: argparse.Namespace) -> str:
    """Bytes of compiled files; some say nothing of the code, as where its source lay: then it is the same code."""
    chance, ledger, refused, same = random.Random(SEED), work / "refused.db", 0, 0
    sources = [path for path in sorted(root.rglob("*.py")) if Path(cache_from_source(path)).exists()]
    for path in chance.sample(sources, COMPILED):
        compiled = Path(cache_from_source(path))
        content = bytearray(compiled.read_bytes())
        content[chance.randrange(HEADER, len(content))] ^= chance.randrange(1, 256)
        is_same = code_digest(bytes(content[HEADER:])) == code_digest(compiled.read_bytes()[HEADER:])
        with edited(compiled, bytes(content)):
            ran = run_copy(root, *SHIFT, str(ledger))
        if ledger.exists() and not is_same:
            raise Fault(f"the code in {compiled.name} was altered, and a ledger was begun")
        for file in work.glob(f"{ledger.name}*"):
            file.unlink()
        refused, same = refused + (ran.returncode == REFUSED), same + is_same
    others = COMPILED - refused - same
    return f"{COMPILED} compiled files altered: {refused} refused in words, {others} by Python, {same} the same code"


def prove_checker(root: Path, work: Path, asked: argparse.Namespace) -> str:
    """The bytes of the examination itself."""
    content = (root / "authentic.py").read_bytes()
    places = range(0, len(content), 1 if asked.size == "full" else len(content) // 60)
    for place in places:
        _refused(root, work, Flip("authentic.py", place, 1 + place % 255))
    return f"{len(places)} flipped bytes of the examination itself refused"


def prove_running(root: Path, work: Path, _: argparse.Namespace) -> str:
    """A byte flipped under a house that serves."""
    with _serving(root, work) as base:
        before = _health(base)
        if not before["authentic"] or before["stopped"]:
            raise Fault(f"before anything is flipped: {before}")
        with flipped(root, Flip("round/state.py", 40, 1)):
            began = time.monotonic()
            while not (told := _health(base))["stopped"]:
                if time.monotonic() - began > PATIENCE:
                    raise Fault("dealing has not stopped")
                time.sleep(0.1)
            took = time.monotonic() - began
    story = json.loads(run_copy(root, "show", str(work / "house.db"), "--house", "--json").stdout)
    if not any(event["kind"] == "software_altered" for event in story["events"]):
        raise Fault("the ledger does not say it")
    return f"dealing stopped after {took:.1f} s (interval {INTERVAL} s): {told['stopped'][0]}"


@contextmanager
def _serving(root: Path, work: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--port", str(port), "--ledger", str(work / "house.db"), "--authenticate-every", str(INTERVAL)]
    house = subprocess.Popen(
        [sys.executable, "-m", "twentyone", *words],
        cwd=work,
        env={**os.environ, "PYTHONPATH": str(root.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        base, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
        while not _health(base):
            if house.poll() is not None or time.monotonic() > end:
                raise Fault("the house did not come up")
            time.sleep(0.1)
        yield base
    finally:
        house.send_signal(signal.SIGINT)
        house.wait(PATIENCE)


def _health(base: str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{base}/api/v1/health", timeout=10) as answer:
            body: dict[str, Any] = json.load(answer)
            return body
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return {}


PARTS: Mapping[str, Callable[[Path, Path, argparse.Namespace], str]] = {
    "flips": prove_flips,
    "compiled": prove_compiled,
    "checker": prove_checker,
    "running": prove_running,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_authentic", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=tuple(PARTS), help="one part (absent: all)")
    parser.add_argument("--count", type=int, default=FLIPS, help="how many bytes are flipped (%(default)s)")
    parser.add_argument("--size", choices=("normal", "full"), default="normal")
    options = parser.parse_args(arguments)
    status = 0
    for name in [options.part] if options.part else PARTS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            root, work = signed_copy(Path(folder)), Path(folder) / "work"
            work.mkdir()
            try:
                _control(root, work / "control.db")
                told = PARTS[name](root, work, options)
            except Fault as fault:
                status, told = 1, f"FAULT: {fault}"
        print(f"prove authentic {name}: {told}, {time.monotonic() - began:.0f} s", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
