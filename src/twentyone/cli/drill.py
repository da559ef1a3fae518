"""`twentyone drill`: you deal and keep the table, the program is everybody else and makes mishaps; what now?"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from twentyone.cli import DONE, FOUND_WRONG
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.ledgers import or_refused
from twentyone.cli.odds import add_rules, read_rules
from twentyone.rulebook import Rules
from twentyone.training.drill import DrillRecord, mark_answer, next_question, question_named
from twentyone.training.drill_asking import DrillQuestion

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone drill classic-blackjack
  twentyone drill pa-spanish-21 --questions 30 --record ann.json --who Ann
  printf '1\\n2\\nq\\n' | twentyone drill md-spanish-21 --seed 7 --json

Answer with the number of what is right; q ends the test. With --record the answers are kept: the next drill goes
on there, and paragraphs that were answered wrong come back sooner. The exit status is 1 if an answer was wrong."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "drill",
        help="a dealer's drill: what happens now, what do you pay, what do you say, what is allowed",
        description="Questions to a dealer out of rounds, and out of days at a table from its opening to its closing. "
        "The program is everybody else and makes mishaps; each answer is marked against the engine with its paragraph.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--questions", metavar="N", type=_positive, default=20, help="how many are asked (20)")
    parser.add_argument(
        "--record", metavar="FILE.json", type=Path, help="keep the record of the test here, and go on with it"
    )
    parser.add_argument("--who", metavar="NAME", default="", help="whose record it is")
    parser.add_argument(
        "--seed", metavar="S", default="", help="the same questions for the same answers at the same times"
    )
    parser.add_argument("--json", action="store_true", help="print the record as JSON")
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


@needs("desk")
@or_refused
def run(options: argparse.Namespace) -> int:
    """Ask, mark, keep the record."""
    rules = read_rules(options.rulebook, options.submission)
    record = _record(options, rules)
    before = len(record.answers)
    _ask(options, rules, record)
    if options.record is not None:
        options.record.write_text(json.dumps(record.body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.json:
        print_json(record.body)
    else:
        _sum_up(record, before)
    return FOUND_WRONG if any(not answer["right"] for answer in record.answers[before:]) else DONE


def _record(options: argparse.Namespace, rules: Rules) -> DrillRecord:
    if options.record is None or not options.record.exists():
        return DrillRecord(rules.rulebook.id, options.who)
    return DrillRecord.read(options.record, rules.rulebook.id)


def _ask(options: argparse.Namespace, rules: Rules, record: DrillRecord) -> None:
    tell = sys.stderr if options.json else sys.stdout
    seed = options.seed or str(time.time_ns())
    for number in range(1, options.questions + 1):
        at = int(time.time())
        name = next_question(rules, record.known, seed, at)
        question = question_named(rules, name)
        _show(question, f"{number}/{options.questions}", tell)
        choice = _answer(question, tell)
        if choice is None:
            return
        mark = mark_answer(question, choice)
        record.note(name, question, mark, at)
        right = "right" if mark.right else f"wrong: {mark.should}"
        because = f", {question.because}" if question.because else ""
        print(f"  {right}{because} ({mark.cite})\n", file=tell)


def _show(question: DrillQuestion, number: str, tell: Any) -> None:
    for line in (*question.table, *(f"  · {line}" for line in question.story)):
        print(line, file=tell)
    print(f"{number} {question.asks}", file=tell)
    for place, choice in enumerate(question.choices, 1):
        print(f"  {place}  {choice}", file=tell)


def _answer(question: DrillQuestion, tell: Any) -> int | None:
    """The choice of the trainee; none where he ends the test."""
    while True:
        print("> ", end="", file=tell, flush=True)
        line = sys.stdin.readline()
        said = line.strip()
        if not line or said == "q":
            return None
        if said.isdecimal() and 1 <= int(said) <= len(question.choices):
            return int(said) - 1
        say(f"answer with 1 to {len(question.choices)}, or q")


def _sum_up(record: DrillRecord, before: int) -> None:
    asked = record.answers[before:]
    wrong = sum(not answer["right"] for answer in asked)
    print(f"{len(asked)} questions, {wrong} wrong")
    for row in record.body["paragraphs"]:
        if row["wrong"]:
            print(f"  {row['cite']}: {row['wrong']} of {row['asked']} wrong")
