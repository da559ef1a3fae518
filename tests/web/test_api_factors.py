"""The second factor, two persons, passwords: what a stolen password, a seen code or one administrator cannot do."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pyotp
import pytest

from tests.web.inside import MOMENT, Inside, open_table
from tests.web.test_api_audit import OTHER, noted
from tests.web.test_api_guessing import From
from tests.web.test_api_security import PASSWORD, in_house
from twentyone.service.approvals import LIFE
from twentyone.service.code_tries import CODE_TRIES
from twentyone.service.factors import CODES, STEP, Factors
from twentyone.service.people import NotAllowed
from twentyone.service.policy import AccessPolicy
from twentyone.service.sealed_factors import is_sealed, opened
from twentyone.service.sessions import IDLE

WRONG = 401


async def enrolled(inn: Inside, client: From) -> tuple[pyotp.TOTP, list[str]]:
    """Somebody who is logged in sets up his authenticator."""
    answer = await client.send("POST", "/me/factor", {"old": PASSWORD})
    assert answer.status_code == 201, answer.text
    totp = pyotp.TOTP(answer.json()["secret"])
    page = (await client.get("//account")).text
    assert "data:image/svg+xml" in page
    codes = await client.send("PUT", "/me/factor", {"code": totp.at(inn.service.now)})
    assert codes.status_code == 200, codes.text
    return totp, codes.json()["codes"]


async def tries(inn: Inside, address: str, code: str) -> int:
    """A log-in with the right password and a code."""
    client = From(inn, address)
    await client.get("/me")
    answer = await client.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD, "code": code})
    return answer.status_code


def test_a_stolen_password_is_not_enough_and_a_code_works_once(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        totp, codes = await enrolled(inn, olga)
        assert await tries(inn, "10.0.0.2", "") == WRONG
        assert await tries(inn, "10.0.0.3", totp.at(now[0])) == WRONG, "the code that confirmed it works again"
        now[0] += STEP
        late, soon, far = (totp.at(now[0] + off * STEP) for off in (-1, 1, 2))
        assert await tries(inn, "10.0.0.4", far) == WRONG
        assert await tries(inn, "10.0.0.5", totp.at(now[0] - 2 * STEP)) == WRONG
        assert await tries(inn, "10.0.0.6", soon) == 200, "a telephone that is fast"
        assert await tries(inn, "10.0.0.7", soon) == WRONG, "who looked over a shoulder is let in"
        assert await tries(inn, "10.0.0.8", late) == WRONG, "an older code after a newer one"
        assert (len(codes), len(set(codes))) == (CODES, CODES)
        assert await tries(inn, "10.0.0.9", codes[0]) == 200
        assert await tries(inn, "10.0.0.10", codes[0]) == WRONG
        assert "Olga uses a recovery code, 7 are left" in noted(inn)
        assert "Olga (floorperson) logs in with a password and a recovery code" in noted(inn)

    in_house(tmp_path, work, clock=lambda: now[0])


def test_a_wrong_code_is_answered_like_a_wrong_password_and_counted(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga, thief = From(inn, "10.0.0.1"), From(inn, "10.0.0.2")
        await olga.login(PASSWORD)
        await enrolled(inn, olga)
        await thief.get("/me")
        answers = [
            await thief.send("POST", "/session/login", {"name": name, "password": password, "code": "000000"})
            for name, password in (("Olga", PASSWORD), ("Olga", "wrong horse"), ("Ogla", PASSWORD))
        ]
        assert {(answer.status_code, answer.text) for answer in answers} == {(WRONG, answers[0].text)}
        await thief.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD, "code": "000001"})
        last = await thief.send("POST", "/session/login", {"name": "Olga", "password": PASSWORD, "code": "000002"})
        assert last.status_code == 429, "codes may be guessed without end"

    in_house(tmp_path, work)


def test_codes_are_not_guessed_from_many_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thief of the password tries 120 codes from 120 addresses: five are examined, then one a wait.

    The owner comes in meanwhile with a browser that is known, sees what happened, and is not kept out for good.
    """
    now, examined = [MOMENT], list[str]()
    real = Factors.passes

    def passes(factors: Factors, name: str, code: str) -> bool:
        examined.append(code)
        return real(factors, name, code)

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        totp, codes = await enrolled(inn, olga)
        monkeypatch.setattr(Factors, "passes", passes)
        answers = {
            await tries(inn, f"10.0.{1 + number // 100}.{number % 100}", f"{number:06}") for number in range(120)
        }
        assert (answers, len(examined)) == ({WRONG}, CODE_TRIES)
        now[0] += STEP
        assert await tries(inn, "10.0.9.1", totp.at(now[0])) == WRONG, "a right code is not told from a wrong one"
        assert await tries(inn, "10.0.9.2", codes[0]) == WRONG, "nor is a recovery code"
        body = {"name": "Olga", "password": PASSWORD, "code": totp.at(now[0])}
        again = await olga.send("POST", "/session/login", body)
        assert again.status_code == 200, "her own browser is known"
        page = (await olga.get("//account")).text
        assert f"{CODE_TRIES} wrong codes came with your right password lately" in page
        assert "with the right password and wrong codes" in {row[1] for row in inn.service.people.attempts.wrong()}
        await tries(inn, "10.0.9.3", "000000")
        now[0] += 3600 + 2 * STEP
        assert await tries(inn, "10.0.9.4", totp.at(now[0])) == 200, "kept out for good"
        assert inn.service.people.code_tries.wrong("Olga") > CODE_TRIES, "what happened is still told"

    in_house(tmp_path, work, clock=lambda: now[0])


def test_a_factor_is_not_removed_by_guessing(tmp_path: Path) -> None:
    """Whoever has a session and the password guesses as often as at the door."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        statuses = list[int]()
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        await enrolled(inn, olga)
        for number in range(12):
            thief = From(inn, f"10.0.1.{number}", **olga.jar)
            body = {"old": PASSWORD, "code": f"{number:06}"}
            statuses.append((await thief.send("DELETE", "/me/factor", body)).status_code)
        assert statuses[:CODE_TRIES] == [403] * CODE_TRIES
        assert set(statuses[CODE_TRIES:]) == {429}
        assert inn.service.people.factors.has("Olga")

    in_house(tmp_path, work)


def test_the_database_alone_gives_nobody_a_second_factor(tmp_path: Path) -> None:
    """Neither secret nor recovery codes stand there, nor what they can be worked out from without the ledger's key."""

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        inn.service.people.add("Otto", "floorperson", PASSWORD)
        records, factors = inn.service.records, inn.service.people.factors
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        totp, codes = await enrolled(inn, olga)
        rows = str(records.rows("SELECT * FROM people_factors") + records.rows("SELECT * FROM people_codes"))
        for code in (totp.secret, *codes):
            for form in (code, sha256(code.encode()).hexdigest(), code.encode().hex()):
                assert form not in rows
        ((stored,),) = records.rows("SELECT secret FROM people_factors WHERE name = 'Olga'")
        assert (opened(b"another key", "Olga", stored), factors.secret("Olga")) == ("", totp.secret)
        records.run("INSERT INTO people_factors VALUES ('Otto', ?, 0, 1)", (stored,))
        assert factors.secret("Otto") == "", "one account's seal opens for another"
        for altered in (stored[:-4] + "AAA=", "sealed:", "sealed:*"):
            records.run("UPDATE people_factors SET secret = ? WHERE name = 'Olga'", (altered,))
            assert factors.secret("Olga") == ""

    in_house(tmp_path, work)


def test_what_an_earlier_version_kept_in_clear_is_sealed_at_the_next_start(tmp_path: Path) -> None:
    """The account is still what the ledger says, the authenticator goes on, and so do its recovery codes."""
    now, secret = [MOMENT], pyotp.random_base32()

    async def before(inn: Inside) -> None:
        people = inn.service.people
        people.add("Olga", "floorperson", PASSWORD)
        add = "INSERT INTO people_factors (name, secret, used, since) VALUES ('Olga', ?, 0, 1)"
        old = [sha256(code.encode()).hexdigest() for code in ("abcde-fghjk",)]
        mark = people.held.after("Olga", factor=people.held.factor("Olga", secret, old))
        with people.held.changing("factor_set", "Olga", mark):
            inn.service.records.run(add, (secret,))
            inn.service.records.run("INSERT INTO people_codes VALUES ('Olga', ?)", (old[0],))

    async def after(inn: Inside) -> None:
        rows = inn.service.records.rows("SELECT secret FROM people_factors")
        assert all(is_sealed(stored) and secret not in stored for (stored,) in rows)
        assert inn.service.people.held.closed == {}
        assert await tries(inn, "10.0.0.2", pyotp.TOTP(secret).at(now[0])) == 200
        assert await tries(inn, "10.0.0.3", "abcde-fghjk") == 200
        assert await tries(inn, "10.0.0.4", "abcde-fghjk") == WRONG

    in_house(tmp_path, before, clock=lambda: now[0])
    in_house(tmp_path, after, clock=lambda: now[0])


def test_a_role_that_needs_a_second_factor_does_nothing_before_it_has_one(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        assert (await olga.get("/pit")).status_code == 200
        inn.service.people.policy = AccessPolicy(factor_roles=("floorperson",))
        for path in ("/pit", "/tables", "/report", "/tables/one"):
            answer = await olga.get(path)
            assert (answer.status_code, "/account" in answer.text) == (403, True), path
        assert (await olga.command("one", "close_table")).status_code == 403
        page = await olga.get("//pit")
        assert (page.status_code, page.header("location")) == (303, "/account")
        assert "Your role needs a second factor" in (await olga.get("//account")).text
        ear = inn.ear("floorperson", "one")
        await ear.answered()
        assert (ear.closed, ear.frames) == (4403, [])
        assert (await inn.clients["auditor"].get("/pit")).status_code == 200
        await enrolled(inn, olga)
        assert (await olga.get("/pit")).status_code == 200

    in_house(tmp_path, work)


def test_the_strictest_house_is_entered_by_its_printed_link(tmp_path: Path) -> None:
    """The link has no account that a factor could belong to: it opens one, which is asked for its factor then."""

    async def work(inn: Inside) -> None:
        inn.service.people.policy = AccessPolicy(factor_roles=("administrator",), two_persons=True)
        secret = inn.service.people.entering.link("administrator")
        link, ivo = From(inn, "10.0.0.1"), From(inn, "10.0.0.2")
        await link.get(f"//enter/{secret}")
        for path in ("/", "/account", "/pit", "/server"):
            page = await link.get(f"/{path}")
            assert (page.status_code, page.header("location")) == (303, "/people"), path
        refused = await link.get("/report")
        assert (refused.status_code, "open one on the page /people" in refused.text) == (403, True)
        assert "open an account for yourself" in (await link.get("//people")).text
        account = {"name": "Olga", "role": "administrator", "password": PASSWORD}
        assert (await link.send("POST", "/accounts", account)).status_code == 201
        assert (await link.get("/report")).status_code == 403, "the link is let in by the account that it opened"
        await ivo.login(PASSWORD)
        assert (await ivo.get("//people")).header("location") == "/account"
        await enrolled(inn, ivo)
        assert (await ivo.get("//people")).status_code == 200

    in_house(tmp_path, work)


def test_only_its_owner_sets_up_and_removes_a_second_factor(tmp_path: Path) -> None:
    """Not whoever finds a browser that is logged in."""
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "floorperson", PASSWORD)
        olga = From(inn, "10.0.0.1")
        await olga.login(PASSWORD)
        assert (await olga.send("POST", "/me/factor", {"old": "wrong horse"})).status_code == 403
        assert (await olga.send("PUT", "/me/factor", {"code": "000000"})).status_code == 409
        totp, _ = await enrolled(inn, olga)
        assert (await olga.send("POST", "/me/factor", {"old": PASSWORD})).status_code == 409
        used = {"old": PASSWORD, "code": totp.at(now[0])}
        assert (await olga.send("DELETE", "/me/factor", used)).status_code == 403
        now[0] += STEP
        fresh = totp.at(now[0])
        assert (await olga.send("DELETE", "/me/factor", {"old": "wrong horse", "code": fresh})).status_code == 403
        assert (await olga.send("DELETE", "/me/factor", {"old": PASSWORD, "code": fresh})).status_code == 204
        assert await tries(inn, "10.0.0.2", "") == 200

    in_house(tmp_path, work, clock=lambda: now[0])


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "10 characters or more"),
        ("password123", "easily guessed"),
        ("qwertyuiop", "easily guessed"),
        ("aaaaaaaaaaaa", "easily guessed"),
        ("Blackjack2121", "easily guessed"),
        ("olga petrova rides", "does not contain the name"),
        ("OLGAPETROVA-rides-7", "does not contain the name"),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(tmp_path: Path, password: str, why: str) -> None:
    async def work(inn: Inside) -> None:
        admin = inn.clients["administrator"]
        body = {"name": "Olga Petrova", "role": "dealer", "password": password}
        answer = await admin.send("POST", "/accounts", body)
        assert (answer.status_code, why in answer.json()["why"]) == (422, True), answer.text
        assert (await admin.send("POST", "/accounts", {**body, "password": PASSWORD})).status_code == 201

    in_house(tmp_path, work)


def test_everybody_changes_his_own_password_and_learns_of_his_last_log_in(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add("Olga", "dealer", PASSWORD)
        first, second = From(inn, "10.0.0.1"), From(inn, "10.0.0.2")
        await first.login(PASSWORD)
        assert "first log-in" in (await first.get("//")).text
        now[0] += 60
        await second.login(PASSWORD)
        assert "last log-in 2025-06-15 15:06:40 UTC" in (await second.get("//")).text
        assert "Last log-in 2025-06-15 15:06:40 UTC from 10.0.0.1." in (await second.get("//account")).text
        for old, new, status in ((OTHER, OTHER, 403), (PASSWORD, PASSWORD, 422), (PASSWORD, "password123", 422)):
            body = {"old": old, "password": new}
            assert (await second.send("PUT", "/me/password", body)).status_code == status, body
        assert (await second.send("PUT", "/me/password", {"old": PASSWORD, "password": OTHER})).status_code == 200
        assert (await first.get("/me")).json() is None, "a session that began with the old password goes on"
        assert (await second.get("/me")).json()["name"] == "Olga"
        assert (await From(inn, "10.0.0.3").login(PASSWORD)).status_code == WRONG
        assert (await From(inn, "10.0.0.3").login(OTHER)).status_code == 200
        assert "Olga changes the password of Olga" in noted(inn)

    in_house(tmp_path, work, clock=lambda: now[0])


async def two(inn: Inside) -> tuple[From, From]:
    """Two administrators with accounts, who approve what the other asks for."""
    found = []
    for number, name in enumerate(("Olga", "Otto"), 1):
        inn.service.people.add(name, "administrator", PASSWORD)
        client = From(inn, f"10.0.0.{number}")
        assert (await client.login(PASSWORD, name)).status_code == 200
        found.append(client)
    inn.service.people.policy = AccessPolicy(numbered_guests=False, two_persons=True)
    return found[0], found[1]


DAN: dict[str, Any] = {"name": "Dan", "role": "dealer", "password": PASSWORD}
ASKED: list[tuple[str, str, Any]] = [
    ("POST", "/accounts", {"name": "Eve", "role": "administrator", "password": PASSWORD}),
    ("PUT", "/accounts/Dan/role", {"role": "auditor"}),
    ("PUT", "/accounts/Dan/password", {"password": OTHER}),
    ("DELETE", "/accounts/Dan", None),
]


@pytest.mark.parametrize(("method", "path", "body"), ASKED, ids=["open", "role", "password", "remove"])
def test_one_administrator_alone_changes_no_account(tmp_path: Path, method: str, path: str, body: Any) -> None:
    async def work(inn: Inside) -> None:
        inn.service.people.add(**DAN)
        olga, otto = await two(inn)
        before = accounts(inn)
        asked = await olga.send(method, path, body)
        assert asked.status_code == 202, asked.text
        number = asked.json()["number"]
        assert accounts(inn) == before, "it was done at once"
        assert (await olga.send("POST", f"/approvals/{number}")).status_code == 403
        link = inn.clients["administrator"]
        assert (await link.send("POST", f"/approvals/{number}")).status_code == 404, "a link is no second person"
        assert (await otto.send("POST", f"/approvals/{number}")).status_code == 204
        assert accounts(inn) != before
        assert (await otto.send("POST", f"/approvals/{number}")).status_code == 404, "it is done twice"
        what = asked.json()["what"]
        said = noted(inn)
        assert said.index(f"Olga wants to {what}: a second person has to approve it") < said.index(
            f"Otto approves what Olga asked for: to {what}"
        )
        assert PASSWORD not in str(inn.service.people._records.rows("SELECT * FROM people_approvals"))

    in_house(tmp_path, work)


def accounts(inn: Inside) -> list[tuple[str, ...]]:
    """Every account, with what is stored of its password."""
    return inn.service.people._records.rows("SELECT name, role, password FROM people_accounts ORDER BY name")


def test_what_is_declined_or_too_old_is_not_done(tmp_path: Path) -> None:
    now = [MOMENT]

    async def work(inn: Inside) -> None:
        inn.service.people.add(**DAN)
        olga, otto = await two(inn)
        first = (await olga.send("DELETE", "/accounts/Dan")).json()["number"]
        assert "Waiting for a second person" in (await otto.get("//people")).text
        assert (await otto.send("DELETE", f"/approvals/{first}")).status_code == 204
        assert (await otto.send("POST", f"/approvals/{first}")).status_code == 404
        second = (await olga.send("DELETE", "/accounts/Dan")).json()["number"]
        now[0] += LIFE - IDLE
        assert len(inn.service.people.approvals.listed()) == 1
        now[0] += IDLE
        with pytest.raises(NotAllowed, match="too old"):
            inn.service.people.approvals.approve(second, "Otto")
        assert "Dan" in [account.name for account in inn.service.people.accounts.listed()]

    in_house(tmp_path, work, clock=lambda: now[0])


def test_as_long_as_there_are_no_two_administrators_one_opens_accounts(tmp_path: Path) -> None:
    """Then a one-time link is not even asked: whoever has it may have an account, and would be both persons."""

    async def work(inn: Inside) -> None:
        inn.service.people.policy = AccessPolicy(two_persons=True)
        link = inn.clients["administrator"]
        found = []
        for name in ("Olga", "Otto", "Eve"):
            body = {"name": name, "role": "administrator", "password": PASSWORD}
            found.append((await link.send("POST", "/accounts", body)).status_code)
        assert found == [201, 201, 403]
        assert inn.service.people.approvals.listed() == []

    in_house(tmp_path, work)
