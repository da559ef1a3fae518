"""T21 and T22: what can be seen without running anything: SQL that is put together, secrets in the repository.

    python -m bench.measure_static sql|secrets

Each is shown a planted fault first, which must be found. Exit status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.prove import FAULT, PROVED

__all__ = ["formatted_beside_execute", "main"]

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "twentyone"
RUNS = ("execute", "executemany", "executescript", "rows", "write_many", "run", "_query")
"""Methods that take SQL."""
LOOKED_AT = {
    "ledger/derived.py": "names of our own tables and columns, from `house_rows`",
    "ledger/leases.py": "constants of the module",
    "ledger/seals.py": "constants of the module",
    "service/backups.py": "names of columns, from the class",
    "service/carried_people.py": "names of our own tables and columns, constants of the module",
    "service/held_accounts.py": "conditions written in the module, values bound",
    "service/records_check.py": "names of the tables that the program itself makes",
    "service/purses.py": "the name of an earlier table, a constant",
    "service/sessions.py": "conditions written in the module, values bound",
}
"""Files whose statements are put together from names of ours, each with the reason; values are bound everywhere."""
PLANTED = "def find(db, name):\n    return db.execute(f\"SELECT * FROM events WHERE stream = '{name}'\")\n"
SECRET = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + 'password = "hunter2-' + 'not-a-real-one"\n'
"""Put together here, so that this file is clean itself."""


def formatted_beside_execute(path: Path) -> Iterator[str]:
    """Calls that are given SQL with a value formatted into it; constants of ours do not count."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in RUNS and node.args:
            text = node.args[0]
            if isinstance(text, ast.JoinedStr) and not _ours(text):
                yield f"{path}:{node.lineno}: {ast.unparse(text)[:100]}"


def _ours(text: ast.JoinedStr) -> bool:
    """Whether everything that is put in is a constant of ours, by its name."""
    parts = [ast.unparse(value.value) for value in text.values if isinstance(value, ast.FormattedValue)]
    return all(part.rpartition(".")[2].strip("_").isupper() for part in parts)


def bandit(folder: Path) -> list[str]:
    """Findings of B608, each with its place and line."""
    command = [sys.executable, "-m", "bandit", "-q", "-r", str(folder), "-t", "B608", "-f", "json"]
    said = subprocess.run(command, capture_output=True, text=True)
    found = json.loads(said.stdout)["results"]
    return [f"{row['filename']}:{row['line_number']} {row['issue_confidence']}" for row in found]


def sql() -> bool:
    """T21."""
    with tempfile.TemporaryDirectory() as name:
        planted = Path(name) / "planted.py"
        planted.write_text(PLANTED, encoding="utf-8")
        control = bool(bandit(Path(name))) and bool(list(formatted_beside_execute(planted)))
    ours = [line for path in SOURCE.rglob("*.py") for line in formatted_beside_execute(path)]
    found = list(dict.fromkeys([*bandit(SOURCE), *ours]))
    left = [row for row in found if Path(row.split(":")[0]).relative_to(SOURCE).as_posix() not in LOOKED_AT]
    print(*left, sep="\n", end="\n" if left else "")
    told = f"{len(found)} statements put together, {len(left)} of them in files that nobody has looked at"
    print(f"measure sql: {told}; planted f-string {'found' if control else 'NOT FOUND'}")
    return not left and control


def secrets() -> bool:
    """T22."""
    with tempfile.TemporaryDirectory() as name:
        planted = Path(name) / "planted.py"
        planted.write_text(SECRET, encoding="utf-8")
        control = len(_scan([str(planted)], Path(name))) > 0
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    files = [line for line in listed.stdout.splitlines() if Path(line).suffix in (".py", ".toml", ".sh", ".js", "")]
    files = [line for line in files if not line.startswith(("requirements/", "tests/"))]
    found = _scan(files, ROOT)
    print(*found[:20], sep="\n", end="\n" if found else "")
    told = f"{len(files)} files, {len(found)} secrets"
    print(f"measure secrets: {told}; planted key and password {'found' if control else 'NOT FOUND'}")
    return not found and bool(files) and control


def _scan(files: Sequence[str], folder: Path) -> list[str]:
    command = [sys.executable, "-m", "detect_secrets", "scan", "--no-verify", *files]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found = json.loads(said.stdout)["results"]
    return [f"{name}:{row['line_number']} {row['type']}" for name, rows in found.items() for row in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at one of the two."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure_static", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("sql", "secrets"))
    what = parser.parse_args(arguments).what
    return PROVED if {"sql": sql, "secrets": secrets}[what]() else FAULT


if __name__ == "__main__":
    sys.exit(main())
