"""What a worker can be asked: one function for each kind of question, which answers with JSON."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

from twentyone.rulebook import Rulebook, Rules

__all__ = ["ANSWERS", "Asked", "Stopped", "Tell", "file_of", "rules_asked"]

Asked = Mapping[str, Any]
EDGE = 0.2
"""The share of the work on odds after which the house edge is known."""


class Tell(Protocol):
    """Tells how far the work is."""

    def __call__(self, share: float, *, at_once: bool = False, **told: Any) -> None:
        """A share from 0 to 1, and whatever else is known already; else only now and then."""


class Stopped(Exception):
    """Work that somebody stopped; what is kept of it can go on."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__("stopped")
        self.told = dict(told)
        """What it had come to."""


Answer = Callable[[Asked, Tell, str], dict[str, Any]]


def rules_asked(asked: Asked) -> Rules:
    """The rules of the game that a question is about."""
    return Rulebook.load(asked["rulebook"], at=asked.get("at")).under(asked.get("submission", {}))


def _odds(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """The figures of a game, as `twentyone odds --json` has them; its house edge first."""
    from twentyone.odds.edges import edge_of
    from twentyone.odds.report import odds_of

    rules = rules_asked(asked)
    edge = edge_of(rules, progress=lambda share: tell(EDGE * share))
    tell(EDGE, house_edge=edge, at_once=True)
    return odds_of(rules, progress=lambda share: tell(EDGE + (1 - EDGE) * share, house_edge=edge))[0]


def _prices(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """What every choice, reading, rule and card is worth, as `twentyone effects --json` has it."""
    from twentyone.odds.effects import effects_of

    return effects_of(rules_asked(asked), tell)[0]


def _par(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """The PAR sheet, as `twentyone odds --par` writes it."""
    from twentyone.odds.generate import chart_of
    from twentyone.odds.par import par_sheet
    from twentyone.odds.report import odds_of

    rules = rules_asked(asked)
    body, _cached = odds_of(rules, progress=lambda share: tell(share / 2))
    chart = chart_of(rules, lambda share: tell((1 + share) / 2))
    return file_of(f"par-{rules.rulebook.id}.html", "text/html", par_sheet(rules, body, chart).encode())


def _redline(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """Two laws held against each other, as `twentyone law diff` does; `html` is the redline."""
    from twentyone.redline import as_parts, asked_versions, compare, deal_both
    from twentyone.redline.price import price

    options = asked.get("options", {})
    left, right = asked_versions(options)
    redline, rounds = compare(left, right), deal_both(left, right)
    worth = price(redline, tell) if options.get("price") else None
    return {
        "counts": redline.counts,
        "html": as_parts(redline, rounds, worth),
        "price": worth.body() if worth else None,
    }


def file_of(name: str, kind: str, content: bytes) -> dict[str, Any]:
    """A file as an answer."""
    return {"file": {"name": name, "type": kind, "base64": base64.b64encode(content).decode()}}


def _lazily(module: str, name: str) -> Answer:
    """An answer whose module is imported with the first question."""

    def ask(asked: Asked, tell: Tell, work: str) -> dict[str, Any]:
        answer: Answer = getattr(import_module(f"twentyone.desk.{module}"), name)
        return answer(asked, tell, work)

    return ask


ANSWERS: dict[str, Answer] = {
    "odds": _odds,
    "prices": _prices,
    "par": _par,
    "redline": _redline,
    "chart": _lazily("charting", "chart"),
    "cell": _lazily("charting", "cell"),
    "cells": _lazily("charting", "cells"),
    "picture": _lazily("charting", "picture"),
    "simulate": _lazily("simulating", "simulated"),
    "papers": _lazily("handing_in", "papers"),
    "review": _lazily("reviewing", "review"),
    "session": _lazily("reviewing", "session"),
    "lesson": _lazily("teaching", "lesson"),
}
"""Kind of question to who answers it."""
