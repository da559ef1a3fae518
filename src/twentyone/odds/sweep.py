"""Many games in one go: every combination of some choices and readings, each analysed once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from twentyone.errors import SubmissionRefused, TwentyoneError
from twentyone.odds.cache import kept, key_of
from twentyone.odds.prices import given_in, other_values, play_of, words_of
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import SubmissionKey

__all__ = ["DEVIATION", "FIGURES", "SweptGame", "read_values", "sweep"]

FIGURES = ("house_edge", "house_edge_with_super_bonus", "return_to_player", "element_of_risk", "average_wager")
"""The figures of each game."""
DEVIATION = ("standard_deviation", "volatility_index")
"""Those that take longer, where they are wanted."""
MOST_GAMES = 10_000
"""More combinations than this are refused."""
BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class SweptGame:
    """One combination."""

    choices: Mapping[str, str]
    """Key or reading to its value, in words."""
    figures: Mapping[str, float]
    """Figure to its value; none where the combination is refused."""
    refused: str = ""
    """Why, with the paragraph."""

    def body(self) -> dict[str, Any]:
        """The game as JSON."""
        return {"choices": dict(self.choices), **self.figures, **({"refused": self.refused} if self.refused else {})}


def read_values(rules: Rules, text: str) -> tuple[str, tuple[Any, ...]]:
    """A key or reading and the values that it is to have, from `KEY=A,B`; `KEY` alone: all that it may have.

    >>> from twentyone.rulebook import Rulebook
    >>> rules = Rulebook.load("classic-blackjack").under()
    >>> read_values(rules, "decks=1,6"), read_values(rules, "dealer_hits_soft_17")
    (('decks', (1, 6)), ('dealer_hits_soft_17', (False, True)))
    """
    name, _, listed = text.partition("=")
    words = [word.strip() for word in listed.split(",")] if listed else []
    readings = {reading.name: reading.values for reading in rules.rulebook.readings}
    if name in readings:
        return name, tuple(_one(name, word, readings[name]) for word in words) or readings[name]
    keys = {key.name: key for key in rules.rulebook.clauses if isinstance(key, SubmissionKey) and not key.fixed}
    if name not in keys or keys[name].type == "table":
        some = ", ".join(sorted({*readings, *(key.name for key in keys.values() if key.type != "table")}))
        raise TwentyoneError(f"{name}: {rules.rulebook.id} has no such choice or reading to vary; it has {some}")
    key = keys[name]
    if words:
        return name, tuple(_value(key, word) for word in words)
    if key.type not in ("boolean", "choice", "integer"):
        raise TwentyoneError(f"{name}: name its values, as in {name}=A,B; there are too many to try all")
    return name, (rules.submission[name], *other_values(rules, key))


def _value(key: SubmissionKey, word: str) -> Any:
    if key.type == "boolean":
        return BOOLEANS[_one(key.name, word, tuple(BOOLEANS))]
    if word == "none" and key.optional:
        return None
    if key.type == "integer":
        if not (word.isascii() and word.isdecimal()):
            raise TwentyoneError(f"{key.name}={word}: a whole number is wanted ({key.cite})")
        return int(word)
    return next((choice for choice in key.choices if words_of(choice) == word), word)


def _one(name: str, word: str, known: Sequence[str]) -> str:
    if word not in known:
        raise TwentyoneError(f"{name}={word}: it can be {', '.join(known)}")
    return word


def sweep(
    rules: Rules,
    vary: Mapping[str, Sequence[Any]],
    deviation: bool = False,
    tell: Callable[[float], None] = lambda _: None,
) -> Iterator[SweptGame]:
    """Every combination of the values of `vary`, all else as `rules` has it; games that play alike are worked out once.

    What was worked out stays on disk, so that a sweep that was interrupted goes on where it stopped.
    """
    many = prod(len(values) for values in vary.values())
    if many > MOST_GAMES:
        raise TwentyoneError(f"{many:,} games were asked for; a sweep has {MOST_GAMES:,} at most")
    known: dict[object, Mapping[str, float]] = {}
    for number, values in enumerate(product(*vary.values()), 1):
        yield _game(rules, dict(zip(vary, values, strict=True)), deviation, known)
        tell(number / many)


def _game(
    rules: Rules, choices: Mapping[str, Any], deviation: bool, known: dict[object, Mapping[str, float]]
) -> SweptGame:
    words = {name: words_of(value) for name, value in choices.items()}
    try:
        changed = rules.rulebook.under(_submission(rules, choices))
        play = play_of(changed)
        if play not in known:
            known[play] = _figures(changed, deviation)
    except SubmissionRefused as refused:
        return SweptGame(words, {}, f"{refused.why} ({refused.cite})")
    except TwentyoneError as refused:
        return SweptGame(words, {}, str(refused))
    return SweptGame(words, known[play])


def _submission(rules: Rules, choices: Mapping[str, Any]) -> dict[str, Any]:
    names = {reading.name for reading in rules.rulebook.readings}
    base = given_in(rules)
    readings = {**base.get("readings", {}), **{name: value for name, value in choices.items() if name in names}}
    return {**base, **{name: value for name, value in choices.items() if name not in names}, "readings": readings}


def _figures(rules: Rules, deviation: bool) -> Mapping[str, float]:
    names = (*FIGURES, *DEVIATION) if deviation else FIGURES

    def make() -> dict[str, Any]:
        from twentyone.odds.analysis import analyse

        figures = analyse(rules).figures
        return {name: float(getattr(figures, name)) for name in names}

    return kept(key_of(rules, "sweep", *names), make)[0]
