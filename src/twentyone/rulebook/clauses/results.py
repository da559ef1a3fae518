"""How a hand fares and what it earns: outcomes, payouts, settlement."""

from __future__ import annotations

from dataclasses import dataclass

from twentyone.money import Amount, Odds
from twentyone.rulebook.clauses.base import Clause, Ranks
from twentyone.rulebook.patterns import ANY_HAND, HandPattern

__all__ = [
    "Band",
    "BothMatch",
    "ChanceResult",
    "ChanceSettled",
    "Envy",
    "Match",
    "NotPayable",
    "Outcome",
    "PaidAtOnce",
    "Pay",
    "PayBlackjack",
    "Settlement",
    "Spared",
    "SuperBonus",
    "SurrenderSettled",
]


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
class PayBlackjack(Clause):
    """When a player's Blackjack is paid."""

    type_key = "pay_blackjack"
    if_up: Ranks = ()
    """Against these up cards (none: any)."""
    at: str
    """`turn`: when his turn comes; `reveal`: announced then, paid after the hole card is shown."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PaidAtOnce(Clause):
    """A player's total that is paid as soon as it is reached."""

    type_key = "paid_at_once"
    total: int
    """The total."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SurrenderSettled(Clause):
    """When a surrendered hand is settled."""

    type_key = "surrender_settled"
    if_up: Ranks
    """Against these up cards."""
    at: str
    """`once` or `reveal`."""


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
