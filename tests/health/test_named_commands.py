"""What an entry says of the table's commands is so: they exist, and whoever is named gives them in a script."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.coverage import paragraphs_of_path, scripts_of
from twentyone.rulebook.reader import Entry, Note
from twentyone.table import Command, Table
from twentyone.table.model import ROLES
from twentyone.table.play import COMMANDS
from twentyone.table.script import TABLE_FORMAT, play_table_script

REGULATIONS = [name for name in rulebook_ids() if Rulebook.load(name).regulation]

Given = set[tuple[str, str]]
"""Commands that were carried out, each with the role of its giver."""

NAMED = re.compile(r"`(\w+)`(?: by (?:the|a) (\w+))?")
WORD = re.compile(r"[a-z]+(?:_[a-z]+)+")
DENIED = re.compile(r"refus|not asked|no longer asked|without|never|\bno\b")
"""What a part of a note says of commands that are not given."""


@cache
def carried_out(name: str) -> dict[str, Given]:
    """The commands that the table scripts of a book carry out, by the folder of their section."""
    given: dict[str, Given] = defaultdict(set)
    with pytest.MonkeyPatch.context() as patch:
        plain = Table.apply
        for path in scripts_of(Rulebook.load(name)):
            section = given[path.parent.name]

            def apply(table: Table, command: Command, section: Given = section) -> Table:
                after = plain(table, command)
                section.add((command.do, command.role))
                return after

            body = json.loads(path.read_text(encoding="utf-8"))
            if body["format"] == TABLE_FORMAT:
                patch.setattr(Table, "apply", apply)
                play_table_script(body)
    return given


def faults(entry: Entry, given: Given, known: Iterable[str]) -> Iterator[str]:
    """The commands that the notes of an entry name although there is no such command, or nobody gives it there."""
    for part in (part for note in entry.notes if note.kind == "procedure" for part in note.text.split(";")):
        for do, role in NAMED.findall(part):
            if do not in COMMANDS:
                if WORD.fullmatch(do) and do not in known:
                    yield f"{entry.paragraph}: there is no command {do}"
            elif not DENIED.search(part) and not _gives(given, do, role):
                yield f"{entry.paragraph}: no script of its section has {do} carried out{f' by {role}' if role else ''}"


def _gives(given: Given, do: str, role: str) -> bool:
    return any(do == name and (role not in ROLES or role == giver) for name, giver in given)


def section_of(name: str) -> dict[str, str]:
    """The folder of the scripts of each paragraph."""
    paths = scripts_of(Rulebook.load(name))
    return {paragraph: path.parent.name for path in paths for paragraph in paragraphs_of_path(path)}


@pytest.mark.parametrize("name", REGULATIONS)
def test_a_command_that_an_entry_names_is_given_in_a_script_of_its_section(name: str) -> None:
    book, given, sections = Rulebook.load(name), carried_out(name), section_of(name)
    known = {clause.key.rpartition(".")[2] for clause in book.clauses}
    found = [
        fault
        for entry in book.entries.values()
        for fault in faults(entry, given[sections.get(entry.paragraph, "")], known)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`card` by the floorperson", True),
        ("`stack_the_cards` after `shuffle`", True),
        ("`reload_rack` by the dealer", True),
        ("`destroy_tens` by the floorperson", False),
        ("`reload_rack` is refused; `preinspected` decks", False),
    ],
)
def test_a_note_that_names_what_nobody_gives_is_found(text: str, wrong: bool) -> None:
    """The check can fail: a command that does not exist, that another role gives, or that is not given there."""
    entry = replace(Rulebook.load("pa-spanish-21").entry("635a.4(b)"), notes=(Note("procedure", text),))
    found = list(faults(entry, carried_out("pa-spanish-21")["635a.4"], {"preinspected"}))
    assert bool(found) == wrong
