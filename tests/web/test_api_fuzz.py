"""T19: schemathesis in each role against a real server; afterwards the ledger is well."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.web.fuzzing import ROLES, Fuzzed, fuzz, fuzz_getting_in, fuzz_role, fuzzed_server, what_is_wrong


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    with fuzzed_server(tmp_path_factory.mktemp("fuzz")) as up:
        yield up


NIGHTLY = ("auditor", "floorperson", "player", "visitor")
"""Roles whose turn comes in `make prove`: what they may send, the administrator and the dealer send here."""


@pytest.mark.parametrize(
    "role", [pytest.param(role, marks=pytest.mark.prove) if role in NIGHTLY else role for role in ROLES]
)
def test_whatever_a_role_sends_is_answered_as_the_schema_says(fuzzed: Fuzzed, role: str) -> None:
    """No server error, no answer outside the schema; every role by chance, the administrator at every edge too."""
    done = fuzz_role(fuzzed, role)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_getting_in_holds_too(fuzzed: Fuzzed) -> None:
    done = fuzz_getting_in(fuzzed)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_afterwards_the_ledger_is_well_and_the_tables_play(fuzzed: Fuzzed) -> None:
    assert what_is_wrong(fuzzed) == ""


def test_a_schema_breach_is_found(fuzzed: Fuzzed) -> None:
    """Negative control: a schema that promises more than is answered makes the run fail."""
    schema = fuzzed.people["visitor"].get("/openapi.json")
    schema["components"]["schemas"]["Alive"]["required"].append("more")
    (fuzzed.settings.parent / "more.json").write_text(json.dumps(schema))
    more = str(fuzzed.settings.parent / "more.json")
    done = fuzz(fuzzed, "visitor", "--include-path", "/health", "--phases", "fuzzing", schema=more)
    assert done.returncode == 1, done.stdout[-2000:]
    assert "violates schema" in done.stdout
