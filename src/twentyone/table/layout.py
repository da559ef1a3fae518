"""The layout of a table: which name, areas, inscriptions, signs and devices a text demands under a submission.

The words that a text orders are in the rulebook; the odds are computed from the clauses that pay, so both agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from twentyone.law import carries
from twentyone.money import Amount, Odds, dollars
from twentyone.rulebook import Rules
from twentyone.rulebook import clauses as c
from twentyone.rulebook.patterns import ANY_HAND
from twentyone.rulebook.wheels import paytables
from twentyone.rulebook.words import hand_words

__all__ = ["ITEMS", "Item", "Layout", "Payout", "layout", "payouts"]

ITEMS = (
    "approval", "name", "box", "area", "dealer_area", "inscription", "sign_or_inscription", "odds", "sign", "device",
)  # fmt: skip
"""The kinds of item, in the order in which they are listed."""

DECIDED = {"double": "Double Down Wager", "split": "Wager on a split pair"}
"""What the wagers that a decision adds are called."""

_ORDERED = ("inscription", "sign_or_inscription")


@dataclass(frozen=True)
class Item:
    """One thing that the layout or the table shows, and the paragraph that demands it."""

    item: str
    """One of `ITEMS`."""
    text: str
    """The ordered words, or what it is in ours."""
    cite: str
    """The paragraph."""
    wager: str = ""
    """The wager that an area or a device is for."""
    range: str = ""
    """The value range that an area of the dealer's is for ..."""
    light: str = ""
    """... and the light that shows this range."""
    device: str = ""
    """Which device."""
    side: str = ""
    """The dealer's side it is on, where the text says so."""
    each: str = "table"
    """`box` or `table`: one for each of them."""
    alternative: str = ""
    """What may be there instead."""


@dataclass(frozen=True)
class Payout:
    """What one hand, card or symbol pays, in words."""

    wager: str
    """The wager that is paid."""
    group: str
    """Its heading in a list: the wager's title, or the hand that earns a bonus."""
    hand: str
    """What wins."""
    pays: str
    """The odds or the amount."""
    cite: str
    """The paragraph that says so."""
    wheel: bool = False
    """Whether it is a prize of a wheel."""

    @property
    def text(self) -> str:
        """As it would be inscribed.

        >>> Payout("main", "Spanish 21 Wager", "Blackjack", "3 to 2", "").text
        'Blackjack pays 3 to 2'
        """
        return f"{self.hand} pays {self.pays}"


@dataclass(frozen=True)
class Layout:
    """Everything a table of one rulebook has to show under one submission."""

    rulebook: str
    """The rulebook's id."""
    title: str
    """The game."""
    source: str
    """The regulation."""
    boxes: int
    """How many boxes it has."""
    items: tuple[Item, ...]
    """What the text demands."""
    odds: tuple[Payout, ...]
    """What every wager on offer pays; inscribed or on a sign where an item `odds` demands it."""

    def of(self, *kinds: str) -> tuple[Item, ...]:
        """The items of these kinds."""
        return tuple(item for item in self.items if item.item in kinds)

    @property
    def inscriptions(self) -> tuple[Item, ...]:
        """The words that the layout carries."""
        return self.of(*_ORDERED)

    @property
    def not_inscribed(self) -> tuple[Payout, ...]:
        """The odds that no ordered inscription already states."""
        said = {item.text for item in self.inscriptions}
        return tuple(payout for payout in self.odds if payout.text not in said)

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON; a field that says nothing is null."""
        return {
            "rulebook": self.rulebook,
            "title": self.title,
            "source": self.source,
            "boxes": self.boxes,
            "items": [{name: value or None for name, value in asdict(item).items()} for item in self.items],
            "odds": [{"text": payout.text, **asdict(payout)} for payout in self.odds],
        }

    def as_text(self) -> str:
        """A list to print: what is demanded, word for word where the text orders the words, and by which paragraph."""
        return "\n".join([f"{self.title} ({self.source}): what the table shows", "", *_item_lines(self), *_odds(self)])


@carries("layout")
def layout(rules: Rules) -> Layout:
    """The layout that the rules in force demand.

    >>> from twentyone.rulebook import Rulebook
    >>> shown = layout(Rulebook.load("pa-spanish-21").under({"match_the_dealer": False}))
    >>> [item.text for item in shown.inscriptions][:2]
    ['Blackjack pays 3 to 2', 'Insurance pays 2 to 1']
    """
    book = rules.rulebook
    boxes = rules.one(c.Boxes)
    fewer = f"{rules.boxes} boxes of " if rules.boxes < boxes.most else ""
    own = Item("box", f"{fewer}at most {boxes.most} boxes, numbered from the dealer's left", boxes.cite)
    items = [own, *(_item(rules, clause) for clause in rules.all(c.LayoutItem) if _tells(rules, clause))]
    items.sort(key=lambda item: ITEMS.index(item.item))
    return Layout(book.id, book.title, book.source, rules.boxes, tuple(items), payouts(rules))


def _tells(rules: Rules, clause: c.LayoutItem) -> bool:
    return not clause.shows or rules.submission.get(clause.shows) is not None


def _item(rules: Rules, clause: c.LayoutItem) -> Item:
    return Item(
        item=clause.item,
        text=_text(rules, clause),
        cite=clause.cite,
        wager=clause.wager,
        range=clause.range,
        light=next((row.light for row in rules.all(c.Range) if row.name == clause.range), ""),
        device=clause.device,
        side=clause.side,
        each=clause.each,
        alternative=clause.alternative,
    )


def _text(rules: Rules, clause: c.LayoutItem) -> str:
    text = clause.text or _title(rules, clause.wager)
    if clause.item == "device" and clause.wager:
        return f"{text}, for the {_title(rules, clause.wager)}"
    return f"{text}: {_dollars(rules.submission[clause.shows])}" if clause.shows else text


def _title(rules: Rules, wager: str) -> str:
    """What a wager is called; the ones made by a decision have no title of their own."""
    placed = rules.wagers.get(wager)
    title = placed.title if placed is not None else DECIDED.get(wager) or wager.replace("_", " ").title()
    return title[:1].upper() + title[1:]


# -- what everything pays


def payouts(rules: Rules) -> tuple[Payout, ...]:
    """What every wager on offer pays, from the clauses that pay it; the main wager first, then wager by wager."""
    lines = [*_pays(rules), *_bonuses(rules), *_matches(rules), *_side_pays(rules), *_spins(rules)]
    order = list(dict.fromkeys(payout.group for payout in lines))
    return tuple(sorted(lines, key=lambda payout: (payout.wager != "main", order.index(payout.group))))


def _pays(rules: Rules) -> Iterator[Payout]:
    for row in rules.all(c.Pay):
        for wager in row.wagers if row.hand == ANY_HAND else row.wagers[:1]:
            title = _title(rules, wager)
            hand = title if row.hand == ANY_HAND else hand_words(row.hand)
            against = f" against a dealer's {hand_words(row.dealer)}" if row.dealer != ANY_HAND else ""
            yield Payout(wager, title, hand + against, _odds_words(row.odds), row.cite)


def _matches(rules: Rules) -> Iterator[Payout]:
    if "match_the_dealer" not in rules.wagers:
        return
    each = "Each suited match", "Each unsuited match"
    once = "Suited match", "Unsuited match"
    names = each if rules.one(c.BothMatch).each else once
    for suit, name in zip(("same", "other"), names, strict=True):
        odds, cite = rules.match_odds(suit)
        yield Payout("match_the_dealer", _title(rules, "match_the_dealer"), name, _odds_words(odds), cite)


def _side_pays(rules: Rules) -> Iterator[Payout]:
    for row in rules.all(c.SidePay):
        if row.wager in rules.wagers:
            words = row.cards.replace("_", " ").capitalize()
            yield Payout(row.wager, _title(rules, row.wager), words, _odds_words(row.odds), row.cite)


def _bonuses(rules: Rules) -> Iterator[Payout]:
    bonus = rules.maybe(c.SuperBonus)
    if bonus is None:
        return
    group = f"{hand_words(bonus.hand)} against a dealer's {' or '.join(bonus.up)}"
    for band in rules.all(c.Band):
        upper = " or more" if band.below is None else f" to below {_dollars(band.below)}"
        yield Payout("main", group, f"Wager of {_dollars(band.least)}{upper}", _dollars(band.pays), band.cite)
    for envy in rules.all(c.Envy):
        yield Payout("main", group, "Other players' bonus", _dollars(envy.pays), envy.cite)


def _spins(rules: Rules) -> Iterator[Payout]:
    for table in paytables(rules):
        if table.wheel not in rules.wagers:
            continue
        size = f" of {_dollars(table.amount)}" if table.name != table.wheel and table.amount is not None else ""
        for row in table.symbols.values():
            own = _dollars(row.pays) if row.pays is not None else "its meter"
            others = f", and {_dollars(row.others)} to each other player" if row.others is not None else ""
            yield Payout(row.wheel, _title(rules, row.wheel) + size, _symbol(row), own + others, row.cite, True)
    for shared in rules.all(c.Community):
        if shared.wheel in rules.wagers:
            pays = f"{_dollars(shared.pays)} to each other {rules.of_wheel(c.CommunityTo, shared.wheel).each}"
            yield Payout(shared.wheel, _title(rules, shared.wheel), "Community symbol", pays, shared.cite, True)


def _symbol(row: c.Symbol) -> str:
    return f"{row.name.replace('-', ' ').capitalize() if row.pays is None else _dollars(row.pays)} symbol"


def _odds_words(odds: Odds) -> str:
    return f"{odds.win} to {odds.lay}"


def _dollars(amount: Amount) -> str:
    return dollars(amount).removesuffix(".00")


# -- as a list


def _item_lines(shown: Layout) -> Iterator[str]:
    width = max(len(item.cite) for item in shown.items)
    for item in shown.items:
        quoted = item.item in _ORDERED or item.range
        text = f'"{item.text}"' if quoted else item.text
        every = ", one for each box" if item.each == "box" else ""
        side = f", at the dealer's {item.side}" if item.side else ""
        yield f"  {item.item.replace('_', ' '):20} {item.cite:{width}}  {text}{side}{every}"
        if item.alternative:
            yield f"  {'':20} {'':{width}}  or {item.alternative}"


def _odds(shown: Layout) -> Iterator[str]:
    width = max(len(payout.text) for payout in shown.odds)
    group = ""
    for payout in shown.odds:
        if payout.group != group:
            yield from ("", f"  {payout.group}")
            group = payout.group
        yield f"    {payout.text:{width}}  {payout.cite}"
