"""What is answered while the machine or the database fails: 503 with the reason, and when to ask again."""

from __future__ import annotations

from twentyone.errors import TwentyoneError
from twentyone.ledger.failing import passing
from twentyone.ledger.rows import LedgerClosed, LedgerFailed

__all__ = ["AGAIN", "outage", "said", "wait_of"]

AGAIN = 2
"""Seconds after which a request that met a failure may be sent again."""
NOTHING_DONE = "nothing was done: send it again in a moment"
NOT_KNOWN = "whether this was stored is not known yet: send it again with the same key, it is stored once"


def outage(fault: BaseException) -> str:
    """Why a request could not be answered, where the cause is none of its own and passes; else empty."""
    if isinstance(fault, TwentyoneError):
        return said(fault) if getattr(fault, "status", 0) == 503 or isinstance(fault, LedgerFailed) else ""
    why = "no thread can be started" if "can't start new thread" in str(fault) else passing(fault)
    return f"{why}; {NOTHING_DONE}" if why else ""


def said(wrong: TwentyoneError) -> str:
    """A refusal in words; of a ledger that failed what everybody may know, not where it lies."""
    if not isinstance(wrong, LedgerFailed) or not wrong.passing:
        return str(wrong)
    rest = NOTHING_DONE if isinstance(wrong, LedgerClosed) else NOT_KNOWN
    return f"no commands are taken now: {wrong.passing}; play goes on by itself once that has passed; {rest}"


def wait_of(wrong: BaseException) -> int:
    """Seconds after which a refused request may be sent again; 0: nothing is said of it."""
    own: int = getattr(wrong, "wait", 0)
    return own or (AGAIN if isinstance(wrong, LedgerFailed) else 0)
