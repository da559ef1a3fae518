"""`twentyone check`: is a Rules Submission one that the text allows?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, load_rulebook, print_json, say
from twentyone.cli.running import note_game
from twentyone.cli.submissions import read_table
from twentyone.errors import Refused
from twentyone.rulebook import Choice, Rules
from twentyone.rulebook.clauses import NoEffect
from twentyone.rulebook.wheels import METERS, MeterTerms, meters_of

__all__ = ["add_parser", "read_submission", "run"]

EXAMPLE = """example of a submission:
  rulebook = "pa-spanish-21"
  decks = 8
  max_split_hands = 4
  [readings]
  split-21 = "win\""""


REQUIRED = "required"
STATED = {
    REQUIRED: "what the text requires the operator to say",
    "to_offer": "wagers that are offered where the submission says so",
    "": "other choices",
}
"""How the choices are set apart."""


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
                "stated": _stated(rules, choice) or None,
                "says": choice.says,
                "cite": choice.cite,
            }
            for choice in rules.submission.choices
        ],
        "meters": [_meter(name, terms) for name, terms in meters_of(rules).items()],
        "required_by_default": list(_required_by_default(rules)),
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


def _stated(rules: Rules, choice: Choice) -> str:
    """Whether the text wants a choice to be said: figures of meters only where there are meters."""
    return choice.stated if choice.key != METERS or meters_of(rules) else ""


def _required_by_default(rules: Rules) -> Iterator[str]:
    """What the text wants the submission to say and it does not, meter by meter."""
    for choice in rules.submission.choices:
        if choice.stated == REQUIRED and choice.key != METERS and not choice.given:
            yield choice.key
    for name, terms in meters_of(rules).items():
        yield from (f"{METERS}.{name}.{figure}" for figure in ("rate", "reset") if figure not in terms.given)


def _print(rules: Rules) -> None:
    book = rules.rulebook
    print(f"{book.title} ({book.source}): the text allows this submission")
    for stated, says in STATED.items():
        rows = [choice for choice in rules.submission.choices if _stated(rules, choice) == stated]
        if rows:
            print(f"\n  {says}")
        for choice in rows:
            mark = " " if choice.given else "default"
            print(f"  {choice.key:26} {_value(choice):18} {mark:8} {choice.cite:44} {choice.says}")
        if stated == REQUIRED:
            _print_meters(rules)
    for key, says, cite in _no_effect(rules):
        print(f"\n  {key:26} has no effect: {says} ({cite})")
    missing = list(_required_by_default(rules))
    if missing:
        print(f"\n  required, and taken by default: {', '.join(missing)}")
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
    if isinstance(value, Mapping):
        return "as given"
    return " and ".join(value) if isinstance(value, list) else str(value)
