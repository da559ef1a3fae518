"""Devices out of order, covered, removed, repaired (headings "Irregularities")."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.rulebook.clauses import Device
from twentyone.table.play import TablePlay, command

__all__: list[str] = []


def _device(play: TablePlay) -> Device:
    name = play.need("device", str)
    for clause in play.rules.all(Device):
        if clause.name == name:
            return clause
    raise play.refuse(f"this table has no {name.replace('_', ' ')}")


@command("device_out_of_order")
@carries("device")
def device_out_of_order(play: TablePlay) -> None:
    """A device does not work: the table stops, or goes on as the text says."""
    _report(play, _device(play).name, "out_of_order")


@command("device_repaired")
def device_repaired(play: TablePlay) -> None:
    """A device is repaired or replaced."""
    _report(play, _device(play).name, "working")


@command("cover_device", "remove_device")
def put_away_device(play: TablePlay) -> None:
    """A device that cannot be used is covered, signed or removed before another method is used."""
    clause = _device(play)
    state = play.state.devices.get(clause.name)
    if state is None or state.state != "out_of_order":
        raise play.refuse(f"the {clause.name.replace('_', ' ')} is not out of order")
    _report(play, clause.name, "covered" if play.command.do == "cover_device" else "removed")


def _report(play: TablePlay, device: str, state: str) -> None:
    play.emit("device_reported", play.cite, device=device, state=state, stopped=_stopped(play, device, state))


def _stopped(play: TablePlay, device: str, state: str) -> str:
    """Why the table may not deal, once this device stands so."""
    for clause in play.rules.all(Device):
        known = play.state.devices.get(clause.name)
        now = state if clause.name == device else known.state if known is not None else "working"
        if clause.out_of_order == "stops" and now != "working":
            return f"the {clause.name.replace('_', ' ')} is out of order: no dealing until it is repaired or replaced"
    return ""
