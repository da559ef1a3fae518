"""Irregular shifts whose every event is judged, and their moments, at which every command is tried in every role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.cites.subjects import KINDS, Law, Wrong, law_of
from tests.contracts.table_driver import FLOORPERSON, Day
from tests.contracts.table_mischief import Mischief
from tests.contracts.table_noise import DEALERS, random_command
from tests.contracts.table_submissions import rules_of_day

from twentyone.errors import Refused
from twentyone.round import Draw, Offer
from twentyone.round.events import (
    BoxMissed,
    CardDealt,
    CardDrawnInError,
    CardSetAside,
    DealerCardMissed,
    DecisionTaken,
    Event,
    HoleCardRead,
    RequestedCardMissed,
    StepBegun,
    WagerSettled,
)
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.table import Command, Table, TableEvent
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.model import ROLES
from twentyone.table.play import COMMANDS, task_of

__all__ = ["Shift", "refusals_of", "shift"]

HAND = ("main", "double", "split")
NO_TASK = ("agenda_set", "round_event")
"""Events that nobody is told: what is due next, and the wrapper of a round's own events."""
CLASSIC = (
    {"match_the_dealer": True, "perfect_pairs": True, "twenty_one_plus_three": "graded", "surrender": "late"},
    {"hole_card": "none", "mid_shoe_entry": False},
    {"shuffler": "automated", "charlie": "5", "push_on_22": True, "ties_lose": True},
    {"shuffler": "continuous", "tens": False, "surrender": "early"},
)
"""Submissions of our own book, whose choices are many; the regulations draw theirs."""


def rules_of(book: str, number: int) -> Rules:
    """The rules of the shift of this number."""
    rulebook = Rulebook.load(book)
    if rulebook.regulation:
        return rules_of_day(rulebook, number)
    given = CLASSIC[number % len(CLASSIC)]
    choices = {clause.name: clause.choices for clause in rulebook.clauses if isinstance(clause, SubmissionKey)}
    return rulebook.under({key: one for key, one in given.items() if not choices[key] or one in choices[key]})


@dataclass
class _Kinds:
    """The kinds of events, told from what came before them in the table's record."""

    dealt: dict[int | None, int] = field(default_factory=dict)
    late: dict[Any, Any] = field(default_factory=dict)
    """Boxes and hands to whom a late card is due, and which card of his own the dealer missed."""
    exposed: Any = None
    chance: Any = None
    why: str = "new"
    """Why the stack is cut: a new game, or what ordered the reshuffle."""
    step: str = ""
    cutting_again: bool = False

    def of(self, event: TableEvent) -> Iterator[tuple[str, str]]:
        """The kinds of an event and of those in it, each with its citation."""
        for inner in getattr(event, "events", ()):
            yield self._inner(inner), inner.cite
        if event.kind not in NO_TASK:
            yield self._outer(event), event.cite

    def _outer(self, event: TableEvent) -> str:
        if isinstance(event, e.TableOpened | cards.CardsReceived):
            self.why = "new"
        elif isinstance(event, cards.ReshuffleOrdered):
            self.why = event.why
        elif isinstance(event, cards.CoverCardSeen):
            self.why = "dealer" if event.box is None else "box"
        elif isinstance(event, cards.PlayResumed):
            self.why = "new"
        elif isinstance(event, cards.RecutOrdered | cards.CutMade):
            self.cutting_again = isinstance(event, cards.RecutOrdered)
        elif isinstance(event, e.RoundBegun):
            self.dealt, self.late, self.exposed, self.chance = {}, {}, None, None
        if isinstance(event, cards.CutOffered):
            return f"{event.kind}:{'recut' if self.cutting_again else self.why}"
        for name in ("wager", "device", "why"):
            if f"{event.kind}:{getattr(event, name, '')}" in KINDS["events"]:
                return f"{event.kind}:{getattr(event, name)}"
        return event.kind

    def _inner(self, event: Event) -> str:
        name = type(event).__name__
        if isinstance(event, CardDealt):
            return f"{name}:{self._card(event)}"
        if isinstance(event, WagerSettled):
            return f"{name}:{_wager(event)}:{event.outcome}"
        self._remember(event)
        if isinstance(event, CardDrawnInError):
            return f"{name}:{'hidden' if event.card is None else 'seen'}"
        if isinstance(event, HoleCardRead):
            return f"{name}:{'cause' if self.step in ('read_hole', 'announce_range') else 'none'}"
        for part in ("action", "offer", "reason", "wager", "step"):
            if f"{name}:{getattr(event, part, '')}" in KINDS["events"]:
                return f"{name}:{getattr(event, part)}"
        return name

    def _remember(self, event: Event) -> None:
        """What tells later cards of the round apart."""
        if isinstance(event, BoxMissed):
            self.late[event.box] = "late_second"
        elif isinstance(event, RequestedCardMissed):
            self.late[event.box, event.hand] = "late_requested"
        elif isinstance(event, DealerCardMissed):
            self.late[None] = event.card_number
        elif isinstance(event, CardDrawnInError):
            self.exposed = event.card
        elif isinstance(event, CardSetAside):
            self.exposed = None
        elif isinstance(event, DecisionTaken) and event.action == "second_chance":
            self.chance = (event.box, event.hand)
        elif isinstance(event, StepBegun):
            self.step = event.step

    def _card(self, event: CardDealt) -> str:
        """Which card of the round it is."""
        number = self.dealt.get(event.box, 0)
        self.dealt[event.box] = number + 1
        if self.exposed is not None and event.card == self.exposed:
            self.exposed = None
            self._came(event, number)
            return "exposed"
        if (event.box, event.hand) in self.late:
            return str(self.late.pop((event.box, event.hand)))
        if event.box is None:
            if self.late.get(None) == number + 1:
                return "late_dealer"
            return ("up", "hole" if event.face_down else "dealer")[number] if number < 2 else "dealer"
        if number < 2 and event.hand == 1:
            late = event.box in self.late and number
            return str(self.late.pop(event.box)) if late else ("first", "second")[number]
        if self.chance == (event.box, event.hand):
            self.chance = None
            return "chance"
        return "doubled" if event.sideways else "drawn"

    def _came(self, event: CardDealt, number: int) -> None:
        """The exposed card was taken as the one that was late: no other is."""
        self.late.pop((event.box, event.hand), None)
        if number:
            self.late.pop(event.box, None)


def _wager(row: WagerSettled) -> str:
    if row.wager in HAND:
        return "hand"
    sides = ("match_the_dealer", "bonus_spin", "xtreme_16", "perfect_pairs", "twenty_one_plus_three")
    return "side" if row.outcome == "void" and row.wager in sides else row.wager


@dataclass
class Shift:
    """A shift that was worked: its wrong citations, the kinds of events it saw, and a table at each kind of moment."""

    law: Law
    wrong: list[Wrong] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    cited: set[tuple[str, str]] = field(default_factory=set)
    """Every kind of event with what it cited."""
    moments: dict[tuple[object, ...], tuple[Table, list[Any]]] = field(default_factory=dict)
    kinds: _Kinds = field(default_factory=_Kinds)

    def see(self, _: Table, new: tuple[TableEvent, ...]) -> None:
        """Judge what a command led to."""
        for event in new:
            for kind, cite in self.kinds.of(event):
                self.seen[kind] = self.seen.get(kind, 0) + 1
                if (kind, cite) not in self.cited:
                    self.cited.add((kind, cite))
                    fault = self.law.event(kind, cite)
                    self.wrong += [fault] if fault is not None else []


def shift(book: str, number: int, rounds: int, noise: float = 0.0) -> Shift:
    """Work a shift with irregularities."""
    worked = Shift(law_of(book))
    day = Day(rules_of(book, number), number, worked.see, noise, mischief=Mischief())
    worked.moments[_moment(day.table)] = (day.table, [])
    apply = day.apply

    def watched(command: Command) -> None:
        apply(command)
        worked.moments.setdefault(_moment(day.table), (day.table, list(day.cards.shoe[-1:])))

    day.apply = watched  # type: ignore[method-assign]
    day.work(rounds)
    if day.state.phase == "open" and not day.state.placed:
        for do in ("close_table", "open_table"):
            day.give(do, "floorperson", FLOORPERSON, **({"dealer": DEALERS[0]} if do == "open_table" else {}))
    return worked


def _moment(table: Table) -> tuple[object, ...]:
    """What tells one moment at a table from another."""
    state, round_ = table.state, table.state.round
    head = state.agenda[0].do if state.agenda else ""
    if state.phase != "round" or round_ is None:
        return state.phase, head, bool(state.placed), bool(state.stopped), bool(state.players)
    need = round_.next
    what = need.kind if isinstance(need, Offer) else type(need).__name__
    dealer = isinstance(need, Draw) and need.box is None
    return state.phase, head, what, dealer, bool(state.stopped), bool(round_.state.notified)


def refusals_of(table: Table, shoe: list[Any], rng: Random) -> Iterator[tuple[Command, Refused]]:
    """Every command in every role, with arguments that make sense and with none: what is refused now."""
    for do in (*COMMANDS, "fly"):
        for role in ROLES:
            for command in _commands(table, do, role, shoe, rng):
                try:
                    table.apply(command)
                except Refused as refused:
                    yield command, refused


def _commands(table: Table, do: str, role: str, shoe: list[Any], rng: Random) -> Iterator[Command]:
    people = {"dealer": table.state.dealer or DEALERS[0], "player": next(iter(table.state.players), "Ann")}
    by, at = people.get(role, FLOORPERSON), table.log.last + 5
    yield Command(do, role, by, at, {})
    if do not in COMMANDS:
        return
    for _ in range(3 if role in _roles(table, do) else 1):
        sensible = random_command(table, at, rng, shoe, do).args
        yield Command(do, role, by, at, {name: value for name, value in sensible.items() if name in COMMANDS[do].takes})


def _roles(table: Table, do: str) -> tuple[str, ...]:
    task = task_of(table.rules, do)
    return task.role if task is not None else COMMANDS[do].roles
