"""Canonical JSON and the chain's hash: one value, one sequence of bytes."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.ledger.canonical import LARGEST, canonical, fingerprint
from twentyone.ledger.chain import GENESIS, Chain, event_hash, verify_chain, verify_stream
from twentyone.ledger.group import LARGEST_BODY, LONGEST, Draft, draft
from twentyone.ledger.rows import Batch, LedgerFailed, NewEvent, NotCanonical, StoredEvent

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


def test_the_order_of_the_numbers_is_part_of_the_chain() -> None:
    """Two events under one number, or the second under the number of the first: one of them was moved."""
    first = event(1, GENESIS)
    second = event(2, first.hash)
    assert "was moved" in verify_stream([first, second._replace(gseq=1)])[0].what
    assert "was moved" in verify_stream([first._replace(gseq=3), second])[0].what


def test_an_empty_chain_has_followed_nothing() -> None:
    chain = Chain()
    assert (chain.count, chain.form, chain.heads) == (0, 0, {})
    oldest = event_hash(GENESIS, "t", 1, 1, "x", 0, "{}", None, None)
    assert chain.follow(StoredEvent(1, "t", 1, 1, "x", 0, "{}", GENESIS, oldest, None, None)) is None


class Shelf:
    """As much of a store as the examination of its chains asks for."""

    where = "a shelf"

    def __init__(self, events: list[StoredEvent], heads: dict[str, tuple[int, str]], checks: list[str]) -> None:
        self._events, self._heads, self._checks = events, heads, checks

    def read_all(self) -> Iterator[StoredEvent]:
        """Its events."""
        return iter(self._events)

    def streams(self) -> list[str]:
        """The streams that it says it has."""
        return list(self._heads)

    def head(self, stream: str) -> tuple[int, str]:
        """What it says is the last event of a stream."""
        return self._heads.get(stream, (0, GENESIS))

    def self_check(self) -> list[str]:
        """What the database finds."""
        return self._checks


def faults_of(events: list[StoredEvent], heads: dict[str, tuple[int, str]], *checks: str) -> list[tuple[str, int]]:
    found = verify_chain(Shelf(events, heads, list(checks)))[0]  # type: ignore[arg-type]
    return [(fault.stream, fault.ver) for fault in found]


def test_reading_stream_by_stream_agrees_with_reading_all() -> None:
    """A head that is another one, a stream that is not listed, one that has no events; and what the database says."""
    first = event(1, GENESIS)
    rows = [first, event(2, first.hash)]
    whole = {"t": (2, rows[1].hash)}
    assert faults_of(rows, whole) == []
    assert faults_of(rows, {"t": (1, first.hash)}) == [("t", 1)]
    assert faults_of(rows, {}) == [("t", 0)]
    assert faults_of(rows, whole | {"u": (3, "x")}) == [("u", 3)]
    assert faults_of(rows, whole, "it is malformed") == [("a shelf", 0)]


def test_a_store_that_cannot_be_read_is_a_fault_of_no_version() -> None:
    class Broken(Shelf):
        def read_all(self) -> Iterator[StoredEvent]:
            raise LedgerFailed("it cannot be read")

    faults, _ = verify_chain(Broken([], {}, []))  # type: ignore[arg-type]
    assert [(fault.stream, fault.ver, fault.what) for fault in faults] == [("a shelf", 0, "it cannot be read")]
    damaged = Chain().follow(event(1, GENESIS)._replace(ver=None))  # type: ignore[arg-type]
    assert damaged is not None
    assert damaged.ver == 0


def test_the_examination_tells_how_far_it_is() -> None:
    """Each ten thousand events."""
    rows, told = [event(1, GENESIS)], list[int]()
    for ver in range(2, 20_002):
        rows.append(event(ver, rows[-1].hash))
    verify_chain(Shelf(rows, {"t": (20_001, rows[-1].hash)}, []), told.append)  # type: ignore[arg-type]
    assert told == [10_000, 20_000]


@pytest.mark.parametrize(("length", "taken"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_name_is_as_long_as_it_may_be(length: int, taken: bool) -> None:
    made = draft(Batch("s" * length, 0, [NewEvent("x", {}, 0, 1)], "k", "f"))
    assert isinstance(made, Draft) is taken


@pytest.mark.parametrize(("length", "taken"), [(LARGEST_BODY, True), (LARGEST_BODY + 1, False)])
def test_a_body_is_as_long_as_it_may_be(length: int, taken: bool) -> None:
    made = draft(Batch("s", 0, [NewEvent("x", {"a": "b" * (length - len('{"a":""}'))}, 0, 1)], "k", "f"))
    assert isinstance(made, Draft) is taken
