"""`twentyone law diff A B`: two laws held against each other, paragraph by paragraph, with rounds and price."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, REFUSED, UsageError
from twentyone.cli.common import print_json, read_amendment, say
from twentyone.cli.extras import needs
from twentyone.cli.progress import progress
from twentyone.cli.running import note_game
from twentyone.cli.submissions import read_table
from twentyone.errors import NoSuchRulebook, TwentyoneError
from twentyone.rulebook import rulebook_ids

if TYPE_CHECKING:
    from twentyone.redline import DealtRounds, Redline, Version
    from twentyone.redline.price import RedlinePrice

__all__ = ["DIFF_OPTIONS", "add_options", "run_diff"]

DIFF_OPTIONS = ("submission", "other_submission", "price", "html", "all")
"""What belongs to `law diff` alone."""
WIDE = 100
"""So many letters of a paragraph's words are printed."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the second law, and what is said of two."""
    group = parser.add_argument_group("two laws (`twentyone law diff A B`)")
    group.add_argument("--submission", metavar="FILE", help="a Rules Submission (TOML) for A")
    group.add_argument("--other-submission", metavar="FILE", help="a Rules Submission (TOML) for B")
    group.add_argument("--price", action="store_true", help="also the house edges, and that of each change alone")
    group.add_argument("--html", metavar="FILE", help="write a redline: one self-contained HTML file")
    group.add_argument("--all", action="store_true", help="also print what is the same")


@needs("odds")
def run_diff(options: argparse.Namespace) -> int:
    """Print the difference, or write it."""
    from twentyone.redline import as_page, compare, deal_both

    if options.paragraph is None or len(options.more) != 1:
        raise UsageError(
            "`twentyone law diff` needs two laws: an id, ID@DATE, a folder, or a file that amends the first"
        )
    try:
        left = _version(options.paragraph, options.submission, None)
        right = _version(options.more[0], options.other_submission, left)
        for version in (left, right):
            note_game(version.rules)
        redline, rounds = compare(left, right), deal_both(left, right)
        worth = _price(redline) if options.price else None
    except TwentyoneError as refused:
        say(f"twentyone law diff: {refused}")
        return REFUSED
    if options.html:
        from twentyone.cli.writing import write_file

        write_file(options.html, as_page(redline, rounds, worth).encode())
    if options.json:
        print_json({**redline.body(), "rounds": rounds.body(), "price": worth.body() if worth else None})
    else:
        print("\n".join(_lines(redline, rounds, worth, options.all)))
    return DONE


def _price(redline: Redline) -> RedlinePrice:
    from twentyone.redline.price import price

    with progress("price of the difference") as share:
        return price(redline, share)


# -- which laws


def _version(word: str, submission: str | None, first: Version | None) -> Version:
    """The law that an argument names."""
    from twentyone.redline import amended_version, folder_version, named_version

    given = None if submission is None else _given(submission, word)
    path = Path(word)
    if word.partition("@")[0] in rulebook_ids() or not path.exists():
        try:
            return named_version(word, given)
        except NoSuchRulebook as unknown:
            raise UsageError(str(unknown)) from None
    if path.is_dir():
        return folder_version(path, given)
    if first is None:
        raise UsageError(f"{word} is a file: a file that amends a law stands behind it, `twentyone law diff ID {word}`")
    return amended_version(first, read_amendment(word), word, given)


def _given(submission: str, word: str) -> dict[str, Any]:
    try:
        body = read_table(submission)
    except ValueError as wrong:
        raise TwentyoneError(str(wrong)) from None
    named, book = body.pop("rulebook", None), word.partition("@")[0]
    if named is not None and book in rulebook_ids() and named != book:
        raise TwentyoneError(f"{submission} is a submission for {named}, not for {book}")
    return body


# -- for a person


def _lines(redline: Redline, rounds: DealtRounds, worth: RedlinePrice | None, everything: bool) -> Iterator[str]:
    left, right = redline.left, redline.right
    yield f"A  {left.name}: {left.book.full_title} ({left.book.source})"
    yield f"B  {right.name}: {right.book.full_title} ({right.book.source})"
    counts = redline.counts
    yield (
        f"   {counts['same']} paragraphs the same in every clause, {counts['words']} in words only, "
        f"{counts['changed']} changed, {counts['only_left']} only in A, {counts['only_right']} only in B"
    )
    yield from _listed("choices", [f"{row.field}: {row.left} | {row.right}" for row in redline.choices])
    yield from _listed("order", [f"{row.field}: {row.left} | {row.right}" for row in redline.head])
    yield from _changed(redline)
    for status, title in TITLES.items():
        if everything or status.startswith("only"):
            rows = [row for row in redline.rows if row.status == status]
            yield from _listed(title, [_paragraph_line(row) for row in rows])
    yield from _round_lines(rounds)
    if worth is not None:
        yield from _price_lines(worth)


TITLES = {
    "only_left": "only in A",
    "only_right": "only in B",
    "words": "in words only",
    "same": "the same in every clause",
}


def _listed(title: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield f"\n{title}"
        yield from (f"  {row}" for row in rows)


def _cites(row: Any) -> str:
    sides = [", ".join(entry.paragraph for entry in side) for side in (row.left, row.right)]
    return " | ".join(sides) if all(sides) else "".join(sides)


def _paragraph_line(row: Any) -> str:
    words = " ".join(entry.words for entry in row.left or row.right)
    return f"{_cites(row):24}  {words if len(words) <= WIDE else words[: WIDE - 3] + '...'}"


def _changed(redline: Redline) -> Iterator[str]:
    rows = [row for row in redline.rows if row.status == "changed"]
    if rows:
        yield "\nchanged (A | B)"
    for row in rows:
        yield f"  {_cites(row)}"
        for provision in row.provisions:
            if provision.status not in ("same", "words") and not provision.again:
                yield from _provision_lines(provision)


def _provision_lines(provision: Any) -> Iterator[str]:
    here = {"only_left": " (only in A)", "only_right": " (only in B)"}.get(provision.status, "")
    places = [clause.paragraph for clause in (provision.left, provision.right) if clause is not None]
    yield f"    {provision.key}{here}: {' | '.join(dict.fromkeys(places))}"
    for change in provision.changes:
        if provision.status != "changed":
            yield f"      {change.field}: {change.left or change.right}"
        elif not change.words:
            yield f"      {change.field}: {change.left} | {change.right}"


def _round_lines(rounds: DealtRounds) -> Iterator[str]:
    played = [pair for pair in rounds.pairs if pair.dealt]
    refused = [pair for pair in rounds.pairs if not pair.dealt]
    yield (
        f"\nrounds: {rounds.dealt} law scripts dealt under both, {len(played)} end otherwise, "
        f"{len(refused)} are refused by one"
    )
    for pair in (*played, *refused):
        yield f"  {pair.script}"
        yield f"    {pair.title}"
        for name, verdict in (("A", pair.left), ("B", pair.right)):
            yield f"    {name}  {_result_words(verdict)}"


def _result_words(verdict: Any) -> str:
    if verdict.result is None:
        return f"refused: {verdict.error}"
    hands = ", ".join(f"box {hand['box']}.{hand['hand']} {hand['outcome']}" for hand in verdict.result["hands"])
    net = ", ".join(f"{player} {amount}" for player, amount in verdict.result["net"].items())
    return f"{'void; ' if verdict.result['void'] else ''}{hands}; net {net}"


def _price_lines(worth: RedlinePrice) -> Iterator[str]:
    from twentyone.cli.odds import percent

    yield f"\nprice: house edge {percent(worth.left.house_edge)} | {percent(worth.right.house_edge)}, "
    yield f"  difference {worth.difference:+.15f} ({percent(worth.difference)})"
    moved = [row for row in worth.clauses if row.effect or row.effect is None]
    for row in moved:
        effect = "-" if row.effect is None else f"{row.effect:+.15f}"
        yield f"  {row.key:24} {row.left or row.right:34} {effect:>20} {row.note}"
    if worth.clauses:
        yield f"  {len(worth.clauses) - len(moved)} other changed clauses alone change nothing"
        yield f"  the changes together, beyond the sum of each alone: {worth.interplay:+.15f}"
    for name, (one, two) in worth.sides.items():
        yield f"  {name.replace('_', ' ')}: {' | '.join('-' if edge is None else percent(edge) for edge in (one, two))}"
