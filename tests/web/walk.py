"""A stranger at a table whose cards the test decides: he comes in, lays, decides and reads, each by his own means."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server

__all__ = ["Move", "Played", "Walk"]

BOX = 3
CHIPS = {"1": "1", "5": "2", "25": "3", "100": "4"}
"""The keys of the chips."""
KEYS = {f"chip-{chip}": key for chip, key in CHIPS.items()} | {
    "rebet": "b",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "insure": "i",
    "even_money": "e",
    "rescue": "x",
    "second_chance": "c",
    "decline": "n",
    "stand": "s",
    "hit": "h",
}
"""Keys that do something wherever the focus is."""
MOST = 60
"""More presses of Tab than the page has places for."""
NET = re.compile(r"[+−]\$[\d,]+(?:\.\d\d)?")
"""What was won or lost, in a sentence and on the layout."""
BUST = re.compile(r"Dealer busts with (\d+)")
"""What the dealer's badge says, too."""
FOCUSED = "wanted => document.activeElement.matches(wanted)"


class Move(NamedTuple):
    """A question to the stranger, what he answers, and the cards that his answer brings."""

    asked: str
    answer: str
    cards: str = ""


@dataclass(frozen=True)
class Played:
    """A round: what is pressed to lay, the cards, the moves, and what the text makes of it."""

    presses: tuple[str, ...]
    cards: str
    """Box, up card, box, hole card."""
    moves: tuple[Move, ...]
    told: tuple[str, ...]
    """The sentences of the result."""
    cites: tuple[str, ...]
    """The paragraphs that pay and take."""
    purse: str
    """What he has then."""
    draws: str = ""
    """What the dealer draws at the end."""
    spins: str = ""
    """Where the wheel stops."""
    badges: tuple[str, ...] = ()
    """What stands on the layout, where it is not what stands in the sentences."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What each hand and each wager beside it won or lost."""
        return self.told if len(self.told) == 1 else self.told[1:]


class Stranger(Looking):
    """Somebody without a name or an account, who uses a mouse, keys alone, or a finger on a phone."""

    def __init__(self, page: Page, means: str) -> None:
        super().__init__(page)
        self.means = means

    def gives(self, *actions: str) -> None:
        """Press what does these, one after the other; then what the table answers is seen."""
        for action in actions:
            self.current()
            expect(self.button(action)).to_be_visible()
            if self.means == "keyboard" and action in KEYS:
                self.page.keyboard.press(KEYS[action])
            else:
                reach(self.page, self.means, f"[data-action={action}]")
            self.settled()

    def reads(self, *sentences: str) -> None:
        """The sentences under the layout are these and no others."""
        expect(self.part("say").locator("> span")).to_have_text(list(sentences))


def reach(page: Page, means: str, wanted: str) -> None:
    """Press the first thing that fits: by mouse, by Tab and Enter, or by a finger."""
    if means == "touch":
        page.locator(wanted).first.tap()
    elif means == "mouse":
        page.locator(wanted).first.click()
    else:
        presses = 0
        while not page.evaluate(FOCUSED, wanted):
            presses += 1
            assert presses < MOST, f"Tab does not lead to {wanted}"
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")


class Walk:
    """A table of a game and the stranger who finds it."""

    def __init__(self, server: Server, admin: Api, enter: Enter, means: str, rulebook: str, **chosen: Any) -> None:
        self.table = Staffed(server, rulebook, admin, **LIMITS, **chosen)
        self.table.open()
        size = {"size": "phone", "has_touch": True} if means == "touch" else {}
        page = enter("about:blank", **size)
        self.logged: list[str] = []
        page.on("console", lambda said: self.logged.append(said.text) if said.type in ("error", "warning") else None)
        self._arrives(page, means)
        self.stranger = Stranger(page, means)

    def _arrives(self, page: Page, means: str) -> None:
        """From the list of tables with one press; by keys at the table itself, among the places that are free."""
        if means == "keyboard":
            page.goto(self.table.address)
            Looking(page)
            reach(page, means, f"[data-action=sit-{BOX}]")
        else:
            page.goto(self.table.server.base)
            reach(page, means, f"[data-card={self.table.name}] [data-act=sit]")
            page.wait_for_url(self.table.address)

    def sits(self) -> None:
        """He has a box and play money; the cards are made ready, and he cuts them where he is asked."""
        self.stranger.purse("$500.00")
        expect(self.stranger.page.locator(".tw-head [data-act=logout]")).to_be_visible()
        while (step := (view := self.table.view)["next"][0])["do"] != "place_wager":
            if view["cut"] and view["cut"]["offered"]:
                self.stranger.reads("You may cut the cards: choose where.")
                self.stranger.gives("cut")
            else:
                self.table.step(view, step)
        self.stranger.reads("Lay your wager.")

    def plays(self, round_: Played) -> None:
        """One round from the chips to the cards picked up."""
        self.stranger.gives(*round_.presses)
        self.stranger.reads("Your wager is laid: wait for the cards.")
        self.table.begin(round_.cards)
        if round_.spins:
            self.stranger.reads("The bonus spin wheel turns for you.")
            self.table.dealer.do(self.table.name, "spin", symbol=round_.spins)
        for move in round_.moves:
            self.stranger.reads(move.asked)
            self.stranger.gives(move.answer)
            if move.cards:
                self.table.deal(move.cards)
        self._ends(round_)

    def _ends(self, round_: Played) -> None:
        """The result is read, said aloud, and shown on the layout; then the cards are picked up."""
        self.table.turned()
        if round_.draws:
            self.table.deal(round_.draws)
        self.stranger.reads(*round_.told)
        expect(self.stranger.part("say").locator(".tw-chip")).to_have_text(list(round_.cites))
        expect(self.stranger.part("announce")).to_have_text(" ".join(round_.told))
        for amount, times in Counter(round_.badges or NET.findall(" ".join(round_.parts))).items():
            expect(self.stranger.badge(amount)).to_have_count(times)
        for over in set(BUST.findall(" ".join(round_.told))):
            expect(self.stranger.badge(f"bust {over}")).to_have_count(1)
        self.stranger.purse(round_.purse)
        self.table.dealer.do(self.table.name, "collect_cards")
        self.stranger.reads(*round_.told, "Lay your next wager.")
