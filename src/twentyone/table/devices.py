"""Devices out of order, covered, removed, repaired (headings "Irregularities")."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round import Happened
from twentyone.rulebook.clauses import Device
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.fallback_rules import OUT_OF_USE, rules_in_force
from twentyone.table.play import TablePlay, command, task_cite, task_of
from twentyone.table.rounds import advance_round

__all__ = ["report_device"]


def _device(play: TablePlay) -> Device:
    name = play.need("device", str)
    for clause in play.submitted.all(Device):
        if clause.name == name:
            return clause
    raise play.refuse(f"this table has no {name.replace('_', ' ')}")


@command("device_out_of_order")
@carries("device")
def device_out_of_order(play: TablePlay) -> None:
    """A device does not work: the table stops, or goes on as the text says."""
    clause = _device(play)
    report_device(play, clause.name, "out_of_order")
    round_ = play.state.round
    if clause.out_of_order == "without" and round_ is not None and not (round_.over or round_.state.reader_failed):
        advance_round(play, Happened("reader_failed"), ())


@command("device_repaired")
def device_repaired(play: TablePlay) -> None:
    """A device is repaired or replaced."""
    report_device(play, _device(play).name, "working")


@command("cover_device", "remove_device")
def put_away_device(play: TablePlay) -> None:
    """A device that cannot be used is covered, signed or removed before another method is used."""
    clause = _device(play)
    state = play.state.devices.get(clause.name)
    if state is None or state.state != "out_of_order":
        raise play.refuse(f"the {clause.name.replace('_', ' ')} is not out of order")
    put_away = "covered" if play.command.do == "cover_device" else "removed"
    if put_away not in OUT_OF_USE.get(clause.out_of_order, ()):
        why = f"the text does not have a {clause.name.replace('_', ' ')} {put_away} that is out of order"
        raise play.refuse(why, task_cite(play.rules, play.state, "device_out_of_order"))
    report_device(play, clause.name, put_away)
    if "shuffler" in clause.instead:
        _go_on_by_hand(play)


def _go_on_by_hand(play: TablePlay) -> None:
    """Cards that wait to be shuffled are shuffled by hand and cut; those in a continuous shuffler come out of it."""
    rules, state = rules_in_force(play.submitted, play.state), play.state
    todo = agenda.by_hand(rules, state.agenda)
    if state.shoe is not None and state.shoe.cover is None and task_of(rules, "insert_cover_card") is not None:
        play.emit(cards.ReshuffleOrdered, play.cite, why="irregularity")
        if state.phase == "open" and not todo:
            todo = agenda.reshuffling(rules, state)
    if todo != state.agenda:
        play.emit(e.AgendaSet, play.cite, todo=todo)


def report_device(play: TablePlay, device: str, state: str) -> None:
    """Record the state of a device, and whether the table may deal with it."""
    play.emit(e.DeviceReported, play.cite, device=device, state=state, stopped=_stopped(play, device, state))


def _stopped(play: TablePlay, device: str, state: str) -> str:
    """Why the table may not deal with this device in this state."""
    for clause in play.submitted.all(Device):
        known = play.state.devices.get(clause.name)
        now = state if clause.name == device else known.state if known is not None else "working"
        if clause.out_of_order == "stops" and now != "working":
            return f"the {clause.name.replace('_', ' ')} is out of order: no dealing until it is repaired or replaced"
    return ""
