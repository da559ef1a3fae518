"""What strangers write, altered at random: whatever it is, nothing but this software's own refusals comes out.

Each target is handed real material (a script, a rulebook, a ledger, a file of people) with some of it replaced. It
calls what a command or the service calls; another exception than a `TwentyoneError` is a fault.
"""

from __future__ import annotations

import copy
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from argon2 import PasswordHasher
from hypothesis import strategies as st
from tests.contracts.runner_driver import KEYRING, begin, seeded_source
from tests.faults.tampering import forge, restamp

from twentyone.errors import TwentyoneError
from twentyone.ledger.access_book import AccessBook
from twentyone.ledger.data_tables import rows_of
from twentyone.ledger.export import export_round
from twentyone.ledger.house_words import house_story
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.ledger.timestamps import Period, moment
from twentyone.ledger.transcript import transcript
from twentyone.ledger.verify import verify
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
MOMENT = 1_750_000_000
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 21, 99, 1 << 31, 1 << 63, -(1 << 63), 1 << 64, 10**40, 0.5, -0.0, 1e308,
    "", "0", "-1", "1e9", "NaN", "inf", "7.50", "0.0005", "1/0", "AS", "??", "unknown", "Ann", "main", "\x00", "\ud800",
    "é" * 300, "x" * 5000, "../..", [], {}, [[]], [None], {"": ""}, {"amount": {}}, ["AS", 7], [1, 2, 3],
)  # fmt: skip
"""Values that somebody might write where another belongs."""
TEXTS = (
    "", "\n", "\x00", "\ufeff", "\u2028", "=", "[", "]", "{", "}", '"', "'''", '"""', "#", "```", "```toml\n",
    "\n# 1\n", "\n## (a)\n", "[pay.x]\n", "= -1\n", "= 1e400\n", "= nan\n", "= 1979-05-27\n", "= [[]]\n", "= {}\n",
    "when = {x = 1}\n", "reading = 7\n", "except_to = ['?']\n", "pattern = '*'\n", "\\", "\\u0000", "9" * 5000,
    "(" * 300, "é", "\u0663", "-", ",", ":",
)  # fmt: skip
"""Texts that somebody might write in between."""


class Target(NamedTuple):
    """Something that reads what strangers write."""

    material: Callable[[], Any]
    """A strategy for what it is handed."""
    reads: Callable[[Any], None]
    """Reads it; raises what is a fault."""


# -- how material is altered


@st.composite
def altered_json(draw: st.DrawFn, bodies: st.SearchStrategy[Any], most: int = 3) -> Any:
    """A value with some of its parts replaced, removed, doubled or moved."""
    body = [copy.deepcopy(draw(bodies))]
    for _ in range(draw(st.integers(1, most))):
        holder, key = draw(st.sampled_from(list(_places(body))))
        _alter(draw, body, holder, key)
    return body[0] if body else None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _alter(draw: st.DrawFn, root: Any, holder: Any, key: Any) -> None:
    how = draw(st.sampled_from(("odd", "other", "remove", "rename", "nest", "text")))
    if how == "odd":
        holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
    elif how == "other":
        source, place = draw(st.sampled_from(list(_places(root))))
        holder[key] = copy.deepcopy(source[place])
    elif how == "remove" and holder is not root:
        del holder[key]
    elif how == "rename" and isinstance(holder, dict):
        holder[draw(st.sampled_from(("x", "", "amount", "events", "player", "box", "data")))] = holder.pop(key)
    elif how == "nest":
        holder[key] = [holder[key]]
    elif isinstance(holder[key], str):
        holder[key] = draw(altered_text(st.just(holder[key])))


@st.composite
def altered_text(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with a piece of it replaced by another, by a piece of its own or by something odd."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.sampled_from((0, 1, 2, 8, 40))))
        own = draw(st.integers(0, len(text)))
        piece = draw(st.one_of(st.sampled_from(TEXTS), st.text(max_size=4), st.just(text[own : own + 30])))
        text = text[:at] + piece + text[end:]
    return text


@st.composite
def altered_bytes(draw: st.DrawFn, contents: st.SearchStrategy[bytes], most: int = 6) -> bytes:
    """A file with some of its bytes replaced, or cut off."""
    content = bytearray(draw(contents))
    for _ in range(draw(st.integers(1, most))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.sampled_from((0, 1, 1, 4, 100)))] = draw(st.binary(max_size=4))
    return bytes(content[: draw(st.sampled_from((len(content), len(content), len(content) // 2)))])


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


# -- events


@cache
def _events() -> tuple[StoredEvent, ...]:
    """A short day at a table with a wheel and at one with coupons."""
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"{folder}/t.db", create=True)) as store:
        for seed, book in enumerate(rulebook_ids()):
            rules = Rulebook.load(book).under(Rulebook.load(book).showcase)
            begin(store, rules, seed, stream=book).work(1)
        return tuple(store.read_all())


def ledgers() -> st.SearchStrategy[Any]:
    """A ledger of which one event has another body, with its chain stamped anew."""
    events = _events()

    def alter(place: int) -> st.SearchStrategy[tuple[int, str]]:
        bodies = altered_json(st.just(json.loads(events[place].body)))
        return bodies.map(lambda body: (place, json.dumps(body, sort_keys=True, separators=(",", ":"))))

    kinds: dict[str, list[int]] = {}
    for place, event in enumerate(events):
        kinds.setdefault(event.type, []).append(place)
    places = st.sampled_from(sorted(kinds)).flatmap(lambda kind: st.sampled_from(kinds[kind]))
    return places.flatmap(alter)


def read_ledger(material: tuple[int, str]) -> None:
    """Read an altered table in every way: loaded to be played on, verified, listed, exported, reported."""
    place, body = material
    stream = _events()[place].stream
    rows = [
        event._replace(body=body) if number == place else event
        for number, event in enumerate(_events())
        if event.stream in (stream, "(house)")
    ]
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"{folder}/t.db", create=True)) as store:
        forge(store, restamp(rows))
        for table in table_streams(store):
            with suppress(TwentyoneError):
                Runner(store, table, KEYRING, seeded_source(1), lambda: MOMENT).load()
        verify(store, KEYRING, None)
        for reads in READERS:
            with suppress(TwentyoneError):
                reads(store)


def _rounds(store: Store) -> None:
    for row in list_rounds(store, keyring=KEYRING):
        with suppress(TwentyoneError):
            json.dumps(export_round(store, row))
        with suppress(TwentyoneError):
            transcript(store, row)


READERS: tuple[Callable[[Store], object], ...] = (
    _rounds,
    house_story,
    lambda store: list(rows_of(store)),
    lambda store: list(pages(shift_report(store, Period(), MOMENT))),
)

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
    "people": Target(people_files, read_people),
}
