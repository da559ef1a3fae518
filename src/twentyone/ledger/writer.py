"""One writer per ledger: a single command commits at once, commands that queue meanwhile share the next commit.

A commit that fails is never tried again: every waiting command gets the error, and the writer stops until it is told to
go on (`resume`), which is after the store was opened anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import NamedTuple

from twentyone.ledger.rows import Appended, Batch, LedgerClosed, LedgerFailed, NewEvent
from twentyone.ledger.store import Store

__all__ = ["Answers", "Writer"]

MOST = 256
"""Commands that share one commit, beside those that were queued together."""
Answers = Sequence[Appended | Exception]


class _Group(NamedTuple):
    """Commands that were queued together, and who is told what became of them, in the writer's thread."""

    batches: Sequence[Batch]
    told: Callable[[Answers], None]


class Writer:
    """A supervised thread that alone appends to a store; `submit` answers with a future."""

    def __init__(self, store: Store, most: int = MOST) -> None:
        self._store, self._most = store, most
        self._queue: SimpleQueue[_Group | None] = SimpleQueue()
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
        self.submit_many(
            [Batch(stream, expected, events, key, fingerprint, house)], lambda answers: _tell(waiting, answers[0])
        )
        return waiting

    def submit_many(self, batches: Sequence[Batch], told: Callable[[Answers], None]) -> None:
        """Queue commands that share a commit; `told` is called once, with an answer for each, in their order."""
        with self._gate:
            closed = LedgerClosed(self._stopped, self._passing) if self._stopped else None
            if closed is None:
                self._queue.put(_Group(batches, told))
        if closed is not None:
            told([closed] * len(batches))

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
        groups: list[_Group] = []
        try:
            while self._gather(groups):
                self._commit(groups)
                groups.clear()
        except BaseException as fault:  # whatever it was, nobody may wait for ever
            self._stop(fault, groups)

    def _gather(self, groups: list[_Group]) -> bool:
        """Wait for a command, then take what is queued with it; false when the writer is closed and all is done."""
        item, count = self._queue.get(), 0
        while item is not None:
            groups.append(item)
            count += len(item.batches)
            if count >= self._most:
                return True
            try:
                item = self._queue.get_nowait()
            except Empty:
                return True
        if groups:
            self._queue.put(None)
        return bool(groups)

    def _commit(self, groups: list[_Group]) -> None:
        answers = iter(self._store.append_many([batch for group in groups for batch in group.batches]))
        for group in groups:
            group.told(list(islice(answers, len(group.batches))))

    def _stop(self, fault: BaseException, groups: list[_Group]) -> None:
        failed = (
            fault if isinstance(fault, LedgerFailed) else LedgerFailed(f"the writer of the ledger failed: {fault!r}")
        )
        with self._gate:
            self._stopped, self._passing = str(failed), failed.passing
        for group in groups:
            group.told([failed] * len(group.batches))
        with suppress(Empty):
            while True:
                if (item := self._queue.get_nowait()) is not None:
                    item.told([LedgerClosed(self._stopped, self._passing)] * len(item.batches))


def _tell(waiting: Future[Appended], answer: Appended | Exception) -> None:
    with suppress(InvalidStateError):  # the caller has gone
        if isinstance(answer, Exception):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)
