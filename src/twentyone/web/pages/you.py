"""You: a player's own rounds with their results, and what went into his purse and out of it."""

from __future__ import annotations

from collections.abc import Sequence

import htpy as h
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.house_words import HouseLine
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.timestamps import moment
from twentyone.money import Amount, dollars
from twentyone.service.own_history import own_purse, own_rounds
from twentyone.service.people import NotAllowed
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.figures import net_words
from twentyone.web.pages.shell import Looker, LookerHere, show

__all__ = ["show_you"]

SHOWN = 100
"""Rounds and movements that the page lists."""


async def show_you(service: ServiceHere, looker: LookerHere) -> Response:
    """The page of the player who looks."""
    person = looker.person
    if person is None or person.role != "player":
        raise NotAllowed("only a player has rounds and a purse: sit down first", 401 if person is None else 403)
    rounds = await run_in_threadpool(own_rounds, service, person)
    entries = await run_in_threadpool(own_purse, service, person)
    main = h.main("#main.tw-main", data_page="you")[
        h.h1[person.name],
        _sums(looker, rounds),
        h.section[h.h2["Your rounds"], _rounds(rounds, person.name)],
        h.section[h.h2["Your purse"], _entries(entries)],
    ]
    return show(person.name, "", looker, main)


def _sums(looker: Looker, rounds: list[RoundRow]) -> h.Element:
    name = looker.person.name if looker.person is not None else ""
    net = Amount.from_thousandths(sum(row.net[name] for row in rounds))
    lying = [
        h.li[h.a(href=f"/table/{table}")[f"{dollars(amount)} at table {table}: return to your seat"]]
        for table, amount in looker.at_tables.items()
    ]
    played = f"{len(rounds)} {'round' if len(rounds) == 1 else 'rounds'} played: {net_words(net)}"
    return h.ul(".tw-panel.tw-plain")[h.li[played], h.li[f"{dollars(looker.purse)} in your purse"], lying]


def _rounds(rounds: list[RoundRow], name: str) -> h.Node:
    if not rounds:
        return h.p(".tw-note")["You have not finished a round yet. ", h.a(href="/")["All tables"]]
    rows = [
        (
            h.a(href=f"/rounds/{row.table}/{row.number}")[row.id],
            moment(row.begun),
            _net(row, name),
            _what(row),
            h.a(href=f"/board/{row.table}/{row.number}", aria_label=f"analyse {row.id}")["analyse"],
        )
        for row in rounds[:SHOWN]
    ]
    heads = ("Round", "When (UTC)", "Net", "What happened", "Board")
    account = h.a(".tw-button", href="/board/session")["Account: deal, luck, mistakes"]
    return h.fragment[h.p[account], _table(heads, rows), _more(len(rounds))]


def _more(count: int) -> h.Element | None:
    return h.p(".tw-note")[f"The last {SHOWN} of {count} are shown."] if count > SHOWN else None


def _net(row: RoundRow, name: str) -> h.Element:
    net = row.net[name]
    kind = "loss" if net < 0 else "win" if net > 0 else None
    return h.span(".tw-net")[h.b(class_=kind)[net_words(Amount.from_thousandths(net))]]


def _what(row: RoundRow) -> str:
    return "void" if row.void else ", ".join(row.outcomes)


def _entries(entries: list[HouseLine]) -> h.Node:
    if not entries:
        return h.p(".tw-note")["Nothing has moved in your purse yet."]
    rows = [
        (moment(line.ts), net_words(Amount.from_thousandths(line.body["amount"])), line.words)
        for line in entries[:SHOWN]
    ]
    return h.fragment[_table(("When (UTC)", "Amount", "What happened"), rows), _more(len(entries))]


def _table(heads: tuple[str, ...], rows: Sequence[tuple[h.Node, ...]]) -> h.Element:
    head = h.tr[[h.th(scope="col")[name] for name in heads]]
    cells = [h.tr[[h.td(data_label=name)[cell] for name, cell in zip(heads, row, strict=True)]] for row in rows]
    return h.div(".tw-scroll")[h.table(".tw-table.tw-rounds")[h.thead[head], h.tbody[cells]]]
