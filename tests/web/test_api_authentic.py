"""The software is altered while tables are played: no further round is dealt, and everybody is told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.faults.packages import KEYS, edited
from tests.web.inside import Inside, follow, give, inside, open_table
from twentyone.authentic import MANIFEST, examine
from twentyone.errors import Refused
from twentyone.ledger.house_words import house_story
from twentyone.ledger.rows import LedgerFailed, LedgerRefused
from twentyone.ledger.sealing import seal
from twentyone.service import authenticity
from twentyone.service.authenticity import DAY, Authenticity
from twentyone.service.clocks import asked_offer
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.service import Service
from twentyone.service.staff import Staff
from twentyone.web import app

MOMENT = 1_750_000_000


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A signed package that the service takes for its own."""
    root = tmp_path / "package"
    root.mkdir()
    (root / "pay.py").write_text("def pay(amount):\n    return amount\n", encoding="utf-8")
    seal(root, KEYS)
    monkeypatch.setattr(authenticity, "at_start", lambda: examine(root))
    monkeypatch.setattr(authenticity, "examine", lambda trusted: examine(root, trusted))
    monkeypatch.setattr(app, "AUTHENTICATE", 3600.0)  # the test looks itself
    return root


async def deal(live: LiveTable) -> None:
    await give(live, "place_wager", "player", "Ann", box=1, amount="10")
    await give(live, "deal", "dealer", "Dan")


async def play_on(live: LiveTable) -> None:
    """Bring the round in progress to its end."""
    while live.runner.table.state.phase == "round":
        offer = asked_offer(live.runner.table)
        if offer is None:
            await give(live, "card", "dealer", "Dan")
        else:
            action = next((one.action for one in offer.options if one.action == "stand"), "decline")
            await give(live, "decide", "player", "Ann", action=action, box=1)
    await give(live, "collect_cards", "dealer", "Dan")
    await follow(live)


def kinds(service: Service) -> list[str]:
    return [line.kind for line in house_story(service.store).lines if line.kind.startswith("software")]


async def told(inn: Inside) -> Any:
    return (await inn.clients["visitor"].get("/health")).json()


def test_dealing_stops_within_one_interval_after_the_round_in_progress(
    tmp_path: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [MOMENT]

    async def run() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            service = inn.service
            live = await open_table(service, "one", "classic-blackjack", {"Ann": [1]})
            await deal(live)
            assert kinds(service) == ["software_begun"]
            (package / "pay.py").write_text("def pay(amount):\n    return 2 * amount\n", encoding="utf-8")
            now[0] += service.authenticity.every - 1
            await app._authenticate(service)
            assert (await told(inn))["stopped"] == [], "the interval has not passed"
            now[0] += 1
            await app._authenticate(service)
            await inn.people()  # an hour later, everybody logs in again
            await look(inn, live)

    asyncio.run(run())
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (line,) = [line for line in lines if line["event"] == "no further round is dealt"]
    assert (line["level"], "pay.py differs" in line["why"]) == ("error", True)


async def look(inn: Inside, live: LiveTable) -> None:
    """The round ends, the next does not begin, and everybody is told once."""
    service, staff = inn.service, inn.service._staff["one"][0]
    health = await told(inn)
    assert (health["authentic"], "pay.py differs" in health["stopped"][0]) == (False, True)
    await play_on(live)
    await give(live, "place_wager", "player", "Ann", box=1, amount="10")
    with pytest.raises(Refused, match=r"no further round is dealt: .*pay\.py differs"):
        await live.give(CommandRequest("deal", {}, "again"), "dealer", "Dan")
    refuses_to_deal(staff, live)
    await give(live, "take_back_wager", "player", "Ann", box=1, wager="main")
    board = (await inn.clients["floorperson"].get("/pit")).json()
    assert any("pay.py differs" in alarm["says"] for alarm in board["alarms"])
    page = (await inn.clients["administrator"].get("//server")).text
    assert page.count("pay.py differs") >= 1
    await app._authenticate(service)
    assert kinds(service) == ["software_begun", "software_altered"], "it is recorded once"
    assert "pay.py differs" in house_story(service.store).lines[-1].words
    assert service.verify()["faults"] == []


def refuses_to_deal(staff: Staff, live: LiveTable) -> None:
    (step,) = [step for step in live.runner.table.next_steps() if step.do == "deal"]
    assert not staff._mine(live.runner.table, step, 10**6, ())


def test_a_day_at_most_and_a_manifest_that_is_gone_is_a_difference(tmp_path: Path, package: Path) -> None:
    now = [MOMENT]

    async def run() -> None:
        async with inside(tmp_path, clock=lambda: now[0]) as inn:
            watch = inn.service.authenticity
            watch.every = DAY
            now[0] += DAY
            assert watch.look() == ""
            (package / MANIFEST).unlink()
            now[0] += DAY
            assert "an unsigned build" in watch.look()

    asyncio.run(run())


def test_a_ledger_that_cannot_be_written_is_told_later_and_dealing_has_stopped(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with inside(tmp_path) as inn:
            watch: Authenticity = inn.service.authenticity
            watch.every = 0
            with monkeypatch.context() as patch, edited(package / "pay.py", b"pay = int\n"):
                patch.setattr(authenticity, "altered", fail)
                with pytest.raises(LedgerFailed):
                    watch.look()
                assert inn.service.stops
            watch.look()
            assert kinds(inn.service) == ["software_begun", "software_altered"]

    def fail(*_: object) -> None:
        raise LedgerFailed("the disk is full")

    asyncio.run(run())


def test_other_software_is_an_event_once_and_unsigned_software_is_refused_after_signed(
    tmp_path: Path, package: Path
) -> None:
    def start(required: bool | None = None) -> Service:
        service = Service(str(tmp_path / "t.db"), clock=lambda: MOMENT)
        service.authenticity.admit(required)
        service.authenticity.begin()
        return service

    for expected in (1, 1):
        service = start()
        assert len(kinds(service)) == expected
        service.store.close()
    (package / "new.py").write_text("", encoding="utf-8")
    seal(package, KEYS)
    service = start()
    assert len(kinds(service)) == 2, "an upgrade"
    service.store.close()
    (package / MANIFEST).unlink()
    for required in (None, True):
        with pytest.raises(LedgerRefused, match="only signed software may play on this ledger"):
            start(required)
    service = start(required=False)
    assert "an unsigned build: not authenticated" in house_story(service.store).lines[-1].words
    service.store.close()


def test_software_that_another_key_signed_is_refused_until_the_key_is_named(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from twentyone.ledger.keys import Keyring

    service = Service(str(tmp_path / "t.db"), clock=lambda: MOMENT)
    service.authenticity.begin()
    service.store.close()
    other = Keyring(b"o" * 32, b"p" * 32)
    seal(package, other)
    service = Service(str(tmp_path / "t.db"), clock=lambda: MOMENT)
    with pytest.raises(LedgerRefused, match="the software before it by"):
        service.authenticity.admit()
    monkeypatch.setattr(authenticity, "trusted_key", lambda: other.public.hex())
    service.authenticity.admit()
    service.store.close()
