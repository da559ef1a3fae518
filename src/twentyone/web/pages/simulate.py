"""Simulate: rounds, seed, chart, count and wagers in a form; the mean on its way, the distribution, bankrolls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import htpy as h
from fastapi import Query, Request
from fastapi.responses import Response

import twentyone
from twentyone.errors import NotAScript, TwentyoneError
from twentyone.service.people import NotAllowed
from twentyone.service.questions import DeskQuestion, check_size, most_rounds
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import ChosenGame, asking, game_field, game_of, refusal, waiting
from twentyone.web.pages.choices import choices_of
from twentyone.web.pages.odds import AT_ONCE, Written
from twentyone.web.pages.shell import Looker, LookerHere, show
from twentyone.web.pages.simulated import rounds_part, trips_part
from twentyone.web.pages.strategy import JobId
from twentyone.web.running_mean import mean_picture

__all__ = ["show_simulate"]

COUNTS = sorted(path.stem for path in (Path(twentyone.__file__).parent / "counts").glob("*.json"))
"""The published counting systems."""
NUMBERS = ("rounds", "seed", "boxes", "others", "trips", "trip_rounds", "rounds_per_hour")
"""Fields that hold whole numbers."""
WORDS = ("mode", "penetration", "main", "count", "spread", "ramp", "bankroll")
"""Fields that the simulator reads itself."""
TRIPS = ("bankroll", "trips", "trip_rounds")
"""Fields about bankrolls."""
COUNTING = ("count", "indices", "spread", "ramp", "others", "rounds_per_hour")
ROUNDS = "1e7"
"""How many rounds the form puts forward."""
LONGEST_NUMBER = 30


async def show_simulate(
    request: Request,
    service: ServiceHere,
    looker: LookerHere,
    game: Annotated[str, Query(max_length=60)] = "",
    submission: Written = "",
    own: JobId = "",
) -> Response:
    """The page of a simulation: the form, and what came of it."""
    kept = service.jobs.answers.get(own) if own else None
    if own and (kept is None or kept.kind != "chart"):
        raise NotAllowed("this chart is no longer kept: upload it again at Strategy", 404)
    if kept is not None:
        one = game_of(kept.asked["rulebook"], json.dumps(kept.asked.get("submission", {})))
    else:
        one = game_of(game, submission)
    chart = kept.asked.get("chart", "") if kept is not None else ""
    asked = {
        name: value for name, value in request.query_params.items() if name in (*NUMBERS, *WORDS, "indices") and value
    }
    main = h.main("#main.tw-main.tw-desk", data_page="simulate")[
        h.h1["Simulate"],
        h.p(".tw-note")[_lead(looker)],
        _form(one, asked, own),
        refusal(one.refused, one.book) if one.refused is not None else None,
        _answer(service, looker, one, asked, chart) if asked and one.refused is None else None,
    ]
    return show("Simulate", "Simulate", looker, main, styles=("desk",), scripts=("desk",))


def _lead(looker: Looker) -> str:
    most = most_rounds(looker.role or "visitor")
    return (
        f"Up to {most:,} rounds at once. The address of the page is what you asked: the same address shows the same"
        " figures, to whoever has it. What is cancelled is kept and goes on when asked again."
    )


def _answer(service: Service, looker: Looker, game: ChosenGame, asked: Mapping[str, str], chart: str) -> h.Fragment:
    try:
        options = _options(asked)
        questions = [game.asks("simulate", options=_without(options, TRIPS), chart=chart)]
        if "bankroll" in options:
            questions.append(
                game.asks("simulate", options=_without(options, ("rounds", "rounds_per_hour", "ramp")), chart=chart)
            )
        for question in questions:
            check_size(question, looker.role or "visitor")
    except TwentyoneError as refused:
        return h.fragment[refusal(refused, game.book)]
    return h.fragment[[_part(service, question) for question in questions]]


def _without(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


def _options(asked: Mapping[str, str]) -> dict[str, Any]:
    """The options of the simulator that an address names."""
    options: dict[str, Any] = {name: _whole(name, asked[name]) for name in NUMBERS if name in asked}
    options |= {name: asked[name][:200] for name in WORDS if name in asked}
    if asked.get("indices"):
        options["indices"] = True
    return options if "count" in options else _without(options, COUNTING)


def _whole(name: str, text: str) -> int:
    """A whole number, written out or as 1e9."""
    try:
        number = Fraction(text.replace(",", "").replace(" ", "")[:LONGEST_NUMBER].lower())
    except (ValueError, ZeroDivisionError):
        raise NotAScript(name, f"{text[:40]!r} is not a whole number like 1000 or 1e9") from None
    if number.denominator != 1 or number < 1:
        raise NotAScript(name, f"{text[:40]!r} is not a positive whole number")
    return int(number)


def _part(service: Service, question: DeskQuestion) -> h.Element:
    body = asking(service, question)
    if body is not None:
        return trips_part(body) if "fan" in body else rounds_part(body)
    if "bankroll" in question.asked["options"]:
        return waiting(question, "Trips are being played.")
    job = service.jobs.find(question.id)
    told = job.told if job is not None else {}
    live = mean_picture(told["path"], told.get("exact"), told["wanted"]) if told.get("path") else None
    return waiting(question, "Rounds are being played.", live, shows=True)


def _form(game: ChosenGame, asked: Mapping[str, str], own: str) -> h.Element:
    return h.form(".tw-panel.tw-opening", action="/simulate", data_desk=True)[
        h.div(".tw-choices")[
            game_field("game", game.book.id),
            _field("rounds", "Rounds", asked.get("rounds", ROUNDS), required=True),
            _field("seed", "Seed", asked.get("seed", "1")),
            _select("mode", "Shoe", asked, {"fresh": "a fresh shoe each round", "shoe": "real shoes"}),
            _field("penetration", "Share of a real shoe dealt", asked.get("penetration", ""), placeholder="3/4"),
            _field("boxes", "Boxes", asked.get("boxes", "1")),
            _field("main", "Main wager, dollars", asked.get("main", "10")),
        ],
        h.input(type="hidden", name="own", value=own) if own else None,
        h.p(".tw-note")[_chart_words(own)],
        choices_of(game.book, game.given, AT_ONCE) if not own else None,
        _folded("simulate-counting", "Counting", asked, COUNTING, [
            _select("count", "Count", asked, {"": "none", **{name: name for name in COUNTS}}),
            _select("indices", "Play by indices", asked, {"": "no", "1": "yes"}),
            _field("spread", "Wagers: count:units, ...", asked.get("spread", ""), placeholder="1:2,2:4,3:8,4:12"),
            _field("ramp", "Best wagers within", asked.get("ramp", ""), placeholder="1-12"),
            _field("others", "Boxes of others", asked.get("others", "")),
            _field("rounds_per_hour", "Rounds per hour", asked.get("rounds_per_hour", "")),
        ]),
        _folded("simulate-bankroll", "Bankroll", asked, TRIPS, [
            _field("bankroll", "Bankroll, dollars", asked.get("bankroll", ""), placeholder="500"),
            _field("trip_rounds", "Rounds of a trip", asked.get("trip_rounds", "")),
            _field("trips", "Trips", asked.get("trips", "")),
        ]),
        h.div(".tw-row")[h.button(".tw-button.gold", type="submit")["Simulate"]],
        h.p(".loss", role="alert", data_part="wrong"),
    ]  # fmt: skip


def _chart_words(own: str) -> h.Fragment:
    if own:
        return h.fragment["Played by your own chart. ", h.a(href="/simulate")["By the best chart instead"], "."]
    return h.fragment[
        "Played by the best chart; to play your own, upload it at ", h.a(href="/strategy")["Strategy"], "."
    ]


def _folded(
    id_: str, says: str, asked: Mapping[str, str], names: tuple[str, ...], fields: list[h.Element]
) -> h.Element:
    used = any(asked.get(name) for name in names)
    return h.details(".tw-agenda", id=id_, open=used)[h.summary[says], h.div(".tw-choices")[fields]]


def _field(name: str, says: str, value: str, placeholder: str = "", required: bool = False) -> h.Element:
    given = h.input(
        ".tw-field", name=name, value=value, maxlength="60", required=required, placeholder=placeholder or None,
        autocomplete="off",
    )  # fmt: skip
    return h.label(".tw-label")[says, given]


def _select(name: str, says: str, asked: Mapping[str, str], options: Mapping[str, str]) -> h.Element:
    here = asked.get(name, next(iter(options)))
    shown = [h.option(value=value, selected=value == here)[words] for value, words in options.items()]
    return h.label(".tw-label")[says, h.select(".tw-field", name=name, autocomplete="off")[shown]]
