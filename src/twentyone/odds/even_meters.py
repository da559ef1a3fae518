"""At which meter a progressive wager has no edge, in words: only an amount that the meter can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.money import Amount, dollars

__all__ = ["even_words"]


def even_words(wager: Mapping[str, Any]) -> Iterator[str]:
    """What the body of a priced wager says of each of its meters."""
    for meter, amount in wager.get("break_even_meter", {}).items():
        even, bounds, name = Amount(amount), wager["meter_bounds"][meter], meter.replace("_", " ")
        if even < Amount(bounds["reset"]):
            least = dollars(Amount(bounds["reset"]))
            yield f"always in the player's favor: the meter {name} never shows less than its reset amount of {least}"
        elif bounds["limit"] is not None and even > Amount(bounds["limit"]):
            most = dollars(Amount(bounds["limit"]))
            yield f"never in the player's favor: the meter {name} never shows more than its limit of {most}"
        else:
            yield f"no edge when the meter {name} shows {dollars(even)}"
