"""`twentyone replay`: deal a written round again."""

from __future__ import annotations

import argparse
import json
from typing import Any

from twentyone.cli import DONE, REFUSED, UsageError
from twentyone.cli.common import add_amend, load_rulebook, print_json, read_file, say
from twentyone.errors import NotAScript
from twentyone.money import Amount, dollars
from twentyone.script import Verdict, parse, replay
from twentyone.script.schema import schema_text

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone replay tests/law/pa-spanish-21/635a.12/b.4-sevens-of-spades-pay-3-to-1.json
  twentyone replay --json SCRIPT.json      the result as JSON
  twentyone replay SCRIPTS.jsonl --json    one script per line in, one line out for each
  twentyone replay --schema                the JSON Schema of scripts, formats round-script/1 and round-script/2"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "replay",
        help="deal a round script again",
        description="Deal a round script again: every wager, what it won or lost, and the paragraph. "
        "Exit status: 0 dealt, 1 dealt but not as the script expects, 2 refused.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("script", nargs="?", help="a .json file, a .jsonl file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_amend(parser)
    parser.add_argument("--events", action="store_true", help="also print every event with its paragraph")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of round scripts, deal nothing")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Replay one script, or each line of a .jsonl file."""
    if options.schema == bool(options.script):
        raise UsageError("name a script, or give --schema")
    if options.schema:
        print(schema_text(), end="")
        return DONE
    text = read_file(options.script)
    if options.script.endswith(".jsonl"):
        return _replay_lines(text, options.json, options.amend)
    verdict = _replay(text, options.amend)
    if verdict.result is None:
        say(f"twentyone replay: {verdict.error}")
        for fault in verdict.faults:
            say(f"twentyone replay: {fault}")
        return REFUSED
    for fault in verdict.faults:
        say(f"twentyone replay: {fault}")
    if options.json:
        print_json(verdict.result, run=False)
    else:
        _print_table(verdict, options.events)
    return verdict.exit


def _replay(text: bytes, amend: str | None) -> Verdict:
    """Deal a script, under its rulebook as a file amends it where one is named."""
    if amend is None:
        return replay(text)
    try:
        script = parse(text)
    except NotAScript:
        return replay(text)
    return replay(script, load_rulebook(script.rulebook))


# -- many scripts


def _replay_lines(text: bytes, as_json: bool, amend: str | None) -> int:
    worst = 0
    for number, line in enumerate(text.splitlines(), 1):
        verdict = _replay(line, amend)
        worst = max(worst, verdict.exit)
        print(json.dumps(_line(verdict), ensure_ascii=False) if as_json else _summary(number, verdict))
        for fault in verdict.faults:
            say(f"line {number}: {fault}")
    return worst


def _line(verdict: Verdict) -> dict[str, Any]:
    if verdict.result is None:
        return {"exit": verdict.exit, "error": verdict.error}
    return {"exit": verdict.exit, "result": verdict.result}


def _summary(number: int, verdict: Verdict) -> str:
    if verdict.result is None:
        return f"{number}: refused: {verdict.error}"
    net = ", ".join(f"{player} {dollars(Amount(amount))}" for player, amount in verdict.result["net"].items())
    state = "void" if verdict.result["void"] else "differs from its expectation" if verdict.exit else "dealt"
    return f"{number}: {state}: {net}"


# -- one script, for a person


def _print_table(verdict: Verdict, events: bool) -> None:
    result, round_ = verdict.result, verdict.round
    assert result is not None
    assert round_ is not None
    book = round_.rules.rulebook
    print(f"{book.title} ({book.source}){'  VOID' if result['void'] else ''}")
    dealer = result["dealer"]
    print(f"dealer  {' '.join(dealer['cards'])}  = {dealer['total']}{'  Blackjack' if dealer['blackjack'] else ''}")
    for hand in result["hands"]:
        label = f"box {hand['box']}.{hand['hand']}"
        print(f"{label:7} {' '.join(hand['cards'])}  = {hand['total']}  {hand['outcome']}")
    print()
    _print_rows(result["wagers"])
    print()
    for player, net in result["net"].items():
        print(f"{player}: {dollars(Amount(net))}")
    print(f"cards used: {result['cards_used']}")
    if events:
        _print_events(verdict)


def _print_rows(rows: list[dict[str, Any]]) -> None:
    table = [tuple(HEAD), *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, HEAD.values(), widths, strict=True)]
        print("  ".join(cells).rstrip())


HEAD = {"box": "<", "player": "<", "wager": "<", "amount": ">", "outcome": "<", "odds": "<", "net": ">",
        "paragraph": "<"}  # fmt: skip
"""The columns of the settled wagers, each with its alignment."""


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    hand = "-" if row["box"] is None else str(row["box"]) + (f".{row['hand']}" if row["hand"] else "")
    amount, net = dollars(Amount(row["amount"])), dollars(Amount(row["net"]))
    return (hand, row["player"], row["wager"], amount, row["outcome"], row["odds"] or "-", net, row["cite"])


def _print_events(verdict: Verdict) -> None:
    from twentyone.round.words import in_words

    assert verdict.round is not None
    print()
    for event in verdict.round.events:
        print(f"{event.cite:44} {in_words(event)}")
