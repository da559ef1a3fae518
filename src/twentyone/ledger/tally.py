"""The figures of one table in one shift, counted from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, get_type_hints

from twentyone.ledger.carried import meters_carried
from twentyone.ledger.codec import CARRIED, COMMAND, CREATED, read_body
from twentyone.ledger.reading import Chips, gained, mishaps, wagered
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.timestamps import Period
from twentyone.money import THOUSANDTH, ZERO, Amount

__all__ = ["INVENTORY", "MONEY", "MeterFigures", "Tally"]

Body = Mapping[str, Any]
ALWAYS = Period()
INVENTORY, LAYOUT = "(inventory)", "(layout)"


@dataclass
class MeterFigures:
    """A progressive meter in a shift."""

    base: Amount
    """What it starts from."""
    before: Fraction = Fraction(0)
    """What it held when the shift began, in thousandths; fractions are never cut off."""
    contributed: Fraction = Fraction(0)
    """What wagers added in the shift."""
    paid: Amount = ZERO
    """What it paid in the shift."""
    hits: int = 0
    """How often it was won in the shift."""
    now: Fraction = Fraction(0)
    """What it holds when the shift ended, with what waits."""
    limit: Amount | None = None
    """The most that it shows; what comes above waits for the next start."""
    unit: Amount = THOUSANDTH
    """It shows whole units of this."""

    @property
    def shown(self) -> Amount:
        """What it shows: whole units, up to its limit."""
        most = self.now if self.limit is None else min(self.now, Fraction(int(self.limit)))
        return self.unit * int(most // int(self.unit))

    @property
    def waits(self) -> Fraction:
        """What it holds and does not show."""
        return self.now - int(self.shown)

    @property
    def difference(self) -> Fraction:
        """The surplus of the meter: zero where every contribution is accounted for."""
        return self.now - (self.before + self.contributed - int(self.paid - self.base * self.hits))


@dataclass
class Tally:
    """What happened at one table in one shift."""

    table: str
    """The table's stream."""
    period: Period = ALWAYS
    """The shift."""
    rulebook: str = ""
    """The rulebook's id."""
    for_play: bool = True
    """Whether its shoes were for play, not from a test source of entropy."""
    first: int | None = None
    """When the first event of the shift happened."""
    last: int | None = None
    """When the last one did."""
    commands: int = 0
    """Commands carried out."""
    events: int = 0
    """Events stored."""
    rounds: int = 0
    """Rounds begun."""
    voids: int = 0
    """Rounds that were void."""
    shoes: int = 0
    """Shoes put into play."""
    cash: Amount = ZERO
    """Cash in the drop box."""
    brought: Amount = ZERO
    """Chips that players brought from their accounts: their buy-in in play money."""
    fills: Amount = ZERO
    """Chips that came from the cage."""
    credits: Amount = ZERO
    """Chips that went back to the cage."""
    opening: Amount = ZERO
    """The table inventory when the shift began, or with which the table was opened in it."""
    inventory: Amount = ZERO
    """The table inventory when it ended."""
    wagered: Amount = ZERO
    """Everything wagered."""
    players: Amount = ZERO
    """What players won (or, below zero, lost) on settled wagers."""
    coupons: Amount = ZERO
    """What match-play coupons won."""
    coupons_used: Amount = ZERO
    """What the coupons won that were used up in the shift."""
    tips: Amount = ZERO
    """Chips in the tip box."""
    on_layout: Amount = ZERO
    """Chips on the layout now, less those when the shift began: wagers of a round in progress."""
    irregularities: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What went wrong, by name and paragraph."""
    meters: dict[str, MeterFigures] = field(default_factory=dict)
    """Progressive meters."""

    def __post_init__(self) -> None:
        self._chips = Chips()
        self._command: Body = {}

    # -- figures

    @property
    def chips(self) -> Chips:
        """The chips of the table when the shift ended."""
        return self._chips

    @property
    def win(self) -> Amount:
        """What the table won: its inventory and its cash, less what it began with and what came in."""
        return self.inventory - self.opening - self.fills + self.credits + self.cash

    @property
    def drop(self) -> Amount:
        """What players bought in with: cash, and play money of their accounts."""
        return self.cash + self.brought

    @property
    def difference(self) -> Amount:
        """The win by the count, less the win by the settled wagers: zero where every chip is accounted for."""
        return self.win + self.players + self.coupons

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the drop; none without a drop."""
        return self.win / self.drop if self.drop else None

    @property
    def rounds_a_shoe(self) -> Fraction | None:
        """Rounds begun for each shoe put into play."""
        return Fraction(self.rounds, self.shoes) if self.shoes else None

    # -- events

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of the table; what came before the shift moves only the balances it begins with."""
        if self.period.end is not None and event.ts >= self.period.end:
            return
        body = read_body(event)
        inside = self.period.holds(event.ts)
        if inside:
            self.events += 1
            self.first = event.ts if self.first is None else min(self.first, event.ts)
            self.last = event.ts if self.last is None else max(self.last, event.ts)
        if event.type == CREATED:
            self.rulebook, self.for_play = body["rulebook"], body["for_play"]
        elif event.type == COMMAND:
            self._command = body
            self.commands += inside
        elif event.type == CARRIED:
            self._carry(body)
        else:
            self._move_chips(event.type, body, inside)
            self._move_meters(event.type, body.get("data", {}), inside)
            if inside:
                self._count(event.type, body)

    def _move_chips(self, kind: str, body: Body, inside: bool) -> None:
        held = self._chips.accounts
        inventory, layout = held.get(INVENTORY, ZERO), held.get(LAYOUT, ZERO)
        self._chips.follow(kind, body)
        self.inventory = held.get(INVENTORY, ZERO)
        if inside:
            self.on_layout += held.get(LAYOUT, ZERO) - layout
        else:
            self.opening += self.inventory - inventory

    def _carry(self, body: Body) -> None:
        """What the period before left here: the shift begins with it."""
        self._move_chips(CARRIED, body, False)
        for name, (held, _) in meters_carried(body).items():
            self.meters[name].before = self.meters[name].now = held

    def _move_meters(self, kind: str, data: Body, inside: bool) -> None:
        if kind == "meter_set":
            base, limit = Amount.from_thousandths(data["base"]), data["limit"]
            figures = MeterFigures(base, Fraction(int(base)), now=Fraction(int(base)))
            figures.limit = None if limit is None else Amount.from_thousandths(limit)
            figures.unit = Amount.from_thousandths(int(data.get("unit", THOUSANDTH)))
            if figures.unit <= ZERO:
                raise ValueError(f"a meter does not show units of {figures.unit}")
            self.meters[data["meter"]] = figures
        elif kind == "meter_contributed":
            self._move_meter(data["meter"], inside, added=Fraction(data["added"]))
        elif kind == "meter_share_taken_back":
            self._move_meter(data["meter"], inside, added=-Fraction(data["taken"]))
        elif kind == "meter_paid":
            self._move_meter(data["meter"], inside, paid=Amount.from_thousandths(data["paid"]), hits=1)
        elif kind == "meter_restored":
            self._move_meter(data["meter"], inside, paid=-Amount.from_thousandths(data["paid"]), hits=-1)

    def _move_meter(
        self, name: str, inside: bool, added: Fraction = Fraction(0), paid: Amount = ZERO, hits: int = 0
    ) -> None:
        meter = self.meters[name]
        moved = added - int(paid - meter.base * hits)
        meter.now += moved
        if inside:
            meter.contributed += added
            meter.paid += paid
            meter.hits += hits
        else:
            meter.before += moved

    def _count(self, kind: str, body: Body) -> None:
        data = body.get("data", {})
        for irregularity in mishaps(self._command, kind, body):
            self.irregularities[irregularity] += 1
        if kind == "round_begun":
            self.rounds += 1
        elif kind == "shoe_loaded":
            self.shoes += 1
        elif kind == "chips_moved":
            self._count_chips(data)
        elif kind == "coupon_settled":
            self.coupons += Amount.from_thousandths(data["amount"] if data["source"] == INVENTORY else -data["amount"])
        elif kind == "coupon_used":
            self.coupons_used += Amount.from_thousandths(data["paid"])
        for event in data.get("events", ()) if kind in ("round_begun", "round_event") else ():
            self._count_round_event(event)

    def _count_chips(self, data: Body) -> None:
        self.cash += Amount.from_thousandths(data.get("cash") or 0)
        if data["why"] == "opens":
            self.opening += Amount.from_thousandths(data["amount"])
        elif data["why"] == "brings":
            self.brought += Amount.from_thousandths(data["amount"])
        elif data["why"] == "fill":
            self.fills += Amount.from_thousandths(data["amount"])
        elif data["why"] == "credit":
            self.credits += Amount.from_thousandths(data["amount"])
        elif data["why"] == "tip":
            self.tips += Amount.from_thousandths(data["amount"])

    def _count_round_event(self, event: Body) -> None:
        _, gain = gained(event) or ("", 0)
        self.wagered += Amount.from_thousandths(wagered(event))
        self.players += Amount.from_thousandths(gain)
        self.voids += event["event"] == "round_voided"


def _figures(kind: type[object], wanted: type[object]) -> tuple[str, ...]:
    """The fields and properties of a class that are of a type."""
    worked_out = {name: made.fget for name, made in vars(kind).items() if isinstance(made, property)}
    types = get_type_hints(kind) | {name: get_type_hints(get)["return"] for name, get in worked_out.items()}
    return tuple(name for name, held in types.items() if held is wanted)


MONEY = _figures(Tally, Amount)
"""The figures of a table that are money."""
