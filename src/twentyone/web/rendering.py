"""What takes long to write: worked out beside the event loop, few at once, kept where it changes with the package only.

Its cost is counted in the processor's time, for whoever asked: a page of a law costs a hundred times what a list of
tables costs, and a limit of requests alone would let one stranger take the house from everybody else.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Hashable
from types import coroutine
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import htpy as h
from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup
from starlette.requests import HTTPConnection

from twentyone.service.people import NotAllowed
from twentyone.web.moving_window import MovingSum

__all__ = ["AT_ONCE", "PAYER", "TOO_COSTLY", "Payer", "Rendering", "metered", "rendering_of"]

AT_ONCE = 2
"""Parts that are worked out at once for strangers; as many beside them for persons."""
KEPT = 64 * 1024 * 1024
"""Characters of all parts that are kept; those that nobody asked for the longest go first."""
PAYER = "twentyone.payer"
"""The key under which a request says who pays for what it costs."""
WINDOW = 10
"""Seconds in which costs are counted."""
TOO_COSTLY = "your pages and readings took too much of the server's time in ten seconds: wait a moment"
processor_time = time.thread_time
"""Seconds of the processor that this thread has had."""
Found = TypeVar("Found")


class Payer(NamedTuple):
    """Who pays for what a request costs."""

    costs: MovingSum
    """What everybody has cost in the last seconds."""
    who: str
    """The name under which it is counted."""
    most: float
    """Seconds of the processor that may be spent within the window."""
    stranger: bool
    """Whether nobody knows who it is."""

    def pay(self, seconds: float) -> None:
        """Count what was spent."""
        self.costs.add(self.who, seconds)

    @property
    def can(self) -> bool:
        """Whether something is left to spend."""
        return self.costs.of(self.who) < self.most


class Rendering:
    """The parts of pages of one application."""

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, Markup] = OrderedDict()
        self._turns = {stranger: asyncio.Semaphore(AT_ONCE) for stranger in (True, False)}
        self._making: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def part(self, asked: HTTPConnection, key: Hashable, make: Callable[[], h.Renderable]) -> Markup:
        """A part of a page, by all that it depends on: worked out once, however many ask for it."""
        lock = self._making.get(key)
        if lock is None:
            lock = self._making[key] = asyncio.Lock()
        async with lock:
            known = self._kept.get(key)
            if known is None:
                known = self._keep(key, await self.work(asked, lambda: Markup(make())))
            self._kept.move_to_end(key)
            return known

    async def work(self, asked: HTTPConnection, make: Callable[[], Found]) -> Found:
        """Work something out in its turn; refused where whoever asks has nothing left to spend by then."""
        payer: Payer | None = asked.scope.get(PAYER)
        async with self._turns[payer is None or payer.stranger]:
            if payer is None:
                return await run_in_threadpool(make)
            if not payer.can:
                raise NotAllowed(TOO_COSTLY, 429, wait=WINDOW)
            return await run_in_threadpool(_paid, make, payer)

    def _keep(self, key: Hashable, part: Markup) -> Markup:
        self._kept[key] = part
        self._size += len(part)
        while self._size > self._most and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return part


def rendering_of(asked: HTTPConnection) -> Rendering:
    """The rendering of the application that is asked."""
    found: Rendering = asked.app.state.rendering
    return found


def _paid(make: Callable[[], Found], payer: Payer) -> Found:
    begun = processor_time()
    try:
        return make()
    finally:
        payer.pay(processor_time() - begun)


@coroutine
def metered(work: Coroutine[Any, Any, Found], pay: Callable[[float], None]) -> Generator[Any, Any, Found]:
    """Await something, and count the processor's time that it takes of the event loop itself."""
    go_on, given = work.send, None
    while True:
        begun = processor_time()
        try:
            awaited = go_on(given)
        except StopIteration as over:
            found: Found = over.value
            return found
        finally:
            pay(processor_time() - begun)
        try:
            go_on, given = work.send, (yield awaited)
        except BaseException as thrown:
            go_on, given = work.throw, thrown
