"""The application: the service behind REST, WebSocket and pages."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from twentyone import __version__
from twentyone.errors import TwentyoneError
from twentyone.service.moments import next_moment
from twentyone.service.service import Service
from twentyone.web.api import (
    accounts,
    coupons,
    floor,
    health,
    hints,
    house,
    jobs,
    law,
    law_review,
    own_account,
    rounds,
    seats,
    server,
    sessions,
    shift,
    shoes,
    tables,
    training,
)  # fmt: skip
from twentyone.web.api.common import ServiceHere, address_of, refused
from twentyone.web.compression import Compression
from twentyone.web.forwarding import Forwarding
from twentyone.web.outages import AGAIN, outage
from twentyone.web.pages import add_pages
from twentyone.web.pages.preview import MANIFEST, show_manifest
from twentyone.web.pages.trouble import page_broken, page_refused, page_unknown
from twentyone.web.rendering import Rendering
from twentyone.web.security import BROKEN, Guard
from twentyone.web.static_files import static_file

__all__ = ["create_app"]

LOG = structlog.get_logger("twentyone.web")
CHECKPOINT = 60.0
"""Seconds between two signed checkpoints."""
WATCH = 10.0
"""Seconds between two looks of the service at its own ledger."""
RECOVER = 1.0
"""Seconds between two looks at whether the database has failed, or answers again."""
UNTRACED: Any = {"tracing": False, "metrics": False, "logs": False}
"""The framework does not ask, at every request, for a collector of its own: the metrics are ours."""
AUTHENTICATE = 1.0
"""Seconds between two looks whether the software has to be examined again."""
LOOK_AROUND, ORDERS = 1.0, 5.0
"""Seconds between two checks for what others have stored beside this process, and where they tell it themselves."""


def create_app(service: Service, *, first_tables: bool = True, limited: bool = True) -> FastAPI:
    """The application for one service."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.people.held.tell, service.watch.tell = _log_account, _log_stop
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
        service.doors.limits = service.doors.limits._replace(new_guests=0, gone=math.inf)
        service.people.policy = service.people.policy._replace(numbered_guests=False)
    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, telemetry=UNTRACED)
    app.add_middleware(Compression)
    app.add_middleware(Guard, service=service, limited=limited, broken=page_broken)
    if service.ownership is not None:
        app.add_middleware(Forwarding, service=service, ownership=service.ownership)
    api = create_api(service)
    app.state.rendering = api.state.rendering = Rendering()
    app.mount("/api/v1", api)
    app.add_route("/static/{stamp}/{name}", static_file)
    app.add_api_route("/enter/{link}", enter)
    app.add_api_route(MANIFEST, show_manifest)
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
        tables, seats, sessions, accounts, own_account, coupons, floor, house, server, hints, rounds, shoes, shift,
        law, law_review, jobs, training, health,
    ):  # fmt: skip
        api.include_router(part.router)
    return api


def _watches(service: Service) -> Iterator[Coroutine[Any, Any, None]]:
    """Run the background tasks."""
    yield _repeat(LOOK_AROUND if service.ownership is None else ORDERS, service.look_around)
    yield _repeat(CHECKPOINT, lambda: _sign_for_all(service))
    yield _repeat(AUTHENTICATE, lambda: _authenticate(service))
    yield _repeat(RECOVER, lambda: _recover(service))
    yield _repeat(WATCH, lambda: _watch(service))


async def _repeat(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, whatever becomes of it once."""
    while True:
        await next_moment(seconds)
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


async def _sign_for_all(service: Service) -> None:
    """One process signs for all; one that could not tries until it can."""
    if service.elsewhere.first or service.signing.failed:
        await _sign(service)


async def _authenticate(service: Service) -> None:
    """Examine the software if it is time; a difference stops the dealing, and is told in the log."""
    before = service.authenticity.failed
    if not service.authenticity.due:
        return
    try:
        await asyncio.to_thread(service.authenticity.look)
    finally:
        if service.authenticity.failed != before:
            _log_stop(service.authenticity.failed)


async def _recover(service: Service) -> None:
    """Come back after a database that failed; told in the log, by `/health` and on the pages of staff."""
    service.recovery.tell = _log_outage
    known = service.ownership is not None and service.ownership.answers
    if known and not service.recovery.why and not service.recovery.since:
        return
    await service.recovery.look()


def _log_outage(why: str) -> None:
    if why:
        LOG.error("no commands are taken", why=why)
    else:
        LOG.warning("the ledger was compared and takes commands again")


async def _watch(service: Service) -> None:
    """Look at the ledger, one process for all; a difference stops the dealing, and is told by `/health` and to staff.

    An account that differs from it is closed.
    """
    if service.elsewhere.first or service.watch.due:
        await asyncio.to_thread(service.watch.look)
        if not service.watch.unstored:
            await service.elsewhere.examined(service.watch.difference)
    await asyncio.to_thread(service.people.look)


def _log_stop(why: str) -> None:
    LOG.error("no further round is dealt", why=why)


def _log_account(why: str) -> None:
    LOG.error("an account is closed: it was changed behind the program", why=why)


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


async def _failed(_: Request, fault: Exception) -> JSONResponse:
    """The response to an internal error, or to a fault that passes; the log has its type, not its message."""
    if why := outage(fault):
        return JSONResponse({"why": why}, 503, {"retry-after": str(AGAIN)})
    return JSONResponse({"why": BROKEN}, 500)


async def enter(link: str, request: Request, service: ServiceHere) -> Response:
    """A one-time link: begins a session and redirects to the tables."""
    answer = RedirectResponse("/", 303)
    sessions.give_cookies(request, answer, service.people.entering.follow(link, address_of(request)))
    return answer
