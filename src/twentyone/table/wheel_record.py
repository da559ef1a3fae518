"""The wheels of one round on record: what was committed to, where they stopped, and the seed that says where."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from twentyone.errors import NotAScript, TwentyoneError
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.wheels import weights_of
from twentyone.table.shoe import FORMS as SHOE_FORMS
from twentyone.table.shoe import commitment, read_record
from twentyone.table.wheel import Turn, draw, spin_words, stopped_at

__all__ = ["WHEEL_FORMAT", "SpinRow", "WheelRecord", "wheel_faults"]

WHEEL_FORMAT = "wheel-record/1"


class SpinRow(NamedTuple):
    """A spin of the round."""

    wheel: str
    """The wheel, as the submission names it in `wheel_weights`."""
    symbol: str
    """Where it stopped."""
    boxes: tuple[int, ...] = ()
    """Where a hot spot was drawn: the box of each wager that waited for it, in ascending order."""
    hot_spot: int | None = None
    """The box that was drawn."""

    @property
    def stored(self) -> dict[str, Any]:
        """Where the wheel stopped, like the arguments of a `spin`."""
        spot = {"hot_spot": self.hot_spot} if self.hot_spot is not None else {}
        return {"symbol": self.symbol, **spot}


@dataclass(frozen=True)
class WheelRecord:
    """The wheels of a round that is over, with all that is needed to turn them again."""

    rulebook: str
    """The rulebook's id."""
    submission: Mapping[str, Any]
    """The operator's choices."""
    seed: str
    """The seed revealed after the round, in hexadecimal."""
    commitment: str
    """What was published before its wagers."""
    spins: tuple[SpinRow, ...]
    """Its spins, in their order, over all wheels."""
    edition: str = ""
    """The date since which the text is law that they were spun under; empty: that of the book's own files."""

    def to_json(self) -> str:
        """The record as one line of JSON."""
        body: dict[str, Any] = {
            "format": WHEEL_FORMAT,
            "rulebook": self.rulebook,
            "submission": dict(self.submission),
            "seed": self.seed,
            "commitment": self.commitment,
            "spins": [_spin_body(spin) for spin in self.spins],
        }
        if self.edition:
            body["edition"] = self.edition
        return json.dumps(body, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> WheelRecord:
        """The record in a JSON text; `NotAScript` names the key that is wrong."""
        body = read_record(text)
        _check_keys(body, FORMS, "")
        spins = tuple(_spin(row, f"spins[{index}].") for index, row in enumerate(body["spins"]))
        return cls(
            body["rulebook"], body["submission"], body["seed"], body["commitment"], spins, body.get("edition", "")
        )


Forms = dict[str, tuple[str, Callable[[Any], bool]]]

FORMS: Forms = {
    "format": (repr(WHEEL_FORMAT), lambda value: value == WHEEL_FORMAT),
    **{key: SHOE_FORMS[key] for key in ("rulebook", "submission", "seed", "commitment", "edition")},
    "spins": (
        "a list of objects",
        lambda value: isinstance(value, list) and all(isinstance(row, dict) for row in value),
    ),
}
"""What a record holds: by key, the form in words and as a check."""

SPIN_FORMS: Forms = {
    "wheel": ("the name of a wheel", lambda value: isinstance(value, str)),
    "symbol": ("a symbol", lambda value: isinstance(value, str)),
    "boxes": ("a list of boxes", lambda value: isinstance(value, list) and all(type(box) is int for box in value)),
    "hot_spot": ("the number of a box", lambda value: type(value) is int),
}
"""What a spin of it holds."""

OPTIONAL = ("boxes", "hot_spot", "edition")
"""What only a spin with a hot spot, and a record of a text with a date, has."""


def _check_keys(body: Mapping[str, Any], forms: Forms, where: str) -> None:
    for key, (form, right) in forms.items():
        if key not in body and key not in OPTIONAL:
            raise NotAScript(where + key, "the key is missing")
        if key in body and not right(body[key]):
            raise NotAScript(where + key, f"{form} belongs here")
    for key in body:
        if key not in forms:
            raise NotAScript(where + repr(key), "there is no such key")


def _spin(body: Mapping[str, Any], where: str) -> SpinRow:
    _check_keys(body, SPIN_FORMS, where)
    return SpinRow(body["wheel"], body["symbol"], tuple(body.get("boxes", ())), body.get("hot_spot"))


def _spin_body(spin: SpinRow) -> dict[str, Any]:
    return {"wheel": spin.wheel, **({"boxes": list(spin.boxes)} if spin.boxes else {}), **spin.stored}


def wheel_faults(record: WheelRecord) -> list[str]:
    """Everything in a record that its seed contradicts; empty where the wheels stopped as committed."""
    seed = bytes.fromhex(record.seed)
    problems = [] if commitment(seed) == record.commitment else ["the commitment is not the SHA-256 of the seed"]
    try:
        rules = Rulebook.load(record.rulebook, at=record.edition or None).under(record.submission)
        known = weights_of(rules)
    except (TwentyoneError, ValueError) as wrong:
        return [*problems, str(wrong)]
    for number, spin in enumerate(record.spins, 1):
        if spin.wheel not in known:
            problems.append(f"spin {number}: no wheel {spin.wheel!r} is in use, there are {', '.join(known) or 'none'}")
        else:
            problems += _differing(rules, seed, number, spin)
    return problems


def _differing(rules: Rules, seed: bytes, number: int, spin: SpinRow) -> list[str]:
    due = draw(rules, Turn(number, spin.wheel, tuple(sorted(spin.boxes))), spin_words(seed, number))
    return (
        []
        if due == spin.stored
        else [f"spin {number} is {stopped_at(spin.stored)}, the seed makes it {stopped_at(due)}"]
    )
