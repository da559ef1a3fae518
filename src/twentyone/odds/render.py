"""Charts for people: as text, as HTML, as a picture. The legend always stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from io import BytesIO
from itertools import compress
from typing import Any, NamedTuple

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
    """The charts as a PNG picture, or in another form that matplotlib draws."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    pages = sections(strategy)
    heights = [max(sum(len(chart.rows) + 2 for chart in page.charts), 4) for page in pages]
    columns = min(3, len(pages))
    lines = [heights[start : start + columns] for start in range(0, len(pages), columns)]
    rows = [max(line) for line in lines]
    words = legend_of(strategy, rules)
    told = rule_lines(strategy, rules)
    foot = len(words) + len(told) + 2
    figure = plt.figure(figsize=(5.4 * columns, 0.27 * (sum(rows) + foot) + 1.2))
    grid = figure.add_gridspec(len(rows) + 1, columns, height_ratios=[*rows, foot], hspace=0.12, wspace=0.12, top=0.95)
    for number, page in enumerate(pages):
        axes = figure.add_subplot(grid[number // columns, number % columns])
        _paint(axes, page, rows[number // columns])
    axes = figure.add_subplot(grid[len(rows), :])
    _paint_legend(axes, [*words, *(("", line) for line in told)], foot)
    figure.suptitle(strategy.title, fontsize=15, fontweight="bold", y=0.99)
    out = BytesIO()
    figure.savefig(out, format=form, dpi=110, bbox_inches="tight", facecolor="white")
    plt.close(figure)
    return out.getvalue()


def _paint(axes: object, page: Section, height: int) -> None:
    from matplotlib.patches import Rectangle

    axes.set(xlim=(-2.6, len(UPS)), ylim=(height, 0))  # type: ignore[attr-defined]
    axes.axis("off")  # type: ignore[attr-defined]
    axes.set_title(page.title, loc="left", fontsize=11, fontweight="bold")  # type: ignore[attr-defined]
    y = 0.0
    for chart in page.charts:
        _write(axes, -2.5, y + 0.5, chart.title, ha="left", weight="bold")
        for x, up in enumerate(chart.ups):
            _write(axes, x + 0.5, y + 0.5, up, weight="bold")
        y += 1
        for label, cells in chart.rows:
            _write(axes, -2.5, y + 0.5, label, ha="left")
            for x, cell in enumerate(cells):
                if cell != NONE:
                    ground, ink = FILLS[cell[0]]
                    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=ground, edgecolor="white"))  # type: ignore[attr-defined]
                    _write(axes, x + 0.5, y + 0.5, cell, color=ink)
            y += 1
        y += 0.6


def _paint_legend(axes: object, words: list[tuple[str, str]], height: int) -> None:
    axes.set(xlim=(0, 20), ylim=(height, 0))  # type: ignore[attr-defined]
    axes.axis("off")  # type: ignore[attr-defined]
    _write(axes, 0, 0.6, "Legend", ha="left", weight="bold")
    for line, (sign, meaning) in enumerate(words, 1):
        _write(axes, 0, line + 0.6, sign, ha="left", weight="bold")
        _write(axes, 0.7, line + 0.6, meaning, ha="left")


def _write(axes: object, x: float, y: float, text: str, **style: str) -> None:
    settings = {"ha": "center", "va": "center", "fontsize": 8, **style}
    axes.text(x, y, text, **settings)  # type: ignore[attr-defined]
