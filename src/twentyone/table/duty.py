"""Who is on duty: the dealer who deals, the floorperson who is assigned to the table."""

from __future__ import annotations

from twentyone.rulebook.clauses import Task
from twentyone.table import events as e
from twentyone.table.model import Todo
from twentyone.table.play import TablePlay, assigned_cite, check_name, command, todo_cite

__all__ = ["ASSIGN", "check_assigned", "check_on_duty"]

ASSIGN = "assign_floorperson"
"""The command that assigns a floorperson to the table."""


@command(ASSIGN, roles=("floorperson", "operator"), takes={"floorperson": str})
def assign_floorperson(play: TablePlay) -> None:
    """A floorperson is assigned to the table: the one who is named, or the floorperson who says so."""
    cite = assigned_cite(play.rules.rulebook)
    if not cite:
        raise play.refuse("this text knows no floorperson who is assigned to a table")
    own = play.command.by if play.command.role == "floorperson" else None
    name, state = check_name(play, play.arg("floorperson", str, own) or play.need("floorperson", str)), play.state
    if state.phase == "closed":
        raise play.refuse("the table is closed: whoever opens it as floorperson is assigned to it")
    if name == state.floorperson:
        raise play.refuse(f"{name} is assigned to this table already")
    if name == state.dealer or name in state.players:
        what = "deals" if name == state.dealer else "plays"
        raise play.refuse(f"{name} {what} here and cannot be the floorperson of the same table")
    play.emit(e.FloorpersonAssigned, cite, floorperson=name)


def check_on_duty(play: TablePlay) -> None:
    """The dealer's part is for the one on duty, who was not relieved; the other parts are for other people."""
    dealer, by, role = play.state.dealer, play.command.by, play.command.role
    if role == "player":
        return
    if role != "dealer":
        check_name(play, by, play.cite)
        if by == dealer:
            raise play.refuse(f"{by} deals here: somebody else acts as {role}", play.cite)
    elif dealer is None:
        raise play.refuse(f"the table is closed: neither {by} nor anybody else deals here")
    elif by != dealer:
        head = play.state.agenda[0] if play.state.agenda else Todo("")
        burned_by = todo_cite(play.rules, play.state, head) if head.do == play.command.do == "burn" else None
        raise play.refuse(f"{dealer} deals here, not {by}", burned_by)


def check_assigned(play: TablePlay, task: Task | None) -> None:
    """What the text leaves to the assigned floorperson is for no other; the first to do it is assigned by it."""
    assigned, by = play.state.floorperson, play.command.by
    if task is None or not task.assigned or by == assigned:
        return
    if assigned:
        why = f"{assigned} is the floorperson assigned to this table: assign {by} first"
        raise play.refuse(f"{why} ({ASSIGN})", task.cite)
    play.emit(e.FloorpersonAssigned, task.cite, floorperson=by)
