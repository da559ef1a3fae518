"""Two things at once, one person as two: log-ins beside changes, codes guessed or used at once, names that deceive."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.inside import Inside
from tests.web.test_api_audit import OTHER, noted
from tests.web.test_api_factors import WRONG, enrolled, tries, two
from tests.web.test_api_guessing import From, of_house
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.service.attempts import TRIES
from twentyone.service.factors import STEP
from twentyone.service.hashing import Hashing
from twentyone.service.names import checked_name
from twentyone.service.people import NotAllowed, People, Person

MEANWHILE: dict[str, Callable[[People, str], object]] = {
    "another password": lambda people, hashed: people.accounts.set_hashed("Olga", hashed, "Fay"),
    "another role": lambda people, _: people.accounts.change_role("Olga", "dealer", "Fay"),
    "removed": lambda people, _: people.accounts.remove("Olga", "Fay"),
}
"""What is done to an account while somebody's password is compared, which takes a while."""


class Slow:
    """Comparisons of passwords that end when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.over, plain = threading.Event(), threading.Event(), Hashing._compare

        def compare(hashing: Hashing, stored: str, password: str) -> bool:
            self.begun.set()
            self.over.wait()
            return plain(hashing, stored, password)

        monkeypatch.setattr(Hashing, "_compare", compare)


@pytest.mark.parametrize("what", MEANWHILE)
def test_who_logs_in_while_his_account_is_changed_stays_out(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thief, or whoever is dismissed, whose log-in waits in the queue: the change ends what has not begun yet."""

    async def work(inn: Inside) -> None:
        people = inn.service.people
        people.add("Olga", "administrator", PASSWORD)
        hashed = people.accounts.prepare_password("Olga", OTHER)
        slow, thief = Slow(monkeypatch), From(inn, "10.0.0.2")
        await thief.get("/me")
        asked = asyncio.create_task(thief.login(PASSWORD))
        await asyncio.to_thread(slow.begun.wait)
        MEANWHILE[what](people, hashed)
        slow.over.set()
        assert (await asked).status_code == WRONG
        assert (await thief.get("/me")).json() is None
        assert "Olga (administrator) logs in with a password" not in noted(inn)

    in_house(tmp_path, work)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_session_that_was_to_begin_at_that_very_moment_does_not(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """However quickly one follows the other, in whichever process: the statement that begins it compares."""
    ledger = request.getfixturevalue("postgres").new_schema() if kind == "postgres" else str(tmp_path / "t.db")
    people = of_house(ledger)
    for name in ("Olga", "Otto"):
        people.add(name, "administrator", PASSWORD)
    stored = people._records.rows("SELECT password FROM people_accounts WHERE name = 'Olga'")[0][0]
    olga, hashed = Person("Olga", "administrator"), people.accounts.prepare_password("Olga", OTHER)
    for change in MEANWHILE.values():
        assert people.whose(people.begin(olga, stored=stored).id) is not None
        change(people, hashed)
        with pytest.raises(NotAllowed, match="was changed at this moment"):
            people.begin(olga, stored=stored)
        assert not people._records.rows("SELECT 1 FROM people_sessions WHERE name = 'Olga'")
        people._records.run("DELETE FROM people_accounts WHERE name = 'Olga'")
        row = (stored,)
        people._records.run("INSERT INTO people_accounts VALUES ('Olga', 'administrator', ?)", row)


def test_whoever_is_dismissed_keeps_no_role_by_changing_his_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        slow = Slow(monkeypatch)
        asked = asyncio.create_task(olga.send("PUT", "/me/password", {"old": PASSWORD, "password": OTHER}))
        await asyncio.to_thread(slow.begun.wait)
        inn.service.people.accounts.change_role("Olga", "dealer", "Fay")
        slow.over.set()
        assert (await asked).status_code == WRONG
        assert (await olga.get("/accounts")).status_code == WRONG

    in_house(tmp_path, work)


def test_codes_are_not_guessed_in_a_browser_that_is_logged_in(tmp_path: Path) -> None:
    """Its password is known to the thief as well: neither removing nor setting up a factor is a place to guess."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        assert (await olga.send("POST", "/me/factor", {"old": PASSWORD})).status_code == 201
        found = [(await olga.send("PUT", "/me/factor", {"code": "000000"})).status_code for _ in range(TRIES + 1)]
        assert found == [422] * TRIES + [429]
        inn.service.people.attempts.forgive("Olga")
        await enrolled(inn, olga)
        body = {"old": PASSWORD, "code": "000000"}
        found = [(await olga.send("DELETE", "/me/factor", body)).status_code for _ in range(TRIES + 1)]
        assert found == [403] * TRIES + [429]
        assert inn.service.people.factors.has("Olga")

    in_house(tmp_path, work)


def test_a_code_that_many_use_at_once_lets_one_in(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        totp, codes = await enrolled(inn, olga)
        for net, code in enumerate((totp.at(inn.service.now + STEP), codes[0]), 1):
            found = await asyncio.gather(*(tries(inn, f"10.{net}.0.{number}", code) for number in range(6)))
            assert sorted(found) == [200] + [WRONG] * 5

    in_house(tmp_path, work)


def test_what_somebody_asked_for_ends_with_his_role(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        people = inn.service.people
        people.add("Dan", "dealer", PASSWORD)
        olga, otto = await two(inn)
        number = (await olga.send("PUT", "/accounts/Dan/role", {"role": "administrator"})).json()["number"]
        people.accounts.change_role("Olga", "dealer", "Fay")
        people.accounts.change_role("Olga", "administrator", "Fay")
        assert (await otto.send("POST", f"/approvals/{number}")).status_code == 404
        assert people.accounts.role_of("Dan") == "dealer"

    in_house(tmp_path, work)


@pytest.mark.parametrize(
    "name",
    ["\u041elga", "Olg\u0430", "Olga\u3164", "Ol\u115fga", "\u0391uto dealer", "\u202eaglO", "Ol\u200bga", "Olga\0"],
    ids=ascii,
)
def test_no_name_looks_like_another(name: str) -> None:
    """Letters of another script, letters that nobody sees, marks that turn the line round."""
    with pytest.raises(NotAllowed):
        checked_name(name)


@pytest.mark.parametrize("name", ["Ольга", "Ελένη 2", "小林 Ken", "José O'Neill", "Łukasz", "山田ハナコ"])
def test_names_of_one_script_are_names(name: str) -> None:
    assert checked_name(name) == name
