"""Every command that a text gives a role can be given at that role's console, with everything that it names."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import Arrival, Task
from twentyone.service.catalogue import ASKED, CHOOSABLE, CORRECT, fields
from twentyone.table.play import COMMANDS, any_task

STAFF = ("dealer", "floorperson", "operator")
BETWEEN = {
    "receive_cards", "shuffle", "offer_cut", "cut", "decline_cut", "insert_cover_card", "load_shoe", "burn",
    "count_cards", "count_again", "inspect_device", "deal", "collect_cards", "change_cards", "spin", "card",
    "turn_card", "reader_told", "confirm_notification", "destroy_found_ten", "reload_rack", "open_table",
    "turn_cards_up",
}  # fmt: skip
"""Commands that come up as next steps, beside those of the opening and of an arrival."""
BROUGHT = {"commitment": "whoever shuffles brings it", "device": "a step names its device"}
"""Arguments that nobody types."""
ELSEWHERE = {
    "decide": "its own buttons",
    "happened": "the reports",
    "place_wager": "the player's page",
    "seat_guest": "the guests of the dealer's console",
    "spread_idle": "how the cards lie is the text's, or a player's request",
    "reader_told": "the reader of a game tells one of two things",
    "reload_rack": "the cut of a rack is offered to the players",
    "correct_entry": "the fields of a correction",
}
"""Commands whose arguments do not come from the catalogue."""


UNASKED = {
    "burn": {"card"},
    "reader_told": {"range", "blackjack"},
    "receive_cards": {"whole"},
}
"""Arguments that not every table has: a real burn card nobody sees, a reader tells one of two, decks lack tens."""


def arguments(function: Callable[..., Any]) -> set[str]:
    """The arguments that a command reads, in its handler and in the functions to which it hands its play."""
    return set(_read(function, set()))


def _read(function: Callable[..., Any], seen: set[str]) -> Iterator[str]:
    seen.add(function.__qualname__)
    for call in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if not isinstance(call, ast.Call):
            continue
        texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("need", "arg", "card"):
            yield from texts[:1]
        elif isinstance(call.func, ast.Name) and call.func.id == "amount_arg":
            yield texts[0] if texts else "amount"
        elif isinstance(call.func, ast.Name):
            inner = function.__globals__.get(call.func.id)
            if (
                inspect.isfunction(inner)
                and inner.__qualname__ not in seen
                and "play" in inspect.signature(inner).parameters
            ):
                yield from _read(inner, seen)


def _given(book: Rulebook) -> set[str]:
    """The commands that a book, or the table itself, gives to somebody of the staff."""
    tasks = {task.name for task in book.clauses if isinstance(task, Task) and set(task.role) & set(STAFF)}
    return tasks | {name for name, handler in COMMANDS.items() if set(handler.roles) & set(STAFF)}


@pytest.mark.parametrize("name", rulebook_ids())
def test_each_command_of_the_staff_is_at_a_console(name: str) -> None:
    book = Rulebook.load(name)
    arrivals = {task for clause in book.clauses if isinstance(clause, Arrival) for task in clause.tasks}
    offered = {CORRECT, *CHOOSABLE, *BETWEEN, *ELSEWHERE, *book.opening, *arrivals}
    assert sorted(_given(book) - offered) == []


@pytest.mark.parametrize("name", rulebook_ids())
def test_a_console_asks_for_everything_that_a_command_names(name: str) -> None:
    book = Rulebook.load(name)
    rules = book.under({})
    for do in sorted(_given(book) - set(ELSEWHERE)):
        task = any_task(rules, do)
        shows = set() if task is not None and task.again else {"exposed"}
        asked = {field["name"] for field in (*fields(rules, do), *fields(rules, do, entered=True))}
        assert sorted(arguments(COMMANDS[do].function) - asked - set(BROUGHT) - shows - UNASKED.get(do, set())) == [], (
            do
        )


def test_what_a_handler_reads_is_found() -> None:
    """The control: arguments of the handler itself and of what it calls, amounts too."""
    assert arguments(COMMANDS["take_back_wager"].function) == {"box", "wager", "player"}
    assert arguments(COMMANDS["place_wager"].function) >= {"box", "amount", "cash", "player"}
    assert arguments(COMMANDS["spin"].function) == {"symbol", "hot_spot"}


def test_a_field_that_is_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without its fields a wager cannot be handed back at the console."""
    monkeypatch.setattr("twentyone.service.catalogue.ASKED", {**ASKED, "confirm_verbal_wager": lambda _: {}})
    with pytest.raises(AssertionError, match="confirm_verbal_wager"):
        test_a_console_asks_for_everything_that_a_command_names("pa-spanish-21")
