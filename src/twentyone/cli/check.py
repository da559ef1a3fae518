"""`twentyone check`: is a Rules Submission one that the text allows?"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, load_rulebook, print_json, say
from twentyone.cli.running import note_game
from twentyone.cli.submissions import read_table
from twentyone.errors import Refused
from twentyone.rulebook import Choice, Rules
from twentyone.rulebook.declared import REQUIRED, STATED, no_effect, required_by_default, stated
from twentyone.rulebook.wheels import MeterTerms, meters_of

__all__ = ["add_parser", "read_submission", "run"]

ALLOWED = "the text allows this submission"
INCOMPLETE = "the text allows these choices, but requires the filing to state some that were taken by default"

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
    add_at(parser)
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
    body = read_table(name)
    book = body.pop("rulebook", None)
    if not isinstance(book, str):
        raise ValueError(f"{name}: the key 'rulebook' is missing")
    return note_game(load_rulebook(book).under(body))


def _body(rules: Rules) -> dict[str, Any]:
    return {
        "rulebook": rules.rulebook.id,
        "choices": [
            {
                "key": choice.key,
                "value": choice.value,
                "given": choice.given,
                "stated": stated(rules, choice) or None,
                "says": choice.says,
                "cite": choice.cite,
            }
            for choice in rules.submission.choices
        ],
        "meters": [_meter(name, terms) for name, terms in meters_of(rules).items()],
        "required_by_default": list(required_by_default(rules)),
        "no_effect": [{"key": key, "says": says, "cite": cite} for key, says, cite in no_effect(rules)],
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


def _meter(name: str, terms: MeterTerms) -> dict[str, Any]:
    return {
        "meter": name,
        "rate": _decimal(terms.rate),
        "rate_given": "rate" in terms.given,
        "rate_cite": terms.rate_cite,
        "reset": str(terms.base),
        "reset_given": "reset" in terms.given,
        "limit": str(terms.limit) if terms.limit is not None else None,
        "cite": terms.cite,
    }


def _decimal(share: Fraction) -> str:
    """A share that was written as a decimal."""
    return f"{Decimal(share.numerator) / Decimal(share.denominator):f}"


def _print(rules: Rules) -> None:
    book, missing = rules.rulebook, list(required_by_default(rules))
    print(f"{book.title} ({book.source}): {INCOMPLETE if missing else ALLOWED}")
    for wanted, says in STATED.items():
        rows = [choice for choice in rules.submission.choices if stated(rules, choice) == wanted]
        if rows:
            print(f"\n  {says}")
        for choice in rows:
            mark = " " if choice.given else "default"
            print(f"  {choice.key:26} {_value(choice):18} {mark:8} {choice.cite:44} {choice.says}")
        if wanted == REQUIRED:
            _print_meters(rules)
    for key, says, cite in no_effect(rules):
        print(f"\n  {key:26} has no effect: {says} ({cite})")
    if missing:
        print(f"\n  required, taken by default, to be stated in the filing: {', '.join(missing)}")
    print("\n  readings")
    for reading in book.readings:
        chosen = rules.submission.readings[reading.name]
        mark = "default" if chosen == reading.values[0] else ""
        print(f"  {reading.name:30} {chosen:18} {mark:8} {reading.cite}")


def _print_meters(rules: Rules) -> None:
    for name, terms in meters_of(rules).items():
        figures = (
            ("rate", _decimal(terms.rate), terms.rate_cite, "the share of each wager that is added"),
            ("reset", str(terms.base), terms.cite, "the initial and reset amount"),
        )
        for figure, value, cite, says in figures:
            mark = " " if figure in terms.given else "default"
            print(f"  {name + '.' + figure:26} {value:18} {mark:8} {cite:44} {says}")


def _value(choice: Choice) -> str:
    value = choice.value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "as given"
    return " and ".join(value) if isinstance(value, list) else str(value)
