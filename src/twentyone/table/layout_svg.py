"""A picture of the layout: SVG, as a player sees it, drawn from `Layout` alone.

The dealer stands at the top, so the dealer's left is the right of the picture: box 1 and the shoe are there, the
discard rack is on the left. Text stays text. Colours are CSS custom properties (`--felt`, `--line`, `--gold` ...).
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

from twentyone.table.layout import Item, Layout, Payout

__all__ = ["draw_layout"]

WIDTH, HEIGHT = 1440, 900
"""The picture, in its own units."""

Element = ElementTree.Element

_MIDDLE, _EDGE = 720, 30
_RAIL = (702, 806)
_SHINE = (682, 786)
_CLOTH = (662, 766)
_STITCH = (650, 754)
_BOXES = (540, 648)
_FIRST_BOX = 22
_LEAN = 0.34
_ARCS = (_MIDDLE, -330)
_LIGHTS = {"blue": "#4d9fff", "red": "#ff5a5f", "yellow": "#ffd84d"}

_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def draw_layout(layout: Layout, signs: bool = True) -> str:
    """The layout as an SVG document; without `signs` only the table is drawn."""
    name = layout.rulebook
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}"})
    svg.attrib |= {"class": "tw-felt", "role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    _add(svg, "title", f"{layout.title}, {layout.source}: the layout", id=f"{name}-title")
    _add(svg, "desc", _description(layout), id=f"{name}-desc")
    _add(svg, "style", _STYLE)
    _table(svg, name)
    _devices(svg, layout)
    _dealer(svg, layout)
    bottom = _arcs(svg, layout)
    bottom = _odds(svg, layout, bottom + 30)
    _title(svg, layout, max(bottom + 26, 484))
    for number in range(1, layout.boxes + 1):
        _box(svg, layout, number)
    if signs:
        _signs(svg, layout)
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _description(layout: Layout) -> str:
    said = "; ".join(item.text for item in layout.inscriptions) or "no inscription is ordered"
    return f"{layout.boxes} boxes, box 1 at the right of the picture, which is the dealer's left. Inscriptions: {said}."


# -- elements


def _add(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    """A child element; `font_size` is written `font-size`, `class_` is `class`."""
    names = {name.rstrip("_").replace("_", "-"): _plain(value) for name, value in attributes.items()}
    child = ElementTree.SubElement(parent, tag, names)
    child.text = text or None
    return child


def _plain(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def _group(parent: Element, kind: str, shown: Item | Payout | None = None, **attributes: object) -> Element:
    """A group, with what it shows and the paragraph as its title."""
    group = _add(parent, "g", "", class_=kind, **attributes)
    if shown is not None:
        group.set("data-cite", shown.cite)
        _add(group, "title", f"{shown.text} ({shown.cite})")
    return group


def _words(
    parent: Element, kind: str, lines: Sequence[str], at: tuple[float, float], step: float, anchor: str = "middle"
) -> None:
    """Lines of text around a point: the middle of the block is there."""
    x, y = at
    text = _add(parent, "text", class_=kind, text_anchor=anchor)
    for index, line in enumerate(lines):
        _add(text, "tspan", line, x=x, y=y + step * (index - (len(lines) - 1) / 2) + step * 0.32)


def _half_ellipse(radii: tuple[int, int], rim: int = 0) -> str:
    """The table's shape; `rim` is how far it reaches beyond the dealer's edge."""
    across, down = radii
    left, right = _MIDDLE - across, _MIDDLE + across
    curve = f"M {left} {_EDGE} A {across} {down} 0 0 0 {right} {_EDGE}"
    return f"{curve} V {_EDGE - rim + 10} q 0 -10 -10 -10 H {left + 10} q -10 0 -10 10 Z" if rim else f"{curve} Z"


# -- the table


def _table(svg: Element, name: str) -> None:
    definitions = _add(svg, "defs")
    cloth = _add(definitions, "radialGradient", id=f"{name}-cloth", cx="50%", cy="18%", r="88%")
    rail = _add(definitions, "linearGradient", id=f"{name}-rail", x1="0", y1="0", x2="0", y2="1")
    for index, offset in enumerate(("0", ".6", "1"), 1):
        _add(cloth, "stop", offset=offset, class_=f"cloth-{index}")
        _add(rail, "stop", offset=offset, class_=f"rail-{index}")
    table = _group(svg, "table")
    _add(table, "path", d=_half_ellipse(_RAIL, 12), fill=f"url(#{name}-rail)")
    _add(table, "path", class_="shine", d=_half_ellipse(_SHINE))
    _add(table, "path", d=_half_ellipse(_CLOTH), fill=f"url(#{name}-cloth)")
    _add(table, "path", class_="trim", d=_half_ellipse(_CLOTH))
    _add(table, "path", class_="thread", d=_half_ellipse(_STITCH))


def _devices(svg: Element, layout: Layout) -> None:
    for item in {item.device: item for item in layout.of("device")}.values():
        if item.device in _SKETCHES:
            _sketch(svg, item)


_SKETCHES: dict[str, tuple[int, int, int, int, str]] = {
    "discard_rack": (204, 46, 96, 72, "discard rack"),
    "shoe": (1118, 46, 118, 72, "shoe"),
    "drop_box": (352, 34, 62, 26, "drop box"),
    "tip_box": (1026, 34, 62, 26, "tip box"),
    "card_reader": (842, 82, 74, 46, "card reader"),
    "masque_reader": (1044, 92, 58, 34, "Masque reader"),
}
"""Where each device is drawn (left, top, width, height), as the player sees it, and what is written under it."""


def _sketch(svg: Element, item: Item) -> None:
    left, top, width, height, label = _SKETCHES[item.device]
    if item.side and (item.side == "left") != (left > _MIDDLE):
        left = WIDTH - left - width
    group = _group(svg, "equipment", item, transform=f"translate({left} {top})")
    _add(group, "rect", class_="device", width=width, height=height, rx=8 if height > 30 else 5)
    _inside(group, item.device, width, height)
    _add(group, "text", label, class_="label", x=width / 2, y=height + 15.0, text_anchor="middle")


def _inside(group: Element, device: str, width: int, height: int) -> None:
    if device == "shoe":
        _add(group, "rect", class_="cards", x=10, y=11, width=72, height=height - 22, rx=3)
        _add(group, "rect", class_="cover", x=58, y=11, width=5, height=height - 22)
    elif device == "discard_rack":
        _add(group, "rect", class_="cards", x=14, y=height - 34, width=width - 28, height=26, rx=3, opacity=0.75)
    else:
        _add(group, "rect", class_="slot", x=9, y=height / 2 - 2.5, width=width - 18, height=5, rx=2)


# -- in front of the dealer


def _dealer(svg: Element, layout: Layout) -> None:
    areas = [item for item in layout.of("dealer_area") if item.range]
    if not areas:
        for left in (_MIDDLE - 74, _MIDDLE + 6):
            _add(svg, "rect", class_="spot", x=left, y=58, width=68, height=96, rx=8)
    for index, item in enumerate(areas):
        _dealer_area(svg, item, _MIDDLE + (index - (len(areas) - 1) / 2) * 202)


def _dealer_area(svg: Element, item: Item, middle: float) -> None:
    """A rectangle for the dealer's hand, in the colour of its light."""
    colour = f"var(--light-{item.light}, {_LIGHTS.get(item.light, item.light)})"
    group = _group(svg, "dealer-area", item, transform=f"translate({middle:.0f} 66)", data_range=item.range)
    frame = _add(group, "rect", x=-94, y=0, width=188, height=100, rx=9, stroke_width=2.2, fill_opacity=0.1)
    frame.set("style", f"fill:{colour};stroke:{colour}")
    _add(group, "circle", cx=-78, cy=16, r=5.5).set("style", f"fill:{colour}")
    _words(group, "area-words", [item.text], (0, 84), 15)


# -- inscriptions


def _arcs(svg: Element, layout: Layout) -> float:
    """The inscriptions on their arcs and the insurance line; answers how far down they reach in the middle."""
    headline, *rest = _spoken(layout)
    line = next((item for item in layout.of("area") if item.wager == "insurance"), None)
    insured = next((text for text in rest if line is not None and line.wager in text.lower()), None)
    others = [text for text in rest if text != insured]
    radius = _arc(svg, layout, [headline], "headline", 600 if layout.of("dealer_area") else 576)
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
    group = _group(svg, "inscription", cited)
    text = _add(group, "text", class_=kind, text_anchor="middle", font_size=size)
    for index, line in enumerate(lines):
        here = radius + 1.5 * size * index
        name = f"{layout.rulebook}-arc-{here:.0f}"
        _add(group, "path", id=name, d=_arc_path(here, 46), fill="none")
        path = _add(text, "textPath", line, href=f"#{name}", startOffset="50%")
        path.tail = " " if index + 1 < len(lines) else None
    return radius + 1.5 * size * (len(lines) - 1)


def _arc_path(radius: float, half: float) -> str:
    x, y = _ARCS
    across, down = radius * math.sin(math.radians(half)), radius * math.cos(math.radians(half))
    return f"M {x - across:.1f} {y + down:.1f} A {radius:.1f} {radius:.1f} 0 0 0 {x + across:.1f} {y + down:.1f}"


def _insurance(svg: Element, layout: Layout, item: Item, text: str, radius: float) -> float:
    """The insurance line: a band between two lines, with its words in it."""
    group = _group(svg, "area", item, data_wager=item.wager)
    _add(group, "path", class_="band", d=_arc_path(radius, 33))
    for edge in (-17, 17):
        _add(group, "path", class_="line", d=_arc_path(radius + edge, 33))
    _arc(group, layout, [text], "arc", radius + 6)
    return radius + 17


# -- what everything pays


def _odds(svg: Element, layout: Layout, top: float) -> float:
    """The odds that no inscription states, in columns; answers where they end. A wheel's prizes go on a sign."""
    columns = _columns([row for row in layout.odds if row.text not in _spoken(layout) and not row.wheel])
    widths = [max(150.0, *(_width(row) for _, rows in column for row in rows)) for column in columns]
    left = _MIDDLE - (sum(widths) + 26 * (len(widths) - 1)) / 2
    bottom = top
    for column, width in zip(columns, widths, strict=True):
        bottom = max(bottom, _column(svg, column, left, top, width))
        left += width + 26
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
    return 6.8 * len(_short(payout)) + 7.4 * len(payout.pays) + 12


def _column(svg: Element, blocks: list[Block], left: float, top: float, width: float) -> float:
    y = top
    for heading, rows in blocks:
        for line in textwrap.wrap(heading, 24):
            _add(svg, "text", line, class_="group", x=left, y=y)
            y += 17
        for payout in rows:
            row = _group(svg, "odds", payout)
            _add(row, "text", _short(payout), class_="row", x=left, y=y)
            _add(row, "text", payout.pays, class_="pays", x=left + width, y=y, text_anchor="end")
            y += 18
        y += 8
    return y


def _title(svg: Element, layout: Layout, y: float) -> None:
    _add(svg, "text", layout.title, class_="title", x=_MIDDLE, y=y, text_anchor="middle")
    reach = 11 * len(layout.title) + 24
    for side in (-1, 1):
        _add(svg, "path", class_="line", d=f"M {_MIDDLE + side * reach} {y - 8:.1f} h {side * 46}")
    for item in layout.of("name"):
        group = _group(svg, "operator", item)
        _add(group, "text", item.text, class_="name", x=_MIDDLE, y=y + 20, text_anchor="middle")


# -- boxes


def _box(svg: Element, layout: Layout, number: int) -> None:
    """One box: its areas, its number on the players' side, its devices beside the number."""
    degrees = _FIRST_BOX + (180 - 2 * _FIRST_BOX) / max(layout.boxes - 1, 1) * (number - 1)
    group = _group(svg, "box", transform=_place(degrees), data_box=number)
    _add(group, "title", f"box {number}")
    here = [item for item in layout.of("area", "device") if item.each == "box"]
    outer = 1 if degrees < 89 else -1
    for item in here:
        if item.wager == "main":
            _main_area(group, item)
    for index, item in enumerate(item for item in here if item.item == "area" and item.wager != "main"):
        _side_area(group, item, -outer if index % 2 else outer)
    for index, item in enumerate(item for item in here if item.item == "device"):
        _box_device(group, item, -outer if index % 2 else outer)
    _add(group, "text", str(number), class_="number", y=75, text_anchor="middle")


def _place(degrees: float) -> str:
    """A point on the ellipse of the boxes, leaning towards the dealer."""
    across, down = _BOXES
    angle = math.radians(degrees)
    x, y = _MIDDLE + across * math.cos(angle), _EDGE + down * math.sin(angle)
    return f"translate({x:.1f} {y:.1f}) rotate({(degrees - 90) * _LEAN:.1f})"


def _main_area(box: Element, item: Item) -> None:
    group = _group(box, "area", item, data_wager=item.wager)
    _add(group, "circle", class_="main", r=52)
    _add(group, "circle", class_="inner", r=46)
    _words(group, "tag", _label(item.text, 11), (0, 0), 13)


def _side_area(box: Element, item: Item, side: int) -> None:
    """An area beside the main one, on the players' side of it, so that no card covers it."""
    group = _group(box, "area", item, data_wager=item.wager, transform=f"translate({side * 72} 46)")
    _add(group, "circle", class_="side", r=29)
    _words(group, "tag small", _label(item.text, 7), (0, 0), 10)


def _box_device(box: Element, item: Item, side: int) -> None:
    group = _group(box, "equipment", item, data_wager=item.wager, transform=f"translate({side * 25} 95)")
    _add(group, "rect", class_="device", x=-21, y=-8, width=42, height=16, rx=8)
    _add(group, "circle", class_="cover", cx=0, cy=0, r=3.5)


def _label(title: str, width: int) -> list[str]:
    """A wager's title in short lines: the word `wager` goes where something is left without it."""
    short = title[: -len(" wager")] if title.lower().endswith(" wager") else title
    return textwrap.wrap(short.replace("-", " "), width, break_long_words=False)


# -- signs


def _signs(svg: Element, layout: Layout) -> None:
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
    group = _group(svg, "notice", transform=f"translate({left} {top:.1f})", data_cite=cite)
    _add(group, "rect", class_="plate", width=296, height=height, rx=10)
    _words(group, "sign", lines, (14, 12 + 8 * len(lines)), 16, "start")
    _add(group, "text", cite, class_="cite", x=14, y=height - 12)
    return top
