"""Coupons of the house: staff issues them, looks at them, declares them void."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

from twentyone.service.approvals import Approval
from twentyone.service.people import NotAllowed, Person
from twentyone.web.api.accounts import WAITS, told_to_wait
from twentyone.web.api.common import ERRORS, Closed, ServiceHere, Staff, somebody

__all__ = ["ISSUERS", "router"]

router = APIRouter(tags=["coupons"], responses=ERRORS)

ISSUERS = ("floorperson", "administrator")
"""Who issues coupons."""
Key = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[!-~]+$")]
Number = Annotated[str, Field(max_length=40)]


class NewCoupon(Closed):
    """A coupon to issue: without a number it gets one, without a person it is for anybody."""

    amount: Annotated[str, Field(max_length=12)]
    ends: Annotated[str, Field(max_length=20)]
    number: Number = ""
    person: Annotated[str, Field(max_length=40)] = ""
    key: Key


class VoidCoupon(Closed):
    """Why a coupon is declared void."""

    reason: Annotated[str, Field(min_length=1, max_length=120)]
    key: Key


class CouponShown(BaseModel):
    """A coupon; `state` is `open`, `over`, `laid`, `used` or `void`."""

    number: str
    amount: str
    issuer: str
    issued: int
    ends: int
    person: str
    state: str
    place: str


async def issuer(request: Request) -> Person:
    """A floorperson or the administrator."""
    person = await somebody(request)
    if person.role not in ISSUERS:
        raise NotAllowed("coupons are issued by a floorperson or the administrator")
    return person


Issuer = Annotated[Person, Depends(issuer)]


@router.get("/coupons", response_model=list[CouponShown])
async def list_coupons(_: Staff, service: ServiceHere) -> list[dict[str, Any]]:
    """List the coupons."""
    return service.coupons.listed()


@router.post("/coupons", status_code=201, response_model=CouponShown, responses=WAITS)
async def issue_coupon(body: NewCoupon, person: Issuer, service: ServiceHere) -> Response | dict[str, Any]:
    """Issue a coupon; the same key and body give the same one. Above your sum of a day it waits for approval."""
    issued = await service.coupons.issue_or_ask(person.name, body.model_dump())
    return told_to_wait(issued) if isinstance(issued, Approval) else issued


@router.post("/coupons/{coupon}/void", response_model=CouponShown)
async def void_coupon(coupon: Number, body: VoidCoupon, person: Issuer, service: ServiceHere) -> dict[str, Any]:
    """Declare a coupon void that lies nowhere."""
    return await service.coupons.declare_void(person.name, coupon, body.reason, body.key)
