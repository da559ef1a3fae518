"""`twentyone analyse`: what the decisions of a round were worth, what mistakes cost, and the luck of each card."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twentyone.cards import Card, parse_cards
from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json, read_file, say
from twentyone.cli.extras import needs
from twentyone.cli.ledgers import add_public_key, or_refused
from twentyone.errors import TwentyoneError

if TYPE_CHECKING:
    from twentyone.review.model import DecisionReview, PlayerReview, RoundReview
    from twentyone.review.session import PlayerSession, SessionReview

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone analyse round.json                         one round, as `twentyone export` writes it
  twentyone analyse round.json --out "AS KH 5D"        with cards that had left the shoe before
  twentyone analyse t.db pa-spanish-21-1:17            a round of a ledger
  twentyone analyse t.db --player Ann                  a session: every round of the ledger, summed up
  twentyone analyse rounds.jsonl --json                the same of scripts, one per line

Value of the deal, plus the luck of each card, less mistakes is the net of the round. Values are for what the player
could know: the cards that lay face up in the round and, in a ledger, in the earlier rounds of the same shoe; with
--seen round only those of the round, which is much quicker because the deal is worked out once. Every later decision
is the best for the hand's own cards. What goes wrong in a round is not foreseen: it is luck when it happens, and so is
what the caller of a shared box decides to the others on it. Prize wheels and envy bonuses are luck when they are paid.

Exit status: 0 analysed, 1 a review does not add up, 2 refused, 64 usage."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "analyse",
        help="a round analysed: what each choice was worth, what mistakes cost, the luck of each card",
        description="What every choice of a round was worth, what mistakes cost, and the luck of each card.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", metavar="SCRIPT|LEDGER", help="a round script (.json, .jsonl, -), or a ledger")
    parser.add_argument("round", nargs="?", metavar="ROUND", help="TABLE:NUMBER of a ledger (absent: a session)")
    parser.add_argument("--player", metavar="NAME", help="this player only")
    parser.add_argument("--out", default="", metavar="CARDS", help="of a script: cards that had left the shoe before")
    parser.add_argument(
        "--seen", choices=("shoe", "round"), default="shoe", help="of a ledger: which cards players remember"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@needs("odds")
@or_refused
def run(options: argparse.Namespace) -> int:
    """Print one round, or a session."""
    if _is_script(options.ledger):
        if options.round:
            raise UsageError("ROUND goes with a ledger")
        one = not options.ledger.endswith(".jsonl")
        reviews = _scripts(options, one)
    else:
        if options.out:
            raise UsageError("--out goes with a script: a ledger knows which cards had left")
        one, reviews = bool(options.round), _stored(options)
    seen = _Checked()
    if one:
        _print_rounds(options, list(seen.all(reviews)))
    else:
        from twentyone.review.session import session_of

        session = session_of(seen.all(reviews), options.player)
        print_json(session.body()) if options.json else _print_session(session)
    return FOUND_WRONG if seen.wrong else DONE


def _is_script(name: str) -> bool:
    return name == "-" or name.endswith((".json", ".jsonl"))


class _Checked:
    """Reviews as they pass; those that do not add up are told."""

    def __init__(self) -> None:
        self.wrong = 0

    def all(self, reviews: Iterator[RoundReview]) -> Iterator[RoundReview]:
        """The same reviews."""
        for review in reviews:
            for player in review.players:
                if abs(player.gap) > BOUND:
                    self.wrong += 1
                    say(f"twentyone analyse: {review.name} {player.player}: the net is missed by {player.gap}")
            yield review


BOUND = 1e-9
"""Dollars that a review may miss by rounding."""


# -- where rounds come from


def _scripts(options: argparse.Namespace, one: bool) -> Iterator[RoundReview]:
    from twentyone.review.rounds import Reviewers
    from twentyone.review.seen import cards_left
    from twentyone.script import replay

    text, gone = read_file(options.ledger), _cards(options.out)
    reviewers = Reviewers()
    for number, line in enumerate([text] if one else text.splitlines(), 1):
        verdict = replay(line)
        if verdict.round is None:
            raise TwentyoneError(verdict.error if one else f"line {number}: {verdict.error}")
        rules = verdict.round.rules
        yield reviewers.of(rules).review(verdict.round, "" if one else str(number), cards_left(rules, gone))


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError as wrong:
        raise TwentyoneError(f"--out: {wrong}") from None


def _stored(options: argparse.Namespace) -> Iterator[RoundReview]:
    from twentyone.cli.analyse_ledger import stored_reviews

    return stored_reviews(options)


# -- for a person


def _print_rounds(options: argparse.Namespace, reviews: list[RoundReview]) -> None:
    for review in reviews:
        if options.player is not None and options.player not in {row.player for row in review.players}:
            why = review.left_out.get(options.player) or review.left_out.get("") or "did not play"
            raise TwentyoneError(f"{options.player}: {why}")
        if options.json:
            print_json(review.body())
            continue
        for name, why in review.left_out.items():
            say(f"twentyone analyse: {name + ' ' if name else ''}left out: {why}")
        for player in review.players:
            if options.player in (None, player.player):
                _print_player(player)


def _print_player(review: PlayerReview) -> None:
    from twentyone.review.model import Luck

    sums = _sums(review.deal, review.total_luck, review.mistakes)
    print(f"{review.player}: net {_dollars(review.net_dollars)} = {sums}")
    for step in review.steps:
        if isinstance(step, Luck):
            box = f"box {step.box}" if step.box is not None else ""
            print(f"  {step.what:15} {step.card:4} {box:7} {_dollars(step.dollars):>12}")
        else:
            _print_decision(step)


def _sums(deal: float, luck: float, mistakes: float) -> str:
    return f"deal {_dollars(deal)}, luck {_dollars(luck)}, mistakes {_dollars(-mistakes)}"


def _dollars(value: float) -> str:
    rounded = round(value, 4) + 0.0
    return f"{'-' if rounded < 0 else '+'}${abs(rounded):.4f}"


def _print_decision(decision: DecisionReview) -> None:
    hole = f", hole card {decision.hole}" if decision.hole else ""
    print(f"  {decision.offer.replace('_', ' ')}: {' '.join(decision.cards)} against {decision.up}{hole}")
    for name, value in sorted(decision.values.items(), key=lambda row: -row[1]):
        mark = "best" if name == decision.best else f"{value - decision.values[decision.best]:+.6f}"
        chosen = "<- chosen" if name == decision.chosen else ""
        print(f"    {name.replace('_', ' '):16} {value:+.6f}  {mark:10} {chosen}".rstrip())
    if decision.cost > 0:
        print(f"    mistake: {decision.cost:.6f} wagers, {_dollars(-decision.dollars)}")


def _print_session(session: SessionReview) -> None:
    print(f"{session.rounds} rounds")
    for player in session.players.values():
        _print_totals(player)
    for why, many in session.left_out.items():
        print(f"left out {many}: {why}")


def _print_totals(player: PlayerSession) -> None:
    print()
    print(f"{player.player}: {player.rounds} rounds, wagered ${player.wagered}, net ${player.net}")
    print(f"  {_sums(player.deal, player.luck, player.mistakes)}")
    print(f"  {player.wrong} of {player.decisions} decisions gave something away")
    for name, decision in player.worst:
        cards = " ".join(decision.cards)
        said = f"{decision.chosen}, best {decision.best}".replace("_", " ")
        print(f"    {name:24} {cards:16} against {decision.up:4} {said:28} {_dollars(-decision.dollars):>12}")
