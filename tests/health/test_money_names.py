"""Which fields are money stands in their types: no module keeps a list of their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import get_args, get_type_hints

import pytest
from tests.health.test_code import FILES, found_in, walked

from twentyone.ledger.codec import TABLE_EVENTS
from twentyone.ledger.tally import MONEY, Tally
from twentyone.money import Amount
from twentyone.round import events as round_events
from twentyone.table.play import COMMANDS


@cache
def money_names() -> set[str]:
    """The names that amounts of money have in events, commands and figures."""
    kinds = [*TABLE_EVENTS, *(kind for kind in vars(round_events).values() if isinstance(kind, type))]
    typed = [item for kind in kinds for item in get_type_hints(kind).items()]
    named = {name for name, hint in typed if Amount in (hint, *get_args(hint))}
    return named.union(MONEY, *(handler.amounts for handler in COMMANDS.values()))


def lists_of_money(source: str) -> Iterator[str]:
    """Literals of two or more names, all of them of money; a command declares its own."""
    nodes, names = walked(source), money_names()
    declared = {
        id(word.value) for node in nodes if isinstance(node, ast.Call) for word in node.keywords
        if word.arg == "amounts"
    }  # fmt: skip
    for node in nodes:
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and id(node) not in declared:
            said = {item.value for item in node.elts if isinstance(item, ast.Constant)}
            if len(said) > 1 and len(said) == len(node.elts) and said <= names:
                yield f"{node.lineno}: {sorted(map(str, said))}"


def test_the_names_of_money_are_known() -> None:
    """Else nothing would be looked for."""
    assert {"amount", "coupon", "cash", "base", "limit", "paid", "net", "drop", "win"} <= money_names()
    assert {"rounds", "events"}.isdisjoint(money_names())
    assert all(isinstance(getattr(Tally("t"), name), Amount) for name in MONEY)


def test_no_module_lists_which_fields_are_money() -> None:
    assert found_in(FILES, lambda path: list(lists_of_money(path.read_text(encoding="utf-8")))) == {}


@pytest.mark.parametrize(
    "planted",
    [
        'MONEY = ("amount", "cash", "base", "limit", "paid", "coupon")',
        'MONEY = {"wager_laid": ("amount", "coupon")}',
        'def said(name):\n    return name in {"amount", "paid"}',
        'figures = ["drop", "fills", "win"]',
    ],
)
def test_a_planted_list_is_found(planted: str) -> None:
    """Negative control: the lists that there were."""
    assert list(lists_of_money(planted))


@pytest.mark.parametrize(
    "allowed", ['@command("tip", amounts=("amount", "coupon"))\ndef tip(): ...', 'x = ("box", "amount")']
)
def test_a_declaration_is_none(allowed: str) -> None:
    assert list(lists_of_money(allowed)) == []
