"""A new text of the law at a table: it begins with the next shoe, and no round crosses it."""

from __future__ import annotations

from twentyone.errors import Refused
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import MeterTerms, meters_of
from twentyone.table import agenda
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import TableState
from twentyone.table.shoe import full_batch

__all__ = ["meters_differ", "prepares_shoe", "shoe_begins", "take_up"]

LOAD, COUNT = "load_shoe", "count_cards"
TOWARDS = ("open_table", "make_ready", "change_cards", "sit", "place_wager", "deal")
"""Commands beside those of the agenda that lead to another round."""


def shoe_begins(state: TableState) -> bool:
    """Whether no round is dealt here before another shoe is put into play."""
    if state.phase != "open":
        return state.phase == "closed"
    if any(todo.do == LOAD for todo in state.agenda):
        return True
    waits = state.agenda or state.placed or state.verbal
    return state.shoe is not None and state.shoe.continuous and not waits


def prepares_shoe(state: TableState, do: str) -> bool:
    """Whether a command leads to the next shoe; the others only bring the last one to its end."""
    return do in TOWARDS or any(todo.do == do for todo in state.agenda)


def meters_differ(old: Rules, new: Rules) -> Refused | None:
    """A refusal where the meters of a table are not those of a new text: what they hold has no rule then."""
    before, after = meters_of(old), meters_of(new)
    for name in sorted({*before, *after}):
        one, two = before.get(name), after.get(name)
        if one is None or two is None or _terms(one) != _terms(two):
            cite = next(terms.cite for terms in (two, one) if terms is not None)
            why = f"the meter {name.replace('_', ' ')} of this table is not that of the new text: open another table"
            return Refused(why, cite)
    return None


def _terms(meter: MeterTerms) -> tuple[object, ...]:
    return meter.base, meter.rate, meter.limit, meter.unit


def take_up(old: Rules, new: Rules, state: TableState, at: int) -> None:
    """Let a table ask for what a new text wants before the next deal; other cards come where it wants others."""
    if state.phase != "open":
        return
    rules, before = rules_in_force(new, state), state.agenda
    if state.shoe is None or _cards(old) != _cards(new):
        state.agenda = agenda.keeping(rules, agenda.opening(rules, state, at), before)
    elif before:
        todo = agenda.reshuffling(rules, state)
        counted = all(item.do != COUNT for item in before)
        todo = tuple(item for item in todo if not (counted and item.do == COUNT))
        state.agenda = agenda.keeping(rules, todo, before)


def _cards(rules: Rules) -> tuple[object, ...]:
    return full_batch(rules), agenda.batch_names(rules)
