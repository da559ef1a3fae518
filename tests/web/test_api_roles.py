"""T13: who may do what, endpoint by endpoint and role by role, against the schema that the service publishes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import PEOPLE, Inside, inside, open_table

ROLES = ("visitor", "guest", "dealer", "floorperson", "auditor", "administrator")
ANYBODY = dict.fromkeys(ROLES, 200)
"""What everybody may read."""
ROUND = "/rounds/{table}/{number}"
LOGIN = {"name": "Nobody", "password": "wrong horse"}
COMMAND = {"do": "tip", "args": {"amount": "5"}, "key": "k"}
PACE = {"pace": "slow", "clock": 30, "patience": 5}


def _all(status: int, **others: int) -> dict[str, int]:
    return {role: others.get(role, status) for role in ROLES}


MATRIX: dict[tuple[str, str], dict[str, int]] = {
    ("get", "/me"): ANYBODY,
    ("post", "/session/guest"): ANYBODY,
    ("post", "/session/login"): _all(401),
    ("post", "/session/logout"): _all(204),
    ("post", "/accounts"): _all(403, visitor=401, administrator=201),
    # the administrator is let through; there is nobody of that name
    ("get", "/accounts"): _all(403, visitor=401, administrator=200),
    ("put", "/accounts/{name}/password"): _all(403, visitor=401, administrator=404),
    ("post", "/accounts/{name}/unlock"): _all(403, visitor=401, administrator=404),
    ("delete", "/accounts/{name}"): _all(403, visitor=401, administrator=404),
    ("put", "/accounts/{name}/role"): _all(403, visitor=401, administrator=404),
    ("delete", "/accounts/{name}/factor"): _all(403, visitor=401, administrator=404),
    ("get", "/approvals"): _all(403, visitor=401, administrator=200),
    ("post", "/approvals/{number}"): _all(403, visitor=401, administrator=404),
    ("delete", "/approvals/{number}"): _all(403, visitor=401, administrator=404),
    # these sessions have no account, and so no password
    ("put", "/me/password"): _all(409, visitor=401),
    ("post", "/me/factor"): _all(409, visitor=401),
    ("put", "/me/factor"): _all(409, visitor=401),
    ("delete", "/me/factor"): _all(409, visitor=401),
    ("get", "/house/stop"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
    ("put", "/house/stop"): _all(403, visitor=401, floorperson=204, administrator=204),
    ("delete", "/house/stop"): _all(403, visitor=401, floorperson=204, administrator=204),
    # nobody ordered the table closed
    ("delete", "/tables/{table}/closing"): _all(403, visitor=401, floorperson=409, administrator=409),
    ("get", "/coupons"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
    ("post", "/coupons"): _all(403, visitor=401, floorperson=201, administrator=201),
    # they are let through; there is no such coupon
    ("post", "/coupons/{coupon}/void"): _all(403, visitor=401, floorperson=409, administrator=409),
    ("get", "/pit"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
    ("get", "/tables/{table}/closing"): _all(403, visitor=401, floorperson=200, administrator=200),
    ("get", "/server"): _all(403, visitor=401, administrator=200),
    ("get", "/server/tables"): _all(403, visitor=401, administrator=200),
    ("get", "/sessions"): _all(403, visitor=401, administrator=200),
    # the administrator is let through; there is no such session
    ("delete", "/sessions/{session}"): _all(403, visitor=401, administrator=404),
    ("get", "/backups"): _all(403, visitor=401, administrator=200),
    ("post", "/backups"): _all(403, visitor=401, administrator=201),
    ("get", "/tables"): ANYBODY,
    ("post", "/tables"): _all(403, visitor=401, floorperson=201, administrator=201),
    ("get", "/tables/{table}"): ANYBODY,
    ("get", "/tables/{table}/game"): ANYBODY,
    ("get", "/tables/{table}/story"): ANYBODY,
    ("get", "/tables/{table}/felt.svg"): ANYBODY,
    # a guest who sits there tips; for staff the table itself refuses, with its paragraph
    ("post", "/tables/{table}/commands"): _all(409, visitor=401, guest=200, auditor=403),
    ("post", "/tables/{table}/sit"): _all(403, visitor=200, guest=200),
    ("post", "/tables/{table}/buy-in"): _all(403, visitor=401, guest=409),
    # nobody is asked there now
    ("get", "/tables/{table}/hint"): _all(409, visitor=401),
    ("get", "/tables/{table}/review"): _all(409, visitor=401),
    ("get", "/tables/{table}/staff"): ANYBODY,
    ("put", "/tables/{table}/staff"): _all(200, visitor=401, guest=403, auditor=403),
    # a player is told his own rounds, a visitor none
    ("get", "/rounds"): ANYBODY,
    ("get", "/rounds.json"): ANYBODY,
    ("get", "/rounds.csv"): ANYBODY,
    ("get", ROUND): _all(404),
    ("get", f"{ROUND}/script"): _all(404),
    ("get", f"{ROUND}/dealt"): _all(404),
    ("get", f"{ROUND}/wheel"): _all(404),
    # anybody may check a shoe; version 1 of a table seals none
    ("get", "/shoes/{table}"): ANYBODY,
    ("get", "/shoes/{table}/{version}"): _all(404),
    ("get", "/shoes/{table}/{version}/record"): _all(404),
    ("get", "/report"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
    ("get", "/archives"): _all(403, visitor=401, auditor=200, administrator=200),
    ("post", "/verify"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
    ("get", "/law"): ANYBODY,
    ("get", "/law/coverage"): ANYBODY,
    ("get", "/law/search"): ANYBODY,
    ("get", "/law/cite"): ANYBODY,
    ("get", "/law/{rulebook}"): ANYBODY,
    ("get", "/law/{rulebook}/{paragraph}"): ANYBODY,
    # anybody may ask; there is no such rulebook, and no such computation
    ("post", "/jobs"): _all(422),
    ("get", "/jobs/{job}"): _all(404),
    ("delete", "/jobs/{job}"): _all(404),
    ("get", "/jobs/{job}/answer"): _all(404),
    ("get", "/jobs/{job}/file"): _all(404),
    # there is no such rulebook
    ("post", "/training/cell"): _all(422, visitor=401),
    ("post", "/training/drill"): _all(404, visitor=401),
    # they are let through; the text has no paragraph, the paragraph is unknown
    ("post", "/review/{rulebook}"): _all(403, visitor=401, auditor=422, administrator=422),
    ("post", "/review/{rulebook}/sign"): _all(403, visitor=401, auditor=404, administrator=404),
    ("post", "/review/{rulebook}/check"): _all(403, visitor=401, auditor=200, administrator=200),
    # it may be closed at once, so it comes late
    ("put", "/tables/{table}/closing"): _all(403, visitor=401, floorperson=204, administrator=204),
    ("get", "/health"): ANYBODY,
    ("get", "/ready"): ANYBODY,
    ("get", "/signing"): _all(403, visitor=401, floorperson=200, auditor=200, administrator=200),
}
"""The status that each role gets from each endpoint of a table worked by hand; a missing cell is a failure."""

BODIES: dict[tuple[str, str], Any] = {
    ("post", "/session/guest"): {"name": "Newcomer"},
    ("post", "/session/login"): LOGIN,
    ("post", "/accounts"): {"name": "Ada", "role": "dealer", "password": "correct horse"},
    ("put", "/accounts/{name}/password"): {"password": "correct horse"},
    ("put", "/accounts/{name}/role"): {"role": "auditor"},
    ("put", "/me/password"): {"old": "correct horse", "password": "wrong horse"},
    ("post", "/me/factor"): {"old": "correct horse"},
    ("put", "/me/factor"): {"code": "123456"},
    ("delete", "/me/factor"): {"old": "correct horse", "code": "123456"},
    ("put", "/house/stop"): {"why": "a fire"},
    ("post", "/coupons"): {"amount": "10", "ends": "2099-12-31", "key": "issue"},
    ("post", "/coupons/{coupon}/void"): {"reason": "lost", "key": "void"},
    ("post", "/tables"): {"name": "new", "rulebook": "pa-spanish-21"},
    ("post", "/tables/{table}/commands"): COMMAND,
    ("post", "/tables/{table}/sit"): {"name": "Newcomer"},
    ("put", "/tables/{table}/staff"): PACE,
    ("post", "/jobs"): {"kind": "odds", "rulebook": "none"},
    ("post", "/training/drill"): {"rulebook": "none", "question": "0.0", "choice": 0},
    ("post", "/training/cell"): {"rulebook": "none", "cell": "none", "deal": "1", "decision": "hit"},
    ("post", "/review/{rulebook}"): {"text": "a poem"},
    ("post", "/review/{rulebook}/sign"): {"paragraph": "none", "verdict": "approve", "text": "0" * 64},
    ("post", "/review/{rulebook}/check"): {"lines": []},
}
QUERIES = {"/law/search": "?q=hole+card", "/law/cite": "?rulebook=pa-spanish-21&cite=635a.1"}
WORDS = {
    "{name}": "Nobody",
    "{table}": "one",
    "{number}": "1",
    "{version}": "1",
    "{coupon}": "NONE",
    "{session}": "none",
    "{rulebook}": "pa-spanish-21",
    "{paragraph}": "635a.1",
    "{job}": "0" * 64,
}


def missing(paths: dict[str, Any], matrix: dict[tuple[str, str], dict[str, int]]) -> Iterator[str]:
    """Endpoints and roles without a cell, and cells without an endpoint."""
    published = {(method, path) for path, methods in paths.items() for method in methods}
    yield from (f"{method} {path}" for method, path in published ^ set(matrix))
    yield from (f"{cell} for {role}" for cell, row in matrix.items() for role in ROLES if role not in row)


def address(path: str) -> str:
    """A path of the schema with real names in it."""
    for word, name in WORDS.items():
        path = path.replace(word, name)
    return path


async def _schema(inn: Inside) -> dict[str, Any]:
    schema: dict[str, Any] = (await inn.clients["visitor"].get("/openapi.json")).json()
    return schema


async def _ask(folder: Path, role: str) -> dict[tuple[str, str], int]:
    """The status of every endpoint for a fresh person of a role."""
    found = {}
    async with inside(folder) as inn:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        for method, path in sorted(MATRIX, key=lambda cell: cell[1] == "/session/logout"):
            inn.service.set_staff("one", pace="by hand", clock=45.0, patience=8.0)
            await inn.people()
            client = inn.clients[role]
            answer = await client.send(
                method.upper(), address(path) + QUERIES.get(path, ""), BODIES.get((method, path))
            )
            found[method, path] = answer.status_code
    return found


@pytest.mark.parametrize("role", ROLES)
def test_every_endpoint_answers_every_role_as_the_matrix_says(tmp_path: Path, role: str) -> None:
    expected = {cell: row[role] for cell, row in MATRIX.items()}
    assert asyncio.run(_ask(tmp_path, role)) == expected


def test_the_matrix_has_a_cell_for_every_endpoint_and_role(tmp_path: Path) -> None:
    async def look() -> dict[str, Any]:
        async with inside(tmp_path) as inn:
            return await _schema(inn)

    paths = asyncio.run(look())["paths"]
    assert list(missing(paths, MATRIX)) == []
    assert list(missing({**paths, "/new": {"get": {}}}, MATRIX)) == ["get /new"]
    assert list(missing(paths, {**MATRIX, ("get", "/law"): {"guest": 200}}))


def test_every_answer_of_the_schema_has_a_shape(tmp_path: Path) -> None:
    """Each endpoint declares what it answers, and how it refuses."""

    async def look() -> dict[str, Any]:
        async with inside(tmp_path) as inn:
            return await _schema(inn)

    for path, methods in asyncio.run(look())["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            good = next(answers[status] for status in answers if status.startswith("2"))
            shapes = [part.get("schema", True) for part in good.get("content", {}).values()]
            assert all(shapes) or "204" in answers, f"{method} {path} answers anything"
            assert "405" in answers, f"{method} {path} declares no refusal"
            assert operation["description"], f"{method} {path} does not say what it does"


def test_an_auditor_sees_no_card_that_is_not_dealt(tmp_path: Path) -> None:
    """Every kind of person gets the shoe's size and commitment, never its order or seed."""

    async def look() -> None:
        async with inside(tmp_path) as inn:
            live = await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
            shoe = inn.service.tables["one"].runner._live_shoe
            assert shoe is not None
            assert live.runner.table.state.shoe is not None
            for kind in PEOPLE:
                view = (await inn.clients[kind].get("/tables/one")).json()
                assert set(view["shoe"]) == {"number", "size", "left", "cover_seen", "commitment", "cover", "backs"}
                assert "seed" not in str(view)

    asyncio.run(look())
