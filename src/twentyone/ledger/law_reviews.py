"""Signed reviews of paragraphs: lines in the reviewer's file, each by itself; none has a word of the law."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import twentyone.table.carriers  # noqa: F401 (registers what implements the clauses)
from twentyone.errors import TwentyoneError
from twentyone.ledger.canonical import canonical
from twentyone.ledger.keys import Keyring
from twentyone.rulebook.reviewing import VERDICTS, LawReview

__all__ = ["REVIEW_FORMAT", "ReviewsRefused", "add_reviews", "read_review", "read_reviews", "signed_line"]

REVIEW_FORMAT = "law-review/1"
_TEXTS = ("rulebook", "paragraph", "verdict", "comment", "by", "public")
_DIGESTS = ("text", "words", "clause", "readings")
_NAMED = ("functions", "scripts")


class ReviewsRefused(TwentyoneError):
    """A file of reviews in which a line is none, or is not what was signed."""


def signed_line(review: LawReview, keyring: Keyring) -> str:
    """A review as a line of the file, signed."""
    body = {"format": REVIEW_FORMAT, **review._asdict(), "public": keyring.public.hex()}
    return canonical({**body, "signature": keyring.signer.sign(canonical(body).encode()).hex()})


def read_review(line: str, where: str) -> LawReview:
    """The review in a line; refused where it is none, or was changed after it was signed."""
    try:
        body = json.loads(line)
        review = _review(body)
        signature = bytes.fromhex(body.pop("signature"))
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(review.public))
        key.verify(signature, canonical(body).encode())
    except InvalidSignature:
        raise ReviewsRefused(f"{where}: the signature does not fit: the line was changed after it was signed") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ReviewsRefused(f"{where}: this is not a signed review ({REVIEW_FORMAT})") from None
    return review


def _review(body: dict[str, Any]) -> LawReview:
    parts = body["parts"]
    texts = [body[name] for name in _TEXTS] + [parts[name] for name in _DIGESTS]
    texts += [text for name in _NAMED for pair in parts[name].items() for text in pair]
    if body["format"] != REVIEW_FORMAT or type(body["at"]) is not int or body["verdict"] not in VERDICTS:
        raise ValueError
    if not all(isinstance(text, str) for text in texts):
        raise ValueError
    return LawReview(**{name: body[name] for name in LawReview._fields})


def read_reviews(path: str | Path) -> list[LawReview]:
    """Every review of a file, in its order; none where there is no file."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise ReviewsRefused(f"{path}: this is not text") from None
    return [read_review(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def add_reviews(path: str | Path, lines: Iterable[str]) -> None:
    """Add lines to a file, all of them or none; refused where one that stands there is faulty."""
    read_reviews(path)
    with Path(path).open("a+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            lines = lines if file.read(1) == b"\n" else ["", *lines]
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        os.fsync(file.fileno())
