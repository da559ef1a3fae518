"""The messages to those who look at a table: computed once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson

from twentyone.service.catalogue import actions, step_fields
from twentyone.service.consoles import console_view
from twentyone.service.last_round import LastRounds
from twentyone.service.lines import StoryLine
from twentyone.service.people import Person
from twentyone.service.saying import saying
from twentyone.service.view import own_view, shared_view
from twentyone.table import NextStep, Table

__all__ = ["ViewCache", "frame", "log_text"]

STAFF = ("dealer", "floorperson", "operator")
"""Roles that get guided actions in addition to the view."""


class ViewCache:
    """A table at one version and with these next steps, as each person may see it."""

    def __init__(
        self,
        name: str,
        table: Table,
        version: int,
        steps: tuple[NextStep, ...],
        entered: bool,
        dealers: Callable[[], Sequence[str]] = tuple,
        wheel: str = "",
        last_rounds: LastRounds | None = None,
        tempo: Callable[[Person], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        """`dealers` are those who can be called to the table, `wheel` is the commitment to the seed of its wheels.

        `tempo`: what a person is told of time, which goes on while the table does not change.
        """
        self.version = version
        """The version of the stream."""
        self.steps = steps
        """What the procedure asks, by the state of the table and by the time."""
        self._table, self._entered, self._dealers, self._tempo = table, entered, dealers, tempo
        self._last_rounds = last_rounds or LastRounds()
        self._shared = {"table": name, "wheel_commitment": wheel, **shared_view(table, version, steps)}
        self._shared_text = b""
        self._texts: dict[tuple[str, str], bytes] = {}

    def seen_by(self, person: Person) -> dict[str, Any]:
        """The table as a person may see it; for staff, with the actions available."""
        return {**self._shared, **self._own(person)}

    def text(self, person: Person) -> bytes:
        """The same in JSON."""
        key = (person.at_table, person.name)
        cached = self._texts.get(key)
        if cached is None:
            cached = self._texts[key] = self._join(orjson.dumps(self._own(person)))
        tempo = self._tempo(person)
        return cached[:-1] + b"," + orjson.dumps(tempo)[1:] if tempo else cached

    def _join(self, own: bytes) -> bytes:
        if not self._shared_text:
            self._shared_text = orjson.dumps(self._shared)[:-1]
        return self._shared_text + b"," + own[1:]

    def _own(self, person: Person) -> dict[str, Any]:
        role = person.at_table
        played = self._last_rounds.of(self._table.state, person.name)
        own = own_view(self._table, role, person.name) | {
            "saying": [said._asdict() for said in saying(self._table, self.steps, role, person.name, played)],
            "last": self._last_rounds.shown(self._table.state, person.name),
        }
        if role not in STAFF:
            return own
        if role == "dealer" and person.name != self._table.state.dealer:
            return {**own, "actions": [], "fields": {}}
        dealers = self._dealers() if role != "dealer" else ()
        asked = {step.do: step_fields(self._table, step.do, self._entered, dealers) for step in self.steps}
        more = console_view(self._table, role, self._entered)
        return {**own, **more, "actions": actions(self._table, role, self._entered, dealers), "fields": asked}


def frame(view: bytes, log: bytes) -> str:
    """One message to a listener: the view, and the lines of the story that are new to him."""
    return (b'{"view":' + view + b',"log":' + log + b"}").decode()


def log_text(lines: Iterable[StoryLine]) -> bytes:
    """Lines of the story in JSON."""
    return orjson.dumps([line._asdict() for line in lines])
