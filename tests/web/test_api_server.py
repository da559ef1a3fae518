"""The administrator's part of the interface: sessions, the state of server and ledger, backups, paces and limits."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.web.inside import MOMENT, Ear, Inside, inside, open_table
from tests.web.test_api_security import in_house
from twentyone import __version__
from twentyone.ledger.backup import restore
from twentyone.service.attempts import digest
from twentyone.service.sessions import GUEST_IDLE, IDLE

PASSWORD = "correct horse"


async def sessions(inn: Inside) -> list[dict[str, Any]]:
    """The sessions as the administrator sees them."""
    rows: list[dict[str, Any]] = (await inn.clients["administrator"].get("/sessions")).json()["sessions"]
    return rows


def test_sessions_are_listed_from_their_log_in_to_their_end(tmp_path: Path) -> None:
    """By whom, from where, from when to when and how it ended: logged out, unused, ended by somebody."""
    now = [MOMENT]

    async def ask(inn: Inside) -> None:
        inn.service.people.add("Olga", "auditor", PASSWORD)
        visitor, admin = inn.clients["visitor"], inn.clients["administrator"]
        await visitor.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD})
        (row,) = [row for row in await sessions(inn) if row["name"] == "Olga"]
        known = (row["role"], row["address"], row["begun"], row["seen"], row["ended"], row["you"])
        assert known == ("auditor", "127.0.0.1", MOMENT, MOMENT, None, False)
        assert (await admin.send("DELETE", f"/sessions/{row['number']}")).status_code == 204
        assert (await visitor.get("/coupons")).status_code == 401
        assert (await admin.send("DELETE", f"/sessions/{row['number']}")).status_code == 404
        await inn.clients["auditor"].send("POST", "/session/logout")
        now[0] += IDLE + 60
        await inn.people()
        ends = {row["name"]: row["why"] for row in await sessions(inn) if row["ended"] is not None}
        assert ends["Olga"] == "ended by administrator"
        assert (ends["Uma"], ends["Fay"]) == ("logged out", "not used for too long")
        (own,) = [row for row in await sessions(inn) if row["you"]]
        assert (await inn.clients["administrator"].send("DELETE", f"/sessions/{own['number']}")).status_code == 409
        assert {row["name"] for row in await sessions(inn) if row["ended"] is None} >= {"Ann", "Fay", "Dan"}
        now[0] += GUEST_IDLE + 60
        await inn.people()
        assert len([row for row in await sessions(inn) if row["name"] == "Ann" and row["ended"] is None]) == 1

    in_house(tmp_path, ask, clock=lambda: now[0])


def test_a_player_whose_session_is_ended_leaves_his_table(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        (row,) = [row for row in await sessions(inn) if row["name"] == "Ann"]
        assert (await inn.clients["administrator"].send("DELETE", f"/sessions/{row['number']}")).status_code == 204
        assert "Ann" not in live.runner.table.state.players
        assert inn.service.people.purses.of("Ann") > 0

    in_house(tmp_path, ask)


def test_a_board_that_is_only_watched_keeps_no_session_alive(tmp_path: Path) -> None:
    now = [MOMENT]

    async def ask(inn: Inside) -> None:
        ear = Ear(inn.app, "/pit", inn.cookies["floorperson"])
        await ear.answered()
        now[0] += IDLE - 60
        assert inn.service.people.whose(inn.cookies["floorperson"]["twentyone_session"], watches=True) is not None
        now[0] += 120
        assert inn.service.people.whose(inn.cookies["floorperson"]["twentyone_session"], watches=True) is None
        await ear.stop()

    in_house(tmp_path, ask, clock=lambda: now[0])


def test_no_secret_of_a_session_is_told(tmp_path: Path) -> None:
    """Neither the secret nor what is stored of it, of any session, on the page or in the interface; nor a device's."""

    async def ask(inn: Inside) -> None:
        visitor, admin = inn.clients["visitor"], inn.clients["administrator"]
        inn.service.people.add("Olga", "auditor", PASSWORD)
        await visitor.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD})
        await visitor.send("POST", "/session/login", {"name": "Olga", "password": "wrong horse"})
        told = [(await admin.get(path)).text for path in ("/sessions", "//server", "/server", "/backups", "/accounts")]
        assert "a browser that is known" in told[0]
        secrets = [
            secret for jar in (visitor.jar, *inn.cookies.values()) for secret in jar.values() if len(secret) > 20
        ]
        assert len(secrets) > 10
        for secret in secrets:
            assert not any(secret in text or digest(secret) in text for text in told)

    in_house(tmp_path, ask)


def test_the_state_of_server_and_ledger(tmp_path: Path) -> None:
    async def begin() -> None:
        async with inside(tmp_path) as inn:
            await open_table(inn.service, "one", "pa-spanish-21", {})
            state = (await inn.clients["administrator"].get("/server")).json()
            assert state["start_checks"] == ["the ledger was new: it got its key and its first checkpoint"]

    async def again(inn: Inside) -> None:
        admin, service = inn.clients["administrator"], inn.service
        state = (await admin.get("/server")).json()
        events = sum(service.store.version(name) for name in service.store.streams())
        assert (state["version"], state["started"], state["database"]) == (__version__, MOMENT, "SQLite")
        assert (state["events"], state["tables"], state["signature"]) == (events, 1, "")
        assert state["checkpoint"]["events"] <= events
        assert state["disk_free"] > 0
        assert any("checkpoints are signed" in check for check in state["start_checks"])
        trail = service.signing.path
        lines = trail.read_text().splitlines()
        trail.write_text("\n".join([*lines[:-1], lines[-1].replace('"at":1', '"at":2')]) + "\n")
        assert "not signed" in (await admin.get("/server")).json()["signature"]
        trail.write_text("\n".join(lines) + "\n")

    asyncio.run(begin())
    in_house(tmp_path, again)


def test_a_backup_is_made_verified_listed_and_restored(tmp_path: Path) -> None:
    """One press; the copy restores. One that cannot be made, and one whose file is gone, say so."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        admin, folder = inn.clients["administrator"], inn.service.backups.folder
        made = await admin.send("POST", "/backups")
        row = made.json()
        assert (made.status_code, row["verified"], row["why"], row["by"]) == (201, True, "", "administrator")
        assert (folder / row["file"]).stat().st_size == row["size"]
        assert folder.stat().st_mode & 0o077 == 0
        restored = restore(folder / row["file"], str(tmp_path / "restored.db"))
        assert restored.events == row["events"]
        (folder / row["file"]).unlink()
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        folder.write_text("in the way")
        failed = (await admin.send("POST", "/backups")).json()
        assert (failed["verified"], bool(failed["why"])) == (False, True)
        listed = (await admin.get("/backups")).json()
        assert [(row["verified"], row["why"]) for row in listed if row["verified"]] == [(True, "the file is gone")]
        assert len(listed) == 2

    in_house(tmp_path, ask)


def test_paces_and_limits_are_listed_and_set(tmp_path: Path) -> None:
    """The limit is set with the table's own command, which the text leaves to the operator; refused with the reason."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        admin = inn.clients["administrator"]
        pace = {"pace": "slow", "clock": 30.0, "patience": 5.0, "absence": 60.0}
        assert (await admin.send("PUT", "/tables/one/staff", pace)).status_code == 200
        assert (await admin.command("one", "set_limit", about="fill", amount="250")).status_code == 200
        (row,) = (await admin.get("/server/tables")).json()
        assert {key: row[key] for key in pace} == pace
        assert (row["limits"]["fill"], row["limits"]["tip"]) == ("250", "10000")
        inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0)
        over = await inn.clients["floorperson"].command("one", "fill", amount="251")
        assert (over.status_code, "above the limit" in over.json()["why"]) == (409, True)
        page = (await admin.get("//server")).text
        assert 'value="250"' in page
        assert json.dumps(row["limits"]["tip"])[1:-1] in page

    in_house(tmp_path, ask)
