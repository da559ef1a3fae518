"""Long computations: one queue for all, a limit for each person, progress, cancelling, answers that are kept."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.patience import PATIENCE, until_soon

from twentyone.cli import main
from twentyone.errors import NotAScript, Refused, SubmissionRefused
from twentyone.service.job_turns import Turns
from twentyone.service.job_workers import COMMAND
from twentyone.service.jobs import KEPT, PER_PLACE, PLAYED, STAFF, WAITING, DeskJob, Jobs
from twentyone.service.people import NotAllowed, Person
from twentyone.service.questions import question_of

ANN, BOB, FAY = Person("Ann", "player"), Person("Bob", "player"), Person("Fay", "floorperson")

FAKE = """
import json, os, sys
for text in sys.stdin:
    line = json.loads(text)
    if "cancel" in line:
        print(json.dumps({"state": "cancelled", "told": {}}), flush=True)
        continue
    seed = line["asked"].get("options", {}).get("seed", 0)
    print(json.dumps({"share": 0.5, "pid": os.getpid()}), flush=True)
    if seed == 13:
        os._exit(3)
    if seed != 7:
        print(json.dumps({"state": "done", "body": {"seed": seed}}), flush=True)
"""
"""A worker that answers at once; one question kills it, and one is never answered."""
DEADLY, ENDLESS = 13, 7


def asked(seed: int = 1, rulebook: str = "classic-blackjack", **options: Any) -> Any:
    return question_of("simulate", {"rulebook": rulebook, "options": {"seed": seed, "rounds": 1000, **options}})


def worked(folder: Path, work: Callable[[Jobs], Awaitable[None]], fake: bool = True) -> None:
    async def run() -> None:
        jobs = Jobs(folder, workers=1, command=("-c", FAKE) if fake else COMMAND)
        try:
            await asyncio.wait_for(work(jobs), PATIENCE)
        finally:
            await jobs.stop()

    asyncio.run(run())


async def over(job: DeskJob) -> DeskJob:
    await until_soon(lambda: job.over, f"{job.question.kind} is over")
    return job


async def running(job: DeskJob) -> DeskJob:
    await until_soon(lambda: "pid" in job.told, "it runs")
    return job


def test_the_same_question_is_answered_once_and_kept(tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        first = jobs.ask(asked(), ANN)
        assert jobs.ask(asked(), BOB) is first
        await over(first)
        assert (first.state, first.told["share"]) == ("done", 1.0)
        later = Jobs(tmp_path)
        again = later.ask(asked(), BOB)
        assert again.state == "done"
        kept = later.answers.get(again.question.id)
        assert kept is not None
        assert (kept.body, kept.asked["options"]["seed"]) == ({"seed": 1}, 1)

    worked(tmp_path, work)


def test_a_question_is_named_by_all_that_decides_its_answer() -> None:
    names = {asked().id, asked(2).id, asked(rulebook="pa-spanish-21").id, asked(rounds=1001).id}
    other = question_of("odds", {"rulebook": "classic-blackjack"})
    decks = question_of("odds", {"rulebook": "classic-blackjack", "submission": {"decks": 8}})
    assert len(names | {other.id, decks.id}) == 6
    assert question_of("odds", {"submission": {}, "rulebook": "classic-blackjack"}).id == other.id


def test_a_worker_that_dies_is_told_and_replaced(tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        died = await over(jobs.ask(asked(DEADLY), ANN))
        assert died.state == "failed"
        assert "ended with status 3" in died.why
        killed = await running(jobs.ask(asked(ENDLESS), ANN))
        os.kill(killed.told["pid"], signal.SIGKILL)
        assert "by signal 9" in (await over(killed)).why
        next_one = await over(jobs.ask(asked(5), ANN))
        assert next_one.state == "done"
        assert next_one.told["pid"] != killed.told["pid"]
        assert (await over(jobs.ask(asked(DEADLY), ANN))).state == "failed", "a failure is not kept"

    worked(tmp_path, work)


def test_each_person_has_a_limit_and_so_has_the_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(jobs: Jobs) -> None:
        endless = await running(jobs.ask(asked(ENDLESS), ANN))
        waiting = [jobs.ask(asked(100 + number), ANN) for number in range(5)]
        with pytest.raises(NotAllowed, match="6 computations of yours wait or run, and 6 are allowed") as refused:
            jobs.ask(asked(200), ANN)
        assert refused.value.status == 429
        assert jobs.ask(asked(ENDLESS), ANN) is endless, "what is asked already counts once"
        assert jobs.ask(asked(300), BOB).state == "waiting"
        assert jobs.ahead(waiting[4]) == 5, "four of hers, and Bob's, whose turn comes first"
        jobs.cancel(waiting[0], ANN)
        assert (waiting[0].state, jobs.ahead(waiting[4])) == ("cancelled", 4)
        jobs.ask(asked(200), ANN)
        monkeypatch.setattr("twentyone.service.jobs.WAITING", 7)
        with pytest.raises(NotAllowed, match="7 computations wait or run already"):
            jobs.ask(asked(400), FAY)
        assert STAFF > 6

    worked(tmp_path, work)


def test_many_guests_of_one_address_do_not_fill_the_queue(tmp_path: Path) -> None:
    """A name is quickly had: those of one address share a limit, and staff finds a place beside all of them."""

    async def work(jobs: Jobs) -> None:
        def fill(address: str, least: int) -> int:
            """How many are taken from an address, by as many guests as it needs."""
            taken = 0
            with contextlib.suppress(NotAllowed):
                while taken < WAITING:
                    guest = Person(f"Guest {address} {taken // 6}", "player")
                    jobs.ask(asked(least + taken), guest, address)
                    taken += 1
            return taken

        await running(jobs.ask(asked(ENDLESS), FAY, "10.0.0.1"))
        assert fill("10.0.0.1", 1000) == PER_PLACE
        with pytest.raises(NotAllowed, match="24 computations from your address wait or run"):
            jobs.ask(asked(1), Person("10.0.0.1", "visitor"), "10.0.0.1")
        assert fill("10.0.0.2", 2000) == PER_PLACE, "another address has to wait for the first"
        fill("10.0.0.3", 3000)
        assert fill("10.0.0.4", 4000) == WAITING - KEPT - 1 - 3 * PER_PLACE
        assert jobs.ask(asked(2), FAY, "10.0.0.1").state == "waiting", "guests keep staff out"

    worked(tmp_path, work)


def test_who_did_not_ask_cannot_cancel_and_who_shares_keeps_it(tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        job = await running(jobs.ask(asked(ENDLESS), ANN))
        with pytest.raises(NotAllowed, match="only who asked"):
            jobs.cancel(job, BOB)
        jobs.ask(asked(ENDLESS), BOB)
        jobs.cancel(job, ANN)
        assert job.state == "running", "Bob still waits for it"
        jobs.cancel(job, BOB)
        assert (await over(job)).state == "cancelled"

    worked(tmp_path, work)


def test_workers_end_with_the_server(tmp_path: Path) -> None:
    """Also when the server is killed: a worker whose input ends, ends."""
    pids = list[int]()

    async def work(jobs: Jobs) -> None:
        pids.append((await running(jobs.ask(asked(ENDLESS), ANN))).told["pid"])

    worked(tmp_path, work)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_more_than_a_guest_may_have_is_refused_with_what_is_possible(tmp_path: Path) -> None:
    async def work(jobs: Jobs) -> None:
        much = asked(rounds=10**15)
        with pytest.raises(Refused, match="1,000,000,000,000,000 rounds are more than a guest") as refused:
            jobs.ask(much, ANN)
        assert "up to 1,000,000,000 are possible here" in refused.value.why
        with pytest.raises(Refused, match="up to 10,000,000 are possible"):
            jobs.ask(asked(bankroll="500", trips=10**5, trip_rounds=10**3), ANN)
        assert jobs.ask(asked(rounds=10**10), FAY).state == "waiting"
        with pytest.raises(NotAScript, match="not a positive whole number"):
            jobs.ask(asked(rounds="lots"), ANN)

    worked(tmp_path, work)


STOPPABLE = """
import json, sys, time
import threading, queue
lines, played = queue.SimpleQueue(), {}
def listen():
    for text in sys.stdin:
        lines.put(json.loads(text))
    lines.put(None)
threading.Thread(target=listen, daemon=True).start()
while (line := lines.get()) is not None:
    name, wanted = line.get("id"), line.get("asked", {}).get("options", {}).get("rounds")
    while wanted is not None:
        played[name] = played.get(name, 0) + 1000
        if played[name] >= wanted:
            print(json.dumps({"state": "done", "body": {"rounds": played.pop(name)}}), flush=True)
            break
        print(json.dumps({"share": 0.5, "rounds": played[name]}), flush=True)
        time.sleep(0.002)
        if not lines.empty():
            lines.get()
            print(json.dumps({"state": "cancelled", "told": {"kept": played[name]}}), flush=True)
            break
"""
"""A worker that plays a thousand rounds in two milliseconds, and goes on where it was stopped."""
LONG = 10**8
"""Rounds that it has never played before the test is over."""


def turning(folder: Path, work: Callable[[Jobs], Awaitable[None]], **options: float) -> None:
    """Work at a desk with one worker that takes turns."""

    async def run() -> None:
        jobs = Jobs(folder, workers=1, command=("-c", STOPPABLE), **{"slices": 0.05, **options})
        try:
            await asyncio.wait_for(work(jobs), PATIENCE)
        finally:
            await jobs.stop()

    asyncio.run(run())


def test_long_simulations_of_one_keep_nobody_waiting_longer_than_one_slice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four that run for hours, asked first; a thousand rounds of somebody else come after the slice that is played."""
    states, change = list[tuple[int, str]](), DeskJob.change

    def noted(job: DeskJob, **values: Any) -> None:
        states.extend([(job.question.asked["options"]["seed"], values["state"])] if "state" in values else [])
        change(job, **values)

    monkeypatch.setattr(DeskJob, "change", noted)

    async def work(jobs: Jobs) -> None:
        mallory, ann = Person("198.51.100.7", "visitor"), Person("198.51.100.8", "visitor")
        long = [jobs.ask(asked(seed, rounds=LONG), mallory, mallory.name) for seed in range(20, 24)]
        await until_soon(lambda: PLAYED in long[0].told, "the first one runs")
        short = jobs.ask(asked(99, rounds=1000), ann, ann.name)
        assert jobs.ahead(short) <= 1
        await over(short)
        assert short.state == "done"
        assert states[:4] == [(20, "running"), (20, "waiting"), (99, "running"), (99, "done")]
        assert not any(job.over for job in long)

    turning(tmp_path, work)


def test_what_ended_its_turn_goes_on_in_the_next(tmp_path: Path) -> None:
    """Two simulations take turns; each goes on from where it was, and both come to their end."""

    async def work(jobs: Jobs) -> None:
        one = jobs.ask(asked(1, rounds=150_000), ANN, "198.51.100.7")
        two = jobs.ask(asked(2, rounds=150_000), BOB, "198.51.100.8")
        states = set[tuple[str, str]]()
        while not (one.over and two.over):
            states.add((one.state, two.state))
            await asyncio.sleep(0.001)
        assert (one.state, two.state) == ("done", "done")
        assert {("running", "waiting"), ("waiting", "running")} <= states
        kept = jobs.answers.get(one.question.id)
        assert kept is not None
        assert kept.body["rounds"] == 150_000

    turning(tmp_path, work)


def test_a_visitor_has_so_many_seconds_and_somebody_known_has_more(tmp_path: Path) -> None:
    """What takes longer is ended with the reason; a player who asks the same lifts the limit."""

    async def work(jobs: Jobs) -> None:
        visitor = Person("198.51.100.7", "visitor")
        refused = await over(jobs.ask(asked(1, rounds=LONG), visitor, visitor.name))
        assert (refused.state, "which is all that a visitor may have" in refused.why) == ("failed", True)
        again = jobs.ask(asked(1, rounds=LONG), visitor, visitor.name)
        assert jobs.ask(asked(1, rounds=LONG), BOB, "198.51.100.8") is again
        assert again.limit == 0.0
        await until_soon(lambda: again.told.get(PLAYED), "it runs")
        await asyncio.sleep(0.5)
        assert again.state == "running"

    turning(tmp_path, work, longest=0.3)


def test_people_take_turns_whoever_comes_and_goes() -> None:
    """By address: one who asks again and again, and a new one each time, keep nobody out."""

    class One(NamedTuple):
        turn: str
        number: int

    turns: Turns[One] = Turns()
    for number in range(4):
        turns.add(One("a", number))
    turns.add(One("b", 0))
    order = []
    for fresh in range(12):
        order.append(turns.take())
        turns.add(One("b", fresh + 1))
        turns.add(One(f"new {fresh}", 0))
    assert [one.number for one in order if one.turn == "a"] == [0, 1, 2, 3][: sum(one.turn == "a" for one in order)]
    assert sum(one.turn == "a" for one in order) >= 2
    while len(turns):
        order.append(turns.take())
    assert [one.number for one in order if one.turn == "a"] == [0, 1, 2, 3]
    assert len(order) == 4 + 1 + 24


def test_a_question_that_is_none_is_refused_before_it_waits() -> None:
    with pytest.raises(SubmissionRefused) as refused:
        question_of("odds", {"rulebook": "pa-spanish-21", "submission": {"decks": 3}})
    assert "635a" in refused.value.cite
    with pytest.raises(NotAScript, match="is none of odds"):
        question_of("magic", {"rulebook": "pa-spanish-21"})
    with pytest.raises(NotAScript, match="has no such key"):
        question_of("odds", {"rulebook": "pa-spanish-21", "chart": "x"})


def simulated(rounds: int) -> Any:
    return question_of("simulate", {"rulebook": "classic-blackjack", "options": {"rounds": rounds, "seed": 5}})


def test_a_simulation_that_was_stopped_goes_on_to_the_figures_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the real worker: stopped, resumed in another process, and to the last sum what the command line says."""
    stopped = list[int]()

    async def stop_one(jobs: Jobs, rounds: int) -> bool:
        job = jobs.ask(simulated(rounds), FAY)
        await until_soon(lambda: job.told.get("rounds") or job.over, "some rounds are played")
        jobs.cancel(job, FAY)
        if (await over(job)).state == "done":
            return False
        assert job.state == "cancelled", job.why
        assert 0 < job.told["kept"] < rounds
        assert jobs.answers.work(job.question.id).exists()
        return True

    async def work(jobs: Jobs) -> None:
        """A fast machine has played the first ones before they can be stopped."""
        for rounds in (6_000_000, 60_000_000, 600_000_000, 6_000_000_000):
            if await stop_one(jobs, rounds):
                stopped.append(rounds)
                return

    async def go_on(jobs: Jobs) -> None:
        job = await over(jobs.ask(simulated(*stopped), FAY))
        assert job.state == "done", job.why
        assert not jobs.answers.work(job.question.id).exists()
        refused = await over(jobs.ask(asked(spread="1:2"), BOB))
        assert (refused.state, refused.why) == ("failed", "--spread: a spread needs a count: add --count hilo")

    worked(tmp_path, work, fake=False)
    worked(tmp_path, go_on, fake=False)
    kept = Jobs(tmp_path).answers.get(simulated(*stopped).id)
    assert kept is not None
    with contextlib.suppress(SystemExit):
        main(["simulate", "classic-blackjack", "--rounds", str(*stopped), "--seed", "5", "--exact", "--json"])
    said = json.loads(capsys.readouterr().out)
    same = ("totals", "mean", "standard_error", "variance", "histogram", "outcomes", "exact", "played_by")
    assert {name: kept.body[name] for name in same} == {name: said[name] for name in same}
    assert kept.body["path"][-1][0] == stopped[0]


def test_the_server_does_not_load_the_mathematics() -> None:
    """NumPy and Numba are the workers': a server starts without them, and keeps its memory."""
    loaded = "{name.partition('.')[0] for name in sys.modules}"
    lines = f"import sys, twentyone.web.app; print({loaded} & {{'numpy', 'numba', 'matplotlib'}})"
    assert os.popen(f'{sys.executable} -c "{lines}"').read().strip() == "set()"
