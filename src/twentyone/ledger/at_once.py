"""The usual append in PostgreSQL as one statement: commands at tables that this process leads, on their last version.

What is not usual (a new table, money of the house, a key that is known, another leader) stores nothing here, and goes
the whole way, which says what is wrong with it. Nothing here touches a database.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.group import Draft, Heads, Verdict, examine, stamp
from twentyone.ledger.house import HouseRows
from twentyone.ledger.rows import OWN_STREAMS, StoredEvent

__all__ = ["APPEND_AT_ONCE", "UsualGroup", "usual_group"]

APPEND_AT_ONCE = """WITH appending AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(2121)),
led AS MATERIALIZED (
    SELECT s.stream FROM appending, json_to_recordset(?::json) AS w (stream text, epoch bigint, ver bigint, hash text)
        JOIN streams AS s ON s.stream = w.stream AND s.epoch = w.epoch
    WHERE w.hash = (SELECT e.hash FROM events AS e WHERE e.stream = w.stream AND e.ver = w.ver)
    FOR UPDATE OF s)
INSERT INTO events (gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint)
SELECT nextval('events_gseq'), stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint FROM ROWS FROM (
    json_to_recordset(?::json) AS (stream text, ver bigint, ts bigint, type text, schema bigint, body text, prev text,
        hash text, idem text, fingerprint text)) WITH ORDINALITY
        AS e (stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint, place)
WHERE (SELECT count(*) FROM led) = ? ORDER BY place RETURNING stream, ver, gseq"""
"""Locks the rows of the tables, if each is led under its epoch and ends with the event that is known here; adds the
events, with numbers that are taken after the locks; nothing where one table is not so. Answers the numbers."""
_COLUMNS = StoredEvent._fields[1:]
_WANTED = ("stream", "epoch", "ver", "hash")


class UsualGroup(NamedTuple):
    """A group of commands, all of which can be stored if the tables are as they are known here."""

    plan: list[Verdict]
    """The commands."""
    stored: dict[str, tuple[StoredEvent, ...]]
    """Their events by key, without numbers."""
    parameters: tuple[str, str, int]
    """What the statement is given."""

    def numbered(self, rows: Sequence[Any]) -> dict[str, tuple[StoredEvent, ...]]:
        """The events with the numbers that the statement answered."""
        numbers = {(stream, ver): gseq for stream, ver, gseq in rows}
        return {
            key: tuple(event._replace(gseq=numbers[event.stream, event.ver]) for event in events)
            for key, events in self.stored.items()
        }


def usual_group(drafts: Sequence[Draft | TwentyoneError], fences: Mapping[str, int], known: Heads) -> UsualGroup | None:
    """A group that may be stored at once, as far as this process knows; none where one command is not usual."""
    heads: Heads = {}
    for item in drafts:
        if not isinstance(item, Draft) or item.house or item.stream in OWN_STREAMS:
            return None
        if item.stream not in fences or item.stream not in known:
            return None
        heads[item.stream] = known[item.stream]
    plan = examine(drafts, {stream: ver for stream, (ver, _) in heads.items()}, {}, HouseRows())
    accepted = [item for item in plan if isinstance(item, Draft)]
    if len(accepted) < len(drafts):
        return None
    stored = stamp(accepted, heads, repeat(0))
    wanted = [(stream, fences[stream], *heads[stream]) for stream in sorted(heads)]
    events = [event[1:] for events in stored.values() for event in events]
    return UsualGroup(plan, stored, (_rows(_WANTED, wanted), _rows(_COLUMNS, events), len(wanted)))


def _rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as one parameter: a list of objects in JSON."""
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows], separators=(",", ":"))
