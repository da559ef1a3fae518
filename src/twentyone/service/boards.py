"""Rounds of the ledger for the analysis board: as questions that are worked out beside the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from twentyone.cards import Card
from twentyone.ledger.export import export_round, read_round
from twentyone.ledger.reading import whole
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.round_rows import RoundRow
from twentyone.review.seen import shown_in
from twentyone.rulebook import Rules
from twentyone.service.frames import all_shown
from twentyone.service.people import Person
from twentyone.service.questions import LEDGER, DeskQuestion, question_of
from twentyone.service.sent_laws import sent_laws
from twentyone.service.service import Service

__all__ = ["SEEN", "round_question", "session_question"]

SEEN = ("shoe", "round")
"""Which cards players remember: those of the earlier rounds of a shoe too, or only those of the round."""
NEW_SHOE = ("shoe_loaded", "rack_reloaded")
"""Events after which cards that were seen before may come again."""
BEGUN = "round_begun"


def round_question(service: Service, row: RoundRow, person: Person, player: str, seen: str) -> DeskQuestion:
    """One player's round to be reviewed. What would show a card that `person` may not see is left out: what if."""
    closed = person.role == "player" and not all_shown(service.store, row)
    rules = rules_at(service.store, row.table, row.last)
    options = {**_told(service, row, rules, seen), "player": player, "closed": closed}
    asked = {"rulebook": row.rulebook, "script": options.pop("script"), "options": options}
    return question_of("review", {**asked, "laws": sent_laws([rules.rulebook]), LEDGER: True}, rules)


def session_question(service: Service, rows: Iterable[RoundRow], player: str, seen: str) -> DeskQuestion:
    """Rounds of a player to be summed up."""
    played = [(row, rules_at(service.store, row.table, row.last)) for row in rows]
    told = [_told(service, row, rules, seen) for row, rules in played]
    laws, first = sent_laws(rules.rulebook for _, rules in played), played[0][1]
    asked = {"rulebook": first.rulebook.id, "options": {"rounds": told, "player": player}, "laws": laws, LEDGER: True}
    return question_of("session", asked, first)


def _told(service: Service, row: RoundRow, rules: Rules, seen: str) -> dict[str, Any]:
    """A round as a worker gets it: its name, its script, its law, and the cards that had been seen before."""
    script = json.dumps(export_round(service.store, row, rules), sort_keys=True)
    gone = seen_before(service, row) if seen == "shoe" and not _returns(rules) else []
    out = " ".join(card.name for card in gone)
    return {"name": row.id, "script": script, "law": rules.rulebook.known_as, "out": out}


def _returns(rules: Rules) -> bool:
    """Whether cards go back into the shoe after every round."""
    return bool(rules.submission.get("shuffler") == "continuous")


def seen_before(service: Service, row: RoundRow) -> list[Card]:
    """The cards that lay face up in the earlier rounds of the shoe."""
    found: list[Card] = []
    for earlier in _of_shoe(service, row):
        rules = rules_at(service.store, earlier.table, earlier.last)
        found = [*shown_in(read_round(service.store, earlier, rules).round), *found]
    return found


def _of_shoe(service: Service, row: RoundRow) -> Iterator[RoundRow]:
    """The rounds before one that were dealt from the same cards, the last first."""
    until = _begun(service, row)
    for number in range(row.number - 1, 0, -1):
        earlier = service.rounds.find(f"{row.table}:{number}")
        begun = _begun(service, earlier)
        between = _kinds(service, row.table, begun, until)
        if any(kind in NEW_SHOE for kind in between):
            return
        yield earlier
        until = begun


def _begun(service: Service, row: RoundRow) -> int:
    """The version at which the cards of a round began to come: its wagers may lie there before a shuffle."""
    events = whole(service.store, row.table, row.first - 1)
    return next(event.ver for event in events if event.type == BEGUN)


def _kinds(service: Service, table: str, after: int, until: int) -> Iterator[str]:
    for event in whole(service.store, table, after):
        if event.ver >= until:
            return
        yield event.type
