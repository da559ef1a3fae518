"""`twentyone odds`: what a game is worth, every figure with its definition; and the PAR sheet."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_amend, add_at, load_rulebook, print_json, say, wrapped
from twentyone.cli.extras import needs
from twentyone.cli.progress import progress
from twentyone.cli.running import note_game
from twentyone.cli.submissions import read_table
from twentyone.cli.writing import write_file
from twentyone.errors import TwentyoneError
from twentyone.odds.even_meters import even_words
from twentyone.rulebook import Rules
from twentyone.rulebook.submission import amount_or_none

__all__ = ["add_parser", "add_rules", "figure_words", "percent", "read_rules", "run"]

EXAMPLE = """examples:
  twentyone odds pa-spanish-21
  twentyone odds pa-spanish-21 --submission ours.toml --json
  twentyone odds pa-spanish-21 --amend changed.md
  twentyone odds md-spanish-21 --par par.html"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "odds",
        help="exact odds of a game: house edge, deviation, bonuses, side wagers",
        description="Exact odds of a game, each figure with its definition. Results are kept on disk.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    add_amend(parser)
    parser.add_argument(
        "--wager", default="5", metavar="DOLLARS", help="the wager for which the super bonus is computed"
    )
    parser.add_argument(
        "--others", default="0", metavar="N", help="number of other players, whose super bonuses pay an envy bonus"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--par", metavar="FILE", help="write a PAR sheet: one self-contained HTML file")
    parser.set_defaults(run=run)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a game."""
    parser.add_argument("rulebook", metavar="RULEBOOK", help="a rulebook's id (`twentyone law` lists them)")
    parser.add_argument("--submission", metavar="FILE", help="a Rules Submission (TOML); the defaults apply without it")
    add_at(parser)


def read_rules(rulebook: str, submission: str | None) -> Rules:
    """The rules that the arguments name."""
    book = load_rulebook(rulebook)
    if submission is None:
        return note_game(book.under())
    try:
        body = read_table(submission)
    except ValueError as wrong:
        raise TwentyoneError(str(wrong)) from None
    named = body.pop("rulebook", rulebook)
    if named != rulebook:
        raise TwentyoneError(f"{submission} is a submission for {named}, not for {rulebook}")
    return note_game(book.under(body))


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the odds; write the PAR sheet if one was requested."""
    from twentyone.odds.report import odds_of

    try:
        rules = read_rules(options.rulebook, options.submission)
        with progress(f"odds of {rules.rulebook.title}") as tell_share:
            body, cached = odds_of(rules, progress=tell_share, table=_table(options))
        if options.par:
            _write_par(rules, body, options.par)
    except TwentyoneError as refused:
        say(f"twentyone odds: {refused}")
        return REFUSED
    if options.json:
        print_json({**body, "cached": cached})
    else:
        _print(body, cached)
    return DONE


def _table(options: argparse.Namespace) -> Any:
    """The wager and the other players that the arguments name."""
    from twentyone.odds.report import TableSetting

    wager = amount_or_none(options.wager)
    if wager is None or wager <= 0:
        raise TwentyoneError(f"--wager {options.wager}: a wager is a positive amount in dollars")
    if not options.others.isdecimal() or int(options.others) > MOST_OTHERS:
        raise TwentyoneError(f"--others {options.others}: that many players do not fit at one table")
    return TableSetting(wager, int(options.others))


MOST_OTHERS = 20
"""No table of the texts has room for more players."""


def _write_par(rules: Rules, body: Mapping[str, Any], name: str) -> None:
    from twentyone.odds.generate import chart_of
    from twentyone.odds.par import par_sheet

    with progress("charts") as tell_share:
        chart = chart_of(rules, tell_share)
    write_file(name, par_sheet(rules, body, chart).encode())


# -- words


def percent(value: float) -> str:
    """A share as per cent.

    >>> percent(0.0040287)
    '0.4029 %'
    """
    return f"{value * 100:.4f} %"


def figure_words(form: str, value: float) -> str:
    """A figure as a person reads it.

    >>> figure_words("chance", 1 / 668382)
    'once in 668,382'
    """
    if form == "percent":
        return percent(value)
    if form == "chance":
        return f"once in {1 / value:,.0f}" if value else "never"
    return f"{value:.5f}"


def _print(body: Mapping[str, Any], cached: bool) -> None:
    from twentyone.odds.report import shown

    print(f"{body['title']} ({body['source']})")
    print(_choices(body["submission"]))
    print()
    for figure in shown(body):
        print(f"  {figure.label:30} {figure_words(figure.form, body[figure.name]):>16}  {figure.definition}")
    _print_stated(body)
    _print_table(
        "net result of a round, in original wagers", {r["net"]: r["probability"] for r in body["distribution"]}
    )
    _print_table("results of hands per round", body["outcomes"])
    _print_bonuses(body["bonuses"])
    _print_table("the dealer's final hand if it were always played out", body["dealer"])
    _print_by_up(body)
    _print_sides(body["side_wagers"])
    print()
    print(wrapped(body["method"]))
    print(f"  {body['seconds']} s{', from an earlier run' if cached else ''}")


def _print_stated(body: Mapping[str, Any]) -> None:
    stated = body["stated"]
    if body["super_bonus_probability"] and (stated["wager"], stated["others"]) != (body["super_bonus_wager"], 0):
        words = f"The same for a wager of ${stated['wager']} and {stated['others']} other players like this one."
        print(f"  {'With the super bonus':30} {percent(stated['house_edge_with_super_bonus']):>16}  {words}")


def _choices(submission: Mapping[str, Any]) -> str:
    parts = [f"{key} {_word(value)}" for key, value in submission.items() if key in PLAY_KEYS and value is not None]
    return wrapped(", ".join(parts))


PLAY_KEYS = (
    "decks", "tens", "dealer_hits_soft_17", "hole_card", "double_on", "double_after_split", "max_split_hands",
    "max_split_ace_hands", "split_aces_one_card", "surrender", "blackjack_pays", "dealer_blackjack_takes",
)  # fmt: skip
"""Submission keys that the heading shows."""


def _word(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _print_table(title: str, table: Mapping[str, float]) -> None:
    if table:
        print(f"\n  {title}")
        for name, chance in table.items():
            print(f"    {name:28} {percent(chance):>16}")


def _print_by_up(body: Mapping[str, Any]) -> None:
    finals = list(body["dealer"])
    print("\n  the same by up card, in per cent")
    print(f"    {'':4}" + "".join(f"{final:>11}" for final in finals))
    for up, row in body["dealer_by_up"].items():
        print(f"    {up:4}" + "".join(f"{100 * row.get(final, 0):>11.4f}" for final in finals))


def _print_bonuses(bonuses: list[dict[str, Any]]) -> None:
    if bonuses:
        print("\n  bonuses: probability per round, and what they add to the return")
        for row in bonuses:
            print(f"    {row['words']:44} {percent(row['probability']):>12} {percent(row['share']):>12}")


def _print_sides(sides: Mapping[str, Mapping[str, Any]]) -> None:
    if not sides:
        return
    print("\n  side wagers: edge as a share of the wager")
    for name, wager in sides.items():
        edge = f"{percent(wager['edge'])} = {wager['fraction']}" if wager["edge"] is not None else "not priced"
        print(f"    {name:20} {edge:34} {wager['definition']}")
        for event in wager["events"]:
            print(f"    {'':20} {percent(event['probability']):>12} {event['net']:>+10g}  {event['event']}")
        if wager["standard_deviation"] is not None:
            print(f"    {'':20} standard deviation {wager['standard_deviation']:.5f}")
        for words in even_words(wager):
            print(f"    {'':20} {words}")
