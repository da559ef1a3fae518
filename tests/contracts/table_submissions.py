"""Submissions for whole days at a table, by number: shufflers, shared boxes, several boxes, wheels and meters."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.property.chance import random_submission

from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey

__all__ = ["BOOKS", "METERS", "rules_of_day"]

BOOKS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]

METERS: dict[str, dict[str, str]] = {
    "bonus_spin": {"rate": "0.07", "reset": "5000", "limit": "5001.50"},
    "xtreme_16_primary": {"rate": "0.1", "reset": "12000"},
    "xtreme_16_secondary": {"rate": "0.0333", "reset": "6000"},
}
"""Meters above the text's least amounts, with fractions in their rates, one with a limit that is soon reached."""

LEFT_OUT = ("chip_unit", "table_minimum", "table_maximum", "match_the_dealer_maximum")
"""Keys that would only make the drivers' wagers too small or too large."""


def rules_of_day(rulebook: Rulebook, number: int) -> Rules:
    """The rules of the day of this number: the same whenever they are asked for."""
    rng = Random(f"{rulebook.id}/table {number}")
    keys = {clause.name: clause for clause in rulebook.clauses if isinstance(clause, SubmissionKey)}
    given = {key: value for key, value in random_submission(rulebook, rng).items() if key not in LEFT_OUT}
    given["shuffler"] = keys["shuffler"].choices[number % len(keys["shuffler"].choices)]
    given["mid_shoe_entry"] = number % 5 != 4
    given["boxes_per_player"] = 1 + number % 3
    if "reader_reveals" in keys:
        given["reader_reveals"] = number // 2 % 2 == 0
    if "hole_card" in keys and number % 4:
        given["hole_card"] = keys["hole_card"].choices[-1]
    if not keys["players_per_box"].fixed:
        given["players_per_box"] = 1 + number // 2 % 3
    if "progressive" in keys:
        given["bonus_spin"] = keys["bonus_spin"].choices[number % len(keys["bonus_spin"].choices)]
        given["xtreme_16"] = number % 3 != 0
        given["progressive"] = {
            name: meter for name, meter in METERS.items() if given["xtreme_16"] or not name.startswith("xtreme_16")
        }
    return rulebook.under(_without_idle_keys(given, keys))


def _without_idle_keys(given: dict[str, Any], keys: dict[str, SubmissionKey]) -> dict[str, Any]:
    """Without the choices that the other choices rule out."""
    out = dict(given)
    for key in keys.values():
        if any(out.get(other, keys[other].default) not in allowed for other, allowed in key.only_with.items()):
            out.pop(key.name, None)
    return out
