"""Names: since when whoever has one has it. What was done under it before was done by somebody else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from twentyone.service.persons import ROLES
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed

__all__ = ["Names", "checked_name", "folded"]

NAME = re.compile(r"[^\W_][\w .'-]{0,30}", re.UNICODE)
RESERVED = (*ROLES, "operator")
"""Names that nobody may take: those of the roles."""
AUTOMATIC = "auto "
"""The names of the automatic staff begin with this, and no other names may."""

UNSEEN = "\u115f\u1160"
"""Letters that nobody sees; others of that kind are written as these."""
BESIDE_LATIN = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")
"""Scripts that are written in one word; letters of any other two look alike only to deceive."""

GIVEN = "INSERT INTO people_since (name, since) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET since = excluded.since"


@lru_cache(10_000)
def folded(name: str) -> str:
    """A name in folded case: names that differ only in case are the same."""
    return unicodedata.normalize("NFKC", name).casefold()


class Names:
    """When each name was given."""

    def __init__(self, records: Records, clock: Callable[[], int]) -> None:
        self._records, self._clock = records, clock

    def given(self, name: str) -> None:
        """Note that a name is given to somebody now, who inherits no training."""
        self._records.run("DELETE FROM people_training WHERE name = ?", (folded(name),))
        self._records.run(GIVEN, (folded(name), self._clock()))

    def since(self, name: str) -> int:
        """When this name was given to whoever has it; 0 if it was before that was noted."""
        rows = self._records.rows("SELECT since FROM people_since WHERE name = ?", (folded(name),))
        return int(rows[0][0]) if rows else 0


def checked_name(name: str) -> str:
    """A name as it is stored; refused where nobody may have it."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not NAME.fullmatch(name) or folded(name) in RESERVED or folded(name).startswith(AUTOMATIC):
        raise NotAllowed(
            "a name begins with a letter or figure, is not that of a role, and has at most 31 letters, figures, "
            "blanks, . ' -",
            422,
        )
    if _deceives(name):
        raise NotAllowed("a name is written in the letters of one script, and all of them can be seen", 422)
    return name


def _deceives(name: str) -> bool:
    """Whether a name has letters that nobody sees, or letters of several scripts: one would look like another's.

    >>> _deceives("O\\u043bga"), _deceives("\\u041e\\u043b\\u044c\\u0433\\u0430"), _deceives("Jo\\u00e3o d'Arc 2")
    (True, False, False)
    """
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if letter.isalpha()}
    return not {*name}.isdisjoint(UNSEEN) or (len(scripts) > 1 and not scripts <= {*BESIDE_LATIN})
