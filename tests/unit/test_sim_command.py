"""`twentyone simulate` and `bench`: figures, JSON, bad input, interruption."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import DONE, FOUND_WRONG, INTERRUPTED, REFUSED, USAGE, main
from twentyone.sim import bankroll, engines, run
from twentyone.sim.stats import Totals
from twentyone.strategy import chart_file


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_json_has_the_keys_that_were_promised(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "pa-spanish-21", "--rounds", "1e5", "--seed", "3", "--json"]) == DONE
    body = _json(capsys)
    for key in ("rounds", "mean", "standard_error", "variance", "rounds_per_second", "seed", "engine", "totals"):
        assert key in body
    assert body["rounds"] == body["totals"]["rounds"] == 100_000
    assert body["mean"] == pytest.approx(
        (body["totals"]["gain"] + body["totals"]["prizes"]) / body["totals"]["initial_wagers"]
    )
    assert sum(body["outcomes"].values()) == body["totals"]["hands"]
    assert sum(body["histogram"].values()) == 100_000


def test_a_person_gets_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "classic-blackjack", "--rounds", "20000"]) == DONE
    out = capsys.readouterr().out
    assert "gain per initial wager" in out
    assert "Classic § 8(f)" in out


def test_boxes_sides_shoe_count_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate pa-spanish-21 --rounds 3e4 --boxes 3 --mode shoe --penetration 0.6 --side match_the_dealer=5 "
    words += "--count hilo --spread 1:2,3:6 --error-rate 0.01 --json"
    assert main(words.split()) == DONE
    body = _json(capsys)
    assert body["boxes"] == 3
    assert body["totals"]["shoes"] > 0
    assert -1 < body["side_correlation"] < 1
    assert sum(row["rounds"] for row in body["by_true_count"]) == body["rounds"]


def test_a_meter_stands_still_where_it_is_put(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wheel = tmp_path / "wheel.toml"
    wheel.write_text('bonus_spin = "A"\n')
    words = f"simulate md-spanish-21 --submission {wheel} --rounds 2e5 --side bonus_spin=1 --json"
    assert main(words.split()) == DONE
    low = _json(capsys)
    assert main([*words.split(), "--meter", "bonus_spin=6000"]) == DONE
    high = _json(capsys)
    assert high["mean"] == low["mean"]
    jackpots = (high["side_mean"] - low["side_mean"]) * 10 * 200_000 / 5_000
    assert jackpots == pytest.approx(round(jackpots))
    assert jackpots > 1


def test_a_bankroll(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "fan.svg"
    words = f"simulate classic-blackjack --bankroll 200 --trip-rounds 300 --trips 400 --json --plot {plot}"
    assert main(words.split()) == DONE
    body = _json(capsys)
    assert 0 < body["risk_of_ruin"] < 1
    assert len(body["fan"]["0.5"]) == 100
    assert plot.read_text().lstrip().startswith("<?xml")
    assert body["risk_of_ruin_by_formula"] < body["lifetime_risk_of_ruin"] == 1


def test_without_rounds_enough_there_is_no_ruin(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", "classic-blackjack", "--bankroll", "1000", "--trip-rounds", "5", "--trips", "50", "--json"])
        == DONE
    )
    body = _json(capsys)
    assert body["risk_of_ruin"] == 0
    assert body["longest_losing_streak"]["0.99"] <= 5


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ("simulate nonsense", USAGE, "nonsense"),
        ("simulate pa-spanish-21 --rounds -5", USAGE, "-5"),
        ("simulate pa-spanish-21 --rounds 0.5", USAGE, "0.5"),
        ("simulate pa-spanish-21 --rounds 1e40", REFUSED, "rounds"),
        ("simulate pa-spanish-21 --boxes 9", REFUSED, "--boxes"),
        ("simulate pa-spanish-21 --main ten", REFUSED, "--main"),
        ("simulate pa-spanish-21 --main 0", REFUSED, "--main"),
        ("simulate pa-spanish-21 --side nonsense=5", REFUSED, "635a.6(d)"),
        ("simulate pa-spanish-21 --count hilo", REFUSED, "--mode shoe"),
        ("simulate pa-spanish-21 --spread 1:2", REFUSED, "--count"),
        ("simulate pa-spanish-21 --mode shoe --penetration 0.9", REFUSED, "635a.5"),
        ("simulate pa-spanish-21 --error-rate 2", REFUSED, "--error-rate"),
        ("simulate pa-spanish-21 --strategy nowhere.json", USAGE, "nowhere.json"),
        ("simulate pa-spanish-21 --plot picture.doc", USAGE, "picture.doc"),
        ("simulate pa-spanish-21 --engine dask --scheduler tcp://127.0.0.1:1", REFUSED, "scheduler"),
        ("simulate pa-spanish-21 --until-stderr -1", REFUSED, "--until-stderr"),
        ("simulate pa-spanish-21 --main 7.77", REFUSED, "635a.6(a)"),
        ("simulate pa-down-under-blackjack --boxes 7", REFUSED, "685a.2"),
        ("simulate pa-spanish-21 --bankroll 500 --antithetic", REFUSED, "--antithetic"),
        ("simulate pa-spanish-21 --bankroll 500 --control-variate", REFUSED, "--control-variate"),
        ("simulate pa-spanish-21 --threads 0", USAGE, "--threads"),
        ("simulate pa-spanish-21 --threads -3", USAGE, "--threads"),
        ("simulate pa-spanish-21 --checkpoint /dev/full", REFUSED, "/dev/full"),
        ("simulate pa-spanish-21 --checkpoint nowhere/work.json", USAGE, "nowhere/work.json"),
        ("simulate pa-spanish-21 --bankroll 29 --boxes 3", REFUSED, "29"),
        ("simulate md-spanish-21 --meter bonus_spin=5000", REFUSED, "no meter"),
        ("simulate md-spanish-21 --submission {wheel} --meter bonus_spin=999", REFUSED, "12.D(6)(b)(i)"),
        ("simulate md-spanish-21 --submission {wheel} --meter bonus_spin=lots", REFUSED, "--meter"),
        ("bench nonsense", USAGE, "nonsense"),
        ("bench --seconds -1", USAGE, "--seconds"),
        ("bench --seconds nan", USAGE, "--seconds"),
    ],
)
def test_bad_input_is_one_sentence(
    words: str, status: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one_deck = tmp_path / "one.toml"
    one_deck.write_text("decks = 1\n")
    wheel = tmp_path / "wheel.toml"
    wheel.write_text('bonus_spin = "A"\n')
    try:
        found = main(words.format(one=one_deck, wheel=wheel).split())
    except SystemExit as left:
        found = int(str(left.code))
    text = capsys.readouterr()
    assert found == status, text.err
    assert told in text.err
    assert text.out == ""
    assert "Traceback" not in text.err


def test_a_strategy_for_another_rulebook_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    from twentyone.strategy.strategy import FOLDER

    assert main(["simulate", "pa-spanish-21", "--strategy", str(FOLDER / "classic-blackjack.json")]) == REFUSED
    assert "classic-blackjack" in capsys.readouterr().err


def test_no_gpu_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "classic-blackjack", "--rounds", "1000", "--engine", "cuda"]) == REFUSED
    assert "GPU" in capsys.readouterr().err


# -- variance reduction


def test_both_kinds_of_variance_reduction_stand_beside_the_plain_figures(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate classic-blackjack --rounds 40000 --seed 3 --json"
    assert main([*words.split(), "--antithetic", "--control-variate", "--exact"]) == DONE
    body = _json(capsys)
    totals = body["totals"]
    assert body["rounds"] == 2 * body["antithetic"]["pairs"] == 40_000
    assert body["mean"] == totals["gain"] / totals["initial_wagers"]
    assert body["antithetic"]["factor"] > 1.5
    row = body["control_variate"]
    assert row["coefficient"] == 1
    assert row["mean"] == pytest.approx(body["mean"] - row["control_mean"] + row["control_exact_mean"])
    assert row["control_exact_mean"] == pytest.approx(body["exact"], abs=2**-20)
    assert abs(row["standard_errors_from_exact"]) < 4
    assert row["factor"] == pytest.approx((body["standard_error"] / row["standard_error"]) ** 2)


def test_variance_reduction_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate pa-spanish-21 --rounds 20000 --boxes 2 --mode shoe --antithetic --control-variate"
    assert main(words.split()) == DONE
    out = capsys.readouterr().out
    assert "antithetic pairs" in out
    assert "with control variate" in out
    assert "variance divided by" in out


def test_a_control_that_is_not_what_was_dealt_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("twentyone.sim.control.exact_mean", lambda *_: Fraction(1 << 16))
    words = "simulate classic-blackjack --rounds 40000 --control-variate --json"
    assert main(words.split()) == FOUND_WRONG
    assert "different games" in capsys.readouterr().err


def test_a_smaller_error_is_reached_sooner(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate classic-blackjack --rounds 1e9 --until-stderr 7e-4 --plain --json"
    assert main(words.split()) == DONE
    plain = _json(capsys)
    assert main([*words.split(), "--antithetic"]) == DONE
    pairs = _json(capsys)
    assert pairs["antithetic"]["standard_error"] <= 7e-4 < pairs["standard_error"]
    assert pairs["rounds"] < plain["rounds"]


def test_one_round_has_no_standard_error_and_is_still_json(capsys: pytest.CaptureFixture[str]) -> None:
    def constant(name: str) -> None:
        raise AssertionError(name)

    assert main(["simulate", "classic-blackjack", "--rounds", "1", "--exact", "--control-variate", "--json"]) == DONE
    body = json.loads(capsys.readouterr().out, parse_constant=constant)
    assert body["standard_error"] is None
    assert body["control_variate"]["standard_error"] is None
    assert main(["simulate", "classic-blackjack", "--rounds", "1", "--exact", "--antithetic"]) == DONE
    assert "standard error unknown" in capsys.readouterr().out


# -- interruption and faults


def test_ctrl_c_keeps_the_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "work.json"
    words = f"simulate classic-blackjack --rounds 6000000 --seed 4 --checkpoint {kept} --json"
    assert main(words.split()) == DONE
    whole = _json(capsys)["totals"]
    kept.unlink()
    add, calls = run._Run._add, []

    def stop(self: Any, end: int, totals: Totals, began: float) -> None:
        add(self, end, totals, began)
        calls.append(end)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(run._Run, "_add", stop)
    assert main(words.split()) == INTERRUPTED
    text = capsys.readouterr()
    part = json.loads(text.out)["totals"]
    assert 0 < part["rounds"] < 6_000_000
    assert "interrupted" in text.err
    monkeypatch.setattr(run._Run, "_add", add)
    assert main(words.split()) == DONE
    assert _json(capsys)["totals"] == whole


def test_ctrl_c_keeps_the_trips(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bankroll, "BATCH", 3_000)
    words = "simulate classic-blackjack --bankroll 200 --trip-rounds 300 --trips 40 --threads 1 --json"
    assert main(words.split()) == DONE
    whole = _json(capsys)
    play, calls = bankroll._batch, []

    def stop(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(bankroll, "_batch", stop)
    assert main(words.split()) == INTERRUPTED
    text = capsys.readouterr()
    part = json.loads(text.out)
    assert whole["trips"] == 40
    assert part["trips"] == 22
    assert "22 of 40 trips are kept" in text.err
    calls[:] = [(), ()]
    assert main(words.split()) == INTERRUPTED
    assert capsys.readouterr().out == ""


def test_stopped_before_the_first_round_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run._Run, "_add", stop)
    words = "simulate classic-blackjack --rounds 1000 --control-variate --antithetic --exact --json"
    assert main(words.split()) == INTERRUPTED
    body = _json(capsys)
    assert body["rounds"] == 0
    assert body["control_variate"]["standard_error"] is None


def test_a_full_disk_is_told_and_the_work_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []

    def full(*file: object) -> None:
        calls.append(file)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    kept = tmp_path / "work.json"
    assert main(f"simulate classic-blackjack --rounds 1e5 --checkpoint {kept} --json".split()) == FOUND_WRONG
    text = capsys.readouterr()
    assert "No space left on device); 100,000 rounds were played" in text.err
    assert "kept" not in text.err
    assert json.loads(text.out)["rounds"] == 100_000
    assert list(tmp_path.glob("work*")) == []


@pytest.mark.parametrize("body", ["", "[]", '{"format": "simulation/1"}', "\x00"])
def test_a_file_that_is_no_checkpoint_is_refused(body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "work.json"
    kept.write_text(body)
    assert main(f"simulate classic-blackjack --rounds 1000 --checkpoint {kept}".split()) == REFUSED
    assert "no checkpoint" in capsys.readouterr().err
    assert kept.read_text() == body


def test_the_checkpoint_of_another_simulation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "work.json"
    assert main(f"simulate classic-blackjack --rounds 1000 --checkpoint {kept}".split()) == DONE
    assert main(f"simulate classic-blackjack --rounds 1000 --seed 2 --checkpoint {kept}".split()) == REFUSED
    assert "another simulation" in capsys.readouterr().err


def test_it_stops_when_the_standard_error_is_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "classic-blackjack", "--rounds", "1e9", "--until-stderr", "1e-3", "--json"]) == DONE
    body = _json(capsys)
    assert body["standard_error"] <= 1e-3
    assert body["rounds"] < 1e8


def test_an_engine_plays_in_order_whatever_comes_first() -> None:
    engine = engines.CpuEngine(2)
    assert engine.name == "cpu"
    assert engines.engine_named("cpu", 1).name == "cpu"
    engine.close()


def test_bench_tells_rounds_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "classic-blackjack", "--seconds", "0.05", "--json"]) == DONE
    body = _json(capsys)
    assert {row["mode"] for row in body["figures"]} == {"fresh", "shoe"}
    assert all(row["rounds_per_second"] > 0 for row in body["figures"])


def test_bench_of_a_gpu_that_is_not_there_is_refused_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = import_module("twentyone.sim.cuda")
    monkeypatch.setattr(cuda.cuda, "is_available", lambda: False)
    assert main(["bench", "classic-blackjack", "--engine", "cpu", "--engine", "cuda"]) == REFUSED
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "twentyone bench: there is no GPU here, or no driver for it: use --engine cpu\n"


def test_a_shoe_that_runs_out_is_told_with_the_paragraph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.toml"
    one.write_text("decks = 1\n", encoding="utf-8")
    asked = ["simulate", "pa-double-back-jack", "--mode", "shoe", "--boxes", "3", "--rounds", "20000"]
    asked += ["--strategy", str(chart_file("pa-double-back-jack"))]
    assert main([*asked, "--submission", str(one), "--json"]) == DONE
    body = _json(capsys)
    assert body["rack_shuffled"] == {"rounds": body["totals"]["reloads"], "cite": "58 Pa. Code § 673a.13(f)"}
    assert body["rack_shuffled"]["rounds"] > 0
    assert main([*asked, "--submission", str(one)]) == DONE
    told = f"in {body['rack_shuffled']['rounds']} rounds, finished from the discard rack (58 Pa. Code § 673a.13(f))"
    assert told in capsys.readouterr().out
    assert main([*asked, "--json"]) == DONE
    assert "rack_shuffled" not in _json(capsys)
