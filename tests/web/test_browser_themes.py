"""Light and dark: as the system says, or as somebody chose; kept, without a flash, on every page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.serving import Server

DARK, LIGHT = "rgb(10, 20, 16)", "rgb(238, 234, 224)"
"""The page's ground in both."""
PAGES = ("/", "/table/pa-spanish-21", "/rounds", "/law", "/law/pa-spanish-21", "/login")

WATCH = """() => {
  window.grounds = new Set();
  const look = () => {
    const { body, styleSheets } = document;
    if (body && styleSheets.length) window.grounds.add(getComputedStyle(body).backgroundColor);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""What ground is painted, frame by frame, from the first."""


def grounds(page: Page) -> set[str]:
    """Every ground that was painted since the page was asked for."""
    return set(page.evaluate("() => [...window.grounds]"))


def test_three_states_are_chosen_by_keyboard_and_kept(server: Server, enter: Enter) -> None:
    """System, light, dark by the arrow keys of one labelled group; the next page wears what was chosen."""
    page = enter(f"{server.base}/law", color_scheme="dark")
    group = page.get_by_role("radiogroup", name="theme")
    expect(group.get_by_role("radio")).to_have_count(3)
    expect(group.get_by_label("as the system")).to_be_checked()
    expect(page.locator("body")).to_have_css("background-color", DARK)
    group.get_by_label("as the system").focus()
    page.keyboard.press("ArrowRight")
    expect(group.get_by_label("light")).to_be_checked()
    expect(page.locator("body")).to_have_css("background-color", LIGHT)
    for path in PAGES:
        page.goto(server.base + path)
        expect(page.get_by_role("radiogroup", name="theme").get_by_label("light")).to_be_checked()
        expect(page.locator("body")).to_have_css("background-color", LIGHT)
    page.get_by_label("as the system").check()
    expect(page.locator("body")).to_have_css("background-color", DARK)
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_css("background-color", LIGHT)
    page.get_by_label("dark", exact=True).check()
    expect(page.locator("body")).to_have_css("background-color", DARK)


def test_nothing_flashes_at_load(server: Server, enter: Enter) -> None:
    """Who chose light on a dark system never sees the dark ground, not for a frame; without the cookie he would."""
    page = enter(f"{server.base}/law", color_scheme="dark")
    page.get_by_label("light").check()
    page.add_init_script(f"({WATCH})()")
    page.goto(f"{server.base}/rounds")
    expect(page.get_by_label("light")).to_be_checked()
    assert grounds(page) == {LIGHT}
    page.context.clear_cookies(name="twentyone_theme")
    page.goto(f"{server.base}/law")
    expect(page.locator("main")).to_be_visible()
    assert DARK in grounds(page)


def test_another_page_that_is_open_changes_too(server: Server, enter: Enter) -> None:
    """Two pages of one browser: what is chosen in one, the other wears at once."""
    page = enter(f"{server.base}/law", color_scheme="dark")
    other = page.context.new_page()
    other.goto(f"{server.base}/rounds")
    page.get_by_label("light").check()
    expect(other.locator("body")).to_have_css("background-color", LIGHT)
    expect(other.get_by_label("light")).to_be_checked()
