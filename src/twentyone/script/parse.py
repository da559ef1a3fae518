"""Reading a round script: JSON in, a checked `Script` out, or a refusal that names the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twentyone.cards import Card
from twentyone.errors import NotAScript
from twentyone.money import Amount
from twentyone.round import Decision, Drawn, Wagers

__all__ = ["FORMAT", "Script", "parse", "parse_decision", "parse_wagers"]

FORMAT = "round-script/1"

ACTIONS = (
    "insure", "even_money", "surrender", "hit", "stand", "double", "split", "designate", "rescue", "second_chance",
)  # fmt: skip
SIDES = ("match_the_dealer", "bonus_spin", "xtreme_16")


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
    expect: Mapping[str, Any] | None = None
    """Any part of the result, or `{"refused": paragraph}`."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """The script as it was read."""


def parse(text: str | bytes | Mapping[str, Any]) -> Script:
    """A script from JSON text, or from the object it stands for."""
    body = text if isinstance(text, Mapping) else _json(text)
    check_keys(
        "script", body,
        ("format", "rulebook", "wagers", "cards"),
        ("title", "submission", "decisions", "wheel", "hot_spot", "meters", "expect"),
    )  # fmt: skip
    if body["format"] != FORMAT:
        raise NotAScript("format", f"{body['format']!r} is not {FORMAT!r}")
    return Script(
        rulebook=_string("rulebook", body["rulebook"]),
        submission=_object("submission", body.get("submission", {})),
        wagers=parse_wagers(body["wagers"]),
        cards=parse_cards("cards", body["cards"]),
        decisions=tuple(
            parse_decision(f"decisions[{i}]", row)
            for i, row in enumerate(_list("decisions", body.get("decisions", [])))
        ),
        title=_string("title", body.get("title", "")),
        wheel=_wheel(body["wheel"]) if "wheel" in body else None,
        hot_spot=_integer("hot_spot", body["hot_spot"]) if "hot_spot" in body else None,
        meters=_meters(body["meters"]) if "meters" in body else None,
        expect=_expect(body["expect"]) if "expect" in body else None,
        source=body,
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
    return _object("script", body)


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
    return tuple(_wager(f"wagers[{i}]", row) for i, row in enumerate(_list("wagers", rows)))


def _wager(path: str, row: Any) -> Wagers:
    check_keys(path, _object(path, row), ("box", "player"), ("main", *SIDES))
    box = _integer(f"{path}.box", row["box"])
    player = _string(f"{path}.player", row["player"])
    if not player or not player.isprintable():
        raise NotAScript(f"{path}.player", "a player has a name that can be printed")
    main = amount(f"{path}.main", row["main"]) if "main" in row else Amount(0)
    sides = {kind: amount(f"{path}.{kind}", row[kind]) for kind in SIDES if kind in row}
    return Wagers(box, player, main, sides)


def parse_cards(path: str, text: Any) -> tuple[Drawn, ...]:
    """Cards of a script; `^` marks one found face up."""
    drawn = []
    for index, name in enumerate(_string(path, text).split()):
        try:
            drawn.append(Drawn(Card(name.removesuffix("^")), name.endswith("^")))
        except ValueError:
            raise NotAScript(f"{path}[{index}]", f"there is no card {name!r}") from None
    return tuple(drawn)


def parse_decision(path: str, row: Any, actions: tuple[str, ...] = ACTIONS) -> Decision:
    """One entry of `decisions`."""
    check_keys(path, _object(path, row), ("box", "action"), ("player", "amount", "hand"))
    action = _string(f"{path}.action", row["action"])
    if action not in actions:
        raise NotAScript(f"{path}.action", f"there is no action {action!r}")
    if action == "insure" and "amount" not in row:
        raise NotAScript(f"{path}.amount", "insure names its amount")
    return Decision(
        action,
        _integer(f"{path}.box", row["box"]),
        _string(f"{path}.player", row["player"]) if "player" in row else None,
        amount(f"{path}.amount", row["amount"]) if "amount" in row else None,
        _integer(f"{path}.hand", row["hand"]) if "hand" in row else None,
    )


def _expect(body: Any) -> Mapping[str, Any]:
    if "refused" in _object("expect", body) and not _string("expect.refused", body["refused"]):
        raise NotAScript("expect.refused", "a paragraph belongs here")
    return _object("expect", body)


def _wheel(symbols: Any) -> tuple[str, ...]:
    return tuple(_string(f"wheel[{i}]", symbol) for i, symbol in enumerate(_list("wheel", symbols)))


def _meters(body: Any) -> dict[str, Amount]:
    return {name: amount(f"meters.{name}", value) for name, value in _object("meters", body).items()}


# -- forms


def check_keys(path: str, body: Mapping[str, Any], needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """Refuse a missing or an unknown key."""
    for key in body:
        if key not in needed and key not in allowed:
            raise NotAScript(f"{path}.{key}" if path != "script" else key, "there is no such key")
    for key in needed:
        if key not in body:
            raise NotAScript(path, f"the key {key!r} is missing")


def amount(path: str, value: Any) -> Amount:
    """Money is a decimal string."""
    if not isinstance(value, str):
        raise NotAScript(path, f'{value!r} is not a decimal string like "7.50"')
    try:
        number = Amount(value)
    except ValueError as wrong:
        raise NotAScript(path, str(wrong)) from None
    if abs(number) >= MOST:
        raise NotAScript(path, f"{value} is more money than there is")
    return number


MOST = Amount("1000000000000")


def _string(path: str, value: Any) -> str:
    if not isinstance(value, str):
        raise NotAScript(path, f"{value!r} is not a text")
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise NotAScript(path, "the text holds half a character")
    return value


def _integer(path: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotAScript(path, f"{value!r} is not a whole number")
    return value


def _list(path: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NotAScript(path, "a list belongs here")
    return value


def _object(path: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NotAScript(path, "an object belongs here")
    return value
