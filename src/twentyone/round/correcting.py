"""A wrong entry corrected: the round is played again from its own record with the right entry; nothing is rewritten."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
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
    Spin,
    Spun,
    TurnedUp,
)
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.play import Play
from twentyone.round.retelling import Entered, begin_again, retold
from twentyone.round.round import Round

__all__ = ["HOT_SPOT", "TOLD", "NamedEntry", "card_of", "corrected", "hot_spot_of", "named_entries"]

TOLD = {"blackjack": True, "no blackjack": False}
"""What a reader of Blackjacks tells, in words."""
HOT_SPOT = "hot spot {}"
"""The box that was drawn as the hot spot, in words."""


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
        again = _apply(again, _righted(command, correction, cite) if number == index else command, correction)
    return _replaced(round_, again, correction, cite)


# -- the entry


class NamedEntry(NamedTuple):
    """An entry that a correction can name."""

    word: str
    """What was entered: a card, what the reader told, a symbol of the wheel or its hot spot."""
    box: int | None
    """The box that the card was dealt to, or that the wheel was spun for."""
    number: int
    """Which of those that are alike."""
    last: bool
    """Whether nothing was brought to the round after it."""


def named_entries(round_: Round) -> list[NamedEntry]:
    """What was entered by sight in a round, in order."""
    entries = retold(round_)
    seen: Counter[tuple[str, int | None]] = Counter()
    named = []
    for index, (command, need) in enumerate(entries, 1):
        box = _box(command, need)
        for word in _words(command):
            seen[word, None] += 1
            seen[word, box] += box is not None
            named.append(NamedEntry(word, box, seen[word, box], index == len(entries)))
    return named


def _words(command: Command) -> Iterator[str]:
    """An entry as the correction names it; nothing for one that a person did not enter by sight."""
    card = card_of(command)
    if isinstance(command, Spun):
        yield command.symbol
        if command.hot_spot is not None:
            yield HOT_SPOT.format(command.hot_spot)
    elif card is not None and card is not UNKNOWN:
        yield card.name
    elif isinstance(command, ReaderTold):
        yield command.range or ("blackjack" if command.blackjack else "no blackjack")


def card_of(command: Command) -> Card | None:
    """The card that an entry names."""
    return command.card if isinstance(command, Drawn | TurnedUp | Happened) else None


def _find(entries: list[Entered], correction: Corrected, cite: str) -> int:
    found = [
        index
        for index, (command, need) in enumerate(entries)
        if correction.wrong in _words(command) and correction.box in (None, _box(command, need))
    ]
    if correction.number is not None:
        found = found[correction.number - 1 : correction.number] if correction.number > 0 else []
    if len(found) != 1:
        many = f"was entered {len(found)} times in this round: say which (number)" if found else "was not entered there"
        raise Refused(f"{correction.wrong} {many}{_hint(entries, correction)}", cite)
    if correction.wrong == correction.right:
        raise Refused(f"{correction.right} is what was entered", cite)
    return found[0]


def _hint(entries: list[Entered], correction: Corrected) -> str:
    """How a hot spot is named, where its box alone was."""
    spot = HOT_SPOT.format(correction.wrong)
    return f": say {spot!r}" if any(spot in _words(command) for command, _ in entries) else ""


def _box(command: Command, need: Need) -> int | None:
    return need.box if isinstance(command, Drawn | Spun) and isinstance(need, Draw | Spin) else None


def hot_spot_of(word: str) -> int | None:
    """The box of a hot spot in words; none where they name no hot spot.

    >>> hot_spot_of("hot spot 3"), hot_spot_of("jackpot")
    (3, None)
    """
    found = re.fullmatch(HOT_SPOT.format(r"([1-9]\d?)"), word)
    return int(found[1]) if found is not None else None


def _righted(command: Command, correction: Corrected, cite: str) -> Command:
    """The entry as it should have been."""
    right = correction.right
    if isinstance(command, Spun):
        was, box = hot_spot_of(correction.wrong), hot_spot_of(right)
        if (was is None) != (box is None):
            raise Refused(f"{correction.wrong} and {right} are not both a symbol, or both a hot spot", cite)
        return replace(command, symbol=right) if box is None else replace(command, hot_spot=box)
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
    return next(_words(command), "what was entered later")


def _asks_the_same(need: Need, was: Need) -> bool:
    """Whether the round needs the same now: the card goes to the same hand, the same player is asked."""
    if isinstance(need, Offer) and isinstance(was, Offer):
        return (need.kind, _asked(need)) == (was.kind, _asked(was))
    return need == was


def _needless(again: Round, command: Command, was: Need) -> bool:
    """Whether what came could not be: a stand on a hand that was not asked, a spin of a wheel that was not due."""
    if isinstance(command, Spun):
        return not isinstance(again.next, Spin)
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
    play = Play(round_.rules, before.copy())
    for row in _without(before.rows, after.rows):
        play.emit(e.SettlementUndone(cite, row))
    _pay_meters_anew(play, again, cite)
    for row in _without(after.rows, before.rows):
        play.emit(row)
    play.emit(EntryCorrected(cite, correction.wrong, correction.right, correction.why, again.events))
    return Round(round_.rules, play.state, round_.events + tuple(play.events), again.next)


def _without(rows: tuple[e.WagerSettled, ...], others: tuple[e.WagerSettled, ...]) -> list[e.WagerSettled]:
    """The rows that are not among others; of alike ones as many as are too many."""
    left = Counter(others)
    kept = []
    for row in rows:
        if left[row]:
            left[row] -= 1
        else:
            kept.append(row)
    return kept


def _pay_meters_anew(play: Play, again: Round, cite: str) -> None:
    """A jackpot that was not won goes back into its meter, the last one first; one that was won is taken from it."""
    jackpots = again.state.jackpots
    same = _common(play.state.jackpots, jackpots)
    for meter, paid, _ in reversed(play.state.jackpots[same:]):
        play.emit(e.MeterRestored(cite, meter, paid))
    resets = [event for event in again.events if isinstance(event, e.MeterReset) and event.paid]
    for event in resets[same : len(jackpots)]:
        play.emit(event)


def _common(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """How many values two rows begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((index for index, (mine, yours) in enumerate(pairs) if mine != yours), min(len(one), len(other)))
