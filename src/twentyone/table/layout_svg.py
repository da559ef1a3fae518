"""A picture of the layout: SVG, as a player sees it, drawn from `Layout` alone.

The dealer stands at the top, so the dealer's left is the right of the picture: box 1 and the shoe are there, the
discard rack is on the left. Text stays text. Colours are CSS custom properties (`--felt`, `--line`, `--gold` ...).
"""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from xml.etree import ElementTree

from twentyone.table.layout import Item, Layout
from twentyone.table.layout_words import draw_arcs, draw_odds, draw_signs, draw_title
from twentyone.table.svg import HEIGHT, MIDDLE, WIDTH, Element, add, grouped, words

__all__ = ["STYLE", "draw_layout"]

_EDGE = 30
_RAIL = (702, 806)
_SHINE = (682, 786)
_CLOTH = (662, 766)
_STITCH = (650, 754)
_BOXES = (540, 648)
_FIRST_BOX = 22
_LEAN = 0.34
_LIGHTS = {"blue": "#4d9fff", "red": "#ff5a5f", "yellow": "#ffd84d"}

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
"""The look of the layout; a page that shows it inside has it as a style sheet of its own."""


def draw_layout(layout: Layout, signs: bool = True, styled: bool = True) -> str:
    """The layout as an SVG document; without `signs` only the table is drawn, without `styled` its style is apart."""
    name = layout.rulebook
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}"})
    svg.attrib |= {"class": "tw-felt", "role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    add(svg, "title", f"{layout.title}, {layout.source}: the layout", id=f"{name}-title")
    add(svg, "desc", _description(layout), id=f"{name}-desc")
    if styled:
        add(svg, "style", STYLE)
    _table(svg, name)
    _devices(svg, layout)
    _dealer(svg, layout)
    bottom = draw_arcs(svg, layout)
    bottom = draw_odds(svg, layout, bottom + 30)
    draw_title(svg, layout, max(bottom + 26, 484))
    for number in range(1, layout.boxes + 1):
        _box(svg, layout, number)
    if signs:
        draw_signs(svg, layout)
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _description(layout: Layout) -> str:
    said = "; ".join(item.text for item in layout.inscriptions) or "no inscription is ordered"
    return f"{layout.boxes} boxes, box 1 at the right of the picture, which is the dealer's left. Inscriptions: {said}."


def _half_ellipse(radii: tuple[int, int], rim: int = 0) -> str:
    """The table's shape; `rim` is how far it reaches beyond the dealer's edge."""
    across, down = radii
    left, right = MIDDLE - across, MIDDLE + across
    curve = f"M {left} {_EDGE} A {across} {down} 0 0 0 {right} {_EDGE}"
    return f"{curve} V {_EDGE - rim + 10} q 0 -10 -10 -10 H {left + 10} q -10 0 -10 10 Z" if rim else f"{curve} Z"


# -- the table


def _table(svg: Element, name: str) -> None:
    definitions = add(svg, "defs")
    cloth = add(definitions, "radialGradient", id=f"{name}-cloth", cx="50%", cy="18%", r="88%")
    rail = add(definitions, "linearGradient", id=f"{name}-rail", x1="0", y1="0", x2="0", y2="1")
    for index, offset in enumerate(("0", ".6", "1"), 1):
        add(cloth, "stop", offset=offset, class_=f"cloth-{index}")
        add(rail, "stop", offset=offset, class_=f"rail-{index}")
    table = grouped(svg, "table")
    add(table, "path", d=_half_ellipse(_RAIL, 12), fill=f"url(#{name}-rail)")
    add(table, "path", class_="shine", d=_half_ellipse(_SHINE))
    add(table, "path", d=_half_ellipse(_CLOTH), fill=f"url(#{name}-cloth)")
    add(table, "path", class_="trim", d=_half_ellipse(_CLOTH))
    add(table, "path", class_="thread", d=_half_ellipse(_STITCH))


def _devices(svg: Element, layout: Layout) -> None:
    for item in {item.device: item for item in layout.of("device")}.values():
        if item.device in _SKETCHES:
            _sketch(svg, item)


_SKETCHES: dict[str, tuple[int, int, int, int, str]] = {
    "discard_rack": (308, 40, 100, 66, "discard rack"),
    "shoe": (1028, 40, 108, 66, "shoe"),
    "drop_box": (80, 33, 48, 17, "drop box"),
    "tip_box": (1312, 33, 48, 17, "tip box"),
    "card_reader": (904, 70, 74, 46, "card reader"),
    "masque_reader": (329, 134, 58, 34, "Masque reader"),
    "cover_card": (1063, 136, 38, 24, "cover card"),
    "shuffler": (310, 192, 96, 34, "shuffler"),
}
"""Where each device is drawn (left, top, width, height), as the player sees it, and what is written under it."""


def _sketch(svg: Element, item: Item) -> None:
    left, top, width, height, label = _SKETCHES[item.device]
    if item.side and (item.side == "left") != (left > MIDDLE):
        left = WIDTH - left - width
    group = grouped(svg, "equipment", item, transform=f"translate({left} {top})")
    add(group, "rect", class_="device", width=width, height=height, rx=8 if height > 30 else 5)
    _inside(group, item.device, width, height)
    add(group, "text", label, class_="label", x=width / 2, y=height + 15.0, text_anchor="middle")


def _inside(group: Element, device: str, width: int, height: int) -> None:
    if device == "shoe":
        add(group, "rect", class_="cards", x=10, y=11, width=72, height=height - 22, rx=3)
        add(group, "rect", class_="cover", x=58, y=11, width=5, height=height - 22)
    elif device == "discard_rack":
        add(group, "rect", class_="cards", x=14, y=height - 34, width=width - 28, height=26, rx=3)
    elif device == "cover_card":
        add(group, "rect", class_="cover", x=4, y=4, width=width - 8, height=height - 8, rx=2)
    else:
        add(group, "rect", class_="slot", x=9, y=height / 2 - 2.5, width=width - 18, height=5, rx=2)


# -- in front of the dealer


def _dealer(svg: Element, layout: Layout) -> None:
    areas = [item for item in layout.of("dealer_area") if item.range]
    if not areas:
        for left in (MIDDLE - 94, MIDDLE):
            add(svg, "rect", class_="spot", x=left, y=59, width=94, height=129, rx=10)
    for index, item in enumerate(areas):
        _dealer_area(svg, item, MIDDLE + (index - (len(areas) - 1) / 2) * 202)


def _dealer_area(svg: Element, item: Item, middle: float) -> None:
    """A rectangle for the dealer's hand, in the colour of its light."""
    colour = f"var(--light-{item.light}, {_LIGHTS.get(item.light, item.light)})"
    group = grouped(svg, "dealer-area", item, transform=f"translate({middle:.0f} 36)", data_range=item.range)
    frame = add(group, "rect", x=-95, y=0, width=190, height=154, rx=9, stroke_width=2.2, fill_opacity=0.1)
    frame.attrib |= {"fill": colour, "stroke": colour}
    add(group, "circle", cx=-80, cy=140, r=5.5, fill=colour)
    words(group, "area-words", [item.text], (0, 140), 15)


# -- boxes


def _box(svg: Element, layout: Layout, number: int) -> None:
    """One box: its areas, its number on the players' side, its devices beside the number."""
    degrees = _FIRST_BOX + (180 - 2 * _FIRST_BOX) / max(layout.boxes - 1, 1) * (number - 1)
    group = grouped(svg, "box", transform=_place(degrees), data_box=number)
    add(group, "title", f"box {number}")
    here = [item for item in layout.of("area", "device") if item.each == "box"]
    outer = 1 if degrees < 89 else -1
    for item in here:
        if item.wager == "main":
            _main_area(group, item)
    for index, item in enumerate(item for item in here if item.item == "area" and item.wager != "main"):
        _side_area(group, item, -outer if index % 2 else outer)
    for index, item in enumerate(item for item in here if item.item == "device"):
        _box_device(group, item, -outer if index % 2 else outer)
    add(group, "text", str(number), class_="number", y=75, text_anchor="middle")


def _place(degrees: float) -> str:
    """A point on the ellipse of the boxes, leaning towards the dealer."""
    across, down = _BOXES
    angle = math.radians(degrees)
    x, y = MIDDLE + across * math.cos(angle), _EDGE + down * math.sin(angle)
    return f"translate({x:.1f} {y:.1f}) rotate({(degrees - 90) * _LEAN:.1f})"


def _main_area(box: Element, item: Item) -> None:
    group = grouped(box, "area", item, data_wager=item.wager)
    add(group, "circle", class_="main", r=52)
    add(group, "circle", class_="inner", r=46)
    words(group, "tag", _label(item.text, 11), (0, 0), 13)


def _side_area(box: Element, item: Item, side: int) -> None:
    """An area beside the main one, on the players' side of it, so that no card covers it."""
    group = grouped(box, "area", item, data_wager=item.wager, transform=f"translate({side * 72} 46)")
    add(group, "circle", class_="side", r=29)
    words(group, "tag small", _label(item.text, 7), (0, 0), 10)


def _box_device(box: Element, item: Item, side: int) -> None:
    group = grouped(box, "equipment", item, data_wager=item.wager, transform=f"translate({side * 25} 95)")
    add(group, "rect", class_="device", x=-21, y=-8, width=42, height=16, rx=8)
    add(group, "circle", class_="cover", cx=0, cy=0, r=3.5)


def _label(title: str, width: int) -> list[str]:
    """A wager's title in short lines: the word `wager` goes where something is left without it."""
    short = title[: -len(" wager")] if title.lower().endswith(" wager") else title
    return textwrap.wrap(short.replace("-", " "), width, break_long_words=False)
