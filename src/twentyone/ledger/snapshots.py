"""The state of a table as JSON and back: for snapshots, and for a hash that two histories can be compared by."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from hmac import compare_digest
from typing import Any, NamedTuple, get_type_hints

from twentyone.ledger.canonical import canonical, fingerprint
from twentyone.ledger.codec import decode_round_event, encode_round_event, form_of
from twentyone.ledger.keys import Keyring
from twentyone.ledger.seed_seals import mac
from twentyone.ledger.shoes import Custody
from twentyone.ledger.stored_round import StoredRound, find_rules, round_rules
from twentyone.round import Round
from twentyone.rulebook import Rules
from twentyone.table.model import TableState

__all__ = [
    "FIELDS",
    "FIRST_FIELDS",
    "SNAPSHOT_SCHEMA",
    "Snapshot",
    "read_fields",
    "read_snapshot",
    "read_state",
    "state_hash",
    "write_fields",
    "write_snapshot",
    "write_state",
]

SNAPSHOT_SCHEMA = 2
"""The schema of snapshots; one of another schema is rebuilt from the events."""
_HINTS = get_type_hints(TableState)
_FORMS = {own.name: form_of(_HINTS[own.name]) for own in fields(TableState) if own.compare and own.name != "round"}
FIELDS = (*_FORMS, "round")
"""The fields of a state."""
FIRST_FIELDS = {
    "phase", "day", "dealer", "agenda", "batches", "shuffled", "commitments", "cuts", "cover_from_bottom",
    "rounds_in_shoe", "arrivals", "in_round", "shoe", "shoes", "cut_order", "cut_offered", "cut_asked", "cut_by",
    "cut_rotation", "reshuffle", "cover_player", "idle_batch", "cover_box", "gone", "burned", "rack", "removed",
    "devices", "all_working", "players", "consents", "placed", "round", "rounds", "bar", "idle_face", "resuming",
    "chips", "cash", "meters", "stopped",
}  # fmt: skip
"""The fields of form 1: they are always written, later ones where they say something."""
_EMPTY = TableState()


def write_state(state: TableState, rules: Rules) -> dict[str, Any]:
    """A state of a table under these rules as JSON values."""
    body = {
        name: value if form is None else form[0](value)
        for name, form in _FORMS.items()
        if (value := getattr(state, name)) != getattr(_EMPTY, name) or name in FIRST_FIELDS
    }
    return {**body, "round": None if state.round is None else _write_round(state.round, rules)}


def write_fields(state: TableState, names: Iterable[str]) -> dict[str, Any]:
    """Some fields of a state as JSON values."""
    return {
        name: getattr(state, name) if (form := _FORMS[name]) is None else form[0](getattr(state, name))
        for name in names
    }


def read_fields(state: TableState, body: Mapping[str, Any]) -> None:
    """Put the fields that JSON values describe into a state."""
    for name, value in body.items():
        setattr(state, name, value if (form := _FORMS[name]) is None else form[1](value))


def state_hash(state: TableState, rules: Rules) -> str:
    """SHA-256 of a state's canonical JSON: the same for the same state, whatever machine, database or process."""
    return fingerprint(write_state(state, rules))


def _write_round(round_: Round, rules: Rules) -> dict[str, Any]:
    return {**round_rules(round_.rules, rules), "events": [encode_round_event(event) for event in round_.events]}


def read_state(body: Mapping[str, Any], rules: Rules) -> TableState:
    """The state of a table under these rules that JSON values describe."""
    state = TableState()
    for name, form in _FORMS.items():
        if name in body:
            setattr(state, name, body[name] if form is None else form[1](body[name]))
    if body["round"] is not None:
        state.round = _round(body["round"], rules)
    return state


def _round(body: Mapping[str, Any], rules: Rules) -> StoredRound:
    return StoredRound.of(find_rules(rules, body), tuple(map(decode_round_event, body["events"])))


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
    if not FIRST_FIELDS <= saved["state"].keys() <= set(FIELDS):
        return None
    state = read_state(saved["state"], rules)
    return Snapshot(version, saved["head"], saved["ts"], state, Custody.from_json(saved["custody"]))


def _mark(keyring: Keyring, stream: str, version: int, text: str) -> str:
    return mac(keyring, f"{stream}\0{version}\0{text}")
