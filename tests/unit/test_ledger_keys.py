"""The key file and what it seals: for its owner alone, and no use to anybody else."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from twentyone.ledger.keys import Keyring, default_key_path
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.seed_seals import mac, seal, unseal
from twentyone.table.health import Source
from twentyone.table.shoe import commitment

SOURCE = Source(Random(4).randbytes)
KEYS, OTHERS = Keyring.new(SOURCE), Keyring.new(SOURCE)
SEED = SOURCE.take(32)


def test_a_key_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db.key"
    made = Keyring.create(path, SOURCE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert Keyring.load(path).id == made.id
    assert Keyring.load(path).sealing == made.sealing
    path.chmod(0o640)
    with pytest.raises(LedgerRefused, match="0600"):
        Keyring.load(path)


def test_a_key_is_never_written_over_another(tmp_path: Path) -> None:
    path = tmp_path / "t.key"
    first = Keyring.create(path, SOURCE)
    with pytest.raises(LedgerRefused, match="already"):
        Keyring.create(path, SOURCE)
    assert Keyring.load(path).id == first.id


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": "ledger-key/1"}', '{"format":"x","sealing":"AA==","signing":"AA=="}', "\xff"]
)
def test_what_is_no_key_file_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.key"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o600)
    with pytest.raises(LedgerRefused, match="key file"):
        Keyring.load(path)


def test_a_missing_key_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerRefused, match="restore it"):
        Keyring.load(tmp_path / "none.key")
    with pytest.raises(LedgerRefused, match="cannot be written"):
        Keyring.create(tmp_path / "no" / "folder.key", SOURCE)


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.key"
    Keyring.create(path, SOURCE)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"sealing": "AAAA"}))
    with pytest.raises(LedgerRefused, match="not a key file"):
        Keyring.load(path)


def test_a_keyring_does_not_show_its_keys() -> None:
    assert repr(KEYS) == f"<Keyring {KEYS.id}>"
    assert KEYS.id != OTHERS.id


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ("t.db", "t.db.key"),
        ("sqlite:///a/t.db", "a/t.db.key"),
        ("postgresql://user@host/games?x=1", "games.key"),
    ],
)
def test_the_key_file_stands_beside_the_ledger(where: str, path: str) -> None:
    assert default_key_path(where) == Path(path)


# -- seals


def test_a_seal_opens_with_its_key_at_its_place() -> None:
    sealed = seal(KEYS, "t", SEED)
    assert unseal(KEYS, "t", commitment(SEED), sealed) == SEED
    assert SEED.hex() not in sealed


@pytest.mark.parametrize("fault", ["key", "table", "commitment", "byte", "text"])
def test_a_seal_opens_nowhere_else(fault: str) -> None:
    sealed = seal(KEYS, "t", SEED)
    flipped = ("B" if sealed[20] == "A" else "A").join((sealed[:20], sealed[21:]))
    keys = OTHERS if fault == "key" else KEYS
    committed = commitment(bytes(32)) if fault == "commitment" else commitment(SEED)
    text = {"byte": flipped, "text": "not base64!"}.get(fault, sealed)
    with pytest.raises(LedgerRefused, match="key file"):
        unseal(keys, "u" if fault == "table" else "t", committed, text)


def test_two_seeds_never_share_a_nonce() -> None:
    seals = {seal(KEYS, stream, seed)[:16] for stream in ("t", "u") for seed in (SEED, bytes(32))}
    assert len(seals) == 4


def test_only_the_owner_of_the_key_can_mark_a_text() -> None:
    assert mac(KEYS, "a") == mac(KEYS, "a")
    assert len({mac(KEYS, "a"), mac(KEYS, "b"), mac(OTHERS, "a")}) == 3
