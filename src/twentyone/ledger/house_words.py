"""The house's stream as a person reads it: the wording of its events, and the list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.ledger import coupons
from twentyone.ledger.codec import read_body
from twentyone.ledger.derived import money_faults
from twentyone.ledger.house import HouseRows
from twentyone.ledger.house_book import HouseBook
from twentyone.ledger.interruptions import DIFFERS, INTERRUPTED, differs_words, interrupted_words
from twentyone.ledger.kept_law import KEPT, law_words
from twentyone.ledger.periods import PERIOD_WORDS
from twentyone.ledger.purses import CARRIED, EMPTIED, ENTRY, ISSUED, TAKEN_OVER
from twentyone.ledger.reading import readable, whole
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.software import ALTERED, BEGUN, altered_words, begun_words
from twentyone.ledger.store import Store
from twentyone.money import Amount, dollars

__all__ = ["WORDS", "HouseLine", "HouseStory", "house_story"]

Body = Mapping[str, Any]


class HouseLine(NamedTuple):
    """One event of the house."""

    version: int
    """Its number in the house's stream."""
    ts: int
    """When, in seconds UTC."""
    kind: str
    """What kind of event it is."""
    body: Body
    """Its fields; money in thousandths of a dollar."""

    @property
    def words(self) -> str:
        """What happened."""
        return WORDS[self.kind](self.body) if self.kind in WORDS else self.kind.replace("_", " ")


class HouseStory(NamedTuple):
    """The house's stream, and what its events leave in each purse."""

    lines: tuple[HouseLine, ...]
    """Its events, in order."""
    purses: Mapping[str, Amount]
    """What is in each purse."""
    wrong: tuple[str, ...] = ()
    """What the events themselves do not allow: money that was not there, a coupon that was used before."""

    def to_json(self) -> dict[str, Any]:
        """The story for a program: money in purses as decimal strings, events as they are stored."""
        events = [{**line._asdict(), "words": line.words} for line in self.lines]
        purses = {name: str(amount) for name, amount in self.purses.items()}
        return {"events": events, "purses": purses, "wrong": list(self.wrong)}


def house_story(store: Store) -> HouseStory:
    """Read the house's stream."""
    book, rows, lines, wrong = HouseBook(), HouseRows(), list[HouseLine](), list[str]()
    for event in whole(store, HOUSE):
        with readable(event):
            line = HouseLine(event.ver, event.ts, event.type, read_body(event))
            book.follow(event.type, line.body)
            _ = line.words
            lines.append(line)
            wrong += map(str, money_faults(rows, [event]))
    return HouseStory(tuple(lines), dict(_purses(book)), tuple(wrong))


def _purses(book: HouseBook) -> Iterator[tuple[str, Amount]]:
    for name in sorted(book.balances):
        if not name.startswith("("):
            yield name, Amount.from_thousandths(book.balances[name])


def _money(body: Body) -> str:
    return dollars(Amount.from_thousandths(abs(body["amount"])))


def _issued(body: Body) -> str:
    return f"{body['issuer']} issues {_money(body)} of play money to {body['name']}: {body['reason']}"


def _entry(body: Body) -> str:
    place = f"{body['table']} (version {body['version']})"
    if body["amount"] > 0:
        return f"{body['name']} takes {_money(body)} away from {place}"
    return f"{body['name']} brings {_money(body)} to {place}"


def _emptied(body: Body) -> str:
    return f"{body['issuer']} empties the purse of {body['name']} of {_money(body)}: {body['reason']}"


def _taken_over(body: Body) -> str:
    return f"the purse of {body['name']}, kept beside the ledger before, is taken over: {_money(body)}"


def _coupon(body: Body) -> str:
    worth = f" of {_money(body)}" if "amount" in body else ""
    return f"the coupon {body['number']}{worth}"


def _coupon_issued(body: Body) -> str:
    return f"{body['issuer']} issues {_coupon(body)} {_until(body)}"


def _until(body: Body) -> str:
    return f"for {body['person'] or 'anybody'}, until {coupons.last_minute(body['ends'])} (UTC)"


def _coupon_at(body: Body) -> str:
    return f"{_coupon(body)} of {body['player']} at {body['table']} (version {body['version']})"


WORDS: dict[str, Callable[[Body], str]] = {
    coupons.ISSUED: _coupon_issued,
    coupons.LAID: lambda body: f"{_coupon_at(body)} is laid",
    coupons.RETURNED: lambda body: f"{_coupon_at(body)} goes back",
    coupons.USED: lambda body: f"{_coupon_at(body)} is used; it won {dollars(Amount.from_thousandths(body['paid']))}",
    coupons.CARRIED: lambda body: f"{_coupon(body)} goes on, {_until(body)}",
    coupons.VOID: lambda body: f"{body['issuer']} declares {_coupon(body)} void: {body['reason']}",
    ISSUED: _issued,
    ENTRY: _entry,
    EMPTIED: _emptied,
    TAKEN_OVER: _taken_over,
    CARRIED: lambda body: f"the purse of {body['name']} goes on with {_money(body)}",
    KEPT: law_words,
    BEGUN: begun_words,
    ALTERED: altered_words,
    INTERRUPTED: interrupted_words,
    DIFFERS: differs_words,
    **PERIOD_WORDS,
}
"""The wording of each kind of event; a module that brings another adds it here."""
