"""A stored round, frame by frame: the table's own fold, one event at a time; and the story, told from either end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.golden.ledger import GOLDEN, read_golden

from twentyone.ledger.codec import COMMAND, CREATED, OWN, Decoder, read_body
from twentyone.ledger.replaying import read_creation
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.store import Store, open_store
from twentyone.service.frames import frames
from twentyone.service.lines import lines
from twentyone.table import TableEvent


@pytest.fixture(params=GOLDEN)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    held = open_store(str(tmp_path / "t.db"), create=True)
    held.take_over(read_golden(request.param).events)
    yield held
    held.close()


def test_frames_show_the_wagers_as_they_were_laid(store: Store) -> None:
    """Verbal wagers too: those with cash."""
    verbal = 0
    for row in list_rounds(store):
        stored = [event for event in store.read(row.table, row.first - 1) if event.ver <= row.last]
        laid = [read_body(event)["data"] for event in stored if event.type == "wager_laid"]
        closed = next(frame for frame in frames(store, row) if frame["says"] == "the wagers are closed")
        last = frames(store, row)[frames(store, row).index(closed) - 1]["view"]
        placed = [(box["box"], wager["player"], wager["cash"]) for box in last["boxes"] for wager in box["placed"]]
        assert sorted(placed) == sorted((wager["box"], wager["player"], wager["cash"]) for wager in laid)
        verbal += sum(wager["cash"] for wager in laid)
    assert verbal


def test_frames_are_of_one_round_and_speak_to_nobody(store: Store) -> None:
    for row in list_rounds(store):
        views = [frame["view"] for frame in frames(store, row)]
        assert {view["round"] for view in views} == {row.number}
        assert all((view["you"]["name"], view["offer"], view["next"]) == ("", None, []) for view in views)
        assert views[-1]["dealer"]["cards"]


def test_the_story_is_the_same_from_events_at_hand_and_from_stored_ones(store: Store) -> None:
    """A live table hands its events on; another process reads them from the ledger."""
    for stream in store.streams():
        stored = list(store.read(stream))
        decoder, happened = Decoder(read_creation(store, stream)[0]), list[TableEvent]()
        for event in stored:
            if event.type not in (COMMAND, CREATED, *OWN):
                happened.append(decoder.decode(event, read_body(event)))
        assert list(lines(stored, happened)) == list(lines(stored))
        assert list(lines(stored, happened[1:])) != list(lines(stored)), "events of other commands are noticed"


def test_each_frame_says_who_and_when(store: Store) -> None:
    """Who gave the command and in which role, and the time of each event, not one for the whole round."""
    for row in list_rounds(store):
        stored = {event.ver: event for event in store.read(row.table, max(0, row.first - 2))}
        given = {
            f"{body['by']}, {body['role']}"
            for event in stored.values()
            if event.type == COMMAND and (body := read_body(event))
        }
        for frame in frames(store, row):
            assert frame["at"] == stored[frame["view"]["version"]].ts
            assert frame["by"].split(", entered by ")[0] in given, frame["says"]
