"""A worker process: it answers one question after the other, asked and answered by lines of JSON.

`python -m twentyone.desk.worker` reads `{"id", "kind", "asked", "work"}` from its standard input (`work`: a file for
unfinished work), and `{"cancel": id}`. It writes `{"share", ...}` on the way, then one line with `state`. When its
standard input ends, it keeps its work and ends.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any, TextIO

from twentyone.desk.answers import ANSWERS, Stopped
from twentyone.errors import Refused, TwentyoneError

__all__ = ["main"]

NICENESS = 19
"""The least that the machine gives: whoever plays at a table comes first."""
GRACE = 10.0
"""Seconds that the work may take to be kept once nobody listens."""
OFTEN = 0.2
"""Seconds between two lines of progress."""

Line = dict[str, Any]


class Worker:
    """What it is asked, and how it answers."""

    def __init__(self, asked: TextIO, said: TextIO) -> None:
        self._asked, self._said = asked, said
        self._lines: SimpleQueue[Line | None] = SimpleQueue()
        self._lock, self._current, self._last = threading.Lock(), "", 0.0

    def run(self) -> None:
        """Answer until nobody asks any more."""
        threading.Thread(target=self._listen, daemon=True).start()
        while (line := self._lines.get()) is not None:
            self._say(self._answer(line))

    def _listen(self) -> None:
        for text in self._asked:
            line = json.loads(text)
            if "cancel" not in line:
                self._lines.put(line)
            else:
                self._interrupt(line["cancel"])
        self._lines.put(None)
        self._interrupt(self._current)
        time.sleep(GRACE)
        os._exit(1)

    def _interrupt(self, which: str) -> None:
        """Interrupt the work on a question, if that is what is being worked on."""
        with self._lock:
            if which and which == self._current:
                _thread.interrupt_main()

    def _answer(self, line: Line) -> Line:
        self._last = 0.0
        try:
            self._current = line["id"]
            body = ANSWERS[line["kind"]](line["asked"], self._tell, line["work"])
            with self._lock:
                self._current = ""
            return {"state": "done", "body": body}
        except Stopped as stopped:
            return {"state": "cancelled", "told": stopped.told}
        except KeyboardInterrupt:
            return {"state": "cancelled", "told": {}}
        except (TwentyoneError, ValueError) as wrong:
            cite = wrong.cite if isinstance(wrong, Refused) else ""
            return {"state": "failed", "why": str(wrong).removesuffix(f" ({cite})"), "cite": cite}
        except Exception as fault:
            return {"state": "failed", "why": f"the computation failed ({type(fault).__name__}: {fault})", "cite": ""}
        finally:
            self._current = ""

    def _tell(self, share: float, *, at_once: bool = False, **told: Any) -> None:
        now = time.monotonic()
        if at_once or now - self._last >= OFTEN:
            self._last = now
            self._say({"share": share, **told})

    def _say(self, line: Line) -> None:
        self._said.write(json.dumps(line) + "\n")
        self._said.flush()


def main() -> int:
    """Serve: answers have the standard output for themselves, whoever else prints."""
    os.nice(NICENESS)
    said = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Worker(sys.stdin, said).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
