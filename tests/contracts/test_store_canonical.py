"""Canonical JSON and the chain's hash: one value, one sequence of bytes."""

from __future__ import annotations

import enum
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.ledger.canonical import LARGEST, canonical, fingerprint
from twentyone.ledger.chain import GENESIS, Chain, event_hash, verify_stream
from twentyone.ledger.rows import NotCanonical, StoredEvent

WHOLE = st.integers(-LARGEST, LARGEST)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_it_is_read_back_as_it_was_and_written_again_the_same(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text
    text.encode()


@given(st.dictionaries(TEXT, WHOLE, max_size=6))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical(turned) == canonical(value)
    assert fingerprint(turned) == hashlib.sha256(canonical(value).encode()).hexdigest()


def test_what_is_like_text_or_a_number_is_written_as_that() -> None:
    class Suit(enum.StrEnum):
        SPADES = "S"

    class Seat(enum.IntEnum):
        FIRST = 1

    assert canonical([Suit.SPADES, Seat.FIRST, (1, 2)]) == '["S",1,[1,2]]'


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (1.0, "value: float"),
        (float("nan"), "value: float"),
        ({"a": [0, {"b": 2**63}]}, r"value\.a\[1\]\.b: the whole number is larger"),
        (-(2**63), "value: the whole number"),
        ({"a": "x\udfff"}, r"value\.a: the text is not UTF-8 at character 1"),
        ({"\ud800": 1}, "value: the text is not UTF-8"),
        ({2: 1}, "value: the key 2 is not text"),
        ([{1, 2}], r"value\[0\]: set is not text"),
        (object(), "value: object is not"),
    ],
)
def test_what_it_cannot_say_is_refused_with_the_place(value: Any, where: str) -> None:
    with pytest.raises(NotCanonical, match=where):
        canonical(value)


def test_lists_without_end_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotCanonical, match="more than 64 lists and objects"):
        canonical(endless)


@given(st.tuples(TEXT, TEXT, WHOLE, WHOLE, TEXT, WHOLE, TEXT, st.none() | TEXT, st.none() | TEXT))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_hash_is_that_of_the_canonical_list(parts: tuple[Any, ...]) -> None:
    """Verification writes the list out by hand, for speed; it must not be another list."""
    assert event_hash(*parts) == hashlib.sha256(canonical(list(parts)).encode()).hexdigest()


def event(ver: int, prev: str) -> StoredEvent:
    own = event_hash(prev, "t", ver, 1, "x", 1, "{}", None, None)
    return StoredEvent(ver, "t", ver, 1, "x", 1, "{}", prev, own, None, None)


def test_one_fault_is_reported_once_and_the_chain_goes_on() -> None:
    first = event(1, GENESIS)
    second = event(2, first.hash)
    third = event(3, second.hash)
    altered = second._replace(body='{"x":1}')
    assert verify_stream([first, second, third]) == []
    assert [str(fault) for fault in verify_stream([first, altered, third])] == [
        "t version 2: its content does not give its hash: it was altered"
    ]
    assert [fault.ver for fault in verify_stream([first, third])] == [3]
    assert verify_stream([second, third])[0].what.startswith("follows version 0")
    assert "does not continue" in verify_stream([first, event(2, GENESIS)])[0].what


@pytest.mark.parametrize("changes", [{"body": b"x"}, {"ver": None}, {"stream": None}, {"ts": 1.5}, {"hash": 5}])
def test_what_a_damaged_file_holds_is_a_fault_and_no_traceback(changes: dict[str, Any]) -> None:
    chain = Chain()
    faults = chain.follow_all([event(1, GENESIS)._replace(**changes), event(2, GENESIS)])
    assert "unreadable" in faults[0].what
