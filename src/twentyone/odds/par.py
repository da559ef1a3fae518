"""The PAR sheet: one HTML page that stands alone, with rules and paragraphs, figures, charts, method and versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from twentyone.authentic import package_digest
from twentyone.odds.even_meters import even_words
from twentyone.odds.generate import Worth
from twentyone.odds.render import as_html, departure_words
from twentyone.odds.report import shown, versions
from twentyone.rulebook import Entry, Rules
from twentyone.rulebook.rows import in_force

__all__ = ["chart_page", "par_sheet"]

STYLE = Path(__file__).with_name("par.css")

HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    "<style>{style}</style></head>"
)
LEADING = (
    "house_edge", "house_edge_with_super_bonus", "return_to_player", "element_of_risk", "standard_deviation",
    "volatility_index",
)  # fmt: skip
"""The figures at the head of the page."""

PLACES = (("rules", "Rules in force"), ("figures", "Figures"), ("results", "Results and bonuses"),
          ("side", "Side wagers"), ("strategy", "Strategy"), ("method", "Method and versions"))  # fmt: skip


def par_sheet(rules: Rules, body: Mapping[str, Any], chart: Worth) -> str:
    """The PAR sheet of a game: its report and its chart on one page."""
    parts = {
        "rules": _rules(rules),
        "figures": _figures(body),
        "results": _results(body),
        "side": _side_wagers(body["side_wagers"]),
        "strategy": _strategy(rules, chart, body["house_edge"]),
        "method": _method(rules, body),
    }
    sections = "".join(f'<section id="{name}"><h2>{title}</h2>{parts[name]}</section>' for name, title in PLACES)
    links = "".join(f'<a href="#{name}">{title}</a>' for name, title in PLACES)
    top = _top(rules, "PAR sheet") + _cards(body) + f'<nav aria-label="Parts">{links}</nav></header>'
    return _page(f"PAR sheet: {rules.rulebook.title}", f"{top}<main>{sections}</main>{_foot(rules)}")


def chart_page(rules: Rules, chart: Worth) -> str:
    """The chart of a game as a page of its own."""
    worth = f"<main>{_worth(chart)}{as_html(chart.strategy, rules)}</main>"
    return _page(f"Strategy: {rules.rulebook.title}", f"{_top(rules, 'Strategy')}</header>{worth}{_foot(rules)}")


def _page(title: str, content: str) -> str:
    head = HEAD.format(title=escape(title), style=STYLE.read_text(encoding="utf-8"))
    return f"{head}<body>{content}</body></html>\n"


# -- head and foot


def _top(rules: Rules, kicker: str) -> str:
    book = rules.rulebook
    chips = "".join(f"<li>{escape(words)}</li>" for words in _headlines(rules))
    return (
        f'<header class="top"><p class="kicker">{kicker}</p><h1>{escape(book.title)}</h1>'
        f'<p class="sub">{escape(book.source)} · rulebook <code>{book.id}</code></p><ul class="chips">{chips}</ul>'
    )


def _headlines(rules: Rules) -> list[str]:
    """The number of decks, and every choice and reading that is not the default."""
    given = [f"{choice.key} {_word(choice.value)}" for choice in rules.submission.choices if choice.given]
    first = {reading.name: reading.values[0] for reading in rules.rulebook.readings}
    other = [f"{name}: {value}" for name, value in rules.submission.readings.items() if value != first[name]]
    decks = f"{rules.submission['decks']} decks"
    return [decks, *(words for words in given if not words.startswith("decks ")), *other]


def _cards(body: Mapping[str, Any]) -> str:
    leading = [figure for figure in shown(body) if figure.name in LEADING]
    cards = "".join(
        f'<div class="card"><strong>{figure.label}</strong><b>{_figure(figure.form, body[figure.name])}</b>'
        f"<span>{escape(figure.definition)}</span></div>"
        for figure in leading
    )
    return f'<div class="cards">{cards}</div>'


def _foot(rules: Rules) -> str:
    made = ", ".join(f"{name} {number}" for name, number in {**versions(rules), "package": package_digest()}.items())
    return f"<footer>Made by {escape(made)}.</footer>"


# -- parts


def _rules(rules: Rules) -> str:
    choices = _table(
        ("Choice", "In force", "Paragraph"),
        [
            (f"<code>{choice.key}</code><br><span class='sub'>{escape(choice.says)}</span>",
             escape(_word(choice.value)) + ("" if choice.given else " <span class='sub'>(default)</span>"),
             _cite(choice.cite))
            for choice in rules.submission.choices
        ],
    )  # fmt: skip
    readings = _table(
        ("Reading", "In force", "Could be", "Paragraph"),
        [
            (f"<code>{reading.name}</code>", escape(rules.submission.readings[reading.name]),
             escape(", ".join(value for value in reading.values if value != rules.submission.readings[reading.name])),
             _cite(reading.cite))
            for reading in rules.rulebook.readings
        ],
    )  # fmt: skip
    return f"<h3>The operator's choices</h3>{choices}<h3>Readings</h3>{readings}<h3>Paragraph by paragraph</h3>" + (
        f'<p class="note">What each paragraph of a round demands, in our own words.</p>{_paragraphs(rules)}'
    )


def _paragraphs(rules: Rules) -> str:
    book = rules.rulebook
    told = [entry for entry in book.entries.values() if entry.kind == "clause" and _holds(rules, entry)]
    parts = []
    for title, entries in groupby(told, key=lambda entry: _heading(rules, entry)):
        rows = [(_cite(book.cite(entry.paragraph)), escape(entry.words)) for entry in entries]
        parts.append(f"<details><summary>{escape(title)}</summary>{_table(('Paragraph', 'Says'), rows)}</details>")
    return "".join(parts)


def _holds(rules: Rules, entry: Entry) -> bool:
    """Whether something of the entry is in force, or carried by a clause elsewhere."""
    return not entry.clauses or any(in_force(clause, rules.submission) for clause in entry.clauses)


def _heading(rules: Rules, entry: Entry) -> str:
    """The title of the section a paragraph stands in."""
    entries = rules.rulebook.entries
    over = [name for name, head in entries.items() if head.title and _under(entry.paragraph, name)]
    return entries[min(over, key=len)].title if over else "The text"


def _under(paragraph: str, section: str) -> bool:
    return paragraph == section or paragraph.startswith((f"{section}(", f"{section}."))


def _figures(body: Mapping[str, Any]) -> str:
    rows = [
        (figure.label, _figure(figure.form, body[figure.name]), escape(figure.definition)) for figure in shown(body)
    ]
    always = body.get("super_bonus_always_drawn_for")
    if always:
        words = "How often a round would earn it if its cards were always drawn for."
        rows.append(("Super bonus, always drawn for", f"once in {always['once_in']:,.0f}", words))
    return _table(("Figure", "Value", "Definition"), rows, numbers=(1,)) + _ranges(body)


def _ranges(body: Mapping[str, Any]) -> str:
    """Where the return lies after so many rounds."""
    rows = [(f"{row['rounds']:,}", _percent(row["least"]), _percent(row["most"])) for row in body["return_ranges"]]
    return "<h3>Return to player, nine times in ten</h3>" + _table(("Rounds", "From", "To"), rows, numbers=(0, 1, 2))


def _results(body: Mapping[str, Any]) -> str:
    outcomes = _bars("Hands a round", body["outcomes"])
    dealer = _bars("The dealer's final hand, always played out", body["dealer"])
    decisions = _bars("Decisions a round", body["decisions"])
    rows = [
        (
            escape(row["words"]),
            _percent(row["probability"]),
            _once(row["probability"]),
            _percent(row["share"]),
            _cite(row["cite"]),
        )
        for row in body["bonuses"]
    ]
    bonuses = ""
    if rows:
        head = ("Pays above even money", "A round", "Once in", "Adds to the return", "Paragraph")
        bonuses = f"<h3>Bonuses</h3>{_table(head, rows, numbers=(1, 2, 3))}"
    net = _bars(
        "Net result of a round, in original wagers", {row["net"]: row["probability"] for row in body["distribution"]}
    )
    return f'<div class="two">{net}{outcomes}{dealer}{decisions}</div>{_dealer_by_up(body)}{bonuses}'


def _dealer_by_up(body: Mapping[str, Any]) -> str:
    """The dealer's final hand for each up card."""
    finals = list(body["dealer"])
    rows = [(up, *(_percent(row.get(final, 0)) for final in finals)) for up, row in body["dealer_by_up"].items()]
    head = ("Up card", *(final.replace("_", " ") for final in finals))
    numbers = tuple(range(1, len(finals) + 1))
    return f"<h3>The dealer's final hand by up card, always played out</h3>{_table(head, rows, numbers)}"


def _side_wagers(sides: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        (escape(wager["title"]), _percent(wager["edge"]) if wager["edge"] is not None else "not priced",
         f"<code>{wager['fraction'] or ''}</code>", _percent(wager["wins"]), escape(_meaning(wager)),
         _cite(wager["cite"]))
        for wager in sides.values()
    ]  # fmt: skip
    head = ("Wager", "Edge", "As a fraction", "Wins", "Definition", "Paragraph")
    events = "".join(_events(wager) for wager in sides.values() if wager["events"])
    return _table(head, rows, numbers=(1, 3)) + events if rows else "<p>This game has none.</p>"


def _events(wager: Mapping[str, Any]) -> str:
    """All that can become of a side wager."""
    rows = [
        (escape(row["event"]), f"{row['net']:+g}", _percent(row["probability"]), _once(row["probability"]),
         _percent(row["net"] * row["probability"]))
        for row in wager["events"]
    ]  # fmt: skip
    head = ("Event", "Net, in wagers", "Probability", "Once in", "Adds to the return")
    title = f"{escape(wager['title'])}: standard deviation {wager['standard_deviation']:.5f}"
    return f"<details><summary>{title}</summary>{_table(head, rows, numbers=(1, 2, 3, 4))}</details>"


def _meaning(wager: Mapping[str, Any]) -> str:
    even = [f"{words[0].upper()}{words[1:]}." for words in even_words(wager)]
    return " ".join([wager["definition"], *even])


def _strategy(rules: Rules, chart: Worth, optimum: float) -> str:
    return _worth(chart, optimum) + as_html(chart.strategy, rules) + _departures(chart)


def _departures(chart: Worth) -> str:
    """The hands on which the cards themselves decide otherwise."""
    if not chart.departures:
        return ""
    rows = [
        (escape(departure_words(row)), row["up"], row["chart"].replace("_", " "), row["best"].replace("_", " "),
         f"{row['gain'] * 100:.5f}&nbsp;%")
        for row in chart.departures
    ]  # fmt: skip
    table = _table(("Hand", "Up card", "The chart says", "Best", "Gains a round"), rows, numbers=(4,))
    return f"<details><summary>Where the optimum departs from the chart</summary>{table}</details>"


def _worth(chart: Worth, optimum: float | None = None) -> str:
    best = f" (optimum {_percent(optimum)})" if optimum is not None else ""
    return (
        f"<p>House edge of the game played by this chart: <b>{_percent(chart.house_edge)}</b>{best}. Holding a chart in"
        f" place of the best decision on every hand costs {_percent(chart.cost)} of the original wager.</p>"
    )


def _method(rules: Rules, body: Mapping[str, Any]) -> str:
    rows = [(escape(name), f"<code>{escape(number)}</code>") for name, number in body["versions"].items()]
    time = f"<p>The analysis took {body['seconds']} seconds.</p>"
    made = f"<p>{escape(body['method'])}</p>"
    paragraphs = f"{len(rules.rulebook.entries)} paragraphs, all accounted for"
    return made + time + _table(("What", "Version"), [*rows, ("text", escape(paragraphs))])


# -- pieces


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]], numbers: tuple[int, ...] = ()) -> str:
    titles = [escape(title) for title in head]

    def mark(column: int) -> str:
        return ' class="num"' if column in numbers else ""

    def line(row: tuple[str, ...]) -> str:
        cells = (
            f'<td{mark(column)} data-title="{titles[column]}"><div>{cell}</div></td>' if cell else "<td></td>"
            for column, cell in enumerate(row)
        )
        return f"<tr>{''.join(cells)}</tr>"

    top = "".join(f"<th{mark(column)}>{title}</th>" for column, title in enumerate(titles))
    body = "".join(map(line, rows))
    return f'<table class="data rows"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _bars(title: str, table: Mapping[str, float]) -> str:
    if not table:
        return ""
    most = max(table.values()) or 1.0
    lines = "".join(
        f'<tr><td>{escape(name.replace("_", " "))}</td><td class="num">{_percent(chance)}</td>'
        f'<td class="bar"><i style="width:{100 * chance / most:.1f}%"></i></td></tr>'
        for name, chance in table.items()
        if chance
    )
    return f'<div><h3>{escape(title)}</h3><table class="data">{lines}</table></div>'


def _cite(cite: str) -> str:
    return f'<span class="cite">{escape(cite)}</span>'


def _percent(value: float) -> str:
    return f"{value * 100:.4f}&nbsp;%"


def _once(chance: float) -> str:
    if not chance:
        return "never"
    return f"{1 / chance:,.0f}" if chance < 0.1 else f"{1 / chance:.1f}"


def _figure(form: str, value: float) -> str:
    if form == "percent":
        return _percent(value)
    return f"once in {_once(value)}" if form == "chance" else f"{value:.5f}"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "as submitted"
    return "none" if value is None else str(value)
