"""Periods: a ledger is closed for ever, and the next begins with what it leaves, to the cent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.coupon_tables import CouponTable
from tests.contracts.house_tables import at, bring, issue, purse, sit
from tests.contracts.period_house import END, House, build
from tests.contracts.runner_driver import KEYRING
from tests.faults.tampering import forge, restamp

from twentyone.errors import Refused, TwentyoneError
from twentyone.ledger.archives import Archives, archive_faults, digest_of
from twentyone.ledger.backup import backup
from twentyone.ledger.balances import closing_balances, opening_balances, table_ends
from twentyone.ledger.carried import HELD, OVER, not_at_rest
from twentyone.ledger.checkpoints import read_trail, write_checkpoint
from twentyone.ledger.coupons import void
from twentyone.ledger.leases import Leases
from twentyone.ledger.one_process import only_process
from twentyone.ledger.period_audit import link_faults
from twentyone.ledger.periods import begun_in, closed_in
from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.report import shift_report
from twentyone.ledger.retention import judge, remove
from twentyone.ledger.rows import ACCESS, HOUSE, LedgerRefused, PeriodClosed, StoredEvent, Superseded
from twentyone.ledger.start import Files, open_to_play
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.ledger.timestamps import Period
from twentyone.ledger.verify import verify
from twentyone.money import Amount
from twentyone.service.held_accounts import mark_accounts
from twentyone.service.people_audit import with_people
from twentyone.service.records import open_records
from twentyone.service.service import Service
from twentyone.table import Command
from twentyone.table.shoe import os_source

STEPS = (
    *("examine", "sign_before", "close", "sign", "archive", "list", "hand_over"),
    *("begin", "mark_people", "sign_next", "list_next"),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house at the end of its period, made once."""
    folder = tmp_path_factory.mktemp("house")
    build(folder)
    return folder


@pytest.fixture
def house(template: Path, tmp_path: Path) -> House:
    """A copy of it in files."""
    return House(template, tmp_path / "house")


@pytest.fixture(scope="module")
def closed_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> House:
    """The house after its period was closed, made once; only read."""
    house = House(template, tmp_path_factory.mktemp("closed"))
    house.close()
    return house


@pytest.fixture
def closed(closed_template: House, tmp_path: Path) -> House:
    """A copy of it."""
    return House(closed_template.folder, tmp_path / "copy")


@pytest.fixture(params=["to postgresql", "from postgresql"])
def moved(request: pytest.FixtureRequest, template: Path, tmp_path: Path) -> House:
    """The two periods in databases of both kinds."""
    other = request.getfixturevalue("postgres").new_schema()
    kinds = {"old": other} if request.param.startswith("from") else {"new": other}
    return House(template, tmp_path / "house", **kinds)


def faults(house: House, url: str = "") -> list[str]:
    """What verify finds in the next period, or in another ledger of this key."""
    trail = house.after.checkpoints if url in ("", house.new) else house.files.checkpoints
    with closing(open_store(url or house.new)) as store:
        report = verify(store, KEYRING, trail)
    return [*map(str, report.faults), *report.unchecked]


def linked(house: House, before: str = "") -> list[str]:
    """What is wrong between the two periods."""
    points = read_trail(house.files.checkpoints, KEYRING.signer.public_key()).checkpoints
    with closing(open_store(before or house.old)) as old, closing(open_store(house.new)) as new:
        return [str(fault) for fault in link_faults(old, new, points)]


def rewritten(house: House, change: Any) -> None:
    """The next period forged by somebody who has even the key: events changed, stamped and signed anew."""
    with closing(open_store(house.new)) as store:
        rows = [change(event) for event in store.read_all()]
    for end in ("", "-wal", "-shm"):
        Path(house.new + end).unlink(missing_ok=True)
    house.after.checkpoints.unlink()
    with closing(open_store(house.new, create=True)) as store:
        store.take_over(restamp(rows))
        write_checkpoint(store, house.after.checkpoints, KEYRING.signer, END)


def with_body(event: StoredEvent, kind: str, **changed: Any) -> StoredEvent:
    """An event of a kind with another body."""
    if event.type != kind:
        return event
    return event._replace(body=json.dumps({**json.loads(event.body), **changed}, sort_keys=True, separators=(",", ":")))


# -- what goes over


def test_everything_goes_over_to_the_cent(closed_template: House) -> None:
    """Known from the story that the house was built with, and from double entry; nothing is read off the new ledger."""
    house = closed_template
    with closing(open_store(house.old)) as old, closing(open_store(house.new)) as new:
        assert table_streams(new) == table_streams(old) == ["one", "two", "wheels"]
        assert (purse(new, "Ann"), purse(new, "Cy")) == (purse(old, "Ann"), "70.5")
        assert new.find_derived("purses", "Cy") == (70_500, 1)
        assert [number for number, _ in new.read_derived("coupons")] == ["A-2"]
        assert new.find_derived("coupons", "A-2") == old.find_derived("coupons", "A-2")
        for name in table_streams(old):
            before, after = at(old, name).table, at(new, name).table
            assert {field: getattr(before.state, field) for field in HELD if field != "chips"} == {
                field: getattr(after.state, field) for field in HELD if field != "chips"
            }
            assert {account: chips for account, chips in before.state.chips.items() if chips} == after.state.chips
            assert (after.state.phase, after.state.rounds, after.rules.submission.choices) == (
                "closed",
                0,
                before.rules.submission.choices,
            )
        one, wheels = at(new, "one").table.state, at(new, "wheels").table.state
        assert (one.chips["(inventory)"], one.chips["(tips)"], one.limits["tip"]) == (
            Amount("1000"),
            Amount("10"),
            Amount("20"),
        )
        assert any(meter.held > int(meter.base) for meter in wheels.meters.values())
        reports = [shift_report(store, Period(), END).to_json()["house"] for store in (old, new)]
        assert reports[0]["found"] == reports[1]["found"]
        assert reports[1]["given_out"]["taken_over"] == str(sum(map(Amount, reports[0]["found"].values()), Amount("0")))
        assert reports[1]["difference"] == "0"
    assert faults(house) == faults(house, house.old) == linked(house) == linked(house, str(house.archive)) == []


def test_people_go_over_and_sessions_do_not(closed_template: House) -> None:
    with closing(open_records(closed_template.new)) as people:
        assert people.rows("SELECT name, role, password FROM people_accounts") == [("fay", "administrator", "hash")]
        assert people.rows("SELECT secret, used, since FROM people_factors") == [("SECRET", 7, 5)]
        assert people.rows("SELECT name FROM people_settings") == [("staff:one",)]
        assert people.rows("SELECT 1 FROM people_sessions") == []
    with closing(open_store(closed_template.new)) as store:
        assert [event.type for event in store.read(ACCESS)] == ["account_marked", "accounts_marked"]
        report = with_people(verify(store, KEYRING, None), closed_template.new, store, KEYRING)
        assert (report.faults, report.counts["accounts"]) == ((), 1)


def test_the_next_period_is_served_and_the_closed_one_is_not(closed: House) -> None:
    def served(url: str, files: Files) -> list[str]:
        service = Service(url, clock=lambda: END, key=str(files.key), checkpoints=str(files.checkpoints))
        try:
            service.check()
            return [service.people.accounts.role_of("fay") or "", *map(str, service.unloaded)]
        finally:
            service.writer.close()
            service.records.close()
            service.store.close()

    with pytest.raises(PeriodClosed):
        served(closed.old, closed.files)
    assert served(closed.new, closed.after) == ["administrator"]


def test_databases_of_both_kinds_follow_each_other(moved: House) -> None:
    done = moved.close()
    assert done["period"] == 1
    assert faults(moved) == linked(moved) == linked(moved, str(moved.archive)) == []
    with closing(open_records(moved.new)) as people:
        assert bool(people.rows("SELECT 1 FROM people_accounts")) == (moved.old.endswith(".db"))
    with closing(open_store(moved.old)) as old, pytest.raises(PeriodClosed, match="nothing was stored"):
        old.append(HOUSE, 0, [void("A-2", "Fay", "late", END)], "late", "late")
    with closing(open_store(moved.new)) as new:
        table = at(new, "one")
        table.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "open again")
        sit(table, "Ann", 1)
        bring(table, "Ann", "5", "k-9")
        write_checkpoint(new, moved.after.checkpoints, KEYRING.signer, END)
    assert faults(moved) == linked(moved) == []


def test_play_goes_on_and_the_next_period_is_closed_in_its_turn(closed: House) -> None:
    with closing(open_store(closed.new)) as new:
        table = at(new, "one")
        table.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "open again")
        sit(table, "Ann", 1)
        sit(table, "Cy", 2)
        bring(table, "Ann", "100", "k-9")
        with pytest.raises(Refused, match=r"holds \$70.50"):
            bring(table, "Cy", "71", "k-10")
        table.handle(Command("close_table", "floorperson", "Fay"), "close again")
        write_checkpoint(new, closed.after.checkpoints, KEYRING.signer, END)
        told = opening_balances(new, begun_in(new).body["events"])  # type: ignore[union-attr]
        assert told.money == closing_balances(new, table_ends(new)).money
    third = closed.folder / "third.db"
    done = closed.close(
        ledger=closed.new,
        files=closed.after,
        after=str(third),
        after_files=closed.after._replace(checkpoints=closed.folder / "third.checkpoints"),
    )
    assert (done["period"], done["next"]["number"]) == (2, 3)
    assert [archive.line["number"] for archive in Archives(closed.archives).every] == [1, 2]
    with closing(open_store(str(third))) as store:
        assert verify(store, KEYRING, closed.folder / "third.checkpoints").ok


# -- a closed period


def test_nothing_more_is_stored_in_a_closed_period(closed: House) -> None:
    with closing(open_store(closed.old)) as old:
        before = list(old.read_all())
        with pytest.raises(PeriodClosed, match=r"go on with .*new\.db"):
            at(old, "one").handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "late")
        with pytest.raises(PeriodClosed):
            open_table_anew(old)
        first = next(event for event in before if event.idem == "k-1")
        assert first.fingerprint is not None
        again = old.append(HOUSE, 0, [void("A-2", "Fay", "no", END)], "k-1", first.fingerprint)
        assert again.repeated  # what was stored is answered, not stored again
        assert list(old.read_all()) == before
    with pytest.raises(PeriodClosed):
        open_to_play(closed.old, closed.files, os_source(), END)
    assert faults(closed, closed.old) == []


def open_table_anew(store: Store) -> None:
    """A new table in a closed period."""
    CouponTable(store, "late")


def test_a_process_that_had_opened_it_before_stores_nothing_either(house: House) -> None:
    with closing(open_store(house.old)) as early:
        table = at(early, "one")
        house.close()
        with pytest.raises(PeriodClosed):
            table.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "late")
        assert closed_in(early) is not None


def test_an_event_that_sql_adds_to_a_closed_period_is_found(closed: House) -> None:
    with closing(open_store(closed.old)) as old:
        rows = list(old.read_all())
        late = next(row for row in rows if row.idem == "k-2")
        forge(old, restamp([*rows, late._replace(idem="late")])[-1:])
    told = " ".join(faults(closed, closed.old))
    assert "was appended after the period was closed at 2027-01-15 08:16:40 (UTC)" in told


@pytest.mark.parametrize("step", STEPS)
def test_killed_after_any_step_the_same_call_finishes(step: str, house: House, closed_template: House) -> None:
    def kill(done: str) -> None:
        if done == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        house.close(kill)
    with closing(open_store(house.old)) as old:
        goes_on = closed_in(old) is None
    assert goes_on == (step in STEPS[:2])
    assert (Path(house.new).exists() and not goes_on) == (step in STEPS[7:])
    if goes_on:  # the old one goes on as if nothing had been
        open_to_play(house.old, house.files, os_source(), END)[0].close()
    (house.archives / "old-0001.db.part").touch()  # what a kill within a copy leaves
    house.close()
    same = closed_template
    assert house.archive.read_bytes() == same.archive.read_bytes()
    assert len(Archives(house.archives).every) == 1
    with closing(open_store(house.new)) as new, closing(open_store(same.new)) as other:
        assert list(new.read_all()) == list(other.read_all())
    assert linked(house) == []


# -- what cannot be closed


def test_what_is_open_is_not_closed(template: Path, tmp_path: Path) -> None:
    def refusal(prepare: Any, match: str) -> None:
        house = House(template, tmp_path / str(len(list(tmp_path.iterdir()))))
        with closing(open_store(house.old)) as store:
            prepare(store, house)
            before = list(store.read_all())
        with pytest.raises(TwentyoneError, match=match):
            house.close()
        with closing(open_store(house.old)) as store:
            assert list(store.read_all()) == before
        assert not house.after.checkpoints.exists()

    def opened(store: Store, _: House) -> None:
        at(store, "one").handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "open")

    def asked(_: Store, house: House) -> None:
        with closing(open_records(house.old)) as people:
            people.run("INSERT INTO people_approvals VALUES ('1', 'a', '{}', 'remove Bob', 'fay', ?)", (END,))

    def edited(store: Store, house: House) -> None:
        with closing(open_records(house.old)) as people:
            mark_accounts(store, people, KEYRING.sealing, END)
            people.run("DELETE FROM people_sessions")
            people.run("UPDATE people_accounts SET password = 'of another'")

    def altered(store: Store, _: House) -> None:
        store._writing.rows("UPDATE purses SET balance = 1 WHERE name = 'Ann'")  # type: ignore[attr-defined]

    def there(_: Store, house: House) -> None:
        with closing(open_store(house.old)) as store:
            backup(store, Path(house.new))

    def in_the_way(_: Store, house: House) -> None:
        house.archives.mkdir()
        house.archive.write_text("of another house")

    with pytest.raises(pytest.fail.Exception):  # the negative control: as it is, it is closed
        refusal(lambda *_: None, "cannot be closed")
    refusal(opened, "the table one: it is open: close it")
    refusal(edited, "the account of fay is not what the events say: its password is another one")
    refusal(asked, "waits for approval to remove Bob: approve or decline it")
    refusal(altered, r"verify does not find it well .*purses")
    refusal(there, "holds something already")
    refusal(in_the_way, r"old-0001\.db exists already: name another folder")
    with pytest.raises(LedgerRefused, match="name a new one"):
        House(template, tmp_path / "same").close(after=str(tmp_path / "same" / "old.db"))


def test_a_ledger_that_is_served_is_not_closed(house: House, template: Path, tmp_path: Path, postgres: Any) -> None:
    with only_process(house.old, "http://here"), pytest.raises(LedgerRefused, match="is served by http://here already"):
        house.close()
    other = House(template, tmp_path / "other", old=postgres.new_schema())
    with closing(open_store(other.old)) as store:
        assert isinstance(store, PostgresStore)
        leases = Leases(other.old, store, "me", "http://there")
        leases.renew()
        store._writing.rows("UPDATE processes SET until = 'infinity'")  # alive, however slow this machine is
        with pytest.raises(LedgerRefused, match="it is served by http://there: stop that first"):
            other.close()
        leases.leave()
    assert house.close()["period"] == other.close()["period"] == 1


def test_a_process_whose_lease_ended_stores_nothing_in_a_closed_period(
    template: Path, tmp_path: Path, postgres: Any
) -> None:
    """It was stopped, the period was closed meanwhile, and it goes on: its quick way to append is fenced off, too."""
    house = House(template, tmp_path / "house", old=postgres.new_schema())
    with closing(open_store(house.old)) as store:
        assert isinstance(store, PostgresStore)
        leases = Leases(house.old, store, "me", "http://there")
        leases.renew()
        leases.enrol(["one"])
        assert leases.claim(["one"]) == ["one"]
        table = at(store, "one")
        for do, key in (("open_table", "open"), ("close_table", "shut")):
            args = {"dealer": "Dan"} if do == "open_table" else {}
            table.handle(Command(do, "floorperson", "Fay", args=args), key)
        store._writing.rows("DELETE FROM processes")
        house.close()
        last = store.settled()
        with pytest.raises((PeriodClosed, Superseded)):
            table.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "late")
        assert store.settled() == last
    assert faults(house) == linked(house) == []


def test_what_somebody_writes_meanwhile_is_not_lost(house: House) -> None:
    def write(done: str) -> None:
        if done == "sign_before":
            with closing(open_store(house.old)) as store:
                issue(store, "Dee", "9", "meanwhile")

    with pytest.raises(LedgerRefused, match="somebody wrote into it meanwhile: nothing was stored; do it again"):
        house.close(write)
    house.close()
    with closing(open_store(house.new)) as new:
        assert purse(new, "Dee") == "9"


def test_every_field_of_a_table_is_carried_is_over_or_is_empty(closed_template: House) -> None:
    """A field that somebody adds to a table and that is none of the three keeps the period open."""
    with closing(open_store(closed_template.old)) as old:
        end = table_ends(old)["one"]
        assert list(not_at_rest(end)) == []
        end.state.deserted = True
        assert list(not_at_rest(end)) == ["something lies there yet (deserted): open and close it again"]
        assert not OVER & {*HELD}


def test_the_next_ledger_is_the_one_that_was_named(closed: House) -> None:
    with pytest.raises(LedgerRefused, match="both spend its money"):
        closed.close(after=str(closed.folder / "second.db"), after_files=closed.after)
    assert not (closed.folder / "second.db").exists()
    (closed.folder / "away").mkdir()
    with pytest.raises(LedgerRefused, match="was begun already"):
        closed.close(after=str(closed.folder / "away" / "new.db"))
    assert closed.close()["period"] == 1  # again is nothing


# -- forged balances


def purse_of_ann(event: StoredEvent) -> StoredEvent:
    is_ann = event.type == "purse_carried" and '"Ann"' in event.body
    return with_body(event, "purse_carried", amount=10**9) if is_ann else event


def test_a_forged_purse_is_found(closed: House) -> None:
    rewritten(closed, lambda event: event)
    assert faults(closed) == linked(closed) == []  # the control: stamped anew and not changed
    rewritten(closed, purse_of_ann)
    assert any("does not begin with the balances whose hash it names" in what for what in faults(closed))
    assert any("'Ann' of the purses was left as" in what for what in linked(closed))
    with closing(open_store(closed.new)) as store:
        forged = opening_balances(store, begun_in(store).body["events"]).digest  # type: ignore[union-attr]
    rewritten(closed, lambda event: with_body(event, "period_begun", balances=forged))
    assert faults(closed) == []  # with the hash forged, too, only the period before tells
    assert any("'Ann' of the purses was left as" in what for what in linked(closed))


def test_a_forged_meter_and_a_forged_inventory_are_found(closed: House) -> None:
    def richer(event: StoredEvent) -> StoredEvent:
        body = json.loads(event.body)
        if event.type == "table_carried" and event.stream == "wheels":
            meter = body["state"]["meters"]["bonus_spin"]
            meter[0] = str(Fraction(meter[0]) + 1)
            body["state"]["chips"]["(inventory)"] += 1
        return with_body(event, event.type, **body)

    rewritten(closed, richer)
    assert any("add up to 1, not to zero" in what for what in faults(closed))
    assert any("'wheels' of the tables was left as" in what for what in linked(closed))


def test_a_coupon_is_used_in_one_period_only(closed: House) -> None:
    """A-1 was used, A-3 is void: neither is known any more; A-2 is laid once."""
    with closing(open_store(closed.new)) as new:
        table = CouponTable(new, "fresh")
        for number in ("A-1", "A-3"):
            with pytest.raises(Refused, match="has issued no coupon"):
                table.wager().lay(number)
        table.lay("A-2").play("win").collect()
        with pytest.raises(Refused, match="it is used once"):
            table.wager().lay("A-2")
    with closing(open_store(closed.old)) as old, pytest.raises(PeriodClosed):
        CouponTable(old, "two").give("open_table", "floorperson", "Fay", dealer="Dan")


def test_a_forged_coupon_is_found(closed: House) -> None:
    used = {"number": "A-1", "amount": 10_000, "issuer": "Fay", "issued": END, "ends": END + 10**6, "person": ""}
    rewritten(closed, lambda event: with_body(event, "coupon_carried", **used))
    assert any("'A-1' of the coupons was left as nothing" in what for what in linked(closed))


def test_nothing_is_carried_over_later(closed: House) -> None:
    """The negative control of a purse that is carried over where it must be."""
    with closing(open_store(closed.new)) as new:
        carried = next(event for event in new.read_all() if event.type == "purse_carried")
        late = with_body(carried, "purse_carried", name="Zoe")._replace(idem="late", fingerprint="late")
        forge(new, restamp([*new.read_all(), late])[-1:])
    assert any("is carried over, and not among the events" in what for what in faults(closed))


# -- archives


def test_a_swapped_archive_is_found(closed: House, closed_template: House) -> None:
    public = PublicKey.of(KEYRING)
    (archive,) = Archives(closed.archives).every
    assert list(archive_faults(archive, public)) == []
    closed.archive.chmod(0o600)
    closed.archive.unlink()
    with closing(open_store(closed.new)) as other:
        backup(other, closed.archive)
    whats = list(archive_faults(archive, public))
    assert whats[0] == "old-0001.db is not the file that was archived: its hash is another"
    assert any("does not hold the events that were archived" in what for what in whats)
    listed = closed.archives / "archives.jsonl"  # the list made to fit: then it is not signed
    line = json.loads(listed.read_text().splitlines()[0])
    listed.write_text(json.dumps({**line, "sha256": digest_of(closed.archive)}) + "\n")
    assert list(Archives(closed.archives).signature_faults(public)) == [
        f"line 1 of archives.jsonl is not signed by key {KEYRING.id}"
    ]
    assert list(Archives(closed_template.archives).signature_faults(public)) == []


@pytest.fixture
def three(closed: House) -> House:
    """Three archived periods, one empty year after the other."""
    names = [closed.new, str(closed.folder / "third.db"), str(closed.folder / "fourth.db")]
    files = closed.after
    for before, after in pairwise(names):
        then = closed.after._replace(checkpoints=Path(after).with_suffix(".checkpoints"))
        closed.close(ledger=before, files=files, after=after, after_files=then)
        files = then
    return closed


YEAR = 366 * 86_400


def test_only_old_whole_archives_with_a_successor_go(three: House) -> None:
    archives = Archives(three.archives)

    def stays(at: int) -> Iterator[str]:
        yield from (verdict.stays for verdict in judge(Archives(three.archives), "7y", at, None, None))

    late = END + 8 * YEAR
    assert [bool(why) for why in stays(END + 6 * YEAR)] == [True, True, True]
    assert list(stays(late)) == ["", "", "the newest period is never removed"]
    second = archives.every[1].path
    content = second.read_bytes()
    second.chmod(0o600)
    second.write_bytes(content[:-1] + b"x")
    assert [why[:26] for why in stays(late)] == ["", "it is not what was archive", "the newest period is never"]
    second.unlink()
    assert next(stays(late)) == "the period after it is not here: put it here, or name its ledger"
    second.write_bytes(content)
    assert list(stays(late)) == ["", "", "the newest period is never removed"]


def test_a_removal_is_recorded_before_the_file_goes(three: House, monkeypatch: pytest.MonkeyPatch) -> None:
    archives, current = Archives(three.archives), str(three.folder / "fourth.db")
    first = archives.every[0]
    with monkeypatch.context() as broken:
        broken.setattr(Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with closing(open_store(current)) as store, archives.locked(), pytest.raises(KeyboardInterrupt):
            remove(archives, first, "7y", "Fay", END, KEYRING, store)
    (left,) = [archive for archive in Archives(three.archives).every if archive.stands == "to be removed"]
    with closing(open_store(current)) as store, archives.locked():
        remove(archives, left, "7y", "Fay", END, KEYRING, store)
        recorded = [event for event in store.read(HOUSE) if event.type == "archive_expired"]
        assert [json.loads(event.body)["sha256"] for event in recorded] == [first.line["sha256"]]
        assert verify(store, KEYRING, None).faults == ()
    again = Archives(three.archives)
    assert [archive.stands for archive in again.every] == ["removed", "kept", "kept"]
    assert (again.faults, list(again.signature_faults(PublicKey.of(KEYRING)))) == ([], [])
    assert not any(file.exists() for file in first.files)
