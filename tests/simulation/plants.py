"""Faults that are planted into the simulation, one at a time: the checker must find each."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from twentyone.ledger.group import answers, draft
from twentyone.ledger.rows import Appended, Batch, NewEvent, StoredEvent
from twentyone.ledger.sqlite import SqliteStore
from twentyone.service.live import LiveTable

__all__ = ["PLANTS", "Plant"]

OFTEN = 0.15


class Plant:
    """A store and a view that are honest; the others differ in one thing."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"plant {seed}")
        self.done = False
        """Whether the fault has happened."""

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        """Store a group."""
        return store.append_many(batches)

    def shown(self, view: dict[str, Any], _: LiveTable) -> dict[str, Any]:
        """What somebody sees."""
        return view

    def strikes(self) -> bool:
        """Whether it happens now."""
        return self.rng.random() < OFTEN


class LostAcknowledgement(Plant):
    """A command is answered as stored, and its transaction is undone."""

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        if not self.strikes():
            return store.append_many(batches)

        class Undone(Exception):
            pass

        told: list[Appended | Exception] = []

        def work() -> None:
            told.extend(answers(*store._store([draft(batch) for batch in batches])))
            raise Undone

        try:
            store._transact(work)
        except Undone:
            self.done = True
        return told


class ChangedEvents(Plant):
    """Something is done to the events of a command before they are stored, once."""

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        if self.done:
            return store.append_many(batches)
        changed = [self._changed(batch) for batch in batches]
        told = store.append_many(changed)
        self.done = any(
            new != old and isinstance(answer, Appended) and not answer.repeated
            for new, old, answer in zip(changed, batches, told, strict=True)
        )
        return told

    def _changed(self, batch: Batch) -> Batch:
        return batch._replace(events=[more for event in batch.events for more in self.change(event)])

    def change(self, event: NewEvent) -> list[NewEvent]:
        """One event as it is stored."""
        return [event]


class DoubledSettlement(ChangedEvents):
    """A settlement is stored twice, chips and all."""

    def change(self, event: NewEvent) -> list[NewEvent]:
        rows = event.body.get("data", {}).get("events", ())
        return [event, event] if any(row["event"] == "wager_settled" and row["staked"] for row in rows) else [event]


class ChipFromNowhere(ChangedEvents):
    """A player gets a chip more than the table gives."""

    def change(self, event: NewEvent) -> list[NewEvent]:
        data = event.body.get("data", {})
        if event.type != "round_event" or not data.get("chips"):
            return [event]
        (name, change), *rest = data["chips"]
        return [event._replace(body={**event.body, "data": {**data, "chips": [[name, int(change) + 1000], *rest]}})]


class ForgottenKey(Plant):
    """The store forgets whose key it was: who asks again has his command carried out twice."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._count = 0

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        self._count += 1
        self.done = True
        return store.append_many([batch._replace(key=f"{batch.key} at {self._count}") for batch in batches])


class ShownHoleCard(Plant):
    """A view names the card that lies face down."""

    def shown(self, view: dict[str, Any], live: LiveTable) -> dict[str, Any]:
        round_ = live.runner.table.state.round
        if round_ is None or len(round_.state.dealer) < 2 or not view["dealer"]:
            return view
        named = [card.name for card in round_.state.dealer]
        self.done = self.done or named != view["dealer"]["cards"]
        return {**view, "dealer": {**view["dealer"], "cards": named}}


class OtherContent(Plant):
    """Somebody changes an event in the database."""

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        answers = store.append_many(batches)
        if not self.done and self.strikes():
            store._writing.rows("DROP TRIGGER events_are_not_updated")
            store._writing.rows("UPDATE events SET ts = ts + 1 WHERE gseq = (SELECT max(gseq) FROM events)")
            self.done = True
        return answers


class OtherAnswer(Plant):
    """A command that is sent again is answered with other events than the first time."""

    def store(self, store: SqliteStore, batches: list[Batch]) -> list[Appended | Exception]:
        return [self._other(answer) for answer in store.append_many(batches)]

    def _other(self, answer: Appended | Exception) -> Appended | Exception:
        if isinstance(answer, Exception) or not answer.repeated:
            return answer
        self.done = True
        return answer._replace(events=(*answer.events[:-1], _restamped(answer.events[-1])))


def _restamped(event: StoredEvent) -> StoredEvent:
    return event._replace(hash=json.dumps(event.hash)[1:-1][::-1])


PLANTS: dict[str, Callable[[int], Plant]] = {
    "lost-acknowledgement": LostAcknowledgement,
    "doubled-settlement": DoubledSettlement,
    "chip-from-nowhere": ChipFromNowhere,
    "forgotten-key": ForgottenKey,
    "shown-hole-card": ShownHoleCard,
    "other-content": OtherContent,
    "other-answer": OtherAnswer,
}
