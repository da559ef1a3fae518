"""A shoe: fresh entropy, a commitment to it, and the order of the cards that follows from both seed and cut.

The seed (32 bytes of the operating system, new for each shoe) is the key of a ChaCha20 keystream. The keystream is read
as 16-bit words, words that would make some card likelier are thrown away, and the others drive a Fisher-Yates shuffle
of the batch. The SHA-256 of the seed is published before the cut and the seed after the last card; a player who kept
the one and is shown the other can deal the shoe again. What decides the order is seed, batch and cut, and nothing else
is ever asked for: no wager, no player, no earlier card.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, repeat
from struct import Struct
from typing import Any, TypeVar

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.errors import NotAScript, TwentyoneError
from twentyone.rulebook import Rulebook, Rules
from twentyone.table.health import Source, SourceFailed

__all__ = [
    "FORMAT",
    "SEED_BYTES",
    "WORD_BITS",
    "ShoeRecord",
    "after_cut",
    "below",
    "commitment",
    "faults",
    "full_batch",
    "new_seed",
    "os_source",
    "read_record",
    "shoe_order",
    "shuffled",
    "words",
]

SEED_BYTES = 32
"""Bytes of a seed."""

WORD_BITS = 16
"""Bits of a word of the keystream."""

BLOCK = Struct("<512H")
"""The words taken from the keystream at a time: little-endian on every machine."""

EMPTY_BLOCK = bytes(BLOCK.size)
NONCE = bytes(16)
"""Block counter and nonce, from zero: a seed is used for one shoe only."""

T = TypeVar("T")


# -- chance


def os_source() -> Source:
    """The operating system's entropy under its health test."""
    return Source(secrets.token_bytes)


def new_seed(entropy: Source) -> bytes:
    """The seed of one shoe: 32 fresh bytes; `SourceFailed` where the source is not sound."""
    return entropy.take(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is published before the cut: SHA-256 of the seed, in hexadecimal.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return sha256(seed).hexdigest()


def words(seed: bytes) -> Iterator[int]:
    """The endless words of a seed: its ChaCha20 keystream (RFC 8439, from block 0, nonce 0), 16 bits at a time.

    >>> [f"{word:04x}" for word, _ in zip(words(bytes(32)), range(4))]
    ['b876', 'ade0', 'f1a0', '903d']
    """
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

    stream = Cipher(ChaCha20(seed, NONCE), mode=None).encryptor()
    return chain.from_iterable(map(BLOCK.unpack, map(stream.update, repeat(EMPTY_BLOCK))))


def below(n: int, words: Iterator[int], bits: int = WORD_BITS) -> int:
    """A whole number from 0 to n - 1, each exactly as likely as the others if the words of `bits` bits are.

    >>> below(100, iter([250, 199, 7]), bits=8)
    99
    """
    accepted = _accepted(n, bits)
    for word in words:
        if word < accepted:
            return word % n
    raise SourceFailed("the words ran out before a number was found")


def shuffled(cards: Iterable[T], words: Iterator[int], bits: int = WORD_BITS) -> list[T]:
    """The cards in an order that is exactly as likely as any other (Fisher-Yates, from the last index down).

    Each step is `below(cards not yet placed)`, written out because it is taken three hundred times per shoe.
    """
    order = list(cards)
    try:
        for left, last, accepted in _steps(len(order), bits):
            while (word := next(words)) >= accepted:
                pass
            other = word % left
            order[last], order[other] = order[other], order[last]
    except StopIteration:
        raise SourceFailed("the words ran out before the last card was placed") from None
    return order


def _accepted(n: int, bits: int) -> int:
    """How many words are accepted for a number below n: the most that give each number equally often."""
    size = 1 << bits
    if not 0 < n <= size:
        raise ValueError(f"{n} is not a whole number from 1 to {size}")
    return size - size % n


@lru_cache(maxsize=64)
def _steps(count: int, bits: int) -> tuple[tuple[int, int, int], ...]:
    """For each step of a shuffle: cards not yet placed, the index to fill, the words accepted."""
    return tuple((left, left - 1, _accepted(left, bits)) for left in range(count, 1, -1))


# -- cards


def full_batch(rules: Rules) -> tuple[Card, ...]:
    """Every card of the game before the shuffle.

    Deck after deck; in each the ranks from ace to king, those that the text removes left out; in each rank spades,
    hearts, diamonds, clubs.

    >>> batch = full_batch(Rulebook.load("pa-spanish-21").under({"decks": 6}))
    >>> len(batch), batch[:5], batch[36:40]
    (288, (AS, AH, AD, AC, 2S), (JS, JH, JD, JC))
    """
    ranks = [rank for rank in RANKS if rank not in rules.cards.without]
    return tuple(Card(rank + suit) for rank in ranks for suit in SUITS) * int(rules.submission["decks"])


def shoe_order(seed: bytes, cards: Iterable[Card]) -> tuple[Card, ...]:
    """The stack that a seed makes of some cards; the first is on top."""
    return tuple(shuffled(cards, words(seed), WORD_BITS))


def after_cut(order: Sequence[T], place: int) -> tuple[T, ...]:
    """The stack after a cut with `place` cards above it: they go to the bottom. 0 is a stack that nobody cuts.

    >>> after_cut("abcde", 2)
    ('c', 'd', 'e', 'a', 'b')
    """
    if not 0 <= place < max(1, len(order)):
        raise ValueError(f"{len(order)} cards cannot be cut with {place} above the cut")
    return (*order[place:], *order[:place])


# -- the record


FORMAT = "shoe-record/1"


@dataclass(frozen=True)
class ShoeRecord:
    """A shoe that is over, with all that is needed to deal it again."""

    rulebook: str
    """The rulebook's id."""
    submission: Mapping[str, Any]
    """The operator's choices."""
    seed: str
    """The seed revealed after the last card, in hexadecimal."""
    commitment: str
    """What was published before the cut."""
    cut: int
    """Cards above the cut; 0 where nobody cut, and after a second cut the sum of both, modulo the size of the batch."""
    dealt: tuple[Card, ...]
    """The cards in the order they left the shoe, burned ones too."""
    batch: tuple[Card, ...] | None = None
    """The cards that were shuffled, where a shoe ran out and was filled from the discard rack: those in it, the oldest
    first. Absent: the full batch."""
    edition: str = ""
    """The date since which the text is law that it was dealt under; empty: that of the book's own files."""

    def to_json(self) -> str:
        """The record as one line of JSON."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "rulebook": self.rulebook,
            "submission": dict(self.submission),
            "seed": self.seed,
            "commitment": self.commitment,
            "cut": self.cut,
            "dealt": " ".join(card.name for card in self.dealt),
        }
        if self.edition:
            body["edition"] = self.edition
        if self.batch is not None:
            body["batch"] = " ".join(card.name for card in self.batch)
        return json.dumps(body, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> ShoeRecord:
        """The record in a JSON text; `NotAScript` names the key that is wrong."""
        body = read_record(text)
        for key, (form, right) in FORMS.items():
            if key not in body and key not in OPTIONAL:
                raise NotAScript(key, "the key is missing")
            if key in body and not right(body[key]):
                raise NotAScript(key, f"{form} belongs here")
        for key in body:
            if key not in FORMS:
                raise NotAScript(repr(key), "there is no such key")
        batch = _cards(body, "batch") if "batch" in body else None
        named = (body["rulebook"], body["submission"], body["seed"], body["commitment"], body["cut"])
        return cls(*named, _cards(body, "dealt"), batch, body.get("edition", ""))


def _cards(body: Mapping[str, str], key: str) -> tuple[Card, ...]:
    try:
        return parse_cards(body[key])
    except ValueError as wrong:
        raise NotAScript(key, str(wrong)) from None


HEX = re.compile(r"[0-9a-f]{64}")
FORMS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "format": (repr(FORMAT), lambda value: value == FORMAT),
    "rulebook": ("a rulebook's id", lambda value: isinstance(value, str)),
    "submission": ("an object", lambda value: isinstance(value, dict)),
    "seed": ("32 bytes in hexadecimal", lambda value: isinstance(value, str) and bool(HEX.fullmatch(value))),
    "commitment": ("32 bytes in hexadecimal", lambda value: isinstance(value, str) and bool(HEX.fullmatch(value))),
    "cut": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "dealt": ("a line of cards", lambda value: isinstance(value, str)),
    "batch": ("a line of cards", lambda value: isinstance(value, str)),
    "edition": ("a date", lambda value: isinstance(value, str)),
}
"""What a record holds: by key, the form in words and as a check."""

OPTIONAL = ("batch", "edition")
"""What only some records have."""


def read_record(text: str | bytes) -> dict[str, Any]:
    """The object in a JSON text: whole numbers only, no key twice."""
    try:
        body = json.loads(text, parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as wrong:
        raise NotAScript("record", f"not JSON: {wrong}") from None
    if not isinstance(body, dict):
        raise NotAScript("record", "an object belongs here")
    return body


def _no_float(text: str) -> None:
    raise ValueError(f"{text[:40]!r} is not a whole number")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return body


# -- dealing a record again

SHOWN = 10
"""Differing cards that are named one by one."""


def faults(record: ShoeRecord) -> list[str]:
    """Everything in a record that its seed contradicts; empty where the shoe was dealt as committed."""
    seed = bytes.fromhex(record.seed)
    problems = [] if commitment(seed) == record.commitment else ["the commitment is not the SHA-256 of the seed"]
    try:
        rules = Rulebook.load(record.rulebook, at=record.edition or None).under(record.submission)
        full = full_batch(rules)
        batch = full if record.batch is None else record.batch
        stack = after_cut(shoe_order(seed, batch), record.cut)
    except (TwentyoneError, ValueError) as wrong:
        return [*problems, str(wrong)]
    strange = Counter(batch) - Counter(full)
    problems += [f"the batch holds {card} more often than its decks do" for card in strange]
    if len(record.dealt) > len(stack):
        problems.append(f"{len(record.dealt)} cards left a shoe of {len(stack)}")
    return problems + _differing(record.dealt, stack)


def _differing(dealt: Sequence[Card], stack: Sequence[Card]) -> list[str]:
    pairs = enumerate(zip(dealt, stack, strict=False), 1)
    lines = [f"card {number} is {card}, the seed makes it {due}" for number, (card, due) in pairs if card is not due]
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], f"{more} more differ"] if more > 0 else lines
