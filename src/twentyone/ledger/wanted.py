"""Which rounds somebody wants to see, and the values that a filter may have."""

from __future__ import annotations

from typing import NamedTuple

from twentyone.ledger.reading import AT_TABLE, FOUND, IN_ROUND
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.timestamps import Period
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.script.replay import names

__all__ = ["ANY", "OUTCOMES", "WENT_WRONG", "Wanted"]

ANY = "any"
"""Stands for every irregularity."""
OUTCOMES = ("win", "lose", "push", "surrender", "rescued", "void")
"""What may become of a wager."""
WENT_WRONG = sorted({*IRREGULARITIES, *FOUND.values(), *IN_ROUND.values(), *AT_TABLE.values(), "device_out_of_order"})
"""What may go wrong in a round."""


class Wanted(NamedTuple):
    """Which rounds somebody wants to see; what is not named does not matter."""

    table: str | None = None
    """Its table."""
    box: int | None = None
    """A box with a wager."""
    player: str | None = None
    """A player with a wager, in capitals or not."""
    outcome: str | None = None
    """An outcome of a wager, or `void`."""
    paragraph: str | None = None
    """A paragraph that an event of it cites, with or without its prefix."""
    irregularity: str | None = None
    """What went wrong in it; `any`: anything."""
    begun: Period = Period()
    """When its wagers were closed."""
    of: str | None = None
    """Only rounds of this player, for who may read no others."""
    since: int = 0
    """Only rounds begun since: whoever had that name before was somebody else."""

    def holds(self, row: RoundRow) -> bool:
        """Whether a round is wanted."""
        return all(
            [
                self.table in (None, row.table),
                self.box is None or self.box in row.boxes,
                self.player is None or self.player.casefold() in map(str.casefold, row.net),
                self.outcome is None or self.outcome in row.outcomes,
                self.paragraph is None or any(names(cite, self.paragraph) for cite in row.cites),
                self.irregularity is None or self._went_wrong(row),
                self.begun.holds(row.begun),
                self.of is None or (self.of in row.net and row.begun >= self.since),
            ]
        )

    def _went_wrong(self, row: RoundRow) -> bool:
        return bool(row.irregularities) if self.irregularity == ANY else self.irregularity in row.irregularities
