"""Training: an answer is marked and kept, and what was wrong comes back sooner."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from twentyone.rulebook import Rulebook
from twentyone.service.people import NotAllowed, Person
from twentyone.service.questions import question_of
from twentyone.service.service import Service
from twentyone.training.cells import CellMark
from twentyone.training.course import Course, subject_of
from twentyone.training.drill import mark_answer, question_named
from twentyone.training.kept import KeptProgress
from twentyone.training.schedule import Progress
from twentyone.web.api.common import ERRORS, Closed, ServiceHere, Somebody
from twentyone.web.api.law import load

__all__ = ["course_of", "drill_subject", "router"]

router = APIRouter(tags=["desk"], responses=ERRORS)

Short = Annotated[str, Field(min_length=1, max_length=80)]


class CellAnswer(Closed):
    """A decision on a hand of a cell; `deal` is the seed of the hand."""

    rulebook: Short
    submission: dict[str, Any] = {}
    cell: Short
    deal: Short
    decision: Short


class DrillAnswer(Closed):
    """A choice, counted from 0, in answer to a question of the drill."""

    rulebook: Short
    question: Short
    choice: Annotated[int, Field(ge=0, le=20)]


class DrillMarked(BaseModel):
    """What the engine does, its paragraph, and when that is asked again."""

    right: bool
    said: str
    should: str
    cite: str
    seen: int
    missed: int
    due: int


class CellMarked(BaseModel):
    """What it was worth, in original wagers, and when the cell is asked again."""

    right: bool
    best: str
    lost: float
    per_hour: float
    values: dict[str, float]
    seen: int
    missed: int
    due: int


def course_of(service: Service, person: Person | None, rulebook: str, submission: dict[str, Any]) -> Course | None:
    """Somebody's course through a game; none where the values of its cells are not worked out yet."""
    kept = service.jobs.answers.get(question_of("cells", {"rulebook": rulebook, "submission": submission}).id)
    if kept is None:
        return None
    subject = subject_of(rulebook, submission)
    known = KeptProgress(service.records).of(person.name, subject) if person is not None else {}
    return Course.of(Rulebook.load(rulebook).under(submission), kept.body["cells"], known)


@router.post("/training/cell")
async def answer_cell(answer: CellAnswer, service: ServiceHere, person: Somebody) -> CellMarked:
    """Mark a decision and keep it."""
    marked, told = await run_in_threadpool(_answer, service, person, answer)
    return CellMarked(**marked._asdict(), seen=told.seen, missed=told.missed, due=told.due)


def _answer(service: Service, person: Person, answer: CellAnswer) -> tuple[CellMark, Progress]:
    course = course_of(service, person, answer.rulebook, answer.submission)
    if course is None:
        raise NotAllowed("the values of this game are not worked out: open its page first", 409)
    marked = course.mark(answer.cell, answer.deal, answer.decision)
    subject = subject_of(answer.rulebook, answer.submission)
    kept = KeptProgress(service.records)
    return marked, kept.answered(person.name, subject, answer.cell, marked.right, service.now)


def drill_subject(rulebook: str) -> str:
    """The name of a game's drill."""
    return f"drill {rulebook}"


@router.post("/training/drill")
async def answer_drill(answer: DrillAnswer, service: ServiceHere, person: Somebody) -> DrillMarked:
    """Mark an answer to a question of the drill and keep it."""
    rules = load(answer.rulebook).under()
    marked = mark_answer(await run_in_threadpool(question_named, rules, answer.question), answer.choice)
    kept, subject = KeptProgress(service.records), drill_subject(answer.rulebook)
    told = await run_in_threadpool(kept.answered, person.name, subject, marked.cite, marked.right, service.now)
    return DrillMarked(**marked._asdict(), seen=told.seen, missed=told.missed, due=told.due)
