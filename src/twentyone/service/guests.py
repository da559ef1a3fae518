"""Guests without a device: who may be seated so, and who enters what they signal."""

from __future__ import annotations

from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import NotAllowed, People, Person, walk_in
from twentyone.table.play import ENTERED_BY

__all__ = ["check_guest", "entered_for"]

SEATS = "seat_guest"


def check_guest(people: People, live: LiveTable, person: Person, request: CommandRequest) -> CommandRequest:
    """A guest is seated under a name that nobody else has: neither an account nor somebody with a browser."""
    named = request.args.get("player")
    if request.do != SEATS or person.role != "dealer" or not isinstance(named, str):
        return request
    name = walk_in(people, named, here=named in live.runner.table.state.players)
    return request._replace(args={**request.args, "player": name})


def entered_for(person: Person, guest: str, request: CommandRequest) -> tuple[CommandRequest, str, str]:
    """What the dealer enters for a guest: the guest's command, which names the dealer; its role and its giver."""
    if person.role != "dealer":
        raise NotAllowed("what a guest without a device signals is entered by the dealer")
    return request._replace(args={**request.args, ENTERED_BY: person.name}), "player", guest
