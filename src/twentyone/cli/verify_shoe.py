"""`twentyone verify-shoe`: was a shoe dealt, did a wheel stop as committed? Also extracts values for a laboratory."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from twentyone.cards import RANKS, SUITS, Card
from twentyone.cli import DONE, FOUND_WRONG, REFUSED, UsageError
from twentyone.cli.check import read_submission
from twentyone.cli.common import print_json, read_file, say
from twentyone.errors import NotAScript, Refused
from twentyone.table.health import SourceFailed
from twentyone.table.shoe import (
    WORD_BITS,
    ShoeRecord,
    commitment,
    faults,
    full_batch,
    new_seed,
    os_source,
    read_record,
    shuffled,
    words,
)
from twentyone.table.wheel_record import WHEEL_FORMAT, WheelRecord, wheel_faults

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone verify-shoe SHOE.json
  twentyone export t.db md-spanish-21-1:4 --wheel | twentyone verify-shoe -
  twentyone verify-shoe --extract 1000 --submission SUBMISSION.toml > values.jsonl

--extract prints one line of JSON per shoe: the seed as the operating system gave it, the 16-bit words that
the shuffle took from its keystream (including rejected ones), and the resulting cards. These shoes are
never dealt."""

MOST_SHOES = 10_000_000


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify-shoe",
        help="deal a revealed shoe, or turn revealed wheels, again and compare",
        description="Check a shoe record: the seed against its commitment, every card against the seed and the cut; or "
        "a wheel record: the seed against its commitment, every symbol and hot spot against the seed. "
        "Exit status: 0 as committed; 1 faults, one per line; 2 neither of the two records.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("record", nargs="?", metavar="FILE", help="a shoe record or a wheel record, or - for standard input")
    add("--json", action="store_true", help="print JSON")
    add("--extract", metavar="N", type=_shoes, help="instead of FILE: raw and final values of N fresh shoes")
    add("--submission", metavar="FILE.toml", help="with --extract: the game whose batch is shuffled (one deck of 52)")
    parser.set_defaults(run=run)


def _shoes(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 0 < number <= MOST_SHOES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST_SHOES}")
    return number


def run(options: argparse.Namespace) -> int:
    """Verify a record, or extract values."""
    if (options.record is None) == (options.extract is None):
        raise UsageError("give either FILE or --extract N")
    if options.submission is not None and options.extract is None:
        raise UsageError("--submission goes with --extract")
    try:
        return _extract(options) if options.record is None else _verify(options)
    except (NotAScript, Refused, SourceFailed, ValueError) as wrong:
        say(f"twentyone verify-shoe: {wrong}")
        return REFUSED


# -- a record


def _verify(options: argparse.Namespace) -> int:
    text = read_file(options.record)
    examine = _examine_wheels if read_record(text).get("format") == WHEEL_FORMAT else _examine_shoe
    found, well, differences = examine(text)
    if options.json:
        print_json({**found, "faults": differences})
    elif not differences:
        print(well)
    for fault in differences:
        say(f"twentyone verify-shoe: {fault}")
    return FOUND_WRONG if differences else DONE


def _examine_shoe(text: str | bytes) -> tuple[dict[str, Any], str, list[str]]:
    """What a shoe record holds, the sentence where it is well, and what is wrong with it."""
    record = ShoeRecord.from_json(text)
    found = {"rulebook": record.rulebook, "commitment": record.commitment, "cut": record.cut}
    well = f"{len(record.dealt)} cards left the shoe as committed: {record.commitment}"
    return {**found, "dealt": len(record.dealt)}, well, faults(record)


def _examine_wheels(text: str | bytes) -> tuple[dict[str, Any], str, list[str]]:
    """The same of a wheel record."""
    record = WheelRecord.from_json(text)
    found = {"rulebook": record.rulebook, "commitment": record.commitment, "spins": len(record.spins)}
    return found, f"{len(record.spins)} spins stopped as committed: {record.commitment}", wheel_faults(record)


# -- a laboratory


def _extract(options: argparse.Namespace) -> int:
    batch = full_batch(read_submission(options.submission)) if options.submission is not None else _deck()
    source = os_source()
    for number in range(1, options.extract + 1):
        print(json.dumps({"shoe": number, **_values(new_seed(source), batch)}))
    return DONE


def _deck() -> tuple[Card, ...]:
    return tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)


def _values(seed: bytes, batch: tuple[Card, ...]) -> dict[str, Any]:
    taken: list[int] = []
    cards = shuffled(batch, _noting(words(seed), taken), WORD_BITS)
    return {
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "words": taken,
        "cards": " ".join(card.name for card in cards),
    }


def _noting(source: Iterator[int], taken: list[int]) -> Iterator[int]:
    for word in source:
        taken.append(word)
        yield word
