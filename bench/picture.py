"""`python -m bench.picture`: the picture of the table that README.md shows, taken from a table that is dealt for it."""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright
from tests.web.conftest import FLAGS, found_browser
from tests.web.service import Staffed
from tests.web.serving import Api, Server, serving

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "table.png"
SIZE: ViewportSize = {"width": 1280, "height": 720}
COLOURS = 255
"""Enough for felt and cards; the file has a third of its size."""
CARDS = "8S 6S KC 7H 8C 7S 4C KD"
"""To boxes 2, 4 and 5, then the dealer; and again: a pair of eights, 6-7 of spades, 14, against a seven."""


def dealt(server: Server) -> tuple[Staffed, Api]:
    """A table of Spanish 21 at which the first of three players decides, and that player."""
    table = Staffed(server, "pa-spanish-21", Api.administrator(server), table_minimum="5", table_maximum="500")
    ann = table.with_player(2, "Ann")
    for player, box in ((ann, 2), (table.seat("Bob", [4]), 4), (table.seat("Cleo", [5]), 5)):
        table.wager(player, box, "25", match_the_dealer="5")
    table.begin(CARDS)
    return table, ann


def photograph(server: Server, browser: Browser) -> bytes:
    """The table's page before that player's eyes."""
    table, ann = dealt(server)
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce", color_scheme="dark")
    jar = [{"name": one.name, "value": one.value or "", "url": server.base} for one in ann.http.cookies.jar]
    context.add_cookies(jar)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(table.address)
    expect(page.locator(".tw-live .tw-card")).to_have_count(len(CARDS.split()))
    return page.screenshot()


def main() -> int:
    """Deal, look, and write the picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(str(Path(folder) / "t.db"), Path(folder)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=found_browser(), args=FLAGS)
        Image.open(BytesIO(photograph(server, browser))).quantize(COLOURS).save(PICTURE, optimize=True)
        browser.close()
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
