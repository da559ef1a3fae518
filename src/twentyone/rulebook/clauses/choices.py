"""What can go wrong, what the operator chooses, what can be read two ways."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.vocabulary import Chooser, Effect, IrregularityName, Name, Text, TomlValue

__all__ = [
    "Irregularity",
    "Reading",
    "SubmissionKey",
]


@clause("irregularity", named=True)
class Irregularity(Clause):
    """Something that went wrong, and what is to be done."""

    name: IrregularityName
    """Which one."""
    effects: tuple[Effect, ...]
    """What follows, from a closed list."""
    choice: Chooser | None = None
    """Who chooses among them: player or dealer."""
    least: int | None = None
    """From this many on, or from this total on."""
    total: int | None = None
    """Only on this total."""
    after: Literal["players", "all"] = "players"
    """Once the initial two cards are dealt to the `players`, or to `all` of them and the dealer."""
    ten: bool = False
    """A card found face up: whether a ten that lies so counts here too."""
    settled: Literal["undone", "stands"] = "undone"
    """A void round: what was settled before it is `undone`, or `stands`."""
    keeps_face_up: bool = False
    """A rack that is shuffled within a round: whether cards found face up in that round stay out of the shuffle."""


@clause("submission", named=True)
class SubmissionKey(Clause):
    """A choice the text leaves to the operator (or, `fixed`, does not leave)."""

    name: Name
    """The key."""
    type: Literal["", "integer", "boolean", "choice", "amount", "odds", "table"] = ""
    """integer, boolean, choice, amount, odds, table."""
    default: TomlValue = None
    """Taken where the key is absent."""
    choices: tuple[TomlValue, ...] = ()
    """Allowed values (choice, integer)."""
    least: TomlValue = None
    """Smallest allowed."""
    most: TomlValue = None
    """Largest allowed."""
    optional: bool = False
    """Whether null is allowed."""
    several: bool = False
    """Whether a list of several of the choices is allowed."""
    fixed: bool = False
    """The text fixes it: naming it is refused."""
    only_with: Mapping[str, Any] = field(default_factory=dict)
    """True (or a choice) only with these values of other keys; without them the default is false."""
    stated: Literal["", "required", "to_offer"] = ""
    """`required`: the text wants the submission to say it; `to_offer`: a wager is offered only where it says so."""
    says: Text = ""
    """What the choice is, in a few words."""


@clause("reading", named=True)
class Reading(Clause):
    """A paragraph that can be read two ways."""

    name: Name
    """The id."""
    values: tuple[Name, ...]
    """The readings, the default first."""
