"""A table does what a naive model of its text does, whatever anybody says; a faulty one is found out."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.property.table_machine import DECKS, TableMachine
from tests.property.table_texts import TEXTS

from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.table import Command, Table
from twentyone.table.shoe import full_batch


def machine_of(book: str, base: type[TableMachine] = TableMachine) -> type[TableMachine]:
    """The machine of a rulebook."""
    return type(f"Machine of {book}", (base,), {"book": book})


STEADY = settings(
    max_examples=30, stateful_step_count=30, derandomize=True, deadline=None, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@pytest.mark.parametrize("book", sorted(TEXTS))
def test_a_table_does_what_the_model_of_its_text_does(book: str) -> None:
    run_state_machine_as_test(machine_of(book), settings=STEADY)


# -- tables with a planted fault


class MintsChips(TableMachine):
    """A buy-in gives a chip too many."""

    def apply(self, table: Table, command: Command) -> Table:
        after = table.apply(command)
        if command.do == "buy_in":
            after.state.writable("chips")[command.args["player"]] += Amount("1")
        return after


class LosesACard(TableMachine):
    """The burn card goes missing."""

    def apply(self, table: Table, command: Command) -> Table:
        after = table.apply(command)
        if command.do == "burn":
            after.state.rack = ()
        return after


class LetsAnybodyDeal(TableMachine):
    """Whoever says so closes the wagers."""

    def apply(self, table: Table, command: Command) -> Table:
        dealer = command._replace(role="dealer", by=table.state.dealer or "")
        return table.apply(dealer if command.do == "deal" else command)


class LetsTheRelievedDeal(TableMachine):
    """Whoever is in the dealer's role deals, on duty or not."""

    def apply(self, table: Table, command: Command) -> Table:
        on_duty = command.role == "dealer" and table.state.dealer is not None
        return table.apply(command._replace(by=table.state.dealer or "") if on_duty else command)


class AnswersForOthers(TableMachine):
    """One player's no closes the offer for everybody, as if the dealer had closed it."""

    def apply(self, table: Table, command: Command) -> Table:
        no = command.do == "decide" and command.args.get("action") == "decline" and table.state.dealer is not None
        return table.apply(command._replace(role="dealer", by=table.state.dealer or "") if no else command)


class LetsAnybodyDecide(TableMachine):
    """Whoever speaks decides for the player whose turn it is."""

    def apply(self, table: Table, command: Command) -> Table:
        asked = [step for step in table.next_steps("player") if step.do == "decide"]
        return table.apply(command._replace(by=asked[0].about) if command.do == "decide" and asked else command)


class ReadsWhileBroken(TableMachine):
    """A reader that fails in a round is forgotten, and the game goes on."""

    def apply(self, table: Table, command: Command) -> Table:
        broken = command.do == "device_out_of_order" and table.state.phase == "round"
        after = table.apply(command)
        if broken:
            after.state.stopped = ""
            after.state.devices = table.state.devices
        return after


class RefusesTooLate(TableMachine):
    """A refused command has left its mark."""

    def apply(self, table: Table, command: Command) -> Table:
        try:
            return table.apply(command)
        except Refused:
            table.state.arrivals += 1
            raise


class ForgetsTheLook(TableMachine):
    """The cards are mixed before the first player has looked at them."""

    def apply(self, table: Table, command: Command) -> Table:
        after = table.apply(command)
        if command.do == "spread_cards":
            after.state.agenda = after.state.agenda[1:]
        return after


class AsksForTheImpossible(TableMachine):
    """No step that is asked for can be taken: the shoe's cards are thought to be gone."""

    def apply(self, table: Table, command: Command) -> Table:
        after = table.apply(command)
        if command.do == "load_shoe":
            after.state.gone = {card.name: DECKS for card in full_batch(self.game)}
        return after


FAULTY = [
    MintsChips,
    LosesACard,
    LetsAnybodyDeal,
    LetsTheRelievedDeal,
    AnswersForOthers,
    LetsAnybodyDecide,
    ReadsWhileBroken,
    RefusesTooLate,
    ForgetsTheLook,
    AsksForTheImpossible,
]


@pytest.mark.parametrize("machine", FAULTY, ids=lambda machine: machine.__name__)
def test_a_faulty_table_is_found_out(machine: type[TableMachine]) -> None:
    found = settings(STEADY, max_examples=200, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine, settings=found)
