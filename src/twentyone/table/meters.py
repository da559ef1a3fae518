"""Progressive meters at the table: what wagers add to them, what jackpots take, and what goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.events import Event, MeterReset, MeterRestored, WagerSettled
from twentyone.rulebook.clauses import Contribution, MeterPaid
from twentyone.rulebook.wheels import paytable_of, paytables
from twentyone.table import meter_events as e
from twentyone.table.play import TablePlay

__all__ = ["contribute", "follow_meters", "return_shares"]


@carries("contribution")
def contribute(play: TablePlay) -> None:
    """Progressive wagers are locked in, and each adds its share to the meters of its wheel."""
    if not play.state.meters:
        return
    laid: dict[tuple[int, str, str], Amount] = {}
    for wager in play.state.placed:
        on = wager.box, wager.player, wager.wager
        laid[on] = laid.get(on, ZERO) + wager.amount
    for (_, _, wheel), amount in laid.items():
        for name, share in _shares(play, wheel, amount):
            if share:
                play.emit(e.MeterContributed, _clause(play, wheel).cite, meter=name, added=share)


def _shares(play: TablePlay, wheel: str, amount: Amount) -> Iterator[tuple[str, Fraction]]:
    """Meter to the share of a wager on this wheel; none, where it is no wheel."""
    if not any(table.wheel == wheel for table in paytables(play.rules)):
        return
    table = paytable_of(play.rules, wheel, amount)
    for name in sorted(map(table.meter, table.meters)):
        yield name, play.state.meters[name].rate * int(amount)


def _clause(play: TablePlay, wheel: str) -> Contribution:
    return play.rules.of_wheel(Contribution, wheel)


def follow_meters(play: TablePlay, events: Iterable[Event]) -> None:
    """The meters follow a step of the round: a jackpot takes what its meter shows, one that is undone gives it back."""
    for event in events:
        if isinstance(event, MeterReset) and event.paid:
            play.emit(e.JackpotPaid, _paid_cite(play, event.meter), meter=event.meter, paid=event.paid)
        elif isinstance(event, MeterRestored):
            play.emit(e.JackpotTakenBack, event.cite, meter=event.meter, paid=event.paid)


def _paid_cite(play: TablePlay, meter: str) -> str:
    """The paragraph by which a jackpot is what its meter shows."""
    wheel = next(table.wheel for table in paytables(play.rules) if meter in map(table.meter, table.meters))
    return play.rules.of_wheel(MeterPaid, wheel).cite


def return_shares(play: TablePlay, rows: Iterable[WagerSettled]) -> None:
    """Shares of wagers that went back leave the meters, where the text is read so; none falls below its base.

    They do so when the cards are picked up: until then a jackpot of the same round is what its meter shows.
    """
    taken: dict[tuple[str, str], Fraction] = {}
    for row in rows:
        for name, share in _shares(play, row.wager, row.amount) if row.outcome == "void" else ():
            on = name, row.wager
            taken[on] = taken.get(on, Fraction(0)) + share
    for (name, wheel), share in taken.items():
        meter, clause = play.state.meters[name], _clause(play, wheel)
        held = min(share, meter.held - int(meter.base))
        if held > 0 and clause.returned == "taken_back":
            play.emit(e.MeterShareTakenBack, clause.cite, meter=name, taken=held)
