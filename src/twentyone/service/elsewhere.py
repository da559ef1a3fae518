"""What the tables of other processes know: who sits there with how much, and their rows in lists of all tables."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from twentyone.money import Amount
from twentyone.service.ownership import Ownership
from twentyone.service.peer_client import PEER, PeerGone
from twentyone.service.people import NotAllowed, Person

if TYPE_CHECKING:
    from twentyone.ledger.leases import Member

__all__ = ["NO", "YES", "Elsewhere"]

SOON, AGAIN = 2.0, 4
"""Seconds in which another process answers; what is known of one that does not stays as it was. Seconds until somebody
else leads its tables."""
YES, NO = b"yes", b"no"
UNSURE = b"the process that leads the table does not answer: look at the table before you ask again"
Seats = dict[str, dict[str, str]]
"""Table to player to what he has there."""


class Elsewhere:
    """The tables that other processes lead; none where a ledger has one process."""

    def __init__(self, ownership: Ownership | None) -> None:
        self._ownership = ownership
        self._seats: dict[str, Seats] = {}

    async def all_loaded(self) -> None:
        """Wait until every table of this process is loaded."""
        if self._ownership is not None:
            await self._ownership.loaded.wait()

    async def look(self, name: str) -> None:
        """Ask where somebody sits, with how much."""
        for member, told in await self._ask("seats", name):
            for players in self._seats.get(member.id, {}).values():
                players.pop(name, None)
            for table, players in orjson.loads(told).items():
                self._seats.setdefault(member.id, {}).setdefault(table, {}).update(players)
        alive = {member.id for member in self._others}
        self._seats = {process: seats for process, seats in self._seats.items() if process in alive}

    def is_named(self, name: str) -> bool:
        """Whether somebody at a table there has this name, in whatever case; asked beside the loop, in a thread."""
        if self._ownership is None or not self._others:
            return False
        return asyncio.run_coroutine_threadsafe(self._is_named(name), self._ownership.loop).result()

    async def _is_named(self, name: str) -> bool:
        """Nobody is given a name while a process does not say whether one of its players has it."""
        others, told = self._others, await self._ask("named", name)
        if len(told) < len(others):
            raise NotAllowed("a process of this house does not answer: try again in a moment", 503, AGAIN)
        return any(answer == YES for _, answer in told)

    async def orders(self) -> None:
        """An order was given or withdrawn: the others heed it at once."""
        await self._ask("orders")

    @property
    def first(self) -> bool:
        """Whether it falls to this process to do what one does for all."""
        return self._ownership is None or self._ownership.first

    async def examined(self, difference: str) -> None:
        """The ledger was looked at here; what is not as it was, if anything, is stored."""
        await self._ask("examined", difference)

    async def go(self, name: str) -> None:
        """A player goes: he leaves every table that he may leave."""
        await self._ask("go", name)

    @property
    def _others(self) -> list[Member]:
        return self._ownership.others if self._ownership is not None else []

    async def _ask(self, what: str, about: str = "") -> list[tuple[Member, bytes]]:
        async def one(member: Member) -> bytes:
            assert self._ownership is not None
            try:
                async with asyncio.timeout(SOON):
                    return await self._ownership.tell(member, what, about)
            except (PeerGone, TimeoutError):
                return b""

        others = self._others
        told = await asyncio.gather(*map(one, others))
        return [pair for pair in zip(others, told, strict=True) if pair[1]]

    # -- as it was when it was last looked at

    def of(self, name: str) -> Mapping[str, Amount]:
        """What a player has at each table there."""
        tables = {table: players for seats in self._seats.values() for table, players in seats.items()}
        return {table: Amount(players[name]) for table, players in tables.items() if name in players}

    # -- lists of all tables

    async def line(self, table: str, person: Person) -> bytes:
        """A table's line in JSON, from the process that leads it; nothing if it is this one."""
        return await self._ask_leader(table, "line", orjson.dumps([table, *person]).decode()) or b""

    async def carry_out(self, table: str, asked: str) -> bytes:
        """Have a command carried out by the process that leads a table; nothing if it is this one."""
        told = await self._ask_leader(table, "carry", asked)
        return UNSURE if told == b"" else told or b""

    async def _ask_leader(self, table: str, what: str, about: str) -> bytes | None:
        """What the process that leads a table answers; empty if it does not, none if it is this one."""
        leader = await self._ownership.where(table) if self._ownership is not None else None
        if leader is None or self._ownership is None:
            return None
        with suppress(PeerGone, TimeoutError):
            async with asyncio.timeout(SOON):
                return await self._ownership.tell(leader, what, about)
        return b""

    async def rows(self, path: str, headers: Mapping[str, str], scheme: str = "http") -> list[Any]:
        """What the other processes answer to the same request, whoever asks."""

        async def one(member: Member) -> Any:
            assert self._ownership is not None
            passed = self._ownership.pass_.make(member.id, ("-", scheme), "GET", path)
            given = [(b"host", headers.get("host", "peer").encode()), (PEER, passed)]
            given += [(b"cookie", headers["cookie"].encode("latin-1"))] if "cookie" in headers else []
            try:
                async with asyncio.timeout(SOON):
                    answer = await self._ownership.client.ask(member.address, "GET", path, given)
            except (PeerGone, TimeoutError):
                return None
            return orjson.loads(answer.body) if answer.status == 200 else None

        return [told for told in await asyncio.gather(*map(one, self._others)) if told is not None]
