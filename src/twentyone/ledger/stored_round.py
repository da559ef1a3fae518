"""Rounds rebuilt from their events, and the rules they were played under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentyone.ledger.identity import earlier_rules, given_submission, rules_hash
from twentyone.ledger.rows import LedgerRefused
from twentyone.round import Need, Round, State, fold
from twentyone.round.events import Event
from twentyone.round.play import Play
from twentyone.round.procedure import advance
from twentyone.round.turns import offer
from twentyone.rulebook import Rules

__all__ = ["StoredRound", "find_rules", "round_rules"]


class StoredRound(Round):
    """A round that is the fold of stored events; what it needs next is computed on demand."""

    __slots__ = ()

    def __init__(self, rules: Rules, state: State, events: tuple[Event, ...]) -> None:
        for name, value in (("rules", rules), ("state", state), ("events", events)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, rules: Rules, events: tuple[Event, ...]) -> StoredRound:
        """The round of these events."""
        return cls(rules, fold(events), events)

    def after(self, events: tuple[Event, ...]) -> StoredRound:
        """The round after some more events."""
        return StoredRound(self.rules, fold(events, self.state), self.events + events)

    @property
    def next(self) -> Need:  # type: ignore[override]
        """What the round needs now; computing it makes no event."""
        need: Need | None = self.__dict__.get("need")
        if need is None:
            need = self.__dict__["need"] = advance(Play(self.rules, self.state.copy()), offer)
        return need


def round_rules(rules: Rules, table: Rules) -> dict[str, Any]:
    """What a round records of its rules: their hash, and the choices that replace those of its table."""
    if rules is table:
        return {"rules": rules_hash(rules)}
    own, given = given_submission(rules), given_submission(table)
    instead = {key: value for key, value in own.items() if given.get(key) != value}
    return {"rules": rules_hash(rules), "instead": instead}


def find_rules(table: Rules, said: Mapping[str, Any]) -> Rules:
    """The rules of a round at a table; refused where this software does not have them."""
    rules = table
    if table.known_as and said["rules"] != table.known_as:
        return earlier_rules(table.rulebook.id, {**given_submission(table), **said.get("instead", {})}, said["rules"])
    if "instead" in said:
        rules = table.rulebook.under({**given_submission(table), **said["instead"]})
    if rules_hash(rules) != said["rules"]:
        raise LedgerRefused(
            f"a round was played under rules {said['rules'][:16]}, which this software does not have: "
            "use the version that wrote the ledger"
        )
    return rules
