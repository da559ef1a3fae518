"""Table scripts (`table-script/1`): commands at a table, and what they lead to; for tests and for reviews of a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook
from twentyone.script.replay import names
from twentyone.script.result import differences
from twentyone.table.follow import Follower
from twentyone.table.model import Command
from twentyone.table.shoe import full_batch
from twentyone.table.table import Table

__all__ = ["TABLE_FORMAT", "CarriedAtTable", "carry_out_at_table", "follow", "play_table_script", "summary"]

TABLE_FORMAT = "table-script/1"
SEAL = "0" * 64
PEOPLE = {"dealer": "Dan", "floorperson": "Fay", "operator": "Olga"}

RELIEFS = (PEOPLE["dealer"], "Dot")
"""The dealers who relieve one another."""

BROUGHT: dict[str, dict[str, Any]] = {"shuffle": {"commitment": SEAL}, "burn": {"card": "2S"}}
"""What the holder of the shoe brings where a script does not say it."""

FOLLOWER = Follower(PEOPLE, bring=lambda step: BROUGHT.get(step.do, {}))
"""Who does the steps that a script does not spell out."""


class CarriedAtTable(NamedTuple):
    """What came of the commands of a table script."""

    table: Table
    """The table after the last command that was carried out."""
    done: int
    """How many were carried out."""
    refused: Refused | None
    """Why the next one was not."""


def carry_out_at_table(body: Mapping[str, Any]) -> CarriedAtTable:
    """Give the commands of a script to a table, up to the first that is refused."""
    table = Table.new(Rulebook.load(body["rulebook"]).under(body.get("submission", {})))
    for done, row in enumerate(body["commands"]):
        try:
            table = _apply(table, row, done + 1)
        except Refused as refused:
            return CarriedAtTable(table, done, refused)
    return CarriedAtTable(table, len(body["commands"]), None)


def play_table_script(body: Mapping[str, Any]) -> list[str]:
    """Play a table script; answers the faults against what it expects."""
    expect = dict(body.get("expect", {}))
    wanted = expect.pop("refused", None)
    table, done, refused = carry_out_at_table(body)
    if refused is not None:
        if wanted is None or done < len(body["commands"]) - 1:
            return [f"commands[{done}] was refused: {refused}"]
        return [] if names(refused.cite, wanted) else [f"expected a refusal under {wanted}, got {refused}"]
    if wanted is not None:
        return [f"expected a refusal under {wanted}, but everything was allowed"]
    return [*_event_faults(body.get("expect_events", []), table), *differences(expect, summary(table))]


def _apply(table: Table, row: Mapping[str, Any], at: int) -> Table:
    if "follow" in row:
        return follow(table, row["follow"], row.get("at", at))
    if "seat" in row:
        return _seat(table, row, at)
    if "relieve" in row:
        return _relieve(table, row["relieve"], row.get("keep", ""), at)
    args = {key: value for key, value in row.items() if key not in ("do", "role", "by", "at")}
    role = row.get("role", "dealer")
    return table.apply(Command(row["do"], role, row.get("by", _who(table, role)), row.get("at", at), args))


def _who(table: Table, role: str) -> str:
    dealer = table.state.dealer if role == "dealer" else None
    return dealer or PEOPLE.get(role, "")


def _seat(table: Table, row: Mapping[str, Any], at: int) -> Table:
    """A player sits down and buys chips: `{"seat": "Ann", "boxes": [1], "chips": "1000"}`."""
    table = table.apply(Command("sit", "player", row["seat"], at, {"boxes": row["boxes"]}))
    bought = {"player": row["seat"], "amount": row.get("chips", "1000")}
    return table.apply(Command("buy_in", "dealer", _who(table, "dealer"), at, bought))


def _relieve(table: Table, left: int, keep: str, at: int) -> Table:
    """Dealers relieve one another, each burning a card, until so many are left: `{"relieve": 20, "keep": "AS KH"}`."""
    cards, gone = [card.name for card in full_batch(table.rules)], Counter(table.state.gone)
    for name in (*gone.elements(), *keep.split()):
        cards.remove(name)
    for name in cards:
        if table.state.shoe is None or table.state.shoe.left <= left:
            break
        new = next(dealer for dealer in RELIEFS if dealer != table.state.dealer)
        table = table.apply(Command("change_dealer", "floorperson", PEOPLE["floorperson"], at, {"dealer": new}))
        table = table.apply(Command("burn", "dealer", new, at, {"card": name}))
    return table


def follow(table: Table, task: str, at: int) -> Table:
    """Do what the procedure asks, step by step, until this task is due (`""`: until nothing is)."""
    return FOLLOWER.until(table, task, at)


def summary(table: Table) -> dict[str, Any]:
    """What a script may expect of the table at its end."""
    state = table.state
    return {
        "phase": state.phase,
        "agenda": [todo.do for todo in state.agenda],
        "next": [step.do for step in table.next_steps()],
        "chips": {account: str(amount) for account, amount in state.chips.items()},
        "cash": {account: str(amount) for account, amount in state.cash.items()},
        "dealer": state.dealer,
        "shoe": None
        if state.shoe is None
        else {"batch": state.shoe.batch, "size": state.shoe.size, "left": state.shoe.left},
        "batches": sorted(state.batches),
        "cut_offered": state.cut_offered,
        "rack": sum(len(hand) for bundle in state.rack for hand in bundle.hands),
        "stopped": bool(state.stopped),
        "devices": {name: device.state for name, device in state.devices.items()},
        "meters": {name: str(meter.shown) for name, meter in state.meters.items()},
        "jackpots": {name: [meter.hits, str(meter.paid)] for name, meter in state.meters.items()},
        "rounds": state.rounds,
    }


def _event_faults(expected: list[Any], table: Table) -> Iterator[str]:
    """The expected events must come in this order among those that happened."""
    events = iter([event.to_json() for event in table.events])
    for index, row in enumerate(expected):
        if not any(not list(differences(row, event)) for event in events):
            yield f"expect_events[{index}]: {row} did not happen in this order"
            return
