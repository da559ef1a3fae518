"""Checkpoints: signed, numbered, chained lines outside the database."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.contracts.store_places import Place
from tests.faults.tampering import KEY, fill, forge, restamp
from tests.patience import PATIENCE

from twentyone.ledger import checkpoints as module
from twentyone.ledger.checkpoints import Checkpoint, read_last, read_trail, verify_checkpoints, write_checkpoint
from twentyone.ledger.rows import LedgerRefused, NewEvent
from twentyone.ledger.store import Store, open_store

STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    return tmp_path / "ledger.checkpoints"


def append(store: Store, number: int) -> None:
    store.append("t", store.version("t"), [NewEvent("x", {}, 1)], f"k{number}", "f")


def checkpoints(store: Store, trail: Path, count: int, key: Ed25519PrivateKey = KEY) -> None:
    for number in range(count):
        append(store, number)
        write_checkpoint(store, trail, key, 1_700_000_000 + number)


def whats(store: Store, trail: Path) -> list[str]:
    return [fault.what for fault in verify_checkpoints(store, trail, KEY.public_key()).faults]


def test_a_checkpoint_says_how_far_each_stream_has_come(place: Place, trail: Path) -> None:
    store = place.open()
    rows = fill(store, None, commands=4)
    point = write_checkpoint(store, trail, KEY, 77)
    assert (point.number, point.at, point.events) == (1, 77, len(rows))
    assert point.heads == {stream: store.head(stream) for stream in store.streams()}
    body = json.loads(trail.read_text(encoding="utf-8"))
    signature = bytes.fromhex(body.pop("signature"))
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    KEY.public_key().verify(signature, text.encode())
    assert read_trail(trail, KEY.public_key()).checkpoints == [point]


def test_the_empty_ledger_and_the_missing_file(place: Place, trail: Path) -> None:
    store = place.open()
    assert verify_checkpoints(store, trail, KEY.public_key()) == ([], 0, 0)
    assert write_checkpoint(store, trail, KEY, 1).events == 0
    append(store, 1)
    assert verify_checkpoints(store, trail, KEY.public_key()) == ([], 1, 1)


@pytest.fixture
def store(tmp_path: Path, trail: Path) -> Store:
    made = open_store(str(tmp_path / "ledger.db"), create=True)
    checkpoints(made, trail, 5)
    return made


def test_a_line_that_was_altered_is_found(store: Store, trail: Path) -> None:
    lines = trail.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"count":3', '"count":4')
    trail.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert whats(store, trail)[0] == "line 3 is not signed by this ledger's key"


def test_a_line_that_was_removed_is_found(store: Store, trail: Path) -> None:
    lines = trail.read_text(encoding="utf-8").splitlines()
    trail.write_text("\n".join(lines[:2] + lines[3:]) + "\n", encoding="utf-8")
    assert whats(store, trail)[0] == "line 3 (checkpoint 4) does not follow checkpoint 2: lines were removed or moved"


def test_the_last_lines_removed_leave_events_uncovered(store: Store, trail: Path) -> None:
    """Only a copy elsewhere can tell; the report says how many events nobody vouches for."""
    lines = trail.read_text(encoding="utf-8").splitlines()
    trail.write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    assert verify_checkpoints(store, trail, KEY.public_key()) == ([], 3, 2)


def test_a_strangers_signature_is_found(store: Store, trail: Path) -> None:
    trail.unlink()
    write_checkpoint(store, trail, STRANGER, 1)
    assert whats(store, trail) == ["line 1 is not signed by this ledger's key"]


@pytest.mark.parametrize(
    "line", ['{"signature":5}', '{"signature":"zz"}', '{"signature":"", "x":1.5}', '{"heads":{}}', '{"signature":"00"}']
)
def test_nonsense_is_found(store: Store, trail: Path, line: str) -> None:
    with trail.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert "line 6" in whats(store, trail)[0]


def test_a_line_that_a_power_cut_tore_counts_for_nothing(store: Store, trail: Path) -> None:
    text = trail.read_text(encoding="utf-8")
    trail.write_text(text[:-40], encoding="utf-8")
    assert verify_checkpoints(store, trail, KEY.public_key()) == ([], 4, 1)
    append(store, 9)
    assert write_checkpoint(store, trail, KEY, 99).number == 5
    assert verify_checkpoints(store, trail, KEY.public_key()) == ([], 5, 0)


def test_nothing_is_signed_over_an_altered_ledger(store: Store, trail: Path, tmp_path: Path) -> None:
    rows = list(store.read_all())
    forged = restamp([rows[0]._replace(body='{"x":1}'), *rows[1:]])
    before = trail.read_bytes()
    with closing(open_store(str(tmp_path / "forged.db"), create=True)) as altered:
        forge(altered, forged)
        with pytest.raises(LedgerRefused, match=r"no checkpoint is signed .*its tail was rehashed"):
            write_checkpoint(altered, trail, KEY, 100)
    assert trail.read_bytes() == before


# -- two processes that sign at once


def sign(url: str, trail: Path, begin: Any) -> None:
    """What one of the processes does."""
    with closing(open_store(url)) as store:
        begin.wait()
        for number in range(3):
            write_checkpoint(store, trail, KEY, number)


FORKED = multiprocessing.get_context("fork")


def sign_at_once(url: str, trail: Path, monkeypatch: pytest.MonkeyPatch, pause: Callable[[], object]) -> None:
    """Three processes sign three times each, and every one pauses between reading and writing."""

    def slowly(*given: Any) -> tuple[Checkpoint | None, str]:
        last = read_last(*given)
        pause()
        return last

    monkeypatch.setattr(module, "read_last", slowly)
    begin = FORKED.Barrier(3)
    signers = [FORKED.Process(target=sign, args=(url, trail, begin)) for _ in range(3)]
    for signer in signers:
        signer.start()
    for signer in signers:
        signer.join(PATIENCE)
    monkeypatch.undo()


def test_processes_that_sign_at_once_do_so_one_after_the_other(
    store: Store, trail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_at_once(str(tmp_path / "ledger.db"), trail, monkeypatch, lambda: time.sleep(0.03))
    assert [point.number for point in read_trail(trail, KEY.public_key()).checkpoints] == list(range(1, 5 + 9 + 1))
    assert whats(store, trail) == []


def test_without_the_lock_they_write_the_same_number(
    store: Store, trail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: all have read before the first of them writes."""
    met, all_have_read = list[bool](), FORKED.Barrier(3)

    def meet_once() -> None:
        if not met:
            met.append(True)
            all_have_read.wait(PATIENCE)

    monkeypatch.setattr(fcntl, "flock", lambda *_: None)
    sign_at_once(str(tmp_path / "ledger.db"), trail, monkeypatch, meet_once)
    assert any("does not follow checkpoint" in what for what in whats(store, trail))
