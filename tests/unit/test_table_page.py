"""The page of a table shows what its table has."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

from twentyone.rulebook import Rulebook
from twentyone.service.service import Service
from twentyone.table import Table
from twentyone.web.pages import table
from twentyone.web.pages.shell import Looker


def shown(entered: bool) -> str:
    """A table's page."""
    runner = SimpleNamespace(table=Table.new(Rulebook.load("classic-blackjack").under({})))
    live = SimpleNamespace(runner=runner, entered=entered)
    service = cast("Service", SimpleNamespace(table=lambda _: live))
    return bytes(asyncio.run(table.show_table("one", service, Looker(None))).body).decode()


def test_the_pace_of_a_dealer_is_set_only_where_he_is_automatic() -> None:
    label = '<label class="tw-label"{}>Dealer'
    assert label.format(" hidden") in shown(entered=True)
    assert label.format("") in shown(entered=False)
