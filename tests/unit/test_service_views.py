"""What the service makes of a table for those who look: the same value and bytes, whoever asks how often."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.contracts.wheel_driver import WheelTable

from twentyone.cards import parse_cards
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import open_store
from twentyone.round import Decision, Drawn, Round
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.lines import ABSENT, lines
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.view import table_view
from twentyone.service.view_cache import ViewCache, frame, log_text
from twentyone.table import Table
from twentyone.table.model import Player, TableState

PEOPLE = [Person("Ann", "player"), Person("", "player"), Person("Dan", "dealer"), Person("Uma", "auditor")]
PEOPLE += [Person("Fay", "floorperson"), Person("administrator", "administrator")]


def table_in_play(book: str) -> Table:
    """A table in mid-round: the player's first decision is due."""
    rules = Rulebook.load(book).under({})
    round_ = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
    for card in parse_cards("8S 6D 7H 5C"):
        round_ = round_.apply(Drawn(card))
    state = TableState(phase="round", round=round_, rounds=1)
    state.players = {"Ann": Player(1, (1,))}
    return Table(rules, state)


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("person", PEOPLE, ids=lambda person: person.role + person.name)
def test_the_text_is_the_view(book: str, person: Person) -> None:
    """The spliced text that listeners are sent is the view, key by key; asked twice it is the same text."""
    table = table_in_play(book)
    sight = ViewCache("one", table, 7, table.next_steps(), False)
    view = json.loads(sight.text(person))
    assert view == json.loads(json.dumps(sight.seen_by(person)))
    assert sight.text(person) is sight.text(person)
    plain = table_view(table, 7, person.at_table, person.name)
    assert {key: view[key] for key in plain} == json.loads(json.dumps(plain))


def test_each_person_is_asked_for_himself_alone() -> None:
    table = table_in_play("pa-spanish-21")
    sight = ViewCache("one", table, 7, table.next_steps(), False)
    mine, other = sight.seen_by(PEOPLE[0]), sight.seen_by(PEOPLE[1])
    assert mine["offer"]["yours"]
    assert not other["offer"]["yours"]
    assert other["offer"]["decisions"] == []
    assert "actions" not in mine
    assert sight.seen_by(PEOPLE[2])["actions"] == [], "somebody else deals here"
    table.state.dealer = PEOPLE[2].name
    assert ViewCache("one", table, 7, table.next_steps(), False).seen_by(PEOPLE[2])["actions"]


def test_a_frame_is_the_view_and_the_new_lines() -> None:
    table = table_in_play("pa-spanish-21")
    sight = ViewCache("one", table, 7, table.next_steps(), False)
    message = json.loads(frame(sight.text(PEOPLE[0]), log_text([])))
    assert set(message) == {"view", "log"}
    assert message["log"] == []


def _command(**args: object) -> StoredEvent:
    body = json.dumps({"do": "decide", "role": "player", "by": "Ann", "at": 1, "args": args})
    return StoredEvent(1, "one", 9, 1, "command", 1, body, "", "", "k", "f")


def test_a_command_tells_nothing_but_what_the_house_did_for_the_absent() -> None:
    """Commands hold the whole truth, a card among it: only the sentence of the decision clock leaves them."""
    assert list(lines([_command(card="KS")])) == []
    told = list(lines([_command(action="stand", card="KS", **{ABSENT: "the decision clock decides for Ann: stand"})]))
    assert [line.says for line in told] == ["the decision clock decides for Ann: stand"]
    assert "KS" not in str(told)


def test_the_table_in_play_is_one() -> None:
    """The helper itself: a decision is due, and taking it moves the round."""
    table = table_in_play("pa-spanish-21")
    assert table.state.round is not None
    assert table.state.round.apply(Decision("stand", 1, "Ann")).events


@pytest.mark.parametrize(("cash", "says"), [(False, "main"), (True, "main, verbally with cash")])
def test_a_wager_in_chips_is_not_told_as_cash(cash: bool, says: str) -> None:
    """A stored amount is a whole number, and so is `false` to Python."""
    data = {"box": 3, "player": "Ann", "wager": "main", "amount": 5000, "cash": cash, "coupon": 0}
    body = json.dumps({"cite": "635a.6(a)", "by": "Ann", "data": data})
    stored = StoredEvent(1, "t", 1, 0, "wager_laid", 1, body, "", "", None, None)
    assert [line.says for line in lines([stored])] == [f"Ann lays $5.00 on box 3: {says}"]


def test_the_commitment_to_the_wheels_and_their_seed_are_told_to_everybody() -> None:
    """In full: a player who keeps the one and is shown the other can turn the wheel himself."""
    table, mark, seed = table_in_play("md-spanish-21"), "ab" * 32, "cd" * 32
    sight = ViewCache("one", table, 7, table.next_steps(), False, wheel=mark)
    assert all(json.loads(sight.text(person))["wheel_commitment"] == mark for person in PEOPLE)
    bodies = {
        "wheel_sealed": {"commitment": mark, "sealed": "c2Vl"},
        "wheel_revealed": {"commitment": mark, "seed": seed},
    }
    stored = [StoredEvent(1, "t", 1, 0, kind, 3, json.dumps(body), "", "", None, None) for kind, body in bodies.items()]
    told = list(lines(stored))
    assert [line.says for line in told] == [
        f"the wheels of the next round are committed to as {mark}",
        f"the seed of the wheels committed to as {mark} is published: {seed}",
    ]
    assert "c2Vl" not in str(told)


def test_a_live_table_shows_the_commitment_that_its_ledger_holds(tmp_path: Path) -> None:
    wheels = WheelTable(open_store(str(tmp_path / "t.db"), create=True))
    wheels.step()
    live = LiveTable("t", wheels.runner, wheels.store, None, lambda: wheels.clock)  # type: ignore[arg-type]
    sealed = wheels.runner.custody.wheel
    assert sealed is not None
    assert live.view_cache.seen_by(PEOPLE[0])["wheel_commitment"] == sealed.commitment
    wheels.store.close()
