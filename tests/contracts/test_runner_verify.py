"""What `verify` finds: every attack on a ledger is planted here, and each check is seen to be the one that finds it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin, seeded_source

from twentyone.cards import Card
from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.shoes import Custody
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import Report, verify
from twentyone.rulebook import Rulebook
from twentyone.table import TableState

RULES = Rulebook.load("pa-spanish-21").under({"shuffler": "manual"})


def close_table(day: LedgerDay) -> None:
    day.give("close_table", "floorperson", "Fay")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of one table, open and closed, signed twice."""
    folder = tmp_path_factory.mktemp("played")
    store = open_store(str(folder / "t.db"), create=True)
    day = begin(store, RULES, 6, every=30)
    day.work(2)
    write_checkpoint(store, folder / "t.db.checkpoints", KEYRING.signer, day.clock)
    day.work(3)
    close_table(day)
    write_checkpoint(store, folder / "t.db.checkpoints", KEYRING.signer, day.clock)
    store.close()
    return folder


class Attack:
    """A copy of a ledger in the hands of whoever owns its file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "t.db"
        self.checkpoints = folder / "t.db.checkpoints"
        self._raw = sqlite3.connect(self.path, isolation_level=None)
        guards = self.run("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        self._guards = [sql for _, sql in guards]
        for name, _ in guards:
            self.run(f"DROP TRIGGER {name}")

    def run(self, sql: str, *parameters: Any) -> list[Any]:
        return self._raw.execute(sql, parameters).fetchall()

    def events(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        rows = self.run("SELECT ver, body FROM events WHERE stream = 't' AND type = ? ORDER BY ver", kind)
        return [(ver, json.loads(body)) for ver, body in rows]

    def write(self, ver: int, body: dict[str, Any]) -> None:
        self.run("UPDATE events SET body = ? WHERE stream = 't' AND ver = ?", canonical(body), ver)

    def restamp(self) -> None:
        """Make the chain right again, from the first event to the last."""
        prev = GENESIS
        rows = self.run(
            "SELECT gseq, stream, ts, type, schema, body, idem, fingerprint FROM events WHERE stream = 't' ORDER BY ver"
        )
        for ver, (gseq, stream, ts, kind, schema, body, idem, mark) in enumerate(rows, 1):
            own = event_hash(prev, stream, ver, ts, kind, schema, body, idem, mark)
            self.run("UPDATE events SET ver = ?, prev = ?, hash = ? WHERE gseq = ?", ver, prev, own, gseq)
            prev = own

    def verify(self, keyring: Keyring | None = KEYRING, checkpoints: bool = False) -> Report:
        """Put the guards back, as he would, and verify; without checkpoints unless they are asked for."""
        for sql in self._guards:
            self.run(sql)
        self._raw.close()
        store = open_store(str(self.path))
        try:
            return verify(store, keyring, self.checkpoints if checkpoints else None)
        finally:
            store.close()


@pytest.fixture
def attack(played: Path, tmp_path: Path) -> Attack:
    """The ledger, copied."""
    shutil.copytree(played, tmp_path / "copy")
    return Attack(tmp_path / "copy")


def whats(report: Report) -> str:
    return "\n".join(map(str, report.faults))


def test_an_honest_ledger_is_found_right(attack: Attack) -> None:
    report = attack.verify(checkpoints=True)
    assert (report.faults, report.unchecked) == ((), ())
    assert report.ok
    assert report.counts["checkpoints"] == 2
    assert report.counts["events after the last checkpoint"] == 0
    assert report.counts["shoes sealed"] == report.counts["shoes revealed"] == 1
    assert report.to_json()["ok"] is True


# -- the chain


def test_an_altered_byte_is_found(attack: Attack) -> None:
    ver, body = attack.events("round_event")[3]
    attack.write(ver, body | {"by": "Dam"})
    report = attack.verify()
    assert f"t version {ver}: its content does not give its hash" in whats(report)
    assert not report.ok


def test_every_altered_character_is_found(attack: Attack, tmp_path: Path) -> None:
    """One character of one column of one event, at random."""
    rng, columns = Random(7), ("ts", "type", "body", "prev", "hash", "fingerprint")
    count = attack.run("SELECT max(ver) FROM events")[0][0]
    for number in range(40):
        shutil.copytree(attack.path.parent, tmp_path / str(number))
        copy, ver, column = Attack(tmp_path / str(number)), rng.randint(1, count), rng.choice(columns)
        old = copy.run(f"SELECT {column} FROM events WHERE stream = 't' AND ver = ?", ver)[0][0]
        if old is None:
            continue
        new = old + 1 if isinstance(old, int) else flipped(old, rng)
        copy.run(f"UPDATE events SET {column} = ? WHERE stream = 't' AND ver = ?", new, ver)
        assert any(fault.ver in (ver, ver + 1) for fault in copy.verify().faults), (ver, column, old, new)


def flipped(text: str, rng: Random) -> str:
    place = rng.randrange(len(text))
    return text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]


@pytest.mark.parametrize("kind", ["table_created", "command", "round_event", "chips_moved", "shoe_sealed"])
def test_a_removed_event_is_found(attack: Attack, kind: str) -> None:
    ver, _ = attack.events(kind)[0]
    attack.run("DELETE FROM events WHERE stream = 't' AND ver = ?", ver)
    assert "an event was removed" in whats(attack.verify())


@pytest.mark.parametrize("kind", ["command", "round_event", "chips_moved", "shoe_sealed", "table_created"])
def test_a_removed_event_is_found_although_the_chain_was_stamped_anew(attack: Attack, kind: str) -> None:
    ver, _ = attack.events(kind)[0]
    attack.run("DELETE FROM events WHERE stream = 't' AND ver = ?", ver)
    attack.restamp()
    report = attack.verify()
    assert "hash" not in whats(report)
    assert any(fault.ver >= ver for fault in report.faults)


# -- checkpoints


def change_what_only_checkpoints_hold(attack: Attack) -> None:
    """Another key on one command: no rule of the game speaks of it."""
    attack.run(
        "UPDATE events SET idem = 'mine' WHERE stream = 't' AND ver = "
        "(SELECT max(ver) - 2 FROM events WHERE type = 'command')"
    )
    attack.run("UPDATE events SET fingerprint = ? WHERE stream = 't' AND ver = 2", "0" * 64)
    attack.run("DELETE FROM snapshots")
    attack.restamp()


def test_a_tail_stamped_anew_is_found_by_the_checkpoints(attack: Attack) -> None:
    change_what_only_checkpoints_hold(attack)
    assert "its tail was rehashed" in whats(attack.verify(checkpoints=True))


def test_without_checkpoints_a_tail_stamped_anew_passes_and_verify_says_so(attack: Attack) -> None:
    change_what_only_checkpoints_hold(attack)
    report = attack.verify()
    assert report.faults == ()
    assert not report.ok
    assert "rehashed may pass" in report.unchecked[0]


def cut_off_the_last_commands(attack: Attack) -> None:
    ver = attack.events("command")[-3][0]
    attack.run("DELETE FROM events WHERE gseq >= (SELECT gseq FROM events WHERE stream = 't' AND ver = ?)", ver)
    attack.run("DELETE FROM snapshots WHERE ver >= ?", ver)
    entries = "FROM events WHERE stream = '(house)' AND json_extract(body, '$.name') = purses.name"
    attack.run(f"DELETE FROM purses WHERE NOT EXISTS (SELECT 1 {entries})")
    attack.run(f"UPDATE purses SET balance = (SELECT sum(json_extract(body, '$.amount')) {entries})")


def test_a_tail_cut_off_is_found_by_the_checkpoints(attack: Attack) -> None:
    cut_off_the_last_commands(attack)
    assert "its tail was cut off" in whats(attack.verify(checkpoints=True))


def test_without_checkpoints_a_tail_cut_off_passes_and_verify_says_so(attack: Attack) -> None:
    cut_off_the_last_commands(attack)
    report = attack.verify()
    assert report.faults == ()
    assert report.unchecked


def test_a_missing_key_is_said_and_is_not_well(attack: Attack) -> None:
    report = attack.verify(keyring=None, checkpoints=True)
    assert report.faults == ()
    assert not report.ok
    assert "signatures need the key file" in report.unchecked[0]


def test_a_wrong_key_is_found(attack: Attack) -> None:
    assert "the key file holds" in whats(attack.verify(Keyring.new(seeded_source(5)), checkpoints=True))


# -- dealt again


def test_a_wrong_payout_in_a_right_chain_is_found_by_dealing_again(attack: Attack) -> None:
    """The winner is paid ten dollars more, every account moves with it, and the chain is rehashed."""
    ver, body = next((ver, body) for ver, body in attack.events("round_event") if paid(body))
    row = paid(body)
    row["net"] += 10_000
    for account in body["data"]["chips"]:
        account[1] += {row["player"]: 10_000, "(inventory)": -10_000}.get(account[0], 0)
    attack.write(ver, body)
    attack.restamp()
    report = attack.verify()
    assert f"t version {ver}: round_event is not what the engine has" in whats(report)
    assert "add up" not in whats(report)
    assert "hash" not in whats(report)


def paid(body: dict[str, Any]) -> Any:
    rows = body["data"]["events"]
    return next((row for row in rows if row["event"] == "wager_settled" and row["net"] > 0), None)


def test_chips_from_nowhere_are_found_by_the_double_entry_too(attack: Attack) -> None:
    ver, body = next((ver, body) for ver, body in attack.events("round_event") if paid(body))
    body["data"]["chips"] = [[name, change + 5 * (name == "Ann")] for name, change in body["data"]["chips"]]
    attack.write(ver, body)
    attack.restamp()
    assert f"t version {ver}: its chips add up to 5" in whats(attack.verify())


def test_an_event_that_the_engine_does_not_have_is_found(attack: Attack) -> None:
    ver, body = attack.events("chips_moved")[0]
    count = attack.run("SELECT max(ver) FROM events")[0][0]
    row = ("t", count + 1, 0, "chips_moved", 1, canonical(body), "", "", None, None)
    attack.run("INSERT INTO events SELECT max(gseq) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM events", *row)
    attack.restamp()
    assert f"t version {count + 1}: chips_moved happened, but the engine has no event here" in whats(attack.verify())
    assert ver


def test_a_command_that_the_engine_refuses_is_found(attack: Attack) -> None:
    ver, body = next((ver, body) for ver, body in attack.events("command") if body["do"] == "buy_in")
    attack.write(ver, body | {"role": "player"})
    attack.restamp()
    assert f"t version {ver}: the engine refuses this command" in whats(attack.verify())


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("rulebook_hash", "0" * 64, "is kept neither by this ledger nor by this software"),
        ("rulebook", "no-such-book", "is that of pa-spanish-21, not of no-such-book"),
        ("rules", "0" * 64, "do not give the hash"),
        ("submission", {"decks": 8}, "do not give the hash"),
        ("submission", {"decks": 99}, "not allowed"),
        ("readings", {"split-21": "win"}, ""),
    ],
)
def test_unknown_rules_stop_it(attack: Attack, name: str, value: Any, says: str) -> None:
    ver, body = attack.events("table_created")[0]
    attack.write(ver, body | {name: value})
    attack.restamp()
    report = attack.verify()
    assert says in report.faults[0].what
    assert (report.counts["commands dealt again"], len(report.faults)) == (0, 1)
    assert "was not dealt again" in report.unchecked[0]


def test_a_round_under_unknown_rules_stops_it(attack: Attack) -> None:
    ver, body = attack.events("round_begun")[1]
    body["data"]["rules"] = "1" * 64
    attack.write(ver, body)
    attack.restamp()
    report = attack.verify()
    assert "rules 1111111111111111, which this software does not have" in whats(report)
    assert report.unchecked


@pytest.mark.parametrize("body", ["{", "[]", "null", '{"data":7}', "\x00"])
def test_what_cannot_be_read_is_a_fault_and_no_crash(attack: Attack, body: str) -> None:
    for kind in ("round_event", "shoe_sealed", "command", "wager_laid"):
        ver, _ = attack.events(kind)[0]
        attack.run("UPDATE events SET body = ? WHERE stream = 't' AND ver = ?", body, ver)
    attack.restamp()
    report = attack.verify()
    assert report.faults
    assert report.unchecked


def test_an_event_of_a_newer_form_stops_it_with_what_to_do(attack: Attack) -> None:
    attack.run("UPDATE events SET schema = 9 WHERE stream = 't' AND ver = 20")
    attack.restamp()
    assert "use the version that wrote it" in whats(attack.verify())


# -- shoes


def test_a_reveal_of_another_seed_is_found(attack: Attack) -> None:
    ver, body = attack.events("shoe_revealed")[0]
    attack.write(ver, body | {"seed": "ab" * 32})
    attack.restamp()
    assert f"t version {ver}: the revealed seed does not give the commitment" in whats(attack.verify())


def test_a_reveal_of_another_cut_is_found(attack: Attack) -> None:
    ver, body = attack.events("shoe_revealed")[0]
    attack.write(ver, body | {"cut": body["cut"] + 1})
    attack.restamp()
    assert "was cut at" in whats(attack.verify())


def test_a_seal_that_was_altered_is_found(attack: Attack) -> None:
    ver, body = attack.events("shoe_sealed")[0]
    attack.write(ver, body | {"sealed": flipped(body["sealed"], Random(1))})
    attack.restamp()
    assert f"t version {ver}: t: key {KEYRING.id} does not open the seal" in whats(attack.verify())


def test_a_seal_of_another_commitment_is_found(attack: Attack) -> None:
    ver, body = attack.events("shoe_sealed")[0]
    attack.write(ver, body | {"commitment": "ab" * 32})
    attack.restamp()
    assert "the table was promised" in whats(attack.verify())


Cheat = Callable[[pytest.MonkeyPatch], None]


def deal_another_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner that deals its players what the seed does not: all else in its ledger is right."""
    honest = LiveShoe.next_card

    def crooked(self: LiveShoe, state: TableState, custody: Custody) -> Card | None:
        card = honest(self, state, custody)
        ninth = state.shoe is not None and state.shoe.size - state.shoe.left == 9
        return Card("2S" if card is not Card("2S") else "3S") if ninth else card

    monkeypatch.setattr(LiveShoe, "next_card", crooked)


def keep_seeds_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner that never reveals."""
    honest = LiveShoe._own_events

    def silent(self: LiveShoe, *rest: Any) -> Any:
        own, custody = honest(self, *rest)
        return [event for event in own if event.type != "shoe_revealed"], custody

    monkeypatch.setattr(LiveShoe, "_own_events", silent)


def seal_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner that writes no seals."""
    honest = LiveShoe._own_events

    def open_handed(self: LiveShoe, *rest: Any) -> Any:
        own, custody = honest(self, *rest)
        return [event for event in own if event.type != "shoe_sealed"], custody

    monkeypatch.setattr(LiveShoe, "_own_events", open_handed)


@pytest.fixture
def crooked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Cheat, bool], Report]]:
    """Plays a short day with a runner that cheats, and verifies its ledger."""
    store = open_store(str(tmp_path / "c.db"), create=True)

    def play(cheat: Cheat, closed: bool) -> Report:
        cheat(monkeypatch)
        day = begin(store, RULES, 6)
        day.work(2)
        if closed:
            close_table(day)
        return verify(store, KEYRING, None)

    yield play
    store.close()


@pytest.mark.parametrize("closed", [True, False], ids=["revealed", "still sealed"])
def test_a_card_that_the_seed_does_not_make_is_found(crooked: Callable[[Cheat, bool], Report], closed: bool) -> None:
    report = crooked(deal_another_card, closed)
    assert "the seed makes it" in whats(report)
    assert all("the seed makes it" in fault.what for fault in report.faults)


def test_a_shoe_that_is_over_and_not_revealed_is_found(crooked: Callable[[Cheat, bool], Report]) -> None:
    assert "is over and not revealed" in whats(crooked(keep_seeds_to_itself, True))


def test_a_shoe_without_a_seal_is_found(crooked: Callable[[Cheat, bool], Report]) -> None:
    assert "no seed was sealed for" in whats(crooked(seal_nothing, False))


# -- snapshots and the clock


@pytest.mark.parametrize("keyring", [KEYRING, None], ids=["with the key", "without"])
def test_an_opening_that_was_altered_is_found_wherever_it_leads(attack: Attack, keyring: Keyring | None) -> None:
    """A rehashed ledger whose openings are nonsense is examined to its end, without a traceback."""
    attack.run("""UPDATE events SET body = '{"opened":[[1],"x"]}' WHERE type = 'cards_opened'""")
    attack.restamp()
    assert "t version" in whats(attack.verify(keyring=keyring))


def test_a_snapshot_of_another_history_is_found(attack: Attack) -> None:
    """Its mark is a checkpoint of its own: a history rehashed does not fit it."""
    attack.run("UPDATE events SET fingerprint = ? WHERE stream = 't' AND ver = 2", "0" * 64)
    attack.restamp()
    assert "the snapshot here is not of this history" in whats(attack.verify())


def test_a_snapshot_that_was_altered_is_found(attack: Attack) -> None:
    assert attack.run("SELECT count(*) FROM snapshots") == [(1,)]
    attack.run("UPDATE snapshots SET body = replace(body, '\"Ann\":', '\"Amy\":')")
    assert "does not bear the mark of the key" in whats(attack.verify())


def test_a_clock_that_went_back_unrecorded_is_found(attack: Attack) -> None:
    """All moments of one command are set to an hour before, in a right chain."""
    ver, body = attack.events("command")[30]
    end = attack.events("command")[31][0]
    attack.write(ver, body | {"at": 1})
    attack.run("UPDATE events SET ts = 1 WHERE stream = 't' AND ver >= ? AND ver < ?", ver, end)
    attack.restamp()
    assert f"t version {end}: the clock went back" in whats(attack.verify())
