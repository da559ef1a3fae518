"""Following the procedure: the command by which the staff on duty does what a step asks.

    follower = Follower({"dealer": "Dan", "floorperson": "Fay"})
    table = table.apply(follower.command(table, table.next_steps()[0], at))

What the text leaves open (where a stack is cut, how deep the cover card goes) is picked by functions that are given
here; cards and commitments are brought by whoever holds the shoe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.round import Offer
from twentyone.rulebook import Rules
from twentyone.table.duty import ASSIGN
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import Command, TableState
from twentyone.table.play import task_of
from twentyone.table.rounds import DEALER
from twentyone.table.shuffling import cover_positions, cut_positions
from twentyone.table.table import VERBAL, NextStep, Table
from twentyone.table.wagering import misfit

__all__ = ["Follower", "consent", "lowest", "middle"]

ABOUT_DEVICES = ("device_repaired", "cover_device", "remove_device")
"""Steps that name the device they are about."""

Pick = Callable[[range], int]
"""Picks one of the positions that the text allows."""


def middle(positions: range) -> int:
    """The middle position.

    >>> middle(range(10, 279))
    144
    """
    return positions[len(positions) // 2]


MOST_STEPS = 1000
"""More steps than any procedure asks before a deal."""


def lowest(positions: range) -> int:
    """The lowest position."""
    return positions[0]


def nothing_more(_: NextStep) -> Mapping[str, Any]:
    """Bring nothing: somebody else holds the shoe."""
    return {}


class Follower(NamedTuple):
    """The staff of a table, who do each step by the book."""

    staff: Mapping[str, str]
    """Who works, by role: at least a dealer and a floorperson."""
    cut_at: Pick = middle
    """Where the stack is cut, in cards from the top."""
    cover_at: Pick = lowest
    """Where the cover card goes, in cards from the bottom."""
    bring: Callable[[NextStep], Mapping[str, Any]] = nothing_more
    """What a step needs from the holder of the shoe: a card, a commitment."""

    def command(self, table: Table, step: NextStep, at: int = 0) -> Command:
        """The command that does a step."""
        role, by = self._speaker(table.state, step)
        task = task_of(table.rules, step.do)
        if task is not None and task.assigned and table.state.floorperson not in ("", by):
            return Command(ASSIGN, role, by, at)
        return Command(step.do, role, by, at, {**self._arguments(table, step, role), **self.bring(step)})

    def until(self, table: Table, task: str, at: int) -> Table:
        """Do step by step what the procedure asks, until this task is due (`""`: until the agenda is empty)."""
        for _ in range(MOST_STEPS):
            if table.state.phase != "closed" and (not table.state.agenda or table.state.agenda[0].do == task):
                return table
            table = table.apply(self.command(table, table.next_steps()[0], at))
        raise Refused(f"after {MOST_STEPS} steps {task.replace('_', ' ') or 'the end of the agenda'} is not due yet")

    def _speaker(self, state: TableState, step: NextStep) -> tuple[str, str]:
        """Who does a step, and in which role: a player's is his to whom the cut is offered."""
        role = step.role
        if role == "dealer":
            return role, state.dealer or self.staff["dealer"]
        if role == "player":
            asked = step.about if step.about in state.players else ""
            return role, state.cut_offered or asked or next(iter(state.players), "")
        return role, self.staff.get(role, "")

    def _arguments(self, table: Table, step: NextStep, role: str) -> dict[str, Any]:
        """What the command names."""
        if (step.do, role) == ("decide", "dealer"):
            return _own_choice(table, step.says)
        if step.do == "open_table":
            return {"dealer": self.staff["dealer"]}
        if step.do == "count_cards":
            return {"cards": table.state.batches[step.about].cards}
        if step.do == "decline_cut" and role == "dealer":
            return {"player": table.state.cut_offered}
        if step.do in VERBAL:
            said = next(said for said in table.state.verbal if said.player == step.about and role not in said.confirmed)
            return {"box": said.box, "player": said.player, "wager": said.wager}
        if step.do in ABOUT_DEVICES:
            return {"device": step.about}
        if step.do == "take_back_wager" and (wrong := misfit(table.rules, table.state)) is not None:
            whose = {} if role == "player" else {"player": wrong.player}
            return {"box": wrong.box, "wager": wrong.wager, **whose}
        if step.do not in ("cut", "insert_cover_card"):
            return {}
        rules, cards = rules_in_force(table.rules, table.state), table.state.stack_size(step.about)
        if step.do == "cut":
            return {"place": self.cut_at(cut_positions(rules, cards))}
        return {"from_bottom": self.cover_at(cover_positions(rules, cards))}


def _own_choice(table: Table, action: str) -> dict[str, Any]:
    """What the text leaves to the dealer, for the first hand that waits for it; else he closes what nobody answers."""
    need = table.state.round.next if table.state.round is not None else None
    options = need.options if isinstance(need, Offer) else ()
    own = next((option for option in options if (option.player, option.action) == (DEALER, action)), None)
    if own is None:
        return {"action": "decline"}
    return {"action": action, "box": own.box, **({} if own.hand is None else {"hand": own.hand})}


def consent(rules: Rules, state: TableState, box: int, guest: str, at: int = 0) -> Iterator[Command]:
    """The consent of the first player on a box before a guest joins him there, where the text asks for it."""
    first = next((placed.player for placed in (*state.placed, *state.verbal) if placed.box == box), guest)
    asked = first != guest and (box, first, guest) not in state.consents
    if asked and task_of(rules, "consent") is not None:
        yield Command("consent", "player", first, at, {"box": box, "player": guest})
