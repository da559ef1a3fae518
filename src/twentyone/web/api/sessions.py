"""Guests, logins, one-time links."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from twentyone.service.attempts import DEVICE_LIFE
from twentyone.service.lobby import chips_at_tables
from twentyone.service.people import Session
from twentyone.web.api.common import (
    CSRF_COOKIE,
    DEVICE_COOKIE,
    ERRORS,
    SESSION_COOKIE,
    Closed,
    ServiceHere,
    Visitor,
    address_of,
    cookie_name,
    cookie_of,
)
from twentyone.web.api.models import Me

__all__ = ["Credentials", "Words", "give_cookies", "router"]

router = APIRouter(tags=["people"], responses=ERRORS)

Words = Annotated[str, Field(min_length=1, max_length=60)]


class Guest(Closed):
    """A guest, who plays with play money."""

    name: Words


class Credentials(Closed):
    """A person with an account."""

    name: Words
    password: Annotated[str, Field(min_length=1, max_length=200)]


class Login(Credentials):
    """A person with an account who comes in: with the code of his authenticator, or a recovery code, if he has one."""

    code: Annotated[str, Field(max_length=40)] = ""


def give_cookies(request: Request, response: Response, session: Session) -> Me:
    """Send the session's secrets to the browser as cookies."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        cookie_name(request, SESSION_COOKIE), session.id, httponly=True, secure=secure, samesite="strict", path="/"
    )
    response.set_cookie(cookie_name(request, CSRF_COOKIE), session.csrf, secure=secure, samesite="strict", path="/")
    return Me(name=session.person.name, role=session.person.role)


def _know(request: Request, response: Response, device: str) -> None:
    """Send a browser the secret by which it is known: strangers cannot make it wait for its account."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        cookie_name(request, DEVICE_COOKIE),
        device,
        DEVICE_LIFE,
        httponly=True,
        secure=secure,
        samesite="strict",
        path="/api/v1/session",
    )


def _end_old(request: Request, service: ServiceHere) -> None:
    old = cookie_of(request, SESSION_COOKIE)
    if old:
        service.people.end(old)


@router.get("/me")
async def me(person: Visitor, service: ServiceHere) -> Me | None:
    """Who you are, what is in your purse and what lies at tables; null if the session is unknown."""
    if person is None:
        return None
    if person.role != "player":
        return Me(name=person.name, role=person.role)
    await service.elsewhere.look(person.name)
    lying = {name: str(amount) for name, amount in chips_at_tables(service, person).items()}
    return Me(name=person.name, role=person.role, purse=str(service.people.purses.of(person.name)), at_tables=lying)


@router.post("/session/guest")
async def guest(body: Guest, request: Request, response: Response, service: ServiceHere) -> Me:
    """Begin a session as a guest."""
    limit = service.doors.limits.new_guests
    session = await run_in_threadpool(service.people.guest, body.name, address_of(request), limit)
    _end_old(request, service)
    return give_cookies(request, response, session)


@router.post("/session/login")
async def login(body: Login, request: Request, response: Response, service: ServiceHere) -> Me:
    """Begin a session with a password."""
    people, device = service.people, cookie_of(request, DEVICE_COOKIE)
    session = await people.entering.log_in(body.name, body.password, address_of(request), device, body.code)
    _end_old(request, service)
    _know(request, response, session.device)
    return give_cookies(request, response, session)


@router.post("/session/logout", status_code=204)
async def logout(request: Request, response: Response, service: ServiceHere, person: Visitor) -> None:
    """End the session, here and on the server; a player leaves his tables."""
    if person is not None:
        await service.go(person)
    _end_old(request, service)
    secure = request.url.scheme == "https"
    response.delete_cookie(cookie_name(request, SESSION_COOKIE), path="/", secure=secure)
    response.delete_cookie(cookie_name(request, CSRF_COOKIE), path="/", secure=secure)
