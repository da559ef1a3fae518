"""Wagers before the deal: where, how much, in chips or verbal (headings "Wagers")."""

from __future__ import annotations

from collections.abc import Mapping

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round import Wagers
from twentyone.round.wagers import check_wagers
from twentyone.rulebook.clauses import Coupon, Verbal
from twentyone.table import events as e
from twentyone.table.card_devices import is_barred
from twentyone.table.model import Placed, Player
from twentyone.table.people import amount_arg, pay_in
from twentyone.table.play import TablePlay, command, task_of

__all__ = ["unconfirmed", "wagers_of"]


@command("place_wager", amounts=("amount", "coupon"))
def place_wager(play: TablePlay) -> None:
    """Lay a wager on a box, in chips, verbally with cash, or with a coupon beside it."""
    name, box = _own_name(play), play.need("box", int)
    kind, amount = play.arg("wager", str, "main"), amount_arg(play)
    _check_open(play, name)
    if play.state.placed:
        _check_consent(play, box, name)
    cash = play.arg("cash", bool, False)
    coupon = _coupon(play, kind)
    if cash and not play.rules.all(Verbal):
        raise play.refuse("this text has no verbal wagers with cash")
    if not cash and play.state.chips.get(name, ZERO) < amount:
        raise play.refuse(f"{name} does not have {amount} in chips")
    new = Placed(box, name, kind, amount)
    _check_round(play, new)
    if cash:
        pay_in(play, name, amount, "verbal")
    cite = play.rules.wagers[kind].cite
    play.emit(e.WagerLaid, cite, box=box, player=name, wager=kind, amount=amount, cash=cash, coupon=coupon)


def _own_name(play: TablePlay) -> str:
    """A player wagers for himself; anyone else who may lay wagers names the player."""
    by, name = play.command.by, play.arg("player", str, play.command.by)
    if name != by and play.command.role == "player":
        raise play.refuse(f"{by} cannot wager the chips of {name or 'nobody'}")
    return str(name)


def _check_open(play: TablePlay, name: str) -> None:
    if play.state.phase != "open":
        raise play.refuse(f"wagers are closed: the table is in phase {play.state.phase}", deal_cite(play))
    player = play.state.players.get(name)
    if player is None:
        raise play.refuse(f"{name} does not sit at this table")
    if is_barred(play.rules, player):
        task = task_of(play.rules, "bar_mid_shoe_entry")
        why = f"{name} sat out a round of this shoe and may not wager before the reshuffle"
        raise play.refuse(why, task.cite if task is not None else None)


def _check_consent(play: TablePlay, box: int, name: str) -> None:
    """Whoever wagers on a box after another player needs that player's consent, where the text says so."""
    task, first = task_of(play.rules, "consent"), _first_on(play, box)
    if task is None or first in ("", name) or (box, first, name) in play.state.consents:
        return
    raise play.refuse(f"{first}, whose wager lies first on box {box}, has not consented to {name}", task.cite)


def _first_on(play: TablePlay, box: int) -> str:
    return next((placed.player for placed in play.state.placed if placed.box == box), "")


@command("consent")
def consent(play: TablePlay) -> None:
    """The first player on a box lets another wager there too, until one of them leaves the table."""
    box, guest = play.need("box", int), play.need("player", str)
    if task_of(play.rules, "consent") is None or _first_on(play, box) != play.command.by:
        raise play.refuse(f"{play.command.by} is not the first who wagers on box {box}, or nobody may join him there")
    play.emit(e.ConsentGiven, play.cite, box=box, player=guest)


def deal_cite(play: TablePlay) -> str:
    """The paragraph that closes wagers with the first card."""
    task = task_of(play.rules, "deal")
    return task.cite if task is not None else play.cite


@carries("coupon")
def _coupon(play: TablePlay, kind: str) -> Amount:
    if "coupon" not in play.command.args:
        return ZERO
    clause = play.rules.maybe(Coupon)
    if clause is None or kind not in clause.wagers:
        raise play.refuse("no match-play coupon goes with this wager here", clause.cite if clause is not None else None)
    return amount_arg(play, "coupon")


def _check_round(play: TablePlay, new: Placed) -> None:
    """The wagers with a new one must be ones that a round may begin with (side wagers wait for their main wager)."""
    placed = play.state.placed
    if new.wager != "main" and (new.box, new.player, "main") not in [wager[:3] for wager in placed]:
        raise play.refuse(f"{new.player} has no main wager on box {new.box}", play.rules.wagers["main"].cite)
    check_wagers(play.rules, wagers_of((*placed, new), play.state.players))


def wagers_of(placed: tuple[Placed, ...], players: Mapping[str, Player]) -> list[Wagers]:
    """The wagers as a round takes them, one row per player and box; on a shared box the first row's player decides."""
    rows: dict[tuple[int, str], dict[str, Amount]] = {}
    for wager in placed:
        row = rows.setdefault((wager.box, wager.player), {})
        row[wager.wager] = row.get(wager.wager, ZERO) + wager.amount
    wagers = [Wagers(box, player, row.pop("main", ZERO), row) for (box, player), row in rows.items()]
    return sorted(wagers, key=lambda row: _calling(row, players)) if len(wagers) > 1 else wagers


def _calling(row: Wagers, players: Mapping[str, Player]) -> tuple[int, bool, int]:
    """Box by box: those who sit there first, then the higher wager first."""
    return row.box, row.box not in players[row.player].boxes, -row.main


@command("take_back_wager")
def take_back_wager(play: TablePlay) -> None:
    """Wagers go back before the deal: a player takes his own where the text lets him, a floorperson hands them back."""
    box = play.need("box", int)
    player = play.command.by if play.command.role == "player" else play.need("player", str)
    if play.state.phase != "open" or not any((w.box, w.player) == (box, player) for w in play.state.placed):
        raise play.refuse(f"{player} has no wager on box {box} to take back", deal_cite(play))
    play.emit(e.WagerTakenBack, play.cite, box=box, player=player)


@command("confirm_verbal_wager")
@carries("verbal")
def confirm_verbal_wager(play: TablePlay) -> None:
    """The dealer (and the supervisor, where the text wants him) confirms a verbal wager."""
    box, player = play.need("box", int), play.need("player", str)
    clause = play.rules.one(Verbal)
    if not any(w.cash and (w.box, w.player) == (box, player) for w in play.state.placed):
        raise play.refuse(f"{player} has made no verbal wager on box {box}", clause.cite)
    play.emit(e.WagerConfirmed, clause.cite, box=box, player=player, role=play.command.role)


def unconfirmed(play: TablePlay) -> Refused | None:
    """A verbal wager that somebody has still to confirm."""
    for wager in play.state.placed:
        if wager.cash:
            clause = play.rules.one(Verbal)
            missing = [role for role in clause.confirmed_by if role not in wager.confirmed]
            if missing:
                why = f"the verbal wager of {wager.player} is not confirmed by the {missing[0]}"
                return play.refuse(why, clause.cite)
    return None


@command("bar_mid_shoe_entry")
def bar_mid_shoe_entry(play: TablePlay) -> None:
    """The operator bars those who sit out from entering before the reshuffle, or lets them in again."""
    on = play.arg("on", bool, True)
    play.emit(e.BarSet, play.cite, on=on)
