"""Accounts, sessions, links and approvals edited behind the program: found at the log-in, while it runs, at the start,
by `verify`; no door opens by it, and everybody else plays on."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from tests.daily import daily
from tests.web.inside import MOMENT, Answer, Client, Inside
from tests.web.test_api_audit import OTHER, noted
from tests.web.test_api_factors import enrolled, two
from tests.web.test_api_guessing import From, of_house
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.cli import main
from twentyone.ledger.keys import default_key_path
from twentyone.ledger.store import path_of
from twentyone.service import held_accounts
from twentyone.service.attempts import digest
from twentyone.service.hashing import Hashing
from twentyone.service.people import Person
from twentyone.service.records import RecordsFailed
from twentyone.service.sessions import CHANGED, FORGED, LIFE, TOO_OLD
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE

OWN = "attackers horse"
SECRET = "JBSWY3DPEHPK3PXP"  # pragma: allowlist secret


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody else changes accounts here: what differs is read again at once."""
    monkeypatch.setattr(held_accounts, "AGAIN", 0)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=daily(["sqlite", "postgres"], "sqlite"))
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return request.getfixturevalue("postgres").new_database() if request.param == "postgres" else str(tmp_path / "t.db")


def behind(ledger: str, *statements: str, **values: str | int) -> list[Any]:
    """Whoever can write the records, and has no key, writes them; what the last statement reads."""
    path, found = path_of(ledger), None
    form = r"%(\1)s" if path is None else r":\1"
    with closing(psycopg.connect(ledger) if path is None else sqlite3.connect(f"{path}.people")) as base:
        for statement in statements:
            found = base.execute(re.sub("<([a-z]+)>", form, statement), values)
        rows = found.fetchall() if found is not None and found.description else []
        base.commit()
    return rows


def hashed(password: str) -> str:
    return Hashing().hashed(password).result()


EDITS: dict[str, tuple[str, str]] = {
    "role": (
        "UPDATE people_accounts SET role = 'administrator' WHERE name = 'Olga'",
        "role is administrator, and dealer",
    ),
    "password": ("UPDATE people_accounts SET password = <hash> WHERE name = 'Olga'", "password is another one"),
    "factor removed": ("DELETE FROM people_factors WHERE name = 'Olga'", "second factor or a recovery code"),
    "factor exchanged": ("UPDATE people_factors SET secret = <secret> WHERE name = 'Olga'", "second factor or a"),
    "a code put in": ("INSERT INTO people_codes (name, code) VALUES ('Olga', <code>)", "second factor or a recovery"),
    "removed": ("DELETE FROM people_accounts WHERE name = 'Olga'", "it is gone, and nobody has removed it"),
    "put in": ("INSERT INTO people_accounts VALUES ('Eve', 'administrator', <hash>)", "nobody has opened it"),
}
"""What somebody does to an account behind the program, and what is said of it."""


def edit(ledger: str, what: str) -> None:
    behind(ledger, EDITS[what][0], hash=hashed(OWN), secret=SECRET, code=digest("aaaaa-bbbbb"))


async def staffed(inn: Inside) -> tuple[From, From]:
    """Olga deals, with a second factor; Uwe audits."""
    inn.service.people.add("Olga", "dealer", PASSWORD)
    inn.service.people.add("Uwe", "auditor", PASSWORD)
    olga, uwe = From(inn, "10.0.0.1"), From(inn, "10.0.0.2")
    await olga.login(PASSWORD)
    await uwe.login(PASSWORD, "Uwe")
    await enrolled(inn, olga)
    return olga, uwe


async def comes_in(inn: Inside, name: str, password: str, code: str = "") -> Answer:
    client = From(inn, "10.0.0.66")
    await client.get("/me")
    body = {"name": name, "password": password, **({"code": code} if code else {})}
    return await client.send("POST", "/session/login", body)


def differs(inn: Inside) -> list[str]:
    return [line for line in noted(inn) if "is not what this stream says" in line]


@pytest.mark.parametrize("what", EDITS)
def test_an_account_that_was_edited_is_closed_while_the_house_runs(what: str, ledger: str, tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        olga, uwe = await staffed(inn)
        inn.service.people.look()
        assert differs(inn) == [], "found where nothing was edited"
        edit(ledger, what)
        with capture_logs() as log:
            for _ in range(2):
                inn.service.people.look()
        name = "Eve" if what == "put in" else "Olga"
        assert [line["event"] for line in log] == ["an account is closed: it was changed behind the program"]
        assert EDITS[what][1] in log[0]["why"]
        assert len(differs(inn)) == 1
        assert name in differs(inn)[0]
        assert EDITS[what][1] in differs(inn)[0]
        assert ((await olga.get("/me")).json() is None) == (name == "Olga"), "the sessions of the account go on"
        assert (await uwe.get("/me")).json()["name"] == "Uwe"
        assert (await comes_in(inn, "Uwe", PASSWORD)).status_code == 200

    in_house(tmp_path, work, ledger=ledger)


LOG_INS = {
    "role": (PASSWORD, ""),
    "password": (OWN, ""),
    "factor removed": (PASSWORD, ""),
    "a code put in": (PASSWORD, "aaaaa-bbbbb"),
    "put in": (OWN, ""),
}
"""With what whoever edited an account comes to the door."""


@pytest.mark.parametrize("what", LOG_INS)
def test_whoever_edited_an_account_does_not_come_in_with_it(what: str, ledger: str, tmp_path: Path) -> None:
    """Before anybody has looked: the log-in itself compares."""

    async def work(inn: Inside) -> None:
        await staffed(inn)
        edit(ledger, what)
        answer = await comes_in(inn, "Eve" if what == "put in" else "Olga", *LOG_INS[what])
        assert answer.status_code == 403
        assert "was changed behind the program" in answer.json()["why"]
        assert EDITS[what][1] in answer.json()["why"]
        assert len(differs(inn)) == 1

    in_house(tmp_path, work, ledger=ledger)


@pytest.mark.parametrize("what", EDITS)
def test_an_account_that_was_edited_is_named_at_the_start_and_by_verify(
    what: str, ledger: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def begin(inn: Inside) -> None:
        await staffed(inn)

    async def again(inn: Inside) -> None:
        assert len(differs(inn)) == 1
        assert EDITS[what][1] in differs(inn)[0]

    in_house(tmp_path, begin, ledger=ledger)
    assert main(["verify", ledger]) == 0
    assert "accounts                                     2" in capsys.readouterr().out
    edit(ledger, what)
    assert main(["verify", ledger]) == 1
    said = capsys.readouterr().out
    assert "is not what the events say" in said
    assert EDITS[what][1] in said
    for _ in range(2):
        in_house(tmp_path, again, ledger=ledger)


def test_an_older_row_put_back_is_found(ledger: str, tmp_path: Path) -> None:
    """Whoever knows the password of yesterday, and has the file of yesterday."""

    async def work(inn: Inside) -> None:
        people = inn.service.people
        people.add("Olga", "administrator", PASSWORD)
        old = behind(ledger, "SELECT password FROM people_accounts")[0][0]
        people.accounts.set_hashed("Olga", hashed(OTHER), "Fay")
        behind(ledger, "UPDATE people_accounts SET password = <old>", old=old)
        assert (await comes_in(inn, "Olga", PASSWORD)).status_code == 403
        assert "its password is another one" in differs(inn)[0]

    in_house(tmp_path, work, ledger=ledger)


def test_a_recovery_code_that_was_used_is_not_put_back(ledger: str, tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        _, codes = await enrolled(inn, olga)
        assert (await comes_in(inn, "Olga", PASSWORD, codes[0])).status_code == 200
        assert (await comes_in(inn, "Olga", PASSWORD, codes[1])).status_code == 200, "a code used makes it differ"
        behind(ledger, "INSERT INTO people_codes (name, code) VALUES ('Olga', <code>)", code=digest(codes[0]))
        assert (await comes_in(inn, "Olga", PASSWORD, codes[0])).status_code == 403

    in_house(tmp_path, work, ledger=ledger)


SET_RIGHT: dict[str, Callable[[Client], Any]] = {
    "role": lambda admin: admin.send("PUT", "/accounts/Olga/role", {"role": "dealer"}),
    "password": lambda admin: admin.send("PUT", "/accounts/Olga/password", {"password": PASSWORD}),
    "factor removed": lambda admin: admin.send("DELETE", "/accounts/Olga/factor"),
    "removed": lambda admin: admin.send("POST", "/accounts", {"name": "Olga", "role": "dealer", "password": PASSWORD}),
}


@pytest.mark.parametrize("what", SET_RIGHT)
def test_an_administrator_sets_it_right(what: str, tmp_path: Path) -> None:
    """By what he does with any account; what he did not set stays what the ledger says."""
    ledger = str(tmp_path / "t.db")

    async def work(inn: Inside) -> None:
        people, admin = inn.service.people, inn.clients["administrator"]
        await staffed(inn)
        edit(ledger, what)
        people.look()
        assert "Olga" in people.held.closed
        assert "was changed behind the program" in (await admin.get("//people")).text
        assert (await SET_RIGHT[what](admin)).status_code in (201, 204)
        people.look()
        assert people.held.closed == {}
        assert noted(inn)[-1] == "the account of Olga is again what this stream says"
        assert inn.service.verify()["ok"]

    in_house(tmp_path, work, ledger=ledger)


def test_another_change_does_not_make_an_edit_right(tmp_path: Path) -> None:
    """The password is set by an administrator who does not see that the role was edited."""
    ledger = str(tmp_path / "t.db")

    async def work(inn: Inside) -> None:
        await staffed(inn)
        edit(ledger, "role")
        inn.service.people.accounts.set_hashed("Olga", hashed(OTHER), "Fay")
        assert (await comes_in(inn, "Olga", OTHER)).status_code == 403
        assert "role is administrator, and dealer was noted" in differs(inn)[0]

    in_house(tmp_path, work, ledger=ledger)


def test_two_persons_are_needed_although_the_row_of_one_is_gone(tmp_path: Path) -> None:
    ledger = str(tmp_path / "t.db")

    async def work(inn: Inside) -> None:
        olga, _ = await two(inn)
        behind(ledger, "DELETE FROM people_accounts WHERE name = 'Otto'")
        body = {"name": "Eve", "role": "administrator", "password": PASSWORD}
        assert (await olga.send("POST", "/accounts", body)).status_code == 202, "one was enough"

    in_house(tmp_path, work, ledger=ledger)


def test_a_change_that_cannot_be_stored_is_noted_as_undone(tmp_path: Path) -> None:
    """Another process holds the lock: the ledger says the change, and that it was not made."""
    ledger = str(tmp_path / "t.db")

    async def work(inn: Inside) -> None:
        people = inn.service.people
        people.add("Olga", "dealer", PASSWORD)
        new = hashed(OTHER)
        with closing(sqlite3.connect(f"{ledger}.people", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(RecordsFailed, match="locked"):
                people.accounts.set_hashed("Olga", new, "Fay")
        assert "the account stays as it was" in noted(inn)[-1]
        assert (await comes_in(inn, "Olga", PASSWORD)).status_code == 200

    in_house(tmp_path, work, ledger=ledger)


# -- sessions, links, approvals

ADD = "INSERT INTO people_sessions (id, name, role, csrf, seen) VALUES (<id>, <name>, 'administrator', <csrf>, <at>)"
LOGIN = (
    "INSERT INTO people_logins (number, session, name, role, address, begun, why) "
    "VALUES ('1', <id>, 'administrator', 'administrator', '', <at>, '')"
)


def holder(inn: Inside, secret: str, csrf: str = "c") -> Client:
    return Client(inn.app, {SESSION_COOKIE: secret, CSRF_COOKIE: csrf})


@pytest.mark.parametrize("csrf", ["c", "c 0 ", f"c 0 {'0' * 32}", "copied"])
def test_a_session_that_was_put_in_lets_nobody_in(csrf: str, ledger: str, tmp_path: Path) -> None:
    """Also with the mark of a real one."""

    async def work(inn: Inside) -> None:
        inn.service.people.begin(Person("administrator", "administrator"))
        real = behind(ledger, "SELECT csrf FROM people_sessions WHERE role = 'administrator'")[0][0]
        token = real if csrf == "copied" else csrf
        behind(ledger, ADD, LOGIN, name="administrator", id=digest("mine"), csrf=token, at=MOMENT)
        thief = holder(inn, "mine", str(token).partition(" ")[0])
        assert not inn.service.verify()["ok"]
        assert (await thief.get("/accounts")).status_code == 401
        assert (await thief.send("POST", "/accounts", {})).status_code in (401, 403)
        assert noted(inn)[-1] == f"a session of administrator (administrator) ends: {FORGED}"
        assert inn.service.verify()["ok"], "it is still there"

    in_house(tmp_path, work, ledger=ledger)


@pytest.mark.parametrize(
    "edited",
    [
        "UPDATE people_sessions SET role = 'administrator' WHERE name = 'Ann'",
        "UPDATE people_sessions SET name = 'Olga', role = 'dealer' WHERE name = 'Ann'",
        "UPDATE people_sessions SET name = 'Bob' WHERE id = <ann>",
    ],
    ids=["another role", "somebody else", "another guest"],
)
def test_ones_own_session_is_not_made_that_of_another(edited: str, ledger: str, tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        ann = inn.clients["guest"]
        assert (await ann.get("/me")).json()["name"] == "Ann"
        behind(ledger, edited, ann=digest(inn.cookies["guest"][SESSION_COOKIE]))
        assert (await ann.get("/me")).json() is None
        assert FORGED in noted(inn)[-1]

    in_house(tmp_path, work, ledger=ledger)


def test_a_session_does_not_live_longer_by_an_edited_beginning(tmp_path: Path) -> None:
    ledger, now = str(tmp_path / "t.db"), [MOMENT]

    async def work(inn: Inside) -> None:
        now[0] += LIFE + 1
        behind(ledger, "UPDATE people_sessions SET seen = <at>", at=now[0])
        behind(ledger, "UPDATE people_logins SET begun = <at> WHERE name = 'Dan'", at=now[0])
        assert (await inn.clients["dealer"].get("/me")).json() is None
        assert (await inn.clients["floorperson"].get("/me")).json() is None
        ended = [line for line in noted(inn) if "ends" in line]
        assert ended[0].endswith(FORGED)
        assert ended[1].endswith(TOO_OLD), "the control, whose beginning was not edited"

    in_house(tmp_path, work, ledger=ledger, clock=lambda: now[0])


def test_a_session_that_ended_with_a_role_is_not_put_back(ledger: str, tmp_path: Path) -> None:
    """Dismissed, with the cookie still in his browser and the old row in a copy of the file."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "administrator", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        jar = dict(olga.jar)
        kept = behind(ledger, "SELECT id, csrf FROM people_sessions WHERE name = 'Olga'")[0]
        inn.service.people.accounts.change_role("Olga", "dealer", "Fay")
        behind(
            ledger,
            ADD,
            name="Olga",
            id=kept[0],
            csrf=kept[1],
            at=MOMENT,
        )
        assert (await Client(inn.app, jar).get("/accounts")).status_code == 401
        assert noted(inn)[-1].endswith(CHANGED)

    in_house(tmp_path, work, ledger=ledger)


def test_a_link_that_was_put_in_leads_nowhere(ledger: str, tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        link = inn.service.people.entering.link("auditor")
        add = "INSERT INTO people_links (id, role, until) VALUES (<id>, 'administrator', <until>)"
        behind(ledger, add, id=digest("mine"), until=MOMENT + 600)
        behind(
            ledger,
            "UPDATE people_links SET role = replace(role, 'auditor', 'administrator') WHERE id = <id>",
            id=digest(link),
        )
        for secret in ("mine", link):
            stranger = From(inn, "10.0.0.9")
            assert (await stranger.get(f"//enter/{secret}")).status_code == 401
            assert (await stranger.get("/me")).json() is None
        good = From(inn, "10.0.0.9")
        assert (await good.get(f"//enter/{inn.service.people.entering.link('auditor')}")).status_code == 303
        assert (await good.get("/me")).json()["role"] == "auditor"

    in_house(tmp_path, work, ledger=ledger)


@pytest.mark.parametrize(
    "changed", ["given = replace(given, 'auditor', 'administrator')", "what = 'something nice'", "asker = 'Uwe'"]
)
def test_what_is_approved_is_what_was_asked_for(changed: str, tmp_path: Path) -> None:
    """Between the one who asks and the one who approves nobody writes something else into it."""
    ledger = str(tmp_path / "t.db")

    async def work(inn: Inside) -> None:
        olga, otto = await two(inn)
        body = {"name": "Eve", "role": "auditor", "password": PASSWORD}
        number = (await olga.send("POST", "/accounts", body)).json()["number"]
        behind(ledger, f"UPDATE people_approvals SET {changed}")
        assert (await otto.send("POST", f"/approvals/{number}")).status_code == 409
        assert [account.name for account in inn.service.people.accounts.listed()] == ["Olga", "Otto"]
        number = (await olga.send("POST", "/accounts", body)).json()["number"]
        assert (await otto.send("POST", f"/approvals/{number}")).status_code == 204

    in_house(tmp_path, work, ledger=ledger)


# -- records of an earlier version


def test_records_of_an_earlier_version_are_taken_over_once(ledger: str, tmp_path: Path) -> None:
    """They are as they stand, and the ledger says so; whoever is logged in stays so; from then on edits are found."""
    early = of_house(ledger)
    early.add("Olga", "dealer", PASSWORD)
    session = early.begin(Person("Olga", "dealer"))
    early._records.run("UPDATE people_sessions SET csrf = ?", (session.csrf,))
    early._records.close()

    async def first(inn: Inside) -> None:
        assert noted(inn) == [
            "the account of Olga, dealer, is taken over as it stands",
            "from here on accounts are held against this stream: 1 are taken over",
        ]
        assert (await holder(inn, session.id, session.csrf).get("/me")).json()["name"] == "Olga"
        assert (await comes_in(inn, "Olga", PASSWORD)).status_code == 200
        assert inn.service.verify()["ok"]

    async def second(inn: Inside) -> None:
        assert sum("taken over" in line for line in noted(inn)) == 2
        assert "its role is administrator" in differs(inn)[0]

    in_house(tmp_path, first, ledger=ledger)
    edit(ledger, "role")
    in_house(tmp_path, second, ledger=ledger)


def test_without_the_key_names_and_roles_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A regulator; and where the accounts are not beside the ledger, that is said."""
    ledger = str(tmp_path / "t.db")

    async def begin(inn: Inside) -> None:
        await staffed(inn)

    in_house(tmp_path, begin, ledger=ledger)
    assert main(["key", "public", ledger]) == 0
    (tmp_path / "pub").write_text(capsys.readouterr().out, encoding="ascii")
    verify = ["verify", ledger, "--public-key", "pub"]
    assert main(verify) == 0
    assert "only their names and roles" in capsys.readouterr().out
    edit(ledger, "role")
    assert main(verify) == 1
    assert "role is administrator, and dealer was noted" in capsys.readouterr().out
    for file in tmp_path.glob("t.db.people*"):
        file.unlink()
    assert main(["verify", ledger, "--key", str(default_key_path(ledger))]) == 0
    assert "2 are named in the ledger, and none are kept beside it" in capsys.readouterr().out
