"""Parquet: a ledger and a simulation as tables whose sums are those of the report and of the result, to the cent."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from twentyone.cli import DONE, FOUND_WRONG, REFUSED, USAGE, main, simulate_parquet
from twentyone.cli.simulate_parquet import part_columns
from twentyone.ledger.data_tables import TABLES

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
MARYLAND = """rulebook = "md-spanish-21"
bonus_spin = "A"
xtreme_16 = true
progressive = {bonus_spin = {rate = "0.07", reset = "5000"}, xtreme_16_primary = {rate = "0.0333", reset = "12000"}}
"""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What a command answers in JSON."""
    assert main([*words, "--json"]) == DONE
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games with irregularities in one ledger: void rounds, settlements that are undone, meters."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "wheel.toml").write_text(MARYLAND, encoding="utf-8")
    mishaps = ["--irregularities", "0.2", "--ledger", str(folder / "t.db")]
    assert main(["shift", "pa-spanish-21", "--rounds", "40", "--seed", "5", *mishaps]) == DONE
    wheel = ["--submission", str(folder / "wheel.toml")]
    assert main(["shift", "md-spanish-21", "--rounds", "25", "--seed", "6", *wheel, *mishaps]) == DONE
    return folder / "t.db"


@pytest.fixture(scope="module")
def tables(ledger: Path) -> dict[str, Any]:
    """The tables of the ledger."""
    folder = ledger.with_name("data")
    assert main(["export", str(ledger), "--parquet", str(folder)]) == DONE
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.parquet" for name in TABLES)
    return {name: pl.read_parquet(folder / f"{name}.parquet") for name in TABLES}


def money(column: Any) -> Decimal:
    """The sum of a column of money."""
    return Decimal(column.sum() or 0)


def test_the_sums_of_a_ledgers_tables_are_those_of_its_report(
    ledger: Path, tables: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    report = answer(capsys, "report", str(ledger))
    assert report["totals"]["voids"] > 0
    assert (tables["wagers"]["event"] == "settlement_undone").any()
    for told in report["tables"]:
        rounds, wagers, events, _ = (
            tables[name].filter(pl.col("table") == told["table"]) for name in ("rounds", "wagers", "events", "hands")
        )
        moved = {why: events.filter(pl.col("why") == why)["amount"] for why in ("fill", "credit", "tip")}
        assert (len(rounds), int(rounds["void"].sum())) == (told["rounds"], told["voids"])
        assert (len(events), int((events["type"] == "command").sum())) == (told["events"], told["commands"])
        assert money(rounds["wagered"]) == money(wagers["wagered"]) == Decimal(told["wagered"])
        assert money(rounds["net"]) == money(wagers["net"]) == Decimal(told["players"])
        assert money(events["cash"]) == Decimal(told["drop"])
        assert [money(moved[why]) for why in moved] == [Decimal(told[key]) for key in ("fills", "credits", "tips")]
        assert money(wagers["net"]) == -Decimal(told["win"]) - Decimal(told["coupons"])


def test_the_sums_of_the_meters_are_those_of_the_report(
    ledger: Path, tables: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    report = answer(capsys, "report", str(ledger))
    told = {(row["table"], name): meter for row in report["tables"] for name, meter in row["meters"].items()}
    assert any(Fraction(meter["contributed"]) for meter in told.values())
    for (table, name), meter in told.items():
        rows = tables["meters"].filter((pl.col("table") == table) & (pl.col("meter") == name))
        assert Fraction(money(rows["contributed"])) == Fraction(meter["contributed"])
        assert (money(rows["paid"]), int(rows["hits"].sum())) == (Decimal(meter["paid"]), meter["hits"])
        assert money(rows["base"]) == Decimal(meter["base"])


def test_hands_are_those_that_the_rounds_were_dealt(
    ledger: Path, tables: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A round exported as a script and dealt again has the hands of the table."""
    row = tables["rounds"].filter(~pl.col("void") & (pl.col("irregularities").list.len() == 0)).row(-1, named=True)
    assert main(["export", str(ledger), f"{row['table']}:{row['round']}"]) == DONE
    script = ledger.with_name("round.json")
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    dealt = answer(capsys, "replay", str(script))
    hands = tables["hands"].filter((pl.col("table") == row["table"]) & (pl.col("round") == row["round"]))
    told = {(hand["box"], hand["hand"]): (hand["cards"].split(), hand["total"]) for hand in hands.to_dicts()}
    assert told.pop((None, None)) == (dealt["dealer"]["cards"], dealt["dealer"]["total"])
    assert told == {(hand["box"], hand["hand"]): (hand["cards"], hand["total"]) for hand in dealt["hands"]}


def test_money_is_decimal_and_moments_are_utc(tables: dict[str, Any]) -> None:
    types = {"money": pl.Decimal(38, 3), "fine money": pl.Decimal(38, 9), "moment": pl.Datetime("ms", "UTC")}
    for name, columns in TABLES.items():
        schema = tables[name].schema
        assert list(schema) == [column for column, _, _ in columns]
        for column, kind, _ in columns:
            assert schema[column] == types.get(kind, schema[column])
    assert not any(dtype.is_float() for table in tables.values() for dtype in table.schema.values())


def test_every_column_is_described_on_the_page() -> None:
    told = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    wanted = [column for columns in TABLES.values() for column in columns]
    assert told == [*wanted, *part_columns()]


def test_an_export_names_one_thing(ledger: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in (["--parquet", str(tmp_path), "--all"], ["--parquet", str(tmp_path), "--wheel"], []):
        with pytest.raises(SystemExit) as left:
            main(["export", str(ledger), *words])
        assert left.value.code == USAGE
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []


# -- a simulation


@pytest.mark.parametrize("words", [["--boxes", "2"], ["--mode", "shoe"]])
def test_the_rows_of_a_simulation_add_up_to_its_result(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.parquet"
    rounds = ["--rounds", "20000", "--seed", "3", "--parquet", str(file)]
    body = answer(capsys, "simulate", "classic-blackjack", *rounds, *words)
    rows, unit = pl.read_parquet(file), Decimal(body["grain"])
    assert len(rows) == body["totals"]["shoes" if "shoe" in words else "rounds"]
    for name in ("rounds", "hands", "doubles", "splits", "insured"):
        assert int(rows[name].sum()) == body["totals"][name]
    for name in ("initial_wagers", "staked", "gain", "prizes", "side_gain"):
        assert money(rows[name]) == body["totals"][name] * unit
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]


def test_the_mean_of_the_page_is_that_of_the_simulation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example is run as it stands; the same quotient of decimals is rounded to three places."""
    monkeypatch.chdir(tmp_path)
    body = answer(capsys, "simulate", "classic-blackjack", "--rounds", "50000", "--parquet", "rounds.parquet")
    example = next(code for code in re.findall(r"```python\n(.+?)```", PAGE.read_text("utf-8"), re.S) if "gain" in code)
    found: dict[str, Any] = {"pl": pl}
    exec(example, found)
    assert found["mean"] == pytest.approx(body["mean"], abs=1e-12)
    rows = pl.read_parquet("rounds.parquet")
    assert abs(float(rows.select(pl.col("gain").sum() / pl.col("initial_wagers").sum()).item()) - body["mean"]) > 1e-6


def test_rows_that_do_not_add_up_are_found_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from twentyone.sim import part_rows

    real = part_rows.part_rows
    monkeypatch.setattr(
        part_rows, "part_rows", lambda job, totals: ((first, rows[1:]) for first, rows in real(job, totals))
    )
    words = ["simulate", "classic-blackjack", "--rounds", "1000", "--parquet", str(tmp_path / "rows.parquet")]
    assert main(words) == FOUND_WRONG
    assert "do not add up" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--bankroll 100", "--antithetic", "--rounds 1e9"])
def test_rows_that_cannot_be_written_are_refused_at_once(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate_parquet, "write_parts", None)
    file = str(tmp_path / "rows.parquet")
    assert main(["simulate", "classic-blackjack", "--parquet", file, *words.split()]) == REFUSED
    told = capsys.readouterr()
    assert (told.out, "--parquet" in told.err) == ("", True)
