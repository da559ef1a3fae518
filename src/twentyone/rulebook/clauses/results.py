"""How a hand fares and what it earns: outcomes, payouts, settlement."""

from typing import Literal

from twentyone.money import Amount, Odds
from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.patterns import ANY_HAND, HandPattern
from twentyone.rulebook.vocabulary import Name, Ranks, Result, RowName, Side, SideHand, WagerName

__all__ = [
    "Band",
    "BothMatch",
    "ChanceResult",
    "ChanceSettled",
    "Charlie",
    "Envy",
    "EnvyInPlay",
    "Match",
    "NotPayable",
    "Outcome",
    "PaidAtOnce",
    "Pay",
    "PayBlackjack",
    "Settlement",
    "SidePay",
    "Spared",
    "SuperBonus",
    "SurrenderLost",
    "SurrenderSettled",
    "TakenAway",
]


@clause("outcome")
class Outcome(Clause):
    """A row of the comparison of hands."""

    result: Result
    """win, lose or push."""
    name: Name = ""
    """A name others can yield to."""
    player: HandPattern = ANY_HAND
    """The player's hand."""
    dealer: HandPattern = ANY_HAND
    """The dealer's hand."""
    compare: Literal["above", "same", "below"] | None = None
    """The player's total is `above`, `same` or `below` the dealer's."""
    except_to: tuple[RowName, ...] = ()
    """Names of rows, or paragraphs, that prevail where they match too."""


@clause("pay")
class Pay(Clause):
    """A row of the payout odds."""

    wagers: tuple[WagerName, ...]
    """The wagers it pays."""
    odds: Odds
    """At these odds."""
    name: Name = ""
    """A name others can yield to."""
    hand: HandPattern = ANY_HAND
    """The winning hand."""
    dealer: HandPattern = ANY_HAND
    """The dealer's hand."""
    except_to: tuple[RowName, ...] = ()
    """Names of rows, or paragraphs, that prevail where they match too."""


@clause("not_payable")
class NotPayable(Clause):
    """Payouts that some hands do not earn."""

    on: Literal["doubled", "split"]
    """`doubled` or `split` hands."""
    rows: tuple[RowName, ...]
    """The paragraphs whose payouts they do not earn."""
    whose: Literal["player", "hand"] = "player"
    """`player`: doubled by the player paid; `hand`: doubled by anyone."""


@clause("pay_blackjack")
class PayBlackjack(Clause):
    """When a player's Blackjack is paid."""

    if_up: Ranks = ()
    """Against these up cards (none: any)."""
    at: Literal["turn", "reveal"]
    """`turn`: when his turn comes; `reveal`: announced then, paid after the hole card is shown."""


@clause("taken_away", named=True)
class TakenAway(Clause):
    """A hand whose cards go into the discard rack as soon as it is settled, before the others are."""

    name: Literal["blackjack", "total", "chance_won", "chance_lost"]
    """Which: a `blackjack` paid in its turn, a `total` paid at once, a second chance `chance_won` or `chance_lost`."""


@clause("paid_at_once")
class PaidAtOnce(Clause):
    """A player's total that is paid before the dealer plays."""

    total: int
    """The total."""
    at: Literal["turn", "players"] = "turn"
    """As soon as the hand draws no more, or once all `players` have their cards."""


@clause("charlie")
class Charlie(Clause):
    """A player's hand that wins at once by the number of its cards, unless it is over the limit."""

    cards: int
    """This many cards or more."""


@clause("surrender_settled")
class SurrenderSettled(Clause):
    """When a surrendered hand is settled."""

    if_up: Ranks
    """Against these up cards."""
    at: Literal["once", "reveal"]
    """`once` or `reveal`."""


@clause("surrender_lost")
class SurrenderLost(Clause):
    """A surrendered wager that waited is lost whole to a dealer's Blackjack, by a paragraph of its own."""


@clause("chance_settled")
class ChanceSettled(Clause):
    """A hand with a second chance card that is settled at once."""

    total: HandPattern
    """Its reduced total."""
    result: Literal["win", "lose"]
    """`win`: the Second Chance Wager is paid, the others returned; `lose`: all are collected."""


@clause("chance_result")
class ChanceResult(Clause):
    """How the wagers of a hand with a second chance fare, by the hand's outcome."""

    outcome: Result
    """The hand's outcome."""
    main: Result
    """What happens to its other wagers."""
    chance: Result
    """What happens to the Second Chance Wager."""


@clause("super_bonus")
class SuperBonus(Clause):
    """The hand that earns an additional fixed payout."""

    hand: HandPattern
    """The winning hand."""
    up: Ranks
    """The dealer's exposed card."""


@clause("band")
class Band(Clause):
    """What the super bonus pays by the original wager."""

    least: Amount
    """From this original wager ..."""
    below: Amount | None = None
    """... to less than this."""
    pays: Amount
    """The fixed amount."""


@clause("envy")
class Envy(Clause):
    """What the others at the table are paid when a super bonus falls."""

    pays: Amount
    """To each other player."""
    on: Literal["paid", "hand"] = "paid"
    """`paid`: where a super bonus was paid; `hand`: for the hand whatever its wager."""
    sharers: bool = False
    """Whether players on the winning box count as others."""


@clause("envy_in_play")
class EnvyInPlay(Clause):
    """Of the others only those are paid who had a wager that did not go back with a dead hand."""


@clause("match")
class Match(Clause):
    """What Match-the-Dealer pays for one matching card, by decks and suit."""

    decks: int
    """With this many decks."""
    suit: Literal["same", "other"]
    """`same`: the card has the up card's suit; `other`: it has not."""
    odds: Odds
    """At these odds."""


@clause("both_match")
class BothMatch(Clause):
    """What both cards matching are paid."""

    each: bool
    """Each card is paid; else only the better one."""


@clause("side_pay")
class SidePay(Clause):
    """What a side wager pays by the player's first two cards, alone or with the dealer's up card."""

    wager: WagerName
    """The wager."""
    cards: SideHand
    """What the cards are."""
    odds: Odds
    """At these odds."""


@clause("spared")
class Spared(Clause):
    """Wagers that a dealer's Blackjack does not take."""

    wager: Literal["double", "split"]
    """`double` or `split`."""
    bust: bool = False
    """Also on a hand that went over."""
    rescued: bool = False
    """Also on a rescued hand."""


@clause("settlement")
class Settlement(Clause):
    """An order in which chips are collected and paid."""

    name: Literal["collect-then-pay", "by-player"]
    """`collect-then-pay` or `by-player`."""
    start: Side = "right"
    """The dealer's side it starts from."""
    insurance: bool = False
    """Whether insurance that a dealer's Blackjack has won is paid in this order, too, and not before it."""
