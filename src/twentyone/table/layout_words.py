"""What is written on the picture of a layout: inscriptions on their arcs, odds in columns, the title, signs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from twentyone.table.layout import Item, Layout, Payout
from twentyone.table.svg import HEIGHT, MIDDLE, WIDTH, Element, add, grouped, words

__all__ = ["draw_arcs", "draw_odds", "draw_signs", "draw_title"]

_ARCS = (MIDDLE, -330)
"""The middle of the arcs."""
_BETWEEN = 18
"""Between two columns of odds."""


# -- inscriptions


def draw_arcs(svg: Element, layout: Layout) -> float:
    """The inscriptions on their arcs and the insurance line; answers how far down they reach in the middle."""
    headline, *rest = _spoken(layout)
    line = next((item for item in layout.of("area") if item.wager == "insurance"), None)
    insured = next((text for text in rest if line is not None and line.wager in text.lower()), None)
    others = [text for text in rest if text != insured]
    radius = _arc(svg, layout, [headline], "headline", 624 if layout.of("dealer_area") else 576)
    for text in others[:1]:
        radius = _arc(svg, layout, [text], "arc", radius + 32)
    if line is not None:
        radius = _insurance(svg, layout, line, insured or line.wager, radius + 34)
    for text in others[1:]:
        radius = _arc(svg, layout, textwrap.wrap(text, 70), "fine", radius + 28)
    return _ARCS[1] + radius


def _spoken(layout: Layout) -> list[str]:
    """The ordered inscriptions; where none speaks of a Blackjack, first what it and insurance pay."""
    ordered = [item.text for item in layout.inscriptions]
    if any("Blackjack" in text for text in ordered):
        return ordered
    wanted = ("Blackjack", "Insurance")
    return [*sorted(row.text for row in layout.odds if row.hand.partition(" against")[0] in wanted), *ordered]


_SIZES = {"headline": 35.0, "arc": 16.5, "fine": 14.0}
"""How large the letters of an inscription are, where its arc has room for them."""


def _arc(svg: Element, layout: Layout, lines: Sequence[str], kind: str, radius: float) -> float:
    """One inscription on as many arcs as it has lines; answers the last radius."""
    told: tuple[Item | Payout, ...] = (*layout.inscriptions, *layout.odds)
    cited = next((shown for shown in told if shown.text == " ".join(lines)), None)
    room = 2 * radius * math.radians(35)
    size = min(_SIZES[kind], room / (0.86 * max(map(len, lines))))
    group = grouped(svg, "inscription", cited)
    text = add(group, "text", class_=kind, text_anchor="middle", font_size=size)
    for index, line in enumerate(lines):
        here = radius + 1.5 * size * index
        name = f"{layout.rulebook}-arc-{here:.0f}"
        add(group, "path", id=name, d=_arc_path(here, 46), fill="none")
        path = add(text, "textPath", line, href=f"#{name}", startOffset="50%")
        path.tail = " " if index + 1 < len(lines) else None
    return radius + 1.5 * size * (len(lines) - 1)


def _arc_path(radius: float, half: float) -> str:
    x, y = _ARCS
    across, down = radius * math.sin(math.radians(half)), radius * math.cos(math.radians(half))
    return f"M {x - across:.1f} {y + down:.1f} A {radius:.1f} {radius:.1f} 0 0 0 {x + across:.1f} {y + down:.1f}"


def _insurance(svg: Element, layout: Layout, item: Item, text: str, radius: float) -> float:
    """The insurance line: a band between two lines, with its words in it."""
    group = grouped(svg, "area", item, data_wager=item.wager)
    add(group, "path", class_="band", d=_arc_path(radius, 33))
    for edge in (-17, 17):
        add(group, "path", class_="line", d=_arc_path(radius + edge, 33))
    _arc(group, layout, [text], "arc", radius + 6)
    return radius + 17


# -- what everything pays


def draw_odds(svg: Element, layout: Layout, top: float) -> float:
    """The odds that no inscription states, in columns; answers where they end. A wheel's prizes go on a sign."""
    columns = _columns([row for row in layout.odds if row.text not in _spoken(layout) and not row.wheel])
    widths = [max(150.0, *(_width(row) for _, rows in column for row in rows)) for column in columns]
    left = MIDDLE - (sum(widths) + _BETWEEN * (len(widths) - 1)) / 2
    bottom = top
    for column, width in zip(columns, widths, strict=True):
        bottom = max(bottom, _column(svg, column, left, top, width))
        left += width + _BETWEEN
    return bottom


Block = tuple[str, list[Payout]]
"""A heading, which may be empty, and the rows under it."""


def _columns(rows: list[Payout]) -> list[list[Block]]:
    """Rows that need no heading in one or two columns, blocks under a heading in the last."""
    blocks = [(group, list(block)) for group, block in groupby(rows, key=lambda payout: payout.group)]
    named = [(group, block) for group, block in blocks if all(payout.hand != group for payout in block)]
    plain = [payout for block in blocks if block not in named for payout in block[1]]
    middle = (len(plain) + 1) // 2 if len(plain) > 3 else len(plain)
    halves: list[list[Block]] = [[("", half)] for half in (plain[:middle], plain[middle:]) if half]
    return [*halves, named] if named else halves


def _short(payout: Payout) -> str:
    return payout.hand.removeprefix("Wager of ")


def _width(payout: Payout) -> float:
    return 7.2 * len(_short(payout) + payout.pays) + 12


def _column(svg: Element, blocks: list[Block], left: float, top: float, width: float) -> float:
    y = top
    for heading, rows in blocks:
        for line in textwrap.wrap(heading, 24):
            add(svg, "text", line, class_="group", x=left, y=y)
            y += 17
        for payout in rows:
            row = grouped(svg, "odds", payout)
            add(row, "text", _short(payout), class_="row", x=left, y=y)
            add(row, "text", payout.pays, class_="pays", x=left + width, y=y, text_anchor="end")
            y += 18
        y += 8
    return y


def draw_title(svg: Element, layout: Layout, y: float) -> None:
    add(svg, "text", layout.title, class_="title", x=MIDDLE, y=y, text_anchor="middle")
    reach = 11 * len(layout.title) + 24
    for side in (-1, 1):
        add(svg, "path", class_="line", d=f"M {MIDDLE + side * reach} {y - 8:.1f} h {side * 46}")
    for item in layout.of("name"):
        group = grouped(svg, "operator", item)
        add(group, "text", item.text, class_="name", x=MIDDLE, y=y + 20, text_anchor="middle")


# -- signs


def draw_signs(svg: Element, layout: Layout) -> None:
    """The signs at the table, on plates in the lower corners: left, right, then above them."""
    plates = [(item.text, item.cite) for item in layout.of("sign")]
    ordered = next((item.cite for item in reversed(layout.of("odds"))), layout.source)
    for group, rows in groupby((row for row in layout.odds if row.wheel), key=lambda payout: payout.group):
        plates.append((f"{group}: {_prizes(rows)}", ordered))
    bottoms = [HEIGHT - 14.0, HEIGHT - 14.0]
    for index, (text, cite) in enumerate(plates):
        bottoms[index % 2] = _plate(svg, text, cite, index % 2, bottoms[index % 2]) - 10


def _prizes(payouts: Iterable[Payout]) -> str:
    """Prizes in one sentence; those of the same symbol share their last words."""
    parts = []
    for hand, rows in groupby(payouts, key=lambda payout: payout.hand):
        pays = [payout.pays for payout in rows]
        shared = pays[0].partition(" ")[2] if len(pays) > 1 else ""
        name = "" if pays[0].startswith("$") else hand.removesuffix(" symbol")
        parts.append(f"{name} {', '.join(pay.removesuffix(f' {shared}') for pay in pays)} {shared}".strip())
    return "; ".join(parts)


def _plate(svg: Element, text: str, cite: str, column: int, bottom: float) -> float:
    lines = textwrap.wrap(text, 40, break_on_hyphens=False)
    height = 40 + 16 * len(lines)
    left, top = (12 if column == 0 else WIDTH - 308), bottom - height
    group = grouped(svg, "notice", transform=f"translate({left} {top:.1f})", data_cite=cite)
    add(group, "rect", class_="plate", width=296, height=height, rx=10)
    words(group, "sign", lines, (14, 12 + 8 * len(lines)), 16, "start")
    add(group, "text", cite, class_="cite", x=14, y=height - 12)
    return top
