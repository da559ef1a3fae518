"""Rounds written step by step: every command script said in the exchange format, silence, and what is refused where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.schemas import VALIDATOR

from twentyone.round import events as e
from twentyone.script import COMMAND_FORMAT, FORMAT_2, replay
from twentyone.script.commands import read_commands
from twentyone.script.steps import write_steps

LAW = Path(__file__).parents[1] / "law"
SCRIPTS = [path for path in sorted(LAW.glob("*/*/*.json")) if COMMAND_FORMAT in path.read_text(encoding="utf-8")[:200]]
ANN, BEA = ({"box": number, "player": name, "main": "10"} for number, name in ((1, "Ann"), (2, "Bea")))


def script(*steps: Any, wagers: Any = (ANN,), **more: Any) -> dict[str, Any]:
    return {"format": FORMAT_2, "rulebook": "pa-spanish-21", "wagers": list(wagers), "steps": list(steps), **more}


def say(action: str, **more: Any) -> dict[str, Any]:
    return {"step": "decision", "action": action, **more}


def test_every_command_script_can_be_said_in_the_exchange_format() -> None:
    assert len(SCRIPTS) > 500
    wrong = {}
    for path in SCRIPTS:
        body = json.loads(path.read_text(encoding="utf-8"))
        kept = {key: body[key] for key in ("rulebook", "submission", "wagers", "expect") if key in body}
        said = {"format": FORMAT_2, **kept, "steps": write_steps(read_commands(body["commands"]))}
        verdict = replay(json.dumps(said))
        expected = 2 if "refused" in body.get("expect", {}) else 0
        if verdict.exit != expected or verdict.faults:
            wrong[path.name] = (verdict.error, verdict.faults)
    assert wrong == {}


# -- silence


@pytest.mark.parametrize(
    "steps",
    [
        (say("insure", box=1, player="Ann", amount="5"),),
        (say("insure", box=1, player="Ann", amount="5"), say("decline")),
    ],
    ids=["silence", "a no"],
)
def test_who_says_nothing_declines(steps: tuple[Any, ...]) -> None:
    body = script("9S 9H AC 9D 8H 7D", *steps, say("stand", box=1), say("stand", box=2), wagers=(ANN, BEA))
    verdict = replay(json.dumps(body))
    assert verdict.round is not None, verdict.error
    assert sum(isinstance(event, e.Declined) for event in verdict.round.events) == 1
    assert verdict.result is not None
    assert verdict.result["net"] == {"Ann": "-5", "Bea": "-10"}


# -- refused


NONE = "none"
"""No paragraph speaks of it."""
REFUSED = {
    "a card is due": (script("9S 9H"), "steps: the cards run out", "58 Pa. Code § 635a.7(e)"),
    "an answer is due": (script("9S 9H 9C 9D"), "steps: a decision is missing: box 1 is asked", ""),
    "a step too many": (
        script("9S 9H 9C KD", say("stand"), say("hit", box=1)),
        "steps[2]: the round is over",
        "",
    ),
    "a card too many": (script("9S 9H 9C KD", say("stand"), "5S 6S"), "steps[2][0]: the round is over", ""),
    "not his turn": (script("9S 9H 9C KD", say("hit", box=2)), "steps[1]: it is the turn of box 1", ""),
    "no such decision": (script("9S 9H 9C KD", say("fold", box=1)), "steps[1]: there is no decision 'fold'", ""),
    "no such irregularity": (
        script("9S", {"step": "happened", "name": "earthquake"}),
        "steps[1]: there is no irregularity 'earthquake'",
        NONE,
    ),
    "a spin nowhere": (script("9S", {"step": "spun", "symbol": "40"}), "steps[1]: the wheel was spun (40)", NONE),
    "a meter without a wheel": (script("9S", meters={}), "meters: this game has no prize wheel", NONE),
}


@pytest.mark.parametrize(("body", "why", "cite"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_the_step_and_the_paragraph(body: dict[str, Any], why: str, cite: str) -> None:
    verdict = replay(json.dumps(body))
    assert (verdict.exit, verdict.result) == (2, None)
    assert verdict.error.startswith(why), verdict.error
    assert verdict.cite == "" if cite == NONE else verdict.cite
    assert cite == NONE or str(verdict.cite).startswith(cite)


def test_a_card_stands_no_more_often_than_the_decks_hold_it() -> None:
    body = script("5S 5H 5S KD", say("hit", box=1), "5S", say("stand", box=1), "6D", rulebook="pa-double-back-jack")
    twice = {**body, "submission": {"decks": 2}}
    assert VALIDATOR.is_valid(twice)
    assert replay(json.dumps({**body, "submission": {"decks": 3}})).exit == 0
    assert replay(json.dumps(twice)).error.startswith("steps: 5S stands 3 times, 2 decks hold it 2 times")


def test_an_expectation_that_does_not_hold_is_named() -> None:
    body = script("9S 9H 9C KD", say("stand"), expect={"net": {"Ann": "10"}})
    verdict = replay(json.dumps(body))
    assert (verdict.exit, verdict.faults) == (1, ("net.Ann: expected 10, got -10",))
