"""What refusals say, and that the tree drawn in `errors.py` is the tree there is."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import walk_packages

import pytest
from tests.citing import NoCitation

import twentyone
from twentyone import errors
from twentyone.cli.parameters import CHOICES, OPTIONS, in_options
from twentyone.errors import NotAScript, Refused, SubmissionRefused

Tree = dict[str, tuple[str, str]]
"""Exception to its parent and the package it is defined in (`errors` for the module itself)."""

LINE = re.compile(r"(?P<bars>[│├└─ ]*)(?P<name>\w+) +(?:(?P<package>[a-z]+): )?(?P<words>.+)")


# -- the tree


def drawn(text: str) -> Tree:
    """The tree as a docstring draws it."""
    tree: Tree = {}
    above: list[str] = []
    for line in text.splitlines():
        if line in ("Exception", ""):
            above = [line]
        elif (row := LINE.fullmatch(line)) and (row["bars"] or row["name"] == "TwentyoneError"):
            depth = len(row["bars"]) // 4
            above = [*(above or [""])[:depth], row["name"]]
            tree[row["name"]] = ((above[-2] if depth else "Exception"), row["package"] or "errors")
    return tree


def defined() -> Tree:
    """The exceptions that the modules of the package define."""
    tree: Tree = {}
    for module in walk_packages(twentyone.__path__, "twentyone."):
        if module.name.endswith("__main__"):
            continue
        for name, kind in getmembers(import_module(module.name), isclass):
            if issubclass(kind, BaseException) and kind.__module__ == module.name:
                tree[name] = (kind.__bases__[0].__name__, module.name.split(".")[1])
    return tree


def test_the_tree_is_drawn_whole() -> None:
    tree = defined()
    assert len(tree) > 25
    assert drawn(errors.__doc__ or "") == tree


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("├── KeyReused ", "├── KeyUsed "),
        ("│   └── OtherPackage ", "├── OtherPackage "),
        ("sim: the simulation stopped", "service: the simulation stopped"),
        ("└── Leave ", "Leave "),
    ],
)
def test_a_tree_drawn_wrong_is_noticed(old: str, new: str) -> None:
    """The check can fail: another name, another parent, another package, a missing class."""
    text = errors.__doc__ or ""
    assert old in text
    assert drawn(text.replace(old, new)) != defined()


# -- citations


def test_a_refusal_says_its_paragraph_or_none() -> None:
    assert str(Refused("no such box", "Classic § 3(b)")) == "no such box (Classic § 3(b))"
    assert str(Refused("no such box", "Classic § 3(b)", "wagers[0]")) == "wagers[0]: no such box (Classic § 3(b))"
    assert str(Refused("too many rounds", step="rounds")) == "rounds: too many rounds"
    assert str(Refused("there is a table already")) == "there is a table already"
    assert Refused("there is a table already").cite == ""


@pytest.mark.parametrize("cite", ["--rounds", "the house", "rounds", "classic-blackjack", "3(b)", "Classic § 99(x)"])
def test_a_citation_that_no_rulebook_has_fails_a_test(cite: str) -> None:
    """The check that stands over every test can fail."""
    with pytest.raises(NoCitation, match=re.escape(repr(cite))):
        Refused("something", cite)
    with pytest.raises(NoCitation):
        SubmissionRefused("decks", "something", cite)


# -- parameters and options


def test_parameters_are_told_as_options() -> None:
    assert in_options(Refused("0 rounds", step="rounds")) == "--rounds: 0 rounds"
    assert in_options(NotAScript("steps", "2-4 is no step")) == "--spread: 2-4 is no step"
    assert in_options(errors.TwentyoneError("no GPU: use engine=cpu")) == "no GPU: use --engine cpu"
    told = in_options(Refused("no shoe: the game then is mode=fresh", "Classic § 2(d)", "mode"))
    assert told == "--mode: no shoe: the game then is --mode fresh (Classic § 2(d))"
    assert in_options(Refused("the rounds", step="wagers[0]")) == "wagers[0]: the rounds"
    assert in_options(ValueError("rounds: no")) == "rounds: no"


def test_every_option_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The mapping names options that `twentyone simulate` has."""
    from twentyone.cli import main

    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert {option.split()[0] for option in (*OPTIONS.values(), *CHOICES.values())} <= known
