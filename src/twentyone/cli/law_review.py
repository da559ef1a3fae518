"""`twentyone law review ID --text FILE`: your own copy of a regulation beside ours; approve, object, comment."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import load_rulebook, load_rulebooks, print_json, read_file, say
from twentyone.cli.law import entry_lines
from twentyone.cli.ledgers import or_refused
from twentyone.ledger.keys import Keyring
from twentyone.ledger.law_reviews import add_reviews, read_reviews, signed_line
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.timestamps import moment
from twentyone.rulebook import Rulebook
from twentyone.rulebook.own_text import NotAligned, OwnText, align
from twentyone.rulebook.reviewing import STATES, LawReview, Side, Standing, sides, standing

__all__ = ["review", "signed_coverage"]

COLUMN = 56
"""Characters of each of two columns."""
ALL = "all"
"""Every paragraph of the book."""


@or_refused
def review(options: argparse.Namespace) -> int:
    """List the paragraphs of a copy, show some of them beside ours, or sign what is to be said of them."""
    if options.paragraph is None or options.text is None:
        raise UsageError("`twentyone law review ID` needs --text FILE: your own copy of the regulation")
    book = load_rulebook(options.paragraph)
    beside = sides(book, _copy(options, book))
    chosen = _chosen(book, options.more)
    verdict = "approve" if options.approve else "object" if options.object else "comment" if options.comment else None
    if verdict is not None:
        return _sign(options, book, {paragraph: beside[paragraph] for paragraph in chosen}, verdict)
    stands = _stands(book, beside, _reviews(options) if options.reviews else [])
    if chosen:
        return _show(book, [beside[paragraph] for paragraph in chosen], stands, options.json)
    return _list(book, beside, stands, options)


def _copy(options: argparse.Namespace, book: Rulebook) -> OwnText:
    """The reader's copy, aligned; what no entry has is told."""
    try:
        text = read_file(options.text).decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = wrong.object[: wrong.start].count(b"\n") + 1
        raise NotAligned(f"{options.text}: line {line} is not text in UTF-8") from None
    own = align(text, book.paragraphs, options.text)
    for mark in own.unknown:
        say(
            f"twentyone law review: {options.text}: {mark} is no paragraph of {book.id}; read as part of the one before"
        )
    return own


def _chosen(book: Rulebook, named: list[str]) -> list[str]:
    """The paragraphs that are named."""
    if named == [ALL]:
        return list(book.entries)
    try:
        return [book.entry(paragraph).paragraph for paragraph in named]
    except KeyError as unknown:
        raise UsageError(f"{book.id} has no paragraph {unknown}; `twentyone law {book.id}` lists them") from None


# -- what was signed


def _reviews(options: argparse.Namespace) -> list[LawReview]:
    """The reviews of the file, those of one key where it is named."""
    if not Path(options.reviews).exists():
        raise UsageError(f"{options.reviews}: No such file or directory")
    reviews = read_reviews(options.reviews)
    if options.public_key is None:
        return reviews
    public = PublicKey.load(options.public_key).public.hex()
    others = sum(review.public != public for review in reviews)
    if others:
        say(f"twentyone law: {options.reviews}: {others} reviews are signed with another key and not counted")
    return [review for review in reviews if review.public == public]


def _stands(book: Rulebook, beside: dict[str, Side], reviews: list[LawReview]) -> dict[str, Standing]:
    """Where each paragraph stands."""
    said: dict[str, list[LawReview]] = {}
    for each in reviews:
        if each.rulebook == book.id:
            said.setdefault(each.paragraph, []).append(each)
    return {paragraph: standing(said.get(paragraph, ()), side.parts) for paragraph, side in beside.items()}


def _sign(options: argparse.Namespace, book: Rulebook, chosen: dict[str, Side], verdict: str) -> int:
    """Sign what is to be said of some paragraphs, and add it to the reviewer's file."""
    for name in ("reviews", "key", "by"):
        if getattr(options, name) is None:
            raise UsageError(f"to sign a review, say --reviews FILE, --key FILE and --by NAME; --{name} is missing")
    if not chosen:
        raise UsageError(f'name the paragraphs to sign, as in "{book.paragraphs[-1]}", or `{ALL}`')
    comment = " ".join((options.comment or "").split())
    if verdict == "object" and not comment:
        raise UsageError("an objection says why: --comment TEXT")
    keyring, at = Keyring.load(options.key), int(time.time())
    made = [
        LawReview(book.id, paragraph, verdict, comment, options.by, at, side.parts)
        for paragraph, side in chosen.items()
    ]
    add_reviews(options.reviews, [signed_line(each, keyring) for each in made])
    signed = {"rulebook": book.id, "verdict": verdict, "paragraphs": list(chosen), "by": options.by, "key": keyring.id}
    if options.json:
        print_json({**signed, "reviews": options.reviews})
    else:
        print(f"{options.reviews}: {verdict}, {len(chosen)} paragraphs of {book.id}, signed by {options.by}")
    return DONE


# -- lists


def _list(book: Rulebook, beside: dict[str, Side], stands: dict[str, Standing], options: argparse.Namespace) -> int:
    if options.json:
        rows = [{**_row(side), **_stood(stands[side.entry.paragraph])} for side in beside.values()]
        print_json({"rulebook": book.id, "aligned": len(beside), "paragraphs": rows})
    else:
        width = max(map(len, beside))
        for paragraph, side in beside.items():
            line = side.passage.line if side.passage else 0
            print(f"{paragraph:{width}}  line {line:<5} {side.entry.kind:12}  {_told(stands[paragraph])}")
        print(f"\n{book.id}: {len(beside)} of {len(book.paragraphs)} paragraphs aligned; {_counted(stands)}")
    return _status([stands])


def _row(side: Side) -> dict[str, Any]:
    line = side.passage.line if side.passage else None
    return {"paragraph": side.entry.paragraph, "line": line, "kind": side.entry.kind}


def _stood(stand: Standing) -> dict[str, Any]:
    said = [
        {
            "verdict": each.verdict,
            "by": each.by,
            "at": moment(each.at),
            "comment": each.comment,
            "public": each.public,
            "changed": since,
        }
        for each, since in stand.said
    ]
    return {"state": stand.state, "reviews": said}


def _told(stand: Standing) -> str:
    """Where a paragraph stands, in one line."""
    said = [
        f"{each.verdict} by {each.by}, {moment(each.at)[:10]}"
        + (f", changed since: {', '.join(since)}" if since else "")
        + (f" ({each.comment})" if each.comment else "")
        for each, since in stand.said
    ]
    return "; ".join([stand.state.upper() if stand.state in ("stale", "objected") else stand.state, *said])


def _counted(stands: dict[str, Standing]) -> str:
    counts = Counter(stand.state for stand in stands.values())
    return ", ".join(f"{counts[state]} {state}" for state in STATES)


def _status(books: Iterable[dict[str, Standing]]) -> int:
    wrong = any(stand.state in ("stale", "objected") for stands in books for stand in stands.values())
    return FOUND_WRONG if wrong else DONE


# -- paragraphs beside the copy


def _show(book: Rulebook, chosen: list[Side], stands: dict[str, Standing], as_json: bool) -> int:
    if as_json:
        rows = [{**_full(side), **_stood(stands[side.entry.paragraph])} for side in chosen]
        print_json({"rulebook": book.id, "paragraphs": rows})
    else:
        shown = ["\n".join(_lines(book, side, stands[side.entry.paragraph])) for side in chosen]
        print(f"\n\n{'=' * 2 * COLUMN}\n".join(shown))
    return DONE


def _full(side: Side) -> dict[str, Any]:
    clauses = [{"paragraph": paragraph, "clause": key, "terms": terms} for paragraph, key, terms in side.terms]
    return {
        **_row(side),
        "text": side.passage.text if side.passage else None,
        "words": side.entry.words,
        "clauses": clauses,
        "functions": side.functions,
        "scripts": side.scripts,
        "readings": side.readings,
    }


def _lines(book: Rulebook, side: Side, stand: Standing) -> Iterator[str]:
    """The copy and our words side by side, then everything else that is ours."""
    head, _, *_ = ours = list(entry_lines(book, side.entry, side.scripts))
    yield head
    yield ""
    yield from _columns(f"your copy, line {side.passage.line}" if side.passage else "", "our words")
    yield from _columns("-" * COLUMN, "-" * COLUMN)
    yield from _columns(side.passage.text if side.passage else "", side.entry.words)
    yield from ours[3:]
    for paragraph, key, terms in side.terms:
        if paragraph != side.entry.paragraph:
            yield f"    {key} under {paragraph}: {', '.join(f'{name} = {value}' for name, value in terms.items())}"
    yield ""
    yield f"  review: {_told(stand)}"


def _columns(left: str, right: str) -> Iterator[str]:
    rows = zip_longest(
        *([line for part in side.split("\n\n") for line in wrap(part, COLUMN)] for side in (left, right))
    )
    return (f"{one or '':{COLUMN}}  {other or ''}".rstrip() for one, other in rows)


# -- coverage


@or_refused
def signed_coverage(options: argparse.Namespace) -> int:
    """Where each paragraph of all regulations, or of one, stands with the reviews of a file."""
    if options.reviews is None:
        raise UsageError("--signed needs --reviews FILE: the file that reviews were signed into")
    if options.text is not None and options.paragraph is None:
        raise UsageError("name the rulebook whose text --text is")
    named = options.paragraph
    books = [load_rulebook(named)] if named else [book for book in load_rulebooks() if book.regulation]
    reviews = _reviews(options)
    stood = {
        book.id: _stands(book, sides(book, _copy(options, book) if options.text else None), reviews) for book in books
    }
    if options.json:
        rows = {name: {paragraph: _stood(each) for paragraph, each in stands.items()} for name, stands in stood.items()}
        print_json({"text_compared": options.text is not None, "rulebooks": rows})
    else:
        _print_stood(stood, options.text is not None)
    return _status(stood.values())


def _print_stood(stood: dict[str, dict[str, Standing]], compared: bool) -> None:
    for name, stands in stood.items():
        width = max(map(len, stands))
        print(name)
        for paragraph, stand in stands.items():
            print(f"  {paragraph:{width}}  {_told(stand)}")
        print()
    print(f"{'rulebook':26}{'all':>6}" + "".join(f"{state:>10}" for state in STATES))
    for name, stands in stood.items():
        counts = Counter(stand.state for stand in stands.values())
        print(f"{name:26}{len(stands):>6}" + "".join(f"{counts[state]:>10}" for state in STATES))
    if not compared:
        print("\nWithout --text FILE the text is not compared: whether it changed is not known.")
