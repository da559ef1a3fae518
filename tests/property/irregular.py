"""Irregularities for the random rounds: which can be reported now, and which of a text's kinds an event shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from tests.property.chance import Shoe

from twentyone.round import Draw, Drawn, Happened, Need, Offer, Over, Round
from twentyone.round import events as e
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Irregularity

__all__ = ["count_fired", "is_missed_again", "random_found", "random_irregularity", "random_stranger", "step_name"]


def step_name(round_: Round) -> str:
    """The step in progress."""
    return round_.rules.steps[round_.state.step].name


# -- what may happen now


def random_stranger(round_: Round, shoe: Shoe, rng: Random) -> Happened | None:
    """Now and then a card that should not be in the shoe comes out beside the deal: to be burned, or past 17."""
    over = isinstance(round_.next, Over)
    if round_.state.void or rng.random() > (0.2 if over else 0.03):
        return None
    card = shoe.draw_stranger()
    name = "dealer_drew_past_17" if over else "ten_at_burn"
    return Happened(name, card=card) if card is not None else None


def random_irregularity(round_: Round, shoe: Shoe, rng: Random) -> Happened | None:
    """An irregularity that fits what is due now; the text may still refuse it."""
    need = round_.next
    if shoe.is_empty:
        return None
    if isinstance(need, Over):
        return Happened("dealer_drew_past_17", card=shoe.draw())
    kind = "box_missed" if is_missed_again(round_) else rng.choice(_kinds(round_, need))
    if kind == "exposed":
        return Happened("card_drawn_in_error", card=shoe.draw(), exposed=True)
    if kind == "unexposed":
        return Happened("card_drawn_in_error")
    if kind == "wrong_range":
        wrong = sorted({found.name for found in round_.rules.ranges.values()} - {round_.state.range})
        return Happened(kind, shown=rng.choice(wrong)) if wrong else None
    return Happened(kind, box=need.box if kind == "box_missed" and isinstance(need, Draw) else None)


def _kinds(round_: Round, need: Need) -> list[str]:
    """What can go wrong now, some more often because its conditions are rare."""
    kinds = ["unexposed"]
    if _gives_no_cause(round_):
        kinds += ["hole_card_read"] * 9
    if "reader_failed" in round_.rules.irregularities:
        kinds.append("reader_failed")
    if isinstance(need, Draw):
        kinds += _missing(round_, need)
    elif isinstance(need, Offer):
        kinds += ["exposed"] * 6 + ["wrong_range"] * (4 if round_.state.range is not None else 0)
    return kinds


def _gives_no_cause(round_: Round) -> bool:
    """Whether a hole card lies there that the reader has no cause to read."""
    if round_.state.shown or len(round_.state.dealer) < 2:
        return False
    reads = round_.rules.rulebook.steps_named("read_hole")
    return bool(reads) and round_.state.dealer[0].rank not in reads[0].if_up


def _missing(round_: Round, need: Draw) -> list[str]:
    """What can go wrong with the card that is due."""
    if step_name(round_) == "deal":
        return ["insufficient_cards", "dealer_card_missed" if need.box is None else "box_missed"]
    return ["insufficient_cards", *["requested_card_missed"] * 5, "exposed"]


def is_missed_again(round_: Round) -> bool:
    """Whether a box that the deal has missed once is due for its second card."""
    need = round_.next
    return isinstance(need, Draw) and step_name(round_) == "deal" and need.box in round_.state.missed


def random_found(shoe: Shoe, rng: Random, irregularities: float) -> Drawn:
    """The next card of the shoe; now and then it is found face up, or is one that should not be there."""
    stranger = shoe.draw_stranger() if rng.random() < irregularities / 2 else None
    return Drawn(stranger or shoe.draw(), rng.random() < irregularities / 2)


# -- what has happened

Shows = Callable[[e.Event, e.Event, Irregularity], bool]
"""Whether an event, after the event before it, shows that an irregularity happened."""


def _set_aside(*reasons: str) -> Shows:
    return lambda event, _, __: isinstance(event, e.CardSetAside) and event.reason in reasons


def _kind(kind: type[e.Event]) -> Shows:
    return lambda event, _, __: isinstance(event, kind)


def _cited(kind: type[e.Event]) -> Shows:
    return lambda event, _, clause: isinstance(event, kind) and event.cite == clause.cite


def _chosen(action: str) -> Shows:
    return lambda event, _, __: isinstance(event, e.DecisionTaken) and event.action == action


def _drawn(exposed: bool) -> Shows:
    return lambda event, _, __: isinstance(event, e.CardDrawnInError) and (event.card is not None) == exposed


def _no_cards(event: e.Event, before: e.Event, clause: Irregularity) -> bool:
    chosen = isinstance(before, e.DecisionTaken)
    return isinstance(event, e.HandCalledDead) and event.cite == clause.cite and not chosen


_SHOWS: dict[str, Shows] = {
    "face_up": _set_aside("face_up", "face_up_ten"),
    "ten": _set_aside("ten", "face_up_ten", "ten_past_17", "ten_at_burn"),
    "more_face_up": _cited(e.RoundVoided),
    "more_tens": _cited(e.RoundVoided),
    "drawn_in_error_unexposed": _drawn(False),
    "drawn_in_error_exposed": _drawn(True),
    "drawn_in_error_refused": _kind(e.CardRefused),
    "drawn_in_error_unusable": _set_aside("refused"),
    "dealer_past_17": _set_aside("past_17"),
    "dealer_card_missed": _kind(e.DealerCardMissed),
    "insufficient_cards": _kind(e.RackShuffled),
    "no_cards": _no_cards,
    "one_card": _cited(e.Asked),
    "requested_card_missed": _kind(e.RequestedCardMissed),
    "late_card": _chosen("late_card"),
    "called_dead": _chosen("call_dead"),
    "reader_reveals": _cited(e.CardsCollected),
    "reader_hides": _cited(e.PlayContinued),
    "reader_failed": _kind(e.ReaderFailed),
    "wrong_range": _kind(e.WrongRangeFound),
}


def count_fired(rules: Rules, events: Sequence[e.Event], reads: int) -> Counter[str]:
    """How often each irregularity of the text happened; `reads` are those of the hole card without cause."""
    telling = [(event, before) for before, event in pairwise(events) if not isinstance(event, _PLAIN)]
    fired: Counter[str] = Counter()
    for name, clause in rules.irregularities.items():
        if name == "hole_card_read":
            fired[name] = reads
        else:
            shows = _SHOWS[name]
            fired[name] = sum(shows(event, before, clause) for event, before in telling)
    return fired


_PLAIN = (e.StepBegun, e.CardDealt, e.WagerSettled, e.WagerPlaced, e.HandClosed, e.TotalAnnounced)
"""Events of every round: none of them shows an irregularity."""
