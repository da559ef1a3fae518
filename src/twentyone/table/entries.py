"""What people enter at a table with real cards: the reader's answer, a card that is turned up, corrections."""

from __future__ import annotations

from collections import Counter

from twentyone.cards import UNKNOWN, Card
from twentyone.money import ZERO
from twentyone.round import Corrected, ReaderTold, Round, TurnedUp
from twentyone.round.correcting import corrected, named_entries
from twentyone.round.entry_events import ReaderContradicted
from twentyone.round.retelling import standing
from twentyone.rulebook.clauses import Device
from twentyone.table.card_changes import racks_of
from twentyone.table.devices import report_device
from twentyone.table.play import TablePlay, check_possible, command
from twentyone.table.rounds import advance_round, in_progress, resume, take_over

__all__: list[str] = []


@command("reader_told", roles=("dealer",), takes={"blackjack": bool, "range": str})
def reader_told(play: TablePlay) -> None:
    """The dealer put the hole card into the reader, unseen, and says what it told."""
    in_progress(play)
    advance_round(play, ReaderTold(play.arg("blackjack", bool), play.arg("range", str)), ())


@command("turn_card", roles=("dealer",), takes={"card": Card})
def turn_card(play: TablePlay) -> None:
    """A card that nobody had seen is turned up; one that the decks cannot hold any more is refused."""
    round_ = in_progress(play)
    card = play.card("card")
    check_possible(play, card)
    advance_round(play, TurnedUp(card), (), (UNKNOWN, card))
    _hold_against_reader(play, round_)


def _hold_against_reader(play: TablePlay, before: Round) -> None:
    """A reader that told otherwise than the card that was turned up does not work."""
    assert play.state.round is not None
    cite = _contradicted(play.state.round)
    if not cite or _contradicted(before):
        return
    for clause in play.submitted.all(Device):
        if clause.name == "card_reader":
            report_device(play, clause, "out_of_order", cite)


def _contradicted(round_: Round) -> str:
    """The paragraph under which a reader told otherwise than the card; empty where none did."""
    events = (event for event in standing(round_.events) if isinstance(event, ReaderContradicted))
    return next((event.cite for event in events), "")


@command(
    "correct_entry",
    roles=("floorperson", "dealer"),
    takes={"wrong": str, "right": str, "why": str, "box": int, "number": int},
)
def correct_entry(play: TablePlay) -> None:
    """Correct a wrong entry while the cards of its round lie there: the round is played again with the right one.

    The dealer corrects what he entered last, as long as nothing came after it; everything else is the floorperson's.
    """
    round_ = play.state.round
    if round_ is None:
        raise play.refuse("an entry is corrected only while the cards of its round lie on the layout")
    if play.command.role == "dealer":
        _check_last(play, round_)
    why = play.need("why", str).strip()
    if not why:
        raise play.refuse("a correction says why")
    wrong, right = play.need("wrong", str), play.need("right", str)
    correction = Corrected(wrong, right, why, play.arg("box", int), play.arg("number", int))
    after = corrected(round_, correction, play.cite)
    if racks_of(round_)[:-1] != racks_of(after)[:-1]:
        raise play.refuse(f"{wrong} lay in a discard rack that was shuffled since: the record stays as it is")
    _check_not_destroyed(play, round_, after)
    named = _renamed(wrong, right)
    if named is not None:
        check_possible(play, named[1])
    if play.state.phase == "settled":
        resume(play, play.cite)
    take_over(play, correction, after, named=named)
    _hold_against_reader(play, round_)
    for player in play.state.players:
        if play.state.chips.get(player, ZERO) < 0:
            raise play.refuse(f"{player} does not have the chips any more that the correction takes back")


def _check_last(play: TablePlay, round_: Round) -> None:
    """What was entered before the last step of a round is the floorperson's to correct."""
    named = play.need("wrong", str), play.arg("box", int), play.arg("number", int)
    last = next((entry for entry in named_entries(round_) if entry.last), None)
    alike = last is not None and named in ((last.word, last.box, last.number), (last.word, None, None))
    if not alike:
        raise play.refuse(f"the dealer corrects only what was entered last: {named[0]} is the floorperson's to correct")


def _check_not_destroyed(play: TablePlay, before: Round, after: Round) -> None:
    """A card that a floorperson has destroyed was one that is not of this game: nothing takes that back."""
    cleared = Counter(before.state.taken_out) - Counter(after.state.taken_out)
    gone = cleared - Counter(play.state.found)
    if gone:
        names = " and ".join(map(str, gone.elements()))
        raise play.refuse(f"{names} was destroyed as a card that is not of this game: the record stays as it is")


def _renamed(wrong: str, right: str) -> tuple[Card, Card] | None:
    """The card that was entered, and the one that it is; none where the entry was the reader's answer."""
    try:
        return Card(wrong), Card(right)
    except ValueError:
        return None
