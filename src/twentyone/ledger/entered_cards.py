"""The cards of a table where a person enters them: what lies face down is entered as unknown, by whomever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.round import Draw
from twentyone.table import Command, Table
from twentyone.table.play import TablePlay
from twentyone.table.rounds import RUN_OUT

__all__ = ["as_entered"]


def as_entered(table: Table, command: Command) -> Command:
    """A command as a table of real cards takes it: a card face down is unknown, and nobody may name it."""
    find = _FACE_DOWN.get(command.do)
    name = find(table, command) if find is not None else None
    if name is None:
        return command
    given = command.args.get(name, UNKNOWN.name)
    if given != UNKNOWN.name:
        why = f"this card lies face down and nobody has seen it: {given!r} cannot be entered"
        raise TablePlay(table.rules, table.state, command).refuse(why)
    return command._replace(args={**command.args, name: UNKNOWN.name})


def _strange(table: Table, card: Any) -> bool:
    """Whether a card is none of this game: it was noticed for that."""
    return isinstance(card, str) and card[:-1] in table.rules.cards.without


def _drawn(table: Table, command: Command) -> str | None:
    need = table.state.round.next if table.state.round is not None else None
    noticed = command.args.get("face_up") is True or _strange(table, command.args.get("card"))
    return "card" if isinstance(need, Draw) and need.face_down and not noticed else None


def _burned(table: Table, command: Command) -> str | None:
    return None if _strange(table, command.args.get("card")) else "card"


def _rack_burned(table: Table, _: Command) -> str | None:
    return "burn" if "burn" in table.rules.irregularities[RUN_OUT].effects else None


_FACE_DOWN: dict[str, Callable[[Table, Command], str | None]] = {
    "card": _drawn,
    "burn": _burned,
    "reload_rack": _rack_burned,
}
"""The commands that bring a card face down, and what finds the argument that names it."""
