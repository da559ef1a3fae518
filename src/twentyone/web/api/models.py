"""The responses of the interface, as models: the schema for other programs."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

__all__ = [
    "Book",
    "DealtShown",
    "EntryShown",
    "Found",
    "FullEntry",
    "Limits",
    "LineShown",
    "Me",
    "Moved",
    "ReplayShown",
    "ReportShown",
    "RoundLine",
    "RoundsShown",
    "SealedShown",
    "ShoeRecordShown",
    "ShoesShown",
    "Shown",
    "StaffShown",
    "View",
    "WheelShown",
]


class Me(BaseModel):
    """Who the session belongs to, and what a player has: away from the tables, and at each of them."""

    name: str
    role: str
    purse: str | None = None
    at_tables: dict[str, str] | None = None


class AccountRow(BaseModel):
    """An account as the administrator sees it."""

    name: str
    role: str
    locked: bool
    sessions: int


class Limits(BaseModel):
    """Minimum and maximum wager, the smallest chip, decks, and who may wager where."""

    least: str | None
    most: str | None
    chip: str
    decks: int
    boxes_per_player: int | None
    players_per_box: int | None
    adjacent: bool


class You(BaseModel):
    """Your own boxes and role; your chips if you are at the table."""

    name: str
    role: str
    boxes: list[int]
    chips: str | None
    standing: bool
    barred: bool


class Seated(BaseModel):
    """A player at the table; without a device, the dealer enters what he signals."""

    boxes: list[int]
    chips: str
    device: bool


class DealerShown(BaseModel):
    """The dealer's cards; one that lies face down is called `hidden`."""

    cards: list[str]
    range: str | None
    showing: int | None
    total: int | None
    soft: bool
    blackjack: bool
    bust: bool


class ShoeShown(BaseModel):
    """The shoe in play: how full it is, and the commitment to its order."""

    number: int
    size: int
    left: int
    backs: str
    cover_seen: bool
    commitment: str
    cover: int | None


class StepShown(BaseModel):
    """What the procedure asks of a role now, under which paragraph."""

    do: str
    role: str
    cite: str
    says: str
    about: str


class CutShown(BaseModel):
    """Who is asked to cut, the least number of cards from either end, and the number of cards."""

    offered: str
    least: int
    cards: int


class ClockShown(BaseModel):
    """Time that runs out: for a decision, the cut, more wagers, or a box that nobody plays; how much is left of it."""

    what: str
    players: list[str]
    box: int | None
    seconds: float
    left: float


class View(BaseModel):
    """A table as you may see it."""

    table: str
    version: int
    rulebook: str
    title: str
    phase: str
    stopped: str
    dealer_on_duty: str | None
    round: int
    wagers: list[str]
    stakes: dict[str, str]
    sizes: dict[str, list[str]]
    limits: Limits
    players: dict[str, Seated]
    verbal: list[dict[str, Any]]
    manners: dict[str, bool]
    boxes: list[dict[str, Any]]
    dealer: DealerShown
    exposed: str | None
    shoe: ShoeShown | None
    wheel_commitment: str = ""
    rack: int
    wheels: dict[str, list[Any]]
    weights: dict[str, dict[str, int]]
    meters: dict[str, str]
    fixed_meters: list[str]
    next: list[StepShown]
    cut: CutShown | None
    you: You
    offer: dict[str, Any] | None
    last: dict[str, Any] | None = None
    saying: list[dict[str, Any]] = []
    clocks: list[ClockShown] = []
    pace: str = ""
    paces: list[str] = []
    notice: str = ""
    actions: list[dict[str, Any]] = []
    fields: dict[str, list[dict[str, Any]]] = {}
    guests: list[dict[str, Any]] = []
    payments: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    ranks: list[str] = []


class LineShown(BaseModel):
    """A line of a table's story."""

    n: int
    says: str
    cite: str
    kind: str
    at: int


class Moved(BaseModel):
    """The table after a command: its version, and the kinds of its events."""

    version: int
    events: list[str]


class Shown(BaseModel):
    """The settings of the automatic staff of a table."""

    pace: str
    clock: float
    patience: float
    absence: float


class StaffShown(Shown):
    """The same, with the available paces."""

    paces: list[str]


class RoundLine(BaseModel):
    """A round in the list of rounds."""

    round: str
    table: str
    rulebook: str
    number: int
    first: int
    last: int
    begun: int
    over: bool
    void: bool
    boxes: list[int]
    wagered: str
    net: dict[str, str]
    outcomes: list[str]
    cites: list[str]
    irregularities: list[str]


class RoundsShown(BaseModel):
    """A page of rounds; `next` is where the next one begins, `reached` how far back a long search has come."""

    rounds: list[RoundLine]
    next: int | None
    reached: int | None


class DealtShown(BaseModel):
    """What came of dealing a round again; `identical` is null where it cannot be."""

    identical: bool | None
    says: str
    why: str


class Frame(BaseModel):
    """The table after one event of a round, in words and under its paragraph."""

    says: str
    cite: str
    at: int
    by: str
    view: dict[str, Any]


class ReplayShown(RoundLine):
    """A round, frame by frame."""

    frames: list[Frame]


class SpinShown(BaseModel):
    """Where a wheel stopped; `boxes` and `hot_spot` where one was drawn for several boxes."""

    wheel: str
    boxes: list[int]
    symbol: str
    hot_spot: int | None


class WheelShown(BaseModel):
    """The wheels of a round, and the weight of each symbol."""

    commitment: str
    seed: str
    spins: list[SpinShown]
    weights: dict[str, dict[str, int]]


class ShoeLine(BaseModel):
    """A shoe in the list; `version` names it, `revealed` is null while its seed is sealed."""

    version: int
    sealed: int
    commitment: str
    batch: str
    revealed: int | None


class ShoesShown(BaseModel):
    """A page of shoes."""

    table: str
    shoes: list[ShoeLine]
    next: int | None


class SealedShown(ShoeLine):
    """A shoe with all that its check needs; empty while it is sealed."""

    table: str
    seed: str
    cut: int | None
    cards: str
    dealt: str


class ShoeRecordShown(BaseModel):
    """A shoe record."""

    format: str
    rulebook: str
    submission: dict[str, Any]
    seed: str
    commitment: str
    cut: int
    dealt: str
    batch: str | None = None


class FaultShown(BaseModel):
    """What is wrong, and where."""

    stream: str
    version: int
    what: str


class ReportShown(BaseModel):
    """The result of a verification."""

    ok: bool
    faults: list[FaultShown]
    unchecked: list[str]
    closed: list[str]
    counts: dict[str, int]


class Book(BaseModel):
    """A rulebook."""

    rulebook: str
    title: str
    source: str
    paragraphs: int


class EntryShown(BaseModel):
    """An entry of a rulebook, in short."""

    paragraph: str
    title: str
    kind: str
    words: str


class FullEntry(EntryShown):
    """Everything known of a paragraph: its notes, its clause, what implements it, what tests it."""

    cite: str
    notes: list[dict[str, Any]]
    clause: str | None
    clauses: list[str]
    functions: list[str]
    tests: list[str]
    readings: list[dict[str, Any]]
    place: str


class Found(EntryShown):
    """An entry that matches a search."""

    rulebook: str
    cite: str
