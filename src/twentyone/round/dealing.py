"""Dealing the cards: the initial deal, box by box, and what each draw brings."""

from __future__ import annotations

from twentyone.cards import UNKNOWN
from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.round.commands import Draw, Drawn, Need
from twentyone.round.effects import Case, carry_out
from twentyone.round.events import CardDealt, DealBegun, HandRef
from twentyone.round.irregularities import ask, found_in_shoe, late_card_cite
from twentyone.round.play import Play, due_cards, lies_sideways
from twentyone.round.procedure import step
from twentyone.rulebook.clauses import Deal, Step

__all__ = ["card_cite", "deal", "take_card"]


@step("deal")
@carries("deal")
def deal(play: Play, clause: Step) -> Need | None:
    """The initial deal, in the passes that the text orders."""
    if play.state.fresh:
        play.emit(DealBegun(clause.cite, _draws(play)))
    if play.state.missed and not any(draw.box is not None for draw in play.state.due):
        return _missed_box(play, play.state.missed[0])
    return play.state.due[0] if play.state.due else None


def _draws(play: Play) -> tuple[tuple[int | None, int | None, bool], ...]:
    draws: list[tuple[int | None, int | None, bool]] = []
    for row in play.rules.all(Deal):
        if row.to == "dealer":
            draws.append((None, None, row.face == "down"))
        else:
            draws += [(box, 1, row.face == "down") for box in play.state.boxes]
    return tuple(draws)


@carries("irregularity.no_cards", "irregularity.one_card")
def _missed_box(play: Play, box: int) -> Need | None:
    """A box that the deal missed: without a card, or with one."""
    ref = HandRef(box, 1)
    if not play.hand(ref).cards:
        carry_out(play, Case(play.rules.irregularities["no_cards"], hand=ref))
        return deal(play, play.step)
    ask(play, play.rules.irregularities["one_card"], "late_card", ref)
    return None


def take_card(play: Play, need: Need, drawn: Drawn) -> None:
    """Deal a card that left the shoe to whoever it is due."""
    if not isinstance(need, Draw):
        raise Refused(f"{drawn.card} was drawn, but no card is due")
    if drawn.card is UNKNOWN:
        _check_face_down(play, need, drawn)
    elif found_in_shoe(play, drawn):
        return
    if drawn.card.rank in play.rules.cards.without:
        raise Refused(f"the decks hold no {drawn.card}", play.rules.cards.cite)
    sideways = lies_sideways(play, need.box, need.hand)
    play.emit(CardDealt(card_cite(play, need), drawn.card, need.box, need.hand, need.face_down, sideways))


def _check_face_down(play: Play, need: Draw, drawn: Drawn) -> None:
    """Only a card that is dealt face down, and was not found face up, may stay unknown."""
    if not need.face_down or drawn.face_up:
        raise Refused("this card lies face up: it is named as it is dealt", card_cite(play, need))


@carries("irregularity.one_card", "irregularity.dealer_card_missed")
def _late_cite(play: Play, need: Draw) -> str | None:
    """The paragraph of a card that the initial deal missed and that comes late; none for any other card."""
    state, known = play.state, play.rules.irregularities
    if need.box is None:
        return known["dealer_card_missed"].cite if len(state.dealer) + 1 == state.dealer_missed else None
    return known["one_card"].cite if need.box == state.asked_box else None


@carries("decision_cards")
def _decision_cite(play: Play, need: Draw) -> str:
    if need.box is None:
        return play.decision_cards("").cite
    if play.hand(HandRef(need.box, need.hand or 1)).status == "waiting":
        return late_card_cite(play)
    return due_cards(play, need.box, need.hand).cite


def card_cite(play: Play, need: Draw) -> str:
    """The paragraph a card is dealt under: its pass of the deal or why it is late, the decision's cards, the step."""
    if play.step.name == "decide":
        return _decision_cite(play, need)
    if play.step.name != "deal":
        return play.step.cite
    late = _late_cite(play, need)
    if late is not None:
        return late
    target = "dealer" if need.box is None else "boxes"
    passes = [row for row in play.rules.all(Deal) if row.to == target]
    dealt = len(play.state.dealer) if need.box is None else len(play.hand(HandRef(need.box, need.hand or 1)).cards)
    return passes[min(dealt, len(passes) - 1)].cite
