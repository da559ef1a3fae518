"""Rounds, shoes and the shift report through the interface and as pages, over the ledger of a shift."""

from __future__ import annotations

import csv
import json
import re
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.web.inside import Client, Inside
from tests.web.test_api_security import in_house
from twentyone.cli import main
from twentyone.ledger.export import DealtOtherwise
from twentyone.ledger.replaying import Replay, read_creation
from twentyone.ledger.round_rows import RoundRow
from twentyone.script import replay
from twentyone.service import dealing_again, reporting
from twentyone.service.people import Person
from twentyone.table.shoe import ShoeRecord, faults
from twentyone.web.api import rounds as api
from twentyone.web.api.common import CSRF_COOKIE, SESSION_COOKIE
from twentyone.web.pages.report_sheets import Sheet, as_csv

BOOK, ROUNDS = "pa-spanish-21", 12
NEXT_DAY = int(datetime(2026, 1, 2, 12, tzinfo=UTC).timestamp())


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ledger with a dozen rounds at two tables, in which much goes wrong."""
    folder = tmp_path_factory.mktemp("shift")
    given = ("--tables", "2", "--rounds", str(ROUNDS), "--seed", "11", "--irregularities", "0.3")
    assert main(["shift", BOOK, *given, "--ledger", str(folder / "inside.db")]) == 0
    return folder


def house(folder: Path, work: Callable[[Inside], Awaitable[None]]) -> None:
    """The house on the day after the shift: what it notes comes after what was signed."""
    in_house(folder, work, clock=lambda: NEXT_DAY)


def enters(inn: Inside, name: str) -> Client:
    """A player of this name, in a browser of his own."""
    session = inn.service.people.begin(Person(name, "player"))
    return Client(inn.app, {SESSION_COOKIE: session.id, CSRF_COOKIE: session.csrf})


async def listed(client: Client, query: str = "") -> list[dict[str, Any]]:
    """Every round of a search, page after page."""
    found, more = list[dict[str, Any]](), ""
    while True:
        page = (await client.get(f"/rounds?{query}{more}")).json()
        found += page["rounds"]
        if page["next"] is None:
            return found
        more = f"&before={page['next']}"


# -- the search

WRONG = {
    "box=x": "“x” is no box: it is a number from 1 to 20.",
    "box=0": "“0” is no box",
    "table=nowhere": "There is no table “nowhere”: there are pa-spanish-21-1, pa-spanish-21-2.",
    "outcome=winning": "There is no outcome “winning”: there are win, lose",
    "irregularity=none": "There is no irregularity “none”: there are any, ",
    "from=2026-02-30": "“2026-02-30” is no day",
    "to=yesterday": "“yesterday” is no day",
    "from=2026-02-02&to=2026-02-01": "The last day comes before the first one.",
    "paragraph=635a.99(z)": "No rulebook has a paragraph “635a.99(z)”.",
    "before=-1": "“-1” is no place in the ledger",
    "name=Ada": "There is no filter “name”",
    "box=1&box=2": "“box” is given twice.",
    f"player={'x' * 121}": "“player” is longer than 120 characters.",
}


def test_a_filter_that_cannot_be_is_refused_and_said(ledger: Path) -> None:
    """By the interface, the files and the page; the page shows no round instead."""

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        for query, says in WRONG.items():
            for path in ("/rounds", "/rounds.csv", "/rounds.json"):
                answer = await reader.get(f"{path}?{query}")
                assert (answer.status_code, says in answer.json()["why"]) == (422, True), query
            page = await reader.get(f"//rounds?{query}")
            assert (page.status_code, says in page.text, "<tbody" in page.text) == (422, True, False), query

    house(ledger, work)


def test_spaces_around_a_value_are_a_slip_in_a_form_and_no_number_to_a_program(ledger: Path) -> None:
    """As the schema has it: a program's `box` is a number, or empty."""

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        for blank in ("box=+", "box=+1", "outcome=lose+"):
            answer = await reader.get(f"/rounds?{blank}")
            assert (answer.status_code, "is no" in answer.text or "There is no" in answer.text) == (422, True), blank
            assert (await reader.get(f"//rounds?{blank}")).status_code == 200, blank
        assert len(await listed(reader, "box=&table=")) == ROUNDS

    house(ledger, work)


def test_rounds_come_in_pages_and_every_filter_finds_what_it_says(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PAGE", 5)

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        every = await listed(reader)
        assert len({row["round"] for row in every}) == ROUNDS
        some = every[-1]
        player, day = next(iter(some["net"])), "2026-01-01"
        checks: dict[str, Callable[[dict[str, Any]], object]] = {
            f"player={player.upper()}": lambda row: player in row["net"],
            f"table={some['table']}": lambda row: row["table"] == some["table"],
            f"box={some['boxes'][0]}": lambda row: some["boxes"][0] in row["boxes"],
            "outcome=lose": lambda row: "lose" in row["outcomes"],
            "irregularity=any": lambda row: row["irregularities"],
            f"paragraph={quote(some['cites'][0])}": lambda row: some["cites"][0] in row["cites"],
            f"from={day}&to={day}": lambda row: 1767225600 <= row["begun"] < 1767312000,
            "to=1999-12-31": lambda row: row["begun"] < 0,
        }
        for query, holds in checks.items():
            found = [row["round"] for row in await listed(reader, query)]
            assert found == [row["round"] for row in every if holds(row)], query
        page = (await reader.get("//rounds")).text
        assert page.count("/rounds/pa-spanish-21-") == 5
        older = re.search(r'href="(/rounds\?before=\d+)"', page)
        assert older is not None
        assert "Newest rounds" in (await reader.get(f"/{older.group(1)}")).text

    house(ledger, work)


def test_files_hold_the_same_selection(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV and JSON: all of it, not only the page."""
    monkeypatch.setattr(api, "PAGE", 2)

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        for query in ("", "irregularity=any", "to=1999-12-31"):
            due = await listed(reader, query)
            assert (await reader.get(f"/rounds.json?{query}")).json() == due
            answer = await reader.get(f"/rounds.csv?{query}")
            assert (answer.header("content-type") or "").startswith("text/csv")
            rows = list(csv.DictReader(StringIO(answer.text)))
            assert [(row["round"], row["wagered"]) for row in rows] == [(row["round"], row["wagered"]) for row in due]
        page = (await reader.get("//rounds?irregularity=any")).text
        assert "/api/v1/rounds.csv?irregularity=any" in page

    house(ledger, work)


def test_no_cell_of_the_table_is_a_formula() -> None:
    row = RoundRow("t", "b", 1, number=1, net={"=HYPERLINK(1)": -5_000})
    cells = api._cells(row)
    assert "'=HYPERLINK(1) -5" in cells
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
    sheet = Sheet("events", "Events", ("What",), (("=HYPERLINK(1)", 5),))
    assert as_csv(sheet).splitlines()[1] == "'=HYPERLINK(1),5"


def test_rounds_are_looked_for_off_the_event_loop(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads, honest = list[bool](), api.found_rounds

    def noting(*given: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return honest(*given)

    monkeypatch.setattr("twentyone.web.pages.rounds.found_rounds", noting)
    monkeypatch.setattr(api, "found_rounds", noting)

    async def work(inn: Inside) -> None:
        await inn.clients["auditor"].get("//rounds")
        await inn.clients["auditor"].get("/rounds")
        assert threads == [False, False]

    house(ledger, work)


# -- who reads what


def test_a_player_reads_his_own_rounds_and_a_visitor_none(ledger: Path) -> None:
    async def work(inn: Inside) -> None:
        every = await listed(inn.clients["auditor"])
        player = next(iter(every[0]["net"]))
        own = enters(inn, player)
        assert [row["round"] for row in await listed(own)] == [row["round"] for row in every if player in row["net"]]
        stranger, visitor = enters(inn, "Stranger"), inn.clients["visitor"]
        assert await listed(stranger, f"player={player}") == []
        table, number = every[0]["table"], every[0]["number"]
        for path in ("", "/script", "/dealt", "/wheel"):
            asked = [await each.get(f"/rounds/{table}/{number}{path}") for each in (own, stranger, visitor)]
            assert [answer.status_code for answer in asked] == [200, 403, 401], path
        pages = [await each.get(f"//rounds/{table}/{number}") for each in (own, stranger, visitor)]
        assert [page.status_code for page in pages] == [200, 403, 401]
        assert (await listed(visitor), "Log in" in (await visitor.get("//rounds")).text) == ([], True)
        for each, status in ((own, 403), (visitor, 401), (inn.clients["dealer"], 403)):
            assert (await each.get("//report")).status_code == status

    house(ledger, work)


# -- dealt again


def test_every_round_is_dealt_again_once_and_has_a_script(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        every = await listed(reader)
        assert any(row["irregularities"] for row in every)
        for row in every:
            address = f"/rounds/{row['table']}/{row['number']}"
            said = (await reader.get(f"{address}/dealt")).json()
            assert (said["identical"], "identical" in said["says"]) == (True, True)
            script = await reader.get(f"{address}/script")
            assert (script.status_code, replay(script.text).exit) == (200, 0)
        monkeypatch.setattr(dealing_again, "export_round", None)
        assert (await reader.get(f"{address}/dealt")).json() == said

    house(ledger, work)


def test_a_round_that_is_dealt_otherwise_is_said_and_what_differs_only_to_who_reads_all(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differ(*_: object) -> None:
        raise DealtOtherwise("the hole card is KS")

    async def work(inn: Inside) -> None:
        monkeypatch.setattr(dealing_again, "export_round", differ)
        row = (await listed(inn.clients["auditor"]))[0]
        address = f"/rounds/{row['table']}/{row['number']}/dealt"
        said = (await inn.clients["auditor"].get(address)).json()
        assert (said["identical"], "NOT" in said["says"], said["why"]) == (False, True, "the hole card is KS")
        own = (await enters(inn, next(iter(row["net"]))).get(address)).json()
        assert (own["identical"], own["why"]) == (False, "")

    house(ledger, work)


# -- shoes


def test_shoes_are_listed_in_pages_and_their_records_verify(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may: the seeds are published."""
    monkeypatch.setattr("twentyone.service.chance.SHOES", 1)

    async def work(inn: Inside) -> None:
        anybody = inn.clients["visitor"]
        found, more = list[dict[str, Any]](), ""
        while True:
            page = (await anybody.get(f"/shoes/{BOOK}-1{more}")).json()
            found += page["shoes"]
            if page["next"] is None:
                break
            more = f"?before={page['next']}"
        assert len({shoe["version"] for shoe in found}) == len(found) > 1
        for shoe in found:
            record = await anybody.get(f"/shoes/{BOOK}-1/{shoe['version']}/record")
            assert faults(ShoeRecord.from_json(record.content)) == []
        assert (await anybody.get(f"//shoes/{BOOK}-1")).status_code == 200
        assert (await anybody.get(f"//shoes/{BOOK}-1/{found[0]['version']}")).status_code == 200
        for wrong in ("1", "x", "9" * 30):
            page = await anybody.get(f"//shoes/{BOOK}-1/{wrong}")
            assert (page.status_code, "sealed no shoe" in page.text) == (404, True)
        assert (await anybody.get("//shoes/nowhere")).status_code == 404

    house(ledger, work)


# -- the report


def test_the_report_is_that_of_the_command_line(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(ledger / "inside.db"), "--json"]) == 0
    due = json.loads(capsys.readouterr().out)

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        found = (await reader.get("/report")).json()
        assert {key: found[key] for key in ("tables", "totals", "house", "coupons", "reconciled")} == {
            key: due[key] for key in ("tables", "totals", "house", "coupons", "reconciled")
        }
        page = (await reader.get("//report?from=&to=&table=")).text
        assert "Every chip is accounted for." in page
        assert f"${float(due['totals']['drop']):,.2f}" in page
        assert "<table" not in (await reader.get("//report")).text
        one = (await reader.get(f"/report?table={BOOK}-2&shift=2026-01-01")).json()
        assert [table["table"] for table in one["tables"]] == [f"{BOOK}-2"]
        for query in ("shift=never", "table=nowhere"):
            assert (await reader.get(f"/report?{query}")).status_code == 422
        refused = await reader.get("//report?from=2026-02-02T00:00&to=2026-02-01T00:00")
        assert (refused.status_code, "ends before it begins" in refused.text) == (422, True)
        with reporting.BUSY:
            assert (await reader.get("/report")).status_code == 409

    house(ledger, work)


def test_the_sheets_of_the_report_have_the_figures_of_its_json(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file, row by row; where somebody logged in from is not for everybody, and the files are for readers."""
    assert main(["report", str(ledger / "inside.db"), "--json"]) == 0
    due = json.loads(capsys.readouterr().out)

    async def sheet(reader: Client, name: str) -> list[dict[str, str]]:
        answer = await reader.get(f"//report/{name}.csv?from=&to=&table=")
        assert answer.status_code == 200, name
        return list(csv.DictReader(answer.text.splitlines()))

    async def work(inn: Inside) -> None:
        reader = inn.clients["auditor"]
        names = {
            "Drop": "drop",
            "Win": "win",
            "Wagered": "wagered",
            "Rounds": "rounds",
            "Void": "voids",
            "Hold": "hold",
        }
        for name, first in (("tables", "table"), ("dealers", "dealer"), ("hours", "hour")):
            found = [
                (next(iter(row.values())), *(row[column] for column in names)) for row in await sheet(reader, name)
            ]
            assert found == [
                (it[first], *("" if it[key] is None else str(it[key]) for key in names.values())) for it in due[name]
            ]
        mishaps = [
            (row["Irregularity"], row["Paragraph"], row["Dealer"], int(row["Count"]))
            for row in await sheet(reader, "irregularities")
        ]
        assert mishaps == [tuple(row.values()) for row in due["irregularities_by_dealer"]]
        events = [(row["When (UTC)"], row["Table"], row["What"]) for row in await sheet(reader, "events")]
        assert events == [(event["at"], event["table"], event["says"]) for event in due["significant_events"]]
        assert "From" in (await sheet(reader, "log-ins"))[0]
        assert "From" not in (await sheet(inn.clients["floorperson"], "log-ins"))[0]
        page = (await reader.get("//report?from=&to=&table=")).text
        assert all(f'data-part="sheet-{name}"' in page for name in ("tables", "dealers", "hours", "events", "log-ins"))
        assert page.count("<svg") >= 2
        assert (await reader.get("//report/nothing.csv")).status_code == 404
        for who, status in (("visitor", 401), ("dealer", 403)):
            assert (await inn.clients[who].get("//report/tables.csv")).status_code == status

    house(ledger, work)


def test_a_replay_shows_shoe_and_rack_as_full_as_they_were(ledger: Path) -> None:
    """Each event of a round with the cards that were left then, as the ledger read from its beginning has them."""

    async def ask(inn: Inside) -> None:
        auditor = inn.clients["auditor"]
        store, compared = inn.service.store, 0
        for table in {row["table"] for row in await listed(auditor)}:
            creation = read_creation(store, table)
            whole, left = Replay(creation.rules, form=creation.form), dict[int, tuple[int, int, int] | None]()
            for event in store.read(table):
                whole.follow(event)
                shoe = whole.state.shoe
                rack = sum(len(hand) for bundle in whole.state.rack for hand in bundle.hands)
                left[event.ver] = (shoe.left, shoe.size, rack) if shoe is not None else None
            for row in await listed(auditor, f"table={table}"):
                frames = (await auditor.get(f"/rounds/{table}/{row['number']}")).json()["frames"]
                last = {frame["view"]["version"]: frame["view"] for frame in frames if frame["view"]["shoe"]}
                shown = {at: (it["shoe"]["left"], it["shoe"]["size"], it["rack"]) for at, it in last.items()}
                compared += len(shown)
                assert shown == {at: left[at] for at in shown}, (table, row["number"])
        assert compared > ROUNDS

    house(ledger, ask)
