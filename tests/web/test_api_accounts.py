"""Accounts: opened, locked and unlocked, given another password, removed; by the administrator alone."""

from __future__ import annotations

from pathlib import Path

from tests.web.inside import Client, Inside
from tests.web.test_api_security import PASSWORD, in_house

OTHER = "another horse"


async def login(inn: Inside, password: str, name: str = "Olga") -> tuple[int, Client]:
    """Somebody tries a password."""
    client = Client(inn.app, {})
    await client.get("/me")
    return (await client.send("POST", "/session/login", {"name": name, "password": password})).status_code, client


def test_the_administrator_sees_who_has_an_account(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        admin = inn.clients["administrator"]
        for name, role in (("Olga", "dealer"), ("Ada", "auditor")):
            body = {"name": name, "role": role, "password": PASSWORD}
            assert (await admin.send("POST", "/accounts", body)).status_code == 201
        await login(inn, PASSWORD)
        for _ in range(3):
            await login(inn, "wrong", "Ada")
        assert (await admin.get("/accounts")).json() == [
            {"name": "Ada", "role": "auditor", "locked": True, "sessions": 0},
            {"name": "Olga", "role": "dealer", "locked": False, "sessions": 1},
        ]
        assert PASSWORD not in (await admin.get("/accounts")).text

    in_house(tmp_path, work)


def test_a_locked_account_is_unlocked_before_its_time(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        for _ in range(3):
            await login(inn, "wrong")
        assert (await login(inn, PASSWORD))[0] == 429
        assert (await inn.clients["administrator"].send("POST", "/accounts/Olga/unlock")).status_code == 204
        assert (await login(inn, PASSWORD))[0] == 200

    in_house(tmp_path, work)


def test_another_password_ends_what_began_with_the_old_one(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        _, olga = await login(inn, PASSWORD)
        admin = inn.clients["administrator"]
        short = await admin.send("PUT", "/accounts/Olga/password", {"password": "short"})
        assert (short.status_code, short.json()["why"]) == (422, "a password has 10 characters or more")
        assert (await olga.get("/me")).json()["name"] == "Olga", "a refused password changed something"
        assert (await admin.send("PUT", "/accounts/Olga/password", {"password": OTHER})).status_code == 204
        assert (await olga.get("/me")).json() is None
        assert (await login(inn, PASSWORD))[0] == 401
        assert (await login(inn, OTHER))[0] == 200

    in_house(tmp_path, work)


def test_a_removed_account_is_out_at_once_and_its_name_free(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        _, olga = await login(inn, PASSWORD)
        admin = inn.clients["administrator"]
        assert (await admin.send("DELETE", "/accounts/Olga")).status_code == 204
        assert (await olga.get("/me")).json() is None
        assert (await login(inn, PASSWORD))[0] == 401
        assert (await admin.send("DELETE", "/accounts/Olga")).json()["why"] == "there is no account 'Olga'"
        again = {"name": "Olga", "role": "dealer", "password": PASSWORD}
        assert (await admin.send("POST", "/accounts", again)).status_code == 201

    in_house(tmp_path, work)


def test_nobody_removes_himself(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        _, olga = await login(inn, PASSWORD)
        answer = await olga.send("DELETE", "/accounts/Olga")
        assert (answer.status_code, answer.json()["why"]) == (409, "you cannot remove your own account")
        assert (await login(inn, PASSWORD))[0] == 200

    in_house(tmp_path, work)
