"""`twentyone law`: what a paragraph requires, its clause, the function that implements it, the tests that check it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from twentyone.cli import DONE, FOUND_WRONG, USAGE, UsageError
from twentyone.cli.common import add_at, load_rulebook, load_rulebooks, print_json, say, wrapped
from twentyone.cli.law_diff import DIFF_OPTIONS, add_options, run_diff
from twentyone.cli.law_new import write_new_book
from twentyone.rulebook import Entry, Rulebook
from twentyone.rulebook.coverage import (
    carriers_of,
    coverage,
    holders,
    in_full,
    in_short,
    not_held,
    readings_of,
    scripts_by_paragraph,
    tests_of,
)

__all__ = ["add_parser", "entry_lines", "readings_of", "run"]

EXAMPLE = """examples:
  twentyone law pa-spanish-21                   list the paragraphs
  twentyone law pa-spanish-21 "635a.10(d)"      one paragraph: entry, clause, function, tests, readings
  twentyone law pa-spanish-21 635a.8 --at 2020-01-01   the text that was law on a day
  twentyone law --search rescue                 paragraphs whose entry contains a word
  twentyone law coverage [RULEBOOK] [--json]    how every paragraph is accounted for, and what holds it
  twentyone law coverage pa-spanish-21 --signed --reviews me.jsonl --text copy.txt
                                                which paragraphs are approved as they are now
  twentyone law review pa-spanish-21 --text copy.txt                  your copy of the regulation, aligned
  twentyone law review pa-spanish-21 "635a.10(d)" --text copy.txt     one paragraph of it beside ours
  twentyone law review pa-spanish-21 "635a.10(d)" --text copy.txt --approve --reviews me.jsonl --key me.key --by Ann
  twentyone law test pa-spanish-21              run the law scripts of a book (exit 1: one fails)
  twentyone law due --ledger t.db --json        which texts begin and end: tables, signs and charts they touch
  twentyone law diff pa-spanish-21 md-spanish-21 [--price] [--html redline.html]   two laws, paragraph by paragraph
  twentyone law diff pa-spanish-21 changed.md   the same of a book and of fences changed by hand
  twentyone law new my-game --title "My Game"   a new rulebook that loads and plays: a copy to edit

Your own rulebooks are read from the folder named by the environment variable TWENTYONE_RULEBOOKS."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "law",
        help="what a paragraph requires, and what implements it",
        description="What each paragraph of a rulebook requires, in our own words, and what implements it.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "rulebook", nargs="?", help="a rulebook's id, or `coverage`, `diff`, `due`, `review`, `test`, `new`"
    )
    parser.add_argument("paragraph", nargs="?", help='a paragraph, as in "635a.10(d)"; after one of those words an id')
    parser.add_argument(
        "more",
        nargs="*",
        help="after `diff A` another law: an id, ID@DATE, a folder, a file that amends A; after "
        "`review ID` paragraphs, or `all`",
    )
    parser.add_argument("--search", metavar="TEXT", help="search the entries")
    add_options(parser)
    add_at(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    due = parser.add_argument_group("what is due (`twentyone law due [ID]`)")
    due.add_argument("--ledger", metavar="F", help="also tell which of its tables that touches, and which it closes")
    new = parser.add_argument_group("a new rulebook (`twentyone law new ID`)")
    new.add_argument("--like", metavar="RULEBOOK", help="the rulebook to copy (our own Blackjack)")
    new.add_argument("--folder", metavar="DIR", help="the folder for it ($TWENTYONE_RULEBOOKS, else ./rulebooks)")
    new.add_argument("--title", help="the name of the game (its id)")
    _add_review(parser)
    parser.set_defaults(run=run)


def _add_review(parser: argparse.ArgumentParser) -> None:
    """Add the options for the reader's own copy, and for what he signs."""
    own = parser.add_argument_group("your own copy of the text (`twentyone law review ID`, `law coverage --signed`)")
    own.add_argument("--text", metavar="FILE", help="the regulation as plain text; it is read and kept nowhere")
    own.add_argument("--reviews", metavar="FILE", help="your signed reviews, one per line")
    own.add_argument("--public-key", metavar="FILE", help="count only reviews that this key signed")
    own.add_argument("--signed", action="store_true", help="after `coverage`: which paragraphs are approved")
    verdict = own.add_mutually_exclusive_group()
    verdict.add_argument("--approve", action="store_true", help="sign that ours says what the text says")
    verdict.add_argument("--object", action="store_true", help="sign that it does not; --comment says why")
    own.add_argument("--comment", metavar="TEXT", help="what is to be said of the paragraphs")
    own.add_argument("--key", metavar="FILE", help="your key (`twentyone key new` makes one)")
    own.add_argument("--by", metavar="NAME", help="your name")


COPY = ("text", "reviews", "public_key")
"""The reader's own copy, and what he signed."""
OWN: dict[str, tuple[str, tuple[str, ...]]] = {
    **dict.fromkeys(("like", "folder", "title"), ("new ID", ("new",))),
    **dict.fromkeys(("ledger",), ("due", ("due",))),
    **dict.fromkeys(DIFF_OPTIONS, ("diff A B", ("diff",))),
    **dict.fromkeys(("approve", "object", "comment", "key", "by"), ("review ID", ("review",))),
    **dict.fromkeys(COPY, ("review ID", ("review", "coverage"))),
    "signed": ("coverage", ("coverage",)),
    "more": ("diff A B` or `twentyone law review ID", ("diff", "review")),
}
"""Options that belong to one question: how it is asked, and the words that may stand in the place of an id."""


def run(options: argparse.Namespace) -> int:
    """Answer one of the questions, or write a new rulebook."""
    _check_options(options)
    if options.rulebook in WORDS:
        return WORDS[options.rulebook](options)
    if options.search is not None:
        return _search(options.search, options.rulebook, options.json)
    if options.rulebook is None:
        return _books(options.json)
    book = load_rulebook(options.rulebook)
    return _list(book, options.json) if options.paragraph is None else _show(book, options.paragraph, options.json)


def _check_options(options: argparse.Namespace) -> None:
    """Refuse an option that belongs to another question."""
    for name, (question, words) in OWN.items():
        if getattr(options, name) and options.rulebook not in words:
            said = f"--{name.replace('_', '-')}" if name != "more" else repr(options.more[0])
            raise UsageError(f"{said} belongs to `twentyone law {question}`")
    if options.rulebook == "coverage" and not options.signed and any(getattr(options, name) for name in COPY):
        raise UsageError("--text, --reviews and --public-key belong to `twentyone law coverage --signed`")
    if options.at is not None and options.rulebook in (None, "coverage", "new"):
        raise UsageError("--at belongs to a rulebook: `twentyone law ID --at DATE`")
    if options.at is not None and options.rulebook == "diff":
        raise UsageError("`twentyone law diff` names a day behind the id: ID@DATE")


def _new(options: argparse.Namespace) -> int:
    return write_new_book(_id_after("new", options), options)


def _test(options: argparse.Namespace) -> int:
    from twentyone.cli.law_scripts import play_scripts

    return play_scripts(load_rulebook(_id_after("test", options)), options.json)


def _due(options: argparse.Namespace) -> int:
    from twentyone.cli.law_due import tell_due

    return tell_due(options)


def _review(options: argparse.Namespace) -> int:
    from twentyone.cli.law_review import review

    return review(options)


def _coverage_asked(options: argparse.Namespace) -> int:
    if not options.signed:
        return _coverage(options.paragraph, options.json)
    from twentyone.cli.law_review import signed_coverage

    return signed_coverage(options)


def _know_carriers() -> None:
    """Import what implements the clauses: it registers itself."""
    import_module("twentyone.table.carriers")


def _id_after(word: str, options: argparse.Namespace) -> str:
    if options.paragraph is None:
        raise UsageError(f"`twentyone law {word}` needs the id of a rulebook")
    return str(options.paragraph)


def _books(as_json: bool) -> int:
    books = load_rulebooks()
    rows = [
        {"rulebook": book.id, "title": book.title, "source": book.source, "paragraphs": len(book.entries)}
        for book in books
    ]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            print(f"{row['rulebook']:26} {row['title']}, {row['source']} ({row['paragraphs']} paragraphs)")
    return DONE


# -- list and search


def _list(book: Rulebook, as_json: bool) -> int:
    _print_entries([(book, entry) for entry in book.entries.values()], as_json)
    return DONE


def _search(text: str, name: str | None, as_json: bool) -> int:
    books = [load_rulebook(name)] if name else load_rulebooks()
    entries = [(book, entry) for book in books for entry in book.entries.values() if _contains(entry, text.lower())]
    if not entries:
        say(f"twentyone law: no entry contains {text!r}")
        if as_json:
            print_json([])
        return DONE
    _print_entries(entries, as_json)
    return DONE


def _contains(entry: Entry, text: str) -> bool:
    return text in " ".join([entry.title, entry.words, entry.fence, *(note.text for note in entry.notes)]).lower()


def _print_entries(entries: list[tuple[Rulebook, Entry]], as_json: bool) -> None:
    if as_json:
        print_json([{"cite": book.cite(entry.paragraph), **in_short(entry)} for book, entry in entries])
        return
    ids = {book.id for book, _ in entries}
    first = max(map(len, ids)) + 2 if len(ids) > 1 else 0
    width = max(len(entry.paragraph) for _, entry in entries)
    for book, entry in entries:
        words = entry.words if len(entry.words) <= 100 else entry.words[:97] + "..."
        print(f"{book.id if first else '':{first}}{entry.paragraph:{width}}  {entry.kind:12}  {words}")


# -- one paragraph


def _show(book: Rulebook, paragraph: str, as_json: bool) -> int:
    try:
        entry = book.entry(paragraph)
    except KeyError:
        say(f"twentyone law: {book.id} has no paragraph {paragraph!r}; `twentyone law {book.id}` lists them")
        return USAGE
    _know_carriers()
    if as_json:
        print_json(in_full(book, entry))
    else:
        print("\n".join(entry_lines(book, entry, tests_of(book, entry.paragraph))))
    return DONE


def entry_lines(book: Rulebook, entry: Entry, tests: list[str]) -> Iterator[str]:
    """An entry as a person reads it; `tests`: the law scripts named by it."""
    title = f"  {entry.title}" if entry.title else ""
    yield f"{book.cite(entry.paragraph)}{title}  [{entry.kind}]"
    yield ""
    yield wrapped(entry.words)
    for note in entry.notes:
        yield wrapped(f"{note.kind}: {note.text}", "  > ")
    if entry.fence:
        yield ""
        yield from (f"    {line}" for line in entry.fence.splitlines())
    yield from _section("implemented by", carriers_of(entry))
    yield from _section("held by", tests)
    yield from _section(
        "readings", [f"{reading.name}: {', '.join(reading.values)}" for reading in readings_of(book, entry)]
    )
    yield from _section("written in", [entry.place])


def _section(title: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield ""
        yield f"  {title}"
        yield from (f"    {row}" for row in rows)


# -- coverage


def _coverage(name: str | None, as_json: bool) -> int:
    """How every paragraph is accounted for, and what holds it: of all regulations, or of one."""
    load_rulebooks()
    _know_carriers()
    chosen = coverage() if name is None else {load_rulebook(name).id: coverage()[name]}
    books = {name: {**book, **_held(load_rulebook(name))} for name, book in chosen.items()}
    if as_json:
        print_json(books, run=False)
    else:
        _print_coverage(books)
        _print_holders(books)
    return FOUND_WRONG if any(book["missing"] or book["not_held"] for book in books.values()) else DONE


WORDS = {
    "coverage": _coverage_asked,
    "diff": run_diff,
    "due": _due,
    "new": _new,
    "review": _review,
    "test": _test,
}
"""What stands in the place of a rulebook's id, and what answers it."""


def _held(book: Rulebook) -> dict[str, Any]:
    """What holds each paragraph; which are held by nothing is known only where the law scripts are at hand."""
    scripts = scripts_by_paragraph(book)
    held = holders(book, scripts)
    return {"held_by": held, "not_held": not_held(held) if scripts else []}


def _print_holders(books: dict[str, Any]) -> None:
    for name, book in books.items():
        print(f"\n{name}")
        width = max(map(len, book["paragraphs"]))
        for paragraph in book["paragraphs"]:
            print(f"  {paragraph:{width}}  {_holders(book['held_by'].get(paragraph, {}))}")


def _holders(held: dict[str, list[str]]) -> str:
    """What holds a paragraph, in one line: the first script and how many more, every item and step."""
    told = [f"the paragraphs under it ({len(held['under'])})"] if "under" in held else []
    told += [f"not modelled: {reason}" for reason in held.get("reason", ())]
    told += [f"layout: {item}" for item in held.get("layout", ())]
    told += [f"step: {step}" for step in held.get("steps", ())]
    scripts = [name.rpartition("/")[2].removesuffix(".json") for name in held.get("scripts", ())]
    more = f" and {len(scripts) - 1} more" if len(scripts) > 1 else ""
    told += [f"script: {scripts[0]}{more}"] if scripts else []
    return "; ".join(told) or "NOTHING HOLDS IT"


def _print_coverage(books: dict[str, Any]) -> None:
    kinds = list(next(iter(books.values()))["kinds"])
    print(f"{'rulebook':26}{'all':>6}" + "".join(f"{kind:>14}" for kind in kinds) + f"{'missing':>9}")
    for name, book in books.items():
        counts = "".join(f"{book['kinds'][kind]:>14}" for kind in kinds)
        print(f"{name:26}{len(book['paragraphs']):>6}{counts}{len(book['missing']):>9}")
    total = sum(len(book["paragraphs"]) for book in books.values())
    print(f"{'together':26}{total:>6}")
