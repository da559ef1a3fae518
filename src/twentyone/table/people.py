"""People and chips at the table: players, dealers, buy-ins, fills, tips (chips are double entry)."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.wagers import check_own_boxes, key_cite
from twentyone.rulebook.clauses import Boxes, Burn, ReliefBetweenRounds
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table import wager_events as w
from twentyone.table.card_devices import return_cards
from twentyone.table.idle import wake
from twentyone.table.limits import check_limit
from twentyone.table.model import ROLES, Placed, TableState, Todo
from twentyone.table.play import NO_TEXT, TablePlay, check_name, command, task_cite, task_of

__all__ = ["amount_arg", "burnable", "pay_in", "seated_at", "take_boxes"]


def amount_arg(play: TablePlay, name: str = "amount", chips: bool = True) -> Amount:
    """An amount of money, positive and in chips unless a device takes it; one that the command declares."""
    text = play.need(name, Amount)
    try:
        amount = Amount(text)
    except ValueError as wrong:
        raise play.refuse(str(wrong)) from None
    if amount <= 0 or (chips and amount % play.rules.submission["chip_unit"]):
        why = f"{amount} cannot be laid in chips of {play.rules.submission['chip_unit']}"
        raise play.refuse(why, key_cite(play.rules, "chip_unit") if play.command.do in WAGERED else None)
    check_limit(play, amount, play.command.do)
    return amount


WAGERED = ("place_wager", "decide", "lay_coupon")
"""Commands whose amounts are wagers; no paragraph says in which chips others pay."""


@command("sit", roles=("player",), takes={"boxes": list})
def sit(play: TablePlay) -> None:
    """A player takes boxes; an idle table wakes up."""
    known = play.state.players.get(play.command.by)
    take_boxes(play, play.command.by, known is None or known.device)


def take_boxes(play: TablePlay, name: str, device: bool) -> None:
    """Somebody sits down at boxes, with or without a device of his own."""
    name, boxes, clause = _newcomer(play, name), play.need("boxes", list), play.rules.one(Boxes)
    if not boxes or any(type(box) is not int or not 1 <= box <= play.rules.boxes for box in boxes):
        raise play.refuse(f"there are boxes 1 to {play.rules.boxes}, not {boxes}", clause.counted)
    if len(set(boxes)) < len(boxes):
        raise play.refuse(f"a box is named twice in {boxes}")
    _check_free(play, name, boxes)
    check_own_boxes(play.rules, name, boxes)
    play.emit(e.PlayerSeated, NO_TEXT, player=name, boxes=tuple(sorted(boxes)), device=device)
    _wake(play)


@command("stand_behind", roles=("player",))
def stand_behind(play: TablePlay) -> None:
    """A person stands at the table without a box of his own; whoever sat gives his boxes up."""
    play.emit(w.PlayerStanding, NO_TEXT, player=_newcomer(play, play.command.by))
    _wake(play)


def _newcomer(play: TablePlay, name: str) -> str:
    """Who comes to the table: a person, and not the one who deals."""
    check_name(play, name)
    if play.state.phase == "closed":
        raise play.refuse("the table is closed")
    if name in ROLES:
        raise play.refuse(f"nobody can be called {name} here: it says who speaks for the operator")
    if name == play.state.dealer:
        raise play.refuse(f"{name} deals here")
    if name == play.state.floorperson:
        raise play.refuse(f"{name} is the floorperson assigned to this table")
    return name


def _wake(play: TablePlay) -> None:
    """The cards of an idle table are made ready for whoever came."""
    if play.state.phase == "idle":
        wake(play)


def seated_at(state: TableState, box: int) -> str:
    """Who sits at a box; empty where nobody does."""
    return next((name for name, player in state.players.items() if box in player.boxes), "")


def _check_free(play: TablePlay, name: str, boxes: list[int]) -> None:
    """A box is taken where another sits or, where boxes are not shared, where another's wager lies."""
    alone, call = task_of(play.rules, "consent") is None, play.rules.shared.get("call")
    cite = key_cite(play.rules, "players_per_box") if alone or call is None else call.cite
    for box in boxes:
        others = [wager.player for wager in _wagers(play) if wager.box == box] if alone else []
        taken = [other for other in (seated_at(play.state, box), *others) if other not in ("", name)]
        if taken:
            raise play.refuse(f"box {box} is taken by {taken[0]}", cite)


@command("leave", roles=("player",))
def leave(play: TablePlay) -> None:
    """A player goes, with his chips."""
    name = play.command.by
    if name not in play.state.players:
        raise play.refuse(f"{name} is not at this table")
    _check_free_to_go(play, name)
    for said in [said for said in play.state.verbal if said.player == name]:
        cite = task_cite(play.rules, play.state, "decline_verbal_wager") or NO_TEXT
        play.emit(w.VerbalDeclined, cite, box=said.box, player=name, wager=said.wager)
    chips = play.state.chips.get(name, ZERO)
    if chips:
        play.emit(e.ChipsMoved, NO_TEXT, source=name, target="(cage)", amount=chips, why="leaves")
    play.emit(e.PlayerLeft, NO_TEXT, player=name)


def _check_free_to_go(play: TablePlay, name: str) -> None:
    """Nobody goes from wagers on the layout: those of a round stay until it is decided, others are taken back first."""
    if any(placed.player == name for placed in play.state.placed):
        raise play.refuse(f"{name} has a wager on the layout: it is taken back, or played, first")
    if any(placed.player == name for placed in play.state.in_round):
        undecided = task_cite(play.rules, play.state, "take_back_wager") if play.state.phase == "round" else None
        raise play.refuse(f"{name} has a hand in the round: {name} leaves once its cards are picked up", undecided)


def _wagers(play: TablePlay) -> tuple[Placed, ...]:
    return (*play.state.placed, *play.state.in_round)


@command("change_dealer", takes={"dealer": str})
@carries("relief_between_rounds")
def change_dealer(play: TablePlay) -> None:
    """A new dealer comes; where the text says so, he burns a card before he deals."""
    dealer = check_name(play, play.need("dealer", str))
    if play.state.phase == "closed":
        raise play.refuse("the table is closed")
    if play.rules.maybe(ReliefBetweenRounds) is not None and play.state.phase in ("round", "settled"):
        raise play.refuse("dealers change between rounds", play.cite)
    if dealer == play.state.dealer or dealer in play.state.players:
        raise play.refuse(f"{dealer} {'plays' if dealer in play.state.players else 'deals'} here already")
    if dealer == play.state.floorperson:
        raise play.refuse(f"{dealer} is the floorperson assigned to this table: assign another first")
    play.emit(e.DealerChanged, play.cite, dealer=dealer)
    if "dealer" in play.rules.one(Burn).on and play.state.batches:
        if play.state.phase in ("open", "idle"):
            return_cards(play)
        todo = agenda.keeping(play.rules, play.state.agenda, (agenda.DEALERS_BURN,))
        if todo != play.state.agenda:
            play.emit(e.AgendaSet, play.cite, todo=burnable(play, todo))


def burnable(play: TablePlay, todo: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """An agenda whose burns find cards: between rounds a shoe that holds none for them is reshuffled first."""
    shoe = play.state.shoe
    short = play.state.phase == "open" and shoe is not None and shoe.left < len(todo)
    if not short or any(item.do != "burn" for item in todo):
        return todo
    play.emit(cards.ReshuffleOrdered, play.cite, why="irregularity")
    return agenda.keeping(play.rules, agenda.reshuffling(play.rules, play.state), todo)


# -- chips

MOVES = {
    "fill": ("(cage)", "(inventory)"),
    "credit": ("(inventory)", "(cage)"),
}


@command("buy_in", roles=("dealer",), takes={"player": str, "amount": Amount})
def buy_in(play: TablePlay) -> None:
    """Cash goes into the drop box, chips from the inventory to the player."""
    player, amount = play.need("player", str), amount_arg(play)
    if player not in play.state.players:
        raise play.refuse(f"{player} is not at this table")
    pay_in(play, player, amount, "buy-in", NO_TEXT)


@command("bring_chips", roles=("player",), takes={"amount": Amount})
def bring_chips(play: TablePlay) -> None:
    """A player brings chips to the table that he has away from it; whether he has them is for the cage to say."""
    name, amount = play.command.by, amount_arg(play)
    if name not in play.state.players:
        raise play.refuse(f"{name} is not at this table")
    play.emit(e.ChipsMoved, NO_TEXT, source="(cage)", target=name, amount=amount, why="brings")


def pay_in(play: TablePlay, player: str, amount: Amount, why: str, cite: str) -> None:
    """A player gets chips from the inventory for cash."""
    play.emit(e.ChipsMoved, cite, source="(inventory)", target=player, amount=amount, cash=amount, why=why)


@command("fill", "credit", roles=("floorperson",), takes={"amount": Amount})
def fill_or_credit(play: TablePlay) -> None:
    """Move chips between the cage and the table inventory.

    fill: A floorperson brings chips from the cage to the table inventory.
    credit: A floorperson returns chips from the table inventory to the cage.
    """
    source, target = MOVES[play.command.do]
    play.emit(e.ChipsMoved, NO_TEXT, source=source, target=target, amount=amount_arg(play), why=play.command.do)


@command("tip", roles=("player",), takes={"amount": Amount})
def tip(play: TablePlay) -> None:
    """A player gives chips into the tip box."""
    name, amount = play.command.by, amount_arg(play)
    held, won = play.state.chips.get(name, ZERO), _won(play, name)
    if held < amount:
        raise play.refuse(f"{name} does not have {amount}")
    if held - won < amount:
        why = f"{won} of the {held} that {name} has were won in a round that is not over: a void round takes them back"
        voids = [clause.cite for clause in play.rules.irregularities.values() if "void_round" in clause.effects]
        raise play.refuse(why, voids[0] if voids else None)
    play.emit(e.ChipsMoved, NO_TEXT, source=name, target="(tips)", amount=amount, why="tip")


def _won(play: TablePlay, name: str) -> Amount:
    """What a player has won so far in a round whose cards still lie there, with his coupons."""
    round_ = play.state.round
    if round_ is None:
        return ZERO
    coupons = (wager.coupon_won(round_) for wager in play.state.in_round if wager.player == name)
    return max(round_.accounts.get(name, ZERO) + sum(coupons, ZERO), ZERO)


@command("handle_cards_refused", takes={"who": str})
def handle_cards_refused(play: TablePlay) -> None:
    """Somebody tried to handle, remove or alter cards, a player or a spectator: it is stopped and recorded."""
    play.emit(e.HandlingRefused, play.cite, who=check_name(play, play.need("who", str)))
