"""Hold an engine to the conformance suite: ask it every case over a pipe, and tell what it answers wrong (README.md).

Exit status: 0 every case that was asked passed, 1 some did not, 2 nothing could be asked, 64 usage."""

import argparse
import hashlib
import json
import queue
import re
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from subprocess import PIPE, Popen, SubprocessError
from typing import Any

PROTOCOL, LEVELS = "twentyone-conformance/1", ("rounds", "irregularities", "table", "figures")
LONGEST, GIVE_UP = 1 << 24, 3  # letters of an answer; cases without an answer, one after the other, that end the run
NUMBER = re.compile(r"-?\d{1,60}(\.\d{1,60})?(/[1-9]\d{0,60})?")
Body = dict[str, Any]


class Engine:
    """An engine at the other end of a pipe."""

    def __init__(self, command: str, timeout: float) -> None:
        self.process = Popen(shlex.split(command), stdin=PIPE, stdout=PIPE, encoding="utf-8", errors="replace")
        self.timeout, self.lines = max(timeout, 60.0), queue.Queue[str]()
        threading.Thread(target=self._listen, daemon=True).start()
        self.hello, self.timeout = self.ask({"hello": PROTOCOL}), timeout

    def _listen(self) -> None:
        for line in iter(lambda: self.process.stdout.readline(LONGEST), ""):  # type: ignore[union-attr]
            self.lines.put(line)
        self.lines.put("")

    def ask(self, request: Body) -> Body:
        """The answer; where none came, why it is `silent`: then the engine is ended."""
        try:
            with suppress(OSError):  # an engine that has ended: no line will come, and that is told
                print(json.dumps(request), file=self.process.stdin, flush=True)
            if not (line := self.lines.get(timeout=self.timeout)):
                raise ValueError(f"the engine ended with status {self.process.wait(5)}")
            if (reply := json.loads(line)).get("id") == request.get("id"):
                return {**reply}
            why = f"not the answer to this question: {line[:80]}"
        except (queue.Empty, OSError, ValueError, AttributeError, RecursionError, SubprocessError) as wrong:
            why = str(wrong) or f"no answer within {self.timeout:g} s"
        self.close()
        return {"silent": why}

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def read(folder: Path, levels: Sequence[str], rulebooks: Sequence[str], pattern: str) -> list[Body]:
    """The cases that were chosen; every file of the suite must have the hash that the manifest names."""
    cases = []
    for name, wanted in json.loads((folder / "manifest.json").read_bytes())["files"].items():
        content = (folder / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != wanted:
            raise ValueError(f"{folder / name} is not the file that the manifest names")
        cases += [json.loads(line) for line in content.splitlines()] if name.endswith(".jsonl") else []
    fits = {"level": levels or LEVELS, "rulebook": rulebooks or {case["rulebook"] for case in cases}}
    return [c for c in cases if fnmatchcase(c["id"], pattern) and all(c[key] in fits[key] for key in fits)]


def faults(expect: Body, reply: Body, cites: bool = True) -> list[str]:
    """What is wrong with an answer, a line each."""
    told: Any = reply.get("refused")
    if "refused" in expect:
        there = isinstance(told, dict) and told.get("at") == expect.get("at", told.get("at"))
        right = there and (not cites or f" {told.get('paragraph')}".endswith(f" {expect['refused']}"))
        return [] if right else [f"must be {expect}, got {str(told or reply)[:200]}"]
    if told or reply.keys() & {"error", "unsupported", "silent"}:
        return [f"not played: {reply}"]
    happened = iter(events if isinstance(events := reply.get("events"), list) else [])
    rest = {key: value for key, value in expect.items() if key not in ("events", "within")}
    missed = (row for row in expect.get("events", []) if all(any(differences(row, one, cites)) for one in happened))
    wrong = differences(rest, reply, cites, "", Fraction(expect.get("within", 0)))
    return [*wrong, *(f"events: did not happen in this order: {row}" for row in missed)]


def differences(expect: Any, got: Any, cites: bool, path: str = "", within: Fraction = Fraction(0)) -> Iterator[str]:
    """Where an answer does not show what is expected: of objects the given keys, of rows each given row once."""
    numbers = [Fraction(text) for text in (expect, got) if isinstance(text, str) and NUMBER.fullmatch(text)]
    if isinstance(expect, dict) and isinstance(got, dict):
        for key in (key for key in expect if cites or key != "cite"):
            yield from differences(expect[key], got.get(key), cites, f"{path}.{key}".strip("."), within)
    elif isinstance(expect, list) and isinstance(got, list) and expect and isinstance(expect[0], dict):
        left = list(got)
        for row in expect:
            if (same := next((one for one in left if not any(differences(row, one, cites))), None)) is None:
                yield f"{path}: no row is {row}; left are {left}"
            else:
                left.remove(same)
    elif (len(numbers) < 2 or abs(numbers[0] - numbers[1]) > within) and (type(expect), expect) != (type(got), got):
        yield f"{path}: expected {expect}, got {got}"


def examine(cases: Sequence[Body], command: str, timeout: float, tell: Callable[[float], Any] = id) -> Body:
    """What an engine makes of cases: how many passed, and every fault; it is started again after it fell silent."""
    counts, wrong, silent, engine = dict[str, Body](), list[Body](), 0, Engine(command, timeout)
    if (hello := engine.hello).get("protocol") != PROTOCOL:
        engine.close()
        raise ValueError(f"the engine does not speak {PROTOCOL}: {hello}")
    for number, case in enumerate(cases):
        named = case["level"] in hello.get("levels", []) and case["rulebook"] in ("", *hello.get("rulebooks", []))
        known = all(any(fnmatchcase(need, one) for one in hello.get("knows", ["*"])) for need in case["needs"])
        found, outcome = list[str](), "not asked" if named and known else "not claimed"
        if named and known and silent < GIVE_UP:
            engine = Engine(command, timeout) if silent else engine
            reply = engine.ask({"id": number, "level": case["level"], "script": case["script"]})
            found, silent = faults(case["expect"], reply, hello.get("cites", True)), (silent + 1) * ("silent" in reply)
            outcome = "unsupported" if "unsupported" in reply else "failed" if found else "passed"
        row = counts.setdefault(case["level"], {}).setdefault(case["mark"], {})
        row[outcome] = row.get(outcome, 0) + 1
        wrong += [{"id": case["id"], "cites": case["paragraphs"], "outcome": outcome, "faults": found}] if found else []
        tell((number + 1) / len(cases))
    engine.close()
    outcomes = {outcome for marks in counts.values() for row in marks.values() for outcome in row} - {"not claimed"}
    if not outcomes:
        raise ValueError(f"the engine claims none of the {len(cases)} cases: {hello}")
    return {"engine": hello, "exit": int(outcomes != {"passed"}), "counts": counts, "faults": wrong}


def main() -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.error = lambda message: parser.exit(64, f"{parser.format_usage()}{message}\n")  # type: ignore[method-assign]
    parser.add_argument("--engine", required=True, metavar="COMMAND")
    parser.add_argument("--level", action="append", choices=LEVELS, default=[])
    parser.add_argument("--rulebook", action="append", default=[])
    parser.add_argument("--case", default="*", metavar="PATTERN")
    parser.add_argument("--timeout", type=float, default=60.0)
    args = parser.parse_args()
    try:
        report = examine(read(Path(__file__).parent, args.level, args.rulebook, args.case), args.engine, args.timeout)
    except (OSError, ValueError, TypeError, LookupError) as wrong:
        parser.exit(2, f"{wrong}\n")
    print(json.dumps(report, indent=1, ensure_ascii=False))
    return int(report["exit"])


if __name__ == "__main__":
    raise SystemExit(main())
