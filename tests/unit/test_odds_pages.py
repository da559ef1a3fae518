"""Cache, prices, charts as text, page and picture: what stands around the figures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from twentyone.cards import parse_cards
from twentyone.odds import cache
from twentyone.odds.effects import house_edge
from twentyone.odds.prices import ANY, changes, play_of, prices
from twentyone.odds.render import as_html, as_png, as_text, sections
from twentyone.odds.variants import variants
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.strategy import default_strategy

PA, S13, OUR = "pa-spanish-21", "s13-spanish-21", "classic-blackjack"


def rules_of(book: str, **submission: object) -> Rules:
    return Rulebook.load(book).under(submission)


# -- cache


def counting(body: dict[str, Any]) -> tuple[Callable[[], dict[str, Any]], list[int]]:
    made: list[int] = []

    def make() -> dict[str, Any]:
        made.append(1)
        return body

    return make, made


def test_a_result_is_made_once(tmp_path: Path) -> None:
    make, made = counting({"edge": 0.5})
    assert cache.kept("key", make, tmp_path) == ({"edge": 0.5}, False)
    assert cache.kept("key", make, tmp_path) == ({"edge": 0.5}, True)
    assert len(made) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", "\0"])
def test_a_broken_result_is_made_again(content: str, tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text(content)
    make, made = counting({"edge": 0.5})
    assert cache.kept("key", make, tmp_path) == ({"edge": 0.5}, False)
    assert cache.kept("key", make, tmp_path)[1] is True
    assert len(made) == 1


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    make, _ = counting({"edge": 0.5})
    assert cache.kept("key", make, tmp_path / "file" / "cache") == ({"edge": 0.5}, False)


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "twentyone" / "odds"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.folder() == tmp_path / "home" / ".cache" / "twentyone" / "odds"


def test_keys_tell_rulebook_submission_readings_and_purpose_apart() -> None:
    others = [
        cache.key_of(rules_of(PA, decks=8)),
        cache.key_of(rules_of(PA, readings={"split-21": "win"})),
        cache.key_of(rules_of("md-spanish-21")),
        cache.key_of(rules_of(PA), "chart"),
    ]
    assert len({cache.key_of(rules_of(PA)), *others}) == 5
    assert cache.key_of(rules_of(PA)) == cache.key_of(rules_of(PA, decks=6))


# -- prices


def test_every_key_and_every_reading_has_a_price() -> None:
    for book in rulebook_ids():
        rules = rules_of(book)
        found = {(kind, key) for kind, key, _, _ in changes(rules)}
        keys = {c.name for c in rules.rulebook.clauses if isinstance(c, SubmissionKey) and not c.fixed}
        readings = {reading.name for reading in rules.rulebook.readings if len(reading.values) > 1}
        assert found == {("submission", key) for key in keys} | {("reading", name) for name in readings}


def test_a_change_that_no_round_reads_is_free_and_not_analysed() -> None:
    asked: list[Rules] = []

    def edge(rules: Rules) -> float:
        asked.append(rules)
        return 0.01 * len(asked)

    found = prices(rules_of(PA), edge)
    free = {price.key for price in found if price.effect == 0}
    assert {"settlement", "chip_unit", "boxes_per_player", "shuffler", "adjacent-boxes", "match_the_dealer"} <= free
    assert not {"decks", "max_split_hands", "split-aces", "split-21"} & free
    assert len({play_of(rules) for rules in asked}) == len(asked)


def test_effects_are_differences() -> None:
    found = prices(rules_of(OUR), lambda rules: 0.004 + 0.002 * bool(rules.dealer.hits_soft))
    (soft,) = (price for price in found if price.key == "dealer_hits_soft_17")
    assert [price.effect for price in found if price.key == "dealer"] == [pytest.approx(0.002)]
    assert soft.effect == pytest.approx(0.002)
    assert (soft.before, soft.after) == ("no", "yes")
    assert json.loads(json.dumps(soft.body()))["cite"] == soft.cite


def test_a_reading_that_matters_elsewhere_is_priced_there() -> None:
    """Section 13's late Blackjack exists only without a reader."""

    def edge(rules: Rules) -> float:
        late = rules.submission["hole_card"] != "reader"
        return 0.01 * (late and rules.submission.readings["s13-bust-then-blackjack"] == "original-only")

    found = prices(rules_of(S13), edge)
    (price,) = (row for row in found if row.key == "s13-bust-then-blackjack")
    assert price.effect == pytest.approx(0.01)
    assert price.note == "with hole_card = none; otherwise none"


def test_side_wagers_are_priced_beside() -> None:
    found = {price.key: price for price in prices(rules_of("pa-down-under-blackjack"), lambda _: 0.0)}
    assert found["dub-both-match"].sides["match_the_dealer"] > 0
    wheels = {price.key: price for price in prices(rules_of("md-spanish-21"), lambda _: 0.0)}
    assert set(wheels["md-wheel-stake"].sides) == {"bonus_spin", "xtreme_16"}
    assert all(change < 0 for change in wheels["md-wheel-stake"].sides.values())


def test_a_change_that_the_text_refuses_says_so() -> None:
    found = prices(rules_of("pa-down-under-blackjack", decks=4), lambda _: 0.0)
    (price,) = (row for row in found if row.key == "match_the_dealer")
    assert price.effect is None
    assert "685a" in price.note
    assert set(ANY) == {"any amount", "any other"}


# -- rules taken away


def test_a_rule_taken_away_is_gone_and_the_game_itself_is_not_touched() -> None:
    rules = rules_of(PA)
    found = list(variants(rules))
    (rescue,) = (row for row in found if row.key == "decision.rescue")
    assert "rescue" not in rescue.rules.decisions
    assert "rescue" in rules.decisions
    assert rescue.cite == "58 Pa. Code § 635a.10(d)"
    paid = [row.says for row in found if row.key == "pay"]
    assert len(paid) == 10
    assert {"Blackjack pays 3:2", "7-7-7 of spades pays 3:1", "21 in 7 cards or more pays 3:1"} <= set(paid)
    assert {row.after for row in found if row.key in ("dealer", "decision.double")} >= {"he hits soft 17", "on 2 only"}


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_rule_taken_away_leaves_a_game_that_answers(book: str) -> None:
    """A 19 still beats an 18, whatever single rule is gone."""
    rules = rules_of(book)
    for variant in variants(rules):
        player, dealer = variant.rules.hand(parse_cards("KS 9D")), variant.rules.dealer_hand(parse_cards("KH 8D"))
        assert variant.rules.outcome(player, dealer).result == "win"
        assert play_of(variant.rules) != play_of(rules)


def test_what_helps_the_player_costs_him_when_it_is_gone() -> None:
    """An option less never lowers the house edge: exactly worked out in Down Under."""
    rules = rules_of("pa-down-under-blackjack")
    edge = house_edge(rules)
    for variant in variants(rules):
        if variant.key in ("decision.double", "decision.split", "pay", "outcome") and variant.after == "taken away":
            assert house_edge(variant.rules) >= edge - 1e-12


# -- charts for people


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_cell_stands_in_the_text_and_on_the_page(book: str) -> None:
    rules = rules_of(book)
    strategy = default_strategy(rules)
    text, page = as_text(strategy, rules), as_html(strategy, rules)
    for section in sections(strategy):
        assert section.title in text
        assert section.title in page
        for chart in section.charts:
            for label, cells in chart.rows:
                row = rf"{re.escape(label)}\s+" + r"\s+".join(map(re.escape, cells))
                assert re.search(row, text)
    assert "Legend" in text
    assert "Insurance: never" in page


def test_the_picture_is_a_png() -> None:
    rules = rules_of(OUR)
    assert as_png(default_strategy(rules), rules).startswith(b"\x89PNG")
