"""The figures of the game: the PAR sheet, with the chart for which they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from twentyone.odds.even_meters import even_words
from twentyone.papers.model import Block, ChartGrid, Charts, Grid, Heading, PaperPart, Words
from twentyone.papers.words import capital, number, once, paragraph, percent, plain, signed
from twentyone.rulebook import Rulebook, Rules

if TYPE_CHECKING:
    from twentyone.odds.generate import Worth
    from twentyone.odds.render import Chart
    from twentyone.odds.report import Figure

__all__ = ["figures_part"]

PLAIN_CELL = ("#ffffff", "#1c1c1c")
"""Ground and ink of a cell whose letter has no colours."""


def figures_part(rules: Rules, body: Mapping[str, Any], chart: Worth) -> PaperPart:
    """The PAR sheet: the report of the odds, and the chart."""
    book = rules.rulebook
    blocks = (*_leading(body), *_results(book, body), *_side_wagers(book, body), *_charts(rules, chart))
    return PaperPart("figures", "Figures of the game (PAR sheet)", blocks)


def _leading(body: Mapping[str, Any]) -> Iterator[Block]:
    from twentyone.odds.report import shown

    yield Words(f"{body['method']} The charts at the end of this part say how the hands are played.")
    rows = [(figure.label, _figure(figure, body), figure.definition) for figure in shown(body)]
    yield Grid(("Figure", "Value", "Definition"), tuple(rows), (4, 3, 10), numbers=(1,))
    yield Heading("Return to player, nine times in ten")
    ranges = [(f"{row['rounds']:,}", percent(row["least"]), percent(row["most"])) for row in body["return_ranges"]]
    yield Grid(("Rounds", "From", "To"), tuple(ranges), (0, 0, 0), numbers=(0, 1, 2))


def _figure(figure: Figure, body: Mapping[str, Any]) -> str:
    value = body[figure.name]
    if figure.form == "percent":
        return percent(value)
    return f"once in {once(value)}" if figure.form == "chance" else number(value)


def _results(book: Rulebook, body: Mapping[str, Any]) -> Iterator[Block]:
    shares = {
        "Net result of a round, in original wagers": {signed(r["net"]): r["probability"] for r in body["distribution"]},
        "Results of hands, a round": _named(body["outcomes"]),
        "Decisions, a round": _named(body["decisions"]),
    }
    for title, table in shares.items():
        rows = [(capital(name), percent(chance)) for name, chance in table.items() if chance]
        if rows:
            yield Heading(title)
            yield Grid(("What", "A round"), tuple(rows), (0, 0), numbers=(1,))
    yield from _dealer(body)
    if body["bonuses"]:
        yield Heading("Hands that pay above even money")
        rows4 = tuple(
            (row["words"], percent(row["probability"]), once(row["probability"]), percent(row["share"]),
             paragraph(book, row["cite"]))
            for row in body["bonuses"]
        )  # fmt: skip
        head = ("Hand", "A round", "Once in", "Adds to the return", "Paragraph")
        yield Grid(head, rows4, (6, 3, 3, 3, 0), numbers=(1, 2, 3))


def _named(table: Mapping[str, float]) -> dict[str, float]:
    return {plain(name): chance for name, chance in table.items()}


def _dealer(body: Mapping[str, Any]) -> Iterator[Block]:
    finals = list(body["dealer"])
    rows = [("Any", *(_short(body["dealer"][final]) for final in finals))]
    rows += [(up, *(_short(row.get(final, 0)) for final in finals)) for up, row in body["dealer_by_up"].items()]
    head = ("Up card", *(capital(plain(final)) for final in finals))
    yield Heading("The dealer's final hand by up card, always played out, in per cent")
    yield Grid(head, tuple(rows), (2,) * len(head), numbers=tuple(range(1, len(head))))


def _short(chance: float) -> str:
    return f"{chance * 100:.3f}"


# -- side wagers


def _side_wagers(book: Rulebook, body: Mapping[str, Any]) -> Iterator[Block]:
    sides = body["side_wagers"]
    if not sides:
        return
    rows = [
        (
            wager["title"],
            percent(wager["edge"]) if wager["edge"] is not None else "not priced",
            percent(wager["wins"]),
            _meaning(wager),
            paragraph(book, wager["cite"]),
        )
        for wager in sides.values()
    ]
    yield Heading("Side wagers")
    yield Grid(("Wager", "Edge", "Wins", "Definition", "Paragraph"), tuple(rows), (4, 3, 3, 8, 0), numbers=(1, 2))
    for wager in sides.values():
        yield from _events(wager)


def _meaning(wager: Mapping[str, Any]) -> str:
    even = [f"{capital(words)}." for words in even_words(wager)]
    exact = [f"Exactly {wager['fraction']}."] if wager["fraction"] and len(str(wager["fraction"])) < LONG else []
    return " ".join([wager["definition"], *exact, *even])


LONG = 40
"""A fraction with more signs than this tells a reader nothing."""


def _events(wager: Mapping[str, Any]) -> Iterator[Block]:
    if not wager["events"]:
        return
    rows = tuple(
        (capital(str(row["event"])), signed(f"{row['net']:+g}"), percent(row["probability"]), once(row["probability"]),
         percent(row["net"] * row["probability"]))
        for row in wager["events"]
    )  # fmt: skip
    yield Heading(f"{wager['title']}: all that can become of it")
    head = ("Event", "Net, in wagers", "Probability", "Once in", "Adds to the return")
    yield Grid(head, rows, (5, 3, 3, 3, 3), numbers=(1, 2, 3, 4))


# -- charts


def _charts(rules: Rules, chart: Worth) -> Iterator[Block]:
    from twentyone.odds.render import FILLS, legend_of, rule_lines, sections

    yield Heading("How the hands are played")
    yield Words(
        f"House edge of the game played by these charts: {percent(chart.house_edge)}; a chart in place of the best"
        f" decision on every hand costs {percent(chart.cost)} of the original wager."
    )
    legend = tuple((f"`{sign}`", meaning) for sign, meaning in legend_of(chart.strategy, rules))
    yield Grid(("Sign", "Means"), legend, (2, 12))
    for line in rule_lines(chart.strategy, rules):
        yield Words(line)
    for section in sections(chart.strategy):
        yield Heading(section.title)
        yield Words(section.note)
        yield Charts(tuple(_grid(chart, FILLS) for chart in section.charts))


def _grid(chart: Chart, fills: Mapping[str, tuple[str, str]]) -> ChartGrid:
    rows = tuple(
        (label, tuple((cell, *fills.get(cell[:1], PLAIN_CELL)) for cell in cells)) for label, cells in chart.rows
    )
    return ChartGrid(chart.title, chart.ups, rows)
