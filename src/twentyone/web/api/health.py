"""Whether the process lives and the ledger answers."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from twentyone import __version__
from twentyone.web.api.common import HouseHere

__all__ = ["router"]

router = APIRouter(tags=["health"])


@router.get("/health")
def health() -> dict[str, Any]:
    """The process lives."""
    return {"alive": True, "version": __version__}


@router.get("/ready", responses={503: {"description": "the ledger does not answer"}})
def ready(house: HouseHere) -> JSONResponse:
    """The ledger answers and its writer works."""
    try:
        tables = len(house.store.streams())
    except Exception as wrong:
        return JSONResponse({"ready": False, "why": type(wrong).__name__}, 503)
    return JSONResponse({"ready": True, "tables": tables})
