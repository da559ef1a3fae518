"""A table of real cards in a ledger: what lies face down is unknown, wrong entries are corrected, all is verified."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.schemas import VALIDATOR

from twentyone.errors import Refused
from twentyone.ledger.export import export_round
from twentyone.ledger.rounds import find_round, list_rounds
from twentyone.ledger.runner import Runner
from twentyone.ledger.snapshots import state_hash
from twentyone.ledger.sqlite import open_sqlite
from twentyone.ledger.store import Store
from twentyone.ledger.tally import Tally
from twentyone.ledger.transcript import transcript
from twentyone.ledger.verify import verify
from twentyone.money import ZERO, Amount
from twentyone.rulebook import Rulebook
from twentyone.rulebook.wheels import weights_of
from twentyone.script import replay
from twentyone.service.catalogue import actions, step_fields
from twentyone.service.consoles import console_view
from twentyone.service.view import table_view
from twentyone.table import Command
from twentyone.table.follow import Follower

BOOK = "pa-spanish-21"
STAFF = {"dealer": "Dan", "floorperson": "Fay"}
FOLLOWER = Follower(STAFF, bring=lambda step: {"commitment": "shuffled by hand"} if step.do == "shuffle" else {})


class Entered:
    """A table whose dealer enters the cards, with Ann at box 1."""

    def __init__(
        self, store: Store, book: str = BOOK, every: int = 2000, given: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.store, self.keys = store, 0
        self.runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5, every)
        self.runner.create(Rulebook.load(book).under(given), cards="person")
        self.follow("show_cards")
        self.give("sit", "player", "Ann", boxes=[1])
        self.give("buy_in", player="Ann", amount="1000")
        self.follow("")

    def give(self, do: str, role: str = "dealer", by: str = "", **args: Any) -> None:
        self.keys += 1
        self.runner.handle(Command(do, role, by or STAFF[role], args=args), f"k{self.keys}")

    def follow(self, task: str) -> None:
        """Do what the procedure asks until this task is due."""
        while self.runner.table.state.phase == "closed" or self.agenda not in (task, ""):
            do, role, by, _, args = FOLLOWER.command(self.runner.table, self.runner.table.next_steps()[0])
            self.give(do, role, by, **args)

    @property
    def agenda(self) -> str:
        todo = self.runner.table.state.agenda
        return todo[0].do if todo else ""

    def begin(self, cards: str, amount: str = "10") -> None:
        """Lay a wager and deal these cards, then the hole card."""
        self.give("place_wager", "player", "Ann", box=1, amount=amount)
        self.give("deal")
        for card in cards.split():
            self.give("card", card=card)
        self.give("card")

    def decide(self, action: str, **more: Any) -> None:
        self.give("decide", "player", "Ann", action=action, **more)

    @property
    def chips(self) -> str:
        return str(self.runner.table.state.chips["Ann"])


@pytest.fixture
def table(tmp_path: Path) -> Entered:
    return Entered(open_sqlite(str(tmp_path / "ledger.db"), create=True))


def faults(table: Entered) -> tuple[Any, ...]:
    return tuple(verify(table.store, KEYRING, None).faults)


@pytest.mark.parametrize("do", ["burn", "card"])
def test_nobody_names_a_card_that_lies_face_down(table: Entered, do: str) -> None:
    """635a.7(c), 635a.7(e)(4): a named burn or hole card is refused, and nothing is stored."""
    if do == "burn":
        table.give("reshuffle", "floorperson")
        table.follow("burn")
    else:
        table.give("place_wager", "player", "Ann", box=1, amount="10")
        table.give("deal")
        for card in ("9S", "7H", "8C"):
            table.give("card", card=card)
    before = table.store.version("t")
    with pytest.raises(Refused, match="face down") as refused:
        table.give(do, card="KH")
    assert refused.value.cite == f"58 Pa. Code § 635a.7({'c' if do == 'burn' else 'e)(4'})"
    assert table.store.version("t") == before
    table.give(do)
    assert json.loads(table.runner.handle(Command(do, "dealer", "Dan"), f"k{table.keys}").events[0].body)["args"] == {
        "card": "unknown"
    }


def test_a_hole_card_found_face_up_is_named(table: Entered) -> None:
    """635a.13(a): a card face up in the shoe is seen by everybody."""
    table.give("place_wager", "player", "Ann", box=1, amount="10")
    table.give("deal")
    for card in ("9S", "7H", "8C"):
        table.give("card", card=card)
    table.give("card", card="KH", face_up=True)
    assert table.runner.table.state.round is not None
    assert [card.name for card in table.runner.table.state.round.state.set_aside] == ["KH"]


def test_a_day_of_unknown_cards_is_verified_loaded_and_exported(table: Entered) -> None:
    table.begin("9S AH 8C")
    table.decide("insure", amount="5")
    table.give("reader_told", blackjack=False)
    table.decide("stand")
    table.give("turn_card", card="6D")
    table.give("collect_cards")
    assert table.chips == "995"
    loaded = Runner(table.store, "t", KEYRING, seeded_source(1), lambda: 5)
    loaded.load()
    rules = table.runner.table.rules
    assert state_hash(loaded.table.state, rules) == state_hash(table.runner.table.state, rules)
    assert faults(table) == ()
    script = export_round(table.store, find_round(table.store, "t:1"))
    assert script["cards"] == "9S AH 8C 6D"


def test_an_unknown_card_stays_unknown_in_a_snapshot(tmp_path: Path) -> None:
    table = Entered(open_sqlite(str(tmp_path / "ledger.db"), create=True), every=5)
    table.begin("9S 7H 8C")
    table.decide("stand")
    table.give("turn_card", card="KH")
    table.give("collect_cards")
    saved = table.store.load_snapshot("t")
    assert saved is not None
    loaded = Runner(table.store, "t", KEYRING, seeded_source(1), lambda: 5)
    loaded.load()
    assert str(loaded.table.state.burned) == "unknown"
    assert faults(table) == ()


def test_everybody_is_told_that_a_card_is_unknown(table: Entered) -> None:
    table.begin("9S 7H 8C")
    for role, who in (("player", "Ann"), ("dealer", "Dan"), ("auditor", "Uma")):
        assert table_view(table.runner.table, 1, role, who)["dealer"]["cards"] == ["7H", "unknown"]


def test_a_correction_is_a_new_entry_of_the_ledger(table: Entered) -> None:
    """The wrong entry stays, chips follow, the accounts agree, the list of rounds and the shift report too."""
    table.begin("9S 7H 9C")
    table.decide("stand")
    table.give("turn_card", card="KH")
    assert table.chips == "1010"
    table.give("correct_entry", "floorperson", wrong="9C", right="7C", why="a seven in bad light")
    assert table.chips == "990"
    table.give("collect_cards")
    assert faults(table) == ()
    [row] = list_rounds(table.store)
    assert ({name: str(Amount.from_thousandths(net)) for name, net in row.net.items()}, row.irregularities) == (
        {"Ann": "-10"}, ["entry_corrected"],
    )  # fmt: skip
    told = [line.words for line in transcript(table.store, row).lines]
    assert "corrected: 9C was entered, it is 7C (a seven in bad light)" in told
    assert "box 1 is dealt 9♣" in told
    tally = Tally("t")
    for event in table.store.read("t"):
        tally.follow(event)
    assert (tally.players, tally.difference) == (Amount("-10"), ZERO)
    script = export_round(table.store, row)
    assert script["steps"][0] == "9S 7H 9C unknown"
    assert script["steps"][-1] == {"step": "corrected", "wrong": "9C", "right": "7C", "why": "a seven in bad light"}
    assert replay(script).exit == 0
    assert VALIDATOR.is_valid(script)


METER = {"bonus_spin": "B", "progressive": {"bonus_spin": {"rate": "0.1", "reset": "1000"}}}


def test_a_corrected_spin_is_told_verified_and_exported(tmp_path: Path) -> None:
    """Ch. 12.D(5), (7): a wrong jackpot goes back in the ledger, the accounts, the report and the export."""
    table = Entered(open_sqlite(str(tmp_path / "ledger.db"), create=True), "md-spanish-21", given=METER)
    table.give("place_wager", "player", "Ann", box=1, amount="10")
    table.give("place_wager", "player", "Ann", box=1, amount="1", wager="bonus_spin")
    table.give("deal")
    for card in ("AS", "7D", "KH"):
        table.give("card", card=card)
    table.give("card")
    table.give("spin", symbol="jackpot")
    [entry] = console_view(table.runner.table, "dealer", True)["entries"]
    assert (entry["word"], entry["box"]) == ("jackpot", 1)
    assert set(entry["instead"]) == set(weights_of(table.runner.table.rules)["bonus_spin"]) - {"jackpot"}
    table.give("correct_entry", wrong="jackpot", right="10", why="one field further")
    loaded = Runner(table.store, "t", KEYRING, seeded_source(1), lambda: 5)
    loaded.load()
    assert loaded.table.state.meters == table.runner.table.state.meters
    assert str(loaded.table.state.meters["bonus_spin"].shown) == "1000.1"
    table.give("turn_card", card="QC")
    assert table.chips == "1024"
    table.give("correct_entry", "floorperson", wrong="10", right="jackpot", why="it was the jackpot after all")
    assert table.chips == "2014.1"
    table.give("collect_cards")
    assert faults(table) == ()
    [row] = list_rounds(table.store)
    told = [line.words for line in transcript(table.store, row).lines]
    assert "corrected: jackpot was entered, it is 10 (one field further)" in told
    tally = Tally("t")
    for event in table.store.read("t"):
        tally.follow(event)
    assert (tally.players, tally.difference) == (Amount("1014.1"), ZERO)
    script = export_round(table.store, row)
    assert [step["wrong"] for step in script["steps"] if "wrong" in step] == ["jackpot", "10"]
    assert replay(script).exit == 0
    assert VALIDATOR.is_valid(script)


def test_a_void_round_goes_on_where_its_second_ten_was_misread(table: Entered) -> None:
    """635a.13(b): the ledger keeps the void round and its correction, and verifies both."""
    table.give("place_wager", "player", "Ann", box=1, amount="10")
    table.give("deal")
    for card in ("9S", "10H", "8S", "10C"):
        table.give("card", card=card)
    assert table.runner.table.state.phase == "settled"
    table.give("correct_entry", "floorperson", wrong="10C", right="9C", why="a nine")
    loaded = Runner(table.store, "t", KEYRING, seeded_source(1), lambda: 5)
    loaded.load()
    states = (loaded.table.state, table.runner.table.state)
    assert len({state_hash(state, loaded.table.rules) for state in states}) == 1
    table.give("destroy_found_ten", "floorperson")
    table.give("card")
    table.decide("stand")
    table.give("turn_card", card="9D")
    table.give("collect_cards")
    assert (table.chips, faults(table)) == ("1010", ())
    [row] = list_rounds(table.store)
    assert replay(export_round(table.store, row)).exit == 0


def test_a_correction_of_chips_that_are_gone_is_refused(table: Entered) -> None:
    """635a.7(q): Ann has tipped what she won: the correction takes nothing from nobody."""
    table.begin("9S 7H 9C", "500")
    table.decide("stand")
    table.give("turn_card", card="KH")
    table.give("tip", "player", "Ann", amount="1000")
    with pytest.raises(Refused, match="chips"):
        table.give("correct_entry", "floorperson", wrong="9C", right="7C", why="a seven")
    assert table.chips == "500"


def test_a_table_with_its_own_shoe_has_nothing_to_enter_or_correct(tmp_path: Path) -> None:
    store = open_sqlite(str(tmp_path / "ledger.db"), create=True)
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(Rulebook.load(BOOK).under({}))
    for do, role in (("reader_told", "dealer"), ("turn_card", "dealer"), ("correct_entry", "floorperson")):
        with pytest.raises(Refused, match="own shoe"):
            runner.handle(Command(do, role, "Dan"), do)


def test_the_console_asks_for_what_can_be_seen(table: Entered) -> None:
    """A card face down has no name to fill in; the reader's answer begins empty; a correction is the floorperson's."""
    rules = table.runner.table
    assert [field.get("optional") for field in step_fields(rules, "burn", True)] == [True]
    table.give("place_wager", "player", "Ann", box=1, amount="10")
    table.give("deal")
    for card in ("9S", "AH", "8C"):
        table.give("card", card=card)
    assert [field.get("optional") for field in step_fields(table.runner.table, "card", True)] == [True, None]
    table.give("card")
    table.give("decide", action="decline")
    [field] = step_fields(table.runner.table, "reader_told", True)
    assert (field["name"], field["unset"]) == ("blackjack", True)
    does = {role: [row["do"] for row in actions(table.runner.table, role, True)] for role in STAFF}
    assert ("correct_entry" in does["floorperson"], "correct_entry" in does["dealer"]) == (True, False)
    assert "correct_entry" not in [row["do"] for row in actions(table.runner.table, "floorperson", False)]
