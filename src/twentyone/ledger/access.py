"""The stream of access: who came in and who did not, who changed what about people, settings and tables, and when.

It is a stream like every other: chained, signed, verified. No secret is in it, and of a name that has no account
nothing: people write passwords into the wrong field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any, NamedTuple

from twentyone.ledger.codec import SCHEMA, read_body
from twentyone.ledger.reading import readable, whole
from twentyone.ledger.rows import ACCESS, NewEvent, NotCanonical, StoredEvent
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import Period, moment

__all__ = ["ACCESS_KINDS", "AccessLine", "access_event", "access_fault", "access_lines", "access_paper", "read_access"]

ACCESS_KINDS = {
    "logged_in": "{name} ({role}) logs in with {how}",
    "log_in_failed": "a log-in as {name} fails",
    "locked_out": "after wrong log-ins as {name} this place has to wait {seconds} s",
    "session_ended": "a session of {name} ({role}) ends: {why}",
    "link_made": "the server prints a one-time link for the {role}",
    "account_opened": "{by} opens an account for {name}, {role}",
    "account_removed": "{by} removes the account of {name}, {role}",
    "role_changed": "{by} makes {name}, until now {before}, {role}",
    "password_changed": "{by} changes the password of {name}",
    "change_undone": "what was to change about {name} could not be stored: the account stays as it was",
    "account_marked": "the account of {name}, {role}, is taken over as it stands",
    "accounts_marked": "from here on accounts are held against this stream: {count} are taken over",
    "account_differs": "the account of {name} is not what this stream says ({what}): nobody comes in with it",
    "account_agrees": "the account of {name} is again what this stream says",
    "unlocked": "{by} lets everybody who waits try {name} again",
    "factor_set": "{name} sets up a second factor",
    "factor_removed": "{by} removes the second factor of {name}",
    "recovery_code_used": "{name} uses a recovery code, {left} are left",
    "approval_asked": "{by} wants to {what}: a second person has to approve it",
    "approved": "{by} approves what {asked} asked for: to {what}",
    "declined": "{by} declines what {asked} asked for: to {what}",
    "setting_changed": "{by} sets {what} to {after}, before {before}",
    "table_made": "{by} sets up the table {table} under {rulebook}",
    "table_opened": "{by} opens the table {table}",
    "table_closed": "{by} closes the table {table}",
    "closing_ordered": "{by} orders the table {table} closed after its round",
    "closing_withdrawn": "{by} lets the table {table} go on",
    "play_stopped": "{by} stops play in the whole house: {why}",
    "play_resumed": "{by} lets the house play again",
}
"""Every kind of event in words; what stands in braces are its fields."""
FIELDS = {kind: {name for _, name, _, _ in Formatter().parse(words) if name} for kind, words in ACCESS_KINDS.items()}
MORE = {"address", "session", "mark", "found"}
"""Fields that an event may have beside those of its words: where from, the number of the session, what the account is
from then on, and as what it was found (`access_book.py`)."""
MARK_WORDS = 3
"""A mark has a role and two digests; an empty one says that there is no account."""
UNKNOWN = "somebody without an account"
NUMBERS = {"seconds", "left", "count"}


class AccessLine(NamedTuple):
    """One event of access."""

    version: int
    """Its number in the stream."""
    ts: int
    """When, in seconds UTC."""
    kind: str
    """What kind of event it is."""
    body: Mapping[str, Any]
    """Its fields."""

    @property
    def words(self) -> str:
        """What happened."""
        said = {name: value if value != "" else UNKNOWN for name, value in self.body.items()}
        return ACCESS_KINDS[self.kind].format(**said)

    @property
    def by(self) -> str:
        """Who did it."""
        who: str = self.body.get("by", self.body.get("name", ""))
        return who

    def without_address(self) -> AccessLine:
        """For those who may not know where somebody logged in from."""
        return self._replace(body={name: value for name, value in self.body.items() if name != "address"})

    def to_json(self) -> dict[str, Any]:
        """The event for a program."""
        return {"version": self.version, "at": self.ts, "kind": self.kind, **self.body, "words": self.words}


def access_event(kind: str, at: int, fields: Mapping[str, Any]) -> NewEvent:
    """An event of access; refused where it is none."""
    wrong = access_fault(kind, fields)
    if wrong:
        raise NotCanonical("access", wrong)
    return NewEvent(kind, dict(fields), at, SCHEMA)


def access_fault(kind: str, body: Mapping[str, Any]) -> str:
    """What is wrong with an event; empty: nothing."""
    if kind not in ACCESS_KINDS:
        return f"{kind!r} is not an event of access"
    if not FIELDS[kind] <= body.keys() <= FIELDS[kind] | MORE:
        return f"{kind} has the fields {', '.join(sorted(body))}"
    if not all(type(value) is (int if name in NUMBERS else str) for name, value in body.items()):
        return f"{kind} has a field of another type"
    if len(str(body.get("mark", "")).split()) not in (0, MARK_WORDS):
        return f"{kind} has a mark that is none"
    return ""


def read_access(event: StoredEvent) -> AccessLine:
    """A stored event of access; refused where it is none."""
    with readable(event):
        line = AccessLine(event.ver, event.ts, event.type, read_body(event))
        wrong = access_fault(line.kind, line.body)
        if wrong:
            raise ValueError(wrong)
        return line


def access_lines(store: Store, period: Period) -> Iterator[AccessLine]:
    """What happened in a shift, in order."""
    start, end = period.start or 0, period.end
    for event in whole(store, ACCESS):
        if start <= event.ts and (end is None or event.ts < end):
            yield read_access(event)


def access_paper(lines: tuple[AccessLine, ...]) -> Iterator[str]:
    """The events on paper."""
    yield "Access"
    for line in lines:
        origin = f" (from {line.body['address']})" if line.body.get("address") else ""
        yield f"  {moment(line.ts)}  {line.words}{origin}"
