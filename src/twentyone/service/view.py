"""What a page may know of a table: one JSON value, made for one person.

It is built from `Round.seen_by` and from facts that everybody at the table can see. It never has access to the order of
the shoe; a card that lies face down is called hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.money import ZERO, Amount
from twentyone.round import Offer, Round, Spin
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.round.view import HIDDEN, seen_by
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Cut, FixedWager, MadeWhenLaid, SeveralBoxes, Verbal
from twentyone.rulebook.totals import dealer_limit
from twentyone.rulebook.wheels import weights_of
from twentyone.script.result import settlement
from twentyone.service.hints import can_hint
from twentyone.service.offers import priced
from twentyone.service.single_cards import exposed, subtracted
from twentyone.table import NextStep, Table
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import game_stopped, rules_in_force
from twentyone.table.idle import REQUESTS, can_ask, request_words
from twentyone.table.model import Placed, TableState
from twentyone.table.play import any_task, task_of
from twentyone.table.wheel import paytable_at

__all__ = [
    "DECISIONS",
    "dealer_shown",
    "hand_shown",
    "nobody",
    "own_view",
    "public_view",
    "shared_view",
    "table_view",
]

DECISIONS = {
    "hit": "H",
    "stand": "S",
    "double": "D",
    "split": "P",
    "surrender": "R",
    "insure": "I",
    "even_money": "E",
    "second_chance": "C",
    "rescue": "X",
    "designate": "G",
    "late_card": "L",
    "refuse": "N",
}
"""The decisions a page offers, each with its key."""
KEPT = 256
"""Rules of which is kept what follows from them alone."""


def table_view(table: Table, version: int, role: str, who: str, at: int | None = None) -> dict[str, Any]:
    """The table as `who` may see it in this role at this time, with what he and others are asked."""
    return {**shared_view(table, version, table.next_steps(at=at)), **own_view(table, role, who)}


def shared_view(table: Table, version: int, steps: Iterable[NextStep]) -> dict[str, Any]:
    """What is the same for everybody: the table, and what the procedure asks of whom."""
    asked = [step._asdict() for step in steps]
    return {**public_view(table, version), "cut": _cut(table), "next": asked, "agenda": _agenda(table)}


def _agenda(table: Table) -> list[dict[str, str]]:
    """The steps of the procedure that remain before wagers are laid, in order."""
    tasks = [(item, any_task(table.rules, item.do)) for item in table.state.agenda]
    return [{"do": i.do, "about": i.about, "says": t.says, "cite": t.cite} for i, t in tasks if t is not None]


def own_view(table: Table, role: str, who: str) -> dict[str, Any]:
    """The part for this person alone: his boxes and chips, and what he is asked."""
    state = table.state
    asked = state.phase == "round" and not game_stopped(table.rules, state)
    offer = _offer(state.round, who) if asked else None
    return {"you": _you(table, role, who), "offer": offer, "requests": _requests(table, role, who)}


def nobody(table: Table) -> dict[str, Any]:
    """The same for somebody who is not at the table."""
    return {"you": _you(table, "", ""), "offer": None, "requests": []}


def _requests(table: Table, role: str, who: str) -> list[dict[str, str]]:
    """What a player may ask the staff for now, beside his wagers and decisions."""
    rules = rules_in_force(table.rules, table.state)
    if role != "player" or who not in table.state.players or table.state.phase not in ("open", "idle"):
        return []
    asked = [name for name in REQUESTS if can_ask(rules, table.state, name, who)]
    return [{"do": name, **request_words(rules, table.state, name)} for name in asked]


def public_view(table: Table, version: int) -> dict[str, Any]:
    """What everybody can see on the table."""
    state, rules = table.state, table.rules
    seen = _seen(state.round) if state.round is not None else None
    return {
        "version": version,
        **_game(rules),
        "phase": state.phase,
        "stopped": state.stopped,
        "dealer_on_duty": state.dealer,
        "round": state.rounds,
        "players": {name: _player(state, name) for name in state.players},
        "verbal": [_wager(said) | {"box": said.box, "confirmed": list(said.confirmed)} for said in state.verbal],
        "manners": _manners(table),
        "boxes": _boxes(table, seen),
        "dealer": dealer_shown(state.round, seen),
        "exposed": exposed(state.round),
        "shoe": _shoe(state),
        "rack": sum(len(hand) for bundle in state.rack for hand in bundle.hands),
        "meters": {name: str(meter.shown) for name, meter in state.meters.items()},
        "fixed_meters": [name for name, meter in state.meters.items() if not meter.rate],
    }


@lru_cache(maxsize=KEPT)
def _game(rules: Rules) -> dict[str, Any]:
    """What follows from the rules alone."""
    sizes, weights = _sizes(rules), weights_of(rules)
    return {
        "rulebook": rules.rulebook.id,
        "title": rules.rulebook.title,
        "wagers": list(rules.wagers),
        "stakes": {wager: several[0] for wager, several in sizes.items()},
        "sizes": sizes,
        "limits": _limits(rules),
        "wheels": {name: list(symbols) for name, symbols in weights.items()},
        "weights": weights,
    }


def _sizes(rules: Rules) -> dict[str, list[str]]:
    """The wagers whose sizes the text fixes, each with its sizes."""
    sizes: dict[str, list[str]] = {}
    for fixed in rules.all(FixedWager):
        sizes.setdefault(fixed.wager, []).append(str(fixed.amount))
    return sizes


def _limits(rules: Rules) -> dict[str, Any]:
    chosen = rules.submission
    low, high = chosen.get("table_minimum"), chosen.get("table_maximum")
    several = rules.maybe(SeveralBoxes)
    return {
        "least": str(low) if low is not None else None,
        "most": str(high) if high is not None else None,
        "chip": str(chosen["chip_unit"]),
        "decks": chosen["decks"],
        "boxes_per_player": chosen.get("boxes_per_player", 1),
        "players_per_box": chosen.get("players_per_box", 1),
        "adjacent": several is not None and several.adjacent,
    }


def _you(table: Table, role: str, who: str) -> dict[str, Any]:
    state = table.state
    player = state.players.get(who)
    return {
        "name": who,
        "role": role,
        "boxes": list(player.boxes) if player is not None else [],
        "chips": str(state.chips.get(who, ZERO)) if player is not None else None,
        "standing": player is not None and not player.boxes,
        "barred": player is not None and is_barred(rules_in_force(table.rules, state), player),
    }


def _player(state: TableState, name: str) -> dict[str, Any]:
    player = state.players[name]
    return {"boxes": list(player.boxes), "chips": str(state.chips.get(name, ZERO)), "device": player.device}


def _shoe(state: TableState) -> dict[str, Any] | None:
    shoe = state.shoe
    if shoe is None:
        return None
    seen = {"number": shoe.number, "size": shoe.size, "left": shoe.left, "cover_seen": shoe.seen}
    return {**seen, "backs": shoe.batch, "commitment": shoe.commitment, "cover": shoe.cover}


def _cut(table: Table) -> dict[str, Any] | None:
    """Who is asked to cut now, and the least number of cards from either end."""
    state = table.state
    if not state.agenda or state.agenda[0].do != "cut":
        return None
    cards = state.stack_size(state.agenda[0].about)
    return {"offered": state.cut_offered, "least": table.rules.one(Cut).least, "cards": cards}


# -- boxes and hands


def _seen(round_: Round) -> dict[str, Any]:
    """What everybody may see of a round; its events are in the story."""
    return seen_by(round_.rules, round_.state, (), "player")


def _boxes(table: Table, seen: dict[str, Any] | None) -> list[dict[str, Any]]:
    dealt = {row["box"]: row["hands"] for row in seen["boxes"]} if seen is not None else {}
    return [_box(table, number, dealt.get(number, [])) for number in range(1, table.rules.boxes + 1)]


def _box(table: Table, number: int, hands: list[dict[str, Any]]) -> dict[str, Any]:
    state = table.state
    return {
        "box": number,
        "players": [name for name, player in state.players.items() if number in player.boxes],
        "consent": _consent(table, number),
        "placed": [_wager(placed) for placed in state.placed if placed.box == number],
        "coupons": [_coupon(laid) for laid in (*state.placed, *state.in_round) if laid.box == number and laid.coupon],
        "sides": _sides(state.round, number),
        "hands": [{**hand, **hand_shown(state.round, number, index)} for index, hand in enumerate(hands, 1)],
        "results": _results(state.round, number, None),
    }


def _wager(placed: Placed) -> dict[str, Any]:
    return {"player": placed.player, "wager": placed.wager, "amount": str(placed.amount), "cash": placed.cash}


def _coupon(placed: Placed) -> dict[str, str]:
    return {"player": placed.player, "wager": placed.wager, "number": placed.number, "amount": str(placed.coupon)}


def _manners(table: Table) -> dict[str, bool]:
    """What a player may do about wagers and the burn card here: speak one with cash, take one back, ask."""
    rules = rules_in_force(table.rules, table.state)
    task = task_of(rules, "take_back_wager")
    back = task is not None and "player" in task.role and rules.maybe(MadeWhenLaid) is None
    shown = task_of(rules, "ask_burn_card") is not None and table.state.burned is not None
    return {"verbal": bool(rules.all(Verbal)), "take_back": back, "burn_card": shown and not table.state.burn_asked}


def _consent(table: Table, box: int) -> dict[str, Any] | None:
    """Who may let others wager on this box, and whom he let; none if the text knows no consent or the box is empty."""
    laid = (*table.state.placed, *table.state.verbal)
    first = next((placed.player for placed in laid if placed.box == box), None)
    if first is None or task_of(table.rules, "consent") is None:
        return None
    given = sorted(guest for at, by, guest in table.state.consents if (at, by) == (box, first))
    return {"first": first, "given": given}


def hand_shown(round_: Round | None, box: int, number: int) -> dict[str, Any]:
    """What is known of a hand beside its cards: whether it is a Blackjack or bust, and what became of its wagers."""
    assert round_ is not None
    facts = Play(round_.rules, round_.state).facts(HandRef(box, number))
    bust = facts.points > round_.rules.limit
    shown = {"blackjack": facts.blackjack, "bust": bust, "subtracted": subtracted(round_, HandRef(box, number))}
    return {**shown, "results": _results(round_, box, number)}


def _sides(round_: Round | None, box: int) -> list[dict[str, Any]]:
    sides = round_.state.sides if round_ is not None else ()
    return [
        {"player": side.player, "wager": side.wager, "amount": str(side.amount), "settled": side.settled}
        for side in sides
        if side.box == box
    ]


def _results(round_: Round | None, box: int, hand: int | None) -> list[dict[str, Any]]:
    rows = round_.state.rows if round_ is not None else ()
    return [settlement(row) for row in rows if (row.box, row.hand) == (box, hand)]


def dealer_shown(round_: Round | None, shown: dict[str, Any] | None = None) -> dict[str, Any]:
    """The dealer's hand, as far as everybody may see it; `shown`: what is seen of the round, where that is known."""
    if round_ is None:
        none: dict[str, Any] = {"cards": [], "range": None, "showing": None, "total": None}
        return {**none, "soft": False, "blackjack": False, "bust": False}
    state = round_.state
    facts = round_.rules.dealer_hand(state.dealer) if state.dealer and state.shown else None
    seen = (shown or _seen(round_))["dealer"]
    up = [Card(name) for name in seen["cards"] if name not in (HIDDEN, UNKNOWN.name)]
    return {
        **seen,
        "showing": round_.rules.dealer_hand(tuple(up)).points if up and facts is None else None,
        "total": facts.points if facts is not None else None,
        "soft": facts is not None and facts.soft,
        "blackjack": facts is not None and facts.blackjack,
        "bust": facts is not None and facts.points > dealer_limit(round_.rules),
    }


# -- what is asked


def _offer(round_: Round | None, who: str) -> dict[str, Any] | None:
    if round_ is None:
        return None
    need, cite = round_.next, round_.cite
    if isinstance(need, Spin):
        turns = paytable_at(round_.rules, round_.state, need).name
        return {
            "kind": "spin",
            "wheel": need.wheel,
            "turns": turns,
            "box": need.box,
            "player": need.player,
            "cite": cite,
        }
    if not isinstance(need, Offer):
        return None
    mine = [option for option in need.options if option.player == who]
    first = next(iter(mine or need.options), None)
    return {
        "kind": need.kind,
        "optional": need.optional,
        "cite": cite,
        "box": first.box if first is not None else None,
        "hand": first.hand if first is not None else None,
        "players": sorted({option.player for option in need.options}),
        "yours": bool(mine),
        "hint": bool(mine) and can_hint(round_, need, mine[0]),
        "decisions": _decisions(round_, need, who) if mine else [],
    }


def _decisions(round_: Round, need: Offer, who: str) -> list[dict[str, Any]]:
    allowed: dict[str, dict[str, Any]] = {}
    for option in need.options:
        if option.player == who and option.action not in allowed:
            words = priced(round_, option, need.kind == "turn")
            amounts = _amounts(option.least, option.most)
            allowed[option.action] = {"box": option.box, "hand": option.hand, **amounts, **words}
    ordinary = need.kind == "turn"
    names: Iterable[str] = (*ORDINARY, *allowed) if ordinary else allowed
    return [_decision(round_, name, allowed.get(name)) for name in dict.fromkeys(names)]


ORDINARY = ("hit", "stand", "double", "split", "surrender")
"""What a page always shows on a player's turn, allowed or not."""


def _amounts(least: Amount | None, most: Amount | None) -> dict[str, str]:
    return {key: str(value) for key, value in (("least", least), ("most", most)) if value is not None}


def _decision(round_: Round, name: str, allowed: dict[str, Any] | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"action": name, "key": DECISIONS.get(name, ""), "allowed": allowed is not None}
    if allowed is not None:
        return {**shown, **allowed}
    refused = round_.refusal(name)
    why = refused if isinstance(refused, Refused) else None
    return {**shown, "why": str(why.why) if why is not None else "", "cite": why.cite if why is not None else ""}
