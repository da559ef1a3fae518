"""`make prove [PART=T11] [SIZE=quick|normal|full]`: the lines T1 to T30 and the drills, and one report of them all.

    python -m bench.prove_lines [--part NAME] [--size quick|normal|full]

A line that held is kept in `.prove/` and not run again as long as nothing in the project changed; long works are kept
inside too. What was run, and what was not, stands in `prove/report.html` and `prove/report.json`, what each command
said in `prove/logs/`. Exit status: 0 all of it held, 1 a line is broken or a planted fault was not found, 75 something
was not run or not run to its end (start again to go on), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from rich.console import Console
from rich.progress import Progress

from bench.line_report import CONTROLS, Result, write_report
from bench.lines import SIZES, Line, Work, lines
from bench.results import Row, Running

__all__ = ["main", "run_line"]

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".prove"
REPORT = ROOT / "prove"
PROVED, FAULT, NOT_RUN, TIME_OVER, STOPPED = 0, 1, 69, 75, 130
AT_A_TIME = 2


class Ran(NamedTuple):
    """What a command came to."""

    status: str
    """`held`, `broken` or `not run`."""
    said: tuple[str, ...]
    """What it measured, in lines."""


def _ran(code: int, said: Iterable[str]) -> Ran:
    return Ran({PROVED: "held", NOT_RUN: "not run", TIME_OVER: "not run"}.get(code, "broken"), tuple(said))


@cache
def fingerprint() -> str:
    """A digest of everything in the project that a line may depend on."""
    digest = hashlib.sha256()
    kinds = {".py", ".md", ".toml", ".js", ".css", ".sql", ".json", ".jsonl", ".txt"}
    for folder in ("src", "tests", "bench", "requirements"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in kinds and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


# -- commands


def _call(arguments: Sequence[str], log: Path) -> int:
    """Run Python; what it says goes to a file, what it complains of to another."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"}
    with log.open("w", encoding="utf-8") as out, log.with_suffix(".err").open("w", encoding="utf-8") as complaints:
        return subprocess.call([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=out, stderr=complaints)


def _run_work(work: Work, size: str, log: Path) -> Ran:
    arguments = work.arguments(size)
    module = ROOT / Path(*arguments[1].split(".")).with_suffix(".py")
    if not module.exists():
        return Ran("not run", (f"there is no {module.relative_to(ROOT)}",))
    code = _call(arguments, log)
    told = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip() and "━" not in line]
    if code not in (PROVED, NOT_RUN, TIME_OVER):
        told = [
            f"exit status {code}",
            *told[-6:],
            *log.with_suffix(".err").read_text(encoding="utf-8").splitlines()[-2:],
        ]
    return _ran(code, told if code not in (PROVED, NOT_RUN, TIME_OVER) else told[-1:])


def _run_works(works: Sequence[Work], size: str, log: Path) -> list[Ran]:
    chosen = [work for work in works if work.is_in(size)]
    return [_run_work(work, size, Path(f"{log}-{number}.txt")) for number, work in enumerate(chosen, 1)]


def _run_tests(line: Line, log: Path) -> tuple[Ran, Ran]:
    """The tests of a line and those of its planted fault, in one run."""
    asked = [*line.tests, *line.control_tests]
    missing = {name.partition("::")[0] for name in asked if not (ROOT / name.partition("::")[0]).exists()}
    chosen = [name for name in asked if name.partition("::")[0] not in missing]
    found: dict[str, list[str]] = {}
    if chosen:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tests.xml"
            options = ["-n", "0", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", f"--junitxml={file}"]
            _call(["-m", "pytest", *options, *dict.fromkeys(chosen)], log)
            found = _outcomes(file)
    return _judge(line.tests, found, missing), _judge(line.control_tests, found, missing)


def _outcomes(file: Path) -> dict[str, list[str]]:
    """Name of a test, and of its file, to what became of it."""
    found: dict[str, list[str]] = {}
    if file.exists():
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            bad = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
            name = case.get("name", "").partition("[")[0]
            for key in (case.get("file", ""), f"{case.get('file')}::{name}"):
                found.setdefault(key, []).append(bad)
    return found


def _judge(asked: Sequence[str], found: dict[str, list[str]], missing: set[str]) -> Ran:
    """What some tests came to; one that did not run holds nothing."""
    absent = [name for name in asked if name.partition("::")[0] in missing]
    silent = [name for name in asked if name not in absent and not found.get(name)]
    outcomes = [outcome for name in asked for outcome in found.get(name, ())]
    wrong = [outcome for outcome in outcomes if outcome in ("failure", "error")]
    skipped = outcomes.count("skipped")
    passed = outcomes.count("passed")
    said = [f"{passed} test{' passes' if passed == 1 else 's pass'}"] if outcomes else []
    said += [f"{len(wrong)} fail"] if wrong else []
    said += [f"no such test: {name}" for name in (*absent, *silent)] + ([f"{skipped} skipped"] if skipped else [])
    return Ran("broken" if wrong or silent else "not run" if absent or skipped else "held", tuple(said))


# -- a line


def _together(ran: Sequence[Ran]) -> Ran:
    """The worst counts; what nothing was asked of was not run."""
    statuses = {one.status for one in ran}
    status = next((name for name in ("broken", "not run", "held") if name in statuses), "not run")
    return Ran(status, tuple(text for one in ran for text in one.said))


def _within(status: str) -> Ran:
    """A planted fault that the measurement looks for itself: where it failed for whatever reason, nothing is known."""
    if status == "held":
        return Ran("held", ("within the measurement, which fails where it is not found",))
    return Ran("not run", ("within the measurement, which did not hold: see there",))


def run_line(line: Line, size: str, logs: Path) -> Result:
    """Run a line and its planted fault."""
    began = time.monotonic()
    bar = _run_works(line.works, size, logs / line.name)
    control = _run_works(line.control_works, size, logs / f"{line.name}-control")
    if line.tests or line.control_tests:
        tests, control_tests = _run_tests(line, logs / f"{line.name}-tests.txt")
        bar += [tests] if line.tests else []
        control += [control_tests] if line.control_tests else []
    if line.control_within:
        control.append(_within(_together(bar).status))
    held, found = _together(bar), _together(control)
    return Result(
        line.name, size, held.status, held.said, found.status, found.said, time.monotonic() - began,
        datetime.now(UTC).isoformat(timespec="seconds"), fingerprint(),
    )  # fmt: skip


def _kept(line: Line, size: str) -> Result | None:
    """What a line came to before, where nothing has changed since."""
    try:
        result = Result.read(json.loads(_file(line, size).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return result if result.code == fingerprint() else None


def _file(line: Line, size: str) -> Path:
    return KEPT / f"line-{size}-{line.name}.json"


def _keep(line: Line, result: Result) -> None:
    KEPT.mkdir(exist_ok=True)
    new = _file(line, result.size).with_suffix(".new")
    new.write_text(json.dumps(result._asdict()), encoding="utf-8")
    new.replace(_file(line, result.size))


# -- what it leaves for `make evidence`


def _begun(line: Line, size: str) -> Running:
    command = f"make prove PART={line.name} SIZE={size}"
    return Running(f"prove-{line.name}-{size}", command, ("twentyone",))


def _worst(result: Result) -> str:
    """A line is worth what its planted fault is worth."""
    return next((name for name in ("broken", "not run") if name in (result.status, result.control)), result.status)


def _rows(result: Result) -> Iterable[Row]:
    line = lines()[result.line]
    yield Row(f"{line.name} {line.title}", "; ".join(result.measured), line.bar)
    yield Row(f"planted fault: {line.control}", "; ".join(result.control_measured), CONTROLS[result.control])


# -- the command


def prove(chosen: Sequence[Line], size: str, report: Path = REPORT) -> list[Result]:
    """Run what is missing of some lines, two at a time; those that measure time one after the other, last."""
    (report / "logs").mkdir(parents=True, exist_ok=True)
    running = {line.name: _begun(line, size) for line in chosen}
    results = {name: kept for name, line in lines().items() if (kept := _kept(line, size)) is not None}
    left = [line for line in chosen if line.name not in results or not results[line.name].good]
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("lines", total=len(chosen), completed=len(chosen) - len(left))
        for result in _run_all(left, size, report / "logs"):
            results[result.line] = result
            _keep(lines()[result.line], result)
            running[result.line].ends(_worst(result), _rows(result), KEPT / "results")
            print(result.told(lines()[result.line].title), flush=True)
            progress.advance(task)
            write_report(report, size, results)
    write_report(report, size, results)
    return [results[line.name] for line in chosen]


def _run_all(left: Sequence[Line], size: str, logs: Path) -> Iterable[Result]:
    beside = [line for line in left if not line.alone]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        running = [pool.submit(run_line, line, size, logs) for line in beside]
        try:
            for job in as_completed(running):
                yield job.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for line in left:
        if line.alone:
            yield run_line(line, size, logs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one line or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_lines", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=tuple(lines()), help="one line (absent: all)")
    parser.add_argument("--size", choices=SIZES, default="normal")
    options = parser.parse_args(arguments)
    try:
        results = prove([lines()[options.part]] if options.part else list(lines().values()), options.size)
    except KeyboardInterrupt:
        print("prove: stopped; what held is kept, start again to go on")
        return STOPPED
    good = sum(result.good for result in results)
    print(f"prove: {good} of {len(results)} lines held with their planted faults found; see {REPORT.name}/report.html")
    if any("broken" in (result.status, result.control) for result in results):
        return FAULT
    return PROVED if good == len(results) else TIME_OVER


if __name__ == "__main__":
    sys.exit(main())
