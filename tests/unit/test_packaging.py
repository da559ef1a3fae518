"""The package as somebody gets it: the wheel alone, its bill of materials, the container file, completion."""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from bench.prove_package import steps_of
from bench.sbom import bill_of

import twentyone
from twentyone.__main__ import main as main_of_module
from twentyone.cli import COMMANDS, main
from twentyone.version import OLDEST

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked far from the source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    with zipfile.ZipFile(made) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def said_by(wheel: Path, *words: str) -> str:
    """What a command of the unpacked wheel prints, in its own folder."""
    env = {**os.environ, "PYTHONPATH": str(wheel)}
    ran = subprocess.run(
        [sys.executable, "-m", "twentyone", *words], cwd=wheel, env=env, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_wheel_has_all_that_the_tree_has(wheel: Path) -> None:
    """Every file of the package, every law script and the conformance suite, and no other test."""
    source = {file.relative_to(ROOT / "src").as_posix() for file in files(ROOT / "src" / "twentyone")}
    scripts = {f"twentyone/{file.relative_to(ROOT).as_posix()}" for file in files(ROOT / "tests" / "law")}
    scripts |= {f"twentyone/{file.relative_to(ROOT).as_posix()}" for file in files(ROOT / "conformance")}
    packed = {file.relative_to(wheel).as_posix() for file in files(wheel / "twentyone")}
    assert packed == source | scripts


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def test_a_paragraph_names_its_scripts_out_of_the_wheel(wheel: Path) -> None:
    told = said_by(wheel, "law", "pa-spanish-21", "635a.10(d)")
    assert "tests/law/pa-spanish-21/635a.10/d-rescue-over-21-is-refused.json" in told
    where = json.loads(said_by(wheel, "law", "pa-spanish-21", "635a.10(d)", "--json"))
    assert len(where["tests"]) > 5
    assert "0 failed" in said_by(wheel, "law", "test", "pa-double-back-jack")


def test_the_suite_of_the_wheel_is_asked_of_an_engine(wheel: Path) -> None:
    assert said_by(wheel, "suite", "where").strip() == str(wheel / "twentyone" / "conformance")
    engine = f"{sys.executable} {ROOT / 'tests' / 'conformance' / 'second_engine.py'}"
    told = said_by(wheel, "suite", "run", "--engine", engine, "--level", "rounds", "--rulebook", "classic-blackjack")
    assert "second: 75 of 75 cases passed" in told


def test_tab_completes_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    (known,) = re.findall(r"^_shtab_twentyone_subparsers=\((.*)\)$", script, re.MULTILINE)
    assert sorted(re.findall("[a-z-]+", known)) == sorted(COMMANDS)
    assert "--submission" in script


@pytest.mark.parametrize("pins", ["run", "house"])
def test_the_bill_lists_every_pin_with_its_hashes(pins: str) -> None:
    text = (ROOT / "requirements" / f"{pins}.txt").read_text(encoding="utf-8")
    bill = json.loads(bill_of(text))
    assert bill_of(text) == bill_of(text)
    listed = {(row["name"], row["version"]) for row in bill["components"]}
    assert listed == set(re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^ ;\\]+)", text, re.MULTILINE))
    assert sum(len(row["hashes"]) for row in bill["components"]) == text.count("--hash=sha256:")
    assert ("psycopg" in dict(listed)) == (pins == "house")
    assert not {"pytest", "ruff", "mypy", "matplotlib"} & set(dict(listed))


BOUND = re.compile(r'"([\w-]+)(?:\[[\w,]+\])?>=([\d.]+)')
"""A requirement of pyproject.toml with its lowest version."""


def unlike_bounds(project: str, pins: str) -> list[str]:
    """Packages of `make prove PART=package-lowest` that are not at the lowest version that the project admits."""
    pinned = dict(re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^ ;\\]+)", pins, re.MULTILINE))
    bounds = {name.lower(): low for name, low in BOUND.findall(project) if name.lower() in pinned}
    assert len(bounds) > 20
    return [name for name, low in bounds.items() if not f"{pinned[name]}.".startswith(f"{low}.")]


def test_the_lowest_versions_are_those_that_the_project_admits() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("dev = [")[0]
    pins = (ROOT / "requirements" / "lowest.txt").read_text(encoding="utf-8")
    assert unlike_bounds(project, pins) == []
    assert unlike_bounds(project.replace('"fastapi>=', '"fastapi>=1'), pins) == ["fastapi"]


def test_what_reaches_into_a_library_bounds_its_next_version() -> None:
    """Private parts of uvicorn and psycopg are used; a minor release may change them."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in ("uvicorn", "psycopg[binary]"):
        assert re.search(rf'"{re.escape(name)}>=[\d.]+,<[\d.]+"', project), name


def test_the_container_serves_as_nobody_from_the_pins() -> None:
    steps = steps_of((ROOT / "Containerfile").read_text(encoding="utf-8"))
    told = dict(steps)
    assert told["USER"] == "65534:65534"
    assert told["VOLUME"] == told["WORKDIR"]
    assert all(value.startswith(f"{told['VOLUME']}/") for value in re.findall(r"_(?:HOME|DIR)=(\S+)", told["ENV"]))
    copied = [rest.split()[0] for word, rest in steps if word == "COPY"]
    assert copied == ["requirements/house.txt", "dist/*.whl", "--from=made"]
    assert (ROOT / copied[0]).is_file()
    assert [rest for word, rest in steps if word == "RUN" and "--require-hashes" in rest]
    assert "/api/v1/ready" in told["HEALTHCHECK"]


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        (("simulate", "classic-blackjack"), "numpy", "odds"),
        (("serve", "--ledger", "house.db"), "argon2", "serve"),
        (("serve", "--ledger", "house.db"), "uvicorn", "serve"),
        (("serve", "--ledger", "house.db"), "htpy", "serve"),
        (("completion", "bash"), "shtab", "completion"),
        (("strategy", "classic-blackjack", "--png", "chart.png"), "typst", "desk"),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], package: str, extra: str
) -> None:
    """And nothing is written before."""
    lines = (
        f"import sys; sys.modules[{package!r}] = None; from twentyone.cli import main; sys.exit(main({list(words)}))"
    )
    ran = subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode in (2, 64), ran.stdout, list(tmp_path.iterdir())) == (True, "", [])
    assert re.fullmatch(rf".* needs the package {package}: install `twentyone\[{extra}\]`\n", ran.stderr)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("option", ["--port", "--metrics-port"])
def test_a_port_in_use_is_told_before_anything_is_made(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and neither a ledger nor an address that nobody serves."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        ports = {"--port": free_port(), "--metrics-port": free_port(), option: taken}
        words = [str(word) for pair in ports.items() for word in pair]
        assert main(["serve", *words, "--ledger", str(tmp_path / "house.db")]) == 2
    told = capsys.readouterr()
    assert re.fullmatch(rf"twentyone serve: cannot listen on 127.0.0.1:{taken} \(.+\): name another .+\n", told.err)
    assert (told.out, list(tmp_path.iterdir())) == ("", [])


def test_a_place_that_cannot_be_written_is_told_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is none, which nobody may write into, whoever runs the tests."""
    (tmp_path / "file").touch()
    place = tmp_path / "file"
    ledger, chart = f"{place}/house.db", f"{place}/chart.csv"
    assert main(["serve", "--port", str(free_port()), "--ledger", ledger]) == 2
    with pytest.raises(SystemExit, match="64"):
        main(["strategy", "classic-blackjack", "--csv", chart])
    told = [line for line in capsys.readouterr().err.splitlines() if str(place) in line]
    assert len(told) == 2
    assert all(line.endswith("Not a directory: choose a place where this user may write") for line in told)


def test_an_older_python_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The oldest that is told is the oldest that installers are told; today's is not refused."""
    monkeypatch.setattr(sys, "argv", ["twentyone", "law", "classic-blackjack", "1(a)"])
    assert main_of_module() == 0
    capsys.readouterr()
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    assert main_of_module() == 2
    assert capsys.readouterr().err == (
        "twentyone: Python 3.11 or newer is needed, this is 3.10: run it with a newer one\n"
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={'.'.join(map(str, OLDEST))}"


def test_a_program_on_an_older_python_is_told_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(ImportError, match=r"^twentyone: Python 3\.11 or newer is needed, this is 3\.9"):
        _ = twentyone.Round


def readable_by_any_python_3(text: str) -> bool:
    """Whether an early Python 3 could compile a file: no newer syntax, no feature of the future."""
    try:
        tree = ast.parse(text, feature_version=(3, 5))
    except SyntaxError:
        return False
    newer = (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.NamedExpr | ast.Match))
    future = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    return not any(newer) and not any(future)


def test_any_python_3_can_read_what_is_loaded_before_it_is_told() -> None:
    """Its syntax error would come first otherwise; the same check finds newer syntax in other files."""
    loaded = "(one.__file__ for name, one in sys.modules.items() if name.partition('.')[0] == 'twentyone')"
    asked = f"import sys, twentyone.__main__; print(*{loaded})"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    files = sorted(map(Path, ran.stdout.split()))
    assert [file.name for file in files] == ["__init__.py", "__main__.py", "version.py"]
    assert all(readable_by_any_python_3(file.read_text(encoding="utf-8")) for file in files)
    for newer in ("from __future__ import annotations", "x: int = 1", "f'{1}'", "match 1:\n    case 1: pass"):
        assert not readable_by_any_python_3(newer)
