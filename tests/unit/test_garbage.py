"""A server looks for garbage by the clock: among what is new often, among everything once memory has grown."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest
from tests.patience import until_soon

from twentyone.service import garbage


class Ring:
    """Something that refers to itself, so that only a search finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def _as_before() -> Iterator[None]:
    yield
    gc.enable()


def _lost_ring() -> weakref.ref[Ring]:
    return weakref.ref(Ring())


@pytest.mark.usefixtures("_as_before")
def test_new_garbage_is_found_and_old_garbage_once_memory_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = [100]
    monkeypatch.setattr(garbage, "memory_peak", lambda: memory[0])
    monkeypatch.setattr(garbage, "EVERY", 0.001)

    async def serve() -> None:
        cleaning = asyncio.create_task(garbage.collect_garbage())
        await until_soon(lambda: not gc.isenabled(), "nothing is looked for by counting any more")
        young = _lost_ring()
        await until_soon(lambda: young() is None, "what is new is looked at")
        kept = [Ring()]
        old = weakref.ref(kept[0])
        await until_soon(lambda: not _is_new(kept[0]), "what a moment leaves is put aside")
        kept.clear()
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert old() is not None  # or everything would be looked at each time
        memory[0] = 126
        await until_soon(lambda: old() is None, "everything is looked at")
        cleaning.cancel()

    asyncio.run(serve())


def _is_new(ring: Ring) -> bool:
    return any(one is ring for one in gc.get_objects(generation=0))
