"""A round of the ledger as a round script, and the proof that dealing the script again gives the same round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.codec import decode_round_event, decode_step, read_body
from twentyone.ledger.face_down import open_events
from twentyone.ledger.reading import readable, readable_part, whole
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.store import Store
from twentyone.ledger.stored_round import find_rules
from twentyone.money import Amount
from twentyone.round import Over, Round, fold
from twentyone.round.events import Event
from twentyone.round.steps import Step
from twentyone.rulebook import Rules
from twentyone.script import Verdict, replay
from twentyone.script.export import export, story

__all__ = ["CannotSay", "DealtOtherwise", "Stored", "export_round", "read_round"]


class CannotSay(TwentyoneError):
    """A round that has no script: it is in progress, or of a ledger that did not keep what the round was brought."""


class DealtOtherwise(TwentyoneError):
    """A round whose script, dealt again, is not what the ledger has."""


class Stored(NamedTuple):
    """A round of a ledger."""

    round: Round
    """The round that its events make."""
    commands: tuple[Step, ...] | None
    """What it was brought; none in a ledger of the first form."""


def export_round(store: Store, row: RoundRow, table: Rules | None = None) -> dict[str, Any]:
    """The script of a round, dealt again and compared; it expects what each player won or lost."""
    if not row.over:
        raise CannotSay(f"{row.id} is still in progress")
    stored = read_round(store, row, table or rules_at(store, row.table, row.last))
    with readable_part(row.id):
        try:
            script = export(stored.round, stored.commands)
        except ValueError as wrong:
            raise CannotSay(f"{row.id}: {wrong}") from None
    expect = {"net": {player: str(Amount.from_thousandths(net)) for player, net in row.net.items()}}
    body = {"format": script["format"], "title": row.id, **script, "expect": expect}
    tell = _all_events if "steps" in script else story
    why = _difference(replay(body, stored.round.rules.rulebook), stored.round, tell)
    if why:
        raise DealtOtherwise(f"{row.id}: dealt again, it differs from the ledger: {why}")
    return body


def _all_events(round_: Round) -> list[Event]:
    """Everything that happened in a round."""
    return list(round_.events)


def _difference(verdict: Verdict, stored: Round, tell: Callable[[Round], list[Event]]) -> str:
    """Where the script does not deal what the ledger has."""
    if verdict.exit or verdict.round is None:
        return "; ".join(verdict.faults) or verdict.error
    pairs = zip_longest(tell(verdict.round), tell(stored))
    return next((f"{dealt} against {held}" for dealt, held in pairs if dealt != held), "")


def read_round(store: Store, row: RoundRow, table: Rules) -> Stored:
    """A round of the ledger; `table` are the rules of its table."""
    begun: dict[str, Any] = {}
    events: list[Event] = []
    steps: list[Step | None] = []
    for event in open_events(whole(store, row.table, row.first - 1), row.first, row.last):
        if event.type in ("round_begun", "round_event"):
            with readable(event):
                data = read_body(event)["data"]
                begun = begun or data
                events += [decode_round_event(inner) for inner in data["events"]]
                if event.type == "round_event":
                    steps.append(decode_step(data["step"]) if "step" in data else None)
    known = tuple(step for step in steps if step is not None)
    with readable_part(row.id):
        round_ = Round(find_rules(table, begun), fold(events), tuple(events), Over())
    return Stored(round_, known if len(known) == len(steps) else None)
