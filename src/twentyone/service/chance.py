"""Shoes and wheels as anybody may check them: commitment, and once it is revealed the seed and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twentyone.cards import Card
from twentyone.ledger.export import CannotSay
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.shoe_records import SealedShoe, list_shoes, read_shoe, shoe_record
from twentyone.ledger.store import Store
from twentyone.ledger.wheel_records import wheel_record
from twentyone.rulebook.wheels import weights_of
from twentyone.table.shoe import full_batch

__all__ = ["shoe_shown", "shoes_shown", "wheel_shown"]

SHOES = 25
"""Shoes on a page."""


def shoes_shown(store: Store, table: str, before: int) -> dict[str, Any]:
    """A page of the shoes of a table, the newest first."""
    shoes = list_shoes(store, table, before, SHOES + 1)
    more = shoes[SHOES - 1].version if len(shoes) > SHOES else None
    return {"table": table, "shoes": [_line(shoe) for shoe in shoes[:SHOES]], "next": more}


def _line(shoe: SealedShoe) -> dict[str, Any]:
    facts = ("version", "sealed", "commitment", "batch", "revealed")
    return {name: getattr(shoe, name) for name in facts}


def shoe_shown(store: Store, table: str, version: int) -> dict[str, Any]:
    """A shoe; once its seed is revealed with the cards that were shuffled and those that left it."""
    shoe = read_shoe(store, table, version)
    if not shoe.ended:
        return {"table": table, **_line(shoe), "seed": "", "cut": None, "cards": "", "dealt": ""}
    record = shoe_record(store, table, shoe)
    batch = full_batch(rules_at(store, table, version)) if record.batch is None else record.batch
    return {
        "table": table,
        **_line(shoe),
        "seed": record.seed,
        "cut": record.cut,
        "cards": _names(batch),
        "dealt": _names(record.dealt),
    }


def _names(cards: Iterable[Card]) -> str:
    return " ".join(card.name for card in cards)


def wheel_shown(store: Store, row: RoundRow) -> dict[str, Any]:
    """The wheels of a round, with the weight of each symbol; empty where no seed was published for them."""
    try:
        record = wheel_record(store, row)
    except CannotSay:
        return {"commitment": "", "seed": "", "spins": [], "weights": {}}
    weights = weights_of(rules_at(store, row.table, row.last))
    spins = [
        {"wheel": spin.wheel, "boxes": list(spin.boxes), "symbol": spin.symbol, "hot_spot": spin.hot_spot}
        for spin in record.spins
    ]
    turned = {spin.wheel for spin in record.spins}
    known = {name: dict(weights[name]) for name in sorted(turned) if name in weights}
    return {"commitment": record.commitment, "seed": record.seed, "spins": spins, "weights": known}
