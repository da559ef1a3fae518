"""The help of every command says what the command does, in a sentence; every option says what it is for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from twentyone.cli import whole_parser

FEWEST_WORDS = 4
"""A description of fewer words says nothing."""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of all its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def faults(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Texts of this parser's help that are no sentence, or missing."""
    for command in parsers(parser):
        said = (command.description or "").strip()
        if not said[:1].isupper() or said[-1:] not in ".:" or len(said.split()) < FEWEST_WORDS:
            yield f"{command.prog}: {said!r}"
        for action in command._actions:
            if action.help is not argparse.SUPPRESS and not (action.help or "").strip() and not action.choices:
                yield f"{command.prog} {action.dest}: no help"


def test_every_help_text_is_a_sentence() -> None:
    whole = whole_parser()
    whole.description = (whole.description or "").partition("\n")[0]
    assert not list(faults(whole))


@pytest.mark.parametrize("description", ["", ".", "rounds of a ledger, all of them.", "Lists the rounds of a ledger"])
def test_a_description_that_is_no_sentence_is_found(description: str) -> None:
    """The second is what Python makes of two strings joined by `and`."""
    parser = argparse.ArgumentParser(prog="planted", description=description)
    assert list(faults(parser)) == [f"planted: {description!r}"]


def test_an_option_without_help_is_found() -> None:
    parser = argparse.ArgumentParser(prog="planted", description="List the rounds of a ledger.")
    parser.add_argument("--table")
    assert list(faults(parser)) == ["planted table: no help"]
