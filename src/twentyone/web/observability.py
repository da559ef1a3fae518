"""What operators see of a server: a structured log with an allow-list of keys, and metrics on a port of their own.

The ledger is the record. A log line never contains a card, a seed, a password or a token: only these keys are written.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from prometheus_client import Counter, Histogram, start_http_server

__all__ = ["ALLOWED", "ANSWERS", "COMMANDS", "begin_log", "begin_metrics"]

ALLOWED = frozenset(
    {"event", "level", "timestamp", "request", "method", "path", "status", "ms", "table", "version", "why"}
)
"""The keys a log line may have."""

ANSWERS = Histogram("twentyone_answer_seconds", "Time to answer a request", ["method", "status"])
COMMANDS = Counter("twentyone_commands", "Commands at tables, by result", ["outcome"])


def _allowed(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {key: value for key, value in line.items() if key in ALLOWED}


def begin_log(every_answer: bool) -> None:
    """Log one line of JSON per response on standard error; otherwise only errors."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _allowed,
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO if every_answer else logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def begin_metrics(port: int) -> None:
    """Serve the metrics on loopback only."""
    start_http_server(port, addr="127.0.0.1")
