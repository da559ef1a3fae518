"""Wagers before the deal: where, how much, in chips or verbal (headings "Wagers")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import ZERO, Amount, dollars
from twentyone.round import Wagers
from twentyone.round.wagers import check_wagers, key_cite
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import FixedWager, MadeWhenLaid
from twentyone.table import events as e
from twentyone.table import wager_events as w
from twentyone.table.card_devices import is_barred
from twentyone.table.coupons import return_coupons
from twentyone.table.idle import check_not_deserted
from twentyone.table.model import Placed, Player, TableState
from twentyone.table.people import amount_arg, seated_at
from twentyone.table.play import TablePlay, command, task_cite, task_of
from twentyone.table.verbal import lay, speak

__all__ = ["Misfit", "misfit", "wagers_of"]


class Misfit(NamedTuple):
    """A wager that lies there as no round may begin, because another was turned away or taken back."""

    box: int
    player: str
    wager: str
    cite: str | None


def misfit(rules: Rules, state: TableState) -> Misfit | None:
    """The first wager with which no round may begin."""
    rows = wagers_of(state.placed, state.players)
    for index, row in enumerate(rows):
        fault = _fault(rules, rows[: index + 1])
        if fault is not None:
            alone = _fault(rules, [*rows[:index], replace(row, sides={})])
            return Misfit(row.box, row.player, "main" if alone else next(iter(row.sides)), fault.cite)
    return None


def _fault(rules: Rules, rows: list[Wagers]) -> Refused | None:
    try:
        check_wagers(rules, rows)
    except Refused as refused:
        return refused
    return None


@command("place_wager", takes={"box": int, "amount": Amount, "wager": str, "cash": bool, "player": str})
def place_wager(play: TablePlay) -> None:
    """Lay a wager on a box, in chips or verbally with cash; a coupon beside it is laid by staff."""
    name, box = _own_name(play), play.need("box", int)
    kind = play.arg("wager", str, "main")
    amount = amount_arg(play, chips=not any(fixed.wager == kind for fixed in play.rules.all(FixedWager)))
    _check_open(play, name)
    _check_area(play, box, name)
    cash = play.arg("cash", bool, False)
    new = Placed(box, name, kind, amount, cash)
    if not cash and play.state.chips.get(name, ZERO) < amount:
        raise play.refuse(f"{name} does not have {amount} in chips", task_cite(play.rules, play.state, "place_wager"))
    _check_not_made(play, box, name, kind)
    _check_round(play, new)
    (speak if cash else lay)(play, new)


def _own_name(play: TablePlay) -> str:
    """A player wagers for himself; anyone else who may lay wagers names the player."""
    by, name = play.command.by, play.arg("player", str, play.command.by)
    if name != by and play.command.role == "player":
        raise play.refuse(f"{by} cannot wager the chips of {name or 'nobody'}")
    return str(name)


def _check_open(play: TablePlay, name: str) -> None:
    check_phase(play, "wagers are closed")
    check_not_deserted(play)
    player = play.state.players.get(name)
    if player is None:
        raise play.refuse(f"{name} is not at this table")
    if is_barred(play.rules, player):
        task = task_of(play.rules, "bar_mid_shoe_entry")
        why = f"{name} laid no wager on an earlier round of this shoe and may not wager before the reshuffle"
        raise play.refuse(why, task.cite if task is not None else None)


def _check_area(play: TablePlay, box: int, name: str) -> None:
    """A betting area is that of the player who sits there; where boxes are shared, others need his wager first."""
    seated, task, on_box = seated_at(play.state, box), task_of(play.rules, "consent"), _wagering_on(play, box)
    if name in on_box:
        return
    if seated not in ("", name) and (task is None or seated not in on_box):
        cite = task.cite if task is not None else key_cite(play.rules, "players_per_box")
        raise play.refuse(f"{seated} sits at box {box}: {name} cannot wager there before him", cite)
    first = on_box[0] if on_box else name
    if task is not None and first != name and (box, first, name) not in play.state.consents:
        raise play.refuse(f"{first}, whose wager lies first on box {box}, has not consented to {name}", task.cite)


def _wagering_on(play: TablePlay, box: int) -> list[str]:
    """Whose wagers lie on a box or are spoken for it, the first first."""
    return [wager.player for wager in (*play.state.placed, *play.state.verbal) if wager.box == box]


@carries("made_when_laid")
def _check_not_made(play: TablePlay, box: int, player: str, kind: str) -> None:
    """Where a wager counts as made once it lies there, its player does not take it back or raise it."""
    made = play.rules.maybe(MadeWhenLaid)
    if made is not None and _has(play.state.placed, box, player, kind):
        raise play.refuse(f"the wager of {player} on box {box} is made: it stays as it is", made.cite)


@command("consent", takes={"box": int, "player": str, "on": bool})
def consent(play: TablePlay) -> None:
    """The first player on a box lets another wager there too, until he ends it or one of them leaves the table."""
    box, guest, by = play.need("box", int), play.need("player", str), play.command.by
    if not play.arg("on", bool, True):
        if (box, by, guest) not in play.state.consents:
            raise play.refuse(f"{by} has not let {guest} wager on box {box}", play.cite)
        play.emit(w.ConsentEnded, play.cite, box=box, player=guest)
        return
    if (_wagering_on(play, box) or [""])[0] != by:
        raise play.refuse(f"{by} is not the first who wagers on box {box}", play.cite)
    if guest not in play.state.players or guest == by:
        raise play.refuse(f"{guest} is nobody else at this table", play.cite)
    play.emit(e.ConsentGiven, play.cite, box=box, player=guest)


def check_phase(play: TablePlay, what: str) -> None:
    """Wagers are laid, and a round begins, only between two rounds at an open table."""
    closes = {"closed": ("", "the table is closed"), "idle": ("spread_idle", "the cards lie spread"),
              "round": ("deal", "a round is in progress"),
              "settled": ("collect_cards", "the cards of the last round are still to be picked up")}  # fmt: skip
    if play.state.phase in closes:
        order, why = closes[play.state.phase]
        raise play.refuse(f"{what}: {why}", task_cite(play.rules, play.state, order))


def _check_round(play: TablePlay, new: Placed) -> None:
    """The wagers with a new one must be ones that a round may begin with (side wagers wait for their main wager)."""
    placed = play.state.placed
    if new.wager != "main" and (new.box, new.player, "main") not in [wager[:3] for wager in placed]:
        raise play.refuse(f"{new.player} has no main wager on box {new.box}", play.rules.wagers["main"].cite)
    _check_one_sum(play, new)
    check_wagers(play.rules, wagers_of((*placed, *play.state.verbal, new), play.state.players))


@carries("fixed_wager")
def _check_one_sum(play: TablePlay, new: Placed) -> None:
    """A wager of a fixed sum is laid as that sum: a second one on top of it would make a sum that nobody laid."""
    fixed = any(row.wager == new.wager for row in play.rules.all(FixedWager))
    lies = next((other for other in (*play.state.placed, *play.state.verbal) if other[:3] == new[:3]), None)
    if fixed and lies is not None:
        clause = play.rules.wagers[new.wager]
        why = f"a {clause.title} of {dollars(lies.amount)} lies on box {new.box} already and is not added to"
        raise play.refuse(f"{why}: take it back, or have it handed back, and place the other", clause.cite)


def wagers_of(placed: tuple[Placed, ...], players: Mapping[str, Player]) -> list[Wagers]:
    """The wagers as a round takes them, one row per player and box; on a shared box the first row's player decides."""
    rows: dict[tuple[int, str], dict[str, Amount]] = {}
    for wager in placed:
        row = rows.setdefault((wager.box, wager.player), {})
        row[wager.wager] = row.get(wager.wager, ZERO) + wager.amount
    wagers = [Wagers(box, player, row.pop("main", ZERO), row) for (box, player), row in rows.items()]
    return sorted(wagers, key=lambda row: _calling(row, players)) if len(wagers) > 1 else wagers


def _calling(row: Wagers, players: Mapping[str, Player]) -> tuple[int, bool, Amount]:
    """Box by box: those who sit there first, then the higher wager first."""
    return row.box, row.box not in players[row.player].boxes, -row.main


@command("take_back_wager", takes={"box": int, "wager": str, "player": str})
def take_back_wager(play: TablePlay) -> None:
    """Wagers go back before the deal: a player takes his own where the text lets him, a floorperson hands them back.

    A side wager that is named goes alone; with the main wager go all others on the box, which cannot lie without it.
    """
    box, kind = play.need("box", int), play.arg("wager", str, "main")
    player = play.command.by if play.command.role == "player" else play.need("player", str)
    named = "" if kind == "main" else kind
    if play.state.phase != "open":
        closed = task_cite(play.rules, play.state, play.command.do) if play.state.phase == "round" else None
        raise play.refuse(f"no wager goes back now: the table is in phase {play.state.phase}", closed)
    if play.command.role == "player":
        _check_not_made(play, box, player, named)
    placed, spoken = (_has(wagers, box, player, named) for wagers in (play.state.placed, play.state.verbal))
    if not placed and not spoken:
        raise play.refuse(f"{player} has no such wager on box {box} to take back")
    if placed:
        wagers = [wager for wager in play.state.placed if _has((wager,), box, player, named)]
        play.emit(e.WagerTakenBack, play.cite, box=box, player=player, wager=named)
        return_coupons(play, wagers)
    if spoken:
        play.emit(w.VerbalDeclined, play.cite, box=box, player=player, wager=named)


def _has(wagers: tuple[Placed, ...], box: int, player: str, named: str) -> bool:
    """Whether a player has wagers on a box, of this kind where one is named."""
    return any(wager[:2] == (box, player) and named in ("", wager.wager) for wager in wagers)


@command("bar_mid_shoe_entry", takes={"on": bool})
def bar_mid_shoe_entry(play: TablePlay) -> None:
    """The operator bars those who sit out from entering before the reshuffle, or gives the rule up."""
    on = play.arg("on", bool, True)
    play.emit(e.BarSet, play.cite, on=on)


@command("admit_player", takes={"player": str})
def admit_player(play: TablePlay) -> None:
    """The operator lets one player wager again; the rule and the others stay as they are."""
    player = play.need("player", str)
    at_table = play.state.players.get(player)
    if at_table is None or not is_barred(play.rules, at_table):
        raise play.refuse(f"{player} is not barred at this table", play.cite)
    play.emit(w.PlayerAdmitted, play.cite, player=player)
