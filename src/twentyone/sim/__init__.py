"""The simulator: rules and strategies as arrays, one round function for cores and GPUs, exact integer sums.

The package imports only the standard library, NumPy and Numba, so that it runs on a bare GPU node.

>>> from twentyone.sim import simulate
"""

from typing import TYPE_CHECKING

from twentyone.extras import lazily

if TYPE_CHECKING:
    from twentyone.sim.api import Simulation, simulate
    from twentyone.sim.setup import Count

__all__ = ["Count", "Simulation", "simulate"]

__getattr__ = lazily(__name__, {"Count": "setup", "Simulation": "api", "simulate": "api"}, "twentyone[odds]")
