"""The discard rack: it fills a shoe that runs out in a round, and past hands are rebuilt from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from twentyone.cards import Card, card_named
from twentyone.round import Draw, Happened
from twentyone.round.events import RackShuffled
from twentyone.rulebook import Rules
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.card_changes import kept_out
from twentyone.table.cover_card import see_cover_card
from twentyone.table.model import RACK, RUN_OUT, Bundle, TableState, Todo
from twentyone.table.play import TablePlay, check_no_ten_lies_there, command, task_of
from twentyone.table.rounds import advance_round, in_progress
from twentyone.table.shuffling import cut_positions

__all__ = ["rack_cards", "reconstruct_rack", "set_aside_in", "shuffled_and_lying"]


@command("reload_rack", roles=("dealer",), takes={"commitment": str})
def reload_rack(play: TablePlay) -> None:
    """The shoe ran out in a round: the rack is shuffled; its cut and the burn of its first card come next."""
    need = in_progress(play).next
    if play.state.shoe is None or play.state.shoe.left > 0 or not isinstance(need, Draw):
        raise play.refuse("the shoe holds cards for the draw that is due", play.cite)
    check_no_ten_lies_there(play)
    kept = kept_out(in_progress(play))
    batch, lying = shuffled_and_lying(play.state, kept)
    commitment = play.need("commitment", str)
    see_cover_card(play, need.box)
    advance_round(play, Happened(RUN_OUT), ())
    ordered = [event for event in in_progress(play).events if isinstance(event, RackShuffled)][-1:]
    if not ordered:
        raise play.refuse("no rack is shuffled within a round here")
    effects, cite = ordered[0].effects, ordered[0].cite
    play.emit(
        cards.RackReloaded,
        cite,
        commitment=commitment,
        cards=batch,
        size=len(batch),
        cut=0,
        burn=None,
        lying=lying,
        kept=kept,
    )
    play.emit(e.AgendaSet, cite, todo=(*_to_do(play.rules, effects, len(batch)), *play.state.agenda))


def _to_do(rules: Rules, effects: tuple[str, ...], size: int) -> tuple[Todo, ...]:
    """What is done with a shuffled rack: a cut, where this way of shuffling has one and the stack is long enough."""
    cuts = "cut" in effects and task_of(rules, "cut") is not None and len(cut_positions(rules, size)) > 0
    return tuple(Todo(name, RACK) for name, due in (("cut", cuts), ("burn", "burn" in effects)) if due)


def rack_cards(rack: tuple[Bundle, ...]) -> tuple[Card, ...]:
    """The cards of a discard rack, the oldest first: the batch of a shoe that is filled from it."""
    return tuple(card for bundle in rack for hand in bundle.hands for card in hand)


def shuffled_and_lying(state: TableState, kept: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of the rack that are shuffled, without those that stay there; by name those in neither."""
    batch = list(rack_cards(state.rack))
    for card in kept:
        batch.remove(card)
    lying = Counter(state.gone) - Counter(card.name for card in batch)
    return tuple(batch), tuple(card_named(name) for name in sorted(lying.elements()))


@command("reconstruct")
def reconstruct(play: TablePlay) -> None:
    """Rebuild the hands of the rounds in the discard rack, for a dispute."""
    state = play.state
    lying = state.rounds if state.round is not None else 0
    bundles, aside = reconstruct_rack(state.rack, lying), set_aside_in(state.rack, lying)
    if not bundles:
        raise play.refuse("no round lies in the discard rack", play.cite)
    rounds = tuple(bundle.hands for bundle in bundles)
    beside = tuple(aside[bundle.round] for bundle in bundles) if any(aside.values()) else ()
    play.emit(e.HandsReconstructed, play.cite, rounds=rounds, aside=beside)


def reconstruct_rack(rack: tuple[Bundle, ...], lying: int = 0) -> tuple[Bundle, ...]:
    """The rounds in a discard rack, hand by hand in the order of their pick-up: first those taken away in the round.

    The cards of the round `lying`, by its number, are not picked up yet.
    """
    rounds: dict[int, tuple[tuple[Card, ...], ...]] = {}
    for bundle, alone in _marked(rack, lying):
        rounds[bundle.round] = (*rounds.get(bundle.round, ()), *(() if alone else bundle.hands))
    return tuple(Bundle(number, hands) for number, hands in rounds.items())


def set_aside_in(rack: tuple[Bundle, ...], lying: int = 0) -> dict[int, tuple[Card, ...]]:
    """By the number of their round, the cards in a discard rack that were set aside and played in no hand."""
    aside: dict[int, tuple[Card, ...]] = {}
    for bundle, alone in _marked(rack, lying):
        aside[bundle.round] = (*aside.get(bundle.round, ()), *(bundle.hands[0] if alone else ()))
    return aside


def _marked(rack: tuple[Bundle, ...], lying: int) -> Iterator[tuple[Bundle, bool]]:
    """The bundles of rounds, and whether each is a card alone that came into the rack before the pick-up."""
    last = {bundle.round: index for index, bundle in enumerate(rack)}
    for index, bundle in enumerate(rack):
        if bundle.round:
            early = index != last[bundle.round] or bundle.round == lying
            yield bundle, early and [len(hand) for hand in bundle.hands] == [1]
