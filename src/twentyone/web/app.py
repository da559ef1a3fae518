"""The application: the house behind REST, WebSocket and pages."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles

from twentyone import __version__
from twentyone.errors import TwentyoneError
from twentyone.service.house import House
from twentyone.service.people import NotAllowed
from twentyone.web.api import health, law, rounds, sessions, tables
from twentyone.web.api.common import HouseHere, refused
from twentyone.web.security import Guard

__all__ = ["create_app"]

STATIC = Path(__file__).parent / "static"
CHECKPOINT = 60.0
"""Seconds between two signed checkpoints."""
LOOK_AROUND = 0.25
"""Seconds between two looks at what other processes stored, where the database does not call."""


def create_app(house: House, *, pages: bool = True, first_tables: bool = True, limited: bool = True) -> FastAPI:
    """The application for one house."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start(first_tables)
        watch = asyncio.create_task(_watch(house))
        yield
        watch.cancel()
        await house.stop()

    app = FastAPI(title="twentyone", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.house = house
    app.middleware("http")(Guard(house, limited))
    app.add_exception_handler(TwentyoneError, refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    for part in (sessions, tables, rounds, law, health):
        app.include_router(part.router, prefix="/api/v1")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_api_route("/enter/{link}", enter, include_in_schema=False)
    if pages:
        from twentyone.web.pages import add_pages

        add_pages(app, house)
    return app


async def _watch(house: House) -> None:
    signed = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_AROUND)
        with contextlib.suppress(TwentyoneError):
            await house.look_around()
            if time.monotonic() - signed > CHECKPOINT:
                signed = time.monotonic()
                await asyncio.to_thread(house.checkpoint)


async def _invalid(_: Request, wrong: Exception) -> JSONResponse:
    """What in a request is not as it must be."""
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return JSONResponse({"why": f"{place}: {first['msg']}"}, 422)


async def enter(link: str, request: Request, house: HouseHere) -> Response:
    """A one-time link: begins a session and goes to the tables."""
    try:
        session = house.people.follow(link)
    except NotAllowed as wrong:
        return JSONResponse({"why": str(wrong)}, wrong.status)
    answer = RedirectResponse("/", 303)
    sessions.give_cookies(request, answer, session)
    return answer
