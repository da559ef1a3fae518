"""The page of a table shows what its table has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from twentyone.rulebook import Rulebook
from twentyone.service.service import Service
from twentyone.table import Table
from twentyone.web.pages import table


def shown(monkeypatch: pytest.MonkeyPatch, entered: bool) -> str:
    """The main part of a table's page."""
    told: list[Any] = []
    monkeypatch.setattr(table, "show", lambda *parts, **_: told.append(parts[3]))
    runner = SimpleNamespace(table=Table.new(Rulebook.load("classic-blackjack").under({})))
    live = SimpleNamespace(runner=runner, entered=entered)
    table.show_table(cast("Service", SimpleNamespace(tables={"one"}, table=lambda _: live)), "one", None)
    return str(told[0])


def test_the_pace_of_a_dealer_is_set_only_where_he_is_automatic(monkeypatch: pytest.MonkeyPatch) -> None:
    label = '<label class="tw-label"{}>Dealer'
    assert label.format(" hidden") in shown(monkeypatch, entered=True)
    assert label.format("") in shown(monkeypatch, entered=False)
