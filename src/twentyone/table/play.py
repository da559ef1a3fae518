"""One application of a table command: the rules, a copy of the state, and the events it leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Arrival, Task
from twentyone.rulebook.values import meant
from twentyone.table.evolve import CHANGES
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import RACK, RUN_OUT, Command, TableEvent, TableState, Todo

__all__ = [
    "ABSENT",
    "COMMANDS",
    "ENTERED_BY",
    "NO_TEXT",
    "WRITTEN",
    "Handler",
    "TablePlay",
    "any_task",
    "assigned_cite",
    "burn_waits",
    "check_arguments",
    "check_name",
    "check_no_ten_lies_there",
    "check_possible",
    "command",
    "expect",
    "given_task",
    "task_cite",
    "task_of",
    "todo_cite",
]


P = ParamSpec("P")

NO_TEXT = ""
"""The citation of what no text speaks of: somebody sits down, chips come from the cage."""


WRITTEN: Mapping[type[Any], type[Any]] = MappingProxyType({Amount: str, Card: str})
"""How arguments are written whose type JSON does not have."""


class TablePlay:
    """The working copy of a table while one command is applied."""

    __slots__ = ("command", "events", "rules", "state", "submitted")

    def __init__(self, rules: Rules, state: TableState, command: Command) -> None:
        self.submitted = rules
        """The rules of the submission, whatever is out of order."""
        self.rules = rules if state.all_working else rules_in_force(rules, state)
        """The rules in force."""
        self.state = state
        self.command = command
        self.events: list[TableEvent] = []

    def emit(
        self, kind: Callable[Concatenate[str, int, str, P], TableEvent], cite: str, *args: P.args, **data: P.kwargs
    ) -> None:
        """Record an event of this class, with the moment and the person of the command, and let it change the state."""
        event = kind(cite, self.command.at, self.command.by, *args, **data)
        CHANGES[type(event)](self.state, event)
        self.events.append(event)

    def refuse(self, why: str, cite: str | None = None) -> Refused:
        """A refusal of this command, with the paragraph that says so; without one where no paragraph does."""
        return Refused(why, cite or "")

    @property
    def cite(self) -> str:
        """The paragraph that orders this command; empty where none does."""
        name = self.command.do
        if name == "reload_rack":
            return self.rules.irregularities[RUN_OUT].cite
        return task_cite(self.rules, self.state, name) or ""

    def arg(self, name: str, kind: type[Any], default: Any = None) -> Any:
        """An argument of the command, of the right kind."""
        args = self.command.args
        return self.need(name, kind) if name in args else default

    def need(self, name: str, kind: type[Any]) -> Any:
        """An argument that must be there."""
        assert kind is COMMANDS[self.command.do].takes.get(name), name
        value = self.command.args.get(name)
        if type(value) is not WRITTEN.get(kind, kind):
            raise self.refuse(
                f"{self.command.do} needs {name}" + (f": {value!r} will not do" if value is not None else "")
            )
        return value

    def card(self, name: str, read: Callable[[str], Card] = Card) -> Card:
        """An argument that names a card; `card_named` also takes one that nobody has seen."""
        try:
            return read(self.need(name, Card))
        except ValueError as wrong:
            raise self.refuse(str(wrong)) from None


def check_name(play: TablePlay, name: str, cite: str = "") -> str:
    """The name of a person: not empty, and not one in brackets, which an account of the table has.

    `cite` is the paragraph that wants a person here, if one does.
    """
    if not name.strip():
        raise play.refuse("a person at the table has a name", cite)
    if name.startswith("("):
        raise play.refuse(f"{name} is nobody: names in brackets are accounts of the table", cite)
    return name


def check_possible(play: TablePlay, drawn: Card) -> None:
    """Refuse a card that has come out of the shoe as often as the decks hold it."""
    decks, strange = play.rules.submission["decks"], (*play.state.found, *play.state.removed)
    if drawn is not UNKNOWN and play.state.gone.get(drawn.name, 0) + strange.count(drawn) >= decks:
        why = f"{drawn} has come out {decks} times already: {decks} decks hold no more"
        raise play.refuse(why, play.rules.cards.cite)


def check_no_ten_lies_there(play: TablePlay) -> None:
    """Refuse to go on while a ten that was found in the shoe waits for the floorperson who destroys it."""
    if play.state.found:
        why = f"{' and '.join(map(str, play.state.found))} found in the shoe must be destroyed by a floorperson first"
        raise play.refuse(why, task_cite(play.rules, play.state, "destroy_found_ten"))


class Handler(NamedTuple):
    """What carries out a command, and who may give it where the text does not say."""

    function: Callable[[TablePlay], None]
    roles: tuple[str, ...]
    takes: Mapping[str, type[Any]]
    """The arguments that it knows, with their types; money and cards are written as text."""

    @property
    def amounts(self) -> tuple[str, ...]:
        """The arguments that are amounts of money: decimal text, in dollars."""
        return tuple(name for name, kind in self.takes.items() if kind is Amount)


COMMANDS: dict[str, Handler] = {}

F = TypeVar("F", bound=Callable[[TablePlay], None])


NOTHING: Mapping[str, type[Any]] = MappingProxyType({})

ABSENT = "absent"
"""The argument by which the service says why it gives a command for an absent player."""
SERVICE_SAYS = dict.fromkeys(("decide", "leave", "decline_cut", "show_cards"), ABSENT)
"""Commands that the service gives so."""
ENTERED_BY = "entered_by"
"""The argument of a player's command that names the dealer who entered it, for a guest without a device."""


def command(*names: str, roles: Iterable[str] = (), takes: Mapping[str, type[Any]] = NOTHING) -> Callable[[F], F]:
    """Register what carries out a command; `roles` where no task of the rulebook gives them.

    `takes` declares its arguments, for the table, the consoles and docs/commands.md; others are refused.
    """

    def register(function: F) -> F:
        for name in names:
            COMMANDS[name] = Handler(function, tuple(roles), takes)
        return carries(*(f"task.{name}" for name in names))(function)

    return register


def check_arguments(play: TablePlay, handler: Handler) -> None:
    """Refuse an argument that the command does not know: what it would mean must not be guessed, or passed over."""
    do, role = play.command.do, play.command.role
    said = (SERVICE_SAYS.get(do), ENTERED_BY if role == "player" else None)
    for name in play.command.args:
        if name not in handler.takes and name not in said:
            allowed = f"it takes {', '.join(handler.takes)}" if handler.takes else "it takes none"
            raise play.refuse(f"{do} has no argument {name!r}: {allowed}{meant(name, handler.takes)}")


def task_of(rules: Rules, name: str) -> Task | None:
    """The rulebook's task for a command, where it is in force."""
    return rules.tasks.get(name)


PART_OF = {"offer_cut": "cut", "decline_cut": "cut"}
"""Tasks that never stand on the agenda themselves, and the one that they belong to."""


def given_task(rules: Rules, state: TableState, name: str) -> Task | None:
    """The rulebook's task for a command that may be given now: one in force, or one that the table is at all the same.

    An idle table is worked like a new one; a device that is repaired leaves the stack that was cut by hand.
    """
    return rules.tasks.get(name) or (rules.rulebook.tasks.get(name) if _at_it(state, name) else None)


def _at_it(state: TableState, name: str) -> bool:
    if name == "recut":
        return bool(state.cut_by)
    if name in ("cover_card_seen", "reshuffle"):
        return state.shoe is not None and state.shoe.cover is not None
    return any(todo.do == PART_OF.get(name, name) for todo in state.agenda)


@lru_cache(maxsize=4096)
def any_task(rules: Rules, name: str) -> Task | None:
    """The rulebook's task for a command, in force or not: for its words and its paragraph."""
    return task_of(rules, name) or rules.rulebook.tasks.get(name)


def task_cite(rules: Rules, state: TableState, name: str) -> str | None:
    """The paragraph of a task: that of the idle table while its cards are made ready again."""
    if state.resuming:
        for clause in rules.all(Arrival):
            if name in clause.tasks:
                return clause.cite
    task = any_task(rules, name)
    return task.cite if task is not None else None


def assigned_cite(book: Rulebook) -> str:
    """The paragraph that speaks of the floorperson assigned to the table; empty where a text knows none."""
    return next((task.cite for task in book.tasks.values() if task.assigned), "")


def todo_cite(rules: Rules, state: TableState, todo: Todo) -> str | None:
    """The paragraph of a task on the agenda: some burns and the shuffle after a jam are ordered elsewhere."""
    if todo == Todo("burn", RACK):
        return rules.irregularities[RUN_OUT].cite
    if todo.do == "shuffle" and todo.about == state.jammed:
        return task_cite(rules, state, "shuffler_jammed")
    return task_cite(rules, state, "change_dealer" if todo == Todo("burn", "dealer") else todo.do)


def burn_waits(state: TableState) -> bool:
    """Whether a burn is due and the shoe holds no card for it: a round refills the shoe first."""
    return state.shoe is not None and state.shoe.left < 1 and bool(state.agenda) and state.agenda[0].do == "burn"


def expect(play: TablePlay) -> Todo:
    """The task at the head of the agenda, if this command is it."""
    head = play.state.agenda[0] if play.state.agenda else None
    if play.state.phase == "closed":
        raise play.refuse(f"{play.command.do.replace('_', ' ')} is not due: the table is closed")
    if head is None or play.state.phase not in ("open", "round"):
        raise play.refuse(f"{play.command.do.replace('_', ' ')} is not due: nothing is", play.cite)
    check_no_ten_lies_there(play)
    if head.do != play.command.do:
        why = f"{play.command.do.replace('_', ' ')} is not due: {head.do.replace('_', ' ')} comes first"
        raise play.refuse(why, todo_cite(play.rules, play.state, head))
    return head
