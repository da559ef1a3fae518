"""Working a shift: several tables in turns, some commands of each in every commit, until all rounds are dealt.

The same shift begun again goes on where the ledger stands. With a seed, people, clock and entropy follow from the seed
and the version of each stream, and the ledger marks the shoes as not for play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from hashlib import shake_256
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.codec import CREATED, read_body
from twentyone.ledger.coupons import LAID, issued
from twentyone.ledger.identity import given_submission, rules_hash
from twentyone.ledger.keys import Keyring
from twentyone.ledger.law_in_force import day_at
from twentyone.ledger.rows import HOUSE, Appended, Batch, LedgerRefused, NewEvent
from twentyone.ledger.runner import Prepared, Runner
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.rulebook import Rules
from twentyone.rulebook.in_time import text_on
from twentyone.service.shift.people import FLOORPERSON, ShiftPeople
from twentyone.table import Command, Table
from twentyone.table.health import Source
from twentyone.table.shoe import os_source

__all__ = ["Shift", "ShiftBroken", "ShiftPlan", "check_plan", "table_names"]

BEGINS = 1_767_254_400
"""When a seeded shift begins unless it is told otherwise: 2026-01-01 08:00:00 UTC."""
PACE = 4
"""Seconds that an event takes in a seeded shift."""
COUPON_LASTS = 24 * 60 * 60
"""Seconds for which a coupon of the shift is good."""
COMMANDS_PER_TURN, COMMANDS_PER_COMMIT = 16, 64
"""Commands of one table, and of all tables, that share a commit at most."""


class ShiftBroken(TwentyoneError):
    """A fault of this software stopped a shift; what it did is kept."""


class ShiftPlan(NamedTuple):
    """What a shift is to be."""

    rules: Rules
    """The rulebook under the submission."""
    tables: int
    """How many tables are worked."""
    rounds: int
    """Rounds to be dealt, all tables together."""
    rate: Fraction = Fraction(0)
    """How often something goes wrong, at each command."""
    seed: str | None = None
    """What people, clock and shoes follow from; none: shoes for play, and the clock on the wall."""
    begins: int = BEGINS
    """When a seeded shift begins."""

    def share(self, number: int) -> int:
        """The rounds of one table.

        >>> [ShiftPlan(None, 3, 400).share(number) for number in range(3)]  # type: ignore[arg-type]
        [134, 133, 133]
        """
        return self.rounds // self.tables + (number < self.rounds % self.tables)

    def moment(self, now: Callable[[], int]) -> int:
        """When a checkpoint is signed: a seeded shift has a clock of its own, at which each of its tables begins."""
        return now() if self.seed is None else self.begins

    def rules_on(self, at: int) -> Rules:
        """The rules of a table that is opened at a moment: those of the text that is law then."""
        return text_on(self.rules.rulebook.id, day_at(at)).under(given_submission(self.rules))


def table_names(plan: ShiftPlan) -> list[str]:
    """The streams of a shift's tables."""
    return [f"{plan.rules.rulebook.id}-{number}" for number in range(1, plan.tables + 1)]


class _Post:
    """One table of the shift with its people."""

    def __init__(
        self, store: Store, keyring: Keyring, plan: ShiftPlan, number: int, now: Callable[[], int], own: str
    ) -> None:
        self.stream = table_names(plan)[number]
        self._seed = f"{own}/{self.stream}"
        self._seeded, self._begins, self._now, self._reads = plan.seed is not None, plan.begins, now, 0
        self.version = 0
        entropy = Source(self._bytes) if self._seeded else os_source()
        self.runner = Runner(store, self.stream, keyring, entropy, self.clock)
        self.people = ShiftPeople(plan.rules, self._seed, plan.rate, plan.share(number))

    def clock(self) -> int:
        """The moment: of the clock on the wall, or of the seeded shift."""
        return self._begins + PACE * self.version if self._seeded else self._now()

    def _bytes(self, count: int) -> bytes:
        """A test source of entropy: its bytes follow from the seed and the version of the stream."""
        self._reads += 1
        return shake_256(f"{self._seed}/{self.version}/{self._reads}".encode()).digest(count)

    def take_up(self, store: Store, plan: ShiftPlan) -> None:
        """Begin the table's stream, or take it up where it stands."""
        if store.version(self.stream) == 0:
            self.runner.create(plan.rules_on(self.clock()), for_play=not self._seeded)
        else:
            self.runner.load()
        self._arrive()

    def _arrive(self) -> None:
        self.version, self._reads = self.runner.version, 0

    @property
    def done(self) -> bool:
        """Whether the shift is over here."""
        table = self.runner.table
        return self.people.is_done(table.state) or (table.state.phase == "closed" and self.barred is not None)

    @property
    def barred(self) -> Refused | None:
        """Why no shoe is made here any more: the law that began forbids this table."""
        return self.runner.law.barred(self.runner.table)

    def prepare(self, most: int) -> list[Prepared]:
        """What somebody does next, and then, up to so many commands; they are announced only once they are stored.

        `ShiftBroken` where a fault of this software stands in the way.
        """
        try:
            return self._prepare_many(most)
        except (TwentyoneError, OSError):
            raise
        except Exception as fault:
            raise self._broken(_place_of(fault)) from fault

    def _prepare_many(self, most: int) -> list[Prepared]:
        self.runner.take_up_law()
        self._arrive()
        queue: list[Prepared] = []
        table = self.runner.table
        while len(queue) < most and not self.people.is_done(table.state):
            if queue and self.runner.law.due(table) is not None:
                break
            prepared = self._prepare(table, queue[-1] if queue else None)
            if prepared is None:
                break
            queue.append(prepared)
            table, self.version, self._reads = prepared.table, prepared.version, 0
        return queue

    def _prepare(self, table: Table, last: Prepared | None) -> Prepared | None:
        """The first of their choices that the procedure allows; none, where another process has stored it."""
        said: list[Refused] = []
        key = f"{self.stream}/{self.version}"
        closing = Command("close_table", "floorperson", FLOORPERSON, self.clock())
        barred = [closing] if self.runner.law.barred(table) is not None else []
        for command in (*barred, *self.people.commands(table, self.version, self.clock())):
            try:
                if last is not None:
                    return self.runner.prepare_after(last, command, key)
                outcome = self.runner.prepare(command, key, self.version)
            except Refused as refused:
                said.append(refused)
                continue
            if isinstance(outcome, Prepared):
                return outcome
            self.read_again()
            return None
        last_word = f"the last word was: {said[-1]}" if said else "nothing was tried"
        raise self._broken(f"nobody at the table may do anything; {last_word}")

    def _broken(self, what: str) -> ShiftBroken:
        return ShiftBroken(
            f"{self.stream} stopped at version {self.version}, after {self.runner.table.state.rounds} rounds ({what}): "
            "this is a fault of the software, not of the ledger; what was done is kept, and once the fault is mended "
            "the same command goes on from there"
        )

    def read_again(self) -> None:
        """Another process works this table too, and has already stored this command: read the table again."""
        self.runner.load()
        self._arrive()

    def finish(self, prepared: Prepared, outcome: Appended | Exception) -> None:
        """Take over what was stored."""
        self.runner.finish(prepared, outcome)
        self._arrive()


def _place_of(fault: Exception) -> str:
    """An unexpected fault in a few words: its kind, what it says, where it arose."""
    last = extract_tb(fault.__traceback__)[-1]
    said = " ".join(f"{type(fault).__name__} {fault}".split())
    return f"{said}, at {Path(last.filename).name}:{last.lineno}"


def check_plan(store: Store | None, plan: ShiftPlan, now: Callable[[], int]) -> None:
    """Refuse, before anything is stored, a shift that cannot be run, or not on this ledger."""
    for stream in table_names(plan):
        if store is not None and store.version(stream):
            _check_same(store, stream, plan)
        else:
            Table.new(plan.rules_on(plan.moment(now)))


def _check_same(store: Store, stream: str, plan: ShiftPlan) -> None:
    """A stream goes on only under the rules and with the kind of shoes that it began with."""
    first = store.born(stream)
    if first is None or first.type != CREATED:
        raise LedgerRefused(f"{stream} does not begin with the creation of a table: verify this ledger")
    body = read_body(first)
    if body["rules"] != rules_hash(plan.rules_on(first.ts)):
        raise LedgerRefused(
            f"{stream} is played under another submission or rulebook: name the same, or another ledger"
        )
    if body["for_play"] != (plan.seed is None):
        kind = "for play: leave the seed out" if body["for_play"] else "from a test source of entropy: give its seed"
        raise LedgerRefused(f"the shoes of {stream} are {kind}, or name another ledger")


def _issue(laid: NewEvent) -> Batch:
    """What issues a coupon before it is laid; begun again, the same shift issues the same one."""
    number, amount, player = laid.body["number"], Amount.from_thousandths(laid.body["amount"]), laid.body["player"]
    event = issued(number, amount, FLOORPERSON, laid.ts, laid.ts + COUPON_LASTS, player)
    return Batch(HOUSE, 0, [event], f"coupon {number}", fingerprint([number]))


class Shift:
    """A shift at work."""

    def __init__(self, store: Store, keyring: Keyring, plan: ShiftPlan, now: Callable[[], int], own: str) -> None:
        """`own` is what automatic people follow where the plan has no seed: something new for each process."""
        self.store = store
        """The ledger."""
        self.plan = plan
        """What is to be done."""
        self._over: list[str] = []
        check_plan(store, plan, now)
        seed = plan.seed if plan.seed is not None else own
        self._posts = [_Post(store, keyring, plan, number, now, seed) for number in range(plan.tables)]
        for post in self._posts:
            post.take_up(store, plan)

    @property
    def dealt(self) -> int:
        """Rounds dealt so far, all tables together, those of an earlier shift left out."""
        return sum(min(post.runner.table.state.rounds, post.people.rounds) for post in self._posts)

    def stop(self) -> None:
        """Begin no further round: those in progress conclude, and the tables close."""
        for post in self._posts:
            post.people.rounds = min(post.people.rounds, post.runner.table.state.rounds)

    def work(self, after_turn: Callable[[int], None]) -> None:
        """Work all tables in turns until each is closed; `after_turn` is called with the number of commands stored."""
        while active := [post for post in self._posts if not post.done]:
            after_turn(self._turn(active))

    def _turn(self, posts: Sequence[_Post]) -> int:
        """Some commands of each table, in one commit."""
        most = min(COMMANDS_PER_TURN, max(1, COMMANDS_PER_COMMIT // len(posts)))
        pairs = [(post, prepared) for post in posts for prepared in post.prepare(most)]
        self._issue_coupons([prepared.batch for _, prepared in pairs])
        outcomes, behind = self.store.append_many([prepared.batch for _, prepared in pairs]), set[_Post]()
        for (post, prepared), outcome in zip(pairs, outcomes, strict=True):
            post.finish(prepared, outcome)
            if isinstance(outcome, Appended) and outcome.repeated:
                behind.add(post)
            if prepared.table.state.phase == "open" and prepared.batch.events[0].body["do"] == "collect_cards":
                self._over.append(f"{post.stream}:{prepared.table.state.rounds}")
        for post in behind:
            post.read_again()
        return len(pairs)

    def _issue_coupons(self, batches: Iterable[Batch]) -> None:
        """The floorperson issues the coupons that the dealers are about to lay."""
        issues = [_issue(event) for batch in batches for event in batch.house if event.type == LAID]
        if issues:
            self.store.append_many(issues)

    def closed_by_law(self) -> dict[str, Refused]:
        """The tables that a new text closed, each with its reason."""
        return {post.stream: why for post in self._posts if (why := post.barred) is not None}

    def over(self) -> list[str]:
        """The rounds that were finished and stored since the last call."""
        over, self._over = self._over, []
        return over
