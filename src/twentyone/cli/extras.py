"""Commands that need optional packages: a clear message if one is missing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import wraps

from twentyone.cli import USAGE
from twentyone.cli.common import say
from twentyone.errors import NotInstalled

__all__ = ["needs"]

Run = Callable[[argparse.Namespace], int]


def needs(extra: str) -> Callable[[Run], Run]:
    """Say which extra to install if a command lacks a package."""

    def guard(run: Run) -> Run:
        @wraps(run)
        def guarded(options: argparse.Namespace) -> int:
            try:
                return run(options)
            except NotInstalled as missing:
                say(str(missing))
                return USAGE
            except ModuleNotFoundError as missing:
                name = (missing.name or "").partition(".")[0]
                if name in ("", "twentyone"):
                    raise
                say(f"this command needs the package {name}: install `twentyone[{extra}]`")
                return USAGE

        return guarded

    return guard
