"""What the operator decided about access: names of the server, guests' names, second factors, two persons."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple

__all__ = ["AccessPolicy"]

LOCAL = "localhost"
REMEMBERED = 64
"""Names that are remembered as allowed or not: a house is called by few, and whoever asks for others learns nothing."""


class AccessPolicy(NamedTuple):
    """The operator's choices, the same for all processes of a house."""

    hosts: tuple[str, ...] = ()
    """Names under which the server may be asked, beside its addresses."""
    numbered_guests: bool = True
    """Whether every guest gets a number that nobody can foresee: then no number tells who else has the name."""
    factor_roles: tuple[str, ...] = ()
    """Roles that need a second factor."""
    two_persons: bool = False
    """Whether a second administrator confirms what changes accounts."""

    def is_host(self, host: str) -> bool:
        """Whether a request may name this host: an address, this machine, or a name that the operator gave.

        Another site's name in a browser is one that leads here by a trick; an address cannot be such a name.

        >>> AccessPolicy(("games.example",)).is_host("Games.example:443")
        True
        >>> AccessPolicy().is_host("[::1]:8021"), AccessPolicy().is_host("evil.example"), AccessPolicy().is_host("")
        (True, False, False)
        """
        return _is_host(self.hosts, host)


@lru_cache(REMEMBERED)
def _is_host(hosts: tuple[str, ...], host: str) -> bool:
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() and not host.endswith("]") else host
    name = name.lower().rstrip(".")
    if name in (LOCAL, *hosts):
        return True
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
