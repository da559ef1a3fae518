"""Chance for the random rounds: submissions, wagers, meters, shoes and wheels, built from a rulebook's own clauses.

Everything takes a `random.Random`: a seeded one in the long runs, Hypothesis's own in the properties.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import SubmissionRefused
from twentyone.money import Amount
from twentyone.round import Spin, Spun, State, Wagers
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import FixedWager, Match, SubmissionKey, WagerLimit
from twentyone.rulebook.wheels import meters_of
from twentyone.table.wheel import paytable_at

__all__ = ["Shoe", "random_meters", "random_rules", "random_spin", "random_submission", "random_wagers"]

UNITS = ("0.10", "0.50", "1", "2.50", "5", "25")
SIZES = ("0.10", "1", "2.50", "5", "7.50", "10", "25", "60", "100")
CENTS = Amount("0.01")


# -- submissions


def random_rules(rulebook: Rulebook, rng: Random) -> Rules:
    """A rulebook under a random submission."""
    return rulebook.under(random_submission(rulebook, rng))


def random_submission(rulebook: Rulebook, rng: Random) -> dict[str, Any]:
    """Random values for some of the keys and readings that a rulebook leaves open.

    Keys of type `table` speak to the table and not to the round; they stay absent.
    """
    given: dict[str, Any] = {}
    values: dict[str, Any] = {}
    keys = [clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey)]
    for key in sorted(keys, key=lambda key: bool(key.only_with)):
        if key.fixed:
            continue
        possible = all(values[other] in allowed for other, allowed in key.only_with.items())
        values[key.name] = key.default if possible else False
        if key.type != "table" and rng.random() < 0.7:
            values[key.name] = given[key.name] = _value(rulebook, key, values, rng) if possible else False
    readings = {reading.name: rng.choice(reading.values) for reading in rulebook.readings if rng.random() < 0.3}
    chosen = {reading.name: readings.get(reading.name, reading.values[0]) for reading in rulebook.readings}
    for key in keys:
        if key.reading.items() <= chosen.items() and key.choices and given.get(key.name) not in (None, *key.choices):
            del given[key.name]
    return _allowed(rulebook, {**given, "readings": readings} if readings else given)


def _allowed(rulebook: Rulebook, given: dict[str, Any]) -> dict[str, Any]:
    """Without the readings, where they do not go with several paytables."""
    if any(isinstance(value, list) for value in given.values()):
        try:
            rulebook.under(given)
        except SubmissionRefused:
            given.pop("readings")
    return given


def _value(rulebook: Rulebook, key: SubmissionKey, values: dict[str, Any], rng: Random) -> Any:
    if key.optional and rng.random() < 0.2:
        return None
    if key.type == "boolean":
        return rng.random() < 0.5
    if key.type == "amount":
        return _limit(key, rng)
    if key.type == "odds":
        return _odds(rulebook, values["decks"], rng)
    if key.several and rng.random() < 0.4:
        return _several(rulebook, key.name, rng)
    return rng.choice(key.choices or _integers(key))


def _several(rulebook: Rulebook, key: str, rng: Random) -> list[str]:
    """A paytable for each amount that may be wagered."""
    fixed = [row for row in rulebook.clauses if isinstance(row, FixedWager) and row.wager == key]
    chosen = [rng.choice(row.when[key]) for row in fixed]
    rng.shuffle(chosen)
    return chosen


def _integers(key: SubmissionKey) -> tuple[int, ...]:
    most = key.most if key.most is not None else key.least + 4
    return tuple(range(key.least, most + 1))


def _limit(key: SubmissionKey, rng: Random) -> str:
    """Limits far enough apart that a chip of any size fits between them."""
    if not key.optional:
        return rng.choice(UNITS)
    return rng.choice(("1", "5", "10") if key.name.endswith("minimum") else ("100", "500"))


def _odds(rulebook: Rulebook, decks: int, rng: Random) -> dict[str, str]:
    """Odds for one matching card, never below the text's."""
    texts = {
        "suited" if row.suit == "same" else "unsuited": row.odds
        for row in rulebook.clauses
        if isinstance(row, Match) and row.decks == decks
    }
    chosen = rng.choice((("suited",), ("unsuited",), ("suited", "unsuited")))
    return {name: f"{texts[name].win + rng.choice((0, 1, 3))}:{texts[name].lay}" for name in chosen}


# -- wagers


def random_wagers(rules: Rules, rng: Random) -> list[Wagers]:
    """Wagers that the submission allows: several players, several boxes a player, several players a box."""
    rows: list[Wagers] = []
    taken: Counter[int] = Counter()
    seats = rules.submission.get("players_per_box", 1)
    for number in range(rng.choice((1, 1, 2, 2, 3, 4))):
        boxes = _boxes(rules, rng)
        if all(taken[box] < seats for box in boxes):
            taken.update(boxes)
            rows += [_row(rules, box, f"p{number + 1}", rng) for box in boxes]
    return rows


def _boxes(rules: Rules, rng: Random) -> list[int]:
    last = rules.boxes
    count = min(rng.choice((1, 1, 1, 2, 3)), rules.submission.get("boxes_per_player", 1), last)
    if rules.submission.readings.get("adjacent-boxes") == "any":
        return sorted(rng.sample(range(1, last + 1), count))
    first = rng.choice(range(1, last + 2 - count))
    return list(range(first, first + count))


def _row(rules: Rules, box: int, player: str, rng: Random) -> Wagers:
    terms = rules.submission
    main = _amount(rules, terms.get("table_minimum"), terms.get("table_maximum"), rng)
    assert main is not None
    sides: dict[str, Amount] = {}
    for kind in rules.wagers:
        amount = _side(rules, kind, main, rng) if kind != "main" and rng.random() < 0.6 else None
        if amount is not None:
            sides[kind] = amount
    return Wagers(box, player, main, sides)


def _side(rules: Rules, kind: str, main: Amount, rng: Random) -> Amount | None:
    fixed = [clause.amount for clause in rules.all(FixedWager) if clause.wager == kind]
    if fixed:
        return rng.choice(fixed)
    limits = [rules.submission.get(f"{kind}_maximum")]
    limits += [main for limit in rules.all(WagerLimit) if limit.wager == kind]
    most = min((limit for limit in limits if limit is not None), default=None)
    return _amount(rules, rules.wagers[kind].least, most, rng)


def _amount(rules: Rules, least: Amount | None, most: Amount | None, rng: Random) -> Amount | None:
    """A number of chips between two limits, if there is one."""
    unit: Amount = rules.submission["chip_unit"]
    low = max(least or unit, unit).up_to_unit(unit)
    amount = max(Amount(rng.choice(SIZES)).up_to_unit(unit), low)
    if most is not None:
        amount = min(amount, Amount(most - most % unit))
    return amount if amount >= low else None


def random_meters(rules: Rules, rng: Random) -> dict[str, Amount]:
    """What the progressive meters show before the round; sometimes nothing."""
    floors = {name: terms.base for name, terms in meters_of(rules).items()}
    if not floors or rng.random() < 0.1:
        return {}
    return {name: least + rng.choice(range(1000)) * CENTS for name, least in floors.items()}


# -- wheels


def random_spin(rules: Rules, state: State, need: Spin, rng: Random) -> Spun:
    """A symbol that the wheel has and the meters can pay, and a hot spot where one is drawn."""
    paytable = paytable_at(rules, state, need)
    symbols = [
        symbol
        for symbol in paytable.symbols.values()
        if symbol.meter is None or paytable.meter(symbol.meter) in state.meters
    ]
    symbol = rng.choice(symbols)
    boxes = [side.box for side in state.sides if side.wager == need.wheel and not side.settled]
    due = rules.community_due(need.wheel) and len(boxes) > 1
    name = symbol.name
    if paytable.community and (due or rng.random() < 0.5):
        name = f"{name}+{rng.choice(paytable.community)}"
    return Spun(name, rng.choice(boxes) if need.box is None else None)


# -- shoes


class Shoe:
    """The cards of the decks, drawn at random; some ranks may come more often than chance has it."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        without = rules.cards.without
        self._rng = rng
        self._decks: int = rules.submission["decks"]
        self._drawn: Counter[Card] = Counter()
        self._all = _cards(tuple(rank for rank in RANKS if rank not in without))
        self._strangers = _cards(without if "ten" in rules.irregularities else ())
        self._favoured = self._favourites(rng) if rng.random() < 0.5 else self._all

    def _favourites(self, rng: Random) -> tuple[Card, ...]:
        """One or two cards, or one or two ranks, that come again and again."""
        cards = tuple(rng.choice(self._all) for _ in range(rng.choice((1, 2))))
        return cards if rng.random() < 0.4 else _cards(tuple(card.rank for card in cards))

    def draw(self) -> Card:
        """The next card of the shoe."""
        pool = self._favoured if self._rng.random() < 0.6 else self._all
        return self._take(pool) or self._take(self._all) or self._first_left()

    @property
    def is_empty(self) -> bool:
        """Whether no card is left but those that should not be there."""
        return len(self._drawn) >= len(self._all) and all(self._drawn[card] >= self._decks for card in self._all)

    def draw_stranger(self) -> Card | None:
        """A card of a rank that should have been removed, where there is such a rank."""
        return self._take(self._strangers) if self._strangers else None

    def put_back(self, card: Card) -> None:
        """A card that did not leave the shoe after all."""
        self._drawn[card] -= 1

    def refill(self) -> None:
        """The discard rack is shuffled and becomes the shoe."""
        self._drawn.clear()

    def _take(self, pool: tuple[Card, ...]) -> Card | None:
        card = self._rng.choice(pool)
        if self._drawn[card] >= self._decks:
            return None
        self._drawn[card] += 1
        return card

    def _first_left(self) -> Card:
        card = next(card for card in self._all if self._drawn[card] < self._decks)
        self._drawn[card] += 1
        return card


def _cards(ranks: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(Card(rank + suit) for rank in ranks for suit in SUITS)
