"""Charts survive a spreadsheet: what it adds to a CSV file is left out, and what a person changed stays."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from twentyone.cli import DONE, main
from twentyone.errors import NotAScript
from twentyone.rulebook import Rulebook
from twentyone.strategy import CellKey, default_strategy, read_strategy, strategy_hash, to_csv, to_json

RULES = Rulebook.load("classic-blackjack").under()
OWN = default_strategy(RULES)
WIDTH = 20


def written(text: str, **how: object) -> str:
    """The same rows as another program writes them."""
    out = io.StringIO()
    csv.writer(out, **how).writerows(csv.reader(io.StringIO(text)))  # type: ignore[arg-type]
    return out.getvalue()


def padded(text: str) -> str:
    """Every row as wide as the widest, with spaces around the cells and two empty rows at the end."""
    rows = [[f" {cell} " for cell in row] for row in csv.reader(io.StringIO(text))]
    out = io.StringIO()
    csv.writer(out).writerows([*(row + [""] * (WIDTH - len(row)) for row in rows), [""] * WIDTH, [" "] * WIDTH])
    return out.getvalue()


SPREADSHEETS: dict[str, Callable[[str], bytes]] = {
    "byte-order mark": lambda text: text.encode("utf-8-sig"),
    "line ends of Windows": lambda text: written(text, lineterminator="\r\n").encode(),
    "line ends of an old Macintosh": lambda text: written(text, lineterminator="\r").encode(),
    "every cell quoted": lambda text: written(text, quoting=csv.QUOTE_ALL).encode("utf-8-sig"),
    "padded columns": lambda text: padded(text).encode("utf-8-sig"),
    "semicolons": lambda text: written(text, delimiter=";").encode("utf-8-sig"),
    "Unicode text": lambda text: written(text, delimiter="\t").encode("utf-16"),
    "JSON with a byte-order mark": lambda _: to_json(OWN).encode("utf-8-sig"),
}


@pytest.mark.parametrize("form", SPREADSHEETS.values(), ids=list(SPREADSHEETS))
def test_a_chart_survives_a_spreadsheet(form: Callable[[str], bytes]) -> None:
    assert read_strategy(form(to_csv(OWN)), RULES) == OWN


def test_a_cell_that_a_person_changed_in_a_spreadsheet_stays_changed() -> None:
    key = CellKey("first", "", "hard", "16", "10")
    mine = OWN.with_cell(key, OWN.cells[key._replace(up="6")])
    read = read_strategy(padded(to_csv(mine)).encode("utf-8-sig"), RULES)
    assert read == mine
    assert strategy_hash(read) == strategy_hash(mine) != strategy_hash(OWN)


def test_a_row_with_too_few_or_too_many_cells_is_refused_by_its_line() -> None:
    lines = to_csv(OWN).splitlines()
    for line in (lines[-1].rpartition(",")[0], lines[-1] + ",S"):
        with pytest.raises(NotAScript, match=f"line {len(lines)}.*14 columns"):
            read_strategy("\n".join([*lines[:-1], line]), RULES)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(NotAScript, match="not text"):
        read_strategy(b"strategy/1,\xff\xff", RULES)


def test_the_hash_is_of_what_is_decided_not_of_its_title() -> None:
    told = json.loads(to_json(OWN))
    other = read_strategy(json.dumps({**told, "title": "mine", "made": "by hand", "run": {}}), RULES)
    assert strategy_hash(other) == strategy_hash(OWN)
    turned = {**told, "charts": told["charts"][::-1], "insurance": {"insure": False, "even_money": False}}
    assert strategy_hash(read_strategy(json.dumps(turned), RULES)) == strategy_hash(OWN)
    insured = {**told, "insurance": {"insure": True}}
    assert strategy_hash(read_strategy(json.dumps(insured), RULES)) != strategy_hash(OWN)


def test_the_exceptions_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "classic-blackjack", "--exceptions", "--json"]) == DONE
    body = json.loads(capsys.readouterr().out)
    assert body["strategy"]["hash"] == strategy_hash(OWN)
    assert body["run"]["command"] == "strategy"
    gains = [row["gain"] for row in body["exceptions"]]
    assert gains == sorted(gains, reverse=True)
    assert all(row["chart"] != row["best"] for row in body["exceptions"])
    assert main(["strategy", "classic-blackjack", "--exceptions"]) == DONE
    assert len(capsys.readouterr().out.splitlines()) == 3 + len(gains)
    assert main(["strategy", "classic-blackjack", "--json"]) == DONE
    assert read_strategy(capsys.readouterr().out, RULES) == OWN


def test_a_title_is_no_formula_where_a_spreadsheet_opens_it_and_is_read_back() -> None:
    """Anybody may send the link to a chart of his own: what he wrote into it does not run on the desk of staff."""
    for title in ('=HYPERLINK("http://evil.example","Open")', "+1", "-1", "@SUM(A1)", "'s own"):
        text = to_csv(replace(OWN, title=title, made=title))
        for cell in next(csv.reader(io.StringIO(text)))[2:4]:
            assert cell[0] not in "=+-@"
        back = read_strategy(text, RULES)
        assert (back.title, back.made) == (title, title)
