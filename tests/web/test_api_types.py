"""What the server tells the scripts is what `view.d.ts` says, by which they are checked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.inside import Inside, open_table
from tests.web.test_api_security import in_house
from tests.web.typescript import Interfaces
from twentyone.web import pages

TYPES = Interfaces(Path(pages.__file__).parent.parent / "view.d.ts")


def test_views_of_a_round_are_of_their_type(tmp_path: Path) -> None:
    """A table before, in and after a round, as every kind of person sees it; a round frame by frame; a hint."""

    async def look(inn: Inside) -> None:
        for kind in inn.clients:
            view = (await inn.clients[kind].get("/tables/one")).json()
            assert TYPES.faults(view, "View", "view") == []
        told = {"/pit": "Pit", "/tables/one/closing": "Closing"}
        for path, kind in told.items():
            assert TYPES.faults((await inn.clients["floorperson"].get(path)).json(), kind, path) == []
        for line in (await inn.clients["guest"].get("/tables/one/story")).json():
            assert TYPES.faults(line, "Line", "line") == []

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "md-spanish-21", {"Ann": [1]}, "person", table_minimum="5")
        await look(inn)
        guest, dealer = inn.clients["guest"], inn.clients["dealer"]
        await guest.command("one", "place_wager", box=1, amount="10")
        await guest.command("one", "place_wager", box=1, wager="match_the_dealer", amount="5")
        await dealer.command("one", "deal")
        for card in ("9C", "7H", "5D"):
            await dealer.command("one", "card", card=card)
        await dealer.command("one", "card")
        await look(inn)
        view = (await guest.get("/tables/one")).json()
        assert (view["offer"]["yours"], len(view["boxes"][0]["hands"])) == (True, 1)
        assert TYPES.faults((await guest.get("/tables/one/hint")).json(), "Hints", "hint") == []
        await guest.command("one", "decide", action="surrender", box=1)
        await look(inn)

    in_house(tmp_path, work)


def test_what_is_of_another_type_is_found(tmp_path: Path) -> None:
    """Negative control: a field that is gone, one of another type, one in a list."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        view = (await inn.clients["guest"].get("/tables/one")).json()
        spoils: tuple[Callable[[Any], object], ...] = (
            lambda it: it.pop("rack"),
            lambda it: it.update(version="1"),
            lambda it: it["boxes"][2].pop("players"),
            lambda it: it["limits"].update(least=5),
            lambda it: it["meters"].update(one=1),
        )
        for spoil in spoils:
            spoiled = copy.deepcopy(view)
            spoil(spoiled)
            assert TYPES.faults(view, "View") == []
            assert len(TYPES.faults(spoiled, "View")) == 1

    in_house(tmp_path, work)
