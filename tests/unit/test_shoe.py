"""The shoe: entropy and its health test, the order of a seed, the record, and `twentyone verify-shoe`."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.cli import Parser, UsageError, verify_shoe
from twentyone.errors import NotAScript
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import shoe
from twentyone.table.health import (
    START_UP,
    WINDOW,
    HealthTest,
    Source,
    SourceFailed,
    proportion_cutoff,
    repetition_cutoff,
)
from twentyone.table.shoe import (
    ShoeRecord,
    after_cut,
    commitment,
    faults,
    full_batch,
    new_seed,
    os_source,
    shoe_order,
    shuffled,
    words,
)

KEYSTREAM = bytes.fromhex(
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
)
"""RFC 8439, appendix A.1, test vector 1: key, nonce and counter all zero."""

SEED = sha256(b"a shoe").digest()
BOOK, DECKS = "pa-spanish-21", {"decks": 6}
BATCH = full_batch(Rulebook.load(BOOK).under(DECKS))


def reader(name: bytes = b"source") -> Callable[[int], bytes]:
    """A source that can be read twice: the bytes of SHA-256 over a counter."""

    def stream() -> Iterator[int]:
        number = 0
        while True:
            yield from sha256(b"%s %d" % (name, number)).digest()
            number += 1

    endless = stream()
    return lambda count: bytes(islice(endless, count))


# -- health


def test_cutoffs_are_those_of_the_false_alarm_rate() -> None:
    """Six bytes alike: 1 + 40/8. In a window: the first count that is rarer than 2^-40."""
    assert repetition_cutoff() == 6
    assert repetition_cutoff(alarm=20) == 4
    for alarm, entropy in ((40, 8), (20, 8), (30, 4), (40, 1)):
        cutoff = proportion_cutoff(alarm, entropy)
        rarer = stats.binom.sf(cutoff - 2, WINDOW - 1, 2.0**-entropy)
        assert rarer <= 2.0**-alarm < stats.binom.sf(cutoff - 3, WINDOW - 1, 2.0**-entropy)


def test_a_byte_repeated_up_to_the_cutoff() -> None:
    HealthTest().feed(b"\x07" * 5 + b"\x08" * 5)
    test = HealthTest()
    test.feed(b"\x07" * 5)
    with pytest.raises(SourceFailed, match="same byte 6 times in a row"):
        test.feed(b"\x07")


def window(times: int) -> bytes:
    """A window whose first byte stands in it so often, from one end to the other."""
    return bytes(0 if place % 26 == 0 and place < 26 * times else 1 + place % 255 for place in range(WINDOW))


def feed_in_pieces(test: HealthTest, data: bytes) -> None:
    for start in range(0, len(data), 40):
        test.feed(data[start : start + 40])


def test_a_byte_in_a_window_up_to_the_cutoff() -> None:
    """19 times within 512 bytes pass, again and again; 20 times do not."""
    assert window(19).count(0) == 19
    test = HealthTest()
    for _ in range(3):
        feed_in_pieces(test, window(19))
    with pytest.raises(SourceFailed, match="same byte 20 times within 512"):
        feed_in_pieces(test, window(20))


def test_a_source_that_answers_twice_alike_fails() -> None:
    test = HealthTest()
    test.feed(SEED)
    with pytest.raises(SourceFailed, match="same 32 bytes twice"):
        test.feed(SEED)


def test_short_answers_may_be_alike() -> None:
    test = HealthTest()
    test.feed(SEED[:15])
    test.feed(SEED[:15])
    test.feed(SEED[:16])
    with pytest.raises(SourceFailed, match="same 16 bytes twice"):
        test.feed(SEED[:16])


def test_a_failed_source_stays_failed() -> None:
    test = HealthTest()
    with pytest.raises(SourceFailed):
        test.feed(bytes(6))
    with pytest.raises(SourceFailed, match="same byte 6 times"):
        test.feed(SEED)


def test_a_sound_source_passes() -> None:
    source = Source(reader())
    for _ in range(3_000):
        new_seed(source)


def test_a_source_out_of_balance_is_found() -> None:
    """One byte in sixteen forced to zero: found within a few thousand bytes."""
    sound = reader(b"unbalanced")

    def unbalanced(count: int) -> bytes:
        return bytes(0 if place % 16 == 0 else byte for place, byte in enumerate(sound(count)))

    with pytest.raises(SourceFailed, match="times within"):
        Source(unbalanced).take(32 * START_UP)


@pytest.mark.parametrize("fill", [b"\x00", b"\xff", b"\x2a"])
def test_a_stuck_source_never_starts(fill: bytes) -> None:
    with pytest.raises(SourceFailed):
        Source(lambda count: fill * count)


def test_a_source_that_gets_stuck_gives_no_more_seeds() -> None:
    sound, stuck = reader(), [False]
    source = Source(lambda count: bytes(count) if stuck[0] else sound(count))
    new_seed(source)
    stuck[0] = True
    with pytest.raises(SourceFailed):
        new_seed(source)
    stuck[0] = False
    with pytest.raises(SourceFailed):
        new_seed(source)


def test_a_source_that_repeats_its_seed_is_found() -> None:
    sound = reader()
    source = Source(lambda count: SEED if count == len(SEED) else sound(count))
    assert new_seed(source) == SEED
    with pytest.raises(SourceFailed, match="twice"):
        new_seed(source)


def test_a_short_answer_fails() -> None:
    with pytest.raises(SourceFailed, match="gave 7 bytes where 1024 were asked for"):
        Source(lambda _: b"entropy")


@pytest.mark.parametrize("wrong", [OSError("no device"), NotImplementedError("no device")])
def test_a_source_that_cannot_be_read_fails_for_good(wrong: Exception) -> None:
    answers: list[Exception | bytes] = [reader()(START_UP), wrong, SEED]

    def read(_: int) -> bytes:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    source = Source(read)
    for _ in range(2):
        with pytest.raises(SourceFailed, match="cannot be read: no device"):
            new_seed(source)


def test_start_up_bytes_make_no_seed() -> None:
    """What the first trial reads is thrown away."""
    assert new_seed(Source(reader())) == reader()(START_UP + 32)[START_UP:]


def test_seeds_of_the_operating_system_differ() -> None:
    source = os_source()
    seeds = {new_seed(source) for _ in range(2_000)}
    assert len(seeds) == 2_000
    assert {len(seed) for seed in seeds} == {32}


# -- the order of a seed


def test_words_are_the_keystream_of_the_standard() -> None:
    """Little-endian words of RFC 8439's own test vector."""
    expected = [int.from_bytes(KEYSTREAM[i : i + 2], "little") for i in range(0, 64, 2)]
    assert list(islice(words(bytes(32)), 32)) == expected


def test_words_go_on_from_block_to_block() -> None:
    """Beyond what is taken at a time no word is repeated or left out: the second kilobyte continues the first."""
    many = list(islice(words(SEED), 5_000))
    assert many[:512] != many[512:1024]
    assert list(islice(words(SEED), 700, 5_000)) == many[700:]
    assert max(many) < 1 << 16


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="key"):
        words(bytes(16))


def test_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_order_by_a_second_hand() -> None:
    """The order worked out from the page's own description, step by step, with no code of the table's."""
    stream = list(islice(words(SEED), 1_000))
    stack, left = list(BATCH), []
    while stack:
        n = len(stack)
        if n > 1:
            while (word := stream.pop(0)) >= 65_536 // n * n:
                pass
            stack[-1], stack[word % n] = stack[word % n], stack[-1]
        left.append(stack.pop())
    assert shoe_order(SEED, BATCH) == tuple(reversed(left))


def test_order_of_a_seed_never_changes() -> None:
    """Shoes that were dealt years ago must deal again: this order is for good."""
    order = " ".join(card.name for card in shoe_order(bytes(32), BATCH))
    assert order.startswith(GOLDEN)
    assert sha256(order.encode()).hexdigest() == GOLDEN_HASH


GOLDEN = "6S QD JH 9C QH QD 7H 2C 5D 2S 5H 8H "
GOLDEN_HASH = "3f735392f4155a79e5914577ffc778c85996d89216e9935e9279d2945ad3737f"


def test_order_has_the_cards_of_the_batch() -> None:
    assert Counter(shoe_order(SEED, BATCH)) == Counter(BATCH)
    assert shoe_order(SEED, ()) == ()
    assert shoe_order(SEED, parse_cards("8S")) == parse_cards("8S")


def test_nothing_but_seed_cards_words_and_cut_is_asked_for() -> None:
    """No function that makes an order takes a wager, a player, a history or a clock."""
    asked = {
        name: list(inspect.signature(getattr(shoe, name)).parameters)
        for name in ("new_seed", "commitment", "words", "below", "shuffled", "shoe_order", "full_batch", "after_cut")
    }
    assert asked == {
        "new_seed": ["entropy"],
        "commitment": ["seed"],
        "words": ["seed"],
        "below": ["n", "words", "bits"],
        "shuffled": ["cards", "words", "bits"],
        "shoe_order": ["seed", "cards"],
        "full_batch": ["rules"],
        "after_cut": ["order", "place"],
    }


@pytest.mark.parametrize("book", rulebook_ids())
def test_full_batch_is_the_rulebooks(book: str) -> None:
    rules = Rulebook.load(book).under({})
    batch, decks = full_batch(rules), rules.submission["decks"]
    assert len(batch) == rules.cards.per_deck * decks
    assert set(Counter(batch).values()) == {decks}
    assert not {card.rank for card in batch} & set(rules.cards.without)
    deck = [Card(rank + suit) for rank in RANKS for suit in SUITS if rank not in rules.cards.without]
    assert list(batch) == deck * decks


def test_cut_moves_the_upper_cards_to_the_bottom() -> None:
    assert after_cut(parse_cards("AS 2S 3S 4S"), 1) == parse_cards("2S 3S 4S AS")
    assert after_cut(BATCH, 0) == BATCH
    assert after_cut((), 0) == ()
    assert after_cut(after_cut(BATCH, 100), 200) == after_cut(BATCH, 300 - len(BATCH))


@pytest.mark.parametrize("place", [-1, 288, 10**30])
def test_cut_that_cannot_be_made(place: int) -> None:
    with pytest.raises(ValueError, match="288 cards cannot be cut"):
        after_cut(BATCH, place)


def test_the_cards_given_are_left_as_they_were() -> None:
    cards = list(range(10))
    assert shuffled(cards, words(SEED)) != cards
    assert cards == list(range(10))


# -- the record


def record(cut: int = 100, dealt: int = 60) -> ShoeRecord:
    stack = after_cut(shoe_order(SEED, BATCH), cut)
    return ShoeRecord(BOOK, DECKS, SEED.hex(), commitment(SEED), cut, stack[:dealt])


@pytest.mark.parametrize(("cut", "dealt"), [(0, 0), (0, 288), (1, 1), (100, 60), (287, 288)])
def test_a_shoe_dealt_as_committed_has_no_fault(cut: int, dealt: int) -> None:
    assert faults(record(cut, dealt)) == []


def test_a_record_comes_back_from_json() -> None:
    one = record()
    assert ShoeRecord.from_json(one.to_json()) == one
    assert ShoeRecord.from_json(one.to_json().encode()) == one
    assert len(one.to_json().splitlines()) == 1


def test_every_exchanged_card_is_found() -> None:
    """Each dealt card in turn replaced by another: that card is named, and no other."""
    good = record()
    for place, card in enumerate(good.dealt):
        other = next(another for another in BATCH if another is not card)
        dealt = (*good.dealt[:place], other, *good.dealt[place + 1 :])
        assert faults(replace(good, dealt=dealt)) == [f"card {place + 1} is {other}, the seed makes it {card}"]


def test_another_seed_is_found() -> None:
    found = faults(replace(record(), seed=sha256(b"another").hexdigest()))
    assert found[0] == "the commitment is not the SHA-256 of the seed"
    assert len(found) == 12
    assert found[11].endswith("more differ")


@pytest.mark.parametrize(("wrong", "last"), [(10, "card 10 is"), (11, "1 more differ")])
def test_the_first_ten_differing_cards_are_named(wrong: int, last: str) -> None:
    good = record()
    dealt = tuple(Card("10S") if place < wrong else card for place, card in enumerate(good.dealt))
    found = faults(replace(good, dealt=dealt))
    assert len(found) == wrong
    assert found[-1].startswith(last)


def test_another_seed_with_its_own_commitment_is_found() -> None:
    seed = sha256(b"another").digest()
    assert faults(replace(record(), seed=seed.hex(), commitment=commitment(seed))) != []


def test_another_commitment_is_found() -> None:
    found = faults(replace(record(), commitment="0" * 64))
    assert found == ["the commitment is not the SHA-256 of the seed"]


@pytest.mark.parametrize("cut", [0, 99, 101, 287])
def test_another_cut_is_found(cut: int) -> None:
    assert faults(replace(record(), cut=cut)) != []


@pytest.mark.parametrize("cut", [-1, 288, 1 << 70])
def test_an_impossible_cut_is_found(cut: int) -> None:
    assert faults(replace(record(), cut=cut)) == [f"288 cards cannot be cut with {cut} above the cut"]


def test_a_card_left_out_is_found() -> None:
    good = record()
    assert faults(replace(good, dealt=good.dealt[1:])) != []


def test_more_cards_than_the_shoe_holds_are_found() -> None:
    good = record(dealt=288)
    assert faults(replace(good, dealt=(*good.dealt, Card("AS")))) == ["289 cards left a shoe of 288"]


def test_other_decks_are_found() -> None:
    assert faults(replace(record(), submission={"decks": 8})) != []


def test_a_submission_that_the_text_refuses_is_a_fault() -> None:
    (fault,) = faults(replace(record(), submission={"decks": 5}))
    assert "635a" in fault
    assert "decks" in fault


def test_an_unknown_rulebook_is_a_fault() -> None:
    (fault,) = faults(replace(record(), rulebook="../pa-spanish-21"))
    assert "there is no such rulebook" in fault


def body(**changed: Any) -> str:
    return json.dumps({**json.loads(record().to_json()), **changed})


NOT_RECORDS = {
    "": "record: not JSON",
    "[]": "record: an object",
    "[" * 100_000: "record: not JSON",
    "9" * 5_000: "record: not JSON",
    "{}": "format: the key is missing",
    '{"format": "shoe-record/1", "format": "shoe-record/1"}': "twice",
    body(format="round-script/1"): "format: 'shoe-record/1' belongs here",
    body(rulebook=7): "rulebook: ",
    body(submission=[]): "submission: an object",
    body(seed="00"): "seed: 32 bytes",
    body(seed=SEED.hex().upper()): "seed: 32 bytes",
    body(seed=SEED.hex() + "\n"): "seed: 32 bytes",
    body(commitment=None): "commitment: 32 bytes",
    body(cut="100"): "cut: a whole number",
    body(cut=True): "cut: a whole number",
    body(cut=1.5): "record: not JSON: '1.5'",
    body(cut=float("nan")): "record: not JSON: 'NaN'",
    body(dealt=["8S"]): "dealt: a line of cards",
    body(dealt="8S 1S"): "dealt: there is no card '1S'",
    body(wagers=[]): "'wagers': there is no such key",
}


@pytest.mark.parametrize("text", NOT_RECORDS, ids=range(len(NOT_RECORDS)))
def test_what_is_not_a_record_is_refused_by_key(text: str) -> None:
    with pytest.raises(NotAScript) as refused:
        ShoeRecord.from_json(text)
    assert NOT_RECORDS[text] in str(refused.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from([*json.loads(body()), "x"]), JSON), st.dictionaries(st.text(), JSON))
def test_no_record_brings_the_check_down(changed: dict[str, Any], submission: dict[str, Any]) -> None:
    """Whatever JSON stands in a record: refused, or examined."""
    for text in (body(**changed), body(submission=submission), body(submission={**DECKS, **submission})):
        try:
            faults(ShoeRecord.from_json(text))
        except NotAScript:
            continue


# -- the command


def command(*arguments: str) -> int:
    """`twentyone verify-shoe` without the other commands."""
    parser = Parser(prog="twentyone")
    verify_shoe.add_parser(parser.add_subparsers(parser_class=Parser))
    options = parser.parse_args(["verify-shoe", *arguments])
    return int(options.run(options))


def write(folder: Path, text: str, name: str = "shoe.json") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_verify_a_good_shoe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command(write(tmp_path, record().to_json())) == 0
    out, err = capsys.readouterr()
    assert out == f"60 cards left the shoe as committed: {commitment(SEED)}\n"
    assert err == ""


def test_verify_names_each_fault_on_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = record()
    wrong = replace(good, commitment="0" * 64, dealt=(*good.dealt[1::-1], *good.dealt[2:]))
    assert command(write(tmp_path, wrong.to_json())) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(": ")[2] for line in err.splitlines()] == faults(wrong)
    assert len(faults(wrong)) == 3


def test_verify_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = replace(record(), cut=288)
    assert command(write(tmp_path, wrong.to_json()), "--json") == 1
    assert json.loads(capsys.readouterr().out) == {
        "rulebook": BOOK,
        "commitment": wrong.commitment,
        "cut": 288,
        "dealt": 60,
        "faults": faults(wrong),
    }


@pytest.mark.parametrize("text", ["not json", "{}", body(cut="x"), body(dealt="1S")])
def test_verify_what_is_not_a_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    assert command(write(tmp_path, text)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_verify_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        command(str(tmp_path / "none.json"))


@pytest.mark.parametrize("arguments", [[], ["shoe.json", "--extract", "1"], ["shoe.json", "--submission", "x.toml"]])
def test_verify_wants_one_thing(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        command(*arguments)


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "10000001", "9" * 30])
def test_extract_wants_a_number(number: str) -> None:
    with pytest.raises(SystemExit) as left:
        command("--extract", number)
    assert left.value.code == 64


def test_extracted_values_can_be_made_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Raw to final: the seed gives the words, the words give the cards, and no seed comes twice."""
    submission = write(tmp_path, f'rulebook = "{BOOK}"\ndecks = 6\n', "submission.toml")
    assert command("--extract", "20", "--submission", submission) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["shoe"] for line in lines] == list(range(1, 21))
    assert len({line["seed"] for line in lines}) == 20
    for line in lines:
        seed, cards = bytes.fromhex(line["seed"]), parse_cards(line["cards"])
        assert line["commitment"] == commitment(seed)
        assert line["words"] == list(islice(words(seed), len(line["words"])))
        assert cards == tuple(shuffled(BATCH, iter(line["words"]), 16)) == shoe_order(seed, BATCH)


def test_extract_without_a_submission_shuffles_one_deck(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--extract", "1") == 0
    cards = parse_cards(json.loads(capsys.readouterr().out)["cards"])
    assert len(set(cards)) == len(cards) == 52


def test_extract_under_a_refused_submission(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    submission = write(tmp_path, f'rulebook = "{BOOK}"\ndecks = 5\n', "submission.toml")
    assert command("--extract", "1", "--submission", submission) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_extract_from_a_failed_source(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_shoe, "os_source", lambda: Source(bytes))
    assert command("--extract", "1") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "the source of entropy gave the same byte" in err
