"""The form with which staff opens a new table: what each rulebook leaves to the operator, with its paragraph."""

from __future__ import annotations

from collections.abc import Iterable

import htpy as h

from twentyone.rulebook import loaded_rulebooks
from twentyone.web.pages.choices import choices_of

__all__ = ["opening_form"]

PUT_FORWARD = {"table_minimum": "5", "table_maximum": "500"}
"""What an operator usually chooses where the text has no default."""
AT_ONCE = ("decks", "shuffler", "table_minimum", "table_maximum")
"""The keys that are always shown."""


def opening_form(taken: Iterable[str]) -> h.Element:
    """The form; it suggests a name that no table has yet."""
    books = loaded_rulebooks()[0]
    options = [h.option(value=book.id)[book.full_title] for book in books]
    name = h.input(
        ".tw-field",
        name="name",
        required=True,
        pattern="[a-z0-9][a-z0-9\\-]*",
        data_taken=" ".join(taken),
        autocomplete="off",
    )
    return h.form(".tw-panel.tw-opening", data_act="open-table")[
        h.h2["Open another table"],
        h.p(".tw-note")["The submission is checked against the rulebook; a refusal names its paragraph."],
        h.div(".tw-choices")[
            h.label(".tw-label")["Rulebook", h.select(".tw-field", name="rulebook")[options]],
            h.label(".tw-label")["Name", name],
            h.label(".tw-label")["Cards", _cards()],
        ],
        [choices_of(book, PUT_FORWARD, AT_ONCE, hidden=index > 0) for index, book in enumerate(books)],
        _more(),
        h.div(".tw-row")[h.button(".tw-button.gold", type="submit")["Open"]],
        h.p(".loss", role="alert", data_part="wrong"),
    ]


def _cards() -> h.Element:
    ways = {"shoe": "shuffled by the service", "person": "a real shoe: the dealer enters each card"}
    return h.select(".tw-field", name="cards")[[h.option(value=way)[says] for way, says in ways.items()]]


def _more() -> h.Element:
    written = h.textarea(".tw-field", name="submission", rows=3, spellcheck="false")["{}"]
    return h.details(".tw-agenda")[
        h.summary["More of the submission, as JSON"],
        h.label(".tw-label")["These keys override the choices above", written],
    ]
