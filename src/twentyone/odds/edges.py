"""House edges that are wanted at once: those of every rulebook's own games are kept in the package.

`python -m twentyone.odds.edges` writes them. With a rulebook's id, and a submission as JSON on its standard input, it
says the house edge of that game: so a server has it worked out beside its own work.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from twentyone.odds.cache import code_hash, kept, key_of
from twentyone.odds.prices import play_of
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.folders import own_folder_of
from twentyone.strategy import Strategy, to_json

__all__ = ["FILE", "edge_of", "edges", "edges_by_play", "game_key", "known_edge", "own_games"]

FILE = Path(__file__).with_name("edges.json")
"""Game to its house edge."""
EDGES = ("house_edge", "house_edge_with_super_bonus")
"""The edges of a game."""
KEPT = 256
"""Games whose key is kept at hand: a list of tables asks for each of them every time it is read."""


@lru_cache(maxsize=KEPT)
def game_key(rules: Rules) -> str:
    """What tells a game from others: all that a plain round reads of its rules, and nothing else."""
    return f"{rules.rulebook.id} {hashlib.sha256(repr(play_of(rules)).encode()).hexdigest()[:32]}"


def known_edge(rules: Rules) -> float | None:
    """The house edge of a game that the package knows already."""
    return _known().get(game_key(rules))


@cache
def _known() -> Mapping[str, float]:
    known: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return known


def edge_of(rules: Rules, strategy: Strategy | None = None, progress: Callable[[float], None] | None = None) -> float:
    """The house edge of a game under the best play of every hand, or of a strategy in it; kept on disk."""

    def make() -> dict[str, Any]:
        from twentyone.odds.analysis import analyse

        return {"house_edge": float(analyse(rules, strategy=strategy, progress=progress).figures.house_edge)}

    what = ("edge",) if strategy is None else ("edge", to_json(strategy))
    return float(kept(key_of(rules, *what), make)[0]["house_edge"])


def edges_by_play(rules: Rules, progress: Callable[[float], None] | None = None) -> dict[str, float]:
    """The house edge without and with the super bonus, kept by what a plain round reads; changed clauses count, too."""

    def make() -> dict[str, Any]:
        from twentyone.odds.analysis import analyse

        figures = analyse(rules, progress=progress).figures
        return {name: float(getattr(figures, name)) for name in EDGES}

    name = repr(("edges", game_key(rules), rules.rulebook.order, code_hash()))
    body, _ = kept(hashlib.sha256(name.encode()).hexdigest(), make)
    return {name: float(body[name]) for name in EDGES}


def own_games() -> Iterator[Rules]:
    """Every rulebook of the package as it stands, and as it is shown first."""
    for name in (name for name in rulebook_ids() if own_folder_of(name) is None):
        book = Rulebook.load(name)
        yield book.under()
        if book.showcase:
            yield book.under(book.showcase)


def edges() -> dict[str, float]:
    """The house edges of the rulebooks' own games, worked out now."""
    return {game_key(rules): edge_of(rules) for rules in own_games()}


def main(names: list[str]) -> int:
    """Write the file, or say the edge of one game."""
    if names:
        rules = Rulebook.load(names[0]).under(json.load(sys.stdin))
        sys.stdout.write(json.dumps(edge_of(rules)))
    else:
        FILE.write_text(json.dumps(edges(), indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
