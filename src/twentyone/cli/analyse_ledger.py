"""The rounds of a ledger for `twentyone analyse`, each with the cards that had been seen before it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from twentyone.cards import Card
from twentyone.cli import UsageError
from twentyone.cli.ledgers import bar, events_of, open_ledger, readers_key, unlike_signed
from twentyone.errors import Refused

if TYPE_CHECKING:
    from twentyone.ledger.rounds import RoundRow
    from twentyone.ledger.store import Store
    from twentyone.review.model import RoundReview
    from twentyone.rulebook import Rules

__all__ = ["stored_reviews"]

NEW_SHOE = ("shoe_loaded", "rack_reloaded")
"""Events after which cards that were seen before may come again."""


def stored_reviews(options: argparse.Namespace) -> Iterator[RoundReview]:
    """The round that was named, or every finished round."""
    with open_ledger(options.ledger) as store:
        unlike_signed(options, store)
        rows = _rows(options, store)
        wanted = [row for row in rows if options.round in (None, row.id)]
        if options.round and not wanted:
            raise UsageError(f"there is no finished round {options.round!r} in this ledger")
        if options.player is not None:
            wanted = [row for row in wanted if options.player in row.net]
        with bar("analyse: rounds", len(wanted)) as show:
            yield from _reviews(options, store, rows, {row.id for row in wanted}, show)


def _rows(options: argparse.Namespace, store: Store) -> list[RoundRow]:
    from twentyone.ledger.rounds import list_rounds

    with bar("analyse: events", events_of(store)) as show:
        return [row for row in list_rounds(store, keyring=readers_key(options), progress=show) if row.over]


def _reviews(
    options: argparse.Namespace, store: Store, rows: list[RoundRow], wanted: set[str], show: Callable[[int], None]
) -> Iterator[RoundReview]:
    from twentyone.ledger.export import read_round
    from twentyone.ledger.replaying import RulesInForce
    from twentyone.review.model import RoundReview
    from twentyone.review.rounds import Reviewers
    from twentyone.review.seen import cards_left, shown_in

    reviewers, done, known_rules = Reviewers(), 0, RulesInForce(store)
    for table in dict.fromkeys(row.table for row in rows):
        shoes, begun = _versions(store, table, *NEW_SHOE), _begun(store, table)
        gone: list[Card] = []
        since = 0
        for row in (row for row in rows if row.table == table):
            first = next(ver for ver in begun if ver >= row.first)
            gone, since = ([] if any(since < ver < first for ver in shoes) else gone), row.last
            if row.id not in wanted and options.seen == "round":
                continue
            rules = known_rules.at(table, row.last)
            round_ = read_round(store, row, rules).round
            if row.id in wanted:
                known = gone if options.seen == "shoe" and not _returns(rules) else []
                try:
                    left = cards_left(round_.rules, known)
                except Refused as refused:
                    yield RoundReview(row.id, (), {"": str(refused)})
                else:
                    yield reviewers.of(round_.rules).review(round_, row.id, left)
                done += 1
                show(done)
            gone = [] if any(first < ver <= row.last for ver in shoes) else [*gone, *shown_in(round_)]


def _begun(store: Store, table: str) -> list[int]:
    """The versions at which the cards of a round began to come: its wagers may lie there before a shuffle."""
    return _versions(store, table, "round_begun")


def _versions(store: Store, table: str, *kinds: str) -> list[int]:
    """The versions of some events."""
    from twentyone.ledger.reading import whole

    return [event.ver for event in whole(store, table) if event.type in kinds]


def _returns(rules: Rules) -> bool:
    """Whether cards go back into the shoe after every round."""
    return bool(rules.submission.get("shuffler") == "continuous")
