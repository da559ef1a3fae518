"""Golden ledgers: kept for good, one a released form. A later version reads them to the same state, hash for hash.

python -m tests.golden.ledger           prints the state hash of each table of each golden ledger
python -m tests.golden.ledger NAME      writes a new one; those of released versions are never written anew
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.contracts.runner_driver import begin

from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.face_down import opened_cards
from twentyone.ledger.replaying import Replay, rules_of
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.snapshots import FIELDS, FIRST_FIELDS, write_state
from twentyone.ledger.store import Store, open_store
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import TableState

__all__ = ["FOLDER", "GOLDEN", "Golden", "chips_of", "hashes_of", "read_golden", "replays_of"]

FOLDER = Path(__file__).parent / "ledgers"
GOLDEN = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
REGULATIONS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]
ROUNDS = 2
METERS = {
    "bonus_spin": {"rate": "0.07", "reset": "5000", "limit": "5001.50"},
    "xtreme_16_primary": {"rate": "0.1", "reset": "12000"},
    "xtreme_16_secondary": {"rate": "0.0333", "reset": "6000"},
}


class Golden(NamedTuple):
    """A golden ledger."""

    events: list[StoredEvent]
    """Its events, in their order."""
    states: dict[str, str]
    """Table to the hash of the state that its events lead to."""
    chips: dict[str, dict[str, int]]
    """Table to what every account holds, in thousandths."""


def read_golden(name: str) -> Golden:
    """The golden ledger with a name: a head, then one event a line."""
    head, *lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    said = json.loads(head)
    return Golden([StoredEvent(*json.loads(line)) for line in lines], said["states"], said["chips"])


def replays_of(events: list[StoredEvent]) -> dict[str, Replay]:
    """What the events of each table lead to, without a database and without dealing again."""
    replays: dict[str, Replay] = {}
    opened = opened_cards(events)

    def sight(version: int, event: StoredEvent, *_: object) -> str:
        return opened.get(event.stream, {}).get(version, "")

    for event in events:
        if event.stream not in replays:
            rules = rules_of(json.loads(event.body), event.schema)
            replays[event.stream] = Replay(rules, form=event.schema, sights=lambda _: sight)
        replays[event.stream].follow(event)
    return replays


def hashes_of(events: list[StoredEvent]) -> dict[str, str]:
    """Table to the hash of its state: of the fields that the form of the ledger knew."""
    states = {name: write_state(replay.state, replay.rules) for name, replay in replays_of(events).items()}
    known = FIRST_FIELDS if events[0].schema == 1 else FIELDS
    return {name: fingerprint({key: body[key] for key in known if key in body}) for name, body in states.items()}


def chips_of(state: TableState) -> dict[str, int]:
    """What every account holds."""
    return {name: int(amount) for name, amount in sorted(state.chips.items())}


# -- making one


def submission(book: str) -> dict[str, Any]:
    """Wheels and meters where a text has them."""
    keys = {choice.key for choice in Rulebook.load(book).under({}).submission.choices}
    wheels = {"bonus_spin": "A", "xtreme_16": True, "progressive": METERS} if "progressive" in keys else {}
    return {"shuffler": "automated", **wheels}


def play(store: Store) -> None:
    """A short day at a table of each regulation; the first is left in the middle of a round."""
    for seed, book in enumerate(REGULATIONS):
        day = begin(store, Rulebook.load(book).under(submission(book)), seed, noise=0.05, stream=book, every=10**9)
        day.clock = 1_900_000_000
        day.work(ROUNDS)
        day.noise = 0
        if seed:
            day.work(day.done + 1)
            day.give("close_table", "floorperson", "Fay")
            continue
        while day.state.round is None or day.state.round.state.used < 5:
            day.follow(day.table.next_steps()[0])


def golden_lines(store: Store) -> Iterator[str]:
    """A ledger as a golden file."""
    events = list(store.read_all())
    chips = {stream: chips_of(replay.state) for stream, replay in replays_of(events).items()}
    head = {"states": hashes_of(events), "chips": chips}
    yield json.dumps(head, sort_keys=True)
    yield from (json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events)


def write_golden(name: str) -> None:
    """Play, and keep the ledger."""
    path = FOLDER / f"{name}.jsonl"
    with tempfile.TemporaryDirectory() as folder, path.open("x", encoding="utf-8") as file:
        store = open_store(f"{folder}/golden.db", create=True)
        play(store)
        file.writelines(f"{line}\n" for line in golden_lines(store))
        store.close()


def main() -> None:
    """Write the golden ledgers that are named, or say what the known ones lead to."""
    for name in sys.argv[1:]:
        write_golden(name)
    if not sys.argv[1:]:
        hashes = {name: hashes_of(read_golden(name).events) for name in GOLDEN}
        print(json.dumps(hashes, sort_keys=True))


if __name__ == "__main__":
    main()
