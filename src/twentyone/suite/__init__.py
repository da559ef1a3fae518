"""The conformance suite: where its files lie, and our own engine on the pipe."""

from twentyone.suite.engine import answer, answers
from twentyone.suite.files import runner, suite_folder

__all__ = ["answer", "answers", "runner", "suite_folder"]
