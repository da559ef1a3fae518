"""The runner: nothing lost, nothing twice, an interrupted round where it stood, and a seed that nobody reads."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin, seeded_source
from tests.contracts.test_runner_days import assert_same

from twentyone.errors import Refused
from twentyone.ledger.keys import Keyring
from twentyone.ledger.replaying import Replay
from twentyone.ledger.rows import (
    Appended,
    Batch,
    KeyReused,
    LedgerFailed,
    LedgerRefused,
    NotCanonical,
    StaleVersion,
    StoredEvent,
)
from twentyone.ledger.runner import Answer, Prepared, Runner, RunnerStopped
from twentyone.ledger.seed_seals import unseal
from twentyone.ledger.snapshots import state_hash
from twentyone.ledger.sqlite import SqliteStore
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import CardChange, Device
from twentyone.table import Command, TableEvent
from twentyone.table.follow import Follower
from twentyone.table.health import Source, SourceFailed

BOOK = "pa-spanish-21"


@pytest.fixture
def rules() -> Rules:
    """The rules of most tests."""
    return Rulebook.load(BOOK).under({})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the ledger is."""
    return tmp_path / "t.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A new ledger."""
    opened = open_store(str(path), create=True)
    yield opened
    opened.close()


def loaded(store: Store, keyring: Keyring = KEYRING, stream: str = "t", every: int = 2000) -> Runner:
    """The table as another process finds it."""
    runner = Runner(store, stream, keyring, seeded_source(99), lambda: 10_000_000, every)
    runner.load()
    return runner


def stop_in_a_round(day: LedgerDay, cards: int = 5) -> None:
    """Work until so many cards of a round are dealt."""
    while day.state.round is None or day.state.round.state.used < cards or day.state.phase != "round":
        day.follow(day.table.next_steps()[0])


def opening(by: str = "Dan") -> Command:
    return Command("open_table", "floorperson", "Fay", args={"dealer": by})


# -- resuming


@pytest.mark.parametrize("cards", range(1, 9))
def test_an_interrupted_round_resumes_where_it_stood(store: Store, rules: Rules, cards: int) -> None:
    day = begin(store, rules, 4)
    stop_in_a_round(day, cards)
    runner = loaded(store)
    assert_same(runner.table.state, day.state, rules)
    assert runner.table.next_steps() == day.table.next_steps()
    day.runner, day.table = runner, runner.table
    day.clock = 10_000_000
    runner._clock = lambda: day.clock
    day.work(day.state.rounds)
    assert verify(store, KEYRING, None).faults == ()


def test_a_start_reads_the_snapshot_and_only_the_events_after_it(
    store: Store, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = begin(store, rules, 4, every=10)
    day.work(8)
    stop_in_a_round(day)
    found = store.load_snapshot("t")
    assert found is not None
    followed: list[int] = []
    plain = Replay.follow

    def follow(self: Replay, event: StoredEvent) -> TableEvent | None:
        followed.append(event.ver)
        return plain(self, event)

    monkeypatch.setattr(Replay, "follow", follow)
    assert_same(loaded(store).table.state, day.state, rules)
    assert followed == list(range(found[0] + 1, store.version("t") + 1))


@pytest.mark.parametrize("fault", ["chips", "mark", "form", "version", "other history"])
def test_a_snapshot_that_is_not_ours_is_not_used(store: Store, rules: Rules, fault: str) -> None:
    day = begin(store, rules, 4, every=10)
    day.work(6)
    ver, schema, body = store.load_snapshot("t") or (0, 0, "")
    mark, _, text = body.partition(" ")
    chips = json.loads(text)
    chips["state"]["chips"]["Ann"] += 1_000_000
    made = {
        "chips": (ver, schema, f"{mark} {json.dumps(chips)}"),
        "mark": (ver, schema, f"{'0' * 64} {text}"),
        "form": (ver, schema + 1, body),
        "version": (ver - 1, schema, body),
        "other history": (ver, schema, body),
    }[fault]
    if fault == "other history":
        other = begin(store, rules, 8, stream="u", every=10)
        other.work(6)
        made = store.load_snapshot("u") or made
    store.drop_snapshots()
    store.save_snapshot("t", *made)
    assert_same(loaded(store).table.state, day.state, rules)


def test_a_table_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(LedgerRefused, match="no table 't'"):
        loaded(store)


def test_a_runner_that_is_not_loaded_takes_nothing(store: Store) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 0)
    with pytest.raises(RunnerStopped, match="load"):
        runner.handle(opening(), "k")
    with pytest.raises(RunnerStopped, match="load"):
        _ = runner.table


# -- keys and seeds


def test_a_wrong_key_file_is_refused(store: Store, rules: Rules) -> None:
    begin(store, rules, 4)
    with pytest.raises(LedgerRefused, match="name the key file"):
        loaded(store, Keyring.new(seeded_source(5)))


def seeds_of(day: LedgerDay) -> list[bytes]:
    """The seeds of all shoes that are not over."""
    assert day.runner is not None
    custody = day.runner.custody
    seals = [*custody.stacks.values(), *([custody.shoe] if custody.shoe is not None else [])]
    return [unseal(KEYRING, "t", seal.commitment, seal.sealed) for seal in seals]


def test_a_seed_stands_nowhere_in_the_database_before_its_shoe_is_over(store: Store, rules: Rules, path: Path) -> None:
    """The files' bytes are searched for the seed in every form it could have, and for the order of the cards."""
    day = begin(store, Rulebook.load(BOOK).under({"shuffler": "automated"}), 4, every=40)
    day.work(4)
    stop_in_a_round(day)
    seeds = seeds_of(day)
    assert len(seeds) == 2
    for seed in seeds:
        assert found_in_files(path.parent, seed) == []
    day.work(day.state.rounds)
    day.give("close_table", "floorperson", "Fay")
    assert all(found_in_files(path.parent, seed) for seed in seeds), "the search finds a seed once it is revealed"


def found_in_files(folder: Path, seed: bytes) -> list[str]:
    forms = (seed, seed.hex().encode(), base64.b64encode(seed).rstrip(b"="), str(int.from_bytes(seed)).encode())
    return [file.name for file in folder.iterdir() for form in forms if form in file.read_bytes()]


def test_a_commitment_stands_in_the_ledger_before_the_cut(store: Store, rules: Rules) -> None:
    begin(store, rules, 4).work(2)
    kinds = [event.type for event in store.read("t")]
    assert kinds.index("shoe_sealed") < kinds.index("cut_made") < kinds.index("card_burned")


def test_preshuffled_cards_are_committed_to_when_they_come(store: Store) -> None:
    begin(store, Rulebook.load(BOOK).under({"shuffler": "manual", "preinspected": True}), 4).work(2)
    kinds = [event.type for event in store.read("t")]
    assert kinds.index("cards_received") < kinds.index("shoe_sealed") < kinds.index("cut_made")


@pytest.mark.parametrize("args", [{"card": "2S"}, {"commitment": "0" * 64}, {"burn": "2S"}, {"symbol": "10"}])
def test_nobody_brings_what_the_shoe_deals(store: Store, rules: Rules, args: dict[str, str]) -> None:
    day = begin(store, rules, 4)
    stop_in_a_round(day, 1)
    assert day.runner is not None
    before = day.runner.version
    with pytest.raises(Refused):
        day.runner.handle(Command("card", "dealer", "Dan", args=args), "k")
    assert (day.runner.version, store.version("t")) == (before, before)


def test_a_card_that_is_not_of_this_game_may_be_found_in_the_shoe(store: Store, rules: Rules) -> None:
    day = begin(store, rules, 4)
    stop_in_a_round(day, 1)
    assert day.runner is not None
    day.runner.handle(Command("card", "dealer", "Dan", args={"card": "10S"}), "k")
    assert day.runner.table.state.round is not None
    assert [card.name for card in day.runner.table.state.round.state.set_aside] == ["10S"]
    day.table = day.runner.table
    day.work(3)
    assert verify(store, KEYRING, None).faults == ()


def test_an_exposed_card_drawn_in_error_is_the_shoes_next_and_an_unexposed_one_stays_unknown(
    store: Store, rules: Rules
) -> None:
    day = begin(store, rules, 4)
    stop_in_a_round(day, 1)
    while day.state.round is not None and day.state.round.state.due:
        day.follow(day.table.next_steps()[0])
    assert day.runner is not None
    hidden = Command("happened", "dealer", "Dan", args={"name": "card_drawn_in_error"})
    prepared = day.runner.prepare(hidden, "h")
    assert isinstance(prepared, Prepared)
    assert "card" not in prepared.batch.events[0].body["args"]
    shown = hidden._replace(args={**hidden.args, "exposed": True})
    answer = day.runner.handle(shown, "s")
    held = day.runner.table.state.round
    assert held is not None
    assert held.state.used > 0
    assert json.loads(answer.events[0].body)["args"]["card"]
    day.table = day.runner.table
    assert verify(store, KEYRING, None).faults == ()


def test_a_person_may_enter_the_cards(store: Store, rules: Rules) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(rules, cards="person")
    runner.handle(opening(), "k")
    with pytest.raises(LedgerRefused, match="shoe or person"):
        Runner(store, "u", KEYRING, seeded_source(1), lambda: 5).create(rules, cards="hat")
    report = verify(store, KEYRING, None)
    assert (report.faults, report.counts["shoes sealed"]) == ((), 0)


def work_by_the_book(runner: Runner) -> None:
    """Open the table and do what the procedure asks, for as long as it goes."""
    follower = Follower({"dealer": "Dan", "floorperson": "Fay"})
    for number in range(30):
        step = runner.table.next_steps()[0]
        sits = Command("sit", "player", "Ann", args={"boxes": [1]})
        runner.handle(sits if step.do == "sit" else follower.command(runner.table, step), f"k{number}")


def test_a_source_of_entropy_that_fails_stops_the_table(store: Store, rules: Rules) -> None:
    good = Random(3)
    answers = iter([good.randbytes(1024)])
    runner = Runner(store, "t", KEYRING, Source(lambda count: next(answers, bytes(count))), lambda: 5)
    runner.create(rules)
    with pytest.raises(SourceFailed):
        work_by_the_book(runner)
    with pytest.raises(RunnerStopped, match="entropy"):
        runner.handle(opening(), "again")


# -- one answer for one key


def test_a_repeated_command_has_the_same_answer_byte_for_byte(store: Store, rules: Rules) -> None:
    day = begin(store, rules, 4)
    day.work(3)
    assert day.runner is not None
    version = store.version("t")
    for (command, key), answer in zip(day.given, day.answers, strict=True):
        assert day.runner.handle(command, key) == answer
        assert day.runner.handle(command, key, expected=answer.version - len(answer.events)) == answer
    assert loaded(store).handle(*day.given[7]) == day.answers[7]
    assert (store.version("t"), day.runner.version) == (version, version)


def test_a_command_that_could_be_given_twice_is_taken_once_for_one_key(store: Store, rules: Rules) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(rules)
    fill = Command("fill", "floorperson", "Fay", args={"amount": "100"})
    first = runner.handle(fill, "one")
    state = state_hash(runner.table.state, rules)
    assert runner.handle(fill, "one") == first
    assert state_hash(runner.table.state, rules) == state
    assert runner.handle(fill, "two").version == first.version + 2


@pytest.mark.parametrize("other", [{"amount": "200"}, {"amount": "-1"}])
def test_a_key_with_another_command_is_refused(store: Store, rules: Rules, other: dict[str, str]) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(rules)
    fill = Command("fill", "floorperson", "Fay", args={"amount": "100"})
    version = runner.handle(fill, "one").version
    with pytest.raises(KeyReused):
        runner.handle(fill._replace(args=other), "one")
    assert (runner.version, runner.stopped) == (version, "")


def test_a_stale_version_is_refused_and_nothing_stored(store: Store, rules: Rules) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(rules)
    version = runner.handle(opening(), "one", expected=runner.version).version
    fill = Command("fill", "floorperson", "Fay", args={"amount": "100"})
    with pytest.raises(StaleVersion):
        runner.handle(fill, "two", expected=version - 1)
    assert store.version("t") == version
    assert runner.handle(fill, "two", expected=version).version == version + 2


def test_two_runners_on_one_table_follow_each_other(store: Store, rules: Rules) -> None:
    one = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    one.create(rules)
    other = loaded(store)
    fill = Command("fill", "floorperson", "Fay", args={"amount": "100"})
    one.handle(fill, "one")
    with pytest.raises(StaleVersion):
        other.handle(fill, "two")
    other.handle(fill, "two")
    one.handle(fill, "three", expected=other.version)
    assert one.version == store.version("t")
    assert verify(store, KEYRING, None).faults == ()


def test_many_clients_at_once_with_the_same_and_with_other_keys_are_each_taken_once(store: Store, rules: Rules) -> None:
    runners = [Runner(store, "t", KEYRING, seeded_source(n), lambda: 5) for n in range(2)]
    runners[0].create(rules)
    runners[1].load()
    fill = Command("fill", "floorperson", "Fay", args={"amount": "1"})

    def send(number: int) -> Answer:
        """Send a command until it has an answer: another process may have been first."""
        while True:
            try:
                return runners[number % 2].handle(fill, f"key {number // 4}")
            except StaleVersion:
                continue

    with ThreadPoolExecutor(16) as clients:
        answers = list(clients.map(send, range(160)))
    assert all(len(set(answers[first : first + 4])) == 1 for first in range(0, 160, 4))
    assert len(set(answers)) == 40
    for runner in (*runners, loaded(store)):
        runner.load()
        assert str(runner.table.state.chips["(inventory)"]) == "40"
    assert verify(store, KEYRING, None).faults == ()


def test_a_refused_command_stores_nothing(store: Store, rules: Rules) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    version = runner.create(rules).version
    with pytest.raises(Refused):
        runner.handle(Command("deal", "dealer", "Dan"), "k")
    with pytest.raises(NotCanonical):
        runner.handle(Command("fill", "floorperson", "Fay", args={"amount": 0.5}), "k")
    with pytest.raises(NotCanonical):
        runner.handle(Command("fill", "floorperson", "Fay", args={"amount": 2**63}), "k")
    assert (store.version("t"), runner.stopped) == (version, "")


# -- faults of the ledger


class FailingStore:
    """A store whose n-th append from now fails: before anything is stored, or after all of it is."""

    def __init__(self, store: Store, fails_at: int, stored: bool, error: Exception) -> None:
        self._store, self._left, self._stored, self._error = store, fails_at, stored, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, *batch: Any) -> Appended:
        self._left -= 1
        if self._left == 0 and self._stored:
            self._store.append(*batch)
        if self._left == 0:
            raise self._error
        return self._store.append(*batch)


@pytest.mark.parametrize("stored", [False, True], ids=["before the commit", "after the commit"])
@pytest.mark.parametrize("error", [LedgerFailed("disk full"), OSError(28, "no space"), sqlite3.OperationalError("I/O")])
@pytest.mark.parametrize("fails_at", [3, 30, 61])
def test_a_failed_commit_stops_the_table_and_nothing_is_applied_twice(
    store: Store, rules: Rules, fails_at: int, error: Exception, stored: bool
) -> None:
    day = begin(store, rules, 4)
    failing: Any = FailingStore(store, fails_at, stored, error)
    runner = Runner(failing, "t", KEYRING, seeded_source(7), lambda: day.clock)
    runner.load()
    day.runner = runner
    with pytest.raises(LedgerFailed):
        day.work(40)
    with pytest.raises(RunnerStopped, match="is stopped"):
        runner.handle(opening(), "another")
    settled = store.version("t")
    runner.load()
    day.table = runner.table
    assert runner.version == settled
    day.work(day.done + 1)
    assert verify(store, KEYRING, None).faults == ()


@pytest.mark.parametrize("stored", [False, True], ids=["before the commit", "after the commit"])
def test_a_command_without_an_answer_is_sent_again_and_settles_once(store: Store, rules: Rules, stored: bool) -> None:
    begin(store, rules, 4)
    failing: Any = FailingStore(store, 1, stored, LedgerFailed("database gone"))
    runner = Runner(failing, "t", KEYRING, seeded_source(7), lambda: 5)
    runner.load()
    fill, before = Command("fill", "floorperson", "Fay", args={"amount": "100"}), store.version("t")
    with pytest.raises(LedgerFailed):
        runner.handle(fill, "one")
    runner.load()
    answer = runner.handle(fill, "one")
    assert answer.version == store.version("t") == before + 2
    assert str(runner.table.state.chips["(inventory)"]) == "100"


def test_a_snapshot_that_cannot_be_written_stops_the_table_after_its_answer(
    store: Store, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = begin(store, rules, 4, every=1)

    def fail(*_: object) -> None:
        raise LedgerFailed("disk full")

    monkeypatch.setattr(SqliteStore, "save_snapshot", fail)
    assert day.runner is not None
    answer = day.runner.handle(opening(), "k")
    assert answer.version == store.version("t")
    with pytest.raises(RunnerStopped, match="disk full"):
        day.runner.handle(opening(), "l")


def test_commands_of_several_tables_share_a_commit(store: Store, rules: Rules) -> None:
    runners = [Runner(store, f"t{n}", KEYRING, seeded_source(n), lambda: 5) for n in range(3)]
    for runner in runners:
        runner.create(rules)
    runners[2].handle(opening(), "taken")
    fill = Command("fill", "floorperson", "Fay", args={"amount": "100"})
    keys = ("one", "two", "taken")
    prepared = [runner.prepare(fill, key) for runner, key in zip(runners, keys, strict=True)]
    batches: list[Batch] = [row.batch for row in prepared if isinstance(row, Prepared)]
    outcomes = store.append_many(batches)
    rows = [row for row in prepared if isinstance(row, Prepared)]
    for runner, row, outcome in list(zip(runners, rows, outcomes, strict=True))[:2]:
        assert runner.finish(row, outcome).version == runner.version == store.version(runner.stream)
    with pytest.raises(KeyReused):
        runners[2].finish(rows[2], outcomes[2])
    assert runners[2].stopped == ""


# -- the clock


@pytest.mark.parametrize("jump", [-3600, -86_400 * 400, 7, 3600, 86_400])
def test_a_clock_that_jumps_changes_no_order_and_no_settlement(store: Store, rules: Rules, jump: int) -> None:
    """The same day on a clock that runs and on one that is set in the middle of a round.

    The round ends as it would have ended; only then, where the clock says that the cards are too old, are new ones due.
    """
    days = [begin(store, rules, 4, stream=name) for name in ("steady", "set")]
    for day in days:
        day.clock = 2_000_000_000
        stop_in_a_round(day, 4)
    days[1].clock += jump
    for day in days:
        day.work(day.state.rounds)
    steady, moved = (list(store.read(name)) for name in ("steady", "set"))
    went_back = [event for event in moved if event.type == "clock_went_back"]
    assert len(went_back) == (1 if jump < -5 else 0)
    others = [event for event in moved if event.type != "clock_went_back"]
    same, more = others[: len(steady)], others[len(steady) :]
    assert [event.type for event in same] == [event.type for event in steady]
    due = [json.loads(event.body)["do"] for event in more if event.type == "command"]
    assert due[:1] == (["change_cards"] if jump >= rules.one(CardChange).hours * 60 * 60 else [])
    assert days[0].state.chips == days[1].state.chips
    assert [event.ver for event in moved] == list(range(1, len(moved) + 1))
    wrong = [fault.what for fault in verify(store, KEYRING, None).faults]
    assert wrong, "both tables were given the seeds of one source"
    assert all("have a seed of their own" in what for what in wrong)


# -- rules that stand in for a device


def test_a_round_without_its_card_reader_says_so_and_is_built_again_under_its_own_rules(store: Store) -> None:
    rules = Rulebook.load("s13-spanish-21").under({"hole_card": "reader"})
    device = next(clause.name for clause in rules.all(Device) if clause.out_of_order == "without")
    day = begin(store, rules, 4)
    day.work(1)
    day.give("device_out_of_order", "dealer", "Dan", device=device)
    stop_in_a_round(day)
    begun = [json.loads(event.body)["data"] for event in store.read("t") if event.type == "round_begun"]
    assert [row.get("instead") for row in begun] == [None, {"hole_card": "unread"}]
    assert begun[0]["rules"] != begun[1]["rules"]
    runner = loaded(store)
    assert_same(runner.table.state, day.state, rules)
    assert runner.table.state.round is not None
    assert runner.table.state.round.rules.submission["hole_card"] == "unread"
    assert verify(store, KEYRING, None).faults == ()
