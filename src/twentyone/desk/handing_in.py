"""The papers of a submission for a page: the files that `twentyone submission` writes."""

from __future__ import annotations

from typing import Any

from twentyone.desk.answers import Asked, Tell, file_of, rules_asked
from twentyone.errors import NotAScript
from twentyone.papers.making import FILES, check_operator, make_papers

__all__ = ["papers"]


def papers(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """One file of the papers: `form` is the end of its name, `options` may name the `operator`."""
    names = {name.partition(".")[2]: name for name in FILES}
    form = asked.get("form", "pdf")
    if form not in names:
        raise NotAScript("form", f"{form!r} is none of {', '.join(names)}")
    operator = check_operator(str(asked.get("options", {}).get("operator", "")))
    rules = rules_asked(asked)
    made = make_papers(rules, operator, tell)[names[form]]
    return file_of(f"{rules.rulebook.id}-{names[form]}", FILES[names[form]], made)
