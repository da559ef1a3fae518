"""`make prove PART=papers`: the papers of every regulation, built twice, page by page as pictures.

    python -m bench.prove_papers [--part RULEBOOK]

Each is built by the command in two processes that differ in folder, cache, time zone, language and order of hashes;
all files have to be the same bytes. No page may have ink in its margins, every page has its number,
and the edge of the papers is the one of `twentyone odds --json`. The pages lie in `.prove/papers/` as pictures: look at
them. Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pypdfium2
from tests.papers import REGULATIONS, ink_in_margins, texts

from twentyone.papers.words import percent

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".prove" / "papers"
WORLDS = (
    {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"},
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "2"},
)
"""What the two processes differ in."""


def twentyone(*words: str, **changed: str) -> str:
    """What a command prints."""
    path = f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    command = [sys.executable, "-m", "twentyone", *words]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": path, **changed}, capture_output=True, check=True)
    return ran.stdout.decode()


def faults(book: str, folder: Path) -> Iterator[str]:
    """What is wrong with the papers of a regulation."""
    built = [folder / str(number) for number in range(len(WORLDS))]
    for place, world in zip(built, WORLDS, strict=True):
        twentyone("submission", book, "--out", str(place), XDG_CACHE_HOME=str(folder / f"cache-{place.name}"), **world)
    first, second = ({file.name: file.read_bytes() for file in sorted(place.iterdir())} for place in built)
    yield from (f"{name}: other bytes when it is built again" for name in first if first[name] != second.get(name))
    pages = texts(first["papers.pdf"])
    yield from (f"page {number}: ink in a margin" for number in ink_in_margins(first["papers.pdf"]))
    for number, page in enumerate(pages[1:], 2):
        if f"page {number} of {len(pages)}" not in page:
            yield f"page {number} has no number"
    edge = percent(json.loads(twentyone("odds", book, "--json"))["house_edge"])
    if not any(edge.replace("\u00a0", " ") in page.replace("\u00a0", " ") for page in pages):
        yield f"the edge {edge} is on no page"
    draw(first["papers.pdf"], FOLDER / book)


def draw(pdf: bytes, folder: Path) -> None:
    """Write every page as a picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for number, page in enumerate(document, 1):
            page.render(scale=1.5).to_pil().save(folder / f"page-{number:02d}.png")


def main(argv: Sequence[str] | None = None) -> int:
    """Prove the papers of every regulation, or of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=REGULATIONS)
    options = parser.parse_args(argv)
    wrong = 0
    for book in [options.part] if options.part else REGULATIONS:
        with tempfile.TemporaryDirectory(prefix="twentyone-papers-") as folder:
            found = list(faults(book, Path(folder)))
        print(f"{book}: {'; '.join(found) or f'same bytes twice; pages in {(FOLDER / book).relative_to(ROOT)}'}")
        wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
