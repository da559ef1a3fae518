"""A ledger as five tables for data tools: rounds, hands, wagers, events, meters; row by row, in the ledger's order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from twentyone.ledger.carried import meters_carried
from twentyone.ledger.codec import CARRIED, COMMAND, CREATED, read_body
from twentyone.ledger.export import read_round
from twentyone.ledger.reading import Progress, counted, gained, quiet, readable, readable_part, wagered, whole
from twentyone.ledger.replaying import RulesInForce
from twentyone.ledger.round_rows import RoundReader, RoundRow
from twentyone.ledger.rows import HOUSE, StoredEvent
from twentyone.ledger.store import Store, table_streams
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.rulebook import Rules

__all__ = ["TABLES", "rows_of"]

Body = Mapping[str, Any]
Columns = tuple[tuple[str, str, str], ...]
"""Name, kind and meaning of each column of a table."""
Row = tuple[str, list[Any]]
"""The name of a table, and the values of one row of it."""

ROUND: Columns = (("table", "text", "the table"), ("round", "whole", "the number of the round at its table"))

TABLES: dict[str, Columns] = {
    "rounds": (
        *ROUND,
        ("rulebook", "text", "the rulebook's id"),
        ("first", "whole", "the version of its first event in the table's stream"),
        ("last", "whole", "the version of its last event"),
        ("begun", "moment", "when the wagers were closed"),
        ("over", "flag", "whether its cards are collected"),
        ("void", "flag", "whether it was void"),
        ("boxes", "wholes", "boxes with a wager"),
        ("wagered", "money", "everything wagered in it"),
        ("net", "money", "what its players won or, below zero, lost on settled wagers"),
        ("irregularities", "texts", "what went wrong in it"),
    ),
    "hands": (
        *ROUND,
        ("box", "whole", "the box; none: the dealer"),
        ("hand", "whole", "the number of the hand on its box; none: the dealer"),
        ("player", "text", "the player who decided"),
        ("cards", "text", "its cards in the order dealt, a second chance card last"),
        ("total", "whole", "its total"),
        ("blackjack", "flag", "whether it was a Blackjack"),
        ("split", "flag", "whether it came out of a split"),
        ("doubled", "flag", "whether it was doubled"),
        ("status", "text", "how it ended: closed, surrendered, dead"),
    ),
    "wagers": (
        *ROUND,
        ("version", "whole", "the version of the event in the table's stream"),
        ("event", "text", "wager_placed, decision_taken, wager_settled or settlement_undone"),
        ("box", "whole", "the box; none: of no box"),
        ("hand", "whole", "the hand; none: of the whole box"),
        ("player", "text", "the player"),
        ("wager", "text", "which wager; of a decision, which decision"),
        ("amount", "money", "the wager; of a bonus, what was paid"),
        ("outcome", "text", "how it was settled"),
        ("odds", "text", "at which odds"),
        ("wagered", "money", "what the row adds to everything wagered"),
        ("net", "money", "what the player gains by the row; below zero, loses"),
        ("cite", "text", "the paragraph"),
    ),
    "events": (
        ("number", "whole", "the number of the event in the whole ledger"),
        ("table", "text", "the table; (house): the money that is at no table"),
        ("version", "whole", "its number in the table's stream"),
        ("at", "moment", "when"),
        ("type", "text", "what happened"),
        ("by", "text", "who did it"),
        ("role", "text", "as what, of a command"),
        ("do", "text", "which command"),
        ("cite", "text", "the paragraph"),
        ("why", "text", "of moved chips: fill, credit, tip and others"),
        ("source", "text", "the account the chips came from"),
        ("target", "text", "the account they went to"),
        ("amount", "money", "how many"),
        ("cash", "money", "the cash that went into the drop box for them"),
        ("body", "text", "all fields of the event, as the ledger has them (JSON, money in thousandths of a dollar)"),
        ("hash", "text", "the hash of the event in the chain of its stream"),
    ),
    "meters": (
        ("table", "text", "the table"),
        ("version", "whole", "the version of the event in the table's stream"),
        ("at", "moment", "when"),
        ("meter", "text", "which meter"),
        ("event", "text", "meter_set and what then moved it"),
        ("contributed", "fine money", "what wagers added; below zero, took back"),
        ("paid", "money", "what a jackpot took; below zero, gave back"),
        ("hits", "whole", "jackpots: 1, -1 for one that was undone"),
        ("base", "money", "what it starts from, where it is set up"),
        ("limit", "money", "the most that it shows, where it is set up"),
    ),
}  # fmt: skip
"""The tables and their columns."""

METER_EVENTS = ("meter_set", "meter_contributed", "meter_share_taken_back", "meter_paid", "meter_restored")


def rows_of(store: Store, progress: Progress = quiet) -> Iterator[Row]:
    """Every row of every table; rounds in progress have no hands, because some of their cards lie face down."""
    read = store.version(HOUSE)
    for event in counted(whole(store, HOUSE), progress):
        yield "events", _event(event)
    for name in table_streams(store):
        yield from _table(store, name, progress, read)
        read += store.version(name)


def _table(store: Store, name: str, progress: Progress, read: int) -> Iterator[Row]:
    rules, reader, number = RulesInForce(store), RoundReader(), 0
    for event in counted(whole(store, name), progress, read):
        with readable(event):
            body = {} if event.type in (CREATED, COMMAND) else read_body(event)
            data = body.get("data", {})
            number = data["number"] if event.type == "round_begun" else number
            round_ = reader.follow(event)
            rows = [("events", _event(event)), *_wagers(event, number, data), *_meters(event, data)]
        yield from rows
        if round_ is not None:
            yield "rounds", _round(round_)
            with readable_part(round_.id):
                rows = list(_hands(store, round_, rules.at(name, round_.last)))
            yield from rows
    for round_ in reader.in_progress:
        yield "rounds", _round(round_)


def _round(row: RoundRow) -> list[Any]:
    net = Amount.from_thousandths(sum(row.net.values()))
    figures = [row.begun, row.over, row.void, row.boxes, Amount.from_thousandths(row.wagered), net, row.irregularities]
    return [row.table, row.number, row.rulebook, row.first, row.last, *figures]


def _hands(store: Store, row: RoundRow, rules: Rules) -> Iterator[Row]:
    round_ = read_round(store, row, rules).round
    dealer = round_.rules.dealer_hand(round_.state.dealer)
    if round_.state.dealer:
        cards = " ".join(card.name for card in round_.state.dealer)
        told = [None, None, None, cards, dealer.points, dealer.blackjack, False, False, None]
        yield "hands", [row.table, row.number, *told]
    for box in round_.state.boxes:
        for number in range(1, len(round_.state.hands[box]) + 1):
            yield "hands", [row.table, row.number, *_hand(round_, box, number)]


def _hand(round_: Round, box: int, number: int) -> list[Any]:
    hand = round_.state.hands[box][number - 1]
    facts = Play(round_.rules, round_.state).facts(HandRef(box, number))
    cards = " ".join(card.name for card in (*hand.cards, *((hand.chance,) if hand.chance is not None else ())))
    player = hand.wagers[0].player if hand.wagers else None
    return [box, number, player, cards, facts.points, facts.blackjack, hand.split, hand.doubled, hand.status]


def _wagers(event: StoredEvent, number: int, data: Body) -> Iterator[Row]:
    """What each event of the round does to the wagers: a row for each that lays, settles or undoes one."""
    for inner in data.get("events", ()) if event.type in ("round_begun", "round_event") else ():
        laid, gain, row = wagered(inner), gained(inner), inner.get("row", inner)
        if laid or gain is not None:
            net = 0 if gain is None else gain[1]
            wager = row.get("wager", row.get("action"))
            told = [
                row["box"],
                row.get("hand"),
                row["player"],
                wager,
                Amount.from_thousandths(row["amount"]),
                row.get("outcome"),
            ]
            money = [row.get("odds"), Amount.from_thousandths(laid), Amount.from_thousandths(net), inner["cite"]]
            yield "wagers", [event.stream, number, event.ver, inner["event"], *told, *money]


def _event(event: StoredEvent) -> list[Any]:
    with readable(event):
        body = read_body(event)
        data = body.get("data", {}) if event.type in ("chips_moved", "coupon_settled") else {}
        asked = [body.get("role"), body.get("do")] if event.type == COMMAND else [None, None]
        moved = [
            data.get("why"),
            data.get("source"),
            data.get("target"),
            _amount(data, "amount"),
            _amount(data, "cash"),
        ]
        place = [event.gseq, event.stream, event.ver, event.ts, event.type]
        return [*place, body.get("by"), *asked, body.get("cite"), *moved, event.body, event.hash]


def _amount(data: Body, name: str) -> Amount | None:
    return None if data.get(name) is None else Amount.from_thousandths(data[name])


def _meters(event: StoredEvent, data: Body) -> Iterator[Row]:
    if event.type == CARRIED:
        for meter, (held, base) in meters_carried(read_body(event)).items():
            yield "meters", [event.stream, event.ver, event.ts, meter, event.type, held - base, ZERO, 0, None, None]
    if event.type not in METER_EVENTS:
        return
    added, paid = (
        Fraction(data.get("added", 0)) - Fraction(data.get("taken", 0)),
        Amount.from_thousandths(data.get("paid", 0)),
    )
    back = -1 if event.type == "meter_restored" else 1
    moved = [added, Amount(back * paid), back * (event.type in ("meter_paid", "meter_restored"))]
    place = [event.stream, event.ver, event.ts, data["meter"], event.type]
    yield "meters", [*place, *moved, _amount(data, "base"), _amount(data, "limit")]
