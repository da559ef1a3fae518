"""The last round of each player at a table: what stays before him until he lays his next wager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.codec import Decoder, read_body
from twentyone.ledger.face_down import open_events
from twentyone.ledger.rows import StoredEvent
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.events import HandRef
from twentyone.round.view import hand_seen
from twentyone.rulebook import Rules
from twentyone.script.result import settlement
from twentyone.service.results import paid_by
from twentyone.service.view import dealer_shown, hand_shown
from twentyone.table.events import RoundBegun, RoundEnded, RoundEvent
from twentyone.table.model import TableState

__all__ = ["LastRounds", "Played", "last_shown"]


class Played(NamedTuple):
    """A round that is over."""

    number: int
    """Its number at the table."""
    round: Round
    """The round as it ended."""
    coupons: Mapping[str, Amount] = MappingProxyType({})
    """What the match-play coupons of each player won."""


class LastRounds:
    """The last round of everybody who is at a table."""

    def __init__(self) -> None:
        self._played: dict[str, Played] = {}
        self._shown: dict[str, tuple[Played, dict[str, Any]]] = {}

    def of(self, state: TableState, who: str) -> Played | None:
        """The last round of somebody who has laid no wager since."""
        played = self._played.get(who)
        wagered = (*state.placed, *(state.in_round if state.phase == "round" else ()))
        return None if any(wager.player == who for wager in wagered) else played

    def shown(self, state: TableState, who: str) -> dict[str, Any] | None:
        """The same as he may see it; it is put together once."""
        played = self.of(state, who)
        if played is None:
            return None
        if who not in self._shown or self._shown[who][0] is not played:
            self._shown[who] = played, last_shown(played, who)
        return self._shown[who][1]

    def note(self, state: TableState) -> None:
        """Keep a round that is settled, and nothing of those who left."""
        if state.phase == "settled" and state.round is not None:
            self._keep(Played(state.rounds, state.round, _coupons(state, state.round)))
        if not self._played.keys() <= state.players.keys():
            self._played = {name: played for name, played in self._played.items() if name in state.players}
            self._shown.clear()

    def read(self, rules: Rules, events: Iterable[StoredEvent]) -> None:
        """Keep the rounds that began and ended within stored events; not one under rules that are unknown here."""
        try:
            for played in _ended(rules, events):
                self._keep(played)
        except TwentyoneError:
            return

    def _keep(self, played: Played) -> None:
        self._played |= dict.fromkeys(played.round.state.players, played)


def _coupons(state: TableState, round_: Round) -> dict[str, Amount]:
    """What each player's coupons won in a round."""
    won: dict[str, Amount] = {}
    for wager in state.in_round:
        if paid := wager.coupon_won(round_):
            won[wager.player] = won.get(wager.player, ZERO) + paid
    return won


def _ended(rules: Rules, events: Iterable[StoredEvent]) -> Iterator[Played]:
    stored = list(events)
    decoder, number = Decoder(rules), 0
    for event in open_events(stored, 0, stored[-1].ver) if stored else ():
        if event.type == RoundBegun.kind:
            begun = decoder.decode(event, read_body(event))
            number = begun.number if isinstance(begun, RoundBegun) else 0
        elif event.type == RoundEvent.kind and number:
            decoder.decode(event, read_body(event))
        elif event.type == RoundEnded.kind and number and decoder.round is not None:
            yield Played(number, decoder.round)


def last_shown(played: Played, who: str) -> dict[str, Any]:
    """What somebody had in a round: his hands with their results, the dealer's hand, and what he won or lost."""
    round_ = played.round
    return {
        "round": played.number,
        "net": str(round_.net.get(who, ZERO) + played.coupons.get(who, ZERO)),
        "cite": paid_by(round_, who),
        "dealer": dealer_shown(round_),
        "boxes": [_box(round_, box, who) for box in round_.state.boxes if _plays(round_, box, who)],
    }


def _plays(round_: Round, box: int, who: str) -> bool:
    return any(wager.player == who for hand in round_.state.hands[box] for wager in hand.wagers)


def _box(round_: Round, box: int, who: str) -> dict[str, Any]:
    refs = [HandRef(box, number) for number in range(1, len(round_.state.hands[box]) + 1)]
    hands = [_hand(round_, ref) for ref in refs]
    for hand in hands:
        hand["results"] = [row for row in hand["results"] if row["player"] == who]
    rows = [row for row in round_.state.rows if (row.box, row.hand, row.player) == (box, None, who)]
    return {"box": box, "hands": hands, "results": [settlement(row) for row in rows]}


def _hand(round_: Round, ref: HandRef) -> dict[str, Any]:
    """A hand as it lay there last, also one whose cards are in the discard rack already."""
    hand = round_.state.hand(ref)._replace(away=False)
    seen = hand_seen(round_.rules, round_.state, ref, hand)
    return {**seen, **hand_shown(round_, *ref)}
