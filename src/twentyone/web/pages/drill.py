"""Drill: you deal and keep the table; what now, what do you pay, what is allowed? Marked with the paragraph, kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import htpy as h
from fastapi import Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.ledger.timestamps import moment
from twentyone.rulebook import Rulebook
from twentyone.training.drill import mark_answer, next_question, paragraphs, question_named
from twentyone.training.drill_asking import DrillQuestion, begin
from twentyone.training.kept import KeptProgress
from twentyone.training.schedule import Progress
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.training import drill_subject
from twentyone.web.pages.asking import game_field, game_of
from twentyone.web.pages.figures import counted
from twentyone.web.pages.login import name_form
from twentyone.web.pages.odds_figures import data_table
from twentyone.web.pages.shell import LookerHere, chip, show

__all__ = ["show_drill"]

Word = Annotated[str, Query(max_length=60)]


async def show_drill(
    service: ServiceHere,
    looker: LookerHere,
    game: Word = "",
    question: Annotated[str, Query(max_length=12)] = "",
    said: Annotated[int | None, Query(ge=0, le=20)] = None,
) -> Response:
    """The page: a moment at the table, or what the answer to it was worth."""
    book, person = game_of(game).book, looker.person
    rules = book.under()
    known = KeptProgress(service.records).of(person.name, drill_subject(book.id)) if person is not None else {}
    if not question:
        seed = person.name if person is not None else str(service.now)
        question = await run_in_threadpool(next_question, rules, known, seed, service.now)
    asked = await run_in_threadpool(question_named, rules, question)
    body = _marked(book, asked, said) if said is not None else _asked(book, asked, question, person is not None)
    main = h.main("#main.tw-main.tw-desk", data_page="drill")[
        h.h1["Drill"],
        body,
        h.form(".tw-panel.tw-opening", action="/drill", data_desk=True, data_at_once=True)[
            h.div(".tw-choices")[game_field("game", book.id)], h.p(".loss", role="alert", data_part="wrong")
        ],
        _record(book, known, len(paragraphs(rules)), service.now),
    ]
    return show("Drill", "Drill", looker, main, styles=("desk", "trainer"), scripts=("desk", "trainer"))


def _table(asked: DrillQuestion) -> h.Fragment:
    return h.fragment[
        h.ul(".tw-seen", aria_label="on the layout")[[h.li[line] for line in asked.table]],
        h.details("#story", open=True)[
            h.summary["What happened last"], h.ul(".tw-note")[[h.li[line] for line in asked.story]]
        ],
    ]


def _asked(book: Rulebook, asked: DrillQuestion, name: str, keeps: bool) -> h.Element:
    told = json.dumps({"rulebook": book.id, "question": name})
    buttons = [
        h.button(".tw-button", type="button", data_choice=str(place), aria_keyshortcuts=str(place + 1))[
            h.kbd[str(place + 1)], text
        ]
        for place, text in enumerate(asked.choices)
    ]
    goes = f"/drill?game={book.id}&question={name}"
    login = name_form("Keep my record", "Nothing is kept until you take a name.")
    return h.section(
        ".tw-panel", data_part="asked", tabindex="-1", data_answer=told, data_keeps="drill" if keeps else None
    )[
        h.h2[asked.asks],
        _table(asked),
        h.div(".tw-answers", data_goes=goes)[buttons],
        h.p(".loss", role="alert", data_part="wrong"),
        None if keeps else login,
    ]


def _marked(book: Rulebook, asked: DrillQuestion, said: int) -> h.Element:
    mark = mark_answer(asked, said)
    paragraph = chip(book.id, mark.cite.removeprefix(book.prefix), mark.cite)
    return h.section(".tw-panel", data_part="marked", data_right=mark.right or None)[
        h.div(role="status")[h.h2(class_=None if mark.right else "loss")["Right" if mark.right else "Wrong"]],
        h.p[asked.asks],
        None if mark.right else h.p["You said: ", mark.said],
        h.p[h.b(data_part="should")[mark.should], " ", paragraph],
        h.p(".tw-note", data_part="because")[begin(asked.because), "."] if asked.because else None,
        _table(asked),
        h.p[h.a(".tw-button.gold", href=f"/drill?game={book.id}", data_part="next", autofocus=True)["Next"]],
    ]


def _record(book: Rulebook, known: Mapping[str, Progress], count: int, now: int) -> h.Element:
    """The record of the test: by paragraph, those first that were wrong most often."""
    asked, missed = sum(one.seen for one in known.values()), sum(one.missed for one in known.values())
    rows = [
        (
            chip(book.id, cite.removeprefix(book.prefix), cite),
            "now" if one.due <= now else moment(one.due),
            str(one.seen),
            str(one.missed),
        )
        for cite, one in sorted(known.items(), key=lambda pair: (-pair[1].missed, pair[1].due))
    ]
    head = ("Paragraph", "Again (UTC)", "Asked", "Wrong")
    return h.section(".tw-panel", data_part="record")[
        h.h2["Your record"],
        h.p[f"{counted(asked)}, {missed} wrong; {len(known)} of {count} paragraphs asked."],
        data_table(head, rows, "Answers by paragraph", 2) if rows else None,
        h.button(".tw-button", type="button", data_act="print")["Print"] if rows else None,
    ]
