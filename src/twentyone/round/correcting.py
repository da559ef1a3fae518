"""A wrong entry corrected: the round is played again from its own record with the right entry; nothing is rewritten."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.round import events as e
from twentyone.round.commands import (
    Command,
    Corrected,
    Decision,
    Draw,
    Drawn,
    Happened,
    Need,
    Offer,
    ReaderTold,
    TurnedUp,
)
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.play import Play
from twentyone.round.retelling import Entered, begin_again, retold
from twentyone.round.round import Round

__all__ = ["TOLD", "NamedEntry", "card_of", "corrected", "named_entries"]

TOLD = {"blackjack": True, "no blackjack": False}
"""What a reader of Blackjacks tells, in words."""


def corrected(round_: Round, correction: Corrected, cite: str) -> Round:
    """The round with the right entry; refused where what came after the wrong one is not possible any more."""
    entries = retold(round_)
    index = _find(entries, correction, cite)
    again = begin_again(round_)
    for number, (command, need) in enumerate(entries):
        if number > index and not _asks_the_same(again.next, need):
            if _needless(again, command, need):
                continue
            why = f"with {correction.right} the round goes another way, and {_way(command)} does not fit any more"
            raise Refused(why, cite)
        again = _apply(again, _righted(command, correction.right, cite) if number == index else command, correction)
    return _replaced(round_, again, correction, cite)


# -- the entry


class NamedEntry(NamedTuple):
    """An entry that a correction can name."""

    word: str
    """What was entered: a card, or what the reader told."""
    box: int | None
    """The box that the card was dealt to."""
    number: int
    """Which of those that are alike."""
    last: bool
    """Whether nothing was brought to the round after it."""


def named_entries(round_: Round) -> list[NamedEntry]:
    """What was entered by sight in a round, in order."""
    entries = retold(round_)
    rows = [(_word(command), _box(command, need), index) for index, (command, need) in enumerate(entries, 1)]
    seen: Counter[tuple[str, int | None]] = Counter()
    named = []
    for word, box, index in rows:
        if word is not None:
            seen[word, None] += 1
            seen[word, box] += box is not None
            named.append(NamedEntry(word, box, seen[word, box], index == len(entries)))
    return named


def _word(command: Command) -> str | None:
    """An entry as the correction names it; none for one that a person did not enter by sight."""
    card = card_of(command)
    if card is not None:
        return card.name if card is not UNKNOWN else None
    if not isinstance(command, ReaderTold):
        return None
    return command.range or ("blackjack" if command.blackjack else "no blackjack")


def card_of(command: Command) -> Card | None:
    """The card that an entry names."""
    return command.card if isinstance(command, Drawn | TurnedUp | Happened) else None


def _find(entries: list[Entered], correction: Corrected, cite: str) -> int:
    found = [
        index
        for index, (command, need) in enumerate(entries)
        if _word(command) == correction.wrong and correction.box in (None, _box(command, need))
    ]
    if correction.number is not None:
        found = found[correction.number - 1 : correction.number] if correction.number > 0 else []
    if len(found) != 1:
        many = f"was entered {len(found)} times in this round: say which (number)" if found else "was not entered there"
        raise Refused(f"{correction.wrong} {many}", cite)
    if correction.wrong == correction.right:
        raise Refused(f"{correction.right} is what was entered", cite)
    return found[0]


def _box(command: Command, need: Need) -> int | None:
    return need.box if isinstance(command, Drawn) and isinstance(need, Draw) else None


def _righted(command: Command, right: str, cite: str) -> Command:
    """The entry as it should have been."""
    if isinstance(command, ReaderTold):
        blackjack = TOLD.get(right)
        return ReaderTold(blackjack=blackjack) if blackjack is not None else ReaderTold(range=right)
    assert isinstance(command, Drawn | TurnedUp | Happened)
    try:
        return replace(command, card=Card(right))
    except ValueError as wrong:
        raise Refused(str(wrong), cite) from None


# -- what came after it


def _apply(again: Round, command: Command, correction: Corrected) -> Round:
    try:
        return again.apply(command)
    except Refused as refused:
        why = f"with {correction.right} {_way(command)} was not possible: {refused.why}"
        raise Refused(why, refused.cite) from None


def _way(command: Command) -> str:
    if isinstance(command, Decision):
        return command.action.replace("_", " ")
    return _word(command) or "what was entered later"


def _asks_the_same(need: Need, was: Need) -> bool:
    """Whether the round needs the same now: the card goes to the same hand, the same player is asked."""
    if isinstance(need, Offer) and isinstance(was, Offer):
        return (need.kind, _asked(need)) == (was.kind, _asked(was))
    return need == was


def _needless(again: Round, command: Command, was: Need) -> bool:
    """Whether somebody stood on a hand that, as it really was, could not draw and was not asked."""
    if not isinstance(command, Decision) or command.action != "stand" or not isinstance(was, Offer):
        return False
    hands = [again.state.hands[option.box][(option.hand or 1) - 1] for option in was.options[:1]]
    return all(hand.status == "closed" and hand.cards for hand in hands)


def _asked(offer: Offer) -> set[tuple[int, int | None, str]]:
    return {(option.box, option.hand, option.player) for option in offer.options}


# -- the round


def _replaced(round_: Round, again: Round, correction: Corrected, cite: str) -> Round:
    """The round goes on as the corrected one; its record keeps the wrong entry, what it settled, and the correction."""
    before, after = round_.state, again.state
    if (before.void, before.meters, before.taken_out) != (after.void, after.meters, after.taken_out):
        why = "the correction would change a void round, a meter or a card that was taken out"
        raise Refused(f"{why}: the record stays as it is", cite)
    play = Play(round_.rules, before.copy())
    for row in before.rows:
        if row not in after.rows:
            play.emit(e.SettlementUndone(cite, row))
    for row in after.rows:
        if row not in before.rows:
            play.emit(row)
    play.emit(EntryCorrected(cite, correction.wrong, correction.right, correction.why, again.events))
    return Round(round_.rules, play.state, round_.events + tuple(play.events), again.next)
