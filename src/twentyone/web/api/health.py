"""Whether the process lives and the ledger answers."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from twentyone import __version__
from twentyone.web.api.common import ServiceHere, Trouble, respond

__all__ = ["router"]

router = APIRouter(tags=["health"], responses={405: {"model": Trouble, "description": "not by this method"}})


class Alive(BaseModel):
    """The process lives, in this version of the software."""

    alive: bool
    version: str


class Ready(BaseModel):
    """Whether commands are taken; if not, why."""

    ready: bool
    tables: int | None = None
    why: str | None = None


@router.get("/health")
async def health() -> Alive:
    """The process lives."""
    return Alive(alive=True, version=__version__)


@router.get("/ready", response_model=Ready, responses={503: {"model": Ready, "description": "no commands are taken"}})
def ready(service: ServiceHere) -> Response:
    """The ledger answers and its writer works."""
    if service.writer.stopped:
        return respond({"ready": False, "why": "the writer stands still"}, 503)
    try:
        tables = len(service.store.streams())
    except Exception as wrong:
        return respond({"ready": False, "why": type(wrong).__name__}, 503)
    return respond({"ready": True, "tables": tables})
