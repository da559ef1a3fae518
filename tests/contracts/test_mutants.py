"""The proof that every written value decides something: it finds values that nobody reads and old entries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench import prove_mutants
from bench.prove_mutants import MutantPart, faults_of
from tests.contracts.mutants import Noticing, mutants_of

from twentyone.rulebook import Rulebook, rulebook_ids

BOOK = "pa-double-back-jack"


@pytest.fixture(scope="module")
def noticing() -> Noticing:
    return Noticing(BOOK)


@pytest.mark.parametrize(
    ("part", "by"),
    [
        ("673a.7(r)(2) outcome[0].result push -> win", r".*\.json"),
        ("673a.3(d)(3) ace[0].player 21 -> 20", r".*\.json"),
        ("673a.2(b)(2) layout[1].each box -> table", "layout"),
        ("673a.7(e)(1) deal[0].to boxes -> dealer", r".*\.json"),
    ],
)
def test_a_changed_value_is_noticed(part: str, by: str, noticing: Noticing) -> None:
    """Money, totals, the layout and the order of the deal are each missed by somebody."""
    mutants = [mutant for mutant in mutants_of(noticing.book) if mutant.name == part]
    assert len(mutants) == 1
    assert re.fullmatch(by, noticing.noticed_by(mutants[0]) or "nobody")


def test_every_type_of_value_is_tried() -> None:
    """Words, numbers, truth values, amounts, odds, shares, hands, conditions and readings all have mutants."""
    names = [f"{book} {mutant.name}" for book in rulebook_ids() for mutant in mutants_of(Rulebook.load(book))]
    for part in (
        ".result ",
        ".total ",
        ".rotates ",
        ".pays ",
        ".odds ",
        ".share ",
        ".hand.ranks",
        ".when.",
        ".reading.",
    ):
        assert any(part in name for name in names), part
    assert len(names) == len(set(names))


def test_survivors_are_listed_and_the_list_is_not_out_of_date() -> None:
    part = MutantPart(BOOK, "code", tried=1000, survivors=["1(a) cut[0].least 10 -> 9"])
    known = {"1(a) cut[0].least": "nobody can see it"}
    assert list(faults_of(part, known, known)) == []
    assert "is not listed" in "".join(faults_of(part, {}, {}))
    assert "nothing survives" in "".join(faults_of(part, {**known, "2(b)": "gone"}, {**known, "2(b)": "gone"}))
    assert "more than 1%" in "".join(faults_of(MutantPart(BOOK, "code", 1, survivors=part.survivors), known, known))


def test_a_part_goes_on_where_it_was_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prove_mutants, "FOLDER", tmp_path)
    part = MutantPart.load(BOOK)
    part.add([("one", "day"), ("two", None), ("three", "a/b.json")])
    part.save()
    again = MutantPart.load(BOOK)
    assert (again.tried, again.survivors, dict(again.noticed)) == (3, ["two"], {"day": 1, "script": 1})
    monkeypatch.setattr(prove_mutants, "code_of", lambda _: "another")
    assert MutantPart.load(BOOK).tried == 0
