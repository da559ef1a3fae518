"""A hole card that nobody has seen, at a table with real cards: what the reader tells of it, and its turning up."""

from __future__ import annotations

from twentyone.cards import SUITS, UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.round.commands import Need, ReaderReport, ReaderTold, TurnedUp, TurnUp
from twentyone.round.effects import Case, carry_out
from twentyone.round.entry_events import ReaderContradicted
from twentyone.round.events import HoleCardExposed, HoleCardRead, HoleCardRevealed, RangeAnnounced, SettlementUndone
from twentyone.round.insurance import collect_insurance
from twentyone.round.irregularities import range_was_wrong, void_if_repeated
from twentyone.round.play import Play

__all__ = ["blackjack_told", "missing", "range_told", "stays_unread", "take_report", "turn_up", "unknown"]


def unknown(play: Play) -> bool:
    """Whether the dealer's last card lies there unseen."""
    return play.state.dealer[-1] is UNKNOWN


def missing(play: Play) -> bool:
    """Whether the hole card was one that is not of this game and left the table: another takes its place."""
    return len(play.state.dealer) < 2


# -- what the reader tells


def blackjack_told(play: Play) -> Need | None:
    """What is needed of a reader that tells a Blackjack: its answer, and with a Blackjack the card itself."""
    if play.state.told is None:
        return ReaderReport("blackjack")
    return TurnUp() if play.state.told else None


def stays_unread(play: Play) -> bool:
    """Whether the reader failed before it told anything."""
    return play.state.reader_failed and play.state.told is None


def range_told(play: Play) -> Need | None:
    """What is needed of a reader that lights a range: the light, and the card itself where it is shown to everybody."""
    if play.state.range is None:
        return ReaderReport("range")
    return TurnUp() if _exposed_under(play, play.state.range) is not None else None


def _exposed_under(play: Play, told: str) -> str | None:
    """The paragraph by which a hole card of this range is shown before anybody acts: any card of the range tells."""
    rank = next(rank for rank, row in play.rules.ranges.items() if row.name == told)
    clause = play.rules.hole_card_exposed(play.up, Card(rank + SUITS[0]))
    return clause.cite if clause is not None else None


def take_report(play: Play, need: Need, told: ReaderTold) -> None:
    """The reader's answer, as the dealer saw it."""
    if not isinstance(need, ReaderReport):
        read = play.cite_of("read_hole") or play.cite_of("announce_range")
        raise Refused("no hole card that nobody has seen waits for the reader", read)
    if need.tells == "blackjack":
        if told.blackjack is None or told.range is not None:
            raise Refused("this reader tells whether the hole card makes a Blackjack", play.step.cite)
        play.emit(HoleCardRead(play.step.cite, told.blackjack))
        return
    lit = next((row for row in play.rules.ranges.values() if row.name == told.range), None)
    if lit is None or told.blackjack is not None:
        names = " or ".join(dict.fromkeys(row.name for row in play.rules.ranges.values()))
        raise Refused(f"this reader tells a range: {names}", play.step.cite)
    play.emit(RangeAnnounced(lit.cite, lit.name, lit.light))


# -- the card itself


def turn_up(play: Play, need: Need, turned: TurnedUp) -> None:
    """Turn up the hole card: it is named, held against what the reader told, and known from now on."""
    card = turned.card
    if not isinstance(need, TurnUp):
        raise Refused("no card that nobody has seen is to be turned up now", play.cite_of("reveal"))
    if card.rank in play.rules.cards.without:
        _stranger(play, card)
        return
    cite = _exposed_under(play, play.state.range or "") if play.step.name == "announce_range" else None
    if cite is not None:
        play.emit(HoleCardExposed(cite, card))
    else:
        _check_blackjack(play, card)
        play.emit(HoleCardRevealed(play.step.cite, card))
    _hold_against_reader(play, card)


def _stranger(play: Play, card: Card) -> None:
    """A card that is not of this game is not used: it goes out, and the next card from the shoe takes its place."""
    clause = play.rules.irregularities.get("ten")
    if clause is None:
        raise Refused(f"the decks hold no {card}", play.rules.cards.cite)
    carry_out(play, Case(clause, card=card, reason="turned_ten"))
    void_if_repeated(play)


def _check_blackjack(play: Play, card: Card) -> None:
    """A reader that tells a Blackjack has the card turned up at once: it must make one."""
    if play.state.told and not play.rules.is_blackjack((play.up, card)):
        why = f"the reader told a Blackjack, and {play.up} and {card} are none"
        raise Refused(f"{why}: one entry is wrong and is corrected, or the reader does not work", _malfunction(play))


def _malfunction(play: Play) -> str:
    """The paragraph of a device that does not work."""
    task = play.rules.tasks.get("device_out_of_order")
    return task.cite if task is not None else ""


def _hold_against_reader(play: Play, card: Card) -> None:
    """Where the reader told otherwise: a wrong range is dealt with, a Blackjack that came late pays insurance."""
    state, clause = play.state, play.rules.irregularities.get("wrong_range")
    if state.told is False and play.rules.is_blackjack(state.dealer):
        play.emit(ReaderContradicted(_malfunction(play)))
    if play.rules.insurance_wins(card):
        _insure_again(play)
    if state.range is not None and clause is not None and state.range != play.rules.ranges[card.rank].name:
        range_was_wrong(play, state.range, clause)


def _insure_again(play: Play) -> None:
    """Insurance that was collected on the reader's word wins after all."""
    lost = [row for row in play.state.rows if row.wager == "insurance" and row.outcome == "lose"]
    for row in lost:
        play.emit(SettlementUndone(row.cite, row))
    if lost:
        collect_insurance(play, play.step)
