"""Every paragraph with a `layout` fence puts its item on the layout, and nothing else does.

It is there under a submission that turns it on, gone where its condition is off, gone without its fence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook import clauses as c
from twentyone.table.layout import ITEMS, Item, layout

Case = tuple[str, c.LayoutItem]


def _cases() -> list[Case]:
    return [
        (name, clause)
        for name in rulebook_ids()
        for clause in Rulebook.load(name).clauses
        if isinstance(clause, c.LayoutItem)
    ]


CASES = _cases()
CONDITIONAL = [case for case in CASES if case[1].when or case[1].shows]


def case_id(case: Case) -> str:
    name, clause = case
    what = clause.device or clause.wager or clause.range
    return f"{name}/{clause.paragraph}-{clause.item}{'-' if what else ''}{what}"


def on(clause: c.LayoutItem) -> dict[str, Any]:
    """A submission under which the clause is in force and has something to tell."""
    wanted = {key: value[0] if isinstance(value, list) else value for key, value in clause.when.items()}
    return {**wanted, **({clause.shows: "25"} if clause.shows else {})}


def off(book: Rulebook, clause: c.LayoutItem) -> list[dict[str, Any]]:
    """Submissions that each break one condition of the clause."""
    keys = {key.name: key for key in book.clauses if isinstance(key, c.SubmissionKey)}
    broken = [
        {**on(clause), key: _other(keys[key], value), "readings": dict(keys[key].reading)}
        for key, value in clause.when.items()
    ]
    silent = [{key: value for key, value in on(clause).items() if key != clause.shows}] if clause.shows else []
    return [{key: value for key, value in choice.items() if value is not None} for choice in (*broken, *silent)]


def _other(key: c.SubmissionKey, wanted: Any) -> Any:
    if key.type == "boolean":
        return not wanted
    values = wanted if isinstance(wanted, list) else [wanted]
    return next((choice for choice in key.choices if choice not in values), None)


def contributed(book: Rulebook, clause: c.LayoutItem, submission: Mapping[str, Any]) -> list[Item]:
    """The items on the layout that are the clause's own."""
    return [
        item
        for item in layout(book.under(submission)).items
        if (item.cite, item.item, item.wager, item.device, item.range)
        == (clause.cite, clause.item, clause.wager, clause.device, clause.range)
        and item.text.startswith(clause.text)
    ]


def without(book: Rulebook, clause: c.LayoutItem) -> Rulebook:
    """The book with this one clause taken out."""
    entry = book.entries[clause.paragraph]
    left = replace(entry, clauses=tuple(other for other in entry.clauses if other is not clause))
    return replace(book, entries={**book.entries, clause.paragraph: left})


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_paragraph_is_on_the_layout(case: Case) -> None:
    """Turned on, it contributes exactly its item, with words."""
    name, clause = case
    found = contributed(Rulebook.load(name), clause, on(clause))
    assert len(found) == 1
    assert found[0].item in ITEMS
    assert found[0].text
    assert (found[0].each, found[0].side, found[0].alternative) == (clause.each, clause.side, clause.alternative)


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_without_its_fence_it_is_gone(case: Case) -> None:
    """The fence, and nothing else, puts it there."""
    name, clause = case
    assert contributed(without(Rulebook.load(name), clause), clause, on(clause)) == []


@pytest.mark.parametrize("case", CONDITIONAL, ids=case_id)
def test_with_its_condition_off_it_is_gone(case: Case) -> None:
    """A wager that is not offered needs no area, a procedure that is not used no notice."""
    name, clause = case
    book = Rulebook.load(name)
    choices = off(book, clause)
    assert choices
    for choice in choices:
        assert contributed(book, clause, choice) == []


DEMANDED = {
    "pa-spanish-21": "(b)(1) (b)(2) (b)(3)(i) (b)(3)(ii) (b)(3)(iii) (b)(4) (b)(5) (b)(6) (c) (d) (e)",
    "pa-double-back-jack": "(b)(1) (b)(2) (b)(3) (b)(4)(i) (b)(4)(ii) (b)(4)(iii) (b)(5) (c) (d) (e)",
    "pa-down-under-blackjack": "(b)(1) (b)(2) (b)(3) (b)(3)(i) (b)(3)(ii) (b)(3)(iii) (b)(4)(i) (b)(4)(ii) (b)(4)(iii) "
    "(b)(4)(iv) (b)(5) (b)(6) (c) (d) (e)",
    "md-spanish-21": ".B(1) .B(2) .B(3)(a) .B(3)(b) .B(4)(a) .B(4)(b) .B(5) .B(6)(a) .B(6)(b) .B(7) .B(7)(a) .B(7)(b) "
    ".C .E .G",
}
"""What the section on the table demands, paragraph by paragraph, as the texts have it."""
SECTIONS = {
    "pa-spanish-21": "635a.2",
    "pa-double-back-jack": "673a.2",
    "pa-down-under-blackjack": "685a.2",
    "md-spanish-21": "Ch. 2",
}


@pytest.mark.parametrize("name", DEMANDED)
def test_every_demand_of_the_section_has_a_fence(name: str) -> None:
    """No item of the section on the table is left in words only."""
    fenced = {clause.paragraph for book, clause in CASES if book == name}
    wanted = [SECTIONS[name] + label for label in DEMANDED[name].split()]
    assert [paragraph for paragraph in wanted if paragraph not in fenced] == []


@pytest.mark.parametrize("name", rulebook_ids())
def test_a_layout_fence_does_not_change_the_kind(name: str) -> None:
    """A paragraph keeps the kind it has without its layout fence: words about equipment stay equipment."""
    for entry in Rulebook.load(name).entries.values():
        plain = replace(entry, clauses=tuple(clause for clause in entry.clauses if clause.type_key != "layout"))
        assert entry.kind == plain.kind
