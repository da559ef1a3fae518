"""One stream audited event by event: every command applied again by the engine, its events compared byte for byte."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.errors import Refused
from twentyone.ledger.accounts import Accounts
from twentyone.ledger.canonical import canonical
from twentyone.ledger.carried import TableEnd
from twentyone.ledger.chain import Fault
from twentyone.ledger.codec import (
    CARRIED,
    COMMAND,
    CREATED,
    FORM_CHANGED,
    LAW_BEGUN,
    LAW_REFUSED,
    OPENED,
    OWN,
    SCHEMA,
    decode_command,
    read_body,
    table_event,
)
from twentyone.ledger.face_down import Hidden, Sight, filled, hide, opening, sight_with, unknown_in
from twentyone.ledger.kept_law import Laws, shelf
from twentyone.ledger.keys import Keyring
from twentyone.ledger.law_in_force import law_faults
from twentyone.ledger.open_shoe import OpenShoe
from twentyone.ledger.replaying import Replay, rules_of
from twentyone.ledger.rows import LedgerRefused, NewEvent, StoredEvent
from twentyone.ledger.shoe_audit import ShoeAudit
from twentyone.ledger.shoes import LeftOut
from twentyone.ledger.snapshots import SNAPSHOT_SCHEMA, Snapshot, read_snapshot, state_hash
from twentyone.ledger.unique_seeds import SeenSeed, seed_in
from twentyone.ledger.wheel_audit import WheelAudit
from twentyone.rulebook import Rules
from twentyone.table import Table

__all__ = ["StreamAudit"]


class StreamAudit:
    """Follows one stream and collects what is wrong in `faults`."""

    def __init__(
        self,
        stream: str,
        keyring: Keyring | None,
        snapshot: tuple[int, int, str] | None,
        opened: Mapping[int, str] | None = None,
        laws: Laws = shelf,
        trusted: int = 0,
    ) -> None:
        """`trusted`: the version up to which commands are not dealt again, only followed."""
        self.stream = stream
        """The stream."""
        self.faults: list[Fault] = []
        """Everything found so far."""
        self.accounts = Accounts()
        """Its chips."""
        self.commands = self.rounds = 0
        """How many were applied again."""
        self.on_trust = 0
        """Commands that were followed and not dealt again, because they are trusted."""
        self.read_only = 0
        """Commands of an earlier form: their events are read, not dealt again."""
        self.unseen = 0
        """Commands of a round in progress whose hole card is not known without the key: they are not dealt again."""
        self.shoes: ShoeAudit | None = None
        """Its shoes."""
        self.wheels: WheelAudit | None = None
        """Its wheels."""
        self.seeds: list[SeenSeed] = []
        """Every commitment and every revealed seed."""
        self.broken = False
        """Whether it could not be followed to its end."""
        self._keyring, self._snapshot, self._opened, self._laws = keyring, snapshot, opened or {}, laws
        self._trusted = trusted
        self._replay: Replay | None = None
        self._created: dict[str, Any] = {}
        self._due: deque[NewEvent] = deque()
        self._lying: LeftOut | None = None
        self._clock: dict[str, int] | None = None
        self._from_shoe, self._changed = True, False
        self._last = 0

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of the stream."""
        self._last = event.ver
        if self.broken:
            return
        try:
            self._follow(event, read_body(event))
        except LedgerRefused as refused:
            self._break(event.ver, str(refused))
        except Exception as wrong:  # an altered event can raise anything
            self._break(event.ver, f"cannot be followed further: {type(wrong).__name__} {wrong}")

    def finish(self) -> None:
        """The stream has ended."""
        if self.broken or self._replay is None:
            return
        self._end_batch(self._last + 1)
        if self.shoes is not None and self.wheels is not None:
            custody = self._replay.custody
            self._add_faults(self._last, self.shoes.unrevealed(custody))
            self._add_faults(self._last, self.wheels.unrevealed(custody))
        if self._snapshot is not None and self._snapshot[0] > self._last:
            self._add_fault(self._last, f"there is a snapshot at version {self._snapshot[0]}, after the last event")

    @property
    def end(self) -> TableEnd | None:
        """The table as its events leave it; none where they could not be followed."""
        replay = self._replay
        if replay is None or self.broken:
            return None
        return TableEnd(self._created, replay.rules, replay.state, replay.custody, replay.form)

    @property
    def held(self) -> int:
        """Seeds that are still sealed."""
        if self._replay is None:
            return 0
        custody = self._replay.custody
        return len(custody.stacks) + (custody.shoe is not None) + (custody.wheel is not None)

    def _add_fault(self, version: int, what: str) -> None:
        self.faults.append(Fault(self.stream, version, what))

    def _add_faults(self, version: int, whats: Iterable[str]) -> None:
        for what in whats:
            self._add_fault(version, what)

    def _break(self, version: int, what: str) -> None:
        self._add_fault(version, what)
        self.broken = True

    # -- events

    def _follow(self, event: StoredEvent, body: dict[str, Any]) -> None:
        if self._replay is None:
            self._begin(event, body)
        elif event.type == COMMAND:
            self._command(event, body)
        elif event.type in OWN:
            self._own(event, body)
        else:
            self._table_event(event, body)
        assert self._replay is not None
        if event.type in (COMMAND, CREATED) or event.type in OWN:
            self._replay.follow(event)
        if event.type == LAW_BEGUN and self.shoes is not None:
            self.shoes.rules = self._replay.rules
        self._changed = event.type == FORM_CHANGED
        self._compare_snapshot(event)

    def _begin(self, event: StoredEvent, body: dict[str, Any]) -> None:
        if event.type != CREATED:
            raise LedgerRefused(f"does not begin with {CREATED}: its beginning is missing, or it is no table")
        rules = rules_of(body, event.schema, self._laws)
        if self._keyring is not None and body["key"] != self._keyring.id:
            self._add_fault(event.ver, f"was sealed with key {body['key']}, the key file holds {self._keyring.id}")
            self._keyring = None
        self._from_shoe, self._created = body["cards"] == "shoe", body
        self._replay = Replay(rules, form=event.schema, sights=self._sight_of, laws=self._laws)
        if self._from_shoe:
            self.shoes = ShoeAudit(self.stream, rules, self._keyring)
            self.wheels = WheelAudit(self.stream, self._keyring)
        if self._deals:
            self._due.extend(table_event(made, rules)._replace(ts=event.ts) for made in Table.new(rules).events)

    @property
    def _deals(self) -> bool:
        """Whether the engine deals again what it follows now."""
        return self._could_deal and self._last > self._trusted

    @property
    def _could_deal(self) -> bool:
        return self._replay is not None and self._replay.form == SCHEMA and not self.unseen

    def _sight_of(self, rules: Rules) -> Sight | None:
        """What lies face down: by what was opened later, which its shoe is held against, else by that with the key."""
        if not self._from_shoe:
            return None
        if self._keyring is None:
            return lambda version, *_: self._opened.get(version, "")
        by_key = sight_with(OpenShoe(self.stream, rules, self._keyring).next_card)
        return lambda version, *seen: self._opened.get(version) or by_key(version, *seen)

    def _command(self, event: StoredEvent, body: dict[str, Any]) -> None:
        assert self._replay is not None
        self._end_batch(event.ver)
        self.unseen += bool(self.unseen)
        hidden = self._uncover(event, body)
        self.commands += self._deals
        self.on_trust += self._could_deal and not self._deals
        self.read_only += self._replay.form < SCHEMA
        self._clock = {"before": self._replay.ts, "now": event.ts} if event.ts < self._replay.ts else None
        command = decode_command(body)
        if command.at != event.ts:
            self._add_fault(event.ver, f"the command was given at {command.at}, the event at {event.ts}")
        if not self._deals:
            return
        if self.wheels is not None:
            spun = self.wheels.spin(command, event.ver, self._replay.state.round, self._replay.custody)
            self._add_faults(event.ver, spun)
        try:
            after = Table(self._replay.rules, self._replay.state).apply(command)
        except Refused as refused:
            self._add_fault(event.ver, f"the engine refuses this command: {refused}")
            return
        stored = Hidden(command, after.events)
        if self._from_shoe:
            stored = hide(command, after, self._replay.custody, event.ver)
        self._lying = stored.lying
        if hidden != (stored.command.args.get("card") == UNKNOWN.name):
            self._add_fault(event.ver, "the command names a card that lies face down, or hides one that does not")
        self._due.extend(table_event(made, after.rules) for made in stored.events)

    def _uncover(self, event: StoredEvent, body: dict[str, Any]) -> bool:
        """Put the card that lay face down into a command; whether there is one. Without it no hand is dealt again."""
        assert self._replay is not None
        if not unknown_in(event):
            return False
        replay, names = self._replay, ""
        if replay.sight is not None:
            names = replay.sight(event.ver, event, replay.state, replay.custody)
        hidden = filled(body, names)
        if hidden and not names and self._from_shoe and body["do"] != "burn":
            self.unseen = self.unseen or 1
        return hidden

    def _end_batch(self, version: int) -> None:
        """Check that every event of the last command came, and that every shoe that is over was revealed."""
        assert self._replay is not None
        for due in self._due:
            self._add_fault(version, f"{due.type} is missing before it: the engine has one there")
        self._due.clear()
        self._add_faults(version - 1, self._replay.custody.overdue())
        self._replay.custody = self._replay.custody._replace(to_reveal=(), wheel_over=None)
        if (turned := opening(self._replay.custody, self._replay.state, 0)) is not None:
            self._add_fault(version - 1, "a card that lay face down was turned, and no event opens it")
            self._replay.custody = self._replay.custody.opened(turned.body)
        if self._clock is not None:
            self._add_fault(
                version, f"the clock went back from {self._clock['before']} to {self._clock['now']}, unrecorded"
            )

    def _table_event(self, event: StoredEvent, body: dict[str, Any]) -> None:
        assert self._replay is not None
        self._compare(event)
        self._add_faults(event.ver, self.accounts.follow(event.type, body))
        shoe, custody = self._replay.state.shoe, self._replay.custody
        if event.type == "round_begun":
            self.rounds += 1
            if self.wheels is not None and self._could_deal:
                self._add_faults(event.ver, self.wheels.begin(self._replay.rules, custody))
        happened = self._replay.follow(event)
        if self.unseen and event.type == "cards_collected":
            self._add_fault(event.ver, "the round is over, and no event opens the card that lay face down in it")
        self._compare_lying(event)
        if self.shoes is not None and happened is not None:
            self._add_faults(event.ver, self.shoes.dealt(happened, event.ver, shoe, custody))

    def _compare(self, event: StoredEvent) -> None:
        """Compare the stored event with the one that the engine makes here."""
        if not self._deals:
            return
        if not self._due:
            self._add_fault(event.ver, f"{event.type} happened, but the engine has no event here")
            return
        due = self._due.popleft()
        if (due.type, due.ts, due.schema) != (event.type, event.ts, event.schema):
            self._add_fault(event.ver, f"is {event.type} at {event.ts}, the engine has {due.type} at {due.ts}")
        elif (text := canonical(due.body)) != event.body:
            self._add_fault(event.ver, f"{event.type} is not what the engine has: {_difference(event.body, text)}")

    def _compare_lying(self, event: StoredEvent) -> None:
        """Compare the cards that lie face down since an event with those that the engine has there."""
        assert self._replay is not None
        last = self._replay.custody.face_down[-1:]
        if self._lying is not None and last and last[0].version == self._lying.version:
            if last[0].cards != self._lying.cards:
                self._add_fault(
                    event.ver, "the cards that lie face down since are opened as others than the engine has"
                )
            self._lying = None

    def _own(self, event: StoredEvent, body: dict[str, Any]) -> None:
        assert self._replay is not None
        if event.type == "clock_went_back":
            if body != self._clock:
                self._add_fault(event.ver, "the clock did not go back like that")
            self._clock = None
        elif event.type == CARRIED:
            if self.commands or self.on_trust or self._due:
                self._add_fault(event.ver, "balances are carried over in the midst of a period, not at its beginning")
            self._add_faults(event.ver, self.accounts.carry(body))
        elif event.type == FORM_CHANGED:
            self._end_batch(event.ver)
        elif event.type in (LAW_BEGUN, LAW_REFUSED):
            self._end_batch(event.ver)
            self._add_faults(event.ver, law_faults(event, body, self._replay.rules, self._replay.state))
        elif event.type == OPENED:
            due = opening(self._replay.custody, self._replay.state, event.ts)
            if self._deals and (due is None or canonical(due.body) != event.body):
                self._add_fault(event.ver, "the cards that are opened here are not those that were turned")
        elif self.shoes is None or self.wheels is None:
            self._add_fault(event.ver, f"{event.type} at a table whose cards a person enters")
        else:
            self.seeds.extend(seed_in(event, body))
            self._add_faults(event.ver, self._seed_faults(event, body, self.shoes, self.wheels))

    def _seed_faults(
        self, event: StoredEvent, body: dict[str, Any], shoes: ShoeAudit, wheels: WheelAudit
    ) -> Iterator[str]:
        """What is wrong with a seed that is sealed or revealed."""
        assert self._replay is not None
        state, custody = self._replay.state, self._replay.custody
        if event.type == "shoe_sealed":
            return shoes.seal(body, event.ver, state)
        if event.type == "shoe_revealed":
            return shoes.reveal(body, custody)
        if event.type == "wheel_revealed":
            return wheels.reveal(body, custody)
        return wheels.seal(body, state, custody, self._changed)

    # -- snapshots

    def _compare_snapshot(self, event: StoredEvent) -> None:
        assert self._replay is not None
        if self._snapshot is None or self._snapshot[0] != event.ver or self._snapshot[1] != SNAPSHOT_SCHEMA:
            return
        for what in self._snapshot_faults(event, self._snapshot[2], self._replay):
            self._add_fault(event.ver, what)

    def _snapshot_faults(self, event: StoredEvent, text: str, replay: Replay) -> Iterator[str]:
        snapshot: Snapshot | None = None
        if self._keyring is not None:
            snapshot = read_snapshot(self._keyring, self.stream, event.ver, text, replay.rules)
            if snapshot is None:
                yield "the snapshot here does not bear the mark of the key, or is of another form: it is not used"
        if snapshot is None:
            return
        if (snapshot.head, snapshot.ts) != (event.hash, event.ts) or snapshot.custody != replay.custody:
            yield "the snapshot here is not of this history"
        elif state_hash(snapshot.state, replay.rules) != state_hash(replay.state, replay.rules):
            yield "the snapshot here is not what the events lead to"


SHOWN = 60


def _difference(stored: str, engine: str) -> str:
    """The first difference between two texts, with what surrounds it."""
    index = next((i for i, (one, other) in enumerate(zip(stored, engine, strict=False)) if one != other), 0)
    start = max(0, index - SHOWN // 2)
    return f"...{stored[start : start + SHOWN]}... against ...{engine[start : start + SHOWN]}..."
