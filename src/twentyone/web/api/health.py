"""Whether the process is alive, the ledger responds and is signed."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from twentyone import __version__
from twentyone.ledger.store import table_streams
from twentyone.web.api.common import ERRORS, ServiceHere, Staff, Trouble, respond

__all__ = ["router"]

router = APIRouter(tags=["health"], responses={405: {"model": Trouble, "description": "method not allowed"}})


class Alive(BaseModel):
    """The process is alive, in this version of the software."""

    alive: bool
    version: str
    package: str
    """The digest of the package."""
    authentic: bool
    """Whether the package is what was signed; an unsigned build has no signature."""
    stopped: list[str]
    """Why no further round is dealt; empty: play goes on."""
    signed: bool
    """Whether the last checkpoint could be signed."""
    commands: bool
    """Whether commands are taken."""
    closed: list[str]
    """Tables of the ledger that are not served."""


class Ready(BaseModel):
    """Whether commands are accepted; if not, why."""

    ready: bool
    tables: int | None = None
    why: str | None = None


class SigningShown(BaseModel):
    """Whether the ledger is signed; if not, since when, and why."""

    signed: bool
    since: int | None = None
    why: str | None = None


@router.get("/health")
async def health(service: ServiceHere) -> Alive:
    """The process is alive."""
    software = service.authenticity.last
    return Alive(
        alive=True,
        version=__version__,
        package=software.digest,
        authentic=software.authentic,
        stopped=[*filter(None, (service.recovery.why, *service.stops.reasons.values()))],
        signed=not service.signing.failed,
        commands=not service.recovery.why,
        closed=[*service.unloaded],
    )


@router.get("/signing", responses=ERRORS)
async def signing(service: ServiceHere, _: Staff) -> SigningShown:
    """Whether checkpoints are signed."""
    failed = service.signing.failed
    return SigningShown(signed=False, since=service.signing.since, why=failed) if failed else SigningShown(signed=True)


@router.get(
    "/ready", response_model=Ready, responses={503: {"model": Ready, "description": "no commands are accepted"}}
)
def ready(service: ServiceHere) -> Response:
    """The ledger responds and its writer works."""
    if why := service.recovery.why:
        return respond({"ready": False, "why": why}, 503)
    try:
        tables = len(table_streams(service.store))
    except Exception as wrong:
        return respond({"ready": False, "why": service.recovery.why or type(wrong).__name__}, 503)
    return respond({"ready": True, "tables": tables})
