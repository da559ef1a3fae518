"""What goes wrong at a table, so often that every paragraph on irregularities is put to use, and a count of it.

mischief = Mischief()
day = Day(rules, seed=1, watch=mischief.see, mischief=mischief)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.contracts.table_cards import strangers
from tests.contracts.table_driver import FLOORPERSON, Day
from tests.property.irregular import count_fired, is_missed_again, random_irregularity

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.round import Draw, Happened, Round
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Burn, Device, IdleWhenEmpty, Irregularity
from twentyone.table import Command, Table, TableEvent
from twentyone.table.events import DeviceReported
from twentyone.table.play import task_of

__all__ = ["Mischief", "paragraphs"]

OFTEN = 0.06
"""How often something goes wrong before a step of a round."""
AGAIN, MISSED_AGAIN = 0.12, 0.5
"""How often another wrong card is found, or the same box missed, once more in a round."""
TABLE_TASKS = ("device_out_of_order", "shuffler_jammed", "cover_device", "remove_device")
"""Irregularities of the table's own devices, by the command that reports them."""
SHUFFLER, SHOE = "shuffler", "shoe"


def paragraphs(rulebook: Rulebook) -> dict[str, str]:
    """Every irregularity that a text speaks of, with its paragraph."""
    found = {clause.name: clause.cite for clause in rulebook.clauses if isinstance(clause, Irregularity)}
    return found | {name: rulebook.tasks[name].cite for name in TABLE_TASKS if name in rulebook.tasks}


class _Top:
    """The shoe as `random_irregularity` asks for it: the card on top, which stays there until it is brought."""

    def __init__(self, day: Day) -> None:
        self._day = day

    @property
    def is_empty(self) -> bool:
        return not self._day.cards.shoe

    def draw(self) -> Card:
        return self._day.cards.top


@dataclass
class Mischief:
    """Irregularities at a table, and how often each paragraph on them was put to use."""

    fired: Counter[str] = field(default_factory=Counter)
    reads: int = 0
    """Hole cards read without cause in the round in progress."""
    irregular: bool = False
    """Whether something was irregular in the round in progress."""

    def __call__(self, day: Day) -> bool:
        """Whether something irregular was done now."""
        if day.state.phase == "round":
            ready = not day.state.stopped and not day.state.agenda
            return ready and bool(day.cards.shoe) and self._in_round(day)
        if day.state.phase == "settled":
            return bool(day.cards.shoe) and day.rng.random() < 0.1 and self._report(day)
        if day.state.phase == "open" and not day.state.placed and not day.state.found:
            return self._at_shuffle(day) if day.state.agenda else self._between(day)
        return False

    # -- in a round

    def _in_round(self, day: Day) -> bool:
        round_, rng = day.state.round, day.rng
        assert round_ is not None
        if rng.random() < 0.01 and isinstance(round_.next, Draw):
            return self._shoe_fails(day)
        texts = round_.rules.irregularities
        found = round_.state.tens * ("more_tens" in texts) + round_.state.face_ups * ("more_face_up" in texts)
        if rng.random() >= (MISSED_AGAIN if is_missed_again(round_) else AGAIN if found else OFTEN):
            return False
        if isinstance(round_.next, Draw) and (found or rng.random() < 0.3) and not is_missed_again(round_):
            return self._find(day, round_)
        return self._report(day)

    def _find(self, day: Day, round_: Round) -> bool:
        """A card lies face up in the shoe, or is one that should not be there."""
        rng, ten = day.rng, round_.state.tens > 0
        if "ten" in round_.rules.irregularities and not round_.state.face_ups and (ten or rng.random() < 0.4):
            day.cards.plant(rng.choice(_overlooked(day)))
        face_up = not ten and (day.cards.top.rank not in day.rules.cards.without or rng.random() < 0.2)
        self.irregular = True
        day.give("card", "dealer", day.dealer, card=day.cards.top.name, **({"face_up": True} if face_up else {}))
        return True

    def _report(self, day: Day) -> bool:
        """Report what may have happened; where the text refuses it, nothing has."""
        assert day.state.round is not None
        happened = random_irregularity(day.state.round, _Top(day), day.rng)  # type: ignore[arg-type]
        if happened is None or happened.name == "insufficient_cards":
            return False
        try:
            if happened.name == "reader_failed":
                return self._reader_fails(day)
            day.give("happened", "dealer", day.dealer, **_arguments(happened))
        except Refused as refusal:
            day.check_cite(refusal)
            return False
        self.irregular = True
        return True

    def _shoe_fails(self, day: Day) -> bool:
        """The device that gives the cards jams or fails: none comes before it is repaired, or put away."""
        shoe, rng = day.state.shoe, day.rng
        assert shoe is not None
        continuous = shoe.continuous and _state(day, SHUFFLER) == "working"
        name = SHUFFLER if continuous else SHOE
        if _state(day, name) != "working":
            return False
        if continuous and rng.random() < 0.3:
            day.give("shuffler_jammed", "dealer", day.dealer)
        else:
            day.give("device_out_of_order", "dealer", day.dealer, device=name)
        must_refuse(day, "card", "dealer", card=day.cards.top.name)
        if _state(day, name) == "out_of_order" and rng.random() < 0.7:
            day.give("cover_device", "dealer", day.dealer, device=name)
        return True

    # -- at the shuffle

    def _at_shuffle(self, day: Day) -> bool:
        """The device jams, or cannot be used and is put away before the cards are shuffled by hand."""
        if day.state.agenda[0].do != "shuffle" or day.rules.submission["shuffler"] == "manual":
            return False
        if _state(day, SHUFFLER) != "working":
            return False
        if day.rng.random() < 0.3:
            day.give("shuffler_jammed", "dealer", day.dealer)
            return True
        if day.rng.random() < 0.3:
            day.give("device_out_of_order", "dealer", day.dealer, device=SHUFFLER)
            must_refuse(day, "shuffle", "dealer", commitment="c" * 64)
            put_away = "cover_device" if "cover_device" in day.rules.rulebook.tasks else "remove_device"
            day.give(put_away, "dealer", day.dealer, device=SHUFFLER)
            return True
        return False

    # -- between rounds

    def _between(self, day: Day) -> bool:
        rng = day.rng
        away = [name for name in (SHUFFLER, SHOE) if _state(day, name) in ("covered", "removed")]
        if away and rng.random() < 0.3:
            day.give("device_repaired", "floorperson", FLOORPERSON, device=away[0])
            return True
        broken = [name for name, device in day.state.devices.items() if device.state == "out_of_order"]
        if broken and rng.random() < 0.3:
            day.give("device_repaired", "floorperson", FLOORPERSON, device=broken[0])
            return True
        if rng.random() < 0.02:
            return self._reader_fails(day)
        if rng.random() < 0.03:
            return self._floor_acts(day)
        shoe = day.state.shoe
        if shoe is not None and shoe.left < min(190, shoe.size * 2 // 3) and rng.random() < min(0.3, shoe.size / 1000):
            return self._drain(day, rng)
        return False

    def _reader_fails(self, day: Day) -> bool:
        """The reader is out of order; what follows is left to the next steps."""
        reader = next((clause for clause in day.rules.all(Device) if clause.name not in (SHUFFLER, SHOE)), None)
        if reader is None:
            return False
        day.give("device_out_of_order", "dealer", day.dealer, device=reader.name)
        if reader.out_of_order == "stops" and day.state.phase == "open":
            must_refuse(day, "deal", "dealer")
        return True

    def _floor_acts(self, day: Day) -> bool:
        """A new dealer, a reshuffle, an idle table, new cards, a table that closes."""
        acts: list[tuple[str, str, dict[str, Any]]] = [
            ("change_dealer", "floorperson", {"dealer": "Dot" if day.dealer == "Dan" else "Dan"}),
            ("reshuffle", "floorperson", {}),
            *([("spread_idle", "dealer", {})] if day.rules.maybe(IdleWhenEmpty) is None else []),
            ("change_cards", "floorperson", {}),
            ("close_table", "floorperson", {}),
        ]
        do, role, args = day.rng.choice([act for act in acts if act[0] == "close_table" or task_of(day.rules, act[0])])
        day.give(do, role, day.dealer if role == "dealer" else FLOORPERSON, **args)
        return True

    def _drain(self, day: Day, rng: Random) -> bool:
        """So many dealers come one after the other, each burning a card, that the shoe cannot last for a round."""
        if "dealer" not in day.rules.one(Burn).on or day.rules.submission["shuffler"] == "continuous":
            return False
        while len(day.cards.shoe) > rng.randint(1, 4) and not day.state.reshuffle:
            day.change_dealer()
            day.give("burn", "dealer", day.dealer, card=day.cards.top.name)
        return True

    # -- counting

    def see(self, before: Table, command: Command | None, events: tuple[TableEvent, ...]) -> None:
        """Count what was put to use."""
        if command is not None and command.do in ("happened", "device_out_of_order"):
            self.irregular = True
            self.reads += command.args.get("name") == "hole_card_read"
        for event in events:
            self._count(before, event)

    def _count(self, before: Table, event: TableEvent) -> None:
        if isinstance(event, DeviceReported) and event.state != "working":
            reports = {"covered": "cover_device", "removed": "remove_device"}
            name = reports.get(event.state, "device_out_of_order")
            self.fired[name] += (event.device in (SHUFFLER, SHOE)) == (name != "device_out_of_order")
        elif event.kind == "shuffle_failed":
            self.fired["shuffler_jammed"] += 1
        elif event.kind == "rack_reloaded":
            self.irregular = True
        elif event.kind == "cards_collected" and before.state.round is not None:
            if self.irregular or before.state.round.state.set_aside:
                self.fired.update(count_fired(before.state.round.rules, before.state.round.events, self.reads))
            self.reads, self.irregular = 0, False


def _arguments(happened: Happened) -> dict[str, Any]:
    given = {"name": happened.name, "box": happened.box, "shown": happened.shown, "exposed": happened.exposed or None}
    given["card"] = happened.card.name if happened.card is not None else None
    return {name: value for name, value in given.items() if value is not None}


def _overlooked(day: Day) -> list[Card]:
    """The cards that should not be in the decks, but of which one may have been overlooked: no deck holds two."""
    decks, found = day.rules.submission["decks"], (*day.state.found, *day.state.removed)
    return [card for card in strangers(day.rules) if found.count(card) < decks]


def _state(day: Day, device: str) -> str:
    """The state of a device; empty where the table has none."""
    if not any(clause.name == device for clause in day.rules.all(Device)):
        return ""
    known = day.state.devices.get(device)
    return known.state if known is not None else "working"


def must_refuse(day: Day, do: str, role: str, **args: Any) -> None:
    """A command that the text forbids now, with its paragraph."""
    before = day.state
    try:
        day.give(do, role, day.dealer, **args)
    except Refused as refusal:
        day.check_cite(refusal)
        assert day.state is before
        return
    raise AssertionError(f"{do} was not refused")
