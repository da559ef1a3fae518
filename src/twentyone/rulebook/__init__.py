"""Rulebooks: literate files in, typed and cited clauses out, and the questions that the readers ask."""

from twentyone.rulebook.editions import Edition, Editions
from twentyone.rulebook.patterns import HandFacts, HandPattern
from twentyone.rulebook.reader import KINDS, Entry, Note
from twentyone.rulebook.rulebook import Rulebook, editions_of, loaded_rulebooks, rulebook_ids, rules_of
from twentyone.rulebook.rules import Rules
from twentyone.rulebook.submission import Choice, Submission

__all__ = [
    "KINDS",
    "Choice",
    "Edition",
    "Editions",
    "Entry",
    "HandFacts",
    "HandPattern",
    "Note",
    "Rulebook",
    "Rules",
    "Submission",
    "editions_of",
    "loaded_rulebooks",
    "rulebook_ids",
    "rules_of",
]
