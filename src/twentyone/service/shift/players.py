"""Automatic players: where they sit, what they wager, what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from twentyone.money import ZERO, Amount
from twentyone.round import Offer, Round
from twentyone.round.commands import Option
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Coupon, FixedWager, Verbal, WagerLimit
from twentyone.service.shift.chance import Chance
from twentyone.table import Command, TableState
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import rules_in_force

__all__ = ["LEAST_PURSE", "PURSE", "PlannedWager", "answers", "boxes_taken", "plain_choice", "planned_wagers"]

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gita")
PURSE, LEAST_PURSE = Amount("2000"), Amount("600")
"""What a player buys in for, once he has less than the least."""
SIZES = (10, 10, 15, 25, 25, 50)
"""Main wagers in dollars, before the limits of the table."""
STAY = 15
"""Rounds after which the company at the table changes."""
CROWD = 6
"""One company in so many takes every box it can get."""
STAND_FROM = 17
"""The plain rule: hit below this total, else stand."""


class PlannedWager(NamedTuple):
    """A wager that a player means to lay."""

    player: str
    """Whose."""
    box: int
    """Where."""
    wager: str
    """Which kind."""
    amount: Amount
    """How much."""
    cash: bool = False
    """Whether he says it, with cash."""
    coupon: Amount = ZERO
    """The match-play coupon beside it."""

    def args(self) -> dict[str, Any]:
        """The arguments of the command that lays it."""
        more = {"cash": True} if self.cash else {}
        return {"box": self.box, "wager": self.wager, "amount": str(self.amount), **more}


def boxes_taken(rules: Rules, seed: str, rounds: int) -> dict[str, list[int]]:
    """The boxes that each player takes after so many rounds; at least one player comes.

    Where several may share a box, those who find none stand behind: they take no box.
    """
    chance = Chance(seed, "seats", rounds // STAY)
    last, own = rules.boxes, int(rules.submission.get("boxes_per_player", 1))
    boxes_of: dict[str, list[int]] = {}
    box = min(1 + chance.below(2), last)
    company = len(NAMES) if chance.one_in(CROWD) else 1 + chance.below(2) + chance.one_in(3)
    for name in NAMES[:company]:
        count = 2 if own > 1 and chance.one_in(5) else 1
        boxes = list(range(box, min(box + count - 1, last) + 1))
        if boxes or _may_share(rules):
            boxes_of[name] = boxes
        box += count + chance.below(2)
    return boxes_of


def _may_share(rules: Rules) -> bool:
    """Whether several players may wager on one box."""
    return int(rules.submission.get("players_per_box", 1)) > 1


def planned_wagers(rules: Rules, state: TableState, seed: str) -> list[PlannedWager]:
    """What the players at the table mean to wager in the next round; somebody does, unless all of them are barred."""
    chance = Chance(seed, "wagers", state.rounds)
    in_force = rules_in_force(rules, state)
    able = {name: player.boxes for name, player in state.players.items() if not is_barred(in_force, player)}
    planned = [
        wager
        for name, boxes in able.items()
        if not (len(able) > 1 and chance.one_in(15))
        for box in (*boxes, *_shared(rules, name, able, chance))
        for wager in _on_box(rules, name, box, chance)
    ]
    first = next(((name, boxes[0]) for name, boxes in able.items() if boxes), None)
    return planned or ([] if first is None else _on_box(rules, *first, chance))


def _shared(rules: Rules, name: str, able: dict[str, tuple[int, ...]], chance: Chance) -> tuple[int, ...]:
    """The box of somebody else that a player wagers on too, or alone, where several may share a box."""
    others = [boxes[0] for other, boxes in able.items() if other != name and boxes]
    shares = _may_share(rules) and (not able[name] or chance.one_in(3))
    return (chance.among(others),) if others and shares else ()


def _on_box(rules: Rules, player: str, box: int, chance: Chance) -> list[PlannedWager]:
    terms = rules.submission
    main = _in_chips(rules, Amount(chance.among(SIZES)), terms.get("table_minimum"), terms.get("table_maximum"))
    if main is None:
        return []
    cash = bool(rules.all(Verbal)) and chance.one_in(60)
    coupons = any("main" in clause.wagers for clause in rules.all(Coupon))
    matched = main if coupons and chance.one_in(40) else ZERO
    wagers = [PlannedWager(player, box, "main", main, cash, matched)]
    for kind in rules.wagers:
        side = _side(rules, kind, main, chance) if kind != "main" and chance.one_in(3) else None
        if side is not None:
            wagers.append(PlannedWager(player, box, kind, side))
    return wagers


def _side(rules: Rules, kind: str, main: Amount, chance: Chance) -> Amount | None:
    """A side wager of this kind, where one fits between its limits."""
    fixed = [clause.amount for clause in rules.all(FixedWager) if clause.wager == kind]
    if fixed:
        return chance.among(fixed) if len(fixed) > 1 else fixed[0]
    limits = [main, rules.submission.get(f"{kind}_maximum")]
    if not any(limit.wager == kind for limit in rules.all(WagerLimit)):
        limits = limits[1:]
    most = min((limit for limit in limits if limit is not None), default=None)
    return _in_chips(rules, Amount.from_thousandths(int(main) // 5), rules.wagers[kind].least, most)


def _in_chips(rules: Rules, wish: Amount, least: Amount | None, most: Amount | None) -> Amount | None:
    """The amount nearest to a wish that can be laid between two limits."""
    unit: Amount = rules.submission["chip_unit"]
    low = max(least or unit, unit).up_to_unit(unit)
    amount = max(wish.up_to_unit(unit), low)
    if most is not None:
        amount = min(amount, Amount(most - most % unit))
    return amount if amount >= low else None


# -- decisions


def answers(round_: Round, offer: Offer, dealer: str, at: int, chance: Chance) -> Iterator[Command]:
    """Answers to an offer: the preferred one first, then every other one that is allowed.

    Each player says his own no; now and then the dealer closes the offer for those who have not answered. An offer that
    nobody may answer is closed by the dealer.
    """
    options = list(offer.options)
    if not options:
        yield Command("decide", "dealer", dealer, at, {"action": "decline"})
        return
    if offer.optional and chance.one_in(8):
        yield Command("decide", "dealer", dealer, at, {"action": "decline"})
    elif offer.optional and not chance.one_in(4):
        who = chance.among(options)
        yield Command("decide", "player", who.player, at, {"action": "decline", "box": who.box})
    wish = _wish(round_, offer, options, chance)
    for option in (wish, *reversed(options)):
        yield _said(option, dealer, at)
    if offer.optional:
        yield Command("decide", "dealer", dealer, at, {"action": "decline"})


def _wish(round_: Round, offer: Offer, options: list[Option], chance: Chance) -> Option:
    return chance.among(options) if offer.kind != "turn" or chance.one_in(5) else plain_choice(round_, options)


def plain_choice(round_: Round, options: Sequence[Option]) -> Option:
    """What the plain rule takes: hit or stand by the total of the hand, else the last option."""
    by_action = {option.action: option for option in options}
    box, hand = options[0].box, options[0].hand or 1
    cards = round_.state.hands[box][hand - 1]
    points = round_.rules.hand(cards.cards, cards.split, cards.doubled, len(round_.state.hands[box])).points
    return by_action.get("hit" if points < STAND_FROM else "stand") or options[-1]


def _said(option: Option, dealer: str, at: int) -> Command:
    args: dict[str, Any] = {"action": option.action, "box": option.box}
    if option.action in ("designate", "go_on", "call_dead") and option.hand is not None:
        args["hand"] = option.hand
    by_dealer = option.player == "dealer"
    return Command("decide", "dealer" if by_dealer else "player", dealer if by_dealer else option.player, at, args)
