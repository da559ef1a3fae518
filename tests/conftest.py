"""What tests of several folders share."""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.citing import citations_checked
from twentyone.rulebook.folders import OWN_FOLDER

if TYPE_CHECKING:
    from bench.results import Running

    from tests.postgres import Postgres

os.environ.pop(OWN_FOLDER, None)  # whoever runs the tests may have rulebooks of his own
if "LONG" not in os.environ:
    os.environ.setdefault("NUMBA_OPT", "1")  # an eighth of the time to compile; the sums are integers, and the same


@pytest.fixture(scope="session", autouse=True)
def _citations() -> Iterator[None]:
    """No refusal of any test cites what no rulebook has."""
    with citations_checked():
        yield


NAME = "twentyone-tests-"
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that the memory must have free: a run needs a quarter of them at most."""


def _clear_after_killed_runs() -> None:
    """Who is killed clears nothing away: the memory is taken back by the next run."""
    for lock in MEMORY.glob(f"{NAME}*/lock"):
        with suppress(OSError), lock.open() as held:
            flock(held, LOCK_EX | LOCK_NB)
            shutil.rmtree(lock.parent)


@contextmanager
def _own_folder() -> Iterator[str]:
    """A folder that is gone afterwards: in memory where there is room, so that nobody waits for a disk."""
    in_memory = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    if in_memory:
        _clear_after_killed_runs()
    folder = tempfile.TemporaryDirectory(prefix=NAME, dir=MEMORY if in_memory else None, ignore_cleanup_errors=True)
    with folder as name, Path(name, "new").open("w") as lock:
        flock(lock, LOCK_EX)
        Path(name, "new").rename(Path(name, "lock"))
        Path(name).chmod(0o755)  # PostgreSQL runs as a user of its own
        yield name


KEPT = "TWENTYONE_KEPT"
"""In the environment: the folder for what programs keep, where both runs of `make test` share one."""


def pytest_configure(config: pytest.Config) -> None:
    """One folder for all processes of a run; what programs keep (compiled games, odds) is worked out there once."""
    if not hasattr(config, "workerinput"):
        exits = ExitStack()
        config.add_cleanup(exits.close)
        tempfile.tempdir = exits.enter_context(_own_folder())
        kept = os.environ.get(KEPT) or f"{tempfile.tempdir}/cache"
        os.environ |= {"TMPDIR": tempfile.tempdir, "XDG_CACHE_HOME": kept}


KEEPS = "TWENTYONE_RESULT"
"""In the environment: the name under which `make test` keeps what a run came to, for `make evidence`."""
RUNNING: list[Running] = []


def pytest_sessionstart(session: pytest.Session) -> None:
    """What is tested is looked at now."""
    if KEEPS in os.environ and not hasattr(session.config, "workerinput"):
        from bench.results import Running

        RUNNING.append(Running(os.environ[KEEPS], "make test", ("twentyone", "tests")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    """Keep how many passed."""
    from bench.results import Row

    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error", "skipped")}
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    for running in RUNNING:
        running.ends("broken" if exitstatus else "held", [Row(running.known["name"], said, "all pass")])


COMPILES = re.compile(r"^tests/\w+/test_(cli_)?(odds|sim)(?!_desk)")
"""Tests of what Numba compiles."""
TAKES = re.compile(
    r"^(src/|README|docs/|tests/\w+/test_(learn|boards|classic_|counting|coupons|law_in_time|training|odds_desk|redline"
    r"|papers|parquet|cli|run_again|service_hints|service_jobs|own_rulebooks|pages_run|api_lobby))"
)
"""Tests that use it, too."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Numba compiles comes first, and so in one of two processes; who only uses it comes last, and finds it."""
    items.sort(key=lambda item: 0 if COMPILES.match(item.nodeid) else 2 if TAKES.match(item.nodeid) else 1)


def pytest_collection_finish() -> None:
    """Tests and modules stay to the end: the search for garbage leaves them out, and comes once in 50,000 objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for a process's tests; not in pytest's folder, which another run closes to the server's user."""
    from tests.postgres import Postgres

    with (
        tempfile.TemporaryDirectory(prefix="twentyone-postgres-") as name,
        closing(Postgres(Path(name) / "data")) as server,
    ):
        yield server
