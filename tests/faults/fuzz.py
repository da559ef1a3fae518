"""What strangers write, altered at random: whatever it is, nothing but this software's own refusals comes out.

Each target is handed real material (a script, a rulebook, a ledger, a file of people) with some of it replaced. It
calls what a command or the service calls; another exception than a `TwentyoneError` is a fault.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from argon2 import PasswordHasher
from hypothesis import strategies as st
from tests.faults.altering import ODD, altered_bytes, altered_json, altered_text
from tests.faults.fuzz_ledgers import MOMENT, files, ledgers, read_file, read_ledger

from twentyone.errors import TwentyoneError
from twentyone.ledger.access_book import AccessBook
from twentyone.ledger.timestamps import moment
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.rulebook import _read_folder
from twentyone.script import replay
from twentyone.service.attempts import digest
from twentyone.service.held_accounts import account_marks
from twentyone.service.marks import Marks
from twentyone.service.orders import WHOLE, Orders
from twentyone.service.paces import Settings, read_settings
from twentyone.service.people import People
from twentyone.service.records import Records, open_records
from twentyone.table.law_scripts import script_faults

__all__ = ["TARGETS", "Target"]

LAW = Path(__file__).parents[1] / "law"


class Target(NamedTuple):
    """Something that reads what strangers write."""

    material: Callable[[], Any]
    """A strategy for what it is handed."""
    reads: Callable[[Any], None]
    """Reads it; raises what is a fault."""


# -- scripts


@cache
def _scripts() -> tuple[Any, ...]:
    """Real rounds of every rulebook, in each format."""
    found: dict[tuple[str, str], list[Any]] = {}
    for path in sorted(LAW.rglob("*.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        if str(body["format"]).startswith("round-script/"):
            found.setdefault((body["format"], body["rulebook"]), []).append(body)
    return tuple(body for bodies in found.values() for body in bodies[:: max(1, len(bodies) // 8)])


def scripts() -> st.SearchStrategy[Any]:
    """Scripts as objects, as JSON, as bytes."""
    bodies = st.sampled_from(_scripts())
    written = altered_json(bodies).map(lambda body: json.dumps(body).encode())
    return st.one_of(
        written, written, altered_bytes(bodies.map(lambda body: json.dumps(body).encode())), st.binary(max_size=60)
    )


def read_script(text: bytes) -> None:
    """Deal a script: whatever it is, there is a verdict that can be printed."""
    verdict = replay(text)
    assert verdict.exit in (0, 1, 2)
    json.dumps(verdict.result)
    verdict.error.encode()


@cache
def _law_scripts() -> tuple[tuple[str, str, Any], ...]:
    """Real scripts of every format with their rulebook and the name of their file."""
    paths = [path for book in rulebook_ids() for path in sorted((LAW / book).rglob("*.json"))[::25]]
    return tuple(
        (path.relative_to(LAW).parts[0], path.name, json.loads(path.read_text(encoding="utf-8"))) for path in paths
    )


def law_scripts() -> st.SearchStrategy[Any]:
    """Scripts of a rulebook's own folder, altered."""
    return st.sampled_from(_law_scripts()).flatmap(
        lambda known: altered_json(st.just(known[2])).map(lambda body: (known[0], known[1], json.dumps(body).encode()))
    )


def read_law_script(material: tuple[str, str, bytes]) -> None:
    """Play a law script as `twentyone law test` does: whatever it is, its faults can be told."""
    book, name, content = material
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        assert all(isinstance(fault, str) for fault in script_faults(Rulebook.load(book), path))


# -- rulebooks


def rulebooks() -> st.SearchStrategy[Any]:
    """A rulebook of which one file is altered: its name, the file, its new content."""
    files = [(book, file) for book in rulebook_ids() for file in Rulebook.load(book).texts]

    def alter(chosen: tuple[str, str]) -> st.SearchStrategy[tuple[str, str, bytes]]:
        text = Rulebook.load(chosen[0]).texts[chosen[1]]
        changed = altered_text(st.just(text)).map(lambda new: new.encode("utf-8", "surrogatepass"))
        return st.one_of(changed, changed, altered_bytes(st.just(text.encode()))).map(lambda new: (*chosen, new))

    return st.sampled_from(files).flatmap(alter)


def read_rulebook(material: tuple[str, str, bytes]) -> None:
    """Load a rulebook, and its rules under a submission, as from a folder of one's own."""
    name, file, content = material
    with tempfile.TemporaryDirectory() as shelf:
        folder = Path(shelf) / name
        for other, text in Rulebook.load(name).texts.items():
            (folder / other).parent.mkdir(exist_ok=True, parents=True)
            (folder / other).write_text(text, encoding="utf-8")
        (folder / file).write_bytes(content)
        with suppress(TwentyoneError):
            book = _read_folder(name, folder)
            book.under(book.showcase)


# -- people


@cache
def _people_file() -> bytes:
    """A file with accounts, sessions, guesses, links and settings in it."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(open_records(f"{folder}/t.db")) as records:
            people = _people(records)
            people.guest("Ann", "1.2.3.4", 3)
            people.entering.link("auditor")
            people.attempts.begin("Dan", "address 1.2.3.4")
            for statement, values in ROWS.items():
                records.run(statement, values)
        with closing(sqlite3.connect(f"{folder}/t.db.people")) as base:
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Path(folder, "t.db.people").read_bytes()


CHEAP, PASSWORD = PasswordHasher(1, 8, 1), "a long password"
ROWS: dict[str, tuple[Any, ...]] = {
    "INSERT INTO people_accounts (name, role, password) VALUES (?, ?, ?)": ("Dan", "dealer", CHEAP.hash(PASSWORD)),
    "INSERT INTO people_sessions (id, name, role, csrf, seen) VALUES (?, 'Dan', 'dealer', ?, ?)": (
        digest("s"),
        Marks(b"", AccessBook(None)).session(digest("s"), "Dan", "dealer", "c", MOMENT),
        MOMENT,
    ),
    "INSERT INTO people_settings (name, value) VALUES (?, ?)": ("staff:one", json.dumps(Settings().stored())),
    "INSERT INTO people_settings (value, name) VALUES (?, ?)": (json.dumps(["Olga", "operator", 1, "a storm"]), WHOLE),
    "INSERT INTO people_factors (name, secret, used, since) VALUES ('Dan', ?, 0, ?)": ("JBSWY3DPEHPK3PXP", MOMENT),
    "INSERT INTO people_approvals (number, act, given, what, asker, asked) VALUES (?, 'remove', '{}', '', 'Olga', ?)": (
        "1",
        MOMENT,
    ),
}


def _people(records: Records) -> People:
    """The people of a service at which nobody sits; passwords are hashed as cheaply as can be."""
    people = People(records, lambda: MOMENT, NoPurses(), lambda _: False)  # type: ignore[arg-type]
    people.hashing._hasher = CHEAP
    return people


class NoPurses:
    """Purses are in the ledger, not in this file."""

    def empty(self, _: str) -> None:
        """Nobody has any."""


def people_files() -> st.SearchStrategy[Any]:
    """The file with bytes replaced; or with values replaced: statement by statement."""
    tables = st.sampled_from(sorted(COLUMNS))
    value = st.one_of(
        st.sampled_from([odd for odd in ODD if odd is None or isinstance(odd, str | float)]),
        st.integers(-(1 << 63), (1 << 63) - 1),
        st.binary(max_size=8),
    )
    cells = tables.flatmap(lambda table: st.tuples(st.just(table), st.sampled_from(COLUMNS[table]), value))
    return st.one_of(altered_bytes(st.just(_people_file())), st.lists(cells, min_size=1, max_size=2))


COLUMNS = {
    "people_accounts": ("name", "role", "password"),
    "people_tries": ("name", "place", "failed", "until"),
    "people_sessions": ("id", "name", "role", "csrf", "seen"),
    "people_logins": ("number", "session", "name", "role", "address", "begun", "ended", "why"),
    "people_links": ("id", "role", "until"),
    "people_settings": ("name", "value"),
    "people_names": ("name",),
    "people_factors": ("name", "secret", "used", "since"),
    "people_codes": ("name", "code"),
    "people_sums": ("name", "day", "moved"),
    "people_approvals": ("number", "act", "given", "what", "asker", "asked"),
}


def read_people(material: bytes | list[tuple[str, str, Any]]) -> None:
    """Open an altered file and do with its people what the service does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db.people"
        path.write_bytes(material if isinstance(material, bytes) else _people_file())
        path.chmod(0o600)
        if not isinstance(material, bytes):
            _put(path, material)
        with suppress(TwentyoneError), closing(open_records(f"{folder}/t.db")) as records:
            people = _people(records)
            for use in USES:
                with suppress(TwentyoneError):
                    use(people, records)


def _put(path: Path, cells: list[tuple[str, str, Any]]) -> None:
    with closing(sqlite3.connect(path)) as base:
        for table, column, value in cells:
            with suppress(sqlite3.Error, UnicodeEncodeError, OverflowError):
                base.execute(f"UPDATE {table} SET {column} = ?", (value,))
        base.commit()


USES: tuple[Callable[[People, Records], object], ...] = (
    lambda people, _: people.whose("s"),
    lambda people, _: people.guest("Ann", "1.2.3.4", 3),
    lambda people, _: people.entering.login("Dan", PASSWORD, "1.2.3.4", code="123456"),
    lambda people, _: people.accounts.listed(),
    lambda _, records: account_marks(records, b""),
    lambda people, _: [(moment(row.begun), row.seen and moment(row.seen)) for row in people.sessions.listed()],
    lambda people, _: people.attempts.begin("Dan", "address 1.2.3.4"),
    lambda people, _: people.attempts.wrong(),
    lambda people, _: people.names.since("Ann"),
    lambda people, _: people.entering.follow("no link"),
    lambda people, _: people.sessions.end_all("Dan", "over"),
    lambda people, _: [people.approvals._take(asked) for asked in people.approvals.listed()],
    lambda people, records: Orders(records, lambda: MOMENT, {}, people),
    lambda _, records: [read_settings(value) for (value,) in records.rows("SELECT value FROM people_settings")],
)

TARGETS: Mapping[str, Target] = {
    "scripts": Target(scripts, read_script),
    "law-scripts": Target(law_scripts, read_law_script),
    "rulebooks": Target(rulebooks, read_rulebook),
    "events": Target(ledgers, read_ledger),
    "files": Target(files, read_file),
    "people": Target(people_files, read_people),
}
