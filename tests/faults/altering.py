"""How real material is altered at random, so that something like it comes out which nobody has written."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

__all__ = ["ODD", "altered_bytes", "altered_json", "altered_text"]

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 21, 99, 1 << 31, 1 << 63, -(1 << 63), 1 << 64, 10**40, 0.5, -0.0, 1e308,
    "", "0", "-1", "1e9", "NaN", "inf", "7.50", "0.0005", "1/0", "AS", "??", "unknown", "Ann", "main", "\x00", "\ud800",
    "é" * 300, "x" * 5000, "../..", [], {}, [[]], [None], {"": ""}, {"amount": {}}, ["AS", 7], [1, 2, 3],
)  # fmt: skip
"""Values that somebody might write where another belongs."""
TEXTS = (
    "", "\n", "\x00", "\ufeff", "\u2028", "=", "[", "]", "{", "}", '"', "'''", '"""', "#", "```", "```toml\n",
    "\n# 1\n", "\n## (a)\n", "[pay.x]\n", "= -1\n", "= 1e400\n", "= nan\n", "= 1979-05-27\n", "= [[]]\n", "= {}\n",
    "when = {x = 1}\n", "reading = 7\n", "except_to = ['?']\n", "pattern = '*'\n", "\\", "\\u0000", "9" * 5000,
    "(" * 300, "é", "\u0663", "-", ",", ":",
)  # fmt: skip
"""Texts that somebody might write in between."""


@st.composite
def altered_json(draw: st.DrawFn, bodies: st.SearchStrategy[Any], most: int = 3) -> Any:
    """A value with some of its parts replaced, removed, doubled or moved."""
    body = [copy.deepcopy(draw(bodies))]
    for _ in range(draw(st.integers(1, most))):
        holder, key = draw(st.sampled_from(list(_places(body))))
        _alter(draw, body, holder, key)
    return body[0] if body else None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _alter(draw: st.DrawFn, root: Any, holder: Any, key: Any) -> None:
    how = draw(st.sampled_from(("odd", "other", "remove", "rename", "nest", "text")))
    if how == "odd":
        holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
    elif how == "other":
        source, place = draw(st.sampled_from(list(_places(root))))
        holder[key] = copy.deepcopy(source[place])
    elif how == "remove" and holder is not root:
        del holder[key]
    elif how == "rename" and isinstance(holder, dict):
        holder[draw(st.sampled_from(("x", "", "amount", "events", "player", "box", "data")))] = holder.pop(key)
    elif how == "nest":
        holder[key] = [holder[key]]
    elif isinstance(holder[key], str):
        holder[key] = draw(altered_text(st.just(holder[key])))


@st.composite
def altered_text(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with a piece of it replaced by another, by a piece of its own or by something odd."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.sampled_from((0, 1, 2, 8, 40))))
        own = draw(st.integers(0, len(text)))
        piece = draw(st.one_of(st.sampled_from(TEXTS), st.text(max_size=4), st.just(text[own : own + 30])))
        text = text[:at] + piece + text[end:]
    return text


@st.composite
def altered_bytes(draw: st.DrawFn, contents: st.SearchStrategy[bytes], most: int = 6) -> bytes:
    """A file with some of its bytes replaced, or cut off."""
    content = bytearray(draw(contents))
    for _ in range(draw(st.integers(1, most))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.sampled_from((0, 1, 1, 4, 100)))] = draw(st.binary(max_size=4))
    return bytes(content[: draw(st.sampled_from((len(content), len(content), len(content) // 2)))])
