"""The options of `twentyone serve` about who comes in, and from where."""

from __future__ import annotations

import argparse
from ipaddress import ip_network
from typing import Any

from twentyone.cli.common import whole

__all__ = ["access_settings", "add_access", "choose_access"]


STAFF = ("dealer", "floorperson", "auditor", "administrator")


def add_access(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--guest-tables", type=whole(1000), metavar="N", help="tables that one player may be at (default 2)"
    )
    parser.add_argument(
        "--new-guests", type=whole(10**6), metavar="N", help="new guests from one address in ten minutes (default 6)"
    )
    parser.add_argument(
        "--reads", type=whole(10**6), metavar="N",
        help="pages and readings of a person in ten seconds; of strangers at an address twice as many (default 300)",
    )  # fmt: skip
    parser.add_argument(
        "--trusted-proxy", type=_network, action="append", default=[], metavar="ADDRESS",
        help="believe the client's address and https from a proxy at this address or network (may be repeated)",
    )  # fmt: skip
    parser.add_argument(
        "--allowed-host", action="append", default=[], metavar="NAME",
        help="a name by which browsers call this server, beside its addresses (may be repeated)",
    )  # fmt: skip
    parser.add_argument(
        "--second-factor", action="append", default=[], choices=STAFF, metavar="ROLE",
        help=f"people of this role need the code of an authenticator: {', '.join(STAFF)} (may be repeated)",
    )  # fmt: skip
    parser.add_argument(
        "--two-persons", action="store_true",
        help="changes of accounts, and the end of a stop of play, need the approval of a second administrator",
    )  # fmt: skip
    parser.add_argument("--no-limits", action="store_true", help="do not limit requests (for tests on loopback)")


def _network(text: str) -> str:
    """An address or a network, as the server wants it."""
    try:
        network = ip_network(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text[:60]!r} is neither an address nor a network: write 10.0.0.5 or 10.0.0.0/24"
        ) from None
    return str(network.network_address) if network.num_addresses == 1 else str(network)


def choose_access(service: Any, options: argparse.Namespace) -> None:
    """Let the service know what the operator chose."""
    given = {"tables": options.guest_tables, "new_guests": options.new_guests, "reads": options.reads}
    chosen = {name: value for name, value in given.items() if value is not None}
    service.doors.limits = service.doors.limits._replace(**chosen)
    hosts = tuple(name.lower() for name in options.allowed_host)
    service.people.policy = service.people.policy._replace(
        hosts=hosts, factor_roles=tuple(options.second_factor), two_persons=options.two_persons
    )


def access_settings(options: argparse.Namespace) -> dict[str, Any]:
    """What the web server is told: whose word about clients it takes, and that requests have to arrive."""
    from twentyone.web.piped import LiveConnection
    from twentyone.web.whole_requests import WholeRequests

    proxies = options.trusted_proxy
    return {"proxy_headers": bool(proxies), "forwarded_allow_ips": proxies, "http": WholeRequests, "ws": LiveConnection}
