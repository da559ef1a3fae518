"""Two laws held against each other: paragraphs, fields, rounds, price; something is planted that must be found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from twentyone.cli import DONE, REFUSED, USAGE, main
from twentyone.errors import NotAScript
from twentyone.odds.analysis import analyse
from twentyone.odds.edges import edge_of
from twentyone.redline import (
    DealtRounds,
    Redline,
    amended_version,
    as_page,
    asked_versions,
    compare,
    deal_both,
    folder_version,
    named_version,
)
from twentyone.redline.price import price
from twentyone.rulebook.clauses import Pay
from twentyone.rulebook.folders import FOLDER

CLASSIC, PA, MD, S13 = "classic-blackjack", "pa-spanish-21", "md-spanish-21", "s13-spanish-21"
SIX_TO_FIVE = """# 635a.12(a)
```toml
[[pay]]
wagers = "main split double"
odds = "1:1"
except_to = ["blackjack", "635a.12(b)"]

[[pay]]
name = "blackjack"
wagers = "main"
hand = {blackjack = true}
odds = "6:5"
```
"""
INSURANCE = "# 635a.12(d)\n```toml\n[pay]\nwagers = 'insurance'\nodds = '3:1'\n```\n"


def amended_pa(text: str = SIX_TO_FIVE) -> Redline:
    left = named_version(PA)
    return compare(left, amended_version(left, text, "changed.md"))


def told(redline: Redline) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(row.status, row.key, tuple(change.field for change in row.changes)) for row in redline.provisions]


@pytest.fixture(params=[CLASSIC, PA, MD, S13, "pa-double-back-jack", "pa-down-under-blackjack"])
def book(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# -- paragraphs


def test_a_law_does_not_differ_from_itself(book: str) -> None:
    redline = compare(named_version(book), named_version(book))
    assert {row.status for row in redline.rows} == {"same"}
    assert all(
        [entry.paragraph for entry in row.left] == [entry.paragraph for entry in row.right] for row in redline.rows
    )
    assert not redline.differs


def test_every_paragraph_of_both_laws_is_told_once() -> None:
    """Whichever law comes first; and what one calls only here, the other order calls only there."""
    one, other = (compare(named_version(a), named_version(b)) for a, b in ((PA, S13), (S13, PA)))
    for side, name in ((0, PA), (1, S13)):
        seen = [entry.paragraph for row in one.rows for entry in (row.left, row.right)[side]]
        assert sorted(seen) == sorted(named_version(name).book.entries)
    keys = {
        status: {row.key for row in one.provisions if row.status == status} for status in ("only_left", "only_right")
    }
    back = {status: {row.key for row in other.provisions if row.status == status} for status in keys}
    assert (keys["only_left"], keys["only_right"]) == (back["only_right"], back["only_left"])


def test_a_changed_field_is_found_and_nothing_else() -> None:
    redline = amended_pa()
    assert told(redline) == [("changed", "pay", ("odds",))]
    change = redline.provisions[0].changes[0]
    assert (change.left, change.right) == ("3 to 2", "6 to 5")
    assert redline.counts["changed"] == 1


RESCUE = "# 635a.10(d)\n```toml\n[decision.rescue]\ntotal_most = 20\n```"
DEALER = "# 635a.7(l)\n```toml\n[step.draw]\n[dealer]\nstands = [17, 18, 19, 20, 21]\nhits_soft = [17]\n```"
REPEAL = "# 635a.12(d)\nInsurance earns nothing any more.\n> not modelled: repealed"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RESCUE, ("changed", "decision.rescue", ("total most",))),
        (DEALER, ("changed", "dealer", ("hits soft",))),
        (REPEAL, ("only_left", "pay", ("wagers", "odds"))),
    ],
)
def test_what_an_amendment_turns_or_takes_away_is_found(text: str, found: tuple[str, str, tuple[str, ...]]) -> None:
    assert told(amended_pa(text)) == [found]


def test_words_alone_are_words(tmp_path: Path) -> None:
    """New words with the old fences change no clause; the redline marks what was taken out and put in."""
    entry = named_version(PA).book.entries["635a.12(d)"]
    text = f"# 635a.12(d)\nWinning insurance gets 2 to 1.\n```toml\n{entry.fence}\n```"
    redline = amended_pa(text)
    assert (redline.counts["words"], redline.differs) == (1, False)
    page = as_page(redline, DealtRounds(0, ()))
    assert ("<del>earns</del>" in page, "<ins>gets</ins>" in page) == (True, True)


def test_a_paragraph_that_moved_is_found_where_it_stands_now(tmp_path: Path) -> None:
    """Two paragraphs that changed numbers answer to each other by what they say; neither is called changed."""
    folder = shutil.copytree(FOLDER / PA, tmp_path / PA)
    file = folder / "12-payout-odds.md"
    text = file.read_text(encoding="utf-8")
    five, six = text.index("### (5)"), text.index("### (6)")
    seven = text.index("### (7)")
    moved = text[six:seven].replace("### (6)", "### (5)") + text[five:six].replace("### (5)", "### (6)")
    file.write_text(text[:five] + moved + text[seven:], encoding="utf-8")
    redline = compare(named_version(PA), folder_version(folder))
    pairs = {row.left[0].paragraph: row.right[0].paragraph for row in redline.rows if row.left and row.right}
    assert (pairs["635a.12(b)(5)"], pairs["635a.12(b)(6)"]) == ("635a.12(b)(6)", "635a.12(b)(5)")
    assert not redline.differs


def test_two_submissions_of_one_book_differ_by_their_choices() -> None:
    eight = {"decks": 8, "match_the_dealer": True}
    redline = compare(named_version(PA, {"match_the_dealer": True}), named_version(PA, eight))
    assert [(row.field, row.left, row.right) for row in redline.choices] == [("decks", "6", "8")]
    hits = compare(named_version(CLASSIC, {}), named_version(CLASSIC, {"dealer_hits_soft_17": True}))
    assert "dealer" in {row.key for row in hits.provisions}


# -- rounds and price


def test_the_rounds_of_two_books_that_agree_agree() -> None:
    """Pennsylvania and Maryland differ in wheels and in procedure: every round that both deal ends the same."""
    rounds = deal_both(named_version(PA), named_version(MD))
    assert [pair.script for pair in rounds.pairs if pair.dealt] == []
    assert rounds.dealt > 500


def test_rounds_that_end_otherwise_are_pairs() -> None:
    redline = amended_pa()
    rounds = deal_both(redline.left, redline.right)
    pair = next(pair for pair in rounds.pairs if pair.script.endswith("a-blackjack-pays-3-to-2.json"))
    assert pair.left.result is not None
    assert pair.right.result is not None
    assert (pair.left.result["net"], pair.right.result["net"]) == ({"p1": "7.5"}, {"p1": "6"})


def test_the_price_is_the_difference_of_two_odds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last digit; and a single change alone is worth what the whole is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    left = named_version(CLASSIC)
    right = amended_version(left, _classic_pays(), "changed.md")
    worth = price(compare(left, right))
    odds = [float(analyse(version.rules).figures.house_edge) for version in (left, right)]
    assert abs(worth.difference - (odds[1] - odds[0])) < 1e-12
    assert worth.difference > 0.01
    assert [row.effect for row in worth.clauses if row.effect] == [worth.difference]
    assert abs(worth.interplay) < 1e-12


def test_each_choice_of_a_submission_is_priced_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    given = {"decks": 1, "max_split_hands": 2}
    laws = (
        named_version(CLASSIC, given),
        named_version(CLASSIC, {**given, "dealer_hits_soft_17": True, "chip_unit": "1"}),
    )
    worth = price(compare(*laws))
    effects = {row.key: row.effect for row in worth.clauses}
    assert effects["choice dealer_hits_soft_17"] == worth.difference > 0.001
    assert effects == {"choice dealer_hits_soft_17": worth.difference, "choice chip_unit": 0.0}


def _classic_pays() -> str:
    """Our own book with Blackjack at even money: the paragraph that pays it, with its odds changed."""
    rows = named_version(CLASSIC).rules.all(Pay)
    entry = named_version(CLASSIC).book.entries[next(row.paragraph for row in rows if row.hand.blackjack)]
    assert 'odds = "3:2"' in entry.fence
    changed = entry.fence.replace('odds = "3:2"', 'odds = "1:1"', 1)
    return f"# {entry.paragraph}\n```toml\n{changed}\n```\n"


# -- the command


def test_the_command_prints_json_and_writes_a_redline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed, page = tmp_path / "changed.md", tmp_path / "redline.html"
    changed.write_text(INSURANCE, encoding="utf-8")
    assert main(["law", "diff", PA, str(changed), "--json", "--html", str(page)]) == DONE
    body = json.loads(capsys.readouterr().out)
    assert body["counts"]["changed"] == 1
    row = next(row for row in body["rows"] if row["status"] == "changed")
    assert row["clauses"][0]["fields"] == [{"field": "odds", "left": "2 to 1", "right": "3 to 1", "words": False}]
    assert body["rounds"]["pairs"]
    assert "http" not in page.read_text(encoding="utf-8").replace("https://", "")


REFUSED_LAWS = {
    ("pa-spanish-21", "pa-spanish-21@yesterday"): "is not a date",
    ("pa-spanish-21", "pa-spanish-21@2013-06-01"): "amended on",
    ("pa-spanish-21", "{folder}/empty"): "it has no rulebook.toml",
    ("pa-spanish-21", "{folder}/unknown.md"): "'635a.99' is none of",
    ("pa-spanish-21", "{folder}/twice.md"): "it is amended twice",
    ("pa-spanish-21", "{folder}/nothing.md"): "it changes nothing",
    ("pa-spanish-21", "{folder}/toml.md"): "toml.md:3: 635a.12(d): the fence is not TOML",
    ("pa-spanish-21", "{folder}/bytes.md"): "cannot be read as text",
}


@pytest.mark.parametrize("laws", REFUSED_LAWS)
def test_what_is_no_law_is_refused_in_a_sentence(
    laws: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the place, exit 2, and nothing on standard output."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "unknown.md").write_text("# 635a.99\nNobody knows it.\n", encoding="utf-8")
    (tmp_path / "twice.md").write_text(INSURANCE * 2, encoding="utf-8")
    (tmp_path / "nothing.md").write_text("# 635a.12(d)\n", encoding="utf-8")
    (tmp_path / "toml.md").write_text("# 635a.12(d)\n```toml\n[pay\n```\n", encoding="utf-8")
    (tmp_path / "bytes.md").write_bytes(b"# \xff\xfe")
    assert main(["law", "diff", laws[0], laws[1].format(folder=tmp_path)]) == REFUSED
    said = capsys.readouterr()
    assert (said.out, REFUSED_LAWS[laws] in said.err, len(said.err.splitlines())) == ("", True, 1), said.err


@pytest.mark.parametrize(
    "argv",
    [
        ["diff", PA],
        ["diff", PA, "spanish-22"],
        [PA, "635a.1", MD],
        [PA, "--price"],
        ["diff", PA, MD, "--at", "2020-01-01"],
    ],
)
def test_a_wrong_command_line_is_one(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["law", *argv])
    assert (left.value.code, capsys.readouterr().out) == (USAGE, "")


def test_a_changed_fence_is_priced_and_dealt_without_installing_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`odds`, `replay` and `play` take the file; the book itself is as it was, also in what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    changed = tmp_path / "changed.md"
    changed.write_text(_classic_pays(), encoding="utf-8")
    ours = named_version(CLASSIC)
    before, after = edge_of(ours.rules), edge_of(amended_version(ours, _classic_pays(), "changed.md").rules)
    assert main(["odds", CLASSIC, "--json", "--amend", str(changed)]) == DONE
    assert json.loads(capsys.readouterr().out)["house_edge"] == after > before + 0.01
    assert edge_of(ours.rules) == before
    script = {"format": "round-script/1", "rulebook": CLASSIC, "wagers": [{"box": 1, "player": "Ann", "main": "10"}]}
    dealt = tmp_path / "round.json"
    dealt.write_text(json.dumps({**script, "cards": "AS 7H KS KD"}), encoding="utf-8")
    assert main(["replay", str(dealt), "--json", "--amend", str(changed)]) == DONE
    assert json.loads(capsys.readouterr().out)["net"] == {"Ann": "10"}
    assert main(["play", CLASSIC, "--auto", "--seed", "1", "--amend", str(changed)]) == DONE


@pytest.mark.parametrize(
    ("given", "said"),
    [("decks = [", "the submission is not TOML"), ("decks = " + "8" * 5_000, "a number has too many digits"),
     ("decks = " + "[" * 9_999, "tables lie too deep in each other")],
)  # fmt: skip
def test_a_page_whose_submission_is_no_toml_is_refused(given: str, said: str) -> None:
    with pytest.raises(NotAScript, match=said):
        asked_versions({"a": PA, "given": given})
