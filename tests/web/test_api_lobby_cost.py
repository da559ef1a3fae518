"""The list of tables, however many read it: a line is worked out once until something of its table changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Inside, give, open_table
from tests.web.test_api_security import in_house
from twentyone.odds import edges
from twentyone.service import lobby


class Counted:
    """A function, and how often it was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        self.calls, self._real = 0, getattr(module, name)
        monkeypatch.setattr(module, name, self)

    def __call__(self, *args: Any) -> Any:
        self.calls += 1
        return self._real(*args)


def test_a_game_is_told_from_others_once_and_not_for_each_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clauses of the rules are walked once, whoever reads the list or asks how a game is played, and how often."""
    edges.game_key.cache_clear()
    walked = Counted(monkeypatch, edges, "play_of")

    async def ask(inn: Inside) -> None:
        for name in ("one", "two", "three"):
            await open_table(inn.service, name, "pa-spanish-21", {})
        for kind in ("visitor", "guest", "administrator") * 5:
            assert len((await inn.clients[kind].get("/tables")).json()) == 3
            await inn.clients[kind].get("/tables/one/game")
            await inn.clients[kind].get("//")
        assert walked.calls == 1

    in_house(tmp_path, ask)


def test_strangers_share_a_line_until_something_of_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat, the automatic staff: each changes what strangers are shown at once."""
    worked_out = Counted(monkeypatch, lobby, "table_line")

    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [2]})
        rows = [(await inn.clients["visitor"].get("/tables")).json() for _ in range(6)]
        assert worked_out.calls == 1
        assert rows == rows[:1] * 6
        assert rows[0][0]["players"] == ["Ann"]
        await give(live, "sit", "player", "Bob", boxes=[3])
        assert (await inn.clients["visitor"].get("/tables")).json()[0]["players"] == ["Ann", "Bob"]
        assert worked_out.calls == 2
        await give(live, "leave", "player", "Bob")
        await give(live, "leave", "player", "Ann")
        await give(live, "close_table", "floorperson", "Fay")
        line = (await inn.clients["visitor"].get("/tables")).json()[0]
        assert (line["phase"], line["can_sit"]) == ("closed", False)
        own = (await inn.clients["guest"].get("/tables")).json()[0]
        assert own == line

    in_house(tmp_path, ask)
