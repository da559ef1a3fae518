"""What has to be installed: a clear message where it is not."""

from __future__ import annotations

from importlib.util import find_spec

from twentyone.errors import TwentyoneError

__all__ = ["ExtraMissing", "needs_extra"]


class ExtraMissing(TwentyoneError, ImportError):
    """A package of the extra `learn` that is not installed."""


def needs_extra(*packages: str) -> None:
    """Refuse to go on where one of these packages is not installed."""
    missing = [name for name in packages if not _is_there(name)]
    if missing:
        names = ", ".join(missing)
        raise ExtraMissing(f"twentyone.learn needs {names}, not installed here: pip install 'twentyone[learn]'")


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:
        return False
