"""The schema of a ledger in PostgreSQL, as its catalogue tells it, compared with what the migrations make.

`migrations/postgres.txt` is that, line by line: of a new ledger, written by `make golden`. Only relations of the ledger
are described; whatever else the database holds is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["SHAPE", "described", "known_lines", "schema_faults"]

Query = Callable[[str, Sequence[Any]], list[Any]]
RELATIONS = (
    "coupons",
    "events",
    "events_gseq",
    "migrations",
    "processes",
    "projection",
    "purses",
    "snapshots",
    "streams",
)
"""The relations of a ledger."""
SHAPE = ("table ", "column ")
"""How lines begin without which nothing can be read."""
LINES = """
WITH held AS (SELECT c.* FROM unnest(?::text[]) AS wanted (name) JOIN pg_class AS c ON c.oid = to_regclass(wanted.name))
SELECT format('table %%s %%s %%s%%s', relname, relkind, relpersistence,
        CASE WHEN relrowsecurity THEN ' row security' END)
    FROM held
UNION ALL SELECT format('column %%s.%%s %%s%%s%%s%%s', relname, attname, format_type(atttypid, atttypmod),
        ' collate ' || NULLIF(NULLIF(collname, 'default'), ''), CASE WHEN attnotnull THEN ' not null' END,
        ' default ' || pg_get_expr(adbin, adrelid))
    FROM held JOIN pg_attribute ON attrelid = held.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    LEFT JOIN pg_attrdef ON adrelid = held.oid AND adnum = attnum
    WHERE relkind <> 'S'
UNION ALL SELECT format('constraint %%s %%s', relname, pg_get_constraintdef(pg_constraint.oid))
    FROM held JOIN pg_constraint ON conrelid = held.oid AND contype IN ('c', 'p', 'u', 'f', 'x')
UNION ALL SELECT format('index %%s%%s%%s %%s', relname, CASE WHEN indisunique THEN ' unique' END,
        CASE WHEN NOT indisvalid THEN ' invalid' END,
        regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', ''))
    FROM held JOIN pg_index ON indrelid = held.oid
UNION ALL SELECT format('trigger %%s %%s %%s %%s %%s %%s', relname, tgname, tgenabled, tgtype,
        coalesce(substring(pg_get_triggerdef(pg_trigger.oid) FROM 'WHEN (.*) EXECUTE'), 'always'), proname)
    FROM held JOIN pg_trigger ON tgrelid = held.oid AND NOT tgisinternal JOIN pg_proc ON pg_proc.oid = tgfoid
UNION ALL SELECT format('function %%s %%s', proname, encode(sha256(convert_to(prosrc, 'UTF8')), 'hex'))
    FROM held JOIN pg_trigger ON tgrelid = held.oid AND NOT tgisinternal JOIN pg_proc ON pg_proc.oid = tgfoid
UNION ALL SELECT format('rule %%s %%s', relname, rulename)
    FROM held JOIN pg_rewrite ON ev_class = held.oid AND rulename <> '_RETURN'
UNION ALL SELECT format('policy %%s %%s', relname, polname) FROM held JOIN pg_policy ON polrelid = held.oid
UNION ALL SELECT format('child %%s %%s', held.relname, child.relname)
    FROM held JOIN pg_inherits ON inhparent = held.oid JOIN pg_class AS child ON child.oid = inhrelid
UNION ALL SELECT format('sequence %%s by %%s from %%s to %%s%%s', relname, seqincrement, seqmin, seqmax,
        CASE WHEN seqcycle THEN ' cycle' END)
    FROM held JOIN pg_sequence ON seqrelid = held.oid
"""
"""One line for everything that decides what the relations hold, take and answer."""


def described(query: Query) -> set[str]:
    """The schema of a database, line by line."""
    return {row[0] for row in query(LINES, (list(RELATIONS),))}


@cache
def known_lines() -> frozenset[str]:
    """The schema that the migrations make."""
    text = (files(__package__) / "migrations" / "postgres.txt").read_text(encoding="utf-8")
    return frozenset(text.splitlines())


def schema_faults(query: Query, begins: tuple[str, ...] = ("",)) -> list[str]:
    """What is in the database and not in the migrations, or in them and not in the database."""
    present, known = described(query), known_lines()
    faults = [f"the {line} is missing or not the ledger's own" for line in sorted(known - present)]
    faults += [f"the {line} does not belong to a ledger" for line in sorted(present - known)]
    return [fault for fault in faults if fault.removeprefix("the ").startswith(begins)]
