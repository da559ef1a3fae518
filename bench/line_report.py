"""The one report of `make prove`: `prove/report.json` and `prove/report.html`, a row for every line, run or not."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import twentyone
from bench.lines import Line, lines

__all__ = ["Result", "report_of", "write_report"]

ROOT = Path(__file__).parents[1]
CONTROLS = {"held": "found, as it must be", "broken": "NOT FOUND", "not run": "not run"}
"""What is said of a planted fault."""


class Result(NamedTuple):
    """What a line came to."""

    line: str
    size: str
    status: str
    """`held`, `broken` or `not run`."""
    measured: tuple[str, ...]
    control: str
    """Of the planted fault: `held` where it was found."""
    control_measured: tuple[str, ...]
    seconds: float
    date: str
    code: str
    """Fingerprint of what was proved."""

    @classmethod
    def read(cls, body: dict[str, Any]) -> Result:
        """From JSON."""
        texts = {name: tuple(body[name]) for name in ("measured", "control_measured")}
        return cls(**{**body, **texts})

    @property
    def good(self) -> bool:
        """Whether the line held and its planted fault was found."""
        return (self.status, self.control) == ("held", "held")

    def told(self, title: str) -> str:
        """The result in one line."""
        return f"{self.line} {title}: {self.status}; planted fault {CONTROLS[self.control]}, {self.seconds:.0f} s"


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def version() -> str:
    """The version, and the commit where there is one."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return twentyone.__version__
    return f"{twentyone.__version__} ({said.stdout.strip()})"


def report_of(size: str, results: Mapping[str, Result]) -> dict[str, Any]:
    """Everything that was run, and of every other line that it was not."""
    return {
        "title": "Proof of reliability and security: T1 to T30 and the drills",
        "version": version(),
        "size": size,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "lines": [_row(line, results.get(line.name)) for line in lines().values()],
    }


def _row(line: Line, result: Result | None) -> dict[str, Any]:
    known = {"line": line.name, "title": line.title, "bar": line.bar, "open": line.open, "seeds": line.seeds}
    if result is None:
        empty = {
            "measured": ["not asked for in this run"],
            "control_measured": [],
            "seconds": 0,
            "date": "",
            "code": "",
        }
        return {**known, "status": "not run", "control": line.control, "control_status": "not run", **empty}
    return {
        **known,
        "status": result.status,
        "measured": list(result.measured),
        "control": line.control,
        "control_status": CONTROLS[result.control],
        "control_measured": list(result.control_measured),
        "seconds": round(result.seconds, 1),
        "date": result.date,
        "code": result.code,
    }


def write_report(folder: Path, size: str, results: Mapping[str, Result]) -> None:
    """Both files, each whole or not at all."""
    report = report_of(size, results)
    folder.mkdir(exist_ok=True)
    for name, text in (
        ("report.json", json.dumps(report, indent=1, ensure_ascii=False)),
        ("report.html", page(report)),
    ):
        (folder / f"{name}.new").write_text(text + "\n", encoding="utf-8")
        (folder / f"{name}.new").replace(folder / name)


# -- the page

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid #8884; }
th { position: sticky; top: 0; background: Canvas; }
.held { color: #0a7a33; } .broken { color: #c2271b; font-weight: 700; } .not-run { color: #8a6100; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  .held { color: #5fd38a; } .broken { color: #ff8077; } .not-run { color: #e8b54a; }
}
small { opacity: .8; } p.sum { font-size: 1.1rem; }
@media (max-width: 50rem) {
  thead { display: none; } tr { display: block; border-bottom: 2px solid #8886; padding: .6rem 0; }
  td { display: block; border: 0; padding: .15rem 0; }
}
"""


def page(report: Mapping[str, Any]) -> str:
    """The report for a browser; it needs nothing but itself."""
    rows = report["lines"]
    held = sum(row["status"] == "held" and row["control_status"] == CONTROLS["held"] for row in rows)
    on = report["machine"]
    about = f"{on['cores']} cores, {on['memory_gib']} GiB, {on['system']}, Python {on['python']}"
    head = "".join(
        f"<th scope='col'>{name}</th>" for name in ("", "Property and bar", "Measured", "Planted fault", "Run")
    )
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(report['title'])}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head><body><main>"
        f"<h1>{escape(report['title'])}</h1><p class='sum'>{held} of {len(rows)} lines held with their planted "
        f"faults found.</p><p>Version {escape(report['version'])}, size {report['size']}, {report['date']}; "
        f"{escape(about)}. Bars are those of a release; what was measured says how many were tried in a run of this "
        f"size.</p><table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_markup, rows))}</tbody></table>"
        "</main></body></html>"
    )


def _markup(row: Mapping[str, Any]) -> str:
    broken = row["control_status"] == CONTROLS["broken"]
    control = "held" if row["control_status"] == CONTROLS["held"] else "broken" if broken else "not-run"
    left = f"<br><small>Not run here: {escape(row['open'])}</small>" if row["open"] else ""
    return (
        f"<tr><td><strong>{row['line']}</strong></td><td><strong>{escape(row['title'])}</strong><br>"
        f"{escape(row['bar'])}{left}</td>"
        f"<td><span class='{row['status'].replace(' ', '-')}'>{row['status']}</span><br>{_said(row['measured'])}</td>"
        f"<td><span class='{control}'>{row['control_status']}</span><br>{escape(row['control'])}<br>"
        f"<small>{_said(row['control_measured'])}</small></td>"
        f"<td><small>{row['seconds']} s<br>{row['date']}<br>seeds: {escape(row['seeds'])}</small></td></tr>"
    )


def _said(texts: list[str]) -> str:
    return "<br>".join(map(escape, texts))
