"""A card that lies face down can be read nowhere: not in the database, its journal, a backup, nor by any command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.hidden_worlds import Picture, World, files, told, worlds_apart

from twentyone.ledger.face_down import Hidden
from twentyone.rulebook import Rulebook, Rules, rulebook_ids

BOOKS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]
CASES: list[tuple[str, dict[str, Any]]] = [
    *((book, {}) for book in BOOKS),
    *(("s13-spanish-21", {"hole_card": mode}) for mode in ("reader", "unread")),
    ("pa-spanish-21", {"shuffler": "continuous"}),
]
SEEDS = (3, 4)
STEPS = 6
"""Moments that are compared while the card lies face down."""


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Callable[[Rules, int], World]]:
    """Makes worlds, each in a folder of its own, all of the same name."""
    made: list[World] = []

    def make(rules: Rules, seed: int) -> World:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(World(str(folder / "t.db"), rules, seed))
        return made[-1]

    yield make
    for world in made:
        world.store.close()


@pytest.mark.parametrize("look", [files, told], ids=["every byte", "every command"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("book", "given"), CASES, ids=[f"{book} {given}" for book, given in CASES])
def test_two_worlds_are_the_same_while_a_card_lies_face_down(
    worlds: Callable[[Rules, int], World],
    book: str,
    given: dict[str, Any],
    seed: int,
    look: Callable[[World], Picture],
) -> None:
    rules = Rulebook.load(book).under(given)
    first = worlds(rules, seed)
    assert worlds_apart(first, lambda: worlds(rules, seed), look, STEPS) == []
    assert first.pictures


@pytest.mark.parametrize("look", [files, told], ids=["every byte", "every command"])
def test_a_ledger_that_names_the_card_is_found(
    worlds: Callable[[Rules, int], World], look: Callable[[World], Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: with the cards in clear, as before, the same comparison fails."""
    monkeypatch.setattr("twentyone.ledger.runner.hide", lambda command, after, *_: Hidden(command, after.events))
    rules = Rulebook.load("pa-spanish-21").under({})
    apart = worlds_apart(worlds(rules, 4), lambda: worlds(rules, 4), look, STEPS)
    assert any("show" in what or "events row" in what for what in apart)


