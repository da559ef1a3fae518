"""Hints: the value of each decision for the cards on the table."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from twentyone.errors import Refused
from twentyone.service.hints import hint
from twentyone.web.api.common import ERRORS, Name, ServiceHere, Somebody

__all__ = ["router"]

router = APIRouter(tags=["tables"], responses=ERRORS)


class Hint(BaseModel):
    """The value of each decision in original wagers, the best decision, and the basis of the computation."""

    decisions: dict[str, float]
    best: str
    basis: str


@router.get("/tables/{table}/hint")
async def hint_for(table: Name, service: ServiceHere, person: Somebody) -> Hint:
    """The exact value of your decisions now; refused if it is not your turn."""
    rules, round_ = service.table(table).runner.table.rules, service.table(table).runner.table.state.round
    if round_ is None:
        raise Refused("there is no hand to decide on", rules.rulebook.decide_cite)
    return Hint(**await run_in_threadpool(hint, round_, person.name))
