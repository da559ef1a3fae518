"""Questions on a page: answered at once where the answer is kept; else the page asks, and shows how far it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import htpy as h

from twentyone.errors import NotAScript, Refused, RulebookError, SubmissionRefused, TwentyoneError
from twentyone.rulebook import Rulebook, loaded_rulebooks
from twentyone.service.people import NotAllowed
from twentyone.service.questions import DeskQuestion, question_of
from twentyone.service.service import Service
from twentyone.web.pages.shell import chip

__all__ = ["LONGEST", "ChosenGame", "ask_button", "asking", "game_field", "game_of", "refusal", "waiting"]

LONGEST = 4000
"""Characters of a submission in an address."""


class ChosenGame(NamedTuple):
    """A game that a page is about."""

    book: Rulebook
    """Its rulebook."""
    given: dict[str, Any]
    """What its submission chooses, as far as it can be read."""
    refused: TwentyoneError | None = None
    """Why the text does not allow it."""

    def asks(self, kind: str, **more: Any) -> DeskQuestion:
        """A question about it."""
        asked = {"rulebook": self.book.id, "submission": self.given, "at": self.book.edition}
        return question_of(kind, {**asked, **more})


def game_of(name: str, submission: str = "", text: Callable[[Rulebook], Rulebook] | None = None) -> ChosenGame:
    """The game that an address names, the first where it names none; `text`: which text of its law is meant."""
    books = loaded_rulebooks()[0]
    known = {book.id: book for book in books}
    if name and name not in known:
        raise NotAllowed(f"there is no rulebook {name[:60]!r}", 404)
    book = known[name] if name else books[0]
    try:
        book = text(book) if text is not None else book
        given = json.loads(submission[:LONGEST] or "{}")
        if not isinstance(given, dict):
            raise NotAScript("submission", "a table belongs here")
        book.under(given)
    except (ValueError, RecursionError) as wrong:
        return ChosenGame(book, {}, NotAScript("submission", f"it is not JSON: {wrong}"))
    except RulebookError as unknown:
        return ChosenGame(book, {}, unknown)
    except TwentyoneError as refused:
        return ChosenGame(book, given if isinstance(given, dict) else {}, refused)
    return ChosenGame(book, given)


def game_field(name: str, chosen: str, empty: str = "", says: str = "Game") -> h.Element:
    """The choice of a game."""
    books = loaded_rulebooks()[0]
    none = [h.option(value="")[empty]] if empty else []
    options = [h.option(value=book.id, selected=book.id == chosen)[book.full_title] for book in books]
    return h.label(".tw-label")[says, h.select(".tw-field", name=name, autocomplete="off")[none, options]]


def refusal(wrong: TwentyoneError, book: Rulebook | None = None) -> h.Element:
    """Why something is refused, with its paragraph, which is a link where the book is known."""
    cite = wrong.cite if isinstance(wrong, Refused) else ""
    said = wrong.why if isinstance(wrong, Refused) else str(wrong)
    said = f"{wrong.key}: {said}" if isinstance(wrong, SubmissionRefused) else said[:1].upper() + said[1:]
    paragraph = chip(book.id, cite.removeprefix(book.prefix), cite) if cite and book is not None else cite
    return h.p(".tw-panel.loss", role="alert", data_part="refused")[said, " ", paragraph]


def asking(service: Service, question: DeskQuestion) -> Mapping[str, Any] | None:
    """The answer of a question, where it is kept."""
    kept = service.jobs.answers.get(question.id)
    return kept.body if kept is not None else None


def waiting(
    question: DeskQuestion, says: str, live: h.Node = None, *, shows: bool = False, asked: bool = False
) -> h.Element:
    """Where the script of the page asks a question and shows how far the answer is; perhaps with a live picture.

    With `asked` the server has asked it, and the page does not tell what: it only follows it.
    """
    told = "" if asked else json.dumps({"kind": question.kind, **question.asked})
    return h.section(".tw-panel.tw-work", data_ask=told, data_job=question.id, data_live=shows or None)[
        live,
        h.p(data_part="says", role="status")[says],
        h.progress(max="1", aria_label=says),
        h.p(".loss", role="alert", data_part="wrong"),
        h.div(".tw-row")[
            h.button(".tw-button", type="button", data_act="cancel", hidden=True)["Cancel"],
            h.button(".tw-button", type="button", data_act="again", hidden=True)["Go on"],
        ],
    ]


def ask_button(question: DeskQuestion, says: str, *, file: bool = False, opens: str = "") -> h.Element:
    """A button that asks a question; with `file`, what comes of it is a file to keep; `opens` shows its answer."""
    told = json.dumps({"kind": question.kind, **question.asked})
    then = {"data_file": file or None, "data_opens": opens or None}
    return h.span(".tw-work.tw-later", data_ask=told, data_job=question.id, data_later=True, **then)[
        h.button(".tw-button", type="button", data_act="ask")[says],
        h.progress(max="1", aria_label=says, hidden=True),
        h.span(data_part="says", role="status"),
        h.span(".loss", role="alert", data_part="wrong"),
        h.button(".tw-button", type="button", data_act="cancel", hidden=True)["Cancel"],
    ]
