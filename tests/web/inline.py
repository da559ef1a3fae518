"""What in a page is not a file of ours: scripts, styles and handlers written into it, and addresses of others.

The address under which a page is known is read by search engines, and fetched by no browser.
"""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["Inline"]

ADDRESSES = ("action", "data", "href", "src")
INSIDE = ("/", "#", "data:")
"""How an address of our own begins."""


class Inline(HTMLParser):
    """A page, read for what its policy forbids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        """What must not be there."""
        self.scripts: list[str] = []
        """The addresses of its scripts."""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        given = dict(attrs)
        if tag == "style" or (tag == "script" and not (given.get("src") and given.get("type") == "module")):
            self.wrong.append(tag)
        self.wrong += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if given.get("rel") == "canonical":
            return
        addresses = [given[name] or "" for name in ADDRESSES if name in given]
        self.wrong += [value for value in addresses if not value.startswith(INSIDE) or value.startswith("//")]
        if tag == "script":
            self.scripts.append(given.get("src") or "")
