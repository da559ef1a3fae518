"""A stream followed event by event: the table's state and the custody of its shoes, without dealing anything again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from twentyone.errors import Refused, RulebookError
from twentyone.ledger.carried import follow_carried
from twentyone.ledger.codec import (
    CARRIED,
    COMMAND,
    CREATED,
    FORM_CHANGED,
    LAW_BEGUN,
    OPENED,
    OWN,
    SCHEMA,
    Decoder,
    read_body,
)
from twentyone.ledger.face_down import Sight, filled, unknown_in, until
from twentyone.ledger.identity import earlier_rules, rules_hash
from twentyone.ledger.kept_law import Laws, laws_of, shelf
from twentyone.ledger.law_in_force import law_events
from twentyone.ledger.reading import readable
from twentyone.ledger.rows import LedgerRefused, RulesUnavailable, StoredEvent
from twentyone.ledger.shoes import Custody, LeftOut
from twentyone.ledger.snapshots import Snapshot
from twentyone.ledger.store import Store
from twentyone.ledger.stored_round import StoredRound
from twentyone.rulebook import Rules
from twentyone.table.evolve import evolve
from twentyone.table.model import TableEvent, TableState
from twentyone.table.new_text import take_up

__all__ = ["Creation", "Replay", "RulesInForce", "read_creation", "rules_at", "rules_of"]


class Creation(NamedTuple):
    """How a stream began."""

    rules: Rules
    """The rules of the table."""
    body: dict[str, Any]
    """The body of the first event."""
    form: int
    """The form that it was written in: events of an earlier one are read, not dealt again."""


def read_creation(store: Store, stream: str) -> Creation:
    """The rules of a stream, and the body of its first event."""
    first = store.born(stream)
    if first is None:
        raise LedgerRefused(f"there is no table {stream!r} in {store.where}; create it, or look at the list of tables")
    if first.type != CREATED:
        raise LedgerRefused(f"{stream} does not begin with {CREATED}: it is not the stream of a table")
    with readable(first):
        body = read_body(first)
        return Creation(rules_of(body, first.schema, laws_of(store)), body, first.schema)


def rules_of(created: dict[str, Any], form: int = SCHEMA, laws: Laws = shelf) -> Rules:
    """The rules a table was created under; refused where nobody has them any more."""
    name = created["rulebook"]
    given = {**created["submission"], "readings": created["readings"]}
    try:
        if form < SCHEMA:
            return earlier_rules(name, given, created["rules"])
        book = laws(name, created["rulebook_hash"], created.get("edition", ""))
        if book is None:
            raise RulesUnavailable(
                f"the rulebook {name} of this table (hash {created['rulebook_hash'][:16]}) is kept neither by this "
                f"ledger nor by this software: use the version that wrote it ({created['software']})"
            )
        rules = book.under(given)
    except RulebookError as fault:
        raise RulesUnavailable(f"the rules of this table: {fault}") from None
    except Refused as refused:
        raise LedgerRefused(f"the rules of this table: {refused}") from None
    if rules_hash(rules) != created["rules"]:
        raise LedgerRefused(
            "the submission and the readings of this table do not give the hash that is stored with them"
        )
    return rules


class RulesInForce:
    """The rules of a ledger's tables at each version: those of a table's creation, or of the text that began since."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, list[tuple[int, Rules]]] = {}

    def at(self, stream: str, version: int) -> Rules:
        """The rules that an event of a table was made under."""
        if stream not in self._known:
            texts = [(event.ver, self._begun(event)) for event in law_events(self._store, stream)]
            self._known[stream] = [(0, read_creation(self._store, stream).rules), *texts]
        return next(rules for since, rules in reversed(self._known[stream]) if since <= version)

    def _begun(self, event: StoredEvent) -> Rules:
        with readable(event):
            return rules_of(read_body(event), event.schema, laws_of(self._store))


def rules_at(store: Store, stream: str, version: int) -> Rules:
    """The rules that an event of a table was made under."""
    return RulesInForce(store).at(stream, version)


class Replay:
    """Follows one stream from its beginning or from a snapshot."""

    def __init__(
        self,
        rules: Rules,
        start: Snapshot | None = None,
        form: int = SCHEMA,
        sights: Callable[[Rules], Sight | None] | None = None,
        laws: Laws = shelf,
    ) -> None:
        self._sights, self._command, self._laws = sights, 0, laws
        self.sight = sights(rules) if sights is not None else None
        """What is known of the cards that lie face down."""
        self.rules, self.form = rules, form
        """The rules of the table, and the form of its events."""
        self.state = start.state if start is not None else TableState()
        """The state of the table; it changes in place."""
        self.custody = start.custody if start is not None else Custody()
        """The sealed shoes."""
        self.version, self.ts = (start.version, start.ts) if start is not None else (0, 0)
        """Version and time of the last event followed."""
        round_ = self.state.round
        resumed = None if round_ is None else StoredRound(round_.rules, round_.state, round_.events)
        self._decoder = Decoder(rules, resumed)

    def follow(self, event: StoredEvent) -> TableEvent | None:
        """Let the next event change the state; answers the table's event, where it is one of the table's."""
        if event.ver != self.version + 1:
            raise LedgerRefused(f"{event.stream}: version {event.ver} follows {self.version}; verify the ledger")
        self.version, self.ts = event.ver, event.ts
        if event.type in (COMMAND, CREATED):
            self._command = event.ver
            return None
        body = read_body(event)
        if event.type in OWN:
            if event.type == FORM_CHANGED and body["form"] != event.schema:
                raise LedgerRefused(
                    f"{event.stream}: form {event.schema} is not form {body['form']}; verify the ledger"
                )
            self._follow_own(event.type, body)
            return None
        lying = self._look(event, body) if self.sight is not None and unknown_in(event) else None
        happened = self._decoder.decode(event, body)
        self.custody = self.custody.after(happened, self.state).laid_down(lying)
        evolve(self.state, happened)
        return happened

    def _look(self, event: StoredEvent, body: dict[str, Any]) -> LeftOut | None:
        """Fill in the cards of an event that lie face down."""
        assert self.sight is not None
        names = self.sight(self._command, event, self.state, self.custody)
        seal = self.custody.shoe.commitment if self.custody.shoe is not None else ""
        return LeftOut(self._command, names, until(event.type), seal) if filled(body, names) else None

    def _follow_own(self, kind: str, body: dict[str, Any]) -> None:
        if kind == "shoe_sealed":
            self.custody = self.custody.sealed(body)
        elif kind == "shoe_revealed":
            self.custody = self.custody.revealed(body)
        elif kind == OPENED:
            self.custody = self.custody.opened(body)
        elif kind == "wheel_sealed":
            self.custody = self.custody.wheel_sealed(body)
        elif kind == "wheel_revealed":
            self.custody = self.custody.wheel_revealed()
        elif kind == CARRIED:
            follow_carried(self.state, body)
        elif kind == FORM_CHANGED:
            self.rules, self.form = rules_of(body, laws=self._laws), body["form"]
            self._decoder = Decoder(self.rules, self._decoder.round)
        elif kind == LAW_BEGUN:
            old, self.rules = self.rules, rules_of(body, laws=self._laws)
            take_up(old, self.rules, self.state, self.ts)
            self._decoder = Decoder(self.rules, self._decoder.round)
            self.sight = self._sights(self.rules) if self._sights is not None else None
