"""The card reader and the Masque reader: what the hole card tells before it is shown."""

from __future__ import annotations

from twentyone.round.commands import Need
from twentyone.round.events import HoleCardExposed, HoleCardRead, HoleCardRevealed, RangeAnnounced
from twentyone.round.play import Play
from twentyone.round.procedure import step
from twentyone.rulebook.clauses import Step

__all__ = ["announce_range", "read_hole"]


@step("read_hole")
def read_hole(play: Play, clause: Step) -> Need | None:
    """Put the hole card into the reader; a Blackjack is shown and no further card is dealt."""
    blackjack = play.rules.is_blackjack(play.state.dealer)
    play.emit(HoleCardRead(clause.cite, blackjack))
    if blackjack:
        play.emit(HoleCardRevealed(clause.cite, play.state.dealer[-1]))
    return None


@step("announce_range")
def announce_range(play: Play, _: Step) -> Need | None:
    """Put the hole card into the Masque reader: its range is told, and where both cards are of the top range, shown."""
    up, hole = play.state.dealer
    found = play.rules.ranges[hole.rank]
    play.emit(RangeAnnounced(found.cite, found.name, found.light))
    expose = play.rules.hole_card_exposed(up, hole)
    if expose is not None:
        play.emit(HoleCardExposed(expose.cite, hole))
    return None
