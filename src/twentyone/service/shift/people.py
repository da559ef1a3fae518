"""Automatic people at one table: dealer, floorperson and players, who do what the procedure asks next.

What they do follows from the table as it stands, from a seed, and from the version of the table's stream. A process
that is killed and started again therefore goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from twentyone.money import ZERO
from twentyone.round import Draw, Offer
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import CardChange, Device, Idle
from twentyone.service.rack import counted_rack, restock
from twentyone.service.shift import mishaps
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.players import LEAST_PURSE, PURSE, PlannedWager, answers, boxes_taken, planned_wagers
from twentyone.table import Command, NextStep, Table, TableState
from twentyone.table.agenda import uninspected
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.follow import Follower, consent
from twentyone.table.idle import deserted
from twentyone.table.play import any_task, task_of
from twentyone.table.verbal import missing

__all__ = ["FLOORPERSON", "ShiftPeople"]

DEALERS = ("Dan", "Dot", "Dee")
FLOORPERSON = "Fay"
RELIEF = 40
"""Rounds after which another dealer comes."""
BREAK = 60
"""Rounds after which the table stands idle for a while."""
EARLY = 30 * 60
"""Cards are changed so many seconds before they must be."""
DEEPER = 20
"""The cover card goes in at the least depth that the text allows, or up to so many cards further from the bottom."""
DECLINED = 8
"""One spoken wager in so many is turned away."""
MANY = 16**12
"""Numbers that the coupons of a shift are among."""
AGAIN = 4
"""Once a wrong card came out in a round, one card in so many is wrong too."""


class ShiftPeople:
    """Everybody who works or plays at one table."""

    def __init__(self, rules: Rules, seed: str, rate: Fraction, rounds: int) -> None:
        self.rules = rules
        """The rules in force: the rulebook under the submission, without the devices that are out of use."""
        self.seed = seed
        """What they do follows from it."""
        self.rate = rate
        """How often something goes wrong."""
        self.rounds = rounds
        """Rounds after which the table closes."""

    def is_done(self, state: TableState) -> bool:
        """Whether the shift is over at this table."""
        return state.phase == "closed" and state.rounds >= self.rounds

    def commands(self, table: Table, version: int, at: int) -> Iterator[Command]:
        """What somebody does now, the preferred command first; none where the shift is over."""
        state, chance = table.state, Chance(self.seed, version)
        self.rules = rules_in_force(table.rules, state)
        if state.found:
            yield self._give("destroy_found_ten", state, at)
        if state.phase == "round":
            yield from self._in_round(table, at, chance)
        elif state.phase == "settled":
            if chance.happens(self.rate):
                yield from mishaps.in_round(self.rules, state, self._dealer(state), at, chance)
            yield self._give("collect_cards", state, at)
        elif state.phase == "closed":
            if state.rounds < self.rounds:
                args = {"dealer": self._on_duty(state), "inventory": counted_rack(state)}
                yield Command("open_table", "floorperson", FLOORPERSON, at, args)
        elif state.phase == "open" and not state.agenda and not state.stopped:
            yield from self._between(state, at, chance)
        else:
            yield from self._by_the_book(table, at, chance)

    # -- people

    def _dealer(self, state: TableState) -> str:
        return state.dealer or DEALERS[0]

    def _on_duty(self, state: TableState) -> str:
        return DEALERS[state.rounds // RELIEF % len(DEALERS)]

    def _staff(self, state: TableState) -> dict[str, str]:
        return {"dealer": self._dealer(state), "floorperson": FLOORPERSON, "player": next(iter(state.players), "")}

    def _give(self, do: str, state: TableState, at: int, **args: Any) -> Command:
        """A command in the first role that may give it."""
        task = any_task(self.rules, do)
        role = task.role[0] if task is not None else "dealer"
        return Command(do, role, self._staff(state)[role], at, args)

    # -- a round

    def _in_round(self, table: Table, at: int, chance: Chance) -> Iterator[Command]:
        state, round_, dealer = table.state, table.state.round, self._dealer(table.state)
        assert round_ is not None
        if state.stopped:
            yield from self._repairs(state, at)
            return
        if state.agenda and isinstance(round_.next, Draw):
            yield self._follow(table, table.next_steps()[0], at, chance)
            return
        if state.dealer != self._on_duty(state) and chance.one_in(2):
            yield self._give("change_dealer", state, at, dealer=self._on_duty(state))
        if chance.happens(self.rate) or (mishaps.more_are_likely(round_) and chance.one_in(AGAIN)):
            yield from mishaps.in_round(self.rules, state, dealer, at, chance)
        if isinstance(round_.next, Offer):
            yield from answers(round_, round_.next, dealer, at, chance)
        else:
            yield Follower(self._staff(state)).command(table, table.next_steps()[0], at)

    # -- what the procedure asks outside a round

    def _by_the_book(self, table: Table, at: int, chance: Chance) -> Iterator[Command]:
        state, step = table.state, table.next_steps()[0]
        if step.do == "sit":
            yield self._arrival(state, at)
        elif step.do == "device_repaired":
            yield from self._repairs(state, at)
        else:
            if chance.happens(self.rate) and state.agenda:
                yield from mishaps.at_agenda(self.rules, state, self._staff(state), at, chance)
            yield self._follow(table, step, at, chance)

    def _arrival(self, state: TableState, at: int) -> Command:
        name, boxes = next(iter(boxes_taken(self.rules, self.seed, state.rounds).items()))
        return _comes(name, boxes, at)

    def _repairs(self, state: TableState, at: int) -> Iterator[Command]:
        """A device that fails is repaired, or put away where the text has it so."""
        ways: dict[str, str] = {clause.name: clause.out_of_order for clause in self.rules.all(Device)}
        away = {"covered": "cover_device", "removed": "remove_device"}
        for name, device in state.devices.items():
            if device.state == "out_of_order":
                yield self._give(away.get(ways.get(name, ""), "device_repaired"), state, at, device=name)

    def _follow(self, table: Table, step: NextStep, at: int, chance: Chance) -> Command:
        """By the book, with a cut and a cover card wherever they fall; a player may decline the cut."""
        follower = Follower(
            self._staff(table.state),
            cut_at=lambda positions: positions[chance.below(len(positions) - 1)],
            cover_at=lambda positions: positions[0 if chance.one_in(2) else chance.below(DEEPER)],
        )
        command = follower.command(table, step, at)
        declines = (command.do, command.role) == ("cut", "player") and chance.one_in(2)
        return Command("decline_cut", "player", command.by, at) if declines else command

    # -- between rounds

    def _between(self, state: TableState, at: int, chance: Chance) -> Iterator[Command]:
        if deserted(self.rules, state) is not None:
            yield self._give("spread_idle", state, at)
        if state.burn_asked:
            yield self._give("show_burn_card", state, at)
        if chance.happens(self.rate):
            yield from mishaps.at_table(self.rules, state, self._staff(state), at, chance)
        if not state.placed and not state.verbal:
            yield from self._before_wagers(state, at, chance)
        yield from self._spoken(state, at, chance)
        yield from self._wagers(state, at)

    def _before_wagers(self, state: TableState, at: int, chance: Chance) -> Iterator[Command]:
        if state.rounds >= self.rounds:
            yield Command("close_table", "floorperson", FLOORPERSON, at)
        yield from self._floor(state, at, chance)
        if self._takes_a_break(state):
            yield from (Command("leave", "player", name, at) for name in state.players)
            yield self._give("spread_idle", state, at)
            return
        yield from self._company(state, at)
        if state.players and chance.one_in(100):
            yield Command("tip", "player", chance.among(list(state.players)), at, {"amount": "5"})

    def _floor(self, state: TableState, at: int, chance: Chance) -> Iterator[Command]:
        """What the floorperson sees to: dealers, chips, cards, devices."""
        if state.dealer != self._on_duty(state):
            yield self._give("change_dealer", state, at, dealer=self._on_duty(state))
        if (due := restock(state)) is not None:
            yield Command(due[0], "floorperson", FLOORPERSON, at, due[1])
        if self._cards_are_old(state, at):
            yield self._give("change_cards", state, at)
        for name, device in state.devices.items():
            if device.state != "working" and chance.one_in(5):
                yield self._give("device_repaired", state, at, device=name)

    def _cards_are_old(self, state: TableState, at: int) -> bool:
        most = self.rules.one(CardChange).hours * 60 * 60 - EARLY
        return any(at - batch.opened > most for batch in state.batches.values())

    def _takes_a_break(self, state: TableState) -> bool:
        """Whether everybody goes for a while; the new shoe afterwards says that the break is over."""
        due = state.rounds > 0 and state.rounds % BREAK == 0 and state.rounds_in_shoe > 0
        return due and task_of(self.rules, "spread_idle") is not None

    def _company(self, state: TableState, at: int) -> Iterator[Command]:
        """Players come, take other boxes and go, so that somebody is always there; and they buy chips."""
        due = boxes_taken(self.rules, self.seed, state.rounds)
        seated = {name: list(player.boxes) for name, player in state.players.items()}
        for name, boxes in due.items():
            if seated.get(name) != boxes:
                yield _comes(name, boxes, at)
            elif state.chips.get(name, ZERO) < LEAST_PURSE:
                yield Command("buy_in", "dealer", self._dealer(state), at, {"player": name, "amount": str(PURSE)})
        for name, boxes in seated.items():
            if due.get(name) != boxes:
                yield Command("leave", "player", name, at)

    def _wagers(self, state: TableState, at: int) -> Iterator[Command]:
        """Those who mean to wager do; then the cards are dealt."""
        laid = {placed[:3] for placed in state.placed}
        matched = {(placed.player, placed.box, placed.wager) for placed in state.placed if placed.coupon}
        for wager in planned_wagers(self.rules, state, self.seed):
            if (wager.box, wager.player, wager.wager) not in laid:
                yield from consent(self.rules, state, wager.box, wager.player, at)
                yield Command("place_wager", "player", wager.player, at, wager.args())
            elif wager.coupon and wager[:3] not in matched:
                yield self._coupon(state, wager, at)
        yield from self._readiness(state, at)
        if state.placed:
            yield self._give("deal", state, at)
        else:
            yield from self._without_wagers(state, at)

    def _without_wagers(self, state: TableState, at: int) -> Iterator[Command]:
        """Nobody at the table may wager before the cards are shuffled: they are, or whoever waits for it goes."""
        if self.rules.maybe(Idle) is not None:
            yield self._give("spread_idle", state, at)
        yield self._give("reshuffle", state, at)
        yield from (Command("leave", "player", name, at) for name in state.players)

    def _coupon(self, state: TableState, wager: PlannedWager, at: int) -> Command:
        """The dealer lays the coupon that a player brought."""
        number = Chance(self.seed, "coupon", state.rounds, wager.player, wager.box).below(MANY)
        args = {"box": wager.box, "player": wager.player, "wager": wager.wager, "number": f"M-{number:012X}"}
        return Command("lay_coupon", "dealer", self._dealer(state), at, args | {"amount": str(wager.coupon)})

    def _spoken(self, state: TableState, at: int, chance: Chance) -> Iterator[Command]:
        """A spoken wager is confirmed by whom the text says, or now and then turned away."""
        for said in state.verbal:
            do = "decline_verbal_wager" if chance.one_in(DECLINED) else "confirm_verbal_wager"
            role = missing(self.rules, said)[0]
            args = {"box": said.box, "player": said.player, "wager": said.wager}
            yield Command(do, role, self._staff(state)[role], at, args)

    def _readiness(self, state: TableState, at: int) -> Iterator[Command]:
        """A device whose inspection is over is inspected again."""
        for device in uninspected(self.rules, state, at):
            yield self._give("inspect_device", state, at, device=device.name)


def _comes(name: str, boxes: list[int], at: int) -> Command:
    """A player takes boxes, or stands behind those of others."""
    return (
        Command("sit", "player", name, at, {"boxes": boxes}) if boxes else Command("stand_behind", "player", name, at)
    )
