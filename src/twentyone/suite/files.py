"""Where the suite lies, and its runner, which is a file of the suite and imports nothing of this package."""

from __future__ import annotations

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["runner", "suite_folder"]

PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "conformance", PACKAGE.parents[1] / "conformance")
"""In an installed package, and in the source tree."""


def suite_folder() -> Path:
    """The folder of the suite that came with this version."""
    return next((place for place in PLACES if (place / "manifest.json").is_file()), PLACES[-1])


@cache
def runner() -> ModuleType:
    """The suite's runner as a module."""
    spec = spec_from_file_location("conformance_run", suite_folder() / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
