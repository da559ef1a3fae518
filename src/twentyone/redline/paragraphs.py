"""Which paragraphs of two books answer to each other: by the clauses they share, then by number, title and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from twentyone.redline.pairing import Claim, Pair
from twentyone.redline.terms import overlap, stems
from twentyone.rulebook import Entry, Rulebook

__all__ = ["AlignedParagraphs", "align"]

WORDS_ALIKE = 0.4
"""Paragraphs without a common clause answer to each other from this likeness of their words on ..."""
JOINS = 0.5
"""... and one joins others, that answer to each other already, from this one on."""
TITLES_ALIKE = 0.3
"""Sections whose titles share this much speak of the same."""
PART = 0.4
"""A paragraph with this share of its words is a part of another."""
SAME_NUMBER = 1.5
"""What the same number counts: more than one clause, less than two that stand elsewhere now."""
SAME_WORDS = 1.0
"""What words that are the same to the letter count."""
SAME_TITLE = 0.5
"""What titles that are alike count at most."""
SAME_PARENT = 0.25
"""What it counts that the paragraphs above them answer to each other."""


DEPTH = 4
"""Headings stand at most this deep over each other."""


class AlignedParagraphs(NamedTuple):
    """Paragraphs of one book and those of the other that answer to them."""

    left: tuple[str, ...]
    """In the first book, in the order of the text."""
    right: tuple[str, ...]
    """In the second."""


class _Text(NamedTuple):
    """A paragraph as it is compared with others."""

    entry: Entry
    section: str
    parent: str
    stems: frozenset[str]
    said: int


def align(
    left: Rulebook, right: Rulebook, pairs: Sequence[Pair], said: Sequence[Sequence[Claim]]
) -> list[AlignedParagraphs]:
    """Every paragraph of both books in one group, in the order of the first book; `said`: what is compared of each."""
    counts = [Counter(claim.clause.paragraph for claim in claims) for claims in said]
    here, there = _texts(left, counts[0]), _texts(right, counts[1])
    shared = _shared(pairs)
    links = list(_by_clauses(here, there, shared))
    links += _by_what_is_under(here, there, links)
    links += _by_words(here, there, _sections(here, there, shared), links)
    links += _by_what_is_over(here, there, links)
    return _groups(here, there, links)


def _texts(book: Rulebook, counts: Mapping[str, int]) -> dict[str, _Text]:
    texts: dict[str, _Text] = {}
    for name, entry in book.entries.items():
        above = [other for other in texts if name.startswith((f"{other}(", f"{other}.", f"{other}["))]
        parent = max(above, key=len, default="")
        section = texts[parent].section if parent else name
        texts[name] = _Text(entry, section, parent, stems(f"{entry.title} {entry.words}"), counts.get(name, 0))
    return texts


Texts = Mapping[str, _Text]
Link = tuple[tuple[str, str], tuple[str, str]]
"""Two paragraphs, each with the side that it stands on: two books may number alike."""
LEFT, RIGHT = "left", "right"


def _shared(pairs: Sequence[Pair]) -> dict[tuple[str, str], int]:
    """How many provisions two paragraphs share."""
    counts: dict[tuple[str, str], int] = {}
    for pair in pairs:
        place = pair.left.clause.paragraph, pair.right.clause.paragraph
        counts[place] = counts.get(place, 0) + 1
    return counts


def _likeness(one: _Text, other: _Text) -> float:
    same = SAME_NUMBER * (one.entry.paragraph == other.entry.paragraph)
    same += SAME_WORDS * (one.entry.words == other.entry.words)
    titles = SAME_TITLE * overlap(stems(one.entry.title), stems(other.entry.title))
    return same + titles + (overlap(one.stems, other.stems) + _contained(one.stems, other.stems)) / 2


def _contained(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter text the longer one says, too."""
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0


def _by_clauses(here: Texts, there: Texts, shared: Mapping[tuple[str, str], int]) -> Iterator[Link]:
    """Each paragraph with the one that has most of its provisions: over half of them, or the most on both sides."""
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for (one, other), count in shared.items():
        worth = count + _likeness(here[one], there[other])
        for end, answer in (((LEFT, one), other), ((RIGHT, other), one)):
            if worth > best.get(end, (0.0, ""))[0]:
                best[end] = worth, answer
    for (side, name), (_, partner) in best.items():
        here_name, there_name = (name, partner) if side == LEFT else (partner, name)
        mutual = best[LEFT, here_name][1] == there_name and best[RIGHT, there_name][1] == here_name
        said = (here if side == LEFT else there)[name].said
        if mutual or 2 * shared[here_name, there_name] > said:
            yield (LEFT, here_name), (RIGHT, there_name)


def _by_what_is_under(here: Texts, there: Texts, links: Sequence[Link]) -> list[Link]:
    """Headings under which most paragraphs answer to each other, the lowest headings first."""
    found: list[Link] = []
    taken = {name for link in links for name in link}
    for _ in range(DEPTH):
        counts: dict[tuple[str, str], int] = {}
        for (_, one), (_, other) in (*links, *found):
            over = here[one].parent, there[other].parent
            if all(over) and not {(LEFT, over[0]), (RIGHT, over[1])} & taken:
                counts[over] = counts.get(over, 0) + 1
        for (one, other), _ in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
            ends: Link = (LEFT, one), (RIGHT, other)
            if not taken.intersection(ends) and not here[one].entry.clauses and not there[other].entry.clauses:
                taken.update(ends)
                found.append(ends)
    return found


def _by_what_is_over(here: Texts, there: Texts, links: Sequence[Link]) -> list[Link]:
    """Paragraphs without a clause, which say a part of what the paragraph over them says in the other law."""
    pairs = [(one[1], other[1]) for one, other in links]
    found: list[Link] = []
    for name, text in _words_alone(here, {one for one, _ in pairs}):
        near = [other for one, other in pairs if text.parent == one or _siblings(text, here[one])]
        found += [((LEFT, name), (RIGHT, other)) for other in _says_it(text, near, there)]
    for name, text in _words_alone(there, {other for _, other in pairs}):
        near = [one for one, other in pairs if text.parent == other or _siblings(text, there[other])]
        found += [((LEFT, one), (RIGHT, name)) for one in _says_it(text, near, here)]
    return found


def _siblings(one: _Text, other: _Text) -> bool:
    """Whether two paragraphs stand under one that is no section."""
    return one.parent == other.parent != one.section


def _words_alone(texts: Texts, linked: set[str]) -> list[tuple[str, _Text]]:
    """Paragraphs that nothing answers to yet, and that are neither clause nor heading."""
    return [
        (name, text)
        for name, text in texts.items()
        if name not in linked and text.parent and not text.entry.clauses and text.entry.kind != "heading"
    ]


def _says_it(text: _Text, near: Iterable[str], others: Texts) -> list[str]:
    """The one of some paragraphs that says most of these words, if it says enough of them."""
    best = max(near, key=lambda name: len(text.stems & others[name].stems), default=None)
    enough = best is not None and len(text.stems & others[best].stems) >= PART * len(text.stems)
    return [best] if best is not None and enough else []


def _sections(here: Texts, there: Texts, shared: Mapping[tuple[str, str], int]) -> set[tuple[str, str]]:
    """The sections that speak of the same: they share provisions, or their titles are alike, or their numbers."""
    known = {(here[one].section, there[other].section) for one, other in shared}
    for one in {text.section for text in here.values()}:
        for other in {text.section for text in there.values()}:
            titles = overlap(stems(here[one].entry.title), stems(there[other].entry.title))
            if one == other or titles >= TITLES_ALIKE:
                known.add((one, other))
    return known


def _by_words(here: Texts, there: Texts, sections: set[tuple[str, str]], links: Sequence[Link]) -> list[Link]:
    """Paragraphs without a provision in common, each with the one whose words are most alike, in sections alike."""
    known = {(one[1], other[1]) for one, other in links}
    linked = {name for link in links for name in link}
    scored = []
    for one in here.values():
        for other in there.values():
            ends: Link = (LEFT, one.entry.paragraph), (RIGHT, other.entry.paragraph)
            if linked.issuperset(ends) or (one.section, other.section) not in sections or not _may_answer(one, other):
                continue
            if any(text.said and end not in linked for text, end in zip((one, other), ends, strict=True)):
                continue
            likeness = _likeness(one, other) + SAME_PARENT * ((one.parent, other.parent) in known)
            if likeness >= (JOINS if linked.intersection(ends) else WORDS_ALIKE):
                scored.append((-likeness, ends))
    found = []
    for _, ends in sorted(scored):
        if not linked.issuperset(ends):
            linked.update(ends)
            found.append(ends)
    return found


def _may_answer(one: _Text, other: _Text) -> bool:
    """Whether words alone may tell that two paragraphs answer to each other.

    A heading answers to a heading, or to what bears the same title; of others one has no clause of its own.
    """
    if one.entry.paragraph == other.entry.paragraph:
        return True
    headings = [text.entry.kind == "heading" for text in (one, other)]
    if any(headings):
        titled = bool(one.entry.title) and one.entry.title == other.entry.title
        return titled or (all(headings) and not one.said and not other.said)
    return not one.said or not other.said


def _groups(here: Texts, there: Texts, links: Iterable[Link]) -> list[AlignedParagraphs]:
    """What hangs together by links, in the order of the first book; what only the second has, after its neighbour."""
    root: dict[tuple[str, str], tuple[str, str]] = {}

    def find(name: tuple[str, str]) -> tuple[str, str]:
        while root.get(name, name) != name:
            name = root[name]
        return name

    for one, other in links:
        root[find(other)] = find(one)
    members: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for side, texts in ((LEFT, here), (RIGHT, there)):
        for name in texts:
            members.setdefault(find((side, name)), ([], []))[side == RIGHT].append(name)
    return _in_order([AlignedParagraphs(tuple(left), tuple(right)) for left, right in members.values()], there)


def _in_order(groups: list[AlignedParagraphs], there: Texts) -> list[AlignedParagraphs]:
    """Groups that only the second book has stand behind the one that holds the paragraph before them there."""
    ordered = [group for group in groups if group.left]
    place = {name: group for group in groups for name in group.right}
    before: AlignedParagraphs | None = None
    for name in there:
        group = place[name]
        if not group.left and group not in ordered:
            ordered.insert(ordered.index(before) + 1 if before is not None else 0, group)
        before = group
    return ordered
