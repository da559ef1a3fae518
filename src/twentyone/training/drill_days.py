"""Days of a table that a trainee works at: the program is everybody else, and things happen between the rounds.

Dealer, floorperson and players are those of the shift. Nothing here decides what is right: the table does, and it cites
its paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.round import Spin
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import CardChange, Verbal
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.people import FLOORPERSON, ShiftPeople
from twentyone.table import Command, Table, TableState
from twentyone.table.play import task_of
from twentyone.table.shoe import SEED_BYTES
from twentyone.table.wheel import turn_wheel

__all__ = ["HOUR", "DayMoment", "brought", "worked_day"]

HOUR = 60 * 60
BEGINS, PACE = 8 * HOUR, 20
"""When a day of the drill begins, and the seconds between two commands."""
ROUNDS = 4
"""Rounds of a day."""
RATE = Fraction(1, 3)
"""How often something goes wrong outside a round."""
COVERED = 16
"""Fewer cards than this come out before the cover card."""
LIVELY = ("A", "K", "6")
"""Every other card is one of these: a Blackjack, a pair, a wheel that is spun."""
RELIEFS, OPERATOR, LATECOMER = ("Dan", "Dot"), "Olga", "Zoe"
MOST = 600
"""More moments than a day has."""
SEAL = "drill"
"""What stands for the order of a shuffle: no seed makes it."""


class DayMoment(NamedTuple):
    """A step of a day."""

    before: Table
    """The table before it."""
    command: Command | None
    """What somebody did; none: time went by."""
    after: Table
    """The table after it."""
    at: int
    """When it was over."""


def worked_day(rules: Rules, seed: str) -> Iterator[DayMoment]:
    """A day by a seed, from the opening of the table to its closing, moment by moment."""
    chance, people = Chance("day", seed), ShiftPeople(rules, f"day {seed}", RATE, ROUNDS)
    table, at = Table.new(rules), BEGINS
    turns, waiting = _turns(chance), list[Command]()
    for version in range(MOST):
        if people.is_done(table.state):
            return
        people.rate = RATE if table.state.round is None else Fraction(0)
        if not waiting and turns and turns[-1][0] == table.state.rounds and _is_quiet(table.state):
            turn = turns.pop()[1]
            if turn in TURNS:
                waiting = [command._replace(at=at) for command in TURNS[turn](table)]
            else:
                at += rules.one(CardChange).hours * HOUR
                yield DayMoment(table, None, table, at)
        moment = _moment(table, chain(waiting[:1], people.commands(table, version, at)), at, chance)
        if moment is None:
            return
        yield moment
        waiting, table, at = waiting[1:], moment.after, at + PACE


def _moment(table: Table, commands: Iterable[Command], at: int, chance: Chance) -> DayMoment | None:
    """The first command that the table allows; none where nobody can do anything."""
    for command in commands:
        given = brought(table, _early(table, command, chance), chance)
        try:
            return DayMoment(table, given, table.apply(given), at)
        except Refused:
            continue
    return None


def _early(table: Table, command: Command, chance: Chance) -> Command:
    """The cover card goes in near the top, so that it comes out in this day."""
    if command.do != "insert_cover_card":
        return command
    stack = table.state.stack_size(table.state.agenda[0].about)
    return command._replace(args={"from_bottom": stack - 1 - chance.below(COVERED)})


# -- what happens between rounds


def _turns(chance: Chance) -> list[tuple[int, str]]:
    """What happens in a day beside its play, the last first, each with the number of rounds that it follows."""
    kinds = ["night", *TURNS]
    return [(number, kinds.pop(chance.below(len(kinds)))) for number in range(ROUNDS - 1, 0, -1)]


def _is_quiet(state: TableState) -> bool:
    """Whether nothing is due and nothing lies on the layout."""
    waits = state.agenda or state.placed or state.verbal or state.stopped or state.burn_asked or state.found
    return state.phase == "open" and bool(state.players) and not waits


def _relief(table: Table) -> Iterator[Command]:
    """Another dealer comes."""
    other = next(name for name in RELIEFS if name != table.state.dealer)
    yield Command("change_dealer", "floorperson", FLOORPERSON, 0, {"dealer": other})


def _deserted(table: Table) -> Iterator[Command]:
    """Everybody leaves; one of them asked for the cards face up, where the text has it."""
    first, *_ = table.state.players
    if task_of(table.rules, "ask_face_up") is not None and table.state.rounds % 2:
        yield Command("ask_face_up", "player", first)
    yield from (Command("leave", "player", name) for name in table.state.players)


def _request(table: Table) -> Iterator[Command]:
    """A player asks for the burn card, or wagers by word with cash: whichever the text has."""
    first, *_ = table.state.players
    if task_of(table.rules, "ask_burn_card") is not None and table.state.rounds % 2:
        yield Command("ask_burn_card", "player", first)
    box = {"box": next(iter(table.state.players[first].boxes), 1)}
    if table.rules.maybe(Verbal) is not None:
        yield Command("place_wager", "player", first, 0, {**box, "amount": "25", "cash": True})


def _latecomer(table: Table) -> Iterator[Command]:
    """Nobody may begin in the middle of a shoe any more, and somebody comes who would."""
    taken = {box for player in table.state.players.values() for box in player.boxes}
    free = [box for box in range(1, 1 + table.rules.boxes) if box not in taken]
    if free and task_of(table.rules, "bar_mid_shoe_entry") is not None:
        yield Command("bar_mid_shoe_entry", "operator", OPERATOR)
        yield Command("sit", "player", LATECOMER, 0, {"boxes": free[:1]})


TURNS: dict[str, Callable[[Table], Iterator[Command]]] = {
    "relief": _relief,
    "everybody leaves": _deserted,
    "request": _request,
    "latecomer": _latecomer,
}
"""What may happen between two rounds, beside a night that goes by."""


# -- what the holder of the shoe brings


def brought(table: Table, command: Command, chance: Chance) -> Command:
    """A command with the card, seal or symbol that it needs."""
    more: dict[str, Any] = {}
    if command.do in ("card", "burn") and "card" not in command.args:
        more = {"card": _card(table, chance).name}
    elif command.do in ("shuffle", "reload_rack"):
        more = {"commitment": SEAL}
    elif command.do == "happened" and (command.args.get("exposed") or command.args["name"] == "dealer_drew_past_17"):
        more = {"card": _card(table, chance).name}
    elif command.do == "spin" and table.state.round is not None and isinstance(table.state.round.next, Spin):
        seed = chance.below(1 << 60).to_bytes(SEED_BYTES, "big")
        more = turn_wheel(table.state.round, table.state.round.next, seed)
    return command._replace(args={**command.args, **more}) if more else command


def _card(table: Table, chance: Chance) -> Card:
    """A card that may still come out of the shoe, of those more often that make something happen."""
    rules, gone = table.rules, table.state.gone
    ranks = [rank for rank in RANKS if rank not in rules.cards.without]
    while True:
        card = Card(chance.among(LIVELY if chance.one_in(2) else ranks) + chance.among(SUITS))
        if gone.get(card.name, 0) < rules.submission["decks"]:
            return card
