"""The cover card: when it comes out of the shoe, and whose it is then."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round import Draw
from twentyone.rulebook.clauses import CoverCardOut
from twentyone.table import card_events as cards
from twentyone.table.play import TablePlay, command, task_cite

__all__ = ["reshuffle_reason", "see_cover_card", "see_cover_card_beside"]

COVER_NEAR = 10
"""So many cards before its entered place a real cover card may come out: whoever lays it into a stack counts none."""


def see_cover_card(play: TablePlay, box: int | None) -> None:
    """The cover card comes out before the next card, where its place in the shoe is reached; its box is that card's."""
    shoe = play.state.shoe
    if shoe is not None and shoe.cover is not None and not shoe.seen and shoe.size - shoe.left >= shoe.cover:
        cite = task_cite(play.rules, play.state, "cover_card_seen") or ""
        play.emit(cards.CoverCardSeen, cite, box=box, player=_first_at(play, box))


@carries("cover_card_out")
def see_cover_card_beside(play: TablePlay) -> None:
    """It comes out in a round before a card that is not dealt: one that is burned, or drawn in error."""
    round_ = play.state.round
    if round_ is not None and play.rules.maybe(CoverCardOut) is not None:
        see_cover_card(play, round_.next.box if isinstance(round_.next, Draw) else None)


def reshuffle_reason(play: TablePlay) -> str:
    """Why the cards of a void round are reshuffled: whoever had its cover card is still offered the cut."""
    if play.rules.maybe(CoverCardOut) is None:
        return "floorperson"
    return play.state.reshuffle or "irregularity"


@command("cover_card_seen")
def cover_card_seen(play: TablePlay) -> None:
    """The dealer reports the cover card of a real shoe, before the card that is due: it belongs to that card's box."""
    shoe, round_ = play.state.shoe, play.state.round
    need = round_.next if round_ is not None else None
    if shoe is None or shoe.cover is None or shoe.seen or not isinstance(need, Draw):
        why = "the cover card is reported when it comes out in the place of a card that is due"
        raise play.refuse(why, play.cite)
    before = shoe.cover - (shoe.size - shoe.left)
    if before > COVER_NEAR:
        why = f"the cover card was put {before} cards deeper: a reshuffle before it is the floorperson's to order"
        raise play.refuse(why, task_cite(play.rules, play.state, "reshuffle"))
    play.emit(cards.CoverCardSeen, play.cite, box=need.box, player=_first_at(play, need.box))


def _first_at(play: TablePlay, box: int | None) -> str:
    """The first player whose wager lies on a box."""
    return next((wager.player for wager in play.state.in_round if wager.box == box), "")
