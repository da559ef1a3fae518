"""The documents of evidence are what the kept results make them, nothing is edited by hand, and what is old says so."""

from __future__ import annotations

import ast
import subprocess
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest
from bench.__main__ import PARTS
from bench.evidence import BLOCK, DOCUMENTS, fresh, patterns_of, rendered, stale_since, take_over, without_stale
from bench.gpu import PARTS as GPU_PARTS
from bench.gpu import rows_of
from bench.line_report import version
from bench.lines import SIZES, lines
from bench.proofs import FAMILIES, HIGHEST
from bench.results import KEPT, LEFT, ROOT, Result, Row, Running, digest_of, paths_of, results_in, told

LAYERS = """[[tool.importlinter.contracts]]
layers = ["(web)", "table | (sim)", "cards"]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of four packages in three layers, with a measuring file, in git."""
    (tmp_path / "pyproject.toml").write_text(LAYERS)
    for name in ("web/page.py", "table/play.py", "sim/walk.py", "cards.py", "rulebooks/own.md"):
        (tmp_path / "src/twentyone" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src/twentyone" / name).write_text("1\n")
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/sim.py").write_text("1\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(tree: Path, *words: str) -> str:
    own = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *own, *words], cwd=tree, check=True, capture_output=True, text=True).stdout.strip()


def commit(tree: Path) -> str:
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message", "x", "--date", "2026-01-02T00:00:00Z")
    return git(tree, "rev-parse", "--short", "HEAD")


def result_of(tree: Path, name: str = "bench-sim", **other: object) -> Result:
    of = ("twentyone.sim", "bench/sim.py")
    on = {"cores": 2, "memory_gib": 8, "system": "Linux", "python": "3.11.7"}
    row = Row("sim, real shoes", "59.7 million rounds/s", "floor 30")
    made = Result(name, f"make {name}", "held", (row,), "2026-01-02T03:04+00:00", 5.0, "0.1.0", on, 0.5, of, "")
    version = f"0.1.0 ({git(tree, 'rev-parse', '--short', 'HEAD')}-dirty)"
    return made._replace(version=version, digest=digest_of(of, tree))._replace(**other)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_what_make_evidence_writes(name: str) -> None:
    """Staleness is left out: it comes with a change of the sources, and no such change may fail a test by itself."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert without_stale(text) == rendered(without_stale(text), results_in(KEPT), fresh)


POSSIBLE = [
    *(f"bench-{part}" for part in (*PARTS, *(f"gpu-{part}" for part in GPU_PARTS), "sim-x86-64-v3")),
    *(f"prove-{part}" for part in (*(f"{line}-{size}" for line in lines() for size in SIZES), *FAMILIES)),
    *("test", "test-browser"),
]
"""Names of results that commands can leave."""


def test_every_result_stands_in_the_documents_once() -> None:
    """Those that are kept, and those that could be."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS]
    patterns = [pattern for text in texts for block in BLOCK.finditer(text) for pattern in patterns_of(block)]
    for name in {*POSSIBLE, *(result.name for result in results_in(KEPT))}:
        assert sum(fnmatchcase(name, pattern) for pattern in patterns) == 1, name


def test_an_edited_figure_and_a_missing_result_are_noticed(tree: Path) -> None:
    """The check can fail; a stale mark that the sources bring makes no difference to it."""
    text = "prose\n<!-- results: bench-* -->\n<!-- end of results -->\nmore\n"
    written = rendered(text, [result_of(tree)], fresh)
    assert "| sim, real shoes | 59.7 million rounds/s | floor 30 |" in written
    assert rendered(written.replace("59.7", "95.7"), [result_of(tree)], fresh) == written
    assert "No result is kept." in rendered(written, [], fresh)
    old = rendered(text, [result_of(tree)], lambda _: "stale since 2026-01-02 (abc)")
    assert "59.7 million rounds/s **stale**" in old
    assert without_stale(old) == written != old


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("src/twentyone/sim/walk.py", True),
        ("src/twentyone/cards.py", True),
        ("src/twentyone/rulebooks/own.md", True),
        ("bench/sim.py", True),
        ("src/twentyone/web/page.py", False),
        ("src/twentyone/sim/__pycache__/walk.nbi", False),
        ("src/twentyone/table/play.py", False),
    ],
)
def test_a_result_is_stale_where_what_it_depends_on_has_changed(tree: Path, changed: str, stale: bool) -> None:
    """Its own package, those below it, its data and what measures it; nothing above or beside it."""
    result = result_of(tree)
    assert stale_since(result, tree) == ""
    (tree / changed).parent.mkdir(exist_ok=True)
    (tree / changed).write_text("2\n")
    assert stale_since(result, tree) == ("stale: its sources have changed" if stale else "")
    name = commit(tree)
    assert stale_since(result, tree).endswith(f"({name})" if stale else "")
    assert bool(stale_since(result, tree)) == stale


def test_newer_results_are_taken_over_and_older_ones_are_not(tree: Path) -> None:
    kept, left = tree / "kept", tree / "left"
    first, later = result_of(tree), result_of(tree, date="2026-01-03T00:00+00:00", status="broken")
    later.write(left)
    assert take_over(left, kept) == ["bench-sim"]
    assert results_in(kept) == [later]
    first.write(left)
    assert take_over(left, kept) == []
    assert "**not held**" in rendered("<!-- results: * -->\n<!-- end of results -->", results_in(kept), fresh)


def test_a_result_from_a_machine_without_the_repository_names_today_s_commit_where_its_sources_are_today_s(
    tree: Path,
) -> None:
    """A GPU's machine has a copy of the tree only; what was measured on other sources keeps its bare version."""
    kept, left = tree / "kept", tree / "left"
    result_of(tree, version="0.1.0").write(left)
    result_of(tree, "bench-other", version="0.1.0", digest="of other sources").write(left)
    assert take_over(left, kept, tree) == ["bench-other", "bench-sim"]
    assert [one.version for one in results_in(kept)] == ["0.1.0", version()]


def test_of_each_line_the_largest_size_that_was_run_is_told_and_the_last_run(tree: Path) -> None:
    """A size that was not run to its end counts as none; nor does a line without a result look as if it had held."""
    line = partial(result_of, tree)
    results = [
        line("prove-T1-quick", date="2026-01-05T00:00+00:00", version="0.1.0 (bbb)"),
        line("prove-T1-full", version="0.1.0 (aaa)"),
        line("prove-T1-normal", date="2026-01-01T00:00+00:00"),
        line("prove-T2-quick", status="broken", version="0.1.0 (bbb)"),
        line("prove-T3-full", status="not run"),
        line("prove-T3-normal", version="0.1.0 (ccc)"),
        line("prove-failover-quick", version="0.1.0 (bbb)"),
    ]
    text = rendered("<!-- lines -->\nold\n<!-- end of lines -->", results, lambda one: "stale" * (one == results[1]))
    assert "| full | 1: T1 | 0 | 0.1.0 (aaa) |" in text
    assert "| normal | 1: T3 | 0 | 0.1.0 (ccc) |" in text
    assert "| quick | 1: failover | 1: T2 | 0.1.0 (bbb) |" in text
    assert f"| not run | {len(lines()) - 4}: T4, T5, " in text
    first = "| T1 power loss | full: held | 2026-01-02 03:04 UTC, 0.1.0 (aaa) **stale** "
    assert f"{first}| since then quick: held, 2026-01-05 00:00 UTC, 0.1.0 (bbb) |" in text
    assert "| T2 process death | quick: **not held** | 2026-01-02 03:04 UTC, 0.1.0 (bbb) |  |" in text
    assert "| T4 PostgreSQL stopped | not run |  |  |" in text
    assert "old" not in text


def test_a_gpu_tells_its_figures_and_what_differs() -> None:
    row = {"rulebook": "own", "decks": 6, "rounds": 10**10, "mean_without_prizes": -0.0041, "standard_error": 0.00001}
    body = {
        "device": "a card", "numba": "1", "numpy": "2",
        "check": {"own": {"real_shoe": False, "one_deck": True, "seconds": 1.0}},
        "rates": {"pa-spanish-21": {"1x2": 21e9, "3x4": 36.44e9}},
        "shoes": {"own": {"real_shoe": 28.9e9, "round_function": 0.55e9}},
        "converge": [{**row, "exact_mean_without_prizes": -0.00408, "sigmas_mean_without_prizes": -2.0}],
    }  # fmt: skip
    told = {part: list(rows_of(body, part)) for part in GPU_PARTS}
    assert all(rows[0] == Row("on", "a card, Numba 1, NumPy 2") for rows in told.values())
    assert [rows[1].figure for rows in told.values()] == [
        "real shoe **differs**; one deck equal",
        "36.4 billion rounds/s (grid 3x4; the slowest of 2 21.0)",
        "28.9 billion rounds/s (round function alone 0.55)",
        "-0.0041000 ± 0.0000100 over 10,000,000,000 rounds, exactly -0.0040800: -2.00 standard errors apart",
    ]
    assert [rows[1].bar for rows in told.values()] == ["all equal", "goal on an H200 20", "", "bar 4"]


def test_what_a_command_prints_is_kept_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running = Running("bench-own", "make bench PART=own", ("bench/results.py",))
    good, rows = told(lambda: print("shuffles     24,657 /s (bar 10,000)\n\n\x1b[2K━━━ 100%\nall well") is None)
    running.ends("held" if good else "broken", rows, tmp_path)
    (result,) = results_in(tmp_path)
    assert result.rows == (Row("shuffles", "24,657 /s", "bar 10,000"), Row("", "all well"))
    assert result.digest == digest_of(("bench/results.py",))
    assert "24,657" in capsys.readouterr().out
    assert LEFT.is_relative_to(ROOT / ".prove")


MEASURED = {**PARTS, **{FAMILIES[family][0]: highest for family, highest in HIGHEST.items()}}
"""Modules that measure or prove, and the highest package of each."""


@pytest.mark.parametrize("module", MEASURED)
def test_a_result_depends_on_every_package_that_its_module_imports(module: str) -> None:
    """The package that is named as the highest and what lies below it hold all that the file imports."""
    covered = {path.stem for path in paths_of(f"twentyone.{MEASURED[module]}")}
    tree = ast.parse((ROOT / "bench" / f"{module}.py").read_text(encoding="utf-8"))
    named = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    assert {name.split(".")[1] for name in named if name.startswith("twentyone.")} <= covered
