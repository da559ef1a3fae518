"""`make site`: the documents as a site in dist/site that is read without a server and searched without a network.

    python -m bench.build_site [--pages]

The documents keep their places, so that a link leads to the same page in the clone and in the site. Pages that are made
from rulebooks and code (bench/site_rulebooks.py, bench/site_reference.py) are laid beside them in build/pages and never
committed; Zensical builds the rest as mkdocs.yml says, and a warning is a failure. `--pages` stops before that.
Exit status: 0 built, 1 not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from bench.evidence import DOCUMENTS as EVIDENCE
from bench.evidence import rendered
from bench.notebooks import NOTEBOOKS, notebook_page
from bench.results import KEPT, results_in
from bench.site_reference import reference_pages
from bench.site_rulebooks import rulebook_pages

__all__ = ["DOCUMENTS", "PAGES", "ROOT", "SITE", "build", "main", "stage"]

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "pages"
"""Where the pages are laid out for the site: `docs_dir` of mkdocs.yml."""
SITE = ROOT / "dist" / "site"
"""The site: `site_dir` of mkdocs.yml."""
DOCUMENTS = (
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "CHANGELOG.md"),
    "conformance/README.md",
)
"""The documents outside docs/."""
SOURCE = re.compile(r"\]\((?:\.\./)+src/twentyone/rulebooks/([a-z0-9-]+)/\)")
"""A link to the folder of a rulebook; in the site its page is there."""
NOTEBOOK = re.compile(r"(\]\((?:\.\./)*notebooks/[a-z-]+)\.ipynb\)")
"""A link to a notebook; the same."""


def stage(folder: Path, carried_out: bool = False) -> None:
    """Lay all pages out in a folder, as they lie in the project; notebooks with outputs if they are carried out."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "docs")
    for name in DOCUMENTS:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    made = {**rulebook_pages(), **reference_pages()}
    made |= {f"notebooks/{path.stem}.md": notebook_page(path, carried_out) for path in NOTEBOOKS}
    for place, text in made.items():
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    _edit(folder / "docs" / "rulebooks.md", partial(SOURCE.sub, r"](rulebooks/\1.md)"))
    for name in EVIDENCE:
        _edit(folder / name, lambda text: rendered(text, results_in(KEPT)))
    _edit(folder / "docs" / "notebooks.md", partial(NOTEBOOK.sub, r"\1.md)"))


def _edit(page: Path, change: Callable[[str], str]) -> None:
    page.write_text(change(page.read_text(encoding="utf-8")), encoding="utf-8")


def build() -> int:
    """Build the site of the pages that are laid out; whatever Zensical complains of is a failure."""
    ran = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"], cwd=ROOT, capture_output=True, text=True
    )
    said = ran.stdout + ran.stderr
    print(said.strip())
    return int(ran.returncode != 0 or "warning" in said.lower())


def main(arguments: Sequence[str] | None = None) -> int:
    """Lay the pages out and build the site."""
    parser = argparse.ArgumentParser(prog="python -m bench.build_site", description=__doc__)
    parser.add_argument("--pages", action="store_true", help="only lay the pages out in build/pages")
    options = parser.parse_args(arguments)
    stage(PAGES, carried_out=True)
    if options.pages:
        return 0
    if find_spec("zensical") is None:
        print("make site: the package zensical is missing: pip install 'twentyone[site]'", file=sys.stderr)
        return 1
    status = build()
    print(f"{SITE.relative_to(ROOT)}/index.html" if status == 0 else "the site was not built", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
