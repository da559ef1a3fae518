"""Commands import only what they need, and what libraries say to programmers does not reach a user."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from twentyone.cli import COMMANDS, main
from twentyone.odds.charts import _part

HEAVY = ("numpy", "numba", "rich", "fastapi", "cryptography", "polars", "pandas", "twentyone.table", "twentyone.ledger")


def imported(*lines: str) -> set[str]:
    """The modules that a process has imported after some command lines."""
    runs = "".join(f"\ntry: main({line.split()!r})\nexcept SystemExit: pass" for line in lines)
    program = f"import sys\nfrom twentyone.cli import main{runs}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_and_version_import_no_command() -> None:
    known = imported("--version", "--help", "nonsense")
    assert not {name for name in known if name.startswith("twentyone.rulebook")}
    assert not known & set(HEAVY)


def test_commands_of_the_law_import_nothing_heavy() -> None:
    known = imported("law --search nothing-has-this", "law classic-blackjack", "check --help", "replay --help")
    assert "twentyone.rulebook" in known
    assert not known & set(HEAVY)


def test_commands_of_a_ledger_need_no_arrays_and_no_pictures() -> None:
    known = imported("rounds nowhere.db", "report nowhere.db", "verify nowhere.db")
    assert "twentyone.ledger.rows" in known
    assert not known & {"numpy", "numba", "rich", "fastapi", "polars", "pandas"}


def test_help_lists_every_command_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name in COMMANDS:
        assert re.search(rf" {name} \w", told)
    assert "layout what the layout and the signs of a table must show" in told


@pytest.mark.parametrize(("options", "seen"), [([], False), (["-W", "default"], True)])
def test_a_warning_of_a_library_reaches_only_who_asks_for_it(options: list[str], seen: bool) -> None:
    program = (
        "import sys, warnings\nsys.argv = ['twentyone', 'law', 'classic-blackjack']\n"
        "import twentyone.cli.common as common\nload = common.load_rulebook\n"
        "def loud(name):\n    warnings.simplefilter('always')\n    warnings.warn('for programmers')\n"
        "    return load(name)\n"
        "common.load_rulebook = loud\nfrom twentyone.cli import main\nsys.exit(main())"
    )
    done = subprocess.run([sys.executable, *options, "-c", program], capture_output=True, text=True, check=True)
    assert ("for programmers" in done.stderr) is seen
    assert done.stdout


def test_the_progress_of_a_chart_moves_with_every_analysis_and_never_back() -> None:
    """How many analyses a chart takes is not known before: each moves the bar on, and none to its end."""
    told: list[float] = []
    for number in range(12):
        for share in (0.0, 0.5, 1.0):
            _part(told.append, number)(share)
    assert told == sorted(told)
    assert len(set(told)) > 20
    assert 0 <= told[0] < told[-1] < 1


def test_a_bar_moves_before_the_first_share_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal it goes to and fro, with the time, while code is compiled."""
    from rich.progress import Progress

    from twentyone.cli.progress import progress

    totals: list[float | None] = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(Progress, "add_task", lambda _, __, total: totals.append(total))
    monkeypatch.setattr(Progress, "update", lambda _, __, total, **_rest: totals.append(total))
    with progress("work") as share:
        share(0.0)
        share(0.25)
    assert totals == [None, None, 1.0]
