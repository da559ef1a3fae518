"""The last round of a player: told to him alone, from the settlement until his next wager, also after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.hole_cards import reader_answer
from tests.web.inside import Inside, open_table
from tests.web.test_api_security import in_house
from twentyone.cards import Card
from twentyone.round import Drawn, Round
from twentyone.rulebook import Rulebook
from twentyone.service.last_round import Played, last_shown
from twentyone.service.live import LiveTable

__all__ = ["deal", "view_of"]


async def view_of(inn: Inside, kind: str = "guest") -> dict[str, Any]:
    """The table as one of the people sees it."""
    view: dict[str, Any] = (await inn.clients[kind].get("/tables/one")).json()
    return view


async def deal(inn: Inside, *cards: str, hole: str = "") -> None:
    """The dealer enters cards; the one that lies face down is told by the reader and turned when it is asked for."""
    dealer = inn.clients["dealer"]
    state = inn.service.table("one").runner.table.state
    if state.phase == "open":
        await _done(dealer.command("one", "deal"))
    for card in cards:
        seen: dict[str, Any] = {} if card == "??" else {"card": card}
        await _done(dealer.command("one", "card", **seen))
        await read(inn, hole)


async def read(inn: Inside, hole: str) -> None:
    """What the dealer says of the hole card, wherever the procedure asks for it."""
    live, dealer = inn.service.table("one"), inn.clients["dealer"]
    while (step := live.runner.table.next_steps()[0].do) in ("reader_told", "turn_card"):
        round_ = live.runner.table.state.round
        assert round_ is not None
        field = "range" if round_.rules.ranges else "blackjack"
        args = {"card": hole} if step == "turn_card" else reader_answer(field, round_.state.dealer[0].name, hole)
        await _done(dealer.command("one", step, **args))


async def _done(command: Any) -> None:
    answer = await command
    assert answer.status_code == 200, answer.text


async def decide(inn: Inside, action: str, hole: str = "", kind: str = "guest", **args: Any) -> None:
    """A decision, and what the dealer then says of the hole card."""
    await _done(inn.clients[kind].command("one", "decide", action=action, **args))
    await read(inn, hole)


def test_the_last_round_is_told_until_the_next_wager(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]}, "person")
        assert (await view_of(inn))["last"] is None
        await _done(inn.clients["guest"].command("one", "place_wager", box=1, amount="50"))
        await deal(inn, "9C", "KD", "6H", "??", hole="JS")
        assert (await view_of(inn))["last"] is None
        await decide(inn, "stand", "JS")
        settled = (await view_of(inn))["last"]
        assert (settled["round"], settled["net"], settled["dealer"]["total"]) == (1, "-50", 20)
        assert [hand["cards"] for box in settled["boxes"] for hand in box["hands"]] == [["9C", "6H"]]
        assert [row["net"] for hand in settled["boxes"][0]["hands"] for row in hand["results"]] == ["-50"]
        assert (await view_of(inn, "other guest"))["last"] is None
        assert (await view_of(inn, "visitor"))["last"] is None
        await _done(inn.clients["dealer"].command("one", "collect_cards"))
        assert (await view_of(inn))["last"] == settled
        assert _after_a_restart(inn) == settled
        await _done(inn.clients["guest"].command("one", "place_wager", box=1, amount="50"))
        assert (await view_of(inn))["last"] is None

    in_house(tmp_path, work)


def test_the_play_of_a_hand_is_marked_for_its_player_alone(tmp_path: Path) -> None:
    """To stand on 15 against a king is not best; nobody else has a round to be marked."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "classic-blackjack", {"Ann": [1]}, "person")
        await _done(inn.clients["guest"].command("one", "place_wager", box=1, amount="50"))
        await deal(inn, "9C", "KD", "6H", "??", hole="JS")
        await decide(inn, "stand", "JS")
        marked = (await inn.clients["guest"].get("/tables/one/review")).json()
        assert (marked["round"], marked["text"][:30]) == (1, "Your 15 against a king: hit −0")
        assert (await inn.clients["other guest"].get("/tables/one/review")).status_code == 409

    in_house(tmp_path, work)


def test_a_page_is_told_a_refusal_in_an_ordinary_answer(tmp_path: Path) -> None:
    """A browser logs every other status as a fault; a program that does not ask for it gets the status."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        guest = inn.clients["guest"]
        body: dict[str, Any] = {"do": "deal", "args": {}, "key": "k", "version": None}
        plain = await guest.send("POST", "/tables/one/commands", body)
        told = await guest.send("POST", "/tables/one/commands", body, prefer="refusals=told")
        assert (plain.status_code, told.status_code) == (409, 200)
        assert told.json() == {**plain.json(), "refused": 409}

    in_house(tmp_path, work)


def test_tasks_without_a_paragraph_cite_none(tmp_path: Path) -> None:
    """No text speaks of chips from the cage, or of closing a table."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        actions = [each for kind in ("dealer", "floorperson") for each in (await view_of(inn, kind))["actions"]]
        cites = {each["do"]: each["cite"] for each in actions}
        assert {cites[name] for name in ("buy_in", "fill", "credit", "close_table")} == {""}
        assert cites["reconstruct"] == "58 Pa. Code § 635a.7(q)"

    in_house(tmp_path, work)


def _after_a_restart(inn: Inside) -> Any:
    """What Ann is told by a server that has just read the ledger."""
    live, person = inn.service.table("one"), inn.service.people.whose(inn.cookies["guest"]["twentyone_session"])
    assert person is not None
    started = LiveTable("one", live.runner, inn.service.store, None, lambda: 0)  # type: ignore[arg-type]
    started.remember()
    return started.view_cache.seen_by(person[0])["last"]


def test_a_card_that_nobody_saw_stays_unseen() -> None:
    """A void round ends with the hole card face down: it is not told afterwards either."""
    rules = Rulebook.load("pa-spanish-21").under({})
    round_ = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
    for card in ("8S", "6D", "7H", "5C", "hit"):
        round_ = round_.apply(card)
    for card in ("9S", "9D"):
        round_ = round_.apply(Drawn(Card(card), face_up=True))
    assert round_.state.void
    shown = last_shown(Played(4, round_), "Ann")
    assert (shown["round"], shown["net"], shown["dealer"]["cards"]) == (4, "0", ["6D", "hidden"])
    assert shown["dealer"]["total"] is None
