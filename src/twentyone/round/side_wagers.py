"""Match-the-Dealer, wagers on the first cards, and the prize wheels: wagers beside the main one."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.commands import Need, Spin, Spun
from twentyone.round.events import HandRef, MeterReset, WheelSpun
from twentyone.round.play import Play
from twentyone.round.procedure import step
from twentyone.round.state import SideWager, bonus_paid, side_settled
from twentyone.rulebook.clauses import Community, CommunityPay, CommunityTo, MeterPaid, Step, Symbol
from twentyone.rulebook.side_hands import side_pay
from twentyone.rulebook.wheels import Paytable, meters_of, paytable_of

__all__ = ["settle_firsts", "settle_match", "spin_bonus", "spin_xtreme", "take_spin"]


@step("settle_match")
def settle_match(play: Play, clause: Step) -> Need | None:
    """Settle every Match-the-Dealer Wager, from the side the text says."""
    rows = []
    for side in _open(play, "match_the_dealer", clause.start):
        won = play.rules.match(play.hand(HandRef(side.box, 1)).cards, play.up)
        if won is None:
            rows.append(side_settled(side, clause.cite, "lose", -side.amount))
        else:
            odds, cite = won
            rows.append(side_settled(side, cite, "win", odds.pays(side.amount), odds))
    if clause.collect_first:
        rows.sort(key=lambda row: row.outcome != "lose")
    for row in rows:
        play.emit(row)
    return None


FIRSTS = {"settle_pairs": "perfect_pairs", "settle_threes": "twenty_one_plus_three"}
"""The wagers that are paid by the kind of the first cards, by their steps."""


@step(*FIRSTS)
def settle_firsts(play: Play, clause: Step) -> Need | None:
    """Settle a wager that is paid by the kind of the first cards."""
    for side in _open(play, FIRSTS[clause.name], clause.start):
        one, two = play.hand(HandRef(side.box, 1)).cards[:2]
        row = side_pay(play.rules, side.wager, (one, two), play.up)
        if row is None:
            play.emit(side_settled(side, clause.cite, "lose", -side.amount))
        else:
            play.emit(side_settled(side, row.cite, "win", row.odds.pays(side.amount), row.odds))
    return None


def _open(play: Play, wager: str, start: str) -> Iterator[SideWager]:
    sides = [side for side in play.state.sides if side.wager == wager and not side.settled]
    sides.sort(key=lambda side: side.box, reverse=start == "right")
    return iter(sides)


# -- prize wheels


@step("spin_bonus")
def spin_bonus(play: Play, clause: Step) -> Need | None:
    """The Bonus Spin: a player's Blackjack turns the wheel, everyone else's wager is lost."""
    for side in _open(play, "bonus_spin", clause.start):
        if play.facts(HandRef(side.box, 1)).blackjack:
            return Spin("bonus_spin", side.box, side.player)
        play.emit(side_settled(side, play.rules.wagers["bonus_spin"].cite, "lose", -side.amount))
    return None


@step("spin_xtreme")
def spin_xtreme(play: Play, clause: Step) -> Need | None:
    """Xtreme 16: the dealer's initial hand turns the wheel once, for the hot spot."""
    sides = list(_open(play, "xtreme_16", clause.start))
    if not sides:
        return None
    if not play.rules.wheel_triggered("xtreme_16", *play.state.dealer[:2]):
        for side in sides:
            play.emit(side_settled(side, play.rules.wagers["xtreme_16"].cite, "lose", -side.amount))
        return None
    single = len({side.player for side in sides}) == 1
    if single or play.rules.each_spins("xtreme_16"):
        return Spin("xtreme_16", sides[0].box, sides[0].player)
    return Spin("xtreme_16", None, None)


@carries("symbol", "community", "meter_paid")
def take_spin(play: Play, need: Need, spun: Spun) -> None:
    """Pay the symbol that the wheel landed on."""
    if not isinstance(need, Spin):
        spin = play.cite_of("spin_bonus") or play.cite_of("spin_xtreme")
        raise Refused(f"the wheel was spun ({spun.symbol}), but no spin is due", spin)
    sides = list(_open(play, need.wheel, play.step.start))
    winner = _winner(play, need, spun, sides)
    paytable = paytable_of(play.rules, need.wheel, winner.amount)
    symbol, beside = _symbol(play, paytable, spun.symbol)
    due = play.rules.community_due(need.wheel)
    others = [side for side in sides if side is not winner] if due else _each_player(play, winner)
    if due and others and beside is None:
        why = f"{spun.symbol} shows no Community Pay, which {len(others)} more such wagers win"
        raise Refused(why, play.rules.of_wheel(CommunityTo, need.wheel).cite)
    play.emit(WheelSpun(play.step.cite, need.wheel, spun.symbol, winner.box, winner.player))
    prize = _prize(play, paytable, symbol)
    play.emit(side_settled(winner, symbol.cite, "win", prize + _beside_a_prize(play, winner)))
    if isinstance(beside, Community):
        _pay_community(play, others, beside, due)
    elif beside is not None:
        _pay_row(play, others, paytable.shared.index(beside))


def _beside_a_prize(play: Play, side: SideWager) -> Amount:
    """What a wager gains beside its prize: it is kept, or goes back by that reading."""
    return ZERO if play.rules.wager_returned(side.wager) else -side.amount


def _winner(play: Play, need: Spin, spun: Spun, sides: list[SideWager]) -> SideWager:
    box = need.box if need.box is not None else spun.hot_spot
    if box is None:
        raise Refused("more than one box has the wager and no hot spot is named", play.step.cite)
    if spun.hot_spot is not None and not play.rules.each_spins(need.wheel):
        box = spun.hot_spot
    for side in sides:
        if side.box == box and need.player in (None, side.player):
            return side
    raise Refused(f"box {box} has no such wager and cannot be the hot spot", play.step.cite)


def _symbol(play: Play, paytable: Paytable, name: str) -> tuple[Symbol, Symbol | Community | None]:
    """The row of a symbol, and the row of the Community Pay that it shows."""
    symbols = paytable.symbols
    if name in symbols:
        return symbols[name], symbols[name] if symbols[name].others is not None else None
    own, plus, others = name.partition("+")
    for row in play.rules.all(Community):
        if plus and own in symbols and row.wheel == paytable.wheel and str(row.pays) == others:
            return symbols[own], row
    raise Refused(f"the wheel has no symbol {name!r}", _paytable_cite(play, paytable, bool(plus)))


@carries("community_pay")
def _paytable_cite(play: Play, paytable: Paytable, community: bool) -> str:
    """The paragraph over the symbols of a wheel, or the one that rules its Community Pay."""
    if community:
        return next(clause.cite for clause in play.rules.all(CommunityPay) if clause.wheel == paytable.wheel)
    first = next(iter(paytable.symbols.values()))
    return first.cite.rpartition("(")[0]


def _prize(play: Play, paytable: Paytable, symbol: Symbol) -> Amount:
    """What a symbol pays to the one who spun; a jackpot takes what its meter shows, and the meter starts again."""
    if symbol.pays is not None:
        return symbol.pays
    meter = paytable.meter(symbol.meter or "")
    if meter not in play.state.meters:
        cite = play.rules.of_wheel(MeterPaid, symbol.wheel).cite
        raise Refused(f"a jackpot pays the meter {meter}, which is not given", cite)
    paid, terms = play.state.meters[meter], meters_of(play.rules)[meter]
    held = int(terms.base) + play.state.meters_wait[meter]
    shown = terms.shows(held)
    play.emit(MeterReset(terms.cite, meter, paid, shown, held - int(shown)))
    return paid


def _each_player(play: Play, winner: SideWager) -> list[SideWager]:
    """Of each other player with the wager the highest one; a wager that was returned is none."""
    returned = {(row.box, row.player) for row in play.state.rows if (row.wager, row.outcome) == (winner.wager, "void")}
    sides: dict[str, SideWager] = {}
    for side in play.state.sides:
        if side.wager == winner.wager and side.player != winner.player and (side.box, side.player) not in returned:
            sides[side.player] = max(sides.get(side.player, side), side, key=lambda one: one.amount)
    return list(sides.values())


def _pay_community(play: Play, sides: list[SideWager], row: Community, settles: bool) -> None:
    """Community Pay to each of these wagers; where they win by it, they are settled with it."""
    for side in sides:
        if settles:
            play.emit(side_settled(side, row.cite, "win", _beside_a_prize(play, side)))
        play.emit(bonus_paid(row.cite, side.player, "community_pay", row.pays, side.box))


def _pay_row(play: Play, sides: list[SideWager], number: int) -> None:
    """Community Pay by a row of two amounts: to each of these wagers the same row of its own paytable."""
    for side in sides:
        row = paytable_of(play.rules, side.wager, side.amount).shared[number]
        play.emit(bonus_paid(row.cite, side.player, "community_pay", row.others or ZERO, side.box))
