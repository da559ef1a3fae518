"""The check that what `legal()` lists is allowed, and that everything else is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tests.property.invariants import check_refusal

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import Command, Confirmed, Decision, Draw, Drawn, Offer, Option, Round, Spin, Spun, Told, fold
from twentyone.round import events as e
from twentyone.round.actions import ACTIONS

__all__ = ["check_legality"]

NOBODY = "nobody"
NO_BOX = 99
TAKES_HAND = ("designate", "go_on", "call_dead", "late_card")


def check_legality(round_: Round) -> None:
    """Everything listed is allowed, everything else refused, and the round is as before."""
    before, text = fold(round_.events), repr(round_)
    for option in round_.legal():
        _check_listed(round_, option)
        for decision in _wrong_forms(option):
            must_be_refused(round_, decision)
    for command in (*_unlisted(round_), *_out_of_turn(round_)):
        must_be_refused(round_, command)
    _check_short_forms(round_)
    assert round_.state == before, "a refusal changed the state"
    assert repr(round_) == text, "a refusal changed the round"


def must_be_refused(round_: Round, command: Command) -> None:
    """The command is refused, and the refusal cites."""
    try:
        round_.apply(command)
    except Refused as refused:
        check_refusal(round_.rules.rulebook, refused)
        return
    raise AssertionError(f"{command} was not refused; {round_.next} is due")


# -- what is listed


def _check_listed(round_: Round, option: Option) -> None:
    for amount in {None, option.least, option.most}:
        decision = option.decision(amount)
        try:
            after = round_.apply(decision)
        except Refused as refused:
            raise AssertionError(f"{decision} is listed, but refused: {refused}") from refused
        _check_taken(round_, after, option.action, {option})


def _check_taken(round_: Round, after: Round, action: str, options: set[Option]) -> None:
    """What was taken down is one of these options."""
    event = after.events[len(round_.events)]
    hand: int | None = None
    if isinstance(event, e.CardRefused):
        taken = "refuse"
    else:
        assert isinstance(event, e.DecisionTaken), event
        taken, hand = event.action, event.choice if action == "designate" else event.hand
    known = {(o.action, o.box, None if o.action == "refuse" else o.hand, o.player) for o in options}
    place = (taken, event.box, hand, event.player)
    assert place in known, f"{place} was taken down, {known} were allowed"


def _wrong_forms(option: Option) -> Iterator[Decision]:
    """A listed decision with a wager or a hand that it may not have."""
    good = option.decision()
    for amount in _wrong_amounts(option):
        yield Decision(good.action, good.box, good.player, amount, good.hand)
    hands = (0, 9) if good.action in TAKES_HAND else (0, 1, 2, 9)
    for hand in hands:
        yield Decision(good.action, good.box, good.player, None, hand)


def _wrong_amounts(option: Option) -> tuple[Amount, ...]:
    if option.most is None or option.least is None:
        return Amount(0), Amount("1"), Amount("-1")
    splinter = option.most - Amount("0.001")
    return Amount(0), -option.least, option.most + option.least, splinter, Amount("0.001")


# -- what is not listed


def _unlisted(round_: Round) -> Iterator[Decision]:
    """Every action of every player on every box that `legal()` does not list."""
    listed = {(option.action, option.box, option.player) for option in round_.legal()}
    for action in ACTIONS:
        for box in (*round_.state.boxes, NO_BOX):
            for player in (*round_.state.players, NOBODY):
                if (action, box, player) not in listed:
                    yield Decision(action, box, player, None, 1 if action == "designate" else None)
    yield Decision("meditate")


def _out_of_turn(round_: Round) -> Iterator[Command]:
    """Cards, spins and silence where none is due."""
    need = round_.next
    if not isinstance(need, Draw):
        yield Drawn(Card("AS"))
    if not isinstance(need, Spin):
        yield Spun("350")
    if not isinstance(need, Told):
        yield Confirmed("Fay")
    if not (isinstance(need, Offer) and need.optional):
        yield Decision("decline")
    asked = {(option.box, option.player) for option in round_.legal()} if isinstance(need, Offer) else set()
    for box in round_.state.boxes:
        for player in round_.state.players:
            if (box, player) not in asked:
                yield Decision("decline", box, player)


def _check_short_forms(round_: Round) -> None:
    """A decision that leaves box or player out is taken for a listed one, or refused."""
    options = set(round_.legal())
    for action in ACTIONS:
        for box in (None, *round_.state.boxes):
            decision = Decision(action, box, hand=1 if action == "designate" else None)
            try:
                after = round_.apply(decision)
            except Refused as refused:
                check_refusal(round_.rules.rulebook, refused)
            else:
                _check_taken(round_, after, action, options)
