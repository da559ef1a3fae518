"""A real server on loopback with a ledger of its own, and clients that speak to it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.patience import PATIENCE, until

__all__ = ["Api", "Server", "free_port", "serving", "start"]


class Server(NamedTuple):
    """A server that is up."""

    base: str
    """Its address."""
    link: str
    """The administrator's one-time link."""
    process: subprocess.Popen[bytes]
    """The process, to be ended by its id."""
    log: Path
    """What it said."""

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PROGRAM = ("-m", "twentyone")


def start(
    ledger: str, folder: Path, port: int | None = None, program: Sequence[str] = PROGRAM, limited: bool = False
) -> Server:
    """Start a server and wait until it is ready; `limited`: as a house has it, with limits for everybody."""
    port = port or free_port()
    log = folder / f"serve-{port}-{uuid.uuid4().hex[:6]}.log"
    command = [sys.executable, *program, "serve", "--ledger", ledger, "--port", str(port)]
    command += [] if limited else ["--no-limits"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        )
    base = f"http://127.0.0.1:{port}"

    def ready() -> bool:
        assert process.poll() is None, f"the server did not come up: {log.read_text()[-2000:]}"
        with suppress(httpx.TransportError):
            return httpx.get(f"{base}/api/v1/ready", timeout=PATIENCE).status_code == 200
        return False

    try:
        until(ready, "the server is ready", look=0.1)
    except BaseException:
        process.kill()
        raise
    link = re.search(r"http\S+/enter/\S+", log.read_text())
    assert link is not None
    return Server(base, link.group(), process, log)


@contextmanager
def serving(ledger: str, folder: Path, limited: bool = False) -> Iterator[Server]:
    """A server for as long as the block runs."""
    server = start(ledger, folder, limited=limited)
    try:
        yield server
    finally:
        server.process.terminate()
        try:
            server.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


class Api:
    """One person's program: cookies, token, commands with keys."""

    def __init__(self, base: str, address: str | None = None) -> None:
        """`address`: the loopback address that the requests come from, if not the usual one."""
        way = httpx.HTTPTransport(local_address=address)
        self.http = httpx.Client(base_url=base, timeout=PATIENCE, follow_redirects=True, transport=way)
        self.get("/me")

    def get(self, path: str, **options: Any) -> Any:
        """What a read answers."""
        return self.http.get(f"/api/v1{path}", **options).raise_for_status().json()

    def send(self, method: str, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        """An unsafe request, with this session's token unless another is given."""
        token = (self.http.cookies.get("twentyone_csrf") or "") if token is None else token
        return self.http.request(method, f"/api/v1{path}", json=body, headers={"x-csrf-token": token})

    def post(self, path: str, body: Any = None) -> Any:
        """What an accepted request answers."""
        answer = self.send("POST", path, body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def command(self, table: str, do: str, **args: Any) -> httpx.Response:
        """Give a command at a table."""
        return self.send("POST", f"/tables/{table}/commands", {"do": do, "args": args, "key": uuid.uuid4().hex})

    def enters(self, table: str, guest: str, do: str, **args: Any) -> httpx.Response:
        """Enter a command for a guest without a device."""
        body = {"do": do, "args": args, "key": uuid.uuid4().hex, "player": guest}
        return self.send("POST", f"/tables/{table}/commands", body)

    def do(self, table: str, do: str, **args: Any) -> dict[str, Any]:
        """Give a command that must be accepted; answers the view after it."""
        answer = self.command(table, do, **args)
        assert answer.is_success, f"{do} {args}: {answer.text}"
        view: dict[str, Any] = self.get(f"/tables/{table}")
        return view

    @classmethod
    def administrator(cls, server: Server) -> Api:
        """The administrator, by the one-time link."""
        api = cls(server.base)
        api.http.get(server.link)
        return api

    @classmethod
    def guest(cls, base: str, name: str, address: str | None = None) -> Api:
        """A guest."""
        api = cls(base, address)
        api.post("/session/guest", {"name": name})
        return api

    def account(self, base: str, name: str, role: str) -> Api:
        """Another person, with an account that this administrator opens."""
        self.post("/accounts", {"name": name, "role": role, "password": "correct horse"})
        api = Api(base)
        api.post("/session/login", {"name": name, "password": "correct horse"})
        return api
