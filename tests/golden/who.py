"""Who may give which command at a table of each rulebook, and what the procedure asks for, under every submission.

`make golden` writes it anew. The answers come from a table that is really asked: a closed one for every command in
every role, and then one that is opened, left and come back to, for the steps of the procedure.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from tests.golden.transcripts import FOLDER

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import Arrival, Batches, Clause, Device, LoadsShoe, SubmissionKey, Task
from twentyone.table import Command, Table
from twentyone.table.model import ROLES
from twentyone.table.play import COMMANDS
from twentyone.table.script import FOLLOWER

__all__ = ["who_log"]

TABLE: tuple[type[Clause], ...] = (Arrival, Batches, Device, LoadsShoe, Task)
"""The clauses whose conditions are tried."""
PUT_AWAY = {"covered": "cover_device", "removed": "remove_device"}
"""How a device that is out of order is put away."""


def submissions(book: Rulebook) -> Iterator[dict[str, Any]]:
    """No choice at all, and one submission for each value of a key that a task or device of the table asks for."""
    yield {}
    keys = {clause.name: clause for clause in book.clauses if isinstance(clause, SubmissionKey)}
    asked = {
        name: wanted for clause in book.clauses if isinstance(clause, TABLE) for name, wanted in clause.when.items()
    }
    for name, wanted in sorted(asked.items()):
        values = keys[name].choices or (wanted if isinstance(wanted, list) else (False, True))
        needs = {other: allowed[0] for other, allowed in keys[name].only_with.items()}
        yield from ({**needs, name: value} for value in values)


def who_log(name: str) -> str:
    """The answers of a table under each submission; who may do what is told again where it differs."""
    book, lines, before = Rulebook.load(name), [], set[str]()
    lines += [
        f"{choice.stated}: {choice.key} | {choice.cite}" for choice in book.under().submission.choices if choice.stated
    ]
    for given in submissions(book):
        rules = book.under(given)
        allowed = list(_allowed(rules))
        lines += [f"== {given or 'no choice'}", *(line for line in allowed if line not in before), ""]
        lines += [*_day(rules), ""]
        before = before or set(allowed)
    return "\n".join(lines)


def _allowed(rules: Rules) -> Iterator[str]:
    """Every command, with the roles that are not refused as such and the paragraph of the others, or why nobody may."""
    table = Table.new(rules)
    for do in sorted(COMMANDS):
        refusals = {role: _refusal(table, Command(do, role, role.title())) for role in ROLES}
        roles = [role for role, refusal in refusals.items() if refusal is None]
        said = {refusal.cite if roles else str(refusal) for refusal in refusals.values() if refusal is not None}
        yield f"{do}: {' '.join(roles)} | {' '.join(sorted(said))}"


def _refusal(table: Table, command: Command) -> Refused | None:
    """The refusal of a role; a command that is refused for what stands on the table is one that the role may give."""
    try:
        table.apply(command)
    except Refused as refused:
        return refused if " is for " in str(refused) else None
    return None


def _day(rules: Rules) -> Iterator[str]:
    """The steps from the opening to the first deal, from the idle table to the next, and when a device fails."""
    table = yield from _steps(_do(Table.new(rules), "open_table", "floorperson", "Fay", dealer="Dan"), "open")
    ready = yield from _steps(_do(table, "sit", "player", "Ann", boxes=[1]), "open")
    yield _line(ready, "open")
    yield from _idle(ready, "idle")
    for device in rules.all(Device):
        table = _do(ready, "device_out_of_order", "dealer", "Dan", device=device.name)
        yield _line(table, f"{device.name} fails")
        if device.out_of_order in PUT_AWAY:
            do = PUT_AWAY[device.out_of_order]
            yield from _by_hand(_do(table, do, "dealer", "Dan", device=device.name), do)


def _by_hand(table: Table, what: str) -> Iterator[str]:
    """The steps of a table that goes on without its device: a reshuffle, an idle table."""
    table = yield from _steps(table, what)
    table = yield from _steps(_do(table, "reshuffle", "floorperson", "Fay"), what)
    yield from _idle(table, f"{what}, idle")


def _idle(table: Table, what: str) -> Iterator[str]:
    """The table is left, its cards are spread where the submission has it so, and a player comes."""
    table = _do(table, "leave", "player", "Ann")
    if _refusal(table, Command("spread_idle", "dealer", "Dan")) is None:
        table = _do(table, "spread_idle", "dealer", "Dan")
        yield from _steps(_do(table, "sit", "player", "Bob", boxes=[2]), what)


def _steps(table: Table, what: str) -> Generator[str, None, Table]:
    """Every step up to an empty agenda, or to what waits for a player."""
    while table.state.agenda and table.next_steps()[0].do != "sit":
        yield _line(table, what)
        table = _follow(table)
    return table


def _do(table: Table, do: str, role: str, by: str, **args: Any) -> Table:
    return table.apply(Command(do, role, by, 0, args))


def _follow(table: Table) -> Table:
    return table.apply(FOLLOWER.command(table, table.next_steps()[0]))


def _line(table: Table, what: str) -> str:
    steps = (" ".join(filter(None, (step.do, step.about, step.role, step.cite))) for step in table.next_steps())
    return f"{what}: {'; '.join(steps)}"


if __name__ == "__main__":
    for rulebook in rulebook_ids():
        (FOLDER / f"who-{rulebook}.txt").write_text(who_log(rulebook), encoding="utf-8")
