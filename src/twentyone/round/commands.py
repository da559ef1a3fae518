"""What a caller brings to a round: cards, decisions, wheel symbols, irregularities."""

from __future__ import annotations

from typing import NamedTuple

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.round.event_base import Frozen, frozen

__all__ = [
    "Command",
    "Confirmed",
    "Corrected",
    "Decision",
    "Draw",
    "Drawn",
    "Happened",
    "Need",
    "Offer",
    "Option",
    "Over",
    "ReaderReport",
    "ReaderTold",
    "Spin",
    "Spun",
    "Told",
    "TurnUp",
    "TurnedUp",
]


@frozen
class Drawn(Frozen):
    """A card has left the shoe for the draw that is due."""

    card: Card
    """The card; `UNKNOWN` where it lies face down and nobody has seen it."""
    face_up: bool = False
    """Whether it was found face up in the shoe."""


@frozen
class Decision(Frozen):
    """What a player (or, for a wrong range, the dealer) said."""

    action: str
    """hit, stand, double, split, surrender, rescue, insure, even_money, second_chance, designate,
    refuse, late_card, call_dead, go_on, decline."""
    box: int | None = None
    """The box; absent: the one that is asked."""
    player: str | None = None
    """Who speaks; absent: the caller of the box."""
    amount: Amount | None = None
    """The wager it makes, where it makes one; absent: the most allowed."""
    hand: int | None = None
    """The hand a follower designates, or the dealer speaks of."""


@frozen
class Spun(Frozen):
    """The prize wheel has stopped."""

    symbol: str
    """The symbol it landed on."""
    hot_spot: int | None = None
    """The box drawn as the hot spot, where several could be."""


@frozen
class Happened(Frozen):
    """An irregularity, as the dealer or floorperson reports it."""

    name: str
    """Which one."""
    box: int | None = None
    """The box it concerns."""
    card: Card | None = None
    """The card it concerns, where its face was seen."""
    exposed: bool = False
    """Whether the card's face was exposed to the players."""
    shown: str | None = None
    """The value range shown in error."""


@frozen
class ReaderTold(Frozen):
    """What the reader told of a hole card that nobody has seen."""

    blackjack: bool | None = None
    """Whether it makes a Blackjack, where the reader tells that."""
    range: str | None = None
    """Its value range, where the reader lights that."""


@frozen
class TurnedUp(Frozen):
    """A hole card that nobody had seen was turned up."""

    card: Card
    """What it is."""


@frozen
class Corrected(Frozen):
    """An entry of the round was wrong: the round is played again from it with the right one."""

    wrong: str
    """What was entered: a card, what the reader told (`blackjack`, `no blackjack`, a range), or what the wheel did
    (its symbol, or `hot spot 3`)."""
    right: str
    """What it is."""
    why: str
    """How the mistake came about, in the words of the one who corrects it."""
    box: int | None = None
    """The box whose card or spin it is; none: wherever it is."""
    number: int | None = None
    """Which of several such entries, counted from 1."""


@frozen
class Confirmed(Frozen):
    """A floorperson confirms that he was told of an irregularity."""

    by: str
    """Who confirms it."""


Command = Drawn | Decision | Spun | Happened | ReaderTold | TurnedUp | Confirmed


class Draw(NamedTuple):
    """A card is due."""

    box: int | None
    """To this box; none: to the dealer."""
    hand: int | None = None
    """To this hand of the box, counted from 1."""
    face_down: bool = False
    """Whether it is dealt face down."""


class Option(NamedTuple):
    """One decision that is allowed now."""

    action: str
    """The decision."""
    box: int
    """Whose box."""
    hand: int | None
    """Which hand of it."""
    player: str
    """Who may take it."""
    most: Amount | None = None
    """The largest wager it may make, where it makes one."""
    least: Amount | None = None
    """The smallest."""

    def __repr__(self) -> str:
        hand = f" hand {self.hand}" if self.hand is not None else ""
        most = f", up to {self.most}" if self.most is not None else ""
        return f"<{self.action}: {self.player}, box {self.box}{hand}{most}>"

    def decision(self, amount: Amount | None = None) -> Decision:
        """The decision itself, for the largest wager unless another is given."""
        hand = self.hand if self.action in ("designate", "go_on", "call_dead") else None
        return Decision(self.action, self.box, self.player, amount if self.most is not None else None, hand)


class Offer(NamedTuple):
    """Somebody is asked."""

    kind: str
    """`turn`, `insurance`, `surrender`, `double`, `split`, `rescue`, `second_chance`, `late_card`, `wrong_range`."""
    options: tuple[Option, ...]
    """What may be answered."""
    optional: bool
    """Whether silence (decline) is an answer."""


class Spin(NamedTuple):
    """The prize wheel is to be spun."""

    wheel: str
    """bonus_spin or xtreme_16."""
    box: int | None
    """For this box; none: a hot spot is to be drawn."""
    player: str | None
    """For this player."""


class ReaderReport(NamedTuple):
    """The reader is to tell of a hole card that nobody has seen."""

    tells: str
    """`blackjack` or `range`."""


class TurnUp(NamedTuple):
    """A hole card that nobody has seen is to be turned up and named."""


class Told(NamedTuple):
    """A floorperson was told of an irregularity and is to confirm it."""

    irregularity: str
    """Which one."""


class Over(NamedTuple):
    """The round is over."""


Need = Draw | Offer | Spin | ReaderReport | TurnUp | Told | Over
