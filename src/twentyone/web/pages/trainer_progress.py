"""What somebody knows of a game's charts: every cell with a colour, and the weakest as a table."""

from __future__ import annotations

from collections.abc import Mapping

import htpy as h

from twentyone.ledger.timestamps import moment
from twentyone.odds.render import HAND_TITLES, phase_title, row_label
from twentyone.strategy import UPS, CellKey
from twentyone.training.cells import PER_HOUR, Body
from twentyone.training.course import Course
from twentyone.training.schedule import NEW, Progress
from twentyone.web.pages.figures import counted
from twentyone.web.pages.odds_figures import data_table

__all__ = ["progress_panel"]

STATES = {
    "new": "not asked yet",
    "weak": "the last answer was wrong",
    "learning": "right, soon again",
    "known": "known",
}
"""How well a cell is known, with the words of the legend."""
SIGNS = {"new": "·", "weak": "✗", "learning": "~", "known": "✓"}
SHOWN = 20
"""Cells that the table lists."""


def _state(progress: Progress) -> str:
    if not progress.seen:
        return "new"
    if progress.known:
        return "known"
    return "weak" if not progress.card.get("step") else "learning"


def progress_panel(course: Course, now: int) -> h.Element:
    """The picture of a course by cell, and the cells that were wrong."""
    known = {cell: course.known.get(cell, NEW) for cell in course.cells}
    counts = {state: sum(_state(one) == state for one in known.values()) for state in STATES}
    missed = sum(one.missed for one in known.values())
    return h.section(".tw-panel", data_part="progress")[
        h.h2["Your progress"],
        h.p[f"{counted(course.asked)}, {missed} wrong. {counts['known']} of {len(known)} cells are known."],
        h.ul(".tw-states")[
            [h.li(class_=state)[f"{SIGNS[state]} {words}: {counts[state]}"] for state, words in STATES.items()]
        ],
        _wrong(course, known, now),
        [_charts(phase, hole, known) for phase, hole in dict.fromkeys((CellKey(*c.split("|"))[:2]) for c in known)],
    ]


def _wrong(course: Course, known: Mapping[str, Progress], now: int) -> h.Element | None:
    """The cells that were answered wrong, those first that cost most."""
    wrong = {cell: one for cell, one in known.items() if one.missed}
    if not wrong:
        return None
    rows = [
        (
            str(CellKey(*cell.split("|"))),
            str(one.seen),
            str(one.missed),
            "now" if one.due <= now else moment(one.due),
            f"{_dearest(course.cells[cell]):.4f}",
        )
        for cell, one in sorted(wrong.items(), key=lambda pair: -_dearest(course.cells[pair[0]]))[:SHOWN]
    ]
    head = ("Cell", "Asked", "Wrong", "Again (UTC)", f"Next-best costs per {PER_HOUR} rounds")
    return data_table(head, rows, "Cells that you got wrong; costs in original wagers", 1)


def _dearest(body: Body) -> float:
    lost: list[float] = sorted(body["lost"][name] for name in body["decisions"])
    return lost[1] * PER_HOUR


def _charts(phase: str, hole: str, known: Mapping[str, Progress]) -> h.Element:
    keys = [CellKey(*cell.split("|")) for cell in known]
    here = [key for key in keys if key[:2] == (phase, hole)]
    hands = [hand for hand in HAND_TITLES if any(key.hand == hand for key in here)]
    return h.details(
        ".tw-charts", id=f"progress-{phase}-{hole.strip('=') or 'any'}", open=phase == "first" and not hole
    )[
        h.summary[h.h3[phase_title(phase, hole)]],
        h.div(".tw-chart-row")[[_chart(hand, [key for key in here if key.hand == hand], known) for hand in hands]],
    ]


def _chart(hand: str, keys: list[CellKey], known: Mapping[str, Progress]) -> h.Element:
    ups = [up for up in UPS if any(key.up == up for key in keys)]
    there = {(key.row, key.up): key for key in keys}
    rows = sorted({key.row for key in keys}, key=lambda row: (not row.isdigit(), row.zfill(2)))
    body = [
        h.tr[h.th(scope="row")[row_label(hand, row)], [_cell(there.get((row, up)), known) for up in ups]]
        for row in rows
    ]
    return h.div(".tw-scroll", tabindex="0", role="region", aria_label=f"progress: {HAND_TITLES[hand]}")[
        h.table(".tw-cells.tw-known")[
            h.caption[HAND_TITLES[hand]], h.thead[h.tr[h.td, [h.th(scope="col")[up] for up in ups]]], h.tbody[body]
        ]
    ]


def _cell(key: CellKey | None, known: Mapping[str, Progress]) -> h.Element:
    if key is None:
        return h.td
    one = known["|".join(key)]
    state = _state(one)
    says = f"{key}: {STATES[state]}" + (f", {counted(one.seen)}, {one.missed} wrong" if one.seen else "")
    return h.td(class_=state, title=says)[SIGNS[state]]
