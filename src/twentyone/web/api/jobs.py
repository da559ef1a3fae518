"""Long computations: ask, look how far it is, cancel, take the file."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from twentyone.service.jobs import DeskJob, Jobs
from twentyone.service.kept_answers import KeptAnswer
from twentyone.service.people import NotAllowed, Person
from twentyone.service.questions import LEDGER, question_of
from twentyone.web.api.common import ERRORS, READERS, Closed, ServiceHere, Visitor, address_of, asker
from twentyone.web.running_mean import mean_drawn

__all__ = ["router"]

router = APIRouter(tags=["desk"], responses=ERRORS)

JobName = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            kind: {} for kind in ("text/html", "image/png", "image/svg+xml", "application/pdf", "application/toml")
        }
    }
}
KEPT_BACK = {"review": ("script", "laws", LEDGER), "session": ("options", "laws", LEDGER)}
"""What of a question is not told with its answer: scripts of the ledger may name a card that was never shown."""
LONGEST = 20.0
"""Seconds that a request for news waits at most."""


class QuestionAsked(Closed):
    """A question: its kind, its rulebook (as it is law `at` a day) and submission, and what else the kind needs."""

    kind: Annotated[str, Field(max_length=20)]
    rulebook: Annotated[str, Field(max_length=60)]
    submission: dict[str, Any] = {}
    at: Annotated[str, Field(max_length=10)] | None = None
    chart: Annotated[str, Field(max_length=60_000)] | None = None
    cell: Annotated[list[str], Field(max_length=5)] | None = None
    form: Annotated[str, Field(max_length=10)] | None = None
    script: Annotated[str, Field(max_length=60_000)] | None = None
    options: dict[str, Any] | None = None


class AnswerShown(BaseModel):
    """An answer with its question."""

    kind: str
    asked: dict[str, Any]
    body: dict[str, Any]


class JobShown(BaseModel):
    """How far a computation is; `ahead` are waiting before it, `told` is what is known already."""

    id: str
    kind: str
    state: str
    share: float
    ahead: int
    told: dict[str, Any]
    why: str
    cite: str
    changes: int
    yours: bool


def _shown(jobs: Jobs, job: DeskJob, person: Person) -> JobShown:
    share = job.told.get("share") or 0.0
    told = {name: value for name, value in job.told.items() if name not in ("share", "path")}
    if job.told.get("path"):
        told["drawn"] = mean_drawn(job.told)
    return JobShown(
        id=job.question.id, kind=job.question.kind, state=job.state, share=share, ahead=jobs.ahead(job), told=told,
        why=job.why, cite=job.cite, changes=job.changes, yours=person.name in job.people,
    )  # fmt: skip


def _found(jobs: Jobs, name: str) -> DeskJob:
    job = jobs.find(name)
    if job is None:
        raise NotAllowed("there is no such computation, or its answer is no longer kept: ask again", 404)
    return job


def _kept(service: ServiceHere, job: str, person: Person) -> KeptAnswer | None:
    """An answer, for somebody who may read it."""
    readable = person.role in READERS or service.jobs.admits(job, person)
    return service.jobs.answers.get(job) if readable else None


@router.post("/jobs")
async def ask(body: QuestionAsked, request: Request, service: ServiceHere, person: Visitor) -> JobShown:
    """Ask a question; the same one is answered from what is kept."""
    who = asker(request, person)
    question = question_of(body.kind, body.model_dump(exclude={"kind"}, exclude_none=True))
    job = service.jobs.ask(question, who, address_of(request))
    return _shown(service.jobs, job, who)


@router.get("/jobs/{job}")
async def look(
    job: JobName,
    request: Request,
    service: ServiceHere,
    person: Visitor,
    seen: Annotated[int, Query(ge=-1, le=10**9)] = -1,
) -> JobShown:
    """How far a computation is; with `seen`, as soon as more than that has changed."""
    found = _found(service.jobs, job)
    if seen >= 0:
        await service.jobs.news(found, seen, LONGEST)
    return _shown(service.jobs, found, asker(request, person))


@router.delete("/jobs/{job}")
async def cancel(job: JobName, request: Request, service: ServiceHere, person: Visitor) -> JobShown:
    """Cancel a computation that you asked for; what a simulation has played is kept, and goes on when asked again."""
    who, found = asker(request, person), _found(service.jobs, job)
    service.jobs.cancel(found, who)
    return _shown(service.jobs, found, who)


@router.get("/jobs/{job}/answer")
async def answer(job: JobName, request: Request, service: ServiceHere, person: Visitor) -> AnswerShown:
    """The answer of a computation that is done, with its question; about rounds of the ledger, for their readers."""
    kept = _kept(service, job, asker(request, person))
    if kept is None:
        raise NotAllowed("there is no answer under this name", 404)
    asked = {name: value for name, value in kept.asked.items() if name not in KEPT_BACK.get(kept.kind, ())}
    return AnswerShown(kind=kept.kind, asked=asked, body=kept.body)


@router.get("/jobs/{job}/file", response_class=Response, responses=FILES)
async def file(job: JobName, request: Request, service: ServiceHere, person: Visitor) -> Response:
    """The file that a computation made."""
    kept = _kept(service, job, asker(request, person))
    made = kept.body.get("file") if kept is not None else None
    if made is None:
        raise NotAllowed("there is no file under this name", 404)
    headers = {"content-disposition": f'attachment; filename="{made["name"]}"'}
    return Response(base64.b64decode(made["base64"]), media_type=made["type"], headers=headers)
