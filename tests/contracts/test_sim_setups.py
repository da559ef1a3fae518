"""What a simulation is asked to play, and what is refused: counts, spreads, shoes, wheels, numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import DONE, REFUSED, USAGE, main
from twentyone.errors import NotAScript, Refused
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.wheels import assumed_wheels
from twentyone.sim import stats
from twentyone.sim.compile import compile_setup
from twentyone.sim.counts import count_named, spread_of
from twentyone.sim.layout import Parameter, Part
from twentyone.sim.packing import packed
from twentyone.sim.setup import HILO, Setup
from twentyone.strategy import default_strategy, read_strategy
from twentyone.strategy.files import strategy_hash


def _submission(tmp_path: Path, text: str) -> str:
    path = tmp_path / "ours.toml"
    path.write_text(text)
    return str(path)


def _refused(capsys: pytest.CaptureFixture[str], words: list[str], status: int = REFUSED) -> str:
    """The one sentence of a refusal."""
    try:
        found = main(words)
    except SystemExit as left:
        found = int(str(left.code))
    told = capsys.readouterr()
    assert found == status, told.err
    assert told.out == ""
    assert "Traceback" not in told.err
    return told.err.strip().splitlines()[-1]


def _classic() -> Setup:
    return Setup.of(Rulebook.load("classic-blackjack").under())


# -- spreads and the table's limits


SPREAD = ["simulate", "classic-blackjack", "--mode", "shoe", "--count", "hilo", "--rounds", "1000", "--json"]


def test_a_spread_over_the_table_maximum_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*SPREAD, "--submission", _submission(tmp_path, 'table_maximum = "50"\n'), "--main", "10"]
    told = _refused(capsys, [*words, "--spread", "2:8"])
    assert "true count of +2" in told
    assert "$80.00 is above the table maximum of $50.00 (Classic § 3(b))" in told
    assert main([*words, "--spread", "2:5"]) == DONE


def test_a_spread_of_a_file_is_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = tmp_path / "mine.json"
    system.write_text(json.dumps({"tags": dict(HILO.tags), "spread": {"-1": 6}}))
    words = [*SPREAD, "--submission", _submission(tmp_path, 'table_maximum = "50"\n'), "--count", str(system)]
    assert "$60.00 is above the table maximum" in _refused(capsys, words)


# -- a continuous shuffler has no cover card


def test_a_continuous_shuffler_plays_fresh_shoes_only() -> None:
    found = {}
    for name in rulebook_ids():
        book = Rulebook.load(name)
        try:
            rules = book.under({"shuffler": "continuous"})
        except Refused:
            continue
        Setup.of(rules).cover  # noqa: B018
        with pytest.raises(Refused, match=r"continuous.*no cover card.*mode=fresh") as refused:
            compile_setup(Setup.of(rules, mode="shoe"))
        found[name] = refused.value.cite
    assert len(found) == 5
    assert found["pa-spanish-21"] == "58 Pa. Code § 635a.5(d)"
    assert found["classic-blackjack"] == "Classic § 2(d)"


@pytest.mark.parametrize("name", rulebook_ids())
def test_other_shufflers_have_one(name: str) -> None:
    for shuffler in ("manual", "automated"):
        rules = Rulebook.load(name).under({"shuffler": shuffler})
        setup = Setup.of(rules, mode="shoe")
        assert 0 < setup.cover < setup.shoe_cards


def test_a_cover_card_before_the_first_round_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The burn card is the first of 52: the cover card behind it leaves a round, the cover card before it none."""
    rules = Rulebook.load("classic-blackjack").under({"decks": 1})
    assert Setup.of(rules, mode="shoe", penetration=Fraction(1, 52)).cover == 1
    with pytest.raises(Refused, match=r"before the first round.*Classic § 2\(d\)"):
        compile_setup(Setup.of(rules, mode="shoe", penetration=Fraction(1, 53)))
    words = "simulate pa-spanish-21 --mode shoe --count hilo --penetration 0.001 --rounds 1000"
    assert "before the first round" in _refused(capsys, words.split())


# -- where a count starts


@pytest.mark.parametrize(("name", "a_deck"), [("classic-blackjack", 0), ("pa-spanish-21", -4)])
def test_a_whole_shoe_counts_to_nothing(name: str, a_deck: int) -> None:
    """Decks of 48 lack four tens, hence four tags of -1."""
    setup = Setup.of(Rulebook.load(name).under(), mode="shoe", count=HILO)
    game = compile_setup(setup).game
    whole = sum(int(game.tags[card]) for card in game.cards)
    assert int(game.number[Parameter.START_COUNT]) == -whole == a_deck * setup.rules.submission["decks"]


def test_the_start_of_a_file_stays() -> None:
    rules = Rulebook.load("pa-spanish-21").under()
    count = count_named({"tags": dict(HILO.tags), "start": 0})
    assert compile_setup(Setup.of(rules, mode="shoe", count=count)).game.number[Parameter.START_COUNT] == 0


def test_the_first_round_of_a_shoe_is_counted_as_the_shoe_is(capsys: pytest.CaptureFixture[str]) -> None:
    """One round per shoe: nothing was seen but the back of the burn card, and six decks of 48 count -24."""
    words = "simulate pa-spanish-21 --mode shoe --count hilo --penetration 0.01 --rounds 2000 --json"
    assert main(words.split()) == DONE
    body = json.loads(capsys.readouterr().out)
    true = -24 * 48 // (6 * 48 - 1)
    assert [row["true_count"] for row in body["by_true_count"]] == [true]


# -- counts of a file


def _count(**rest: Any) -> dict[str, Any]:
    return {"tags": {"5": 1, "A": -1}, **rest}


def _row(**rest: Any) -> dict[str, Any]:
    return _count(departures=[{"decision": "stand", "least": 0}, {"decision": "hit", "least": 1, **rest}])


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (_count(tags={"5": 4_294_967_297}), r"tags\.5: .*-100 to 100"),
        (_count(tags={"5": 10**24}), r"tags\.5"),
        (_count(tags={"5": 1.5}), r"tags\.5"),
        (_count(tags={"5": True}), r"tags\.5"),
        (_count(tags={"1": 1}), "tags"),
        (_count(tags=[1]), "tags"),
        (_count(start=10**12), "start: .*-100,000 to 100,000"),
        (_count(start=None), "start"),
        (_count(lowest=-3_000_000_000), "lowest: .*-1,000 to 1,000"),
        (_count(lowest=-20, highest=20), r"41 true counts are told apart, 1 to 32"),
        (_count(lowest=3, highest=2), "0 true counts"),
        (_count(name=5), "name"),
        (_count(spread=5), "spread"),
        (_count(spread={"--1": 2}), "spread"),
        (_count(spread={"1": 1001}), "0 to 1,000"),
        (_count(spread={"1": True}), "0 to 1,000"),
        (_count(spread={"9999": 2}), "-1,000 to 1,000"),
        (_count(departures=5), "departures: a list"),
        (_count(departures=None), "departures: a list"),
        (_count(departures=[5]), r"departures\[0\]"),
        (_row(decision="fly"), r"departures\[1\]: 'fly' is no decision: one of stand, hit"),
        (_row(decision=None), r"departures\[1\]"),
        (_row(where=[]), r"departures\[1\]"),
        (_row(where={"total": "x"}), r"departures\[1\]: total is a whole number .* not 'x'"),
        (_row(where={"soft": 1}), r"departures\[1\]: soft is true or false"),
        (_row(where={"up": "K"}), r"departures\[1\]: up is one of 2, 3"),
        (_row(where={"pair": "K"}), r"departures\[1\]: pair is null or"),
        (_row(where={"phase": "last"}), r"departures\[1\]: phase is one of first"),
        (_row(where={"cards": 10**9}), r"departures\[1\]: cards"),
        (_row(where={"hole": 7}), r"departures\[1\]: hole"),
        (_row(where={"bonus": "none"}), r"departures\[1\]: bonus"),
        (_row(where={"may": ["hit"]}), r"departures\[1\]: 'may' is no field"),
        (_row(wear={}), r"departures\[1\]: there is no 'wear'"),
        (_row(least=None), r"departures\[1\]\.least"),
        (_row(most=0), r"departures\[1\]: from 1 up to 0"),
        (_row(least=10**30), r"departures\[1\]\.least"),
    ],
)
def test_a_count_that_is_none_is_refused(body: dict[str, Any], told: str) -> None:
    with pytest.raises(NotAScript, match=told):
        count_named(body)


def test_the_widest_count_keeps_its_numbers() -> None:
    """What is allowed comes out of the tables of thirty-two bits as it went in."""
    tags = dict.fromkeys(HILO.tags, 100)
    count = count_named({"tags": tags, "start": -100_000, "lowest": -1000, "highest": -1000 + stats.MOST_BUCKETS - 1})
    compiled = compile_setup(Setup.of(_classic().rules, mode="shoe", count=count))
    rules, _ = packed(compiled.game)
    assert rules[Parameter.START_COUNT] == -100_000
    assert rules[Parameter.LOW_BUCKET] == -1000
    assert set(rules[rules[Part.TAGS] :][: len(tags)]) == {100}


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"tags": {"5": ' + "9" * 5000 + "}}", '{"tags": ', "\xff\xfe", "5", "null"]
)
def test_a_file_that_is_no_count_is_one_sentence(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="latin-1")
    told = _refused(capsys, [*SPREAD, "--count", str(path)])
    assert "count" in told
    assert "4300" not in told


@pytest.mark.parametrize("text", ["--1:2", "1", "1:", ":2", "1:-2", "1:2,", "1:2:3", "²:2", "9" * 5000 + ":2", "a:b"])
def test_a_spread_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(NotAScript, match="is no COUNT:UNITS"):
        spread_of(HILO, text)


# -- wheels and meters


WHEELS = ["simulate", "md-spanish-21", "--side", "bonus_spin=1", "--side", "xtreme_16=5", "--rounds", "2000"]


def test_a_wheel_without_weights_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WHEELS, "--submission", _submission(tmp_path, 'bonus_spin = "A"\nxtreme_16 = true\n')]
    assert main([*words, "--json"]) == DONE
    body = json.loads(capsys.readouterr().out)
    assert [line.split(":")[0] for line in body["assumed"]] == ["wheel of bonus_spin", "wheel of xtreme_16"]
    assert all("each symbol once" in line and "Ch. 12.D(5)" in line for line in body["assumed"])
    assert body["side_wagers"] == {"bonus_spin": "1", "xtreme_16": "5"}
    assert main(words) == DONE
    out = capsys.readouterr().out
    assert "wheel of bonus_spin: each symbol once, because the submission has no wheel_weights" in out
    assert "of the initial (main) wager: bonus_spin, xtreme_16" in out


def test_a_wheel_with_weights_assumes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = 'bonus_spin = "A"\nxtreme_16 = true\n[wheel_weights.bonus_spin]\njackpot = 1\n'
    assert main([*WHEELS, "--submission", _submission(tmp_path, weights), "--json"]) == DONE
    body = json.loads(capsys.readouterr().out)
    assert [line.split(":")[0] for line in body["assumed"]] == ["wheel of xtreme_16"]
    flat = Rulebook.load("md-spanish-21").under({"bonus_spin": "A", "wheel_weights": {"jackpot": 1}})
    assert assumed_wheels(flat) == ()


def test_a_meter_above_its_limit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = 'bonus_spin = "A"\n[progressive.bonus_spin]\nreset = "1000"\nrate = "0.1"\nlimit = "5000"\n'
    words = ["simulate", "md-spanish-21", "--side", "bonus_spin=1", "--rounds", "1000", "--json"]
    words += ["--submission", _submission(tmp_path, terms), "--meter"]
    told = _refused(capsys, [*words, "bonus_spin=5000.5"])
    assert "its submitted limit is 5000" in told
    assert "12.D(6)(b)(i)" in told
    assert main([*words, "bonus_spin=5000"]) == DONE


# -- numbers


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--rounds 1e100000000", USAGE),
        ("--rounds 1e5000", USAGE),
        ("--rounds 1/0", USAGE),
        ("--rounds 5/2", USAGE),
        ("--threads 1e100000000", USAGE),
        ("--trips 1e100000000 --bankroll 500", USAGE),
        ("--trip-rounds 1e100000000 --bankroll 500", USAGE),
        ("--error-rate 1e-100000000000", REFUSED),
        ("--error-rate 1e-20", REFUSED),
        ("--error-rate 1/0", REFUSED),
        ("--error-rate nan", REFUSED),
        ("--penetration 1e-100000000000 --mode shoe", REFUSED),
        (f"--penetration 0.{'1' * 5000} --mode shoe", REFUSED),
        ("--mode shoe --count hilo --spread=--1:2", REFUSED),
        (f"--main {'9' * 5000}", REFUSED),
        (f"--seed {'9' * 5000}", USAGE),
        (f"--boxes {'9' * 5000}", USAGE),
    ],
)
def test_a_number_that_nobody_needs_is_one_sentence(
    words: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    told = _refused(capsys, ["simulate", "classic-blackjack", *words.split()], status)
    assert told.startswith("twentyone simulate: ")
    for own in ("4300", "invalid literal"):
        assert own not in told


def test_numbers_are_written_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate classic-blackjack --mode shoe --penetration 3/5 --error-rate .01 --rounds 1.5e3 --json"
    assert main(words.split()) == DONE
    body = json.loads(capsys.readouterr().out)
    assert abs(body["rounds"] - 1500) < 150
    assert Setup.of(_classic().rules, error_rate=Fraction(1, 1 << 32)).error_parts == 1


# -- a chart that is none for the submission


@pytest.mark.parametrize(
    ("book", "choice"),
    [
        ("classic-blackjack", "double_after_split = false\n"),
        pytest.param("pa-spanish-21", '[readings]\nsplit-aces = "one-card"\n', marks=pytest.mark.prove),
    ],
)
def test_where_the_own_chart_does_not_fit_the_best_one_is_made_and_named(
    book: str, choice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", book, "--submission", _submission(tmp_path, choice), "--rounds", "1000", "--json"]
    assert main(words) == DONE
    (played,) = json.loads(capsys.readouterr().out)["run"]["strategies"]
    assert played["hash"] != strategy_hash(default_strategy(Rulebook.load(book).under()))


def test_the_way_out_leads_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    submission, chart = _submission(tmp_path, "double_after_split = false\n"), str(tmp_path / "chart.json")
    assert main(["strategy", "classic-blackjack", "--submission", submission, "--json", chart]) == DONE
    capsys.readouterr()
    words = ["simulate", "classic-blackjack", "--submission", submission, "--rounds", "1000", "--strategy", chart]
    assert main([*words, "--json"]) == DONE


@pytest.mark.parametrize(
    "text",
    [
        '{"format":' * 100_000,
        '{"format": ' + "9" * 5000 + "}",
        '{"format": "strategy/1", "rulebook": "classic-blackjack", "charts": [{"phase": "first", "hand": "hard", '
        '"rows": {"11": "H' + "9" * 5000 + ' H H H H H H H H H"}}]}',
        'strategy/1,classic-blackjack,t,m,"' + "[" * 200_000,
        'strategy/1,classic-blackjack,t,m,"' + "[" * 100_000,
        "strategy/1,classic-blackjack,t,m," + "9" * 5000,
    ],
)
def test_a_file_that_is_no_strategy_is_one_sentence(text: str) -> None:
    with pytest.raises(NotAScript) as refused:
        read_strategy(text, _classic().rules)
    assert "4300" not in str(refused.value)


def test_a_chart_of_ones_own_is_refused_without_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from twentyone.strategy.strategy import FOLDER

    submission = _submission(tmp_path, "double_after_split = false\n")
    words = ["simulate", "classic-blackjack", "--submission", submission]
    told = _refused(capsys, [*words, "--strategy", str(FOLDER / "classic-blackjack.json")])
    assert told.endswith("(Classic § 6(b))")
