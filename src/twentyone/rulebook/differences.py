"""What a game is like in a few sentences, asked of its rules; and which of them are not true of ordinary Blackjack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from twentyone.cards import SUITS, Card
from twentyone.money import dollars
from twentyone.rulebook import clauses as c
from twentyone.rulebook.folders import own_folder_of
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.rulebook import loaded_rulebooks
from twentyone.rulebook.rules import Rules
from twentyone.rulebook.wheels import paytables, weights_of
from twentyone.rulebook.words import hand_words

__all__ = ["Fact", "PayRow", "differences", "facts_of", "in_one_line", "pay_table"]

MOST_IN_A_LINE = 6
"""Facts that one line has room for."""


class Fact(NamedTuple):
    """Something that a player should know of a game."""

    short: str
    """In a few words."""
    says: str
    """As a sentence."""
    cite: str
    """The paragraph that says so."""


class PayRow(NamedTuple):
    """What a hand is paid."""

    says: str
    """The hand."""
    pays: str
    """The odds."""
    cite: str
    """The paragraph."""


def differences(rules: Rules) -> list[Fact]:
    """What is true of this game and not of ordinary Blackjack, the most important first."""
    plain = _plain_facts()
    return [fact for fact in facts_of(rules) if fact.says not in plain]


def in_one_line(rules: Rules) -> str:
    """The same in one line; ordinary Blackjack itself is told by what it is."""
    found = [fact.short for fact in differences(rules) or facts_of(rules)][:MOST_IN_A_LINE]
    line = "; ".join(found)
    return _sentence(line)


def facts_of(rules: Rules) -> list[Fact]:
    """Everything that is told of a game."""
    return [fact for tell in TOLD for fact in tell(rules)]


@cache
def _plain_facts() -> frozenset[str]:
    """What is true of the package's own book of ordinary Blackjack."""
    ours = [book for book in loaded_rulebooks()[0] if not book.regulation and own_folder_of(book.id) is None]
    return frozenset(fact.says for book in ours[:1] for fact in facts_of(book.under()))


# -- cards and hole card


def _cards(rules: Rules) -> Iterator[Fact]:
    cards = rules.cards
    for rank in cards.without:
        yield Fact(f"no {rank}s", f"The decks have no {rank}s: {cards.per_deck} cards each.", cards.cite)


def _ranges(rules: Rules) -> Iterator[Fact]:
    ranges = {row.name: row for row in rules.all(c.Range)}
    if not ranges:
        return
    said = ", ".join(f"{name} ({' '.join(row.ranks)})" for name, row in ranges.items())
    cite = next(iter(ranges.values())).cite
    yield Fact("you are told the range of the hole card", f"You are told the range of the hole card: {said}.", cite)
    for shown in rules.all(c.Expose):
        says = f"Where both cards of the dealer's are {shown.range}, you see the hole card before you decide."
        yield Fact(f"two {shown.range} cards of the dealer's are shown", says, shown.cite)


def _second_card(rules: Rules) -> Iterator[Fact]:
    for step in rules.all(c.Step):
        if step.name == "second_card":
            yield Fact("no hole card", "The dealer takes his second card after the players have decided.", step.cite)


# -- comparing


def _ties(rules: Rules) -> Iterator[Fact]:
    blackjack, limit = _blackjack(rules), _hand(rules.limit)
    first = next((step for step in rules.all(c.Step) if step.name == "pay_blackjacks"), None)
    if first is not None:
        yield Fact("your Blackjack is paid at once", "Your Blackjack is paid before the dealer's is known.", first.cite)
    else:
        row = rules.outcome(blackjack, blackjack)
        yield Fact(BLACKJACKS[row.result], _sentence(BLACKJACKS[row.result]), row.cite)
    row = rules.outcome(limit, limit)
    if row.result == "win":
        yet = "; his Blackjack beats it" if rules.outcome(limit, blackjack).result == "lose" else ""
        says = f"your {rules.limit} in three cards or more beats the dealer's{yet}"
        yield Fact(f"your {rules.limit} beats the dealer's", _sentence(says), row.cite)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


BLACKJACKS = {
    "win": "your Blackjack beats the dealer's",
    "push": "two Blackjacks push",
    "lose": "the dealer's Blackjack beats yours",
}


def _just_over(rules: Rules) -> Iterator[Fact]:
    """A dealer's total that is one too many and does not lose."""
    over = rules.limit + 1
    row = rules.outcome(_hand(rules.limit - 1), _hand(over))
    if row.result == "push":
        yield Fact(f"the dealer's {over} pushes", f"Against the dealer's {over} most hands push.", row.cite)


def _blackjack(rules: Rules) -> HandFacts:
    ten = next(rank for rank, value in rules.values.items() if value == rules.one(c.Blackjack).value)
    return rules.hand((Card(rules.one(c.Blackjack).ace[0] + SUITS[0]), Card(ten + SUITS[0])))


def _hand(points: int) -> HandFacts:
    """A hand of three cards with this total; which cards they are does not matter to a comparison."""
    return HandFacts((Card("2" + SUITS[0]),) * 3, points)


# -- paying


def _paid(rules: Rules) -> Iterator[Fact]:
    for row in rules.all(c.Pay):
        if row.hand.blackjack and "main" in row.wagers:
            says = f"Blackjack pays {_odds(row)}"
            yield Fact(says, f"{says}.", row.cite)
    bonuses = [row for row in rules.all(c.Pay) if _is_bonus(row)]
    if bonuses:
        best = max(bonuses, key=lambda row: row.odds.win / row.odds.lay)
        says = f"{len(bonuses)} kinds of winning hands pay more than even money, up to {_odds(best)}."
        yield Fact(f"bonus hands pay up to {_odds(best)}", says, bonuses[0].cite)
    bonus, bands = rules.maybe(c.SuperBonus), rules.all(c.Band)
    if bonus is not None and bands:
        most = dollars(max(band.pays for band in bands)).removesuffix(".00")
        says = f"{hand_words(bonus.hand)} against a {' or '.join(bonus.up)} earns a super bonus of up to {most}."
        yield Fact(f"a super bonus of up to {most}", says, bonus.cite)


def _is_bonus(row: c.Pay) -> bool:
    return "main" in row.wagers and row.odds.win > row.odds.lay and not row.hand.blackjack


def _odds(row: c.Pay) -> str:
    return f"{row.odds.win} to {row.odds.lay}"


# -- deciding


def _decisions(rules: Rules) -> Iterator[Fact]:
    open_to = {name: row for name, row in rules.decisions.items() if not _forbidden(rules, name)}
    double = open_to.get("double")
    if double is not None:
        on = f"the first {double.cards} cards" if double.cards is not None else "any number of cards"
        yield Fact(f"double on {on}", f"You may double on {on}.", double.cite)
    for name, (short, says) in ASKED.items():
        if name in open_to:
            yield Fact(short, says, open_to[name].cite)


ASKED = {
    "rescue": ("a doubled hand can be rescued", "You may take back the double and give up the original wager."),
    "second_chance": (
        "a second chance after a bust",
        "For one more wager, a card is taken off the total of a hand that went over.",
    ),
    "surrender": ("surrender", "You may surrender your first hand and get a part of the wager back."),
    "even_money": ("even money", "You may take even money for a Blackjack against an ace."),
}


def _forbidden(rules: Rules, name: str) -> bool:
    """Whether a text forbids a decision on every hand."""
    rows = [row for row in rules.may_nots if row.name == name]
    asks = ("total", "soft", "blackjack", "after", "split", "hands", "hands_key")
    return any(not row.ranks and all(getattr(row, field) is None for field in asks) for row in rows)


def _splits(rules: Rules) -> Iterator[Fact]:
    for row in rules.may_nots:
        most = row.hands or (rules.submission.get(row.hands_key) if row.hands_key else None)
        if row.name == "split" and most and not row.ranks:
            yield Fact(f"split to {most} hands", f"A box holds at most {most} hands after splits.", row.cite)
    closed = {row.name: row for row in rules.may_nots if row.ranks}
    split = rules.decisions.get("split")
    if split is not None:
        no_more = closed.get("hit") or closed.get("draw")
        says = "Split aces get one card each." if no_more else "Split aces are played like other hands."
        yield Fact(says[:1].lower() + says[1:-1], says, no_more.cite if no_more else split.cite)


def _dealer(rules: Rules) -> Iterator[Fact]:
    dealer = rules.dealer
    least = min(dealer.stands)
    says = f"the dealer {'hits' if dealer.hits_soft else 'stands on'} soft {least}"
    yield Fact(says, _sentence(says), dealer.cite)


TOLD: tuple[Callable[[Rules], Iterator[Fact]], ...] = (
    _cards,
    _ranges,
    _second_card,
    _ties,
    _just_over,
    _paid,
    _decisions,
    _dealer,
    _splits,
)
"""What is asked of the rules, the most important first."""


# -- the pay table


def pay_table(rules: Rules) -> list[PayRow]:
    """What every winning wager is paid at this table, in the order of the text; then what is paid beside the odds."""
    rows = [PayRow(_hand_paid(row), _odds(row), row.cite) for row in rules.all(c.Pay)]
    return [*rows, *_matches(rules), *_side_pays(rules), *_super_bonus(rules), *_wheels(rules)]


def _matches(rules: Rules) -> Iterator[PayRow]:
    for wager in rules.wagers.values():
        for suit in ("same", "other") if wager.name == "match_the_dealer" else ():
            odds, cite = rules.match_odds(suit)
            yield PayRow(
                f"{wager.title}: each card of the up card's rank, {suit} suit", f"{odds.win} to {odds.lay}", cite
            )


def _side_pays(rules: Rules) -> Iterator[PayRow]:
    for row in rules.all(c.SidePay):
        if row.wager in rules.wagers:
            title = f"{rules.wagers[row.wager].title}: {row.cards.replace('_', ' ')}"
            yield PayRow(title, f"{row.odds.win} to {row.odds.lay}", row.cite)


def _super_bonus(rules: Rules) -> Iterator[PayRow]:
    bonus = rules.maybe(c.SuperBonus)
    if bonus is None:
        return
    hand = f"super bonus: {hand_words(bonus.hand)} against a {' or '.join(bonus.up)}"
    for band in rules.all(c.Band):
        yield PayRow(f"{hand}, wager of {_band(band)}", dollars(band.pays), band.cite)


def _wheels(rules: Rules) -> Iterator[PayRow]:
    """Each symbol of the wheels in use with what it pays."""
    shown = weights_of(rules)
    for paytable in paytables(rules):
        for symbol in shown[paytable.name] if paytable.wheel in rules.wagers else ():
            row, others = paytable.row(symbol), paytable.beside(symbol)
            own = dollars(row.pays) if row.pays is not None else "the meter"
            pays = f"{own}, and {dollars(others)} to each other player" if others else own
            yield PayRow(f"{rules.wagers[paytable.wheel].title}: {symbol}", pays, row.cite)


def _hand_paid(row: c.Pay) -> str:
    wagers = " and ".join(name.replace("_", " ") for name in row.wagers if name != "main")
    hand = hand_words(row.hand)
    if "main" not in row.wagers:
        return wagers
    return "any other winning hand" if hand == "any hand" else hand


def _band(band: c.Band) -> str:
    least = dollars(band.least)
    return f"{least} or more" if band.below is None else f"{least} to below {dollars(band.below)}"
