"""Counting drills: a run of cards out of a game's shoe; what is the count?"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import htpy as h
from fastapi import Query
from fastapi.responses import Response

from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance
from twentyone.training.counts import MOST_CARDS, SYSTEMS, CountRun, count_run
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import game_field, game_of
from twentyone.web.pages.odds_figures import data_table
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.pages.trainer import playing_card

__all__ = ["show_counts"]

Count = Annotated[str, Query(max_length=20)]
PACES = {"": "all at once", "1500": "one in 1.5 s", "1000": "one a second", "600": "one in 0.6 s"}
"""Milliseconds for a card, and how that is said."""


async def show_counts(
    service: ServiceHere,
    looker: LookerHere,
    game: Annotated[str, Query(max_length=60)] = "",
    count: Count = "hilo",
    cards: Annotated[int, Query(ge=1, le=MOST_CARDS)] = 20,
    pace: Count = "",
    deal: Annotated[str, Query(max_length=40)] = "",
    said: Annotated[str, Query(max_length=12)] = "",
) -> Response:
    """The page: a run, or what it counts to."""
    book = game_of(game).book
    rules, seed = book.under(), deal or str(service.now)
    run = count_run(rules, count, cards, Chance("count", seed))
    chosen = {"game": book.id, "count": count, "cards": str(cards), "pace": pace if pace in PACES else ""}
    main = h.main("#main.tw-main.tw-desk", data_page="counts")[
        h.h1["Counting drill"],
        h.form(".tw-panel.tw-opening", action="/trainer/counts")[
            h.div(".tw-choices")[
                game_field("game", book.id),
                _select("count", "Count", {name: name for name in SYSTEMS}, count),
                h.label(".tw-label")[
                    "Cards", h.input(".tw-field", type="number", name="cards", min=1, max=MOST_CARDS, value=str(cards))
                ],
                _select("pace", "Pace", PACES, pace),
                h.button(".tw-button")["New run"],
            ]
        ],
        _marked(run, said, chosen) if said else _asked(rules, run, chosen, seed),
        _system(run),
    ]
    return show("Counting drill", "Trainer", looker, main, styles=("desk", "trainer"), scripts=("trainer",))


def _select(name: str, says: str, options: dict[str, str], chosen: str) -> h.Element:
    shown = [h.option(value=value, selected=value == chosen)[words] for value, words in options.items()]
    return h.label(".tw-label")[says, h.select(".tw-field", name=name, autocomplete="off")[shown]]


def _asked(rules: Rules, run: CountRun, chosen: dict[str, str], seed: str) -> h.Element:
    kept = [h.input(type="hidden", name=name, value=value) for name, value in {**chosen, "deal": seed}.items()]
    return h.section(".tw-panel", data_part="asked")[
        h.h2["What is the running count?"],
        h.p(".tw-note")[
            f"A full shoe of {rules.submission['decks']} decks; the count begins at {_number(run.start)}.",
        ],
        h.p(".tw-dealt.tw-run", data_pace=chosen["pace"] or None)[[playing_card(card) for card in run.cards]],
        h.form(action="/trainer/counts")[
            kept,
            h.label(".tw-label")[
                "Running count", h.input(".tw-field", name="said", required=True, inputmode="text", autocomplete="off")
            ],
            h.button(".tw-button.gold")["Check"],
        ],
    ]


def _marked(run: CountRun, said: str, chosen: dict[str, str]) -> h.Element:
    right = _read(said) == run.running
    true = "" if run.true is None else f", a true count of {_number(Fraction(round(run.true * 10), 10))}"
    again = "&".join(f"{name}={value}" for name, value in chosen.items())
    return h.section(".tw-panel", data_part="marked", data_right=right or None)[
        h.div(role="status")[
            h.h2(class_=None if right else "loss")[
                f"{'Right' if right else 'Wrong'}: the running count is {_number(run.running)}",
                "." if right else f", not {said}.",
            ]
        ],
        h.p(".tw-note")[f"About {_number(run.left)} decks are left{true}."],
        h.p(".tw-dealt.tw-run")[[playing_card(card) for card in run.cards]],
        h.p[h.a(".tw-button.gold", href=f"/trainer/counts?{again}", data_part="next", autofocus=True)["Next run"]],
    ]


def _read(said: str) -> Fraction | None:
    try:
        return Fraction(said.strip().replace("−", "-"))
    except (ValueError, ZeroDivisionError):
        return None


def _number(value: Fraction) -> str:
    return f"{value.numerator / value.denominator:g}".replace("-", "−")


def _system(run: CountRun) -> h.Element:
    rows = [(rank, _tag(tag)) for rank, tag in run.tags.items()]
    return h.details("#system")[
        h.summary["The count"],
        h.p(".tw-note")[run.source],
        data_table(("Card", "Adds"), rows, "What each card adds", 1),
    ]


def _tag(tag: object) -> str:
    return ", ".join(f"{name} {value}" for name, value in tag.items()) if isinstance(tag, dict) else str(tag)
