"""Opening and closing: inspections, receipt of the cards, their way to the stack (headings "Opening of the table")."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import ZERO, Amount, dollars
from twentyone.round.wagers import key_cite
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Batches, CardChange
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.idle import first_player
from twentyone.table.model import TableState, Todo
from twentyone.table.people import amount_arg
from twentyone.table.play import (
    NO_TEXT,
    TablePlay,
    assigned_cite,
    check_name,
    check_no_ten_lies_there,
    command,
    expect,
    task_of,
)
from twentyone.table.tens import REMOVAL, removed_per_deck

__all__ = ["change_overdue"]

SIMPLE: dict[str, type[cards.BatchEvent]] = {
    "inspect_cards": cards.CardsInspected,
    "verify_inspection": cards.InspectionVerified,
    "spread_cards": cards.CardsSpread,
    "turn_cards_up": cards.CardsTurnedUp,
}
"""Tasks that are done by saying so, and the event each becomes."""
OPEN_BECAUSE = {"round": "a round is in progress", "settled": "the cards of the round are not picked up"}
"""Why a table cannot be closed, by its phase."""
MIXING: dict[str, type[cards.BatchEvent]] = {"wash_cards": cards.CardsWashed, "stack_cards": cards.CardsStacked}
"""Tasks in which a card may show, and the event each becomes."""


@command("open_table", roles=("floorperson", "operator"), takes={"dealer": str, "inventory": Amount})
def open_table(play: TablePlay) -> None:
    """Open the table for the gaming day, with the chips counted in its rack; the opening goes onto the agenda."""
    if play.state.phase != "closed":
        raise play.refuse("the table is open already")
    bring = _opening_inventory(play)
    day, dealer = agenda.gaming_day(play.rules, play.command.at), check_name(play, play.need("dealer", str))
    if dealer == play.command.by:
        raise play.refuse(f"{dealer} opens the table and cannot deal at it: name another dealer")
    assigns = play.command.role == "floorperson" and assigned_cite(play.rules.rulebook)
    floorperson = play.command.by if assigns else ""
    play.emit(e.TableOpened, play.cite, day=day, dealer=dealer, floorperson=floorperson)
    if not play.rules.submission["mid_shoe_entry"]:
        bar = task_of(play.rules, "bar_mid_shoe_entry")
        play.emit(e.BarSet, bar.cite if bar is not None else play.cite, on=True)
    if bring:
        play.emit(e.ChipsMoved, NO_TEXT, source="(cage)", target="(inventory)", amount=bring, why="opens")
    _set_agenda(play, agenda.opening(play.rules, play.state, play.command.at))


def _opening_inventory(play: TablePlay) -> Amount:
    """Chips that come to an empty rack. A rack that holds chips is counted: it must hold what the record says."""
    if "inventory" not in play.command.args:
        return ZERO
    counted, recorded = amount_arg(play, "inventory"), play.state.chips.get("(inventory)", ZERO)
    if not recorded:
        return counted
    if counted != recorded:
        why = f"{dollars(counted)} were counted in the rack, but {dollars(recorded)} are on record: count again"
        raise play.refuse(
            f"{why}; if chips are to be added or removed, open with {dollars(recorded)}, then fill or credit"
        )
    return ZERO


def _set_agenda(play: TablePlay, todo: tuple[Todo, ...]) -> None:
    play.emit(e.AgendaSet, play.cite, todo=todo)


@command("close_table", roles=("floorperson", "operator"))
def close_table(play: TablePlay) -> None:
    """Close the table; the round in progress concludes first."""
    if play.state.phase == "closed":
        raise play.refuse("the table is closed already")
    why = OPEN_BECAUSE.get(play.state.phase) or ("a wager lies on it" if play.state.placed else "")
    if why or play.state.verbal:
        raise play.refuse(f"the table cannot be closed now: {why or 'a spoken wager waits for an answer'}")
    check_no_ten_lies_there(play)
    for name in sorted(play.state.players, key=lambda name: play.state.players[name].arrived):
        chips = play.state.chips.get(name, ZERO)
        if chips:
            why = "the table closes"
            play.emit(e.ChipsMoved, NO_TEXT, source=name, target="(cage)", amount=chips, why=why)
    play.emit(e.TableClosed, NO_TEXT)


@command("inspect_device", takes={"device": str})
@carries("device")
def inspect_device(play: TablePlay) -> None:
    """The floorperson's inspection of a device at the beginning of the gaming day."""
    at, name = play.command.at, play.arg("device", str)
    due = agenda.uninspected(play.rules, play.state, at)
    if not due or (play.state.agenda and play.state.agenda[0].do == "inspect_device"):
        todo = expect(play)
        if name not in (None, todo.about):
            why = f"the inspection of the {todo.about.replace('_', ' ')} is due, not of {name}"
            raise play.refuse(why, play.cite)
        play.emit(e.DeviceInspected, play.cite, device=todo.about, day=agenda.gaming_day(play.rules, at))
        return
    devices = [clause.name for clause in due]
    if play.state.phase not in ("open", "idle") or (name or devices[0]) not in devices:
        raise play.refuse(f"no inspection of the {(name or devices[0]).replace('_', ' ')} is due", play.cite)
    play.emit(e.DeviceInspectedAgain, play.cite, device=name or devices[0], day=agenda.gaming_day(play.rules, at))


@command("receive_cards", takes={"decks": int, "whole": bool})
@carries("batches")
def receive_cards(play: TablePlay) -> None:
    """Decks come to the table: as many as the submission says, in each batch; whole, or without what is removed."""
    todo, belong = expect(play), play.rules.submission["decks"]
    decks, removed = play.arg("decks", int, belong), removed_per_deck(play.rules)
    first = todo.about == agenda.batch_names(play.rules)[0]
    if decks != belong:
        cite = key_cite(play.rules, "decks") if first else play.rules.one(Batches).cite
        raise play.refuse(f"{decks} decks were brought, {belong} belong in a batch", cite)
    whole = play.arg("whole", bool, _whole(play.rules))
    if whole != _whole(play.rules) and not removed:
        why = f"{play.rules.cards.per_deck} cards belong in a deck when it comes to the table"
        raise play.refuse(why, play.rules.cards.cite)
    size = decks * (play.rules.cards.per_deck + removed * whole)
    shuffled = bool(play.rules.submission.get("preinspected"))
    play.emit(
        cards.CardsReceived,
        play.cite,
        batch=todo.about,
        decks=decks,
        cards=size,
        first=first,
        whole=whole,
        preshuffled=shuffled,
    )
    if removed and not whole:
        _set_agenda(play, tuple(item for item in play.state.agenda if item not in _removal(todo.about)))


def _whole(rules: Rules) -> bool:
    """Whether decks come whole unless the receipt says otherwise: no rank is ever removed, or it is at the table."""
    return not rules.cards.without or bool(removed_per_deck(rules))


def _removal(batch: str) -> list[Todo]:
    return [Todo(name, batch) for name in REMOVAL]


@command(*SIMPLE)
def say_done(play: TablePlay) -> None:
    """Record a task of the opening, or of an arrival at an idle table, as done in its turn.

    inspect_cards: The dealer reports the front and back of the cards inspected.
    verify_inspection: The floorperson confirms the dealer's inspection of the cards.
    spread_cards: The dealer spreads the cards face up for the first player to inspect.
    turn_cards_up: The dealer turns spread cards face up because a player asked for it.
    """
    todo = expect(play)
    play.emit(SIMPLE[play.command.do], play.cite, batch=todo.about)


@command("show_cards")
def show_cards(play: TablePlay) -> None:
    """The first player to arrive has had the opportunity to look at the spread cards, as the dealer says."""
    todo = expect(play)
    if not play.state.players:
        raise play.refuse("no player has arrived to look at the cards", play.cite)
    play.emit(cards.CardsShown, play.cite, batch=todo.about, player=first_player(play.state))


@command(*MIXING, takes={"exposed": bool})
def mix_cards(play: TablePlay) -> None:
    """Turn the cards down, mix and stack them.

    wash_cards: The dealer turns the cards face down and mixes them by hand.
    stack_cards: The dealer stacks the mixed cards; where the text says so, they are mixed again if one shows.
    """
    todo, name = expect(play), play.command.do
    task = task_of(play.rules, name)
    if play.arg("exposed", bool, False) and task is not None and task.again:
        play.emit(cards.CardsRemixed, play.cite, batch=todo.about)
        if name != "wash_cards":
            _set_agenda(play, (Todo("wash_cards", todo.about), *play.state.agenda))
        return
    play.emit(MIXING[name], play.cite, batch=todo.about)


@carries("change")
def change_overdue(rules: Rules, state: TableState, at: int) -> CardChange | None:
    """The clause on changing the cards, where they have been in use too long at this moment."""
    clause = rules.one(CardChange)
    most = clause.hours * agenda.SECONDS_PER_HOUR
    old = [name for name, (_, opened, _) in state.batches.items() if at - opened > most]
    if not old:
        return None
    shoe, turns = state.shoe, len(agenda.batch_names(rules)) > 1
    return clause if turns or shoe is None or shoe.batch in old else None


@command("change_cards")
def change_cards(play: TablePlay) -> None:
    """New cards come into play: the way from the receipt begins again."""
    if play.state.phase not in ("open", "idle"):
        raise play.refuse("cards are changed between rounds")
    if play.state.phase == "idle" or play.state.resuming:
        play.emit(cards.PlayResumed, play.cite, arrival=False)
    todo = agenda.opening(play.rules, play.state, play.command.at)
    _set_agenda(play, agenda.keeping(play.rules, todo, play.state.agenda))
