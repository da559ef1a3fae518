"""Schemathesis against a real server, in the session of each role."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.web.serving import Api, Server, serving

__all__ = ["EXAMPLES", "ROLES", "Fuzzed", "fuzz", "fuzz_getting_in", "fuzz_role", "fuzzed_server", "what_is_wrong"]

ROLES = ("visitor", "player", "dealer", "floorperson", "auditor", "administrator")
EXAMPLES = 5
"""Examples an operation, where nobody says how many; `make prove PART=web-fuzz` runs a thousand."""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "negative_data_rejection,response_headers_conformance,unsupported_method"
)


class Fuzzed(NamedTuple):
    """A server that takes whatever strangers send, and somebody of each role."""

    server: Server
    people: dict[str, Api]
    settings: Path
    """Names that are there, so that more than "no such table" is met."""


SETTINGS = """[parameters]
"path.table" = "pa-spanish-21"
"path.rulebook" = "pa-spanish-21"
"path.paragraph" = "635a.1"
"path.number" = 1
"path.name" = "A spare"

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 503]
"""
"""What is too long is refused before it is read (413): schemathesis does not take that for a refusal by itself."""
Done = subprocess.CompletedProcess[str]


@contextmanager
def fuzzed_server(folder: Path) -> Iterator[Fuzzed]:
    """A server of its own: what strangers send stays out of other tables."""
    (folder / "names.toml").write_text(SETTINGS)
    with serving(str(folder / "fuzz.db"), folder) as server:
        admin = Api.administrator(server)
        staff = {role: admin.account(server.base, f"A {role}", role) for role in ROLES[2:-1]}
        admin.account(server.base, "A spare", "dealer")
        guest = Api.guest(server.base, "Fuzz")
        guest.post("/tables/pa-spanish-21/sit", {})
        people = {"visitor": Api(server.base), "player": guest, **staff, "administrator": admin}
        yield Fuzzed(server, people, folder / "names.toml")


def fuzz(fuzzed: Fuzzed, role: str, *more: str, schema: str = "", examples: int = EXAMPLES, seconds: int = 300) -> Done:
    """Run schemathesis with the session of a role, against the published schema or another."""
    jar, base = fuzzed.people[role].http.cookies, f"{fuzzed.server.base}/api/v1"
    cookies = "; ".join(f"{name}={value}" for name, value in jar.items())
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(fuzzed.settings)),
        *("run", schema or f"{base}/openapi.json", "--url", base),
        *("--checks", CHECKS, "--max-examples", str(examples), "--seed", "1", "--request-timeout", "120"),
        *("--generation-database", "none", "--suppress-health-check", "all", "--no-color"),
        *("-H", f"Cookie: {cookies}", "-H", f"x-csrf-token: {jar.get('twentyone_csrf')}", *more),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=fuzzed.settings.parent)


def fuzz_role(fuzzed: Fuzzed, role: str, examples: int = EXAMPLES, seconds: int = 300) -> Done:
    """Whatever a role sends, by chance; the administrator at every edge and along every way too."""
    phases = "coverage,fuzzing,stateful" if role == "administrator" else "fuzzing"
    shut = ("--exclude-path-regex", "^/session/|^/verify$|^/backups$")
    return fuzz(fuzzed, role, *shut, "--phases", phases, examples=examples, seconds=seconds)


def fuzz_getting_in(fuzzed: Fuzzed, examples: int = EXAMPLES, seconds: int = 300) -> Done:
    """Whatever a visitor sends to get in."""
    inside = ("--include-path-regex", "^/session/")
    return fuzz(fuzzed, "visitor", *inside, "--phases", "fuzzing", examples=examples, seconds=seconds)


def what_is_wrong(fuzzed: Fuzzed) -> str:
    """What the ledger, the log or the server have to complain of afterwards; nothing: all is well."""
    report = fuzzed.people["administrator"].post("/verify")
    if not report["ok"]:
        return f"the ledger is not well: {report}"
    if "failed" in fuzzed.server.log.read_text():
        return "the log tells of a failure"
    return "" if fuzzed.people["administrator"].get("/ready")["ready"] else "the server is not ready"
