"""Exact odds: what a game, a rule and a decision are worth, by finite-shoe combinatorial analysis."""

__all__: list[str] = []
