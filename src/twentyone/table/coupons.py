"""Match-play coupons: staff lays one beside a wager; it is paid with the wager, and is used or goes back with it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Coupon
from twentyone.table import events as e
from twentyone.table import wager_events as w
from twentyone.table.model import Placed
from twentyone.table.people import amount_arg
from twentyone.table.play import TablePlay, command, task_cite

__all__ = ["COUPON_NUMBER", "finish_coupons", "pay_coupons", "return_coupons"]

COUPON_NUMBER = re.compile(r"[A-Za-z0-9](-?[A-Za-z0-9]){0,39}", re.ASCII)
"""What the number of a coupon looks like."""

UNDECIDED = ("push", "void")
"""Outcomes of a wager that was neither won nor lost."""


@command("lay_coupon", takes={"box": int, "player": str, "wager": str, "number": str, "amount": Amount})
@carries("coupon")
def lay_coupon(play: TablePlay) -> None:
    """Staff lays a coupon beside a wager whose chips match it, before the deal."""
    box, player, kind = play.need("box", int), play.need("player", str), play.arg("wager", str, "main")
    number, amount = play.need("number", str), amount_arg(play)
    terms = _terms(play.rules, kind)
    if terms is None:
        raise play.refuse(f"no match-play coupon goes with the wager {kind} here")
    if not COUPON_NUMBER.fullmatch(number):
        raise play.refuse(f"{number!r} is not the number of a coupon: letters, digits and single hyphens")
    if play.state.phase != "open":
        closed = task_cite(play.rules, play.state, "deal") if play.state.phase == "round" else None
        raise play.refuse(f"coupons are laid while wagers are: the table is in phase {play.state.phase}", closed)
    beside = [wager for wager in play.state.placed if wager[:3] == (box, player, kind)]
    _check_matched(play, beside, amount, terms)
    if any(wager.number == number for wager in play.state.placed):
        raise play.refuse(f"the coupon {number} lies on the layout already")
    play.emit(w.CouponLaid, terms.cite, number=number, amount=amount, box=box, player=player, wager=kind)


def _check_matched(play: TablePlay, beside: list[Placed], amount: Amount, terms: Coupon) -> None:
    """A coupon lies beside chips that are worth at least as much, and alone."""
    chips = sum((wager.amount for wager in beside), ZERO)
    if not beside:
        raise play.refuse("no such wager lies on this box in chips: the wager is laid first", terms.cite)
    if any(wager.coupon for wager in beside):
        raise play.refuse("a coupon lies beside this wager already")
    if chips < amount:
        why = f"a match-play coupon of {amount} lies beside at least {amount} in chips, and {chips} lies there"
        raise play.refuse(why)


def _terms(rules: Rules, kind: str) -> Coupon | None:
    """The paragraph that lets a match-play coupon lie beside a wager."""
    return next((clause for clause in rules.all(Coupon) if kind in clause.wagers), None)


def _cite(play: TablePlay, wager: Placed) -> str:
    terms = _terms(play.rules, wager.wager)
    return play.cite if terms is None else terms.cite


def pay_coupons(play: TablePlay, before: Round, after: Round) -> None:
    """A coupon is paid with its wager; what a step of the round undoes, it takes back."""
    for wager in play.state.in_round:
        more = wager.coupon_won(after) - wager.coupon_won(before)
        if not more:
            continue
        source, target = ("(inventory)", wager.player) if more > 0 else (wager.player, "(inventory)")
        play.emit(
            e.CouponSettled, _cite(play, wager), source=source, target=target, amount=max(more, -more), why="coupon",
            number=wager.number, box=wager.box, wager=wager.wager,
        )  # fmt: skip


def return_coupons(play: TablePlay, wagers: Iterable[Placed]) -> None:
    """The coupons beside these wagers go back to whoever brought them."""
    for wager in wagers:
        if wager.number:
            play.emit(
                w.CouponReturned, _cite(play, wager), number=wager.number, amount=wager.coupon, box=wager.box,
                player=wager.player, wager=wager.wager,
            )  # fmt: skip


def finish_coupons(play: TablePlay) -> None:
    """With the cards the coupons are taken up: used where their wager was won or lost, else they go back."""
    round_ = play.state.round
    assert round_ is not None
    for wager in play.state.in_round:
        rows = [row for row in round_.state.rows if (row.box, row.player, row.wager) == wager[:3]]
        if all(row.outcome in UNDECIDED for row in rows):
            return_coupons(play, [wager])
        elif wager.number:
            play.emit(
                w.CouponUsed, _cite(play, wager), number=wager.number, amount=wager.coupon, box=wager.box,
                player=wager.player, wager=wager.wager, paid=wager.coupon_won(round_),
            )  # fmt: skip
