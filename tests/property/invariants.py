"""What must hold after every event of every round: chips, cards, citations, and the fold.

Each check is a function of its own, so that a planted fault can be shown to fail it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import ZERO
from twentyone.round import Command, Drawn, Happened, Offer, Option, Over, Round, State
from twentyone.round import events as e
from twentyone.round.evolve import evolve
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Pay, SidePay

__all__ = [
    "BONUSES",
    "Ledger",
    "check_cards",
    "check_chips",
    "check_cite",
    "check_offer",
    "check_over",
    "check_row",
    "known_cites",
    "open_chips",
]

BONUSES = ("super_bonus", "envy_bonus", "community_pay")
"""Rows that pay without a wager of their own."""


class Ledger:
    """Follows a round event by event, with a state of its own, and checks it."""

    def __init__(self, round_: Round) -> None:
        self.rules = round_.rules
        self.state = State()
        self.seen = 0
        self.delivered: list[Card] = []
        self.follow(round_)

    def follow(self, round_: Round, command: Command | None = None) -> tuple[e.Event, ...]:
        """Check what happened since the last time, and answer it."""
        new = round_.events[self.seen :]
        self.seen = len(round_.events)
        if isinstance(command, Drawn | Happened) and command.card is not None:
            self.delivered.append(command.card)
        for event in new:
            self._follow_event(event)
        assert self.state == round_.state, "the state is not the fold of the events"
        assert self.state.layout == open_chips(self.state), "chips on the layout belong to no open wager"
        check_offer(round_)
        if isinstance(round_.next, Over):
            check_over(round_)
            check_cards(round_, self.delivered)
        return new

    def _follow_event(self, event: e.Event) -> None:
        check_cite(self.rules.rulebook, event.cite)
        evolve(self.state, event)
        check_chips(self.state)
        if isinstance(event, e.WagerSettled):
            check_row(self.rules, event)


# -- citations


@cache
def known_cites(rulebook: Rulebook) -> frozenset[str]:
    """Every citation that a rulebook can give."""
    return frozenset(rulebook.prefix + paragraph for paragraph in rulebook.entries)


def check_cite(rulebook: Rulebook, cite: str) -> None:
    """A citation names a paragraph of the rulebook."""
    assert cite in known_cites(rulebook), f"{cite!r} is no paragraph of {rulebook.id}"


def check_refusal(rulebook: Rulebook, refused: Refused) -> None:
    """A refusal says why, and under a paragraph of the rulebook or under none."""
    assert refused.why, "a refusal without a reason"
    if refused.cite:
        check_cite(rulebook, refused.cite)


# -- chips


def check_chips(state: State) -> None:
    """No chip comes from nowhere or goes there: players, layout and inventory add up to zero."""
    total = sum(map(int, state.players.values())) + int(state.layout) + int(state.house)
    assert total == 0, f"the accounts add up to {total}"
    assert state.layout >= 0, f"{state.layout} lie on the layout"


def open_chips(state: State) -> int:
    """What the wagers that are not settled hold."""
    total = 0
    for hands in state.hands.values():
        for hand in hands:
            for hand_wager in hand.wagers:
                if not hand_wager.settled:
                    total += int(hand_wager.amount) + int(hand_wager.double) + int(hand_wager.chance)
    return total + sum(int(side.amount) for side in state.sides if not side.settled)


def check_row(rules: Rules, row: e.WagerSettled) -> None:
    """A row's net follows from its amount, outcome and odds; its odds stand under its paragraph."""
    if row.wager in BONUSES:
        assert (row.staked, row.net, row.outcome) == (ZERO, row.amount, "win"), row
        return
    assert row.staked == row.amount, f"{row.staked} of a wager of {row.amount} lay on the layout: {row}"
    expected = _expected(rules, row)
    assert expected is None or row.net == expected, f"{row.net} is not {expected}: {row}"
    if row.outcome == "win" and row.odds is not None and row.wager != "match_the_dealer":
        assert _stands(rules, row), f"no pay row of {row.cite} pays {row.wager} {row.odds}"


def _expected(rules: Rules, row: e.WagerSettled) -> Fraction | int | None:
    """The net that a row must have; None where a wheel decides."""
    if row.outcome == "lose":
        return -int(row.amount)
    if row.outcome in ("push", "void", "rescued"):
        return 0
    if row.outcome == "surrender":
        share = rules.decisions["surrender"].share
        assert share is not None
        return -int(row.amount) * share
    assert row.outcome == "win", row
    return None if row.odds is None else int(row.amount) * Fraction(row.odds.win, row.odds.lay)


def _stands(rules: Rules, row: e.WagerSettled) -> bool:
    rows = [(pay.cite, pay.odds, wager) for pay in rules.all(Pay) for wager in pay.wagers]
    rows += [(pay.cite, pay.odds, pay.wager) for pay in rules.all(SidePay)]
    return (row.cite, row.odds, row.wager) in rows


# -- the end of a round


def check_over(round_: Round) -> None:
    """Nothing lies on the layout, and each player's chips are what his rows say."""
    state = round_.state
    assert state.layout == 0, f"{state.layout} are left on the layout"
    assert state.over, "the round needs nothing more and is not over"
    assert state.ask is None, f"the round is over and asks {state.ask}"
    assert not state.wrong, "the round is over and hands wait for the dealer"
    assert state.held is None, f"{state.held} was drawn in error and is still on the table"
    owed = dict.fromkeys(state.players, ZERO)
    for row in state.rows:
        owed[row.player] += row.net
    assert state.players == owed, f"accounts {state.players}, rows {owed}"
    _check_once(state.rows)
    _check_meters(round_)


def _check_meters(round_: Round) -> None:
    """A round that does not count has paid no meter, unless the reading lets its settlements stand."""
    undone = round_.rules.submission.readings.get("void-after-match") != "stands"
    if round_.state.void and undone:
        shown = {event.meter: event.amount for event in round_.events if isinstance(event, e.MeterShown)}
        assert round_.state.meters == shown, f"meters {round_.state.meters} after a void round, {shown} before"


def _check_once(rows: Iterable[e.WagerSettled]) -> None:
    places = Counter((row.box, row.hand, row.player, row.wager) for row in rows)
    twice = [place for place, count in places.items() if count > 1 and place[3] != "community_pay"]
    assert not twice, f"settled more than once: {twice}"


def check_cards(round_: Round, delivered: Iterable[Card]) -> None:
    """Every card that left the shoe lies somewhere, and none twice."""
    state = round_.state
    lying = Counter(state.dealer) + Counter(state.set_aside)
    for hands in state.hands.values():
        for hand in hands:
            lying.update(hand.cards)
            lying.update([hand.chance] if hand.chance is not None else [])
    came = Counter(delivered)
    assert lying == came, f"dealt {came - lying} that lie nowhere, {lying - came} that never came"
    assert state.used == came.total(), f"{state.used} cards used, {came.total()} came"


# -- offers


def check_offer(round_: Round) -> None:
    """Whoever is asked has an answer, and no answer is listed twice."""
    options = round_.legal()
    assert len(set(options)) == len(options), f"listed twice: {options}"
    if isinstance(round_.next, Offer):
        assert options, f"{round_.next.kind} is asked and nothing may be answered"
        asked = set(round_.state.ask.players) if round_.state.ask is not None else set()
        mute = asked - {(option.box, option.player) for option in options}
        assert not mute, f"{round_.next.kind} is asked of {mute}, who may answer nothing"
        if round_.next.kind not in ("insurance", "late_card", "wrong_range"):
            for option in options:
                _check_open(round_.state, option)


def _check_open(state: State, option: Option) -> None:
    """Who is asked about a hand still has chips at risk on it."""
    hand = state.hands[option.box][(1 if option.action == "designate" else option.hand or 1) - 1]
    own = [hand_wager for hand_wager in hand.wagers if hand_wager.player == option.player]
    is_open = any(not (hand_wager.settled or hand_wager.surrendered or hand_wager.rescued) for hand_wager in own)
    assert is_open or option.action == "designate", f"{option} for a hand that is settled or given up"
