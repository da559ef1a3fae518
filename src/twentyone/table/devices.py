"""Devices out of order, covered, removed, repaired (headings "Irregularities")."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round import Happened
from twentyone.rulebook.clauses import Device
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.card_devices import failure_cite, gives_cards, halt_of, is_continuous, shuffled_again
from twentyone.table.fallback_rules import OUT_OF_USE, rules_in_force
from twentyone.table.model import DeviceState
from twentyone.table.play import TablePlay, command, task_cite
from twentyone.table.rounds import advance_round

__all__ = ["device_cite", "report_device"]


def _device(play: TablePlay) -> Device:
    name = play.need("device", str)
    for clause in play.submitted.all(Device):
        if clause.name == name:
            return clause
    there = ", ".join(_plain(clause) for clause in play.submitted.all(Device)) or "none"
    raise play.refuse(f"this table has no {name.replace('_', ' ')}; its devices: {there}")


def device_cite(play: TablePlay) -> str | None:
    """The paragraph of a command about a device: that of the failure of the one it names; none for one not there."""
    if "device" not in play.command.args:
        return play.cite
    named = [clause for clause in play.submitted.all(Device) if clause.name == play.command.args.get("device")]
    return failure_cite(named[0]) or play.cite if named else None


@command("device_out_of_order", takes={"device": str})
@carries("device")
def device_out_of_order(play: TablePlay) -> None:
    """A device does not work: the table stops, or goes on as the text says."""
    clause = _device(play)
    state = play.state.devices.get(clause.name, DeviceState()).state
    if state in ("covered", "removed"):
        raise play.refuse(f"the {_plain(clause)} is {state} already", failure_cite(clause))
    report_device(play, clause, "out_of_order")
    round_ = play.state.round
    if clause.out_of_order == "without" and round_ is not None and not (round_.over or round_.state.reader_failed):
        advance_round(play, Happened("reader_failed"), ())


@command("device_repaired", takes={"device": str})
def device_repaired(play: TablePlay) -> None:
    """A device is repaired or replaced: stacks that wait for a shuffle go its way again."""
    clause = _device(play)
    report_device(play, clause, "working")
    if "shuffler" in clause.instead:
        _change_method(play)


@command("cover_device", "remove_device", takes={"device": str})
def put_away_device(play: TablePlay) -> None:
    """Take a device out of the way before another method is used.

    cover_device: A device that is out of order is covered or marked by a sign.
    remove_device: A device that is out of order is removed from the table.
    """
    clause = _device(play)
    put_away = "covered" if play.command.do == "cover_device" else "removed"
    _check_put_away(play, clause, put_away)
    if put_away not in OUT_OF_USE.get(clause.out_of_order, ()):
        why = f"a {_plain(clause)} that is out of order is not {put_away}: another way does not take its place"
        raise play.refuse(why, task_cite(play.rules, play.state, "device_out_of_order"))
    report_device(play, clause, put_away)
    if "shuffler" in clause.instead:
        _change_method(play)
    elif play.state.shoe is not None and gives_cards(play.submitted, play.state, clause):
        play.emit(cards.ShoeReplaced, clause.cite, batch=play.state.shoe.batch, left=play.state.shoe.left)


def _check_put_away(play: TablePlay, clause: Device, put_away: str) -> None:
    """A device that works stays, unless the text has every device leave the table before another method is used."""
    state = play.state.devices.get(clause.name, DeviceState()).state
    if state == "working" and clause.out_of_order == put_away == "removed":
        if play.state.phase not in ("open", "idle"):
            raise play.refuse(f"a {_plain(clause)} that works is taken off the table between rounds")
    elif state != "out_of_order":
        raise play.refuse(f"the {_plain(clause)} is not out of order", play.cite)


def _change_method(play: TablePlay) -> None:
    """Cards that wait to be shuffled go the way of the method in force now; those in a covered device come out."""
    rules, state = rules_in_force(play.submitted, play.state), play.state
    emptied = is_continuous(play.submitted) and not is_continuous(rules)
    todo = agenda.by_method(rules, state.agenda, emptied)
    if emptied and state.shoe is not None and state.shoe.continuous:
        play.emit(cards.ReshuffleOrdered, play.cite, why="irregularity")
        todo = shuffled_again(rules, state)
    if todo != state.agenda:
        play.emit(e.AgendaSet, play.cite, todo=todo)


def report_device(play: TablePlay, clause: Device, state: str, cite: str = "") -> None:
    """Record the state of a device, and whether the table may deal with it."""
    stopped = _stopped(play, clause.name, state)
    told = task_cite(play.rules, play.state, "device_out_of_order") if state == "out_of_order" else None
    cite = cite or failure_cite(clause) or told or play.cite
    play.emit(e.DeviceReported, cite, device=clause.name, state=state, stopped=stopped)


def _stopped(play: TablePlay, device: str, state: str) -> str:
    """Why the table may not deal with this device in this state."""
    known = {**play.state.devices, device: DeviceState(state=state)}
    for clause in play.submitted.all(Device):
        broken = known.get(clause.name, DeviceState()).state != "working"
        if clause.out_of_order == "stops" and broken:
            return f"the {_plain(clause)} is out of order: no dealing until it is repaired or replaced"
    return halt_of(play.submitted, play.state, known)


def _plain(clause: Device) -> str:
    return clause.name.replace("_", " ")
