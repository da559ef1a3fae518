"""A naive table, written from the texts alone: who may do what now, whose chips are where, where the cards are.

It knows no agenda and no events. `verdict` says whether a command must be carried out, must be refused, or whether the
text needs more than a naive model to tell; `carry_out` moves chips and cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.property.round_model import DEALER, NaiveRound
from tests.property.table_texts import COVERED, DAILY, READY, SPREAD, WHO, Text

from twentyone.table import Command

__all__ = ["Model"]


@dataclass
class Model:
    """What stands on a naive table."""

    text: Text
    decks: int
    phase: str = "closed"
    """`closed`, `open`, `round`, `settled`, `idle`."""
    todo: list[str] = field(default_factory=list)
    """What is to be done before a round can be dealt."""
    seats: dict[str, list[int]] = field(default_factory=dict)
    purse: dict[str, int] = field(default_factory=dict)
    """Dollars in chips of each player."""
    bets: dict[tuple[str, int], int] = field(default_factory=dict)
    """Dollars on the layout, by player and box."""
    drop: int = 0
    """Dollars in cash in the drop box."""
    out: set[str] = field(default_factory=set)
    """The devices that are out of order and stand there."""
    covered: set[str] = field(default_factory=set)
    shoe: int = 0
    rack: int = 0
    layout: int = 0
    inspected: bool = False
    """Whether the devices were inspected on this gaming day."""
    dealer: str = ""
    """Who is on duty."""
    owes: bool = False
    """Whether the new dealer has still to burn his card."""
    cover: int = 0
    """Cards below the cover card."""
    round: NaiveRound | None = None
    """The round in progress."""
    unread: bool = False
    """Whether it began with a reader out of order."""
    consents: set[tuple[int, str, str]] = field(default_factory=set)
    """Box, who wagered there first, and another whom he lets wager there."""
    deserted: bool = False
    """Whether everybody had left the cards that are in the shoe."""

    @property
    def whole(self) -> int:
        """The cards of all decks in play."""
        return self.decks * self.text.deck

    @property
    def head(self) -> str:
        """What comes next before a round."""
        return self.todo[0] if self.todo else ""

    @property
    def broken(self) -> bool:
        """Whether the reader is out of order."""
        return bool(self.out - set(COVERED))

    @property
    def reads(self) -> bool:
        """Whether the reader reads in this round: one that began without it is dealt to its end so, 13(o)(13)."""
        return not self.broken and not self.unread

    @property
    def stopped(self) -> bool:
        """Whether no card comes out of the shoe: for a reader, or for the shoe itself."""
        return (self.broken and self.text.stops) or "shoe" in self.out

    def _waits(self) -> bool:
        """Whether the next task is one for a device that is out of order."""
        return (self.head == "shuffle" and "shuffler" in self.out) or (
            self.head in ("load_shoe", "burn") and "shoe" in self.out
        )

    def _repairs(self) -> set[tuple[str, str]]:
        cover = {("cover_device", "dealer")} if self.out & set(COVERED) else set()
        return {("device_repaired", "floorperson"), *cover}

    def _meanwhile(self) -> set[tuple[str, str]]:
        """What the staff is asked for while the cards lie there for a player."""
        return self._repairs() if self.broken or self.out else set()

    @property
    def left_lying(self) -> bool:
        """Whether the cards in the shoe are those of a game that everybody has left: they are spread first."""
        return self.deserted and self.shoe > 0 and "load_shoe" not in self.todo

    # -- what is asked

    def due(self) -> list[set[tuple[str, str]]]:
        """What may be asked now beside the players' answers, of which role: one of these."""
        if self.phase != "open":
            return [self._due_beside()]
        if self.todo:
            return self._due_before()
        if self.left_lying:
            return [{("spread_idle", "dealer")}]
        if self.stopped:
            return [self._repairs()]
        if not self.seats:
            return [{("sit", "player")}]
        return [{("place_wager", "player"), *({("deal", "dealer")} if self.bets else ())}]

    def _due_beside(self) -> set[tuple[str, str]]:
        """What is asked while the table is closed or idle, in a round, or after one."""
        if self.phase == "round" and self.options():
            return set()
        if self.phase == "round":
            return self._repairs() if self.stopped else {("burn" if self.owes else "card", "dealer")}
        return {
            "closed": {("open_table", "floorperson")},
            "idle": {("make_ready", "player") if self.seats else ("sit", "player"), *self._meanwhile()},
            "settled": {("collect_cards", "dealer")},
        }[self.phase]

    def _due_before(self) -> list[set[tuple[str, str]]]:
        """A task in its turn; the cut is offered to a player, whose no the dealer may tell, or the dealer's own."""
        if self.head == "show_cards" and not self.seats:
            return [{("sit", "player"), *self._meanwhile()}]
        if self._waits():
            return [self._repairs()]
        if self.head == "cut":
            offered = {("cut", "player"), ("decline_cut", "player"), ("decline_cut", "dealer")}
            return [{("offer_cut", "dealer")}, offered, {("cut", "dealer")}]
        count = [{("count_cards", "dealer")}] if self.text.counts and self.head == "shuffle" else []
        return [{(self.head, role) for role in WHO[self.head]}, *count]

    # -- verdicts

    def verdict(self, command: Command) -> bool | None:
        """Whether a command must be carried out (true), refused (false), or the model cannot tell."""
        if command.do not in WHO:
            return None
        if command.role not in WHO[command.do]:
            return False
        if command.role == "dealer" and self.dealer and command.by != self.dealer:
            return False
        judge: Callable[[Command], bool | None] = getattr(self, f"_{command.do}", self._task)
        return judge(command)

    def _task(self, command: Command) -> bool | None:
        """A task of the opening is done in its turn and never else; some need arguments that are checked elsewhere."""
        if self.phase != "open" or self.head != command.do or self._waits():
            return False
        if command.do == "show_cards":
            return bool(self.seats)
        return None if command.do in ("shuffle", "insert_cover_card", "burn", "cut") else True

    def _cut(self, command: Command) -> bool | None:
        if self.phase != "open" or self.head != "cut":
            return False
        place = command.args.get("place")
        far = type(place) is int and 10 <= place <= self.whole - 10
        return None if far else False

    def _open_table(self, command: Command) -> bool | None:
        return self.phase == "closed" and None if command.args.get("dealer") else False

    def _close_table(self, _: Command) -> bool:
        return self.phase in ("open", "idle") and not self.bets

    def _sit(self, command: Command) -> bool | None:
        boxes = command.args.get("boxes")
        if self.phase == "closed" or not isinstance(boxes, list) or not boxes:
            return False
        if any(type(box) is not int or not 1 <= box <= self.text.boxes for box in boxes) or len(set(boxes)) < len(
            boxes
        ):
            return False
        if any(self._taken(command.by, box) for box in boxes):
            return False
        return None if command.by in self.seats else True

    def _taken(self, name: str, box: int) -> bool:
        """Whether somebody else sits at a box, or his wager lies there where a box is one player's."""
        return self._seated(box) not in ("", name) or (
            not self.text.shares and any(other != name for other in self._on(box))
        )

    def _seated(self, box: int) -> str:
        return next((name for name, own in self.seats.items() if box in own), "")

    def _on(self, box: int) -> list[str]:
        """Whose wagers lie on a box, the first first."""
        return [name for name, place in self.bets if place == box]

    def _stand_behind(self, command: Command) -> bool | None:
        return False if self.phase == "closed" else None if command.by in self.seats else True

    def _consent(self, command: Command) -> bool | None:
        first = self._on(command.args.get("box", 0))[:1]
        other = command.args.get("player")
        may = self.text.shares and first == [command.by] and other in self.seats and other != command.by
        return None if may and self.phase != "open" else may

    def _let_in(self, name: str, box: int) -> bool:
        """Whether a player may wager on a box: his own, one where nobody is, or one where he is let in."""
        on_box, seated = self._on(box), self._seated(box)
        if name in on_box or (not on_box and seated in ("", name)):
            return True
        if not self.text.shares or (seated not in ("", name) and seated not in on_box):
            return False
        return (box, on_box[0], name) in self.consents

    def _leave(self, command: Command) -> bool:
        return command.by in self.seats and not any(name == command.by for name, _ in self.bets)

    def _make_ready(self, command: Command) -> bool:
        return self.phase == "idle" and command.by in self.seats

    def _buy_in(self, command: Command) -> bool:
        return command.args.get("player") in self.seats and _dollars(command) > 0

    def _tip(self, command: Command) -> bool | None:
        if self.phase in ("round", "settled"):
            return None if command.by in self.seats else False
        return 0 < _dollars(command) <= self.purse.get(command.by, 0)

    def _place_wager(self, command: Command) -> bool | None:
        if self.phase != "open" or command.by not in self.seats or self.left_lying:
            return False
        amount, box = _dollars(command), command.args.get("box")
        if amount <= 0 or amount > self.purse[command.by] or type(box) is not int or not 1 <= box <= self.text.boxes:
            return False
        if not self._let_in(command.by, box):
            return False
        alone = not self._on(box) and not self._has_bet(command.by)
        return True if box in self.seats[command.by] and alone else None

    def _has_bet(self, player: str) -> bool:
        return any(name == player for name, _ in self.bets)

    def _take_back_wager(self, command: Command) -> bool:
        lies = (command.by, command.args.get("box")) in self.bets
        return self.phase == "open" and lies

    def _deal(self, _: Command) -> bool:
        ready = self.phase == "open" and not self.todo and not self.stopped and not self.left_lying
        return ready and bool(self.bets)

    def _card(self, _: Command) -> bool | None:
        return None if self.phase == "round" and not self.stopped and not self.owes else False

    def _burn(self, command: Command) -> bool | None:
        """In its turn before a round, and in a round before the new dealer's first card."""
        if self.phase == "round":
            return None if self.owes and "shoe" not in self.out else False
        return self._task(command)

    def options(self) -> set[tuple[str, str]]:
        """Who may answer what in the round; nobody while the game is stopped."""
        stopped = self.broken and self.text.stops
        return set() if self.phase != "round" or self.round is None or stopped else self.round.options()

    def _decide(self, command: Command) -> bool | None:
        """Each answers for himself; a further wager needs chips, and a choice of hands its hand."""
        who, action = DEALER if command.role == "dealer" else command.by, command.args.get("action", "")
        free = action in ("stand", "hit", "decline", "surrender", "rescue")
        return False if (who, action) not in self.options() else True if free else None

    def _collect_cards(self, _: Command) -> bool:
        return self.phase == "settled"

    def _change_dealer(self, command: Command) -> bool | None:
        dealer = command.args.get("dealer")
        if self.phase == "closed" or dealer == self.dealer or dealer in self.seats:
            return False
        return True if dealer else None

    def _reshuffle(self, _: Command) -> bool | None:
        ready = self.phase == "open" and {*self.todo} <= {"burn"} and self.shoe > 0
        return None if ready and self.bets else ready

    def _spread_idle(self, command: Command) -> bool | None:
        return False if self.phase != "open" or self.todo or self.bets else None if command.args else True

    def _device_out_of_order(self, command: Command) -> bool | None:
        device = command.args.get("device")
        known = device in ("card_reader", "masque_reader", *self.text.covers)
        return None if known and device not in self.covered else False

    def _device_repaired(self, command: Command) -> bool | None:
        return None if command.args.get("device") in ("card_reader", "masque_reader", *self.text.covers) else False

    def _cover_device(self, command: Command) -> bool:
        return command.args.get("device") in self.out & set(self.text.covers)

    # -- what a command does

    def carry_out(self, command: Command) -> None:
        """Move chips, cards and phase as a command that was carried out does."""
        act = getattr(self, f"_do_{command.do}", None)
        if act is not None:
            act(command, command.args)
        if self.head == command.do and (self.phase == "open" or command.do == "burn"):
            del self.todo[0]
            self.owes = self.owes and "burn" in self.todo

    def _do_open_table(self, _: Command, args: Any) -> None:
        self.phase, self.dealer, self.owes = "open", args["dealer"], False
        self.todo = [task for task in self.text.opening if task not in DAILY or not self.inspected]

    def _do_inspect_device(self, _: Command, __: Any) -> None:
        self.inspected = True

    def _do_close_table(self, _: Command, __: Any) -> None:
        self.phase, self.todo, self.dealer, self.owes = "closed", [], "", False
        self.seats, self.purse, self.deserted, self.consents = {}, {}, False, set()
        self.shoe = self.rack = 0

    def _do_sit(self, command: Command, args: Any) -> None:
        self.seats[command.by] = list(args["boxes"])
        self.purse.setdefault(command.by, 0)
        if self.phase == "idle":
            self._do_make_ready(command, args)

    def _do_make_ready(self, _: Command, __: Any) -> None:
        """Cards that lay idle are washed, unless a shuffler is in use: 635a.5(g)(2), Ch. 5.I(2)."""
        shuffler = "shuffler" in self.text.covers and "shuffler" not in self.covered
        spread = [task for task in SPREAD[1:] if task != "wash_cards" or not shuffler]
        self.phase, self.todo = "open", spread + [task for task in self.todo if task == "burn"]

    def _do_leave(self, command: Command, _: Any) -> None:
        del self.seats[command.by], self.purse[command.by]
        self.consents = {row for row in self.consents if command.by not in row}
        self.deserted = self.deserted or not self.seats

    def _do_buy_in(self, command: Command, args: Any) -> None:
        self.purse[args["player"]] += _dollars(command)
        self.drop += _dollars(command)

    def _do_tip(self, command: Command, _: Any) -> None:
        self.purse[command.by] -= _dollars(command)

    def _do_place_wager(self, command: Command, args: Any) -> None:
        amount, place = _dollars(command), (command.by, args["box"])
        self.purse[command.by] -= amount
        self.bets[place] = self.bets.get(place, 0) + amount

    def _do_take_back_wager(self, command: Command, args: Any) -> None:
        self.purse[command.by] += self.bets.pop((command.by, args["box"]))

    def _do_stand_behind(self, command: Command, args: Any) -> None:
        self._do_sit(command._replace(args={**args, "boxes": []}), {"boxes": []})

    def _do_consent(self, command: Command, args: Any) -> None:
        self.consents.add((args["box"], command.by, args["player"]))

    def _do_deal(self, _: Command, __: Any) -> None:
        self.phase, self.unread = "round", self.broken
        self.round = NaiveRound(self.text.game, {box: self._called(box) for _, box in self.bets})

    def _called(self, box: int) -> list[str]:
        """Who wagers on a box: first the one who sits there, else the one with the highest wager."""
        on_box, seated = self._on(box), self._seated(box)
        caller = seated if seated in on_box else max(on_box, key=lambda name: self.bets[name, box])
        return [caller, *(name for name in on_box if name != caller)]

    def _do_card(self, _: Command, args: Any) -> None:
        self.shoe, self.layout = self.shoe - 1, self.layout + 1
        assert self.round is not None
        self.round.card(args["card"], reads=self.reads)

    def _do_decide(self, command: Command, args: Any) -> None:
        assert self.round is not None
        who = DEALER if command.role == "dealer" else command.by
        self.round.said(who, args["action"], args.get("hand"), reads=self.reads)

    def _do_burn(self, _: Command, __: Any) -> None:
        self.shoe, self.rack = self.shoe - 1, self.rack + 1

    def _do_shuffle(self, _: Command, __: Any) -> None:
        self.shoe = self.rack = 0

    def _do_insert_cover_card(self, _: Command, args: Any) -> None:
        self.cover = args["from_bottom"]

    def _do_load_shoe(self, _: Command, __: Any) -> None:
        self.shoe, self.deserted = self.whole, self.deserted and not self.seats

    def _do_collect_cards(self, _: Command, __: Any) -> None:
        """After the round in which the cover card came out, all cards are shuffled."""
        self.rack, self.layout = self.rack + self.layout, 0
        self.phase, self.bets = "open", {}
        if self.shoe < self.cover:
            self.todo = [*READY, *self.todo]

    def _do_reshuffle(self, _: Command, __: Any) -> None:
        self.todo = [*READY, *(["burn"] if self.owes else [])]

    def _do_spread_idle(self, _: Command, __: Any) -> None:
        self.phase, self.shoe, self.rack, self.deserted = "idle", 0, 0, False

    def _do_change_dealer(self, _: Command, args: Any) -> None:
        """Each new dealer burns a card, once there are cards; one who never dealt owes none any more."""
        self.dealer = args["dealer"]
        if not self.owes and (self.phase == "idle" or "receive_cards" not in self.todo):
            self.owes = True
            self.todo.append("burn")

    def _do_device_out_of_order(self, _: Command, args: Any) -> None:
        self.out.add(args["device"])

    def _do_device_repaired(self, _: Command, args: Any) -> None:
        self.out.discard(args["device"])
        self.covered.discard(args["device"])

    def _do_cover_device(self, _: Command, args: Any) -> None:
        self.out.discard(args["device"])
        self.covered.add(args["device"])


def _dollars(command: Command) -> int:
    """The amount of a command in whole dollars; zero where it has none."""
    text = command.args.get("amount")
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else 0
