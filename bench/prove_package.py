"""`make prove PART=package`: wheel, source and container, as somebody gets them who has nothing else.

    python -m bench.prove_package [--part built|fresh|alone|lowest|container]

`built`: the wheel and the source are the same bytes when they are built twice, in other folders and on other days, and
the wheel is the same out of the source. `fresh`: `make run` in a fresh clone, how long until it serves and how much it
installs. `alone`: a new virtual environment, the pins, the wheel, a folder outside the
clone, no network (where this user may have a network of his own, as root may): every command that the package promises.
`lowest`: the same with the lowest version of each package that pyproject.toml admits.
`container`: the steps of the container file run as a script in a clean folder; the house serves as nobody on files that
it may not write. Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOBODY = 65534
PATIENCE = 120.0
SECONDS, MEGABYTES = 40.0, 400.0
"""What `make run` may take and install on a fresh machine."""
SCRIPT = "tests/law/classic-blackjack"
SUBMISSION = 'rulebook = "pa-spanish-21"\nboxes_per_player = 2\nsettlement = "collect-then-pay"\nmax_split_hands = 4\n'
ENOUGH = "q\n"
"""What is typed where a command asks: enough."""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "635a.10(d)": ("law", "pa-spanish-21", "635a.10(d)"),
    "tests/law/pa-spanish-21/": ("law", "pa-spanish-21", "635a.10(d)"),
    "0 failed": ("law", "test", "classic-blackjack"),
    '"net"': ("replay", "--json", "{script}"),
    "house_edge": ("odds", "classic-blackjack", "--json"),
    '"rounds": 100000': ("simulate", "classic-blackjack", "--rounds", "1e5", "--seed", "1", "--json"),
    "split-aces": ("check", "{submission}"),
    "0 rounds": ("play", "classic-blackjack"),
    "complete": ("completion", "bash"),
    "papers.pdf": ("submission", "classic-blackjack", "--out", "papers"),
}
"""What a command has to say, and the command."""


class Fault(Exception):
    """Something that is not as it is promised."""


def run(*words: str | Path, cwd: Path | None = None, **env: str) -> str:
    """What a command prints; a fault where it fails."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TWENTYONE_RULEBOOKS")}
    ran = subprocess.run(
        list(map(str, words)), cwd=cwd, env={**clean, **env}, input=ENOUGH, capture_output=True, text=True
    )
    if ran.returncode:
        raise Fault(f"{shlex.join(map(str, words))}: status {ran.returncode}\n{(ran.stderr or ran.stdout)[-1500:]}")
    return ran.stdout


def _digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def build(tree: Path, out: Path, **env: str) -> dict[str, str]:
    """Wheel and source of a tree; the digest of each."""
    run(sys.executable, "-m", "hatchling", "build", "-d", out, cwd=tree, **env)
    return _digests(out)


def prove_built(work: Path) -> str:
    """The same bytes whenever, wherever and out of what it is built."""
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, work / "other")
    for file in (work / "other").rglob("*.py"):
        os.utime(file, (1, 1))
    first = build(ROOT, work / "first", TZ="UTC", PYTHONHASHSEED="1")
    again = build(work / "other", work / "again", TZ="Asia/Tokyo", PYTHONHASHSEED="2")
    if first != again:
        raise Fault(f"built twice, other bytes (are there changes that are not committed?): {first} {again}")
    (source,) = (work / "first").glob("*.tar.gz")
    shutil.unpack_archive(source, work)
    (unpacked,) = work.glob("twentyone-*/")
    out = build(unpacked, work / "from-source")
    (wheel,) = (name for name in first if name.endswith(".whl"))
    if out[wheel] != first[wheel]:
        raise Fault("the wheel out of the source distribution is another one")
    return f"{', '.join(first)}: the same bytes twice; the wheel again out of the source"


def prove_fresh(work: Path) -> str:
    """What `make run` does, in a clone that nothing was made in."""
    clone, began = work / "clone", time.monotonic()
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone)
    cloned, before = time.monotonic() - began, _worked()
    run("make", ".venv/.runs", f"PYTHON={sys.executable}", cwd=clone)
    installed = time.monotonic() - began - cloned
    ready = serve([str(clone / ".venv/bin/python"), "-m", "twentyone"], clone, {"PYTHONPATH": str(clone / "src")})
    size = sum(file.lstat().st_blocks * 512 for file in (clone / ".venv").rglob("*")) / 1e6
    worked = _worked() - before
    told = f"installed in {installed:.1f} s, ready {ready:.1f} s later ({worked:.1f} s of a core), {size:.0f} MB"
    if installed + ready > SECONDS or size > MEGABYTES:
        raise Fault(f"{told}: over the bar of {SECONDS:.0f} s and {MEGABYTES:.0f} MB")
    return f"{told} (bar {SECONDS:.0f} s, {MEGABYTES:.0f} MB)"


def _worked() -> float:
    """Seconds of a core that ended children have taken."""
    return sum(os.times()[2:4])


def _environment(work: Path, pins: str) -> Path:
    build(ROOT, work / "dist")
    python = work / "env" / "bin" / "python"
    run(sys.executable, "-m", "venv", work / "env")
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / pins)
    run(*pip, "--no-deps", next((work / "dist").glob("*.whl")))
    run(*pip, "shtab")
    return python


def _offline() -> tuple[str, ...]:
    """The start of a command that has no network but its own."""
    own = ("unshare", "--net")
    done = shutil.which("unshare") and subprocess.run([*own, "true"], capture_output=True).returncode == 0
    return own if done else ()


def prove_alone(work: Path) -> str:
    """Every promised command out of the wheel, far from the clone."""
    return _commands(work, "run.txt")


def prove_lowest(work: Path) -> str:
    """The same with the lowest versions that are admitted."""
    return _commands(work, "lowest.txt")


def _commands(work: Path, pins: str) -> str:
    python, offline = _environment(work, pins), _offline()
    away = work / "away"
    away.mkdir()
    (script,) = list((python.parents[1]).rglob(f"{SCRIPT}/*/*.json"))[:1]
    (away / "submission.toml").write_text(SUBMISSION)
    given = {"script": str(script), "submission": str(away / "submission.toml")}
    for says, words in COMMANDS.items():
        told = run(*offline, python, "-m", "twentyone", *(word.format(**given) for word in words), cwd=away)
        if says not in told:
            raise Fault(f"{words}: {says!r} is not in\n{told[-800:]}")
    where = run(python, "-c", "import twentyone; print(twentyone.__file__)", cwd=away)
    if str(ROOT) in where:
        raise Fault(f"the clone was imported: {where}")
    ready = serve([str(python), "-m", "twentyone"], away, {})
    network = "without" if offline else "WITH"
    return f"{len(COMMANDS)} commands and serve (ready after {ready:.1f} s), {network} the network"


def serve(command: Sequence[str], folder: Path, env: Mapping[str, str], user: int | None = None) -> float:
    """Start a house, look at its pages and stop it by its own signal; after how many seconds it was ready."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [*command, "serve", "--port", str(port), "--ledger", str(folder / "house.db")]
    began = time.monotonic()
    house = subprocess.Popen(
        words, cwd=folder, env={**clean, **env}, user=user, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        base = f"http://127.0.0.1:{port}"
        until(lambda: _answers(f"{base}/api/v1/ready"), house)
        ready = time.monotonic() - began
        for page in ("/", "/desk", "/law/pa-spanish-21", "/odds?game=classic-blackjack"):
            if not _answers(base + page):
                raise Fault(f"{page} does not answer")
    finally:
        house.terminate()
        told, _ = house.communicate(timeout=PATIENCE)
    if house.returncode not in (0, 130, -15):
        raise Fault(f"the house stopped with {house.returncode}: {told[-800:]}")
    return ready


def until(answers: Callable[[], bool], house: subprocess.Popen[str]) -> None:
    """Wait for the house to be ready."""
    end = time.monotonic() + PATIENCE
    while not answers():
        if house.poll() is not None or time.monotonic() > end:
            raise Fault(f"the house did not come up: {house.communicate()[0][-1500:] if house.stdout else ''}")
        time.sleep(0.2)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def steps_of(text: str) -> list[tuple[str, str]]:
    """The instructions of a container file, each with its words."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def open_python() -> str:
    """A Python that any user may run: this one may lie in a home that is closed to others."""
    for name in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        place = Path(name).resolve()
        if place.exists() and all(part.stat().st_mode & 0o001 for part in (place, *place.parents)):
            return name
    raise Fault("there is no Python that another user than this one may run")


def prove_container(work: Path) -> str:
    """The steps of the container file in a clean folder, then its house as nobody."""
    build(ROOT, work / "dist")
    made, house = work / "root", work / "house"
    made.mkdir()
    (work / "make").mkdir()
    env: dict[str, str] = {}
    root = os.geteuid() == 0
    python = open_python() if root else sys.executable
    for word, rest in steps_of((ROOT / "Containerfile").read_text(encoding="utf-8")):
        moved = re.sub(r"(?<![\w.])/(opt|make|house)\b", lambda found: str(_place(work, found[1])), rest)
        if word == "RUN":
            run("sh", "-ec", moved.replace("python -m venv", f"{python} -m venv", 1), cwd=work)
        elif word == "COPY" and not rest.startswith("--from"):
            source = "dist/*.whl" if "dist" in rest else str(ROOT / rest.split()[0])
            run("sh", "-ec", f"cp {source} {moved.split()[-1]}", cwd=work)
        elif word == "ENV":
            env |= dict(pair.split("=", 1) for pair in shlex.split(moved))
    for folder in (made, *made.rglob("*")):
        if folder.is_dir():
            folder.chmod(0o555)
    for folder in (work, *work.parents):
        if root and folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    entry = json.loads(dict(steps_of((ROOT / "Containerfile").read_text(encoding="utf-8")))["ENTRYPOINT"])
    command = [re.sub(r"^/opt\b", str(_place(work, "opt")), word) for word in entry]
    ready = serve(command, house, env, user=NOBODY if root else None)
    user = "nobody" if root else "this user"
    return f"every step; ready after {ready:.1f} s as {user}, the package read-only"


def _place(work: Path, name: str) -> Path:
    return work / name if name in ("make", "house") else work / "root" / name


PARTS: Mapping[str, Callable[[Path], str]] = {
    "built": prove_built,
    "fresh": prove_fresh,
    "alone": prove_alone,
    "lowest": prove_lowest,
    "container": prove_container,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_package", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=tuple(PARTS), help="one part (absent: all)")
    chosen = parser.parse_args(arguments).part
    status = 0
    for name in [chosen] if chosen else PARTS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                told = PARTS[name](Path(folder))
            except Fault as fault:
                status, told = 1, f"FAULT: {fault}"
        print(f"prove package {name}: {told}, {time.monotonic() - began:.0f} s", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
