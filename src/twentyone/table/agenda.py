"""Agendas: the order of the table's procedure, from the lists in rulebook.toml and the tasks in force."""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.law import carries
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Arrival, Batches, Burn, Device, WaitingBatch
from twentyone.table.model import TableState, Todo
from twentyone.table.play import task_of

__all__ = [
    "SECONDS_PER_DAY",
    "TURN_UP",
    "after_round",
    "batch_names",
    "by_hand",
    "inspection_due",
    "inspection_over",
    "loading",
    "on_arrival",
    "opening",
    "reshuffling",
    "waiting_tasks",
]

SECONDS_PER_DAY = 24 * 60 * 60
COLOURS = ("red", "blue", "green", "yellow")
"""The colours of the backs of the batches."""
TURN_UP = "turn_cards_up"
"""The task of turning up cards that were spread face down."""


def batch_names(rules: Rules) -> tuple[str, ...]:
    """The batches a table keeps under these rules."""
    batches = rules.maybe(Batches)
    return COLOURS[: batches.count if batches is not None else 1]


def opening(rules: Rules, state: TableState, at: int) -> tuple[Todo, ...]:
    """From the gaming day's inspections to a shoe that is ready."""
    devices = [
        Todo("inspect_device", device.name)
        for device in rules.all(Device)
        if device.inspected and inspection_due(state, device.name, at)
    ]
    names = batch_names(rules)
    cards = [Todo("receive_cards", name) for name in names]
    for name in names:
        cards += _tasks(rules, rules.rulebook.opening, name)
        cards += _shuffle(rules, name, first=True)
    return (*devices, *cards, *loading(rules, names[0]))


def inspection_due(state: TableState, name: str, at: int) -> bool:
    """Whether a device was not yet inspected on the day of this moment: at an opening, and for new cards."""
    device = state.devices.get(name)
    return device is None or device.inspected is None or device.inspected // SECONDS_PER_DAY != at // SECONDS_PER_DAY


def inspection_over(state: TableState, name: str, at: int) -> bool:
    """Whether a device's inspection is older than a gaming day: while the table stays open."""
    device = state.devices.get(name)
    return device is None or device.inspected is None or at - device.inspected >= SECONDS_PER_DAY


def _tasks(rules: Rules, names: Iterable[str], about: str) -> list[Todo]:
    return [Todo(name, about) for name in names if task_of(rules, name) is not None]


def _shuffle(rules: Rules, batch: str, first: bool) -> list[Todo]:
    """Cards that come preshuffled need no first shuffle."""
    if first and rules.submission.get("preinspected"):
        return []
    return _tasks(rules, ("shuffle",), batch)


def loading(rules: Rules, batch: str) -> tuple[Todo, ...]:
    """From the shuffled stack to the burn: cut, cover card, shoe."""
    names = [name for name in ("cut", "insert_cover_card", "load_shoe") if task_of(rules, name) is not None]
    burn = [Todo("burn", "shoe")] if "shoe" in rules.one(Burn).on else []
    return (*(Todo(name, batch) for name in names), *burn)


def after_round(rules: Rules, state: TableState) -> tuple[Todo, ...]:
    """What follows the pick-up of the cards: nothing, or the reshuffle."""
    if not state.reshuffle or state.shoe is None:
        return ()
    return reshuffling(rules, state)


def reshuffling(rules: Rules, state: TableState) -> tuple[Todo, ...]:
    """Count the cards, shuffle them, and load the next shoe: of the other batch, where two take turns."""
    assert state.shoe is not None
    used = state.shoe.batch
    names = batch_names(rules)
    following = _following(state, names, used)
    count = _tasks(rules, ("count_cards",), used)
    shuffle = [Todo("shuffle", name) for name in dict.fromkeys((used, following)) if name not in state.shuffled]
    return (*count, *shuffle, *loading(rules, following))


def _following(state: TableState, names: tuple[str, ...], used: str) -> str:
    """The batch whose turn it is after another; the same where only one is in use, or at the table."""
    following = names[(names.index(used) + 1) % len(names)] if used in names else used
    return following if following in state.batches else used


def by_hand(rules: Rules, todo: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """An agenda whose shuffles are made by hand now: what these rules ask for between shuffle and shoe is put in."""
    waiting = {item.about for item in todo if item.do == "shuffle"}
    todos: list[Todo] = []
    for item in todo:
        if item.do == "load_shoe" and item.about in waiting:
            todos += [other for other in loading(rules, item.about) if other.do != "burn"]
        elif item.about not in waiting or item.do not in ("cut", "insert_cover_card"):
            todos.append(item)
    return tuple(todos)


@carries("arrival")
def on_arrival(rules: Rules, state: TableState) -> tuple[Todo, ...]:
    """What an idle table does when a player comes; where a device holds another batch, that one may be dealt."""
    names = batch_names(rules)
    spread = state.idle_batch or names[0]
    clauses = rules.all(Arrival)
    listed: list[str] = [name for clause in clauses for name in clause.tasks]
    if state.face_up_by and TURN_UP not in listed:
        listed.insert(0, TURN_UP)
    tasks = [name for name in listed if name != TURN_UP or state.idle_face == "down"]
    other = any(clause.deals == "other" for clause in clauses)
    dealt = _following(state, names, spread) if other else spread
    again = waiting_tasks(rules, "always", dealt) if dealt != spread else ()
    return (*(Todo(name, spread) for name in tasks), *again, *loading(rules, dealt))


def waiting_tasks(rules: Rules, on: str, batch: str) -> tuple[Todo, ...]:
    """What is done with a batch out of the device before its cut: at a player's `request`, or `always`."""
    return tuple(Todo(name, batch) for clause in rules.all(WaitingBatch) if clause.on == on for name in clause.tasks)
