"""What every endpoint needs: who asks, the service, and how a refusal becomes a response."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.requests import HTTPConnection

from twentyone.errors import NotAScript, Refused, RulebookError, SubmissionRefused, TwentyoneError
from twentyone.ledger.law_reviews import ReviewsRefused
from twentyone.ledger.rows import KeyReused, LedgerFailed, NotCanonical, StaleVersion, Superseded
from twentyone.rulebook.own_text import NotAligned
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import NoSuchTable, Service
from twentyone.web.outages import said, wait_of

__all__ = [
    "API",
    "CSRF_COOKIE",
    "DEVICE_COOKIE",
    "ERRORS",
    "FORWARDED",
    "KNOWN",
    "MOVES",
    "READERS",
    "SESSION_COOKIE",
    "Closed",
    "Name",
    "ServiceHere",
    "Somebody",
    "Staff",
    "Trouble",
    "Visitor",
    "address_of",
    "asker",
    "cookie_name",
    "cookie_of",
    "everywhere",
    "refused",
    "respond",
    "service_of",
    "status_of",
    "visitor",
]

SESSION_COOKIE, CSRF_COOKIE, DEVICE_COOKIE = "twentyone_session", "twentyone_csrf", "twentyone_device"
READERS = ("floorperson", "auditor", "administrator")
"""Who may look into the whole ledger."""
FORWARDED = "twentyone.forwarded"
"""The key under which a request says that another process of this ledger passed it on."""
MOVES = 1012
"""The code with which a live connection is closed when another process leads its table: it is opened again."""
API = "/api/"
"""How paths of the interface begin."""
DEEPEST = 20
"""How deep lists and tables may lie in one another in a body."""
KNOWN = "twentyone.session"
"""The key under which a request caches its session."""

Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]
"""A table's name, a rulebook's id."""


class Closed(BaseModel):
    """A body without unknown keys and with strict types: neither true nor "1" is accepted for 1."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_texts(cls, body: Any) -> Any:
        if wrong := _wrong(body):
            raise ValueError(wrong)
        return body


def _wrong(value: Any, depth: int = 0) -> str:
    """What no body has: the one character that not every database holds, and lists in lists without end."""
    if isinstance(value, str):
        return "no text has the character NUL" if "\0" in value else ""
    parts = (*value, *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    if parts and depth >= DEEPEST:
        return f"lists and tables lie in one another at most {DEEPEST} deep"
    return next(filter(None, (_wrong(part, depth + 1) for part in parts)), "")


class Trouble(BaseModel):
    """Why something was not done: a sentence, and the paragraph if the law says so."""

    why: str
    cite: str | None = None
    version: int | None = None


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Trouble, "description": words}
    for status, words in {
        400: "the request cannot be parsed",
        401: "the session is unknown",
        403: "not for this role",
        404: "no such resource",
        405: "method not allowed",
        409: "the procedure does not allow it now, or the table has changed",
        413: "the request is too long",
        422: "the request is invalid",
        429: "too many requests",
        503: "the ledger failed; nothing was done",
    }.items()
}


def cookie_name(asked: HTTPConnection, name: str) -> str:
    """How a cookie is called: over TLS so that no other host, and no page without TLS, can give one of this name."""
    secure = asked.scope["scheme"] in ("https", "wss")
    return f"{'__Secure-' if name == DEVICE_COOKIE else '__Host-'}{name}" if secure else name


def cookie_of(asked: HTTPConnection, name: str) -> str | None:
    """A cookie of ours that a request brings."""
    return asked.cookies.get(cookie_name(asked, name))


async def service_here(request: Request) -> Service:
    """The service this process serves."""
    return service_of(request)


def service_of(request: Request) -> Service:
    """The service this process serves."""
    service: Service = request.app.state.service
    return service


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from; of IPv6 the network, of which one house has many addresses."""
    host = request.client.host if request.client is not None else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((int(address), 64), strict=False))


def asker(request: Request, person: Person | None) -> Person:
    """Who asks for a computation: a visitor is known by his address."""
    return person or Person(address_of(request), "visitor")


async def visitor(request: Request) -> Person | None:
    """Who asks, if known; looked up once per request.

    To open a page or to change something is activity, to read the interface is none: pages do that by themselves.
    """
    known = request.scope.get(KNOWN)
    if not known:
        watches = request.scope["path"].startswith(API)
        known = (service_of(request).people.whose(cookie_of(request, SESSION_COOKIE), watches),)
    return known[0][0] if known[0] is not None else None


async def somebody(request: Request) -> Person:
    """Who asks; refused if unknown."""
    person = await visitor(request)
    if person is None:
        raise NotAllowed("sit down or log in first", 401)
    return person


async def staff(request: Request) -> Person:
    """A floorperson, auditor or administrator."""
    person = await somebody(request)
    if person.role not in READERS:
        raise NotAllowed("only for floorperson, auditor and administrator")
    return person


ServiceHere = Annotated[Service, Depends(service_here)]
Visitor = Annotated[Person | None, Depends(visitor)]
Somebody = Annotated[Person, Depends(somebody)]
Staff = Annotated[Person, Depends(staff)]


def respond(value: Any, status: int = 200) -> Response:
    """A response of plain JSON values."""
    return Response(orjson.dumps(value), status, media_type="application/json")


async def everywhere(request: HTTPConnection, service: Service, path: str, rows: list[Any]) -> list[Any]:
    """The rows of this process with those of the others, by table; a process that asks gets only ours."""
    if FORWARDED in request.scope:
        return rows
    there = [row for told in await service.elsewhere.rows(path, request.headers, request.url.scheme) for row in told]
    return sorted([*rows, *there], key=lambda row: str(row["table"])) if there else rows


STATUS: tuple[tuple[type[TwentyoneError], int], ...] = (
    (NoSuchTable, 404),
    (StaleVersion, 409),
    (KeyReused, 422),
    (NotCanonical, 422),
    (LedgerFailed, 503),
    (NotAScript, 422),
    (NotAligned, 422),
    (ReviewsRefused, 422),
    (SubmissionRefused, 422),
    (RulebookError, 422),
    (Refused, 409),
)


def status_of(wrong: Exception) -> int:
    """The status of a refusal."""
    own: int | None = getattr(wrong, "status", None)
    return own or next((code for kind, code in STATUS if isinstance(wrong, kind)), 409)


TOLD = "refusals=told"
"""The preference of a page to be told refusals in an ordinary answer: a browser logs every other as a fault."""


async def refused(request: Request, wrong: Exception) -> JSONResponse:
    """A refusal as a response: what was asked, what is wrong, which paragraph says so."""
    assert isinstance(wrong, TwentyoneError)
    body: dict[str, Any] = {"why": wrong.why if isinstance(wrong, Refused) else said(wrong)}
    if isinstance(wrong, Refused):
        body["cite"] = wrong.cite
    if isinstance(wrong, StaleVersion):
        body["version"] = wrong.actual
    wait = wait_of(wrong)
    headers = {"retry-after": str(wait)} if wait else {}
    if request.headers.get("prefer") == TOLD and not isinstance(wrong, Superseded):
        return JSONResponse({**body, "refused": status_of(wrong)}, 200, {**headers, "preference-applied": TOLD})
    return JSONResponse(body, status_of(wrong), headers)
