"""Tables as a page may be told them, made at random: hands, chips and results wherever they can lie."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["hand", "table", "views"]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", *(["10"] * 7))
"""One card in three is a 10: the widest of all."""
AMOUNTS = ("5", "12.50", "25", "37.50", "100", "612.50", "1500")
NETS = ("-612.50", "-25", "-12.50", "0", "20", "37.50", "1500")
MOST = 4
"""Hands of a box."""
View = dict[str, Any]


def views(shown: View, areas: list[str], ranges: list[str], seed: str, count: int) -> list[View]:
    """So many views like the one that is shown, with side wagers on these areas; a quarter of them on shared boxes."""
    chance = Random(seed)
    return [_view(shown, areas, ranges, chance, number) for number in range(count)]


def table(shown: View, hands: dict[int, list[View]]) -> View:
    """The table in a round with these hands, by their box."""
    boxes = [{**_empty(row), "hands": hands.get(row["box"], [])} for row in shown["boxes"]]
    dealer = {"cards": ["7H", "hidden"], "range": None, "showing": 7, "total": None, "soft": False}
    return {**shown, "phase": "round", "boxes": boxes, "dealer": dealer, "offer": None, "last": None, "exposed": None}


def hand(cards: str, sideways: tuple[str, ...] = ()) -> View:
    """A hand of one player, ten dollars on it."""
    counts = {"total": 15, "soft": False, "blackjack": False, "bust": False, "subtracted": None}
    return {
        "cards": cards.split(),
        "sideways": [*sideways],
        **counts,
        "wagers": [{"player": "Ada", "main": "10"}],
        "results": [],
    }


def _view(shown: View, areas: list[str], ranges: list[str], chance: Random, number: int) -> View:
    busy = chance.choice((0.15, 0.5, 1.0))
    players = ["Ada", "Bob", "Cid"] if number % 4 == 3 else ["Ada"]
    full = [row for row in shown["boxes"] if chance.random() < busy] or shown["boxes"][:1]
    boxes = {row["box"]: _box(row, areas, players, chance, 1 + number % MOST) for row in full}
    asked = chance.choice(sorted(boxes))
    dealer = _dealer(chance, chance.choice(ranges) if ranges and number % 2 else None)
    kind = "exposed_card" if number % 5 == 4 else "turn"
    offer = {"kind": kind, "cite": "", "box": asked, "hand": 1, "yours": True, "decisions": []}
    laid = [boxes.get(row["box"], _empty(row)) for row in shown["boxes"]]
    return {**table(shown, {}), "boxes": laid, "dealer": dealer, "offer": offer, "exposed": "10H"}


def _dealer(chance: Random, range_: str | None) -> View:
    total = chance.randint(17, 26)
    counts = {"showing": None, "total": total, "soft": chance.random() < 0.5}
    words = {"bust": total > 21, "blackjack": chance.random() < 0.1}
    return {"cards": _cards(chance, chance.randint(1, 8)), "range": range_, **counts, **words}


def _empty(row: View) -> View:
    return {**row, "placed": [], "coupons": [], "sides": [], "hands": [], "results": []}


def _cards(chance: Random, count: int) -> list[str]:
    return [chance.choice(RANKS) + chance.choice("SHDC") for _ in range(count)]


def _box(row: View, areas: list[str], players: list[str], chance: Random, most: int) -> View:
    here = {**_empty(row), "hands": [_hand(players, chance) for _ in range(chance.randint(1, most))]}
    for wager in areas:
        if chance.random() < 0.5:
            here["sides"] += [_wager(player, wager, chance) | {"settled": False} for player in players]
        else:
            here["results"] += [_result(player, wager, chance) for player in players]
    if chance.random() < 0.2:
        here["coupons"] = [_wager(players[0], "main", chance) | {"number": "C-1"}]
    return here


def _wager(player: str, wager: str, chance: Random) -> View:
    return {"player": player, "wager": wager, "amount": chance.choice(AMOUNTS)}


def _result(player: str, wager: str, chance: Random) -> View:
    return {"player": player, "wager": wager, "outcome": "push", "net": chance.choice(NETS)}


def _hand(players: list[str], chance: Random) -> View:
    cards = _cards(chance, chance.randint(2, 8))
    sideways = cards[len(cards) - chance.randint(1, 2) :] if chance.random() < 0.3 else []
    counts = {"total": chance.randint(4, 26), "soft": chance.random() < 0.3, "bust": chance.random() < 0.3}
    words = {"blackjack": chance.random() < 0.1, "subtracted": cards[-1] if sideways else None}
    double = {"double": chance.choice(AMOUNTS)} if sideways else {}
    wagers = [{"player": player, "main": chance.choice(AMOUNTS), **double} for player in players]
    results = [_result(player, "main", chance) for player in players] if chance.random() < 0.5 else []
    return {"cards": cards, "sideways": sideways, **counts, **words, "wagers": wagers, "results": results}
