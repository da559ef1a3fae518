"""Command scripts: rounds step by step for tests, which also expect events and what a player sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import NotAScript, Refused
from twentyone.round import Confirmed, Drawn, Happened, Over, ReaderTold, Round, Spun, TurnedUp
from twentyone.round.event_base import as_json
from twentyone.round.steps import Step
from twentyone.rulebook import Rulebook
from twentyone.script.deal import bring, stay_silent
from twentyone.script.forms import check_keys, parse_cards
from twentyone.script.parse import ACTIONS, parse_decision, parse_wagers
from twentyone.script.replay import names
from twentyone.script.result import differences, result
from twentyone.script.steps import parse_step

__all__ = ["COMMAND_FORMAT", "Carried", "carry_out", "finish", "play_commands", "read_commands"]

COMMAND_FORMAT = "command-script/1"
EXTRA_ACTIONS = (*ACTIONS, "accept", "refuse", "late_card", "call_dead", "go_on", "decline")


class Carried(NamedTuple):
    """What came of the commands of a script."""

    round: Round
    """The round after the last command that was carried out."""
    done: int
    """How many were carried out; each card of a text is one."""
    refused: Refused | None
    """Why the next one was not."""


def carry_out(body: Mapping[str, Any]) -> Carried:
    """Bring a round the commands of a script, up to the first that is refused."""
    rules = Rulebook.load(body["rulebook"]).under(body.get("submission", {}))
    round_ = Round.start(rules, parse_wagers(body["wagers"]))
    for done, command in enumerate(commands := list(read_commands(body["commands"]))):
        try:
            round_ = bring(round_, command)
        except Refused as refused:
            return Carried(round_, done, refused)
    return Carried(round_, len(commands), None)


def play_commands(body: Mapping[str, Any]) -> list[str]:
    """Play a command script; returns the faults against what it expects."""
    check_keys(
        "script", body, ("format", "rulebook", "wagers", "commands"),
        ("title", "submission", "expect", "expect_events", "expect_view"),
    )  # fmt: skip
    expect = dict(body.get("expect", {}))
    wanted = expect.pop("refused", None)
    round_, done, refused = carry_out(body)
    if refused is not None:
        if done < len(list(read_commands(body["commands"]))) - 1:
            return [f"refused before the last command: {refused}"]
        return _refusal(wanted, refused)
    if wanted is not None:
        return [f"expected a refusal under {wanted}, but everything was allowed"]
    round_ = finish(round_)
    return [
        *_event_faults(body.get("expect_events", []), round_),
        *differences(expect, result(round_)),
        *differences(body.get("expect_view", {}), round_.seen_by("player"), "view"),
    ]


def _refusal(wanted: str | None, refused: Refused) -> list[str]:
    if wanted is None:
        return [f"refused: {refused}"]
    return [] if names(refused.cite, wanted) else [f"expected a refusal under {wanted}, got {refused}"]


def read_commands(rows: list[Any]) -> Iterator[Step]:
    """The `commands` of a command script."""
    for index, row in enumerate(rows):
        path = f"commands[{index}]"
        if row == UNKNOWN.name:
            yield Drawn(UNKNOWN)
        elif isinstance(row, str):
            yield from parse_cards(path, row)
        elif "step" in row:
            yield parse_step(path, row)
        elif "reader" in row:
            yield _report(path, row)
        elif "turned" in row:
            check_keys(path, row, ("turned",), ())
            yield TurnedUp(Card(row["turned"]))
        elif "action" in row:
            yield parse_decision(path, row, EXTRA_ACTIONS)
        elif "confirmed" in row:
            check_keys(path, row, ("confirmed",), ())
            yield Confirmed(row["confirmed"])
        elif "spin" in row:
            check_keys(path, row, ("spin",), ("hot_spot",))
            yield Spun(row["spin"], row.get("hot_spot"))
        else:
            check_keys(path, row, ("irregularity",), ("box", "card", "exposed", "shown"))
            card = Card(row["card"]) if "card" in row else None
            yield Happened(row["irregularity"], row.get("box"), card, row.get("exposed", False), row.get("shown"))


def _report(path: str, row: Mapping[str, Any]) -> ReaderTold:
    """What the reader told: `true` or `false` of a Blackjack, or the name of a range."""
    check_keys(path, row, ("reader",), ())
    told = row["reader"]
    return ReaderTold(blackjack=told) if isinstance(told, bool) else ReaderTold(range=told)


def finish(round_: Round) -> Round:
    """The round after silence, which must be over."""
    round_ = stay_silent(round_)
    if not isinstance(round_.next, Over):
        raise NotAScript("commands", f"the round is not over: {round_.next}")
    return round_


def _event_faults(expected: list[Any], round_: Round) -> Iterator[str]:
    """The expected events must come in this order among those that happened."""
    events = iter([as_json(event) for event in round_.events])
    for index, row in enumerate(expected):
        if not any(not list(differences(row, event)) for event in events):
            yield f"expect_events[{index}]: {row} did not happen in this order"
            return
