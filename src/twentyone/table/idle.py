"""The idle table: what is due once everybody has gone, what players may ask for, how its cards are made ready."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Idle, IdleWhenEmpty, WaitingBatch
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.card_devices import is_barred
from twentyone.table.model import TableState, Todo
from twentyone.table.play import TablePlay, command, task_cite, task_of

__all__ = [
    "REQUESTS",
    "all_barred",
    "can_ask",
    "check_not_deserted",
    "deserted",
    "first_player",
    "fresh_cards",
    "request_words",
    "spread_due",
    "wake",
]


def deserted(rules: Rules, state: TableState) -> Idle | None:
    """The clause on an idle table, where everybody has gone and the cards of their game are still in the shoe."""
    loaded = _unmixed(state) or all(todo.do != "load_shoe" for todo in state.agenda)
    old = state.deserted and state.shoe is not None and loaded
    return rules.one(Idle) if old and task_of(rules, "spread_idle") is not None else None


def _unmixed(state: TableState) -> bool:
    """Whether a shuffle is due for nobody: the cards of the shoe, and no others, are still to be mixed for it."""
    due = [todo.about for todo in state.agenda if todo.do == "shuffle"]
    first = state.agenda[0].do == "shuffle" if state.agenda else False
    return first and not state.players and state.shoe is not None and due == [state.shoe.batch]


def spread_due(rules: Rules, state: TableState) -> bool:
    """Whether the cards that everybody has left are spread now: also instead of a shuffle, which waits for a player."""
    return deserted(rules, state) is not None and (not state.agenda or _unmixed(state))


def all_barred(rules: Rules, state: TableState) -> bool:
    """Whether nobody at the table may wager before the cards are shuffled, and no wager waits for the deal."""
    waits = bool(state.placed or state.verbal)
    return bool(state.players) and not waits and all(is_barred(rules, player) for player in state.players.values())


def fresh_cards(rules: Rules) -> str:
    """The task by which barred players come to wager again: the cards are spread, or where that is only done at an
    empty table, shuffled again."""
    spreads = task_of(rules, "spread_idle") is not None and rules.maybe(IdleWhenEmpty) is None
    return "spread_idle" if spreads else "reshuffle"


def first_player(state: TableState) -> str:
    """Who came first of those at the table, and looks at the cards; empty where nobody is there."""
    return min(state.players, key=lambda name: state.players[name].arrived, default="")


def check_not_deserted(play: TablePlay) -> None:
    """No wager is laid and no round is dealt from a shoe that everybody has left."""
    clause = deserted(play.rules, play.state)
    if clause is not None:
        raise play.refuse("everybody had left: the cards are spread and made ready before another round", clause.cite)


def wake(play: TablePlay) -> None:
    """A player is at the idle table: its cards are made ready for him."""
    cite, todo = play.rules.one(Idle).cite, agenda.on_arrival(play.rules, play.state)
    play.emit(cards.PlayResumed, cite, arrival=True)
    play.emit(e.AgendaSet, cite, todo=agenda.keeping(play.rules, todo, play.state.agenda))


# -- what a player may ask for


@command("make_ready", roles=("player",))
def make_ready(play: TablePlay) -> None:
    """A player who sits at the idle table has its cards made ready, as for one who comes."""
    if not _may_wake(play.rules, play.state):
        raise play.refuse("no cards lie spread on an idle table", play.rules.one(Idle).cite)
    _check_seated(play)
    wake(play)


def _may_wake(_: Rules, state: TableState) -> bool:
    return state.phase == "idle"


@command("have_looked", roles=("player",))
def have_looked(play: TablePlay) -> None:
    """The first player has looked at the cards and says so: nobody waits any longer for that."""
    cite = task_cite(play.rules, play.state, "show_cards") or play.cite
    if not _may_look(play.rules, play.state):
        raise play.refuse("no cards lie there for a player to look at")
    first = first_player(play.state)
    if play.command.by != first:
        raise play.refuse(f"{first} came first: only {first} can say that the look at the cards is over", cite)
    play.emit(cards.CardsShown, cite, batch=play.state.agenda[0].about, player=first)


def _may_look(_: Rules, state: TableState) -> bool:
    lies = state.phase == "open" and bool(state.agenda) and state.agenda[0].do == "show_cards"
    return lies and not state.found and bool(state.players)


@command("ask_face_up")
def ask_face_up(play: TablePlay) -> None:
    """A player asks for the cards face up: before they are spread, or before he looks at those that lie face down."""
    if not _may_ask_face_up(play.rules, play.state):
        raise play.refuse("the cards lie face up, or were looked at already", play.cite)
    _check_seated(play)
    play.emit(cards.FaceUpAsked, play.cite, player=play.command.by)
    if play.state.resuming and play.state.face_down:
        batch = play.state.idle_batch
        play.emit(e.AgendaSet, play.cite, todo=(Todo(agenda.TURN_UP, batch), *play.state.agenda))


def _may_ask_face_up(_: Rules, state: TableState) -> bool:
    """Before the look, and not twice: cards that are spread lie face down, others are still to be spread."""
    if state.phase == "closed" or state.face_up_by:
        return False
    return state.face_down if state.resuming or state.phase == "idle" else state.shoe is not None


@command("ask_batch_spread")
@carries("waiting_batch")
def ask_batch_spread(play: TablePlay) -> None:
    """A player asks that the batch from the device is spread, looked at and shuffled before it is cut."""
    batch = _waiting(play.rules, play.state)
    if not batch:
        raise play.refuse("no batch out of the device waits for its cut", play.cite)
    _check_seated(play)
    play.emit(cards.BatchSpreadAsked, play.cite, player=play.command.by, batch=batch)
    todo = play.state.agenda
    first = next(number for number, item in enumerate(todo) if item.about == batch)
    asked = agenda.waiting_tasks(play.rules, "request", batch)
    play.emit(e.AgendaSet, play.cite, todo=(*todo[:first], *asked, *todo[first:]))


def _waiting(rules: Rules, state: TableState) -> str:
    """The batch that comes out of the device unspread, while the cards of an idle table are made ready."""
    asked = any(clause.on == "request" for clause in rules.all(WaitingBatch))
    batches = [todo.about for todo in state.agenda if todo.do == "cut"] if asked and state.resuming else []
    spread = [todo.about for todo in state.agenda if todo.do == "shuffle"]
    return next((batch for batch in batches if batch != state.idle_batch and batch not in spread), "")


def _check_seated(play: TablePlay) -> None:
    if play.command.by not in play.state.players:
        raise play.refuse(f"{play.command.by} does not sit at this table", play.cite)


REQUESTS = {
    "have_looked": _may_look,
    "make_ready": _may_wake,
    "ask_face_up": _may_ask_face_up,
    "ask_batch_spread": _waiting,
}
"""What a player may ask for or say, and when."""
OWN_WORDS = {"have_looked": "finish looking at the cards", "make_ready": "have the cards made ready"}
"""What no task of the text says of them."""


def can_ask(rules: Rules, state: TableState, name: str, who: str) -> bool:
    """Whether a player may ask for something now."""
    if name == "have_looked" and who != first_player(state):
        return False
    known = name in OWN_WORDS or task_of(rules, name) is not None
    return known and bool(REQUESTS[name](rules, state))


def request_words(rules: Rules, state: TableState, name: str) -> dict[str, str]:
    """What a player may ask for, in words, with its paragraph."""
    task = task_of(rules, name)
    if task is not None:
        return {"says": task.says, "cite": task.cite}
    cite = task_cite(rules, state, "show_cards") if name == "have_looked" else rules.one(Idle).cite
    return {"says": OWN_WORDS[name], "cite": cite or ""}
