"""Makes the redline of two laws: clauses paired, paragraphs aligned, then every field held against its counterpart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from twentyone.redline.model import FieldChange, Provision, Redline, RedlineRow, Status, Version
from twentyone.redline.pairing import Claim, Pair, claims_of, leftover_pairs, pair_clauses
from twentyone.redline.paragraphs import AlignedParagraphs, align
from twentyone.redline.restated import completed, said_with
from twentyone.redline.terms import rows_of, terms_of, value_words
from twentyone.rulebook import Entry
from twentyone.rulebook.clauses import Clause, NotPayable
from twentyone.rulebook.reader import is_under
from twentyone.rulebook.rows import stands_under

__all__ = ["compare"]


def compare(left: Version, right: Version) -> Redline:
    """Two laws, paragraph by paragraph.

    >>> from twentyone.rulebook import Rulebook
    >>> spanish = [Version(name, Rulebook.load(name).under()) for name in ("pa-spanish-21", "md-spanish-21")]
    >>> compare(*spanish).counts["only_left"] < 20, compare(spanish[0], spanish[0]).differs
    (True, False)
    """
    in_force = left.stated or right.stated
    sides = _claims(left, right, in_force), _claims(right, left, in_force)
    pairs = pair_clauses(*sides)
    groups = align(left.book, right.book, pairs, sides)
    pairs += _leftovers(sides, pairs, groups)
    told = _told(_Known(left, right, pairs, sides), in_force)
    rows = [_row(group, told, left, right) for group in groups]
    return Redline(
        left,
        right,
        tuple(_with_headings(rows)),
        tuple(_head(left, right)),
        tuple(_choices(left, right)) if in_force else (),
    )


Sides = tuple[list[Claim], list[Claim]]


def _claims(version: Version, other: Version, in_force: bool) -> list[Claim]:
    """What is compared of a law; of clauses of readings that are not in force, those whose number both laws have."""
    clauses = version.rules.clauses if in_force else version.book.clauses
    claims = claims_of(version.book, clauses, dict(version.rules.submission.readings))
    return [claim for claim in claims if not claim.reading or claim.clause.paragraph in other.book.entries]


def _leftovers(sides: Sides, pairs: Sequence[Pair], groups: Sequence[AlignedParagraphs]) -> list[Pair]:
    """What paragraphs that answer to each other say of one subject is one provision, however different."""
    taken = {id(claim.clause) for pair in pairs for claim in pair}
    free: list[dict[str, list[Claim]]] = [{}, {}]
    for at, side in enumerate(sides):
        for claim in side:
            if id(claim.clause) not in taken:
                free[at].setdefault(claim.clause.paragraph, []).append(claim)
    found: list[Pair] = []
    for group in groups:
        here = [claim for name in group.left for claim in free[0].get(name, ())]
        there = [claim for name in group.right for claim in free[1].get(name, ())]
        found += leftover_pairs(here, there) if here and there else []
    return found


# -- provisions


class _Known:
    """What is known of both laws while fields are compared."""

    def __init__(self, left: Version, right: Version, pairs: Sequence[Pair], sides: Sides) -> None:
        self.pairs, self.sides = pairs, sides
        names = [{reading.name for reading in version.book.readings} for version in (left, right)]
        self.readings = names[0] & names[1]
        """The readings that both have."""
        self.numbers = left.book.entries.keys() & right.book.entries.keys()
        """The numbers of paragraphs that both have."""
        self.number = {id(claim.clause): at for at, pair in enumerate(pairs) for claim in pair}
        """Clause to the number of its pair."""
        self.rows: tuple[list[Clause], list[Clause]] = (
            [pair.left.clause for pair in pairs if not pair.left.reading],
            [pair.right.clause for pair in pairs if not pair.right.reading],
        )
        """The clauses that have a counterpart, as they are read."""

    def meant(self, names: Sequence[str], side: int, kind: type[Clause]) -> frozenset[int]:
        """The provisions that a field names: rows of its type by their name, and what stands under paragraphs."""
        yields = hasattr(kind, "except_to")
        return frozenset(
            self.number[id(row)]
            for row in self.rows[side]
            if (isinstance(row, kind) and getattr(row, "name", "") in names)
            or (stands_under(row, names) and (isinstance(row, kind) or not yields))
        )


def _told(known: _Known, in_force: bool) -> dict[int, Provision]:
    """Clause to what is said of it."""
    told: dict[int, Provision] = {}
    for pair in known.pairs:
        one, other = pair.left.clause, pair.right.clause
        changes = tuple(_changes(known, pair, in_force))
        status: Status = "same" if not changes else "words" if all(change.words for change in changes) else "changed"
        told[id(one)] = told[id(other)] = Provision(status, one, other, changes)
    for claim in known.sides[0]:
        if id(claim.clause) not in told:
            told[id(claim.clause)] = _alone(known, claim, left=True)
    for claim in known.sides[1]:
        if id(claim.clause) not in told:
            told[id(claim.clause)] = _alone(known, claim, left=False)
    return told


def _alone(known: _Known, claim: Claim, left: bool) -> Provision:
    """A clause without a counterpart: one law says it alone, or the other says it in passing."""
    clause, elsewhere = claim.clause, None
    if clause.paragraph not in known.numbers:
        elsewhere = said_with(claim, known.sides[1 if left else 0])
    if elsewhere is not None:
        return Provision("same", *((clause, elsewhere.clause) if left else (elsewhere.clause, clause)))
    return Provision(ONLY[not left], clause if left else None, None if left else clause, _whole(clause, left))


ONLY: tuple[Status, Status] = ("only_left", "only_right")


def _changes(known: _Known, pair: Pair, in_force: bool) -> Iterator[FieldChange]:
    one, other = completed(pair.left, known.sides[0]), completed(pair.right, known.sides[1])
    for path in dict.fromkeys([*one, *other]):
        here, there = one.get(path), other.get(path)
        if here != there and not (in_force and path.startswith("when ")):
            yield FieldChange(_path_words(path), _value(path, here), _value(path, there))
    for path, words in pair.left.terms.words.items():
        if words != (text := pair.right.terms.words[path]):
            yield FieldChange(_path_words(path), words or "none", text or "none", words=True)
    yield from _row_changes(known, pair.left.clause, pair.right.clause)
    yield from _reading_changes(known, pair.left.clause, pair.right.clause)


def _value(path: str, value: object) -> str:
    return "any" if value is None and path.startswith("when ") else value_words(value)


def _path_words(path: str) -> str:
    """A path as a person reads it."""
    return (
        path.replace("_", " ").replace("when ", "only with ", 1) if path.startswith("when ") else path.replace("_", " ")
    )


def _row_changes(known: _Known, one: Clause, other: Clause) -> Iterator[FieldChange]:
    """Fields that name rows or paragraphs differ where they mean other provisions of those that both laws have."""
    names = _all_rows(known, one, 0), _all_rows(known, other, 1)
    for field, here in names[0].items():
        there = names[1][field]
        if here != there and known.meant(here, 0, type(one)) != known.meant(there, 1, type(other)):
            yield FieldChange(_path_words(field), value_words(here), value_words(there))


def _all_rows(known: _Known, clause: Clause, side: int) -> dict[str, tuple[str, ...]]:
    """The rows that a clause names; what hands do not earn, with the paragraphs that another clause adds for them."""
    if not isinstance(clause, NotPayable):
        return rows_of(clause)
    claims = [claim.clause for claim in known.sides[side] if not claim.reading]
    alike = [row for row in claims if isinstance(row, NotPayable) and row.on == clause.on]
    return {"rows": tuple(dict.fromkeys(name for row in (clause, *alike) for name in row.rows))}


def _reading_changes(known: _Known, one: Clause, other: Clause) -> Iterator[FieldChange]:
    for name in {*one.reading, *other.reading} & known.readings:
        here, there = one.reading.get(name), other.reading.get(name)
        if here != there:
            yield FieldChange(f"by the reading {name}", here or "any", there or "any")


def _whole(clause: Clause, left: bool) -> tuple[FieldChange, ...]:
    """All that a clause says which one law has alone."""
    terms = terms_of(clause)
    said = [(path, _value(path, value)) for path, value in terms.decides.items() if path not in terms.usual]
    said += [(path, text) for path, text in terms.words.items() if text]
    return tuple(FieldChange(_path_words(path), *((text, "") if left else ("", text))) for path, text in said)


# -- rows


def _row(group: AlignedParagraphs, told: Mapping[int, Provision], left: Version, right: Version) -> RedlineRow:
    entries = [left.book.entries[name] for name in group.left], [right.book.entries[name] for name in group.right]
    provisions: dict[int, Provision] = {}
    for entry in entries[0]:
        for clause in entry.clauses:
            if id(clause) in told:
                provisions[id(told[id(clause)])] = told[id(clause)]
    for entry in entries[1]:
        for clause in entry.clauses:
            found = told.get(id(clause))
            if found is not None and id(found) not in provisions:
                provisions[id(found)] = found if found.left is None else _repeated(found)
    rows = tuple(provisions.values())
    return RedlineRow(_status(entries, rows, told), tuple(entries[0]), tuple(entries[1]), rows)


def _with_headings(rows: Sequence[RedlineRow]) -> Iterator[RedlineRow]:
    """A heading that one law has alone is only words, unless all that stands under it is that law's alone."""
    status = {(at, entry.paragraph): row.status for row in rows for at in (0, 1) for entry in (row.left, row.right)[at]}
    for row in rows:
        side = int(row.status == "only_right")
        entries = (row.left, row.right)[side]
        if row.status in ONLY and all(entry.kind == "heading" for entry in entries):
            under = [
                found
                for (at, name), found in status.items()
                if at == side and any(is_under(name, entry.paragraph) and name != entry.paragraph for entry in entries)
            ]
            yield replace(row, status="words") if set(under) - {row.status} else row
        else:
            yield row


def _repeated(provision: Provision) -> Provision:
    return Provision(provision.status, provision.left, provision.right, provision.changes, again=True)


Entries = tuple[list[Entry], list[Entry]]


def _status(entries: Entries, rows: Sequence[Provision], told: Mapping[int, Provision]) -> Status:
    """What became of paragraphs: their clauses decide; that a text can be read in several ways is a matter of words."""
    law = [row for row in rows if row.key.partition(".")[0] != "reading"]
    found = {row.status for row in law}
    if not law:
        return _status_of_words(entries, told)
    if len(found) == 1 and found & set(ONLY) and not (entries[0] and entries[1]):
        return found.pop()
    if found <= {"same", "words"}:
        open_here = any(row.status not in ("same", "words") for row in rows)
        return "words" if "words" in found or open_here or _reworded(entries) else "same"
    return "changed"


def _reworded(entries: Entries) -> bool:
    """Whether paragraphs of the same number have other words."""
    here, there = ({entry.paragraph: entry.words for entry in side} for side in entries)
    return here.keys() == there.keys() and here != there


def _status_of_words(entries: Entries, told: Mapping[int, Provision]) -> Status:
    """Paragraphs without a clause of their own: words, which a clause elsewhere may carry out in both laws."""
    here, there = entries
    if here and there:
        return "same" if [entry.words for entry in here] == [entry.words for entry in there] else "words"
    carried = {key for entry in (*here, *there) for key in entry.carried_by}
    both = {row.key for row in told.values() if row.left and row.right}
    if carried and carried <= both | {key.partition(".")[0] for key in both}:
        return "words"
    return "only_left" if here else "only_right"


# -- what stands outside the paragraphs


def _head(left: Version, right: Version) -> Iterator[FieldChange]:
    for words, orders in (
        ("order of a round", (left.book.order, right.book.order)),
        ("order of the opening", (left.book.opening, right.book.opening)),
    ):
        common = set(orders[0]) & set(orders[1])
        if [step for step in orders[0] if step in common] != [step for step in orders[1] if step in common]:
            yield FieldChange(words, value_words(orders[0]), value_words(orders[1]))


def _choices(left: Version, right: Version) -> Iterator[FieldChange]:
    """The choices and the readings under which two submissions differ."""
    for words, tables in (
        ("{}", (left.rules.submission.values, right.rules.submission.values)),
        ("reading {}", (left.rules.submission.readings, right.rules.submission.readings)),
    ):
        for key in dict.fromkeys([*tables[0], *tables[1]]):
            here, there = (table.get(key) for table in tables)
            if here != there:
                yield FieldChange(words.format(key), value_words(here), value_words(there))
