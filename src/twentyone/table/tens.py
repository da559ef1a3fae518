"""Tens: taken out of new decks by the dealer, found in a shoe all the same, destroyed by the floorperson."""

from __future__ import annotations

from twentyone.cards import SUITS
from twentyone.rulebook import Rules
from twentyone.table import card_events as cards
from twentyone.table.model import Todo
from twentyone.table.play import TablePlay, command, expect, task_of

__all__ = ["REMOVAL", "removed_per_deck"]

REMOVAL = ("remove_tens", "destroy_tens")
"""The tasks by which the tens leave decks that came whole."""


def removed_per_deck(rules: Rules) -> int:
    """The cards that are removed from each deck that comes whole."""
    return len(rules.cards.without) * len(SUITS) if task_of(rules, REMOVAL[0]) is not None else 0


@command("remove_tens")
def remove_tens(play: TablePlay) -> None:
    """The dealer takes the removed ranks out of the decks."""
    todo = expect(play)
    taken = play.state.batches[todo.about].decks * removed_per_deck(play.rules)
    play.emit(cards.TensTakenOut, play.cite, batch=todo.about, cards=taken)


@command("destroy_tens")
def destroy_tens(play: TablePlay) -> None:
    """The floorperson sees that all are out, and destroys them."""
    todo: Todo = expect(play)
    left = play.state.batches[todo.about].decks * play.rules.cards.per_deck
    play.emit(cards.TensRemoved, play.cite, batch=todo.about, left=left, floorperson=play.command.by)


@command("destroy_found_ten")
def destroy_found_ten(play: TablePlay) -> None:
    """The floorperson destroys what was found in the shoe and is not of this game."""
    if not play.state.found:
        raise play.refuse("no card that is not of this game lies aside", play.cite)
    play.emit(cards.FoundTensDestroyed, play.cite, cards=play.state.found)
