"""`make prove`: chips are conserved over many seeded rounds (T5), and a killed shift loses nothing (T2).

    python -m bench.prove_shift [--part chips|kills] [--rounds N] [--kills N]

Work on the rounds is kept in `.prove/` table by table; a run that was stopped goes on where it was. Exit status: 0
proved, 1 a fault, 130 stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.progress import track
from tests.contracts.shift_driver import Felt
from tests.contracts.shift_kills import Kills
from tests.contracts.table_submissions import BOOKS
from tests.contracts.test_table_days import submissions

from bench.prove import fingerprint
from twentyone.ledger.accounts import Accounts
from twentyone.ledger.codec import table_event
from twentyone.ledger.reading import mishaps
from twentyone.money import ZERO
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.shift.people import ShiftPeople
from twentyone.table import Command, Table, TableEvent, TableState

__all__ = ["Conserved", "main", "prove_chips", "prove_kills"]

FOLDER = Path(__file__).parents[1] / ".prove"
ROUNDS, A_TABLE = 200_000, 200
RATE = Fraction(1, 25)
KILLS = 300


class Conserved:
    """Follows a table event by event; every account, of the table and of a second book-keeping, adds up to nothing."""

    def __init__(self, rules: Rules) -> None:
        self.accounts = Accounts()
        self._rules = rules
        self.events = 0
        self.fired: Counter[str] = Counter()
        self._command: dict[str, Any] = {}

    def begin(self, command: Command) -> None:
        """Hear of the command that the next events follow from."""
        self._command = {"do": command.do, "args": command.args}

    def see(self, state: TableState, event: TableEvent) -> None:
        """Check what holds after an event; `state` is the table's after the command."""
        self.events += 1
        body = table_event(event, self._rules).body
        faults = self.accounts.follow(event.kind, body)
        total = sum(self.accounts.balances.values())
        if total:
            faults = [*faults, f"all accounts together hold {total}"]
        if sum(state.chips.values(), ZERO) or sum(state.cash.values(), ZERO):
            faults = [*faults, "the table's own accounts do not add up to nothing"]
        poor = [name for name in state.players if state.chips.get(name, ZERO) < 0]
        if faults or poor:
            raise AssertionError(f"{event.kind}: {faults} {poor}")
        self.fired.update(name for name, _ in mishaps(self._command, event.kind, body))


class _Watched(Felt):
    """A table in memory whose every event is checked."""

    def __init__(self, book: str, number: int, rounds: int) -> None:
        given = submissions(book)
        rules = Rulebook.load(book).under(given[number % len(given)])
        self.conserved = Conserved(rules)
        super().__init__(rules, ShiftPeople(rules, f"prove/{book}/{number}", RATE, rounds), number, self.conserved.see)
        for event in self.table.events:
            self.conserved.see(self.state, event)
        self.table = Table(rules, self.state)

    def _with_cards(self, command: Command) -> Command:
        self.conserved.begin(command)
        return super()._with_cards(command)


def work_table(book: str, number: int, rounds: int = A_TABLE) -> Conserved:
    """One table from its opening to its closing; `AssertionError` at the first event that does not balance."""
    felt = _Watched(book, number, rounds)
    felt.work()
    return felt.conserved


def prove_chips(rounds: int = ROUNDS) -> bool:
    """T5: so many seeded rounds over the five books; answers whether every event balanced."""
    file, start = FOLDER / "shift-chips.json", time.monotonic()
    done: dict[str, Any] = {"code": fingerprint(), "tables": 0, "events": 0, "fired": {}, "seconds": 0.0}
    if file.exists() and (kept := json.loads(file.read_text(encoding="utf-8")))["code"] == done["code"]:
        done = kept
    for number in track(range(done["tables"], -(-rounds // A_TABLE)), "chips"):
        book = BOOKS[number % len(BOOKS)]
        try:
            seen = work_table(book, number // len(BOOKS))
        except Exception as fault:  # any exception is a fault of the table: it is told with the table's number
            print(f"prove chips: {book} table {number}: {type(fault).__name__}: {fault}")
            return False
        fired = Counter(done["fired"]) + seen.fired
        done.update(tables=number + 1, events=done["events"] + seen.events, fired=dict(fired))
        done["seconds"], start = done["seconds"] + time.monotonic() - start, time.monotonic()
        FOLDER.mkdir(exist_ok=True)
        file.write_text(json.dumps(done), encoding="utf-8")
    least = min(done["fired"].items(), key=lambda item: int(item[1]), default=("nothing", 0))
    figures = f"{done['tables'] * A_TABLE:,} rounds at {done['tables']} tables of {len(BOOKS)} books"
    mishap = (
        f"{sum(done['fired'].values()):,} irregularities of {len(done['fired'])} kinds (fewest: {least[0]} {least[1]})"
    )
    print(f"prove chips: {figures}, {done['events']:,} events, sum of all accounts 0 after each, {mishap}, ", end="")
    print(f"{done['seconds']:.0f} s")
    return True


def prove_kills(kills: int = KILLS) -> bool:
    """T2: so many kills of a real shift, over the five books; answers whether nothing was lost or doubled."""
    start, told, hit = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        for number, book in enumerate(BOOKS):
            folder = Path(name) / book
            folder.mkdir()
            shift = Kills(str(folder / "l.db"), folder, book, seed=number)
            faults = shift.work(kills // len(BOOKS) + (number < kills % len(BOOKS)))
            if faults:
                print(f"prove kills: {book}: {faults[0]}")
                return False
            told, hit = told + len(shift.told), hit + shift.at_work
    seconds = time.monotonic() - start
    figures = f"{kills} kills of a shift ({hit} at work), {told:,} rounds told, 0 lost, 0 doubled"
    print(f"prove kills: {figures}, {seconds:.0f} s")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove one part or both."""
    parser = argparse.ArgumentParser(prog="prove_shift")
    parser.add_argument("--part", choices=("chips", "kills"))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kills", type=int, default=KILLS)
    options = parser.parse_args(arguments)
    try:
        chips = options.part == "kills" or prove_chips(options.rounds)
        return 0 if chips and (options.part == "chips" or prove_kills(options.kills)) else 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
