"""Splitting pairs (headings "Splitting pairs" of the texts), and the others on a split box."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round.actions import Request, action
from twentyone.round.asking import put
from twentyone.round.events import Asked
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.decisions import Refusal

__all__: list[str] = []


def _may_split(play: Play, speaker: Speaker) -> Refusal | None:
    if play.state.ask is not None:
        return None
    return play.refused_cards(speaker) or play.rules.refusal("split", play.facts(speaker.hand))


@action("split", _may_split)
@carries("shared.split")
def split(play: Play, request: Request) -> None:
    """Part a pair into two hands with an equal wager on the second; the others on the box cover or designate."""
    following = play.state.ask is not None
    amount = play.wager_of(request.speaker).amount
    cite = play.rules.shared["split"].cite if following else play.rules.decisions["split"].cite
    play.emit(request.taken(cite, amount))
    if following:
        return
    others = play.others(request.speaker)
    if others:
        put(play, Asked(play.rules.shared["split"].cite, "split", *request.speaker.hand, others))


def _may_designate(_: Play, __: Speaker) -> Refusal | None:
    return None


@action("designate", _may_designate, elsewhere="shared.split")
def designate(play: Play, request: Request) -> None:
    """Let a follower's wager stay on one of the two hands."""
    play.emit(request.taken(play.rules.shared["split"].cite, choice=request.choice or 1))
