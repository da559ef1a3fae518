"""The figures of a game as parts of a page: each with its definition, its picture and its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import htpy as h

from twentyone.odds.report import shown
from twentyone.web.pages.figures import figure_said, points, share
from twentyone.web.pictures import bar, columns

__all__ = ["PICTURE", "answer", "data_table", "side_by_side"]

PICTURE = "Picture"
"""The title of a column of bars."""
Body = Mapping[str, Any]
Cell = h.Node


def data_table(head: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str = "", numbers: int = 0) -> h.Element:
    """A table whose last columns are numbers; it scrolls by itself where it is too wide."""
    first = len(head) - numbers

    def cell(column: int, value: Cell) -> h.Element:
        if column == 0:
            return h.th(scope="row")[value]
        return h.td(class_="num" if column >= first else None)[value]

    titles = [h.th(scope="col", class_="num" if column >= first else None)[name] for column, name in enumerate(head)]
    body = [h.tr[[cell(column, value) for column, value in enumerate(row)]] for row in rows]
    return h.div(".tw-scroll", tabindex="0", role="region", aria_label=caption or head[0])[
        h.table(".tw-table")[h.caption[caption] if caption else None, h.thead[h.tr[titles]], h.tbody[body]]
    ]


def answer(body: Body) -> h.Fragment:
    """Everything that is known of a game."""
    return h.fragment[
        h.section(".tw-panel")[h.h2["Figures"], _figures(body)],
        h.section(".tw-panel")[h.h2["Result of a round"], _distribution(body)],
        h.section(".tw-panel")[h.h2["Bonuses"], _bonuses(body)] if body["bonuses"] else None,
        _sides(body["side_wagers"]) if body["side_wagers"] else None,
        h.section(".tw-panel")[h.h2["How it was worked out"], h.p[body["method"]], h.p(".tw-note")[_time(body)]],
    ]


def _time(body: Body) -> str:
    return f"{body['seconds']} seconds; version {body['versions']['twentyone']}"


def _figures(body: Body) -> h.Element:
    rows = [
        (figure.label, h.span(data_figure=figure.name)[figure_said(figure.form, body[figure.name])], figure.definition)
        for figure in shown(body)
    ]
    return data_table(("Figure", "Value", "What it is"), rows)


def _distribution(body: Body) -> h.Fragment:
    rows = [(row["wagers"], row["probability"]) for row in body["distribution"]]
    most = max((chance for _, chance in rows), default=1.0)
    drawn = columns("Result of a round in original wagers", rows, ("original wagers won or lost", "share of rounds"))
    table = [
        (row["net"].replace("-", "−"), bar(row["probability"] / most), share(row["probability"]))
        for row in body["distribution"]
    ]
    outcomes = [(name.replace("_", " "), share(chance)) for name, chance in body["outcomes"].items()]
    return h.fragment[
        drawn,
        h.details("#odds-distribution")[
            h.summary["The same as a table"],
            data_table(("Net result", PICTURE, "Probability"), table, "Net result of a round, in original wagers", 1),
            data_table(("Result of hands", "Per round"), outcomes, "Results of hands per round", 1),
        ],
    ]


def _bonuses(body: Body) -> h.Element:
    most = max((row["share"] for row in body["bonuses"]), default=0.0) or 1.0
    rows = [
        (row["words"], bar(row["share"] / most), share(row["probability"]), share(row["share"]))
        for row in sorted(body["bonuses"], key=lambda row: -row["share"])
    ]
    head = ("Bonus", PICTURE, "Probability", "Adds to the return")
    return data_table(head, rows, "What each bonus adds, per round", 2)


def _sides(sides: Mapping[str, Body]) -> h.Element:
    return h.section(".tw-panel")[h.h2["Side wagers"], [_side(name, wager) for name, wager in sides.items()]]


def _side(name: str, wager: Body) -> h.Element:
    edge = "not priced" if wager["edge"] is None else f"{share(wager['edge'])} = {wager['fraction']}"
    rows = [(row["event"], f"{row['net']:+g}".replace("-", "−"), share(row["probability"])) for row in wager["events"]]
    title = name.replace("_", " ")
    return h.details(id=f"side-{name}")[
        h.summary[h.b[title[:1].upper() + title[1:]], f": edge {edge}"],
        h.p(".tw-note")[wager["definition"]],
        data_table(("Event", "Net", "Probability"), rows, title, 2) if rows else None,
    ]


def side_by_side(one: Body, two: Body) -> h.Element:
    """Two games: every figure of both, and by how much they differ."""
    both = (one, two)
    richest = max(both, key=lambda body: body["super_bonus_probability"])
    rows = [_pair(figure.label, figure.name, figure.form, both) for figure in shown(richest)]
    names = dict.fromkeys([*one["side_wagers"], *two["side_wagers"]])
    sides = [_side_pair(name, both) for name in names]
    names = dict.fromkeys(name for body in both for name in body["submission"] if name != "readings")
    chosen = [
        (name.replace("_", " "), *(_word(body["submission"].get(name)) for body in both))
        for name in names
        if one["submission"].get(name) != two["submission"].get(name)
    ]
    head = ("Figure", *(f"{body['title']}, {body['source']}" for body in both), "Difference")
    return h.section(".tw-panel", data_part="beside")[
        h.h2["Side by side"],
        data_table(head, [*rows, *sides], "Figures of both games", 3),
        data_table(("Choice", *head[1:3]), chosen, "Choices in which they differ", 2) if chosen else None,
        h.div(".tw-pair")[[_shape(body) for body in both]],
    ]


def _shape(body: Body) -> h.Element:
    rows = [(row["wagers"], row["probability"]) for row in body["distribution"]]
    says = f"{body['title']}: result of a round"
    return h.figure(".tw-figure")[
        columns(says, rows, ("original wagers won or lost", "share of rounds")), h.figcaption[says]
    ]


def _pair(label: str, name: str, form: str, both: Sequence[Body]) -> tuple[Cell, ...]:
    apart = both[1][name] - both[0][name]
    said = "" if form == "chance" else points(apart) if form == "percent" else f"{apart:+.5f}".replace("-", "−")
    values = [h.span(data_figure=name)[figure_said(form, body[name])] for body in both]
    return (label, *values, said)


def _side_pair(name: str, both: Sequence[Body]) -> tuple[Cell, ...]:
    edges = [body["side_wagers"].get(name, {}).get("edge") for body in both]
    apart = points(edges[1] - edges[0]) if None not in edges else ""
    return (
        f"{name.replace('_', ' ').capitalize()}, edge",
        *("–" if edge is None else share(edge) for edge in edges),
        apart,
    )


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else "as submitted" if isinstance(value, dict) else str(value)
