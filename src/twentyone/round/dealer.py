"""The dealer's own hand: what a reader tells of its hole card, the second card, the reveal, the draw."""

from __future__ import annotations

from twentyone.round import hole_card
from twentyone.round.commands import Draw, Need, TurnUp
from twentyone.round.dealer_stops import matters
from twentyone.round.events import (
    Announced,
    CardsCollected,
    HoleCardExposed,
    HoleCardRead,
    HoleCardRevealed,
    RangeAnnounced,
    TotalAnnounced,
)
from twentyone.round.play import Play
from twentyone.round.procedure import step
from twentyone.round.surrender import settle_surrenders
from twentyone.rulebook.clauses import Step

__all__ = ["announce_range", "collect", "draw", "read_hole", "reveal", "second_card"]


@step("read_hole")
def read_hole(play: Play, clause: Step) -> Need | None:
    """Put the hole card into the reader; a Blackjack is shown and no further card is dealt."""
    if hole_card.missing(play):
        return Draw(None, None, True)
    if hole_card.unknown(play):
        return None if hole_card.stays_unread(play) else hole_card.blackjack_told(play)
    if not play.state.fresh:
        return None
    blackjack = play.rules.is_blackjack(play.state.dealer)
    play.emit(HoleCardRead(clause.cite, blackjack))
    if blackjack:
        play.emit(HoleCardRevealed(clause.cite, play.state.dealer[-1]))
    return None


@step("announce_range")
def announce_range(play: Play, _: Step) -> Need | None:
    """Put the hole card into the Masque reader: its range is told, and where both cards are of the top range, shown."""
    if hole_card.unknown(play):
        return hole_card.range_told(play)
    if not play.state.fresh:
        return None
    up, hole = play.state.dealer
    told = play.rules.ranges[hole.rank]
    play.emit(RangeAnnounced(told.cite, told.name, told.light))
    expose = play.rules.hole_card_exposed(up, hole)
    if expose is not None:
        play.emit(HoleCardExposed(expose.cite, hole))
    return None


@step("second_card")
def second_card(play: Play, _: Step) -> Need | None:
    """Deal the dealer's second card after the players, where no hole card is used."""
    stops = play.rules.dealer_stops
    if len(play.state.dealer) > 1:
        settle_surrenders(play)
        _announce_blackjack(play)
        return None
    if stops is not None and not stops.second_card and not matters(play):
        return None
    if play.state.fresh:
        _say(play, "dealers_card")
    return Draw(None)


def _say(play: Play, what: str) -> None:
    for row in play.rules.announcements:
        if row.what == what:
            play.emit(Announced(row.cite, row.words))


@step("reveal")
def reveal(play: Play, clause: Step) -> Need | None:
    """Turn the hole card face up."""
    if hole_card.missing(play):
        return Draw(None, None, True)
    if hole_card.unknown(play):
        return TurnUp()
    if not play.state.shown:
        play.emit(HoleCardRevealed(clause.cite, play.state.dealer[-1]))
    settle_surrenders(play)
    _announce_blackjack(play)
    return None


@step("draw")
def draw(play: Play, _: Step) -> Need | None:
    """Draw to the dealer's standing totals, unless nothing depends on it."""
    _announce(play, "dealer_total")
    if _must_draw(play):
        return Draw(None)
    _announce(play, "dealer_final")
    return None


def _must_draw(play: Play) -> bool:
    if len(play.state.dealer) < 2 or not play.rules.dealer_draws(play.dealer()):
        return False
    return play.rules.dealer_stops is None or matters(play)


def _announce(play: Play, what: str) -> None:
    """Say the dealer's total, after each additional card or once when he draws no more."""
    count = len(play.state.dealer)
    if count < 2 or play.state.announced == count or (count == 2 and what == "dealer_total"):
        return
    for row in play.rules.announcements:
        if row.what == what:
            play.emit(TotalAnnounced(row.cite, None, None, play.dealer().points))


def _announce_blackjack(play: Play) -> None:
    """A Blackjack is the dealer's whole hand: its total is said at once, where the text has him say his last one."""
    if play.dealer_blackjack():
        _announce(play, "dealer_final")


@step("collect")
def collect(play: Play, clause: Step) -> Need | None:
    """Pick up the cards so that every hand can be reconstructed."""
    play.emit(CardsCollected(clause.cite, play.state.void))
    return None
