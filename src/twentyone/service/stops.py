"""Why the house deals no further round: every reason by its name. Rounds in progress conclude first."""

from __future__ import annotations

from twentyone.errors import Refused

__all__ = ["Stops"]

BEGINS = "deal"
"""The command that begins a round."""


class Stops:
    """The reasons for which play is stopped in this process; none: it goes on."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """What has stopped, and why, as a sentence for people."""

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def tell(self, what: str, why: str) -> None:
        """Stop for a reason, or with an empty one go on."""
        if why:
            self.reasons[what] = why
        else:
            self.reasons.pop(what, None)

    def check(self, do: str) -> None:
        """Refuse a command that begins a round while there is a reason."""
        if self.reasons and do == BEGINS:
            raise Refused(f"no further round is dealt: {next(iter(self.reasons.values()))}")
