"""What is sent compressed, what is not, and what a link shows in a chat."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from tests.web.inside import Answer, Client, Inside, open_table
from tests.web.test_api_security import in_house
from twentyone.web.compression import takes_gzip


async def get(client: Client, path: str) -> Answer:
    return await client.send("GET", path, accept_encoding="gzip, deflate, br")


def is_packed(answer: Answer) -> bool:
    """Whether it is compressed, and its length and variants are said."""
    if answer.header("content-encoding") is None:
        return False
    assert answer.header("content-length") == str(len(answer.content))
    assert answer.header("vary") == "accept-encoding"
    return True


def test_pages_and_files_are_compressed_for_who_takes_it(tmp_path: Path) -> None:
    """The same text in less than half of the bytes; whoever does not take it gets it plain."""

    async def ask(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {"Ann": [1]})
        client = inn.clients["visitor"]
        page = (await client.get("//law/pa-spanish-21")).text
        assert len(page) > 20_000
        for path in ("//law/pa-spanish-21", *re.findall(r'"(/static/[^"]+\.(?:css|js))"', page)):
            path = path if path.startswith("//") else f"/{path}"
            plain, small = await client.get(path), await get(client, path)
            assert plain.header("content-encoding") is None
            assert is_packed(small), path
            assert gzip.decompress(small.content) == plain.content
            assert len(small.content) * 2 < len(plain.content), path
        assert is_packed(await get(inn.clients["guest"], "//table/one"))

    in_house(tmp_path, ask)


def test_nothing_is_compressed_that_could_be_guessed_by_its_length(tmp_path: Path) -> None:
    """A page that repeats the address to somebody with a session, pages with secrets, refusals, the interface."""

    async def ask(inn: Inside) -> None:
        for kind, path in (
            ("auditor", "//rounds?player=Ann"),
            ("guest", "//rounds?player=Ann"),
            ("administrator", "//account"),
            ("administrator", "//people"),
            ("administrator", "//server"),
            ("guest", "//nothing-there"),
            ("auditor", "/rounds"),
            ("guest", "/me"),
        ):
            answer = await get(inn.clients[kind], path)
            assert answer.content, path
            assert not is_packed(answer), (kind, path)
        assert is_packed(await get(inn.clients["visitor"], "//rounds?player=Ann"))

    in_house(tmp_path, ask)


@pytest.mark.parametrize(
    ("said", "takes"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0", False), ("gzip; q=0", False), ("br", False), ("", False)],
)
def test_who_takes_it(said: str, takes: bool) -> None:
    assert takes_gzip(Headers({"accept-encoding": said})) is takes


def test_a_link_shows_what_it_leads_to(tmp_path: Path) -> None:
    """A public page has a description and its absolute address, and can be installed; a person's pages have none."""

    async def ask(inn: Inside) -> None:
        visitor = inn.clients["visitor"]
        for path in ("/", "/law", "/odds", "/strategy"):
            page = (await visitor.get(f"/{path}?a=1")).text
            assert f'<link rel="canonical" href="http://localhost{path}">' in page
            assert f'<meta property="og:url" content="http://localhost{path}">' in page
            assert len(re.findall(r'<meta name="description" content="[^"]{40,}"', page)) == 1, path
        manifest = (await visitor.get("//manifest.webmanifest")).json()
        assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
        assert (await visitor.get(f"/{manifest['icons'][0]['src']}")).status_code == 200
        assert "og:url" not in (await inn.clients["guest"].get("//")).text

    in_house(tmp_path, ask)
