"""What must hold of a run, found from answers, frames and stored rows alone: this module imports no engine.

faults_of(rows, answers, frames) -> what is wrong, in sentences
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tests.money.account import Row, SecondAccount

__all__ = ["Stored", "faults_of"]

CARD = re.compile(r"(10|[2-9JQKA])[SHDC]")
FIRST = "0" * 64


class Stored(NamedTuple):
    """A row of the ledger, as the database gives it."""

    gseq: int
    stream: str
    ver: int
    ts: int
    type: str
    schema: int
    body: str
    prev: str
    hash: str
    idem: str | None
    fingerprint: str | None


Answers = Sequence[dict[str, Any]]


def faults_of(rows: Iterable[Sequence[Any]], answers: Answers, frames: Answers) -> list[str]:
    """Everything that is wrong."""
    stored = [Stored(*row) for row in rows]
    checks = (_chain(stored), _keys(stored, answers), _acknowledged(stored, answers), _chips(stored), _rounds(stored))
    return [fault for check in (*checks, _hidden(stored, frames)) for fault in check]


# -- order


def _chain(rows: Sequence[Stored]) -> Iterator[str]:
    """Versions without a gap, numbers that rise, each event on the hash of the one before it."""
    heads, last = dict[str, tuple[int, str]](), 0
    for row in rows:
        ver, head = heads.get(row.stream, (0, FIRST))
        if row.gseq <= last:
            yield f"number {row.gseq} comes after number {last}"
        if row.ver != ver + 1:
            yield f"{row.stream}: version {row.ver} comes after version {ver}"
        if row.prev != head:
            yield f"{row.stream} version {row.ver} does not follow on the event before it"
        if row.hash != _hash(row):
            yield f"{row.stream} version {row.ver} has another hash than its content"
        heads[row.stream], last = (row.ver, row.hash), row.gseq


def _hash(row: Stored) -> str:
    parts = [row.prev, row.stream, row.ver, row.ts, row.type, row.schema, row.body, row.idem, row.fingerprint]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


# -- answers


def _keys(rows: Sequence[Stored], answers: Answers) -> Iterator[str]:
    """One key, one command, one answer."""
    for key, count in Counter(row.idem for row in rows if row.idem).items():
        if count > 1:
            yield f"the key {key} is stored {count} times"
    told = dict[str, tuple[int, list[str]]]()
    for answer in answers:
        if answer["kind"] == "stored":
            said = (answer["version"], answer["hashes"])
            if told.setdefault(answer["key"], said) != said:
                yield f"the key {answer['key']} had two answers"


def _acknowledged(rows: Sequence[Stored], answers: Answers) -> Iterator[str]:
    """What a client was told is stored, is: at that version, with these hashes, under his key, and once."""
    at = {(row.stream, row.ver): row for row in rows}
    for answer in answers:
        if answer["kind"] != "stored":
            continue
        first = answer["version"] - len(answer["hashes"]) + 1
        found = [at.get((answer["table"], first + place)) for place in range(len(answer["hashes"]))]
        if [row and row.hash for row in found] != answer["hashes"]:
            yield f"{answer['key']} was acknowledged at version {answer['version']} and is lost"
        elif found[0] is not None and found[0].idem != answer["key"]:
            yield f"{answer['key']} was acknowledged, and its events belong to {found[0].idem}"


# -- money


def _chips(rows: Sequence[Stored]) -> Iterator[str]:
    """All accounts of a table add up to nothing after every event, and nobody holds less than nothing."""
    account = SecondAccount()
    account.follow(Row(row.stream, row.ver, row.type, row.body) for row in rows)
    yield from account.faults[:5]


def _rounds(rows: Sequence[Stored]) -> Iterator[str]:
    """Rounds follow one another; every wager is settled once, or once more where a settlement was undone."""
    begun, over = dict[str, int](), dict[str, bool]()
    settled: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        if row.type == "round_begun":
            number = json.loads(row.body)["data"]["number"]
            if not over.get(row.stream, True) or number != begun.get(row.stream, 0) + 1:
                yield f"{row.stream} version {row.ver}: round {number} begins out of turn"
            begun[row.stream], over[row.stream] = number, False
        elif row.type == "round_ended":
            over[row.stream] = True
        elif row.type == "round_event":
            for wager, change in _settlements(json.loads(row.body)["data"].get("events", ())):
                settled[row.stream, begun.get(row.stream), *wager] += change
    yield from (f"{wager} is settled {count} times" for wager, count in settled.items() if count > 1)


def _settlements(events: Iterable[dict[str, Any]]) -> Iterator[tuple[tuple[Any, ...], int]]:
    """The wagers that were settled (1), or whose settlement was undone (-1)."""
    for event in events:
        row = event["row"] if event["event"] == "settlement_undone" else event
        if row["event"] == "wager_settled" and row["staked"]:
            yield (row["box"], row["hand"], row["player"], row["wager"]), 1 if row is event else -1


# -- hidden cards


def _hidden(rows: Sequence[Stored], frames: Answers) -> Iterator[str]:
    """A card that a frame names has been turned up in the ledger by the version that the frame shows."""
    shown = _turned_up(rows)
    for frame in frames:
        known = Counter[str]()
        for version, cards in shown[frame["table"]]:
            if version > frame["version"]:
                break
            known = cards
        seen = Counter(card for card in frame["cards"] if CARD.fullmatch(card))
        if seen - known:
            names = ", ".join(sorted((seen - known).elements()))
            where = f"{frame['table']} version {frame['version']}"
            yield f"{where}: {frame['who']} sees {names}, which nobody has turned up"


def _turned_up(rows: Sequence[Stored]) -> dict[str, list[tuple[int, Counter[str]]]]:
    """Table to the cards of its round that are known, from each version on."""
    found: defaultdict[str, list[tuple[int, Counter[str]]]] = defaultdict(list)
    now: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.type == "round_begun":
            now[row.stream] = Counter()
        elif row.type == "round_event":
            now[row.stream] = now[row.stream] + Counter(json.loads(row.body)["data"]["cards"])
        elif row.type == "cards_opened":
            now[row.stream] = now[row.stream] + Counter(name for _, name in json.loads(row.body)["opened"])
        else:
            continue
        found[row.stream].append((row.ver, now[row.stream]))
    return found
