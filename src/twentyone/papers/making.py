"""The papers of a submission, put together: title page, parts, and the files that are handed in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.authentic import package_digest
from twentyone.errors import TwentyoneError
from twentyone.ledger.identity import rulebook_hash, rules_hash
from twentyone.papers.choices import choices_part, readings_part
from twentyone.papers.figures import figures_part
from twentyone.papers.html import to_html
from twentyone.papers.model import Paper
from twentyone.papers.pdf import to_pdf
from twentyone.papers.procedures import procedures_part
from twentyone.papers.required import paragraphs_part, required_part
from twentyone.papers.tables import layout_part
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.declared import to_toml
from twentyone.rulebook.rulebook import editions_of
from twentyone.version import __version__

if TYPE_CHECKING:
    from twentyone.odds.generate import Worth

__all__ = ["FILES", "LONGEST_NAME", "check_operator", "code_stamp", "edition_words", "make_papers", "paper_of"]

FILES = {"papers.html": "text/html", "papers.pdf": "application/pdf", "submission.toml": "application/toml"}
"""The files of the papers, and what they are."""
LONGEST_NAME = 80
"""How long the name of an operator may be."""
ODDS = 0.6
"""The share of the work before the charts."""

Progress = Callable[[float], None]


def check_operator(name: str) -> str:
    """The name of an operator as a title page can bear it; refused where it cannot."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise TwentyoneError(f"the name of an operator has at most {LONGEST_NAME} characters that can be printed")
    return name


@cache
def code_stamp() -> str:
    """A hash of what makes the papers, beside the odds: other code makes other papers."""
    package = Path(__file__).parents[1]
    files = sorted(path for folder in ("papers", "table") for path in (package / folder).iterdir() if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def make_papers(rules: Rules, operator: str = "", progress: Progress = lambda _: None) -> dict[str, bytes]:
    """The files of the papers by name; the same rules and operator give the same bytes."""
    from twentyone.odds.generate import chart_of
    from twentyone.odds.report import odds_of

    body, _ = odds_of(rules, progress=lambda share: progress(ODDS * share))
    chart = chart_of(rules, lambda share: progress(ODDS + (1 - ODDS) * share))
    paper = paper_of(rules, body, chart, operator)
    made = {"papers.html": to_html(paper), "papers.pdf": to_pdf(paper), "submission.toml": to_toml(rules).encode()}
    progress(1.0)
    return {name: made[name] for name in FILES}


def paper_of(rules: Rules, body: Mapping[str, Any], chart: Worth, operator: str = "") -> Paper:
    """The content of the papers, from the rules, the report of their odds and their chart."""
    book = rules.rulebook
    return Paper(
        title=book.title,
        kind="Rules submission",
        source=book.full_title.removeprefix(f"{book.title}, "),
        cover=_cover(rules, operator),
        signed=("For the operator", "Name and office", "Date"),
        foot=f"{book.full_title} · rules {rules_hash(rules)[:12]}",
        parts=(
            choices_part(rules),
            readings_part(rules),
            layout_part(rules),
            figures_part(rules, body, chart),
            procedures_part(rules),
            required_part(rules),
            paragraphs_part(rules),
        ),
    )


def edition_words(book: Rulebook) -> str:
    """Since when this text is law, where it was published, and which later amendments of it are known."""
    editions = editions_of(book.id)
    own = next((edition for edition in editions.all if edition.begins == book.edition), editions.first)
    if own is None:
        return f"no date: {editions.undated}" if editions.undated else ""
    later = [str(edition) for edition in editions.all if edition.begins > own.begins]
    return f"in force since {own}" + (f"; not in this text: {', '.join(later)}" if later else "")


def _cover(rules: Rules, operator: str) -> tuple[tuple[str, str], ...]:
    book = rules.rulebook
    written = hashlib.sha256(to_toml(rules).encode()).hexdigest()
    rows = {
        "Operator": operator.replace("`", "'"),
        "Text": book.source,
        "Edition": edition_words(book),
        "Paragraphs": f"{len(book.entries)}, cited without “{book.prefix.strip()}” before them",
        "Rulebook": f"`{book.id}`",
        "Rulebook hash": f"`{rulebook_hash(book)}`",
        "Hash of rulebook, choices and readings": f"`{rules_hash(rules)}`",
        "SHA-256 of submission.toml": f"`{written}`",
        "Software": f"twentyone {__version__}",
        "SHA-256 of the package": f"`{package_digest()}`",
    }
    return tuple((name, value) for name, value in rows.items() if value)
