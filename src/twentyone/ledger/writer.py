"""One writer per ledger: a single command commits at once, commands that queue meanwhile share the next commit.

A commit that fails is never tried again: every waiting command gets the error, and the writer stops until it is told to
go on (`resume`), which is after the store was opened anew.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType

from twentyone.ledger.rows import Appended, Batch, LedgerClosed, LedgerFailed, NewEvent
from twentyone.ledger.store import Store

__all__ = ["Writer"]

MOST = 256
"""Commands that share one commit at most."""
_Waiting = tuple[Batch, "Future[Appended]"]


class Writer:
    """A supervised thread that alone appends to a store; `submit` answers with a future."""

    def __init__(self, store: Store, most: int = MOST) -> None:
        self._store, self._most = store, most
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._stopped = self._passing = ""
        self._closed = False
        self._thread = self._begin()

    def _begin(self) -> threading.Thread:
        thread = threading.Thread(target=self._supervise, name=f"ledger writer {self._store.where}", daemon=True)
        thread.start()
        return thread

    @property
    def stopped(self) -> str:
        """Why it takes no more commands; empty while it does."""
        return self._stopped

    def submit(
        self,
        stream: str,
        expected: int,
        events: Sequence[NewEvent],
        key: str,
        fingerprint: str,
        house: Sequence[NewEvent] = (),
    ) -> Future[Appended]:
        """Queue one command; the future is done when the command is on the disk or refused."""
        waiting: Future[Appended] = Future()
        with self._gate:
            if self._stopped:
                waiting.set_exception(LedgerClosed(self._stopped, self._passing))
            else:
                self._queue.put((Batch(stream, expected, events, key, fingerprint, house), waiting))
        return waiting

    def append(
        self,
        stream: str,
        expected: int,
        events: Sequence[NewEvent],
        key: str,
        fingerprint: str,
        house: Sequence[NewEvent] = (),
    ) -> Appended:
        """Queue one command and wait for its answer."""
        return self.submit(stream, expected, events, key, fingerprint, house).result()

    def resume(self) -> None:
        """Take commands again after a failure; what works, or was closed, stays as it is."""
        if not self._stopped or self._closed:
            return
        self._thread.join()
        with self._gate:
            self._stopped = self._passing = ""
            self._thread = self._begin()

    def close(self) -> None:
        """Store what is queued, then stop."""
        with self._gate:
            self._closed = True
            self._stopped = self._stopped or "the writer is closed: open the ledger again"
            self._queue.put(None)
        self._thread.join()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the thread

    def _supervise(self) -> None:
        group: list[_Waiting] = []
        try:
            while self._gather(group):
                self._commit(group)
                group.clear()
        except BaseException as fault:  # whatever it was, nobody may wait for ever
            self._stop(fault, group)

    def _gather(self, group: list[_Waiting]) -> bool:
        """Wait for a command, then take what is queued with it; false when the writer is closed and all is done."""
        item = self._queue.get()
        while item is not None:
            group.append(item)
            if len(group) == self._most:
                return True
            try:
                item = self._queue.get_nowait()
            except Empty:
                return True
        if group:
            self._queue.put(None)
        return bool(group)

    def _commit(self, group: list[_Waiting]) -> None:
        answers = self._store.append_many([batch for batch, _ in group])
        for (_, waiting), answer in zip(group, answers, strict=True):
            _tell(waiting, answer)

    def _stop(self, fault: BaseException, group: list[_Waiting]) -> None:
        failed = (
            fault if isinstance(fault, LedgerFailed) else LedgerFailed(f"the writer of the ledger failed: {fault!r}")
        )
        with self._gate:
            self._stopped, self._passing = str(failed), failed.passing
        for _, waiting in group:
            _tell(waiting, failed)
        with suppress(Empty):
            while True:
                if (item := self._queue.get_nowait()) is not None:
                    _tell(item[1], LedgerClosed(self._stopped, self._passing))


def _tell(waiting: Future[Appended], answer: Appended | Exception) -> None:
    with suppress(InvalidStateError):  # the caller has gone
        if isinstance(answer, Exception):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)
