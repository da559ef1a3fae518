"""The layout of each rulebook, item by item, under every submission that changes it; `make golden` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.golden.transcripts import FOLDER

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import LayoutItem
from twentyone.table.layout import layout

__all__ = ["layout_log"]


def submissions(book: Rulebook) -> Iterator[dict[str, Any]]:
    """No choice at all, the showcase, and one submission for each condition and each value that is shown."""
    yield {}
    yield dict(book.showcase)
    seen: list[dict[str, Any]] = []
    for clause in book.clauses:
        if isinstance(clause, LayoutItem):
            wanted = {key: value[0] if isinstance(value, list) else value for key, value in clause.when.items()}
            given = {**wanted, **({clause.shows: "25"} if clause.shows else {})}
            if given and given not in seen:
                seen.append(given)
                yield given


def layout_log(name: str) -> str:
    """What the layout shows, under each submission."""
    book = Rulebook.load(name)
    lines = []
    for given in submissions(book):
        lines.append(f"== {given or 'no choice'}")
        for item in layout(book.under(given)).as_json()["items"]:
            lines.append("; ".join(f"{key} {value}" for key, value in item.items() if value not in ("", None)))
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    for rulebook in rulebook_ids():
        (FOLDER / f"layout-{rulebook}.txt").write_text(layout_log(rulebook), encoding="utf-8")
