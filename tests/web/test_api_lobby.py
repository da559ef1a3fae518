"""The list of tables and the games behind it, through the interface: whose seat, whose chips, which house edge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.patience import until_soon
from tests.web.inside import Inside, give, open_table
from tests.web.test_api_own_rounds import play
from tests.web.test_api_security import in_house
from twentyone.odds.edges import edge_of, known_edge
from twentyone.rulebook import Rulebook


async def _line(inn: Inside, kind: str, table: str = "one") -> dict[str, Any]:
    rows = (await inn.clients[kind].get("/tables")).json()
    return next(row for row in rows if row["table"] == table)


def test_a_seat_is_told_to_its_player_alone(tmp_path: Path) -> None:
    """Ann's line names her box and chips; others see that she is there, and not what is hers."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [2]})
        assert (await _line(inn, "guest"))["yours"] == {"boxes": [2], "chips": "500"}
        for kind in ("visitor", "other guest", "dealer", "administrator"):
            line = await _line(inn, kind)
            assert (line["yours"], line["players"]) == (None, ["Ann"])
        assert (await _line(inn, "visitor"))["says"] == "wagers may be laid; Ann is there"

    in_house(tmp_path, ask)


def test_a_player_is_told_where_his_chips_lie(tmp_path: Path) -> None:
    """Wagers on the layout are his, too; staff and visitors have none."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [2]})
        await open_table(inn.service, "two", "classic-blackjack", {"Ann": [1]})
        await give(live, "place_wager", "player", "Ann", box=2, amount="25")
        me = (await inn.clients["guest"].get("/me")).json()
        assert (me["purse"], me["at_tables"]) == ("0", {"one": "500", "two": "500"})
        for path in ("//", "//you", "//law", "//table/two"):
            assert b"$500.00 at one" in (await inn.clients["guest"].get(path)).content, path
        assert b"at one" not in (await inn.clients["guest"].get("//table/one")).content
        assert b"at one" not in (await inn.clients["other guest"].get("//law")).content
        assert (await inn.clients["dealer"].get("/me")).json()["at_tables"] is None

    in_house(tmp_path, ask)


def test_a_table_that_somebody_closed_is_only_watched(tmp_path: Path) -> None:
    """One that its automatic staff opens for whoever comes is not; one dealt by people is, until it is opened."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {})
        await inn.service.create("new", "pa-spanish-21", {})
        inn.service.table("new")
        await inn.service.create("felt", "pa-spanish-21", {}, "person")
        inn.service.table("felt")
        can = {name: (await _line(inn, "visitor", name))["can_sit"] for name in ("one", "new", "felt")}
        assert can == {"one": True, "new": True, "felt": False}
        await give(live, "close_table", "floorperson", "Fay")
        assert (await _line(inn, "visitor"))["can_sit"] is False
        page = (await inn.clients["visitor"].get("//")).text
        card = page.partition('data-card="one"')[2].partition("</article>")[0]
        assert ('data-act="sit"' in card, 'hidden data-act="sit"' in card or "hidden>Sit" in card) == (True, True)

    in_house(tmp_path, ask)


@pytest.mark.parametrize(("submission", "known"), [({"table_minimum": "10"}, True), ({"decks": 8}, False)])
def test_the_house_edge_is_that_of_the_own_submission(tmp_path: Path, submission: dict[str, Any], known: bool) -> None:
    """At once where the package knows the game; else another process works it out, and the page then shows it."""
    rules = Rulebook.load("pa-spanish-21").under(submission)

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {}, **submission)
        assert ((await _line(inn, "visitor"))["house_edge"] is not None) is known
        live = inn.service.table("one").runner.table.rules
        await until_soon(lambda: inn.service.edges.of(live) is not None, "the house edge is worked out", look=0.2)
        game = (await inn.clients["visitor"].get("/tables/one/game")).json()
        assert game["house_edge"] == pytest.approx(edge_of(rules), abs=1e-12)
        assert f"fresh shoe of {rules.submission['decks']} decks" in game["basis"]

    assert (known_edge(rules) is not None) is known
    in_house(tmp_path, ask)


def test_a_game_is_told_with_the_prices_of_its_side_wagers(tmp_path: Path) -> None:
    """Match-the-Dealer in Pennsylvania: 3.055 % of the wager; a wheel without weights has each symbol once."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        await open_table(inn.service, "two", "md-spanish-21", {}, bonus_spin="A")
        sides = {side["name"]: side for side in (await inn.clients["guest"].get("/tables/one/game")).json()["sides"]}
        assert sides["match_the_dealer"]["edge"] == pytest.approx(0.0305548, abs=1e-6)
        assert (sides["match_the_dealer"]["laid"], sides["insurance"]["laid"]) == (True, False)
        wheel = {side["name"]: side for side in (await inn.clients["guest"].get("/tables/two/game")).json()["sides"]}
        assert "each symbol is on the wheel once" in wheel["bonus_spin"]["says"]
        page = (await inn.clients["visitor"].get("//game/one")).text
        assert all(word in page for word in ("3.055\u00a0%", "0.422\u00a0%", "/law/pa-spanish-21#635a.12(e)(1)"))

    in_house(tmp_path, ask)


def test_a_player_finds_his_rounds_and_his_purse(tmp_path: Path) -> None:
    """His round with its result and a link to the replay, his entries of the house; a visitor and staff have none."""

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1], "Bob": [3]})
        await play(live, "Ann", 1)
        await give(live, "leave", "player", "Ann")
        page = (await inn.clients["guest"].get("//you")).text
        assert all(word in page for word in ('href="/rounds/one/1"', "1 round played", "takes $"))
        other = (await inn.clients["other guest"].get("//you")).text
        assert "one:1" not in other
        assert "takes $" not in other
        assert [(await inn.clients[kind].get("//you")).status_code for kind in ("visitor", "dealer")] == [401, 403]

    in_house(tmp_path, ask)
