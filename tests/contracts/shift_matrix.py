"""The matrix of shifts: submissions in which every two choices meet, seeds, and rates of irregularities.

cell = cell_of(17)             # always the same one
shift = work_cell(cell, folder)    # worked to its end, verified, reported; `Stuck` or a fault otherwise
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.contracts.table_submissions import METERS

from twentyone.errors import SubmissionRefused
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.report import shift_report
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.timestamps import Period
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import Boxes, Match, SubmissionKey
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table import Table
from twentyone.table.shoe import os_source

__all__ = [
    "MATRIX_BOOKS",
    "Cell",
    "Row",
    "Stuck",
    "Worked",
    "as_submission",
    "cell_of",
    "choices_of",
    "covering",
    "prerequisites",
    "values_of",
    "work_cell",
]

MATRIX_BOOKS = rulebook_ids()
RATES = (Fraction(0), Fraction(1, 50), Fraction(1, 10), Fraction(1, 20))
"""How often something goes wrong: 0 to 0.1."""
SIZES = (20, 25, 20, 40, 20, 30, 60)
"""Rounds of a shift: most are short."""
CANDIDATES = 8
"""Submissions of which the one that brings most new pairs together is taken."""
MOST_COMMANDS = 1_500
"""Commands without a further round after which a shift counts as stuck."""
ABSENT = "absent"
"""A choice that the submission leaves out."""
READING = "reading "
"""How the name of a reading begins among the choices."""
MONEY = {
    "chip_unit": ("0.5", "5", "0.02"),
    "table_minimum": (ABSENT, "5", "25"),
    "table_maximum": (ABSENT, "50", "500"),
    "match_the_dealer_maximum": (ABSENT, "1", "25"),
    "payout_limit": (ABSENT, "0.01", "500"),
}
"""Amounts that are tried; they fit together, as those of a table must."""
WEIGHTS = {"bonus_spin": {"jackpot": 3, "10": 40}}
"""A wheel on which some symbols come out more often."""

Row = dict[str, Any]
Pair = frozenset[tuple[str, str]]


class Stuck(AssertionError):
    """A shift whose people go on without ever beginning a further round."""


class Cell(NamedTuple):
    """One shift of the matrix."""

    number: int
    book: str
    given: Row
    seed: str
    rate: Fraction
    rounds: int

    def __str__(self) -> str:
        terms = json.dumps(self.given, sort_keys=True)
        return f"shift {self.number}: {self.book}, seed {self.seed}, rate {self.rate}, {self.rounds} rounds, {terms}"


class Worked(NamedTuple):
    """A shift that came to its end."""

    rounds: int
    events: int


def cell_of(number: int) -> Cell:
    """The shift of this number; as many follow each other as there are submissions before one comes again."""
    book = MATRIX_BOOKS[number % len(MATRIX_BOOKS)]
    rows, place = covering(book), number // len(MATRIX_BOOKS)
    turn, row = divmod(place, len(rows))
    rate = RATES[(row + turn) % len(RATES)]
    return Cell(number, book, rows[row], f"matrix {turn}/{row}", rate, SIZES[place % len(SIZES)])


def work_cell(cell: Cell, folder: Path) -> Worked:
    """Work a shift in a folder of its own, verify its ledger and report on it; whatever is wrong is raised."""
    rules, keys = Rulebook.load(cell.book).under(cell.given), Keyring.new(os_source())
    plan = ShiftPlan(rules, 1, cell.rounds, cell.rate, cell.seed)
    with closing(open_store(str(folder / "l.db"), create=True)) as store:
        _work(Shift(store, keys, plan, lambda: 0, ""))
        write_checkpoint(store, folder / "l.checkpoints", keys.signer, 0)
        _examine(store, keys, folder / "l.checkpoints", cell)
        stored = store.settled()
        _work(Shift(store, keys, plan, lambda: 0, ""))
        assert store.settled() == stored, "a shift that was over stored something when it was begun again"
        return Worked(cell.rounds, stored)


def _work(shift: Shift) -> None:
    """To the end; `Stuck` where no further round begins."""
    since: Counter[int] = Counter()

    def after_turn(commands: int) -> None:
        since[shift.dealt] += commands
        if since[shift.dealt] > MOST_COMMANDS:
            raise Stuck(f"{since[shift.dealt]} commands after {shift.dealt} rounds")

    shift.work(after_turn)


def _examine(store: Store, keys: Keyring, checkpoints: Path, cell: Cell) -> None:
    found = verify(store, keys, checkpoints)
    assert (found.faults, found.unchecked) == ((), ()), (found.faults[:2], found.unchecked[:2])
    assert shift_report(store, Period(), 0).reconciled, "the shift report does not add up"
    rounds = sum(1 for _ in list_rounds(store))
    assert rounds == cell.rounds, f"{rounds} rounds are listed"


# -- the submissions


@cache
def choices_of(book: str) -> dict[str, list[Any]]:
    """What is chosen under a rulebook, each with the values that are tried: its keys, its readings."""
    rulebook = Rulebook.load(book)
    tried: dict[str, list[Any]] = {}
    for key in (clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey) and not clause.fixed):
        tried[key.name] = _merged(tried.get(key.name, []), _values(rulebook, key))
    readings = {READING + reading.name: list(reading.values) for reading in rulebook.readings}
    return tried | {name: values for name, values in readings.items() if len(values) > 1}


def _merged(one: list[Any], other: list[Any]) -> list[Any]:
    return [*one, *(value for value in other if value not in one)]


def _values(rulebook: Rulebook, key: SubmissionKey) -> list[Any]:
    if key.type == "amount":
        return list(MONEY[key.name])
    if key.type == "boolean":
        return list(key.choices or (False, True))
    if key.type == "integer":
        return _numbers(rulebook, key)
    if key.type == "odds":
        return [ABSENT, {"suited": _better_odds(rulebook)}]
    if key.type == "table":
        spin = {name: meter for name, meter in METERS.items() if name == "bonus_spin"}
        return [ABSENT, spin, METERS] if key.name == "progressive" else [ABSENT, WEIGHTS]
    pairs = combinations(key.choices, 2) if key.several else ()
    several = [list(pair) for pair in pairs if _is_allowed(rulebook, {key.name: list(pair)})]
    return [*([ABSENT] if key.optional else []), *key.choices, *several]


def _is_allowed(rulebook: Rulebook, given: Row) -> bool:
    with suppress(SubmissionRefused):
        return bool(rulebook.under(given))
    return False


def _numbers(rulebook: Rulebook, key: SubmissionKey) -> list[Any]:
    if key.choices:
        return list(key.choices)
    most = next(clause.most for clause in rulebook.clauses if isinstance(clause, Boxes)) if key.name == "boxes" else 0
    top = most or (key.most if key.most is not None else key.least + 4)
    near = [key.least, key.least + 1, top]
    return sorted({value for value in (*near, key.default) if isinstance(value, int) and key.least <= value <= top})


def _better_odds(rulebook: Rulebook) -> str:
    best = max(row.odds.win for row in rulebook.clauses if isinstance(row, Match) and row.suit == "same")
    return f"{best}:1"


@cache
def covering(book: str) -> list[Row]:
    """Submissions of a rulebook in which every two values that can stand together do so at least once."""
    tried = choices_of(book)
    maker = _Maker(Rulebook.load(book), tried, Random(f"matrix of {book}"))
    open_ = {frozenset(pair) for one, other in combinations(tried, 2) for pair in _pairs(tried, one, other)}
    rows = [Row({})]
    open_ -= maker.met({})
    while open_:
        row, met = maker.best(open_)
        if met:
            rows.append(row)
        open_ -= met or {maker.wanted}
    return rows


def _pairs(tried: Mapping[str, list[Any]], one: str, other: str) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    for mine in tried[one]:
        for theirs in tried[other]:
            yield (one, json.dumps(mine)), (other, json.dumps(theirs))


class _Maker:
    """Makes submissions around a pair of choices that has not stood together yet."""

    def __init__(self, rulebook: Rulebook, tried: Mapping[str, list[Any]], rng: Random) -> None:
        self._rulebook, self._tried, self._rng = rulebook, tried, rng
        self.wanted: Pair = frozenset()

    def best(self, open_: set[Pair]) -> tuple[Row, set[Pair]]:
        """A submission with a pair that is wanted, and the pairs that it brings together; none where it is refused."""
        self.wanted = min(open_, key=sorted)
        pinned = {name: json.loads(value) for name, value in self.wanted}
        made: list[tuple[Row, set[Pair]]] = []
        for plain in [False] * CANDIDATES + [True] * 3:
            if made and plain:
                break
            row = self._row(pinned, plain=plain)
            if row is not None and self.wanted in (met := self.met(row)):
                made.append((row, met & open_))
        return max(made, key=lambda item: len(item[1]), default=({}, set()))

    def _row(self, pinned: Row, *, plain: bool) -> Row | None:
        """Choices at random, or the plain ones, around those that are pinned; without those that are refused."""
        drawn = {} if plain else {name: self._rng.choice(values) for name, values in self._tried.items()}
        chosen = prerequisites(self._rulebook, {**drawn, **pinned}, pinned)
        for _ in self._tried:
            try:
                Table.new(self._rulebook.under(given := as_submission(chosen)))
            except SubmissionRefused as refused:
                name = refused.key.replace("readings.", READING)
                loose = [other for other in (name, *_near(name)) if other in chosen and other not in pinned]
                if not loose:
                    return None
                del chosen[loose[0]]
            else:
                return given
        return None

    def met(self, row: Row) -> set[Pair]:
        """The pairs of values that stand together in a submission."""
        return {frozenset(pair) for pair in combinations(values_of(self._rulebook.id, row).items(), 2)}


def prerequisites(rulebook: Rulebook, chosen: Row, pinned: Row | None = None) -> Row:
    """Choices with what they go with; one that is not pinned is left where it does not fit."""
    pinned, fitted = chosen if pinned is None else pinned, dict(chosen)
    for key in (clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey)):
        if not fitted.get(key.name) or fitted[key.name] == ABSENT:
            continue
        for other, allowed in key.only_with.items():
            if fitted.get(other) in allowed:
                continue
            if key.name in pinned and other not in pinned:
                fitted[other] = allowed[0]
            elif key.name not in pinned:
                fitted[key.name] = False
    return fitted


def values_of(book: str, row: Row) -> dict[str, str]:
    """The value that every choice has in a submission, those that it leaves out too, as JSON."""
    rules, tried = Rulebook.load(book).under(row), choices_of(book)
    flat = {**row, **{READING + name: value for name, value in rules.submission.readings.items()}}
    taken = rules.submission.to_json()
    out = {name: ABSENT if taken.get(name) is None and ABSENT in tried[name] else taken.get(name) for name in tried}
    return {name: json.dumps(flat.get(name, out[name])) for name in tried}


def _near(name: str) -> tuple[str, ...]:
    """The choices that a refused one may be refused for."""
    return ("table_minimum", "table_maximum", "chip_unit", "match_the_dealer_maximum") if name in MONEY else ()


def as_submission(chosen: Row) -> Row:
    """A submission as it is written down."""
    keys = {name: value for name, value in chosen.items() if value != ABSENT and not name.startswith(READING)}
    readings = {name.removeprefix(READING): value for name, value in chosen.items() if name.startswith(READING)}
    return {**keys, "readings": readings} if readings else keys
