"""Irregularities inside a round (headings "Irregularities" of the texts): what was found or reported, and who chooses.

What follows stands in the paragraph: its `effects` are carried out in order (see `effects`), and where it leaves a
`choice`, they are what is asked.
"""

from __future__ import annotations

from collections.abc import Callable

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.round.actions import Request, action
from twentyone.round.asking import answers, put
from twentyone.round.commands import Command, Confirmed, Draw, Drawn, Happened, Need
from twentyone.round.effects import Case, carry_out, chooser
from twentyone.round.events import (
    Asked,
    BoxMissed,
    HandRef,
    HoleCardRead,
    NotificationConfirmed,
    RequestedCardMissed,
    WrongRangeFound,
)
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.clauses import Irregularity
from twentyone.rulebook.decisions import Refusal
from twentyone.rulebook.values import meant

__all__ = [
    "IRREGULARITIES",
    "ask",
    "check_confirmed",
    "confirm",
    "found_in_shoe",
    "happen",
    "late_card_cite",
    "range_was_wrong",
    "remedy",
    "void_if_repeated",
]

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
        raise Refused(f"there is no irregularity {happened.name!r}{meant(happened.name, IRREGULARITIES)}")
    name, handler = IRREGULARITIES[happened.name]
    if name == "card_drawn_in_error":
        name = "drawn_in_error_exposed" if happened.exposed else "drawn_in_error_unexposed"
    clause = play.rules.irregularities.get(name)
    if clause is None:
        raise Refused(f"this game has no rule for {happened.name.replace('_', ' ')}: play goes on")
    handler(play, need, happened, clause)


# -- cards found in the shoe


@carries("irregularity.face_up", "irregularity.ten")
def found_in_shoe(play: Play, drawn: Drawn) -> bool:
    """Put away a card found face up or a card that should not be there; a second one may void the round."""
    known, stranger = play.rules.irregularities, play.rules.stranger(drawn.card)
    face_up = known.get("face_up") if drawn.face_up else None
    clause = stranger or face_up
    if clause is None:
        return False
    reason = "ten" if stranger else "face_up"
    if stranger and face_up is not None and face_up.ten:
        reason = "face_up_ten"
    carry_out(play, Case(clause, card=drawn.card, reason=reason))
    void_if_repeated(play)
    return True


@carries("irregularity.more_face_up", "irregularity.more_tens")
def void_if_repeated(play: Play) -> None:
    """Two cards of the kind that the text counts make the round void."""
    counts = {"more_tens": play.state.tens, "more_face_up": play.state.face_ups}
    for name, count in counts.items():
        clause = play.rules.irregularities.get(name)
        if clause is not None and clause.least is not None and count >= clause.least:
            carry_out(play, Case(clause))
            return


# -- choices


def ask(play: Play, clause: Irregularity, offer: str, ref: HandRef) -> None:
    """Ask whoever chooses among the remedies of a paragraph."""
    put(play, Asked(clause.cite, offer, *ref, (chooser(play, clause, ref),)))


REMEDIES = {"late_card": "late_card", "call_dead": "called_dead"}
"""The remedies for a missed card that may stand in paragraphs of their own."""


def _always(_: Play, __: Speaker) -> Refusal | None:
    return None


@action("late_card", _always)
@action("call_dead", _always)
@action("accept", _always)
@action("go_on", _always)
@carries("irregularity.called_dead")
def choose(play: Play, request: Request) -> None:
    """Carry out the remedy that was chosen."""
    clause, words = remedy(play, request.action)
    carry_out(play, Case(clause, hand=request.speaker.hand, request=request), words)


def remedy(play: Play, answer: str) -> tuple[Irregularity, tuple[str, ...]]:
    """What follows an answer to the question that is open: the paragraph and the words of it that apply."""
    offer = play.state.ask.offer if play.state.ask is not None else "wrong_range"
    clause, words = answers(play, offer)[answer]
    own = play.rules.irregularities.get(REMEDIES.get(answer, ""))
    if own is not None and clause.name == "requested_card_missed":
        return own, own.effects
    return clause, words


@carries("irregularity.late_card")
def late_card_cite(play: Play) -> str:
    """The paragraph under which a missed card is dealt late."""
    known = play.rules.irregularities
    return known.get("late_card", known["requested_card_missed"]).cite


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
        carry_out(play, Case(clause))
        return
    if not _all_have_two(play, clause.after == "all"):
        raise Refused("the initial two cards are not all dealt: the text has no rule for this card", clause.cite)
    if happened.card is None:
        raise Refused("the card that was exposed must be named", clause.cite)
    if not found_in_shoe(play, Drawn(happened.card)):
        carry_out(play, Case(clause, card=happened.card))
        _offer_exposed_card(play, need, clause)


def _all_have_two(play: Play, dealer_too: bool) -> bool:
    """Whether the initial two cards are dealt to every player (and to the dealer, where the text says so)."""
    if play.state.due and (dealer_too or any(draw.box is not None for draw in play.state.due)):
        return False
    return all(len(hand.cards) > 1 or hand.split or hand.status == "dead" for _, hand in play.each_hand())


def _offer_exposed_card(play: Play, need: Need, clause: Irregularity) -> None:
    """A player whose card was due may take the exposed one or refuse it."""
    if play.state.held is not None and isinstance(need, Draw) and need.box is not None and need.hand is not None:
        ref, refused = HandRef(need.box, need.hand), play.rules.irregularities.get("drawn_in_error_refused", clause)
        put(play, Asked(clause.cite, "exposed_card", *ref, (chooser(play, refused, ref),)))


@irregularity("dealer_drew_past_17", "dealer_past_17")
def drew_past_17(play: Play, _: Need, happened: Happened, clause: Irregularity) -> None:
    """The dealer drew a card for himself although he stands."""
    if not (play.state.over and play.state.shown) or play.state.void or len(play.state.dealer) < 2:
        raise Refused("the dealer has not stood yet: no card can be one too many", clause.cite)
    points = play.dealer().points
    fits = points == clause.total if clause.total is not None else points >= (clause.least or 0)
    if not fits:
        raise Refused(f"the dealer has {points}: the paragraph does not speak of it", clause.cite)
    if happened.card is None:
        raise Refused("the card that was exposed must be named", clause.cite)
    stranger = play.rules.stranger(happened.card)
    reason = "past_17" if stranger is None else "ten_past_17"
    carry_out(play, Case(stranger or clause, card=happened.card, reason=reason))
    void_if_repeated(play)


@irregularity("ten_at_burn", "ten")
def ten_at_burn(play: Play, _: Need, happened: Happened, clause: Irregularity) -> None:
    """A card that is not of this game comes out of the shoe to be burned: in a round it is found there all the same."""
    if play.state.void:
        raise Refused("the round is void: nothing is found in its deal any more", clause.cite)
    if happened.card is None or play.rules.stranger(happened.card) is None:
        raise Refused(f"{happened.card or 'a card without a name'} is of this game", clause.cite)
    carry_out(play, Case(clause, card=happened.card, reason="ten_at_burn"))
    void_if_repeated(play)


@irregularity("dealer_card_missed")
def dealer_missed(play: Play, need: Need, _: Happened, clause: Irregularity) -> None:
    """The dealer missed his own first or second card."""
    if play.step.name != "deal" or not isinstance(need, Draw) or need.box is not None:
        raise Refused("the dealer's first or second card is not due", clause.cite)
    if play.state.dealer_missed > len(play.state.dealer):
        raise Refused("that card of the dealer's is late already", clause.cite)
    carry_out(play, Case(clause))


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
    """A card that a player asked for was not dealt."""
    if not isinstance(need, Draw) or need.box is None or need.hand is None or play.step.name != "decide":
        raise Refused("no requested card is due", clause.cite)
    ref = HandRef(need.box, need.hand)
    if play.hand(ref).status == "waiting":
        raise Refused("the late card of this hand is due", clause.cite)
    play.emit(RequestedCardMissed(clause.cite, *ref))
    ask(play, clause, "late_card", ref)


@irregularity("hole_card_read")
def read_without_cause(play: Play, _: Need, __: Happened, clause: Irregularity) -> None:
    """The hole card was put into the reader although the up card gave no cause."""
    if play.step.name == "deal" or play.state.shown or play.state.over or len(play.state.dealer) < 2:
        raise Refused("there is no hole card to be read", clause.cite)
    if not play.rules.has_step("read_hole") or play.state.reader_failed:
        raise Refused("no card reader is in use", clause.cite)
    if play.rules.hole_card_read(play.up):
        raise Refused(f"the up card {play.up} gives cause to read the hole card", clause.cite)
    play.emit(HoleCardRead(clause.cite, play.rules.is_blackjack(play.state.dealer)))
    _carry_on(play, clause, clause.effects)


@carries("irregularity.reader_reveals", "irregularity.reader_hides")
def _reader_outcome(play: Play) -> Irregularity | None:
    """What follows by the kind of reader in use, where the text tells two kinds apart."""
    reveals = bool(play.rules.submission.get("reader_reveals"))
    return play.rules.irregularities.get("reader_reveals" if reveals else "reader_hides")


def _carry_on(play: Play, clause: Irregularity, words: tuple[str, ...]) -> None:
    """The words of the paragraph, then those of its outcome; all that follows a notification waits for it."""
    carry_out(play, Case(clause), words)
    outcome = _reader_outcome(play)
    if outcome is not None and not play.state.notified:
        carry_out(play, Case(outcome))


def check_confirmed(play: Play, command: Command) -> None:
    """Nothing is done between a notification and its confirmation; nothing is confirmed that was not told."""
    told = play.state.notified
    if bool(told) == isinstance(command, Confirmed):
        return
    if not told:
        tells = (row.cite for row in play.rules.irregularities.values() if "notify_floorperson" in row.effects)
        raise Refused("no floorperson was told of anything: there is nothing to confirm", next(tells, ""))
    why = f"a floorperson has not confirmed yet that he was told: {told.replace('_', ' ')}"
    raise Refused(why, play.rules.irregularities[told].cite)


def confirm(play: Play, confirmed: Confirmed) -> None:
    """The floorperson was told: what the text has follow is done now."""
    clause = play.rules.irregularities[play.state.notified]
    play.emit(NotificationConfirmed(clause.cite, clause.name, confirmed.by))
    _carry_on(play, clause, clause.effects[clause.effects.index("notify_floorperson") + 1 :])


@irregularity("reader_failed")
def reader_failed(play: Play, _: Need, __: Happened, clause: Irregularity) -> None:
    """The card reader fails in the middle of a round."""
    if play.state.over or play.state.reader_failed:
        raise Refused("no card reader is in use", clause.cite)
    carry_out(play, Case(clause))


@irregularity("wrong_range")
def wrong_range(play: Play, _: Need, happened: Happened, clause: Irregularity) -> None:
    """The wrong light, or the hand in the wrong area: for each hand somebody chooses what follows."""
    if play.state.range is None or play.state.range_wrong:
        why = "it was reported before" if play.state.range_wrong else "no value range has been announced"
        raise Refused(f"a wrong range cannot be reported now: {why}", clause.cite)
    names = {row.name for row in play.rules.ranges.values()}
    if happened.shown not in names - {play.state.range}:
        raise Refused(f"{happened.shown!r} is not a wrong range: the hole card is {play.state.range}", clause.cite)
    range_was_wrong(play, happened.shown or "", clause)


def range_was_wrong(play: Play, shown: str, clause: Irregularity) -> None:
    """The choice that follows a wrong range, hand by hand."""
    hands = tuple(ref for ref, _ in play.each_hand() if not _paid_early(play, ref))
    play.emit(WrongRangeFound(clause.cite, shown, hands))


def _paid_early(play: Play, ref: HandRef) -> bool:
    """A Blackjack that was paid, or a hand that is dead, was settled without the range."""
    hand = play.hand(ref)
    return hand.status == "dead" or (hand.settled and play.facts(ref).blackjack)


@irregularity("insufficient_cards")
def insufficient_cards(play: Play, need: Need, _: Happened, clause: Irregularity) -> None:
    """The shoe is empty while a card is due."""
    if not isinstance(need, Draw):
        raise Refused("no card is due, so the shoe holds enough", clause.cite)
    carry_out(play, Case(clause))
