"""Accounts of the service's people, kept by the administrator; by two, where the operator wants it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from twentyone.service.approvals import Approval
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.web.api.common import ERRORS, Closed, ServiceHere, somebody
from twentyone.web.api.models import AccountRow, Me
from twentyone.web.api.sessions import Credentials, Words

__all__ = ["WAITS", "Administrator", "do_or_ask", "router", "told_to_wait"]

router = APIRouter(tags=["people"], responses=ERRORS)

Role = Annotated[str, Field(max_length=20)]


class NewAccount(Credentials):
    """A new account."""

    role: Role


class NewPassword(Closed):
    """A new password."""

    password: Annotated[str, Field(min_length=1, max_length=200)]


class NewRole(Closed):
    """Another role."""

    role: Role


class WaitingApproval(BaseModel):
    """What was asked for and waits until an administrator who did not ask approves it."""

    number: str
    what: str
    by: str
    at: int


WAITS: dict[int | str, dict[str, object]] = {
    202: {"model": WaitingApproval, "description": "it waits until an administrator who did not ask approves it"}
}


async def administrator(request: Request) -> Person:
    """The administrator; refused for everybody else."""
    person = await somebody(request)
    if person.role != "administrator":
        raise NotAllowed("accounts are kept by the administrator")
    return person


Administrator = Annotated[Person, Depends(administrator)]


async def do_or_ask(service: Service, act: str, what: str, person: Person, **given: str) -> Approval | None:
    """Do something now, or have it wait for a second person."""
    return await run_in_threadpool(service.people.approvals.do, act, what, person.name, given)


def _told(asked: Approval | None) -> Response:
    return Response(status_code=204) if asked is None else told_to_wait(asked)


def told_to_wait(asked: Approval) -> Response:
    """The answer to somebody whose request waits for a second person."""
    return Response(WaitingApproval(**asked._asdict()).model_dump_json(), 202, media_type="application/json")


@router.get("/accounts")
async def list_accounts(_: Administrator, service: ServiceHere) -> list[AccountRow]:
    """List the accounts."""
    return [AccountRow(**account._asdict()) for account in service.people.accounts.listed()]


@router.post("/accounts", status_code=201, response_model=Me, responses=WAITS)
async def add_account(body: NewAccount, person: Administrator, service: ServiceHere) -> Response | Me:
    """Open an account."""
    name, role, hashed = await run_in_threadpool(service.people.accounts.prepare, body.name, body.role, body.password)
    what = f"open an account for {name}, {role}"
    asked = await do_or_ask(service, "open", what, person, name=name, role=role, hashed=hashed)
    return Me(name=name, role=role) if asked is None else told_to_wait(asked)


@router.put("/accounts/{name}/password", status_code=204, responses=WAITS)
async def change_password(name: Words, body: NewPassword, person: Administrator, service: ServiceHere) -> Response:
    """Change the password of an account; its sessions end."""
    hashed = await run_in_threadpool(service.people.accounts.prepare_password, name, body.password)
    what = f"change the password of {name}"
    return _told(await do_or_ask(service, "password", what, person, name=name, hashed=hashed))


@router.put("/accounts/{name}/role", status_code=204, responses=WAITS)
async def change_role(name: Words, body: NewRole, person: Administrator, service: ServiceHere) -> Response:
    """Give an account another role; its sessions end."""
    if name == person.name:
        raise NotAllowed("you cannot change your own role", 409)
    service.people.accounts.check_role(name, body.role)
    what = f"make {name} {body.role}"
    return _told(await do_or_ask(service, "role", what, person, name=name, role=body.role))


@router.post("/accounts/{name}/unlock", status_code=204)
async def unlock(name: Words, person: Administrator, service: ServiceHere) -> None:
    """Let everybody try this account again who has to wait after wrong passwords."""
    await run_in_threadpool(service.people.accounts.unlock, name, person.name)


@router.delete("/accounts/{name}/factor", status_code=204, responses=WAITS)
async def remove_factor(name: Words, person: Administrator, service: ServiceHere) -> Response:
    """Remove the second factor of somebody who lost it; he sets up another one."""
    if not service.people.factor_changes.may_remove(name):
        raise NotAllowed(f"{name!r} has no second factor", 404)
    return _told(await do_or_ask(service, "factor", f"remove the second factor of {name}", person, name=name))


@router.delete("/accounts/{name}", status_code=204, responses=WAITS)
async def remove(name: Words, person: Administrator, service: ServiceHere) -> Response:
    """Remove an account and its sessions."""
    if name == person.name:
        raise NotAllowed("you cannot remove your own account", 409)
    service.people.accounts.role_of(name)
    return _told(await do_or_ask(service, "remove", f"remove the account of {name}", person, name=name))


@router.get("/approvals")
async def approvals(_: Administrator, service: ServiceHere) -> list[WaitingApproval]:
    """What waits for a second person."""
    return [WaitingApproval(**asked._asdict()) for asked in service.people.approvals.listed()]


@router.post("/approvals/{number}", status_code=204)
async def approve(number: Words, person: Administrator, service: ServiceHere) -> None:
    """Approve what somebody else asked for: it is done, in his name."""
    await run_in_threadpool(service.people.approvals.approve, number, person.name)


@router.delete("/approvals/{number}", status_code=204)
async def decline(number: Words, person: Administrator, service: ServiceHere) -> None:
    """Decline what was asked for, or withdraw it."""
    await run_in_threadpool(service.people.approvals.decline, number, person.name)
