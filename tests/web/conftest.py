"""Fixtures of the live table: one server and one browser for all tests, pages for whoever a test needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.patience import PATIENCE
from tests.web.serving import Api, Server, serving
from twentyone.table.health import Source

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""For a browser without a network."""

WAIT = 1000 * PATIENCE
"""Milliseconds a page may take to show something."""
SIZES = {"desk": (1440, 900), "phone": (390, 844), "tablet": (768, 1024), "sideways": (844, 390), "wide": (1180, 820)}

POLICY = "Content Security Policy"
"""What the browser says when a page tries what its policy forbids."""
FAILED = pytest.StashKey[bool]()

Enter = Callable[..., Page]


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed with little work: inside the tests' own process, where it protects nobody."""
    monkeypatch.setattr("twentyone.service.hashing.PasswordHasher", partial(PasswordHasher, 1, 8, 1))


@pytest.fixture(autouse=True)
def fixed_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the tests' own process the shoes and wheels of a test are the same in every run."""
    chance = Random(request.node.name)
    monkeypatch.setattr("twentyone.service.service.os_source", lambda: Source(chance.randbytes))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Api]]:
    """A server and its administrator, whose link is soon too old; what tests did to its tables must verify."""
    folder = tmp_path_factory.mktemp("live")
    ledger = str(folder / "live.db")
    with serving(ledger, folder) as up:
        yield up, Api.administrator(up)
    report = subprocess.run([sys.executable, "-m", "twentyone", "verify", ledger], capture_output=True, text=True)
    assert report.returncode == 0, report.stdout + report.stderr


@pytest.fixture(scope="session")
def server(house: tuple[Server, Api]) -> Server:
    """A server for all tests of a process."""
    return house[0]


@pytest.fixture(scope="session")
def admin(house: tuple[Server, Api]) -> Api:
    """Its administrator."""
    return house[1]


def found_browser() -> str:
    """Where this machine has its browser."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    assert found is not None, (
        "no browser: `make test` installs Debian's chromium, elsewhere install the package chromium"
    )
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found_browser(), args=FLAGS)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Leave on the test whether it failed, for the fixture that photographs its pages."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def enter(browser: Browser, request: pytest.FixtureRequest, artefacts: Path) -> Iterator[Enter]:
    """Opens pages: `enter(address, api, size="phone", scheme="light")` with the session of that person, if any."""
    contexts, faults = [], list[str]()

    def begin(
        address: str, api: Api | None = None, size: str = "desk", faults_count: bool = True, **options: Any
    ) -> Page:
        width, height = SIZES[size]
        given = {"reduced_motion": "reduce", "color_scheme": "dark", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **given)
        contexts.append(context)
        if api is not None:
            base = str(api.http.base_url)
            jar = [{"name": c.name, "value": c.value or "", "url": base} for c in api.http.cookies.jar]
            context.add_cookies(jar)  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(WAIT)
        if faults_count:
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if POLICY in said.text else None)
        page.goto(address)
        return page

    yield begin
    for number, context in enumerate(contexts):
        if request.node.stash.get(FAILED, False):
            context.pages[0].screenshot(path=artefacts / f"failed-{request.node.name}-{number}.png")
        context.close()
    assert not faults, faults


@pytest.fixture
def page(enter: Enter, server: Server) -> Page:
    """A visitor's page at the tables."""
    return enter(f"{server.base}/")


@pytest.fixture(scope="session")
def artefacts() -> Path:
    folder = Path(".artefacts")
    folder.mkdir(exist_ok=True)
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser: its driver keeps the event loop of its process, so `make test` runs it apart."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
