"""Regulated twenty-one games that deal, pay and cite the paragraph.

>>> from twentyone import Rulebook, Round, replay
>>> Rulebook.load("pa-down-under-blackjack").title
'Down Under Blackjack'
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from twentyone.version import __version__, too_old

if TYPE_CHECKING:
    from twentyone.cards import Card
    from twentyone.errors import NotAScript, Refused, RulebookError, SubmissionRefused, TwentyoneError
    from twentyone.money import Amount, Odds
    from twentyone.round import Decision, Round
    from twentyone.rulebook import Rulebook, Rules
    from twentyone.script import replay

__all__ = [
    "Amount",
    "Card",
    "Decision",
    "NotAScript",
    "Odds",
    "Refused",
    "Round",
    "Rulebook",
    "RulebookError",
    "Rules",
    "SubmissionRefused",
    "TwentyoneError",
    "__version__",
    "replay",
]

_HOMES = {
    "Amount": "money",
    "Card": "cards",
    "Decision": "round",
    "NotAScript": "errors",
    "Odds": "money",
    "Refused": "errors",
    "Round": "round",
    "Rulebook": "rulebook",
    "RulebookError": "errors",
    "Rules": "rulebook",
    "SubmissionRefused": "errors",
    "TwentyoneError": "errors",
    "replay": "script",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError("module 'twentyone' has no attribute " + repr(name))
    wrong = too_old(sys.version_info[:2])
    if wrong:
        raise ImportError("twentyone: " + wrong)
    return getattr(import_module("twentyone." + _HOMES[name]), name)


def __dir__() -> "list[str]":
    return sorted([*globals(), *__all__])
