"""`twentyone law due`: which texts begin and end, and which tables, signs and charts that touches."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from twentyone.cli import DONE
from twentyone.cli.common import load_rulebooks, print_json, wrapped
from twentyone.cli.ledgers import open_ledger, or_refused
from twentyone.errors import RulebookError
from twentyone.rulebook import Edition, Editions, Rulebook, Rules, editions_of
from twentyone.rulebook.editions import day_of
from twentyone.rulebook.in_time import later_editions

__all__ = ["tell_due"]

PLACE = re.compile(r"'place': '[^']*'")
Row = dict[str, Any]


@or_refused
def tell_due(options: argparse.Namespace) -> int:
    """Tell what is due from a day on; with a ledger, at which of its tables."""
    day = f"{datetime.now(UTC):%Y-%m-%d}" if options.at is None else day_of(options.at)
    wanted = options.paragraph
    books = [book for book in load_rulebooks() if wanted in (None, book.id)]
    if wanted is not None and not books:
        Rulebook.load(wanted)
    tables = _tables(options.ledger) if options.ledger is not None else {}
    found = {
        "day": day,
        "texts": [_text(editions_of(book.id), day) for book in books],
        "due": [row for book in books for row in _due(book, tables, day)],
    }
    if options.json:
        print_json(found, run=False)
    else:
        print("\n".join(_lines(found)))
    return DONE


def _tables(ledger: str) -> dict[str, Rules]:
    """The tables of a ledger, and the rules that each is played under by now."""
    from twentyone.ledger.replaying import RulesInForce
    from twentyone.ledger.store import table_streams

    with open_ledger(ledger) as store:
        known = RulesInForce(store)
        return {name: known.at(name, store.version(name)) for name in table_streams(store)}


def _text(editions: Editions, day: str) -> Row:
    """What is law of a book on a day, as far as we know."""
    edition = editions.latest(day)
    known = None if edition is None else edition.to_json()
    return {"rulebook": editions.book, "law": known, "undated": editions.undated or None}


def _due(book: Rulebook, tables: dict[str, Rules], day: str) -> Iterator[Row]:
    """The texts of a book that begin after a day, and those that a table has not taken up yet."""
    own = {name: rules for name, rules in tables.items() if rules.rulebook.id == book.id}
    editions = editions_of(book.id)
    for edition in editions.all:
        behind = {
            name: rules for name, rules in own.items() if edition in later_editions(rules.rulebook, edition.begins)
        }
        if edition.begins > day or behind:
            yield _edition(book, editions, edition, behind)


def _edition(book: Rulebook, editions: Editions, edition: Edition, behind: dict[str, Rules]) -> Row:
    before = next((other for other in reversed(editions.all) if other.begins < edition.begins), None)
    row = {"rulebook": book.id, **edition.to_json(), "ends": None if before is None else before.to_json()}
    tables = [{"table": name, **_table(rules, edition)} for name, rules in behind.items()]
    try:
        new = Rulebook.load(book.id, at=edition.begins)
    except RulebookError as fault:
        return {**row, "fault": str(fault), "changes": [], "signs": [], "chart": None, "tables": tables}
    old = _before(book, before)
    return {**row, "fault": None, "changes": _changes(old, new), **_touched(old.under(), new.under()), "tables": tables}


def _before(book: Rulebook, edition: Edition | None) -> Rulebook:
    """The text that ends: the book's own files where it has no date, or is not held."""
    return Rulebook.load(book.id, at=edition.begins if edition is not None and edition.held else None)


def _changes(old: Rulebook, new: Rulebook) -> list[Row]:
    """The paragraphs whose entry is another, is new, or is gone."""
    told = [
        (one, "inserted" if one not in old.entries else "substituted")
        for one, entry in new.entries.items()
        if one not in old.entries or (entry.words, entry.notes, entry.fence) != _said(old, one)
    ]
    gone = [(one, "repealed") for one in old.entries if one not in new.entries]
    return [{"cite": new.cite(one), "change": change} for one, change in (*told, *gone)]


def _said(book: Rulebook, paragraph: str) -> tuple[object, ...]:
    entry = book.entries[paragraph]
    return entry.words, entry.notes, entry.fence


def _table(rules: Rules, edition: Edition) -> Row:
    """What a text does to a table: whether its submission stays allowed, its signs and its chart."""
    from twentyone.ledger.law_in_force import law_due

    due = law_due(rules, edition.begins)
    text = {"law": rules.rulebook.edition or None}
    if due is None or due.rules is None or due.refused is not None:
        refused = due.refused if due is not None else None
        why = {"why": refused.why, "cite": refused.cite or None} if refused is not None else {"why": None, "cite": None}
        return {**text, "allowed": False, **why, "signs": [], "chart": None}
    return {**text, "allowed": True, "why": None, "cite": None, **_touched(rules, due.rules)}


def _touched(old: Rules, new: Rules) -> Row:
    """What the table shows otherwise, and whether its chart is to be made again."""
    shown = [_shown(rules) for rules in (old, new)]
    rows = [{"text": text, "cite": cite, "shown": "new"} for text, cite in sorted(shown[1] - shown[0])]
    rows += [{"text": text, "cite": cite, "shown": "no more"} for text, cite in sorted(shown[0] - shown[1])]
    return {"signs": rows, "chart": _play(old) != _play(new)}


def _shown(rules: Rules) -> set[tuple[str, str]]:
    """What a table has to show, each with its paragraph."""
    from twentyone.table.layout import layout

    made = layout(rules)
    return {(item.text, item.cite) for item in made.items} | {(payout.text, payout.cite) for payout in made.odds}


def _play(rules: Rules) -> str:
    """What a plain round reads of the rules, wherever the fences stand that say it."""
    from twentyone.odds.prices import play_of

    return PLACE.sub("", repr(play_of(rules)))


# -- words


def _lines(found: Row) -> Iterator[str]:
    yield f"What is law on {found['day']}, as far as these rulebooks know"
    for text in found["texts"]:
        yield f"  {text['rulebook']:26} {_law(text)}"
    yield ""
    if not found["due"]:
        yield "Nothing is due: no later text is entered, and no table is behind"
    for row in found["due"]:
        yield from _told(row)


def _law(text: Row) -> str:
    if text["law"] is None:
        return f"no date: {text['undated']}" if text["undated"] else "not yet law, or no date is entered"
    held = "held" if text["law"]["held"] else "not held"
    return f"the text of {text['law']['begins']} ({text['law']['source']}), {held}"


def _told(row: Row) -> Iterator[str]:
    ends = f"; that of {row['ends']['begins']} ends" if row["ends"] is not None else ""
    yield f"{row['rulebook']}: the text of {row['begins']} begins ({row['source']}){ends}"
    if row["paragraphs"] and not row["changes"]:
        yield f"    touches      {', '.join(row['paragraphs'])}"
    if row["fault"] is not None:
        yield wrapped(row["fault"], "    ")
    for change in row["changes"]:
        yield f"    {change['change']:12} {change['cite']}"
    yield from _signs(row, "    ")
    for table in row["tables"]:
        yield f"  table {table['table']}: {_state(table)}"
        yield from _signs(table, "      ")


def _state(table: Row) -> str:
    if table["allowed"]:
        return "takes it up with its next shoe"
    cite = f" ({table['cite']})" if table["cite"] else ""
    return f"closes, because {table['why']}{cite}"


def _signs(row: Row, indent: str) -> Iterator[str]:
    for sign in row["signs"]:
        yield f"{indent}{sign['shown']:12} {sign['text']} ({sign['cite']})"
    if row["chart"]:
        yield f"{indent}chart        the best play may be another: make the chart again"
