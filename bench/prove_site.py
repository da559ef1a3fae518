"""`make prove PART=site`: the site is built without a warning, read at both widths, searched without a network.

    python -m bench.prove_site [--part built|read|commands]

`built`: every page is made, and Zensical has nothing to complain of. `read`: a browser without a network opens each
page from the folder; nothing is asked of anybody, no page is wider than the screen, and a search finds a paragraph.
`commands`: the commands that the tests only parse, because they compile, are carried out as the pages show them.
Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.health.test_pages_run import CARRIED_OUT, EDITS_A_RULEBOOK, text_of
from tests.shown import Session, console_of
from tests.web.conftest import FLAGS, found_browser

from bench.build_site import SITE
from bench.build_site import main as build_site

WIDTHS = {"desk": (1440, 900), "phone": (390, 844)}
SOUGHT, FOUND = "rescue", "635a.10"
ENDLESS = ("serve", "play")
PICTURES = Path(".prove") / "site"


class Fault(Exception):
    """Something that is not as it is promised."""


def built() -> str:
    """The site, built anew."""
    if build_site([]):
        raise Fault("the site was not built without a warning")
    return f"{sum(1 for _ in SITE.rglob('*.html'))} pages"


def read() -> str:
    """Every page at both widths, and the search, from the folder and without a network."""
    if not SITE.is_dir():
        built()
    pages = sorted(SITE.rglob("*.html"))
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found_browser(), args=FLAGS)
        for name, (width, height) in WIDTHS.items():
            _look(browser, pages, name, width, height)
        browser.close()
    return f"{len(pages)} pages at {len(WIDTHS)} widths, pictures in {PICTURES}"


def _look(browser: Browser, pages: Sequence[Path], name: str, width: int, height: int) -> None:
    faults: list[str] = []
    context = browser.new_context(offline=True, viewport={"width": width, "height": height})
    page = context.new_page()
    page.on("request", lambda asked: faults.append(f"asks {asked.url}") if asked.url.startswith("http") else None)
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    for path in pages:
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{path.name} is wider than {width} px")
    page.goto((SITE / "index.html").as_uri())
    page.screenshot(path=PICTURES / f"index-{name}.png")
    _search(page)
    page.screenshot(path=PICTURES / f"search-{name}.png")
    context.close()
    if faults:
        raise Fault("; ".join(sorted(set(faults))[:5]))


def _search(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type(SOUGHT, delay=50)
    expect(page.get_by_text(FOUND).first).to_be_attached(timeout=60_000)


def commands() -> str:
    """What the pages show, from the first command to the last."""
    done = 0
    for name in CARRIED_OUT:
        with tempfile.TemporaryDirectory() as folder:
            session = Session(Path(folder), apart=name == EDITS_A_RULEBOOK)
            for shown in console_of(text_of(name)):
                if not shown.command.startswith("make ") and (shown.words or [""])[0] not in ENDLESS:
                    try:
                        session.types(shown)
                    except AssertionError as wrong:
                        raise Fault(f"{name}: {wrong}") from None
                    done += 1
    return f"{done} commands of {len(CARRIED_OUT)} pages"


PARTS: dict[str, Callable[[], str]] = {"built": built, "read": read, "commands": commands}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts; the worst status counts."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_site", description=__doc__)
    parser.add_argument("--part", choices=PARTS)
    chosen = parser.parse_args(arguments).part
    status = 0
    for name in [chosen] if chosen else PARTS:
        try:
            print(f"site, {name}: {PARTS[name]()}")
        except Fault as fault:
            print(f"site, {name}: {fault}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
