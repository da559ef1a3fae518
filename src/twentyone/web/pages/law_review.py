"""Review: the reader's own copy of a regulation, paragraph by paragraph, beside ours; approve, object, comment.

The copy is read in the browser, aligned in the server's memory and kept nowhere; reviews are lines in his own file.
"""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.rulebook import loaded_rulebooks
from twentyone.rulebook.reviewing import STATES
from twentyone.web.api.law_review import REVIEWERS
from twentyone.web.pages.figures import source_below
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_review"]

ADVICE = (
    "Your copy is aligned paragraph by paragraph with ours. It is not stored: neither the text nor a review stays on "
    "this server. Reviews are signed here and saved by you, as a file."
)


async def show_review(looker: LookerHere, rulebook: str = "") -> Response:
    """The page of reviews."""
    if looker.role not in REVIEWERS:
        only = h.p(".tw-note")["The law is reviewed by auditors and the administrator. ", h.a(href="/login")["Log in"]]
        return show("Review", "Review", looker, h.main("#main.tw-main")[h.h1["Review"], only])
    main = h.main("#main.tw-main", data_page="review", data_name=looker.person.name if looker.person else "")[
        h.h1["Review the law"],
        h.p(".tw-note")[ADVICE],
        _asking(rulebook),
        h.p(".tw-note", data_part="unknown", role="status", hidden=True),
        _bar(),
        h.div(data_part="paragraphs"),
    ]
    return show("Review", "Review", looker, main, styles=("law", "review"), scripts=("review",))


def _asking(chosen: str) -> h.Element:
    """Which book, which copy, which reviews."""
    books = [book for book in loaded_rulebooks()[0] if book.regulation]
    options = [
        h.option(value=book.id, selected=book.id == chosen)[
            ": ".join(filter(None, (book.full_title, source_below(book.full_title, book.source))))
        ]
        for book in books
    ]
    return h.form(".tw-panel.tw-copy", data_review="align")[
        h.label(".tw-label")["Regulation", h.select(".tw-field", name="rulebook")[options]],
        h.label(".tw-label")[
            "Your copy, a text file", h.input(".tw-field", type="file", name="file", accept=".txt,.md,text/plain")
        ],
        h.label(".tw-label")[
            "Your reviews so far, if any", h.input(".tw-field", type="file", name="reviews", accept=".jsonl,.txt")
        ],
        h.label(".tw-label.tw-wide")[
            "or paste the text", h.textarea(".tw-field", name="text", rows=4, spellcheck="false", autocomplete="off")
        ],
        h.button(".tw-button.gold", type="submit")["Align"],
        h.p(".tw-wrong", data_part="wrong", role="alert"),
    ]


def _bar() -> h.Element:
    """What the paragraphs add up to, which of them are shown, and the way to save."""
    shown = [
        h.option(value="")["all paragraphs"],
        *(h.option(value=state)[state if state != "none" else "not judged"] for state in STATES),
    ]
    return h.div(".tw-panel.tw-row", data_part="bar", hidden=True)[
        h.p(".tw-sum-up", data_part="counts", role="status"),
        h.label(".tw-label")["Show", h.select(".tw-field", data_part="state")[shown]],
        h.button(".tw-button", type="button", data_review="save", disabled=True)["Save your reviews"],
    ]
