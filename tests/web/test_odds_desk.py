"""The pages of odds, charts and simulations as they are answered: every game, every figure, every refusal."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.analyses import best
from tests.patience import until_soon
from tests.web.inside import Inside
from tests.web.test_api_security import in_house
from twentyone.odds import split_joints
from twentyone.odds.report import report, shown
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.service.jobs import DeskJob
from twentyone.service.questions import question_of
from twentyone.service.service import Service
from twentyone.strategy import default_strategy, from_csv, to_csv, to_json
from twentyone.web.pages.figures import figure_said, points, share

CLASSIC, PA = "classic-blackjack", "pa-spanish-21"
FIGURE = re.compile(r'data-figure="(\w+)">([^<]*)<')
CELL = re.compile(r'<td class="[^"]*"><a href="([^"]*)" title="([^"]*)"[^>]*>([^<]*)<')


@cache
def odds_body(book: str) -> dict[str, Any]:
    """The odds of a game; of most splits two hands are not followed together, which takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_joints, "MOST_PAIRS", 2_000)
        return report(best(book))


def keep(service: Service, kind: str, body: dict[str, Any], **asked: Any) -> str:
    question = question_of(kind, asked)
    service.jobs.answers.keep(question, body)
    return question.id


def figures(page: str) -> list[tuple[str, str]]:
    return [(name, unescape(value)) for name, value in FIGURE.findall(page)]


def _is_over(job: DeskJob) -> bool:
    return job.over


async def page(inn: Inside, address: str, kind: str = "visitor") -> str:
    answer = await inn.clients[kind].get(f"//{address}")
    assert answer.status_code == 200, answer.text
    return answer.text


def fresh(inn: Inside, folder: Path) -> Service:
    """The service with nothing worked out yet."""
    inn.service.jobs.answers.folder = folder / "answers"
    return inn.service


def test_the_odds_of_every_game_are_shown_as_the_report_has_them(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        for book in rulebook_ids():
            body = odds_body(book)
            assert "data-ask" in await page(inn, f"odds?game={book}")
            keep(service, "odds", body, rulebook=book)
            text = await page(inn, f"odds?game={book}")
            wanted = [(figure.name, figure_said(figure.form, body[figure.name])) for figure in shown(body)]
            assert figures(text) == wanted, book
            for row in (*body["distribution"], *body["bonuses"]):
                assert share(row["probability"]) in text, (book, row)
            for name, wager in body["side_wagers"].items():
                assert f"side-{name}" in text
                assert str(wager["fraction"]) in text
            for reading in Rulebook.load(book).readings:
                assert f'data-key="readings.{reading.name}"' in text or len(reading.values) == 1

    in_house(tmp_path, ask)


def test_two_games_stand_side_by_side_with_their_difference(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        one, two = odds_body(CLASSIC), odds_body(PA)
        keep(service, "odds", one, rulebook=CLASSIC)
        assert (await page(inn, f"odds?game={CLASSIC}&beside={PA}")).count('data-part="soon"') == 1
        keep(service, "odds", two, rulebook=PA)
        text = await page(inn, f"odds?game={CLASSIC}&beside={PA}")
        both = [value for name, value in figures(text) if name == "house_edge"]
        assert both == [share(one["house_edge"]), share(two["house_edge"])]
        assert points(two["house_edge"] - one["house_edge"]) in text

    in_house(tmp_path, ask)


def test_a_choice_that_was_moved_shows_what_it_changes(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        body = {**odds_body(CLASSIC), "house_edge": 0.0123}
        keep(fresh(inn, tmp_path), "odds", body, rulebook=CLASSIC, submission={"decks": 8})
        text = await page(inn, f"odds?game={CLASSIC}&submission=" + quote('{"decks":8}'))
        moved = points(0.0123 - odds_body(CLASSIC)["house_edge"])
        assert f'data-part="moved">{moved}' in text
        assert f"against {share(odds_body(CLASSIC)['house_edge'])} by default" in text
        assert re.search(r'name="decks" value="8"[^>]*data-default="6"', text)

    in_house(tmp_path, ask)


def test_prices_are_sorted_with_the_dearest_first(tmp_path: Path) -> None:
    changes = [
        ("decks", 0.001, "no"),
        ("surrender", -0.004, ""),
        ("tens", 0.0, "nothing"),
        ("charlie", None, "refused"),
    ]
    rows: list[dict[str, Any]] = [
        {"kind": "submission", "key": key, "before": "a", "after": "b", "cite": "Classic § 1(a)", "effect": effect,
         "note": note, "sides": {}}
        for key, effect, note in changes
    ]  # fmt: skip
    removal = [{"rank": "A", "ranks": ["A"], "effect": 0.0009}]

    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        keep(service, "odds", odds_body(CLASSIC), rulebook=CLASSIC)
        keep(service, "prices", {"effects": rows, "removal": removal}, rulebook=CLASSIC)
        text = (await page(inn, f"odds?game={CLASSIC}")).partition('data-part="prices"')[2]
        assert text.index("surrender: a → b") < text.index("decks: a → b") < text.index("tens: a → b")
        assert "2 changes without an effect" in text
        assert "−0.4000\u00a0%" in text

    in_house(tmp_path, ask)


@pytest.mark.parametrize("where", ["odds", "strategy", "simulate"])
def test_a_submission_that_the_text_forbids_is_refused_with_its_paragraph(tmp_path: Path, where: str) -> None:
    async def ask(inn: Inside) -> None:
        text = await page(inn, f"{where}?game={PA}&rounds=1000&submission=" + quote('{"decks":3}'))
        assert 'data-part="refused"' in text
        assert f'href="/law/{PA}#635a.3(a)"' in text
        assert "data-ask" not in text
        assert 'data-part="refused"' in await page(inn, f"{where}?game={PA}&submission=" + quote('{"readings":5}'))
        assert "it is not JSON" in unescape(await page(inn, f"{where}?game={PA}&submission=%7B"))
        assert (await inn.clients["visitor"].get(f"//{where}?game=none")).status_code == 404

    in_house(tmp_path, ask)


def test_the_chart_of_every_game_has_every_cell_and_its_letter(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        for book in rulebook_ids():
            strategy = default_strategy(Rulebook.load(book).under())
            found = {
                title.rpartition(":")[0]: letter
                for _, title, letter in CELL.findall(await page(inn, f"strategy?game={book}"))
            }
            assert found == {str(key): str(cell) for key, cell in strategy.cells.items()}, book
            body = {"strategy": to_json(strategy), "house_edge": 0.01, "cost": 0.001, "departures": [], "cells": []}
            name = keep(service, "chart", body, rulebook=book)
            text = await page(inn, f"strategy?game={book}")
            assert [("house_edge", share(0.01)), ("cost", share(0.001))] == figures(text)
            assert f"/strategy/{name}.csv" in text
            written = await page(inn, f"strategy/{name}.csv")
            assert written == to_csv(strategy)
            assert from_csv(written).cells == strategy.cells

    in_house(tmp_path, ask)


def test_a_chart_of_ones_own_shows_where_it_loses(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        strategy = default_strategy(Rulebook.load(CLASSIC).under())
        cells = [{"cell": ["first", "", "hard", "16", "6"], "lost": 0.0123}]
        body = {
            "strategy": to_json(strategy),
            "house_edge": 0.02,
            "optimum": 0.01,
            "cost": 0.01,
            "departures": [],
            "cells": cells,
        }
        name = keep(fresh(inn, tmp_path), "chart", body, rulebook=CLASSIC, chart="mine")
        text = await page(inn, f"strategy?own={name}")
        assert "first, hard 16 against 6: S, costs 1.2300\u00a0%" in text
        assert "1.23000\u00a0%" in text.partition('data-part="costs"')[2]
        assert f"/simulate?own={name}" in text
        assert "Played by your own chart" in await page(inn, f"simulate?own={name}")
        assert (await inn.clients["visitor"].get(f"//strategy?own={'0' * 64}")).status_code == 404

    in_house(tmp_path, ask)


def test_more_rounds_than_a_guest_may_have_are_refused_with_what_is_possible(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        for kind, most in (("visitor", "100,000,000"), ("guest", "1,000,000,000")):
            text = unescape(await page(inn, f"simulate?game={CLASSIC}&rounds=1e15", kind))
            assert f"1,000,000,000,000,000 rounds are more than a guest may have simulated: up to {most} are" in text
            assert "data-ask" not in text
            asked = {"kind": "simulate", "rulebook": CLASSIC, "options": {"rounds": 10**15}}
            answer = await inn.clients[kind].send("POST", "/jobs", asked)
            assert answer.status_code == 409
            assert f"up to {most} are possible" in answer.json()["why"]
        assert "data-ask" in await page(inn, f"simulate?game={CLASSIC}&rounds=1e12", "administrator")
        for wrong in ("many", "-5", "1.5", "1/0"):
            assert "whole number" in await page(inn, f"simulate?game={CLASSIC}&rounds={wrong}")

    in_house(tmp_path, ask)


def test_a_simulation_names_no_file_of_the_server(tmp_path: Path) -> None:
    """A count is a published one: on the command line it may be a file, and here nobody reads files by asking."""

    async def ask(inn: Inside) -> None:
        fresh(inn, tmp_path)
        for options in (
            {"count": "/etc/passwd", "mode": "shoe"},
            {"checkpoint": "/tmp/x"},
            {"submission": "/etc/passwd"},
        ):
            asked = {"kind": "simulate", "rulebook": CLASSIC, "options": {"rounds": 1000, **options}}
            told = (await inn.clients["guest"].send("POST", "/jobs", asked)).json()
            job = inn.service.jobs.find(told["id"])
            assert job is not None
            await until_soon(partial(_is_over, job), "it is refused")
            assert (job.state, "is none of" in job.why) == ("failed", True), job.why

    in_house(tmp_path, ask)


def test_what_a_simulation_came_to_is_shown_with_its_pictures(tmp_path: Path) -> None:
    made = {"seed": 5, "played_by": "a chart", "seconds": 1.0, "rounds_per_second": 2e6}
    found = {"rounds": 2_000_000, "mean": -0.004, "standard_error": 0.0008, "variance": 1.3, "average_wager": 1.1}
    known = {"exact": -0.0041, "standard_errors_from_exact": 0.1}
    drawn = {"histogram": {"-1": 900_000, "1": 1_000_000, "0": 100_000},
             "path": [[1_000_000, -0.005, 0.001], [2_000_000, -0.004, 0.0008]]}  # fmt: skip
    body = made | found | known | drawn
    options = {"rounds": 2_000_000, "seed": 5}

    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        address = f"simulate?game={CLASSIC}&rounds=2e6&seed=5"
        assert "data-ask" in await page(inn, address)
        keep(service, "simulate", body, rulebook=CLASSIC, options=options)
        text = await page(inn, address)
        told = dict(figures(text))
        assert (told["mean"], told["exact"]) == (share(-0.004), share(-0.0041))
        assert text.count("<svg") >= 2
        assert 'data-line="band"' in text
        assert "−1" in text
        assert json.dumps(options) not in text, "nothing is left to ask"

    in_house(tmp_path, ask)
