"""Everything that can be refused, with the package of what is not defined here.

TwentyoneError           one sentence for a person
├── NotAScript           the text is not in the format it claims: unreadable, unknown key, wrong form
├── Refused              a step is not allowed now: the rulebook, or the sense of the matter, says no
│   ├── SubmissionRefused    the rulebook says no to a choice of the operator
│   ├── ChartRefused         strategy: a chart that is none for these rules
│   └── CannotCompile        sim: a rule that the simulator's arrays cannot express
├── RulebookError        a rulebook does not load: a fence is wrong; never the user's fault
│   ├── NoSuchRulebook       a rulebook was named that there is not
│   └── NoSuchEdition        a day was named on which its text is not law, or is not held
├── NotAuthentic         authentic: the package is not what was signed
├── NotOnThisSystem      platforms: what this operating system cannot do safely
├── NotInstalled         an optional package is missing, with the extra that brings it
├── NotAligned           rulebook: a copy of a text in which paragraphs are missing
├── NoChart              strategy: the chart of the rulebook was not made yet
├── SourceFailed         table: the source of entropy cannot be trusted
├── LedgerRefused        ledger: this software will not open or write the ledger
│   ├── NoSuchLedger         ledger: there is nothing at the address
│   ├── OlderSchema          ledger: its schema is older than this software's; a command that only reads leaves it so
│   ├── PeriodClosed         ledger: its period is closed, nothing more is stored in it
│   ├── RulesUnavailable     ledger: the rulebook of the table does not load
│   └── OtherKey             ledger: it was sealed with another key
├── LedgerFailed         ledger: the database failed
│   ├── LedgerClosed         ledger: it had failed before, and nothing was stored
│   └── RunnerStopped        ledger: the table stands still since then
├── NotCanonical         ledger: canonical JSON cannot say the value
├── StaleVersion         ledger: the command was made on an older version of the table
├── Superseded           ledger: another process leads the table by now
├── KeyReused            ledger: another command has used the idempotency key
├── NoSuchRound          ledger: the ledger does not hold the round
├── NoSuchShoe           ledger: the table has no such shoe
├── NotAPeriod           ledger: the words name no shift
├── CannotSay            ledger: a round that is in progress, or whose steps were not kept
├── DealtOtherwise       ledger: dealt again, the round differs from the ledger
├── ReviewsRefused       ledger: a line is no signed review, or was changed afterwards
├── EngineFault          sim: the engine cannot start, or gave up
│   ├── NoGpu                sim: there is no GPU, or it gave up
│   └── OtherPackage         sim: a worker has another version of this package
├── Halted               sim: the simulation stopped before its end; carries the work so far
├── TripsHalted          sim: the trips were stopped before the last; carries those that were played
├── _Unwritable          sim: the checkpoint cannot be written
├── ShiftBroken          service: a fault of this software stopped a shift, what it did is kept
├── NoSuchTable          service: there is no such table
├── NotAllowed           service: the person may not do this
├── RecordsFailed        service: accounts and sessions cannot be read or written now
├── OutOfCards           cli: neither the shoe nor the discard rack holds a card that is due
└── NotDrawn             cli: the picture could not be drawn or written

Exception
├── UnknownWord          rulebook: the value of a field is not of its type; the loader says where
├── WatchEnded           service: the service ends while its ledger is examined
├── PeerGone             service: the process that leads the table did not answer
├── WorkerEnded          service: the worker process ended before it answered
├── Stopped              desk: somebody stopped the work; what is kept of it can go on
├── UsageError           cli: the command line names what is not there; exit status 64
└── Leave                cli: somebody leaves the table; no fault
"""

from __future__ import annotations

__all__ = [
    "NoSuchEdition",
    "NoSuchRulebook",
    "NotAScript",
    "NotInstalled",
    "Refused",
    "RulebookError",
    "SubmissionRefused",
    "TwentyoneError",
]


class TwentyoneError(Exception):
    """Base of all refusals; `str()` is one sentence for a person."""


class NotAScript(TwentyoneError):
    """A text that is not in the format it claims; `key` says where."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        """Where in the text, as a path of keys (`wagers[0].main`)."""


class Refused(TwentyoneError):
    """A step that is not allowed now; where the rulebook says so, with its paragraph."""

    def __init__(self, why: str, cite: str = "", step: str = "") -> None:
        super().__init__(why)
        self.why = why
        """What was asked and what is wrong with it."""
        self.cite = cite
        """The full citation of the paragraph that says so; empty where no paragraph does."""
        self.step = step
        """What is at fault: a key of a script (`decisions[2]`), a parameter of a call (`rounds`)."""

    def __str__(self) -> str:
        step = f"{self.step}: " if self.step else ""
        return f"{step}{self.with_cite}"

    @property
    def with_cite(self) -> str:
        """What is wrong and the paragraph that says so, without where it is written."""
        return f"{self.why} ({self.cite})" if self.cite else self.why


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


class NoSuchEdition(RulebookError):
    """A day was named on which a rulebook is not law, or whose text is not held."""


class NotInstalled(TwentyoneError, ImportError):
    """An optional package is missing that was asked for."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs the package {package}: install `{extra}`")
        self.package = package
        """The package that is missing."""
