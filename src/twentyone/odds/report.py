"""An analysis as a report: every figure with its definition, side wagers, method and versions, as JSON."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.money import Amount
from twentyone.odds.cache import code_hash, kept, key_of, rulebook_hash, submission_json
from twentyone.odds.side_wagers import side_wagers, super_bonus_probability
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Pay
from twentyone.rulebook.words import hand_words
from twentyone.strategy import Strategy, to_json

if TYPE_CHECKING:
    from twentyone.odds.analysis import Analysis
    from twentyone.odds.model import Figures

__all__ = ["FIGURES", "Figure", "TableSetting", "odds_of", "report", "shown"]

Progress = Callable[[float], None]

ANALYSIS = 0.3
"""The share of the work before the distribution of results."""


class Figure(NamedTuple):
    """A figure of a game and what it means."""

    name: str
    """Its key in JSON."""
    label: str
    """What a page calls it."""
    definition: str
    """What it is."""
    form: str
    """`percent`, `number` or `chance`."""


FIGURES = (
    Figure(
        "house_edge",
        "House edge",
        "Expected loss as a share of the original wager; the super bonus left out.",
        "percent",
    ),
    Figure(
        "house_edge_with_super_bonus",
        "With the super bonus",
        "The same with the super bonus, for a wager of $5 and no other player at the table.",
        "percent",
    ),
    Figure(
        "return_to_player",
        "Return to player",
        "What comes back of the original wager on average: one less the house edge.",
        "percent",
    ),
    Figure("element_of_risk", "Element of risk", "House edge divided by the average total wager.", "percent"),
    Figure(
        "standard_deviation",
        "Standard deviation",
        "Of the net result of a round, in original wagers; the super bonus left out.",
        "number",
    ),
    Figure(
        "volatility_index",
        "Volatility index",
        "Within this many original wagers, divided by the square root of the number of rounds, the average result of a"
        " round lies nine times in ten.",
        "number",
    ),
    Figure(
        "average_wager",
        "Average wager",
        "Original, split, double and second chance wagers of a round together, in original wagers.",
        "number",
    ),
    Figure("super_bonus_probability", "Super bonus", "How often a round earns it.", "chance"),
)  # fmt: skip
"""The figures of a game in the order of a page."""


class TableSetting(NamedTuple):
    """What a super bonus and a wheel depend on beside the rules."""

    wager: Amount = Amount("5")
    """The original wager."""
    others: int = 0
    """How many other players are at the table, with the same wagers."""


ALONE = TableSetting()


def odds_of(
    rules: Rules, strategy: Strategy | None = None, progress: Progress | None = None, table: TableSetting = ALONE
) -> tuple[dict[str, Any], bool]:
    """The report of a game (of a strategy in it), from the cache if it is there, and whether it was."""

    def make() -> dict[str, Any]:
        from twentyone.odds.analysis import analyse

        tell = progress or (lambda _: None)
        analysis = analyse(rules, strategy=strategy, progress=lambda share: tell(ANALYSIS * share))
        analysis.figures.results.work_out(lambda share: tell(ANALYSIS + (1 - ANALYSIS) * share))
        return report(analysis, table)

    what = ("odds",) if strategy is None else ("value", to_json(strategy))
    return kept(key_of(rules, *what, str(table.wager), str(table.others)), make)


def report(analysis: Analysis, table: TableSetting = ALONE) -> dict[str, Any]:
    """Everything that is known of a game, as JSON."""
    rules, figures, distribution = analysis.rules, analysis.figures, analysis.distribution
    body: dict[str, Any] = {
        "rulebook": rules.rulebook.id,
        "title": rules.rulebook.title,
        "source": rules.rulebook.source,
        "submission": submission_json(rules),
        **{figure.name: float(getattr(figures, figure.name)) for figure in FIGURES},
        "super_bonus_wager": figures.super_bonus_wager,
        "stated": {
            "wager": str(table.wager),
            "others": table.others,
            "house_edge_with_super_bonus": analysis.house_edge_at(table.wager, table.others),
        },
        "outcomes": _floats(figures.outcomes),
        "bonuses": _bonuses(analysis),
        "decisions": _floats(figures.decisions),
        "distribution": distribution.rows(),
        "distribution_exact": distribution.exact,
        "return_ranges": _ranges(figures),
        "dealer_by_up": {up: _by_total(final) for up, final in figures.dealer_by_up.items()},
        "dealer": _by_total(figures.dealer),
        "side_wagers": {name: wager.body() for name, wager in side_wagers(rules, table.others).items()},
        "definitions": {figure.name: figure.definition for figure in FIGURES},
        "method": analysis.method,
        "seconds": round(analysis.seconds, 3),
        "versions": versions(rules),
    }
    always = super_bonus_probability(rules)
    if always is not None:
        body["super_bonus_always_drawn_for"] = {"fraction": str(always), "once_in": round(float(1 / always), 1)}
    return body


ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
"""After how many rounds the range of the return is stated."""


def _ranges(figures: Figures) -> list[dict[str, float]]:
    """Where the return to the player lies nine times in ten after so many rounds, by the normal distribution."""
    back, reach = figures.return_to_player, {rounds: figures.volatility_index / rounds**0.5 for rounds in ROUNDS}
    return [{"rounds": rounds, "least": back - far, "most": back + far} for rounds, far in reach.items()]


def _by_total(table: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(_floats(table).items(), key=_rising))


def _floats(table: Any) -> dict[str, float]:
    return {name: float(value) for name, value in table.items()}


def _rising(row: tuple[str, float]) -> tuple[bool, int, str]:
    """Totals in their order, then what is no total."""
    name = row[0]
    return not name.isdecimal(), int(name) if name.isdecimal() else 0, name


def shown(body: Mapping[str, Any]) -> list[Figure]:
    """The figures that a page of this game shows: those of the super bonus only where there is one."""
    bonus = bool(body["super_bonus_probability"])
    return [figure for figure in FIGURES if bonus or "super_bonus" not in figure.name]


def _bonuses(analysis: Analysis) -> list[dict[str, Any]]:
    """Each pay row above even money, in the order of the text: how often, and what it adds."""
    figures, rows = analysis.figures, {_name(row): row for row in analysis.rules.all(Pay)}
    return [
        {
            "row": name,
            "words": f"{hand_words(row.hand)}, {row.odds.win} to {row.odds.lay}",
            "cite": row.cite,
            "probability": float(figures.bonuses[name]),
            "share": float(figures.bonus_shares.get(name, 0.0)),
        }
        for name, row in rows.items()
        if name in figures.bonuses
    ]


def _name(row: Pay) -> str:
    """A pay row's paragraph, and its name where it has one."""
    return f"{row.paragraph} {row.name}".strip()


def versions(rules: Rules) -> dict[str, str]:
    """What made a report: packages and hashes."""
    packages = {"python": platform.python_version()}
    for name in ("twentyone", "numpy", "numba"):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {**packages, "odds": code_hash()[:12], "rulebook": rulebook_hash(rules.rulebook)[:12]}
