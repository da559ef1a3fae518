"""What the tables of other processes know: a name is given to nobody while one of them may have it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from twentyone.ledger.leases import Member
from twentyone.service.elsewhere import NO, YES, Elsewhere
from twentyone.service.peer_client import PeerGone
from twentyone.service.refusals import NotAllowed

OTHERS = [Member("a", "http://a", True), Member("b", "http://b", True)]


def elsewhere(answers: dict[str, bytes], loop: asyncio.AbstractEventLoop) -> Elsewhere:
    async def tell(member: Member, what: str, about: str) -> bytes:
        assert (what, about) == ("named", "Zoe")
        if member.id not in answers:
            raise PeerGone(sent=True)
        return answers[member.id]

    ownership: Any = SimpleNamespace(others=OTHERS, tell=tell, loop=loop)
    return Elsewhere(ownership)


@pytest.mark.parametrize(("a", "b"), [(NO, NO), (NO, YES), (YES, NO)])
def test_a_name_is_asked_of_every_process(a: bytes, b: bytes) -> None:
    async def ask() -> bool:
        asked = elsewhere({"a": a, "b": b}, asyncio.get_running_loop())
        return await asyncio.to_thread(asked.is_named, "Zoe")

    assert asyncio.run(ask()) == (YES in (a, b))


@pytest.mark.parametrize("answers", [{"a": NO}, {"a": NO, "b": b""}, {}])
def test_who_does_not_answer_may_have_the_name(answers: dict[str, bytes]) -> None:
    async def ask() -> bool:
        return await asyncio.to_thread(elsewhere(answers, asyncio.get_running_loop()).is_named, "Zoe")

    with pytest.raises(NotAllowed, match="does not answer: try again"):
        asyncio.run(ask())
