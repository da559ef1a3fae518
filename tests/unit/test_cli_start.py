"""Commands import only what they need, and what libraries say to programmers does not reach a user."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from twentyone.cli import COMMANDS, main

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
