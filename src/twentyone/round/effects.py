"""What a paragraph on irregularities orders, word by word: one small function each, carried out in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from twentyone.cards import Card
from twentyone.errors import Refused, RulebookError
from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.actions import Request
from twentyone.round.events import (
    CardDestroyed,
    CardDrawnInError,
    CardRefused,
    CardsCollected,
    CardSetAside,
    DealerCardMissed,
    DecisionTaken,
    FloorpersonNotified,
    HandCalledDead,
    HandRef,
    MeterRestored,
    PlayContinued,
    RackShuffled,
    ReaderFailed,
    RoundVoided,
    SettlementUndone,
    WrongCardBurned,
)
from twentyone.round.play import Play
from twentyone.round.state import Hand, HandWager, SideWager, settled, side_settled
from twentyone.rulebook.clauses import Irregularity

__all__ = [
    "ANSWERS",
    "DEALER",
    "EFFECTS",
    "Case",
    "alternatives",
    "carry_out",
    "chooser",
    "give_up_card",
    "put_away_held",
]

DEALER = "dealer"
"""Whom a round asks where the choice is the dealer's."""


class Case(NamedTuple):
    """An irregularity that is dealt with: its paragraph, and what it is about."""

    clause: Irregularity
    """The paragraph."""
    hand: HandRef | None = None
    """The hand; none: the whole table, or the dealer."""
    card: Card | None = None
    """The card, where its face was seen."""
    reason: str = ""
    """Why the card is not used."""
    request: Request | None = None
    """The answer of the one who chose."""


Effect = Callable[[Play, Case], None]

EFFECTS: dict[str, Effect] = {}
"""What each word of a paragraph's effects does."""


def effect(*words: str) -> Callable[[Effect], Effect]:
    """Register what words of a paragraph's effects do."""

    def register(function: Effect) -> Effect:
        EFFECTS.update(dict.fromkeys(words, function))
        return function

    return register


def carry_out(play: Play, case: Case, words: Iterable[str] | None = None) -> None:
    """Do what a paragraph orders, in its order; or some words of it, where one of several remedies was chosen.

    What follows a notification waits until the floorperson has confirmed it.
    """
    for word in case.clause.effects if words is None else words:
        EFFECTS[word](play, case)
        if play.state.notified:
            return


# -- who chooses among what

ANSWERS = {
    "deal_late": "late_card",
    "hand_dead": "call_dead",
    "go_on": "go_on",
    "use_as_next": "accept",
    "no_more_cards": "refuse",
    "no_more_cards_to_hand": "refuse",
}
"""The effects that somebody may choose, and what he says."""


def alternatives(clause: Irregularity) -> dict[str, tuple[str, ...]]:
    """What may be answered, each with its effects: a word that is no answer belongs to the answer before it."""
    remedies: dict[str, tuple[str, ...]] = {}
    for word in clause.effects:
        answer = ANSWERS.get(word) or next(reversed(remedies), None)
        if answer is None:
            raise RulebookError(clause.paragraph, f"{word} is nothing that a {clause.choice} chooses")
        remedies[answer] = (*remedies.get(answer, ()), word)
    return remedies


def chooser(play: Play, clause: Irregularity, ref: HandRef) -> str:
    """Who chooses: the dealer, or the player who calls the decisions of the hand."""
    return DEALER if clause.choice == "dealer" else play.hand(ref).caller.player


# -- cards


@effect("set_aside")
def set_aside(play: Play, case: Case) -> None:
    """The card is not used; it lies aside for the discard rack."""
    play.emit(CardSetAside(case.clause.cite, _card(case), case.reason))


@effect("burn")
def burn(play: Play, case: Case) -> None:
    """The card is burned; out of a rack that was shuffled again, the table burns it."""
    if case.card is not None:
        play.emit(WrongCardBurned(case.clause.cite, case.card, case.reason))


@effect("destroy")
def destroy(play: Play, case: Case) -> None:
    """The card is out of the game for good: it lies aside until a floorperson destroys it."""
    play.emit(CardDestroyed(case.clause.cite, _card(case)))


@effect("use_as_next")
def use_as_next(play: Play, case: Case) -> None:
    """The card is the next one from the shoe; where its face was seen, a player says whether he takes it."""
    play.emit(_taken(case, "use_as_next") or CardDrawnInError(case.clause.cite, case.card))


@effect("no_more_cards")
def no_more_cards(play: Play, case: Case) -> None:
    """The player who refused the card is dealt no other in this round."""
    ref = _hand(case)
    play.emit(CardRefused(case.clause.cite, ref.box, play.hand(ref).caller.player))


@effect("no_more_cards_to_hand")
def no_more_cards_to_hand(play: Play, case: Case) -> None:
    """The hand for which the card was refused is dealt no other in this round."""
    ref = _hand(case)
    play.emit(CardRefused(case.clause.cite, ref.box, play.hand(ref).caller.player, ref.number))


def give_up_card(play: Play, ref: HandRef) -> None:
    """Another hand of a player who refused a card gets none either: what becomes of the wager that bought it."""
    clause = play.rules.irregularities["drawn_in_error_refused"]
    carry_out(play, Case(clause, hand=ref), [word for word in clause.effects if word == "return_bought"])


@effect("deal_late")
def deal_late(play: Play, case: Case) -> None:
    """The missed card comes after those of the players: the dealer's own, or as a player chose."""
    play.emit(_taken(case, "deal_late") or DealerCardMissed(case.clause.cite, len(play.state.dealer) + 1))


def _card(case: Case) -> Card:
    if case.card is None:
        raise Refused("the card that was exposed must be named", case.clause.cite)
    return case.card


def _hand(case: Case) -> HandRef:
    if case.hand is None:
        raise RulebookError(case.clause.paragraph, f"irregularity {case.clause.name} is about no hand")
    return case.hand


def _taken(case: Case, word: str) -> DecisionTaken | None:
    """The decision, where this effect is what was chosen."""
    if case.request is None or case.request.action != ANSWERS[word]:
        return None
    return case.request.taken(case.clause.cite)


@carries("irregularity.drawn_in_error_unusable")
def put_away_held(play: Play) -> None:
    """A card drawn in error that nobody took and the dealer cannot use is put away."""
    if play.state.held is not None:
        unusable = play.rules.irregularities["drawn_in_error_unusable"]
        carry_out(play, Case(unusable, card=play.state.held, reason="refused"))


# -- hands and wagers


@effect("hand_dead")
def hand_dead(play: Play, case: Case) -> None:
    """The hand is dead: what was settled on it is undone."""
    cite, ref, taken = case.clause.cite, _hand(case), _taken(case, "hand_dead")
    if taken is not None:
        play.emit(taken)
    play.emit(HandCalledDead(cite, *ref))
    for row in play.state.rows:
        if (row.box, row.hand) == ref:
            play.emit(SettlementUndone(cite, row))


@effect("hands_dead")
def hands_dead(play: Play, case: Case) -> None:
    """All hands are dead, one that was given up too; what was won was paid and taken away, and stands."""
    for row in play.state.rows:
        if row.hand is not None and row.outcome != "win":
            play.emit(SettlementUndone(case.clause.cite, row))
    open_hands_dead(play, case)


@effect("open_hands_dead")
def open_hands_dead(play: Play, case: Case) -> None:
    """All hands that are not settled are dead."""
    put_away_held(play)
    for ref, hand in list(play.each_hand()):
        if not hand.settled:
            play.emit(HandCalledDead(case.clause.cite, *ref))


@effect("hands_dead_undone")
def hands_dead_undone(play: Play, case: Case) -> None:
    """All hands are dead, and nothing of the round was settled."""
    _undo(play, case.clause.cite)
    open_hands_dead(play, case)


@effect("return_wager")
def return_wager(play: Play, case: Case) -> None:
    """The wagers of the hand go back, and side wagers on it if it never had two cards; or all wagers at the table."""
    cite = case.clause.cite
    if case.hand is None:
        _return_all(play, cite)
        return
    _return_hand(play, case.hand, cite)
    hand = play.hand(case.hand)
    if len(hand.cards) < 2 and not hand.split:
        for side in play.state.sides:
            if side.box == case.hand.box:
                _return_side(play, side, cite)


def _return_all(play: Play, cite: str) -> None:
    for ref, _ in list(play.each_hand("right")):
        _return_hand(play, ref, cite)
    for side in play.state.sides:
        _return_side(play, side, cite)


def _return_hand(play: Play, ref: HandRef, cite: str, bought: str = "void") -> None:
    """Every wager on a hand, the original last: it marks the others settled; what bought a card may be lost."""
    for hand_wager in play.hand(ref).wagers:
        if hand_wager.settled:
            continue
        original, *doubled = hand_wager.played
        chance = [("second_chance", hand_wager.chance)] if hand_wager.chance else []
        for wager, amount in (*doubled, *chance):
            net = -amount if bought == "lose" else ZERO
            _settle(play, cite, ref, hand_wager, wager, amount, bought, net)
        _settle(play, cite, ref, hand_wager, *original, "void", ZERO)


def _settle(
    play: Play, cite: str, ref: HandRef, hand_wager: HandWager, wager: str, amount: Amount, outcome: str, net: Amount
) -> None:
    row = settled(cite, on=ref, player=hand_wager.player, wager=wager, amount=amount, outcome=outcome, net=net)
    play.emit(row)


@effect("return_original")
def return_original(play: Play, case: Case) -> None:
    """The wager of a dead hand goes back; what was laid beside it for a card is lost."""
    _return_hand(play, _hand(case), case.clause.cite, "lose")


@effect("return_bought")
def return_bought(play: Play, case: Case) -> None:
    """The wagers that bought the card that is refused go back: for a double, a second chance, or a split hand."""
    ref = _hand(case)
    hand = play.hand(ref)
    for hand_wager in hand.wagers:
        wager, amount = _bought(hand, hand_wager)
        if amount and not hand_wager.settled:
            _settle(play, case.clause.cite, ref, hand_wager, wager, amount, "void", ZERO)


def _bought(hand: Hand, hand_wager: HandWager) -> tuple[str, Amount]:
    """The wager that bought the card which a hand expects; nothing where it was laid before."""
    if hand.due == "double":
        return "double", hand_wager.double
    if hand.due == "second_chance":
        return "second_chance", hand_wager.chance
    bare = hand.split and len(hand.cards) < 2 and hand_wager.wager == "split"
    return "split", hand_wager.amount if bare else ZERO


def _return_side(play: Play, side: SideWager, cite: str) -> None:
    if not side.settled:
        play.emit(side_settled(side, cite, "void", ZERO))


# -- the round


def restore_meters(play: Play, cite: str) -> None:
    """No jackpot was won in a round that is undone: the last one paid goes back first."""
    for meter, paid, _ in reversed(play.state.jackpots):
        play.emit(MeterRestored(cite, meter, paid))


@effect("void_round")
def void_round(play: Play, case: Case) -> None:
    """The round is void: every wager goes back, settled ones too unless the text lets them stand."""
    cite = case.clause.cite
    put_away_held(play)
    play.emit(RoundVoided(cite, case.clause.effects))
    if case.clause.settled == "undone":
        _undo(play, cite)
    _return_all(play, cite)
    play.emit(CardsCollected(cite, True))


def _undo(play: Play, cite: str) -> None:
    """What was settled in the round is undone, and the meters show what they showed before it."""
    for row in play.state.rows:
        play.emit(SettlementUndone(cite, row))
    restore_meters(play, cite)


@effect("collect_cards")
def collect_cards(play: Play, case: Case) -> None:
    """The cards are collected: the round is over."""
    play.emit(CardsCollected(case.clause.cite, False))


@effect("go_on")
def go_on(play: Play, case: Case) -> None:
    """Play goes on, or a hand does where somebody chose so."""
    play.emit(_taken(case, "go_on") or PlayContinued(case.clause.cite))


@effect("without_reader")
def without_reader(play: Play, case: Case) -> None:
    """The round goes on by the procedure of a table without a card reader."""
    play.emit(ReaderFailed(case.clause.cite))


@effect("notify_floorperson")
def notify_floorperson(play: Play, case: Case) -> None:
    """The dealer tells the floorperson before anything else is done."""
    play.emit(FloorpersonNotified(case.clause.cite, case.clause.name))


@effect("shuffle_rack")
def shuffle_rack(play: Play, case: Case) -> None:
    """The cards of the discard rack are the shoe: the table shuffles them, and cuts and burns as the event says."""
    play.emit(RackShuffled(case.clause.cite, case.clause.effects))


@effect("reshuffle", "remove_decks", "cut")
def at_the_table(_: Play, __: Case) -> None:
    """The table does it: the event of the void round, or of the shuffled rack, says so."""
