"""Strategies as files: JSON `strategy/1` and CSV, there and back."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from typing import Any

from twentyone.errors import NotAScript
from twentyone.rulebook import Rules
from twentyone.strategy.cells import Cell
from twentyone.strategy.chart_cells import CellKey
from twentyone.strategy.situation import PHASES, UPS
from twentyone.strategy.spreadsheets import as_text, text_of
from twentyone.strategy.strategy import Strategy

__all__ = ["charts_of", "from_csv", "from_json", "read_strategy", "strategy_hash", "to_csv", "to_json"]

FORMAT = "strategy/1"
"""The name of the format."""

NONE = "."
"""Stands where a chart has no cell."""

MARK = "\ufeff"
"""The byte-order mark that spreadsheets put first."""

SEPARATOR = re.compile(rf'\s*"?{FORMAT}"?\s*([,;\t])')
"""The beginning of a CSV text: a comma, a semicolon or a tab separates its columns, as the spreadsheet has it."""

HANDS = ("hard", "soft", "pairs")
KEYS = ("format", "rulebook", "title", "made", "submission", "charts", "insurance", "run")
CHART_KEYS = ("phase", "hole", "hand", "rows")


def read_strategy(content: str | bytes, rules: Rules) -> Strategy:
    """A strategy from a file in JSON or CSV, refused where it is none for these rules."""
    text = (content if isinstance(content, str) else _decoded(content)).removeprefix(MARK)
    strategy = from_json(text) if text.lstrip().startswith("{") else from_csv(text)
    return strategy.check(rules)


def _decoded(content: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 if it begins with the byte-order mark that spreadsheets write."""
    try:
        return content.decode("utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8")
    except UnicodeDecodeError as wrong:
        raise NotAScript("strategy", f"this is not text: {wrong}") from None


def strategy_hash(strategy: Strategy) -> str:
    """The hash of all that a strategy decides: the same from JSON and CSV, whatever its title and its origin."""
    charts = sorted([*chart, sorted(rows.items())] for chart, rows in charts_of(strategy).items())
    taken = sorted(name for name, wanted in strategy.insurance.items() if wanted)
    decided = json.dumps([strategy.rulebook, charts, taken])
    return hashlib.sha256(decided.encode()).hexdigest()


# -- JSON


def to_json(strategy: Strategy) -> str:
    """The strategy as JSON text."""
    body = {
        "format": FORMAT,
        "rulebook": strategy.rulebook,
        "title": strategy.title,
        "made": strategy.made,
        "submission": dict(strategy.submission),
        "charts": [
            {"phase": phase, "hole": hole, "hand": hand, "rows": {row: " ".join(cells) for row, cells in rows.items()}}
            for (phase, hole, hand), rows in charts_of(strategy).items()
        ],
        "insurance": dict(strategy.insurance),
    }
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Strategy:
    """The strategy that a JSON text describes."""
    try:
        body = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise NotAScript("strategy", f"this is not JSON: {wrong}") from None
    except (ValueError, RecursionError):
        raise NotAScript("strategy", "a number is too long, or tables lie too deep in each other") from None
    _want(isinstance(body, dict) and body.get("format") == FORMAT, "format", f"{FORMAT!r} belongs here")
    for key in body:
        _want(key in KEYS, key, "there is no such key in a strategy")
    charts = body.get("charts")
    _want(isinstance(charts, list), "charts", "a list of charts belongs here")
    cells: dict[CellKey, Cell] = {}
    for number, chart in enumerate(charts):
        _read_chart(chart, f"charts[{number}]", cells)
    return Strategy(
        rulebook=_text(body, "rulebook"),
        cells=cells,
        insurance=_insurance(body.get("insurance", {})),
        title=_text(body, "title", ""),
        made=_text(body, "made", ""),
        submission=_table(body.get("submission", {}), "submission"),
    )


def _read_chart(chart: Any, where: str, cells: dict[CellKey, Cell]) -> None:
    table = _table(chart, where)
    for key in table:
        _want(key in CHART_KEYS, f"{where}.{key}", "there is no such key in a chart")
    phase, hole, hand = (_text(table, key, "" if key == "hole" else None, where) for key in CHART_KEYS[:3])
    for row, line in _table(table.get("rows"), f"{where}.rows").items():
        _want(isinstance(line, str), f"{where}.rows.{row}", "a line of cells belongs here")
        _read_row(CellKey(phase, hole, hand, row, ""), line.split(), f"{where}.rows.{row}", cells)


def _read_row(start: CellKey, words: list[str], where: str, cells: dict[CellKey, Cell]) -> None:
    _want(start.phase in PHASES and start.phase != "insurance", where, f"there is no phase {start.phase!r}")
    _want(start.hand in HANDS, where, f"a hand is one of {', '.join(HANDS)}, not {start.hand!r}")
    known = start.row in UPS if start.hand == "pairs" else start.row.isdecimal()
    _want(known, where, f"{start.row!r} is no row of a chart of {start.hand} hands")
    _want(len(words) == len(UPS), where, f"{len(words)} cells, but one for each of {' '.join(UPS)} belongs here")
    for up, word in zip(UPS, words, strict=True):
        if word == NONE:
            continue
        key = start._replace(up=up)
        _want(key not in cells, where, f"the cell for {key} stands there twice")
        try:
            cells[key] = Cell.parse(word)
        except ValueError as wrong:
            raise NotAScript(where, f"against {up}: {wrong}") from None


def _insurance(body: Any) -> dict[str, bool]:
    table = _table(body, "insurance")
    for name, taken in table.items():
        _want(name in ("insure", "even_money"), f"insurance.{name}", "insure or even_money belongs here")
        _want(isinstance(taken, bool), f"insurance.{name}", "true or false belongs here")
    return table


def _want(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise NotAScript(where, why)


def _table(body: Any, where: str) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise NotAScript(where, "a table belongs here")
    return body


def _text(body: Mapping[str, Any], key: str, default: str | None = None, where: str = "") -> str:
    value = body.get(key, default)
    if not isinstance(value, str):
        raise NotAScript(f"{where}.{key}".lstrip("."), "text belongs here")
    return value


def charts_of(strategy: Strategy) -> dict[tuple[str, str, str], dict[str, list[str]]]:
    """Chart (phase, hole, hand) to row to its cells as text, in the order of a printed page."""
    charts: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    holes = list(dict.fromkeys(key.hole for key in strategy.cells))
    for key in sorted(strategy.cells, key=lambda key: _order(key, holes)):
        row = charts.setdefault(key[:3], {}).setdefault(key.row, [NONE] * len(UPS))
        row[UPS.index(key.up)] = str(strategy.cells[key])
    return charts


def _order(key: CellKey, holes: list[str]) -> tuple[int, ...]:
    row = UPS.index(key.row) if key.hand == "pairs" else int(key.row)
    return PHASES.index(key.phase), holes.index(key.hole), HANDS.index(key.hand), row


# -- CSV


def to_csv(strategy: Strategy) -> str:
    """The strategy as CSV text: a head, the insurance rule, then a line a row of the charts."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    title, made = as_text(strategy.title), as_text(strategy.made)
    write([FORMAT, strategy.rulebook, title, made, json.dumps(dict(strategy.submission))])
    for name, taken in strategy.insurance.items():
        write(["insurance", name, "yes" if taken else "no"])
    write(["phase", "hole", "hand", "row", *UPS])
    for (phase, hole, hand), rows in charts_of(strategy).items():
        for row, cells in rows.items():
            write([phase, hole, hand, row, *cells])
    return out.getvalue()


def from_csv(text: str) -> Strategy:
    """The strategy that a CSV text describes; what a spreadsheet adds to it is left out."""
    found = SEPARATOR.match(text)
    try:
        rows = csv.reader(io.StringIO(text, newline=None), delimiter=found[1] if found else ",")
        lines = [line for line in map(_unpadded, rows) if line]
    except csv.Error as wrong:
        raise NotAScript("strategy", f"this is not CSV: {wrong}") from None
    head = (lines[0] if lines else []) + [""] * 5
    _want(head[0] == FORMAT, "line 1", f"{FORMAT!r} belongs first")
    cells: dict[CellKey, Cell] = {}
    insurance: dict[str, Any] = {}
    for number, line in enumerate(lines[1:], 2):
        if line[0] == "insurance" and len(line) == 3:
            insurance[line[1]] = {"yes": True, "no": False}.get(line[2], line[2])
        elif line[0] != "phase":
            _want(len(line) == 4 + len(UPS), f"line {number}", f"{4 + len(UPS)} columns belong here")
            _read_row(CellKey(line[0], line[1], line[2], line[3], ""), line[4:], f"line {number}", cells)
    return Strategy(head[1], cells, _insurance(insurance), text_of(head[2]), text_of(head[3]), _submission(head[4]))


def _unpadded(line: list[str]) -> list[str]:
    """The cells of a line without the spaces around them, and without the empty ones at its end."""
    cells = [cell.strip() for cell in line]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _submission(text: str) -> dict[str, Any]:
    try:
        return _table(json.loads(text or "{}"), "submission")
    except (ValueError, RecursionError):
        raise NotAScript("line 1", "the submission is not JSON") from None
