"""The stream of access: who came in and who did not, who changed what; chained, signed, verified, reported."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.web.inside import Inside, open_table
from tests.web.test_api_guessing import From
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.cli import main
from twentyone.errors import TwentyoneError
from twentyone.ledger.access import ACCESS_KINDS, AccessLine, access_fault, access_lines
from twentyone.ledger.rows import ACCESS, LedgerFailed
from twentyone.ledger.store import open_store
from twentyone.ledger.timestamps import Period
from twentyone.service.access_log import AccessLog

OTHER = "another horse battery"
SECRETS = (PASSWORD, OTHER, "hunter2 typed as a name")


def noted(inn: Inside) -> list[str]:
    """What the ledger has of access, in words."""
    return [line.words for line in access_lines(inn.service.store, Period())]


async def a_day(inn: Inside) -> None:
    """Olga comes, somebody guesses, an administrator works."""
    admin = inn.clients["administrator"]
    await admin.send("POST", "/accounts", {"name": "Olga", "role": "dealer", "password": PASSWORD})
    olga, stranger = From(inn, "10.0.0.1"), From(inn, "10.0.0.9")
    await olga.login(PASSWORD)
    await stranger.login("wrong horse", SECRETS[2])
    for _ in range(3):
        await stranger.login("wrong horse")
    await admin.send("POST", "/accounts/Olga/unlock")
    await admin.send("PUT", "/accounts/Olga/role", {"role": "floorperson"})
    await admin.send("PUT", "/accounts/Olga/password", {"password": OTHER})
    await admin.send("POST", "/tables", {"name": "one", "rulebook": "pa-spanish-21"})
    await admin.send("PUT", "/tables/one/staff", {"pace": "by hand"})
    await admin.command("one", "set_limit", about="tip", amount="7")
    await inn.clients["floorperson"].command("one", "open_table", dealer="Auto dealer")
    await inn.clients["floorperson"].command("one", "close_table")
    await admin.send("DELETE", "/accounts/Olga")


def test_who_came_and_who_changed_what_is_in_the_ledger(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await a_day(inn)
        assert noted(inn) == [
            "from here on accounts are held against this stream: 0 are taken over",
            "administrator opens an account for Olga, dealer",
            "Olga (dealer) logs in with a password",
            "a log-in as somebody without an account fails",
            *["a log-in as Olga fails"] * 3,
            "after wrong log-ins as Olga this place has to wait 60 s",
            "administrator lets everybody who waits try Olga again",
            "administrator makes Olga, until now dealer, floorperson",
            "a session of Olga (dealer) ends: the role was changed to floorperson",
            "administrator changes the password of Olga",
            "administrator sets up the table one under pa-spanish-21",
            "administrator sets pace of one to by hand, before normal",
            "administrator sets the limit of tip at one to $7.00, before $10,000.00",
            "Fay opens the table one",
            "Fay closes the table one",
            "administrator removes the account of Olga, floorperson",
        ]
        bodies = "".join(event.body for event in inn.service.store.read(ACCESS))
        assert not [secret for secret in SECRETS if secret in bodies]
        assert "argon2" not in bodies

    in_house(tmp_path, work)


def test_access_is_verified_signed_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command, by the page and its file; an address is for those who may know it."""

    async def work(inn: Inside) -> None:
        await a_day(inn)
        auditor, floor = inn.clients["auditor"], inn.clients["floorperson"]
        for client, knows in ((auditor, True), (floor, False)):
            page = (await client.get("//report?from=&to=")).text
            assert "administrator opens an account for Olga, dealer" in page
            assert ("10.0.0.9" in page) == knows
            sheet = (await client.get("//report/access.csv?from=&to=")).text
            assert ("10.0.0.9" in sheet) == knows
            lines = (await client.get("/report")).json()["access"]
            assert [line["kind"] for line in lines][1:3] == ["account_opened", "logged_in"]
            assert ("10.0.0.9" in json.dumps(lines)) == knows
        assert (await auditor.send("POST", "/verify")).json()["ok"]

    in_house(tmp_path, work)
    ledger = str(tmp_path / "inside.db")
    assert main(["verify", ledger]) == 0
    said = capsys.readouterr().out
    assert "events of access" in said
    assert main(["report", ledger]) == 0
    assert "after wrong log-ins as Olga this place has to wait 60 s (from 10.0.0.9)" in capsys.readouterr().out
    assert main(["report", ledger, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["access"]) == 18
    altered(tmp_path / "inside.db")
    assert main(["verify", ledger]) == 1
    assert "(access) version 3" in capsys.readouterr().out


def altered(path: Path) -> None:
    """Whoever owns the file makes another one log in."""
    raw = sqlite3.connect(path, isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("UPDATE events SET body = replace(body, 'Olga', 'Oleg') WHERE stream = ? AND ver = 3", (ACCESS,))
    raw.close()


def test_an_event_that_no_access_is_is_named(tmp_path: Path) -> None:
    """A well-chained one, too: its kind and its fields are examined."""

    async def work(inn: Inside) -> None:
        store = inn.service.store
        log = AccessLog(store, lambda: 7)
        log.note("table_opened", by="Fay", table="one")
        with pytest.raises(TwentyoneError, match="not an event of access"):
            log.note("logged_everywhere", by="Fay")

    in_house(tmp_path, work)
    assert access_fault("table_opened", {"by": "Fay"}) == "table_opened has the fields by"
    assert access_fault("locked_out", {"name": "Olga", "seconds": "60"}) == "locked_out has a field of another type"
    assert not access_fault("table_opened", {"by": "Fay", "table": "one", "address": "::1"})


@pytest.mark.parametrize("kind", ACCESS_KINDS)
def test_every_kind_has_words(kind: str) -> None:
    fields = {
        "name": "Olga",
        "seconds": 60,
        "left": 7,
        "count": 2,
        **dict.fromkeys(("role", "how", "why", "by", "before"), "x"),
    }
    fields |= dict.fromkeys(("what", "asked", "after", "table", "rulebook"), "y")
    said = AccessLine(1, 0, kind, fields).words
    assert "{" not in said


def test_who_cannot_be_noted_does_not_come_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        before = len(inn.service.people.sessions.listed())

        def fails(*_: object, **__: object) -> None:
            raise LedgerFailed("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(inn.service.people, "note", fails)
            olga = From(inn, "10.0.0.1")
            assert (await olga.login(PASSWORD)).status_code == 503
            assert (await olga.get("/me")).json() is None
            admin = inn.clients["administrator"]
            body = {"name": "Otto", "role": "dealer", "password": PASSWORD}
            assert (await admin.send("POST", "/accounts", body)).status_code == 503
            assert [account.name for account in inn.service.people.accounts.listed()] == ["Olga"]
        assert len(inn.service.people.sessions.listed()) == before
        assert (await admin.send("POST", "/accounts", body)).status_code == 201

    in_house(tmp_path, work)


def test_a_stream_of_access_is_no_table(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        inn.service.people.add("Olga", "dealer", PASSWORD)
        assert (await inn.clients["visitor"].get("/ready")).json()["tables"] == 1
        await type(inn.service).look_around(inn.service)
        assert [*inn.service.tables] == ["one"]

    in_house(tmp_path, work)
    store = open_store(str(tmp_path / "inside.db"))
    assert ACCESS in store.streams()
    store.close()
