"""How soon a person can play: a table page in a cold browser, its weight, a decision from key to what is shown."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, Playwright, sync_playwright
from tests.web.conftest import FLAGS, found_browser
from tests.web.service import Staffed
from tests.web.serving import Api, Server, serving

__all__ = ["Seen", "measure"]

BOOK = "pa-spanish-21"
READY, SHOWN, WEIGHT = 0.5, 0.060, 150_000
"""The bars: seconds until the table can be played at and until a decision is shown, bytes of scripts and styles."""
FIRST = 5.0
"""Seconds from landing to the first decision, most of which are the dealer's."""
TURNS, DECISIONS = 7, 40
HANDS = (("2C 7H 2D KS", "2H 2S 3C 3D"), ("4C 8H 4D QS", "4H 4S AD"))
"""Two rounds by turns: what is dealt, and what the player draws before he stands; the dealer stands on two cards."""

CLICKS = (
    ("[data-rulebook=pa-spanish-21] [data-act=sit]", "() => window.twentyone?.begun"),
    ("[data-action=have_looked]", "() => window.twentyone.live.settled"),
    ("[data-action=chip-25]", "() => window.twentyone.draft.rows.size"),
    ("[data-action=lay]", "() => !window.twentyone.draft.rows.size && window.twentyone.live.settled"),
)
"""From landing to the first wager: what is clicked, and when the page has answered."""
ASKED = "() => window.twentyone.view.offer?.yours || window.twentyone.view.phase === 'settled'"
PRESS = """(key) => new Promise((done) => {
  const page = window.twentyone, before = page.view.version, begun = performance.now();
  document.dispatchEvent(new KeyboardEvent('keydown', { key }));
  const told = () => requestAnimationFrame(() => done(performance.now() - begun));
  const look = () => (page.view.version > before ? told() : requestAnimationFrame(look));
  look();
})"""
"""A key, and the milliseconds until the frame after its answer is drawn."""
LOADED = """() => performance.getEntriesByType('resource').filter(({ name }) => /[.](js|css)$/.test(name.split('?')[0]))
  .map(({ decodedBodySize }) => decodedBodySize)"""
"""The bytes of each script and style of a page, uncompressed."""
FRAMES = """() => new Promise((done) => {
  const begun = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
})"""
"""The milliseconds of two frames in which nothing happens."""


class Seen(NamedTuple):
    """What a person waits for, in seconds; the page's weight in bytes."""

    start: float
    """From starting the server to its first answer, with six new tables."""
    ready: float
    """From the address to the first wager that could be laid, in a browser that was just started: the middle turn."""
    worst: float
    """The worst turn."""
    plain: float
    """The page to log in, in another such browser, the middle turn: the yardstick."""
    shown: float
    """From a key to its decision on the page, 95 times of 100."""
    frames: float
    """Two frames of this browser with nothing to do, 95 times of 100: the yardstick."""
    files: int
    """Scripts and styles of the table page."""
    weight: int
    """Their bytes, uncompressed."""
    first: float
    """From landing to the first decision, alone at a table that was not played at."""
    own: float
    """What of it the page itself took."""

    @property
    def good(self) -> bool:
        """Whether the bars are met."""
        return self.ready < READY and self.shown < SHOWN and self.weight < WEIGHT and self.first < FIRST


@contextmanager
def _cold(play: Playwright) -> Iterator[Browser]:
    """A browser that has seen nothing yet."""
    browser = play.chromium.launch(executable_path=found_browser(), args=FLAGS)
    try:
        yield browser
    finally:
        browser.close()


def _enter(browser: Browser, server: Server, api: Api) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    jar = [{"name": c.name, "value": c.value or "", "url": server.base} for c in api.http.cookies.jar]
    context.add_cookies(jar)  # type: ignore[arg-type]
    return context.new_page()


def _load(play: Playwright, server: Server, api: Api, address: str, wanted: str) -> float:
    """Seconds from an address to what is wanted on its page."""
    with _cold(play) as browser:
        page = _enter(browser, server, api)
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(wanted)
        return time.perf_counter() - begun


def _decide(play: Playwright, table: Staffed, player: Api, decisions: int) -> tuple[list[float], list[float]]:
    """Milliseconds of every decision and of as many empty frames."""
    with _cold(play) as browser:
        page = _enter(browser, table.server, player)
        page.goto(table.address)
        times, frames = list[float](), list[float]()
        for dealt, drawn in cycle(HANDS):
            if len(times) >= decisions:
                return times, frames
            table.wager(player, 3)
            table.begin(dealt)
            for card in drawn.split():
                page.wait_for_selector("[data-action=hit]")
                times.append(page.evaluate(PRESS, "h"))
                frames.append(page.evaluate(FRAMES))
                table.deal(card)
            page.wait_for_selector("[data-action=stand]")
            times.append(page.evaluate(PRESS, "s"))
            table.collect()
            table.follow()
    raise AssertionError("there is always another round")


def _weigh(play: Playwright, table: Staffed, player: Api) -> list[int]:
    """The bytes of every script and style of the table page."""
    with _cold(play) as browser:
        page = _enter(browser, table.server, player)
        page.goto(table.address)
        page.wait_for_selector("[data-action=lay]")
        sizes: list[int] = page.evaluate(LOADED)
        return sizes


def _first(play: Playwright, server: Server) -> tuple[float, float]:
    """Seconds from landing to the first decision of a guest nobody knows, and the page's own share of them.

    He is alone, and the cards are still to be made ready.
    """
    with _cold(play) as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(server.base)
        page.wait_for_selector(CLICKS[0][0])
        begun, own = time.perf_counter(), 0.0
        for clicked, answered in CLICKS:
            page.wait_for_selector(clicked)
            pressed = time.perf_counter()
            page.click(clicked)
            page.wait_for_function(answered)
            own += time.perf_counter() - pressed
        page.wait_for_function(ASKED)
        return time.perf_counter() - begun, own


def measure(turns: int = TURNS, decisions: int = DECISIONS) -> Seen:
    """Measure at a table that a person deals, so that nothing waits for a dealer's pace."""
    begun = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name,
        serving(str(Path(name) / "page.db"), Path(name)) as server,
        sync_playwright() as play,
    ):
        start = time.perf_counter() - begun
        table = Staffed(server, BOOK, Api.administrator(server), table_minimum="5", table_maximum="500")
        player = table.with_player(3)
        ready, plain = list[float](), list[float]()
        for _ in range(turns):
            ready.append(_load(play, server, player, table.address, "[data-action=lay]"))
            plain.append(_load(play, server, player, f"{server.base}/login", "main"))
        times, frames = _decide(play, table, player, decisions)
        sizes = _weigh(play, table, player)
        first = _first(play, server)
        middle, worst, login = statistics.median(ready), max(ready), statistics.median(plain)
        return Seen(start, middle, worst, login, _most(times), _most(frames), len(sizes), sum(sizes), *first)


def _most(milliseconds: list[float]) -> float:
    return statistics.quantiles(milliseconds, n=20)[18] / 1000


def run() -> bool:
    """Print the figures; false where a bar is missed."""
    seen = measure()
    print(f"{'table page ready in a cold browser':42}{seen.ready:>10.2f} s   ", end="")
    print(f"(bar {READY}; the worst {seen.worst:.2f}, login {seen.plain:.2f})")
    said = f"(bar {SHOWN * 1000:.0f}; two empty frames {seen.frames * 1000:.0f})"
    print(f"{'decision shown, 95 of 100':42}{seen.shown * 1000:>10.0f} ms  {said}")
    said = f"(bar {WEIGHT // 1000}; {seen.files} files)"
    print(f"{'scripts and styles of the table page':42}{seen.weight / 1000:>10.1f} kB  {said}")
    said = f"(bar {FIRST:.0f}, {len(CLICKS)} clicks; the page's own {seen.own:.2f})"
    print(f"{'landing to the first decision':42}{seen.first:>10.2f} s   {said}")
    print(f"{'server started':42}{seen.start:>10.2f} s")
    return seen.good


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
