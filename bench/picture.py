"""`python -m bench.picture`: the picture of the table that README.md shows, taken from a table that is dealt for it."""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright
from tests.web.conftest import FLAGS, found_browser
from tests.web.service import Staffed
from tests.web.serving import Api, Server, serving

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "table.png"
SIZE = {"width": 1280, "height": 720}
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


def main() -> int:
    """Deal, look, and write the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        with serving(str(Path(folder) / "t.db"), Path(folder)) as server:
            table, ann = dealt(server)
            browser = play.chromium.launch(executable_path=found_browser(), args=FLAGS)
            context = browser.new_context(viewport=SIZE, reduced_motion="reduce", color_scheme="dark")  # type: ignore[arg-type]
            jar = [{"name": one.name, "value": one.value or "", "url": server.base} for one in ann.http.cookies.jar]
            context.add_cookies(jar)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(table.address)
            expect(page.locator(".tw-live .tw-card")).to_have_count(len(CARDS.split()))
            Image.open(BytesIO(page.screenshot())).quantize(COLOURS).save(PICTURE, optimize=True)
            browser.close()
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
