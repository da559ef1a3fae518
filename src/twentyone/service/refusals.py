"""A person may not do something: the one refusal of the service that is not the table's."""

from __future__ import annotations

from twentyone.errors import TwentyoneError

__all__ = ["NotAllowed"]


class NotAllowed(TwentyoneError):
    """A person may not do this; `status` is the HTTP status."""

    def __init__(self, why: str, status: int = 403, wait: int = 0) -> None:
        super().__init__(why)
        self.status = status
        """401 unknown, 403 known but not allowed, 404 no such account, 409 taken, 429 too often, 503 too many."""
        self.wait = wait
        """Seconds after which it may be tried again; 0: nothing is said of it."""
