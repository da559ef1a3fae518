"""The JSON Schema of round scripts: it says what the reader reads, and it follows the types of the steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.contracts.event_samples import values
from tests.golden.schema import FILES, schema_text
from tests.schemas import SCHEMA, VALIDATOR

from twentyone.errors import NotAScript
from twentyone.round.steps import STEPS, Step, as_step
from twentyone.script import FORMAT, FORMAT_2, parse, replay
from twentyone.script.steps import parse_step

LAW = Path(__file__).parents[1] / "law"
SCRIPTS = [
    path for path in sorted(LAW.glob("*/*/*.json")) if '"round-script/' in path.read_text(encoding="utf-8")[:200]
]
HEAD = {"rulebook": "pa-spanish-21", "wagers": [{"box": 1, "player": "Ann", "main": "10"}]}
BY_KIND = {"format": FORMAT, **HEAD, "cards": "8S 7H 9C KD 4D", "decisions": [{"box": 1, "action": "hit"}]}
STEP_BY_STEP = {
    "format": FORMAT_2,
    **HEAD,
    "steps": [
        "8S 7H 9C KD",
        {"step": "decision", "action": "hit", "box": 1, "player": "Ann"},
        {"step": "happened", "name": "requested_card_missed"},
        {"step": "decision", "action": "late_card"},
        "4D",
    ],
    "expect": {"net": {"Ann": "10"}},
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_schema_follows_the_types_of_the_steps(path: Path) -> None:
    """`make golden` writes it anew."""
    assert path.read_text(encoding="utf-8") == schema_text()


def test_it_is_a_schema_of_its_draft() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(SCHEMA)


def test_every_law_script_is_valid() -> None:
    assert len(SCRIPTS) > 1500
    bodies = {path: json.loads(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert [path for path, body in bodies.items() if not VALIDATOR.is_valid(body)] == []


@pytest.mark.parametrize("body", [BY_KIND, {**BY_KIND, "format": FORMAT_2}, STEP_BY_STEP], ids=["1", "1 as 2", "2"])
def test_both_formats_are_dealt(body: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(body)
    verdict = replay(json.dumps(body))
    assert (verdict.exit, verdict.error, verdict.faults) == (0, "", ())
    assert verdict.result is not None
    assert verdict.result["net"] == {"Ann": "10"}


@pytest.mark.parametrize("command", [one for one in values(Step | None) if one is not None], ids=repr)
def test_a_step_comes_back_as_it_was(command: Step) -> None:
    row = json.loads(json.dumps(as_step(command)))
    assert parse_step("steps[0]", row) == command
    assert VALIDATOR.is_valid({"format": FORMAT_2, **HEAD, "steps": [row]})


def test_every_kind_of_step_is_tried() -> None:
    tried = {type(command) for command in values(Step | None)}
    assert set(STEPS.values()) <= tried


# -- negative controls


def spoiled(step: Any) -> dict[str, Any]:
    return {**STEP_BY_STEP, "steps": ["8S 7H 9C KD", step]}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no format": ({**HEAD, "cards": ""}, "script"),
    "another format": ({**BY_KIND, "format": "round-script/3"}, "format"),
    "steps in the first": ({**BY_KIND, "steps": []}, "steps"),
    "steps in the first alone": ({**STEP_BY_STEP, "format": FORMAT}, "steps"),
    "both": ({**STEP_BY_STEP, "cards": "8S"}, "cards"),
    "neither": ({"format": FORMAT_2, **HEAD}, "script"),
    "wheel beside steps": ({**STEP_BY_STEP, "wheel": ["40"]}, "wheel"),
    "half a fraction": ({**STEP_BY_STEP, "waits": {"bonus_spin": "1/0"}}, "waits.bonus_spin"),
    "what waits in the first": ({**BY_KIND, "waits": {}}, "waits"),
    "unknown key": ({**BY_KIND, "shoe": 1}, "shoe"),
    "a number for money": ({**BY_KIND, "wagers": [{"box": 1, "player": "Ann", "main": 10}]}, "wagers[0].main"),
    "four decimals": ({**BY_KIND, "wagers": [{"box": 1, "player": "Ann", "main": "1.0005"}]}, "wagers[0].main"),
    "nobody": ({**BY_KIND, "wagers": [{"box": 1, "player": "", "main": "10"}]}, "wagers[0].player"),
    "no such card": ({**BY_KIND, "cards": "8S 1H"}, "cards[1]"),
    "insurance of nothing": ({**BY_KIND, "decisions": [{"box": 1, "action": "insure"}]}, "decisions[0].amount"),
    "an action of format 2": ({**BY_KIND, "decisions": [{"box": 1, "action": "late_card"}]}, "decisions[0].action"),
    "refused by nothing": ({**BY_KIND, "expect": {"refused": ""}}, "expect.refused"),
    "no such step": (spoiled({"step": "shuffled"}), "steps[1].step"),
    "a step without a name": (spoiled({"action": "hit"}), "steps[1].step"),
    "a step of nothing": (spoiled(None), "steps[1]"),
    "a field is missing": (spoiled({"step": "decision", "box": 1}), "steps[1]"),
    "a field too many": (spoiled({"step": "spun", "symbol": "40", "box": 1}), "steps[1].box"),
    "a field of another type": (spoiled({"step": "decision", "action": "hit", "box": "1"}), "steps[1].box"),
    "not true or false": (spoiled({"step": "drawn", "card": "8S", "face_up": 1}), "steps[1].face_up"),
    "nothing where it is left out": (spoiled({"step": "decision", "action": "hit", "box": None}), "steps[1].box"),
    "no such card in a step": (spoiled({"step": "drawn", "card": "11S"}), "steps[1].card"),
    "no such card among the steps": (spoiled("8S 11S"), "steps[1][1]"),
    "money as a number": (spoiled({"step": "decision", "action": "double", "amount": 5}), "steps[1].amount"),
}


@pytest.mark.parametrize(("body", "key"), WRONG.values(), ids=WRONG)
def test_what_the_reader_refuses_is_not_valid(body: dict[str, Any], key: str) -> None:
    assert not VALIDATOR.is_valid(body)
    with pytest.raises(NotAScript) as refused:
        parse(json.dumps(body))
    assert str(refused.value).startswith(f"{key}: ")


def test_a_number_with_a_point_is_not_valid() -> None:
    body = {**BY_KIND, "submission": {"wheel_weights": {"40": 0.5}}}
    assert not VALIDATOR.is_valid(body)
    assert replay(json.dumps(body)).exit == 2
