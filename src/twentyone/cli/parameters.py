"""The simulator's parameters under the names of their command-line options."""

from __future__ import annotations

from twentyone.errors import NotAScript, Refused

__all__ = ["in_options"]

OPTIONS = {
    "bankroll": "--bankroll",
    "checkpoint": "--checkpoint",
    "count": "--count",
    "error_rate": "--error-rate",
    "main": "--main",
    "mode": "--mode",
    "rounds": "--rounds",
    "sides": "--side",
    "steps": "--spread",
    "trips": "--trips",
    "until": "--until-stderr",
}
"""Parameter to option."""

CHOICES = {"engine=cpu": "--engine cpu", "fast=False": "--plain", "mode=fresh": "--mode fresh"}
"""A parameter with the value that the simulator recommends, written as an option."""


def in_options(wrong: Exception) -> str:
    """The text of a refusal, with each parameter of the simulator named as its option."""
    text = str(wrong)
    name = wrong.step if isinstance(wrong, Refused) else wrong.key if isinstance(wrong, NotAScript) else ""
    if name in OPTIONS:
        text = OPTIONS[name] + text.removeprefix(name)
    for choice, option in CHOICES.items():
        text = text.replace(choice, option)
    return text
