"""What staff can do besides the next step, and which fields each command needs: the guided actions of a console."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from twentyone.round import Draw, Spin
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import CoverCard, Device, Idle
from twentyone.rulebook.wheels import weights_of
from twentyone.service.rack import counted_rack
from twentyone.table import Table, TableState
from twentyone.table.duty import ASSIGN
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.follow import lowest
from twentyone.table.limits import LIMITS
from twentyone.table.play import COMMANDS, WRITTEN, any_task, assigned_cite, given_task
from twentyone.table.shuffling import RECUTTERS, cover_positions
from twentyone.table.tens import removed_per_deck
from twentyone.table.wheel import paytable_at

__all__ = ["CORRECT", "actions", "fields", "step_fields"]

Field = dict[str, Any]
"""A field of a form; in a list of arguments, what it says beside its name and its type."""
Asked = Mapping[str, Mapping[str, Field]]
"""Arguments that a form asks for, by command."""

CHOOSABLE = (
    "reshuffle", "recut", "change_dealer", ASSIGN, "change_cards", "spread_idle", "device_out_of_order",
    "device_repaired", "cover_device", "remove_device", "shuffler_jammed", "cover_card_seen", "inspect_device",
    "confirm_verbal_wager", "decline_verbal_wager", "lay_coupon", "take_back_wager", "bar_mid_shoe_entry",
    "admit_player", "show_burn_card", "reconstruct", "handle_cards_refused", "buy_in", "fill", "credit", "set_limit",
    "close_table",
)  # fmt: skip
"""Commands a console offers at any time, where the text gives them to the role."""

OF_REAL_CARDS = ("cover_card_seen",)
"""Commands of a table where a person enters the cards: another table's own shoe tells them."""

ABOUT_A_WAGER = ("confirm_verbal_wager", "decline_verbal_wager", "take_back_wager")
"""Commands that name a wager of a player."""
AGAIN = ("wash_cards", "stack_cards")
"""Tasks in which a card may show."""
DEVICE_COMMANDS = ("device_out_of_order", "device_repaired", "cover_device", "remove_device")

SEEN = ("card_drawn_in_error", "dealer_drew_past_17")
"""Reports that name the card, where it was seen."""

EITHER = ("drawn_in_error_unexposed", "drawn_in_error_exposed")
"""The clauses of a card drawn in error: nobody saw it, or somebody did."""

REPORTS = ("insufficient_cards", "reader_failed", "ten_at_burn")
"""Irregularities that nobody reports at a console: the shoe, the devices and the burn do."""


OPTIONAL: Field = {"optional": True}

ENTERED: Asked = {
    "card": {"card": {}, "face_up": {}},
    "turn_card": {"card": {}},
    "spin": {"symbol": {}, "hot_spot": OPTIONAL},
    **{name: {"card": OPTIONAL} for name in ("burn", "show_burn_card")},
}
"""The fields of commands at a table where a person enters the cards of a real shoe; a burn card only if it was seen."""

CORRECT = "correct_entry"
CORRECTION: dict[str, Field] = {"wrong": {}, "right": {}, "why": {}, "box": OPTIONAL, "number": OPTIONAL}
"""The fields of a correction: a card, what the reader told or the wheel did; box and number tell alike ones apart."""

ALWAYS: Asked = {
    "count_cards": {"cards": {}},
    "cut": {"place": {}},
    "recut": {"cutter": {"choices": list(RECUTTERS)}},
    "decline_cut": {"player": {}},
    "buy_in": {"player": {}, "amount": {}},
    "fill": {"amount": {}},
    "credit": {"amount": {}},
    "set_limit": {"about": {"choices": list(LIMITS)}, "amount": {}},
    "handle_cards_refused": {"who": {}},
    ASSIGN: {"floorperson": OPTIONAL},
    "bar_mid_shoe_entry": {"on": {}},
    "admit_player": {"player": {}},
    CORRECT: CORRECTION,
}
"""The fields of commands that are the same in every game."""

COUPON: dict[str, Field] = {"number": {}, "amount": {}}
"""The fields of a coupon beside those of its wager."""

FACE_DOWN: dict[str, Field] = {"card": OPTIONAL, "face_up": {}}
"""The fields of a card that is dealt face down: it is named only if it was found face up."""


def _shown(command: str, asked: Mapping[str, Field]) -> list[Field]:
    """Arguments of a command as fields of a form; their types are those that the command declares."""
    takes = COMMANDS[command].takes
    types = {name: WRITTEN.get(takes[name], takes[name]).__name__ for name in asked}
    return [{"name": name, "type": types[name], **more} for name, more in asked.items()]


def step_fields(table: Table, name: str, entered: bool, dealers: Sequence[str] = ()) -> list[Field]:
    """The fields of a step that is due."""
    round_ = table.state.round
    need = round_.next if round_ is not None else None
    if entered and name == "card" and isinstance(need, Draw) and need.face_down:
        return _shown(name, FACE_DOWN)
    if entered and name == "spin" and round_ is not None and isinstance(need, Spin):
        symbols = list(weights_of(round_.rules)[paytable_at(round_.rules, round_.state, need).name])
        return _shown(name, {**ENTERED[name], "symbol": {"choices": symbols, "unset": True}})
    asked = fields(table.rules, name, entered, table.state.part, dealers)
    counted = {"value": counted_rack(table.state)}
    return [{**field, **counted} if field["name"] == "inventory" else field for field in asked]


class _Known(NamedTuple):
    """What the choices and suggestions of a form follow from."""

    rules: Rules
    stack: int
    dealers: Sequence[str]


def fields(rules: Rules, name: str, entered: bool = False, stack: int = 0, dealers: Sequence[str] = ()) -> list[Field]:
    """The fields of a command, except what the service knows already.

    `stack` are the cards of a stack that is no batch, `dealers` are those who can come to deal.
    """
    if entered and name in ENTERED:
        return _shown(name, ENTERED[name])
    asked = ASKED[name](_Known(rules, stack, dealers)) if name in ASKED else ALWAYS.get(name, {})
    return _shown(name, asked)


def _dealer(known: _Known) -> dict[str, Field]:
    """Who comes to deal."""
    return {"dealer": {"choices": list(known.dealers)} if known.dealers else {}}


def _opening(known: _Known) -> dict[str, Field]:
    """Who comes to deal, and the chips counted in the rack."""
    return {**_dealer(known), "inventory": {"value": counted_rack(TableState())}}


def _received(known: _Known) -> dict[str, Field]:
    """The decks, and whether they are whole, where the text has cards removed from them."""
    decks = {"decks": {"value": known.rules.submission["decks"]}}
    return {**decks, "whole": {"value": True}} if removed_per_deck(known.rules) else decks


def _device(known: _Known) -> dict[str, Field]:
    return {"device": {"choices": [clause.name for clause in known.rules.all(Device)]}}


def _spread(known: _Known) -> dict[str, Field]:
    """How the cards of an idle table are laid, where the text leaves it to the dealer."""
    idle = known.rules.one(Idle)
    return {"face": {"choices": list(idle.face)}} if idle.turned_up else {}


def _told(known: _Known) -> dict[str, Field]:
    """What the reader of this game tells."""
    ranges = list(dict.fromkeys(row.name for row in known.rules.ranges.values()))
    if ranges:
        return {"range": {"choices": ranges, "unset": True}}
    return {"blackjack": {"choices": [False, True], "unset": True}}


def _exposed(known: _Known, name: str) -> dict[str, Field]:
    """Whether a card shows, where the task is done again then."""
    task = any_task(known.rules, name)
    return {"exposed": {}} if task is not None and task.again else {}


def _one_wager(known: _Known) -> dict[str, Field]:
    """Whose wager on which box; without its name all of his there are meant."""
    return {"box": _boxes(known.rules), "player": {}, "wager": {"choices": list(known.rules.wagers), **OPTIONAL}}


def _boxes(rules: Rules) -> Field:
    return {"choices": list(range(1, rules.boxes + 1))}


def _cover(known: _Known) -> dict[str, Field]:
    """How far from the bottom the cover card may go; the least that the text allows is suggested."""
    rules = known.rules
    stack = known.stack or rules.submission["decks"] * rules.cards.per_deck
    positions = cover_positions(rules, stack) if rules.all(CoverCard) else range(stack + 1)
    return {"from_bottom": {"least": positions[0], "most": positions[-1], "value": lowest(positions)}}


ASKED: Mapping[str, Callable[[_Known], Mapping[str, Field]]] = {
    "open_table": _opening,
    "change_dealer": _dealer,
    **{name: partial(_exposed, name=name) for name in AGAIN},
    **dict.fromkeys(ABOUT_A_WAGER, _one_wager),
    **dict.fromkeys(DEVICE_COMMANDS, _device),
    "receive_cards": _received,
    "spread_idle": _spread,
    "insert_cover_card": _cover,
    "lay_coupon": lambda known: {**_one_wager(known), **COUPON},
    "reader_told": _told,
}
"""Arguments whose choices or suggestions follow from the game, by command."""


def actions(table: Table, role: str, entered: bool = False, dealers: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Everything a role may begin at a console: tasks of the text, then reports of irregularities."""
    rules = table.rules
    return [
        *_tasks(table, role, entered, dealers),
        *_corrections(table, role, entered),
        *(_reports(rules, entered) if role in COMMANDS["happened"].roles else []),
    ]


def _tasks(table: Table, role: str, entered: bool, dealers: Sequence[str]) -> list[dict[str, Any]]:
    rules, tasks = rules_in_force(table.rules, table.state), []
    for name in (name for name in CHOOSABLE if entered or name not in OF_REAL_CARDS):
        task = given_task(rules, table.state, name)
        if name == ASSIGN and not assigned_cite(rules.rulebook):
            continue
        if role in (task.role if task is not None else COMMANDS[name].roles):
            says = task.says if task is not None and task.says else name.replace("_", " ")
            cite = task.cite if task is not None else ""
            asked = fields(table.rules, name, entered, dealers=dealers)
            tasks.append({"do": name, "name": "", "says": says, "cite": cite, "fields": asked})
    return tasks


def _corrections(table: Table, role: str, entered: bool) -> list[dict[str, Any]]:
    """The correction of any wrong entry, while the cards of its round lie there; a dealer is shown his last one."""
    if not entered or table.state.round is None or role != "floorperson":
        return []
    return [
        {
            "do": CORRECT,
            "name": "",
            "says": "correct a wrong entry",
            "cite": "",
            "fields": _shown(CORRECT, CORRECTION),
        }
    ]


def _reports(rules: Rules, entered: bool) -> list[dict[str, Any]]:
    reports = []
    for name, (clause_name, _) in IRREGULARITIES.items():
        names = EITHER if clause_name == "card_drawn_in_error" else (clause_name,)
        known = [rules.irregularities[n] for n in names if n in rules.irregularities]
        clause = known[0] if known else None
        if clause is not None and name not in REPORTS:
            says = f"irregularity: {name.replace('_', ' ')}"
            reports.append(
                {
                    "do": "happened",
                    "name": name,
                    "says": says,
                    "cite": clause.cite,
                    "exposed_cite": known[-1].cite,
                    "fields": _report_fields(rules, name, entered),
                }
            )
    return reports


def _report_fields(rules: Rules, name: str, entered: bool) -> list[Field]:
    """The fields of a report of an irregularity."""
    known: Asked = {
        "card_drawn_in_error": {"exposed": {}},
        "box_missed": {"box": _boxes(rules)},
        "wrong_range": {"shown": {"choices": sorted({r.name for r in rules.ranges.values()})}},
    }
    seen = {"card": OPTIONAL} if entered and name in SEEN else {}
    return _shown("happened", {**known.get(name, {}), **seen})
