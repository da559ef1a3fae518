"""Which charts `twentyone simulate` plays: those it is given, the rulebook's own, or one made for the submission."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.cli.common import read_file
from twentyone.cli.running import note
from twentyone.errors import Refused, TwentyoneError
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.sim.setup import Count, Setup
    from twentyone.strategy import Strategy

__all__ = ["PlayedChart", "advice", "charts_of_boxes", "note_setup", "played_words"]

OWN, MADE = "the rulebook's own chart", "made for this submission"


class PlayedChart(NamedTuple):
    """A chart that is played, and where it comes from."""

    strategy: Strategy
    """The chart."""
    source: str
    """A file's name, or which chart it is."""

    def told(self) -> dict[str, str]:
        """The chart by title, hash and source."""
        from twentyone.strategy import strategy_hash

        return {"title": self.strategy.title, "hash": strategy_hash(self.strategy), "from": self.source}


def charts_of_boxes(options: argparse.Namespace, rules: Rules) -> list[PlayedChart]:
    """The chart of each box."""
    from twentyone.strategy import read_strategy

    if not 1 <= options.boxes <= 7:
        raise Refused(f"{options.boxes} boxes cannot be simulated: 1 to 7", step="--boxes")
    files = options.strategy or []
    if len(files) not in (0, 1, options.boxes):
        raise Refused(
            f"{len(files)} strategies for {options.boxes} boxes: give one for all, or one per box", step="--strategy"
        )
    if not files:
        return [_without_file(rules)] * options.boxes
    read = {name: PlayedChart(read_strategy(read_file(name), rules), name) for name in dict.fromkeys(files)}
    return [read[files[box % len(files)]] for box in range(options.boxes)]


def _without_file(rules: Rules) -> PlayedChart:
    """The rulebook's own chart where the game is played like its default; else the best for the submission, kept."""
    from twentyone.cli.progress import progress
    from twentyone.strategy import ChartRefused, NoChart, best_chart

    try:
        with progress("the best chart for this submission") as share:
            chart = best_chart(rules, progress=share)
    except (NoChart, ChartRefused):
        raise
    except TwentyoneError as refused:
        raise Refused(f"no chart can be made for this submission ({refused}): name one", step="--strategy") from None
    return PlayedChart(chart, MADE if chart.submission else OWN)


def advice(options: argparse.Namespace, refused: Exception) -> str:
    """What to do if the rulebook's own chart does not fit the default submission."""
    from twentyone.strategy import ChartRefused

    if not isinstance(refused, ChartRefused) or options.strategy:
        return ""
    return f"; generate the rulebook's own chart again: `python -m twentyone.odds.generate {options.rulebook}`"


# -- what was played, in words and as JSON


def played_words(charts: list[PlayedChart]) -> str:
    """The charts for a person."""
    told = [f"{chart.strategy.title or 'a chart without title'} ({chart.source})" for chart in charts]
    if len(set(told)) == 1:
        return told[0]
    return "; ".join(f"box {number}: {words}" for number, words in enumerate(told, 1))


def note_setup(setup: Setup, charts: list[PlayedChart], options: argparse.Namespace) -> None:
    """Remember everything that the simulation depends on, by its value and not by its option."""
    cover = setup.cover if setup.mode == "shoe" else None
    note(
        seed=options.seed,
        mode=setup.mode,
        strategies=[chart.told() for chart in charts],
        wagers=[{"main": str(box.main), "sides": _texts(box.sides)} for box in setup.boxes],
        meters=_texts(setup.meters),
        penetration=None if cover is None else f"{cover}/{setup.shoe_cards}",
        count=_count(setup.count),
        error_rate=str(setup.error_rate),
    )


def _texts(amounts: Any) -> dict[str, str]:
    return {name: str(amount) for name, amount in amounts.items()}


def _count(count: Count | None) -> dict[str, Any] | None:
    """A count with its spread, in the form that `--count` reads."""
    if count is None:
        return None
    return {name: value for name, value in asdict(count).items() if value is not None}
