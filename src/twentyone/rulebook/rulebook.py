"""A rulebook: a value read from its literate files, cited, complete, without contradictions."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, SupportsIndex

from twentyone.errors import NoSuchRulebook, RulebookError
from twentyone.money import Amount, Odds
from twentyone.rulebook import clauses as c
from twentyone.rulebook.checks import check_book, check_paragraphs, check_playable
from twentyone.rulebook.editions import Editions, amend, day_of, edition_files, read_editions
from twentyone.rulebook.folders import HEAD_FILE, OWN_FOLDER, files_of, folder_of, folders, shelf_faults
from twentyone.rulebook.head import read_head
from twentyone.rulebook.reader import Entry, read_book
from twentyone.rulebook.rules import Rules
from twentyone.rulebook.submission import choose

__all__ = ["Rulebook", "editions_of", "loaded_rulebooks", "rulebook_from", "rulebook_ids", "rules_of", "text_of"]

KEPT = 64
"""How many rules of different submissions a rulebook keeps at hand."""


def rulebook_ids() -> tuple[str, ...]:
    """The ids of all rulebooks, those included that do not load."""
    return tuple(sorted(folders()))


def loaded_rulebooks() -> tuple[list[Rulebook], list[RulebookError]]:
    """Every rulebook that loads, and why the others do not."""
    books: list[Rulebook] = []
    faults = shelf_faults()
    for name in rulebook_ids():
        try:
            books.append(Rulebook.load(name))
        except RulebookError as fault:
            faults.append(fault)
    return books, faults


@dataclass(frozen=True, eq=False)
class Rulebook:
    """One regulation, made to run.

    >>> book = Rulebook.load("pa-spanish-21")
    >>> book
    <Rulebook pa-spanish-21: Spanish 21 (58 Pa. Code Ch. 635a), 155 paragraphs>
    >>> book.entry("635a.12(d)").clauses[0].odds
    Odds(win=2, lay=1)
    """

    id: str
    """Its name in files and commands."""
    title: str
    """The game."""
    source: str
    """The regulation."""
    full_title: str
    """The game with the place where it is law, or else its source: what tells it from others of its title."""
    prefix: str
    """What stands before a paragraph's id in a citation."""
    regulation: bool
    """Whether it is one of the five regulations (else it is our own book)."""
    choices: str
    """The paragraph that speaks of the submission, cited where it names what the text does not leave open."""
    order: tuple[str, ...]
    """The steps of a round, in order."""
    opening: tuple[str, ...]
    """The tasks from the receipt of the cards to the stack, in order."""
    showcase: Mapping[str, Any]
    """A submission that shows what the game has; for a first table."""
    paragraphs: tuple[str, ...]
    """The paragraphs that the text has."""
    entries: Mapping[str, Entry]
    """Paragraph id to entry, in the order of the text."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """File name to the text that it was read from; a ledger keeps them."""
    known_as: str = ""
    """The hash under which a ledger keeps it; empty: it is on the shelf."""
    edition: str = ""
    """The date since which this text is law; empty: no day was asked for, it is the text of the book's own files."""
    amendments: tuple[str, ...] = ()
    """The editions that changed the book's own files, by their dates."""

    @classmethod
    def load(cls, name: str, at: str | None = None) -> Rulebook:
        """The rulebook with this id; read once. `at`: as it is law on a day, refused where that text is not held.

        >>> Rulebook.load("pa-spanish-21", at="2020-01-01").edition
        '2019-11-02'
        """
        return _load(name) if at is None else _load(name, editions_of(name).at(day_of(str(at))).begins)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {self.title} ({self.source}), {len(self.entries)} paragraphs>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """A book on the shelf travels as its id, and arrives as the one object that its text makes there."""
        if not self.known_as and _load(self.id, self.edition) is self:
            return _arrived, (self.id, _written(self), self.edition)
        return super().__reduce_ex__(protocol)

    def __deepcopy__(self, _: object = None) -> Rulebook:
        return self

    __copy__ = __deepcopy__

    def under(self, submission: Mapping[str, Any] | None = None) -> Rules:
        """The rules in force under a submission; the same submission gives the same rules again."""
        key = json.dumps(submission or {}, sort_keys=True, default=repr)
        rules = self._known.get(key)
        if rules is None:
            keys = [clause for clause in self.clauses if isinstance(clause, c.SubmissionKey)]
            rules = Rules(self, choose(keys, self.readings, submission or {}, self.submission_cite))
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = rules
        return rules

    @cached_property
    def _known(self) -> dict[str, Rules]:
        """Rules made lately, by submission."""
        return {}

    def entry(self, paragraph: str) -> Entry:
        """The entry of a paragraph; the citation's prefix may stand before it."""
        entry = self.entries.get(paragraph.removeprefix(self.prefix).removeprefix("§").strip())
        if entry is None:
            raise KeyError(paragraph)
        return entry

    def cite(self, paragraph: str) -> str:
        """The full citation of a paragraph."""
        return self.prefix + paragraph

    @cached_property
    def clauses(self) -> tuple[c.Clause, ...]:
        """Every clause of the book."""
        return tuple(clause for entry in self.entries.values() for clause in entry.clauses)

    @cached_property
    def readings(self) -> tuple[c.Reading, ...]:
        """The paragraphs that can be read two ways."""
        return tuple(clause for clause in self.clauses if isinstance(clause, c.Reading))

    @cached_property
    def tasks(self) -> dict[str, c.Task]:
        """The table's tasks by command, in force or not; where several paragraphs give one, the first."""
        return {clause.name: clause for clause in reversed(self.clauses) if isinstance(clause, c.Task)}

    @cached_property
    def decide_cite(self) -> str:
        """The paragraph that orders the players' turns."""
        return self._step_cite("decide")

    @cached_property
    def options_cite(self) -> str:
        """The paragraph that says what a player may decide."""
        return next(clause.cite for clause in self.clauses if isinstance(clause, c.Decision) and clause.name == "stand")

    @property
    def submission_cite(self) -> str:
        """The paragraph that leaves nothing open but what the text names; empty where none says so."""
        return self.cite(self.choices) if self.choices else ""

    def steps_named(self, name: str) -> tuple[c.Step, ...]:
        """The fences of a step, in force or not."""
        return tuple(clause for clause in self.clauses if isinstance(clause, c.Step) and clause.name == name)

    def _step_cite(self, name: str) -> str:
        return self.steps_named(name)[0].cite


def _load(name: str, edition: str = "") -> Rulebook:
    return _read(name, os.environ.get(OWN_FOLDER, ""), edition)


@cache
def _read(name: str, _own_folder: str, edition: str = "") -> Rulebook:
    """An edition of the rulebook with this id, read once for each own folder that is named."""
    return _read_folder(name, _folder(name), edition)


def _folder(name: str) -> Path:
    folder = folder_of(name)
    if folder is None:
        also = "".join(f"; {fault}" for fault in shelf_faults())
        raise NoSuchRulebook(name, f"there is no such rulebook; there are {', '.join(rulebook_ids())}{also}")
    return folder


def editions_of(name: str) -> Editions:
    """The editions of the rulebook with this id."""
    return read_editions(_folder(name))


def rulebook_from(name: str, texts: Mapping[str, str], known_as: str = "", edition: str = "") -> Rulebook:
    """A rulebook from the texts of its files, wherever they were kept."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="twentyone-law-") as shelf:
        folder = Path(shelf) / name
        folder.mkdir()
        for file, text in texts.items():
            over, _, own = file.rpartition("/")
            place = folder / Path(over).name / Path(own).name
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return replace(_read_folder(name, folder, edition), known_as=known_as)


def _read_folder(name: str, folder: Path, edition: str = "") -> Rulebook:
    """The text of a book's own files, or of an edition: that text with every amendment since."""
    head = read_head(folder / HEAD_FILE)
    entries = read_book(folder, head["prefix"])
    amendments = read_editions(folder).amendments(edition) if edition else ()
    if amendments:
        check_paragraphs(name, head["paragraphs"], entries)
    for amendment in amendments:
        head, entries = amend((head, entries), folder, amendment)
    book = build(name, head, entries)
    check_playable(book)
    files = {file.name: file for file in files_of(folder)} | edition_files(folder, amendments)
    texts = {file: path.read_text(encoding="utf-8") for file, path in files.items()}
    return replace(book, texts=texts, edition=edition, amendments=tuple(each.begins for each in amendments))


def text_of(book: Rulebook) -> str:
    """The files of a rulebook as one text, by which a kept result knows it; its clauses where no file was read."""
    return "".join(name + text for name, text in book.texts.items()) or repr(book.clauses)


@cache
def _written(book: Rulebook) -> int:
    """A checksum of the text of a rulebook."""
    return zlib.crc32(text_of(book).encode())


def _arrived(name: str, written: int, edition: str = "") -> Rulebook:
    """The rulebook of a pickle; refused where its text is another here."""
    book = _load(name, edition)
    if _written(book) != written:
        raise RulebookError(name, "the pickle was made under another text of this rulebook")
    return book


def rules_of(game: str | Rulebook | Rules, submission: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a game: of a rulebook by its id or itself, or of rules with some keys of their submission changed.

    >>> rules_of("classic-blackjack", {"decks": 8})
    <Rules classic-blackjack {'decks': 8}>
    >>> rules_of(_, {"dealer_hits_soft_17": True})
    <Rules classic-blackjack {'decks': 8, 'dealer_hits_soft_17': True}>
    """
    asked = {
        key: str(value) if isinstance(value, Amount | Odds) else value for key, value in (submission or {}).items()
    }
    if isinstance(game, Rules):
        return game.rulebook.under({**game.submission.given, **asked}) if asked else game
    return (game if isinstance(game, Rulebook) else Rulebook.load(game)).under(asked)


def build(name: str, head: Mapping[str, Any], entries: tuple[Entry, ...]) -> Rulebook:
    """A rulebook from its head and entries, checked."""
    check_paragraphs(name, head["paragraphs"], entries)
    book = Rulebook(
        id=name,
        title=head["title"],
        source=head["source"],
        full_title=f"{head['title']}, {head.get('place') or head['source']}",
        prefix=head["prefix"],
        regulation=head.get("regulation", True),
        choices=head.get("choices", ""),
        order=tuple(head["order"]),
        opening=tuple(head.get("opening", ())),
        showcase=head.get("showcase", {}),
        paragraphs=tuple(head["paragraphs"]),
        entries={entry.paragraph: entry for entry in entries},
    )
    check_book(book)
    return book
