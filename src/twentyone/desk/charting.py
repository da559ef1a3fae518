"""Charts: the best one for a game, what one's own costs and where, what lies behind a cell or all of them, pictures."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import SUITS, Card
from twentyone.desk.answers import Asked, Tell, file_of, rules_asked
from twentyone.errors import NotAScript, Refused
from twentyone.odds.analysis import Analysis, analyse
from twentyone.odds.edges import edge_of
from twentyone.odds.exceptions import departures, lost_by_cell
from twentyone.odds.generate import best_chart_for, chart_of
from twentyone.odds.hand_values import SeenHand, decks_of, left_shoes, suits_count, values_of_hand
from twentyone.odds.model import Spots
from twentyone.rulebook import Rules
from twentyone.strategy import CellKey, Strategy, chart_cells, read_strategy, special_hand, to_json
from twentyone.strategy.situation import ranks_of

__all__ = ["cell", "cells", "chart", "picture"]

FORMS = {"png": "image/png", "svg": "image/svg+xml"}
MOST = 40
"""Hands of a cell that are told: those that are met most often."""
TAUGHT = 8
"""Hands of a cell that the trainer deals: those that are met most often."""
EARLY = "early"
"""The phase whose hands are those of the first chart."""
PLAYED = ("first", EARLY, "split")
"""The phases in which a hand has two cards."""
DIGITS = 12
"""Values that agree in these are one."""


def chart(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """The best chart with its worth; or one's own, and what each of its cells loses."""
    rules = rules_asked(asked)
    if not asked.get("chart"):
        best = chart_of(rules, tell)
        lost = {"departures": list(best.departures), "cells": []}
        return {"strategy": to_json(best.strategy), "house_edge": best.house_edge, "cost": best.cost, **lost}
    own = read_strategy(asked["chart"], rules)
    optimum = _analysed(rules)
    tell(0.4, at_once=True)
    played = analyse(rules, strategy=own, progress=lambda share: tell(0.4 + 0.5 * share))
    edge, best_edge = edge_of(rules, own), edge_of(rules)
    lost_on = [{"cell": list(key), "lost": lost} for key, lost in lost_by_cell(optimum, own, played).items()]
    rows = [row._asdict() for row in departures(optimum, own, played)[:MOST]]
    worth = {"house_edge": edge, "optimum": best_edge, "cost": edge - best_edge}
    return {"strategy": to_json(own), **worth, "departures": rows, "cells": lost_on}


@lru_cache(maxsize=2)
def _analysed(rules: Rules) -> Analysis:
    """The optimum of a game; the last ones are kept, so that one cell after the other can be opened."""
    return analyse(rules)


def cell(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """The value of every decision in a cell, on the whole and for each hand that comes there."""
    rules = rules_asked(asked)
    words = asked.get("cell", [])
    key = CellKey(*words) if len(words) == len(CellKey._fields) else None
    if key is None or key not in chart_cells(rules):
        raise Refused(f"no hand of this game is ever asked there: {words}", rules.rulebook.decide_cite)
    analysis = _analysed(rules)
    tell(0.9, at_once=True)
    return {"may": sorted(chart_cells(rules)[key]), **_behind(analysis, key, MOST)}


def cells(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """Every cell of a game that a player comes to, with what each decision is worth and loses there."""
    rules = rules_asked(asked)
    analysis = _analysed(rules)
    cells, wanted = [], [key for key in chart_cells(rules) if _phase(key) in analysis.spots]
    for number, key in enumerate(wanted):
        tell(0.5 + number / len(wanted) / 2)
        found = _behind(analysis, key, TAUGHT)
        if found["reach"] > 0 and len(found["decisions"]) > 1:
            hands = [one for hand in found["hands"] for one in _by_suit(rules, key, hand)]
            cells.append(found | {"hands": hands})
    return {"cells": cells}


def _phase(key: CellKey) -> str:
    return "first" if key.phase == EARLY else key.phase


def _behind(analysis: Analysis, key: CellKey, most: int) -> dict[str, Any]:
    """What lies behind a cell: how often it is met, its decisions, and the hands that are met most often."""
    spots = analysis.spots.get(_phase(key))
    if spots is None:
        raise NotAScript("cell", f"the analysis lists no hands of the phase {key.phase}")
    column = next(at for at, known in enumerate(analysis.conditions) if (known.up, known.hole) == (key.up, key.hole))
    rows = _rows(spots, key)
    often = rows[np.argsort(-spots.reach[rows, column])][:most]
    return {
        "cell": list(key),
        "reach": float(spots.reach[rows, column].sum()),
        "decisions": _on_the_whole(spots, rows, column),
        "lost": _lost(spots, rows, column),
        "count": len(rows),
        "hands": [_hand(analysis, spots, row, column) for row in often],
    }


def _lost(spots: Spots, rows: NDArray[np.intp], column: int) -> dict[str, float]:
    """What a round loses, in original wagers, if a decision is taken on every hand of a cell that allows it."""
    values = {name: table[rows, column].astype(float) for name, table in spots.values.items()}
    best = np.fmax.reduce(list(values.values()))
    reach = spots.reach[rows, column].astype(float).clip(0)
    return {name: float(np.nansum(reach * (best - value))) for name, value in values.items()}


def _rows(spots: Spots, key: CellKey) -> NDArray[np.intp]:
    """The hands that come to a cell."""
    pairs = np.array(spots.pair)
    if key.hand == "pairs":
        return np.flatnonzero(pairs == key.row)
    same = (spots.total == int(key.row)) & (spots.soft == (key.hand == "soft"))
    if key.phase != "split" and (same & (pairs == "")).any():
        same &= pairs == ""
    return np.flatnonzero(same)


def _on_the_whole(spots: Spots, rows: NDArray[np.intp], column: int) -> dict[str, float]:
    """Each decision over the hands of a cell, as often as they are met; over all alike where none is."""
    weights = spots.reach[rows, column].astype(float).clip(0)
    weights = weights if weights.sum() else np.ones(len(rows))
    values = {name: table[rows, column].astype(float) for name, table in spots.values.items()}
    found = {}
    for name, value in values.items():
        may = ~np.isnan(value)
        if (weights * may).sum():
            found[name] = float((weights * may * np.nan_to_num(value)).sum() / (weights * may).sum())
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _hand(analysis: Analysis, spots: Spots, row: int, column: int) -> dict[str, Any]:
    counts = zip(analysis.classes, spots.counts[row], strict=True)
    values = {name: float(table[row, column]) for name, table in spots.values.items()}
    return {
        "hand": " ".join(name for name, count in counts for _ in range(count)),
        "bonus": spots.bonus[row],
        "split_from": spots.start[row],
        "reach": float(spots.reach[row, column]),
        "values": {name: value for name, value in values.items() if value == value},
        "best": str(spots.best[row, column]),
    }


def _by_suit(rules: Rules, key: CellKey, hand: dict[str, Any]) -> list[dict[str, Any]]:
    """A hand once for each value that its suits and that of the up card give it, with such cards; or as it is."""
    shoes, start = left_shoes(rules), hand["split_from"]
    ranks = [ranks_of(rules, name)[0] for name in sorted(hand["hand"].split(), key=lambda name: name != start)]
    if len(ranks) != 2 or key.phase not in PLAYED or not suits_count(shoes, tuple(Card(rank + "S") for rank in ranks)):
        return [hand]
    shown = ranks_of(rules, key.up)[0]
    told: dict[tuple[float, ...], dict[str, Any]] = {}
    for suits in product(SUITS, repeat=3):
        cards, up = tuple(Card(rank + suit) for rank, suit in zip(ranks, suits, strict=False)), Card(shown + suits[2])
        if special_hand(rules, cards, bool(start)) == hand["bonus"] and _are_there(rules, *cards, up):
            values = values_of_hand(shoes, SeenHand(cards, up, key.hole, bool(start)))
            values = {name: value for name, value in values.items() if name in hand["values"]}
            said = {"cards": [card.name for card in cards], "up": up.name, "values": values}
            told.setdefault(_rounded(values), hand | said | {"best": max(values, key=lambda name: values[name])})
    return [hand] if set(told) <= {_rounded(hand["values"])} else list(told.values())


def _rounded(values: dict[str, float]) -> tuple[float, ...]:
    return tuple(round(values[name], DIGITS) for name in sorted(values))


def _are_there(rules: Rules, *cards: Card) -> bool:
    held = decks_of(rules)
    return all(many <= held[card] for card, many in Counter(cards).items())


def picture(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """A chart as a picture to keep."""
    from twentyone.odds.render import as_png

    rules, form = rules_asked(asked), asked.get("form", "png")
    if form not in FORMS:
        raise NotAScript("form", f"{str(form)[:20]!r} is none of {', '.join(FORMS)}")
    strategy = _strategy(asked, rules, tell)
    tell(0.5, at_once=True)
    return file_of(f"chart-{rules.rulebook.id}.{form}", FORMS[form], as_png(strategy, rules, form))


def _strategy(asked: Asked, rules: Rules, tell: Tell) -> Strategy:
    if asked.get("chart"):
        return read_strategy(asked["chart"], rules)
    return best_chart_for(rules, lambda share: tell(share / 2))
