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
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from numba import njit

__all__ = ["inlined", "inlined_closure", "jit", "stamped", "without_scipy"]

Function = Callable[..., Any]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}


def without_scipy(module: str) -> None:
    """Let a part of Numba on arrays load without SciPy, where that is installed; one that is not there is no error.

    It only asks whether matrices could be multiplied by it, and SciPy takes longer to load than all else here.
    """
    asked = "scipy.linalg.cython_blas"
    if asked in sys.modules:
        return
    sys.modules[asked] = None  # type: ignore[assignment]
    try:
        with suppress(ImportError):
            import_module(module)
    finally:
        del sys.modules[asked]


without_scipy("numba.np.arraymath")


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


STAMP = _digest()


def stamped(compiled: Any) -> Any:
    """The same compiled function, kept on disk under the stamp."""
    kept = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = STAMP
    return compiled


def jit(function: Function) -> Any:
    """Compile a function; it runs beside Python's lock."""
    return stamped(njit(**OPTIONS)(function))


def inlined(function: Function) -> Any:
    """Compile a part of larger functions: it becomes one with them, so that no call passes arrays on."""
    return stamped(njit(forceinline=True, **OPTIONS)(function))


def inlined_closure(function: Function) -> Any:
    """The same for a function that is made by another: only what it becomes a part of is kept on disk."""
    return njit(forceinline=True, **{**OPTIONS, "cache": False})(function)
