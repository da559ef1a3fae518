"""Progressive meters, to the last fraction: ten thousand contributions, limits, jackpots, and an auditor's book."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
from tests.contracts.table_driver import Day

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table import TableEvent, TableState
from twentyone.table.evolve import evolve
from twentyone.table.meter_events import JackpotPaid, MeterContributed, MeterSet
from twentyone.table.model import Meter

CONTRIBUTIONS = 10_000
WAGERS = (Amount("1"), Amount("5"))
TERMS = [
    ("1000", "0.07", None),
    ("1000", "0.1234567", None),
    ("5000", "1/3", "5010"),
    ("10000", "0.0333", "10000.001"),
    ("5000", "0", "5000"),
]
"""Reset, rate and limit of each meter that is tried."""

Evolve = Callable[[TableState, TableEvent], None]


class Book:
    """What an auditor writes down beside a meter: what was put in, what was paid out."""

    def __init__(self, reset: Amount) -> None:
        self.put_in = Fraction(int(reset))
        self.paid = Fraction(0)

    def check(self, meter: Meter) -> None:
        """Nothing is lost and nothing made: what was put in is paid, or on the meter, or waits above its limit."""
        assert meter.amount + meter.overflow == self.put_in - self.paid
        assert 0 <= meter.amount - int(meter.shown) < 1, "the meter shows its whole thousandths"
        assert meter.limit is None or meter.amount <= int(meter.limit), "the meter is above its limit"


def run(terms: tuple[str, str, str | None], changes: Evolve, seed: int = 1) -> Meter:
    """Contributions and jackpots at random, with the book checked after every event."""
    reset, rate, limit = terms
    rng, state, book = Random(seed), TableState(), Book(Amount(reset))
    most = None if limit is None else Amount(limit)
    changes(state, MeterSet("", 0, "Dan", meter="wheel", base=Amount(reset), rate=Fraction(rate), limit=most))
    for number in range(CONTRIBUTIONS):
        added = Fraction(rate) * int(rng.choice(WAGERS))
        changes(state, MeterContributed("", 0, "Dan", meter="wheel", added=added))
        book.put_in += added
        book.check(state.meters["wheel"])
        hits = rng.choice((1, 1, 2)) if number % 97 == 0 else 0
        for _ in range(hits):
            shown = state.meters["wheel"].shown
            changes(state, JackpotPaid("", 0, "Dan", meter="wheel", paid=shown))
            book.paid += int(shown)
            book.put_in += int(Amount(reset))
            book.check(state.meters["wheel"])
    return state.meters["wheel"]


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: " ".join(map(str, terms)))
def test_a_meter_is_exact_after_ten_thousand_contributions(terms: tuple[str, str, str | None]) -> None:
    meter = run(terms, evolve)
    assert meter.hits > CONTRIBUTIONS // 97
    assert meter.contributed - int(meter.paid - meter.base * (meter.hits + 1)) == meter.amount + meter.overflow


def test_two_jackpots_of_a_round_are_each_paid_what_the_meter_shows() -> None:
    """Md. 12.D(6)(b), (7): the meter starts again from the submission's amount before the next player is paid."""
    terms = {"bonus_spin": {"rate": "0.5", "reset": "5000"}}
    day = Day(Rulebook.load("md-spanish-21").under({"bonus_spin": "B", "progressive": terms}), 1, lambda _, __: None)
    day.work(0)
    players = list(day.state.players)
    for box, name in enumerate(players, 1):
        day.give("place_wager", "player", name, box=box, amount="10")
        day.give("place_wager", "player", name, box=box, amount="1", wager="bonus_spin")
    day.give("deal", "dealer", day.dealer)
    for card in ["AS", "AH", "9D", "KS", "KH", "8D"]:
        day.cards.shoe.remove(Card(card))
        day.cards.shoe.append(Card(card))
        day.give("card", "dealer", day.dealer, card=card)
        while day.table.next_steps()[0].do == "spin":
            day.give("spin", "dealer", day.dealer, symbol="jackpot")
    paid = [str(told.paid) for told in day.table.events if isinstance(told, JackpotPaid)]
    assert paid == ["5001", "5000"]
    assert day.state.meters["bonus_spin"].shown == Amount("5000")


# -- meters with a planted fault


def rounds_down(state: TableState, told: TableEvent) -> None:
    """Every contribution loses its fraction of a thousandth."""
    evolve(state, told)
    if told.kind == "meter_contributed":
        meter = state.meters["wheel"]
        state.writable("meters")["wheel"] = meter._replace(amount=Fraction(int(meter.shown)))


def forgets_what_waits(state: TableState, told: TableEvent) -> None:
    """What waits above the limit is dropped."""
    evolve(state, told)
    state.writable("meters")["wheel"] = state.meters["wheel"]._replace(overflow=Fraction(0))


def pays_and_keeps(state: TableState, told: TableEvent) -> None:
    """A jackpot leaves the meter as it was."""
    before = state.meters.get("wheel")
    evolve(state, told)
    if told.kind == "meter_paid" and before is not None:
        state.writable("meters")["wheel"] = before


def knows_no_limit(state: TableState, told: TableEvent) -> None:
    """The meter grows past its limit."""
    evolve(state, told)
    meter = state.meters["wheel"]
    state.writable("meters")["wheel"] = meter._replace(amount=meter.amount + meter.overflow, overflow=Fraction(0))


@pytest.mark.parametrize("changes", [rounds_down, forgets_what_waits, pays_and_keeps, knows_no_limit])
def test_a_faulty_meter_is_found_out(changes: Evolve) -> None:
    with pytest.raises(AssertionError):
        run(TERMS[2], changes)
