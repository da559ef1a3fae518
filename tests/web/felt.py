"""A felt with real cards and guests without devices, run from one dealer's console; a floorperson does what is his."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.hole_cards import reader_answer
from tests.web.looking import Looking
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server

__all__ = ["GUESTS", "Felt"]

GUESTS = {"Ben": 2, "Cy": 4, "Di": 6}
"""Who sits where."""
MOST = 200
"""More steps than a part of a day has."""


class Felt:
    """The dealer's console at a table of guests without devices, and the floorperson's own page."""

    def __init__(self, server: Server, admin: Api, enter: Enter, rulebook: str, size: str = "desk") -> None:
        self.table = Staffed(server, rulebook, admin, shuffler="automated", **LIMITS)
        self.dan = Looking(enter(self.table.address, self.table.dealer, size))
        self.fay = Looking(enter(self.table.address, self.table.floor, "phone"))
        self.worked = set[str]()
        """The irregularities that were reported here."""

    @property
    def view(self) -> dict[str, Any]:
        """The table as the dealer sees it."""
        return self.table.view

    # -- before the cards

    def opens(self) -> None:
        """The floorperson opens the table, the dealer seats the guests and makes the cards ready."""
        self.fay.does("open_table", dealer="Dan")
        self.until("sit")
        for name, box in GUESTS.items():
            self.seats(name, box)
        self.until("place_wager")

    def seats(self, name: str, box: int, cash: str = "200") -> None:
        """The dealer seats a guest and sells him chips."""
        self.dan.current()
        guests = self.dan.page.locator(".tw-seats")
        if guests.get_attribute("open") is None:
            guests.locator("summary").click()
        form = self.dan.part("seat")
        form.locator("[name=guest]").fill(name)
        form.locator("[name=box]").select_option(str(box))
        form.locator("[name=cash]").fill(cash)
        form.locator("[data-act=seat]").click()
        self.dan.page.wait_for_function(
            "name => window.twentyone.view.players[name]?.chips > 0 && window.twentyone.live.settled", arg=name
        )

    def until(self, *tasks: str) -> None:
        """Whoever's step it is does it at his page, until one of these is due."""
        for _ in range(MOST):
            view = self.view
            if any(step["do"] in tasks for step in view["next"]):
                return
            self._step(view)
        raise AssertionError(f"none of {tasks} came: {self.view['next']}")

    def _step(self, view: dict[str, Any]) -> None:
        step = view["next"][0]
        if view["cut"] and view["cut"]["offered"]:
            self.signals(view["cut"]["offered"], "cut")
        else:
            self.at(step).does(step["do"], **_entered(view, step))

    def at(self, step: dict[str, Any]) -> Looking:
        """The page of whoever does a step."""
        return self.fay if step["role"] == "floorperson" else self.dan

    def lays(self) -> None:
        """Every guest lays 10, or what he laid before; the dealer closes the wagers."""
        self.until("place_wager")
        for name in GUESTS:
            self.dan.current()
            row = self.row(name)
            before = row.locator("[data-signal=again]")
            if before.count():
                before.click()
            else:
                row.locator("[name=amount]").fill("10")
                row.locator("[data-signal=lay]").click()
            self.dan.settled()
        self.dan.does("deal")

    # -- the round

    def row(self, guest: str) -> Any:
        """What the console shows of a guest who is asked something."""
        return self.dan.part("deal").locator(f"[data-guest='{guest}']")

    def signals(self, guest: str, *signals: str) -> None:
        """The dealer enters what a guest signals."""
        for signal in signals:
            self.dan.current()
            self.row(guest).locator(f"[data-signal={signal}]").click()
            self.dan.settled()

    def cards(self, cards: str) -> None:
        """Cards as the dealer enters them: on the pad, typed in small letters, or face down."""
        for number, card in enumerate(cards.split()):
            before = self.dan.version
            if card == "??":
                self.dan.part("deal").locator("[data-card=unknown]").click()
            elif number % 2:
                self.dan.part("deal").locator(f"[data-card='{card}']").click()
            else:
                self.types(card)
            self.dan.settled()
            assert self.dan.version > before, card

    def types(self, card: str) -> None:
        """A card typed in small letters with the focus nowhere in particular, and Enter."""
        self.dan.page.evaluate("() => document.activeElement?.blur()")
        self.dan.page.keyboard.type(card.lower())
        self.dan.page.keyboard.press("Enter")

    def turns(self, card: str) -> None:
        """The hole card is turned; the dealer sees it now."""
        self.until("turn_card")
        self.dan.does("turn_card", card=card)

    def reader(self, answer: str) -> None:
        """What the reader tells, as a button."""
        self.dan.does("reader_told", answer=answer)

    def reports(self, says: str, **given: str | bool) -> None:
        """The dealer reports an irregularity."""
        self.dan.begins(says, **given)
        self.dan.accepted()
        self.worked.add(says.replace(" ", "_"))

    def ends(self) -> None:
        """What is paid and taken stands in its order; the cards are picked up."""
        self.until("collect_cards")
        self.dan.current()
        expect(self.dan.part("payments").locator("li")).to_have_count(len(self.view["payments"]))
        self.dan.does("collect_cards")

    def everybody_leaves(self) -> None:
        """The guests go, with their chips; nobody is at the table any more."""
        for name in GUESTS:
            self.dan.current()
            guests = self.dan.page.locator(".tw-seats")
            if guests.get_attribute("open") is None:
                guests.locator("summary").click()
            guests.locator(f"[data-seated='{name}'] [data-act=leaves]").click()
            self.dan.settled()
        assert self.view["players"] == {}

    def chips(self) -> list[str]:
        """What the guests have."""
        return [self.view["players"][name]["chips"] for name in GUESTS]


def _entered(view: dict[str, Any], step: dict[str, Any]) -> dict[str, str]:
    """What a step asks for that the console does not know."""
    if step["do"] == "count_cards":
        return {"cards": str(view["shoe"]["size"])}
    if step["do"] == "reader_told":
        [field] = view["fields"]["reader_told"]
        told = reader_answer(field["name"], view["dealer"]["cards"][0], "8S")
        return {name: str(value).lower() for name, value in told.items()}
    return {}
