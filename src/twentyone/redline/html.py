"""The redline as markup: what a lawyer reads, one file that stands alone; its parts serve a page as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from twentyone.redline.model import FieldChange, Provision, Redline, RedlineRow, Status
from twentyone.redline.rounds import DealtRounds, RoundPair
from twentyone.script import Verdict

if TYPE_CHECKING:
    from twentyone.redline.price import RedlinePrice
    from twentyone.rulebook import Entry

__all__ = ["as_page", "as_parts"]

STYLE = Path(__file__).with_name("redline.css")
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    "<style>{style}</style></head><body>{body}</body></html>\n"
)


def as_page(redline: Redline, rounds: DealtRounds, price: RedlinePrice | None = None) -> str:
    """The whole as a page of its own."""
    names = [version.name for version in (redline.left, redline.right)]
    title = f"Redline: {names[0]} and {names[1]}"
    body = f"<main><h1>{escape(title)}</h1>{as_parts(redline, rounds, price)}</main>"
    return HEAD.format(title=escape(title), style=STYLE.read_text(encoding="utf-8"), body=body)


def as_parts(redline: Redline, rounds: DealtRounds, price: RedlinePrice | None = None) -> str:
    """The sections of a redline: what they are, the price, the paragraphs, the rounds."""
    return "".join((_laws(redline), _price(price), _outside(redline), _paragraphs(redline), _rounds(rounds)))


def _section(title: str, content: str, name: str) -> str:
    return f'<section class="rl" id="{name}"><h2>{escape(title)}</h2>{content}</section>'


def _table(head: Sequence[str], rows: Iterable[str], name: str = "") -> str:
    cells = "".join(f'<th scope="col">{escape(word)}</th>' for word in head)
    table = f'<table class="rl-table {name}"><thead><tr>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="rl-scroll" tabindex="0" role="group" aria-label="{escape(head[0])}">{table}</div>'


# -- the two laws


WORDS: dict[Status, str] = {
    "same": "the same in every clause",
    "words": "in words only",
    "changed": "changed",
    "only_left": "only in A",
    "only_right": "only in B",
}


def _laws(redline: Redline) -> str:
    rows = []
    for letter, version in (("A", redline.left), ("B", redline.right)):
        book = version.book
        rows.append(
            f'<tr><th scope="row">{letter}</th><td>{escape(book.full_title)}</td><td>{escape(book.source)}</td>'
            f"<td><code>{escape(version.name)}</code></td></tr>"
        )
    counts = "".join(
        f'<li class="rl-{status}"><b>{count}</b> {WORDS[status]}</li>' for status, count in redline.counts.items()
    )
    laws = _table(("Side", "Law", "Source", "Asked for as"), rows)
    return f'<div class="rl">{laws}<ul class="rl-counts">{counts}</ul></div>'


def _outside(redline: Redline) -> str:
    """What differs outside the paragraphs."""
    rows = [_field(change) for change in (*redline.choices, *redline.head)]
    return _section("Choices and order", _table(("What", "A", "B"), rows), "outside") if rows else ""


# -- paragraphs


def _paragraphs(redline: Redline) -> str:
    differing = [row for row in redline.rows if row.status not in ("same", "words")]
    index = "".join(
        f'<li><a class="rl-{row.status}" href="#{_anchor(row)}">{escape(_cites(row))}</a></li>' for row in differing
    )
    listed = f'<nav class="rl-index" aria-label="what differs"><ul>{index}</ul></nav>' if index else ""
    return _section("Paragraph by paragraph", listed + "".join(map(_row, redline.rows)), "paragraphs")


def _anchor(row: RedlineRow) -> str:
    side, entry = ("a", row.left[0]) if row.left else ("b", row.right[0])
    return escape(f"{side}-{entry.paragraph}".replace(" ", "-"))


def _cites(row: RedlineRow) -> str:
    sides = [", ".join(entry.paragraph for entry in side) for side in (row.left, row.right)]
    return " | ".join(side or "–" for side in sides)


def _row(row: RedlineRow) -> str:
    here, there = _texts(row)
    head = f'<b>{escape(_cites(row))}</b> <span class="rl-mark rl-{row.status}">{WORDS[row.status]}</span>'
    sides = f'<div class="rl-sides"><div class="rl-left">{here}</div><div class="rl-right">{there}</div></div>'
    told = [_provision(provision) for provision in row.provisions if _is_told(provision)]
    opened = "" if row.status in ("same", "words") else " open"
    return (
        f'<details class="rl-row rl-row-{row.status}" id="{_anchor(row)}"{opened}><summary>{head}</summary>'
        f"{sides}{''.join(told)}</details>"
    )


def _texts(row: RedlineRow) -> tuple[str, str]:
    """The words of both sides; of paragraphs with the same number, what was taken out and put in."""
    if [entry.paragraph for entry in row.left] != [entry.paragraph for entry in row.right]:
        return _words(row.left), _words(row.right)
    marked = [_marked(one.words, other.words) for one, other in zip(row.left, row.right, strict=True)]
    sides = (row.left, [text for text, _ in marked]), (row.right, [text for _, text in marked])
    return tuple(  # type: ignore[return-value]
        "".join(_paragraph(entry, text) for entry, text in zip(entries, texts, strict=True)) for entries, texts in sides
    )


def _words(entries: Iterable[Entry]) -> str:
    return "".join(_paragraph(entry, escape(entry.words)) for entry in entries) or '<p class="rl-none">nothing</p>'


def _paragraph(entry: Entry, text: str) -> str:
    title = f" {escape(entry.title)}" if entry.title else ""
    return f'<p><span class="rl-cite">{escape(entry.paragraph)}{title}</span> {text}</p>'


def _marked(one: str, other: str) -> tuple[str, str]:
    """Two texts with the words marked that are not in the other."""
    here, there = one.split(), other.split()
    left, right = [], []
    for kind, i, j, k, m in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        old, new = escape(" ".join(here[i:j])), escape(" ".join(there[k:m]))
        left.append(old if kind == "equal" or not old else f"<del>{old}</del>")
        right.append(new if kind == "equal" or not new else f"<ins>{new}</ins>")
    return " ".join(left), " ".join(right)


def _is_told(provision: Provision) -> bool:
    return provision.status not in ("same", "words") or any(change.words for change in provision.changes)


def _provision(provision: Provision) -> str:
    cites = " | ".join(clause.cite if clause else "–" for clause in (provision.left, provision.right))
    again = ' <span class="rl-note">told above</span>' if provision.again else ""
    mark = f'<span class="rl-mark rl-{provision.status}">{WORDS[provision.status]}</span>'
    about = f'<span class="rl-note">{escape(provision.about)}</span>'
    key = f"<code>{escape(provision.key)}</code>"
    head = f'<p class="rl-clause">{key} {mark} <span>{escape(cites)}</span>{again}<br>{about}</p>'
    return head + (
        _table(("Field", "A", "B"), map(_field, provision.changes), "rl-fields") if provision.changes else ""
    )


def _field(change: FieldChange) -> str:
    one = f"<del>{escape(change.left)}</del>" if change.left else ""
    other = f"<ins>{escape(change.right)}</ins>" if change.right else ""
    words = ' <span class="rl-note">words</span>' if change.words else ""
    return f'<tr><th scope="row">{escape(change.field)}{words}</th><td>{one}</td><td>{other}</td></tr>'


# -- rounds


def _rounds(rounds: DealtRounds) -> str:
    played = sum(pair.dealt for pair in rounds.pairs)
    told = (
        f"<p>{rounds.dealt} law scripts dealt under both laws: {played} end otherwise, "
        f"{len(rounds.pairs) - played} are refused by one of them.</p>"
    )
    return _section("Rounds that differ", told + "".join(map(_pair, rounds.pairs)), "rounds")


def _pair(pair: RoundPair) -> str:
    sides = "".join(
        f'<div class="rl-{side}"><p class="rl-cite">{letter}</p>{_verdict(verdict)}</div>'
        for side, letter, verdict in (("left", "A", pair.left), ("right", "B", pair.right))
    )
    cards = f'<p class="rl-note">cards {escape(pair.cards)}</p>' if pair.cards else ""
    return (
        f'<details class="rl-row"><summary><b>{escape(pair.title or pair.script)}</b></summary>'
        f'<p class="rl-note"><code>{escape(pair.script)}</code></p>{cards}<div class="rl-sides">{sides}</div></details>'
    )


def _verdict(verdict: Verdict) -> str:
    result = verdict.result
    if result is None:
        return f"<p>Refused: {escape(verdict.error)}</p>"
    dealer = f"Dealer {escape(' '.join(result['dealer']['cards']))} = {result['dealer']['total']}"
    hands = "".join(
        f"<li>box {hand['box']}.{hand['hand']}: {escape(' '.join(hand['cards']))} = {hand['total']}, "
        f"{hand['outcome']}</li>"
        for hand in result["hands"]
    )
    wagers = "".join(
        f"<li>{escape(row['player'])}: {row['wager'].replace('_', ' ')} {row['amount']}, {row['outcome']} "
        f'{escape(row["odds"] or "")} = {row["net"]} <span class="rl-cite">{escape(row["cite"])}</span></li>'
        for row in result["wagers"]
    )
    return f"<p>{dealer}{' (void)' if result['void'] else ''}</p><ul>{hands}</ul><ul>{wagers}</ul>"


# -- price


def _price(price: RedlinePrice | None) -> str:
    if price is None:
        return ""
    figures = (
        ("House edge", price.left.house_edge, price.right.house_edge),
        ("With the super bonus", price.left.house_edge_with_super_bonus, price.right.house_edge_with_super_bonus),
    )
    rows = [_figure(name, one, other) for name, one, other in figures]
    rows += [_figure(f"{name.replace('_', ' ')} edge", *edges) for name, edges in price.sides.items()]
    clauses = [
        f'<tr><th scope="row"><code>{escape(row.key)}</code></th><td>{escape(row.left or "–")}</td>'
        f"<td>{escape(row.right or '–')}</td><td>{_share(row.effect, signed=True)}</td><td>{escape(row.note)}</td></tr>"
        for row in price.clauses
        if row.effect or row.effect is None
    ]
    idle = len(price.clauses) - len(clauses)
    each = _table(("Clause changed alone", "A", "B", "Effect", "Note"), clauses, "rl-price") if clauses else ""
    rest = (
        f'<p class="rl-note">{idle} other changed clauses change nothing alone. The changes together, beyond the sum of'
        f" each alone: {_share(price.interplay, signed=True)}.</p>"
    )
    return _section("Price", _table(("Figure", "A", "B", "Difference"), rows, "rl-price") + each + rest, "price")


def _figure(name: str, one: float | None, other: float | None) -> str:
    apart = None if one is None or other is None else other - one
    cells = f"<td>{_share(one)}</td><td>{_share(other)}</td><td>{_share(apart, signed=True)}</td>"
    return f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'


def _share(value: float | None, signed: bool = False) -> str:
    if value is None:
        return "–"
    return f"{100 * value:+.5f} %" if signed else f"{100 * value:.5f} %"
