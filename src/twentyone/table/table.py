"""`Table`: a table of one rulebook, frozen; `apply` returns the next one."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from twentyone.errors import Refused, SubmissionRefused
from twentyone.law import carries
from twentyone.round import Draw, Offer, ReaderReport, Spin, Told, TurnUp
from twentyone.round.dealing import card_cite
from twentyone.round.play import Play
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Boxes, Device, Idle, InfiniteDeck
from twentyone.rulebook.wheels import meters_of
from twentyone.table import (  # noqa: F401 (register commands)
    counting,
    coupons,
    cover_card,
    devices,
    entries,
    guests,
    limits,
    opening,
    people,
    rack,
    rounds,
    shuffling,
    tens,
    verbal,
    wagering,
)
from twentyone.table.agenda import uninspected
from twentyone.table.card_devices import failure_cite, halting, switched_off
from twentyone.table.fallback_rules import game_stopped, rules_in_force
from twentyone.table.guests import check_whose
from twentyone.table.idle import all_barred, fresh_cards, spread_due
from twentyone.table.meter_events import MeterSet
from twentyone.table.model import RUN_OUT, Command, Log, TableEvent, TableState, Todo
from twentyone.table.opening import change_overdue
from twentyone.table.play import (
    COMMANDS,
    TablePlay,
    any_task,
    burn_waits,
    check_arguments,
    given_task,
    task_cite,
    todo_cite,
)
from twentyone.table.rounds import DEALER
from twentyone.table.shuffling import awaits_first_player, cut_order
from twentyone.table.verbal import missing
from twentyone.table.wagering import misfit

__all__ = ["VERBAL", "NextStep", "Table"]


VERBAL = ("confirm_verbal_wager", "decline_verbal_wager")
"""What is done about a spoken wager."""


PUT_AWAY = {"covered": "cover_device", "removed": "remove_device"}
"""How a device that cannot be used is put away, by what its text says."""


class NextStep(NamedTuple):
    """What the procedure asks of a role now."""

    do: str
    role: str
    cite: str
    says: str
    about: str = ""


class Table:
    """A table under some rules."""

    def __init__(self, rules: Rules, state: TableState, past: Log | tuple[TableEvent, ...] = ()) -> None:
        held = self.__dict__
        held["rules"], held["state"] = rules, state
        held["log"] = past if isinstance(past, Log) else Log(None, past)

    rules: Rules
    """The rulebook under the submission."""
    state: TableState
    """The state of the table: the fold of the events."""
    log: Log
    """The events, command by command."""

    @property
    def new_events(self) -> tuple[TableEvent, ...]:
        """What the last command led to."""
        return self.log.events

    @cached_property
    def events(self) -> tuple[TableEvent, ...]:
        """Everything that happened; put together when it is asked for."""
        return self.log.all()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a table is frozen: apply() returns the next one")

    @classmethod
    def at(cls, rules: Rules, state: TableState) -> Table:
        """A table that goes on from a state; its earlier events are kept elsewhere."""
        return cls(rules, state)

    @classmethod
    def new(cls, rules: Rules) -> Table:
        """A closed table with its meters at their base; refused where no shoe can hold what is dealt."""
        infinite = rules.maybe(InfiniteDeck)
        if infinite is not None:
            raise SubmissionRefused(infinite.type_key, "no table deals an infinite deck from a shoe", infinite.cite)
        play = TablePlay(rules, TableState(), Command("set_meters", "operator", "operator"))
        _set_meters(play)
        return cls(rules, play.state, tuple(play.events))

    def apply(self, command: Command) -> Table:
        """The table after a command; refused with its paragraph if the procedure does not allow it now."""
        play = TablePlay(self.rules, self.state.copy(), command)
        handler = COMMANDS.get(command.do)
        if handler is None:
            raise Refused(f"there is no command {command.do!r}", play.cite)
        check_arguments(play, handler)
        task = given_task(play.rules, self.state, command.do)
        roles = task.role if task is not None else handler.roles
        if command.role not in roles:
            cite = _handling(play) or switched_off(play.rules, command.do)
            raise play.refuse(f"{command.do.replace('_', ' ')} is {_allowed(play, roles)}", cite)
        _check_on_duty(play)
        check_whose(play)
        handler.function(play)
        return Table(self.rules, play.state, Log(self.log, tuple(play.events)))

    def next_steps(self, role: str | None = None, at: int | None = None) -> tuple[NextStep, ...]:
        """What the procedure asks at a moment (that of the last event), of one role or of all."""
        steps = (*self._asked(), *self._steps(self.log.last if at is None else at))
        return steps if role is None else tuple(step for step in steps if step.role == role)

    def _steps(self, at: int) -> list[NextStep]:
        """What is asked; a ten that was found comes first, since no shuffle and no deal goes before it."""
        if not self.state.found:
            return self._other_steps(at)
        later = ("deal", "reload_rack", *(todo.do for todo in self.state.agenda))
        others = [step for step in self._other_steps(at) if step.do not in later]
        return [*self._task("destroy_found_ten"), *others]

    def _other_steps(self, at: int) -> list[NextStep]:
        state = self.state
        if state.phase == "closed":
            cite = task_cite(self.rules, state, "receive_cards") or self.rules.rulebook.submission_cite
            return [NextStep("open_table", "floorperson", cite, "open the table")]
        if state.phase == "round":
            return self._round_steps()
        if state.phase == "idle":
            return self._waiting(at, self._make_ready() if state.players else self._sit())
        if state.phase == "settled":
            return self._task("collect_cards")
        if spread_due(rules_in_force(self.rules, state), state):
            return self._task("spread_idle")
        if state.agenda:
            steps = self._agenda_steps()
            return self._waiting(at, *steps) if steps == [self._sit()] else steps
        if state.stopped:
            return self._repairs()
        overdue = self._overdue(at)
        if overdue:
            return overdue
        return [*self._spoken(), *self._wagering(), *(self._closing() if state.placed and not state.verbal else [])]

    def _wagering(self) -> list[NextStep]:
        """Who may wager is asked to; where nobody who is there may, the cards are shuffled for them."""
        rules = rules_in_force(self.rules, self.state)
        if all_barred(rules, self.state):
            return self._task(fresh_cards(rules))
        return self._task("place_wager") if self.state.players else [self._sit()]

    def _closing(self) -> list[NextStep]:
        """The deal; before it a wager goes back with which no round may begin."""
        wrong = misfit(rules_in_force(self.rules, self.state), self.state)
        if wrong is None:
            return self._task("deal")
        return [step._replace(cite=wrong.cite or step.cite) for step in self._task("take_back_wager", wrong.player)]

    def _waiting(self, at: int, *player: NextStep) -> list[NextStep]:
        """What is asked while the cards lie there for a player: what the staff has to do meanwhile comes first."""
        return [*self._repairs(), *self._overdue(at), *player]

    def _asked(self) -> list[NextStep]:
        """The burn card that a player has asked to see."""
        return self._task("show_burn_card", self.state.burn_asked) if self.state.burn_asked else []

    def _spoken(self) -> list[NextStep]:
        """A spoken wager is confirmed or declined before anything is dealt."""
        waiting = self.state.verbal[:1]
        due = [role for said in waiting for role in missing(self.rules, said)]
        tasks = [step for said in waiting for do in VERBAL for step in self._task(do, said.player)]
        return [step for step in tasks if step.role in due]

    def _overdue(self, at: int) -> list[NextStep]:
        """What is due by the clock before the next deal: new cards, a device's inspection."""
        rules = rules_in_force(self.rules, self.state)
        if change_overdue(rules, self.state, at) is not None:
            return self._task("change_cards")
        due = uninspected(rules, self.state, at)
        return [step for device in due for step in self._task("inspect_device", device.name)]

    def _sit(self) -> NextStep:
        return NextStep("sit", "player", self.rules.one(Boxes).cite, "take a box")

    def _make_ready(self) -> NextStep:
        return NextStep("make_ready", "player", self.rules.one(Idle).cite, "have the cards made ready")

    def _repairs(self) -> list[NextStep]:
        """A device that is out of order is repaired, or put away where another method may be used."""
        broken = [name for name, device in sorted(self.state.devices.items()) if device.state == "out_of_order"]
        clauses = [clause for name in broken for clause in self.rules.all(Device) if clause.name == name]
        ways = [("device_repaired", clause) for clause in clauses]
        ways += [(PUT_AWAY.get(clause.out_of_order, ""), clause) for clause in clauses]
        return [
            step._replace(cite=failure_cite(clause) or step.cite)
            for task, clause in ways
            for step in self._task(task, clause.name)
        ]

    def _agenda_steps(self) -> list[NextStep]:
        head = self.state.agenda[0]
        if head.do == "show_cards" and not self.state.players:
            return [self._sit()]
        if self.state.miscounted:
            cite = task_cite(self.rules, self.state, head.do) or ""
            again = NextStep("count_again", "floorperson", cite, "have the cards counted again", head.about)
            return [again, *(step for step in self._task("change_cards") if step.role == again.role)]
        if self._waits_for_device(head.do):
            return self._repairs()
        return self._cut_steps(head) if head.do == "cut" else self._task(head.do, head.about)

    def _cut_steps(self, head: Todo) -> list[NextStep]:
        """The cut is his to whom it is offered, and the dealer's once nobody is left to ask."""
        if self.state.cut_offered:
            return [*self._task("cut", head.about, "player"), *self._task("decline_cut", head.about)]
        rules = rules_in_force(self.rules, self.state)
        if awaits_first_player(rules, self.state):
            return [self._sit()]
        to_ask = self.state.cut_order or (() if self.state.cut_asked else cut_order(rules, self.state))
        if to_ask:
            return self._task("offer_cut", head.about)
        nobody = task_cite(rules, self.state, "decline_cut")
        return [step._replace(cite=nobody or step.cite) for step in self._task("cut", head.about, "dealer")]

    def _waits_for_device(self, task: str) -> bool:
        """Whether a task cannot be done with a device that is out of order and still stands there."""
        shuffler = self.state.devices.get("shuffler")
        if task == "shuffle":
            return shuffler is not None and shuffler.state == "out_of_order"
        return task in ("load_shoe", "burn") and halting(self.rules, self.state) is not None

    def _task(self, name: str, about: str = "", only: str = "") -> list[NextStep]:
        """A task as a step of each role that may do it, or of one of them only."""
        rules = rules_in_force(self.rules, self.state)
        task = given_task(rules, self.state, name)
        if task is None:
            return []
        cite = todo_cite(rules, self.state, Todo(name, about)) or task.cite
        return [NextStep(name, role, cite, task.says, about) for role in task.role if only in ("", role)]

    def _round_steps(self) -> list[NextStep]:
        assert self.state.round is not None
        need, cite = self.state.round.next, self.state.round.cite
        if isinstance(need, Told):
            return self._task("confirm_notification")
        if self.state.stopped and (isinstance(need, Draw) or game_stopped(self.rules, self.state)):
            return self._repairs()
        if isinstance(need, Draw) and self.state.agenda and not burn_waits(self.state):
            return self._agenda_steps()
        if isinstance(need, Draw) and self.state.shoe is not None and self.state.shoe.left < 1:
            run_out = self.rules.irregularities[RUN_OUT].cite
            return [NextStep("reload_rack", "dealer", run_out, "shuffle the discard rack for the shoe")]
        if isinstance(need, Draw):
            to = f"box {need.box}" if need.box is not None else "the dealer"
            under = card_cite(Play(self.state.round.rules, self.state.round.state), need)
            return [NextStep("card", "dealer", under, f"a card {'face down ' if need.face_down else ''}for {to}")]
        if isinstance(need, Spin):
            return [NextStep("spin", "dealer", cite, "spin the wheel")]
        if isinstance(need, ReaderReport):
            return [NextStep("reader_told", "dealer", cite, "put the hole card into the reader and say what it tells")]
        if isinstance(need, TurnUp):
            return [NextStep("turn_card", "dealer", cite, "turn the hole card up")]
        assert isinstance(need, Offer)
        asked = dict.fromkeys((option.action, option.player) for option in need.options)
        steps = [_decision(cite, action, player) for action, player in asked]
        if not need.optional:
            return steps
        own = [_decision(cite, "decline", player) for player in dict.fromkeys(player for _, player in asked)]
        return [*steps, *own, NextStep("decide", "dealer", cite, "decline")]


@carries("meter")
def _set_meters(play: TablePlay) -> None:
    """Set each progressive meter of the wheels in force to its base."""
    for name, terms in meters_of(play.rules).items():
        base, rate, limit, unit = terms.base, terms.rate, terms.limit, terms.unit
        play.emit(MeterSet, terms.cite, meter=name, base=base, rate=rate, limit=limit, unit=unit)


def _decision(cite: str, action: str, player: str) -> NextStep:
    """A decision that a player is asked for, or the dealer himself."""
    return NextStep("decide", *(("dealer", cite, action) if player == DEALER else ("player", cite, action, player)))


def _allowed(play: TablePlay, roles: tuple[str, ...]) -> str:
    """To whom a command is left, where its role may not give it."""
    if roles:
        return f"for the {' or '.join(roles)}, not for the {play.command.role}"
    text = any_task(play.rules, play.command.do)
    if text is None:
        return "for nobody under this text"
    wanted = (f"{key} = {_listed(value)}" for key, value in {**text.when, **text.reading}.items())
    return f"for nobody under this submission: the text has it with {' and '.join(wanted)}"


def _check_on_duty(play: TablePlay) -> None:
    """What is the dealer's is for the one on duty: who was relieved, or never came, does not deal."""
    dealer, by = play.state.dealer, play.command.by
    if play.command.role != "dealer" or by == dealer:
        return
    if dealer is None:
        raise play.refuse(f"the table is closed: neither {by} nor anybody else deals here")
    raise play.refuse(f"{dealer} deals here, not {by}", task_cite(play.rules, play.state, "change_dealer"))


def _listed(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _handling(play: TablePlay) -> str | None:
    """The paragraph that keeps players off the cards, where one of them would draw."""
    drawing = (play.command.do, play.command.role) == ("card", "player")
    return task_cite(play.rules, play.state, "handle_cards_refused") if drawing else None
