"""What goes wrong in a shift: the irregularities that the text knows, each where it can happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twentyone.cards import SUITS
from twentyone.round import Draw, Offer, Round, Told
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device
from twentyone.rulebook.timing import speaks_of
from twentyone.service.shift.chance import Chance
from twentyone.table import Command, TableState
from twentyone.table.card_devices import gives_cards
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.play import any_task, given_task
from twentyone.table.rack import reconstruct_rack
from twentyone.table.shuffling import RECUTTERS

__all__ = ["at_agenda", "at_table", "in_round", "more_are_likely", "of_round"]


RESHUFFLED = 6
"""Once in so many times a floorperson may have the cards of a shoe reshuffled before the cover card comes out."""


def more_are_likely(round_: Round | None) -> bool:
    """Whether a face-up or wrong card came out of the shoe: others are likely."""
    return round_ is not None and bool(round_.state.face_ups or round_.state.tens)


def in_round(rules: Rules, state: TableState, dealer: str, at: int, chance: Chance) -> Iterator[Command]:
    """Something that can go wrong in the round as it stands; the text may still refuse it."""
    assert state.round is not None
    kinds = [*of_round(rules, state.round), *_of_shoe(rules, state)]
    if kinds:
        do, args = chance.among(kinds)
        if do == "ten":
            do, args = "card", {"card": _ten(rules, chance)}
        yield Command(do, "dealer", dealer, at, args)


def _ten(rules: Rules, chance: Chance) -> str:
    """A card that should not be in the shoe."""
    return chance.among(rules.cards.without) + chance.among(SUITS)


def of_round(rules: Rules, round_: Round) -> list[tuple[str, dict[str, Any]]]:
    """What can go wrong in a round as it stands, whatever lies around it: a command of the table, and what it names."""
    known, need = rules.irregularities, round_.next
    mishaps: list[tuple[str, dict[str, Any]]] = []
    if round_.over:
        return [_reported("dealer_drew_past_17")] if "dealer_past_17" in known else []
    if isinstance(need, Told):
        return []
    if isinstance(need, Draw):
        mishaps += _with_card(rules, round_, need)
    if isinstance(need, Draw | Offer) and round_.state.held is None and not round_.state.unexposed:
        faces = (False,) if _in_deal(round_) else (False, True)
        mishaps += [_reported("card_drawn_in_error", exposed=exposed) for exposed in faces]
    if _no_cause(round_) and "hole_card_read" in known:
        mishaps += [_reported("hole_card_read")] * 2
    if "reader_failed" in round_.rules.irregularities and not round_.state.reader_failed:
        mishaps += [("device_out_of_order", {"device": name}) for name in _readers(rules)]
    if round_.state.range is not None and "wrong_range" in known:
        wrong = sorted({range_.name for range_ in rules.ranges.values()} - {round_.state.range})
        mishaps += [_reported("wrong_range", shown=name) for name in wrong]
    return mishaps


def _of_shoe(rules: Rules, state: TableState) -> list[tuple[str, dict[str, Any]]]:
    """What can go wrong with a device that the cards of the round come out of."""
    devices = [clause.name for clause in rules.all(Device) if gives_cards(rules, state, clause)]
    jams = [("shuffler_jammed", dict[str, Any]())] if state.shoe is not None and state.shoe.continuous else []
    return [*(("device_out_of_order", {"device": name}) for name in devices), *jams]


def _readers(rules: Rules) -> list[str]:
    """The devices without which a round goes on by other rules."""
    return [clause.name for clause in rules.all(Device) if clause.out_of_order == "without"]


def _with_card(rules: Rules, round_: Round, need: Draw) -> list[tuple[str, dict[str, Any]]]:
    """What can go wrong with the card that is due."""
    mishaps: list[tuple[str, dict[str, Any]]] = [("card", {"face_up": True})]
    if "ten" in rules.irregularities:
        mishaps.append(("ten", {}))
    if not _in_deal(round_):
        return [*mishaps, *[_reported("requested_card_missed")] * (2 if need.box is not None else 0)]
    if need.box is None:
        return [*mishaps, *[_reported("dealer_card_missed")] * ("dealer_card_missed" in rules.irregularities)]
    again = need.box in round_.state.missed
    return [*mishaps, *[_reported("box_missed", box=need.box)] * (4 if again else 1)]


def _in_deal(round_: Round) -> bool:
    return round_.rules.steps[round_.state.step].name == "deal"


def _reported(name: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "happened", {"name": name, **more}


def _no_cause(round_: Round) -> bool:
    """Whether there is a hole card that the reader has no cause to read."""
    if round_.state.shown or len(round_.state.dealer) < 2:
        return False
    reads = round_.rules.rulebook.steps_named("read_hole")
    return bool(reads) and not speaks_of(reads[0], round_.state.dealer[0])


# -- outside a round


def at_agenda(rules: Rules, state: TableState, by: dict[str, str], at: int, chance: Chance) -> Iterator[Command]:
    """Something that goes wrong on the way to the shoe: cards show in the mixing, a shuffler jams, a bad cut."""
    head, about = state.agenda[0]
    if head in ("wash_cards", "stack_cards"):
        yield _given(rules, head, by, at, exposed=True)
    elif head == "shuffle":
        yield chance.among([_given(rules, "shuffler_jammed", by, at), _breaks(rules, by, at, chance)])
    elif head == "burn" and "ten" in rules.irregularities:
        yield _given(rules, head, by, at, card=_ten(rules, chance))
    elif head == "count_cards" and not state.miscounted:
        yield _given(rules, head, by, at, cards=state.batches[about].cards - 1)
    elif head in ("insert_cover_card", "load_shoe"):
        yield _given(rules, "recut", by, at, cutter=chance.among(RECUTTERS))


def at_table(rules: Rules, state: TableState, by: dict[str, str], at: int, chance: Chance) -> Iterator[Command]:
    """Something that happens between rounds: a device fails, somebody touches cards, a dispute, a reshuffle."""
    touches = _given(rules, "handle_cards_refused", by, at, who=next(iter(state.players), ""))
    in_force = rules_in_force(rules, state)
    disputes = ("reconstruct",) if reconstruct_rack(state.rack) else ()
    again = ("reshuffle",) if state.rounds_in_shoe and chance.one_in(RESHUFFLED) else ()
    others = [do for do in (*disputes, "ask_burn_card", *again) if given_task(in_force, state, do) is not None]
    jams = ["shuffler_jammed"] if state.shoe is not None and state.shoe.continuous else []
    told = [_given(in_force, do, by, at) for do in (*others, *jams)]
    yield chance.among([_breaks(rules, by, at, chance), touches, *told])


def _breaks(rules: Rules, by: dict[str, str], at: int, chance: Chance) -> Command:
    devices = [clause.name for clause in rules.all(Device)]
    return _given(rules, "device_out_of_order", by, at, device=chance.among(devices) if devices else "")


def _given(rules: Rules, do: str, by: dict[str, str], at: int, **args: Any) -> Command:
    task = any_task(rules, do)
    role = task.role[0] if task is not None else "floorperson"
    return Command(do, role, by.get(role, ""), at, args)
