"""Match-the-Dealer and the prize wheels: wagers beside the main one."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.commands import Need, Spin, Spun
from twentyone.round.events import HandRef, MeterReset, WagerSettled, WheelSpun
from twentyone.round.play import Play
from twentyone.round.procedure import step
from twentyone.round.state import SideWager, bonus_paid, side_settled
from twentyone.rulebook.clauses import Community, CommunityPay, MeterPaid, Step, Symbol
from twentyone.rulebook.wheels import meters_of

__all__ = ["settle_match", "spin_bonus", "spin_xtreme", "take_spin"]


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
        raise Refused(f"the wheel was spun ({spun.symbol}), but no spin is due", play.step.cite)
    sides = list(_open(play, need.wheel, play.step.start))
    winner = _winner(play, need, spun, sides)
    symbol, community = _symbol(play, need.wheel, spun.symbol)
    play.emit(WheelSpun(play.step.cite, need.wheel, spun.symbol, winner.box, winner.player))
    prize, returned = _prize(play, symbol), play.rules.wager_returned(need.wheel)
    net = prize if returned else prize - winner.amount
    play.emit(side_settled(winner, symbol.cite, "win", net))
    if community is not None:
        others, cite = community
        _pay_others(play, need.wheel, winner, others, cite)
    if not play.rules.each_spins(need.wheel):
        for side in sides:
            if side is not winner:
                play.emit(_not_spun(play, side, returned))


def _not_spun(play: Play, side: SideWager, returned: bool) -> WagerSettled:
    """The wager of a player who is not the hot spot: it is kept, or goes back with the others' by that reading."""
    if returned:
        return side_settled(side, play.step.cite, "push", ZERO)
    return side_settled(side, play.step.cite, "lose", -side.amount)


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


def _symbol(play: Play, wheel: str, name: str) -> tuple[Symbol, tuple[Amount, str] | None]:
    symbols = {symbol.name: symbol for symbol in play.rules.all(Symbol) if symbol.wheel == wheel}
    if name in symbols:
        symbol = symbols[name]
        return symbol, (symbol.others, symbol.cite) if symbol.others is not None else None
    own, plus, others = name.partition("+")
    for row in play.rules.all(Community):
        if plus and own in symbols and row.wheel == wheel and str(row.pays) == others:
            return symbols[own], (row.pays, row.cite)
    raise Refused(f"the wheel has no symbol {name!r}", _paytable_cite(play, wheel, bool(plus)))


@carries("community_pay")
def _paytable_cite(play: Play, wheel: str, community: bool) -> str:
    """The paragraph over the symbols of a wheel, or the one that rules its Community Pay."""
    if community:
        return next(clause.cite for clause in play.rules.all(CommunityPay) if clause.wheel == wheel)
    first = next(symbol for symbol in play.rules.all(Symbol) if symbol.wheel == wheel)
    return first.cite.rpartition("(")[0]


def _prize(play: Play, symbol: Symbol) -> Amount:
    if symbol.pays is not None:
        return symbol.pays
    meter = symbol.meter or ""
    if meter not in play.state.meters:
        cite = next(clause.cite for clause in play.rules.all(MeterPaid) if clause.wheel == symbol.wheel)
        raise Refused(f"a jackpot pays the meter {meter}, which is not given", cite)
    paid = play.state.meters[meter]
    terms = meters_of(play.rules)[meter]
    play.emit(MeterReset(terms.cite, meter, paid, terms.base))
    return paid


def _pay_others(play: Play, wheel: str, winner: SideWager, pays: Amount, cite: str) -> None:
    """Community Pay: once to each other player with the wager."""
    paid = {winner.player}
    for side in play.state.sides:
        if side.wager == wheel and side.player not in paid:
            paid.add(side.player)
            play.emit(bonus_paid(cite, side.player, "community_pay", pays, side.box))
