"""Tables of a ledger at which coupons are laid; a person enters the cards, so that a test says who wins."""

from __future__ import annotations

from typing import Any

from tests.contracts.house_tables import NOW
from tests.contracts.runner_driver import KEYRING, seeded_source

from twentyone.ledger.coupons import COUPONS, CouponRow, issued
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table import Command
from twentyone.table.follow import Follower

__all__ = ["DAY", "CouponTable", "coupon", "issue"]

DAY = 24 * 60 * 60
FOLLOWER = Follower(
    {"dealer": "Dan", "floorperson": "Fay"},
    bring=lambda step: {"commitment": "by hand"} if step.do == "shuffle" else {},
)
WIN, LOSE, PUSH = ("KS", "8D", "9D"), ("KS", "8D", "6D"), ("KS", "8D", "7D")
"""The cards of Ann and the dealer's first one; the dealer's second is a nine."""
CARDS = {"win": WIN, "lose": LOSE, "push": PUSH}


def issue(store: Store, number: str, amount: str = "10", *, ends: int = NOW + DAY, person: str = "") -> None:
    """The house issues a coupon."""
    event = issued(number, Amount(amount), "Fay", NOW, ends, person)
    store.append(HOUSE, 0, [event], f"issue {number} {store.version(HOUSE)}", number)


def coupon(store: Store, number: str) -> CouponRow | None:
    """A coupon as the ledger has it."""
    row = store.find_derived(COUPONS, number)
    return None if row is None else CouponRow(*row)


class CouponTable:
    """A table of Section 13 at which Ann sits, as one process works it."""

    def __init__(self, store: Store, stream: str, player: str = "Ann") -> None:
        self.now, self.player = NOW, player
        self.runner = Runner(store, stream, KEYRING, seeded_source(5), lambda: self.now)
        if store.version(stream):
            self.runner.load()
            return
        self.runner.create(Rulebook.load("s13-spanish-21").under({}), cards="person", for_play=False)
        self._follow("show_cards")
        self.give("sit", "player", player, boxes=[1])
        self.give("buy_in", player=player, amount="1000")
        self._follow("")

    def _follow(self, task: str) -> None:
        while (table := self.runner.table).state.phase == "closed" or (
            table.state.agenda and table.state.agenda[0].do != task
        ):
            do, role, by, _, args = FOLLOWER.command(table, table.next_steps()[0])
            self.give(do, role, by, **args)

    def give(self, do: str, role: str = "dealer", by: str = "Dan", key: str = "", **args: Any) -> Answer:
        """Give a command."""
        key = key or f"{self.runner.stream} {self.runner.version} {do}"
        return self.runner.handle(Command(do, role, by, args=args), key)

    def wager(self, amount: str = "10") -> CouponTable:
        """The player lays chips on his box."""
        self.give("place_wager", "player", self.player, box=1, amount=amount)
        return self

    def lay(self, number: str, amount: str = "10", **more: Any) -> CouponTable:
        """The dealer lays a coupon beside them."""
        self.give("lay_coupon", box=1, player=self.player, number=number, amount=amount, **more)
        return self

    def play(self, outcome: str) -> CouponTable:
        """A round that the player wins, loses or does neither."""
        self.give("deal")
        cards = iter(CARDS[outcome])
        while (state := self.runner.table.state).phase != "settled":
            step = self.runner.table.next_steps()[0]
            face_down = step.do == "card" and "face down" in step.says
            args: dict[str, dict[str, Any]] = {
                "card": {} if face_down or step.do != "card" else {"card": next(cards)},
                "turn_card": {"card": "9C"},
                "reader_told": {"blackjack": False},
                "decide": {"action": "stand"},
            }
            role, by = ("player", self.player) if step.do == "decide" else ("dealer", "Dan")
            assert state.phase == "round"
            self.give(step.do, role, by, **args[step.do])
        return self

    def collect(self) -> CouponTable:
        """The cards are picked up."""
        self.give("collect_cards")
        return self

    @property
    def chips(self) -> str:
        """What the player has."""
        return str(self.runner.table.state.chips[self.player])
