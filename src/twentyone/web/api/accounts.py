"""Accounts of the service's people, kept by the administrator."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from twentyone.service.people import NotAllowed, Person
from twentyone.web.api.common import ERRORS, Closed, ServiceHere, somebody
from twentyone.web.api.models import AccountRow, Me
from twentyone.web.api.sessions import Login, Words

__all__ = ["router"]

router = APIRouter(tags=["people"], responses=ERRORS)


class NewAccount(Login):
    """A new account."""

    role: Annotated[str, Field(max_length=20)]


class NewPassword(Closed):
    """A new password."""

    password: Annotated[str, Field(min_length=1, max_length=200)]


async def administrator(request: Request) -> Person:
    """The administrator; refused for everybody else."""
    person = await somebody(request)
    if person.role != "administrator":
        raise NotAllowed("accounts are kept by the administrator")
    return person


Administrator = Annotated[Person, Depends(administrator)]


@router.get("/accounts")
async def list_accounts(_: Administrator, service: ServiceHere) -> list[AccountRow]:
    """List the accounts."""
    return [AccountRow(**account._asdict()) for account in service.people.accounts()]


@router.post("/accounts", status_code=201)
async def add_account(body: NewAccount, _: Administrator, service: ServiceHere) -> Me:
    """Open an account."""
    added = await run_in_threadpool(service.people.add, body.name, body.role, body.password)
    return Me(name=added.name, role=added.role)


@router.put("/accounts/{name}/password", status_code=204)
async def change_password(name: Words, body: NewPassword, _: Administrator, service: ServiceHere) -> None:
    """Change the password of an account; its sessions end."""
    await run_in_threadpool(service.people.change_password, name, body.password)


@router.post("/accounts/{name}/unlock", status_code=204)
async def unlock(name: Words, _: Administrator, service: ServiceHere) -> None:
    """Let everybody try this account again who has to wait after wrong passwords."""
    service.people.unlock(name)


@router.delete("/accounts/{name}", status_code=204)
async def remove(name: Words, person: Administrator, service: ServiceHere) -> None:
    """Remove an account and its sessions."""
    if name == person.name:
        raise NotAllowed("you cannot remove your own account", 409)
    service.people.remove(name)
