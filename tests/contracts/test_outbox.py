"""What tables store in one turn of the loop shares a commit; each is answered, or refused, for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from twentyone.ledger.rows import Appended, Batch, LedgerClosed, NewEvent, StaleVersion
from twentyone.ledger.sqlite import SqliteStore, open_sqlite
from twentyone.ledger.writer import Writer
from twentyone.service.outbox import Outbox
from twentyone.service.staff import TICKS, until_tick


class Counted:
    """A store that notes how many commands share a commit."""

    def __init__(self, store: SqliteStore) -> None:
        self.where, self._store, self.groups = store.where, store, list[int]()

    def append_many(self, batches: Sequence[Batch]) -> list[Appended | Exception]:
        self.groups.append(len(batches))
        return self._store.append_many(batches)


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    return Counted(open_sqlite(str(tmp_path / "ledger.db"), create=True))


def batch(number: int, version: int = 0) -> Batch:
    return Batch(f"table {number}", version, [NewEvent("command", {"do": "deal"}, 1)], f"k{number}.{version}", "f")


def test_what_is_made_in_one_turn_shares_a_commit(counted: Counted) -> None:
    async def work(outbox: Outbox) -> None:
        answers = await asyncio.gather(*(outbox.store(batch(number)) for number in range(9)))
        assert [answer.events[0].stream for answer in answers] == [f"table {number}" for number in range(9)]
        await outbox.store(batch(0, 1))

    with closing(Writer(counted)) as writer:  # type: ignore[arg-type]
        asyncio.run(work(Outbox(writer)))
    assert counted.groups == [9, 1]


def test_each_is_refused_for_itself_and_who_has_gone_is_told_nothing(counted: Counted) -> None:
    async def work(outbox: Outbox) -> None:
        good, gone, stale = [asyncio.ensure_future(outbox.store(one)) for one in (batch(1), batch(2), batch(3, 7))]
        await asyncio.sleep(0)
        gone.cancel()
        assert (await good).events[0].ver == 1
        with pytest.raises(StaleVersion):
            await stale
        with pytest.raises(asyncio.CancelledError):
            await gone

    with closing(Writer(counted)) as writer:  # type: ignore[arg-type]
        asyncio.run(work(Outbox(writer)))
    assert counted._store.version("table 2") == 1, "what was under way is stored, as if its maker had stayed"


def test_a_closed_writer_refuses_all_of_a_turn(counted: Counted) -> None:
    async def work(outbox: Outbox) -> None:
        answers = await asyncio.gather(*(outbox.store(batch(number)) for number in range(3)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [LedgerClosed] * 3

    writer = Writer(counted)  # type: ignore[arg-type]
    writer.close()
    asyncio.run(work(Outbox(writer)))


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("seconds", [0.25, 0.45, 1.2])
def test_staff_steps_at_the_same_moments(seconds: float, tick: float) -> None:
    """Whenever two tables begin to wait, they step at a whole number of ticks, not before and at most one late."""
    for now in (0.0, 3.3333, 86_400.05, 1e6 + 0.999):
        waits = until_tick(seconds, now, tick)
        assert seconds - 1e-6 <= waits <= seconds + tick + 1e-6
        assert (now + waits) / tick == pytest.approx(round((now + waits) / tick), abs=1e-6)


@pytest.mark.parametrize("early", [-0.001, 0.0, 0.001])
def test_a_quicker_pace_is_kept(early: float) -> None:
    """Its tables step at the same moments, too; a timer that is a little early or late changes nothing."""
    assert until_tick(0.0, 7.03, 0.1) == 0.0
    now = 7.03
    moments = [now := now + until_tick(0.08, now, 0.1) + early for _ in range(5)]
    assert [later - sooner for sooner, later in pairwise(moments)] == pytest.approx([0.08] * 4)
    assert moments[-1] - early == pytest.approx(round(moments[-1] / 0.08) * 0.08)
