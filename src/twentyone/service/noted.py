"""Commands at tables that the stream of access names, too: openings, closings, limits, by people and not by staff."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twentyone.money import Amount, dollars
from twentyone.service.persons import Person
from twentyone.table import Table
from twentyone.table.limits import limits_of

if TYPE_CHECKING:
    from twentyone.service.service import Service

__all__ = ["NOTED", "note_command", "note_settings"]

NOTED = {"open_table": "table_opened", "close_table": "table_closed", "set_limit": "setting_changed"}
"""Commands, and the kind of event that each is."""


async def note_command(
    service: Service, name: str, before: Table, person: Person, do: str, args: Mapping[str, Any]
) -> None:
    """Note a command that was stored; `before` is the table as it was."""
    fields = {"by": person.name}
    if do == "set_limit":
        about, amount = str(args["about"]), Amount(args["amount"])
        what, most = f"the limit of {about.replace('_', ' ')} at {name}", limits_of(before.state.limits)[about]
        fields |= {"what": what, "before": dollars(most), "after": dollars(amount)}
    else:
        fields |= {"table": name}
    await asyncio.to_thread(service.people.note, NOTED[do], **fields)


async def note_settings(service: Service, table: str, person: Person, before: Any, after: Any) -> None:
    """Note what somebody changed about the automatic staff of a table."""
    for name, value in vars(after).items():
        if (old := getattr(before, name)) != value:
            fields = {"by": person.name, "what": f"{name} of {table}", "before": f"{old}", "after": f"{value}"}
            await asyncio.to_thread(service.people.note, "setting_changed", **fields)
