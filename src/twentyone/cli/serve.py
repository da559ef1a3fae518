"""`twentyone serve`: the live table in a browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import sys
import time
import webbrowser
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.authenticate import add_authentic
from twentyone.cli.common import load_rulebooks, say, whole
from twentyone.cli.extras import needs
from twentyone.cli.ledgers import add_accept_unsigned, add_files
from twentyone.cli.serve_access import access_settings, add_access, choose_access
from twentyone.errors import TwentyoneError

__all__ = ["add_parser"]

LEDGER = "twentyone.db"
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
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8021, help="port to listen on (%(default)s)")
    parser.add_argument("--open", action="store_true", help="open a browser")
    parser.add_argument(
        "--peer-address",
        metavar="URL",
        help="where other processes on the same PostgreSQL reach this one (http://HOST:PORT)",
    )
    parser.add_argument("--metrics-port", type=int, metavar="PORT", help="serve metrics on this loopback port")
    parser.add_argument("--log", action="store_true", help="log one line of JSON per response on standard error")
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
    from twentyone.ledger.one_process import only_process
    from twentyone.service.service import Service

    try:
        alone = only_process(options.ledger, f"http://{options.host}:{options.port}")
        service = Service(
            options.ledger,
            clock=lambda: int(time.time()),
            key=options.key or "",
            checkpoints=options.checkpoints or "",
            accept_unsigned=options.accept_unsigned,
            address=options.peer_address or _peer_address(options.host, options.port),
        )
        service.authenticity.admit(options.require_authentic)
        service.authenticity.every = options.authenticate_every or service.authenticity.every
        service.check()
    except TwentyoneError as refused:
        say(f"twentyone serve: {refused}")
        return REFUSED
    load_rulebooks()
    choose_access(service, options)
    with alone:
        return _serve(service, options)


def _peer_address(host: str, port: int) -> str:
    """Where processes of the same machine reach a server; one that listens everywhere is reached on loopback."""
    return f"http://{'127.0.0.1' if host in ('0.0.0.0', '::', '') else host}:{port}"


def _serve(service: Any, options: argparse.Namespace) -> int:
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
    with contextlib.suppress(SystemExit), asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        runner.run(server.serve())
    if server.started:
        return DONE
    say(f"twentyone serve: cannot listen on {options.host}:{options.port}: if the port is taken, name another")
    return REFUSED


def _server(settings: Any) -> Any:
    """A server that, once started, freezes what it has loaded: full garbage collections would stall every request.

    It looks once a second whether it shall stop, or when it is told, and not ten times: a house has many that wait.
    """
    import uvicorn

    class Up(uvicorn.Server):
        async def main_loop(self) -> None:
            self._told, self._loop = asyncio.Event(), asyncio.get_running_loop()
            while not await self.on_tick(0):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await self._told.wait()

        def handle_exit(self, *signal: Any) -> None:
            super().handle_exit(*signal)
            if hasattr(self, "_loop"):
                self._loop.call_soon_threadsafe(self._told.set)

        async def startup(self, *args: Any, **options: Any) -> None:
            await super().startup(*args, **options)
            gc.collect()
            gc.freeze()

    return Up(settings)


def _welcome(service: Any, options: argparse.Namespace) -> None:
    address = f"http://{options.host}:{options.port}"
    say(f"twentyone: tables at {address}/")
    say(f"twentyone: administrator, once: {address}/enter/{service.people.entering.link('administrator')}")
    say(f"twentyone: package {service.authenticity.began.digest}, {service.authenticity.began.words}")
    say("twentyone: Ctrl-C stops; a round in progress waits in the ledger")
    if options.open:
        webbrowser.open(address)
