"""A ledger that is changed behind the back of its service: the round in progress ends, no further one is dealt."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.patience import until_soon
from tests.web.inside import Inside, give, inside, open_table
from twentyone.ledger.interruptions import DIFFERS
from twentyone.ledger.rows import HOUSE
from twentyone.round import Offer
from twentyone.service.live import LiveTable
from twentyone.service.staff import STAFF
from twentyone.table.follow import Follower
from twentyone.web import app


async def finish(live: LiveTable) -> None:
    """Play a round to its end, and do what follows it."""
    while live.runner.table.state.phase != "open":
        table = live.runner.table
        step = table.next_steps()[0]
        if step.do == "decide":
            need = table.state.round.next if table.state.round is not None else None
            action = "stand" if isinstance(need, Offer) and need.kind == "turn" else "decline"
            await give(live, "decide", "player", "Ann", action=action, box=1)
            continue
        do, role, by, _, args = Follower({**STAFF, "dealer": "Dan"}).command(table, step)
        await give(live, do, role, by, **args)


def edit(inn: Inside) -> None:
    """Somebody writes money into the database."""
    with closing(sqlite3.connect(inn.service.ledger, isolation_level=None)) as file:
        file.execute("INSERT INTO purses (name, balance, issues) VALUES ('Eve', 50000000, 0)")


def test_a_difference_stops_the_dealing_after_the_round_in_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "WATCH", 0.01)

    async def look() -> None:
        async with inside(tmp_path) as inn:
            service = inn.service
            live = await open_table(service, "one", "classic-blackjack", {"Ann": [1]})
            await give(live, "place_wager", "player", "Ann", box=1, amount="10")
            await give(live, "deal", "dealer", "Dan")
            await until_soon(lambda: service.watch.events, "it was looked at")
            assert (await inn.clients["visitor"].get("/health")).json()["stopped"] == []
            with capture_logs() as log:
                edit(inn)
                await until_soon(lambda: log, "the difference is told")
            assert (log[0]["event"], "'Eve' of purses" in log[0]["why"]) == ("no further round is dealt", True)
            await finish(live)
            await give(live, "place_wager", "player", "Ann", box=1, amount="10")
            refused = await inn.clients["dealer"].command("one", "deal")
            assert (refused.status_code, "is not what it was" in refused.json()["why"]) == (409, True)
            await told(inn)

    asyncio.run(look())


async def told(inn: Inside) -> None:
    """The health, the board of the tables, the page of the server and the ledger say what was found."""
    stopped: Any = (await inn.clients["visitor"].get("/health")).json()["stopped"]
    assert "'Eve' of purses" in stopped[0]
    assert "no further round is dealt" in (await inn.clients["floorperson"].get("/pit")).text
    page = (await inn.clients["administrator"].get("//server")).text
    assert "is not what it was" in page
    await until_soon(
        lambda: any(event.type == DIFFERS for event in inn.service.store.read(HOUSE)), "it is in the ledger"
    )


def test_a_database_that_does_not_answer_is_no_difference(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            await open_table(inn.service, "one", "classic-blackjack", {})
            watch = inn.service.watch
            assert watch.look() == ""
            assert watch._reading is not None
            watch._reading.close()
            assert watch.look() == ""
            edit(inn)
            assert "'Eve' of purses" in watch.look()

    asyncio.run(look())
