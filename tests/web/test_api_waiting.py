"""Nobody is left waiting at a table of automatic staff, and its staff claims nothing that it cannot know."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Ear, Inside, give, open_table
from tests.web.test_api_clock import Clock
from tests.web.test_api_commands import commands
from tests.web.test_api_doors import NOW, at_work, enter, moved_by_hand
from tests.web.test_api_paces import dealt
from tests.web.test_api_security import in_house
from tests.web.worlds import ORDERS, rigged
from twentyone.cards import Card
from twentyone.round import Offer, Round
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import Device, IdleWhenEmpty
from twentyone.service.attendance import GONE
from twentyone.service.clocks import asked_offer
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.staff import CUT, Staff

BOOKS = rulebook_ids()
RULES = {book: Rulebook.load(book).under({}) for book in BOOKS}
STOPPED = [book for book in BOOKS if any(clause.out_of_order == "stops" for clause in RULES[book].all(Device))]
"""The books of which nothing goes on without a reader."""
CLOCK, ACTIVITY = 45.0, "no-gaming-activity"


async def automatic(inn: Inside, book: str, *players: str, **submission: Any) -> tuple[LiveTable, Staff]:
    """A table of automatic staff, ready for wagers; whoever sits there is connected, or gone after so many seconds."""
    ORDERS["one"] = [Card("2C")] * 60
    boxes = {name: [box] for box, name in enumerate(players, 1)}
    live = await open_table(inn.service, "one", book, boxes, **submission)
    inn.service.set_staff("one", pace="fast", clock=CLOCK, patience=8.0)
    await give(live, "change_dealer", "floorperson", "Fay", dealer="Auto dealer")
    staff = at_work(inn, "one")
    await settle(live, staff)
    return live, staff


async def settle(live: LiveTable, staff: Staff) -> None:
    """The staff works until there is nothing that it would do now."""
    for _ in range(400):
        before = live.version
        await staff.step()
        if live.version == before:
            return
    raise AssertionError(f"the staff never ends: {live.steps}")


async def round_ends(inn: Inside, live: LiveTable, staff: Staff) -> None:
    """Whoever is asked stands or declines; the staff does the rest, to the next wagers."""
    for _ in range(60):
        await settle(live, staff)
        offer = asked_offer(live.runner.table)
        if offer is None:
            assert live.runner.table.state.phase != "round", live.steps
            return
        action = "decline" if offer.optional else "stand"
        answer = await enter(inn, offer.options[0].player).command("one", "decide", action=action)
        assert answer.status_code == 200, answer.text
    raise AssertionError("the round never ends")


def at_tables(tmp_path: Path, work: Any, **options: Any) -> None:
    with ExitStack() as held:
        held.enter_context(moved_by_hand())
        held.enter_context(rigged())
        in_house(tmp_path, work, **options)


def given_by_staff(inn: Inside) -> list[str]:
    return [row["do"] for row in commands(inn, "one") if row["by"].startswith("Auto")]


def said(live: LiveTable) -> list[str]:
    return [line.says for line in live.lines_after(0)]


# -- the dealer's own choices


@pytest.mark.parametrize("book", BOOKS)
def test_no_choice_is_left_open_that_a_text_gives_the_dealer(book: str, tmp_path: Path) -> None:
    """685a.12(h): the dealer shall either let the hand go on or call it dead; nobody else is asked meanwhile."""
    rules = RULES[book]
    dealers = [clause.name for clause in rules.irregularities.values() if clause.choice == "dealer"]
    assert dealers == (["wrong_range"] if rules.ranges else []), "a choice that this test does not know"

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann", "Bob")
        await dealt(inn, live, staff, "9S 7D 5H 8C 9H 3D", "Ann", "Bob")
        shown = next(row.name for row in rules.ranges.values() if row.name != live.runner.table.state.round.state.range)  # type: ignore[union-attr]
        await give(live, "happened", "floorperson", "Fay", name="wrong_range", shown=shown)
        assert [step.role for step in live.steps] == ["dealer"] * 2
        assert not list(staff.clocks()), "no player is asked"
        await settle(live, staff)
        assert asked_offer(live.runner.table) is not None, "the round goes on"
        chosen = [row["args"] for row in commands(inn, "one") if row["do"] == "decide"]
        assert [(args["action"], args["box"]) for args in chosen] == [("go_on", 1), ("go_on", 2)]
        await round_ends(inn, live, staff)

    if dealers:
        at_tables(tmp_path, work)


def test_an_offer_that_nobody_can_answer_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the round asks of nobody: the automatic dealer closes it, no clock runs for it."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "s13-spanish-21", "Ann")
        await dealt(inn, live, staff, "9S 7D 5H 8C", "Ann")
        with monkeypatch.context() as planted:
            planted.setattr(Round, "next", property(lambda _: Offer("double", (), optional=True)))
            live._asked = None  # what is asked now, anew
            assert not [clock for clock in staff.clocks() if clock.what == "decision"]
            chosen = staff._choose(live.runner.table)
        assert chosen == ("decide", "dealer", "Auto dealer", {"action": "decline"})

    at_tables(tmp_path, work)


# -- who may not wager


IDLE = [(book, reading) for book in BOOKS for reading in Rulebook.load(book).readings if reading.name == ACTIVITY]
"""The books whose text leaves open when a table is idle."""
ALONE = [*((book, "") for book in BOOKS), *((book, value) for book, reading in IDLE for value in reading.values[1:])]


@pytest.mark.parametrize(("book", "there"), ALONE)
def test_who_is_barred_and_alone_may_play_again(book: str, there: str, tmp_path: Path) -> None:
    """635a.6(b)(2), 5(g): he was asked for a wager that was refused, and lost his box since he did not play."""
    readings = {"readings": {ACTIVITY: there}} if there else {}
    rules = Rulebook.load(book).under({"mid_shoe_entry": False, **readings})

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann", "Bob", mid_shoe_entry=False, **readings)
        await dealt(inn, live, staff, "9S 7D 5H 8C 9H", "Ann")
        await round_ends(inn, live, staff)
        assert live.runner.table.state.players["Bob"].barred
        for _ in range(10):
            NOW[0] += 29
            await settle(live, staff)
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}, "nobody was away for 300 s"
        assert "Bob" not in [name for clock in staff.clocks() for name in clock.players], "no clock runs for him"
        assert (await enter(inn, "Ann").command("one", "leave")).status_code == 200
        assert live.steps[0].do == ("reshuffle" if rules.maybe(IdleWhenEmpty) is not None else "spread_idle")
        for _ in range(8):
            await settle(live, staff)
            if live.steps[0].do == "place_wager":
                break
            NOW[0] += CLOCK + 1
        answer = await enter(inn, "Bob").command("one", "place_wager", box=2, amount="10")
        assert answer.status_code == 200, answer.text

    at_tables(tmp_path, work)


def test_who_is_barred_loses_no_box_by_the_rounds_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """He sits out because he must."""
    monkeypatch.setattr("twentyone.service.attendance.SITS_OUT", 2)

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "pa-spanish-21", "Ann", "Bob", mid_shoe_entry=False)
        for _ in range(4):
            await dealt(inn, live, staff, "9S 7D 5H 8C 9H", "Ann")
            await round_ends(inn, live, staff)
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}
        await give(live, "bar_mid_shoe_entry", "operator", "Oda", on=False)
        await settle(live, staff)
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}, "what he had to sit out does not count"

    at_tables(tmp_path, work)


def test_while_the_house_takes_no_wagers_nobody_loses_his_box(tmp_path: Path) -> None:
    """Who may not lay a wager, since play is stopped everywhere, is not away."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "pa-spanish-21", "Ann")
        inn.service.orders.stop(Person("administrator", "administrator"), "a fire drill")
        for _ in range(20):
            NOW[0] += 50
            await settle(live, staff)
        assert set(live.runner.table.state.players) == {"Ann"}
        assert not list(staff.clocks())

    at_tables(tmp_path, work)


# -- the look at the cards


async def first_look(inn: Inside, book: str) -> tuple[LiveTable, Staff]:
    """A table that the staff opens; Ann comes first, and its cards lie spread for her."""
    await inn.service.create("one", book, {})
    live, staff = inn.service.table("one"), at_work(inn, "one")
    inn.service.set_staff("one", pace="fast", clock=CLOCK, patience=8.0)
    await settle(live, staff)
    assert (await enter(inn, "Ann").command("one", "sit", boxes=[3])).status_code == 200
    await settle(live, staff)
    assert live.steps[0].do == "show_cards"
    return live, staff


@pytest.mark.parametrize("book", BOOKS)
def test_the_first_player_has_the_time_of_the_clock_to_look(book: str, tmp_path: Path) -> None:
    """635a.4(d), 673a.4(c), 685a.4(c), Ch. 4.E, 13(c)(3): an opportunity; the record says that the clock ended it."""

    async def work(inn: Inside) -> None:
        live, staff = await first_look(inn, book)
        (clock,) = staff.clocks()
        assert clock[:4] == ("look", ("Ann",), 3, CLOCK)
        NOW[0] += CLOCK - 1
        await settle(live, staff)
        assert live.steps[0].do == "show_cards"
        NOW[0] += 2
        await settle(live, staff)
        assert live.steps[0].do != "show_cards"
        assert "the clock ends the look at the cards: Ann has had 46 s" in said(live)
        assert "Ann was given time to look at the cards" in said(live)

    at_tables(tmp_path, work)


@pytest.mark.parametrize("book", BOOKS)
def test_the_first_player_says_that_he_has_looked(book: str, tmp_path: Path) -> None:
    """At the opening, and again at the idle table: then nobody waits; who came later cannot say it for him."""

    async def work(inn: Inside) -> None:
        live, staff = await first_look(inn, book)
        ann, bob = enter(inn, "Ann"), enter(inn, "Bob")
        assert (await bob.command("one", "sit", boxes=[4])).status_code == 200
        assert (await bob.command("one", "have_looked")).status_code != 200
        assert "have_looked" in [asked["do"] for asked in (await ann.get("/tables/one")).json()["requests"]]
        assert "have_looked" not in [asked["do"] for asked in (await bob.get("/tables/one")).json()["requests"]]
        while live.steps[0].do == "show_cards":
            assert (await ann.command("one", "have_looked")).status_code == 200
            await settle(live, staff)
        while live.steps[0].do == "cut":
            NOW[0] += CUT + 1
            await settle(live, staff)
        assert live.steps[0].do == "place_wager"
        assert "show_cards" not in given_by_staff(inn)
        for client in (ann, bob):
            assert (await client.command("one", "leave")).status_code == 200
        await settle(live, staff)
        assert live.runner.table.state.phase == "idle"
        assert (await bob.command("one", "sit", boxes=[4])).status_code == 200
        await settle(live, staff)
        assert live.steps[0].do == "show_cards", "Bob is the first now"
        assert "ask_face_up" in [step["do"] for step in (await bob.get("/tables/one")).json()["requests"]] or (
            live.runner.table.state.idle_face != "down" or book in ("classic-blackjack", "s13-spanish-21")
        )
        assert (await bob.command("one", "have_looked")).status_code == 200
        assert "Bob has looked at the cards" in said(live)

    at_tables(tmp_path, work)


# -- what only a person can say


@pytest.mark.parametrize("book", STOPPED)
def test_a_reader_is_repaired_when_a_person_says_so(book: str, tmp_path: Path) -> None:
    """635a.13(k) and its sisters: nothing goes on meanwhile; everybody reads why, and nobody is asked or sent away."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann", "Bob")
        reader = next(clause.name for clause in live.runner.table.rules.all(Device) if clause.out_of_order == "stops")
        await dealt(inn, live, staff, "9S 7D 5H 8C 9H", "Ann")
        await give(live, "device_out_of_order", "floorperson", "Fay", device=reader)
        before = live.version
        for _ in range(20):
            NOW[0] += 50
            await settle(live, staff)
        assert live.version == before
        assert not list(staff.clocks()), "no time runs out for anybody"
        for name in ("Ann", "Bob"):
            view = (await enter(inn, name).get("/tables/one")).json()
            assert [sentence["text"] for sentence in view["saying"]] == [
                f"The {reader.replace('_', ' ')} is out of order: no dealing until it is repaired or replaced."
            ]
            assert view["offer"] is None
        await give(live, "device_repaired", "floorperson", "Fay", device=reader)
        await round_ends(inn, live, staff)
        assert "device_repaired" not in given_by_staff(inn)
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}

    at_tables(tmp_path, work)


@pytest.mark.parametrize("book", STOPPED)
def test_no_broken_device_is_inspected_by_the_automatic_floorperson(book: str, tmp_path: Path) -> None:
    """635a.2(d) and its sisters: the inspection says that the reader works; a person reported that it does not."""

    clock = Clock()

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann")
        reader = next(clause.name for clause in live.runner.table.rules.all(Device) if clause.inspected)
        await give(live, "leave", "player", "Ann")
        await settle(live, staff)
        await give(live, "device_out_of_order", "floorperson", "Fay", device=reader)
        clock.now += 86_400
        await settle(live, staff)
        await give(live, "close_table", "floorperson", "Fay")
        await give(live, "open_table", "floorperson", "Fay", dealer="Auto dealer")
        assert live.runner.table.state.agenda[0].do == "inspect_device"
        assert live.steps[0].do == "inspect_device"
        before = len(commands(inn, "one"))
        await settle(live, staff)
        assert len(commands(inn, "one")) == before
        inspected = [row["at"] for row in commands(inn, "one") if row["do"] == "inspect_device"]
        assert max(inspected) < clock.now
        await give(live, "device_repaired", "floorperson", "Fay", device=reader)
        await settle(live, staff)
        assert live.steps[0].do == "sit", "once it is repaired, the automatic floorperson inspects it"

    at_tables(tmp_path, work, clock=clock)


# -- who is gone


async def connected(inn: Inside, name: str) -> Ear:
    """Somebody's live connection, once it is there."""
    ear = Ear(inn.app, "one", enter(inn, name).jar)
    await ear.answered()
    return ear


@pytest.mark.parametrize("book", BOOKS)
def test_who_is_gone_holds_up_nobody(book: str, tmp_path: Path) -> None:
    """Ann is asked and closes her browser: five seconds later the clock stands for her; her box is free."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, book, "Ann", "Bob")
        inn.service.doors.limits = inn.service.doors.limits._replace(gone=GONE)
        ann, second, bob = await connected(inn, "Ann"), await connected(inn, "Ann"), await connected(inn, "Bob")
        NOW[0] += 100
        await dealt(inn, live, staff, "9S 7D 5H 8C 9H", "Ann", "Bob")
        NOW[0] += 10
        await ann.stop()
        NOW[0] += 10
        await settle(live, staff)
        assert _asked(live) == {"Ann"}, "her other tab is open"
        await second.stop()
        NOW[0] += GONE - 1
        await settle(live, staff)
        assert _asked(live) == {"Ann"}, "a page that is loaded again comes back"
        NOW[0] += 2
        await settle(live, staff)
        assert _asked(live) == {"Bob"}
        assert any("for Ann, who is gone" in says for says in said(live))
        chips = live.runner.table.state.chips
        await round_ends(inn, live, staff)
        state = live.runner.table.state
        assert set(state.players) == {"Bob"}, "she is free to come back, with her chips"
        assert state.chips["(cage)"] > chips.get("(cage)", 0)
        assert "Ann is gone: the box is free again" in said(live)
        assert inn.service.people.purses.of("Ann")
        await bob.stop()

    at_tables(tmp_path, work)


def _asked(live: LiveTable) -> set[str]:
    offer = asked_offer(live.runner.table)
    return {option.player for option in offer.options} if offer is not None else set()


def test_who_only_asks_and_commands_is_there_and_no_cut_waits_for_who_is_gone(tmp_path: Path) -> None:
    """A program without a live connection is there while it is heard of; a cut that is offered to nobody goes on."""

    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "pa-spanish-21", "Ann", "Bob")
        inn.service.doors.limits = inn.service.doors.limits._replace(gone=GONE)
        bob = await connected(inn, "Bob")
        for _ in range(5):
            await enter(inn, "Ann").get("/tables/one")
            NOW[0] += GONE - 1
            await settle(live, staff)
        assert set(live.runner.table.state.players) == {"Ann", "Bob"}
        await enter(inn, "Ann").command("one", "place_wager", box=1, amount="10")
        NOW[0] += GONE + 1
        await settle(live, staff)
        assert "Ann" in live.runner.table.state.players, "her wager is dealt to"
        await bob.stop()

    at_tables(tmp_path, work)


def test_people_at_a_table_of_people_are_not_gone_because_their_telephone_sleeps(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        inn.service.doors.limits = inn.service.doors.limits._replace(gone=GONE)
        staff = at_work(inn, "one")
        NOW[0] += 100
        await staff.step()
        assert set(live.runner.table.state.players) == {"Ann"}

    at_tables(tmp_path, work)


def test_after_a_start_everybody_has_time_to_come_back(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        live, staff = await automatic(inn, "pa-spanish-21", "Ann")
        live.presence.expect(["Ann"])
        inn.service.doors.limits = inn.service.doors.limits._replace(gone=GONE)
        NOW[0] += GONE + 10
        await staff.step()
        assert set(live.runner.table.state.players) == {"Ann"}
        NOW[0] += 10
        await staff.step()
        assert not live.runner.table.state.players

    at_tables(tmp_path, work)
