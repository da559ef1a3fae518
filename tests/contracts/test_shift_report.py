"""T30: the shift report has its ten fields, and its totals are those that a second implementation counts.

The second implementation reads the database with SQL and shares no code with the first. It knows the win from the other
side: what came in as cash, less what players carried away, gave as tips, or still hold.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tampering import restamp

from twentyone.cli import main
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.store import open_store

MARYLAND = """rulebook = "md-spanish-21"
bonus_spin = "A"
xtreme_16 = true
progressive = {bonus_spin = {rate = "0.07", reset = "5000", limit = "5001.50"}, \
xtreme_16_primary = {rate = "0.0333", reset = "12000"}}
"""
ROUNDS = 120
BOOKS = ("s13-spanish-21", "md-spanish-21")
Rows = list[tuple[int, str, dict[str, Any]]]


@pytest.fixture(scope="module", params=BOOKS)
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shift at two tables; in Maryland with both wheels and their meters."""
    folder = tmp_path_factory.mktemp("report")
    work = [request.param, "--tables", "2", "--rounds", str(ROUNDS), "--irregularities", "0.03", "--seed", "11"]
    if request.param == "md-spanish-21":
        (folder / "submission.toml").write_text(MARYLAND, encoding="utf-8")
        work += ["--submission", str(folder / "submission.toml")]
    assert main(["shift", *work, "--ledger", str(folder / "l.db")]) == 0
    return folder / "l.db"


def told(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


def rows_of(ledger: Path) -> dict[str, Rows]:
    """Time, type and body of every event, by table."""
    found: dict[str, Rows] = {}
    with sqlite3.connect(ledger) as connection:
        for stream, ts, kind, body in connection.execute(
            f"SELECT stream, ts, type, body FROM events WHERE stream <> '{HOUSE}' ORDER BY gseq"
        ):
            found.setdefault(stream, []).append((ts, kind, json.loads(body)))
    return found


# -- the second implementation


def second_win(rows: Rows) -> Fraction:
    """Cash that came in, less all chips that are with players or were."""
    came = gone = 0
    for _, kind, body in rows:
        data = body.get("data", {})
        if kind == "chips_moved":
            came += data.get("cash") or 0
            if data["target"] in ("(cage)", "(tips)") and data["source"] != "(inventory)":
                gone += data["amount"]
    return Fraction(came - gone, 1000)


def second_counts(rows: Rows) -> dict[str, int]:
    kinds = Counter(kind for _, kind, _ in rows)
    voids = sum(body["data"]["void"] for _, kind, body in rows if kind == "round_ended")
    counts = {"rounds": kinds["round_begun"], "shoes": kinds["shoe_loaded"], "voids": voids}
    return {**counts, "commands": kinds["command"], "events": len(rows)}


def second_mishaps(rows: Rows) -> Counter[str]:
    """What went wrong: what was reported, and what the rounds show, by name."""
    found: Counter[str] = Counter()
    names = {"round_voided": "round_voided", "hand_called_dead": "hand_called_dead", "card_refused": "card_refused"}
    names |= {"rack_shuffled": "insufficient_cards"}
    at_table = {"shuffle_failed": "shuffler_jammed", "cards_remixed": "cards_exposed", "recut_ordered": "recut"}
    at_table |= {"handling_refused": "cards_handled", "ten_found": "ten"}
    for _, kind, body in rows:
        if kind == "command" and body["do"] == "happened":
            found[body["args"]["name"]] += 1
        if kind in at_table:
            found[at_table[kind]] += 1
        if kind == "device_reported":
            found["device_out_of_order"] += body["data"]["state"] == "out_of_order"
        for event in body.get("data", {}).get("events", []) if kind == "round_event" else []:
            if event["event"] in names:
                found[names[event["event"]]] += 1
            if event["event"] == "card_set_aside" and "ten" in event["reason"]:
                found["ten"] += 1
            if event["event"] == "card_set_aside" and event["reason"] == "face_up":
                found["face_up"] += 1
    return +found


def second_hold(table: dict[str, Any]) -> Decimal:
    """Win over drop in four decimals; halves go away from zero."""
    return (Decimal(table["win"]) / Decimal(table["drop"])).quantize(Decimal("0.0001"), ROUND_HALF_UP)


def second_meters(rows: Rows) -> dict[str, Fraction]:
    """What each meter holds: its bases and contributions, less what it paid."""
    held: dict[str, Fraction] = {}
    base: dict[str, int] = {}
    for _, kind, body in rows:
        data = body.get("data", {})
        if kind == "meter_set":
            held[data["meter"]] = Fraction(data["base"])
            base[data["meter"]] = data["base"]
        elif kind == "meter_contributed":
            held[data["meter"]] += Fraction(data["added"])
        elif kind == "meter_paid":
            held[data["meter"]] += base[data["meter"]] - data["paid"]
    return held


def test_the_totals_are_those_of_a_second_implementation(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, tables = told(capsys, "report", str(ledger)), rows_of(ledger)
    assert [table["table"] for table in report["tables"]] == sorted(tables)
    for table in report["tables"]:
        rows = tables[table["table"]]
        assert Fraction(table["win"]) == second_win(rows)
        assert {name: table[name] for name in second_counts(rows)} == second_counts(rows)
        mishaps: Counter[str] = Counter()
        for row in table["irregularities"]:
            mishaps[row["irregularity"]] += row["count"]
        assert mishaps == second_mishaps(rows)
        meters = {name: Fraction(meter["now"]) * 1000 for name, meter in table["meters"].items()}
        assert meters == second_meters(rows)
        assert Decimal(table["hold"]) == second_hold(table)
    for name in ("win", "drop", "fills", "wagered"):
        assert Fraction(report["totals"][name]) == sum(Fraction(table[name]) for table in report["tables"])
    assert report["totals"]["rounds"] == ROUNDS
    assert report["reconciled"]


# -- by dealer and by hour

Key = tuple[str, str]
Sums = dict[Key, dict[str, Fraction]]


def second_slices(tables: dict[str, Rows]) -> Sums:
    """Drop, win and rounds by dealer and by hour: cash as it came, wagers and coupons as they were settled."""
    sums: Sums = {}
    for rows in tables.values():
        dealer = ""
        for ts, kind, body in rows:
            data = body.get("data", {})
            if kind in ("table_opened", "dealer_changed"):
                dealer = data["dealer"]
            hour = f"2026-01-01 {ts % 86_400 // 3600:02d}:00"
            for key in (("dealer", dealer), ("hour", hour)):
                mine = sums.setdefault(key, dict.fromkeys(("drop", "win", "rounds"), Fraction(0)))
                mine["rounds"] += kind == "round_begun"
                mine["drop"] += Fraction(data.get("cash") or 0, 1000) if kind == "chips_moved" else 0
                mine["win"] -= Fraction(sum(map(settled, data.get("events", ()))), 1000)
                mine["win"] -= Fraction(data["amount"], 1000) if kind == "coupon_settled" else 0
    return {key: row for key, row in sums.items() if any(row.values())}


def settled(event: dict[str, Any]) -> int:
    row = event["row"] if event["event"] == "settlement_undone" else event
    return int(row["net"]) * (1 if row is event else -1) if "net" in row and "player" in row else 0


def test_dealers_and_hours_are_those_of_a_second_implementation(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = told(capsys, "report", str(ledger))
    counted = {("dealer", row["dealer"]): row for row in report["dealers"]}
    counted |= {("hour", row["hour"]): row for row in report["hours"]}
    names = ("drop", "win", "rounds")
    found = {key: {name: Fraction(row[name]) for name in names} for key, row in counted.items()}
    assert {key: row for key, row in found.items() if any(row.values())} == second_slices(rows_of(ledger))
    for part in ("dealers", "hours"):
        for name in (*names, "wagered", "voids"):
            assert sum(Fraction(row[name]) for row in report[part]) == Fraction(report["totals"][name])
    by_dealer: Counter[tuple[str, str]] = Counter()
    for row in report["irregularities_by_dealer"]:
        by_dealer[row["irregularity"], row["cite"]] += row["count"]
    assert by_dealer == {(row["irregularity"], row["cite"]): row["count"] for row in report["totals"]["irregularities"]}


def test_what_somebody_should_look_at_is_listed_in_order(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every void round, every device and every meter that was won is there, at its version."""
    listed = told(capsys, "report", str(ledger))["significant_events"]
    assert [(event["ts"], event["table"], event["version"]) for event in listed] == sorted(
        (event["ts"], event["table"], event["version"]) for event in listed
    )
    found = {(event["table"], event["version"]) for event in listed}
    with sqlite3.connect(ledger) as connection:
        rows = connection.execute(
            "SELECT stream, ver FROM events WHERE type IN ('table_opened', 'device_reported', 'meter_paid')"
            " OR type = 'round_event' AND body LIKE '%\"round_voided\"%'"
        ).fetchall()
    assert rows
    assert set(rows) <= found
    assert all(event["says"] for event in listed)


def test_shifts_of_a_day_add_up_to_the_day(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = told(capsys, "report", str(ledger))
    first, last = whole["period"]["first"], whole["period"]["last"]
    assert first < last
    cut = "2026-01-01T09:30:07"
    parts = [told(capsys, "report", str(ledger), "--shift", shift) for shift in (f"/{cut}", f"{cut}/")]
    assert all(part["reconciled"] and part["activity"] for part in parts)
    for name in ("win", "drop", "fills", "wagered", "rounds", "events", "shoes", "voids"):
        assert Fraction(whole["totals"][name]) == sum(Fraction(part["totals"][name]) for part in parts)
    early, late = parts
    for before, after in zip(early["tables"], late["tables"], strict=True):
        assert before["inventory"] == after["opening"]
        for name, meter in after["meters"].items():
            assert meter["before"] == before["meters"][name]["now"]


TEN = ("title", "software", "report_version", "period", "generated_at", "pages", "filters", "operator", "totals")


def test_every_report_has_its_fields(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = sorted(rows_of(ledger))[0]
    report = told(capsys, "report", str(ledger), "--operator", "Casino A", "--table", table)
    assert set(TEN) | {"reconciled", "tables"} <= set(report)
    assert (report["operator"], report["filters"]) == ("Casino A", [f"table {table}"])
    capsys.readouterr()
    main(["report", str(ledger), "--operator", "Casino A"])
    pages = capsys.readouterr().out.split("\f")
    assert len(pages) == told(capsys, "report", str(ledger))["pages"]
    for number, page in enumerate(pages, 1):
        assert page.rstrip().endswith(f"page {number} of {len(pages)}")
        for words in ("Shift report", "software twentyone", "report version", "Casino A", "period", "generated"):
            assert words in page
    assert "Grand total" in "".join(pages)
    assert "every chip is accounted for" in pages[-1]


def test_an_empty_shift_says_no_activity(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["report", str(ledger), "--shift", "2020-02-29"]) == 0
    page = capsys.readouterr().out
    assert "No Activity" in page
    assert "page 1 of 1" in page
    empty = told(capsys, "report", str(ledger), "--shift", "2020-02-29")
    assert (empty["activity"], empty["note"], empty["tables"]) == (False, "No Activity", [])


PAID = '"net":-10000'


def test_a_chip_that_nobody_accounts_for_is_found(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The negative control: one settled wager is worth a dollar more than the chips that moved."""
    copy = tmp_path / "l.db"
    with closing(open_store(str(ledger))) as source, closing(open_store(str(copy), create=True)) as target:
        rows = list(source.read_all())
        place = next(place for place, row in enumerate(rows) if row.type == "round_event" and PAID in row.body)
        rows[place] = rows[place]._replace(body=rows[place].body.replace(PAID, '"net":-11000'))
        target.take_over(restamp(rows))
    capsys.readouterr()
    assert main(["report", str(copy)]) == 1
    assert "THE FIGURES DO NOT AGREE" in capsys.readouterr().out
