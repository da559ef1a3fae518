"""Compiling the loops of the analysis: Numba, its code kept on disk.

Nothing is allocated in compiled code, so Numba's counting of references (`_nrt`) is off: it cost more than the loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["jit", "jit_fast"]

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}


def jit(function: Function) -> Function:
    """Compile a loop."""
    compiled: Function = njit(**OPTIONS)(function)
    return compiled


def jit_fast(function: Function) -> Function:
    """The same where sums may be taken in any order."""
    compiled: Function = njit(**OPTIONS, fastmath=True)(function)
    return compiled
