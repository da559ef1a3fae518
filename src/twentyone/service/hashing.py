"""Passwords are hashed beside everything else: in few threads of low priority, and few people wait for them.

A hash takes a tenth of a second and 64 MiB on purpose. Whoever comes when the queue is full is told at once to come
again; places are kept for browsers that are known, so that strangers cannot fill it against those who work here.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from twentyone.service.refusals import NotAllowed

__all__ = ["Hashing"]

THREADS = 2
"""Passwords that are hashed at once."""
PLACES, KEPT = 64, 16
"""People who may wait, and the places among them that only browsers that are known may take."""
AGAIN = 5
"""Seconds after which somebody who found no place may try again."""
NOBODY = "no account has this password"
NICE = 10
"""How far the threads stand back behind those that serve tables."""


class Hashing:
    """Hashes and compares passwords; the threads begin with the first one."""

    def __init__(self, places: int = PLACES, kept: int = KEPT) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "passwords", _stand_back)
        self._places, self._kept, self._held, self._lock = places, kept, 0, threading.Lock()
        self._hasher = PasswordHasher()
        self._nobody = ""

    @contextmanager
    def place(self, known: bool = False) -> Iterator[None]:
        """A place in the queue, for as long as the block runs; refused when there is none."""
        with self._lock:
            if self._held >= self._places - (0 if known else self._kept):
                raise NotAllowed(f"too many people log in at this moment: try again in {AGAIN} s", 503, AGAIN)
            self._held += 1
        try:
            yield
        finally:
            with self._lock:
                self._held -= 1

    def hashed(self, password: str) -> Future[str]:
        """What is stored of a password."""
        return self._threads.submit(self._hasher.hash, password)

    def compared(self, stored: str, password: str) -> Future[bool]:
        """Whether a password is the one that was stored; nothing is stored of an account that there is not."""
        return self._threads.submit(self._compare, stored, password)

    def _compare(self, stored: str, password: str) -> bool:
        self._nobody = self._nobody or self._hasher.hash(NOBODY)
        with suppress(VerificationError, InvalidHashError):
            return self._hasher.verify(stored or self._nobody, password) and bool(stored)
        return False


def _stand_back() -> None:
    """Let the loop and the ledger's writer go first, where the system lets a thread say so."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
