"""Side wagers in closed form: every figure an exact fraction, counted from the cards of a full shoe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from twentyone.cards import RANKS, SUITS, Card
from twentyone.money import Amount, Odds
from twentyone.odds.decks import decks_of
from twentyone.odds.side_events import SideEvent, deviation, gathered
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import SuperBonus
from twentyone.rulebook.side_hands import paid_by_cards, side_pay
from twentyone.rulebook.wheels import MeterTerms, Paytable, meters_of, paytables, weights_of

__all__ = ["SideWagerPrice", "shoe_of", "side_wagers", "super_bonus_probability"]

ONE, ZERO = Fraction(1), Fraction(0)
THOUSAND = int(Amount("1"))
NOBODY = HandFacts((), 0)


@dataclass(frozen=True)
class SideWagerPrice:
    """A wager beside the main one, priced."""

    name: str
    """Its kind, as a submission or a round names it."""
    title: str
    """What the text calls it."""
    cite: str
    """The paragraph it stands under."""
    edge: Fraction | None
    """The expected loss as a share of this wager; none where the submission does not give the wheel."""
    wins: Fraction
    """How often it wins, once laid."""
    definition: str
    """What was counted."""
    break_even: Mapping[str, Fraction] = field(default_factory=dict)
    """Meter to the amount in dollars at which the wager's edge is zero, every other meter at its reset amount."""
    events: tuple[SideEvent, ...] = ()
    """All that can become of it, the dearest first; none where that is not known, or depends on other players."""
    meters: Mapping[str, MeterTerms] = field(default_factory=dict)
    """The terms of each of its meters: what it shows at least, and at most."""

    @property
    def standard_deviation(self) -> float | None:
        """Of the net result, in units of this wager."""
        return deviation(self.events)

    def body(self) -> dict[str, Any]:
        """The wager as JSON."""
        body: dict[str, Any] = {
            "edge": float(self.edge) if self.edge is not None else None,
            "fraction": str(self.edge) if self.edge is not None else None,
            "wins": float(self.wins),
            "wins_fraction": str(self.wins),
            "standard_deviation": self.standard_deviation,
            "events": [event.body() for event in self.events],
            "title": self.title,
            "cite": self.cite,
            "definition": self.definition,
        }
        if self.break_even:
            body["break_even_meter"] = {name: _dollars(amount) for name, amount in self.break_even.items()}
            body["meter_bounds"] = {
                name: {"reset": str(terms.base), "limit": str(terms.limit) if terms.limit is not None else None}
                for name, terms in self.meters.items()
            }
        return body


def _dollars(amount: Fraction) -> str:
    """Dollars to the nearest cent, as a decimal string."""
    return str(Amount("0.01") * round(amount * 100))


def side_wagers(rules: Rules, others: int = 0) -> dict[str, SideWagerPrice]:
    """Every side wager that these rules offer; `others` also have the wager where a wheel pays them too."""
    priced: dict[str, SideWagerPrice] = {}
    for price in PRICES:
        wager = price(rules, others)
        if wager is not None:
            priced[wager.name] = wager
    for name in paid_by_cards(rules):
        priced[name] = first_cards(rules, name)
    for paytable in paytables(rules):
        if paytable.wheel in rules.wagers:
            priced[paytable.name] = WHEELS[paytable.wheel](rules, paytable, others)
    return priced


def shoe_of(rules: Rules) -> dict[str, int]:
    """Rank to how many cards of it, in all suits, a full shoe holds."""
    decks = decks_of(rules)
    return {rank: decks * len(SUITS) for rank in RANKS if rank not in rules.cards.without}


def _count(rules: Rules, ranks: tuple[str, ...]) -> int:
    shoe = shoe_of(rules)
    return sum(shoe.get(rank, 0) for rank in ranks)


def _worth(odds: Odds) -> Fraction:
    return Fraction(odds.win, odds.lay)


# -- Match-the-Dealer


def match_the_dealer(rules: Rules, _: int = 0) -> SideWagerPrice | None:
    """The up card is any card; each of the first two is its twin, a card of its rank in another suit, or neither."""
    wager = rules.wagers.get("match_the_dealer")
    if wager is None:
        return None
    ranks = list(shoe_of(rules))
    up, suit, other = Card(ranks[0] + SUITS[0]), Card(ranks[0] + SUITS[1]), Card(ranks[1] + SUITS[0])
    decks = decks_of(rules)
    cards = sum(shoe_of(rules).values()) - 1
    counts = {up: decks - 1, suit: (len(SUITS) - 1) * decks, other: cards + 1 - len(SUITS) * decks}
    found = []
    for one, two in product(counts, repeat=2):
        chance = Fraction(counts[one] * (counts[two] - (one is two)), cards * (cards - 1))
        won = rules.match((one, two), up)
        words = _match_words((one, two).count(up), (one, two).count(suit))
        found.append(SideEvent(words, _worth(won[0]) if won is not None else -ONE, chance))
    return _of_events(wager.name, wager.title, wager.cite, found, DEFINITIONS["match_the_dealer"])


def _match_words(same: int, other: int) -> str:
    parts = [f"{many} of {what} suit" for many, what in ((same, "the same"), (other, "another")) if many]
    return "matches " + " and ".join(parts) if parts else "no match"


def _of_events(name: str, title: str, cite: str, found: Iterable[SideEvent], definition: str) -> SideWagerPrice:
    """A wager priced from all that can become of it."""
    events = gathered(found)
    edge = -sum((event.net * event.probability for event in events), ZERO)
    wins = sum((event.probability for event in events if event.net > 0), ZERO)
    return SideWagerPrice(name, title, cite, edge, wins, definition, events=events)


# -- wagers on the kind of the first cards


def first_cards(rules: Rules, name: str) -> SideWagerPrice:
    """A wager that is paid by the kind of the first two cards and the up card: every three cards counted."""
    wager, decks = rules.wagers[name], decks_of(rules)
    deck = [Card(rank + suit) for rank in shoe_of(rules) for suit in SUITS]
    whole = len(deck) * decks
    orders = whole * (whole - 1) * (whole - 2)
    counted: dict[tuple[str, Fraction], int] = {}
    for one, two, up in product(deck[:: len(SUITS)], deck, deck):
        row = side_pay(rules, name, (one, two), up)
        event = (row.cards.replace("_", " "), _worth(row.odds)) if row is not None else ("nothing of these", -ONE)
        ways = (decks - (two is one)) * (decks - (up is one) - (up is two))
        counted[event] = counted.get(event, 0) + len(SUITS) * decks * ways
    found = [SideEvent(*event, Fraction(ways, orders)) for event, ways in counted.items()]
    return _of_events(name, wager.title, wager.cite, found, DEFINITIONS["match_the_dealer"])


# -- insurance and even money


def insurance(rules: Rules, _: int = 0) -> SideWagerPrice | None:
    """The hole card is any card but the up card."""
    decision = rules.decisions.get("insure")
    if decision is None:
        return None
    wins = Fraction(_count(rules, decision.wins_on), sum(shoe_of(rules).values()) - 1)
    odds = _worth(rules.pay("insurance", NOBODY, NOBODY).odds)
    found = SideEvent("the dealer has a Blackjack", odds, wins), SideEvent("he has none", -ONE, 1 - wins)
    return _of_events("insurance", "Insurance Wager", decision.cite, found, DEFINITIONS["insurance"])


def even_money(rules: Rules, _: int = 0) -> SideWagerPrice | None:
    """What a player with a Blackjack gives up who takes even money."""
    decision, insure = rules.decisions.get("even_money"), rules.decisions.get("insure")
    if decision is None or insure is None:
        return None
    own = (Card("A" + SUITS[0]), Card(insure.wins_on[0] + SUITS[0]))
    blackjack = rules.hand(own)
    tie = Fraction(_count(rules, insure.wins_on) - 1, sum(shoe_of(rules).values()) - 3)
    against = rules.outcome(blackjack, rules.dealer_hand(own)).result
    paid = _worth(rules.pay("main", blackjack, NOBODY).odds)
    tied = {"push": ZERO, "win": paid, "lose": -ONE}[against]
    taken = _worth(rules.pay("even_money", NOBODY, NOBODY).odds)
    edge = tie * tied + (1 - tie) * paid - taken
    events = (SideEvent("paid at once", taken, ONE),)
    return SideWagerPrice("even_money", "Even money", decision.cite, edge, ONE, DEFINITIONS["even_money"], {}, events)


# -- wheels


def bonus_spin(rules: Rules, paytable: Paytable, others: int) -> SideWagerPrice:
    """A player's Blackjack turns the wheel; the others have the same wager as he."""
    blackjack = sum(_two_cards(rules, lambda one, two: rules.is_blackjack((one, two))), ZERO)
    return _wheel(rules, paytable, blackjack, ONE, others * blackjack)


def xtreme_16(rules: Rules, paytable: Paytable, others: int) -> SideWagerPrice:
    """The dealer's first two cards turn the wheel for one of the players with the wager, or for each of them."""
    trigger = sum(_two_cards(rules, lambda up, second: rules.wheel_triggered("xtreme_16", up, second)), ZERO)
    if rules.each_spins("xtreme_16"):
        return _wheel(rules, paytable, trigger, ONE, others * trigger)
    mine = Fraction(1, others + 1)
    return _wheel(rules, paytable, trigger, mine, trigger * (1 - mine))


def _two_cards(rules: Rules, wanted: Callable[[Card, Card], bool]) -> Iterator[Fraction]:
    """The chances of the ordered pairs of first two cards that are wanted."""
    shoe = shoe_of(rules)
    cards = sum(shoe.values())
    for one, two in product(shoe, repeat=2):
        if wanted(Card(one + SUITS[0]), Card(two + SUITS[0])):
            yield Fraction(shoe[one] * (shoe[two] - (one == two)), cards * (cards - 1))


def _wheel(rules: Rules, paytable: Paytable, trigger: Fraction, mine: Fraction, community: Fraction) -> SideWagerPrice:
    """A wheel: `trigger` how often it turns, `mine` the share of its turns that are for this player, `community` how
    often another player's turn pays him."""
    name, wager = paytable.name, rules.wagers[paytable.wheel]
    wins = trigger if rules.community_due(paytable.wheel) else trigger * mine
    if not rules.submission.get("wheel_weights"):
        return SideWagerPrice(name, wager.title, wager.cite, None, wins, NO_WHEEL)
    amount = Fraction(int(paytable.amount or Amount("1")))
    meters = {meter: Fraction(int(terms.base)) for meter, terms in meters_of(rules).items()}
    back = amount * trigger if rules.wager_returned(paytable.wheel) else ZERO

    def gain(shown: Mapping[str, Fraction]) -> Fraction:
        own, given = _prizes(rules, paytable, shown)
        return trigger * mine * own + community * given + back - amount

    even = {meter: _root(gain, meters, meter) / THOUSAND for meter in _meters(rules, paytable)}
    terms = {meter: meters_of(rules)[meter] for meter in even}
    words = DEFINITIONS[paytable.wheel]
    events = () if community else _turns(rules, paytable, meters, trigger, back)
    return SideWagerPrice(name, wager.title, wager.cite, -gain(meters) / amount, wins, words, even, events, terms)


def _turns(
    rules: Rules, paytable: Paytable, meters: Mapping[str, Fraction], trigger: Fraction, back: Fraction
) -> tuple[SideEvent, ...]:
    """Every symbol of a wheel that turns for this player alone."""
    weights, amount = weights_of(rules)[paytable.name], Fraction(int(paytable.amount or Amount("1")))
    total, kept = sum(weights.values()), back / trigger if trigger else ZERO
    found = [SideEvent("the wheel does not turn", -ONE, 1 - trigger)]
    for name, weight in weights.items():
        net = (_prize(paytable, name, meters) + kept) / amount - 1
        found.append(SideEvent(name, net, trigger * weight / total))
    return gathered(found)


def _prize(paytable: Paytable, name: str, meters: Mapping[str, Fraction]) -> Fraction:
    """What a symbol pays to the player for whom the wheel turns."""
    row = paytable.row(name)
    return Fraction(int(row.pays)) if row.pays is not None else meters[paytable.meter(row.meter or "")]


def _prizes(rules: Rules, paytable: Paytable, meters: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """What one turn of the wheel pays on average: to the player it turns for, and to each other player."""
    weights = weights_of(rules)[paytable.name]
    own = given = ZERO
    for name, weight in weights.items():
        own += weight * _prize(paytable, name, meters)
        given += weight * int(paytable.beside(name))
    total = sum(weights.values())
    return own / total, given / total


def _meters(rules: Rules, paytable: Paytable) -> tuple[str, ...]:
    """The meters that a wheel in use can pay."""
    rows = (paytable.row(name) for name in weights_of(rules)[paytable.name])
    return tuple(dict.fromkeys(paytable.meter(row.meter) for row in rows if row.meter is not None))


def _root(gain: Callable[[Mapping[str, Fraction]], Fraction], meters: Mapping[str, Fraction], name: str) -> Fraction:
    """The amount of one meter at which the gain is zero: the gain is a straight line in it."""
    low, high = gain({**meters, name: ZERO}), gain({**meters, name: ONE})
    return -low / (high - low)


# -- the super bonus


def super_bonus_probability(rules: Rules) -> Fraction | None:
    """How often a round earns the super bonus if its cards are always drawn for."""
    bonus = rules.maybe(SuperBonus)
    if bonus is None or bonus.hand.ranks is None:
        return None
    decks, cards = int(rules.submission["decks"]), sum(shoe_of(rules).values())
    hand = bonus.hand.ranks
    orders = Fraction(0)
    for suit, (shown, seen) in product(SUITS, product(bonus.up, SUITS)):
        left: dict[str, int] = dict.fromkeys(hand, decks)
        ways = prod([_take(left, rank) for rank in hand])
        ups = decks - hand.count(shown) if seen == suit else decks
        orders += ways * ups
    return orders * _arrangements(hand) / prod(cards - drawn for drawn in range(len(hand) + 1))


def _take(left: dict[str, int], rank: str) -> int:
    left[rank] -= 1
    return left[rank] + 1


def _arrangements(hand: tuple[str, ...]) -> int:
    """In how many orders these ranks can come."""
    if not hand:
        return 1
    return sum(_arrangements(tuple(_without(hand, rank))) for rank in set(hand))


def _without(hand: tuple[str, ...], rank: str) -> list[str]:
    left = list(hand)
    left.remove(rank)
    return left


DEFINITIONS = {
    "match_the_dealer": "Expected loss per unit wagered; up card and first two cards from a full shoe.",
    "insurance": "Expected loss per unit of insurance; of all cards only the up card is known.",
    "even_money": "What taking even money on a Blackjack costs, per unit of the main wager; the player's two cards"
    " and the up card are known.",
    "bonus_spin": "Expected loss per unit wagered; full shoe, meters at their reset amounts, the wheel as submitted.",
    "xtreme_16": "Expected loss per unit wagered; full shoe, meters at their reset amounts, the wheel as submitted.",
}
NO_WHEEL = "Not priced: the submission gives no wheel_weights."

PRICES: tuple[Callable[[Rules, int], SideWagerPrice | None], ...] = (match_the_dealer, insurance, even_money)
WHEELS: dict[str, Callable[[Rules, Paytable, int], SideWagerPrice]] = {
    "bonus_spin": bonus_spin,
    "xtreme_16": xtreme_16,
}
