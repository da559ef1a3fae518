"""What operating systems do differently: the number of cores, locks on files, room on a disk, memory in use.

Everything runs on Linux. macOS lacks some calls, which have a substitute here. Windows has no lock that a process gives
back when it dies, so whatever writes a ledger is refused there in a sentence; reading and computing work.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import IO

from twentyone.errors import TwentyoneError

__all__ = [
    "NotOnThisSystem",
    "core_count",
    "file_locks",
    "lock_file",
    "make_owners_alone",
    "memory_peak",
    "reserve_room",
]


class NotOnThisSystem(TwentyoneError):
    """Something that this operating system cannot do safely."""


def core_count() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def lock_file(file: IO[bytes] | IO[str], wait: bool) -> None:
    """Lock a file until it is closed; `BlockingIOError` if another process has it and `wait` is false."""
    fcntl = file_locks()
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def file_locks() -> ModuleType:
    """The module of file locks; refused where there are none, before anything is stored."""
    fcntl = _module("fcntl")
    if fcntl is None:
        raise NotOnThisSystem(
            "this system has no lock that ends with its process, and without it two processes could write one "
            "ledger: use Linux or macOS, or Linux under Windows (WSL); reading, odds and simulations work here"
        )
    return fcntl


def make_owners_alone(handle: int, mode: int) -> None:
    """Keep an open file from everybody but its owner; Windows keeps a user's files so already."""
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def reserve_room(handle: int, size: int) -> None:
    """`OSError` if the disk has no room for so many bytes; macOS cannot reserve, so they are written."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size)
        return
    for _ in range(0, size, _BLOCK):
        os.write(handle, bytes(min(_BLOCK, size)))


_BLOCK = 1 << 20
"""Bytes that are written at a time."""


def memory_peak() -> int:
    """The most memory that this process has had, in a unit of the system; 0 if the system does not say."""
    resource = _module("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if resource is not None else 0


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None
