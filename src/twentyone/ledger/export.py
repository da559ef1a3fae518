"""A round of the ledger as a round script, and the proof that dealing the script again gives the same cents."""

from __future__ import annotations

from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.codec import decode_round_event, read_body
from twentyone.ledger.reading import readable
from twentyone.ledger.replaying import read_creation
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.store import Store
from twentyone.ledger.stored_round import find_rules
from twentyone.money import Amount
from twentyone.round import Over, Round, fold
from twentyone.round.events import Event
from twentyone.rulebook import Rules
from twentyone.script import replay
from twentyone.script.export import export
from twentyone.script.parse import FORMAT

__all__ = ["CannotSay", "DealtOtherwise", "export_round", "round_of"]


class CannotSay(TwentyoneError):
    """A round that the format cannot express; the irregularity is named."""


class DealtOtherwise(TwentyoneError):
    """A round whose script, dealt again, does not give the cents that the ledger has."""


def export_round(store: Store, row: RoundRow, table: Rules | None = None) -> dict[str, Any]:
    """The script of a round, dealt again and compared; it expects what each player won or lost."""
    if not row.over:
        raise CannotSay(f"{row.id} is still in progress")
    round_ = round_of(store, row, table or read_creation(store, row.table)[0])
    try:
        script = export(round_)
    except ValueError as wrong:
        raise CannotSay(f"{row.id}: {wrong}") from None
    body = {"format": FORMAT, "title": row.id, **script}
    body["expect"] = {"net": {player: str(Amount(net)) for player, net in row.net.items()}}
    verdict = replay(body)
    if verdict.exit:
        why = "; ".join(verdict.faults) or verdict.error
        raise DealtOtherwise(f"{row.id}: dealt again, it differs from the ledger: {why}")
    return body


def round_of(store: Store, row: RoundRow, table: Rules) -> Round:
    """The round that its events in the ledger make; `table` are the rules of its table."""
    begun: dict[str, Any] = {}
    events: list[Event] = []
    for event in store.read(row.table, row.first - 1):
        if event.ver > row.last:
            break
        if event.type in ("round_begun", "round_event"):
            with readable(event):
                data = read_body(event)["data"]
                begun = begun or data
                events += [decode_round_event(inner) for inner in data["events"]]
    return Round(find_rules(table, begun), fold(events), tuple(events), Over())
