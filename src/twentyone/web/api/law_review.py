"""A reader's own copy of a regulation beside ours: aligned in memory, answered, and forgotten; reviews are signed.

Neither the copy nor a review is kept here: both stay with the reader, whose browser holds them.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from twentyone.ledger.law_reviews import read_review
from twentyone.rulebook.own_text import align
from twentyone.rulebook.reviewing import LawReview, Side, changed, sides
from twentyone.service.people import NotAllowed, Person
from twentyone.web.api.common import ERRORS, Closed, Name, ServiceHere, respond, somebody
from twentyone.web.api.law import load

__all__ = ["REVIEWERS", "router"]

router = APIRouter(tags=["law"], responses=ERRORS)

REVIEWERS = ("auditor", "administrator")
"""Who reviews the law here."""
MOST_LINES = 40
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Words = Annotated[str, Field(max_length=2000)]


class Copy(Closed):
    """The reader's own copy."""

    text: Annotated[str, Field(min_length=1)]


class Judgement(Closed):
    """What is to be signed of a paragraph; `text` is the digest that the aligned copy has there."""

    paragraph: Annotated[str, Field(max_length=120)]
    verdict: Literal["approve", "object", "comment"]
    comment: Words = ""
    text: Digest


class Lines(Closed):
    """Some lines of a file of reviews."""

    lines: Annotated[list[Annotated[str, Field(max_length=20_000)]], Field(max_length=MOST_LINES)]


class Beside(BaseModel):
    """A paragraph of the copy, and ours beside it."""

    paragraph: str
    cite: str
    title: str
    kind: str
    line: int
    text: str
    digest: str
    words: str
    notes: list[dict[str, str]]
    clause: str
    elsewhere: list[str]
    functions: list[str]
    scripts: list[str]
    readings: dict[str, list[str]]


class Aligned(BaseModel):
    """A copy, aligned with a rulebook."""

    rulebook: str
    paragraphs: list[Beside]
    unknown: list[str]


class Signed(BaseModel):
    """A signed line for the reader's file."""

    line: str


class ReviewSaid(BaseModel):
    """What a line says, and what changed since on our side; the browser compares the digest of the text."""

    rulebook: str
    paragraph: str
    verdict: str
    comment: str
    by: str
    at: int
    public: str
    text: str
    changed: list[str]


async def reviewer(request: Request) -> Person:
    """An auditor or the administrator."""
    person = await somebody(request)
    if person.role not in REVIEWERS:
        raise NotAllowed("the law is reviewed by an auditor or the administrator")
    return person


Reviewer = Annotated[Person, Depends(reviewer)]


@cache
def _ours(rulebook: str) -> dict[str, Side]:
    """Our side of every paragraph; a server reads a book once."""
    return sides(load(rulebook), None)


@router.post("/review/{rulebook}", response_model=Aligned)
def aligned(rulebook: Name, copy: Copy, _: Reviewer) -> Response:
    """Align the reader's own copy with a rulebook; it is read, answered and forgotten."""
    book = load(rulebook)
    own = align(copy.text, book.paragraphs)
    rows = [
        {
            "paragraph": paragraph,
            "cite": book.cite(paragraph),
            "title": side.entry.title,
            "kind": side.entry.kind,
            "words": side.entry.words,
            "clause": side.entry.fence,
            "line": passage.line,
            "text": passage.text,
            "digest": passage.digest,
            "notes": [{"kind": note.kind, "text": note.text} for note in side.entry.notes],
            "elsewhere": _elsewhere(side),
            "functions": side.functions,
            "scripts": side.scripts,
            "readings": side.readings,
        }
        for (paragraph, passage), side in zip(own.passages.items(), _ours(rulebook).values(), strict=True)
    ]
    return respond({"rulebook": rulebook, "paragraphs": rows, "unknown": own.unknown})


def _elsewhere(side: Side) -> list[str]:
    """The clauses of other paragraphs that carry this one, with their terms."""
    return [
        f"{key} under {paragraph}: {', '.join(f'{name} = {value}' for name, value in terms.items())}"
        for paragraph, key, terms in side.terms
        if paragraph != side.entry.paragraph
    ]


@router.post("/review/{rulebook}/sign", response_model=Signed)
def sign(rulebook: Name, given: Judgement, person: Reviewer, service: ServiceHere) -> Response:
    """Sign what somebody says of a paragraph with the key of this ledger; the line is answered and not kept."""
    load(rulebook)
    side = _ours(rulebook).get(given.paragraph)
    if side is None:
        raise NotAllowed(f"{rulebook} has no paragraph {given.paragraph!r}", 404)
    comment = " ".join(given.comment.split())
    if given.verdict != "approve" and not comment:
        raise NotAllowed("an objection or a comment says something", 422)
    parts = {**side.parts, "text": given.text}
    said = LawReview(rulebook, given.paragraph, given.verdict, comment, person.name, service.now, parts)
    return respond({"line": service.signing.review(said)})


@router.post("/review/{rulebook}/check", response_model=list[ReviewSaid])
def checked(rulebook: Name, given: Lines, _: Reviewer) -> Response:
    """What lines of a file of reviews say, once their signatures fit; refused at the first that does not."""
    load(rulebook)
    ours = _ours(rulebook)
    found = [read_review(line, f"line {number}") for number, line in enumerate(given.lines, 1)]
    return respond([_said(review, ours) for review in found if review.rulebook == rulebook])


def _said(review: LawReview, ours: dict[str, Side]) -> dict[str, Any]:
    side = ours.get(review.paragraph)
    since = changed(review.parts, side.parts) if side else ["the paragraph is gone"]
    body = {name: value for name, value in review._asdict().items() if name != "parts"}
    return {**body, "text": review.parts["text"], "changed": since}
