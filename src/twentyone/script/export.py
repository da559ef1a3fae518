"""A finished round as a round script: what left the shoe, what was said and what went wrong, written down again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from twentyone.round import Round, State
from twentyone.round import events as e
from twentyone.round.evolve import evolve
from twentyone.round.retelling import named
from twentyone.round.steps import Step
from twentyone.rulebook import Rules
from twentyone.script.parse import FORMAT, FORMAT_2
from twentyone.script.replay import replay
from twentyone.script.steps import write_steps

__all__ = ["export", "story"]

FOUND = {"face_up": "^", "face_up_ten": "^"}
"""Cards set aside because of how they were found in the shoe, and the mark behind them."""

WITH_AMOUNT = ("insure", "double")
"""Decisions that name the wager they make."""


def export(round_: Round, commands: Sequence[Step] | None = None) -> dict[str, Any]:
    """The script of a round that is over, in the first format that can say it.

    The second is for what the first has no words for: an edition of the text, or more than cards, decisions and
    symbols, which needs the round's commands.

    >>> from twentyone.rulebook import Rulebook
    >>> rules = Rulebook.load("pa-spanish-21").under({"decks": 8})
    >>> round_ = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
    >>> for command in ("8S", "7H", "9C", "KD", "hit", "4D"):
    ...     round_ = round_.apply(command)
    >>> script = export(round_)
    >>> script["cards"], script["decisions"]
    ('8S 7H 9C KD 4D', [{'box': 1, 'player': 'Ann', 'action': 'hit'}])
    """
    if not round_.over:
        raise ValueError("the round is not over")
    first = FORMAT_2 if round_.rules.rulebook.amendments else FORMAT
    script = {**_head(round_, first), **_by_kind(round_), **_meters(round_)}
    if _says(script, round_):
        return script
    if commands is None:
        raise ValueError(f"{first} cannot say it, and what the round was brought is not known step by step")
    return {**_head(round_, FORMAT_2), "steps": write_steps(commands), **_meters(round_), **_waits(round_)}


def story(round_: Round) -> list[e.Event]:
    """What happened in a round, each card by its name, a no as good as silence, a meter as what it shows."""
    events = (event for event in named(round_.events) if not isinstance(event, e.Declined))
    meters = (e.MeterShown, e.MeterReset)
    return [replace(event, waits=Fraction(0)) if isinstance(event, meters) else event for event in events]


def _says(script: dict[str, Any], round_: Round) -> bool:
    """Whether a script, dealt again, is this round."""
    dealt = replay(script, round_.rules.rulebook).round
    return dealt is not None and story(dealt) == story(round_)


def _head(round_: Round, form: str) -> dict[str, Any]:
    """The first format knows no editions: it says what is dealt under the text of the book's own files."""
    book = round_.rules.rulebook
    return {
        "format": form,
        "rulebook": book.id,
        **({"edition": book.edition} if book.edition and form == FORMAT_2 else {}),
        "submission": _submission(round_.rules),
        "wagers": _wagers(round_.events),
    }


def _by_kind(round_: Round) -> dict[str, Any]:
    """What the round was brought, listed by its kind."""
    cards, decisions = " ".join(_cards(named(round_.events))), list(_decisions(round_.events))
    spins = [event for event in round_.events if isinstance(event, e.WheelSpun)]
    wheel = {"wheel": [event.symbol for event in spins]} if spins else {}
    return {"cards": cards, "decisions": decisions, **wheel, **_hot_spot(round_.state, spins)}


def _submission(rules: Rules) -> dict[str, Any]:
    """The choices that the operator named, and the readings that are not the default."""
    given = {choice.key: choice.value for choice in rules.submission.choices if choice.given}
    chosen = rules.submission.readings
    readings = {
        reading.name: chosen[reading.name]
        for reading in rules.rulebook.readings
        if chosen[reading.name] != reading.values[0]
    }
    return {**given, "readings": readings} if readings else given


def _wagers(events: tuple[e.Event, ...]) -> list[dict[str, Any]]:
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for event in events:
        if isinstance(event, e.WagerPlaced):
            row = rows.setdefault((event.box, event.player), {"box": event.box, "player": event.player})
            row[event.wager] = str(event.amount)
    return list(rows.values())


def _cards(events: tuple[e.Event, ...]) -> Iterator[str]:
    for event in events:
        if isinstance(event, e.CardDealt):
            yield event.card.name
        elif isinstance(event, e.CardSetAside):
            yield event.card.name + FOUND.get(event.reason, "")


# -- decisions


def _decisions(events: tuple[e.Event, ...]) -> Iterator[dict[str, Any]]:
    state = State()
    for event in events:
        if isinstance(event, e.DecisionTaken) and not _is_bound(state, event):
            yield _decision(event)
        evolve(state, event)


def _is_bound(state: State, event: e.DecisionTaken) -> bool:
    """Whether a rescue follows the caller's, so that its player said nothing himself."""
    return event.action == "rescue" and state.ask is None


def _decision(event: e.DecisionTaken) -> dict[str, Any]:
    row: dict[str, Any] = {"box": event.box, "player": event.player, "action": event.action}
    if event.action in WITH_AMOUNT:
        row["amount"] = str(event.amount)
    if event.action == "designate":
        row["hand"] = event.choice
    return row


# -- the prize wheel


def _meters(round_: Round) -> dict[str, Any]:
    shown = {event.meter: str(event.amount) for event in round_.events if isinstance(event, e.MeterShown)}
    return {"meters": shown} if shown else {}


def _waits(round_: Round) -> dict[str, Any]:
    """What the meters hold beside what they show."""
    held = {event.meter: str(event.waits) for event in round_.events if isinstance(event, e.MeterShown) and event.waits}
    return {"waits": held} if held else {}


def _hot_spot(state: State, spins: list[e.WheelSpun]) -> dict[str, Any]:
    """The box of a wheel that was spun once for several."""
    for spin in spins:
        several = sum(side.wager == spin.wheel for side in state.sides) > 1
        drawn = [other for other in spins if other.wheel == spin.wheel]
        if spin.wheel == HOT_SPOT_WHEEL and several and len(drawn) == 1:
            return {"hot_spot": spin.box}
    return {}


HOT_SPOT_WHEEL = "xtreme_16"
"""The wheel that is spun for a box drawn at random."""
