"""The vocabulary of the fences: one frozen type per kind of clause, plain fields, one citation each.

A clause is in force when its `when` (submission keys) and its `reading` (reading ids) hold.
"""

from __future__ import annotations

from twentyone.rulebook.clauses import base, choices, facts, play, results, table, wheels
from twentyone.rulebook.clauses.base import *  # noqa: F403
from twentyone.rulebook.clauses.choices import *  # noqa: F403
from twentyone.rulebook.clauses.facts import *  # noqa: F403
from twentyone.rulebook.clauses.play import *  # noqa: F403
from twentyone.rulebook.clauses.results import *  # noqa: F403
from twentyone.rulebook.clauses.table import *  # noqa: F403
from twentyone.rulebook.clauses.wheels import *  # noqa: F403

__all__ = []
__all__ += base.__all__
__all__ += choices.__all__
__all__ += facts.__all__
__all__ += play.__all__
__all__ += results.__all__
__all__ += table.__all__
__all__ += wheels.__all__
