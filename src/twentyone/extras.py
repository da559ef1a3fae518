"""What needs optional packages: names that are found when they are asked for, tables as data frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from twentyone.errors import NotInstalled

if TYPE_CHECKING:
    import polars

__all__ = ["Tabular", "lazily", "needed"]


def needed(module: str, what: str, extra: str) -> ModuleType:
    """A module; where a package is missing for it, a refusal that names the extra which brings it.

    >>> needed("no_such_package", "this", "twentyone[odds]")
    Traceback (most recent call last):
    twentyone.errors.NotInstalled: this needs the package no_such_package: install `twentyone[odds]`
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("", "twentyone"):
            raise
        raise NotInstalled(what, package, extra) from None


def lazily(package: str, homes: Mapping[str, str], extra: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose public names are imported with their module, when somebody asks for them."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(needed(f"{package}.{homes[name]}", f"{package}.{name}", extra), name)

    return find


class Tabular(ABC):
    """What can be laid out as one table."""

    @abstractmethod
    def columns(self) -> Mapping[str, Sequence[Any]]:
        """The table: name of a column to its values."""

    def to_polars(self) -> polars.DataFrame:
        """The table as a data frame of Polars (`twentyone[data]`)."""
        frame = needed("polars", "to_polars()", "twentyone[data]").DataFrame
        table: polars.DataFrame = frame(dict(self.columns()), infer_schema_length=None)
        return table

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        return needed("pandas", "to_pandas()", "pandas").DataFrame(dict(self.columns()))
