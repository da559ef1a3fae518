"""The charts of a strategy as tables of links: a cell opens the value of every decision and of the hands in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import htpy as h

from twentyone.odds.render import HAND_TITLES, PHASE_NOTES, legend_of, phase_title, row_label, rule_lines
from twentyone.rulebook import Rules
from twentyone.strategy import LETTERS, UPS, CellKey, Strategy, charts_of
from twentyone.strategy.files import NONE
from twentyone.web.pages.figures import share
from twentyone.web.pages.odds_figures import PICTURE, data_table
from twentyone.web.pictures import bar

__all__ = ["cell_panel", "charts", "cost_table"]

SHOWN = 40
"""Cells that the list of costs shows."""

Lost = Mapping[tuple[str, ...], float]


def charts(strategy: Strategy, rules: Rules, address: str, lost: Lost) -> h.Element:
    """All charts, those of first hands open, and the legend."""
    sections: dict[tuple[str, str], list[h.Element]] = {}
    for (phase, hole, hand), rows in charts_of(strategy).items():
        sections.setdefault((phase, hole), []).append(_chart((phase, hole, hand), rows, address, lost))
    shown = [
        h.details(".tw-charts", id=f"chart-{phase}-{hole.strip('=') or 'any'}", open=number == 0)[
            h.summary[h.h2[phase_title(phase, hole)]],
            h.p(".tw-note")[PHASE_NOTES[phase]],
            h.div(".tw-chart-row")[tables],
        ]
        for number, ((phase, hole), tables) in enumerate(sections.items())
    ]
    return h.section(".tw-panel", data_part="charts")[shown, _legend(strategy, rules)]


def _chart(of: tuple[str, str, str], rows: Mapping[str, list[str]], address: str, lost: Lost) -> h.Element:
    used = [column for column in range(len(UPS)) if any(cells[column] != NONE for cells in rows.values())]
    head = [h.th(scope="col")[UPS[column]] for column in used]
    body = [
        h.tr[
            h.th(scope="row")[row_label(of[2], row)],
            [_cell(CellKey(*of, row, UPS[column]), cells[column], address, lost) for column in used],
        ]
        for row, cells in rows.items()
    ]
    return h.div(".tw-scroll", tabindex="0", role="region", aria_label=f"{HAND_TITLES[of[2]]} chart")[
        h.table(".tw-cells")[h.caption[HAND_TITLES[of[2]]], h.thead[h.tr[h.td, head]], h.tbody[body]]
    ]


def _cell(key: CellKey, letter: str, address: str, lost: Lost) -> h.Element:
    if letter == NONE:
        return h.td
    cost = lost.get(tuple(key))
    says = f"{key}: {letter}" + (f", costs {share(cost)}" if cost else "")
    kind = f"{letter[0]} costly" if cost else letter[0]
    link = f"{address}&cell={quote('|'.join(key))}#cell"
    return h.td(class_=kind)[h.a(href=link, title=says, aria_label=says)[letter]]


def _legend(strategy: Strategy, rules: Rules) -> h.Element:
    rows = [
        h.div[h.dt(class_=sign[0] if sign[0] in LETTERS else None)[sign], h.dd[meaning]]
        for sign, meaning in legend_of(strategy, rules)
    ]
    return h.div(".tw-legend")[h.h2["Legend"], h.dl[rows], [h.p[line] for line in rule_lines(strategy, rules)]]


def cost_table(strategy: Strategy, cells: Sequence[Mapping[str, Any]], address: str) -> h.Element:
    """The cells of a chart of one's own that lose most."""
    if not cells:
        return h.p(".tw-panel")["This chart loses nothing in any cell."]
    most = cells[0]["lost"]
    rows = []
    for row in cells[:SHOWN]:
        key = CellKey(*row["cell"])
        link = h.a(href=f"{address}&cell={quote('|'.join(key))}#cell")[str(key)]
        rows.append((link, str(strategy.cell(key) or "–"), bar(row["lost"] / most), f"{row['lost'] * 100:.5f}\u00a0%"))
    head = ("Cell", "Your chart", PICTURE, "Costs per round")
    return h.section(".tw-panel", data_part="costs")[
        h.h2["Where it loses"], data_table(head, rows, "The dearest cells, in per cent of the original wager", 1)
    ]


def cell_panel(key: CellKey, body: Mapping[str, Any]) -> h.Element:
    """What lies behind a cell."""
    worth = [(name.replace("_", " "), _value(value)) for name, value in body["decisions"].items()]
    names = list(body["decisions"])
    hands = [
        (
            _hand(row),
            *(_value(row["values"].get(name)) for name in names),
            row["best"].replace("_", " "),
            _often(row["reach"]),
        )
        for row in body["hands"]
    ]
    more = f", the {len(hands)} most frequent of {body['count']}" if body["count"] > len(hands) else ""
    titles = [name.replace("_", " ").capitalize() for name in names]
    return h.section("#cell.tw-panel", data_part="cell", tabindex="-1")[
        h.h2[str(key)],
        h.p(".tw-note")[
            f"Met {_often(body['reach'])}. Values in original wagers, if the hand is played best from there."
        ],
        data_table(("Decision", "Value"), worth, "Value of every decision in this cell", 1),
        h.details("#cell-hands", open=True)[
            h.summary[f"The hands in it{more}"],
            data_table(("Hand", *titles, "Best", "Met"), hands, "Value of every decision on each hand", len(names) + 2),
        ],
    ]


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:+.5f}".replace("-", "−")


def _often(reach: float) -> str:
    return f"once in {1 / reach:,.0f} rounds" if reach > 0 else "never under best play"


def _hand(row: Mapping[str, Any]) -> str:
    kind = {"": "", "any": ", mixed suits", "suited": ", one suit"}.get(row["bonus"], f", {row['bonus']}")
    return f"{row['hand']}{kind}" + (f" out of a pair of {row['split_from']}" if row["split_from"] else "")
