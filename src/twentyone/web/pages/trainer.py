"""Trainer: deals what you get wrong, says what a mistake costs in an hour, shows what you know by chart cell."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import urlencode

import htpy as h
from fastapi import Query
from fastapi.responses import Response

from twentyone.cards import Card
from twentyone.service.service import Service
from twentyone.training.cells import PER_HOUR, CellMark, CellQuestion
from twentyone.training.course import Course
from twentyone.web.api.common import ServiceHere
from twentyone.web.api.training import course_of
from twentyone.web.pages.asking import ChosenGame, game_field, game_of, refusal, waiting
from twentyone.web.pages.choices import choices_of
from twentyone.web.pages.login import name_form
from twentyone.web.pages.odds import AT_ONCE, Written
from twentyone.web.pages.odds_figures import data_table
from twentyone.web.pages.shell import Looker, LookerHere, show
from twentyone.web.pages.trainer_progress import progress_panel

__all__ = ["playing_card", "show_trainer"]

KEYS = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r", "rescue": "r", "second_chance": "c",
        "decline": "n"}  # fmt: skip
"""The key that takes a decision."""
PHASES = {
    "doubled": "After your double.",
    "busted": "You are over the limit.",
    "early": "Before the hole card is read.",
}
"""Where somebody is asked other than on his turn."""
Word = Annotated[str, Query(max_length=80)]


async def show_trainer(
    service: ServiceHere,
    looker: LookerHere,
    game: Word = "",
    submission: Written = "",
    cell: Word = "",
    deal: Word = "",
    said: Word = "",
) -> Response:
    """The page: a hand, or what a decision on it was worth."""
    one = game_of(game, submission)
    course = course_of(service, looker.person, one.book.id, one.given) if one.refused is None else None
    main = h.main("#main.tw-main.tw-desk", data_page="trainer")[
        h.h1["Trainer"],
        refusal(one.refused, one.book)
        if one.refused is not None
        else _now(service, looker, one, course, (cell, deal, said)),
        h.form(".tw-panel.tw-opening", action="/trainer", data_desk=True, data_at_once=True)[
            h.div(".tw-choices")[game_field("game", one.book.id)],
            choices_of(one.book, one.given, AT_ONCE),
            h.p(".loss", role="alert", data_part="wrong"),
        ],
        h.p(".tw-note")[h.a(href=f"/trainer/counts?game={one.book.id}")["Counting drills"]],
        progress_panel(course, service.now) if course is not None else None,
    ]
    return show("Trainer", "Trainer", looker, main, styles=("desk", "chart", "trainer"), scripts=("desk", "trainer"))


def _now(
    service: Service, looker: Looker, game: ChosenGame, course: Course | None, answer: tuple[str, str, str]
) -> h.Element:
    """What is asked now, or what the answer in the address was worth."""
    if course is None:
        return waiting(game.asks("cells"), "What every decision of this game is worth is worked out.")
    cell, deal, said = answer
    if not (cell and deal):
        deal = f"{service.now}" if looker.person is None else f"{looker.person.name} {course.asked}"
        cell = course.next(deal, service.now)
    asked = course.question(cell, deal)
    if said:
        return _marked(game, course.mark(cell, deal, said), asked, said)
    return _asked(game, looker, asked, cell, deal)


def _address(game: ChosenGame, **more: str) -> str:
    chosen = {"submission": json.dumps(game.given, separators=(",", ":"))} if game.given else {}
    return f"/trainer?{urlencode({'game': game.book.id, **chosen, **more})}"


def playing_card(card: Card) -> h.Element:
    """A card, as text in the colour of its suit."""
    return h.span(class_=f"tw-playing {card.suit}")[card.symbol]


def _hand(asked: CellQuestion) -> h.Fragment:
    hole = f", hole card {asked.cell.hole.removeprefix('=')}" if asked.cell.hole else ""
    split = f" Out of a pair of {asked.split_from}." if asked.split_from else ""
    return h.fragment[
        h.p(".tw-dealt")[
            h.span[h.small["Dealer"], playing_card(asked.up), h.small[hole]],
            h.span[h.small["You"], [playing_card(card) for card in asked.hand]],
        ],
        h.p(".tw-note")[PHASES.get(asked.cell.phase, "Your turn."), split],
    ]


def _asked(game: ChosenGame, looker: Looker, asked: CellQuestion, cell: str, deal: str) -> h.Element:
    told = json.dumps({"rulebook": game.book.id, "submission": game.given, "cell": cell, "deal": deal})
    buttons = [
        h.button(".tw-button", type="button", data_decision=name, aria_keyshortcuts=KEYS.get(name))[
            name.replace("_", " ").capitalize(), h.small[KEYS.get(name)]
        ]
        for name in asked.may
    ]
    keeps = looker.person is not None
    return h.section(
        ".tw-panel",
        data_part="asked",
        tabindex="-1",
        data_answer=told,
        data_keeps="cell" if keeps else None,
        data_cell=cell,
    )[
        h.h2["What do you do?"],
        _hand(asked),
        h.div(".tw-row", data_goes=_address(game, cell=cell, deal=deal))[buttons],
        h.p(".loss", role="alert", data_part="wrong"),
        None if keeps else name_form("Keep my progress", "Nothing is kept until you take a name."),
    ]


def _marked(game: ChosenGame, mark: CellMark, asked: CellQuestion, said: str) -> h.Element:
    plain = said.replace("_", " ")
    best = mark.best.replace("_", " ")
    text = f"Right: {plain}." if mark.right else f"Wrong: {plain}. Best is {best}."
    cost = f"{mark.lost:.4f} original wagers on this hand, {mark.per_hour:.4f} in an hour of {PER_HOUR} rounds"
    rows = [
        (name.replace("_", " "), f"{value:+.5f}".replace("-", "−"))
        for name, value in sorted(mark.values.items(), key=lambda pair: -pair[1])
    ]
    dollars = f": ${mark.per_hour * 10:.2f} an hour at $10 a round"
    return h.section(".tw-panel", data_part="marked", data_right=mark.right or None)[
        h.div(role="status")[h.h2(class_=None if mark.right else "loss")[text]],
        _hand(asked),
        None if mark.right else h.p["It costs ", h.b(data_figure="cost")[cost], dollars, "."],
        h.p(".tw-note")[f"The cell: {asked.cell}."],
        data_table(("Decision", "Value"), rows, "Value of every decision on this hand, in original wagers", 1),
        h.p[h.a(".tw-button.gold", href=_address(game), data_part="next", autofocus=True)["Next hand"]],
    ]
