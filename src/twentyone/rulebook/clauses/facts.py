"""What the game is played with: cards, values, boxes, wagers."""

from typing import Literal

from twentyone.money import Amount
from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.vocabulary import (
    DeviceName,
    LayoutKind,
    Light,
    RangeName,
    Ranks,
    Side,
    SubmissionName,
    Text,
    WagerName,
)

__all__ = [
    "Ace",
    "Blackjack",
    "Boxes",
    "Cards",
    "FixedWager",
    "InfiniteDeck",
    "LayoutItem",
    "Range",
    "SeveralBoxes",
    "SharedBox",
    "Value",
    "Wager",
    "WagerLimit",
]


@clause("cards")
class Cards(Clause):
    """The cards of a deck."""

    per_deck: int
    """Cards in a deck."""
    without: Ranks = ()
    """Ranks removed from each deck."""


@clause("infinite_deck")
class InfiniteDeck(Clause):
    """Every card is dealt as if from whole decks: no card that is out makes another more likely."""


@clause("value")
class Value(Clause):
    """What cards other than the ace count."""

    ranks: Ranks
    """The ranks it speaks of."""
    value: int | None = None
    """Their value; absent: the number on the card."""


@clause("ace")
class Ace(Clause):
    """What an ace counts."""

    high: int
    """Its value ..."""
    low: int
    """... and its value where the high one would take the hand over the limit."""
    player: int
    """The player's limit."""
    dealer: int
    """The dealer's limit."""


@clause("range")
class Range(Clause):
    """A value range that the Masque reader tells."""

    name: RangeName
    """small, medium or large."""
    ranks: Ranks
    """The ranks in it."""
    light: Light
    """The colour of its light."""


@clause("blackjack")
class Blackjack(Clause):
    """Which two cards are a Blackjack."""

    ace: Ranks
    """One card of these ranks ..."""
    value: int
    """... and one of this value, as the initial two cards."""


@clause("boxes")
class Boxes(Clause):
    """How many boxes the layout has."""

    most: int
    """The number of the last box."""

    @property
    def counted(self) -> str:
        """The citation of the text that gives their number; empty where only a reading does."""
        return "" if self.reading else self.cite


@clause("several_boxes")
class SeveralBoxes(Clause):
    """One player on several boxes: how they lie."""

    adjacent: bool
    """Whether they lie side by side."""


@clause("shared", named=True)
class SharedBox(Clause):
    """Several players on one box: who calls, who follows, and with what right."""

    name: Literal["call", "double", "split", "insure", "surrender", "rescue"]
    """call, double, split, insure, surrender, rescue."""
    binds: bool = False
    """Whether the caller's decision binds the followers."""


@clause("wager", named=True)
class Wager(Clause):
    """A wager placed before the first card."""

    name: WagerName
    """Its kind."""
    title: Text
    """What the text calls it."""
    least: Amount | None = None
    """The smallest."""
    trigger: tuple[int, ...] = ()
    """The values of the dealer's two initial cards that make it win."""
    either_order: bool = True
    """... in whichever order they came."""
    no_others: bool = False
    """Whether its paragraph says that there are no wagers but those that the text names."""


@clause("wager_limit")
class WagerLimit(Clause):
    """A side wager that may not exceed the main wager."""

    wager: WagerName
    """The wager it limits."""


@clause("fixed_wager")
class FixedWager(Clause):
    """A wager that has one size."""

    wager: WagerName
    """The wager."""
    amount: Amount
    """Its size."""


@clause("layout")
class LayoutItem(Clause):
    """Something that the layout or the table shows."""

    item: LayoutKind
    """`approval`, `name`, `area`, `dealer_area`, `inscription`, `sign_or_inscription`, `odds`, `sign` or `device`."""
    text: Text = ""
    """The words that the text orders, without their full stop; where it orders none, our own."""
    wager: WagerName | Literal[""] = ""
    """The wager that an area or a device is for."""
    range: RangeName | Literal[""] = ""
    """The value range that an area of the dealer's is for."""
    device: DeviceName | Literal[""] = ""
    """Which device."""
    side: Side | Literal[""] = ""
    """The dealer's side it stands on, where the text says it."""
    each: Literal["box", "table"] = "table"
    """`box` or `table`: one for each of them."""
    alternative: Text = ""
    """What may stand instead."""
    shows: SubmissionName = ""
    """The submission key whose value it tells; without a value there is nothing to tell."""
