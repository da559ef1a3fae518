"""Signed heads name every stream there is: one that appears beside signed history is named, and not signed over."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from tests.contracts.store_places import Place
from tests.faults.tampering import KEY, forge, restamp

from twentyone.cli import main
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.checkpoints import CLOCKS_DIFFER, verify_checkpoints, write_checkpoint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused, NewEvent, StoredEvent
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify

NOON = 1_800_000_000
BOOK = "classic-blackjack"


def begin(store: Store, stream: str, ts: int) -> None:
    store.append(stream, 0, [NewEvent("x", {}, ts)], f"create {stream}", "f")


def faults(store: Store, trail: Path) -> list[str]:
    return [str(fault) for fault in verify_checkpoints(store, trail, KEY.public_key()).faults]


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    return tmp_path / "ledger.checkpoints"


@pytest.fixture
def store(place: Place, trail: Path) -> Store:
    """A ledger of one stream, signed at noon."""
    made = place.open()
    begin(made, "a", NOON - 3600)
    write_checkpoint(made, trail, KEY, NOON)
    return made


def test_a_stream_begun_after_the_signature_is_right(store: Store, trail: Path) -> None:
    begin(store, "b", NOON + 1)
    assert faults(store, trail) == []
    write_checkpoint(store, trail, KEY, NOON + 60)
    assert faults(store, trail) == []


def test_a_stream_dated_before_the_signature_is_named_and_not_signed(store: Store, trail: Path) -> None:
    begin(store, "b", NOON - 3000)
    [fault] = faults(store, trail)
    assert fault.startswith("b version 1: is of 2027-01-15 07:10:00, checkpoint 1")
    before = trail.read_bytes()
    with pytest.raises(LedgerRefused, match="does not name this stream"):
        write_checkpoint(store, trail, KEY, NOON + 60)
    assert trail.read_bytes() == before


def test_clocks_that_differ_a_little_are_no_fault(store: Store, trail: Path) -> None:
    begin(store, "b", NOON - CLOCKS_DIFFER)
    begin(store, "c", NOON - CLOCKS_DIFFER - 1)
    assert [fault[:1] for fault in faults(store, trail)] == ["c"]


def test_a_clock_that_was_set_back_is_signed_and_then_right(store: Store, trail: Path) -> None:
    write_checkpoint(store, trail, KEY, NOON - 7200)
    begin(store, "b", NOON - 7000)
    assert faults(store, trail) == []


def test_a_stream_that_an_earlier_version_signed_over_is_named(store: Store, trail: Path) -> None:
    """Whatever the last checkpoint says: the one before it covers a time in which there was no such stream."""
    begin(store, "b", NOON - 3000)
    _sign_over(store, trail)
    assert [fault[:1] for fault in faults(store, trail)] == ["b"]


def _sign_over(store: Store, trail: Path) -> None:
    """What the version before did: sign whatever there is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twentyone.ledger.checkpoints._unnamed", lambda *_: "")
        write_checkpoint(store, trail, KEY, NOON + 60)


def test_a_stream_numbered_among_signed_events_is_named(place: Place, trail: Path) -> None:
    """The numbers of what was signed are taken, whatever time an event bears."""
    store = place.open()
    rows = [_event(gseq, "a", gseq) for gseq in (1, 2, 3)]
    forge(store, [*restamp(rows)[:2], restamp(rows)[2]._replace(gseq=5)])
    write_checkpoint(store, trail, KEY, NOON)
    forge(store, [_event(4, "b", 1)])
    [fault] = faults(store, trail)
    assert fault == (
        "b version 1: is number 4 of the ledger, checkpoint 1 of ledger.checkpoints covers all up to 5 "
        "and does not name this stream"
    )


def _event(gseq: int, stream: str, ver: int) -> StoredEvent:
    own = event_hash(GENESIS, stream, ver, NOON, "x", 1, "{}", f"{stream}{gseq}", "f")
    return StoredEvent(gseq, stream, ver, NOON, "x", 1, "{}", GENESIS, own, f"{stream}{gseq}", "f")


def test_lines_of_an_earlier_version_stay_valid(store: Store, trail: Path) -> None:
    """They do not say the last number: the time of a stream still counts."""
    body = json.loads(trail.read_text(encoding="utf-8"))
    del body["last"], body["signature"]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    body["signature"] = KEY.sign(text.encode()).hex()
    trail.write_text(json.dumps(body, sort_keys=True, separators=(",", ":")) + "\n", encoding="utf-8")
    begin(store, "b", NOON)
    assert faults(store, trail) == []
    begin(store, "c", NOON - 3000)
    assert [fault[:1] for fault in faults(store, trail)] == ["c"]


# -- a whole table, made up by whoever owns the database


def work(url: str, name: str, *options: str) -> None:
    assert main(["shift", BOOK, "--rounds", "2", "--ledger", url, "--key", name, *options]) == 0


def test_a_table_made_up_without_the_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second table, worked with other keys, dated a day before the last checkpoint: no command takes it silently."""
    url, other = str(tmp_path / "t.db"), str(tmp_path / "other.db")
    work(url, f"{url}.key")
    work(other, f"{other}.key", "--tables", "2", "--seed", "9")
    keys = Keyring.load(f"{url}.key")
    with closing(open_store(other)) as source, closing(open_store(url)) as store:
        made_up = [row for row in source.read_all() if row.stream.endswith("-2")]
        body = json.loads(made_up[0].body) | {"key": keys.id, "for_play": True}
        made_up[0] = made_up[0]._replace(body=json.dumps(body, sort_keys=True, separators=(",", ":")))
        last = store.settled()
        forge(store, [row._replace(gseq=last + place) for place, row in enumerate(restamp(made_up), 1)])
        found = verify(store, keys, f"{url}.checkpoints")
        assert [str(fault)[:60] for fault in found.faults if "does not name" in fault.what]
    for command in (("report", url), ("rounds", url), ("show", url, f"{BOOK}-1:1"), ("export", url, "--all")):
        capsys.readouterr()
        assert main(list(command)) == 1
        assert "does not name this stream" in capsys.readouterr().err
    assert main(["report", url, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["reconciled"], len(report["faults"])) == (False, 1)
    assert main(["shift", BOOK, "--rounds", "4", "--ledger", url]) == 2
    assert "nothing was written" in capsys.readouterr().err
