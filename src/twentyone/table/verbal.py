"""Wagers spoken with cash: nothing is accepted, and no chip moves, before whoever the text names has confirmed them."""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Verbal
from twentyone.table import events as e
from twentyone.table import wager_events as w
from twentyone.table.limits import check_limit
from twentyone.table.model import Placed
from twentyone.table.people import pay_in
from twentyone.table.play import TablePlay, command, task_cite

__all__ = ["lay", "missing", "speak", "unconfirmed"]

WAGER = {"box": int, "player": str, "wager": str}
"""What a command about a spoken wager names; without the wager, all of the player for the box."""


def lay(play: TablePlay, new: Placed) -> None:
    """A wager lies on the layout."""
    cite, (box, player, kind, amount, cash) = play.rules.wagers[new.wager].cite, new[:5]
    play.emit(e.WagerLaid, cite, box=box, player=player, wager=kind, amount=amount, cash=cash)


def speak(play: TablePlay, new: Placed) -> None:
    """A player says what he wagers and shows the cash."""
    clause = play.rules.maybe(Verbal)
    if clause is None:
        why = "this game has no verbal wagers with cash: lay chips"
        raise play.refuse(why, task_cite(play.rules, play.state, "place_wager"))
    if any(said[:3] == new[:3] for said in play.state.verbal):
        raise play.refuse(f"{new.player} has spoken this wager for box {new.box} already")
    check_limit(play, new.amount, "verbal_wager")
    box, player, kind, amount = new[:4]
    play.emit(w.VerbalMade, clause.cite, box=box, player=player, wager=kind, amount=amount)


@command("confirm_verbal_wager", takes=WAGER)
@carries("verbal")
def confirm_verbal_wager(play: TablePlay) -> None:
    """The dealer (and the supervisor, where the text wants him) confirms: then the cash becomes chips on the layout."""
    clause, role = play.rules.one(Verbal), play.command.role
    for said in _spoken(play, clause):
        if role in said.confirmed:
            raise play.refuse(f"the {role} has confirmed this wager already")
        box, player, kind = said[:3]
        play.emit(e.WagerConfirmed, clause.cite, box=box, player=player, role=role, wager=kind)
        if not missing(play.rules, said._replace(confirmed=(*said.confirmed, role))):
            pay_in(play, player, said.amount, "verbal", play.cite)
            lay(play, said)


@command("decline_verbal_wager", takes=WAGER)
def decline_verbal_wager(play: TablePlay) -> None:
    """Whoever would confirm a spoken wager turns it away: the cash goes back."""
    clause = play.rules.one(Verbal)
    for said in _spoken(play, clause):
        play.emit(w.VerbalDeclined, clause.cite, box=said.box, player=said.player, wager=said.wager)


def _spoken(play: TablePlay, clause: Verbal) -> Iterable[Placed]:
    """The spoken wagers that a command is about: the one that it names, or all of a player for a box."""
    box, player, named = play.need("box", int), play.need("player", str), play.arg("wager", str, "")
    spoken = [said for said in play.state.verbal if said[:2] == (box, player) and named in ("", said.wager)]
    if not spoken or play.state.phase != "open":
        raise play.refuse(f"{player} has made no verbal wager on box {box}", clause.cite)
    return spoken


def missing(rules: Rules, said: Placed) -> list[str]:
    """The roles that have still to confirm a spoken wager."""
    return [role for role in rules.one(Verbal).confirmed_by if role not in said.confirmed]


def unconfirmed(play: TablePlay) -> Refused | None:
    """A spoken wager that somebody has still to confirm or to decline."""
    for said in play.state.verbal:
        role = missing(play.rules, said)[0]
        why = f"the {role} has neither confirmed nor declined the verbal wager of {said.player}"
        return play.refuse(why, play.rules.one(Verbal).cite)
    return None
