"""The progress of people, in the records of the service: under the name, gone with a guest's name."""

from __future__ import annotations

import json

from twentyone.service.names import folded
from twentyone.service.records import Records
from twentyone.training.schedule import NEW, Progress, after

__all__ = ["KeptProgress"]


class KeptProgress:
    """What the people of a service know, by subject: a game's chart, a dealer's paragraphs."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def of(self, name: str, subject: str) -> dict[str, Progress]:
        """What somebody was asked in a subject."""
        query = "SELECT item, seen, missed, due, card FROM people_training WHERE name = ? AND subject = ?"
        rows = self._records.rows(query, (folded(name), subject))
        return {item: Progress(seen, missed, due, json.loads(card)) for item, seen, missed, due, card in rows}

    def answered(self, name: str, subject: str, item: str, right: bool, at: int) -> Progress:
        """Keep an answer; what is known of the item after it."""
        told = after(self.of(name, subject).get(item, NEW), right, at)
        keep = (
            "INSERT INTO people_training (name, subject, item, seen, missed, due, card) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (name, subject, item) DO UPDATE SET seen = excluded.seen, missed = excluded.missed, "
            "due = excluded.due, card = excluded.card"
        )
        self._records.run(keep, (folded(name), subject, item, *told[:3], json.dumps(told.card)))
        return told
