"""The ledger: append-only events in streams, one a table; what happened, provable to whoever trusts nobody."""

from __future__ import annotations

__all__: list[str] = []
