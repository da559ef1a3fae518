"""Charts for people: as text, as HTML, as a picture. The legend always stands beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.extras import needed
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import SuperBonus
from twentyone.strategy import UPS, Strategy, charts_of, legend, special_names, special_suit
from twentyone.strategy.files import NONE

__all__ = [
    "HAND_TITLES",
    "PHASE_NOTES",
    "Chart",
    "Section",
    "as_html",
    "as_png",
    "as_text",
    "legend_of",
    "phase_title",
    "row_label",
    "rule_lines",
    "sections",
]

PHASE_TITLES: Mapping[str, str] = {
    "first": "First hands",
    "split": "Hands out of a split",
    "doubled": "After a double",
    "busted": "Over the limit",
    "early": "Before the hole card is read",
}
PHASE_NOTES: Mapping[str, str] = {
    "first": "Every hand that was not split.",
    "split": "Every hand that came out of a split.",
    "doubled": "Rescue: take back the double and give up the original wager.",
    "busted": "Second chance: one more card, subtracted from the total.",
    "early": "Surrender while the dealer may still have a Blackjack.",
}
HAND_TITLES: Mapping[str, str] = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}

FILLS: Mapping[str, tuple[str, str]] = {
    "H": ("#d5e8d4", "#1d4a2a"),
    "S": ("#f6d5d1", "#7a1f1a"),
    "D": ("#cfe2f9", "#123f78"),
    "P": ("#fbe6b3", "#6a4700"),
    "R": ("#dcd7e8", "#3f2b66"),
    "C": ("#cfe2f9", "#123f78"),
    "N": ("#efefec", "#4a4a46"),
}
"""Letter to the colours of its cell on a light page: ground and ink."""
PICTURE = Path(__file__).with_name("chart.typ")
"""What a picture looks like."""
DENSITY = 160
"""Dots to the inch of a PNG picture."""


class Chart(NamedTuple):
    """One chart: rows of cells by up card."""

    title: str
    """Hard totals, soft totals or pairs."""
    ups: tuple[str, ...]
    """The up cards of its columns."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """Label and cells; rows that say the same stand together as one."""


class Section(NamedTuple):
    """The charts of one phase and one thing known of the hole card."""

    title: str
    """What they are for."""
    note: str
    """When they hold."""
    charts: tuple[Chart, ...]
    """The charts."""


def sections(strategy: Strategy) -> tuple[Section, ...]:
    """A strategy's charts in the order of a page."""
    pages: dict[tuple[str, str], list[Chart]] = {}
    for (phase, hole, hand), rows in charts_of(strategy).items():
        pages.setdefault((phase, hole), []).append(_chart(hand, rows))
    return tuple(
        Section(phase_title(phase, hole), PHASE_NOTES[phase], tuple(charts)) for (phase, hole), charts in pages.items()
    )


def _chart(hand: str, rows: Mapping[str, list[str]]) -> Chart:
    """A chart without the columns that have no cell."""
    used = [any(cells[column] != NONE for cells in rows.values()) for column in range(len(UPS))]
    labelled = [(row_label(hand, row), tuple(compress(cells, used))) for row, cells in rows.items()]
    return Chart(HAND_TITLES[hand], tuple(compress(UPS, used)), tuple(_together(labelled)))


def phase_title(phase: str, hole: str) -> str:
    """What the charts of a phase are for."""
    if not hole:
        return PHASE_TITLES[phase]
    known = f"hole card shown: {hole[1:]}" if hole.startswith("=") else f"hole card {hole}"
    return f"{PHASE_TITLES[phase]}, {known}"


def row_label(hand: str, row: str) -> str:
    """What stands before a row of a chart."""
    return f"{row}-{row}" if hand == "pairs" else row


def _together(rows: list[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
    """Neighbouring rows that say the same as one row."""
    spans: list[tuple[str, str, tuple[str, ...]]] = []
    for label, cells in rows:
        if spans and spans[-1][2] == cells:
            spans[-1] = (spans[-1][0], label, cells)
        else:
            spans.append((label, label, cells))
    return [(_span(first, last), cells) for first, last, cells in spans]


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def legend_of(strategy: Strategy, rules: Rules) -> tuple[tuple[str, str], ...]:
    """What the letters, numbers and marks of a strategy mean."""
    return legend(strategy.cells.values(), special_names(rules), special_suit(rules))


# -- text


def as_text(strategy: Strategy, rules: Rules) -> str:
    """The charts as plain text, legend last."""
    width = max((len(str(cell)) for cell in strategy.cells.values()), default=1)
    pages = sections(strategy)
    wide = max((len(label) for page in pages for chart in page.charts for label, _ in chart.rows), default=1)
    blocks = []
    for page in pages:
        lines = [page.title, "=" * len(page.title)]
        for chart in page.charts:
            rows = ((chart.title, chart.ups), *chart.rows)
            lines += ["", *(_text_row(label, cells, max(wide, 12), max(width, 2)) for label, cells in rows)]
        blocks.append("\n".join(lines))
    words = [f"  {sign:3} {meaning}" for sign, meaning in legend_of(strategy, rules)]
    rest = [f"  {line}" for line in rule_lines(strategy, rules)]
    return "\n\n".join([*blocks, "\n".join(["Legend", *words, *rest])])


def _text_row(label: str, cells: tuple[str, ...], wide: int, width: int) -> str:
    return f"  {label:{wide}} " + " ".join(f"{cell:>{width}}" for cell in cells)


def rule_lines(strategy: Strategy, rules: Rules) -> list[str]:
    """The insurance rule in words, and what the super bonus is worth drawing for."""
    words = {"insure": "Insurance", "even_money": "Even money"}
    lines = [f"{words[name]}: {'always' if taken else 'never'}." for name, taken in strategy.insurance.items()]
    bonus = rules.maybe(SuperBonus)
    if bonus is not None and bonus.hand.ranks:
        lines.append(
            f"Super bonus: its cards ({'-'.join(bonus.hand.ranks)} of one suit against {' '.join(bonus.up)}) are drawn"
            " for, whatever the chart says; no other figure counts it."
        )
    return lines


def departure_words(row: Mapping[str, Any]) -> str:
    """A hand on which the optimum departs from the chart, in words."""
    kind = {"": "", "any": ", mixed suits", "suited": ", one suit"}.get(row["bonus"], f", {row['bonus']}")
    phase = "" if row["phase"] == "first" else f" ({PHASE_TITLES[row['phase']].lower()})"
    hole = f", hole card {row['hole'].removeprefix('=')}" if row["hole"] else ""
    return f"{row['hand']}{kind}{hole}{phase}"


# -- HTML


def as_html(strategy: Strategy, rules: Rules) -> str:
    """The charts as a fragment of HTML: tables with a class per letter (see `STYLE`)."""
    parts = [_html_section(section) for section in sections(strategy)]
    words = "".join(
        f"<div><dt>{_html_cell(sign, 'span')}</dt><dd>{escape(meaning)}</dd></div>"
        for sign, meaning in legend_of(strategy, rules)
    )
    rules_ = "".join(f"<p>{escape(line)}</p>" for line in rule_lines(strategy, rules))
    return "\n".join(parts) + f'<div class="legend"><h4>Legend</h4><dl>{words}</dl>{rules_}</div>'


def _html_section(section: Section) -> str:
    charts = "".join(_html_chart(chart) for chart in section.charts)
    return (
        f'<section class="charts"><h3>{escape(section.title)}</h3><p class="note">{escape(section.note)}</p>'
        f'<div class="row">{charts}</div></section>'
    )


def _html_chart(chart: Chart) -> str:
    head = "".join(f'<th scope="col">{up}</th>' for up in chart.ups)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>{"".join(_html_cell(cell) for cell in cells)}</tr>'
        for label, cells in chart.rows
    )
    return (
        f'<table class="chart" style="max-width:{7.4 + 3 * len(chart.ups)}em"><caption>{escape(chart.title)}</caption>'
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _html_cell(text: str, tag: str = "td") -> str:
    if text == NONE:
        return f"<{tag} class='none'></{tag}>"
    letter = text[0] if text[0].isalpha() else "x"
    return f'<{tag} class="c {letter}">{escape(text)}</{tag}>'


# -- a picture


def as_png(strategy: Strategy, rules: Rules, form: str = "png") -> bytes:
    """The charts as a PNG picture, or as SVG: set by Typst with its own fonts, the same bytes everywhere."""
    typst = needed("typst", "a picture of a chart", "twentyone[desk]")
    content = {
        "title": strategy.title,
        "sections": [_section_data(section) for section in sections(strategy)],
        "legend": legend_of(strategy, rules),
        "rules": rule_lines(strategy, rules),
    }
    drawn: bytes = typst.compile(
        PICTURE.read_bytes(),
        sys_inputs={"chart": json.dumps(content, ensure_ascii=False)},
        ignore_system_fonts=True,
        font_paths=[],
        format=form,
        ppi=DENSITY,
    )
    return drawn


def _section_data(section: Section) -> dict[str, Any]:
    return {"title": section.title, "charts": [_chart_data(chart) for chart in section.charts]}


def _chart_data(chart: Chart) -> dict[str, Any]:
    rows = [{"label": label, "cells": [_cell_data(cell) for cell in cells]} for label, cells in chart.rows]
    return {"title": chart.title, "ups": list(chart.ups), "rows": rows}


def _cell_data(text: str) -> tuple[str, str, str]:
    """What a cell says, its ground and its ink."""
    return ("", "#ffffff", "#000000") if text == NONE else (text, *FILLS[text[0]])
