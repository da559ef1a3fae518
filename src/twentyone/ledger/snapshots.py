"""The state of a table as JSON and back: for snapshots, and for a hash that two histories can be compared by."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from hmac import compare_digest
from typing import Any, NamedTuple

from twentyone.cards import Card, card_named
from twentyone.ledger.canonical import canonical, fingerprint
from twentyone.ledger.codec import decode_round_event, encode_round_event
from twentyone.ledger.keys import Keyring
from twentyone.ledger.seed_seals import mac
from twentyone.ledger.shoes import Custody
from twentyone.ledger.stored_round import StoredRound, find_rules, round_rules
from twentyone.money import Amount
from twentyone.round import Round
from twentyone.rulebook import Rules
from twentyone.table.model import (
    Bundle,
    CardBatch,
    DeviceState,
    Meter,
    Placed,
    Player,
    Shoe,
    TableState,
    Todo,
)

__all__ = [
    "FIELDS",
    "SNAPSHOT_SCHEMA",
    "Snapshot",
    "read_snapshot",
    "read_state",
    "state_hash",
    "write_snapshot",
    "write_state",
]

SNAPSHOT_SCHEMA = 1
"""The schema of snapshots; one of another schema is rebuilt from the events."""
FIELDS = tuple(field.name for field in fields(TableState) if field.compare)
"""The fields of a state."""


def write_state(state: TableState, rules: Rules) -> dict[str, Any]:
    """A state of a table under these rules as JSON values."""
    body = {name: _plain(getattr(state, name)) for name in FIELDS if name != "round"}
    return {**body, "round": None if state.round is None else _write_round(state.round, rules)}


def state_hash(state: TableState, rules: Rules) -> str:
    """SHA-256 of a state's canonical JSON: the same for the same state, whatever machine, database or process."""
    return fingerprint(write_state(state, rules))


def _write_round(round_: Round, rules: Rules) -> dict[str, Any]:
    return {**round_rules(round_.rules, rules), "events": [encode_round_event(event) for event in round_.events]}


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.name
    if isinstance(value, Amount):
        return int(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def read_state(body: Mapping[str, Any], rules: Rules) -> TableState:
    """The state of a table under these rules that JSON values describe."""
    state = TableState()
    for name in FIELDS:
        value = body[name]
        read = _READ.get(name)
        setattr(state, name, value if read is None or value is None else read(value))
    if state.round is not None:
        state.round = _round(body["round"], rules)
    return state


def _round(body: Mapping[str, Any], rules: Rules) -> StoredRound:
    return StoredRound.of(find_rules(rules, body), tuple(map(decode_round_event, body["events"])))


def _placed(row: list[Any]) -> Placed:
    box, player, wager, amount, cash, confirmed, coupon = row
    return Placed(box, player, wager, Amount(amount), cash, tuple(confirmed), Amount(coupon))


def _player(row: list[Any]) -> Player:
    arrived, boxes, wagered, barred = row
    return Player(arrived, tuple(boxes), wagered, barred)


def _bundle(row: list[Any]) -> Bundle:
    number, hands = row
    return Bundle(number, tuple(tuple(map(card_named, hand)) for hand in hands))


def _meter(row: list[Any]) -> Meter:
    amount, base, rate, limit, overflow, hits, paid, contributed = row
    most = None if limit is None else Amount(limit)
    parts = Fraction(overflow), hits, Amount(paid), Fraction(contributed)
    return Meter(Fraction(amount), Amount(base), Fraction(rate), most, *parts)


def _each(read: Callable[[Any], Any]) -> Callable[[list[Any]], Any]:
    return lambda rows: tuple(map(read, rows))


def _values(read: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda table: {name: read(value) for name, value in table.items()}


_READ: dict[str, Callable[[Any], Any]] = {
    "agenda": _each(lambda row: Todo(*row)),
    "batches": _values(lambda row: CardBatch(*row)),
    "shuffled": tuple,
    "in_round": _each(_placed),
    "shoe": lambda row: Shoe(*row),
    "cut_order": tuple,
    "burned": card_named,
    "rack": _each(_bundle),
    "removed": _each(Card),
    "devices": _values(lambda row: DeviceState(*row)),
    "players": _values(_player),
    "placed": _each(_placed),
    "consents": lambda rows: frozenset(map(tuple, rows)),
    "chips": _values(Amount),
    "cash": _values(Amount),
    "meters": _values(_meter),
}
"""How each field is read; those left out are text, numbers and mappings of them."""


# -- snapshots


class Snapshot(NamedTuple):
    """A table at one version."""

    version: int
    """The version."""
    head: str
    """The hash of the event that made it."""
    ts: int
    """When that was."""
    state: TableState
    """The state of the table."""
    custody: Custody
    """The sealed shoes."""


def write_snapshot(keyring: Keyring, stream: str, now: Snapshot, rules: Rules) -> str:
    """A snapshot as text, marked with the key: nobody else can put chips into it."""
    body = {"head": now.head, "ts": now.ts, "state": write_state(now.state, rules), "custody": now.custody.to_json()}
    text = canonical(body)
    return f"{_mark(keyring, stream, now.version, text)} {text}"


def read_snapshot(keyring: Keyring, stream: str, version: int, text: str, rules: Rules) -> Snapshot | None:
    """The snapshot in a text; none where its mark or its fields are not ours."""
    mark, _, body = text.partition(" ")
    if not compare_digest(mark.encode(), _mark(keyring, stream, version, body).encode()):
        return None
    saved = json.loads(body)
    if set(saved["state"]) != set(FIELDS):
        return None
    state = read_state(saved["state"], rules)
    return Snapshot(version, saved["head"], saved["ts"], state, Custody.from_json(saved["custody"]))


def _mark(keyring: Keyring, stream: str, version: int, text: str) -> str:
    return mac(keyring, f"{stream}\0{version}\0{text}")
