"""The pages that teach, as they are answered: every game, what is kept of whom, what is refused."""

from __future__ import annotations

from pathlib import Path

from tests.unit.test_training import cells_of
from tests.web.inside import Inside
from tests.web.test_api_security import in_house
from tests.web.test_odds_desk import fresh, keep, page
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.training.drill import question_named

CLASSIC = "classic-blackjack"


def test_every_game_is_drilled(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        for book in rulebook_ids():
            assert 'data-part="asked"' in await page(inn, f"drill?game={book}")

    in_house(tmp_path, ask)


def test_what_is_wrong_is_kept_under_the_name_and_dealt_again(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        service = fresh(inn, tmp_path)
        assert "data-ask" in await page(inn, f"trainer?game={CLASSIC}", "guest")
        keep(service, "cells", {"cells": list(cells_of(CLASSIC).values())}, rulebook=CLASSIC)
        answer = {"rulebook": CLASSIC, "cell": "first||hard|16|7", "deal": "x", "decision": "stand"}
        told = await inn.clients["guest"].send("POST", "/training/cell", answer)
        assert told.json()["right"] is False
        assert told.json()["due"] == service.now + 60
        text = await page(inn, f"trainer?game={CLASSIC}", "guest")
        assert "1 answer, 1 wrong" in text
        assert "0 answers, 0 wrong" in await page(inn, f"trainer?game={CLASSIC}", "other guest")
        wrong = await inn.clients["guest"].send("POST", "/training/cell", answer | {"decision": "split"})
        assert (wrong.status_code, "may not split" in wrong.text) == (409, True)

    in_house(tmp_path, ask)


def test_a_drill_is_marked_by_the_engine_and_kept(tmp_path: Path) -> None:
    rules = Rulebook.load(CLASSIC).under()
    names = ["0.0", next(f"d0.{place}" for place in range(99) if question_named(rules, f"d0.{place}").because)]

    async def ask(inn: Inside) -> None:
        for name in names:
            question = question_named(rules, name)
            wrong = (question.right + 1) % len(question.choices)
            for choice in (wrong, question.right):
                answer = {"rulebook": CLASSIC, "question": name, "choice": choice}
                told = (await inn.clients["dealer"].send("POST", "/training/drill", answer)).json()
                assert (told["right"], told["cite"]) == (choice == question.right, question.cite)
            marked = await page(inn, f"drill?game={CLASSIC}&question={name}&said={wrong}", "dealer")
            assert ('data-part="because"' in marked) == bool(question.because)
        assert "4 answers, 2 wrong; 2 of" in await page(inn, f"drill?game={CLASSIC}", "dealer")
        for name in ("9999.1", "d99.1"):
            beyond = await inn.clients["dealer"].send("POST", "/training/drill", answer | {"question": name})
            assert beyond.status_code == 409

    in_house(tmp_path, ask)
