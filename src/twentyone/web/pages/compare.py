"""Compare: two laws side by side, or a law and a fence changed by hand, with the rounds and the price."""

from __future__ import annotations

from typing import Annotated, Any

import htpy as h
from fastapi import Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from twentyone.errors import TwentyoneError
from twentyone.redline import asked_versions, fingerprint
from twentyone.rulebook import loaded_rulebooks
from twentyone.rulebook.rulebook import editions_of
from twentyone.service.jobs import DeskJob
from twentyone.service.people import NotAllowed
from twentyone.service.questions import DeskQuestion, question_of
from twentyone.web.api.common import ServiceHere, Visitor, address_of, asker
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.rendering import rendering_of

__all__ = ["show_compare"]

Name = Annotated[str, Query(max_length=60)]
Words = Annotated[str, Query(max_length=8000)]
EXAMPLE = '# 635a.12(d)\n```toml\n[pay]\nwagers = "insurance"\nodds = "3:1"\n```'


async def show_compare(
    request: Request,
    service: ServiceHere,
    person: Visitor,
    looker: LookerHere,
    a: Name = "",
    b: Name = "",
    amend: Words = "",
    given: Words = "",
    other_given: Words = "",
    price: str = "",
) -> Response:
    """Choose two laws; their redline, once it is worked out beside the tables."""
    asked = {"a": a, "b": b, "amend": amend, "given": given, "other_given": other_given, "price": bool(price)}
    found: h.Element | None = None
    if a:
        try:
            question = await rendering_of(request).work(request, lambda: _question(asked))
            found = _found(service, service.jobs.ask(question, asker(request, person), address_of(request)))
        except (TwentyoneError, NotAllowed) as refused:
            found = h.p(".tw-alarm", role="alert")[str(refused)]
    main = h.main("#main.tw-main")[h.h1["Compare"], _form(asked), found]
    return show("Compare", "Compare", looker, main, styles=("compare",), scripts=("compare",))


def _question(asked: dict[str, Any]) -> DeskQuestion:
    """What is asked, as far as both laws are there; the texts of both are part of its name."""
    versions = asked_versions(asked)
    options = {**asked, "law": fingerprint(*versions)}
    return question_of("redline", {"rulebook": versions[0].book.id, "options": options})


def _found(service: ServiceHere, job: DeskJob) -> h.Element:
    kept = service.jobs.answers.get(job.question.id)
    if kept is not None:
        return h.div[Markup(kept.body["html"])]
    if job.over:
        return h.p(".tw-alarm", role="alert")[job.why or "The computation was cancelled: ask again."]
    return h.section(".tw-panel", data_part="redline", data_job=job.question.id)[
        h.p(role="status")[
            "The two laws are compared beside the tables; this page shows the redline when it is there."
        ],
        h.progress(max="1", value="0", aria_label="progress", data_part="share"),
    ]


# -- the form


def _form(asked: dict[str, Any]) -> h.Element:
    """Two laws, and what is changed by hand."""
    return h.form(".tw-panel.tw-compare", action="/compare", method="get")[
        h.div(".tw-row")[
            _law("a", "First law", asked["a"], none=None),
            _law("b", "Second law", asked["b"], none="the first law, changed below"),
        ],
        _text("amend", "Fences changed by hand in the second law", asked["amend"], EXAMPLE, rows=7),
        h.details(open=bool(asked["given"] or asked["other_given"]))[
            h.summary["Rules Submissions"],
            h.div(".tw-row")[
                _text("given", "Of the first law (TOML)", asked["given"], "decks = 6", rows=4),
                _text("other_given", "Of the second law (TOML)", asked["other_given"], "decks = 8", rows=4),
            ],
        ],
        h.p(".tw-row")[
            h.label(".tw-check")[
                h.input(type="checkbox", name="price", value="1", checked=asked["price"]), " with the price"
            ],
            h.button(".tw-button.gold", type="submit")["Compare"],
        ],
    ]


def _law(name: str, label: str, chosen: str, none: str | None) -> h.Element:
    first = [h.option(value="")[none]] if none is not None else []
    options = [h.option(value=value, selected=value == chosen)[words] for value, words in _laws()]
    return h.label(".tw-label.tw-grow")[label, h.select(".tw-field", name=name)[first, options]]


def _laws() -> list[tuple[str, str]]:
    """Every rulebook, and every edition of it whose text is held."""
    laws = []
    for book in loaded_rulebooks()[0]:
        laws.append((book.id, book.full_title))
        held = [edition for edition in editions_of(book.id).all if edition.held]
        laws += [(f"{book.id}@{edition.begins}", f"{book.full_title}, since {edition.begins}") for edition in held]
    return laws


def _text(name: str, label: str, value: str, example: str, rows: int) -> h.Element:
    return h.label(".tw-label.tw-grow")[
        label,
        h.textarea(".tw-field", name=name, rows=rows, maxlength=8000, spellcheck="false", placeholder=example)[value],
    ]
