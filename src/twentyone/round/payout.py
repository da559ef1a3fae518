"""Settling wagers: how a hand fares against the dealer's, what it pays, in which order chips move."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.cards import Card
from twentyone.law import carries
from twentyone.money import NOTHING, Amount
from twentyone.round.commands import Need
from twentyone.round.double_down import rescued_rows
from twentyone.round.events import HandRef, WagerSettled, settled
from twentyone.round.irregularities import put_away_held
from twentyone.round.play import UNSEEN, Play
from twentyone.round.procedure import step
from twentyone.round.state import Hand, HandWager
from twentyone.round.surrender import surrendered_row, timing
from twentyone.rulebook import HandFacts
from twentyone.rulebook.clauses import ChanceResult, Envy, Outcome, Pay, Settlement, Spared, Step

__all__ = ["chance_rows", "matters", "settle", "settle_early"]


# -- one hand


def settle_early(play: Play, ref: HandRef) -> None:
    """Pay a hand that wins whatever the dealer holds, before his hand is known."""
    hand = play.hand(ref)
    for hand_wager in hand.wagers:
        if not hand_wager.settled:
            for row in _won(play, ref, hand_wager, UNSEEN):
                play.emit(row)


def rows_of(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> Iterator[WagerSettled]:
    """How one player's wagers on one hand are settled against this dealer's hand."""
    hand = play.hand(ref)
    if hand_wager.surrendered:
        yield surrendered_row(play, ref, hand_wager, timing(play).cite)
        return
    if hand_wager.rescued:
        yield from rescued_rows(play, ref, hand_wager)
        return
    if hand_wager.chance and hand.chance is None:
        cite = play.rules.irregularities["drawn_in_error_refused"].cite
        yield _row(cite, ref, hand_wager, "second_chance", hand_wager.chance, "push", NOTHING)
        hand_wager = hand_wager._replace(chance=NOTHING)
    facts = play.facts(ref)
    outcome = play.rules.outcome(facts, dealer)
    if hand.chance is not None:
        yield from _chance_outcome(play, ref, hand_wager, outcome)
    elif outcome.result == "win":
        yield from _won(play, ref, hand_wager, dealer)
    elif outcome.result == "lose":
        yield from _lost(play, ref, hand_wager, outcome, facts, dealer)
    else:
        yield from _returned(ref, hand_wager, outcome.cite)


def _won(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> Iterator[WagerSettled]:
    hand, facts = play.hand(ref), play.facts(ref)
    barred = play.rules.barred(hand.split, bool(hand_wager.double), hand.doubled)
    for wager, amount in ((hand_wager.wager, hand_wager.amount), ("double", hand_wager.double)):
        if amount:
            pay = play.rules.pay(wager, facts, dealer, barred)
            yield _paid(pay, ref, hand_wager, wager, amount)


def _lost(
    play: Play, ref: HandRef, hand_wager: HandWager, outcome: Outcome, facts: HandFacts, dealer: HandFacts
) -> Iterator[WagerSettled]:
    """Collect; a dealer's Blackjack takes only what the text lets it take."""
    bust = facts.points > play.rules.limit
    for wager, amount in ((hand_wager.wager, hand_wager.amount), ("double", hand_wager.double)):
        if not amount:
            continue
        spared = _spared(play, wager, bust) if dealer.blackjack else None
        if spared is not None:
            yield _row(spared.cite, ref, hand_wager, wager, amount, "push", NOTHING)
        else:
            yield _row(outcome.cite, ref, hand_wager, wager, amount, "lose", -amount)


def _spared(play: Play, wager: str, bust: bool) -> Spared | None:
    for clause in play.rules.spared:
        if clause.wager == wager and (not bust or clause.bust):
            return clause
    return None


def _returned(ref: HandRef, hand_wager: HandWager, cite: str) -> Iterator[WagerSettled]:
    for wager, amount in (
        (hand_wager.wager, hand_wager.amount),
        ("double", hand_wager.double),
        ("second_chance", hand_wager.chance),
    ):
        if amount:
            yield _row(cite, ref, hand_wager, wager, amount, "push", NOTHING)


def _row(
    cite: str, ref: HandRef, hand_wager: HandWager, wager: str, amount: Amount, outcome: str, net: Amount
) -> WagerSettled:
    return settled(cite, on=ref, player=hand_wager.player, wager=wager, amount=amount, outcome=outcome, net=net)


def _paid(pay: Pay, ref: HandRef, hand_wager: HandWager, wager: str, amount: Amount) -> WagerSettled:
    return settled(
        pay.cite,
        on=ref,
        player=hand_wager.player,
        wager=wager,
        amount=amount,
        outcome="win",
        odds=pay.odds,
        net=pay.odds.pays(amount),
    )


# -- a hand with a second chance


def chance_rows(
    play: Play, ref: HandRef, hand_wager: HandWager, main: str, chance: str, cite: str
) -> Iterator[WagerSettled]:
    """Settle a hand with a second chance: the other wagers go `main`, the Second Chance Wager `chance`."""
    for wager, amount in ((hand_wager.wager, hand_wager.amount), ("double", hand_wager.double)):
        if amount:
            yield _row(cite, ref, hand_wager, wager, amount, main, -amount if main == "lose" else NOTHING)
    if chance == "win":
        pay = play.rules.pay("second_chance", UNSEEN, UNSEEN)
        yield _paid(pay, ref, hand_wager, "second_chance", hand_wager.chance)
    else:
        net = -hand_wager.chance if chance == "lose" else NOTHING
        yield _row(cite, ref, hand_wager, "second_chance", hand_wager.chance, chance, net)


@carries("chance_result")
def _chance_outcome(play: Play, ref: HandRef, hand_wager: HandWager, outcome: Outcome) -> Iterator[WagerSettled]:
    for clause in play.rules.all(ChanceResult):
        if clause.outcome == outcome.result:
            cite = clause.cite if outcome.result == "win" else outcome.cite
            yield from chance_rows(play, ref, hand_wager, clause.main, clause.chance, cite)


# -- all hands


@step("pay_blackjacks")
def pay_blackjacks(play: Play, clause: Step) -> Need | None:
    """Pay every player's Blackjack before the hole card is read."""
    for ref, _ in list(play.each_hand(clause.start)):
        if play.facts(ref).blackjack:
            settle_early(play, ref)
    return None


@step("settle")
def settle(play: Play, _: Step) -> Need | None:
    """Settle everything that is left, in the order the operator designated."""
    put_away_held(play)
    order = play.rules.one(Settlement)
    dealer = play.dealer()
    rows = [
        row
        for ref, hand in play.each_hand(order.start)
        for hand_wager in hand.wagers
        if not hand_wager.settled
        for row in rows_of(play, ref, hand_wager, dealer)
    ]
    for row in _in_order(order, rows):
        play.emit(row)
    pay_super_bonuses(play)
    return None


@carries("settlement")
def _in_order(order: Settlement, rows: list[WagerSettled]) -> list[WagerSettled]:
    if order.name == "by-player":
        return rows
    return sorted(rows, key=lambda row: row.outcome != "lose")


# -- the super bonus


def pay_super_bonuses(play: Play) -> None:
    """Pay the additional fixed amounts to winning hands, and to everyone else at the table."""
    envies: dict[str, tuple[Amount, str]] = {}
    for ref, hand in list(play.each_hand("right")):
        _super_bonus_of_hand(play, ref, hand, envies)
    for player, (amount, cite) in envies.items():
        play.emit(
            settled(cite, player=player, wager="envy_bonus", amount=amount, outcome="win", net=amount, bonus=True)
        )


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
            play.emit(
                settled(
                    band.cite,
                    on=ref,
                    player=hand_wager.player,
                    wager="super_bonus",
                    amount=band.pays,
                    outcome="win",
                    net=band.pays,
                    bonus=True,
                )
            )
    if met:
        _envy(play, hand, paid, envies)


def _has_won(play: Play, ref: HandRef, hand_wager: HandWager) -> bool:
    return any(
        row.outcome == "win"
        and (row.box, row.hand, row.player, row.wager) == (*ref, hand_wager.player, hand_wager.wager)
        for row in play.state.rows
    )


@carries("envy")
def _envy(play: Play, hand: Hand, paid: set[str], envies: dict[str, tuple[Amount, str]]) -> None:
    """The others are paid once a winning hand; players of the winning box only where they count as others."""
    clause = play.rules.maybe(Envy)
    if clause is None or not (paid or clause.on == "hand"):
        return
    sharers = {hand_wager.player for hand_wager in hand.wagers}
    winners = paid if clause.on == "paid" else sharers
    for player in play.state.players:
        if player not in sharers or (clause.sharers and winners - {player}):
            before = envies[player][0] if player in envies else NOTHING
            envies[player] = (before + clause.pays, clause.cite)


# -- does the dealer's count matter


def matters(play: Play) -> bool:
    """Whether the dealer's further cards can change how any wager is settled."""
    if len(play.state.dealer) < 2 and _second_card_matters(play):
        return True
    return any(
        _hand_matters(play, ref, hand_wager)
        for ref, hand in play.each_hand()
        for hand_wager in hand.wagers
        if not (hand_wager.settled or hand_wager.surrendered or hand_wager.rescued)
    )


def _second_card_matters(play: Play) -> bool:
    if not _can_be_blackjack(play):
        return False
    insured = any(side.wager == "insurance" and not side.settled for side in play.state.sides)
    given_up = any(
        (hand_wager.surrendered or hand_wager.rescued) and not hand_wager.settled
        for _, hand in play.each_hand()
        for hand_wager in hand.wagers
    )
    return insured or given_up


def _hand_matters(play: Play, ref: HandRef, hand_wager: HandWager) -> bool:
    stops = play.rules.dealer_stops
    facts = play.facts(ref)
    if stops is not None and stops.draws_for == facts.points and len(facts.cards) > 2:
        return True
    finals = iter(_finals(play))
    first = _settled_like(play, ref, hand_wager, next(finals))
    return any(_settled_like(play, ref, hand_wager, final) != first for final in finals)


def _settled_like(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> tuple[object, ...]:
    return tuple((row.wager, row.outcome, row.net) for row in rows_of(play, ref, hand_wager, dealer))


def _finals(play: Play) -> Iterator[HandFacts]:
    """The hands the dealer may still end with: every standing total, every total over, and a Blackjack if it can be."""
    cards = play.state.dealer
    several: tuple[Card, ...] = (cards[0], cards[0], cards[0])
    least = min(play.rules.dealer.stands)
    for points in range(least, least + max(play.rules.values.values())):
        yield HandFacts(several, points)
    if len(cards) == 1 and _can_be_blackjack(play):
        yield HandFacts(several[:2], play.rules.limit, blackjack=True)


def _can_be_blackjack(play: Play) -> bool:
    """Whether the up card can still become a Blackjack."""
    values = play.rules.values
    return values.get(play.up.rank, max(values.values())) == max(values.values())
