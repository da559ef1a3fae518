"""Which clause of one book answers to which of another: by its type and name, then by the terms that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from twentyone.money import Odds
from twentyone.redline.terms import Terms, overlap, stems, terms_of
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Clause

__all__ = ["Claim", "Pair", "claims_of", "leftover_pairs", "pair_clauses"]

ALIKE = 0.55
"""Clauses of one type that share less are different provisions, unless their paragraphs answer to each other."""
SAME_PLACE = 0.4
"""What it adds that two clauses stand under the same number."""
NEARBY = 0.3
"""What it adds at most that the words of their paragraphs are alike."""


class Claim(NamedTuple):
    """A clause with all that it is told apart by."""

    clause: Clause
    """The clause."""
    terms: Terms
    """What it says."""
    stems: frozenset[str]
    """The words of its paragraph."""
    reading: tuple[tuple[str, str], ...]
    """The readings that it stands for, where they are not the ones in force; nothing of a clause as it is read."""

    @property
    def bucket(self) -> tuple[Any, ...]:
        """Only clauses with the same of this can be one provision."""
        return self.clause.key, self.reading


class Pair(NamedTuple):
    """Two clauses that are the same provision."""

    left: Claim
    """In the first book."""
    right: Claim
    """In the second."""


def claims_of(book: Rulebook, clauses: Iterable[Clause], readings: dict[str, str]) -> list[Claim]:
    """The clauses with their terms, as they are read under these readings."""
    words = {name: stems(f"{entry.title} {entry.words}") for name, entry in book.entries.items()}
    return [
        Claim(clause, terms_of(clause), words[clause.paragraph], _other_reading(clause, readings)) for clause in clauses
    ]


def _other_reading(clause: Clause, readings: dict[str, str]) -> tuple[tuple[str, str], ...]:
    if all(readings.get(name) == value for name, value in clause.reading.items()):
        return ()
    return tuple(sorted(clause.reading.items()))


def pair_clauses(left: Sequence[Claim], right: Sequence[Claim]) -> list[Pair]:
    """The provisions that both books have, wherever they stand; each clause is in one pair at most."""
    there: dict[tuple[Any, ...], list[Claim]] = {}
    for claim in right:
        there.setdefault(claim.bucket, []).append(claim)
    here: dict[tuple[Any, ...], list[Claim]] = {}
    for claim in left:
        here.setdefault(claim.bucket, []).append(claim)
    return [
        pair for bucket, claims in here.items() if bucket in there for pair in _paired(claims, there[bucket], _may_pair)
    ]


def _may_pair(likeness: float, alone: bool, same_place: bool) -> bool:
    return alone or same_place or likeness >= ALIKE


def _may_pair_here(likeness: float, alone: bool, same_place: bool) -> bool:
    return alone or same_place or likeness > 0


def leftover_pairs(left: Sequence[Claim], right: Sequence[Claim]) -> list[Pair]:
    """Of paragraphs that answer to each other: clauses of one type that share anything are one provision."""
    found: list[Pair] = []
    for key in dict.fromkeys(claim.bucket for claim in left):
        here, there = ([claim for claim in side if claim.bucket == key] for side in (left, right))
        found += _paired(here, there, _may_pair_here)
    return found


def _paired(here: list[Claim], there: list[Claim], may: Callable[[float, bool, bool], bool]) -> list[Pair]:
    """The most alike first; of equals, those nearest to each other in the order of the texts."""
    alone = len(here) == len(there) == 1
    scored = []
    for at, one in enumerate(here):
        for to, other in enumerate(there):
            likeness, same_place = _likeness(one.terms, other.terms), one.clause.paragraph == other.clause.paragraph
            if may(likeness, alone, same_place):
                near = NEARBY * overlap(one.stems, other.stems) + SAME_PLACE * same_place
                scored.append((-likeness - near, abs(at - to), at, to))
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, _, at, to in sorted(scored):
        if at not in taken[0] and to not in taken[1]:
            taken[0].add(at)
            taken[1].add(to)
            pairs.append(Pair(here[at], there[to]))
    return sorted(pairs, key=lambda pair: here.index(pair.left))


def _likeness(one: Terms, other: Terms) -> float:
    """How much of what either says both say, from 0 to 1; what cases they speak of counts more than what follows."""
    both = all_ = 0.0
    for path in {*one.decides, *other.decides}:
        if path in one.usual and path in other.usual:
            continue
        here, there = one.decides.get(path), other.decides.get(path)
        weight = 2.0 if _is_a_case(path, here or there) else 1.0
        all_ += weight
        both += weight * (here == there)
    for path in one.words:
        if one.words[path] or other.words[path]:
            all_ += 2.0
            both += 2.0 * overlap(stems(one.words[path]), stems(other.words[path]))
    return both / all_ if all_ else 1.0


def _is_a_case(path: str, value: Any) -> bool:
    """Whether a term says which case is spoken of, rather than how much."""
    return isinstance(value, str | tuple) and not isinstance(value, Odds) and not path.startswith("when ")
