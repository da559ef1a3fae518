"""T29: the tests bite. Mutants of settlement, ledger, shoe and view, one at a time: some test must fail.

    python -m bench.prove_mutations [--part settlement|ledger|shoe|view] [--count N]

Each mutant is tried in a process of its own, forked from one that has imported what is not ours. A mutant that nothing
ends within a minute counts as noticed. What survives is listed. The control: tests that have nothing to do with it
notice no mutant. Work is kept in `.prove/`. Exit status: 0 proved, 1 a fault, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.abc
import importlib.util
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from math import sqrt
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest
from rich.progress import track

from bench.mutating import Mutant, mutants_of

__all__ = ["SUBJECTS", "main", "tries"]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove"
PROVED, FAULT, STOPPED = 0, 1, 130
BAR = 0.9
PATIENCE = 60
UNRELATED = ("tests/unit/test_words.py",)
"""Tests that notice no mutant here: the control."""
OTHERS = (
    "numpy",
    "scipy.stats",
    "hypothesis",
    "cryptography.hazmat.primitives.ciphers.aead",
    "psycopg",
    "apsw",
    "rich",
)
"""What is imported once, before the processes part."""
_CONTRACTS = "tests/contracts/test_"


class Subject(NamedTuple):
    """Modules of one kind, and the tests that speak for them, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""
    """Which of them are run."""

    @property
    def asked(self) -> list[str]:
        """What pytest is told."""
        return [*self.tests, *(["-k", self.only] if self.only else [])]


SUBJECTS = {
    "settlement": Subject(
        ("round/payout.py", "rulebook/payouts.py"),
        ("tests/unit/test_rules.py", "tests/unit/test_round_in_words.py", "tests/unit/test_round.py",
         "tests/law/test_law_scripts.py"),
        "not test_law_scripts or pa-spanish-21 or pa-double-back-jack",
    ),
    "ledger": Subject(
        ("ledger/chain.py", "ledger/group.py"),
        (f"{_CONTRACTS}store.py", f"{_CONTRACTS}store_canonical.py", f"{_CONTRACTS}store_checkpoints.py",
         f"{_CONTRACTS}store_house.py", "tests/faults/test_tampering.py"),
        "not postgres",
    ),
    "shoe": Subject(
        ("table/shoe.py",),
        ("tests/unit/test_shoe_record.py", "tests/unit/test_shoe.py", "tests/unit/test_shoe_vectors.py",
         f"{_CONTRACTS}shuffle_exact.py"),
    ),
    "view": Subject(
        ("round/view.py",),
        ("tests/unit/test_round_in_words.py", "tests/unit/test_round.py", "tests/property/test_two_worlds.py",
         "tests/golden/test_transcripts.py", f"{_CONTRACTS}negative_controls.py"),
    ),
}  # fmt: skip


class Tried(NamedTuple):
    """A mutant, and who it belongs to."""

    subject: str
    module: str
    mutant: Mutant

    @property
    def name(self) -> str:
        """By which it is known."""
        return f"{self.module}:{self.mutant.line} {self.mutant.says}"


def all_mutants(subjects: Sequence[str]) -> list[Tried]:
    """Every mutant, in an order that takes from all subjects alike."""
    found = []
    for subject in subjects:
        own = [
            Tried(subject, module, mutant)
            for module in SUBJECTS[subject].modules
            for mutant in mutants_of((ROOT / "src" / "twentyone" / module).read_text(encoding="utf-8"))
        ]
        Random(f"mutants {subject}").shuffle(own)
        found += [(place / len(own), tried) for place, tried in enumerate(own)]
    if len(subjects) > 1:
        by_subject = {name: [tried for _, tried in found if tried.subject == name] for name in subjects}
        longest = max(map(len, by_subject.values()))
        return [row[place] for place in range(longest) for row in by_subject.values() if place < len(row)]
    return [tried for _, tried in found]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from another source."""

    def __init__(self, module: str, source: str) -> None:
        self._name = "twentyone." + module.removesuffix(".py").replace("/", ".")
        self._path, self._source = ROOT / "src" / "twentyone" / module, source

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where the module is: here."""
        del path, target
        return importlib.util.spec_from_file_location(name, self._path, loader=self) if name == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the other source."""
        exec(compile(self._source, str(self._path), "exec"), module.__dict__)


def _child(tried: Tried | None, tests: Sequence[str]) -> None:
    """In a process of its own: the tests against a mutant; its status is theirs."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(ROOT)
    if tried is not None:
        sys.meta_path.insert(0, _Finder(tried.module, tried.mutant.source))
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header"]
    os._exit(int(pytest.main([*options, *tests])))


def tries(tried: Tried | None, tests: Sequence[str]) -> bool:
    """Whether the tests notice a mutant (none: whether they fail without one)."""
    process = multiprocessing.get_context("fork").Process(target=_child, args=(tried, tests))
    process.start()
    process.join(PATIENCE if tried is not None else None)
    if process.is_alive():
        process.kill()
        process.join()
        return True
    return process.exitcode != 0


def _code() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for subject in SUBJECTS.values():
        for name in (*(f"src/twentyone/{module}" for module in subject.modules), *subject.tests):
            digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return digest.hexdigest()[:16]


def prove(subjects: Sequence[str], count: int) -> int:
    """Try the mutants that are still missing."""
    for name in OTHERS:
        importlib.import_module(name)
    file, code = FOLDER / "mutations.json", _code()
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    found: dict[str, bool] = kept["found"] if kept.get("code") == code else {}
    mutants, began = all_mutants(subjects)[:count], time.monotonic()
    left = [tried for tried in mutants if tried.name not in found]
    broken = [name for name in {tried.subject for tried in left} if tries(None, SUBJECTS[name].asked)]
    if broken:
        print(f"prove mutations: the tests of {', '.join(broken)} fail without any mutant")
        return FAULT
    control = [tried for tried in mutants[:2] if tries(tried, UNRELATED)]
    for tried in track(left, "mutants", transient=True):
        found[tried.name] = tries(tried, SUBJECTS[tried.subject].asked)
        FOLDER.mkdir(exist_ok=True)
        file.write_text(json.dumps({"code": code, "found": found}), encoding="utf-8")
    return _close(mutants, found, bool(control), time.monotonic() - began)


def _close(mutants: Sequence[Tried], found: dict[str, bool], control: bool, seconds: float) -> int:
    told, good = [], not control
    for subject in dict.fromkeys(tried.subject for tried in mutants):
        own = [found[tried.name] for tried in mutants if tried.subject == subject]
        told.append(f"{subject} {sum(own)} of {len(own)}")
    survivors = [tried.name for tried in mutants if not found[tried.name]]
    score = 1 - len(survivors) / len(mutants)
    whole = len(mutants) >= 200
    bar = BAR if whole else BAR - 2 * sqrt(BAR * (1 - BAR) / len(mutants))
    print(*(f"survives: {name}" for name in survivors), sep="\n")
    said = "unrelated tests notice none" if not control else "THE CONTROL NOTICED A MUTANT"
    print(
        f"prove mutations: {score:.1%} of {len(mutants)} mutants noticed ({', '.join(told)}; bar {bar:.0%} for so "
        f"many), {len(survivors)} survive; {said}, {seconds:.0f} s",
        flush=True,
    )
    return PROVED if good and score >= bar else FAULT


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants of one subject or of all."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_mutations", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=tuple(SUBJECTS))
    parser.add_argument("--count", type=int, default=100_000)
    options = parser.parse_args(arguments)
    try:
        return prove([options.part] if options.part else list(SUBJECTS), options.count)
    except KeyboardInterrupt:
        print("prove mutations: stopped; start again to go on")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
