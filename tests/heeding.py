"""Commands that are begun as from a terminal, wherever the tests run."""

from __future__ import annotations

import signal

__all__ = ["heed_ctrl_c"]


def heed_ctrl_c() -> None:
    """For a process before its command: it inherits that Ctrl-C is ignored, where tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
