"""What must hold between the entries of a book: paragraphs, steps, references, conditions, rows that do not collide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, get_args

from twentyone.errors import RulebookError, SubmissionRefused
from twentyone.rulebook import clauses as c
from twentyone.rulebook.folders import HEAD_FILE
from twentyone.rulebook.overlaps import can_be_together, outcomes_overlap, pays_overlap
from twentyone.rulebook.reader import Entry
from twentyone.rulebook.rows import yields
from twentyone.rulebook.submission import limit_fault, value_fault
from twentyone.rulebook.values import meant, none_of, references_of
from twentyone.rulebook.vocabulary import BACKS, KNOWN_KEYS, Rank

if TYPE_CHECKING:
    from twentyone.rulebook.rulebook import Rulebook

__all__ = ["NEEDED", "check_book", "check_paragraphs", "check_playable"]

NEEDED = (
    "cards", "value", "ace", "blackjack", "boxes", "dealer", "deal", "outcome", "pay", "decision.hit", "decision.stand",
    "wager.main", "submission.decks", "submission.chip_unit", "submission.shuffler", "submission.mid_shoe_entry",
    "step.deal", "step.decide", "step.reveal", "step.draw", "step.settle", "step.collect", "decision_cards", "burn",
    "change", "cover_card", "cut", "cut_offer", "idle", "task.receive_cards", "task.shuffle", "task.offer_cut",
    "task.cut", "task.insert_cover_card", "task.load_shoe", "task.burn", "task.place_wager", "task.deal",
    "task.collect_cards", "task.change_cards", "task.change_dealer", "task.spread_idle",
)  # fmt: skip
"""The clauses without which no round can be dealt at a table."""

CUT_OCCASIONS = ("new_game", "box", "dealer", "floorperson")
"""The occasions on which a stack is cut."""


def check_paragraphs(book: str, wanted: list[str], entries: tuple[Entry, ...]) -> None:
    """Every paragraph of the text has one entry, in the order of the text, and every entry a paragraph."""
    seen: set[str] = set()
    for entry in entries:
        if entry.paragraph not in wanted:
            raise RulebookError(
                entry.paragraph, "the text has no such paragraph: the head's `paragraphs` do not list it", entry.place
            )
        if entry.paragraph in seen:
            raise RulebookError(entry.paragraph, "the paragraph has two entries", entry.place)
        seen.add(entry.paragraph)
        _ = entry.kind
    for paragraph in wanted:
        if paragraph not in seen:
            raise RulebookError(paragraph, "the paragraph has no entry", f"{book}/{HEAD_FILE}")
        if wanted.count(paragraph) > 1:
            raise RulebookError(paragraph, "the head lists the paragraph twice", f"{book}/{HEAD_FILE}")
    for paragraph, entry in zip(wanted, entries, strict=True):
        if entry.paragraph != paragraph:
            raise RulebookError(entry.paragraph, f"the head's `paragraphs` have {paragraph} here", entry.place)


def check_book(book: Rulebook) -> None:
    """Refuse a book whose clauses contradict one another or speak of what is not there."""
    _check_steps(book)
    _check_opening(book)
    _check_notes(book)
    _check_names(book)
    _check_rows(book)
    _check_readings(book)
    _check_keys(book)
    _check_conditions(book)
    _check_overlaps(book)
    _check_shares(book)
    _check_dealer(book)
    _check_decisions(book)
    _check_bands(book)
    _check_cut_offers(book)
    _check_batches(book)
    _check_spans(book)


def check_playable(book: Rulebook) -> None:
    """Refuse a book that lacks a clause without which no round can be dealt."""
    keys = {clause.key for clause in book.clauses} | {clause.type_key for clause in book.clauses}
    missing = [key for key in NEEDED if key not in keys]
    if missing:
        raise RulebookError(book.id, f"no entry has a fence for {', '.join(missing)}")
    for clause in book.clauses:
        missing = [key for key in _companions(clause) if key not in keys]
        if missing:
            raise _refuse(clause, f"no entry has a fence for {', '.join(missing)}, which it needs")
    try:
        book.under(book.showcase)
    except SubmissionRefused as refused:
        raise RulebookError(book.id, f"the showcase is refused: {refused}") from None


def _companions(clause: c.Clause) -> list[str]:
    """The clauses without which another cannot be carried out."""
    if isinstance(clause, c.Step) and clause.name == "offer_insurance":
        return ["decision.insure", "insurance_limit"]
    if isinstance(clause, c.Arrival | c.WaitingBatch):
        return [f"task.{task}" for task in clause.tasks]
    return ["task.inspect_device"] if isinstance(clause, c.Device) and clause.inspected else []


def _refuse(clause: c.Clause, why: str) -> RulebookError:
    return RulebookError(clause.paragraph, f"{clause.key}: {why}", clause.place)


def _check_steps(book: Rulebook) -> None:
    fences = {clause.name: clause for clause in book.clauses if isinstance(clause, c.Step)}
    for name in book.order:
        if name not in fences:
            raise RulebookError(book.id, f"step {name} of the order has no fence")
    for name, clause in fences.items():
        if name not in book.order:
            raise _refuse(clause, "the step is not in the order")


def _check_opening(book: Rulebook) -> None:
    for name in book.opening:
        if name not in book.tasks:
            raise RulebookError(book.id, f"task {name} of the opening has no fence")


def _check_notes(book: Rulebook) -> None:
    keys = {clause.key for clause in book.clauses}
    for entry in book.entries.values():
        for key in entry.carried_by:
            if key not in keys:
                raise RulebookError(entry.paragraph, f"no clause {key} carries it", entry.place)


# -- names and references


def _check_names(book: Rulebook) -> None:
    """A field that names a clause names one of this book."""
    names: dict[str, set[str]] = {}
    for clause in book.clauses:
        names.setdefault(clause.type_key, set()).add(str(getattr(clause, "name", "")))
    for clause in book.clauses:
        for field, wanted in references_of(type(clause)).items():
            value = getattr(clause, field)
            if value and value not in names.get(wanted, ()):
                raise _refuse(clause, f"{field}: {none_of(value, tuple(sorted(names.get(wanted, ()))))}")


def _check_rows(book: Rulebook) -> None:
    """Rows yield to what is there, named rows are yielded to, and a symbol is called by what it pays."""
    rows = [clause for clause in book.clauses if isinstance(clause, c.Pay | c.Outcome)]
    known = {row.name for row in rows if row.name} | set(book.entries)
    named: set[str] = set()
    for clause in book.clauses:
        for reference in (*getattr(clause, "except_to", ()), *getattr(clause, "rows", ())):
            named.add(reference)
            if reference not in known:
                raise _refuse(clause, f"{reference!r} is no row and no paragraph{meant(reference, known)}")
        if isinstance(clause, c.Symbol) and clause.name not in _symbol_names(clause):
            raise _refuse(clause, f"name {none_of(clause.name, _symbol_names(clause))}, by what it pays")
    symbols = [clause for clause in book.clauses if isinstance(clause, c.Symbol)]
    for clause in book.clauses:
        if isinstance(clause, c.MeterFloor) and not any(_pays(symbol, clause) for symbol in symbols):
            raise _refuse(clause, f"no symbol that is in force beside it pays the meter {clause.name!r}")
    for row in rows:
        if row.name and row.name not in named:
            raise _refuse(row, f"no row yields to {row.name!r}")


def _pays(symbol: c.Symbol, meter: c.MeterFloor) -> bool:
    return symbol.meter == meter.name and can_be_together(symbol, meter)


def _symbol_names(symbol: c.Symbol) -> tuple[str, ...]:
    """What a symbol may be called: by what it pays, and to the others."""
    if symbol.meter is not None:
        return ("jackpot", "jackpot-1", "jackpot-2")
    pays = str(symbol.pays)
    return (pays,) if symbol.others is None else (f"{pays}+{symbol.others}",)


def _check_readings(book: Rulebook) -> None:
    """Every value of a reading is asked for by a clause, or told in words beside the reading's name."""
    told = {note.text for entry in book.entries.values() for note in entry.notes if note.kind == "reading"}
    values = {reading.name: reading.values for reading in book.readings}
    asked: set[tuple[str, str]] = set()
    for clause in book.clauses:
        for name, value in clause.reading.items():
            asked.add((name, value))
            if name not in values:
                raise _refuse(clause, f"reading {none_of(name, tuple(values))}")
            if value not in values[name]:
                raise _refuse(clause, f"reading {name}: {none_of(value, values[name])}")
    for reading in book.readings:
        for value in reading.values:
            notes = [note for note in told if f"`{reading.name}`" in note]
            if (reading.name, value) not in asked and not any(f"`{value}`" in note for note in notes):
                raise _refuse(reading, f"no clause asks for {value!r}, and no note on `{reading.name}` speaks of it")
        if len(reading.values) > 1 and not any(name == reading.name for name, _ in asked):
            raise _refuse(reading, "the reading switches no clause")


# -- submission keys and conditions


def _keys(book: Rulebook) -> dict[str, c.SubmissionKey]:
    return {clause.name: clause for clause in book.clauses if isinstance(clause, c.SubmissionKey)}


def _check_keys(book: Rulebook) -> None:
    """A key is known to the exchange format, or asked for by a clause; what it says of itself is of its type."""
    asked = {name for clause in book.clauses for name in (*clause.when, *_tables(clause))}
    asked |= {str(getattr(clause, "hands_key", "")) for clause in book.clauses}
    for key in (clause for clause in book.clauses if isinstance(clause, c.SubmissionKey)):
        name = key.name
        if name not in (*KNOWN_KEYS, *asked):
            raise _refuse(key, f"no clause asks for this choice, and {none_of(name, KNOWN_KEYS)}")
        if not key.fixed and not key.type:
            raise _refuse(key, "a choice needs a type (or fixed = true)")
        for value in (key.least, key.most, *key.choices):
            if value is not None and limit_fault(key, value):
                raise _refuse(key, f"{value!r} is no value of type {key.type}")
        fault = value_fault(key, key.default) if key.default is not None else None
        if fault is not None:
            raise _refuse(key, f"default: {key.default!r}: {fault}")
        for value in key.choices if key.type == "choice" else ():
            if not _speaks_of(book, name, value):
                raise _refuse(key, f"no clause asks for {value!r}, and no note on `{name}` speaks of it")
        if key.default is None and not (key.fixed or key.optional):
            raise _refuse(key, "a choice needs a default (or optional = true)")


def _speaks_of(book: Rulebook, key: str, value: str) -> bool:
    """Whether a condition of the book asks for this choice, or a note on the submission tells what it means."""
    asked = any(value in _listed(clause.when.get(key)) for clause in book.clauses)
    notes = [note.text for entry in book.entries.values() for note in entry.notes if note.kind == "submission"]
    return asked or any(f"`{key}`" in note and f'"{value}"' in note for note in notes)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _tables(clause: c.Clause) -> Mapping[str, Any]:
    """The submission values that a clause writes beside its conditions."""
    return {**getattr(clause, "only_with", {}), **getattr(clause, "instead", {})}


def _check_conditions(book: Rulebook) -> None:
    """Keys and values of `when`, `only_with` and `instead` are those of the submission."""
    keys = _keys(book)
    for clause in book.clauses:
        for name, wanted in _conditions(clause):
            if name not in keys:
                raise _refuse(clause, f"submission key {none_of(name, tuple(keys))}")
            for value in _listed(wanted):
                fault = value_fault(keys[name], value)
                if fault is not None:
                    raise _refuse(clause, f"{name}: {value!r}: {fault}{meant(value, map(str, keys[name].choices))}")


def _conditions(clause: c.Clause) -> Iterator[tuple[str, Any]]:
    yield from clause.when.items()
    yield from _tables(clause).items()


# -- rows that both match


def _check_overlaps(book: Rulebook) -> None:
    """Two rows that may both match a hand must say which excepts which; a wager is spared once."""
    spared = [clause for clause in book.clauses if isinstance(clause, c.Spared)]
    for one, other in combinations(spared, 2):
        if one.wager == other.wager and can_be_together(one, other):
            raise _refuse(one, f"wager: the row under {other.paragraph} spares a {one.wager} too")
    pays = [clause for clause in book.clauses if isinstance(clause, c.Pay)]
    outcomes = [clause for clause in book.clauses if isinstance(clause, c.Outcome)]
    _exclude([(one, other) for one, other in combinations(pays, 2) if pays_overlap(one, other)])
    total = _blackjack_total(book)
    _exclude([(one, other) for one, other in combinations(outcomes, 2) if outcomes_overlap(one, other, total)])


def _blackjack_total(book: Rulebook) -> int | None:
    aces = [clause for clause in book.clauses if isinstance(clause, c.Ace)]
    hands = [clause for clause in book.clauses if isinstance(clause, c.Blackjack)]
    return aces[0].high + hands[0].value if aces and hands else None


def _exclude(pairs: Iterable[tuple[Any, Any]]) -> None:
    for one, other in pairs:
        if not (yields(one, other) or yields(other, one)):
            raise _refuse(one, f"overlaps with the row under {other.paragraph} and neither excepts the other")


# -- rows that share out the cards


def _check_shares(book: Rulebook) -> None:
    """Rows that say what holds for which cards speak of every card once."""
    ranks = _ranks(book)
    for kind in (c.PayBlackjack, c.SurrenderSettled):
        _share_out(book, kind, "if_up", ranks)
    _share_out(book, c.Range, "ranks", ranks)
    aces = [rank for clause in book.clauses if isinstance(clause, c.Blackjack) for rank in clause.ace]
    _share_out(book, c.Value, "ranks", [rank for rank in ranks if rank not in aces])


def _ranks(book: Rulebook) -> list[str]:
    """The ranks that some deck of this book has."""
    decks = [clause for clause in book.clauses if isinstance(clause, c.Cards)]
    return [rank for rank in get_args(Rank) if any(rank not in deck.without for deck in decks)]


def _share_out(book: Rulebook, kind: type[c.Clause], field: str, ranks: list[str]) -> None:
    rows = [clause for clause in book.clauses if isinstance(clause, kind) and getattr(clause, field)]
    for row in rows:
        for rank in getattr(row, field):
            if rank not in ranks:
                raise _refuse(row, f"{field}: no deck of this game has a {rank}")
    for one, other in combinations(rows, 2):
        both = set(getattr(one, field)) & set(getattr(other, field))
        if both and can_be_together(one, other):
            raise _refuse(one, f"{field}: the row under {other.paragraph} speaks of {', '.join(sorted(both))} too")
    for row in rows:
        spoken = {rank for other in rows if can_be_together(row, other) for rank in getattr(other, field)}
        if set(ranks) - spoken:
            raise _refuse(row, f"{field}: no row speaks of {', '.join(rank for rank in ranks if rank not in spoken)}")


# -- what a hand can have


def _check_dealer(book: Rulebook) -> None:
    """The totals on which the dealer stands are a run that ends with the total over which his hand is out."""
    limits = [clause.dealer for clause in book.clauses if isinstance(clause, c.Ace)]
    for clause in book.clauses:
        if isinstance(clause, c.Dealer) and limits:
            most = max(limits)
            if clause.stands != tuple(range(min(clause.stands), most + 1)):
                raise _refuse(clause, f"stands: {clause.stands} are not all totals from the least to {most}")


def _check_decisions(book: Rulebook) -> None:
    """A decision is asked for on cards that a dealt hand can have, and its limit is not undercut by a prohibition."""
    dealt = sum(isinstance(clause, c.Deal) and clause.to == "boxes" for clause in book.clauses)
    forbidden = [clause for clause in book.clauses if isinstance(clause, c.MayNot) and _forbids_a_total(clause)]
    for clause in book.clauses:
        if not isinstance(clause, c.Decision):
            continue
        for cards in (clause.cards, clause.cards_least):
            if cards is not None and cards < dealt:
                raise _refuse(clause, f"nobody is asked on {cards} of the {dealt} cards that are dealt first")
        for row in forbidden:
            if row.name == clause.name and row.total == (clause.total_below or 0) - 1 and can_be_together(row, clause):
                raise _refuse(clause, f"total_below: {row.paragraph} forbids it on {row.total} already")


def _forbids_a_total(row: c.MayNot) -> bool:
    """Whether a prohibition hangs on nothing but the total."""
    others = (row.soft, row.blackjack, row.after, row.split, row.hands, row.hands_key)
    return row.total is not None and not row.ranks and all(value is None for value in others)


def _check_bands(book: Rulebook) -> None:
    """The bands of wagers that a super bonus is paid by follow upon one another."""
    bands = sorted((clause for clause in book.clauses if isinstance(clause, c.Band)), key=lambda band: band.least)
    for one, other in pairwise(bands):
        if one.below != other.least:
            raise _refuse(other, f"least: the band under {one.paragraph} ends at {one.below}, not at {other.least}")


def _check_cut_offers(book: Rulebook) -> None:
    """The rows of the cut speak of every occasion once: by its name, or by the one row for any other."""
    rows = [clause for clause in book.clauses if isinstance(clause, c.CutOffer)]
    for one, other in combinations(rows, 2):
        if one.on == other.on and can_be_together(one, other):
            raise _refuse(one, f"on: the row under {other.paragraph} speaks of {one.on} too")
    for row in rows:
        named = {other.on for other in rows if can_be_together(row, other)}
        left = [occasion for occasion in CUT_OCCASIONS if occasion not in named]
        if "any" not in named and left:
            raise _refuse(row, f"on: no row speaks of {', '.join(left)}")
        if row.on == "any" and len(left) < 2:
            raise _refuse(row, f"on: any other occasion is {left[0] if left else 'none'}: say so by its name")


def _check_batches(book: Rulebook) -> None:
    """The batches of a table differ in the colour of their backs."""
    for clause in book.clauses:
        if isinstance(clause, c.Batches) and not 1 <= clause.count <= len(BACKS):
            raise _refuse(clause, f"count: {clause.count} batches cannot have backs of {', '.join(BACKS)}, one each")


def _check_spans(book: Rulebook) -> None:
    """A bonus band begins where another ends."""
    bands = [clause for clause in book.clauses if isinstance(clause, c.Band)]
    for band in bands:
        if band.below is not None and not any(band.below == other.least for other in bands):
            raise _refuse(band, f"below: no band begins at {band.below}")
