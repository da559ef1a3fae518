"""What somebody would like to do outside a round, at a moment: the table allows it or refuses it with its paragraph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import CoverCard
from twentyone.service.shift.people import FLOORPERSON
from twentyone.table import Command, Table
from twentyone.table.agenda import batch_names
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import Todo
from twentyone.table.play import any_task, given_task, task_of
from twentyone.table.rack import reconstruct_rack
from twentyone.table.shuffling import cover_positions, cut_positions

__all__ = ["Wish", "late", "wishes"]

AHEAD = 4
"""A dealer skips at most so many tasks."""
OF_STACK = ("cut", "insert_cover_card", "count_cards")
"""Tasks that somebody does not get wrong by doing them too early only: they name a place or a number."""
FACES = ("up", "down")


class Wish(NamedTuple):
    """Something that somebody would like to do now."""

    says: str
    """It in words, with who he is."""
    command: Command
    """The command that does it."""


def wishes(table: Table, at: int) -> list[Wish]:
    """What somebody may come to wish at a moment; whether it is allowed is the table's to say."""
    state = table.state
    if state.phase == "closed":
        return []
    makers = (_in_round,) if state.phase in ("round", "settled") else (_late,) if late(table) else BETWEEN
    return [wish for maker in makers for wish in maker(table, at)]


def _wish(table: Table, do: str, role: str, at: int, words: str = "", by: str = "", **args: Any) -> Iterator[Wish]:
    """A wish, where the text has a task for it."""
    task = any_task(table.rules, do)
    if task is None:
        return
    staff = {"dealer": table.state.dealer or "", "floorperson": FLOORPERSON}
    who = {"dealer": "You want", "floorperson": "The floorperson wants"}.get(role, f"{by} wants")
    yield Wish(f"{who} to {words or task.says}.", Command(do, role, staff.get(role, by), at, args))


# -- on the way to the shoe


def _ahead(table: Table, at: int) -> Iterator[Wish]:
    """A task of the dealer's before its turn."""
    todo = table.state.agenda
    later = {item.do for item in todo[1 : 1 + AHEAD]} - {todo[0].do, *OF_STACK} if todo else set()
    for do in sorted(later):
        task = given_task(table.rules, table.state, do)
        if task is not None and "dealer" in task.role:
            yield from _wish(table, do, "dealer", at)


def _not_his(table: Table, at: int) -> Iterator[Wish]:
    """A task of the floorperson's, done by the dealer."""
    due = [table.state.agenda[0].do] if table.state.agenda else []
    for do in (*due, *(["destroy_found_ten"] if table.state.found else [])):
        task = given_task(table.rules, table.state, do)
        if task is not None and task.role == ("floorperson",):
            yield from _wish(table, do, "dealer", at, f"{task.says} yourself")


def _decks(table: Table, at: int) -> Iterator[Wish]:
    """Decks that are too few, in the first batch."""
    if table.state.agenda and table.state.agenda[0] == Todo("receive_cards", batch_names(table.rules)[0]):
        few = table.rules.submission["decks"] - 1
        yield from _wish(table, "receive_cards", "dealer", at, f"take {few} decks to the table", decks=few)


def _places(table: Table, at: int) -> Iterator[Wish]:
    """A cut or a cover card at the last place that is allowed or beyond it, clearly so where that is about a place."""
    todo = table.state.agenda
    if not todo or todo[0].do not in ("cut", "insert_cover_card"):
        return
    rules, size = rules_in_force(table.rules, table.state), table.state.stack_size(todo[0].about)
    if todo[0].do == "insert_cover_card":
        beyond = (-size // 20, size // 20) if rules.one(CoverCard).fewer else (0, 1, size // 10)
        for depth in (cover_positions(rules, size)[0] - short for short in beyond):
            words = f"put the cover card {depth} cards from the bottom of {size}"
            yield from _wish(table, "insert_cover_card", "dealer", at, words, from_bottom=depth)
        return
    player = table.state.cut_offered
    for place in (cut_positions(rules, size)[0] - short for short in (0, 1, 3)) if player else ():
        yield from _wish(table, "cut", "player", at, f"cut {place} cards from the top", player, place=place)
    words = "cut the stack yourself"
    yield from _wish(table, "cut", "dealer", at, words, place=cut_positions(rules, size)[size // 3])


# -- between rounds


def _dealing(table: Table, at: int) -> Iterator[Wish]:
    yield from _wish(table, "deal", "dealer", at)


def _idle(table: Table, at: int) -> Iterator[Wish]:
    """The cards are spread, face up or down, where everybody has gone or wagers lie there."""
    alone = table.state.placed or not table.state.players
    if alone and table.state.shoe is not None and task_of(table.rules, "spread_idle") is not None:
        for face in FACES:
            words = f"spread the cards on the table, face {face}"
            yield from _wish(table, "spread_idle", "dealer", at, words, face=face)


def _asked(table: Table, at: int) -> Iterator[Wish]:
    """A player asks for something."""
    for name in list(table.state.players)[:1]:
        if table.state.burned is not None:
            yield from _wish(table, "ask_burn_card", "player", at, by=name)
        if table.state.resuming:
            yield from _wish(table, "ask_face_up", "player", at, by=name)


def _ordered(table: Table, at: int) -> Iterator[Wish]:
    """The floorperson orders something."""
    rebuilds = ("reconstruct",) if reconstruct_rack(table.state.rack) else ()
    for do in ("recut", "reshuffle", *rebuilds):
        if given_task(rules_in_force(table.rules, table.state), table.state, do) is not None:
            yield from _wish(table, do, "floorperson", at)


def late(table: Table) -> list[str]:
    """Those who may not wager before the next shuffle."""
    if not table.state.bar:
        return []
    rules = rules_in_force(table.rules, table.state)
    return [name for name, player in table.state.players.items() if is_barred(rules, player)]


def _late(table: Table, at: int) -> Iterator[Wish]:
    """Somebody would wager although he may not before the next shuffle."""
    for name in late(table):
        laid: dict[str, Any] = {"box": next(iter(table.state.players[name].boxes), 1), "amount": _chip(table.rules)}
        yield from _wish(table, "place_wager", "player", at, by=name, **laid)


# -- while a round is dealt


def _in_round(table: Table, at: int) -> Iterator[Wish]:
    """A wager is laid or taken back although the cards are out."""
    for name, player in list(table.state.players.items())[:1]:
        if player.boxes and table.state.phase == "round":
            laid: dict[str, Any] = {"box": player.boxes[0], "amount": _chip(table.rules)}
            yield from _wish(table, "place_wager", "player", at, "place one more wager", name, **laid)
            words = "take the wager back"
            yield from _wish(table, "take_back_wager", "player", at, words, name, box=player.boxes[0])


def _chip(rules: Rules) -> str:
    return str(rules.submission["chip_unit"])


BETWEEN: tuple[Callable[[Table, int], Iterator[Wish]], ...] = (
    _ahead,
    _not_his,
    _decks,
    _places,
    _dealing,
    _idle,
    _asked,
    _ordered,
)
"""What makes wishes outside a round."""
