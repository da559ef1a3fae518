"""Submissions over the interface: tables of figures go through it, checked like those of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.inside import Inside
from tests.web.test_api_security import in_house

FIGURES = {
    "bonus_spin": ["A", "C"],
    "xtreme_16": True,
    "progressive": {
        "bonus_spin_A": {"rate": "0.05", "reset": "1500", "limit": "2000"},
        "bonus_spin_C": {"rate": "0.05", "reset": "6000"},
        "xtreme_16_primary": {"rate": "0.02", "reset": "12000"},
    },
    "wheel_weights": {"bonus_spin_A": {"jackpot": 1, "10": 30}, "xtreme_16": {"200+25": 7}},
}


async def opened(inn: Inside, submission: dict[str, Any]) -> Any:
    """The answer to a new table of Maryland under a submission."""
    body = {"name": "wheels", "rulebook": "md-spanish-21", "submission": submission}
    return await inn.clients["administrator"].send("POST", "/tables", body)


def test_meters_and_weights_go_through_the_interface(tmp_path: Path) -> None:
    """Md. 12.D(5), (6), 12.E(3): the meter of the new table stands at its reset amount, the wheel has its weights."""

    async def ask(inn: Inside) -> None:
        answer = await opened(inn, FIGURES)
        assert answer.status_code == 201
        meters = {"bonus_spin_A": "1500", "bonus_spin_C": "6000"}
        assert answer.json()["meters"] == {**meters, "xtreme_16_primary": "12000", "xtreme_16_secondary": "5000"}
        view = (await inn.clients["guest"].get("/tables/wheels")).json()
        assert view["weights"]["bonus_spin_A"] == {"jackpot": 1, "10": 30}
        assert view["weights"]["xtreme_16"] == {"200+25": 7}
        assert view["sizes"] == {"bonus_spin": ["1", "5"], "xtreme_16": ["5"]}

    in_house(tmp_path, ask)


@pytest.mark.parametrize(
    ("wrong", "cite"),
    [
        ({"progressive": {"bonus_spin": {"rate": "0.05", "reset": "999"}}}, "12.D(6)(b)(i)"),
        ({"progressive": {"bonus_spin": {"rate": "0.05", "reset": "1000", "limit": "999"}}}, "12.D(6)(b)(i)"),
        ({"progressive": {"bonus_spin": {"rate": "2", "reset": "1000"}}}, "12.D(6)(a)"),
        ({"progressive": {"bonus_spin": {"rate": 1, "reset": "1000"}}}, "12.D(6)(a)"),
        ({"wheel_weights": {"jackpot": 0}}, "12.D(5)"),
        ({"wheel_weights": {"bonus_spin": {}}}, "12.D(5)"),
        ({"wheel_weights": {"bonus_spin": {"jackpot": "1"}}}, "12.D(5)"),
        ({"bonus_spin": ["A", "B"]}, "12.D"),
        ({"bonus_spin": []}, "6.G(2)"),
    ],
)
def test_a_wrong_figure_is_refused_with_its_paragraph(tmp_path: Path, wrong: dict[str, Any], cite: str) -> None:
    async def ask(inn: Inside) -> None:
        answer = await opened(inn, {"bonus_spin": "A", **wrong})
        assert answer.status_code == 422
        assert answer.json()["cite"].endswith(f"Ch. {cite}")
        assert "wheels" not in inn.service.tables

    in_house(tmp_path, ask)


def test_a_table_within_a_table_within_a_table_is_malformed(tmp_path: Path) -> None:
    async def ask(inn: Inside) -> None:
        answer = await opened(inn, {"bonus_spin": "A", "progressive": {"bonus_spin": {"rate": {"of": "1"}}}})
        assert answer.status_code == 422
        assert "wheels" not in inn.service.tables

    in_house(tmp_path, ask)
