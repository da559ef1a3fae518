"""`twentyone law test ID`: runs the law scripts of a rulebook."""

from __future__ import annotations

from twentyone.cli import DONE, FOUND_WRONG
from twentyone.cli.common import print_json, say
from twentyone.rulebook import Rulebook
from twentyone.rulebook.coverage import law_folder, paragraphs_of_path, script_name, scripts_of
from twentyone.rulebook.folders import folders
from twentyone.table.law_scripts import script_faults

__all__ = ["play_scripts"]

SHOWN = 8
"""How many paragraphs without a script are listed."""


def play_scripts(book: Rulebook, as_json: bool) -> int:
    """Run every script; list those that fail, with what they expected."""
    scripts = scripts_of(book)
    played = {script_name(script): script_faults(book, script) for script in scripts}
    faults = {name: reasons for name, reasons in played.items() if reasons}
    held = {paragraph for script in scripts for paragraph in paragraphs_of_path(script)}
    bare = [
        entry.paragraph for entry in book.entries.values() if entry.kind == "clause" and entry.paragraph not in held
    ]
    if as_json:
        print_json({"rulebook": book.id, "scripts": len(scripts), "faults": faults, "without_script": bare})
    else:
        for name, (first, *_) in faults.items():
            print(f"{name}: {first}")
        print(f"{book.id}: {len(scripts)} scripts, {len(faults)} failed; {_without_script(bare)}")
    if not scripts:
        say(f"twentyone law test: {law_folder(folders()[book.id])} has no script")
    return FOUND_WRONG if faults else DONE


def _without_script(bare: list[str]) -> str:
    if not bare:
        return "every paragraph with a clause has one"
    more = " ..." if len(bare) > SHOWN else ""
    return f"{len(bare)} paragraphs with a clause have none: {', '.join(bare[:SHOWN])}{more}"
