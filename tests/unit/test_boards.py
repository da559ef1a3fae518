"""The analysis board: rounds of a ledger as questions to a worker, whose figures are those of `twentyone analyse`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.amending import put_shelf
from tests.daily import daily_books

from twentyone.cli import main
from twentyone.desk.reviewing import _reviewers, review, session
from twentyone.desk.teaching import lesson
from twentyone.errors import TwentyoneError
from twentyone.script import replay
from twentyone.service.boards import SEEN, round_question, session_question
from twentyone.service.people import Person
from twentyone.service.questions import DeskQuestion, question_of
from twentyone.service.service import Service

UMA = Person("Uma", "auditor")
ROUNDS = 3
SUMMED = ("classic-blackjack", "md-spanish-21")
"""Games whose session is summed up, too, and whose players remember the shoe."""


def quiet(share: float, *, at_once: bool = False, **told: Any) -> None:
    """Nobody listens."""


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What a command says as JSON."""
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    body.pop("run")
    return body


@pytest.mark.parametrize("book", daily_books(*SUMMED, "pa-down-under-blackjack"))
def test_the_board_has_the_figures_of_the_command(
    book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A round in each of the six games; in two of them with its shoe remembered, and a session of rounds alone."""
    ledger = str(tmp_path / "shift.db")
    rounds = ROUNDS if book in SUMMED else 1
    options = ("--rounds", str(rounds), "--irregularities", "0.1", "--seed", "7")
    assert main(["shift", book, *options, "--ledger", ledger]) == 0
    service = Service(ledger, clock=lambda: 2_000_000_000)
    rows = [service.rounds.find(f"{book}-1:{number}") for number in range(1, rounds + 1)]
    last = rows[-1]
    player = next(iter(last.net))
    seen = SEEN[book not in SUMMED]
    asked = round_question(service, last, UMA, player, seen).asked
    assert bool(asked["options"]["out"]) is (book in SUMMED)
    told = review(asked, quiet, "")
    whole = said(capsys, "analyse", ledger, last.id, "--seen", seen)
    (mine,) = (one for one in whole["players"] if one["player"] == player)
    assert (told["round"], told["players"]) == (last.id, [mine])
    check_marks(told, mine)
    if book not in SUMMED:
        return
    own = [row for row in rows if player in row.net]
    question = session_question(service, own, player, SEEN[1])
    summed = said(capsys, "analyse", ledger, "--player", player, "--seen", "round")
    assert session(question.asked, quiet, "") == summed


def insure_dearly(shelf: Path) -> None:
    """Insurance earns three times its amount, so that it is worth taking."""
    for file in (shelf / SUMMED[0]).glob("*.md"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('"2:1"', '"3:1"'), encoding="utf-8")


def take_away(shelf: Path) -> None:
    """The software has the book no more."""
    shutil.rmtree(shelf / SUMMED[0])


@pytest.mark.parametrize("changed", [insure_dearly, take_away])
def test_a_round_is_analysed_under_the_law_that_its_ledger_keeps(
    changed: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The software has another text by now, or none: board and account say what they said before."""
    book, ledger = SUMMED[0], str(tmp_path / "shift.db")
    assert main(["shift", book, "--rounds", "3", "--seed", "7", "--ledger", ledger]) == 0
    service = Service(ledger, clock=lambda: 2_000_000_000)
    rows = [service.rounds.find(f"{book}-1:{number}") for number in (1, 2, 3)]
    player = next(iter(rows[0].net))
    own = [row for row in rows if player in row.net]

    def asked() -> list[DeskQuestion]:
        return [round_question(service, own[0], UMA, player, SEEN[1]), session_question(service, own, player, SEEN[1])]

    before = asked()
    told = review(before[0].asked, quiet, ""), session(before[1].asked, quiet, "")
    put_shelf(tmp_path, monkeypatch)(changed)
    _reviewers.cache_clear()
    if changed is insure_dearly:
        review({"script": json.dumps(SCRIPT)}, quiet, "")  # the worker knows the other text, too
    after = asked()
    assert ["laws" in question.asked for question in (*before, *after)] == [False, False, True, True]
    assert (review(after[0].asked, quiet, ""), session(after[1].asked, quiet, "")) == told
    command = said(capsys, "analyse", ledger, own[0].id, "--seen", SEEN[1])
    assert [one for one in command["players"] if one["player"] == player] == told[0]["players"]
    unknown = {**after[0].asked, "laws": {}}
    with pytest.raises(TwentyoneError, match="no law with the hash"):
        review(unknown, quiet, "")


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("review", {"out": 5}, "out: '5' is not text"),
        ("review", {"file": "x"}, "'file' is none of"),
        ("session", {"rounds": [2]}, "a round is a table"),
        ("session", {"rounds": "many"}, "is not a list"),
        ("session", {"rounds": [{"name": "a", "script": "b", "out": None}]}, "out: 'None' is not text"),
        ("redline", {"price": 1}, "price: '1' is not true or false"),
    ],
)
def test_what_is_no_option_is_refused_before_anybody_works(kind: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(TwentyoneError, match=says):
        question_of(kind, {"rulebook": "classic-blackjack", "options": options})


SCRIPT: dict[str, Any] = {
    "format": "round-script/1",
    "rulebook": "classic-blackjack",
    "wagers": [{"box": 1, "player": "Ann", "main": "10"}],
    "cards": "10S 7H 6C 10D 5H",
    "decisions": [{"box": 1, "action": "hit"}],
}


def test_what_if_comes_to_the_round_that_the_script_of_it_deals() -> None:
    """16 against 7: stand loses to 17, a hit brings 21; a double the same card for twice the wager."""
    told = review({"script": json.dumps(SCRIPT)}, quiet, "")
    ends = {end["choice"]: end for end in told["what_ifs"]}
    for choice in ("stand", "double"):
        other = {**SCRIPT, "decisions": [{"box": 1, "action": choice}]}
        dealt = replay(json.dumps(other))
        assert dealt.result is not None
        assert ends[choice]["net"] == dealt.result["net"]["Ann"]
        assert (
            ends[choice]["frames"][-1]["boxes"]
            == review({"script": json.dumps(other)}, quiet, "")["frames"][-1]["boxes"]
        )
    assert (ends["stand"]["net"], ends["double"]["net"]) == ("-10", "20")
    for choice, end in ends.items():
        moves = [step.get("dollars", 0.0) - step.get("cost_dollars", 0.0) for step in end["steps"]]
        assert len(moves) == len(end["at"])
        assert told["players"][0]["deal"] + sum(moves) == pytest.approx(float(end["net"])), choice
        given_away = [step["chosen"] for step in end["steps"] if step.get("cost_dollars")]
        assert given_away == ([] if choice == told["players"][0]["steps"][-1].get("best") else [choice])


def test_cards_that_did_not_come_are_drawn_the_same_each_time() -> None:
    """The round ended with the bust; what the dealer would have drawn is not known, and drawn by a seed."""
    script = {**SCRIPT, "cards": "10S 7H 6C 5D KH", "decisions": [{"box": 1, "action": "hit"}]}
    ends = [review({"script": json.dumps(script)}, quiet, "")["what_ifs"] for _ in range(2)]
    assert ends[0] == ends[1]
    stand = next(end for end in ends[0] if end["choice"] == "stand")
    assert stand["net"] in ("-10", "10")
    shown = stand["frames"][-1]["dealer"]
    assert shown["total"] >= 17
    assert shown["cards"][:3] == ["7H", "5D", "KH"]


def test_nothing_is_played_on_for_who_may_not_see_a_card() -> None:
    told = review({"script": json.dumps(SCRIPT), "options": {"closed": True}}, quiet, "")
    assert (told["what_ifs"], told["closed"]) == ([], True)
    assert told["players"] == review({"script": json.dumps(SCRIPT)}, quiet, "")["players"]


def test_the_rounds_of_a_lesson_are_five_without_a_mistake() -> None:
    """Each is dealt again by its script, nothing in it was given away, and together they show most decisions."""
    told = lesson({"rulebook": "md-spanish-21"}, quiet, "")["rounds"]
    assert len({row["script"] for row in told}) == len(told) == 5
    for row in told:
        (mine,) = review({"script": row["script"]}, quiet, "")["players"]
        assert (mine["net"], mine["mistakes"]) == (row["net"], pytest.approx(0, abs=1e-9))
    assert {"double", "hit", "rescue", "split", "stand"} <= {name for row in told for name in row["decisions"]}


@pytest.mark.parametrize(
    ("changed", "options", "says"),
    [
        ({"rulebook": "none"}, {}, "none"),
        ({"cards": "10S 7H"}, {}, "card"),
        ({"format": "round-script/2", "edition": "1999-01-01"}, {}, "1999-01-01"),
        ({}, {"player": "Bo"}, "Bo did not play"),
        ({}, {"out": "1S"}, "cards that had left the shoe"),
        ({}, {"out": "AS " * 9}, "9 of AS were named"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_with_the_reason(
    changed: dict[str, Any], options: dict[str, Any], says: str
) -> None:
    with pytest.raises(TwentyoneError, match=says):
        review({"script": json.dumps({**SCRIPT, **changed}), "options": options}, quiet, "")


def check_marks(told: dict[str, Any], mine: dict[str, Any]) -> None:
    """Every step has an event; every decision is beside the sentence that tells it, and every choice is played on."""
    assert len(told["at"]) == len(mine["steps"])
    assert told["at"] == sorted(told["at"])
    says = {frame["event"]: frame["says"] for frame in told["frames"]}
    others = {(end["event"], end["box"], end["choice"]) for end in told["what_ifs"]}
    for at, step in zip(told["at"], mine["steps"], strict=True):
        if "chosen" in step:
            assert step["chosen"] == "decline" or step["chosen"].split()[0].replace("_", " ") in says[at], says[at]
            assert {(at, step["box"], name) for name in step["values"] if name != step["chosen"]} <= others
    for end in told["what_ifs"]:
        assert (end["net"] is None) == bool(end["why"])
