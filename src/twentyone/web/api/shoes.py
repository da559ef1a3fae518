"""Shoes: what was committed to, and once it is over the seed and the cards, so that anybody can check it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from twentyone.ledger.shoe_records import NoSuchShoe, read_shoe, shoe_record
from twentyone.service.chance import shoe_shown, shoes_shown
from twentyone.service.people import NotAllowed
from twentyone.web.api.common import ERRORS, Name, ServiceHere, respond
from twentyone.web.api.models import SealedShown, ShoeRecordShown, ShoesShown

__all__ = ["LAST", "router"]

router = APIRouter(tags=["shoes"], responses=ERRORS)

LAST = 2**53 - 1
"""After every version."""
Version = Annotated[int, Path(ge=1, le=LAST)]


@router.get("/shoes/{table}", response_model=ShoesShown)
def shoes(table: Name, service: ServiceHere, before: Annotated[int, Query(ge=1, le=LAST)] = LAST) -> Response:
    """The shoes of a table, the newest first; the next page begins `before` what this one calls `next`."""
    service.table(table)
    return respond(shoes_shown(service.store, table, before))


@router.get("/shoes/{table}/{version}", response_model=SealedShown)
def shoe(table: Name, version: Version, service: ServiceHere) -> Response:
    """A shoe by the version of its seal; its seed and cards once it is revealed."""
    service.table(table)
    try:
        return respond(shoe_shown(service.store, table, version))
    except NoSuchShoe as wrong:
        raise NotAllowed(str(wrong), 404) from None


@router.get("/shoes/{table}/{version}/record", response_model=ShoeRecordShown)
def record(table: Name, version: Version, service: ServiceHere) -> Response:
    """A shoe that is over as a shoe record, for `twentyone verify-shoe`."""
    service.table(table)
    try:
        made = shoe_record(service.store, table, read_shoe(service.store, table, version))
    except NoSuchShoe as wrong:
        raise NotAllowed(str(wrong), 404) from None
    name = f'attachment; filename="shoe-{table}-{version}.json"'
    return Response(made.to_json(), 200, {"content-disposition": name}, "application/json")
