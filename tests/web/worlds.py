"""Two worlds: the same session at two tables whose shoes differ only in cards that nobody may know yet."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.web.hole_cards import reader_answer
from tests.web.inside import PEOPLE, Answer, Inside, give, open_table
from twentyone.cards import RANKS, SUITS, Card
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.round import Draw, Offer, ReaderReport, Round, TurnUp
from twentyone.round import events as e
from twentyone.rulebook import Rulebook
from twentyone.service.live import LiveTable
from twentyone.web.observability import begin_log

__all__ = ["ORDERS", "Config", "Step", "asks_for_all", "compare", "rigged"]

SEED = bytes(range(32))
PLACES = 120
ANSWERS = (e.HoleCardRead, e.RangeAnnounced)
"""Events by which the rule lets the hole card tell something."""
GUEST = "Gil"
"""A guest without a device: the dealer enters what he signals."""
OWN = ("x-request-id", "set-cookie")
"""Headers that are another each time: numbers and tokens."""
IDS = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""The widget library numbers its pages."""
LOG = StringIO()
"""The server's log."""
TIMES = {"timestamp", "ms", "request"}
"""What of a log line is another each time."""
LOOKS = (6, 9)
"""Steps after which somebody, another in each session, asks for everything there is to ask for."""
RECORDS = (
    "//rounds?table={}",
    "/rounds.csv?table={}",
    "/rounds.json?table={}",
    "/rounds/{}/1/dealt",
    "/rounds/{}/1/wheel",
    "/shoes/{}",
    "//shoes/{}",
    "/report?table={}",
    "//report?table={}",
)
"""What tells of rounds, shoes and figures."""
REFUSED = ("hit", "insure", "even_money", "surrender", "second_chance")


def asks_for_all(session: int) -> bool:
    """Whether somebody asks for rounds and pages too, in the session with this number."""
    return session % 4 == 0


class Config(NamedTuple):
    """A rulebook under a submission, and where the cards come from."""

    rulebook: str
    submission: dict[str, Any]
    cards: str = "shoe"


class Step(NamedTuple):
    """What everybody received after one command, and what was still hidden then."""

    do: tuple[str, str, dict[str, Any]]
    """Who, which command, and what it named."""
    bytes_: list[bytes]
    """Everything received, by everybody."""
    hidden: bool
    """Whether the hole card lay face down."""
    answers: Sequence[e.Event]
    """What the rule let it tell so far."""
    drawn: int
    """Cards out of the shoe."""


ORDERS: dict[str, list[Card]] = {}
"""The shoe of each table, from the first card after the burn."""


def _next_card(live_shoe: LiveShoe, state: Any, _: Any) -> Card | None:
    place: int = state.shoe.size - state.shoe.left
    return ORDERS[live_shoe._stream][place]


@contextmanager
def rigged() -> Iterator[None]:
    """Tables deal the test's own shoes; commitments are the same everywhere; every answer is logged."""
    with (
        patch("tests.web.inside.begin_log", lambda _: begin_log(True)),
        patch("twentyone.web.observability.sys", SimpleNamespace(stderr=LOG)),
        patch.object(LiveShoe, "next_card", _next_card),
        patch("twentyone.ledger.live_shoe.new_seed", lambda _: SEED),
        patch("twentyone.ledger.live_wheel.new_seed", lambda _: SEED),
        patch("twentyone.ledger.unique_seeds.SealedSeeds.check", lambda *_: None),
        patch("twentyone.service.edges.Edges.of", lambda *_: None),  # found in time, whatever the cards are
    ):
        yield


def _logged() -> list[bytes]:
    """What the log says since it was last asked, without moments and numbers."""
    lines = [json.loads(line) for line in LOG.getvalue().splitlines()]
    LOG.seek(0)
    LOG.truncate()
    return [json.dumps({key: line[key] for key in line.keys() - TIMES}, sort_keys=True).encode() for line in lines]


def shoe_for(config: Config, rng: Random, without: frozenset[str] | tuple[str, ...]) -> list[Card]:
    """Random cards of the game, enough for a round; aces and tens come often, for there the rule asks most."""
    ranks = [rank for rank in RANKS if rank not in without]
    often = [*ranks, "A", "A", "K", "Q"]
    return [Card(rng.choice(often) + rng.choice(SUITS)) for _ in range(PLACES)]


Leak = Callable[[LiveTable], bytes]


class Session:
    """One world: a table, people of every kind who look at it, and what they receive."""

    def __init__(self, inn: Inside, name: str, config: Config, rng: Random, leak: Leak | None) -> None:
        self._inn, self.name, self._config, self._rng, self._leak = inn, name, config, rng, leak
        self._live: LiveTable
        self._hole, self._read = "", 0

    async def play(self, script: list[Step] | None, steps: int) -> list[Step]:
        """Play until the end, or as a script says; what was received after each step."""
        config = self._config
        players = {"Ann": [1], "Bob": [3]}
        self._live = await open_table(
            self._inn.service, self.name, config.rulebook, players, config.cards, **config.submission
        )
        await give(self._live, "seat_guest", "dealer", "Dan", player=GUEST, boxes=[5])
        await give(self._live, "buy_in", "dealer", "Dan", player=GUEST, amount="500")
        self._read = self._live.version
        _logged()
        ears = {kind: self._inn.ear(kind, self.name) for kind in PEOPLE}
        done: list[Step] = []
        try:
            while len(done) < steps and (chosen := script[len(done)].do if script else self._choose(len(done))):
                received = [await self._do(*chosen)]
                for ear in ears.values():
                    await ear.wait(self._live.version)
                received += [frame.encode() for ear in ears.values() for frame in ear.frames]
                for ear in ears.values():
                    ear.frames.clear()
                received += await self._look(len(done))
                received += [*self._stored(), *sorted(_logged())]
                done.append(self._step(chosen, received))
                if script and _parted(script[len(done) - 1], done[-1]):
                    break
        finally:
            for ear in ears.values():
                await ear.stop()
            self._inn.forget(self.name)
        return done

    def _stored(self) -> list[bytes]:
        """What the ledger says since it was last asked."""
        rows = list(self._inn.service.store.read(self.name, self._read))
        self._read += len(rows)
        return [f"{row.type} {row.ts} {row.schema} {row.body}".encode() for row in rows]

    def _step(self, chosen: tuple[str, str, dict[str, Any]], received: list[bytes]) -> Step:
        state = self._live.runner.table.state
        round_, shoe = state.round, state.shoe
        hidden = round_ is not None and bool(round_.state.dealer) and not round_.state.shown
        answers = [event for event in round_.events if isinstance(event, ANSWERS)] if round_ is not None else []
        clean = [part.replace(self.name.encode(), b"TABLE") for part in received]
        return Step(chosen, clean, hidden, answers, shoe.size - shoe.left if shoe is not None else 0)

    async def _do(self, who: str, do: str, args: dict[str, Any]) -> bytes:
        if self._live.entered:
            args = {**args, **self._entered(do)}
        guest, key = (who if who == GUEST else None), f"{self.name}-{self._live.version}"
        client = self._inn.clients["dealer" if guest else who]
        answer = await client.command(self.name, do, key=key, guest=guest, **args)
        assert answer.status_code == 200, f"{do} {args}: {answer.text}"
        return _all(answer)

    def _entered(self, do: str) -> dict[str, Any]:
        """What the dealer enters: cards that he sees, what the reader tells, the hole card once it is turned."""
        state = self._live.runner.table.state
        if do == "card" and state.shoe is not None and state.round is not None:
            card, need = ORDERS[self.name][state.shoe.size - state.shoe.left].name, state.round.next
            if not (isinstance(need, Draw) and need.face_down):
                return {"card": card}
            self._hole = card
        elif do == "turn_card":
            return {"card": self._hole}
        elif do == "reader_told" and state.round is not None:
            field = "range" if state.round.rules.ranges else "blackjack"
            return reader_answer(field, state.round.state.dealer[0].name, self._hole)
        return {}

    async def _look(self, number: int) -> list[bytes]:
        """What people get who ask: views, the story, rounds, pages, refusals."""
        table, clients = self.name, self._inn.clients
        asks: list[Awaitable[Answer]] = []
        round_ = self._live.runner.table.state.round
        if round_ is not None and number in LOOKS:
            session = int(table[1:].partition("-")[0])
            kind = list(PEOPLE)[(session + number) % len(PEOPLE)]
            asks += [
                clients[kind].get(f"/tables/{table}{path}") for path in ("", "/story", "/staff", "/game", "/review")
            ]
            rounds = (f"/rounds?table={table}", f"/rounds/{table}/1", f"/rounds/{table}/1/script")
            pages = (f"//table/{table}", f"//game/{table}", "//you", "//", "/tables")
            records = [path.format(table) for path in RECORDS]
            asks += [clients[kind].get(path) for path in (*rounds, *pages, *records) if asks_for_all(session)]
            asks += [clients[kind].get(path) for path in ("/pit", f"/tables/{table}/closing", "/server/tables")]
            asks += [clients["other guest"].command(table, "decide", action=action, box=3) for action in REFUSED[:2]]
            asks += [clients["dealer"].command(table, "decide", action="hit")]
        found = [_all(await ask) for ask in asks]
        return [*found, *([self._leak(self._live)] if self._leak is not None else [])]

    def _choose(self, number: int) -> tuple[str, str, dict[str, Any]] | None:
        """The next command, from what everybody can see."""
        table = self._live.runner.table
        if table.state.round is None:
            placed = {wager.player for wager in table.state.placed}
            for who, name, box in (("guest", "Ann", 1), ("other guest", "Bob", 3), (GUEST, GUEST, 5)):
                if name not in placed:
                    return who, "place_wager", {"box": box, "amount": "10"}
            return "dealer", "deal", {}
        if table.state.phase != "round" or number > 40:
            return None
        return self._in_round(table.state.round)

    def _in_round(self, round_: Round) -> tuple[str, str, dict[str, Any]] | None:
        need = round_.next
        if isinstance(need, Draw):
            return "dealer", "card", {}
        if isinstance(need, ReaderReport | TurnUp):
            return "dealer", "turn_card" if isinstance(need, TurnUp) else "reader_told", {}
        if not isinstance(need, Offer):
            return None
        if need.optional and (not need.options or self._rng.random() < 0.7):
            return "dealer", "decide", {"action": "decline"}
        options = need.options
        plain = [option for option in options if option.action in ("stand", "hit", "refuse")]
        option = self._rng.choice(plain or options)
        who = {"Ann": "guest", "Bob": "other guest"}.get(option.player, option.player)
        args: dict[str, Any] = {"action": option.action, "box": option.box}
        args |= {} if option.least is None else {"amount": str(option.least)}
        args |= {"hand": option.hand} if option.action == "designate" else {}
        return who, "decide", args


def _all(answer: Answer) -> bytes:
    """Every byte of an answer but numbers and tokens."""
    headers = [f"{name}: {value}" for name, value in answer.headers if name not in OWN]
    return f"{answer.status_code} {headers}".encode() + IDS.sub(b"ID", answer.content)


@patch("twentyone.service.attendance.time", SimpleNamespace(monotonic=lambda: 0.0))
@patch("twentyone.service.staff.time", SimpleNamespace(monotonic=lambda: 0.0))
async def compare(inn: Inside, number: int, config: Config, leak: Leak | None = None) -> int:
    """Play one session in both worlds, where time stands; how many steps were compared with something face down."""
    rng = Random(f"{number} {config.rulebook}")
    names = (f"t{number}-a", f"t{number}-b")
    book = Rulebook.load(config.rulebook).under(config.submission)
    ORDERS[names[0]] = shoe_for(config, rng, book.cards.without)
    seed = rng.random()
    first = await Session(inn, names[0], config, Random(seed), leak).play(None, 60)
    last = max((place for place, step in enumerate(first) if step.hidden), default=len(first) - 2)
    ORDERS[names[1]] = _other_world(first, last, ORDERS[names[0]], rng, book.cards.without)
    second = await Session(inn, names[1], config, Random(seed), leak).play(first, last + 1)
    return _same(first, second, config)


def _other_world(first: list[Step], last: int, order: list[Card], rng: Random, without: Any) -> list[Card]:
    """Another hole card, and other cards in all that is not dealt yet."""
    hole = next((step.drawn - 1 for step in first if step.hidden), None)
    other = [Card(rank + suit) for rank in RANKS if rank not in without for suit in SUITS]
    changed = [*order[: first[last].drawn], *(rng.choice(other) for _ in range(PLACES))][:PLACES]
    if hole is not None:
        changed[hole] = rng.choice([card for card in other if card is not order[hole]])
    return changed


def _parted(mine: Step, other: Step) -> bool:
    """Whether the rule itself has told the worlds apart."""
    return mine.answers != other.answers or mine.hidden != other.hidden


def _same(first: list[Step], second: list[Step], config: Config) -> int:
    compared = 0
    for place, (mine, other) in enumerate(zip(first, second, strict=False)):
        if _parted(mine, other):
            break
        for one, two in zip(mine.bytes_, other.bytes_, strict=True):
            assert one == two, f"{config}: step {place} ({mine.do}) tells the worlds apart:\n{one!r}\n{two!r}"
        compared += 1
    return compared
