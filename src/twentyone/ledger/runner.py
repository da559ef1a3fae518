"""The runner: a table that lives in a ledger. It alone holds the decrypted shoe.

runner = Runner(store, "table-1", keyring, os_source(), clock)
runner.create(rules)                      # or runner.load(), where the stream is there already
answer = runner.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), key="k-1")
runner.table.next_steps()                 # what the procedure asks now

Cards, commitments, reloads and wheel symbols are drawn here where the table was created with `cards="shoe"`: give the
commands `shuffle`, `burn`, `card`, `reload_rack`, `spin` and `happened` without them. Where a person enters the cards
(`cards="person"`), the commands bring them. The moment of a command (`at`) is stamped here, from the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import Appended, Batch, StoredEvent
from twentyone.ledger.store import Store
from twentyone.rulebook import Rules
from twentyone.table import Command, Table
from twentyone.table.health import Source

__all__ = ["Answer", "Prepared", "Runner", "RunnerStopped"]


class Answer(NamedTuple):
    """What became of a command; the same key and command give the same answer, byte for byte."""

    version: int
    """The version of the stream after it."""
    events: tuple[StoredEvent, ...]
    """Its events as stored: `command` first."""


class Prepared(NamedTuple):
    """A command applied in memory and not yet stored."""

    batch: Batch
    """What `Store.append_many` takes."""
    table: Table
    """The table as it will be."""


class Runner:
    """One table of a ledger."""

    table: Table
    """The table as stored."""
    version: int
    """The version of the stream."""

    def __init__(
        self,
        store: Store,
        stream: str,
        keyring: Keyring,
        entropy: Source,
        clock: Callable[[], int],
        snapshot_every: int = 2000,
    ) -> None: ...

    def create(self, rules: Rules, *, cards: str = "shoe", for_play: bool = True) -> Answer:
        """Begin the stream. `cards`: `shoe` or `person`; `for_play` false marks shoes of a test source of entropy."""

    def load(self) -> None:
        """The table as the ledger has it: from the last snapshot and the events after it, or from all events."""

    def handle(self, command: Command, key: str, expected: int | None = None) -> Answer:
        """Apply a command and store its events.

        Raises `Refused` (nothing stored), `StaleVersion`, `KeyReused`; after `LedgerFailed` the runner is stopped and
        refuses (`RunnerStopped`) until it is loaded again.
        """

    # -- group commit: prepare on several runners, `store.append_many([p.batch, ...])`, finish each with its outcome

    def prepare(self, command: Command, key: str, expected: int | None = None) -> Prepared | Answer:
        """Apply a command in memory only; an `Answer` where the key was stored before."""

    def finish(self, prepared: Prepared, outcome: Appended | Exception) -> Answer:
        """Take over what was stored, or raise what went wrong."""
