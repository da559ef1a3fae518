"""`twentyone submission`: the papers that an operator hands in with a submission, as HTML and PDF."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

from twentyone.cli import DONE, REFUSED, UsageError
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.cli.progress import progress
from twentyone.cli.writing import write_file
from twentyone.errors import TwentyoneError

__all__ = ["add_parser", "folder_for", "run"]

EXAMPLE = """examples:
  twentyone submission pa-spanish-21 --out papers
  twentyone submission md-spanish-21 --submission ours.toml --operator "Golden Gate" --out papers
  twentyone submission pa-spanish-21 --at 2020-01-31 --out papers

The folder then holds papers.html, papers.pdf and submission.toml. The same submission gives the same bytes."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "submission",
        help="the papers of a Rules Submission: choices, layout, PAR sheet, procedures",
        description="Write the papers of a Rules Submission: choices and readings with their paragraphs, layout and"
        " signs, PAR sheet, procedures for dealer and floor, what is required and which command shows it.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where the papers are written")
    parser.add_argument("--operator", default="", metavar="NAME", help="the operator, for the title page")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("desk")
def run(options: argparse.Namespace) -> int:
    """Write the papers and list them, or say why they are refused."""
    import typst  # noqa: F401 (before anything is worked out)

    from twentyone.papers.making import check_operator, make_papers

    try:
        operator = check_operator(options.operator)
        rules = read_rules(options.rulebook, options.submission)
        with progress(f"papers of {rules.rulebook.title}") as tell_share:
            made = make_papers(rules, operator, tell_share)
    except TwentyoneError as refused:
        say(f"twentyone submission: {refused}")
        return REFUSED
    folder = folder_for(options.out)
    for name, content in made.items():
        write_file(str(folder / name), content)
    rows = [
        {"file": name, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()} for name, body in made.items()
    ]
    if options.json:
        print_json({"rulebook": rules.rulebook.id, "folder": str(folder), "files": rows})
    else:
        for row in rows:
            print(f"{row['bytes']:>9}  {row['sha256']}  {folder / str(row['file'])}")
    return DONE


def folder_for(name: str) -> Path:
    """The folder for the papers, made where there is none."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise UsageError(f"{name}: {why}: choose a place where this user may write") from None
    return folder
