"""Irregularities inside a round (headings "Irregularities" of the texts): each a command, its paragraph, its events."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import NOTHING, Amount
from twentyone.round.actions import Request, action
from twentyone.round.commands import Draw, Drawn, Happened, Need
from twentyone.round.events import (
    Asked,
    BoxMissed,
    CardDrawnInError,
    CardsCollected,
    CardSetAside,
    DealerCardMissed,
    HandCalledDead,
    HandRef,
    HoleCardRead,
    MeterReset,
    RackShuffled,
    ReaderFailed,
    RequestedCardMissed,
    RoundVoided,
    SettlementUndone,
    WrongRangeFound,
    settled,
)
from twentyone.round.play import Play, Speaker
from twentyone.round.state import HandWager, SideWager, side_settled
from twentyone.rulebook.clauses import Irregularity
from twentyone.rulebook.decisions import Refusal

__all__ = ["IRREGULARITIES", "call_dead", "found_in_shoe", "happen", "put_away_held"]

Handler = Callable[[Play, Need, Happened, Irregularity], None]

IRREGULARITIES: dict[str, tuple[str, Handler]] = {}
"""What may be reported: the clause it falls under and what carries it out."""


def irregularity(name: str, clause: str = "") -> Callable[[Handler], Handler]:
    """Register what follows a reported irregularity."""

    def register(handler: Handler) -> Handler:
        IRREGULARITIES[name] = (clause or name, handler)
        return carries(f"irregularity.{clause or name}")(handler)

    return register


def happen(play: Play, need: Need, happened: Happened) -> None:
    """Carry out what the text orders for an irregularity."""
    if happened.name not in IRREGULARITIES:
        raise Refused(f"there is no irregularity {happened.name!r}", play.rules.rulebook.irregularities_cite)
    name, handler = IRREGULARITIES[happened.name]
    if name == "card_drawn_in_error":
        name = "drawn_in_error_exposed" if happened.exposed else "drawn_in_error_unexposed"
    clause = play.rules.irregularities.get(name)
    if clause is None:
        why = f"this text has no paragraph for {happened.name.replace('_', ' ')}"
        raise Refused(why, play.rules.rulebook.irregularities_cite)
    handler(play, need, happened, clause)


# -- cards found in the shoe


@carries("irregularity.face_up", "irregularity.ten")
def found_in_shoe(play: Play, drawn: Drawn) -> bool:
    """Set aside a card found face up or a card that should not be there; a second one may void the round."""
    known = play.rules.irregularities
    stranger = drawn.card.rank in play.rules.cards.without and "ten" in known
    face_up = drawn.face_up and "face_up" in known
    if not (stranger or face_up):
        return False
    if stranger and face_up and play.rules.submission.readings.get("face-up-ten") != "ten-only":
        reason = "face_up_ten"
    else:
        reason = "ten" if stranger else "face_up"
    clause = known["ten"] if stranger else known["face_up"]
    play.emit(CardSetAside(clause.cite, drawn.card, reason))
    _void_if_repeated(play)
    return True


@carries("irregularity.more_face_up", "irregularity.more_tens")
def _void_if_repeated(play: Play) -> None:
    found = {"more_tens": play.state.tens, "more_face_up": play.state.face_ups}
    for name, count in found.items():
        clause = play.rules.irregularities.get(name)
        if clause is not None and clause.least is not None and count >= clause.least:
            void_round(play, clause)
            return


def void_round(play: Play, clause: Irregularity) -> None:
    """Void the round: every wager goes back, settled ones too unless the reading lets them stand."""
    undo = play.rules.submission.readings.get("void-after-match") != "stands"
    put_away_held(play)
    play.emit(RoundVoided(clause.cite, clause.effects))
    if undo:
        for row in play.state.rows:
            play.emit(SettlementUndone(clause.cite, row))
        for meter, shown in play.state.meters_shown.items():
            if play.state.meters[meter] != shown:
                play.emit(MeterReset(clause.cite, meter, NOTHING, shown))
    _return_all(play, clause.cite)
    play.emit(CardsCollected(clause.cite, True))


@carries("irregularity.drawn_in_error_unusable")
def put_away_held(play: Play) -> None:
    """A card drawn in error that nobody took and the dealer cannot use goes to the discard rack."""
    if play.state.held is not None:
        cite = play.rules.irregularities["drawn_in_error_unusable"].cite
        play.emit(CardSetAside(cite, play.state.held, "refused"))


def _return_all(play: Play, cite: str) -> None:
    for ref, hand in list(play.each_hand("right")):
        for hand_wager in hand.wagers:
            _return_hand_wager(play, ref, hand_wager, cite)
    for side in play.state.sides:
        _return_side(play, side, cite)


def _return_side(play: Play, side: SideWager, cite: str) -> None:
    if not side.settled:
        play.emit(side_settled(side, cite, "void", NOTHING))


def _return_hand_wager(play: Play, ref: HandRef, hand_wager: HandWager, cite: str) -> None:
    if hand_wager.settled:
        return
    for wager, amount in _wagers(hand_wager):
        play.emit(
            settled(cite, on=ref, player=hand_wager.player, wager=wager, amount=amount, outcome="void", net=NOTHING)
        )


def _wagers(hand_wager: HandWager) -> list[tuple[str, Amount]]:
    """All wagers that a player has on a hand, the one that marks it settled last."""
    parts = [("double", hand_wager.double), ("second_chance", hand_wager.chance), (hand_wager.wager, hand_wager.amount)]
    return [(wager, amount) for wager, amount in parts if amount]


# -- dead hands


def call_dead(play: Play, ref: HandRef, cite: str) -> None:
    """Call a hand dead and return its wagers, and the box's open side wagers if it never had two cards."""
    play.emit(HandCalledDead(cite, *ref))
    for row in play.state.rows:
        if (row.box, row.hand) == ref:
            play.emit(SettlementUndone(cite, row))
    hand = play.hand(ref)
    for hand_wager in hand.wagers:
        _return_hand_wager(play, ref, hand_wager, cite)
    if len(hand.cards) < 2 and not hand.split:
        for side in play.state.sides:
            if side.box == ref.box:
                _return_side(play, side, cite)


def _always(_: Play, __: Speaker) -> Refusal | None:
    return None


@action("call_dead", _always)
def choose_dead(play: Play, request: Request) -> None:
    """Have the hand called dead and its wagers returned."""
    cite = _choice_cite(play, "called_dead")
    play.emit(request.taken(cite))
    call_dead(play, request.speaker.hand, cite)


@action("late_card", _always)
def choose_late_card(play: Play, request: Request) -> None:
    """Have the missed card dealt late."""
    cite = _choice_cite(play, "late_card")
    play.emit(request.taken(cite))


@action("accept", _always)
def accept(play: Play, request: Request) -> None:
    """Take the card that was drawn in error and exposed."""
    cite = play.rules.irregularities["drawn_in_error_exposed"].cite
    play.emit(request.taken(cite))


@action("go_on", _always)
def choose_go_on(play: Play, request: Request) -> None:
    """The dealer lets the hand stand as it was played."""
    cite = play.rules.irregularities["wrong_range"].cite
    play.emit(request.taken(cite))


@carries("irregularity.called_dead")
def _choice_cite(play: Play, choice: str) -> str:
    """The paragraph of a choice: of the missed request, of the missed box, or of the wrong range."""
    if play.state.ask is None:
        return play.rules.irregularities["wrong_range"].cite
    return play.rules.irregularities[choice].cite if play.step.name == "decide" else play.state.ask.cite


# -- reported irregularities


@irregularity("card_drawn_in_error")
@carries("irregularity.drawn_in_error_unexposed", "irregularity.drawn_in_error_exposed")
def drawn_in_error(play: Play, need: Need, happened: Happened, clause: Irregularity) -> None:
    """A card drawn in error is the next card; exposed, a player may refuse it."""
    if play.state.over:
        raise Refused("the round is over: no card of it can be drawn in error", clause.cite)
    if play.state.held is not None or play.state.unexposed:
        raise Refused("a card drawn in error lies there already", clause.cite)
    if not happened.exposed:
        play.emit(CardDrawnInError(clause.cite, None))
        return
    if not _all_have_two(play, clause.after == "all"):
        raise Refused("the initial two cards are not all dealt: the text has no rule for this card", clause.cite)
    card = _seen(happened, clause)
    if not found_in_shoe(play, Drawn(card)):
        play.emit(CardDrawnInError(clause.cite, card))
        _offer_exposed_card(play, need, clause)


def _all_have_two(play: Play, dealer_too: bool) -> bool:
    """Whether the initial two cards are dealt to every player (and to the dealer, where the text says so)."""
    if play.state.due and (dealer_too or any(draw.box is not None for draw in play.state.due)):
        return False
    return all(len(hand.cards) > 1 or hand.split or hand.status == "dead" for _, hand in play.each_hand())


def _offer_exposed_card(play: Play, need: Need, clause: Irregularity) -> None:
    """A player whose card was due may take the exposed one or refuse it."""
    if isinstance(need, Draw) and need.box is not None and need.hand is not None:
        player = play.hand(HandRef(need.box, need.hand)).caller.player
        play.emit(Asked(clause.cite, "exposed_card", need.box, need.hand, (player,)))


def _seen(happened: Happened, clause: Irregularity) -> Card:
    if happened.card is None:
        raise Refused("the card that was exposed must be named", clause.cite)
    return happened.card


@irregularity("dealer_drew_past_17", "dealer_past_17")
def drew_past_17(play: Play, _: Need, happened: Happened, clause: Irregularity) -> None:
    """A card that the dealer drew for himself although he stands goes to the discard rack."""
    if not (play.state.over and play.state.shown) or play.state.void or len(play.state.dealer) < 2:
        raise Refused("the dealer has not stood yet: no card can be one too many", clause.cite)
    points = play.dealer().points
    fits = points == clause.total if clause.total is not None else points >= (clause.least or 0)
    if not fits:
        raise Refused(f"the dealer has {points}: the paragraph does not speak of it", clause.cite)
    play.emit(CardSetAside(clause.cite, _seen(happened, clause), "past_17"))


@irregularity("dealer_card_missed")
def dealer_missed(play: Play, need: Need, _: Happened, clause: Irregularity) -> None:
    """The dealer missed his own first or second card: it comes after the players'."""
    if play.step.name != "deal" or not isinstance(need, Draw) or need.box is not None:
        raise Refused("the dealer's first or second card is not due", clause.cite)
    if play.state.dealer_missed > len(play.state.dealer):
        raise Refused("that card of the dealer's is late already", clause.cite)
    play.emit(DealerCardMissed(clause.cite, len(play.state.dealer) + 1))


@irregularity("box_missed", "one_card")
def box_missed(play: Play, need: Need, happened: Happened, clause: Irregularity) -> None:
    """The deal missed a box."""
    if play.step.name != "deal" or not isinstance(need, Draw) or need.box != happened.box or need.box is None:
        raise Refused(f"no card of the initial deal is due to box {happened.box}", clause.cite)
    if len(play.hand(HandRef(need.box, 1)).cards) == 1 and not _second_pass(play, need.box):
        raise Refused(f"box {need.box} is being dealt its late card", clause.cite)
    play.emit(BoxMissed(clause.cite, need.box))


def _second_pass(play: Play, box: int) -> bool:
    return box not in play.state.missed and play.state.asked_box != box


@irregularity("requested_card_missed")
def request_missed(play: Play, need: Need, _: Happened, clause: Irregularity) -> None:
    """A card that a player asked for was not dealt: late, or the hand is dead, as he chooses."""
    if not isinstance(need, Draw) or need.box is None or need.hand is None or play.step.name != "decide":
        raise Refused("no requested card is due", clause.cite)
    if play.hand(HandRef(need.box, need.hand)).status == "waiting":
        raise Refused("the late card of this hand is due", clause.cite)
    player = play.hand(HandRef(need.box, need.hand)).caller.player
    play.emit(RequestedCardMissed(clause.cite, need.box, need.hand))
    play.emit(Asked(clause.cite, "late_card", need.box, need.hand, (player,)))


@irregularity("hole_card_read")
def read_without_cause(play: Play, _: Need, __: Happened, clause: Irregularity) -> None:
    """The hole card was put into the reader although the up card gave no cause."""
    if play.step.name == "deal" or play.state.shown or play.state.over or len(play.state.dealer) < 2:
        raise Refused("there is no hole card to be read", clause.cite)
    reads = next((step for step in play.rules.steps if step.name == "read_hole"), None)
    if reads is None or play.state.reader_failed:
        raise Refused("no card reader is in use", clause.cite)
    if play.up.rank in reads.if_up:
        raise Refused(f"the up card {play.up} gives cause to read the hole card", clause.cite)
    reveals = bool(play.rules.submission.get("reader_reveals"))
    outcome = play.rules.irregularities.get("reader_reveals" if reveals else "reader_hides", clause)
    play.emit(HoleCardRead(outcome.cite, play.rules.is_blackjack(play.state.dealer)))
    if "hands_dead" in outcome.effects:
        _all_dead(play, outcome)


@carries("irregularity.reader_reveals", "irregularity.reader_hides")
def _all_dead(play: Play, clause: Irregularity) -> None:
    put_away_held(play)
    for ref, hand in list(play.each_hand()):
        if not hand.settled:
            play.emit(HandCalledDead(clause.cite, *ref))
    _return_all(play, clause.cite)
    play.emit(CardsCollected(clause.cite, False))


@irregularity("reader_failed")
def reader_failed(play: Play, _: Need, __: Happened, clause: Irregularity) -> None:
    """The card reader fails: where the hole card was not read yet, nobody reads it in this round."""
    if play.state.over or play.state.reader_failed:
        raise Refused("no card reader is in use", clause.cite)
    play.emit(ReaderFailed(clause.cite))


@irregularity("wrong_range")
def wrong_range(play: Play, _: Need, happened: Happened, clause: Irregularity) -> None:
    """The wrong light, or the hand in the wrong area: the dealer lets each hand go on or calls it dead."""
    if play.state.range is None or play.state.range_wrong:
        why = "it was reported before" if play.state.range_wrong else "no value range has been announced"
        raise Refused(f"a wrong range cannot be reported now: {why}", clause.cite)
    names = {found.name for found in play.rules.ranges.values()}
    if happened.shown not in names - {play.state.range}:
        raise Refused(f"{happened.shown!r} is not a wrong range: the hole card is {play.state.range}", clause.cite)
    hands = tuple(ref for ref, _ in play.each_hand() if not _paid_early(play, ref))
    play.emit(WrongRangeFound(clause.cite, happened.shown or "", hands))


def _paid_early(play: Play, ref: HandRef) -> bool:
    """A Blackjack that was paid, or a hand that is dead, was settled without the range."""
    hand = play.hand(ref)
    return hand.status == "dead" or (hand.settled and play.facts(ref).blackjack)


@irregularity("insufficient_cards")
def insufficient_cards(play: Play, need: Need, _: Happened, clause: Irregularity) -> None:
    """The shoe is empty: the discard rack is shuffled and cut, one card drawn off, and the round completed."""
    if not isinstance(need, Draw):
        raise Refused("no card is due, so the shoe holds enough", clause.cite)
    play.emit(RackShuffled(clause.cite, clause.effects))
