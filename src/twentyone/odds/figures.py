"""The figures of a game, from how its rounds are settled."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.odds.core import Core
from twentyone.odds.insurance import insured
from twentyone.odds.kernels import DECISIONS, HIT, SPLIT
from twentyone.odds.model import Figures, FloatArray
from twentyone.odds.payoffs import UNSEEN
from twentyone.odds.phase_values import PhaseValues
from twentyone.odds.player import ReachProbabilities
from twentyone.odds.results import Results
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.states import Goal, HandState
from twentyone.odds.tables import Row
from twentyone.rulebook import clauses as c

__all__ = ["SuperBonusFigures", "dealers_of", "figures_of", "super_bonus_of"]

WAGER = Amount("5")
"""The wager at which the super bonus is counted in."""


def figures_of(core: Core, settled: SettlementMass, bonus: SuperBonusFigures) -> Figures:
    """All figures of a game under the strategy analysed."""
    extra = insured(core)
    value = settled.value + extra.value
    wager = _average_wager(core, settled)
    outcomes, rows, shares = _rows(core, settled)
    dealers = dealers_of(core)
    return Figures(
        house_edge=float(-value),
        house_edge_with_super_bonus=float(-value - bonus.worth(WAGER)),
        average_wager=float(wager),
        element_of_risk=float(-value / wager),
        super_bonus_probability=float(bonus.probability(WAGER)),
        super_bonus_wager=str(WAGER),
        outcomes=_plain(outcomes),
        bonuses=_plain(rows),
        bonus_shares=_plain(shares),
        decisions=_plain({**_decisions(core, settled), "insure": extra.taken}),
        dealer=_plain(dealers[""]),
        dealer_by_up={up: _plain(dealers[up]) for up in core.tables.classes.names},
        results=Results(core, settled),
    )


def _plain(figures: dict[str, Any]) -> dict[str, float]:
    return {name: float(figure) for name, figure in figures.items()}


# -- wagers and outcomes


def _average_wager(core: Core, settled: SettlementMass) -> Any:
    mass = settled.whole.sum(axis=(1, 2))
    wagers = np.array([core.tables.number(_wagered(core, row)) for row in core.tables.rows])
    return (mass * wagers).sum()


def _wagered(core: Core, row: Row) -> int:
    """The wagers that lay on a hand settled by this row."""
    once = 2 if row.hand.doubled or row.how == "rescue" else 1
    if row.how != "chance":
        return once
    return once + core.tables.rules.chance_wager(1, once - 1)


def _rows(core: Core, settled: SettlementMass) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Hands by result, and pay rows above even money by how often and how much more they pay."""
    mass = settled.whole.sum(axis=1)
    outcomes: dict[str, Any] = {}
    bonuses: dict[str, Any] = {}
    shares: dict[str, Any] = {}
    for at in np.flatnonzero((mass != 0).any(axis=1)):
        row = core.tables.rows[at]
        for column in np.flatnonzero(mass[at] != 0):
            pays, chance = core.game.rows[at, column], mass[at, column]
            _count(outcomes, _result(row, pays), chance)
            if row.how in ("played", "blackjack") and pays > 0:
                _bonus(core, row, int(column), chance, bonuses, shares)
    return outcomes, bonuses, shares


def _result(row: Row, pays: Any) -> str:
    if row.how in ("surrender", "rescue"):
        return row.how
    if row.how == "blackjack" and pays > 0:
        return "blackjack"
    result = "win" if pays > 0 else "push" if pays == 0 else "lose"
    return f"second_chance_{result}" if row.how == "chance" else result


def _bonus(core: Core, row: Row, column: int, chance: Any, bonuses: dict[str, Any], shares: dict[str, Any]) -> None:
    dealer = next(d for d, at in zip(core.tables.payoffs.dealers, core.walk.column, strict=True) if at == column)
    for wager in (row.kind.wager, "double") if row.hand.doubled else (row.kind.wager,):
        pay = core.tables.payoffs.pay(wager, row.hand, UNSEEN if row.how == "blackjack" else dealer)
        if pay.odds.win > pay.odds.lay:
            name = f"{pay.paragraph} {pay.name}".strip()
            _count(bonuses, name, chance)
            _count(shares, name, chance * core.tables.number(Fraction(pay.odds.win, pay.odds.lay) - 1))


def _count(into: dict[str, Any], name: str, chance: Any) -> None:
    into[name] = into.get(name, 0) + chance


def _decisions(core: Core, settled: SettlementMass) -> dict[str, float]:
    """How often each decision is taken on a turn, every hand of a round counted."""
    taken: dict[str, Any] = {}
    for ranges, reached in settled.first.items():
        _taken(taken, core.first[ranges], reached)
    for start, weight in settled.split_weight.items():
        _count(taken, DECISIONS[SPLIT], (weight[:, None] * settled.pair_out(start)).sum())
        _count(taken, DECISIONS[SPLIT], _again(settled, start))
        for original, reached in settled.splits[start].items():
            _taken(taken, core.splits[start].phases[original], reached)
    return taken


def _taken(taken: dict[str, Any], phase: PhaseValues, reached: ReachProbabilities) -> None:
    for turn in range(SPLIT):
        later = (reached.reach[0] * ((phase.solution.plan.turn == turn) & ~phase.group.hands.over[:, None])).sum()
        _count(taken, DECISIONS[turn], later + (reached.states * (phase.turns == turn)).sum())


def _again(settled: SettlementMass, start: int) -> Any:
    """How often pairs are split again: every hand beyond two."""
    hands = sum(reached.mass.sum() for reached in settled.splits[start].values())
    return hands - 2 * (settled.split_weight[start][:, None] * settled.pair_out(start)).sum()


def dealers_of(core: Core) -> dict[str, dict[str, float]]:
    """The dealer's final hand from a full shoe, were it always played out: with any up card (""), and given each."""
    finals, shoe = core.tables.finals, core.tables.shoe * core.one
    counts, size = finals.counts, finals.counts.sum(axis=1)
    ups = ["", *dict.fromkeys(condition.up for condition in finals.conditions)]
    met = np.array([[up in ("", condition.up) for up in ups] for condition in finals.conditions])
    chance = (finals.ways @ met) * core.one
    for held in range(counts.shape[1]):
        chance = chance * _falling(shoe[held], counts.max())[counts[:, held], None]
    chance = (chance / _falling(shoe.sum(), size.max())[size, None]).T.copy()
    return {up: _ended(core, one / one.sum() if up else one) for up, one in zip(ups, chance, strict=True)}


def _ended(core: Core, chance: FloatArray) -> dict[str, float]:
    finals, dealer = core.tables.finals, dict[str, Any]()
    most = max(core.tables.rules.dealer.stands)
    for at, kind in enumerate(finals.kinds):
        name = "blackjack" if kind.blackjack else "over" if kind.points > most else str(kind.points)
        _count(dealer, name, chance[finals.kind == at].sum())
    return dealer


def _falling(many: Any, most: int) -> FloatArray:
    """How many orders of 0, 1, 2 .. cards there are among this many."""
    orders = [many * 0 + 1]
    for taken in range(int(most)):
        orders.append(orders[-1] * (many - taken))
    return np.array(orders)


# -- the super bonus


@dataclass(frozen=True)
class SuperBonusFigures:
    """The fixed bonus for a special hand: where it can still be played for, and what that costs."""

    core: Core
    spots: tuple[tuple[HandState, int, int, FloatArray], ...]
    """State, its number, condition, and (chance of the deal, value now, value of a hit, chance to win the bonus)."""

    def _amount(self, wager: Amount) -> Any:
        band = self.core.tables.rules.band(wager)
        return self.core.tables.number(Fraction(int(band.pays), int(wager)) if band is not None else 0)

    def worth(self, wager: Amount, others: int = 0) -> Any:
        """What the bonus adds to the expected net result of a wager, with this many other players at the table."""
        pays = self._amount(wager)
        own = sum((self._gain(spot, pays) for *_, spot in self.spots), self.core.one * 0)
        rules = self.core.tables.rules
        envy = rules.envy(paid=rules.band(wager) is not None)
        if envy is None or not others:
            return own
        return own + others * self.probability(wager) * self.core.tables.number(Fraction(int(envy.pays), int(wager)))

    def _gain(self, spot: FloatArray, pays: Any) -> Any:
        dealt, now, hit, wins = spot
        played = now + wins * pays if self._hits(spot) else max(now, hit + wins * pays)
        return dealt * (played - now)

    def _hits(self, spot: FloatArray) -> bool:
        return bool(spot[1] == spot[2])

    def probability(self, wager: Amount) -> Any:
        """How often a round earns it, when it is played for where that is worth it at this wager."""
        pays = self._amount(wager)
        total = self.core.one * 0
        for *_, spot in self.spots:
            dealt, now, hit, wins = spot
            if self._hits(spot) or hit + wins * pays > now:
                total += dealt * wins
        return total


def super_bonus_of(core: Core, given: bool) -> SuperBonusFigures:
    """Where the super bonus can be earned; a `given` strategy does not change its decisions for it."""
    rules = core.tables.rules
    clause = rules.maybe(c.SuperBonus)
    spots = []
    if clause is not None and not any(
        bar.on == "split" and clause.paragraph.startswith(bar.rows) for bar in rules.all(c.NotPayable)
    ):
        raise Refused("a super bonus on a split hand is not represented", clause.cite)
    for ranges, phase in core.first.items() if clause is not None else ():
        dealt = core.dealt(ranges)
        for s, state in enumerate(phase.group.states):
            for goal in state.goals:
                for k in range(len(core.tables.conditions)):
                    wins = _wins(core, phase, goal, k)
                    if _earns(core, goal, k) and wins:
                        won = phase.held.left[state.hand, goal.card] * goal.chance * wins
                        now, hit = phase.best[s, k], phase.values[s, k, HIT]
                        won = won if not given or now == hit else core.one * 0
                        spots.append((state, s, k, np.array([dealt[s], now, hit, won])))
    return SuperBonusFigures(core, tuple(spots))


def _earns(core: Core, goal: Goal, k: int) -> bool:
    rules, hand = core.tables.rules, core.tables.rows[goal.rows[0]].hand
    up = core.tables.up_card(core.tables.conditions[k])
    return rules.super_bonus(hand, up, rules.barred(hand.split, False, False)) is not None


def _wins(core: Core, phase: Any, goal: Goal, k: int) -> Any:
    """The chance, joint with the condition, that the finished hand wins."""
    row = core.game.rows[goal.rows[0]]
    return (phase.held.dealer[goal.hand, k] * (row > 0)).sum()
