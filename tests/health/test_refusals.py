"""How the code speaks of refusals: a citation is never written by hand, and only the command line knows options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from tests.health.test_code import FILES, found_in, in_cli, literals, walked

CITED = {"Refused": 1, "CannotCompile": 1, "ChartRefused": 1, "SubmissionRefused": 2}
"""Refusal to the position of its citation."""
OPTION = re.compile(r"(^|[\s`'\"]|(?<!var)\()--[a-z]")
"""An option in a text; a variable of a style sheet is none."""


def written_cites(source: str) -> list[str]:
    """Citations of refusals that are text, and not taken from a clause or a rulebook."""
    calls = [node for node in walked(source) if isinstance(node, ast.Call)]
    cites = [cite for call in calls if (cite := _cite(call)) is not None]
    return [f"{cite.lineno}: {ast.unparse(cite)}" for cite in cites if any(map(_is_text, _branches(cite)))]


def _cite(call: ast.Call) -> ast.expr | None:
    at = CITED.get(call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", ""))
    if at is None:
        return None
    named = [keyword.value for keyword in call.keywords if keyword.arg == "cite"]
    return next(iter((*named, *call.args[at : at + 1])), None)


def _branches(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.IfExp):
        yield from (*_branches(value.body), *_branches(value.orelse))
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _branches(part)
    else:
        yield value


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and bool(value.value))


def test_no_citation_is_written_by_hand() -> None:
    """What a refusal cites comes from the rulebook; an option, a parameter or a place is no citation."""
    assert found_in(FILES, lambda path: written_cites(path.read_text(encoding="utf-8"))) == {}


@pytest.mark.parametrize(
    "planted",
    [
        "raise Refused(why, '--rounds')",
        "raise errors.Refused(why, cite='the house')",
        "raise Refused(why, f'{name} it is')",
        "raise Refused(why, clause.cite if clause else 'nowhere')",
        "raise Refused(why, cite or 'nowhere', 'wagers')",
        "raise SubmissionRefused('decks', why, 'nowhere')",
    ],
)
def test_a_citation_written_by_hand_is_found(planted: str) -> None:
    """The check can fail."""
    assert len(written_cites(planted)) == 1


def test_a_citation_from_the_rulebook_is_none_of_them() -> None:
    allowed = (
        "Refused(why); Refused(why, clause.cite, 'wagers'); Refused(why, '', 'wagers'); Refused(why, step='rounds')"
    )
    assert written_cites(allowed) == []


def options_in(source: str) -> list[str]:
    """Texts of a module that name an option of a command line."""
    return [
        f"{line}: {value}"
        for line, value in literals(walked(source))
        if isinstance(value, str) and OPTION.search(value)
    ]


def test_only_the_command_line_knows_options() -> None:
    """Simulator, odds, ledger, service and web name parameters; `cli` translates them."""
    outside = [path for path in FILES if not in_cli(path)]
    assert found_in(outside, lambda path: options_in(path.read_text(encoding="utf-8"))) == {}


@pytest.mark.parametrize(
    "planted", ["x = '--rounds'", "x = f'use --engine {name}'", "x = 'give `--plain`'", "raise E('so (--rounds)')"]
)
def test_a_planted_option_is_found(planted: str) -> None:
    """The check can fail."""
    assert options_in(planted) != []
