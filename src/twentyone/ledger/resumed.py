"""Rounds built again from their events, and the rules they were played under."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from twentyone.ledger.identity import rules_hash
from twentyone.ledger.rows import LedgerRefused
from twentyone.round import Need, Round, State, fold
from twentyone.round.events import Event
from twentyone.round.play import Play
from twentyone.round.procedure import advance
from twentyone.round.turns import offer
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device
from twentyone.table.in_force import OUT_OF_USE, rules_in_force
from twentyone.table.model import DeviceState, TableState

__all__ = ["Resumed", "RoundRules"]


class Resumed(Round):
    """A round that is the fold of stored events; what it needs next is worked out when somebody asks."""

    __slots__ = ()

    def __init__(self, rules: Rules, state: State, events: tuple[Event, ...]) -> None:
        for name, value in (("rules", rules), ("state", state), ("events", events)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, rules: Rules, events: tuple[Event, ...]) -> Resumed:
        """The round of these events."""
        return cls(rules, fold(events), events)

    def after(self, events: tuple[Event, ...]) -> Resumed:
        """The round after some more events."""
        return Resumed(self.rules, fold(events, self.state), self.events + events)

    @property
    def next(self) -> Need:  # type: ignore[override]
        """What the round needs now: nothing happens in working it out."""
        need: Need | None = self.__dict__.get("need")
        if need is None:
            need = self.__dict__["need"] = advance(Play(self.rules, self.state.copy()), offer)
        return need


class RoundRules:
    """The rules that a table's rounds may be played under: its own, and those without a device that is out of order."""

    def __init__(self, rules: Rules) -> None:
        self._known = {rules_hash(found): found for found in _in_force(rules)}

    @staticmethod
    def name(rules: Rules) -> str:
        """What stands in a round's first event."""
        return rules_hash(rules)

    def rules(self, name: str) -> Rules:
        """The rules with a hash; refused where this software knows no such rules."""
        if name not in self._known:
            raise LedgerRefused(
                f"a round was played under rules {name[:16]}, which this software does not have: "
                "use the version that wrote the ledger"
            )
        return self._known[name]


def _in_force(rules: Rules) -> Iterator[Rules]:
    """The rules as they are, and without each set of devices that the text lets the table go on without."""
    spare = [clause for clause in rules.all(Device) if clause.out_of_order in OUT_OF_USE]
    for count in range(len(spare) + 1):
        for some in combinations(spare, count):
            states = {clause.name: DeviceState(state=OUT_OF_USE[clause.out_of_order][0]) for clause in some}
            yield rules_in_force(rules, TableState(devices=states))
