"""A card that lies face down can be read nowhere: not in the database, its journal, a backup, nor by any command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.hidden_worlds import Picture, World, files, server_rows, swapped, told, worlds_apart
from tests.contracts.runner_driver import KEYRING, begin
from tests.contracts.test_runner_days import with_deep_cover_card
from tests.golden.ledger import read_golden
from tests.postgres import Postgres

from twentyone.cli import main
from twentyone.ledger.codec import COMMAND, OPENED
from twentyone.ledger.face_down import Hidden, filled, opening
from twentyone.ledger.keys import Keyring
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import NewEvent, StoredEvent
from twentyone.ledger.shoes import Custody
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, Rules, rulebook_ids

BOOKS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]
CASES: list[tuple[str, dict[str, Any]]] = [
    *((book, {}) for book in BOOKS),
    *(("s13-spanish-21", {"hole_card": mode}) for mode in ("reader", "unread")),
    ("pa-spanish-21", {"shuffler": "continuous"}),
]
SEEDS = (3, 4)
STEPS = 6
"""Moments that are compared while the card lies face down."""


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Callable[[Rules, int], World]]:
    """Makes worlds, each in a folder of its own, all of the same name."""
    made: list[World] = []

    def make(rules: Rules, seed: int) -> World:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(World(str(folder / "t.db"), rules, seed))
        return made[-1]

    yield make
    for world in made:
        world.store.close()


@pytest.mark.parametrize("look", [files, told], ids=["every byte", "every command"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("book", "given"), CASES, ids=[f"{book} {given}" for book, given in CASES])
def test_two_worlds_are_the_same_while_a_card_lies_face_down(
    worlds: Callable[[Rules, int], World],
    book: str,
    given: dict[str, Any],
    seed: int,
    look: Callable[[World], Picture],
) -> None:
    rules = Rulebook.load(book).under(given)
    first = worlds(rules, seed)
    assert worlds_apart(first, lambda: worlds(rules, seed), look, STEPS) == []
    assert first.pictures


@pytest.mark.parametrize("look", [files, told], ids=["every byte", "every command"])
def test_a_ledger_that_names_the_card_is_found(
    worlds: Callable[[Rules, int], World], look: Callable[[World], Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: with the cards in clear, as before, the same comparison fails."""
    monkeypatch.setattr("twentyone.ledger.runner.hide", lambda command, after, *_: Hidden(command, after.events))
    rules = Rulebook.load("pa-spanish-21").under({})
    apart = worlds_apart(worlds(rules, 4), lambda: worlds(rules, 4), look, STEPS)
    assert any("show" in what or "events row" in what for what in apart)


def test_two_worlds_are_the_same_to_a_database_server(postgres: Postgres) -> None:
    rules = Rulebook.load("pa-spanish-21").under({})
    made = [World(postgres.new_database(), rules, 4)]

    def second() -> World:
        made.append(World(postgres.new_database(), rules, 4))
        return made[-1]

    assert worlds_apart(made[0], second, server_rows, STEPS) == []
    assert any(b"unknown" in row for row in made[0].pictures[0].values())
    for world in made:
        world.store.close()


def run_out(world: World) -> int:
    """Play until the shoe runs out while a hole card lies face down: the place that card had in it; 0: it was shown."""
    place, day = 0, world.day
    day.seats = {f"p{box}": [box] for box in range(1, 8)}
    while not day.reloads:
        hidden = world.hidden
        world.step()
        place = world.drawn - 1 if world.hidden and not hidden else place
    return place if world.hidden else 0


def test_a_discard_rack_that_fills_the_shoe_tells_no_card_that_lies_face_down(
    worlds: Callable[[Rules, int], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Burn card and hole card change places: only the sealed cards of the new shoe differ, in equal length."""
    deep = with_deep_cover_card(Rulebook.load("pa-spanish-21"))
    monkeypatch.setattr("twentyone.rulebook.rulebook._load", lambda _: deep)
    rules = deep.under({"shuffler": "manual"})
    first = worlds(rules, 5)
    place = run_out(first)
    with swapped((place, 0)):
        second = worlds(rules, 5)
        assert run_out(second) == place > 0
    hole, other = (world.round.dealer[-1] for world in (first, second) if world.round is not None)
    assert hole is not other
    mine, theirs = (list(world.store.read("t")) for world in (first, second))
    for one, two in zip(mine, theirs, strict=True):
        (left, kept), (right, held) = map(without_seal, (one, two))
        assert (left, len(kept)) == (right, len(held))
    reloaded = json.loads(next(event.body for event in mine if event.type == "rack_reloaded"))["data"]
    assert {*reloaded["cards"], *reloaded["lying"]} == {"unknown"}
    assert sum(without_seal(event)[1] != "" for event in mine) == 1
    first.day.work(first.day.done + 1)
    assert verify(first.store, KEYRING, None).faults == verify(first.store, None, None).faults == ()


def without_seal(event: StoredEvent) -> tuple[object, str]:
    """An event without the sealed cards of a shoe and the hashes over them, and the former."""
    body = json.loads(event.body)
    kept = body.pop("sealed_cards", "")
    return event._replace(body=json.dumps(body), hash="", prev=""), kept


# -- what a reader without the key sees


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    main(words)
    return capsys.readouterr().out


def said(capsys: pytest.CaptureFixture[str], world: World, number: int, version: int) -> str:
    """The line of an event."""
    lines = json.loads(printed(capsys, "show", world.url, str(number), "--json"))["events"]
    [words] = [line["words"] for line in lines if line["version"] == version]
    return str(words)


@pytest.mark.parametrize("book", BOOKS)
def test_the_hole_card_is_not_in_the_file_before_it_is_turned_and_is_there_afterwards(
    worlds: Callable[[Rules, int], World], book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world = worlds(Rulebook.load(book).under({}), 4)
    world.until_hidden()
    assert world.round is not None
    hole, number, day = world.round.dealer[-1].name, world.day.state.rounds, world.day
    batch = [event for event in world.store.read("t") if event.type == COMMAND][-1].ver
    while world.hidden:
        bodies = [event.body for event in world.store.read("t", batch - 1)]
        assert '"unknown"' in bodies[0]
        assert not any('"face_down":true' in body and f'"{hole}"' in body for body in bodies)
        assert said(capsys, world, number, batch) == "the dealer gives the command card (card unknown)"
        world.step()
    day.work(day.done + 1)
    assert said(capsys, world, number, batch) == f"the dealer gives the command card (card {hole})"
    script = json.loads(printed(capsys, "export", world.url, str(number)))
    assert hole in json.dumps(script)
    assert "unknown" not in json.dumps(script)


def test_without_the_key_every_finished_round_is_dealt_again(worlds: Callable[[Rules, int], World]) -> None:
    world = worlds(Rulebook.load("pa-spanish-21").under({}), 4)
    world.day.work(4)
    whole = verify(world.store, None, None)
    assert whole.faults == ()
    assert whole.counts["commands dealt again"] == len(world.day.given)
    world.until_hidden()
    given = len(world.day.given)
    world.step()
    report = verify(world.store, None, None)
    assert report.faults == ()
    assert report.counts["commands dealt again"] == given - 1
    assert any("the last 2 commands of its round in progress are not dealt again" in what for what in report.unchecked)
    assert verify(world.store, KEYRING, None).counts["commands dealt again"] == given + 1


def test_an_older_ledger_does_not_print_the_card_of_its_round_in_progress_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second form stored it in clear: what is stored stays as it is, but no command prints it."""
    golden, ledger = read_golden("second").events, str(tmp_path / "g.db")
    mine = [event for event in golden if event.stream == golden[0].stream]
    down = next(event for event in mine if '"face_down":true' in event.body and "revealed" not in event.body)
    with closing(open_store(ledger, create=True)) as store:
        store.take_over(mine[: down.ver])
    [hole] = json.loads(down.body)["data"]["cards"]
    [row] = [row for row in json.loads(printed(capsys, "rounds", ledger, "--json")) if not row["over"]]
    lines = json.loads(printed(capsys, "show", ledger, row["round"], "--json"))["events"]
    assert [line["words"] for line in lines if line["version"] == down.ver - 1] == ["the dealer gives the command card"]
    assert f"card {hole}" not in printed(capsys, "show", ledger, row["round"], "--commands")


# -- a ledger that was altered, or whose software cheats


def test_a_card_in_clear_is_found(worlds: Callable[[Rules, int], World], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twentyone.ledger.runner.hide", lambda command, after, *_: Hidden(command, after.events))
    world = worlds(Rulebook.load("pa-spanish-21").under({}), 4)
    world.day.work(1)
    for keyring in (KEYRING, None):
        faults = " ".join(fault.what for fault in verify(world.store, keyring, None).faults)
        assert "names a card that lies face down" in faults


def test_a_card_that_is_not_opened_is_found(
    worlds: Callable[[Rules, int], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twentyone.ledger.live_shoe.opening", lambda *_: None)
    world = worlds(Rulebook.load("pa-spanish-21").under({}), 4)
    world.day.work(1)
    faults = [fault.what for fault in verify(world.store, KEYRING, None).faults]
    assert set(faults) == {"a card that lay face down was turned, and no event opens it"}
    faults = [fault.what for fault in verify(world.store, None, None, public=PublicKey.of(KEYRING)).faults]
    assert faults == ["the round is over, and no event opens the card that lay face down in it"]


@pytest.mark.parametrize("keyring", [KEYRING, None], ids=["with the key", "without"])
def test_a_card_that_is_opened_as_another_is_found(
    worlds: Callable[[Rules, int], World], monkeypatch: pytest.MonkeyPatch, keyring: Keyring | None
) -> None:
    """A burn card: nothing but the order of the shoe tells what it was."""

    def lie(custody: Custody, *rest: Any) -> NewEvent | None:
        rows = [down._replace(cards="2S" if down.cards != "2S" else "3S") for down in custody.face_down]
        burned = [new if new.until == "burn" else old for new, old in zip(rows, custody.face_down, strict=True)]
        return opening(custody._replace(face_down=tuple(burned)), *rest)

    monkeypatch.setattr("twentyone.ledger.live_shoe.opening", lie)
    world = worlds(Rulebook.load("pa-spanish-21").under({}), 4)
    world.day.work(1)
    world.day.give("close_table", "floorperson", "Fay")
    assert "the seed makes it" in " ".join(fault.what for fault in verify(world.store, keyring, None).faults)


# -- burn cards, names, snapshots


def test_a_burn_card_that_is_shown_is_opened(worlds: Callable[[Rules, int], World]) -> None:
    world = worlds(Rulebook.load("s13-spanish-21").under({}), 4)
    day = world.day
    day.work(1)
    player = next(iter(day.state.players))
    day.give("ask_burn_card", "player", player)
    day.give("show_burn_card", "dealer", day.dealer)
    *_, shown, opened = day.answers[-1].events
    assert (shown.type, opened.type) == ("burn_card_shown", OPENED)
    [[version, card]] = json.loads(opened.body)["opened"]
    burn = next(iter(world.store.read("t", version - 1)))
    assert (json.loads(burn.body)["do"], card) == ("burn", json.loads(shown.body)["data"]["card"])
    assert verify(world.store, KEYRING, None).faults == verify(world.store, None, None).faults == ()


def test_no_snapshot_is_made_while_a_card_lies_face_down(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "t.db"), create=True)) as store:
        day = begin(store, Rulebook.load("pa-spanish-21").under({"shuffler": "automated"}), 4, every=1)
        assert day.runner is not None
        seen = set[int]()
        while len(seen) < 3 or day.done < 3:
            day.follow(day.table.next_steps()[0])
            version = (store.load_snapshot("t") or (0,))[0]
            lying = [entry.version for entry in day.runner.custody.face_down]
            assert all(version < laid for laid in lying)
            seen.add(version)


def test_a_player_called_unknown_is_no_card() -> None:
    body = {"by": "unknown", "data": {"player": "unknown", "cards": ["unknown", "2S"], "events": [{"card": "unknown"}]}}
    assert filled(body, "KH")
    assert body == {"by": "unknown", "data": {"player": "unknown", "cards": ["KH", "2S"], "events": [{"card": "KH"}]}}
    assert not filled({"player": "unknown"}, "KH")
    for nothing in ("", "\n"):
        assert filled(still := {"card": "unknown"}, nothing)
        assert still == {"card": "unknown"}, "an altered ledger opens a card without a name"
