"""Tables as a page may be told them, made at random: hands, chips and results wherever they can lie."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["views"]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
AMOUNTS = ("5", "12.50", "25", "37.50", "100", "612.50", "1500")
NETS = ("-612.50", "-25", "-12.50", "0", "20", "37.50", "1500")
View = dict[str, Any]


def views(shown: View, areas: list[str], seed: str, count: int) -> list[View]:
    """So many views, like the one that is shown, with side wagers on these areas."""
    chance = Random(seed)
    return [_view(shown, areas, chance, number) for number in range(count)]


def _view(shown: View, areas: list[str], chance: Random, number: int) -> View:
    busy = chance.choice((0.15, 0.5, 1.0))
    most = 1 + number % 4
    full = [chance.random() < busy for _ in shown["boxes"]]
    full[number % len(full)] = True
    boxes = [_box(row, areas, chance, most) if on else _empty(row) for row, on in zip(shown["boxes"], full, strict=True)]
    ranges = [None]
    dealer = {
        "cards": _cards(chance, chance.randint(1, 8)), "range": chance.choice(ranges), "showing": None,
        "total": 20, "soft": chance.random() < 0.5,
    }  # fmt: skip
    played = [box["box"] for box in boxes if box["hands"]]
    offer = {"kind": "turn", "cite": "", "box": chance.choice(played), "hand": 1, "yours": True, "decisions": []}
    return {**shown, "phase": "round", "boxes": boxes, "dealer": dealer, "offer": offer, "last": None}


def _empty(row: View) -> View:
    return {**row, "placed": [], "coupons": [], "sides": [], "hands": [], "results": []}


def _cards(chance: Random, count: int) -> list[str]:
    return [chance.choice(RANKS + ("10",) * 6) + chance.choice("SHDC") for _ in range(count)]


def _box(row: View, areas: list[str], chance: Random, most: int) -> View:
    hands = [_hand(chance, settled := chance.random() < 0.5) for _ in range(chance.randint(1, most))]
    del settled
    sides, results = [], []
    for wager in areas:
        if chance.random() < 0.5:
            sides.append({"player": "Ada", "wager": wager, "amount": chance.choice(AMOUNTS), "settled": False})
        else:
            results.append({"player": "Ada", "wager": wager, "outcome": "lose", "net": chance.choice(NETS)})
    return {**_empty(row), "hands": hands, "sides": sides, "results": results}


def _hand(chance: Random, settled: bool) -> View:
    cards = _cards(chance, chance.randint(2, 8))
    sideways = cards[len(cards) - chance.randint(0, 2) :] if chance.random() < 0.4 else []
    wagers = {"player": "Ada", "main": chance.choice(AMOUNTS)}
    if sideways:
        wagers["double"] = chance.choice(AMOUNTS)
    net = chance.choice(NETS)
    result = {"player": "Ada", "wager": "main", "outcome": "push", "net": net}
    return {
        "cards": cards, "sideways": sideways, "total": chance.randint(4, 26), "soft": chance.random() < 0.3,
        "blackjack": chance.random() < 0.1, "bust": chance.random() < 0.3, "subtracted": cards[-1] if sideways else None,
        "wagers": [wagers], "results": [result] if settled else [],
    }  # fmt: skip
