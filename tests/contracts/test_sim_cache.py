"""Compiled games kept on disk: whatever becomes of the files, the game is the same."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from twentyone.rulebook import Rulebook
from twentyone.sim import cache
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.job import Job
from twentyone.sim.setup import HILO, Setup


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _classic() -> Setup:
    return Setup.of(Rulebook.load("classic-blackjack").under())


def _same(one: Compiled, other: Compiled) -> bool:
    return Job.of(one, seed=1).digest == Job.of(other, seed=1).digest


def _file() -> Path:
    (found,) = cache.folder().iterdir()
    return found


@functools.cache
def _made() -> tuple[Compiled, str, bytes]:
    """The game, and the file that keeps it: made once."""
    made = cache.compiled_once(_classic())
    path = _file()
    return made, path.name, path.read_bytes()


def _kept() -> tuple[Compiled, Path, bytes]:
    """The same file in this test's own cache."""
    made, name, content = _made()
    path = cache.folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return made, path, content


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: content[:0],
    "a byte": lambda content: content[:1],
    "half": lambda content: content[: len(content) // 2],
    "the last byte lost": lambda content: content[:-1],
    "one byte too many": lambda content: content + b"\0",
    "text": lambda content: b"text\n" * len(content),
    "zeros": lambda content: bytes(len(content)),
    "a byte flipped": lambda content: content[:5000] + bytes([content[5000] ^ 1]) + content[5001:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_made_anew(damage: str) -> None:
    made, path, content = _kept()
    path.write_bytes(DAMAGES[damage](content))
    assert _same(cache.compiled_once(_classic()), made)
    assert path.read_bytes() == content
    assert _same(cache.compiled_once(_classic()), made)


def test_a_flipped_byte_is_found_wherever_it_lies() -> None:
    _, path, content = _kept()
    for place in range(0, len(content), len(content) // 300):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :])
        assert cache._kept(path) is None, place


def test_the_file_of_another_game_is_not_taken() -> None:
    _, other, _ = _kept()
    shoe = Setup.of(_classic().rules, mode="shoe", count=HILO)
    made = compile_setup(shoe)
    key = cache._key(shoe)
    other.rename(other.with_name(f"{key}.npz"))
    assert _same(cache.compiled_once(shoe), made)


def test_a_game_that_cannot_be_kept_leaves_nothing_behind() -> None:
    key = cache._key(_classic())
    (cache.folder() / f"{key}.npz").mkdir(parents=True)
    cache.compiled_once(_classic())
    assert _file().is_dir()
