"""Hints: the value of each decision, from the exact odds of a shoe without the cards that the player sees."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import Offer, Option, Round
from twentyone.round.state import Hand
from twentyone.rulebook import Rules
from twentyone.strategy import value_class

__all__ = ["can_hint", "hint"]

KEPT = 32
"""Number of shoes whose analysis is cached."""

ASKING = Lock()
"""One hint after the other: what they are worked out from is shared."""

KINDS = ("turn", "rescue", "second_chance", "surrender", "insurance", "late_card", "exposed_card")
"""The questions to which a hint is given."""


def can_hint(round_: Round, need: Offer, option: Option) -> bool:
    """Whether there is a hint for a question: not while a hand lacks a card, or while the next card is known."""
    hand = _hand(round_, option)
    return need.kind in KINDS and len(hand.cards) > 1 and (need.kind == "exposed_card" or round_.state.held is None)


def hint(round_: Round, who: str) -> dict[str, Any]:
    """The value of each decision that is open to a player, in original wagers, and the best."""
    need = round_.next
    mine = [one for one in need.options if one.player == who] if isinstance(need, Offer) else []
    if not isinstance(need, Offer) or not mine or not can_hint(round_, need, mine[0]):
        raise Refused("hints are given only when it is your turn to decide", round_.rules.rulebook.decide_cite)
    values = _values(_Situation(round_, mine[0]), need.kind)
    best = max(values, key=lambda name: values[name])
    return {"decisions": values, "best": best, "basis": _basis(round_, mine[0], need.kind)}


def _hand(round_: Round, option: Option) -> Hand:
    return round_.state.hands[option.box][(option.hand or 1) - 1]


def _basis(round_: Round, option: Option, kind: str) -> str:
    """What the values were computed from."""
    seen = len(_others(round_, option)) + len(_hand(round_, option).cards) + 1
    basis = f"exact for a full shoe without the {seen} cards you can see, in original wagers"
    hand, up = _hand(round_, option), round_.state.dealer[0]
    if kind != "insurance" and round_.rules.may_earn(hand.cards, up, hand.split):
        basis += ", the super bonus of your wager counted"
    more = {
        "insurance": "what each adds to declining it: ",
        "exposed_card": "refusing counts as standing with that card out of the shoe: ",
    }
    return f"{more.get(kind, '')}{basis}"


class _Situation:
    """A hand on which somebody is asked, and what he sees."""

    def __init__(self, round_: Round, option: Option) -> None:
        self.round, self.hand = round_, _hand(round_, option)
        self.up, self.player = round_.state.dealer[0], option.player
        self.others = tuple(_others(round_, option))

    def worth(self, *more: Card, doubled: bool | None = None) -> dict[str, float]:
        """The value of each decision on the hand, with a card that is added to it."""
        from twentyone.odds.hand_values import SeenHand, left_shoes, values_of_hand

        cards, rules = (*self.hand.cards, *more), self.round.rules
        twice = self.hand.doubled if doubled is None else doubled
        asked = SeenHand(cards, self.up, _known(self.round), self.hand.split, twice, self.others, wager=self.wager)
        if self.hand.split:
            twin = next(card for card in self.others if value_class(rules, card) == value_class(rules, cards[0]))
            out = list(self.others)
            out.remove(twin)
            asked = asked._replace(twin=twin, out=tuple(out))
        with ASKING:
            return values_of_hand(left_shoes(rules), asked)

    @property
    def wager(self) -> Amount | None:
        """The original wager on the hand, by which a super bonus goes."""
        return next((wager.amount for wager in self.hand.wagers if wager.player == self.player), None)

    def insurance(self) -> dict[str, float]:
        """What each answer to insurance gains."""
        from twentyone.odds.lookup import insurance_on

        return insurance_on(self._core(), self.hand.cards, self.up)

    def without(self, card: Card) -> _Situation:
        """The same with one more card out of the shoe."""
        twin = object.__new__(_Situation)
        twin.__dict__.update(self.__dict__, others=(*self.others, card))
        return twin

    def _core(self) -> Any:
        return _core(self.round.rules, tuple(sorted(card.rank for card in self.others)))


def _values(asked: _Situation, kind: str) -> dict[str, float]:
    if kind == "insurance":
        return asked.insurance()
    if kind == "late_card":
        due = asked.hand.due or "hit"
        return {"late_card": asked.worth(doubled=False)[due], "call_dead": 0.0}
    if kind == "exposed_card":
        return _exposed(asked)
    values = asked.worth()
    if kind == "surrender":
        return {"surrender": values.pop("surrender"), "decline": max(values.values())}
    return values


def _exposed(asked: _Situation) -> dict[str, float]:
    """Take the card that lies there, or draw no more."""
    held = asked.round.state.held
    assert held is not None
    rules, hand = asked.round.rules, asked.hand
    over = rules.hand((*hand.cards, held), hand.split).points > rules.limit and "second_chance" not in rules.decisions
    stays = asked.without(held).worth()
    taken = -1.0 - hand.doubled if over else max(asked.worth(held).values())
    return {"accept": taken, "refuse": stays.get("stand", stays.get("decline", 0.0))}


def _known(round_: Round) -> str:
    """What the player knows of the hole card: nothing, its range, or the card itself."""
    state = round_.state
    if state.range is None:
        return ""
    if state.shown and len(state.dealer) > 1:
        return f"={value_class(round_.rules, state.dealer[1])}"
    return state.range


def _others(round_: Round, asked: Option) -> list[Card]:
    """The cards that lie face up, except the hand and the up card."""
    state = round_.state
    cards = [card for box in state.boxes for number, hand in enumerate(state.hands[box], 1)
             if (box, number) != (asked.box, asked.hand or 1) for card in hand.cards]  # fmt: skip
    strange = round_.rules.cards.without
    return [card for card in (*cards, *state.set_aside) if card.rank not in strange]


@lru_cache(maxsize=KEPT)
def _core(rules: Rules, gone: tuple[str, ...]) -> Any:
    from twentyone.odds.classes import Classes
    from twentyone.odds.core import Core
    from twentyone.odds.tables import Tables

    classes = Classes.of(rules)
    shoe = classes.shoe
    for rank in gone:
        shoe[classes.index(rank)] -= 1
    core = Core(Tables(rules, shoe))
    core.split_all()
    return core
