"""`Round`: one round of play, frozen; `apply` returns the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from twentyone.cards import Card, card_of
from twentyone.errors import Refused
from twentyone.money import ZERO, Amount
from twentyone.round import events as e
from twentyone.round.actions import ACTIONS
from twentyone.round.citing import barred_by
from twentyone.round.commands import (
    Command,
    Confirmed,
    Decision,
    Draw,
    Drawn,
    Happened,
    Need,
    Offer,
    Option,
    Over,
    ReaderTold,
    Spun,
    Told,
    TurnedUp,
)
from twentyone.round.dealing import card_cite, take_card
from twentyone.round.deciding import decide_offer
from twentyone.round.hole_card import take_report, turn_up
from twentyone.round.irregularities import check_confirmed, confirm, happen
from twentyone.round.play import Play
from twentyone.round.procedure import advance
from twentyone.round.side_wagers import take_spin
from twentyone.round.state import State
from twentyone.round.turns import offer
from twentyone.round.view import describe, seen_by
from twentyone.round.wagers import Wagers, place_wagers, show_meters
from twentyone.rulebook import Rules
from twentyone.rulebook.decisions import Refusal as Bar
from twentyone.rulebook.values import meant

__all__ = ["Round"]


class Round:
    """One round of play under some rules.

    >>> from twentyone.rulebook import Rulebook
    >>> rules = Rulebook.load("pa-spanish-21").under({"decks": 6})
    >>> round = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
    >>> for card in "8S 7H 9C KD".split():
    ...     round = round.apply(card)
    >>> [option.action for option in round.legal()]
    ['surrender', 'double', 'hit', 'stand']
    >>> round = round.apply("hit").apply("4D")
    >>> round.next
    Over()
    >>> round.net
    {'Ann': Amount('10')}
    >>> round.state.rows[0].cite
    '58 Pa. Code § 635a.12(a)'
    """

    __slots__ = ("__dict__", "events", "next", "rules", "state")

    rules: Rules
    """The rulebook under the submission."""
    state: State
    """What lies on the layout: the fold of the events."""
    events: tuple[e.Event, ...]
    """Everything that happened, each with its paragraph."""
    next: Need
    """What the round needs now: a card, an answer, a spin, or nothing more."""

    def __init__(self, rules: Rules, state: State, events: tuple[e.Event, ...], need: Need) -> None:
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "next", need)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a round is frozen: apply() returns the next one")

    @classmethod
    def start(
        cls,
        rules: Rules,
        wagers: Iterable[Wagers | Mapping[str, Any]],
        meters: Mapping[str, Amount] | None = None,
        waits: Mapping[str, Fraction] | None = None,
    ) -> Round:
        """A round with these wagers placed and the first card due; the meters show this, and hold beside it `waits`.

        Wagers of a table `{"box": 1, "player": "Ann", "main": "10"}` are dollars, as text, whole numbers or `Amount`.
        """
        play = Play(rules, State())
        place_wagers(play, [_wagers(row) for row in wagers])
        show_meters(play, meters or {}, waits or {})
        need = advance(play, offer)
        return cls(rules, play.state, tuple(play.events), need)

    def __reduce__(self) -> tuple[Any, ...]:
        return Round, (self.rules, self.state, self.events, self.next)

    def __deepcopy__(self, _: object = None) -> Round:
        return self

    __copy__ = __deepcopy__

    def __eq__(self, other: object) -> bool:
        """Whether the same has happened under the same rules."""
        return self is other or (isinstance(other, Round) and self._said == other._said)

    def __hash__(self) -> int:
        return hash((self.rules, len(self.events), type(self.next)))

    @property
    def _said(self) -> tuple[object, ...]:
        return self.events, self.state, self.next, self.rules

    def apply(self, command: Command | Option | Card | str) -> Round:
        """The round after a card, a decision, a spin or an irregularity; refused if the rulebook does not allow it.

        A card or a decision may be given by its name (`8s`, `hit`), a decision as one of `legal()`.
        """
        command = _command(command)
        play = Play(self.rules, self.state.copy())
        if isinstance(self.next, Over) and not isinstance(command, Happened):
            ended = self._ended(command)
            raise Refused(f"the round is over{f': {ended.why}' if ended.why else ''}", ended.cite)
        check_confirmed(play, command)
        if isinstance(command, Confirmed):
            confirm(play, command)
        elif isinstance(command, Drawn):
            take_card(play, self.next, command)
        elif isinstance(command, Decision):
            decide_offer(play, self.next, command)
        elif isinstance(command, Spun):
            take_spin(play, self.next, command)
        elif isinstance(command, ReaderTold):
            take_report(play, self.next, command)
        elif isinstance(command, TurnedUp):
            turn_up(play, self.next, command)
        else:
            happen(play, self.next, command)
        need = advance(play, offer)
        return Round(self.rules, play.state, self.events + tuple(play.events), need)

    def _ended(self, command: Command) -> Bar:
        """What bars a command once the round is over."""
        play = Play(self.rules, self.state)
        ended = [event for event in self.events if isinstance(event, e.RoundVoided | e.HandCalledDead)]
        if ended and (self.state.void or all(hand.status == "dead" for _, hand in play.each_hand())):
            return Bar("", ended[-1].cite)
        return barred_by(play, command) if isinstance(command, Decision) else Bar("", play.cite_of("collect"))

    def legal(self) -> tuple[Option, ...]:
        """Every decision that is allowed now."""
        return self.next.options if isinstance(self.next, Offer) else ()

    def refusal(self, action: str) -> Refused | None:
        """Why the one whose turn it is may not take this decision: what a page shows on a greyed button."""
        try:
            self.apply(Decision(action))
        except Refused as refused:
            return refused
        return None

    @property
    def cite(self) -> str:
        """The paragraph under which it needs what it needs now."""
        play = Play(self.rules, self.state)
        if isinstance(self.next, Draw):
            return card_cite(play, self.next)
        if isinstance(self.next, Offer) and self.state.wrong:
            return self.rules.irregularities["wrong_range"].cite
        if isinstance(self.next, Offer) and self.state.ask is not None:
            return self.state.ask.cite
        return self.events[-1].cite if isinstance(self.next, Over | Told) else play.step.cite

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.state.over

    @property
    def net(self) -> dict[str, Amount]:
        """Each player's gain or loss on the wagers settled so far."""
        net = dict.fromkeys(self.state.players, ZERO)
        for row in self.state.rows:
            net[row.player] = net[row.player] + row.net
        return net

    @property
    def accounts(self) -> dict[str, Amount]:
        """Chips of every player, the layout and the table inventory against the start; they add up to zero."""
        return {**self.state.players, "(layout)": self.state.layout, "(inventory)": self.state.house}

    def seen_by(self, role: str = "player") -> dict[str, Any]:
        """What may leave the server: the round without cards that are not exposed."""
        return seen_by(self.rules, self.state, self.events, role)

    @cached_property
    def _text(self) -> str:
        return describe(self.rules, self.state, self.next)

    def __repr__(self) -> str:
        return self._text


def _wagers(row: Wagers | Mapping[str, Any]) -> Wagers:
    if isinstance(row, Wagers):
        return row
    kinds = {kind: Amount(amount) for kind, amount in row.items() if kind not in ("box", "player")}
    return Wagers(row["box"], row["player"], kinds.pop("main", ZERO), kinds)


def _command(command: Command | Option | Card | str) -> Command:
    """A card or a decision may be given by name, a decision also as the option that offers it."""
    if isinstance(command, str):
        return Decision(command) if command in ACTIONS or command == "decline" else Drawn(_card_named(command))
    if isinstance(command, Option):
        return command.decision()
    return Drawn(command) if isinstance(command, Card) else command


def _card_named(word: str) -> Card:
    try:
        return card_of(word)
    except ValueError:
        near = meant(word, (*ACTIONS, "decline"))
        raise Refused(f"{word!r} is neither a card, a rank and a suit as in 8S, nor a decision{near}") from None
