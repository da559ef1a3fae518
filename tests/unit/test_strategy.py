"""Strategies: charts as data, the situations of the law, refusals of what cannot be."""

from __future__ import annotations

from random import Random

import pytest
from tests.contracts.strategy_player import fresh_shoe, play_round, play_strategy

from twentyone.cards import parse_cards
from twentyone.errors import NotAScript, Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.round import Round
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import (
    Cell,
    CellKey,
    Situation,
    Strategy,
    chart_cells,
    default_strategy,
    from_csv,
    from_json,
    hole_conditions,
    legend,
    read_strategy,
    special_hand,
    to_csv,
    to_json,
)

PA, DBJ, DUB, S13, MD, OUR = (
    "pa-spanish-21",
    "pa-double-back-jack",
    "pa-down-under-blackjack",
    "s13-spanish-21",
    "md-spanish-21",
    "classic-blackjack",
)


def rules_of(book: str, **submission: object) -> Rules:
    return Rulebook.load(book).under(submission)


def situation_of(total: int, up: str, may: str, **more: object) -> Situation:
    fields = {"phase": "first", "soft": False, "pair": None, "cards": 2, **more}
    return Situation(total=total, up=up, may=frozenset(may.split()), **fields)  # type: ignore[arg-type]


def strategy_of(book: str, cells: dict[CellKey, str], **more: object) -> Strategy:
    return Strategy(book, {place: Cell.parse(text) for place, text in cells.items()}, **more)  # type: ignore[arg-type]


# -- cells


@pytest.mark.parametrize("text", ["H", "S", "D", "Ds", "P", "R", "Rh", "Rs", "D4", "S5*", "Ds3†", "P‡", "S‡", "C", "N"])
def test_a_cell_is_written_as_it_is_read(text: str) -> None:
    assert str(Cell.parse(text)) == text


@pytest.mark.parametrize("text", ["", "X", "h", "D*4", "S**", "Rp", "4", "*", "S 4"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no cell"):
        Cell.parse(text)


def test_numbers_and_marks_make_a_hit() -> None:
    assert not Cell.parse("S4").hits_instead(3, "")
    assert Cell.parse("S4").hits_instead(4, "")
    for mark, hit in (("*", "any suited spades"), ("†", "suited spades"), ("‡", "spades")):
        wanted = [Cell("S", None, mark).hits_instead(2, bonus) for bonus in ("", "any", "suited", "spades")]
        assert wanted == [bonus in hit.split() for bonus in ("none", "any", "suited", "spades")]


def test_the_legend_explains_every_letter_number_and_mark_in_use() -> None:
    rules = rules_of(PA)
    words = legend(default_strategy(rules).cells.values())
    used = {str(cell) for cell in default_strategy(rules).cells.values()}
    explained = {sign for sign, _ in words}
    assert {cell.letter for cell in map(Cell.parse, used)} <= explained
    assert ("4" in explained) == any(any(sign.isdigit() for sign in cell) for cell in used)


# -- deciding


@pytest.mark.parametrize(
    ("cell", "may", "wanted"),
    [
        ("H", "hit stand", "hit"),
        ("D", "hit stand double", "double"),
        ("D", "hit stand", "hit"),
        ("Ds", "hit stand", "stand"),
        ("D3", "hit stand double", "hit"),
        ("Rh", "hit stand surrender", "surrender"),
        ("Rh", "hit stand", "hit"),
        ("Rs", "hit stand", "stand"),
        ("H", "stand", "stand"),
        ("S3", "stand", "stand"),
    ],
)
def test_a_letter_means_the_first_decision_that_is_allowed(cell: str, may: str, wanted: str) -> None:
    strategy = strategy_of(OUR, {CellKey("first", "", "hard", "15", "6"): cell})
    assert strategy.decide(situation_of(15, "6", may, cards=3)) == wanted


def test_offers_are_answered() -> None:
    strategy = strategy_of(
        DBJ,
        {
            CellKey("doubled", "", "hard", "13", "9"): "R",
            CellKey("busted", "", "hard", "22", "9"): "C",
            CellKey("busted", "", "hard", "23", "9"): "N",
        },
        insurance={"even_money": True},
    )
    assert strategy.decide(situation_of(13, "9", "rescue decline", phase="doubled")) == "rescue"
    assert strategy.decide(situation_of(22, "9", "second_chance decline", phase="busted")) == "second_chance"
    assert strategy.decide(situation_of(23, "9", "second_chance decline", phase="busted")) == "decline"
    assert strategy.decide(situation_of(21, "A", "insure even_money decline", phase="insurance")) == "even_money"
    assert strategy.decide(situation_of(20, "A", "insure decline", phase="insurance")) == "decline"


def test_a_pair_that_may_not_split_is_its_total() -> None:
    cells = {CellKey("split", "", "pairs", "8", "6"): "P", CellKey("split", "", "hard", "16", "6"): "S"}
    strategy = strategy_of(OUR, cells)
    assert strategy.decide(situation_of(16, "6", "hit stand split", phase="split", pair="8")) == "split"
    assert strategy.decide(situation_of(16, "6", "hit stand", phase="split")) == "stand"


def test_before_the_reader_the_first_chart_speaks_where_there_is_no_other() -> None:
    strategy = strategy_of(
        S13, {CellKey("first", "", "hard", "16", "A"): "Rh", CellKey("first", "", "hard", "15", "A"): "H"}
    )
    assert strategy.decide(situation_of(16, "A", "surrender decline", phase="early")) == "surrender"
    assert strategy.decide(situation_of(15, "A", "surrender decline", phase="early")) == "decline"


def test_a_place_without_a_cell_is_told() -> None:
    with pytest.raises(Refused, match="no cell for first, hard 15 against 6"):
        strategy_of(OUR, {CellKey("first", "", "hard", "20", "6"): "S"}).decide(situation_of(15, "6", "hit stand"))


# -- situations


@pytest.mark.parametrize(
    ("cards", "kind"),
    [("6S 7S", "spades"), ("6H 8H", "suited"), ("7H 8S", "any"), ("7D 7D", "suited"), ("7S 7H", "any"), ("6S 6S", ""),
     ("6S 7S 8S", ""), ("6H 2D", ""), ("KS 7S", "")],
)  # fmt: skip
def test_special_hands_that_are_still_possible(cards: str, kind: str) -> None:
    assert special_hand(rules_of(PA), parse_cards(cards)) == kind
    assert special_hand(rules_of(OUR), parse_cards(cards)) == ""


def test_special_hands_after_a_split_as_each_text_has_it() -> None:
    """635a.11(e) bars the bonuses on split hands; Section 13(j)(5) bars only the super bonus."""
    cards = parse_cards("7S 8S")
    assert special_hand(rules_of(PA), cards, split=True) == ""
    assert special_hand(rules_of(S13), cards, split=True) == "spades"


def test_what_is_known_of_the_hole_card() -> None:
    """685a.7(h): the range is announced; two Large cards without a Blackjack are shown."""
    rules = rules_of(DUB)
    assert hole_conditions(rules, "6") == ("small", "medium", "large")
    assert hole_conditions(rules, "10") == ("small", "medium", "=10")
    assert hole_conditions(rules, "A") == ("small", "medium", "=A")
    assert hole_conditions(rules_of(PA), "6") == ("",)


def phases_of(rules: Rules) -> set[str]:
    return {place.phase for place in chart_cells(rules)}


def test_every_rulebook_has_the_phases_of_its_text() -> None:
    assert phases_of(rules_of(OUR)) == {"first", "split"}
    assert phases_of(rules_of(PA)) == {"first", "split", "doubled"}
    assert phases_of(rules_of(MD)) == {"first", "split", "doubled"}
    assert phases_of(rules_of(S13)) == {"first", "split", "doubled"}
    assert phases_of(rules_of(DBJ)) == {"first", "split", "busted"}
    assert phases_of(rules_of(DUB)) == {"first", "split"}
    early = rules_of(S13, readings={"s13-surrender-timing": "before-reader"})
    assert phases_of(early) == {"first", "split", "doubled", "early"}
    assert {place.up for place in chart_cells(early) if place.phase == "early"} == {"10", "A"}


def test_places_know_what_is_allowed() -> None:
    found = chart_cells(rules_of(PA))
    assert found[CellKey("first", "", "hard", "16", "10")] == {"hit", "stand", "double", "surrender"}
    assert found[CellKey("split", "", "hard", "16", "10")] == {"hit", "stand", "double"}
    assert found[CellKey("first", "", "pairs", "8", "10")] == {"hit", "stand", "double", "surrender", "split"}
    assert found[CellKey("doubled", "", "hard", "16", "10")] == {"rescue", "decline"}
    assert CellKey("first", "", "hard", "21", "10") not in found
    soft = rules_of(PA, readings={"double-on-21": "soft-only"})
    assert "double" in chart_cells(soft)[CellKey("first", "", "soft", "21", "10")]
    assert "surrender" not in chart_cells(rules_of(DUB))[CellKey("first", "small", "hard", "16", "10")]
    assert {place.row for place in chart_cells(rules_of(DBJ)) if place.phase == "busted"} == {
        str(n) for n in range(22, 31)
    }


# -- the default charts, played by the round


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_default_chart_is_complete_and_legal(book: str) -> None:
    rules = rules_of(book)
    assert default_strategy(rules).check(rules).rulebook == book


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_decision_of_a_round_is_found_in_the_chart(book: str) -> None:
    rules, rng = rules_of(book), Random(20260101)
    strategy = default_strategy(rules)
    for _ in range(60):
        assert play_strategy(rules, strategy, fresh_shoe(rules, rng)).over


def test_a_round_asks_for_every_phase() -> None:
    seen: set[str] = set()

    def choose(asked: Situation) -> str:
        seen.add(asked.phase)
        order = ("even_money", "split", "double", "rescue", "second_chance", "hit", "surrender", "decline", "stand")
        return next(name for name in order if name in asked.may)

    rng = Random(7)
    for book in rulebook_ids():
        readings = {"readings": {"s13-surrender-timing": "before-reader"}} if book == S13 else {}
        rules = rules_of(book, **readings)
        for _ in range(40):
            start = Round.start(rules, [{"box": 1, "player": "Ann", "main": "10"}])
            play_round(start, fresh_shoe(rules, rng), choose)
    assert seen == {"first", "split", "doubled", "busted", "early", "insurance"}


def test_a_chosen_round_goes_as_the_chart_says() -> None:
    """8-8 against 6 is split, the first hand doubles 11, the dealer busts: 10 + 10 + 10."""
    rules = rules_of(OUR)
    round_ = play_strategy(rules, default_strategy(rules), parse_cards("8S 6H 8D 10C 3S 10S 10H 10D"))
    assert [row.wager for row in round_.state.rows] == ["main", "double", "split"]
    assert round_.net == {"Ann": Amount("30")}


# -- files


@pytest.mark.parametrize("book", rulebook_ids())
def test_json_and_csv_there_and_back(book: str) -> None:
    strategy = default_strategy(rules_of(book))
    assert from_json(to_json(strategy)) == strategy
    assert from_csv(to_csv(strategy)) == strategy
    assert read_strategy(to_csv(strategy), rules_of(book)) == strategy


def test_a_missing_cell_is_refused_with_its_place_and_paragraph() -> None:
    rules = rules_of(PA)
    whole = default_strategy(rules)
    gone = CellKey("first", "", "hard", "16", "6")
    left = Strategy(PA, {place: cell for place, cell in whole.cells.items() if place != gone})
    with pytest.raises(Refused, match=r"first, hard 16 against 6: the cell is missing.*635a\.7\(h\)"):
        left.check(rules)


@pytest.mark.parametrize(
    ("book", "place", "cell", "said", "cite"),
    [
        (PA, CellKey("split", "", "hard", "16", "10"), "Rh", "may not surrender", "635a.9(a)"),
        (PA, CellKey("first", "", "hard", "16", "10"), "P", "may not split", "635a.11(a)"),
        (DUB, CellKey("first", "small", "hard", "16", "10"), "Rh", "may not surrender", "685a.7(i)(2)"),
        (OUR, CellKey("first", "", "hard", "16", "10"), "Rh", "may not surrender", "5(e)"),
        (PA, CellKey("doubled", "", "hard", "16", "10"), "C", "may not second chance", "635a.7(h)(2)"),
        (PA, CellKey("doubled", "", "hard", "16", "10"), "H", "no meaning", "635a.7(h)(2)"),
        (PA, CellKey("first", "", "hard", "16", "10"), "S2", "no exception", "635a.7(h)(2)"),
        (PA, CellKey("first", "", "hard", "22", "10"), "S", "is ever asked", "635a.7(h)"),
    ],
)
def test_an_illegal_cell_is_refused_with_its_paragraph(
    book: str, place: CellKey, cell: str, said: str, cite: str
) -> None:
    rules = rules_of(book)
    wrong = default_strategy(rules).with_cell(place, Cell.parse(cell))
    with pytest.raises(Refused) as refused:
        wrong.check(rules)
    assert said in refused.value.why
    assert refused.value.cite.endswith(cite)
    assert refused.value.step == str(place)


def test_a_strategy_for_another_rulebook_is_refused() -> None:
    with pytest.raises(Refused, match="for pa-spanish-21, not for md-spanish-21"):
        default_strategy(rules_of(PA)).check(rules_of(MD))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "strategy/1"}', '{"format": "strategy/1", "charts": [3], "rulebook": "x"}',
     '{"format": "strategy/1", "charts": [], "rulebook": 3}', '{"format": "strategy/1", "charts": [], "what": 1}',
     '{"format": "strategy/1", "rulebook": "x", "charts": [{"phase": "first", "hand": "hard", "rows": {"16": "S"}}]}',
     '{"format": "strategy/1", "rulebook": "x", "charts": [{"phase": "late", "hand": "hard", "rows": {"16": "S"}}]}',
     '{"format": "strategy/1", "rulebook": "x", "charts": [{"phase": "first", "hand": "hard", "rows": {"x": "S"}}]}',
     '{"format": "strategy/1", "rulebook": "x", "charts": [], "insurance": {"insure": "yes"}}',
     "strategy/1,x\nfirst,,hard,16,S", "strategy/1,x\ninsurance,insure,maybe", "strategy/1,x,,,no", "\0", "a,b\n\0"],
)  # fmt: skip
def test_a_text_that_is_no_strategy_is_told(text: str) -> None:
    with pytest.raises(TwentyoneError):
        read_strategy(text, rules_of(PA))


def test_a_cell_twice_is_told() -> None:
    text = to_csv(default_strategy(rules_of(OUR)))
    with pytest.raises(NotAScript, match="stands there twice"):
        from_csv(text + text.splitlines()[-1])
