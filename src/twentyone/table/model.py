"""The table's data: commands that people give, the log of what happened, and the state of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.money import THOUSANDTH, ZERO, Amount
from twentyone.round import Round
from twentyone.table.events import TableEvent, Todo

__all__ = [
    "RACK",
    "ROLES",
    "RUN_OUT",
    "Bundle",
    "CardBatch",
    "Command",
    "DeviceState",
    "Log",
    "Meter",
    "Placed",
    "Player",
    "Shoe",
    "TableEvent",
    "TableState",
    "Todo",
]

ROLES = ("player", "dealer", "floorperson", "operator")
"""Who may give a command at the table."""

RUN_OUT = "insufficient_cards"
"""The irregularity of a shoe that runs out in a round."""

RACK = "rack"
"""The stack that a discard rack becomes in a round, where batches are named."""


class Command(NamedTuple):
    """What somebody asks the table to do."""

    do: str
    """Which command."""
    role: str
    """In which role it is given."""
    by: str
    """By whom."""
    at: int = 0
    """When, in seconds of one clock (UTC); order never depends on it."""
    args: Mapping[str, Any] = MappingProxyType({})
    """What it names: a box, an amount, a card."""


class Log:
    """What one command led to, and the log before it: tables that follow one another share their past."""

    __slots__ = ("_all", "before", "events")

    def __init__(self, before: Log | None, events: tuple[TableEvent, ...]) -> None:
        self.before = before
        """The log of the commands before."""
        self.events = events
        """The events of this command."""
        self._all: tuple[TableEvent, ...] | None = None

    @property
    def last(self) -> int:
        """When the last event happened; the beginning of time where none is known."""
        log: Log | None = self
        while log is not None and not log.events:
            log = log.before
        return log.events[-1].at if log is not None else 0

    def all(self) -> tuple[TableEvent, ...]:
        """Every event, the oldest first. Kept here, and no longer at the log that it was made from."""
        parts, log, known = [], self, None
        while (known := log._all) is None:
            parts.append(log.events)
            if log.before is None:
                break
            log = log.before
        log._all = None
        self._all = (known or ()) + tuple(chain.from_iterable(reversed(parts)))
        return self._all


class CardBatch(NamedTuple):
    """A batch of cards: so many decks of one colour of back."""

    decks: int
    opened: int
    """When the cards were opened."""
    cards: int
    """Cards in it."""


class Shoe(NamedTuple):
    """The shoe in play."""

    number: int
    batch: str
    size: int
    """Cards put into it."""
    left: int
    """Cards still in it."""
    cover: int | None
    """Cards that come out before the cover card; none: a device without one."""
    commitment: str
    """The commitment to its order."""
    seen: bool = False
    """Whether the cover card has come out."""
    continuous: bool = False
    """Whether it is a device that takes the cards of each round back and shuffles them."""

    def drawn(self) -> Shoe:
        """The shoe with one card less."""
        left = self.left - 1
        return Shoe(self.number, self.batch, self.size, left, self.cover, self.commitment, self.seen, self.continuous)


class Bundle(NamedTuple):
    """The cards of one round in the discard rack, hand by hand in the order they were picked up."""

    round: int
    hands: tuple[tuple[Card, ...], ...]


class Player(NamedTuple):
    """A player at the table."""

    arrived: int
    """The order of arrival."""
    boxes: tuple[int, ...] = ()
    """The boxes he sits at; none: he stands at the table."""
    wagered: bool = True
    """Whether he wagered in the last round since he came."""
    barred: bool = False
    """Whether he may not wager before the reshuffle."""
    device: bool = True
    """Whether he gives his commands himself; if not, the dealer enters what he signals."""


class Placed(NamedTuple):
    """A wager on the layout that waits for the deal."""

    box: int
    player: str
    wager: str
    amount: Amount
    cash: bool = False
    """Made verbally, with cash that became chips once it was confirmed."""
    confirmed: tuple[str, ...] = ()
    """The roles that have confirmed it."""
    coupon: Amount = ZERO
    """What the match-play coupon beside it is worth."""
    number: str = ""
    """Which coupon it is; empty where a player laid it himself, in ledgers of the first two forms."""

    def coupon_won(self, round_: Round) -> Amount:
        """What its coupon has won in a round so far: it is paid with the wager, at its odds."""
        won = [
            row for row in round_.state.rows if (row.box, row.player, row.wager) == self[:3] and row.outcome == "win"
        ]
        return next((row.odds.pays(self.coupon) for row in won if row.odds is not None), ZERO) if self.coupon else ZERO


class DeviceState(NamedTuple):
    """The state of a device of the table."""

    inspected: int | None = None
    """When it was inspected last."""
    state: str = "working"
    """`working`, `out_of_order`, `covered` or `removed`."""


class Meter(NamedTuple):
    """A progressive meter; its amount is exact, what it shows is whole units."""

    amount: Fraction
    base: Amount
    rate: Fraction
    limit: Amount | None
    overflow: Fraction = Fraction(0)
    hits: int = 0
    paid: Amount = ZERO
    contributed: Fraction = Fraction(0)
    unit: Amount = THOUSANDTH

    @property
    def shown(self) -> Amount:
        """What the meter shows: what is below a unit carries on unseen."""
        return self.unit * int(self.amount // int(self.unit))

    @property
    def held(self) -> Fraction:
        """All that it holds, shown or not."""
        return self.amount + self.overflow

    @property
    def waits(self) -> Fraction:
        """What it holds and does not show."""
        return self.held - int(self.shown)


@dataclass
class TableState:
    """The state of a table. Treat as frozen: it changes only by events."""

    phase: str = "closed"
    """`closed`, `open`, `round`, `settled` (the round's cards lie there), `idle`."""
    day: int | None = None
    """The gaming day."""
    dealer: str | None = None
    """The dealer on duty."""
    floorperson: str = ""
    """The floorperson assigned to the table; empty: nobody yet."""
    agenda: tuple[Todo, ...] = ()
    """What the procedure asks for before the next deal, in order."""
    batches: dict[str, CardBatch] = field(default_factory=dict)
    """Batches of cards at the table."""
    shuffled: tuple[str, ...] = ()
    """Batches that are shuffled and wait."""
    commitments: dict[str, str] = field(default_factory=dict)
    """The commitment to the order of each shuffled batch."""
    cuts: dict[str, int] = field(default_factory=dict)
    """Where each shuffled batch was cut, in cards from the top."""
    cover_from_bottom: int | None = None
    """Where the cover card was put, in cards from the bottom."""
    rounds_in_shoe: int = 0
    """Rounds dealt from the shoe in play."""
    arrivals: int = 0
    """How many players have come."""
    in_round: tuple[Placed, ...] = ()
    """The wagers the round was begun with."""
    shoe: Shoe | None = None
    """The shoe in play."""
    shoes: int = 0
    """Shoes put into play so far."""
    cut_order: tuple[str, ...] = ()
    """Players to whom the cut is still to be offered."""
    cut_offered: str = ""
    """To whom the cut is offered now."""
    cut_asked: bool = False
    """Whether the cut of this stack has been offered at all."""
    cut_by: str = ""
    """Who cut last."""
    cut_rotation: int = 0
    """How often a turn to cut was used up: a part of the stored form, which `cut_box` has taken the place of."""
    cut_box: int | None = None
    """The box last offered the cut, where the next first offer moves on from it."""
    recutting: bool = False
    """Whether a stack that was cut is being cut again."""
    reshuffle: str = ""
    """Why a reshuffle is due: `box`, `dealer`, `floorperson`, `new_game`, `irregularity`."""
    cover_player: str = ""
    """Who had the first wager on the box where the cover card came out."""
    idle_batch: str = ""
    """The batch that lies spread on the idle table."""
    cover_box: int | None = None
    """The box on which the cover card came out."""
    gone: dict[str, int] = field(default_factory=dict)
    """How often each card has left the shoe in play."""
    burned: Card | None = None
    """The last burn card."""
    burned_in: int = 0
    """The round in which it was burned; 0: between two rounds."""
    burn_asked: str = ""
    """Who asked to see the burn card and has not seen it yet."""
    rack: tuple[Bundle, ...] = ()
    """The discard rack, the oldest bundle first."""
    removed: tuple[Card, ...] = ()
    """Cards taken out of play since the cards came to the table."""
    devices: dict[str, DeviceState] = field(default_factory=dict)
    """Devices by name."""
    all_working: bool = True
    """Whether no device is out of order, covered or removed."""
    players: dict[str, Player] = field(default_factory=dict)
    """Players at the table."""
    consents: frozenset[tuple[int, str, str]] = frozenset()
    """Box, its first player, and another whom he lets wager there."""
    placed: tuple[Placed, ...] = ()
    """Wagers that wait for the deal."""
    verbal: tuple[Placed, ...] = ()
    """Wagers spoken with cash that are not accepted yet: no chips lie for them."""
    round: Round | None = None
    """The round in progress, or the last one until its cards are collected."""
    rounds: int = 0
    """Rounds dealt so far."""
    bar: bool = False
    """Whether those who sit out are barred until the reshuffle."""
    shoe_wagers: tuple[tuple[str, ...], ...] = ()
    """Who wagered on each round since the cards were shuffled."""
    admitted: dict[str, int] = field(default_factory=dict)
    """Whom the operator let in again, and after how many rounds since the shuffle."""
    idle_face: str = ""
    """How the cards of the idle table lie."""
    resuming: bool = False
    """Whether the cards of an idle table are being made ready for a player who came."""
    deserted: bool = False
    """Whether everybody had gone since the cards in the shoe were put there."""
    face_up_by: str = ""
    """The player who asked for the cards of the idle table face up."""
    face_down: bool = False
    """Whether the cards of the idle table lie face down and have not been looked at."""
    jammed: str = ""
    """The batch whose shuffle did not complete: it is shuffled again."""
    chips: dict[str, Amount] = field(default_factory=dict)
    """Chips by account: players, `(layout)`, `(inventory)`, `(cage)`, `(tips)`; they add up to zero."""
    cash: dict[str, Amount] = field(default_factory=dict)
    """Cash by account: `(outside)` and `(drop)`; it adds up to zero."""
    meters: dict[str, Meter] = field(default_factory=dict)
    """Progressive meters."""
    stopped: str = ""
    """Why the table may not deal."""
    found: tuple[Card, ...] = ()
    """Cards found in the shoe that are not of this game: they lie aside until a floorperson destroys them."""
    miscounted: str = ""
    """The batch whose count gave another number, until the floorperson has said what is done about it."""
    limits: dict[str, Amount] = field(default_factory=dict)
    """The most that one command may move, where the operator has set it."""
    part: int = 0
    """Cards of the stack that is made ready within a round; 0: the stack is a whole batch."""

    copied: set[str] = field(default_factory=set, compare=False, repr=False)
    """The mappings that this copy no longer shares."""

    def copy(self) -> TableState:
        """A copy that events may change."""
        twin = TableState.__new__(TableState)
        twin.__dict__ = self.__dict__.copy()
        twin.copied = set()
        return twin

    def stack_size(self, name: str) -> int:
        """Cards in a stack that waits: a batch without what lies on the layout, or the rack that fills the shoe."""
        if name == RACK:
            assert self.shoe is not None
            return self.shoe.size
        return self.part or self.batches[name].cards

    def sat_out(self, name: str) -> bool:
        """Whether somebody did not wager on a round since the shuffle, and was not let in again after it."""
        since = self.shoe_wagers[self.admitted.get(name, 0) :]
        return any(name not in wagered for wagered in since)

    def writable(self, name: str) -> dict[str, Any]:
        """A mapping of this copy, to be changed: copied when it is first written to."""
        mapping: dict[str, Any] = self.__dict__[name]
        if name not in self.copied:
            mapping = self.__dict__[name] = mapping.copy()
            self.copied.add(name)
        return mapping
