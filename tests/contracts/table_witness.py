"""A witness of whole days at a table: what must hold after every event, whoever does what."""

from __future__ import annotations

from tests.citing import cites_rightly

from twentyone.cards import Card
from twentyone.money import ZERO
from twentyone.round.events import CardSetAside, Event, HandTakenAway
from twentyone.rulebook import Rulebook
from twentyone.table import Table, TableEvent, TableState
from twentyone.table.card_events import CardsPickedUp, RackReloaded
from twentyone.table.events import RoundEvent
from twentyone.table.evolve import evolve
from twentyone.table.meter_events import JackpotPaid
from twentyone.table.rack import reconstruct_rack, set_aside_in

__all__ = ["Witness", "hands_on"]

Hands = tuple[tuple[Card, ...], ...]


class Witness:
    """Follows a day event by event, with a state of its own, and checks what must always hold."""

    def __init__(self, rulebook: Rulebook, table: Table) -> None:
        self.strange = rulebook.under({}).cards.without
        self.cites = {"", *(rulebook.prefix + paragraph for paragraph in rulebook.entries)}
        self.state = TableState()
        self.dealt: dict[int, Hands] = {}
        self.beside: dict[int, tuple[Card, ...]] = {}
        self.taken: Hands = ()
        """The hands of the round that went into the rack before it was over, and lie there still."""
        self.aside: tuple[Card, ...] = ()
        """The cards of the round that were set aside into the rack, and lie there still."""
        self.see(table, table.events)

    def see(self, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Check the state after each of some new events."""
        for event in events:
            if isinstance(event, RoundEvent):
                self.taken += tuple(one.cards for one in event.events if isinstance(one, HandTakenAway))
                self.aside += tuple(card for one in event.events for card in self.set_aside(one))
            elif isinstance(event, RackReloaded):
                self.taken, self.aside = (), event.kept
            elif isinstance(event, CardsPickedUp):
                self.dealt[self.state.rounds] = (*self.taken, *hands_on(before.state))
                self.beside[self.state.rounds] = self.aside
                self.taken, self.aside = (), ()
            shown = {name: meter.shown for name, meter in self.state.meters.items()}
            evolve(self.state, event)
            if isinstance(event, JackpotPaid):
                assert event.paid == shown[event.meter], event
            if isinstance(event, CardsPickedUp):
                self.check_rack(event)
            assert cites_rightly(event, self.cites), event
            self.check_money(event)
            self.check_meters(event)

    def set_aside(self, event: Event) -> tuple[Card, ...]:
        """The card that goes into the discard rack in no hand; one that is not of this game does not."""
        return (event.card,) if isinstance(event, CardSetAside) and event.card.rank not in self.strange else ()

    def check_rack(self, event: CardsPickedUp) -> None:
        """The hands rebuilt from the rack are those that were dealt, round by round."""
        for bundle in reconstruct_rack(self.state.rack):
            hands = self.dealt[bundle.round]
            assert bundle.hands[: len(hands)] == hands, event
            assert set_aside_in(self.state.rack)[bundle.round] == self.beside[bundle.round], event
        rounds = [bundle.round for bundle in reconstruct_rack(self.state.rack)]
        first = rounds[0] if rounds else 0
        assert rounds == list(range(first, first + len(rounds))), event
        assert event.returned or rounds[-1] == self.state.rounds, event

    def check_money(self, event: TableEvent) -> None:
        """Chips and cash add up to zero, and nobody has less than zero."""
        state = self.state
        assert sum(state.chips.values(), ZERO) == 0, event
        assert sum(state.cash.values(), ZERO) == 0, event
        assert all(amount >= 0 for name, amount in state.chips.items() if name in state.players), (event, state.chips)

    def check_meters(self, event: TableEvent) -> None:
        """A meter holds its bases and what was wagered, less what it paid and what waits above its limit."""
        for meter in self.state.meters.values():
            held = int(meter.base * (meter.hits + 1) - meter.paid) + meter.contributed - meter.overflow
            assert meter.amount == held, event
            assert meter.limit is None or meter.amount <= int(meter.limit), event


def hands_on(state: TableState) -> Hands:
    """The hands on the layout as the round itself knows them, right to left, the dealer's last."""
    assert state.round is not None
    layout = state.round.state
    hands = [hand for box in layout.boxes[::-1] for hand in layout.hands[box][::-1] if not hand.away]
    boxes = [(hand.cards, hand.chance) for hand in hands]
    return (*(cards if chance is None else (*cards, chance) for cards, chance in boxes), layout.dealer)
