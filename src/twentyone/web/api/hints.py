"""Hints: the value of each decision for the cards on the table; and of those that were taken, after the hand."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from twentyone.errors import Refused
from twentyone.service.hints import hint
from twentyone.service.review import review
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


class Taken(BaseModel):
    """A decision that was taken, its value in original wagers, and the best one."""

    action: str
    worth: float
    best: str
    best_worth: float
    lost: float
    text: str


class Review(BaseModel):
    """Your last round: its decisions, and the mark in words."""

    round: int
    text: str
    decisions: list[Taken]


@router.get("/tables/{table}/review")
async def review_of(table: Name, service: ServiceHere, person: Somebody) -> Review:
    """What your decisions in the last round were worth; one round at a time, and no command waits for it."""
    live = service.table(table)
    played = live.last_rounds.of(live.runner.table.state, person.name)
    if played is None:
        raise Refused("you have no round here that is over", live.runner.table.rules.rulebook.decide_cite)
    async with service.reviewing:
        return Review(**await run_in_threadpool(review, played, person.name))
