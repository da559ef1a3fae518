"""People and chips at the table: seats, dealers, buy-ins, fills, tips (chips are double entry)."""

from __future__ import annotations

from twentyone.money import NOTHING, Amount
from twentyone.round.wagers import key_cite
from twentyone.rulebook.clauses import Boxes, Burn, Idle
from twentyone.table import agenda
from twentyone.table.model import Placed, Todo
from twentyone.table.play import TablePlay, command, task_cite

__all__ = ["amount_arg"]


def amount_arg(play: TablePlay, name: str = "amount") -> Amount:
    """An amount of money, above nothing and in chips."""
    text = play.need(name, str)
    try:
        amount = Amount(text)
    except ValueError as wrong:
        raise play.refuse(str(wrong)) from None
    if amount <= 0 or amount % play.rules.submission["chip_unit"]:
        raise play.refuse(f"{amount} cannot be laid in chips of {play.rules.submission['chip_unit']}")
    return amount


@command("sit", roles=("player",))
def sit(play: TablePlay) -> None:
    """A player takes boxes; an idle table wakes up."""
    name, boxes = play.command.by, play.need("boxes", list)
    clause = play.rules.one(Boxes)
    if play.state.phase == "closed":
        raise play.refuse("the table is closed")
    if not boxes or any(type(box) is not int or not 1 <= box <= clause.most for box in boxes):
        raise play.refuse(f"there are boxes 1 to {clause.most}, not {boxes}", clause.cite)
    if len(set(boxes)) < len(boxes):
        raise play.refuse(f"a box stands twice in {boxes}", clause.cite)
    _check_free(play, name, boxes)
    play.emit("player_seated", clause.cite, player=name, boxes=sorted(boxes))
    if play.state.phase == "idle":
        cite, todo = play.rules.one(Idle).cite, (*agenda.on_arrival(play.rules, play.state), *play.state.agenda)
        play.emit("play_resumed", cite, arrival=True)
        play.emit("agenda_set", cite, todo=[list(item) for item in todo])


def _check_free(play: TablePlay, name: str, boxes: list[int]) -> None:
    """A box is taken when as many sit there as may wager on it."""
    most = play.rules.submission.get("players_per_box", 1)
    for box in boxes:
        others = [other for other, player in play.state.players.items() if other != name and box in player.boxes]
        if len(others) >= most:
            raise play.refuse(f"box {box} is taken by {' and '.join(others)}", key_cite(play.rules, "players_per_box"))


@command("leave", roles=("player",))
def leave(play: TablePlay) -> None:
    """A player goes, with his chips."""
    name = play.command.by
    if name not in play.state.players:
        raise play.refuse(f"{name} does not sit here")
    if any(placed.player == name for placed in _wagers(play)):
        why = f"{name} has chips on the layout"
        raise play.refuse(why, task_cite(play.rules, play.state, "take_back_wager"))
    chips = play.state.chips.get(name, NOTHING)
    if chips:
        play.emit("chips_moved", play.cite, source=name, target="(cage)", amount=str(chips), why="leaves")
    play.emit("player_left", play.cite, player=name)


def _wagers(play: TablePlay) -> tuple[Placed, ...]:
    return (*play.state.placed, *play.state.in_round)


@command("change_dealer")
def change_dealer(play: TablePlay) -> None:
    """A new dealer comes; where the text says so, he burns a card before he deals."""
    if play.state.phase not in ("open", "idle"):
        raise play.refuse("dealers change between rounds")
    play.emit("dealer_changed", play.cite, dealer=play.need("dealer", str))
    if "dealer" in play.rules.one(Burn).on and play.state.batches:
        todo = (*play.state.agenda, Todo("burn", "dealer"))
        play.emit("agenda_set", play.cite, todo=[list(item) for item in todo])


# -- chips

MOVES = {
    "fill": ("(cage)", "(inventory)"),
    "credit": ("(inventory)", "(cage)"),
}


@command("buy_in", roles=("dealer",))
def buy_in(play: TablePlay) -> None:
    """Cash goes into the drop box, chips from the inventory to the player."""
    player, amount = play.need("player", str), amount_arg(play)
    if player not in play.state.players:
        raise play.refuse(f"{player} does not sit here")
    data = {"source": "(inventory)", "target": player, "amount": str(amount), "cash": str(amount), "why": "buy-in"}
    play.emit("chips_moved", play.cite, **data)


@command("fill", "credit", roles=("floorperson",))
def fill_or_credit(play: TablePlay) -> None:
    """Chips come to the table inventory from the cage, or go back to it."""
    source, target = MOVES[play.command.do]
    amount = str(amount_arg(play))
    play.emit("chips_moved", play.cite, source=source, target=target, amount=amount, why=play.command.do)


@command("tip", roles=("player",))
def tip(play: TablePlay) -> None:
    """A player gives chips into the tip box."""
    name, amount = play.command.by, amount_arg(play)
    if play.state.chips.get(name, NOTHING) < amount:
        raise play.refuse(f"{name} has not {amount}")
    play.emit("chips_moved", play.cite, source=name, target="(tips)", amount=str(amount), why="tip")


@command("handle_cards_refused")
def handle_cards_refused(play: TablePlay) -> None:
    """Somebody tried to handle, remove or alter cards: it is stopped and recorded."""
    play.emit("handling_refused", play.cite, who=play.need("who", str))
