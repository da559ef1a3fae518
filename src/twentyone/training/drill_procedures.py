"""Questions about the work around the rounds: what is to be done next and by whom, what is allowed, who may cut."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeGuard

from twentyone.errors import Refused
from twentyone.money import dollars
from twentyone.round import events as of_round
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Device
from twentyone.service.shift.chance import Chance
from twentyone.table import NextStep, Table, TableEvent
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import Log, TableState
from twentyone.table.words import described
from twentyone.training.drill_asking import STORY, DrillQuestion, RoundScene, ask, begin
from twentyone.training.drill_days import HOUR, DayMoment, brought, worked_day
from twentyone.training.drill_questions import question_of_payment
from twentyone.training.drill_wishes import late, wishes

__all__ = ["TableScene", "questions_of_day"]

PROCEDURE = (
    *("receive_cards", "inspect_cards", "verify_inspection", "remove_tens", "destroy_tens", "spread_cards"),
    *("show_cards", "wash_cards", "stack_cards", "count_cards", "shuffle", "offer_cut", "cut", "insert_cover_card"),
    *("load_shoe", "burn", "deal", "collect_cards", "turn_cards_up"),
)
"""Tasks that stand as answers beside the one that is due."""
PUT_AWAY = ("cover_device", "remove_device")
REPAIRS = ("device_repaired", *PUT_AWAY)
UPSETS = (cards.CardsRemixed, cards.ShuffleFailed, cards.TenFound, cards.RecutOrdered)
"""Events that a day does not need: something went wrong, or is done again."""
NOT_ASKED = ("card", "decide", "decline_cut", "decline_verbal_wager", "open_table")
"""Steps that the questions of rounds ask about, or that the dealer takes for somebody else."""
IN_ROUND, BETWEEN = 8, 2
"""One moment in so many somebody wishes something."""
SAYS = ("stops", "without")
"""What a text that speaks of dealing says of a device that is out of order."""
DEAL_ON = {True: "No: first it is repaired or replaced", False: "Yes, without it"}
"""Whether a dealer goes on when a device fails, by whether it stops the table."""
ALLOWED, REFUSED = "It is allowed", "It is not allowed"


def questions_of_day(rules: Rules, seed: str) -> Iterator[DrillQuestion]:
    """The questions of a day at the table, in its order; each thing is asked once in a day."""
    chance, asked = Chance("day's questions", seed), set[Hashable]()
    for moment in worked_day(_house(rules, seed), seed):
        new = moment.after.new_events if moment.command is not None else ()
        yield from _of_wish(moment, chance, asked)
        for event in new:
            make = MAKERS.get(type(event))
            if make is not None:
                yield from make(event, moment, chance)
        yield from _of_step(moment, new, chance, asked)


def _house(rules: Rules, seed: str) -> Rules:
    """The rules of a day: every other one a device shuffles, where the submission does not say how it is done."""
    open_ = any(choice.key == "shuffler" and not choice.given for choice in rules.submission.choices)
    by_device = open_ and Chance("house", seed).one_in(2)
    return rules.rulebook.under({**rules.submission.given, "shuffler": "automated"}) if by_device else rules


def _is_new(key: Hashable, asked: set[Hashable]) -> bool:
    """Whether something was not asked in this day yet; from now on it was."""
    before = len(asked)
    asked.add(key)
    return len(asked) > before


# -- what is to be done next, and by whom


def _of_step(
    moment: DayMoment, new: tuple[TableEvent, ...], chance: Chance, asked: set[Hashable]
) -> Iterator[DrillQuestion]:
    steps = moment.after.next_steps(at=moment.at)
    due = [step for step in steps if step.role in ("dealer", "floorperson") and step.do not in NOT_ASKED]
    broken = any(isinstance(event, e.DeviceReported) and event.state == "out_of_order" for event in new)
    if not due or moment.after.state.miscounted or (broken and due[0].do not in REPAIRS):
        return
    step = next((step for step in due if step.do in PUT_AWAY), due[0])
    kind = "upset" if broken or any(isinstance(event, UPSETS) for event in new) else "step"
    if _is_new((kind, step.do, step.role, step.cite), asked):
        asks = f"{_told(moment, new)}What is to be done next, and by whom?"
        scene, right = _scene(moment.after, moment.at), _words(step)
        yield ask(kind, asks, scene, right, _others(moment.after, step, steps), step.cite, chance)


def _told(moment: DayMoment, new: tuple[TableEvent, ...]) -> str:
    """What has just happened."""
    if moment.command is None:
        return "The table was kept open through the night. "
    told = [line.says for event in new for line in described(event)]
    return f"{begin(told[-1])}. " if told else ""


def _words(step: NextStep) -> str:
    about = f" ({step.about.replace('_', ' ')})" if step.do in ("inspect_device", *REPAIRS) else ""
    return f"{'You' if step.role == 'dealer' else 'The floorperson'}: {step.says}{about}"


def _others(table: Table, right: NextStep, steps: tuple[NextStep, ...]) -> list[str]:
    """Tasks of the procedure that are not due, and the one that is by him whose it is not."""
    due = {step.do for step in steps}
    tasks = [table.rules.tasks[name] for name in PROCEDURE if name in table.rules.tasks and name not in due]
    roles = ["dealer" if "dealer" in task.role else "floorperson" for task in tasks]
    others = [_words(NextStep(task.name, role, "", task.says)) for task, role in zip(tasks, roles, strict=True)]
    his = any((step.do, step.role) == (right.do, "dealer") for step in steps)
    return others if his else [*others, _words(right._replace(role="dealer"))]


# -- what is allowed


def _of_wish(moment: DayMoment, chance: Chance, asked: set[Hashable]) -> Iterator[DrillQuestion]:
    """Somebody would do something now."""
    at = moment.command.at if moment.command is not None else moment.at
    rare = IN_ROUND if moment.before.state.round is not None else BETWEEN
    wished = wishes(moment.before, at) if chance.one_in(rare) or late(moment.before) else []
    if not wished:
        return
    says, command = chance.among(wished)
    right, because = ALLOWED, ""
    try:
        after = moment.before.apply(brought(moment.before, command, chance))
        due = (step.cite for step in moment.before.next_steps(command.role, at) if step.do == command.do)
        cite = next(due, after.new_events[0].cite)
    except Refused as refused:
        right, because, cite = REFUSED, refused.why, refused.cite
    if not _is_new((command.do, right, cite), asked):
        return
    scene = TableScene(moment.before, at)
    yield ask("allow", f"{says} Is it allowed now?", scene, right, [ALLOWED, REFUSED], cite, chance, because)


# -- what an event asks of a dealer


def _of_offer(event: cards.CutOffered, moment: DayMoment, chance: Chance) -> Iterator[DrillQuestion]:
    state = moment.before.state
    others = [_at_box(state, name) for name in state.players]
    scene, right = TableScene(moment.before, moment.at), _at_box(state, event.player)
    asks = "The stack is shuffled and waits to be cut. To whom do you offer the cut now?"
    yield ask("offer", asks, scene, right, [*others, "Nobody: you cut it yourself"], event.cite, chance)


def _at_box(state: TableState, name: str) -> str:
    boxes = state.players[name].boxes
    return f"{name}, box {' and '.join(map(str, boxes))}" if boxes else f"{name}, who stands"


def _of_cover_card(event: cards.CoverCardSeen, moment: DayMoment, chance: Chance) -> Iterator[DrillQuestion]:
    others = [
        "Reshuffle at once; the round goes on with the new shoe",
        "The round is void; all wagers go back and the cards are reshuffled",
        "Put it back into the shoe and go on; the floorperson says when the cards are reshuffled",
    ]
    right, scene = "Lay it aside and finish the round; then the cards are reshuffled", _scene(moment.before, moment.at)
    yield ask("upset", "The cover card comes out. What happens now?", scene, right, others, event.cite, chance)


def _of_handling(event: e.HandlingRefused, moment: DayMoment, chance: Chance) -> Iterator[DrillQuestion]:
    others = ["Let it be, as long as you see it", "The hand is dead", "Ask the other players whether they mind"]
    asks = f"{event.who} reaches for cards on the layout. What do you do?"
    yield ask(
        "upset",
        asks,
        _scene(moment.before, moment.at),
        "Stop it: nobody else handles cards",
        others,
        event.cite,
        chance,
    )


def _of_device(event: e.DeviceReported, moment: DayMoment, chance: Chance) -> Iterator[DrillQuestion]:
    """A device fails: whether the cards in the shoe may still be dealt, where the text says so."""
    told = any(
        clause.name == event.device and clause.out_of_order in SAYS for clause in moment.before.rules.all(Device)
    )
    if not told or event.state != "out_of_order" or moment.before.state.shoe is None or moment.before.state.agenda:
        return
    device, others = event.device.replace("_", " "), list(DEAL_ON.values())
    right = DEAL_ON[bool(event.stopped)]
    asks = f"The {device} does not work any more. May you deal on from the shoe?"
    yield ask("upset", asks, _scene(moment.before, moment.at), right, others, event.cite, chance)


def _of_round(event: e.RoundEvent, moment: DayMoment, chance: Chance) -> Iterator[DrillQuestion]:
    """What is paid on side wagers."""
    sides = [name for name in moment.before.rules.wagers if name != "main"]
    round_ = moment.after.state.round
    for row in event.events:
        found = question_of_payment(row, round_, chance) if _settles(row, sides) and round_ is not None else None
        if found is not None:
            yield found


def _settles(row: object, wagers: list[str]) -> TypeGuard[of_round.WagerSettled]:
    return isinstance(row, of_round.WagerSettled) and row.wager in wagers


def _scene(table: Table, at: int) -> TableScene | RoundScene:
    """The cards of a round while one is played, else the table."""
    round_ = table.state.round if table.state.phase == "round" else None
    return RoundScene(round_) if round_ is not None else TableScene(table, at)


MAKERS: dict[type[TableEvent], Callable[..., Iterator[DrillQuestion]]] = {
    cards.CutOffered: _of_offer,
    cards.CoverCardSeen: _of_cover_card,
    e.HandlingRefused: _of_handling,
    e.DeviceReported: _of_device,
    e.RoundEvent: _of_round,
}
"""Events of the table that a dealer is asked about."""


# -- the scene


class TableScene(NamedTuple):
    """A table between rounds, as its dealer sees it."""

    at_table: Table
    """The table."""
    at: int
    """The moment."""

    @property
    def table(self) -> tuple[str, ...]:
        """Who is there, what lies on the layout, where the cards are, which device does not work."""
        state = self.at_table.state
        lines = [f"you are {state.dealer}, the dealer" if state.dealer else "the table is closed"]
        lines.append(f"players: {'; '.join(_at_box(state, name) for name in state.players) or 'nobody'}")
        if state.bar:
            out = [name for name, player in state.players.items() if player.barred]
            lines.append(f"who sits a round out waits for the next shuffle: {', '.join(out) or 'nobody now'}")
        lines += [f"box {laid.box}: {laid.player} {dollars(laid.amount)}" for laid in state.placed]
        lines.append(f"the shuffle: {rules_in_force(self.at_table.rules, state).submission['shuffler']}")
        left = f"{state.shoe.left} cards are in the shoe" if state.shoe is not None else "no cards are in the shoe"
        ages = sorted({(self.at - batch.opened) // HOUR for batch in state.batches.values()})
        lines += [left, *(f"the cards came {hours} hour{'s' if hours > 1 else ''} ago" for hours in ages if hours)]
        broken = [name for name, device in state.devices.items() if device.state != "working"]
        return (*lines, *(f"out of order: {name.replace('_', ' ')}" for name in broken))

    @property
    def story(self) -> tuple[str, ...]:
        """What happened last."""
        lines: list[str] = []
        log: Log | None = self.at_table.log
        while log is not None and len(lines) < STORY:
            lines = [line.says for event in log.events for line in described(event)] + lines
            log = log.before
        return tuple(lines[-STORY:])
