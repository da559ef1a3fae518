"""Agendas: the order of the table's procedure, from the lists in rulebook.toml and the tasks in force."""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.law import carries
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Arrival, Batches, Burn, Cut, Device, OneBurn, WaitingBatch
from twentyone.rulebook.vocabulary import BACKS
from twentyone.table.model import TableState, Todo
from twentyone.table.play import task_of

__all__ = [
    "DEALERS_BURN",
    "SECONDS_PER_HOUR",
    "TURN_UP",
    "after_round",
    "batch_names",
    "by_method",
    "day_begins",
    "gaming_day",
    "keeping",
    "loading",
    "on_arrival",
    "opening",
    "reshuffling",
    "uninspected",
    "waiting_tasks",
    "within_round",
]

SECONDS_PER_HOUR = 60 * 60
SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR
DEALERS_BURN = Todo("burn", "dealer")
"""The card that a new dealer draws off before he deals."""
TURN_UP = "turn_cards_up"
"""The task of turning up cards that were spread face down."""


def batch_names(rules: Rules) -> tuple[str, ...]:
    """The batches a table keeps under these rules."""
    batches = rules.maybe(Batches)
    return BACKS[: batches.count if batches is not None else 1]


def opening(rules: Rules, state: TableState, at: int) -> tuple[Todo, ...]:
    """From the gaming day's inspections to a shoe that is ready."""
    devices = [Todo("inspect_device", device.name) for device in uninspected(rules, state, at)]
    names = batch_names(rules)
    cards = [Todo("receive_cards", name) for name in names]
    for name in names:
        cards += _tasks(rules, rules.rulebook.opening, name)
        cards += _shuffle(rules, name, first=True)
    return (*devices, *cards, *loading(rules, names[0]))


def gaming_day(rules: Rules, at: int) -> int:
    """The gaming day of a moment: it begins at the hour that the submission names."""
    begins: int = rules.submission.get("gaming_day_begins", 0)
    return (at - begins * SECONDS_PER_HOUR) // SECONDS_PER_DAY


def day_begins(rules: Rules, at: int) -> int:
    """When the gaming day of a moment began, in seconds UTC."""
    begins: int = rules.submission.get("gaming_day_begins", 0)
    return gaming_day(rules, at) * SECONDS_PER_DAY + begins * SECONDS_PER_HOUR


def uninspected(rules: Rules, state: TableState, at: int) -> list[Device]:
    """The devices whose inspection for the gaming day of this moment is missing."""
    today = gaming_day(rules, at)
    return [
        device for device in rules.all(Device) if device.inspected and _inspected_before(rules, state, device, today)
    ]


def _inspected_before(rules: Rules, state: TableState, device: Device, today: int) -> bool:
    known = state.devices.get(device.name)
    return known is None or known.inspected is None or gaming_day(rules, known.inspected) < today


def _tasks(rules: Rules, names: Iterable[str], about: str) -> list[Todo]:
    return [Todo(name, about) for name in names if task_of(rules, name) is not None]


def _shuffle(rules: Rules, batch: str, first: bool) -> list[Todo]:
    """Cards that come preshuffled need no first shuffle."""
    if first and rules.submission.get("preinspected"):
        return []
    return _tasks(rules, ("shuffle",), batch)


def loading(rules: Rules, batch: str, full: bool = True) -> tuple[Todo, ...]:
    """From the shuffled stack to the burn: cut, cover card, shoe; a card is burned of a full batch only."""
    names = [name for name in ("cut", "insert_cover_card", "load_shoe") if task_of(rules, name) is not None]
    burn = [Todo("burn", "shoe")] if full and "shoe" in rules.one(Burn).on else []
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


@carries("one_burn")
def keeping(rules: Rules, todo: tuple[Todo, ...], before: Iterable[Todo]) -> tuple[Todo, ...]:
    """An agenda with the burn that a new dealer still owes; in one reading that of a new shoe serves for both."""
    if DEALERS_BURN not in before or DEALERS_BURN in todo:
        return todo
    once = rules.maybe(OneBurn) is not None and any(item.do == "burn" for item in todo)
    return todo if once else (*todo, DEALERS_BURN)


def within_round(rules: Rules, state: TableState) -> tuple[Todo, ...]:
    """The cards in the shoe are shuffled again before the next card of a round; too few of them are not cut."""
    shoe = state.shoe
    if shoe is None or not shoe.left:
        return ()
    uncut = shoe.left < 2 * rules.one(Cut).least
    ready = [todo for todo in loading(rules, shoe.batch, full=False) if not (uncut and todo.do == "cut")]
    return (Todo("shuffle", shoe.batch), *ready)


def by_method(rules: Rules, todo: tuple[Todo, ...], device: bool = False) -> tuple[Todo, ...]:
    """An agenda for the method of shuffling in force: what its rules ask for between shuffle and shoe.

    A stack that was shuffled before keeps its tasks, but for one that was made for a device that takes no stack now.
    """
    waiting = {item.about for item in todo if item.do in (("shuffle", "load_shoe") if device else ("shuffle",))}
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
    if dealt not in (spread, *state.shuffled) and not again:
        again = (Todo("shuffle", dealt),)
    return (*(Todo(name, spread) for name in tasks), *again, *loading(rules, dealt))


def waiting_tasks(rules: Rules, on: str, batch: str) -> tuple[Todo, ...]:
    """What is done with a batch out of the device before its cut: at a player's `request`, or `always`."""
    return tuple(Todo(name, batch) for clause in rules.all(WaitingBatch) if clause.on == on for name in clause.tasks)
