"""A rulebook in time: since when its texts are law, what an edition changes, and what is refused."""

from __future__ import annotations

import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.amending import Shelf, add_edition, put_shelf, write_amendment
from tests.unit.own_books import NAME, copy_of_our_own

from twentyone.cli import REFUSED, main
from twentyone.errors import NoSuchEdition, RulebookError
from twentyone.ledger.identity import rulebook_hash
from twentyone.odds.cache import key_of
from twentyone.rulebook import Rulebook, editions_of, rulebook_ids
from twentyone.rulebook.folders import FOLDER, OWN_FOLDER
from twentyone.rulebook.in_time import later_editions, latest_text, text_on
from twentyone.rulebook.rulebook import rulebook_from

DAY = "2027-01-01"
STATED: dict[str, list[tuple[str, str, str, list[str], bool]]] = {
    "pa-spanish-21": [
        ("2012-05-12", "2012-05-11", "42 Pa.B. 2686", [], False),
        ("2014-02-01", "2014-01-31", "44 Pa.B. 619", ["635a.8", "635a.10"], False),
        ("2019-11-02", "2019-11-01", "49 Pa.B. 6676", ["635a.3", "635a.4", "635a.5"], True),
    ],
    "pa-double-back-jack": [("2016-08-27", "2016-08-26", "46 Pa.B. 5540", [], True)],
    "pa-down-under-blackjack": [("2020-11-21", "2020-11-20", "50 Pa.B. 6667", [], True)],
    "md-spanish-21": [],
    "s13-spanish-21": [],
    "classic-blackjack": [],
}
"""What the texts state of their own history: in force, adopted, source, sections, and whether the text is held."""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    return put_shelf(tmp_path, monkeypatch)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a book of one's own, a copy of ours."""
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path / "own"))
    return copy_of_our_own(tmp_path / "own")


# -- what the texts state


def test_every_date_that_the_texts_state_is_entered() -> None:
    assert set(STATED) == set(rulebook_ids())
    for name, rows in STATED.items():
        listed = [edition.to_json() for edition in editions_of(name).all]
        keys = ("begins", "adopted", "source", "paragraphs", "held")
        assert listed == [dict(zip(keys, row, strict=True)) for row in rows], name
        assert bool(editions_of(name).undated) == (not rows), name
        known = Rulebook.load(name).paragraphs
        assert all(paragraph in known for edition in listed for paragraph in edition["paragraphs"])


@pytest.mark.parametrize(
    ("name", "day", "said"),
    [
        ("pa-spanish-21", "2013-06-01", r"2014-02-01 \(44 Pa\.B\. 619: 635a\.8, 635a\.10\)"),
        ("pa-spanish-21", "2019-11-01", r"2014-02-01 .*not held.* 2019-11-02 \(49 Pa\.B\. 6676"),
        ("pa-spanish-21", "2011-01-01", r"not yet law; it came into force on 2012-05-12 \(42 Pa\.B\. 2686\)"),
        ("pa-double-back-jack", "2016-08-26", r"not yet law.* 2016-08-27"),
        ("md-spanish-21", "2020-01-01", "cannot be said: the Standard Rules state neither"),
        ("s13-spanish-21", "2020-01-01", "cannot be said: Section 13 states neither"),
        ("classic-blackjack", "2020-01-01", "cannot be said: it is our own book"),
        ("pa-spanish-21", "2020-02-30", "not a date"),
        ("pa-spanish-21", "20200201", "not a date"),
        ("pa-spanish-21", "today", "not a date"),
    ],
)
def test_a_day_without_a_text_is_refused(name: str, day: str, said: str) -> None:
    with pytest.raises(NoSuchEdition, match=said):
        Rulebook.load(name, at=day)


def test_the_day_itself_is_the_first_of_an_edition() -> None:
    for name, rows in STATED.items():
        for begins, *_, held in rows:
            if held:
                dated = Rulebook.load(name, at=begins)
                assert (dated.edition, dated.amendments) == (begins, ())
                assert rulebook_hash(dated) == rulebook_hash(Rulebook.load(name))


# -- what an edition changes


def test_only_what_an_edition_touches_is_changed(shelf: Shelf) -> None:
    name = "pa-spanish-21"
    shelf(lambda folder: write_amendment(folder / name, DAY, 'odds = "3:2"', 'odds = "6:5"'))
    before, after = Rulebook.load(name, at="2026-12-31"), Rulebook.load(name, at=DAY)
    assert (before.edition, after.edition, after.amendments) == ("2019-11-02", DAY, (DAY,))
    changed = {one for one, entry in before.entries.items() if entry.fence != after.entries[one].fence}
    assert changed
    assert {one for one in changed if "3:2" not in before.entries[one].fence} == set()
    assert list(before.entries) == list(after.entries)
    assert Rulebook.load(name).texts == before.texts
    assert rulebook_hash(after) != rulebook_hash(before)
    assert key_of(after.under()) != key_of(before.under())


def test_a_later_edition_stands_on_the_earlier(shelf: Shelf) -> None:
    name, later = "md-spanish-21", "2028-01-01"
    shelf(lambda folder: write_amendment(folder / name, DAY, 'odds = "3:2"', 'odds = "6:5"'))
    shelf(lambda folder: write_amendment(folder / name, later, 'odds = "2:1"', 'odds = "5:2"'))
    book = Rulebook.load(name, at=later)
    assert book.amendments == (DAY, later)
    fences = " ".join(entry.fence for entry in book.entries.values())
    assert '"3:2"' not in fences
    assert '"2:1"' not in fences
    with pytest.raises(NoSuchEdition, match="cannot be said"):
        Rulebook.load(name, at="2026-12-31")


def test_an_edition_is_made_again_from_its_texts(shelf: Shelf) -> None:
    name = "pa-spanish-21"
    shelf(lambda folder: write_amendment(folder / name, DAY, 'odds = "3:2"', 'odds = "6:5"'))
    book = Rulebook.load(name, at=DAY)
    again = rulebook_from(name, book.texts, edition=DAY)
    assert (again.edition, again.amendments, rulebook_hash(again)) == (DAY, (DAY,), rulebook_hash(book))
    assert again.texts == book.texts
    assert pickle.loads(pickle.dumps(book)) is book


def test_an_edition_that_changes_words_only_is_another_text(shelf: Shelf) -> None:
    name, words = "pa-spanish-21", "# 635a.8 Insurance Wager\nOther words.\n\n> heading: carried by those under it\n"
    shelf(lambda folder: add_edition(folder / name, DAY, {"08.md": words}, paragraphs='"635a.8"'))
    assert Rulebook.load(name, at=DAY).entry("635a.8").words == "Other words."
    assert rulebook_hash(Rulebook.load(name, at=DAY)) != rulebook_hash(Rulebook.load(name))


def test_paragraphs_are_inserted_and_repealed(own: Path) -> None:
    inserted = "# 8\n\n## (b)\n\n### (9)\nNew.\n\n> not modelled: a test\n> inserted: after 8(b)\n"
    behind = "# 9\n\n## (z)\nNew, too.\n\n> not modelled: a test\n> inserted: after 9(a)\n"
    add_edition(own, DAY, {"08.md": inserted, "09.md": behind})
    add_edition(own, "2028-01-01", {"08.md": "# 8\n\n## (b)\n\n### (9)\n\n> repealed: it did not last\n"})
    before, after = Rulebook.load(NAME), Rulebook.load(NAME, at=DAY)
    new = [one for one in after.paragraphs if one not in before.paragraphs]
    assert new == ["8(b)(9)", "9(z)"]
    assert after.paragraphs[after.paragraphs.index("8(b)(9)") - 1] == "8(b)"
    assert after.paragraphs[after.paragraphs.index("9(z)") - 1].startswith("9(a)")
    assert Rulebook.load(NAME, at="2028-01-01").paragraphs == tuple(one for one in after.paragraphs if one != new[0])


def test_the_head_of_an_edition_changes_what_it_names(own: Path) -> None:
    add_edition(
        own, DAY, {"08.md": "# 8\nOther words.\n\n> heading: a test\n", "rulebook.toml": 'place = "Elsewhere"\n'}
    )
    assert Rulebook.load(NAME, at=DAY).full_title.endswith("Elsewhere")
    assert not Rulebook.load(NAME).full_title.endswith("Elsewhere")


def test_a_table_takes_up_what_has_begun(shelf: Shelf) -> None:
    name = "pa-spanish-21"
    shelf(lambda folder: write_amendment(folder / name, DAY, 'odds = "3:2"', 'odds = "6:5"'))
    book = Rulebook.load(name)
    assert text_on(name, "1970-01-01") is book
    assert text_on(name, "2026-12-31").edition == "2019-11-02"
    assert text_on(name, DAY) is Rulebook.load(name, at=DAY)
    assert [edition.begins for edition in later_editions(book, "2099-01-01")] == [DAY]
    assert latest_text(book, DAY) is Rulebook.load(name, at=DAY)
    assert latest_text(book, "2026-12-31") is book
    assert latest_text(Rulebook.load(name, at=DAY), "2099-01-01").edition == DAY
    undated = Rulebook.load("md-spanish-21")
    assert (text_on("md-spanish-21", DAY), latest_text(undated, DAY)) == (undated, undated)


# -- bad input


class Bad(NamedTuple):
    """An edition that is refused."""

    name: str
    """What is wrong with it."""
    spoil: Callable[[Path], object]
    """What writes it."""
    said: str
    """A part of the sentence."""


def _change(text: str) -> Callable[[Path], object]:
    return lambda folder: add_edition(folder, DAY, {"8.md": text})


def _list(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "editions.toml").write_text(text, encoding="utf-8")


def _twice(folder: Path) -> None:
    for _ in range(2):
        add_edition(folder, DAY, {"08.md": "# 8\nOther words.\n\n> heading: a test\n"})


ROW = f'[[edition]]\nbegins = {DAY}\nsource = "a test"\n'
BAD = (
    Bad("a repeal of nothing", _change("# 8\n\n## (y)\n\n> repealed: a test\n"), f"{DAY}/8.md:3: 8(y): it is rep"),
    Bad("a substitute for nothing", _change("# 8\n\n## (y)\nWords.\n\n> heading: a\n"), "8(y): it is subst"),
    Bad("an entry there was", _change("# 8\nWords.\n\n> heading: a\n> inserted: after 7\n"), "8: it is inserted"),
    Bad("after nothing", _change("# 8\n\n## (y)\nWords.\n\n> heading: a\n> inserted: after 8(x)\n"), "no such"),
    Bad("a strange note", _change("# 8\nWords.\n\n> replaced: a\n"), "a note begins with one of"),
    Bad("words before a heading", _change("Words.\n"), "text before the first heading"),
    Bad("nothing", _change("# 8\n"), "the folder of the edition changes no entry"),
    Bad("a file of no heading", lambda folder: add_edition(folder, DAY, {"8.txt": ""}), "8.txt: it is no file of"),
    Bad("no folder", lambda folder: add_edition(folder, DAY, {}), "there is no folder with its text"),
    Bad("not touched",
        lambda folder: add_edition(folder, DAY, {"8.md": "# 8\nWords.\n\n> heading: a\n"}, paragraphs='"7"'),
        "8: the edition of 2027-01-01 does not touch it: its `paragraphs` are 7"),
    Bad("a needed clause repealed", _change("# 4\n\n> repealed: a test\n"), ": "),
    Bad("two of one date", _twice, f"editions.toml: {DAY}: two editions begin on this date"),
    Bad("not held", lambda folder: add_edition(folder, DAY, {}, held=False), "2027-01-01 (a test), which is not held"),
    Bad("a date that is none", _list(ROW.replace(DAY, "2027-02-30") + "held = true\n"), "cannot be read"),
    Bad("a date in quotation marks", _list(ROW.replace(DAY, f'"{DAY}"') + "held = true\n"), "a date without quotation"),
    Bad("a moment", _list(ROW.replace(DAY, f"{DAY}T00:00:00") + "held = true\n"), "a date without quotation marks"),
    Bad("no word on whether it is held", _list(ROW), "an edition needs held"),
    Bad("an unknown key", _list(ROW + "hold = true\n"), "did you mean 'held'?"),
    Bad("no table", _list('edition = ["x"]\n'), "an edition is a table"),
    Bad("paragraphs that are none", _list(ROW + "held = true\nparagraphs = [8]\n"), "a list of paragraphs"),
    Bad("nothing held", _list(ROW + "held = false\n"), "no edition is held"),
    Bad("no list", _list("editions = 3\n"), "did you mean 'edition'?"),
    Bad("no TOML", _list("[[edition\n"), "its editions cannot be read"),
    Bad("a number of 5,000 digits", _list(f"editions = {'5' * 5_000}\n"), "a number has too many digits"),
)  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=[bad.name for bad in BAD])
def test_a_bad_edition_is_one_sentence_with_its_place(bad: Bad, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad.spoil(own)
    with pytest.raises(RulebookError, match=re.escape(bad.said)):
        Rulebook.load(NAME, at=DAY)
    assert Rulebook.load(NAME).edition == ""
    assert main(["law", NAME, "--at", DAY]) == REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert bad.said in err


def test_editions_of_the_package_are_of_the_package() -> None:
    """No folder of an edition lies there unlisted."""
    for name in rulebook_ids():
        listed = {edition.begins for edition in editions_of(name).all}
        assert {path.name for path in (FOLDER / name).iterdir() if path.is_dir()} <= listed


def test_a_book_without_a_list_has_no_date(own: Path) -> None:
    (own / "editions.toml").unlink()
    with pytest.raises(NoSuchEdition, match=r"no editions\.toml says when"):
        Rulebook.load(NAME, at=DAY)
    shutil.rmtree(own)
