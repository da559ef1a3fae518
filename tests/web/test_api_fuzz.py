"""T19: schemathesis in each role against a real server; afterwards the ledger is well."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.web.serving import Api, Server, serving

ROLES = ("visitor", "player", "dealer", "floorperson", "auditor", "administrator")
EXAMPLES = 5
"""Examples an operation; `make prove` runs a thousand."""
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
"""


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    """A server of its own: what strangers send stays out of the other tests' tables."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "names.toml").write_text(SETTINGS)
    with serving(str(folder / "fuzz.db"), folder) as server:
        admin = Api.administrator(server)
        staff = {role: admin.account(server.base, f"A {role}", role) for role in ROLES[2:-1]}
        guest = Api.guest(server.base, "Fuzz")
        guest.post("/tables/pa-spanish-21/sit", {})
        people = {"visitor": Api(server.base), "player": guest, **staff, "administrator": admin}
        yield Fuzzed(server, people, folder / "names.toml")


def fuzz(fuzzed: Fuzzed, role: str, *more: str, schema: str = "") -> subprocess.CompletedProcess[str]:
    """Run schemathesis with the session of a role, against the published schema or another."""
    jar, base = fuzzed.people[role].http.cookies, f"{fuzzed.server.base}/api/v1"
    cookies = "; ".join(f"{name}={value}" for name, value in jar.items())
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(fuzzed.settings)),
        *("run", schema or f"{base}/openapi.json", "--url", base),
        *("--checks", CHECKS, "--max-examples", str(EXAMPLES), "--seed", "1", "--request-timeout", "10"),
        *("--generation-database", "none", "--suppress-health-check", "all", "--no-color"),
        *("-H", f"Cookie: {cookies}", "-H", f"x-csrf-token: {jar.get('twentyone_csrf')}", *more),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=fuzzed.settings.parent)


@pytest.mark.parametrize("role", ROLES)
def test_whatever_a_role_sends_is_answered_as_the_schema_says(fuzzed: Fuzzed, role: str) -> None:
    """No server error, no answer outside the schema; every role by chance, the administrator at every edge too."""
    phases = "coverage,fuzzing,stateful" if role == "administrator" else "fuzzing"
    done = fuzz(fuzzed, role, "--exclude-path-regex", "^/session/|^/verify$", "--phases", phases)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_getting_in_holds_too(fuzzed: Fuzzed) -> None:
    done = fuzz(fuzzed, "visitor", "--include-path-regex", "^/session/", "--phases", "fuzzing")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_afterwards_the_ledger_is_well_and_the_tables_play(fuzzed: Fuzzed) -> None:
    report = fuzzed.people["administrator"].post("/verify")
    assert report["ok"], report
    assert "failed" not in fuzzed.server.log.read_text()
    answer = fuzzed.people["administrator"].get("/ready")
    assert answer["ready"]


def test_a_schema_breach_is_found(fuzzed: Fuzzed) -> None:
    """Negative control: a schema that promises more than is answered makes the run fail."""
    schema = fuzzed.people["visitor"].get("/openapi.json")
    schema["components"]["schemas"]["Alive"]["required"].append("more")
    (fuzzed.settings.parent / "more.json").write_text(json.dumps(schema))
    more = str(fuzzed.settings.parent / "more.json")
    done = fuzz(fuzzed, "visitor", "--include-path", "/health", "--phases", "fuzzing", schema=more)
    assert done.returncode == 1, done.stdout[-2000:]
    assert "violates schema" in done.stdout
