"""T6: many clients on one stream: each reads the version, decides on it, sends; the history must be serializable."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from twentyone.errors import TwentyoneError
from twentyone.ledger.rows import Appended, Batch, NewEvent, StaleVersion, StoredEvent
from twentyone.ledger.store import Store

__all__ = ["Answer", "Rivals", "history_faults"]

STREAM = "table 1"
Send = Callable[..., Appended]


@dataclass
class Answer:
    """One command and what came of it."""

    batch: Batch
    """The command."""
    outcome: Appended | TwentyoneError
    """The answer."""


@dataclass
class Rivals:
    """Clients that all want the same table; each two share some of their keys, as a client that asks twice does."""

    store: Store
    """Where they read."""
    sends: Sequence[Send]
    """Ways to send a command; the clients are spread over them."""
    clients: int = 64
    answers: list[Answer] = field(default_factory=list)

    def run(self, commands: int, seed: int = 1) -> list[Answer]:
        """Let every client send its share of the commands."""
        share = commands // self.clients
        threads = [threading.Thread(target=self._client, args=(place, share, seed)) for place in range(self.clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.answers

    def _client(self, place: int, share: int, seed: int) -> None:
        dice, send = random.Random(f"{seed}:{place}"), self.sends[place % len(self.sends)]
        version = 0
        for number in range(share):
            made_on = version if dice.random() < 0.7 else self.store.version(STREAM)
            batch = self._command(place, number, made_on, dice)
            version = self._note(batch, send)

    def _command(self, place: int, number: int, made_on: int, dice: random.Random) -> Batch:
        shared = number % 4 == 0
        key = f"{place // 2}-{number}" if shared else f"{place}-{number}-own"
        body = {"made_on": made_on, "by": place // 2 if shared else place}
        events = [NewEvent("command", body, number)] * (1 if shared else dice.randrange(1, 4))
        return Batch(STREAM, made_on, events, key, json.dumps(key))

    def _note(self, batch: Batch, send: Send) -> int:
        """Send a command and note the answer; the version that the client now believes in."""
        try:
            outcome: Appended | TwentyoneError = send(*batch)
        except TwentyoneError as refusal:
            outcome = refusal
        self.answers.append(Answer(batch, outcome))
        if isinstance(outcome, Appended):
            return outcome.events[-1].ver
        return outcome.actual if isinstance(outcome, StaleVersion) else 0


def history_faults(answers: Sequence[Answer], stored: Sequence[StoredEvent]) -> list[str]:
    """Where the answers and the stream contradict any order of one command after another."""
    faults = [f"version {event.ver} stands at {place}" for place, event in enumerate(stored, 1) if event.ver != place]
    by_key: dict[str, list[StoredEvent]] = {}
    owner = ""
    for event in stored:
        owner = event.idem or owner
        by_key.setdefault(owner, []).append(event)
        if event.idem is not None and json.loads(event.body)["made_on"] != event.ver - 1:
            faults.append(f"{event.idem} was made on another version than {event.ver - 1}")
    taken: dict[str, int] = {}
    for answer in answers:
        faults += _answer_faults(answer, by_key, taken)
    faults += [f"{key} was taken {times} times" for key, times in taken.items() if times != 1]
    return faults + [f"{key} is stored, and nobody was told" for key in by_key.keys() - taken.keys()]


def _answer_faults(answer: Answer, by_key: dict[str, list[StoredEvent]], taken: dict[str, int]) -> list[str]:
    key, outcome = answer.batch.key, answer.outcome
    if isinstance(outcome, StaleVersion):
        return [] if outcome.actual != outcome.expected else [f"{key} was refused for nothing"]
    if isinstance(outcome, TwentyoneError):
        return [f"{key}: {outcome}"]
    taken[key] = taken.get(key, 0) + (not outcome.repeated)
    return [] if list(outcome.events) == by_key.get(key) else [f"{key} was answered with what is not stored"]
