"""`twentyone serve`: the live table in a browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import socket
import sys
import time
import webbrowser
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.authenticate import add_authentic
from twentyone.cli.common import load_rulebooks, say, whole
from twentyone.cli.extras import needs
from twentyone.cli.ledgers import add_accept_unsigned, add_files
from twentyone.cli.serve_access import access_settings, add_access, choose_access
from twentyone.errors import Refused, TwentyoneError
from twentyone.platforms import file_locks

__all__ = ["add_parser"]

LEDGER = "twentyone.db"
LOOPBACK, MOST_PORT = "127.0.0.1", 65_535
SWITCH = 0.0005
"""Seconds a thread may hold the interpreter: the ledger's writer never waits longer than this for its turn."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "serve",
        help="serve the live tables to browsers",
        description="Serve the live tables: pages, REST and WebSocket. Ctrl-C stops; a round in progress waits.",
    )
    parser.add_argument(
        "--ledger", default=LEDGER, metavar="URL", help="path, sqlite:///path or postgresql://... (%(default)s)"
    )
    parser.add_argument("--host", default=LOOPBACK, help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=whole(MOST_PORT), default=8021, help="port to listen on (%(default)s)")
    parser.add_argument("--open", action="store_true", help="open a browser")
    parser.add_argument(
        "--peer-address",
        metavar="URL",
        help="where other processes on the same PostgreSQL reach this one (http://HOST:PORT)",
    )
    parser.add_argument(
        "--metrics-port", type=whole(MOST_PORT), metavar="PORT", help="serve metrics on this loopback port"
    )
    parser.add_argument("--log", action="store_true", help="log one line of JSON per response on standard error")
    parser.add_argument(
        "--archives", metavar="DIR", help="where the archives of closed periods are (default: archives)"
    )
    add_access(parser)
    add_files(parser)
    add_accept_unsigned(parser)
    add_authentic(parser)
    parser.add_argument(
        "--authenticate-every", type=whole(86_400), metavar="S", help="seconds between two examinations (default 3600)"
    )
    parser.set_defaults(run=run)


@needs("serve")
def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    for module in ("uvicorn", "twentyone.web.app"):
        import_module(module)  # a missing extra is told before anything is made
    from twentyone.ledger.one_process import only_process
    from twentyone.service.service import Service

    with contextlib.ExitStack() as taken:
        try:
            file_locks()
            listening = taken.enter_context(_listening(options.host, options.port))
            if options.metrics_port:
                _listening(LOOPBACK, options.metrics_port).close()
            taken.enter_context(only_process(options.ledger, f"http://{options.host}:{options.port}"))
            service = _opened(Service, options)
        except TwentyoneError as refused:
            say(f"twentyone serve: {refused}")
            return REFUSED
        load_rulebooks()
        choose_access(service, options)
        service.archives = Path(options.archives) if options.archives else service.archives
        return _serve(service, options, listening)


def _opened(house: Any, options: argparse.Namespace) -> Any:
    """The house on its ledger, authenticated and checked."""
    from twentyone.service.authenticity import admit_software

    service = house(
        options.ledger,
        clock=lambda: int(time.time()),
        key=options.key or "",
        checkpoints=options.checkpoints or "",
        accept_unsigned=options.accept_unsigned,
        address=options.peer_address or _peer_address(options.host, options.port),
        check=partial(admit_software, required=options.require_authentic),
    )
    if service.store.upgraded:
        say(f"twentyone serve: {options.ledger}: {service.store.upgraded}")
    service.authenticity.every = options.authenticate_every or service.authenticity.every
    service.check()
    return service


def _listening(host: str, port: int) -> socket.socket:
    """The address, taken before anything is made or told; who connects is let in when the house is ready."""
    taken = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as wrong:
        taken.close()
        raise _cannot_listen(host, port, wrong) from None
    return taken


def _cannot_listen(host: str, port: int, wrong: OSError) -> Refused:
    return Refused(f"cannot listen on {host}:{port} ({wrong.strerror or wrong}): name another address or port")


def _peer_address(host: str, port: int) -> str:
    """Where processes of the same machine reach a server; one that listens everywhere is reached on loopback."""
    return f"http://{LOOPBACK if host in ('0.0.0.0', '::', '') else host}:{port}"


def _serve(service: Any, options: argparse.Namespace, listening: socket.socket) -> int:
    import uvicorn

    from twentyone.web.app import create_app
    from twentyone.web.observability import begin_log, begin_metrics

    sys.setswitchinterval(SWITCH)
    begin_log(options.log)
    if options.metrics_port:
        begin_metrics(options.metrics_port)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    app = create_app(service, limited=not options.no_limits)
    settings = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        log_level="warning",
        access_log=False,
        ws_max_size=65536,
        timeout_graceful_shutdown=3,
        **access_settings(options),
    )
    server = _server(settings)
    _welcome(service, options)
    try:
        with contextlib.suppress(SystemExit), asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
            runner.run(server.serve([listening]))
    except OSError as wrong:
        say(f"twentyone serve: {_cannot_listen(options.host, options.port, wrong)}")
    return DONE if server.started else REFUSED


def _server(settings: Any) -> Any:
    """A server that looks for garbage by the clock: a look at everything would stall every request.

    It looks once a second whether it shall stop, or when it is told, and not ten times: a house has many that wait.
    """
    import uvicorn

    from twentyone.service.garbage import collect_garbage
    from twentyone.service.moments import until_next

    class Up(uvicorn.Server):
        async def main_loop(self) -> None:
            self._told, self._loop = asyncio.Event(), asyncio.get_running_loop()
            while not await self.on_tick(0):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(until_next(1.0, self._loop.time())):
                        await self._told.wait()

        def handle_exit(self, *signal: Any) -> None:
            super().handle_exit(*signal)
            if hasattr(self, "_loop"):
                self._loop.call_soon_threadsafe(self._told.set)

        async def startup(self, *args: Any, **options: Any) -> None:
            await super().startup(*args, **options)
            self._cleaning = asyncio.create_task(collect_garbage())

    return Up(settings)


def _welcome(service: Any, options: argparse.Namespace) -> None:
    address = f"http://{options.host}:{options.port}"
    say(f"twentyone: tables at {address}/")
    say(f"twentyone: administrator, once: {address}/enter/{service.people.entering.link('administrator')}")
    say(f"twentyone: package {service.authenticity.began.digest}, {service.authenticity.began.words}")
    say("twentyone: Ctrl-C stops; a round in progress waits in the ledger")
    if options.open:
        webbrowser.open(address)
