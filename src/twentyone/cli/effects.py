"""`twentyone effects`: what every choice of the operator, every reading and every card is worth."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, percent, read_rules
from twentyone.cli.progress import progress
from twentyone.errors import TwentyoneError

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone effects pa-spanish-21
  twentyone effects classic-blackjack --submission ours.toml --json

A plus sign is a gain for the operator: house edge after the change minus house edge before it.
Left out without --all: values under which no clause of a round from a full shoe and of no side wager changes."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "effects",
        help="the price of every choice, every reading and every card",
        description="What every choice of the operator, every reading and every rule is worth, each changed alone, in"
        " per cent of the original wager under optimal play; and the effect of removing one card of each value.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--all", action="store_true", help="also what changes no clause of a round or a side wager")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the prices."""
    from twentyone.odds.effects import effects_of
    from twentyone.odds.prices import NO_PLAY

    try:
        rules = read_rules(options.rulebook, options.submission)
        with progress(f"prices of {rules.rulebook.title}") as share:
            body, cached = effects_of(rules, share)
    except TwentyoneError as refused:
        say(f"twentyone effects: {refused}")
        return REFUSED
    rows = [row for row in body["effects"] if options.all or row["note"] != NO_PLAY]
    body = {**body, "effects": rows, "left_out": len(body["effects"]) - len(rows)}
    if options.json:
        print_json({**body, "cached": cached})
    else:
        _print(body, cached)
    return DONE


def _print(body: Mapping[str, Any], cached: bool) -> None:
    print(f"{body['title']}: house edge {percent(body['house_edge'])} under this submission")
    for kind, title in (("submission", "choices of the operator"), ("reading", "readings")):
        rows = [row for row in body["effects"] if row["kind"] == kind]
        if rows:
            print(f"\n  {title}")
        for _, same in groupby(rows, key=lambda row: (row["key"], row["effect"], row["note"], str(row["sides"]))):
            _print_row(list(same))
    _print_rules([row for row in body["effects"] if row["kind"] == "rule"])
    print("\n  one card removed from the shoe")
    for row in body["removal"]:
        print(f"    {', '.join(row['ranks']):28} {'':34} {_signed(row['effect']):>12}")
    if body["left_out"]:
        print(f"\n  left out: {body['left_out']} values of keys that no round or side wager reads (--all)")
    print(f"\n  {body['seconds']} s{', from an earlier run' if cached else ''}")


def _print_rules(rows: list[Mapping[str, Any]]) -> None:
    print("\n  rules of the text, each taken away or turned")
    for row in rows:
        after = "" if row["after"] == "taken away" else f" > {row['after']}"
        effect = _signed(row["effect"]) if row["effect"] is not None else "not alone"
        print(f"    {row['before'] + after:63} {effect:>12}  {row['cite']:38} {row['note']}".rstrip())


def _print_row(same: list[Mapping[str, Any]]) -> None:
    """Print one line for a change, or for several changes of one key that have the same effect."""
    row = same[0]
    after = row["after"] if len(same) == 1 else f"{row['after']} .. {same[-1]['after']}"
    effect = _signed(row["effect"]) if row["effect"] is not None else "not allowed"
    sides = "; ".join(f"{name} {_signed(change)}" for name, change in row["sides"].items())
    words = "  ".join(part for part in (sides, row["note"]) if part)
    print(f"    {row['key']:28} {row['before'] + ' > ' + after:34} {effect:>12}  {row['cite']:38} {words}".rstrip())


def _signed(value: float) -> str:
    return f"{value * 100:+.4f} %" if abs(value) >= 5e-7 else "0"
