"""How a round unfolds: steps, deal, decisions, the dealer, announcements."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from twentyone.rulebook.clauses.base import Clause, Ranks

__all__ = [
    "Announce",
    "BlackjackEnds",
    "Deal",
    "Dealer",
    "DealerStops",
    "Decision",
    "DecisionCards",
    "Expose",
    "InsuranceCloses",
    "InsuranceLimit",
    "MayNot",
    "Step",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Step(Clause):
    """A step of the round; the order of steps stands in rulebook.toml."""

    type_key = "step"
    name: str
    """Which step."""
    start: str = "left"
    """The dealer's side it starts from: boxes run away from there."""
    if_up: Ranks = ()
    """Only if the dealer's up card is one of these."""
    collect_first: bool = False
    """Whether all losing wagers are collected before a winning one is paid."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Deal(Clause):
    """One pass of the initial deal."""

    type_key = "deal"
    to: str
    """`boxes` or `dealer`."""
    face: str = "up"
    """`up` or `down`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionCards(Clause):
    """Cards that a decision calls for are dealt as it is made."""

    type_key = "decision_cards"
    face: str = "up"
    """`up` or `down`."""
    decision: str = ""
    """The decision whose card it is; absent: every one that has no clause of its own."""
    lies: str = "upright"
    """`upright`, or `sideways` on the layout."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Decision(Clause):
    """A decision a player may take."""

    type_key = "decision"
    name: str
    """hit, stand, double, split, surrender, rescue, insure, even_money, second_chance."""
    cards: int | None = None
    """Only on exactly so many cards."""
    cards_least: int | None = None
    """Only on so many cards or more."""
    total_below: int | None = None
    """Only on a total less than this."""
    total_most: int | None = None
    """Only on a total not in excess of this."""
    total_over: int | None = None
    """Only on a total in excess of this."""
    soft_total: int | None = None
    """Also on this total when soft."""
    alike: str | None = None
    """`value`: the two cards count the same."""
    hands: int | None = None
    """So many hands a box at most after splitting."""
    hands_key: str | None = None
    """... or the submission key that says it."""
    split_hands: bool = True
    """Whether it may be taken on a hand out of a split."""
    blackjack: bool | None = None
    """Only on a Blackjack, or only on a hand that is none."""
    wins_on: Ranks = ()
    """The hole cards that make its wager win."""
    loses_on: Ranks = ()
    """The hole cards that make it lose, where the text names them."""
    share: Fraction | None = None
    """The share of the main wager that it gives up."""
    with_double: bool = True
    """Second chance: the wager equals the original and the double together."""
    paid_hands: bool = True
    """Whether it may be taken by a player whose hand is settled already."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MayNot(Clause):
    """A decision a text forbids in so many words."""

    type_key = "may_not"
    name: str
    """The decision."""
    total: int | None = None
    """On this total."""
    soft: bool | None = None
    """... when soft, or when hard."""
    blackjack: bool | None = None
    """On a Blackjack."""
    after: str | None = None
    """After this decision on the same hand (double, hit, split; stand: once it is closed)."""
    split: bool | None = None
    """On a hand out of a split."""
    ranks: Ranks = ()
    """On a split hand that began with one of these ranks."""
    hands: int | None = None
    """Once the box holds so many hands ..."""
    hands_key: str | None = None
    """... or the number under this submission key."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class InsuranceLimit(Clause):
    """How much an Insurance Wager may be."""

    type_key = "insurance_limit"
    share: Fraction
    """This share of the main wager, or the next amount that can be laid in chips."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class InsuranceCloses(Clause):
    """Until when an Insurance Wager may be made."""

    type_key = "insurance_closes"
    before: str
    """The step that closes it."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BlackjackEnds(Clause):
    """A dealer's Blackjack that is found before the players act ends their play."""

    type_key = "blackjack_ends"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Expose(Clause):
    """When the hole card is shown to the players before they act."""

    type_key = "expose"
    range: str
    """When both cards of the dealer's are of this range."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dealer(Clause):
    """Where the dealer stops drawing."""

    type_key = "dealer"
    stands: tuple[int, ...]
    """Totals, hard or soft, at which he draws no more."""
    hits_soft: tuple[int, ...] = ()
    """Soft totals among them at which he draws all the same."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DealerStops(Clause):
    """The dealer draws no card that cannot change the outcome."""

    type_key = "dealer_stops"
    draws_for: int | None = None
    """A player's total that makes him draw although its outcome is certain."""
    second_card: bool = True
    """Whether his second card is dealt in any case."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Announce(Clause):
    """Something the dealer says aloud."""

    type_key = "announce"
    what: str
    """`dealer_total`, `dealer_final`, `player_total`, `new_total`, `split_total` or `dealers_card`."""
    words: str = ""
    """The words, where the text orders them."""
