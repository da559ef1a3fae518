"""Everything that can be refused.

TwentyoneError
├── NotAScript         the text is not a round script: unreadable, unknown key, wrong form
├── Refused            the rulebook says no to a step of the round
├── SubmissionRefused  the rulebook says no to a choice of the operator
├── RulebookError      a rulebook does not load: a fence is wrong; never the user's fault
│   └── NoSuchRulebook a rulebook was named that there is not
├── (strategy/)        ChartRefused: a chart that is none for these rules; NoChart: none was made yet
└── (ledger/rows.py)   NotCanonical, StaleVersion, KeyReused, LedgerFailed,
                       LedgerRefused (NoSuchLedger, RulesUnavailable)
"""

from __future__ import annotations

__all__ = ["NoSuchRulebook", "NotAScript", "Refused", "RulebookError", "SubmissionRefused", "TwentyoneError"]


class TwentyoneError(Exception):
    """Base of all refusals; `str()` is one sentence for a person."""


class NotAScript(TwentyoneError):
    """A text that is not in the format it claims; `key` says where."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        """Where in the text, as a path of keys (`wagers[0].main`)."""


class Refused(TwentyoneError):
    """A step the rulebook does not allow now."""

    def __init__(self, why: str, cite: str, step: str = "") -> None:
        super().__init__(why)
        self.why = why
        """What was asked and what is wrong with it."""
        self.cite = cite
        """The full citation of the paragraph that says so."""
        self.step = step
        """Where it stands in a script (`decisions[2]`), when it came from one."""

    def __str__(self) -> str:
        place = f"{self.step}: " if self.step else ""
        return f"{place}{self.why} ({self.cite})"


class SubmissionRefused(Refused):
    """A choice of the operator that the rulebook does not leave to him, or not like that."""

    def __init__(self, key: str, why: str, cite: str) -> None:
        super().__init__(why, cite, f"submission.{key}")
        self.key = key
        """The submission key at fault."""


class RulebookError(TwentyoneError):
    """A rulebook that does not load: the file and line, the paragraph, and what is wrong with its entry."""

    def __init__(self, paragraph: str, why: str, place: str = "") -> None:
        super().__init__(f"{place}: {paragraph}: {why}" if place else f"{paragraph}: {why}")
        self.paragraph = paragraph
        """The paragraph (or file) whose entry is at fault."""
        self.place = place
        """The file and the line, where they are known."""


class NoSuchRulebook(RulebookError):
    """A rulebook was named that there is not."""
