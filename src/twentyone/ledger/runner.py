"""The runner: a table that lives in a ledger. It alone holds the decrypted shoe.

    runner = Runner(store, "table-1", keyring, os_source(), clock)
    runner.create(rules)                      # or runner.load(), where the stream is there already
    answer = runner.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), key="k-1")
    runner.table.next_steps()                 # what the procedure asks now

Cards, commitments, reloads and wheel symbols are drawn here where the table was created with `cards="shoe"`: give the
commands `shuffle`, `burn`, `card`, `reload_rack`, `spin` and `happened` without them. Where a person enters the cards
(`cards="person"`), the commands bring them, except those that lie face down: they are unknown until `turn_card`. The
moment of a command (`at`) is stamped here, from the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, NamedTuple

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.codec import CREATED, FORM_CHANGED, SCHEMA, command_event, table_event
from twentyone.ledger.entered_cards import as_entered
from twentyone.ledger.face_down import Hidden, Sight, hide, sight_with
from twentyone.ledger.house import house_part
from twentyone.ledger.identity import given_submission, identity_of
from twentyone.ledger.kept_law import keep_law, laws_of
from twentyone.ledger.keys import Keyring
from twentyone.ledger.law_in_force import TableLaw
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.live_wheel import LiveWheel
from twentyone.ledger.open_shoe import OpenShoe
from twentyone.ledger.replaying import Replay, read_creation, rules_at
from twentyone.ledger.rows import (
    Appended,
    Batch,
    KeyReused,
    LedgerClosed,
    LedgerFailed,
    LedgerRefused,
    NewEvent,
    NotCanonical,
    OtherKey,
    StaleVersion,
    StoredEvent,
    Superseded,
)
from twentyone.ledger.shoes import Custody
from twentyone.ledger.snapshots import SNAPSHOT_SCHEMA, Snapshot, read_snapshot, write_snapshot
from twentyone.ledger.store import Store
from twentyone.ledger.unique_seeds import SealedSeeds
from twentyone.rulebook import Rules
from twentyone.table import Command, Table
from twentyone.table.health import Source, SourceFailed

__all__ = ["SOURCES", "Answer", "Prepared", "Runner", "RunnerStopped"]

SOURCES = ("shoe", "person")
"""Where the cards of a table come from."""


class RunnerStopped(LedgerFailed):
    """A table that is stopped because its ledger or its source of entropy failed."""


class Answer(NamedTuple):
    """The result of a command; the same key and command give the same answer, byte for byte."""

    version: int
    """The version of the stream after it."""
    events: tuple[StoredEvent, ...]
    """Its events as stored: `command` first."""


class Prepared(NamedTuple):
    """A command applied in memory and not yet stored."""

    batch: Batch
    """What `Store.append_many` takes."""
    table: Table
    """The table as it will be; its events are those of this command."""
    custody: Custody
    """The seals as they will be."""

    @property
    def version(self) -> int:
        """The version of the stream as it will be."""
        return self.batch.expected + len(self.batch.events)


class Runner:
    """One table of a ledger; may be used from several threads, one command after the other."""

    def __init__(
        self,
        store: Store,
        stream: str,
        keyring: Keyring,
        entropy: Source,
        clock: Callable[[], int],
        snapshot_every: int = 2000,
    ) -> None:
        self.stream = stream
        """The table's name in the ledger."""
        self.version = 0
        """The version of the stream that `table` shows."""
        self.stopped = "the table is not loaded"
        """Why no command is taken; empty: the table is at work."""
        self.comes_back = False
        """Whether it is stopped because the database failed: once that answers again, the table may be loaded."""
        self.created: Mapping[str, Any] = {}
        """The body of the stream's first event."""
        self._store, self._keyring, self._entropy, self._laws = store, keyring, entropy, laws_of(store)
        self._clock, self._every = clock, snapshot_every
        self._lock = RLock()
        self._table: Table | None = None
        self._live_shoe: LiveShoe | None = None
        self._custody, self._seeds = Custody(), SealedSeeds()
        self._ts = self._snapshot_at = 0
        self._law = TableLaw(store, stream, clock)

    def __repr__(self) -> str:
        return f"<Runner {self.stream} at version {self.version}{' stopped' if self.stopped else ''}>"

    @property
    def table(self) -> Table:
        """The table as stored; its events are those of the last command only."""
        if self._table is None:
            raise RunnerStopped(f"{self.stream}: {self.stopped}; load it")
        return self._table

    @property
    def custody(self) -> Custody:
        """The sealed shoes."""
        return self._custody

    # -- beginning

    def create(self, rules: Rules, *, cards: str = "shoe", for_play: bool = True) -> Answer:
        """Begin the stream. `cards`: `shoe` or `person`; `for_play` false marks shoes of a test source of entropy."""
        if cards not in SOURCES:
            raise LedgerRefused(f"{self.stream}: cards come from {' or '.join(SOURCES)}, not from {cards!r}")
        given = given_submission(rules)
        rules = rules.rulebook.under(given)
        body = {**identity_of(rules), "cards": cards, "for_play": for_play, "key": self._keyring.id}
        at, table = self._clock(), Table.new(rules)
        events = [
            NewEvent(CREATED, body, at, SCHEMA),
            *(table_event(event, rules)._replace(ts=at) for event in table.events),
        ]
        keep_law(self._store, rules.rulebook, at)
        stored = self._store.append(self.stream, 0, events, f"create {self.stream}", fingerprint([self.stream, body]))
        self.load()
        return _answer(stored.events)

    def load(self) -> None:
        """The table as the ledger has it: from the last snapshot and the events after it, or from all events."""
        try:
            self._load()
        except TwentyoneError:
            raise
        except Exception as wrong:  # an altered event can raise anything
            why = f"{type(wrong).__name__} {wrong}"
            raise LedgerRefused(f"{self.stream} cannot be read to its end ({why}); verify the ledger") from None

    def _load(self) -> None:
        with self._lock:
            self.stopped, self.comes_back = "the table is not loaded", False
            rules, self.created, form = read_creation(self._store, self.stream)
            if self.created["key"] != self._keyring.id:
                raise OtherKey(
                    f"{self.stream} was sealed with key {self.created['key']}, the key file holds {self._keyring.id}: "
                    "name the key file that was made with this ledger"
                )
            start = self._snapshot(rules) if form == SCHEMA else None
            rules = rules if start is None else rules_at(self._store, self.stream, start.version)
            replay = Replay(rules, start, form, self._sight, self._laws)
            self._snapshot_at = replay.version
            self._take_over(replay)
            if replay.form < SCHEMA:
                self._change_form(replay)
            keep_law(self._store, replay.rules.rulebook, self._clock())
            self.stopped = ""

    def _sight(self, rules: Rules) -> Sight | None:
        """What a table's own shoe tells of the cards that lie face down."""
        if self.created["cards"] != "shoe":
            return None
        return sight_with(OpenShoe(self.stream, rules, self._keyring).next_card)

    def _snapshot(self, rules: Rules) -> Snapshot | None:
        saved = self._store.load_snapshot(self.stream)
        if saved is None or saved[1] != SNAPSHOT_SCHEMA:
            return None
        snapshot = read_snapshot(self._keyring, self.stream, saved[0], saved[2], rules)
        known = snapshot is not None and self._store.hash_at(self.stream, snapshot.version) == snapshot.head
        return snapshot if known else None

    def _change_form(self, replay: Replay) -> None:
        """The procedure of this version goes on where that of an earlier form stopped."""
        rules = replay.rules.rulebook.under(given_submission(replay.rules))
        body, at = {"form": SCHEMA, **identity_of(rules)}, self._clock()
        events = [NewEvent(FORM_CHANGED, body, at, SCHEMA)]
        if self.created["cards"] == "shoe":
            wheel = LiveWheel(self.stream, rules, self._keyring, self._entropy)
            events += wheel.own_events(replay.state.phase, replay.custody, at)[0]
        self._store.append(self.stream, self.version, events, f"form {SCHEMA} {self.stream}", fingerprint(body))
        self._take_over(replay)

    def _take_over(self, replay: Replay) -> None:
        """Follow the events that the ledger has and this table has not."""
        for event in self._store.read(self.stream, replay.version):
            replay.follow(event)
            self._seeds.note(event)
        if self._live_shoe is None or self._live_shoe.rules is not replay.rules:
            self._live_shoe = LiveShoe(self.stream, replay.rules, self._keyring, self._entropy)
        self._table = Table(replay.rules, replay.state)
        self.version, self._custody, self._ts = replay.version, replay.custody, replay.ts

    def catch_up(self) -> None:
        """Another process has written to this table: follow it."""
        with self._lock:
            state, table = self.table.state.copy(), self.table
            now = Snapshot(self.version, "", self._ts, state, self._custody)
            self._take_over(Replay(table.rules, now, sights=self._sight, laws=self._laws))

    # -- the law in time

    @property
    def law(self) -> TableLaw:
        """Which text is law here by now."""
        return self._law

    def take_up_law(self) -> None:
        """Let the text begin that is law by now, with the shoe that is due; one that forbids this table is recorded."""
        with self._lock:
            self._check_running()
            while self._law.take_up(self.table, self.version):
                self.catch_up()  # where another process was quicker, it may still be due

    def _check_law(self, command: Command) -> None:
        """No command makes a shoe ready under a text that is not law any more."""
        if self._law.due(self.table) is not None:
            self.take_up_law()
            self._law.check(self.table, command)

    # -- commands

    def handle(self, command: Command, key: str, expected: int | None = None) -> Answer:
        """Apply a command and store its events.

        Raises `Refused` (nothing stored), `StaleVersion`, `KeyReused`; after `LedgerFailed` the runner is stopped and
        refuses (`RunnerStopped`) until it is loaded again.
        """
        with self._lock:
            prepared = self.prepare(command, key, expected)
            if isinstance(prepared, Answer):
                return prepared
            try:
                outcome: Appended | Exception = self._store.append(*prepared.batch)
            except Exception as failed:
                outcome = failed
            return self.finish(prepared, outcome)

    def prepare(self, command: Command, key: str, expected: int | None = None) -> Prepared | Answer:
        """Apply a command in memory only; an `Answer` where the key was stored before.

        For group commit: prepare on several runners, `store.append_many([prepared.batch, ...])`, `finish` each.
        """
        with self._lock:
            self._check_running()
            mark = fingerprint([self.stream, command.do, command.role, command.by, command.args])
            if expected is not None and expected != self.version:
                self.catch_up()
                if expected != self.version:
                    return self._repeated(key, mark) or _raise(StaleVersion(self.stream, expected, self.version))
            try:
                self._check_law(command)
                return self._apply(command, key, mark, None)
            except Refused as refused:
                return self._repeated(key, mark) or _raise(refused)

    def prepare_after(self, before: Prepared, command: Command, key: str) -> Prepared:
        """Apply a command on top of one that is prepared and not yet stored; both go into one `append_many`."""
        with self._lock:
            self._check_running()
            mark = fingerprint([self.stream, command.do, command.role, command.by, command.args])
            return self._apply(command, key, mark, before)

    def _check_running(self) -> None:
        if self.stopped:
            raise RunnerStopped(f"{self.stream} is stopped: {self.stopped}; find the cause, then load the table again")

    def _repeated(self, key: str, mark: str) -> Answer | None:
        """The answer that a key was given before."""
        stored = self._store.find_key(key)
        if stored is None:
            return None
        if stored[0] != mark:
            raise KeyReused(key)
        return _answer(stored[1])

    def _apply(self, command: Command, key: str, mark: str, on: Prepared | None) -> Prepared:
        """Apply a command to the table as stored, or as it will be after a prepared one."""
        command = command._replace(at=self._clock())
        table, custody = (self.table, self._custody) if on is None else (on.table, on.custody)
        version, ts = (self.version, self._ts) if on is None else (on.version, on.batch.events[-1].ts)
        before, own = Table(table.rules, table.state), list[NewEvent]()
        if self.created["cards"] == "shoe":
            command, after, own, custody = self._draw(before, custody, command, version)
            stored = hide(command, after, custody, version + 1)
            custody = custody.laid_down(stored.lying)
        else:
            command = as_entered(before, command)
            after = before.apply(command)
            stored = Hidden(command, after.events)
        told = (table_event(event, table.rules) for event in stored.events)
        events = [command_event(stored.command), *told, *own]
        if command.at < ts:
            events.append(NewEvent("clock_went_back", {"before": ts, "now": command.at}, command.at, SCHEMA))
        house = house_part(self.stream, version + 1, after.events)
        return Prepared(Batch(self.stream, version, events, key, mark, house), after, custody)

    def _draw(
        self, before: Table, custody: Custody, command: Command, version: int
    ) -> tuple[Command, Table, list[NewEvent], Custody]:
        """Apply a command with what the shoe brings; a source of entropy that fails stops the table."""
        assert self._live_shoe is not None
        try:
            drawn = self._live_shoe.apply(before, custody, command)
            self._seeds.check(drawn[2], version)
            return drawn
        except SourceFailed as failed:
            self._stop(str(failed))
            raise

    def finish(self, prepared: Prepared, outcome: Appended | Exception) -> Answer:
        """Adopt what was stored, or raise what went wrong."""
        with self._lock:
            if isinstance(outcome, Refused) and not outcome.cite:
                outcome = Refused(outcome.why, prepared.table.new_events[-1].cite)
            if isinstance(outcome, Exception):
                raise self._failed(outcome)
            if outcome.repeated:
                self.catch_up()
                return _answer(outcome.events)
            self._table, self._custody = prepared.table, prepared.custody
            self.version, self._ts = outcome.events[-1].ver, outcome.events[-1].ts
            for event in outcome.events:
                self._seeds.note(event)
            if self.version - self._snapshot_at >= self._every and self._nothing_hidden:
                self._save_snapshot(outcome.events[-1].hash)
            return _answer(outcome.events)

    @property
    def _nothing_hidden(self) -> bool:
        """Whether a snapshot would tell no card that lies face down."""
        return self.table.state.round is None and not self._custody.face_down

    def _failed(self, outcome: Exception) -> Exception:
        """What a failed append means: a refusal, or a stopped table."""
        if isinstance(outcome, StaleVersion):
            self.catch_up()
            return outcome
        if isinstance(outcome, KeyReused | LedgerClosed | NotCanonical | Refused | Superseded):
            return outcome
        self._stop(f"its ledger failed: {outcome}")
        self.comes_back = isinstance(outcome, LedgerFailed)
        if isinstance(outcome, TwentyoneError):
            return outcome
        failed = LedgerFailed(
            f"{self.stream}: the ledger failed: {outcome}; load the table to see whether the command was stored"
        )
        failed.__cause__ = outcome
        return failed

    def _stop(self, why: str) -> None:
        self.stopped, self._table = why, None

    def _save_snapshot(self, head: str) -> None:
        """Keep the state, so that the next start is quick; the events are stored even if this fails."""
        self._snapshot_at = self.version
        now = Snapshot(self.version, head, self._ts, self.table.state, self._custody)
        try:
            body = write_snapshot(self._keyring, self.stream, now, self.table.rules)
            self._store.save_snapshot(self.stream, self.version, SNAPSHOT_SCHEMA, body)
        except Exception as failed:
            self._stop(f"its ledger failed: {failed}")
            self.comes_back = isinstance(failed, LedgerFailed)


def _answer(events: tuple[StoredEvent, ...]) -> Answer:
    return Answer(events[-1].ver, events)


def _raise(error: Exception) -> Any:
    raise error
