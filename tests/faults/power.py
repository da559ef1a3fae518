"""T1, power loss: a ledger is worked on a disk that remembers, then opened as power cuts may leave it."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.faults.disk import Disk, Operation, image, store_on
from tests.faults.work import STREAMS, Expected, command, groups, scratch

from twentyone.errors import TwentyoneError
from twentyone.ledger.rows import Appended, Batch
from twentyone.ledger.store import open_store

__all__ = ["Recording", "cut_power", "record"]

COMMANDS = 120


class Recording(NamedTuple):
    """A day's work and the disk's memory of it."""

    log: list[Operation]
    """What was asked of the disk."""
    expected: Expected
    """What was acknowledged."""
    acknowledged: list[tuple[int, dict[str, int]]]
    """After how many operations which versions were acknowledged."""


def record(folder: Path, synchronous: str = "FULL", seed: int = 1, commands: int = COMMANDS) -> Recording:
    """Work a ledger, alone and in groups, with snapshots between."""
    disk, expected = Disk(), Expected()
    with closing(store_on(disk, folder / "ledger.db", new=True, synchronous=synchronous)) as store:
        acknowledged = [(len(disk.log), dict[str, int]())]
        for numbers in groups(commands, seed):
            batches, versions = list[Batch](), dict[str, int]()
            for number in numbers:
                stream = f"table {number % STREAMS}"
                batches.append(command(number, stream, versions.get(stream, expected.version(stream)), seed))
                versions[stream] = batches[-1].expected + len(batches[-1].events)
            for answer in store.append_many(batches):
                assert isinstance(answer, Appended)
                expected.acknowledge(answer)
            acknowledged.append((len(disk.log), {name: len(known) for name, known in expected.hashes.items()}))
            if numbers[0] % 10 == 0:
                store.save_snapshot("table 0", expected.version("table 0"), 1, "{}" * 500)
        log = list(disk.log)  # without what closing writes
    return Recording(log, expected, acknowledged)


def cut_power(recording: Recording, number: int, seed: int = 1) -> list[str]:
    """What is wrong with the ledger after the power cut with a number; nothing, it is hoped."""
    dice = random.Random(f"cut:{seed}:{number}")
    cut = dice.randrange(recording.acknowledged[0][0], len(recording.log) + 1)
    acknowledged = [versions for place, versions in recording.acknowledged if place <= cut][-1]
    with scratch() as folder:
        image(recording.log, cut, dice, folder)
        try:
            with closing(open_store(str(folder / "ledger.db"))) as store:
                return recording.expected.faults(store, acknowledged)
        except TwentyoneError as fault:
            return [f"the ledger does not open: {fault}"]
