"""Compiled games kept on disk, so that a second simulation of the same game starts at once."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from functools import cache
from pathlib import Path

import numpy as np

from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.rulebook.rulebook import text_of
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.layout import GameArrays
from twentyone.sim.setup import Setup
from twentyone.sim.state_table import Fast
from twentyone.strategy import Strategy, to_json

__all__ = ["compiled_once", "folder"]

READ = ("cards.py", "hands.py", "money.py", "rulebook/**/*.py", "strategy/*.py", "sim/*.py")
"""The code that the arrays depend on."""

DIGEST = hashlib.sha256().digest_size
"""Bytes of a digest."""


def folder() -> Path:
    """Where the arrays lie: `$XDG_CACHE_HOME/twentyone/sim`, or `~/.cache/twentyone/sim`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "twentyone" / "sim"


def compiled_once(setup: Setup) -> Compiled:
    """The arrays of a simulation, from disk where they were made before.

    A cache that cannot be written is no error, and one that is damaged is made anew.

    Charts are checked against the rules where the arrays are made: those on disk are of charts that were.
    """
    key = _key(setup)
    if key is None:
        return compile_setup(setup)
    path = folder() / f"{key}.npz"
    kept = _kept(path)
    if kept is not None:
        return _read(kept, setup)
    _check_charts(setup)
    compiled = compile_setup(setup)
    with contextlib.suppress(OSError):
        _keep(path, _written(compiled))
    return compiled


def _check_charts(setup: Setup) -> None:
    checked: list[Strategy] = []
    for box in setup.boxes:
        if isinstance(box.strategy, Strategy) and box.strategy not in checked:
            checked.append(box.strategy.check(setup.rules))


def _key(setup: Setup) -> str | None:
    """What the arrays depend on, hashed; None where a player is not a chart."""
    strategies = [box.strategy for box in setup.boxes]
    if not all(isinstance(strategy, Strategy) for strategy in strategies):
        return None
    rules = setup.rules
    told = (
        _files_hash(rules.rulebook), dict(rules.submission.values), dict(rules.submission.readings),
        [to_json(strategy) for strategy in strategies if isinstance(strategy, Strategy)],
        [strategies.index(strategy) for strategy in strategies],
        [(box.main, dict(box.sides), box.counts) for box in setup.boxes], setup.mode, setup.penetration, setup.count,
        setup.error_rate, dict(setup.meters), {name: dict(row) for name, row in setup.weights.items()},
    )  # fmt: skip
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]


@cache
def _files_hash(book: Rulebook) -> str:
    """A hash of the code and of a rulebook's files."""
    root, digest = Path(__file__).parent.parent, hashlib.sha256()
    paths = [path for pattern in READ for path in sorted(root.glob(pattern))]
    for path in paths:
        digest.update(path.name.encode() + path.read_bytes())
    digest.update(text_of(book).encode())
    return digest.hexdigest()


# -- files: the arrays, and behind them the digest of name and arrays


def _digest(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + content).digest()


def _kept(path: Path) -> bytes | None:
    """The arrays that a file keeps; None where there is none, or not what was once written under this name."""
    try:
        whole = path.read_bytes()
    except (OSError, ValueError):
        return None
    content, digest = whole[:-DIGEST], whole[-DIGEST:]
    return content if digest == _digest(path, content) else None


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(content + _digest(path, content))
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _read(content: bytes, setup: Setup) -> Compiled:
    with np.load(io.BytesIO(content)) as kept:
        parts = {name: kept[f"game_{name}"] for name in GameArrays._fields}
        game = GameArrays(**{**parts, "errors": int(parts["errors"])})
        table = Fast(*(kept[f"table_{name}"] for name in Fast._fields)) if "table_card" in kept else None
        return Compiled(
            setup, game, tuple(map(str, kept["tallies"])), Amount.from_thousandths(int(kept["grain"])), table
        )


def _written(compiled: Compiled) -> bytes:
    parts = {f"game_{name}": np.asarray(value) for name, value in compiled.game._asdict().items()}
    if compiled.table is not None:
        parts |= {f"table_{name}": value for name, value in compiled.table._asdict().items()}
    out = io.BytesIO()
    np.savez(out, tallies=np.array(compiled.tallies), grain=np.array(int(compiled.grain)), **parts)  # type: ignore[arg-type]
    return out.getvalue()
