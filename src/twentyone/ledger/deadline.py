"""A connection to PostgreSQL that waits for an answer no longer than whoever asks can.

A server that stands still, or a network that swallows what is sent, closes no connection: a statement would be waited
for until somebody looks. After the deadline the connection is closed, as if the server had closed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

__all__ = ["DeadlineConnection", "connect"]

T = TypeVar("T")
LOOK = 0.1
"""Seconds between two looks whether Ctrl-C was pressed."""


class DeadlineConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose server must answer in time."""

    deadline: float | None = None
    """Seconds for which an answer is waited for; none: as long as it takes."""

    @contextmanager
    def patient(self) -> Iterator[None]:
        """Wait as long as it takes meanwhile."""
        deadline, self.deadline = self.deadline, None
        try:
            yield
        finally:
            self.deadline = deadline

    def wait(self, gen: PQGen[T], interval: float = LOOK, timeout: float | None = None) -> T:
        """Wait for an answer of the server."""
        try:
            return super().wait(gen, interval, self.deadline if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError(f"the server has not answered for {self.deadline} s") from None


def connect(url: str, seconds: int, deadline: float | None = None) -> DeadlineConnection:
    """Connect within some seconds; every statement is a transaction of its own unless one is begun."""
    connection = DeadlineConnection.connect(url, autocommit=True, connect_timeout=seconds)
    connection.deadline = deadline
    return connection
