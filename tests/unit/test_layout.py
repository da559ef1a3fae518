"""The layout of each rulebook: ordered words, areas, signs, odds from the clauses, the picture, the command.

What is expected here was typed from the regulations, not taken from the rulebooks.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from twentyone import cli
from twentyone.cli import main
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook import clauses as c
from twentyone.table.layout import ITEMS, Layout, layout
from twentyone.table.layout_svg import draw_layout

DRAW = "Dealer shall draw to 16 and stand on all 17s"
PUSH = (
    "Blackjack Wagers will push if the dealer's hand has a total point count of 22, player 21 pays right away, "
    "Second Chance pays even money"
)
MD = "Md. Standard Rules – Spanish 21, Ch. "
EVERYTHING: dict[str, dict[str, Any]] = {
    "md-spanish-21": {"bonus_spin": "A", "xtreme_16": True},
    "s13-spanish-21": {"match_the_dealer_maximum": "25"},
}


def of(name: str, **submission: Any) -> Layout:
    return layout(Rulebook.load(name).under(submission))


def full(name: str) -> Layout:
    return of(name, **EVERYTHING.get(name, {}))


# -- what the texts order

INSCRIPTIONS = [
    ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(3)(i)", "Blackjack pays 3 to 2"),
    ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(3)(ii)", "Insurance pays 2 to 1"),
    ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(3)(iii)", DRAW),
    ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(4)(i)", "Blackjack and Insurance pays 2 to 1"),
    ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(4)(ii)", DRAW),
    ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(4)(iii)", PUSH),
    ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(4)(i)", "Blackjack pays 3 to 2"),
    ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(4)(ii)", "Insurance pays 2 to 1"),
    ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(4)(iii)", DRAW),
    (
        "pa-down-under-blackjack",
        "58 Pa. Code § 685a.2(b)(4)(iv)",
        "Surrender is not available on a Down Under Blackjack table",
    ),
    ("md-spanish-21", MD + "2.B(3)(a)", "Blackjack pays 3 to 2"),
    ("md-spanish-21", MD + "2.B(3)(b)", "Insurance pays 2 to 1"),
]


@pytest.mark.parametrize(("name", "cite", "text"), INSCRIPTIONS, ids=lambda value: value[-24:])
def test_ordered_inscriptions(name: str, cite: str, text: str) -> None:
    """Each stands word for word under its paragraph."""
    assert (cite, text) in [(item.cite, item.text) for item in of(name).inscriptions]


def test_no_other_inscription_is_ordered() -> None:
    """The five texts order twelve inscriptions; Section 13 orders none."""
    found = [(name, item.cite, item.text) for name in REGULATIONS for item in full(name).inscriptions]
    assert sorted(found) == sorted(INSCRIPTIONS)


REGULATIONS = [name for name in rulebook_ids() if Rulebook.load(name).regulation]

AREAS = [
    ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(2)", "main", "Spanish 21 Wager"),
    ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(5)", "match_the_dealer", "Match-the-Dealer Wager"),
    ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(2)", "main", "Blackjack Wager"),
    ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(3)", "second_chance", "Second Chance Wager"),
    ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(2)", "main", "Bet Wager"),
    ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(5)", "match_the_dealer", "Match-the-Dealer Wager"),
    ("md-spanish-21", MD + "2.B(2)", "main", "Spanish 21 Wager"),
    ("md-spanish-21", MD + "2.B(4)(a)", "match_the_dealer", "Match-the-Dealer Wager"),
    ("md-spanish-21", MD + "2.B(4)(b)", "bonus_spin", "Bonus Spin Wager"),
    ("s13-spanish-21", "Section 13(e)(3)", "main", "Wager"),
    ("s13-spanish-21", "Section 13(f)(3)", "match_the_dealer", "Match-the-dealer wager"),
]


@pytest.mark.parametrize("name", REGULATIONS)
def test_areas(name: str) -> None:
    """Each wager has its area in each box; the insurance line is one for the table."""
    found = full(name).of("area")
    wanted = [(cite, wager, text) for book, cite, wager, text in AREAS if book == name]
    assert [(item.cite, item.wager, item.text) for item in found if item.each == "box"] == wanted
    assert [item.wager for item in found if item.each == "table"] == ["insurance"]


@pytest.mark.parametrize(
    ("name", "cite"),
    [
        ("pa-spanish-21", "58 Pa. Code § 635a.8(b)"),
        ("pa-double-back-jack", "58 Pa. Code § 673a.8(b)"),
        ("pa-down-under-blackjack", "58 Pa. Code § 685a.8(b)"),
        ("md-spanish-21", MD + "8.B"),
        ("s13-spanish-21", "Section 13(k)(2)"),
    ],
)
def test_insurance_line(name: str, cite: str) -> None:
    """All five texts put an Insurance Wager on the insurance line of the layout."""
    assert [item.cite for item in of(name).of("area") if item.wager == "insurance"] == [cite]


def test_the_dealers_three_areas() -> None:
    """685a.2(b)(3) gives the words, 685a.7(h) the lights: blue, red, yellow."""
    found = [
        (item.cite, item.text, item.light) for item in of("pa-down-under-blackjack").of("dealer_area") if item.range
    ]
    assert found == [
        ("58 Pa. Code § 685a.2(b)(3)(i)", "Small, 2-3-4-5", "blue"),
        ("58 Pa. Code § 685a.2(b)(3)(ii)", "Medium, 6-7-8-9", "red"),
        ("58 Pa. Code § 685a.2(b)(3)(iii)", "Large, 10-J-Q-K-A", "yellow"),
    ]


@pytest.mark.parametrize(
    ("name", "cites"),
    [
        ("pa-spanish-21", ["58 Pa. Code § 635a.2(b)(4)"]),
        ("pa-double-back-jack", []),
        ("pa-down-under-blackjack", []),
        ("md-spanish-21", [MD + "2.B(5)"]),
        ("s13-spanish-21", ["Section 13(f)(2)(ii)", "Section 13(g)(9)"]),
    ],
)
def test_signs(name: str, cites: list[str]) -> None:
    """Signs beside the layout; a sign that may stand instead of an inscription is its alternative."""
    assert [item.cite for item in full(name).of("sign")] == cites


@pytest.mark.parametrize(
    ("name", "named", "odds"),
    [
        ("pa-spanish-21", "58 Pa. Code § 635a.2(b)(1)", ["58 Pa. Code § 635a.2(b)(6)"]),
        ("pa-double-back-jack", "58 Pa. Code § 673a.2(b)(1)", ["58 Pa. Code § 673a.2(b)(5)"]),
        ("pa-down-under-blackjack", "58 Pa. Code § 685a.2(b)(1)", ["58 Pa. Code § 685a.2(b)(6)"]),
        ("md-spanish-21", MD + "2.B(1)", [MD + "2.B(6)(a)", MD + "2.B(6)(b)"]),
    ],
)
def test_name_and_odds_are_ordered(name: str, named: str, odds: list[str]) -> None:
    assert [item.cite for item in of(name).of("name")] == [named]
    assert [item.cite for item in of(name).of("odds")] == odds


@pytest.mark.parametrize(
    ("name", "boxes"),
    [("pa-spanish-21", 7), ("pa-double-back-jack", 6), ("pa-down-under-blackjack", 6), ("md-spanish-21", 7)],
)
def test_boxes(name: str, boxes: int) -> None:
    assert of(name).boxes == boxes


def test_sides_of_the_dealer() -> None:
    """Section 13(g)(1) and (3): the shoe at the dealer's left, the discard rack at his right."""
    sides = {item.device: item.side for item in of("s13-spanish-21").of("device")}
    assert (sides["shoe"], sides["discard_rack"]) == ("left", "right")


# -- conditions


@pytest.mark.parametrize("name", ["pa-spanish-21", "pa-down-under-blackjack", "md-spanish-21", "s13-spanish-21"])
def test_match_the_dealer_not_offered(name: str) -> None:
    """No area and no odds for a wager that is not offered."""
    readings = {"readings": {"s13-match": "optional"}} if name == "s13-spanish-21" else {}
    shown = of(name, match_the_dealer=False, **readings)
    assert [item for item in shown.items if item.wager == "match_the_dealer"] == []
    assert [payout for payout in shown.odds if payout.wager == "match_the_dealer"] == []


def test_four_decks_have_no_match_the_dealer() -> None:
    """685a.6(e): only with six or eight decks."""
    assert not any(item.wager == "match_the_dealer" for item in of("pa-down-under-blackjack", decks=4).items)


def test_wheels_of_maryland() -> None:
    """Area, devices and prizes come with the wager that they are for."""
    wheels = ("bonus_spin", "xtreme_16")
    assert not any(item.wager in wheels for item in of("md-spanish-21").items)
    one = of("md-spanish-21", bonus_spin="C")
    assert {item.wager for item in one.of("device") if item.wager} == {"bonus_spin"}
    assert [payout.pays for payout in one.odds if payout.wheel][:2] == ["its meter", "$5,000"]
    other = of("md-spanish-21", xtreme_16=True)
    assert {item.wager for item in other.of("device") if item.wager} == {"xtreme_16"}
    assert not any(item.wager == "bonus_spin" for item in other.items)


def test_notice_of_the_hole_card() -> None:
    """Section 13(g)(9): notice only of the alternate procedure, a reader only where it is used."""
    cite = "Section 13(g)(9)"
    assert not any(item.cite == cite for item in of("s13-spanish-21", hole_card="none").items)
    assert [item.item for item in of("s13-spanish-21", hole_card="unread").items if item.cite == cite] == ["sign"]
    read = of("s13-spanish-21", hole_card="reader")
    assert [item.item for item in read.items if item.cite == cite] == ["sign", "device"]


def test_a_maximum_is_posted_where_there_is_one() -> None:
    """Section 13(f)(2)(ii)."""
    assert not any(item.cite == "Section 13(f)(2)(ii)" for item in of("s13-spanish-21").items)
    posted = of("s13-spanish-21", match_the_dealer_maximum="12.50").of("sign")[0]
    assert posted.text.endswith(": $12.50")


# -- odds


@pytest.mark.parametrize(
    ("name", "submission", "text", "cite"),
    [
        ("pa-spanish-21", {}, "Spanish 21 Wager pays 1 to 1", "58 Pa. Code § 635a.12(a)"),
        ("pa-spanish-21", {}, "Blackjack pays 3 to 2", "58 Pa. Code § 635a.12(a)"),
        ("pa-spanish-21", {}, "6-7-8 of mixed suits pays 3 to 2", "58 Pa. Code § 635a.12(b)(1)"),
        ("pa-spanish-21", {}, "6-7-8 of spades pays 3 to 1", "58 Pa. Code § 635a.12(b)(2)"),
        ("pa-spanish-21", {}, "7-7-7 of one suit pays 2 to 1", "58 Pa. Code § 635a.12(b)(4)"),
        ("pa-spanish-21", {}, "21 in 5 cards pays 3 to 2", "58 Pa. Code § 635a.12(b)(5)"),
        ("pa-spanish-21", {}, "21 in 7 cards or more pays 3 to 1", "58 Pa. Code § 635a.12(b)(7)"),
        ("pa-spanish-21", {}, "Wager of $5 to below $25 pays $1,000", "58 Pa. Code § 635a.12(c)(1)"),
        ("pa-spanish-21", {}, "Wager of $25 or more pays $5,000", "58 Pa. Code § 635a.12(c)(2)"),
        ("pa-spanish-21", {}, "Other players' bonus pays $50", "58 Pa. Code § 635a.12(c)(3)"),
        ("pa-spanish-21", {}, "Insurance pays 2 to 1", "58 Pa. Code § 635a.12(d)"),
        ("pa-spanish-21", {}, "Each suited match pays 9 to 1", "58 Pa. Code § 635a.12(e)(1)"),
        ("pa-spanish-21", {"decks": 8}, "Each suited match pays 12 to 1", "58 Pa. Code § 635a.12(e)(2)"),
        ("pa-spanish-21", {"decks": 8}, "Each unsuited match pays 3 to 1", "58 Pa. Code § 635a.12(e)(2)"),
        ("pa-double-back-jack", {}, "Blackjack pays 2 to 1", "58 Pa. Code § 673a.12(a)"),
        ("pa-double-back-jack", {}, "Second Chance pays 1 to 1", "58 Pa. Code § 673a.12(b)"),
        ("pa-down-under-blackjack", {}, "Each suited match pays 11 to 1", "58 Pa. Code § 685a.11(c)"),
        ("pa-down-under-blackjack", {"decks": 8}, "Each suited match pays 14 to 1", "58 Pa. Code § 685a.11(c)"),
        ("md-spanish-21", {"bonus_spin": "B"}, "$15 symbol pays $15", MD + "12.D(2)(g)"),
        ("md-spanish-21", {"xtreme_16": True}, "$600 symbol pays $600", MD + "12.E(1)(d)"),
        (
            "s13-spanish-21",
            {"match_the_dealer_odds": {"suited": "10:1"}},
            "Each suited match pays 10 to 1",
            "Section 13(f)(5)(i)",
        ),
        ("s13-spanish-21", {}, "Insurance pays 2 to 1", "Section 13(k)(3)"),
        ("classic-blackjack", {"blackjack_pays": "6:5"}, "Blackjack pays 6 to 5", "Classic § 8(f)"),
    ],
)
def test_odds_in_words(name: str, submission: dict[str, Any], text: str, cite: str) -> None:
    """What a wager pays under this submission, from the clause that pays it."""
    assert (text, cite) in [(payout.text, payout.cite) for payout in of(name, **submission).odds]


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_clause_that_pays_is_told(name: str) -> None:
    """No payout in force is left out of the odds."""
    rules = Rulebook.load(name).under(EVERYTHING.get(name, {}))
    paying = (c.Pay, c.Band, c.Envy, c.Symbol, c.Community)
    wanted = {clause.cite for kind in paying for clause in rules.all(kind)}
    wanted |= {clause.cite for clause in rules.all(c.Match) if clause.decks == rules.submission["decks"]}
    assert {payout.cite for payout in layout(rules).odds} == wanted


@pytest.mark.parametrize("name", REGULATIONS)
def test_ordered_words_agree_with_the_odds(name: str) -> None:
    """An inscription that tells the odds of one wager says what the clauses pay."""
    shown = full(name)
    told = [
        item.text for item in shown.inscriptions if re.fullmatch(r"(Blackjack|Insurance) pays \d+ to \d+", item.text)
    ]
    assert set(told) <= {payout.text for payout in shown.odds}
    assert not set(told) & {payout.text for payout in shown.not_inscribed}


# -- as text and JSON


@pytest.mark.parametrize("name", rulebook_ids())
def test_text_and_json_hold_everything(name: str) -> None:
    shown = full(name)
    text, body = shown.as_text(), json.loads(json.dumps(shown.as_json()))
    for item in shown.items:
        assert item.item in ITEMS
        assert item.text in text
        assert item.cite in text
    for payout in shown.odds:
        assert payout.text in text
    assert [row["cite"] for row in body["items"]] == [item.cite for item in shown.items]
    assert [row["text"] for row in body["odds"]] == [payout.text for payout in shown.odds]
    assert body["boxes"] == shown.boxes


# -- the picture

SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [group for group in svg.iter(SVG + "g") if group.get("class") == kind]


def words(element: ElementTree.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


@pytest.mark.parametrize("name", rulebook_ids())
def test_picture_has_every_box_area_and_inscription(name: str) -> None:
    """Well-formed; one group a box, in each its areas; the ordered words as text."""
    shown = full(name)
    svg = ElementTree.fromstring(draw_layout(shown))
    boxes = groups(svg, "box")
    assert [box.get("data-box") for box in boxes] == [str(number) for number in range(1, shown.boxes + 1)]
    wagers = [item.wager for item in shown.of("area") if item.each == "box"]
    for box in boxes:
        assert sorted(group.get("data-wager") or "" for group in groups(box, "area")) == sorted(wagers)
    said = [words(text) for group in groups(svg, "inscription") for text in group.iter(SVG + "text")]
    assert [item.text for item in shown.inscriptions if item.text not in said] == []
    assert len(groups(svg, "dealer-area")) == sum(bool(item.range) for item in shown.of("dealer_area"))


@pytest.mark.parametrize("name", rulebook_ids())
def test_box_1_is_at_the_right(name: str) -> None:
    """As a player sees it, the dealer's left is the right of the picture; the boxes run to the left."""
    svg = ElementTree.fromstring(draw_layout(full(name)))
    across = [re.match(r"translate\(([\d.]+) ", box.get("transform") or "") for box in groups(svg, "box")]
    places = [float(found[1]) for found in across if found]
    assert places == sorted(places, reverse=True)
    assert places[0] > 720 > places[-1]


@pytest.mark.parametrize("name", rulebook_ids())
def test_picture_is_accessible_and_stands_alone(name: str) -> None:
    """Title and description, unique ids, references only into itself, nothing fetched."""
    text = draw_layout(full(name))
    svg = ElementTree.fromstring(text)
    assert [child.tag for child in svg][:2] == [SVG + "title", SVG + "desc"]
    ids = [element.get("id") for element in svg.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = re.findall(r'(?:href="|url\()#([^")]+)', text)
    assert set(targets) <= set(ids)
    assert set((svg.get("aria-labelledby") or "").split()) <= set(ids)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "@import" not in text
    assert "<image" not in text


def test_picture_without_signs() -> None:
    shown = full("md-spanish-21")
    assert len(groups(ElementTree.fromstring(draw_layout(shown)), "notice")) == 3
    assert groups(ElementTree.fromstring(draw_layout(shown, signs=False)), "notice") == []


def test_picture_follows_the_submission() -> None:
    """No area is drawn for a wager that is not offered."""
    assert "match_the_dealer" in draw_layout(of("pa-spanish-21"))
    assert "match_the_dealer" not in draw_layout(of("pa-spanish-21", match_the_dealer=False))


def test_a_device_is_drawn_on_its_side() -> None:
    """The shoe at the dealer's left is right of the middle, the rack left of it."""
    svg = ElementTree.fromstring(draw_layout(of("s13-spanish-21")))
    places = {words(group).rpartition(") ")[2]: group.get("transform") or "" for group in groups(svg, "equipment")}
    assert int(places["shoe"][10:].split()[0]) > 720 > int(places["discard rack"][10:].split()[0])


# -- the command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, whether or not the list of commands has it yet."""
    monkeypatch.setattr(cli, "COMMANDS", tuple(dict.fromkeys((*cli.COMMANDS, "layout"))))


def submission(folder: Path, text: str) -> str:
    path = folder / "submission.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.usefixtures("command")
def test_command_prints_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layout", "pa-spanish-21"]) == 0
    out = capsys.readouterr().out
    assert '"Blackjack pays 3 to 2"' in out
    assert "58 Pa. Code § 635a.2(b)(3)(i)" in out


@pytest.mark.usefixtures("command")
def test_command_with_a_submission_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chosen = submission(tmp_path, 'rulebook = "pa-spanish-21"\nmatch_the_dealer = false\n')
    assert main(["layout", "pa-spanish-21", "--submission", chosen, "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert not any(row["wager"] == "match_the_dealer" for row in body["items"])


@pytest.mark.usefixtures("command")
def test_command_draws(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "layout.svg"
    assert main(["layout", "pa-down-under-blackjack", "--svg", str(target)]) == 0
    assert "Small, 2-3-4-5" in capsys.readouterr().out
    assert ElementTree.parse(target).getroot().tag == SVG + "svg"
    assert main(["layout", "pa-down-under-blackjack", "--svg", "-"]) == 0
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")


@pytest.mark.usefixtures("command")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("decks = 5", "635a.3(a)"),
        ("layouts = 5", "submission.layouts"),
        ("decks =", "not TOML"),
        ('rulebook = "md-spanish-21"', "md-spanish-21"),
    ],
)
def test_command_refuses(text: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A submission that the text forbids, or none at all: exit 2, one line, nothing printed."""
    assert main(["layout", "pa-spanish-21", "--submission", submission(tmp_path, text)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("command")
@pytest.mark.parametrize(
    "arguments",
    [["poker"], ["pa-spanish-21", "--submission", "/nowhere.toml"], ["pa-spanish-21", "--svg", "/nowhere/a.svg"], []],
)
def test_command_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is not there: exit 64."""
    with pytest.raises(SystemExit) as left:
        main(["layout", *arguments])
    assert left.value.code == 64
    assert capsys.readouterr().out == ""


# -- what the operator says, and what the table needs beside the layout

FOUR = {
    "pa-spanish-21": ("635a.2(a)", "635a.3(a)", "635a.5(h)", "635a.12(a)"),
    "pa-double-back-jack": ("673a.2(a)", "673a.3(a)", "673a.5(h)", "673a.12(a)"),
    "pa-down-under-blackjack": ("685a.2(a)", "685a.3(a)", "685a.5(h)", "685a.11(a)"),
    "md-spanish-21": ("Ch. 2.A", "Ch. 3.A", "Ch. 5.J", "Ch. 12.A(1)"),
}
"""The paragraphs on positions, cover card, continuous shuffler and odds."""


@pytest.mark.parametrize("name", FOUR)
def test_fewer_positions_cover_card_and_shuffler_stand_on_list_and_drawing(name: str) -> None:
    positions, cover, shuffler, _ = FOUR[name]
    shown = of(name, boxes=4, shuffler="continuous")
    drawn = draw_layout(shown)
    assert shown.boxes == drawn.count('class="box"') == 4
    assert next(item for item in shown.of("box")).cite.endswith(positions)
    devices = {item.device: item.cite for item in shown.of("device")}
    assert devices["cover_card"].endswith(cover)
    assert devices["shuffler"].endswith(shuffler)
    assert all(f">{label}<" in drawn for label in ("cover card", "shuffler"))


@pytest.mark.parametrize("name", [*FOUR, "s13-spanish-21"])
def test_the_odds_of_doubles_and_splits_are_listed_and_drawn(name: str) -> None:
    shown = of(name)
    rows = {row.wager: row for row in shown.odds if row.wager in ("double", "split")}
    assert {row.text for row in rows.values()} == {"Double Down Wager pays 1 to 1", "Wager on a split pair pays 1 to 1"}
    assert all(row.cite.endswith(FOUR[name][3]) for row in rows.values() if name in FOUR)
    assert "Double Down Wager pays 1 to 1" in draw_layout(shown)


def test_section_13_shows_its_cutting_card_and_shuffler() -> None:
    devices = {item.device: item.cite for item in of("s13-spanish-21", shuffler="automated").of("device")}
    assert (devices["cover_card"], devices["shuffler"]) == ("Section 13(b)(1)", "Section 13(o)(11)")


def test_the_payout_limit_of_a_hand_is_on_a_sign() -> None:
    signs = {item.text: item.cite for item in of("md-spanish-21", payout_limit="25000").of("sign")}
    assert signs["The most that is paid on a hand: $25,000"] == MD + "2.B(6)(b)"
    assert not any("most that is paid" in item.text for item in of("md-spanish-21").of("sign"))
