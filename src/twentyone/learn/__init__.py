"""Environments to learn in: the games for Gymnasium, one round or many at once, and a table of players for PettingZoo.

Importing this package registers every rulebook with Gymnasium (`twentyone/ClassicBlackjack-v0` and so on). It needs
the extra `learn`.
"""

from twentyone.extras import needed

for package in ("gymnasium", "numba"):
    needed(package, "twentyone.learn", "twentyone[learn]")

from twentyone.learn.names import ACTIONS, FIELDS, env_id, register_games, situation_of  # noqa: E402

__all__ = ["ACTIONS", "FIELDS", "env_id", "register_games", "situation_of"]

register_games()
