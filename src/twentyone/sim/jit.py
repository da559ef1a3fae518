"""Compiling: Numba, its code kept on disk under a stamp of the whole package.

Numba looks only at the file of a function. The functions here read numbers of other modules (`layout`), so that the
stamp is a digest of all of them: code compiled with other numbers is never taken from disk.

Nothing is allocated in compiled code: the caller brings every array. So Numba's counting of references is off
(`_nrt`): it was two locked additions for each array of each call, more than the work of the round function itself.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from numba import njit

__all__ = ["inlined", "jit"]

Function = Callable[..., Any]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}


def _start_numba() -> None:
    """Let Numba load its part on arrays without SciPy, where that is installed.

    It only asks whether matrices could be multiplied by it, and SciPy takes longer to load than all else here.
    """
    asked = "scipy.linalg.cython_blas"
    if asked in sys.modules:
        return
    sys.modules[asked] = None  # type: ignore[assignment]
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules[asked]


_start_numba()


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


STAMP = _digest()


def _stamped(compiled: Any) -> Any:
    kept = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = STAMP
    return compiled


def jit(function: Function) -> Any:
    """Compile a function; it runs beside Python's lock."""
    return _stamped(njit(**OPTIONS)(function))


def inlined(function: Function) -> Any:
    """Compile a part of larger functions: it becomes one with them, so that no call passes arrays on."""
    return _stamped(njit(forceinline=True, **OPTIONS)(function))
