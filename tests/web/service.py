"""A table with people of every role, whose dealer enters the cards: so that a test decides what is dealt."""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any

from tests.patience import PATIENCE
from tests.web.hole_cards import ASKED, HoleCard
from tests.web.serving import Api, Server

__all__ = ["Staffed", "on_duty"]


@cache
def on_duty(admin: Api, base: str, name: str, role: str) -> Api:
    """Staff of one server: their accounts are opened once."""
    return admin.account(base, name, role)


class Staffed:
    """A table of a rulebook with a dealer, a floorperson and players; the cards are the test's."""

    def __init__(self, server: Server, rulebook: str, admin: Api, **submission: Any) -> None:
        self.server, self.admin = server, admin
        self.name = f"{rulebook}-{uuid.uuid4().hex[:6]}"
        body = {"name": self.name, "rulebook": rulebook, "submission": submission, "cards": "person"}
        admin.post("/tables", body)
        self.dealer_name = "Dan"
        self.dealer = on_duty(admin, server.base, self.dealer_name, "dealer")
        self.floor = on_duty(admin, server.base, "Fay", "floorperson")
        self.players: dict[str, Api] = {}
        self.hole: HoleCard | None = None
        """The hole card of the round, known to the test alone."""

    @property
    def address(self) -> str:
        """The address of the table's page."""
        return f"{self.server.base}/table/{self.name}"

    @property
    def view(self) -> dict[str, Any]:
        """The table as the dealer sees it."""
        view: dict[str, Any] = self.dealer.get(f"/tables/{self.name}")
        return view

    def seat(self, name: str, boxes: list[int], api: Api | None = None, amount: str = "500") -> Api:
        """A player sits down and buys in."""
        player = api or Api.guest(self.server.base, name)
        name = player.get("/me")["name"]
        self.players[name] = player
        player.do(self.name, "sit", boxes=boxes)
        self.dealer.do(self.name, "buy_in", player=name, amount=amount)
        return player

    def open(self) -> None:
        """Open the table and do what the text asks until it is ready for wagers."""
        self.floor.do(self.name, "open_table", dealer=self.dealer_name)
        self.follow()

    def with_player(self, box: int, name: str = "Ada") -> Api:
        """The table, open, with one player at a box."""
        self.open()
        player = self.seat(name, [box])
        self.follow()
        return player

    def follow(self) -> None:
        """Do the next step, whoever's it is, until wagers may be laid or a player must come."""
        while (step := (view := self.view)["next"][0])["do"] not in ("sit", "place_wager", "deal"):
            self.step(view, step)

    def step(self, view: dict[str, Any], step: dict[str, Any]) -> None:
        """Carry out one step of the staff at a table that looks like this."""
        args: dict[str, Any] = {}
        if step["do"] == "count_cards":
            args["cards"] = view["shoe"]["size"]
        args |= {field["name"]: field["value"] for field in view["fields"][step["do"]] if "value" in field}
        who = self.floor if step["role"] == "floorperson" else self.dealer
        if step["do"] in ("cut", "decline_cut"):
            asked, args = view["cut"]["offered"], {"place": view["cut"]["cards"] // 2}
            if asked and not view["players"][asked]["device"]:
                assert self.dealer.enters(self.name, asked, step["do"], **args).is_success
                return
            who = self.players.get(asked, who)
        answer = who.command(self.name, step["do"], **args)
        assert answer.is_success, f"{step['do']} {args}: {answer.text}"

    def begin(self, cards: str) -> dict[str, Any]:
        """Close the wagers and deal the first cards."""
        self.dealer.do(self.name, "deal")
        return self.deal(cards)

    def deal(self, cards: str) -> dict[str, Any]:
        """Deal these cards one after the other, the hole card unseen; answers the view."""
        view = self.view
        for card in cards.split():
            if "face down" in view["next"][0]["says"]:
                view = self.dealer.do(self.name, "card")
                self.turns_up(card)
            else:
                view = self.dealer.do(self.name, "card", card=card)
        while view["next"] and view["next"][0]["do"] in ASKED and self.hole is not None:
            view = self.view
        return view

    def turns_up(self, card: str) -> None:
        """The hole card that lies there is this one: the dealer says so when he is asked."""
        self.hole = HoleCard(self, card)
        self.hole.start()

    def turned(self) -> None:
        """Wait until the hole card lies face up."""
        assert self.hole is not None
        self.hole.join(PATIENCE)

    def collect(self) -> None:
        """Turn the hole card up and pick up the cards of a round that nobody decides in any more."""
        self.turned()
        self.dealer.do(self.name, "collect_cards")

    def wager(self, player: Api, box: int, amount: str = "10", **sides: str) -> None:
        """A player lays a wager, and side wagers beside it."""
        player.do(self.name, "place_wager", box=box, amount=amount)
        for kind, side in sides.items():
            player.do(self.name, "place_wager", box=box, wager=kind, amount=side)
