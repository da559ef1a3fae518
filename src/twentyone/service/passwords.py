"""What a password must be: long, hard to guess, and not made of what everybody knows of its owner."""

from __future__ import annotations

from twentyone.service.names import folded
from twentyone.service.refusals import NotAllowed

__all__ = ["SHORTEST", "check_password"]

SHORTEST = 10
"""The least number of characters of a password."""
LOOKED_AT = 72
"""Characters that are examined: what comes after them makes no password weaker."""
STRONG = 3
"""Of the five grades from 0 to 4 those that withstand guessing."""
OURS = ("twentyone", "blackjack", "casino", "administrator", "dealer", "floorperson", "auditor")
"""Words that whoever guesses here tries first."""


def check_password(password: str, name: str) -> None:
    """Refuse a password that is short, common, or made of the account's own name."""
    if len(password) < SHORTEST:
        raise NotAllowed(f"a password has {SHORTEST} characters or more", 422)
    own = [part for part in folded(name).split() if len(part) > 1]
    if any(len(part) > 2 and part in folded(password) for part in (*own, "".join(own))):
        raise NotAllowed("a password does not contain the name of its account", 422)
    why = _weakness(password, [name, *own, *OURS])
    if why:
        raise NotAllowed(f"this password is easily guessed: {why}", 422)


def _weakness(password: str, known: list[str]) -> str:
    """Why a password is weak; empty: it is not."""
    from zxcvbn import zxcvbn

    found = zxcvbn(password[:LOOKED_AT], user_inputs=known)
    if found["score"] >= STRONG:
        return ""
    said = str(found["feedback"]["warning"] or "add a word or two, uncommon ones are better").rstrip(".")
    return f"{said[:1].lower()}{said[1:]}"
