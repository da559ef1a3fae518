"""A table with two players and the consoles open: what irregularities are worked in."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server

__all__ = ["DEALT", "LIMITS", "Room", "work_agenda"]

LIMITS = {"table_minimum": "5", "table_maximum": "500"}
DEALT = "9C 8C 7H 5C 8D KS"
"""Box 2 holds 14, box 4 a pair of eights, the dealer a 7 over a king."""


class Room:
    """A table with Ada at box 2 and Bob at box 4, the wagers closed, and the consoles open."""

    def __init__(self, server: Server, admin: Api, enter: Enter, rulebook: str, cards: str = "", **chosen: Any) -> None:
        self.table = Staffed(server, rulebook, admin, **LIMITS, **chosen)
        self.ada, self.bob = self.table.with_player(2), self.table.seat("Bob", [4])
        self.table.wager(self.ada, 2)
        self.table.wager(self.bob, 4)
        self._enter = enter
        self.table.begin(cards)
        self.dealer = self.sees(self.table.dealer)

    def sees(self, api: Api, size: str = "desk") -> Looking:
        """The table before somebody's eyes."""
        return Looking(self._enter(self.table.address, api, size))


def work_agenda(table: Staffed, consoles: dict[str, Looking]) -> None:
    """Do the console's step as long as staff has one."""
    while True:
        view = table.view
        for console in consoles.values():
            console.page.wait_for_function("now => window.twentyone.view.version >= now", arg=view["version"])
        steps = [step for step in view["next"] if step["role"] in consoles and step["do"] != "deal"]
        if not steps:
            return
        declined = [step for step in steps if step["do"] == "decline_cut"]
        step = (declined or steps)[0]
        consoles[step["role"]].does(step["do"])
