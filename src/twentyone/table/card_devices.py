"""Devices that the cards come out of: a continuous shuffler, an automated dealing shoe."""

from __future__ import annotations

from collections.abc import Mapping

from twentyone.law import carries
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device, NoEffect, SwitchedOff
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table.model import DeviceState, Player, TableState, Todo
from twentyone.table.play import TablePlay

__all__ = [
    "check_not_halted",
    "failure_cite",
    "gives_cards",
    "halt_of",
    "halting",
    "has_effect",
    "is_barred",
    "is_continuous",
    "return_cards",
    "shuffled_again",
    "switched_off",
]


def is_continuous(rules: Rules) -> bool:
    """Whether the cards are dealt from a device that takes them back and shuffles them without pause."""
    return bool(rules.submission["shuffler"] == "continuous")


def failure_cite(clause: Device) -> str | None:
    """The paragraph on the failure of a device, where its own is one; a reader's stands apart from its inspection."""
    return clause.cite if clause.out_of_order in ("covered", "removed") else None


def halting(rules: Rules, state: TableState, devices: Mapping[str, DeviceState] | None = None) -> Device | None:
    """The device that is out of order and would give the next card; none comes out until it is put away or repaired."""
    known = state.devices if devices is None else devices
    for clause in rules.all(Device):
        if clause.name in known and known[clause.name].state == "out_of_order" and gives_cards(rules, state, clause):
            return clause
    return None


def gives_cards(rules: Rules, state: TableState, clause: Device) -> bool:
    """Whether the next card comes out of this device."""
    if clause.name == "shoe":
        return True
    return clause.name == "shuffler" and is_continuous(rules) and (state.shoe is None or state.shoe.continuous)


def halt_of(rules: Rules, state: TableState, devices: Mapping[str, DeviceState] | None = None) -> str:
    """Why no card comes out; empty where one does."""
    clause = halting(rules, state, devices)
    if clause is None:
        return ""
    return f"the {clause.name} is out of order: no card comes out of it until it is {clause.out_of_order} or repaired"


def check_not_halted(play: TablePlay) -> None:
    """Refuse a card out of a device that is out of order."""
    clause = halting(play.rules, play.state)
    if clause is not None:
        raise play.refuse(halt_of(play.rules, play.state), clause.cite)


def shuffled_again(rules: Rules, state: TableState) -> tuple[Todo, ...]:
    """What the cards of a device need that did not shuffle them: between rounds all, within one those that it holds."""
    if state.phase not in ("open", "round"):
        return state.agenda
    again = agenda.within_round if state.phase == "round" else agenda.reshuffling
    return agenda.keeping(rules, again(rules, state), state.agenda)


@carries("off")
def switched_off(rules: Rules, task: str) -> str | None:
    """The paragraph under which a device leaves this task out."""
    return next((clause.cite for clause in rules.all(SwitchedOff) if task in clause.tasks), None)


@carries("no_effect")
def has_effect(rules: Rules, choice: str) -> bool:
    """Whether a choice of the operator's changes anything under these rules."""
    return all(clause.choice != choice for clause in rules.all(NoEffect))


def is_barred(rules: Rules, player: Player) -> bool:
    """Whether a player may not wager before the cards are shuffled: where they are before every round, he may."""
    return player.barred and has_effect(rules, "mid_shoe_entry")


def return_cards(play: TablePlay) -> None:
    """The cards of the last round go back into the device that shuffles them, before another card comes out of it."""
    shoe = play.state.shoe
    if shoe is not None and shoe.continuous and any(bundle.round for bundle in play.state.rack):
        held = play.state.batches[shoe.batch].cards
        cite = next((clause.cite for clause in play.rules.all(SwitchedOff)), "")
        play.emit(cards.CardsReturned, cite, batch=shoe.batch, cards=held)
