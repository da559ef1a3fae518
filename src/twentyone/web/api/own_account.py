"""One's own account: another password, a second factor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.web.api.common import ERRORS, Closed, ServiceHere, Somebody, address_of
from twentyone.web.api.models import Me
from twentyone.web.api.sessions import give_cookies

__all__ = ["router"]

router = APIRouter(tags=["people"], responses=ERRORS)

Secret = Annotated[str, Field(min_length=1, max_length=200)]


class OwnPassword(Closed):
    """Another password, and the one that it replaces."""

    old: Secret
    password: Secret


class Proof(Closed):
    """One's password, again."""

    old: Secret


class CodeShown(Closed):
    """What the authenticator shows."""

    code: Annotated[str, Field(min_length=1, max_length=40)]


class Removal(Proof, CodeShown):
    """One's password and a code."""


class EnrolmentShown(BaseModel):
    """What an authenticator has to know."""

    secret: str
    address: str


class CodesShown(BaseModel):
    """The recovery codes; they are told this once, and each works once."""

    codes: list[str]


def _has_account(service: Service, person: Person) -> None:
    try:
        service.people.accounts.role_of(person.name)
    except NotAllowed:
        raise NotAllowed("only an account has a password and a second factor: open one first", 409) from None


@asynccontextmanager
async def _counted(service: Service, person: Person, request: Request) -> AsyncIterator[None]:
    """Guesses of whoever found a browser that is logged in: counted before they are examined, as log-ins are."""
    _has_account(service, person)
    attempts, place = service.people.attempts, f"session {address_of(request)}"
    wait = attempts.begin(person.name, place)
    if wait:
        raise NotAllowed(f"too many wrong passwords or codes from here: try again in {wait} s", 429, wait)
    yield
    attempts.right(person.name, place)


async def _prove(service: Service, person: Person, password: str, request: Request) -> None:
    """Refuse whoever does not know the password of the session that he uses."""
    people = service.people
    with people.hashing.place(known=True):
        if not await run_in_threadpool(people.entering.is_own, person.name, password):
            await run_in_threadpool(people.note, "log_in_failed", name=person.name, address=address_of(request))
            raise NotAllowed("this is not your password", 403)


def _examine(service: Service, name: str, code: str) -> None:
    """Refuse a code that is not the authenticator's of now; wrong ones are counted for the account."""
    tries = service.people.code_tries
    if wait := tries.begin(name):
        raise NotAllowed(f"too many wrong codes for this account: try again in {wait} s", 429, wait)
    if not service.people.factors.passes(name, code):
        if service.people.factors.shows(name, code):
            tries.used(name)
        raise NotAllowed("this is not the code that the authenticator shows now, or it was used", 403)
    tries.right(name)


@router.put("/me/password")
async def change_own(
    body: OwnPassword, person: Somebody, request: Request, response: Response, service: ServiceHere
) -> Me:
    """Change one's own password; all sessions end, and this browser gets a new one."""
    async with _counted(service, person, request):
        await _prove(service, person, body.old, request)
    if body.password == body.old:
        raise NotAllowed("the new password is the old one", 422)
    accounts, name = service.people.accounts, person.name
    hashed = await run_in_threadpool(accounts.prepare_password, name, body.password)
    await run_in_threadpool(accounts.set_hashed, name, hashed, name)
    return give_cookies(request, response, service.people.begin(person, address_of(request), hashed))


@router.post("/me/factor", status_code=201)
async def begin_factor(body: Proof, person: Somebody, request: Request, service: ServiceHere) -> EnrolmentShown:
    """Begin to set up a second factor; it counts once a code was entered."""
    async with _counted(service, person, request):
        await _prove(service, person, body.old, request)
    return EnrolmentShown(**service.people.factors.begin(person.name)._asdict())


@router.put("/me/factor")
async def confirm_factor(body: CodeShown, person: Somebody, request: Request, service: ServiceHere) -> CodesShown:
    """Enter the first code: from now on one is asked for."""
    async with _counted(service, person, request):
        codes = await run_in_threadpool(service.people.factor_changes.confirm, person.name, body.code)
    return CodesShown(codes=codes)


@router.delete("/me/factor", status_code=204)
async def remove_own(body: Removal, person: Somebody, request: Request, service: ServiceHere) -> None:
    """Remove one's own second factor, to set up another."""
    factors = service.people.factors
    async with _counted(service, person, request):
        await _prove(service, person, body.old, request)
        if factors.has(person.name):
            await run_in_threadpool(_examine, service, person.name, body.code)
    await run_in_threadpool(service.people.factor_changes.remove, person.name, person.name)
