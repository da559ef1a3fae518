"""The count of the cards before they are shuffled again: a number is entered, compared and kept."""

from __future__ import annotations

from twentyone.table import card_events as cards
from twentyone.table.play import TablePlay, command, expect, task_cite

__all__: list[str] = []


@command("count_cards", takes={"cards": int})
def count_cards(play: TablePlay) -> None:
    """The dealer counts the cards; another number than the batch has is the floorperson's to decide on."""
    todo, counted = expect(play), play.need("cards", int)
    if play.state.miscounted:
        raise play.refuse("the count was wrong: the floorperson has it made again, or the cards changed", play.cite)
    belong = play.state.batches[todo.about].cards
    if counted != belong:
        play.emit(cards.CardsMiscounted, play.cite, batch=todo.about, counted=counted, cards=belong)
        return
    play.emit(cards.CardsCounted, play.cite, batch=todo.about, cards=counted)


@command("count_again", roles=("floorperson",))
def count_again(play: TablePlay) -> None:
    """The floorperson has the cards counted again after a count that did not come out."""
    if not play.state.miscounted:
        raise play.refuse("no count of the cards has gone wrong")
    play.emit(cards.RecountOrdered, task_cite(play.rules, play.state, "count_cards") or "", batch=play.state.miscounted)
