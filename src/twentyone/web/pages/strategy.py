"""Strategy: the chart of a game; a cell opens what lies behind it; a chart of one's own, and what it costs where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

import htpy as h
from fastapi import Path, Query, Request
from fastapi.responses import Response

from twentyone.odds.prices import play_of
from twentyone.service.people import NotAllowed
from twentyone.service.questions import DeskQuestion
from twentyone.service.service import Service
from twentyone.strategy import CellKey, NoChart, Strategy, default_strategy, from_json, to_csv
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import ChosenGame, ask_button, asking, game_field, game_of, refusal, waiting
from twentyone.web.pages.chart_cells import cell_panel, charts, cost_table
from twentyone.web.pages.choices import choices_of
from twentyone.web.pages.figures import share
from twentyone.web.pages.odds import AT_ONCE, Written
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.rendering import rendering_of

__all__ = ["JobId", "show_csv", "show_strategy"]

Body = Mapping[str, Any] | None
JobId = Annotated[str, Query(pattern="^[0-9a-f]{64}$|^$")]


async def show_strategy(
    request: Request,
    service: ServiceHere,
    looker: LookerHere,
    game: Annotated[str, Query(max_length=60)] = "",
    submission: Written = "",
    own: JobId = "",
    cell: Annotated[str, Query(max_length=60)] = "",
) -> Response:
    """The page of a game's chart, or of somebody's own chart for it."""
    kept = service.jobs.answers.get(own) if own else None
    if own and (kept is None or kept.kind != "chart"):
        raise NotAllowed("this chart is no longer kept: upload it again", 404)
    if kept is not None:
        given = kept.asked.get("submission", {})
        one, text = game_of(kept.asked["rulebook"], json.dumps(given)), kept.asked.get("chart", "")
    else:
        one, text = game_of(game, submission), ""
    known = ChartAnswers.of(service, one, text, cell) if one.refused is None else None
    answered = known.names if known is not None else (str(one.refused),)
    key = ("strategy", one.book, json.dumps(one.given, sort_keys=True), text, cell, *answered)
    main = await rendering_of(request).part(request, key, lambda: _page(one, text, known))
    return show("Strategy", "Strategy", looker, main, styles=("desk", "chart"), scripts=("desk",))


class ChartAnswers(NamedTuple):
    """What is asked about a chart and one of its cells, and the answers, where they are kept."""

    chart: DeskQuestion
    body: Body
    cell: DeskQuestion | None
    behind: Body

    @classmethod
    def of(cls, service: Service, game: ChosenGame, text: str, cell: str) -> ChartAnswers:
        """The questions of a page."""
        chart, behind = game.asks("chart", chart=text), game.asks("cell", cell=cell.split("|")) if cell else None
        return cls(chart, asking(service, chart), behind, asking(service, behind) if behind is not None else None)

    @property
    def names(self) -> tuple[str, ...]:
        """Which of them are answered."""
        asked = ((self.chart, self.body), (self.cell, self.behind))
        return tuple(question.id for question, body in asked if question is not None and body is not None)


def _page(game: ChosenGame, text: str, known: ChartAnswers | None) -> h.Element:
    return h.main("#main.tw-main.tw-desk", data_page="strategy")[
        h.h1["Strategy"],
        h.form(".tw-panel.tw-opening", action="/strategy", data_desk=True, data_at_once=True)[
            h.div(".tw-choices")[game_field("game", game.book.id)],
            choices_of(game.book, game.given, AT_ONCE),
            h.p(".loss", role="alert", data_part="wrong"),
        ],
        refusal(game.refused, game.book) if game.refused is not None else None,
        _answer(game, text, known) if known is not None else None,
    ]


def _answer(game: ChosenGame, text: str, known: ChartAnswers) -> h.Fragment:
    question, body = known.chart, known.body
    strategy = from_json(body["strategy"]) if body is not None else _at_once(game)
    opened = _cell(known.cell, known.behind) if known.cell is not None else None
    rules = game.book.under(game.given)
    if strategy is None:
        return h.fragment[waiting(question, "The best chart for this submission is being made."), opened]
    address = f"/strategy?own={question.id}" if text else _address(game)
    lost = {tuple(row["cell"]): row["lost"] for row in body["cells"]} if body is not None else {}
    return h.fragment[
        _worth(strategy, body) if body is not None else waiting(question, "What the chart is worth is worked out."),
        _tools(game, question.id if body is not None else "", text),
        opened,
        cost_table(strategy, body["cells"], address) if text and body is not None else None,
        charts(strategy, rules, address, lost),
    ]


def _at_once(game: ChosenGame) -> Strategy | None:
    """The rulebook's own chart, where this submission is played like the default one."""
    try:
        rules = game.book.under(game.given)
        return default_strategy(rules) if play_of(rules) == play_of(game.book.under()) else None
    except NoChart:
        return None


def _address(game: ChosenGame) -> str:
    chosen = quote(json.dumps(game.given, separators=(",", ":")))
    return f"/strategy?game={game.book.id}" + (f"&submission={chosen}" if game.given else "")


def _worth(strategy: Strategy, body: Mapping[str, Any]) -> h.Element:
    optimum = body["house_edge"] - body["cost"]
    title = strategy.title or "a chart without title"
    return h.section(".tw-panel", data_part="worth")[
        h.p(".tw-edge")[
            h.span[f"{title[:1].upper()}{title[1:]}: house edge "],
            h.b(data_figure="house_edge")[share(body["house_edge"])],
        ],
        h.p[
            "It costs ",
            h.b(data_figure="cost")[share(body["cost"])],
            f" against the best decision on every hand ({share(optimum)}).",
        ],
    ]


def _tools(game: ChosenGame, job: str, text: str) -> h.Element:
    told = json.dumps({"kind": "chart", "rulebook": game.book.id, "submission": game.given})
    return h.div(".tw-row.tw-tools")[
        h.button(".tw-button", type="button", data_act="print")["Print"],
        h.a(".tw-button", href=f"/strategy/{job}.csv", download=True)["CSV"] if job else None,
        h.a(".tw-button", href=f"/simulate?own={job}")["Simulate it"] if job and text else None,
        ask_button(game.asks("picture", form="png", chart=text), "PNG", file=True),
        ask_button(game.asks("picture", form="svg", chart=text), "SVG", file=True),
        h.div(".tw-work.tw-later", data_ask=told, data_later=True, data_opens="/strategy?own=")[
            h.label(".tw-label")[
                "Your own chart (CSV or JSON)",
                h.input(".tw-field", type="file", accept=".csv,.json,.txt", data_act="upload"),
            ],
            h.progress(max="1", aria_label="your chart", hidden=True),
            h.span(data_part="says", role="status"),
            h.span(".loss", role="alert", data_part="wrong"),
        ],
    ]


def _cell(question: DeskQuestion, body: Body) -> h.Element:
    if body is None:
        return waiting(question, "What lies behind the cell is worked out.")
    return cell_panel(CellKey(*body["cell"]), body)


async def show_csv(service: ServiceHere, job: Annotated[str, Path(pattern="^[0-9a-f]{64}$")]) -> Response:
    """A chart as CSV."""
    kept = service.jobs.answers.get(job)
    if kept is None or kept.kind != "chart":
        raise NotAllowed("there is no chart under this name", 404)
    name = f"chart-{kept.asked['rulebook']}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(to_csv(from_json(kept.body["strategy"])), media_type="text/csv", headers=headers)
