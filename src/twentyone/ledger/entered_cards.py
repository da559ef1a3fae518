"""The cards of a table where a person enters them: one that lies face down is unknown, and nobody may name it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from twentyone.cards import UNKNOWN
from twentyone.errors import Refused
from twentyone.round import Draw
from twentyone.round.dealing import card_cite
from twentyone.round.play import Play
from twentyone.rulebook.clauses import Burn
from twentyone.table import Command, Table

__all__ = ["as_entered"]


class FaceDown(NamedTuple):
    """A card that a command brings face down."""

    name: str
    """The argument that names it."""
    cite: str
    """The paragraph by which it lies face down."""


def as_entered(table: Table, command: Command) -> Command:
    """A command as a table of real cards takes it: a card that lies face down is unknown."""
    find = _FACE_DOWN.get(command.do)
    down = find(table, command) if find is not None else None
    if down is None:
        return command
    given = command.args.get(down.name, UNKNOWN.name)
    if given != UNKNOWN.name:
        raise Refused(f"this card lies face down, nobody has seen it: {given!r} cannot be entered", down.cite)
    return command._replace(args={**command.args, down.name: UNKNOWN.name})


def _strange(table: Table, card: Any) -> bool:
    """Whether a card is none of this game: it was noticed for that."""
    return isinstance(card, str) and card[:-1] in table.rules.cards.without


def _drawn(table: Table, command: Command) -> FaceDown | None:
    round_ = table.state.round
    need = round_.next if round_ is not None else None
    noticed = command.args.get("face_up") is True or _strange(table, command.args.get("card"))
    if round_ is None or noticed or not (isinstance(need, Draw) and need.face_down):
        return None
    return FaceDown("card", card_cite(Play(round_.rules, round_.state), need))


def _burned(table: Table, command: Command) -> FaceDown | None:
    return None if _strange(table, command.args.get("card")) else FaceDown("card", table.rules.one(Burn).cite)


_FACE_DOWN: dict[str, Callable[[Table, Command], FaceDown | None]] = {
    "card": _drawn,
    "burn": _burned,
}
"""The commands that bring a card face down, and what finds it."""
