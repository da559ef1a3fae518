"""Two worlds in two ledgers: the same staff, players, clock, keys and seeds, but another card lies face down.

Everything that is stored and printed while it lies so is kept, byte for byte, for comparison.
"""

from __future__ import annotations

import contextlib
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import psycopg
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin

from twentyone.cards import Card
from twentyone.cli import main
from twentyone.ledger.backup import backup
from twentyone.ledger.seed_seals import open_seal
from twentyone.ledger.shoes import Seal, order_of
from twentyone.ledger.store import Store, open_store
from twentyone.round.state import State
from twentyone.rulebook import Rules

__all__ = ["Picture", "World", "differences", "files", "server_rows", "swapped", "told", "worlds_apart"]

Picture = dict[str, bytes]
"""What is there at one moment, by name."""
ROUND = "the round"
COMMANDS = (
    ("show", ROUND, "--commands"),
    ("show", ROUND, "--json"),
    ("rounds", "--json"),
    ("export", ROUND),
    ("export", "--all"),
    ("report", "--json"),
    ("verify",),
)
"""What anybody with the file may ask."""


@contextlib.contextmanager
def swapped(*pairs: tuple[int, int]) -> Iterator[None]:
    """Every shoe comes in another order: the cards of each pair of places change places."""

    def order(seal: Seal, seed: bytes, rules: Rules) -> tuple[Card, ...]:
        cards = list(order_of(seal, seed, rules))
        for one, other in pairs:
            cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)

    with patch("twentyone.ledger.open_shoe.order_of", order):
        yield


class World:
    """A ledger with one table, played until a hole card lies face down and on while it does."""

    def __init__(self, url: str, rules: Rules, seed: int) -> None:
        self.url, self.folder = url, Path(url).parent
        self.store: Store = open_store(url, create=True)
        self.day: LedgerDay = begin(self.store, rules, seed)
        self.pictures: list[Picture] = []

    @property
    def round(self) -> State | None:
        """The round in progress."""
        round_ = self.day.state.round
        return None if round_ is None else round_.state

    @property
    def hidden(self) -> bool:
        """Whether a hole card lies face down."""
        return self.round is not None and bool(self.round.dealer) and not self.round.shown

    @property
    def order(self) -> tuple[Card, ...]:
        """The cards of the shoe in play, in their order."""
        assert self.day.runner is not None
        shoe = self.day.runner.custody.shoe
        assert shoe is not None
        known, seed = open_seal(KEYRING, "t", shoe)
        return order_of(known, seed, self.day.rules)

    @property
    def drawn(self) -> int:
        """Cards out of the shoe."""
        shoe = self.day.state.shoe
        return 0 if shoe is None else shoe.size - shoe.left

    def step(self) -> None:
        """Do what the procedure asks next."""
        self.day.follow(self.day.table.next_steps()[0])

    def until_hidden(self) -> None:
        """Deal until a hole card lies face down; a round in which it is shown at once is played to its end."""
        while not self.hidden:
            self.step()

    def watch(self, steps: int, look: Callable[[World], Picture]) -> None:
        """Go on while it lies so, and keep a picture of each moment."""
        while self.hidden and len(self.pictures) < steps:
            self.pictures.append(look(self))
            self.step()


def other_card(rules: Rules, up: Card, hole: Card, order: tuple[Card, ...]) -> int:
    """The place, late in a shoe, of another card of which the rule tells nothing else than of the hole card."""
    for place in range(len(order) - 1, 0, -1):
        card = order[place]
        same = not rules.is_blackjack((up, card)) and _range(rules, card) == _range(rules, hole)
        if card.rank != hole.rank and same:
            return place
    raise AssertionError("no such card")


def _range(rules: Rules, card: Card) -> str:
    return rules.ranges[card.rank].name if rules.ranges else ""


# -- pictures


def pages_of_log(path: Path) -> bytes:
    """The pages in a write-ahead log; its salts, which are another each time, and their sums are left out."""
    data = path.read_bytes()
    if not data:
        return b""
    size, place, pages = int.from_bytes(data[8:12], "big"), 32, b""
    while place < len(data):
        pages += data[place : place + 8] + data[place + 24 : place + 24 + size]
        place += 24 + size
    return pages


def files(world: World) -> Picture:
    """Every byte of the database, of its journal and of a backup."""
    path, copy = Path(world.url), world.folder / "copy.db"
    backup(world.store, copy)
    found = {
        "log": pages_of_log(Path(f"{path}-wal")),
        "backup": copy.read_bytes(),
        **rows(copy),
    }
    copy.unlink()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return found | {"database": path.read_bytes(), "beside it": b" ".join(_names(world.folder))}


def _names(folder: Path) -> list[bytes]:
    return sorted(path.name.encode() for path in folder.iterdir())


def rows(path: Path) -> Picture:
    """Every row of every table, field by field."""
    with closing(sqlite3.connect(path)) as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            f"{table} row {number} field {field}": repr(value).encode()
            for table in tables
            for number, row in enumerate(raw.execute(f"SELECT * FROM {table}"))
            for field, value in enumerate(row)
        }


def server_rows(world: World) -> Picture:
    """Every row of every table of a database server."""
    with psycopg.connect(world.url) as raw:
        names = raw.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
        return {
            f"{table} row {number}": repr(row).encode()
            for (table,) in names
            for number, row in enumerate(raw.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall())
        }


def told(world: World) -> Picture:
    """What the commands print for who has no key, and for who has it."""
    return {" ".join(words): _printed(world, *words) for words in COMMANDS}


def _printed(world: World, do: str, *words: str) -> bytes:
    out, err = io.StringIO(), io.StringIO()
    with (
        patch("time.time", lambda: float(world.day.clock)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.suppress(SystemExit),
    ):
        main([do, world.url, *(str(world.day.state.rounds) if word is ROUND else word for word in words)])
    return (out.getvalue() + err.getvalue()).replace(str(world.folder), "FOLDER").encode()


def differences(mine: list[Picture], other: list[Picture]) -> list[str]:
    """What tells the worlds apart."""
    found = [f"moment {n}: {name}" for n, pair in enumerate(zip(mine, other, strict=False)) for name in _apart(*pair)]
    return [*found, *([] if len(mine) == len(other) else ["their number"])]


def _apart(mine: Picture, other: Picture) -> Iterator[str]:
    for name in sorted({*mine, *other}):
        if mine.get(name) != other.get(name):
            yield f"{name}: {_around(mine.get(name, b''), other.get(name, b''))}"


def _around(one: bytes, two: bytes) -> str:
    place = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 40) : place + 40]!r} against {two[max(0, place - 40) : place + 40]!r}"


def worlds_apart(first: World, second: Callable[[], World], look: Callable[[World], Picture], steps: int) -> list[str]:
    """What tells two worlds apart that play the same, while another hole card and another burn card lie face down."""
    first.until_hidden()
    state, place = first.round, first.drawn - 1
    assert state is not None
    order, hole = first.order, state.dealer[-1]
    late = other_card(first.day.rules, state.dealer[0], hole, order)
    burn = next(n for n in range(late - 1, 0, -1) if order[n] is not order[0])
    first.watch(steps, look)
    with swapped((place, late), (0, burn)):
        other = second()
        other.until_hidden()
        assert other.round is not None
        assert other.round.dealer[-1] is order[late] is not hole
        other.watch(steps, look)
    return differences(first.pictures, other.pictures)
