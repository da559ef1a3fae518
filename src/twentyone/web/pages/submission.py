"""Submission: the operator's choices in a form that allows what the text allows; its TOML, and the papers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

import htpy as h
from fastapi import Query
from fastapi.responses import Response

from twentyone.errors import TwentyoneError
from twentyone.ledger.identity import rules_hash
from twentyone.ledger.law_in_force import day_at
from twentyone.papers.making import LONGEST_NAME, check_operator, code_stamp, edition_words
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.rulebook.declared import STATED, allowed_words, as_stated, keys_of, no_effect, to_toml
from twentyone.rulebook.in_time import latest_text
from twentyone.service.service import Service
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.pages.asking import LONGEST, ChosenGame, ask_button, game_field, game_of, refusal
from twentyone.web.pages.choices import field_of, labelled, named_readings, reading_field, written
from twentyone.web.pages.shell import Looker, LookerHere, chip, show
from twentyone.web.pages.trouble import show_trouble

__all__ = ["show_submission", "take_toml"]

ADVICE = (
    "What the text leaves to the operator, with what it allows and the paragraph. What the text requires him to say is"
    " said in the file, default or not. The address of the page is the submission, to keep or to share."
)
Name = Annotated[str, Query(max_length=60)]
Written = Annotated[str, Query(max_length=LONGEST)]
Day = Annotated[str, Query(max_length=20)]
FILE = "submission.toml"


class Handed(NamedTuple):
    """A submission as the page has it: the game, its rules where the text allows them, and whose it is."""

    game: ChosenGame
    rules: Rules | None
    operator: str
    refused: TwentyoneError | None


def _handed(service: Service, game: str, submission: str, at: str, operator: str = "") -> Handed:
    """The submission that an address names, with what the text requires to be said: that of a day, or of today."""

    def text(book: Rulebook) -> Rulebook:
        return Rulebook.load(book.id, at=at) if at else latest_text(book, day_at(service.now))

    asked = game_of(game, submission, text)
    try:
        if asked.refused is not None:
            raise asked.refused
        name = check_operator(operator)
        given = as_stated(asked.book, asked.given)
        return Handed(asked._replace(given=given), asked.book.under(given), name, None)
    except TwentyoneError as refused:
        return Handed(asked, None, operator[:LONGEST_NAME], refused)


async def show_submission(
    service: ServiceHere,
    looker: LookerHere,
    game: Name = "",
    submission: Written = "",
    at: Day = "",
    operator: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The page of a submission."""
    if looker.role not in READERS:
        return _not_for(looker)
    handed = _handed(service, game, submission, at, operator)
    book = handed.game.book
    main = h.main("#main.tw-main.tw-desk.tw-handing", data_page="submission")[
        h.h1["Submission"],
        h.p(".tw-note")[ADVICE],
        refusal(handed.refused, book) if handed.refused is not None else None,
        _form(handed, at),
        _taken(handed, handed.rules, at) if handed.rules is not None else None,
    ]
    styles, scripts = ("desk", "submission"), ("desk", "submission")
    status = 422 if handed.refused is not None else 200
    return show("Submission", "Submission", looker, main, styles=styles, scripts=scripts, status=status)


async def take_toml(
    service: ServiceHere, looker: LookerHere, game: Name = "", submission: Written = "", at: Day = ""
) -> Response:
    """The submission as a file."""
    if looker.role not in READERS:
        return _not_for(looker)
    handed = _handed(service, game, submission, at)
    if handed.rules is None:
        raise handed.refused or TwentyoneError("there is no such submission")
    headers = {"content-disposition": f'attachment; filename="{FILE}"', "cache-control": "no-store"}
    return Response(to_toml(handed.rules).encode(), media_type="application/toml", headers=headers)


def _not_for(looker: Looker) -> Response:
    on = ("Log in", "/login") if looker.person is None else ("All tables", "/")
    says = "Submissions are for floorperson, auditor and administrator."
    return show_trouble(looker, 401 if looker.person is None else 403, says, on)


# -- the form


def _form(handed: Handed, at: str) -> h.Element:
    game = handed.game
    chosen = named_readings(game.given)
    keys = keys_of(game.book, {name: value for name, value in chosen.items() if name in _readings(game.book)})
    groups = {
        says: [_key(game, key) for key in keys.values() if key.stated == stated] for stated, says in STATED.items()
    }
    readings = [
        reading_field(game.book, reading, chosen.get(reading.name))
        for reading in game.book.readings
        if len(reading.values) > 1
    ]
    name = h.input(".tw-field", name="operator", value=handed.operator, maxlength=LONGEST_NAME, autocomplete="off")
    return h.form(".tw-panel", action="/submission", data_desk=True, data_at_once=True)[
        h.div(".tw-choices")[
            game_field("game", game.book.id),
            h.label(".tw-label")["Operator", name],
            h.label(".tw-label")["Law on (today where empty)", h.input(".tw-field", type="date", name="at", value=at)],
        ],
        h.fieldset(".tw-submission", data_book=game.book.id, data_name="submission")[
            h.legend(".sr")["Submission"],
            [_group(says, fields) for says, fields in groups.items() if fields],
            _fixed(game.book),
            h.details("#readings.tw-agenda")[
                h.summary[f"{len(readings)} readings of the text"], h.div(".tw-choices")[readings]
            ]
            if readings
            else None,
        ],
        h.p(".loss", role="alert", data_part="wrong"),
    ]


def _readings(book: Rulebook) -> set[str]:
    return {reading.name for reading in book.readings}


def _group(says: str, fields: list[h.Element]) -> h.Element:
    return h.section[h.h2[says], h.div(".tw-choices")[fields]]


def _key(game: ChosenGame, key: SubmissionKey) -> h.Element:
    """The control of a key, with what the text allows; shut where other choices leave it nothing."""
    shut = not _possible(game, key)
    chosen = written(game.given[key.name]) if key.name in game.given else None
    field = field_of(game.book, key, chosen)
    if shut:
        field = h.select(".tw-field", disabled=True, data_key=key.name, data_default="false")[
            h.option(value="false")["no"]
        ]
    shown = h.span[field, h.small(".tw-note")[allowed_words(key)]]
    return labelled(game.book, key.says or key.name.replace("_", " "), key.paragraph, shown)


def _possible(game: ChosenGame, key: SubmissionKey) -> bool:
    """Whether the other choices allow a key that hangs on them."""
    keys = keys_of(game.book)
    values = {name: game.given.get(name, keys[name].default) for name in key.only_with if name in keys}
    return all(values[name] in allowed for name, allowed in key.only_with.items() if name in values)


def _fixed(book: Rulebook) -> h.Element | None:
    """What an operator might want to choose and the text decides."""
    fixed = [clause for clause in book.clauses if isinstance(clause, SubmissionKey) and clause.fixed]
    rows = [h.li[f"{key.says[:1].upper()}{key.says[1:]} ", chip(book.id, key.paragraph)] for key in fixed]
    return h.section[h.h2["what the text decides"], h.ul[rows]] if rows else None


# -- what comes of it


def _taken(handed: Handed, rules: Rules, at: str) -> h.Fragment:
    game, text = handed.game, to_toml(rules)
    chosen = {"game": game.book.id, "submission": json.dumps(game.given)}
    query = urlencode(chosen | ({"at": at} if at else {}))
    return h.fragment[
        h.section(".tw-panel")[
            h.h2["The submission"],
            h.p(".tw-verdict", role="status", data_part="verdict")["The text allows this submission."],
            h.p(".tw-note", data_part="edition")[_law_words(game.book)],
            [h.p[f"{key} has no effect: {says} ", _cited(rules, cite)] for key, says, cite in no_effect(rules)],
            h.p(".tw-note")["Hash of rulebook, choices and readings, as in a ledger: ", h.code[rules_hash(rules)]],
            h.pre(tabindex=0, data_part="toml")[text],
            h.div(".tw-row.tw-tools")[
                h.button(".tw-button", type="button", data_act="copy")["Copy"],
                h.a(".tw-button", href=f"/submission/{FILE}?{query}", download=FILE)[f"Download {FILE}"],
                h.span(role="status", data_part="copied"),
            ],
        ],
        h.section(".tw-panel")[
            h.h2["The papers"],
            h.p(".tw-note")[
                "Choices and readings, layout and signs, PAR sheet, procedures for dealer and floor, what is required"
                " and which command shows it. Built again they are the same bytes, here or by ",
                h.code["twentyone submission"], ".",
            ],
            h.div(".tw-row.tw-tools")[list(_papers(handed))],
        ],
    ]  # fmt: skip


def _law_words(book: Rulebook) -> str:
    return f"{', '.join(part for part in (book.source, edition_words(book)) if part)}."


def _cited(rules: Rules, cite: str) -> h.Element:
    return chip(rules.rulebook.id, cite.removeprefix(rules.rulebook.prefix))


def _papers(handed: Handed) -> Iterator[h.Element]:
    options: Mapping[str, Any] = {"operator": handed.operator, "made_by": code_stamp()}
    for form, says in (("pdf", "Papers as PDF"), ("html", "Papers as HTML")):
        yield ask_button(handed.game.asks("papers", form=form, options=options), says, file=True)
