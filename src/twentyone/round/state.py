"""The state of a round: what lies on the layout. It changes only by events (see `evolve`)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.money import ZERO, Amount, Odds
from twentyone.round.commands import Draw
from twentyone.round.events import HandRef, WagerSettled
from twentyone.rulebook.clauses import Pay

__all__ = ["Ask", "Hand", "HandWager", "SideWager", "State", "bonus_paid", "settled", "side_settled", "won"]


class HandWager(NamedTuple):
    """One player's chips on one hand."""

    player: str
    """Whose."""
    wager: str
    """`main` or `split`."""
    amount: Amount
    """The original wager."""
    double: Amount = ZERO
    """The Double Down Wager."""
    chance: Amount = ZERO
    """The Second Chance Wager."""
    surrendered: bool = False
    """Whether its player gave the hand up."""
    rescued: bool = False
    """Whether its player took the double back and gave the original up."""
    settled: bool = False
    """Whether its result rows are written."""

    @property
    def played(self) -> list[tuple[str, Amount]]:
        """What the outcome of the hand decides: the original wager and its double."""
        return [(self.wager, self.amount), *([("double", self.double)] if self.double else [])]


class Hand(NamedTuple):
    """One hand of a box."""

    cards: tuple[Card, ...]
    """Its cards in the order dealt."""
    wagers: tuple[HandWager, ...]
    """The caller's chips first."""
    split: bool = False
    """Whether it came out of a split."""
    doubled: bool = False
    """Whether its caller doubled."""
    status: str = "open"
    """`open`, `closed` (draws no more), `surrendered`, `waiting` (for a late card), `dead`."""
    due: str = ""
    """The decision a card is due for."""
    refused: bool = False
    """Whether a card drawn in error was refused for this hand alone."""
    chance: Card | None = None
    """The second chance card."""
    sideways: tuple[Card, ...] = ()
    """The cards that lie sideways, the last ones of the hand."""
    away: bool = False
    """Whether its cards are in the discard rack already."""

    @property
    def lying(self) -> tuple[Card, ...]:
        """Its cards on the layout, the second chance card last."""
        if self.away:
            return ()
        return self.cards if self.chance is None else (*self.cards, self.chance)

    @property
    def expects_card(self) -> bool:
        """Whether a card comes to it before it is asked again."""
        return bool(self.due) or self.status == "waiting" or (self.split and len(self.cards) < 2)

    @property
    def settled(self) -> bool:
        """Whether all its wagers are settled."""
        return all(hand_wager.settled for hand_wager in self.wagers)

    @property
    def caller(self) -> HandWager:
        """The wager of the player who calls its decisions."""
        for hand_wager in self.wagers:
            if not (hand_wager.settled or hand_wager.surrendered):
                return hand_wager
        return self.wagers[0]

    def changed(self, player: str, **changes: Any) -> Hand:
        """The hand with one player's open wager changed."""
        wagers = tuple(
            hand_wager._replace(**changes) if hand_wager.player == player and not hand_wager.settled else hand_wager
            for hand_wager in self.wagers
        )
        return self._replace(wagers=wagers)


class SideWager(NamedTuple):
    """A wager on a box beside the main wager, or insurance."""

    box: int
    player: str
    wager: str
    amount: Amount
    settled: bool = False


def settled(
    cite: str,
    *,
    player: str,
    wager: str,
    amount: Amount,
    outcome: str,
    net: Amount,
    on: HandRef | int | None = None,
    odds: Odds | None = None,
) -> WagerSettled:
    """A row of the result, `on` a hand, a box or neither."""
    box, hand = on if isinstance(on, HandRef) else (on, None)
    return WagerSettled(cite, box, hand, player, wager, amount, outcome, odds, net, amount)


def won(pay: Pay, *, on: HandRef, player: str, wager: str, amount: Amount) -> WagerSettled:
    """A wager on a hand that is paid at the odds of a row."""
    net = pay.odds.pays(amount)
    return settled(pay.cite, on=on, player=player, wager=wager, amount=amount, outcome="win", odds=pay.odds, net=net)


def bonus_paid(cite: str, player: str, wager: str, amount: Amount, on: HandRef | int | None = None) -> WagerSettled:
    """An additional amount for a player: it never lay on the layout."""
    row = settled(cite, on=on, player=player, wager=wager, amount=amount, outcome="win", net=amount)
    return replace(row, staked=ZERO)


def side_settled(side: SideWager, cite: str, outcome: str, net: Amount, odds: Odds | None = None) -> WagerSettled:
    """How a wager beside the main one was settled."""
    return settled(
        cite, on=side.box, player=side.player, wager=side.wager, amount=side.amount, outcome=outcome, odds=odds, net=net
    )


class Ask(NamedTuple):
    """An open question beside the ordinary decision."""

    offer: str
    """What is asked."""
    cite: str
    """Under which paragraph."""
    players: tuple[tuple[int, str], ...]
    """Boxes and players who have not answered."""
    hand: int | None = None
    """The hand it is about."""


@dataclass
class State:
    """Everything on the layout. Treat as frozen: a round copies it before events change the copy."""

    boxes: tuple[int, ...] = ()
    """The boxes with a wager, from the dealer's left."""
    hands: dict[int, tuple[Hand, ...]] = field(default_factory=dict)
    """Box to its hands, in the order of play."""
    sides: tuple[SideWager, ...] = ()
    """Side wagers and insurance."""
    dealer: tuple[Card, ...] = ()
    """The dealer's cards in the order dealt."""
    shown: bool = True
    """Whether every card of the dealer's is face up."""
    reader_failed: bool = False
    """Whether the card reader failed in this round."""
    range: str | None = None
    """The announced value range of the hole card."""
    told: bool | None = None
    """What the reader told of the hole card: whether it makes a Blackjack; none: nothing yet."""
    step: int = -1
    """Index of the step in progress."""
    fresh: bool = False
    """Whether nothing has happened in the step yet."""
    due: tuple[Draw, ...] = ()
    """Cards of the initial deal still to come."""
    ask: Ask | None = None
    """An open question."""
    held: Card | None = None
    """A card drawn in error whose face is exposed: the next card."""
    unexposed: bool = False
    """Whether the next card lies drawn in error, face down."""
    refused: frozenset[str] = frozenset()
    """Players who refused a card and draw no more."""
    missed: tuple[int, ...] = ()
    """Boxes that the initial deal missed."""
    asked_box: int = 0
    """The last box that was asked beside its turn; a step up to the early surrender begins with none."""
    early_surrender: bool = False
    """Whether surrender was offered before the reader."""
    set_aside: tuple[Card, ...] = ()
    """Cards that left the shoe and were not used."""
    taken_out: tuple[Card, ...] = ()
    """Cards among them that are out of the game, for a floorperson to destroy."""
    face_ups: int = 0
    """Cards found face up in the shoe this round."""
    tens: int = 0
    """Removed ranks found in the shoe this round."""
    used: int = 0
    """Cards that left the shoe this round."""
    range_wrong: bool = False
    """Whether a wrong range was reported."""
    announced: int = 0
    """How many cards of the dealer's his last announced total had."""
    dealer_missed: int = 0
    """The last card of his own that the dealer missed."""
    wrong: tuple[HandRef, ...] = ()
    """Hands the dealer has still to decide on after a wrong range."""
    notified: str = ""
    """An irregularity that a floorperson was told of and has still to confirm."""
    rows: tuple[WagerSettled, ...] = ()
    """Settled wagers."""
    players: dict[str, Amount] = field(default_factory=dict)
    """Each player's chips against the start of the round."""
    layout: Amount = ZERO
    """Chips on the layout."""
    house: Amount = ZERO
    """The table inventory against the start of the round."""
    meters: dict[str, Amount] = field(default_factory=dict)
    """What the progressive meters show."""
    meters_wait: dict[str, Fraction] = field(default_factory=dict)
    """What they hold and do not show."""
    jackpots: tuple[tuple[str, Amount, Fraction], ...] = ()
    """The jackpots of this round in their order: the meter, what it showed and paid, what waited then."""
    void: bool = False
    """Whether the round is void."""
    over: bool = False
    """Whether the cards are collected."""

    def copy(self) -> State:
        """A copy that events may change."""
        twin = State.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.hands = self.hands.copy()
        twin.players = self.players.copy()
        return twin

    # -- what several events do

    def hand(self, ref: HandRef) -> Hand:
        """A hand of a box."""
        return self.hands[ref.box][ref.number - 1]

    def put(self, ref: HandRef, hand: Hand) -> None:
        """Put a changed hand back where it was."""
        hands = self.hands[ref.box]
        self.hands[ref.box] = (*hands[: ref.number - 1], hand, *hands[ref.number :])

    def set_status(self, ref: HandRef, status: str) -> None:
        """Set a hand's status; no card is due to it any more."""
        self.put(ref, self.hand(ref)._replace(status=status, due=""))

    def lay(self, player: str, amount: Amount) -> None:
        """Chips go from a player to the layout."""
        self.players[player] = self.players.get(player, ZERO) - amount
        self.layout = self.layout + amount
