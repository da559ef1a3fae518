"""Copies of regulations that are none: the paragraph numbers of a rulebook as its text writes them, our own words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

__all__ = ["copy_of", "passages_of", "shown_as"]

WORDS = (
    *("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron"),
    *("inlet", "jetty", "knoll", "larch", "marsh", "north", "under-wood", "oxbow"),
)
REFERENCES = ("under (b) above", "as (1)(ii) below says", "see § 7.3(c) and (d)", "under Chapter 3 of it", "in (a)")
"""What is no beginning of a paragraph, though it looks a little like one."""
HEAD = "Office of Invented Games\nInvented Rules"


def passages_of(paragraphs: Sequence[str], seed: int = 1) -> dict[str, str]:
    """Words for each paragraph: some dozen, with references in them."""
    return {paragraph: _sentence(random.Random(f"{seed} {paragraph}"), paragraph) for paragraph in paragraphs}


def _sentence(rng: random.Random, paragraph: str) -> str:
    if _is_section(paragraph):
        return " ".join(rng.choices(WORDS, k=3)).title() + "."
    words = [*rng.choices(WORDS, k=rng.randint(8, 30)), rng.choice(REFERENCES), *rng.choices(WORDS, k=6)]
    return f"{words[0].title()} {' '.join(words[1:])}{rng.choice(('.', ';', '; or', ':', '.”'))}"


def _is_section(paragraph: str) -> bool:
    return re.search(r"\)(\[\d\])?$|\.[A-Z]$", paragraph) is None


def shown_as(paragraph: str) -> str:
    """How its text writes a paragraph's own number."""
    if _is_section(paragraph):
        return paragraph.replace("Ch. ", "Chapter ") + " -" if paragraph.startswith("Ch.") else f"§ {paragraph}."
    label = re.search(r"\((\w+)\)(?:\[\d\])?$|\.([A-Z])$", paragraph)
    assert label is not None
    return f"({label[1]})" if label[1] else f"{label[2]}."


def copy_of(passages: dict[str, str], apart: bool = False, without: Iterable[str] = ()) -> str:
    """A copy: contents, then each paragraph, with running heads, page numbers and an editor's notes between them.

    `apart`: each label stands on a line of its own.
    """
    sections = [paragraph for paragraph in passages if _is_section(paragraph)]
    contents = "\n".join(
        f"| {shown_as(section)} {passages[section]} | {page} |" for page, section in enumerate(sections)
    )
    blocks = ["Invented Rules\n\nContents", contents, HEAD]
    for number, (paragraph, words) in enumerate(passages.items()):
        if number % 25 == 24:
            blocks += [HEAD, f"9z-{number}"]
        if _is_section(paragraph) and number:
            blocks += ["**Source**", "Adopted on a day that never was."]
        gap = "\n" if apart and not _is_section(paragraph) else " "
        if paragraph not in without:
            blocks.append(f"{shown_as(paragraph)}{gap}{words}")
    return "\n\n".join(blocks) + "\n"
