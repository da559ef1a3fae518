"""A day at a table with real cards, at its pages alone: two dealers and a floorperson at consoles, and a guest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.conftest import Enter
from tests.web.hole_cards import reader_answer
from tests.web.looking import Looking
from tests.web.room import LIMITS
from tests.web.service import Staffed, on_duty
from tests.web.serving import Api, Server

__all__ = ["Day"]

MOST = 200
"""More steps than any part of a day has."""
KEYS = {"stand": "s", "hit": "h", "decline": "n", "late_card": "l"}
"""The keys of a player's decisions."""

Step = dict[str, Any]


SEEN = "() => fetch(`/api/v1/tables/${window.twentyone.id}`).then((answer) => answer.json())"
"""Asked from a page: the table as whoever looks at it may see it."""


class Day:
    """A table and the people of its day: each command is given at a page, the interface only tells whose step it is."""

    def __init__(self, server: Server, admin: Api, enter: Enter, rulebook: str, **chosen: Any) -> None:
        self.table = Staffed(server, rulebook, admin, **LIMITS, **chosen)
        relief = on_duty(admin, server.base, "Eve", "dealer")
        people = (self.table.dealer, relief, self.table.floor, None)
        self.dan, self.eve, self.fay, self.ada = (Looking(enter(self.table.address, who)) for who in people)
        self.dealer = self.dan
        """The console of the dealer on duty."""
        self._cards: Iterator[str] = iter(())
        self._hole = ""
        self._answers: Iterator[str] = iter(())

    @property
    def view(self) -> dict[str, Any]:
        """The table as the dealer on duty sees it."""
        view: dict[str, Any] = self.dealer.page.evaluate(SEEN)
        return view

    def until(self, *tasks: str) -> None:
        """Everybody does his step at his page until one of these is due."""
        for _ in range(MOST):
            if any(step["do"] in tasks for step in self.view["next"]):
                return
            self.step()
        raise AssertionError(f"none of {tasks} came")

    def plays(self, cards: str, hole: str, *answers: str) -> None:
        """A round: the player lays 5, these cards are seen, the hole card when it is turned, the player answers."""
        self.lays()
        self.deals(cards, hole, *answers)
        self.ends()

    def lays(self) -> None:
        """The player lays 5 on his box, as soon as wagers are laid; the dealer closes them."""
        self.until("place_wager")
        self.ada.clicks("chip-5", "lay")
        self.dealer.does("deal")

    def deals(self, cards: str, hole: str, *answers: str) -> None:
        """Say which cards come now, and what the player answers."""
        self._cards, self._hole, self._answers = iter(cards.split()), hole, iter(answers)

    def ends(self) -> None:
        """The round goes to its end, and its cards are picked up."""
        self.until("collect_cards")
        self.dealer.does("collect_cards")

    def device(self, kind: str) -> str:
        """The name of this table's device of a kind."""
        [action] = [action for action in self.view["actions"] if action["do"] == "device_out_of_order"]
        return next(str(name) for field in action["fields"] for name in field["choices"] if kind in name)

    def repairs(self, device: str) -> None:
        """The floorperson reports a device repaired."""
        self.fay.begins("report a device repaired or replaced", device=device)
        self.fay.accepted()

    def ada_leaves(self) -> None:
        """The player leaves the table."""
        self.ada.current()
        self.ada.part("leave").click()
        self.ada.settled()

    def names_a_card_face_down(self, card: str) -> None:
        """Who names a card that nobody can see is refused, and the table stands where it stood."""
        with pytest.raises(AssertionError, match="was not carried out"):
            self.dealer.does("card", card=card)
        self.dealer.refused("nobody has seen it")

    def at(self, step: Step) -> Looking:
        """The console of whoever does a step."""
        return self.fay if step["role"] == "floorperson" else self.dealer

    def step(self) -> None:
        """Whoever's step is due does it at his page."""
        view = self.view
        step = view["next"][0]
        if step["do"] == "cut" and view["cut"]["offered"]:
            self.ada.clicks("cut")
        elif step["role"] == "player":
            self._answer(step)
        else:
            self.at(step).does(step["do"], **self._entered(view, step))

    def _answer(self, step: Step) -> None:
        if step["do"] != "decide":
            self.ada.clicks(step["do"])
            return
        answer = next(self._answers, "stand")
        self.ada.press(KEYS[answer], answer)

    def _entered(self, view: dict[str, Any], step: Step) -> dict[str, str]:
        """What the dealer sees and enters: never a card that lies face down."""
        if step["do"] == "count_cards":
            return {"cards": str(view["shoe"]["size"])}
        if step["do"] == "turn_card":
            return {"card": self._hole}
        if step["do"] == "reader_told":
            [field] = view["fields"]["reader_told"]
            told = reader_answer(field["name"], view["dealer"]["cards"][0], self._hole)
            return {name: str(value).lower() for name, value in told.items()}
        if step["do"] == "card":
            return {"card": "" if "face down" in step["says"] else next(self._cards)}
        return {}
