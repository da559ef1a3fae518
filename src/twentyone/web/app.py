"""The application: the service behind REST, WebSocket and pages."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from twentyone import __version__
from twentyone.errors import TwentyoneError
from twentyone.service.service import Service
from twentyone.web.api import (
    accounts,
    coupons,
    floor,
    health,
    hints,
    jobs,
    law,
    law_review,
    rounds,
    seats,
    server,
    sessions,
    shift,
    shoes,
    tables,
)  # fmt: skip
from twentyone.web.api.common import ServiceHere, address_of, refused
from twentyone.web.forwarding import Forwarding
from twentyone.web.pages import add_pages
from twentyone.web.pages.trouble import page_broken, page_refused, page_unknown
from twentyone.web.security import BROKEN, Guard
from twentyone.web.static_files import static_file

__all__ = ["create_app"]

LOG = structlog.get_logger("twentyone.web")
CHECKPOINT = 60.0
"""Seconds between two signed checkpoints."""
UNTRACED: Any = {"tracing": False, "metrics": False, "logs": False}
"""The framework does not ask, at every request, for a collector of its own: the metrics are ours."""
LOOK_AROUND = 1.0
"""Seconds between two checks for what commands have stored in the file of a ledger."""


def create_app(service: Service, *, first_tables: bool = True, limited: bool = True) -> FastAPI:
    """The application for one service."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.start(first_tables)
        for name, why in service.unloaded.items():
            LOG.error("a table is closed", table=name, why=why)
        await _sign(service)
        tasks = [asyncio.create_task(work) for work in _watches(service)]
        yield
        for task in tasks:
            task.cancel()
        await service.stop()
        _tell(service)

    if not limited:
        service.doors.limits = service.doors.limits._replace(new_guests=0)
    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, telemetry=UNTRACED)
    app.add_middleware(Guard, service=service, limited=limited, broken=page_broken)
    if service.ownership is not None:
        app.add_middleware(Forwarding, service=service, ownership=service.ownership)
    app.mount("/api/v1", create_api(service))
    app.add_route("/static/{stamp}/{name}", static_file)
    app.add_api_route("/enter/{link}", enter)
    app.state.service = service
    app.add_exception_handler(HTTPException, page_unknown)
    app.add_exception_handler(TwentyoneError, page_refused)
    add_pages(app)
    return app


def create_api(service: Service) -> FastAPI:
    """REST and WebSocket; its schema is at `openapi.json`."""
    api = FastAPI(title="twentyone", version=__version__, docs_url=None, redoc_url=None, telemetry=UNTRACED)
    api.state.service = service
    api.add_exception_handler(TwentyoneError, refused)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _unknown)
    api.add_exception_handler(Exception, _failed)
    api.include_router(tables.commands)
    for part in (
        tables, seats, sessions, accounts, coupons, floor, server, hints, rounds, shoes, shift, law, law_review, jobs,
        health,
    ):  # fmt: skip
        api.include_router(part.router)
    return api


def _watches(service: Service) -> Iterator[Coroutine[Any, Any, None]]:
    """Run the background tasks."""
    if service.ownership is None:
        yield _repeat(LOOK_AROUND, service.look_around)
    yield _repeat(CHECKPOINT, lambda: _sign(service))


async def _repeat(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, whatever becomes of it once."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except TwentyoneError:
            continue
        except Exception as fault:
            LOG.error("watch failed", why=type(fault).__name__)


async def _sign(service: Service) -> None:
    """Sign a checkpoint; a failure is told in the log, by `/health` and on the pages of staff."""
    before = service.signing.failed
    await asyncio.to_thread(service.signing.attempt)
    _tell(service, before)


def _tell(service: Service, before: str = "") -> None:
    if service.signing.failed:
        LOG.error("no checkpoint was signed", why=service.signing.failed)
    elif before:
        LOG.warning("checkpoints are signed again")


async def _unknown(_: Request, wrong: Exception) -> JSONResponse:
    """The response to an unknown path or method."""
    assert isinstance(wrong, HTTPException)
    return JSONResponse({"why": str(wrong.detail).lower()}, wrong.status_code, wrong.headers)


async def _invalid(_: Request, wrong: Exception) -> JSONResponse:
    """The response to an invalid request."""
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    location = ".".join(str(part) for part in first["loc"])
    return JSONResponse({"why": f"{location}: {first['msg']}"}, 422)


async def _failed(_: Request, __: Exception) -> JSONResponse:
    """The response to an internal error; the log has its type, not its message."""
    return JSONResponse({"why": BROKEN}, 500)


async def enter(link: str, request: Request, service: ServiceHere) -> Response:
    """A one-time link: begins a session and redirects to the tables."""
    answer = RedirectResponse("/", 303)
    sessions.give_cookies(request, answer, service.people.follow(link, address_of(request)))
    return answer
