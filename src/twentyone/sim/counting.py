"""A counting player: another player's chart, with departures at this true count."""

from __future__ import annotations

from dataclasses import dataclass

from twentyone.sim.chart import Decider
from twentyone.sim.setup import Count
from twentyone.strategy import Situation

__all__ = ["Counting"]


@dataclass(frozen=True)
class Counting:
    """Who decides by a chart unless the count says otherwise."""

    strategy: Decider
    count: Count
    bucket: int
    """The true count."""

    def decide(self, asked: Situation) -> str:
        """The departure that holds, else the chart's decision."""
        for rule in self.count.departures:
            if rule.holds(asked, self.bucket):
                return rule.decision
        return self.strategy.decide(asked)
