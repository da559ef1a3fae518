"""A finished round as a round script: what left the shoe and what was said, written down again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.round import Round, State
from twentyone.round import events as e
from twentyone.round.entry_events import ReaderContradicted
from twentyone.round.evolve import evolve
from twentyone.round.retelling import named, standing
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import meters_of
from twentyone.script.parse import FORMAT

__all__ = ["export"]

IRREGULAR: dict[type[e.Event], str] = {
    e.CardDrawnInError: "a card drawn in error",
    e.CardRefused: "a refused card",
    e.DealerCardMissed: "a card that the dealer missed",
    e.BoxMissed: "a box that the deal missed",
    e.RequestedCardMissed: "a requested card that was missed",
    e.HandCalledDead: "a hand called dead",
    e.WrongRangeFound: "a wrong range",
    e.ReaderFailed: "a card reader that fails in the middle of the round",
    e.RackShuffled: "a reshuffle in the middle of the round",
    ReaderContradicted: "a card reader that was wrong",
}
"""What the format cannot say."""

FOUND = {"ten": "", "face_up": "^", "face_up_ten": "^"}
"""Cards set aside because of how they were found in the shoe, and the mark behind them."""

SET_ASIDE = {"past_17": "a card that the dealer drew although he stood", "refused": "a refused card"}
"""Cards set aside for another reason."""

WITH_AMOUNT = ("insure", "double")
"""Decisions that name the wager they make."""


def export(round_: Round) -> dict[str, Any]:
    """The round script of a round that is over; `ValueError` names what the format cannot say.

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
    round_ = Round(round_.rules, round_.state, named(standing(round_.events)), round_.next)
    decisions = _decisions(round_)
    body: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": round_.rules.rulebook.id,
        "submission": _submission(round_.rules),
        "wagers": _wagers(round_.events),
        "cards": " ".join(_cards(round_.events)),
        "decisions": decisions,
    }
    return {**body, **_wheel(round_)}


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
            yield event.card.name + FOUND[event.reason]


# -- decisions


def _decisions(round_: Round) -> list[dict[str, Any]]:
    state = State()
    rows = []
    for event in round_.events:
        _check_regular(round_.rules, state, event)
        if isinstance(event, e.DecisionTaken) and not _is_bound(state, event):
            rows.append(_decision(event))
        evolve(state, event)
    return rows


def _check_regular(rules: Rules, state: State, event: e.Event) -> None:
    what = IRREGULAR.get(type(event))
    if isinstance(event, e.CardDealt) and event.card is UNKNOWN:
        what = "a card that nobody has seen"
    if isinstance(event, e.CardSetAside) and event.reason not in FOUND:
        what = SET_ASIDE.get(event.reason, "a card that was set aside")
    if isinstance(event, e.HoleCardRead) and rules.steps[state.step].name != "read_hole":
        what = "a hole card that was read without cause"
    if what is not None:
        raise ValueError(f"a round script cannot say {what} ({event.cite})")


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


def _wheel(round_: Round) -> dict[str, Any]:
    body: dict[str, Any] = {}
    spins = [event for event in round_.events if isinstance(event, e.WheelSpun)]
    meters = {event.meter: str(event.amount) for event in round_.events if isinstance(event, e.MeterShown)}
    _check_meters(round_)
    if spins:
        body["wheel"] = [event.symbol for event in spins]
    if meters:
        body["meters"] = meters
    return {**body, **_hot_spot(round_.state, spins)}


def _check_meters(round_: Round) -> None:
    """The format says what a meter shows, and not what its limit holds back for the second jackpot of a round."""
    paid = [event.meter for event in round_.events if isinstance(event, e.MeterReset)]
    twice = [event for event in round_.events if isinstance(event, e.MeterShown) and paid.count(event.meter) > 1]
    for event in twice:
        if event.waits >= meters_of(round_.rules)[event.meter].unit:
            raise ValueError(f"a round script cannot say what a limit held back ({event.cite})")


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
