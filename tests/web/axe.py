"""What axe finds on a page, in both themes."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

__all__ = ["axe_finds"]

AXE = Axe()
EVERY = {"resultTypes": ["violations"]}
COLOURS = EVERY | {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that a theme can break; all others see the same page in both."""


def axe_finds(page: Page) -> str:
    """What is wrong with a page: by every rule in the dark theme, by those of colour in the light one."""
    reports = []
    for theme, options in (("dark", EVERY), ("light", COLOURS)):
        page.get_by_label(theme, exact=True).check()
        found = AXE.run(page, options=options)
        reports += [f"{theme}: {found.generate_report()}"] if found.violations_count else []
    return "\n".join(reports)
