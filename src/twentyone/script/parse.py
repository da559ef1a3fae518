"""Reading a round script of either format: JSON in, a checked `Script` out, or a refusal that names the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from twentyone.errors import NotAScript
from twentyone.money import Amount
from twentyone.round import Decision, Drawn, Wagers
from twentyone.script.forms import amount, check_keys, fraction, integer, list_, object_, parse_cards, string
from twentyone.script.steps import ScriptStep, parse_steps

__all__ = ["FORMAT", "FORMAT_2", "Script", "parse", "parse_decision", "parse_wagers"]

FORMAT, FORMAT_2 = "round-script/1", "round-script/2"

ACTIONS = (
    "insure", "even_money", "surrender", "hit", "stand", "double", "split", "designate", "rescue", "second_chance",
)  # fmt: skip
SIDES = ("match_the_dealer", "perfect_pairs", "twenty_one_plus_three", "bonus_spin", "xtreme_16")
BY_KIND = ("decisions", "wheel", "hot_spot")
"""Keys beside `cards`, where what a round is brought is listed by its kind and not step by step."""


@dataclass(frozen=True)
class Script:
    """One round of play, written down."""

    rulebook: str
    """The rulebook's id."""
    submission: Mapping[str, Any]
    """The operator's choices."""
    wagers: tuple[Wagers, ...]
    """Wagers placed before the first card."""
    cards: tuple[Drawn, ...]
    """Cards in the order they left the shoe."""
    decisions: tuple[Decision, ...]
    """What the players said."""
    title: str = ""
    """Free text."""
    wheel: tuple[str, ...] | None = None
    """Symbols the prize wheel landed on."""
    hot_spot: int | None = None
    """The box drawn as the hot spot."""
    meters: Mapping[str, Amount] | None = None
    """Progressive meters before the round."""
    waits: Mapping[str, Fraction] | None = None
    """What the meters hold beside what they show."""
    expect: Mapping[str, Any] | None = None
    """Any part of the result, or `{"refused": paragraph}`."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """The script as it was read."""
    steps: tuple[ScriptStep, ...] | None = None
    """Everything that the round is brought, in order; none: cards, decisions and wheel are listed apart."""
    edition: str = ""
    """The date since which the text is law that the round was dealt under; empty: that of the book's own files."""


def parse(text: str | bytes | Mapping[str, Any]) -> Script:
    """A script from JSON text, or from the object it stands for."""
    body = text if isinstance(text, Mapping) else _json(text)
    stepwise = body.get("format") == FORMAT_2 and "steps" in body
    check_keys("script", body, ("format", "rulebook", "wagers", *(("steps",) if stepwise else ("cards",))),
               ("title", "submission", "meters", "expect",
                *(("edition",) if body.get("format") == FORMAT_2 else ()),
                *(("waits",) if stepwise else BY_KIND)))  # fmt: skip
    if body["format"] not in (FORMAT, FORMAT_2):
        raise NotAScript("format", f"{body['format']!r} is not {FORMAT!r} or {FORMAT_2!r}")
    return Script(
        rulebook=string("rulebook", body["rulebook"]),
        submission=object_("submission", body.get("submission", {})),
        wagers=parse_wagers(body["wagers"]),
        cards=parse_cards("cards", body.get("cards", "")),
        decisions=tuple(
            parse_decision(f"decisions[{i}]", row)
            for i, row in enumerate(list_("decisions", body.get("decisions", [])))
        ),
        title=string("title", body.get("title", "")),
        edition=string("edition", body.get("edition", "")),
        wheel=_wheel(body["wheel"]) if "wheel" in body else None,
        hot_spot=integer("hot_spot", body["hot_spot"]) if "hot_spot" in body else None,
        meters=_meters(body["meters"]) if "meters" in body else None,
        waits=_waits(body["waits"]) if "waits" in body else None,
        expect=_expect(body["expect"]) if "expect" in body else None,
        source=body,
        steps=parse_steps("steps", list_("steps", body["steps"])) if stepwise else None,
    )


class _Float:
    """A number with a point in it: never right in a script, and refused where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text if len(self.text) < SHOWN else self.text[:SHOWN] + "..."


SHOWN = 40


def _integer_of(text: str) -> int | _Float:
    return int(text) if len(text) < SHOWN else _Float(text)


def _json(text: str | bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(
            text,
            parse_float=_Float,
            parse_constant=_Float,
            parse_int=_integer_of,
            object_pairs_hook=_no_doubles,
        )
    except (ValueError, RecursionError) as wrong:
        raise NotAScript("script", f"not JSON: {wrong}") from None
    return object_("script", body)


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise NotAScript(double, "the key stands twice in one object")
    return body


# -- parts


def parse_wagers(rows: Any) -> tuple[Wagers, ...]:
    """The `wagers` of a script."""
    return tuple(_wager(f"wagers[{i}]", row) for i, row in enumerate(list_("wagers", rows)))


def _wager(path: str, row: Any) -> Wagers:
    check_keys(path, object_(path, row), ("box", "player"), ("main", *SIDES))
    box = integer(f"{path}.box", row["box"])
    player = string(f"{path}.player", row["player"])
    if not player or not player.isprintable():
        raise NotAScript(f"{path}.player", "a player has a name that can be printed")
    main = amount(f"{path}.main", row["main"]) if "main" in row else Amount(0)
    sides = {kind: amount(f"{path}.{kind}", row[kind]) for kind in SIDES if kind in row}
    return Wagers(box, player, main, sides)


def parse_decision(path: str, row: Any, actions: tuple[str, ...] = ACTIONS) -> Decision:
    """One entry of `decisions`."""
    check_keys(path, object_(path, row), ("box", "action"), ("player", "amount", "hand"))
    action = string(f"{path}.action", row["action"])
    if action not in actions:
        raise NotAScript(f"{path}.action", f"there is no action {action!r}")
    if action == "insure" and "amount" not in row:
        raise NotAScript(f"{path}.amount", "insure names its amount")
    return Decision(
        action,
        integer(f"{path}.box", row["box"]),
        string(f"{path}.player", row["player"]) if "player" in row else None,
        amount(f"{path}.amount", row["amount"]) if "amount" in row else None,
        integer(f"{path}.hand", row["hand"]) if "hand" in row else None,
    )


def _expect(body: Any) -> Mapping[str, Any]:
    if "refused" in object_("expect", body) and not string("expect.refused", body["refused"]):
        raise NotAScript("expect.refused", "a paragraph belongs here")
    return object_("expect", body)


def _wheel(symbols: Any) -> tuple[str, ...]:
    return tuple(string(f"wheel[{i}]", symbol) for i, symbol in enumerate(list_("wheel", symbols)))


def _waits(body: Any) -> dict[str, Fraction]:
    return {name: fraction(f"waits.{name}", value) for name, value in object_("waits", body).items()}


def _meters(body: Any) -> dict[str, Amount]:
    return {name: amount(f"meters.{name}", value) for name, value in object_("meters", body).items()}
