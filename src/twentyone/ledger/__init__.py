"""The ledger: append-only events, one stream per table, provable to a reader who trusts nobody."""

from __future__ import annotations

__all__: list[str] = []
