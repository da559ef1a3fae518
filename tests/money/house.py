"""A house of two processes on one ledger: random work of many guests, sudden ends, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.money.account import Row, SecondAccount
from tests.patience import until
from twentyone.ledger.keys import Keyring
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify
from twentyone.service.service import Service

__all__ = ["TABLES", "House", "account_of", "open_house", "rows_of", "service_of"]

METERS = {"bonus_spin": {"rate": "0.07", "reset": "1000"}}
TABLES: dict[str, dict[str, Any]] = {
    "pa-spanish-21": {},
    "md-spanish-21": {"bonus_spin": "B", "progressive": METERS},
    "s13-spanish-21": {"players_per_box": 3},
    "pa-double-back-jack": {},
    "pa-down-under-blackjack": {},
    "classic-blackjack": {},
}
"""A table of each book, with what gives it more money to move."""
ROOT = Path(__file__).parents[2]
LIMITS = {"table_minimum": "5", "table_maximum": "500"}
PROCESSES = 2
MOMENT = 1_900_000_000
KEY, CHECKPOINTS = "house.key", "house.checkpoints"
TRACEBACK = re.compile(r"^.*Traceback.*(?:\n\s.*)*(?:\n.*)?", re.MULTILINE)
"""A traceback in a log, with the error that it ends with."""
TOLD = ("command", "round_ended", "purse_entry", "coupon_used", "wheel_revealed")
"""Events that the line of a proof counts."""


def service_of(ledger: str, folder: Path, address: str = "") -> Service:
    """The service of a house whose key and checkpoints lie in a folder; others reach it at an address."""
    key, checkpoints = str(folder / KEY), str(folder / CHECKPOINTS)
    return Service(ledger, clock=lambda: MOMENT, key=key, checkpoints=checkpoints, address=address)


def open_house(ledger: str, folder: Path) -> None:
    """Six tables, and staff that waits for nobody; the key lies in the folder."""

    async def work() -> None:
        service = service_of(ledger, folder)
        await service.start(first_tables=False)
        for book, chosen in TABLES.items():
            await service.create(book, book, {**LIMITS, **chosen})
            service.table(book)
            service.set_staff(book, pace="fast", clock=0.3, patience=0.05)
        await service.stop()

    asyncio.run(work())


class House:
    """The processes of a house."""

    def __init__(self, ledger: str, folder: Path, seed: int) -> None:
        self.ledger, self.folder, self.rng = ledger, folder, Random(seed)
        self.lives = 0
        """How often a process was started."""
        self._running: list[subprocess.Popen[bytes]] = []
        self.log = folder / "log"
        """What the processes said."""

    def start(self, process: int) -> subprocess.Popen[bytes]:
        """Start one of the processes."""
        self.lives += 1
        command = [sys.executable, "-m", "tests.money.work", self.ledger, str(self.folder)]
        numbers = [str(process), str(self.lives), str(self._progress(process))]
        with self.log.open("ab") as log:
            return subprocess.Popen([*command, *numbers], stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT)

    def _progress(self, process: int) -> Path:
        return self.folder / f"progress-{process}"

    @property
    def done(self) -> int:
        """Commands given so far, by all processes."""
        counts = (self._progress(process) for process in range(PROCESSES))
        return sum(int(path.read_text() or 0) for path in counts if path.exists())

    def run(self, commands: int, kills: int, tell: Callable[[int], None] = lambda _: None) -> None:
        """Work until so many commands were given, with so many sudden ends on the way."""
        self._running = [self.start(process) for process in range(PROCESSES)]
        try:
            for end in sorted(self.rng.sample(range(commands // 4, commands), kills)):
                self._reach(end, tell)
                self._end_one()
            self._reach(commands, tell)
        finally:
            self._stop()

    def _reach(self, count: int, tell: Callable[[int], None]) -> None:
        def there(goal: int) -> bool:
            tell(self.done)
            for process in self._running:
                assert process.poll() is None, f"a process ended by itself: {self.log.read_text()[-3000:]}"
            return self.done >= goal

        while self.done < count:
            goal = min(count, self.done + 1_000)
            until(partial(there, goal), f"{goal} commands are given", look=0.2)

    def _end_one(self) -> None:
        """End one process at once, and start it again."""
        index = self.rng.randrange(PROCESSES)
        self._running[index].kill()
        self._running[index].wait()
        self._running[index] = self.start(index)

    def _stop(self) -> None:
        for process in self._running:
            assert process.stdin is not None
            process.stdin.close()
        for process in self._running:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        ends = [process.returncode for process in self._running]
        assert not any(ends), f"the processes ended with {ends}: {self.log.read_text()[-3000:]}"

    # -- afterwards

    def faults(self) -> Iterator[str]:
        """What is wrong: by the ledger's own verification, by the second account, and in the log."""
        with closing(open_store(self.ledger)) as store:
            report = verify(store, Keyring.load(self.folder / KEY), self.folder / CHECKPOINTS)
            yield from (str(fault) for fault in (*report.faults, *report.unchecked))
            yield from account_of(store).faults
        log = self.log.read_text(errors="replace")
        yield from (line for line in log.splitlines() if ": 5" in line)
        yield from TRACEBACK.findall(log)

    def counts(self) -> Counter[str]:
        """How often what moves money happened."""
        with closing(open_store(self.ledger)) as store:
            found = Counter(event.type.replace("_", " ") for event in store.read_all() if event.type in TOLD)
        return found + Counter(kills=self.lives - PROCESSES)


def rows_of(store: Store) -> Iterator[Row]:
    """The stored events, bare."""
    return (Row(event.stream, event.ver, event.type, event.body) for event in store.read_all())


def account_of(store: Store) -> SecondAccount:
    """The second account of a whole ledger, closed."""
    account = SecondAccount()
    account.follow(rows_of(store))
    account.close()
    return account
