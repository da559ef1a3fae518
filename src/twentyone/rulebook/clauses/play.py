"""How a round unfolds: steps, deal, decisions, the dealer, announcements."""

from fractions import Fraction
from typing import Literal

from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.vocabulary import (
    Announcement,
    DecisionName,
    Face,
    InsuranceBefore,
    RangeName,
    Ranks,
    Side,
    StepName,
    SubmissionName,
    Text,
)

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


@clause("step", named=True)
class Step(Clause):
    """A step of the round; the order of steps stands in rulebook.toml."""

    name: StepName
    """Which step."""
    start: Side = "left"
    """The dealer's side it starts from: boxes run away from there."""
    if_up: Ranks = ()
    """Only if the dealer's up card is one of these."""
    collect_first: bool = False
    """Whether all losing wagers are collected before a winning one is paid."""


@clause("deal")
class Deal(Clause):
    """One pass of the initial deal."""

    to: Literal["boxes", "dealer"]
    """`boxes` or `dealer`."""
    face: Face = "up"
    """`up` or `down`."""


@clause("decision_cards")
class DecisionCards(Clause):
    """Cards that a decision calls for are dealt as it is made."""

    face: Face = "up"
    """How they are dealt."""
    decision: DecisionName | Literal[""] = ""
    """The decision whose card it is; absent: every one that has no clause of its own."""
    lies: Literal["upright", "sideways"] = "upright"
    """How the card lies on the layout."""


@clause("decision", named=True)
class Decision(Clause):
    """A decision a player may take."""

    name: DecisionName
    """hit, stand, double, split, surrender, rescue, insure, even_money, second_chance."""
    cards: int | None = None
    """Only on exactly this many cards."""
    cards_least: int | None = None
    """Only on this many cards or more."""
    total_below: int | None = None
    """Only on a total less than this."""
    total_most: int | None = None
    """Only on a total not in excess of this."""
    total_over: int | None = None
    """Only on a total in excess of this."""
    soft_total: int | None = None
    """Also on this total when soft."""
    alike: Literal["value", "rank"] | None = None
    """`value`: the two cards count the same."""
    hands: int | None = None
    """The most hands per box after splitting."""
    hands_key: SubmissionName | None = None
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


@clause("may_not", named=True)
class MayNot(Clause):
    """A decision a text forbids in so many words."""

    name: DecisionName | Literal["draw"]
    """The decision."""
    total: int | None = None
    """On this total."""
    soft: bool | None = None
    """... when soft, or when hard."""
    blackjack: bool | None = None
    """On a Blackjack."""
    after: Literal["double", "hit", "split", "stand"] | None = None
    """After this decision on the same hand (double, hit, split; stand: once it is closed)."""
    split: bool | None = None
    """On a hand out of a split."""
    ranks: Ranks = ()
    """On a split hand that began with one of these ranks."""
    hands: int | None = None
    """Once the box holds this many hands ..."""
    hands_key: SubmissionName | None = None
    """... or the number under this submission key."""


@clause("insurance_limit")
class InsuranceLimit(Clause):
    """How much an Insurance Wager may be."""

    share: Fraction
    """This share of the main wager, or the next amount that can be laid in chips."""


@clause("insurance_closes")
class InsuranceCloses(Clause):
    """Until when an Insurance Wager may be made."""

    before: InsuranceBefore
    """The step that closes it."""


@clause("blackjack_ends")
class BlackjackEnds(Clause):
    """A dealer's Blackjack that is found before the players act ends their play."""


@clause("expose")
class Expose(Clause):
    """When the hole card is shown to the players before they act."""

    range: RangeName
    """When both cards of the dealer's are of this range."""


@clause("dealer")
class Dealer(Clause):
    """Where the dealer stops drawing."""

    stands: tuple[int, ...]
    """Totals, hard or soft, at which he draws no more."""
    hits_soft: tuple[int, ...] = ()
    """Soft totals among them at which he draws all the same."""


@clause("dealer_stops")
class DealerStops(Clause):
    """The dealer draws no card that cannot change the outcome."""

    draws_for: int | None = None
    """A player's total that makes him draw although its outcome is certain."""
    second_card: bool = True
    """Whether his second card is dealt in any case."""


@clause("announce")
class Announce(Clause):
    """Something the dealer says aloud."""

    what: Announcement
    """`dealer_total`, `dealer_final`, `player_total`, `new_total`, `split_total` or `dealers_card`."""
    words: Text = ""
    """The words, where the text orders them."""
