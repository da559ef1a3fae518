"""The super bonus: an additional fixed amount for one hand, and what the others at the table are paid for it."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.round.state import Hand, HandWager, bonus_paid
from twentyone.rulebook.clauses import EnvyInPlay

__all__ = ["pay_super_bonuses"]


def pay_super_bonuses(play: Play) -> None:
    """Pay the additional fixed amounts to winning hands, and to everyone else at the table."""
    envies: dict[str, tuple[Amount, str]] = {}
    for ref, hand in list(play.each_hand("right")):
        _super_bonus_of_hand(play, ref, hand, envies)
    for player, (amount, cite) in envies.items():
        play.emit(bonus_paid(cite, player, "envy_bonus", amount))


def _super_bonus_of_hand(play: Play, ref: HandRef, hand: Hand, envies: dict[str, tuple[Amount, str]]) -> None:
    met, paid = False, set[str]()
    winners = [hand_wager for hand_wager in hand.wagers if _has_won(play, ref, hand_wager)]
    for hand_wager in winners:
        barred = play.rules.barred(hand.split, bool(hand_wager.double), hand.doubled)
        if play.rules.super_bonus(play.facts(ref), play.up, barred) is None:
            continue
        met = True
        band = play.rules.band(hand_wager.amount)
        if band is not None:
            paid.add(hand_wager.player)
            play.emit(bonus_paid(band.cite, hand_wager.player, "super_bonus", band.pays, ref))
    if met:
        _envy(play, hand, paid, envies)


def _has_won(play: Play, ref: HandRef, hand_wager: HandWager) -> bool:
    return any(
        row.outcome == "win"
        and (row.box, row.hand, row.player, row.wager) == (*ref, hand_wager.player, hand_wager.wager)
        for row in play.state.rows
    )


def _envy(play: Play, hand: Hand, paid: set[str], envies: dict[str, tuple[Amount, str]]) -> None:
    """The others are paid once per winning hand; players of the winning box only where they count as others."""
    clause = play.rules.envy(bool(paid))
    if clause is None:
        return
    sharers = {hand_wager.player for hand_wager in hand.wagers}
    winners = paid if clause.on == "paid" else sharers
    for player in _others(play):
        if player not in sharers or (clause.sharers and winners - {player}):
            before = envies[player][0] if player in envies else ZERO
            envies[player] = (before + clause.pays, clause.cite)


@carries("envy_in_play")
def _others(play: Play) -> list[str]:
    """The players of the round; those whose every wager went back only where they are paid, too."""
    in_play = {row.player for row in play.state.rows if row.outcome != "void"}
    return [name for name in play.state.players if name in in_play or play.rules.maybe(EnvyInPlay) is None]
