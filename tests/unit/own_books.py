"""Rulebooks of one's own in a temporary folder, and the ways in which they can be spoilt."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from twentyone.rulebook import loaded_rulebooks
from twentyone.rulebook.folders import FOLDER

__all__ = ["FAULTS", "NAME", "OUR_OWN", "Fault", "copy_of_our_own"]

NAME = "my-game"
OUR_OWN = next(book.id for book in loaded_rulebooks()[0] if not book.regulation)
HEAD, ACTS, PAYS = "rulebook.toml", "04-dealing.md", "08-outcomes-and-payouts.md"


def copy_of_our_own(shelf: Path, name: str = NAME) -> Path:
    """A rulebook that loads."""
    return shutil.copytree(FOLDER / OUR_OWN, shelf / name)


class Fault(NamedTuple):
    """One way to spoil a rulebook's folder."""

    name: str
    """What is wrong with it."""
    spoil: Callable[[Path], object]
    """What spoils it."""
    said: str
    """A part of the sentence that is said."""


def _replace(file: str, old: str, new: str) -> Callable[[Path], object]:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


def _half(file: str, until: str) -> Callable[[Path], object]:
    def spoil(folder: Path) -> None:
        text = (folder / file).read_bytes()
        (folder / file).write_bytes(text[: text.index(until.encode()) + len(until)])

    return spoil


def _content(file: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / file).write_bytes(content)


def _head_is_a_folder(folder: Path) -> None:
    (folder / HEAD).unlink()
    (folder / HEAD).mkdir()


FAULTS = (
    Fault("a word that no vocabulary has", _replace(PAYS, '"win"', '"wni"'), f"{NAME}/{PAYS}:66: 8(c)(3): outcome."),
    Fault("a fence that is not TOML", _replace(PAYS, "[step.draw]", "[step.draw"), f"{NAME}/{PAYS}:"),
    Fault("half a file, in a fence", _half(PAYS, "[step.draw]"), "8(a): the fence does not end"),
    Fault("half a file, between two entries", _half(ACTS, "## (d)\n"), "4(d): the entry says nothing in words"),
    Fault("a file that is missing", lambda folder: (folder / PAYS).unlink(), f"{NAME}/{HEAD}: 8: the paragraph has no"),
    Fault("a binary file", _content(PAYS, bytes(range(256))), f"{NAME}/{PAYS}: {PAYS}: the file cannot be read"),
    Fault("half a letter", _content(PAYS, "# 8 §".encode()[:-1]), f"{NAME}/{PAYS}: {PAYS}: the file cannot be read"),
    Fault("two headings with one number", _replace(PAYS, "## (b)", "## (a)"), "8(a): the paragraph has two entries"),
    Fault("a heading that skips a level", _replace(PAYS, "### (1)", "##### (1)"), "(1): a heading skips a level"),
    Fault("a paragraph that the head does not list", _replace(HEAD, '    "8(g)",\n', ""), "8(g): the text has no such"),
    Fault("a paragraph that the head lists twice", _replace(HEAD, '"8(g)"', '"8(g)", "8(g)"'), "8(g): the head lists"),
    Fault(
        "a missing head key",
        _replace(HEAD, 'title = "Blackjack"\n', ""),
        f"{NAME}/{HEAD}: {NAME}: the head needs",
    ),
    Fault("an unknown head key", _replace(HEAD, "title =", "tilte ="), "did you mean 'title'?"),
    Fault("a head key of another type", _replace(HEAD, '"Blackjack"', "21"), "title: words in quotation marks"),
    Fault(
        "a head that is no TOML",
        _replace(HEAD, "title = ", "title: "),
        f"{NAME}/{HEAD}: {NAME}: the head",
    ),
    Fault("half a head", _half(HEAD, "paragraphs = ["), "the head cannot be read"),
    Fault("a binary head", _content(HEAD, bytes(range(256))), "the head cannot be read"),
    Fault("an empty head", _content(HEAD, b""), "the head needs title, source, prefix, order, paragraphs"),
    Fault("tables that lie too deep", _content(HEAD, b"title = " + b"[" * 100_000), "the head cannot be read"),
    Fault("a number of 5,000 digits", _content(HEAD, b"title = " + b"5" * 5_000), "a number has too many digits"),
    Fault("no head", lambda folder: (folder / HEAD).unlink(), "the head cannot be read: No such file"),
    Fault("a folder in the place of the head", _head_is_a_folder, "the head cannot be read: Is a directory"),
    Fault(
        "a step without a fence",
        _replace(HEAD, '"collect",\n', '"collect", "spin_bonus",\n'),
        "step spin_bonus",
    ),
    Fault("a clause that every book needs", _replace(PAYS, "[step.collect]", ""), f"{NAME}: step collect"),
    Fault("a showcase that is refused", _replace(HEAD, "order = [", "showcase = {decks = 99}\norder = ["), "showcase"),
)
"""Everything that a folder is refused for."""
