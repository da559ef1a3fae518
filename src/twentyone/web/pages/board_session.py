"""A session's account: many rounds of a player summed up as deal, luck, mistakes and net."""

from __future__ import annotations

from itertools import islice

import htpy as h
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.errors import TwentyoneError
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.timestamps import moment
from twentyone.money import Amount, dollars
from twentyone.service.boards import session_question
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere, address_of, asker
from twentyone.web.api.round_filters import Search, SearchHere
from twentyone.web.pages.asking import refusal, waiting
from twentyone.web.pages.boards import account, left_out, worst
from twentyone.web.pages.figures import counted
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["MOST", "show_session"]

MOST = 50
"""Rounds of one account, the newest."""
REMEMBERED = "round"
"""Which cards players remember: nobody remembers those of a shoe over a whole session."""
NOBODY = "Choose a player among the rounds first: an account is one player's."


async def show_session(request: Request, service: ServiceHere, looker: LookerHere, asked: SearchHere) -> Response:
    """The account of a player's rounds: the same filters as those of the rounds."""
    person = asker(request, looker.person)
    rows = await run_in_threadpool(_rounds, service, asked)
    player = _player(rows, asked, person)
    found = await _answer(service, person, address_of(request), rows, player) if player else h.p(".tw-note")[NOBODY]
    if not rows:
        found = h.p(".tw-note", data_part="none")["No finished round matches. ", h.a(href="/rounds")["Rounds"]]
    main = h.main("#main.tw-main.tw-desk", data_page="session")[
        h.h1[f"Account of {player}" if player else "Account"], _which(rows) if rows else None, found
    ]
    return show("Account", "Board", looker, main, styles=("desk",), scripts=("desk",))


def _rounds(service: Service, asked: Search) -> list[RoundRow]:
    """The newest rounds that are wanted and over, in the order in which they were played."""
    wanted = (row for row in service.rounds.every(asked.wanted) if row.over)
    return list(islice(wanted, MOST))[::-1]


def _player(rows: list[RoundRow], asked: Search, person: Person) -> str:
    """Whose account: a player's own, or the one that the filter names; the only one where all are of one."""
    if person.role == "player":
        return person.name
    named = (asked.wanted.player or "").casefold()
    names = dict.fromkeys(name for row in rows for name in row.net if named in ("", name.casefold()))
    return next(iter(names)) if len(names) == 1 else ""


async def _answer(service: Service, person: Person, address: str, rows: list[RoundRow], player: str) -> h.Element:
    if not rows:
        return h.p
    try:
        question = await run_in_threadpool(session_question, service, rows, player, REMEMBERED)
    except TwentyoneError as refused:
        return refusal(refused)
    kept = service.jobs.answers.get(question.id)
    if kept is None:
        service.jobs.ask(question, person, address)
        return waiting(question, f"{counted(len(rows), 'round')}: being analysed beside the tables.", asked=True)
    found = next((one for one in kept.body["players"] if one["player"] == player), None)
    if found is None:
        return h.section(".tw-panel")[left_out(kept.body["left_out"])]
    summed = f"{counted(found['rounds'], 'round')}, {dollars(Amount(found['wagered']))} wagered; "
    wrong = f"{found['wrong']} of {found['decisions']} decisions gave something away."
    return h.section(".tw-panel", data_part="account")[
        h.p(data_part="summed")[summed, wrong], account(found), left_out(kept.body["left_out"]), worst(found["worst"])
    ]


def _which(rows: list[RoundRow]) -> h.Element:
    first, last = moment(rows[0].begun), moment(rows[-1].begun)
    newest = f" The newest {MOST} are taken." if len(rows) == MOST else ""
    return h.p(".tw-note")[f"Rounds from {first} to {last} UTC; each alone, as if nobody remembered the shoe.{newest}"]
