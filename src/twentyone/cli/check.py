"""`twentyone check`: is a Rules Submission one that the text allows?"""

from __future__ import annotations

import argparse
import tomllib
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import load_rulebook, print_json, read_file, say
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Choice, Rules
from twentyone.rulebook.clauses import NoEffect

__all__ = ["add_parser", "read_submission", "run"]

EXAMPLE = """example of a submission:
  rulebook = "pa-spanish-21"
  decks = 8
  max_split_hands = 4
  [readings]
  split-21 = "win\""""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="check a Rules Submission",
        description="Check a Rules Submission: each choice with the paragraph that allows it, or the refusal (exit 2).",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("submission", help="a TOML file: `rulebook` and the operator's choices")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every choice in force, or the refusal."""
    try:
        rules = read_submission(options.submission)
    except (Refused, ValueError) as refused:
        say(f"twentyone check: {refused}")
        return REFUSED
    if options.json:
        print_json(_body(rules))
    else:
        _print(rules)
    return DONE


def read_submission(name: str) -> Rules:
    """The rules under a submission file; `ValueError` if the file is not a submission."""
    text = read_file(name)
    try:
        body = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ValueError(f"{name} is not TOML: {wrong}") from None
    book = body.pop("rulebook", None)
    if not isinstance(book, str):
        raise ValueError(f"{name}: the key 'rulebook' is missing")
    return load_rulebook(book).under(body)


def _body(rules: Rules) -> dict[str, Any]:
    return {
        "rulebook": rules.rulebook.id,
        "choices": [
            {
                "key": choice.key,
                "value": choice.value,
                "given": choice.given,
                "says": choice.says,
                "cite": choice.cite,
            }
            for choice in rules.submission.choices
        ],
        "no_effect": [{"key": key, "says": says, "cite": cite} for key, says, cite in _no_effect(rules)],
        "readings": [
            {
                "id": reading.name,
                "value": rules.submission.readings[reading.name],
                "values": list(reading.values),
                "cite": reading.cite,
            }
            for reading in rules.rulebook.readings
        ],
    }


def _print(rules: Rules) -> None:
    book = rules.rulebook
    print(f"{book.title} ({book.source}): the text allows this submission")
    print()
    for choice in rules.submission.choices:
        mark = " " if choice.given else "default"
        print(f"  {choice.key:26} {_value(choice):18} {mark:8} {choice.cite:44} {choice.says}")
    for key, says, cite in _no_effect(rules):
        print(f"  {key:26} has no effect: {says} ({cite})")
    print()
    print("  readings")
    for reading in book.readings:
        chosen = rules.submission.readings[reading.name]
        mark = "default" if chosen == reading.values[0] else ""
        print(f"  {reading.name:30} {chosen:18} {mark:8} {reading.cite}")


def _no_effect(rules: Rules) -> list[tuple[str, str, str]]:
    """The choices that the operator made and that change nothing: key, why, and the paragraph."""
    made = {choice.key for choice in rules.submission.choices if choice.given}
    return [(clause.choice, clause.says, clause.cite) for clause in rules.all(NoEffect) if clause.choice in made]


def _value(choice: Choice) -> str:
    value = choice.value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value}" if not isinstance(value, Amount) else str(value)
