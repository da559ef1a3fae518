"""The vocabulary of the fences: one frozen type a kind of clause, plain fields, one citation each.

A clause is in force when its `when` (submission keys) and its `reading` (reading ids) hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from twentyone.money import Amount, Odds
from twentyone.rulebook.patterns import ANY_HAND, HandPattern

__all__ = [
    "NAMED",
    "TYPES",
    "Ace",
    "Announce",
    "Band",
    "Blackjack",
    "BlackjackEnds",
    "BothMatch",
    "Boxes",
    "Cards",
    "ChanceResult",
    "ChanceSettled",
    "Clause",
    "Community",
    "CommunityPay",
    "Deal",
    "Dealer",
    "DealerStops",
    "Decision",
    "DecisionCards",
    "Envy",
    "Expose",
    "FixedStake",
    "InsuranceCloses",
    "InsuranceLimit",
    "Irregularity",
    "LayoutItem",
    "Match",
    "MayNot",
    "MeterFloor",
    "MeterPaid",
    "NotPayable",
    "Outcome",
    "PaidAtOnce",
    "Pay",
    "PayBlackjack",
    "Range",
    "Ranks",
    "Reading",
    "Settlement",
    "SharedBox",
    "Spared",
    "Step",
    "SubmissionKey",
    "SuperBonus",
    "SurrenderSettled",
    "Symbol",
    "Value",
    "Wager",
    "WagerLimit",
]

Ranks = tuple[str, ...]
"""Ranks of cards, written `"J Q K"` in a fence."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Clause:
    """What every clause has: where it stands and when it is in force."""

    type_key: ClassVar[str]
    """The key of its fence."""

    paragraph: str
    """The paragraph it stands under, computed from its place."""
    cite: str
    """The full citation of that paragraph."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """Submission keys and the values they must have (a list: one of them)."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """Reading ids and the values they must have."""

    def __repr__(self) -> str:
        return f"<{self.key} under {self.cite}>"

    @property
    def key(self) -> str:
        """The name functions register for: `pay`, `decision.double`."""
        name = getattr(self, "name", None) if self.type_key in NAMED else None
        return f"{self.type_key}.{name}" if name else self.type_key


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Cards(Clause):
    """The cards of a deck."""

    type_key = "cards"
    per_deck: int
    """Cards in a deck."""
    without: Ranks = ()
    """Ranks removed from each deck."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Value(Clause):
    """What cards other than the ace count."""

    type_key = "value"
    ranks: Ranks
    """The ranks it speaks of."""
    value: int | None = None
    """Their value; absent: the number on the card."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ace(Clause):
    """What an ace counts."""

    type_key = "ace"
    high: int
    """Its value ..."""
    low: int
    """... and its value where the high one would take the hand over the limit."""
    player: int
    """The player's limit."""
    dealer: int
    """The dealer's limit."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Range(Clause):
    """A value range that the Masque reader tells."""

    type_key = "range"
    name: str
    """small, medium or large."""
    ranks: Ranks
    """The ranks in it."""
    light: str
    """The colour of its light."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blackjack(Clause):
    """Which two cards are a Blackjack."""

    type_key = "blackjack"
    ace: Ranks
    """One card of these ranks ..."""
    value: int
    """... and one of this value, as the initial two cards."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Boxes(Clause):
    """How many boxes the layout has."""

    type_key = "boxes"
    most: int
    """The number of the last box."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SharedBox(Clause):
    """Several players on one box: who calls, who follows, and with what right."""

    type_key = "shared"
    name: str
    """call, double, split, insure, surrender, rescue."""
    binds: bool = False
    """Whether the caller's decision binds the followers."""


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
class Wager(Clause):
    """A wager placed before the first card."""

    type_key = "wager"
    name: str
    """Its kind."""
    title: str
    """What the text calls it."""
    least: Amount | None = None
    """The smallest."""
    trigger: tuple[int, ...] = ()
    """The values of the dealer's two initial cards that make it win."""
    either_order: bool = True
    """... in whichever order they came."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WagerLimit(Clause):
    """A side wager that may not exceed the main wager."""

    type_key = "wager_limit"
    wager: str
    """The wager it limits."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PaidAtOnce(Clause):
    """A player's total that is paid as soon as it is reached."""

    type_key = "paid_at_once"
    total: int
    """The total."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ChanceSettled(Clause):
    """A hand with a second chance card that is settled at once."""

    type_key = "chance_settled"
    total: HandPattern
    """Its reduced total."""
    result: str
    """`win`: the Second Chance Wager is paid, the others returned; `lose`: all are collected."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ChanceResult(Clause):
    """How the wagers of a hand with a second chance fare, by the hand's outcome."""

    type_key = "chance_result"
    outcome: str
    """The hand's outcome."""
    main: str
    """What happens to its other wagers."""
    chance: str
    """What happens to the Second Chance Wager."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Announce(Clause):
    """Something the dealer says aloud."""

    type_key = "announce"
    what: str
    """`dealer_total`, `dealer_final`, `player_total`, `new_total`, `split_total` or `dealers_card`."""
    words: str = ""
    """The words, where the text orders them."""


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
class PayBlackjack(Clause):
    """When a player's Blackjack is paid."""

    type_key = "pay_blackjack"
    if_up: Ranks = ()
    """Against these up cards (none: any)."""
    at: str
    """`turn`: when his turn comes; `reveal`: announced then, paid after the hole card is shown."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SurrenderSettled(Clause):
    """When a surrendered hand is settled."""

    type_key = "surrender_settled"
    if_up: Ranks
    """Against these up cards."""
    at: str
    """`once` or `reveal`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Outcome(Clause):
    """A row of the comparison of hands."""

    type_key = "outcome"
    result: str
    """win, lose or push."""
    name: str = ""
    """A name others can yield to."""
    player: HandPattern = ANY_HAND
    """The player's hand."""
    dealer: HandPattern = ANY_HAND
    """The dealer's hand."""
    compare: str | None = None
    """The player's total is `above`, `same` or `below` the dealer's."""
    except_to: tuple[str, ...] = ()
    """Names of rows, or paragraphs, that prevail where they match too."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Pay(Clause):
    """A row of the payout odds."""

    type_key = "pay"
    wagers: tuple[str, ...]
    """The wagers it pays."""
    odds: Odds
    """At these odds."""
    name: str = ""
    """A name others can yield to."""
    hand: HandPattern = ANY_HAND
    """The winning hand."""
    dealer: HandPattern = ANY_HAND
    """The dealer's hand."""
    except_to: tuple[str, ...] = ()
    """Names of rows, or paragraphs, that prevail where they match too."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NotPayable(Clause):
    """Payouts that some hands do not earn."""

    type_key = "not_payable"
    on: str
    """`doubled` or `split` hands."""
    rows: tuple[str, ...]
    """The paragraphs whose payouts they do not earn."""
    whose: str = "player"
    """`player`: doubled by the player paid; `hand`: doubled by anyone."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SuperBonus(Clause):
    """The hand that earns an additional fixed payout."""

    type_key = "super_bonus"
    hand: HandPattern
    """The winning hand."""
    up: Ranks
    """The dealer's exposed card."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Band(Clause):
    """What the super bonus pays by the original wager."""

    type_key = "band"
    least: Amount
    """From this original wager ..."""
    below: Amount | None = None
    """... to less than this."""
    pays: Amount
    """The fixed amount."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Envy(Clause):
    """What the others at the table are paid when a super bonus falls."""

    type_key = "envy"
    pays: Amount
    """To each other player."""
    on: str = "paid"
    """`paid`: where a super bonus was paid; `hand`: for the hand whatever its wager."""
    sharers: bool = False
    """Whether players on the winning box count as others."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Match(Clause):
    """What Match-the-Dealer pays for one matching card, by decks and suit."""

    type_key = "match"
    decks: int
    """With so many decks."""
    suit: str
    """`same`: the card has the up card's suit; `other`: it has not."""
    odds: Odds
    """At these odds."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BothMatch(Clause):
    """What both cards matching are paid."""

    type_key = "both_match"
    each: bool
    """Each card is paid; else only the better one."""


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
class DecisionCards(Clause):
    """Cards that a decision calls for are dealt as it is made."""

    type_key = "decision_cards"
    face: str
    """How they are dealt."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CommunityPay(Clause):
    """Which Community Pay amounts a wheel may show."""

    type_key = "community_pay"
    wheel: str
    """The wheel."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Expose(Clause):
    """When the hole card is shown to the players before they act."""

    type_key = "expose"
    range: str
    """When both cards of the dealer's are of this range."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FixedStake(Clause):
    """A wager that has one size."""

    type_key = "stake"
    wager: str
    """The wager."""
    amount: Amount
    """Its size."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MeterPaid(Clause):
    """A jackpot pays what its meter shows at that moment."""

    type_key = "meter_paid"
    wheel: str
    """The wheel."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Spared(Clause):
    """Wagers that a dealer's Blackjack does not take."""

    type_key = "spared"
    wager: str
    """`double` or `split`."""
    bust: bool = False
    """Also on a hand that went over."""
    rescued: bool = False
    """Also on a rescued hand."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Settlement(Clause):
    """An order in which chips are collected and paid."""

    type_key = "settlement"
    name: str
    """`collect-then-pay` or `by-player`."""
    start: str = "right"
    """The dealer's side it starts from."""
    inventory: bool = False
    """Losing wagers go straight into the table inventory."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Symbol(Clause):
    """A symbol of a prize wheel."""

    type_key = "symbol"
    wheel: str
    """bonus_spin or xtreme_16."""
    table: str
    """The paytable's letter."""
    name: str
    """As a round script writes it."""
    pays: Amount | None = None
    """To the player who spun; absent: the meter."""
    meter: str | None = None
    """The meter it pays in full."""
    others: Amount | None = None
    """To each other player with the wager (Community Pay)."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Community(Clause):
    """A Community Pay that may stand beside any symbol of a wheel."""

    type_key = "community"
    wheel: str
    """The wheel."""
    pays: Amount
    """To each other player with the wager."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MeterFloor(Clause):
    """The least initial and reset amount of a progressive meter."""

    type_key = "meter"
    name: str
    """The meter."""
    table: str
    """Under which paytable."""
    least: Amount
    """Its least initial and reset amount."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Irregularity(Clause):
    """Something that went wrong, and what is to be done."""

    type_key = "irregularity"
    name: str
    """Which one."""
    effects: tuple[str, ...]
    """What follows, from a closed list."""
    choice: str | None = None
    """Who chooses among them: player or dealer."""
    least: int | None = None
    """From so many on, or from this total on."""
    total: int | None = None
    """Only on this total."""
    after: str = "players"
    """Once the initial two cards are dealt to the `players`, or to `all` of them and the dealer."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutItem(Clause):
    """Something that the layout or the table shows."""

    type_key = "layout"
    item: str
    """`approval`, `name`, `area`, `dealer_area`, `inscription`, `sign_or_inscription`, `odds`, `sign` or `device`."""
    text: str = ""
    """The words that the text orders, without their full stop; where it orders none, our own."""
    wager: str = ""
    """The wager that an area or a device is for."""
    range: str = ""
    """The value range that an area of the dealer's is for."""
    device: str = ""
    """Which device."""
    side: str = ""
    """The dealer's side it stands on, where the text says it."""
    each: str = "table"
    """`box` or `table`: one for each of them."""
    alternative: str = ""
    """What may stand instead."""
    shows: str = ""
    """The submission key whose value it tells; without a value there is nothing to tell."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SubmissionKey(Clause):
    """A choice the text leaves to the operator (or, `fixed`, does not leave)."""

    type_key = "submission"
    name: str
    """The key."""
    type: str = ""
    """integer, boolean, choice, amount, odds, table."""
    default: Any = None
    """Taken where the key is absent."""
    choices: tuple[Any, ...] = ()
    """Allowed values (choice, integer)."""
    least: Any = None
    """Smallest allowed."""
    most: Any = None
    """Largest allowed."""
    optional: bool = False
    """Whether null is allowed."""
    fixed: bool = False
    """The text fixes it: naming it is refused."""
    only_with: Mapping[str, Any] = field(default_factory=dict)
    """True (or a choice) only with these values of other keys; without them the default is false."""
    says: str = ""
    """What the choice is, in a few words."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Reading(Clause):
    """A paragraph that can be read two ways."""

    type_key = "reading"
    name: str
    """The id."""
    values: tuple[str, ...]
    """The readings, the default first."""


def _types() -> dict[str, type[Clause]]:
    return {kind.type_key: kind for kind in Clause.__subclasses__()}


TYPES = _types()
"""Fence key to clause type."""

NAMED = {"decision", "irregularity", "may_not", "reading", "shared", "step", "submission", "wager"}
"""Types written as `[type.name]`."""
