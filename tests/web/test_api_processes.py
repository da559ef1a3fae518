"""Several processes and sudden ends: two servers on one PostgreSQL ledger, and servers that are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import httpx
import psycopg
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE, until
from tests.web.serving import Api, Server, free_port, start
from twentyone.cli import main
from twentyone.ledger.interruptions import DIFFERS
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.store import open_store
from twentyone.money import Amount
from twentyone.table.shoe import os_source

if TYPE_CHECKING:
    from tests.postgres import Postgres

KILLS = 2
ADMIN = "administrator"


STILL = "the database does not answer"
"""What everybody is told while it stands still."""


@contextmanager
def ended(servers: list[Server]) -> Iterator[None]:
    """End these servers, and no others, whatever happens."""
    try:
        yield
    finally:
        for server in servers:
            if server.process.poll() is None:
                server.kill()


def follow_on(server: Server, api: Api) -> Api:
    """The same session at another process."""
    other = Api.__new__(Api)
    other.http = httpx.Client(base_url=server.base, timeout=PATIENCE, cookies=dict(api.http.cookies))
    return other


def listen(server: Server, table: str, api: Api) -> ClientConnection:
    """A listener with somebody's session."""
    cookies = "; ".join(f"{name}={value}" for name, value in api.http.cookies.items())
    address = f"{server.base.replace('http', 'ws')}/api/v1/tables/{table}/live"
    return connect(address, additional_headers={"cookie": cookies})


def hear(ear: ClientConnection, version: int) -> dict[str, Any]:
    """The frame of a version, once it comes."""
    while True:
        frame: dict[str, Any] = json.loads(ear.recv(timeout=PATIENCE))
        if frame["view"]["version"] >= version:
            return frame


def give(api: Api, table: str, do: str, key: str | None = None, **args: Any) -> dict[str, Any]:
    """Give a command; answers what it answered."""
    body = {"do": do, "args": args, "key": key or uuid.uuid4().hex}
    answer = api.send("POST", f"/tables/{table}/commands", body)
    assert answer.is_success, f"{do} {args}: {answer.text}"
    moved: dict[str, Any] = answer.json()
    return moved


def ready_table(server: Server, admin: Api, table: str) -> tuple[Api, Api]:
    """A table of its own, worked by a dealer who enters nothing: dealer and player at it, ready for wagers."""
    admin.post("/tables", {"name": table, "rulebook": "pa-spanish-21"})
    guest = Api.guest(server.base, "Ann")
    guest.post(f"/tables/{table}/sit", {"box": 1})
    until(lambda: _declined(guest, table) or guest.get(f"/tables/{table}")["cut"], "ready for wagers")
    admin.send("PUT", f"/tables/{table}/staff", {"pace": "fast", "clock": 45, "patience": 0}).raise_for_status()
    until(lambda: _declined(guest, table), "ready for wagers")
    admin.send("PUT", f"/tables/{table}/staff", {"pace": "by hand"}).raise_for_status()
    return _on_duty(server, admin, table), guest


def _on_duty(server: Server, admin: Api, table: str) -> Api:
    """A dealer whom the floorperson calls to the table, with his burn behind him."""
    dealer, floorperson = (admin.account(server.base, f"{role} of {table}", role) for role in ("dealer", "floorperson"))
    give(floorperson, table, "change_dealer", dealer=f"dealer of {table}")
    give(dealer, table, "burn")
    return dealer


def _declined(guest: Api, table: str) -> bool:
    view = guest.get(f"/tables/{table}")
    if any(request["do"] == "have_looked" for request in view["requests"]):
        guest.command(table, "have_looked")
    if view["cut"] and view["cut"]["offered"]:
        guest.command(table, "decline_cut")
    return bool(view["next"][0]["do"] == "place_wager")


def deal_into(dealer: Api, guest: Api, table: str) -> int:
    """Lay a wager and deal two cards; answers the version."""
    give(guest, table, "place_wager", box=1, amount="10")
    give(dealer, table, "deal")
    give(dealer, table, "card")
    return int(give(dealer, table, "card")["version"])


def to_the_end(dealer: Api, guest: Api, table: str) -> dict[str, Any]:
    """Play the round in progress to its pick-up."""
    view: dict[str, Any] = {}
    while (view := guest.get(f"/tables/{table}"))["phase"] in ("round", "settled"):
        step = view["next"][0]
        if step["do"] in ("card", "collect_cards", "spin", "reload_rack"):
            give(dealer, table, step["do"])
        elif view["offer"]["optional"]:
            give(dealer, table, "decide", action="decline")
        else:
            give(guest, table, "decide", action="stand")
    return view


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Servers work in a folder of the test: the key file of a PostgreSQL ledger is there."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path("src").resolve()), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_processes_play_one_table(here: Path, postgres: Postgres) -> None:
    """Each sees what the other stores; sessions are shared; one is killed in mid-round, the other goes on."""
    ledger = postgres.new_database()
    servers = [start(ledger, here)]
    with ended(servers):
        servers.append(start(ledger, here))
        one, two = servers
        admin = Api.administrator(one)
        dealer, guest = ready_table(one, admin, "both")
        far_guest, far_dealer = follow_on(two, guest), follow_on(two, dealer)
        assert far_guest.get("/me") == guest.get("/me")
        until(lambda: far_guest.get("/tables/both/staff")["pace"] == "by hand", "told the pace")
        with listen(one, "both", guest) as near, listen(two, "both", guest) as far:
            _tell_each_other(guest, far_guest, near, far)
        Api.guest(one.base, "Bob").post("/tables/both/sit", {"box": 2})  # a table that all have left is idle
        give(far_guest, "both", "leave")
        assert guest.get("/me")["purse"] == "480", "20 were tipped"
        until(lambda: list(guest.get("/tables/both")["players"]) == ["Bob"], "told that the guest has left")
        assert guest.post("/tables/both/sit", {"box": 1})["you"]["chips"] == "480"
        assert far_guest.get("/me")["purse"] == "0"
        deal_into(far_dealer, guest, "both")
        version = dealer.get("/tables/both")["version"]
        two.kill()
        assert to_the_end(dealer, guest, "both")["version"] > version
        report = admin.post("/verify")
        assert report["ok"], report


def _tell_each_other(guest: Api, far_guest: Api, near: ClientConnection, far: ClientConnection) -> None:
    """Commands by turns at both processes; each time the listener at the other hears of it (`make bench`: how soon)."""
    for number in range(20):
        by, ear = (guest, far) if number % 2 else (far_guest, near)
        version = give(by, "both", "tip", amount="1")["version"]
        hear(ear, version)


class Thief(BaseHTTPRequestHandler):
    """Somebody else's server: keeps what it is sent, and answers with a page of its own."""

    heard: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.heard.append(f"{self.command} {self.path} {self.headers}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"evil": true}')

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def test_no_session_goes_to_an_address_that_somebody_wrote_into_a_row(here: Path, postgres: Postgres) -> None:
    """Whoever writes the database without the key alters the address of a process, and puts one in that leads a table.

    He is sent nothing of the pages that staff looks at meanwhile, and the table is served by the house again.
    """
    ledger = postgres.new_database()
    Thief.heard.clear()
    thief = ThreadingHTTPServer(("127.0.0.1", 0), Thief)
    threading.Thread(target=thief.serve_forever, daemon=True).start()
    evil, servers = f"http://127.0.0.1:{thief.server_port}", [start(ledger, here)]
    over = threading.Event()

    def alter() -> None:
        with psycopg.connect(ledger, autocommit=True) as line:
            while not over.wait(0.01):
                line.execute("UPDATE processes SET address = %s", (evil,))

    with ended(servers), closing(thief.socket):
        servers.append(start(ledger, here))
        admin = Api.administrator(servers[0])
        for number in range(6):
            admin.post("/tables", {"name": f"t-{number}", "rulebook": "pa-spanish-21"})
        pages = ["/api/v1/tables", "/pit", "/tables", *(f"/table/t-{number}" for number in range(6))]
        altering = threading.Thread(target=alter)
        altering.start()
        try:
            for server in servers * 2:
                asks = follow_on(server, admin)
                for page in pages:
                    asks.http.get(page)
        finally:
            over.set()
            altering.join()
        assert Thief.heard == []
        with psycopg.connect(ledger, autocommit=True) as line:
            line.execute("INSERT INTO processes (id, address, until) VALUES ('evil', %s, 'infinity')", (evil,))
            line.execute("UPDATE streams SET leader = 'evil', epoch = epoch + 1 WHERE stream = 't-1'")
        for server in servers:
            asks = follow_on(server, admin)
            until(lambda: asks.http.get("/api/v1/tables/t-1").status_code == 200, "served again")  # noqa: B023
            assert asks.get("/tables/t-1")["table"] == "t-1"
        assert Thief.heard == []
        log = "".join(server.log.read_text() for server in servers)
        assert "without this ledger's mark" in log
        thief.shutdown()


TRIES = 6
"""How often one purse is spent through two processes at once: on each try it doubled while the lock was a process's."""


def test_two_processes_spend_one_purse_once(here: Path, postgres: Postgres) -> None:
    """S2: a guest sits down at two tables through two servers at the same moment; his money comes to one of them."""
    ledger = postgres.new_database()
    servers = [start(ledger, here)]
    with ended(servers), ThreadPoolExecutor(2) as both:
        servers.append(start(ledger, here))
        admin = Api.administrator(servers[0])
        guest = Api.guest(servers[0].base, "Ann")
        ways = {"one": guest, "two": follow_on(servers[1], guest)}
        for table in ways:
            admin.post("/tables", {"name": table, "rulebook": "pa-spanish-21"})
            Api.guest(servers[0].base, "Bob").post(f"/tables/{table}/sit", {"box": 3})
        for _ in range(TRIES):
            views = list(both.map(lambda table: ways[table].post(f"/tables/{table}/sit", {"box": 1}), ways))
            assert sorted(view["you"]["chips"] for view in views) == ["0", "500"]
            for table, way in ways.items():
                give(way, table, "leave")
            assert [way.get("/me")["purse"] for way in ways.values()] == ["500", "500"]
        report = admin.post("/verify")
        assert report["ok"], report


def test_two_processes_share_what_a_person_moves_in_a_day(here: Path, postgres: Postgres) -> None:
    """Fills at all tables are one sum; what is above it is approved at either process, and done where it is led."""
    ledger = postgres.new_database()
    servers = [start(ledger, here)]
    with ended(servers):
        servers.append(start(ledger, here))
        one, two = servers
        admin = Api.administrator(one)
        fay, ada = (admin.account(one.base, name, role) for name, role in (("Fay", "floorperson"), ("Ada", ADMIN)))
        near, far = (fay, follow_on(two, fay)), (ada, follow_on(two, ada))
        books = [row["table"] for row in fay.get("/tables") for _ in near]
        told = [give(near[n % 2], book, "fill", f"k{n}", amount="70000") for n, book in enumerate(books)]
        waits = [row for row in told if "number" in row]
        assert len(told) - len(waits) == 2, told
        for n, row in enumerate(waits):
            far[n % 2].send("POST", f"/approvals/{row['number']}").raise_for_status()
        with closing(open_store(ledger)) as store:
            bodies = [
                json.loads(event.body) for book in {*books} for event in store.read(book) if event.type == "command"
            ]
        fills = [(body["by"], body["args"]) for body in bodies if body["do"] == "fill"]
        assert fills == [("Fay", {"amount": int(Amount("70000"))})] * len(books)


def test_one_process_watches_for_both(here: Path, postgres: Postgres) -> None:
    """Money is written into the database: one process looks, all are told and deal no further; the ledger has it.

    The one that looks is killed before: another looks in its place.
    """
    ledger = postgres.new_database()
    servers = [start(ledger, here) for _ in range(3)]
    with ended(servers):
        watching = _looking(servers, Api.administrator(servers[0]))
        assert len(watching) == 1, "one looks for all"
        watching[0].kill()
        left = [server for server in servers if server not in watching]
        with psycopg.connect(ledger, autocommit=True) as owner:
            owner.execute("INSERT INTO purses (name, balance, issues) VALUES ('Eve', 50000000, 0)")
        for server in left:
            until(partial(_stopped, server), "told that something was found")
            assert "'Eve' of purses" in str(_stopped(server))
            assert "no further round is dealt" in server.log.read_text()
        with closing(open_store(ledger)) as store:
            until(lambda: DIFFERS in [event.type for event in store.read(HOUSE)], "what was found is stored")


def _stopped(server: Server) -> list[str]:
    told: list[str] = httpx.get(f"{server.base}/api/v1/health", timeout=PATIENCE).json()["stopped"]
    return told


def _looking(servers: list[Server], admin: Api) -> list[Server]:
    """Those that look at the ledger, once every process knows that somebody did."""
    ways = [follow_on(server, admin) for server in servers]
    until(lambda: all(way.get("/server")["watched"] for way in ways), "everybody knows that it was looked at")
    return [server for server, way in zip(servers, ways, strict=True) if way.get("/server")["watches"]]


def test_a_killed_server_goes_on_with_the_round(here: Path) -> None:
    """SIGKILL in mid-round, several times: nothing acknowledged is lost, and the round is played to its end (T2)."""
    servers = [start(str(here / "kill.db"), here)]
    with ended(servers):
        dealer, guest = ready_table(servers[0], Api.administrator(servers[0]), "mine")
        for _ in range(KILLS):
            version = deal_into(dealer, guest, "mine")
            dealer, guest = _killed(servers, here, dealer, guest)
            view = guest.get("/tables/mine")
            assert (view["version"], view["phase"]) == (version, "round")
            to_the_end(dealer, guest, "mine")
        keys = [f"key-{number}" for number in range(30)]
        answers = [give(guest, "mine", "tip", key=key, amount="1") for key in keys]
        dealer, guest = _killed(servers, here, dealer, guest)
        assert [give(guest, "mine", "tip", key=key, amount="1") for key in keys] == answers
        assert guest.get("/tables/mine")["version"] == answers[-1]["version"]


def _killed(servers: list[Server], here: Path, *people: Api) -> Iterator[Api]:
    """Kill the last server and start another on the same ledger; people go on with their sessions."""
    servers[-1].kill()
    servers.append(start(str(here / "kill.db"), here))
    return (follow_on(servers[-1], api) for api in people)


@pytest.mark.prove
def test_a_server_that_is_told_to_stop_keeps_the_round(here: Path) -> None:
    """SIGTERM in mid-round with listeners: it stops cleanly and soon; the ledger verifies; the round waits."""
    ledger = str(here / "stop.db")
    server = start(ledger, here)
    with ended([server]):
        dealer, guest = ready_table(server, Api.administrator(server), "mine")
        version = deal_into(dealer, guest, "mine")
        with listen(server, "mine", guest):
            server.process.terminate()
            assert server.process.wait(PATIENCE) in (0, -15)
    store = open_store(ledger)
    assert store.version("mine") == version
    store.close()
    assert "Traceback" not in server.log.read_text()


def test_a_strange_key_is_refused(here: Path) -> None:
    """Status 2 and one sentence, no traceback."""
    ledger = str(here / "refused.db")
    assert main(["shift", "classic-blackjack", "--rounds", "1", "--ledger", ledger]) == 0
    key = here / "refused.db.key"
    key.unlink()
    status, said = _refused(ledger)
    assert status == 2, said
    assert "there is no key file" in said
    assert not key.exists()
    Keyring.create(key, os_source())
    status, said = _refused(ledger)
    assert status == 2, said
    assert "name the key file that was made with this ledger" in said


@pytest.mark.prove
def test_a_ledger_in_a_file_has_one_process(here: Path) -> None:
    """A second `serve` is refused, and told what to do; when the first has ended, however it did, the next may."""
    ledger = str(here / "one.db")
    servers = [start(ledger, here)]
    with ended(servers):
        status, said = _refused(ledger)
        assert status == 2, said
        assert f"is served by {servers[0].base} already" in said
        assert "PostgreSQL" in said
        servers[0].kill()
        servers.append(start(ledger, here))


def _refused(ledger: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "twentyone", "serve", "--ledger", ledger, "--port", str(free_port())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stderr


def test_a_database_that_stands_still_is_told_to_everybody(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections stay open and silent: nobody waits for them until somebody looks."""
    monkeypatch.chdir(tmp_path)
    ledger = postgres.new_database()
    server = start(ledger, tmp_path)
    with ended([server]):
        Api.administrator(server).post("/tables", {"name": "still", "rulebook": "pa-spanish-21"})
        guest, stranger = Api.guest(server.base, "Gus"), Api(server.base)
        guest.post("/tables/still/sit", {"box": 1})
        tip = {"do": "tip", "args": {"amount": "5"}, "key": "still-1"}
        with postgres.standing_still():
            for api, method, path in (
                (guest, "GET", "/me"),
                (guest, "POST", "/tables/still/commands"),
                (stranger, "GET", "/tables/still"),
                (stranger, "GET", "/ready"),
            ):
                answer = api.send(method, path, tip if method == "POST" else None)
                assert answer.status_code == 503, f"{path}: {answer.text}"
                until(partial(_says, api, method, path, tip), f"{path} says why")
            assert stranger.send("GET", "/health").json()["commands"] is False
        until(lambda: guest.send("POST", "/tables/still/commands", tip).is_success, "it comes back")
        with psycopg.connect(ledger) as line:
            stored = line.execute("SELECT count(*) FROM events WHERE idem LIKE '%still-1'").fetchone()
        assert stored == (1,)
    assert "no commands are taken" in server.log.read_text()


def _says(api: Api, method: str, path: str, tip: dict[str, Any]) -> bool:
    return STILL in api.send(method, path, tip if method == "POST" else None).text
