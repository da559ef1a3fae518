"""The simulator: rules and strategies as arrays, one round function for cores and GPUs, exact integer sums.

The package imports only the standard library, NumPy and Numba, so that it runs on a bare GPU node.
"""

__all__: list[str] = []
