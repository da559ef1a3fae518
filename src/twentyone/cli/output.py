"""Standard output that may be closed, full, or a pipe whose reader has gone: the status of a command stands."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["delivering", "undelivered"]

Lost = Callable[[], OSError | None]
"""Why something that was printed did not arrive; none if all of it did."""


class Delivery(io.FileIO):
    """A file descriptor that remembers why it could not be written to; what is printed afterwards is dropped.

    With `again` it is tried again: a log goes on once the disk has room.
    """

    def __init__(self, fd: int, again: bool = False) -> None:
        super().__init__(fd, "w", closefd=False)
        self._again = again
        self.lost: OSError | None = None
        """The first failure."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or drop."""
        if self.lost is None or self._again:
            try:
                return super().write(data)
            except OSError as wrong:
                self.lost = wrong
        return memoryview(data).nbytes


@contextmanager
def delivering() -> Iterator[Lost]:
    """Print for as long as the block runs without ever failing; yields what asks whether it all arrived."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    messages = _guarded(sys.stderr, sys.__stderr__, again=True)
    with redirect_stdout(_guarded(sys.stdout, sys.__stdout__)), redirect_stderr(messages):
        try:
            yield undelivered
        finally:
            sys.stderr.flush()


def undelivered() -> OSError | None:
    """Why standard output did not arrive, if it did not: also what is still on its way is sent now."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    return raw.lost if isinstance(raw, Delivery) else None


def _guarded(stream: TextIO | None, own: TextIO | None, again: bool = False) -> TextIO:
    """The process's own stream in a form that does not fail; a stream that somebody has put in its place stays."""
    if stream is not None and (stream is not own or not isinstance(stream, io.TextIOWrapper)):
        return stream
    if stream is None:  # it was closed before the start: its number must not become that of a file of ours
        return _text(Delivery(os.open(os.devnull, os.O_RDONLY)), "utf-8")
    at_once = stream.write_through
    return _text(Delivery(stream.fileno(), again), stream.encoding, at_once, stream.line_buffering)


def _text(raw: Delivery, encoding: str, at_once: bool = False, lines: bool = False) -> TextIO:
    held = raw if at_once else io.BufferedWriter(raw)
    return io.TextIOWrapper(
        held,
        encoding,
        errors="backslashreplace",
        write_through=at_once,
        line_buffering=lines,
    )
