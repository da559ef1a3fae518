"""A whole gaming day at a table of each rulebook, as a log; `make golden` writes the logs anew.

Inspection, opening, three shoes, a dealer change, an idle hour, a malfunction, a card change after 24 hours, closing.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.golden.transcripts import FOLDER

from twentyone.cards import Card
from twentyone.round import Offer
from twentyone.round.words import in_words
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import Command, NextStep, Table
from twentyone.table.events import RoundBegun, RoundEvent
from twentyone.table.follow import Follower
from twentyone.table.shoe import full_batch

__all__ = ["BOOKS", "day_log"]

BOOKS = rulebook_ids()
PEOPLE = {"dealer": "Dan", "floorperson": "Fay", "operator": "Olga"}
HOUR = 60 * 60
SEAL = "seal"
READERS = ("card_reader", "masque_reader")


class Day:
    """Automatic staff and players who follow the table's next steps."""

    def __init__(self, book: str) -> None:
        self.table = Table.new(Rulebook.load(book).under())
        self.random = Random(book)
        self.now = 9 * HOUR
        self.shoe: list[Card] = []
        self.follower = Follower(
            PEOPLE,
            cut_at=lambda positions: self.random.randrange(positions[0], positions[-1]),
            cover_at=lambda positions: positions[-1] * 9 // 10,
            bring=self.bring,
        )

    def do(self, name: str, role: str = "dealer", by: str = "", **args: Any) -> None:
        self.now += 10
        dealer = self.table.state.dealer or PEOPLE["dealer"]
        who = by or (dealer if role == "dealer" else PEOPLE[role])
        self.table = self.table.apply(Command(name, role, who, self.now, args))

    def run(self) -> Table:
        self.do("open_table", "floorperson", dealer="Dan")
        self.follow("show_cards")
        self.seat("Ann", 1)
        self.seat("Bob", 3)
        self.shoes(2)
        self.do("change_dealer", "floorperson", dealer="Dora")
        self.shoes(1)
        self.break_and_mend()
        self.idle()
        self.shoes(1)
        self.now += 24 * HOUR
        self.do("change_cards")
        self.follow("")
        self.round()
        for name in ("Ann", "Bob"):
            self.do("leave", "player", name)
        self.do("close_table", "floorperson")
        return self.table

    def seat(self, name: str, box: int) -> None:
        self.do("sit", "player", name, boxes=[box])
        self.do("buy_in", player=name, amount="5000")

    def shoes(self, count: int) -> None:
        """Deal rounds until so many shoes have been loaded after this one."""
        target = self.table.state.shoes + count
        while self.table.state.shoes < target or self.table.state.agenda:
            self.follow("")
            if self.table.state.shoes < target:
                self.round()

    def break_and_mend(self) -> None:
        self.follow("")
        names = [name for name in READERS if any(c.key == f"device.{name}" for c in self.table.rules.clauses)]
        self.do("device_out_of_order", device=names[0])
        self.do("device_repaired", "floorperson", device=names[0])

    def idle(self) -> None:
        for name in ("Ann", "Bob"):
            self.do("leave", "player", name)
        self.do("spread_idle")
        self.now += HOUR
        self.seat("Ann", 1)
        self.seat("Bob", 3)

    def follow(self, task: str) -> None:
        while self.table.state.agenda and self.table.state.agenda[0].do != task:
            self.step()

    def step(self) -> None:
        do, role, by, _, args = self.follower.command(self.table, self.table.next_steps()[0])
        if do == "load_shoe":
            self.shoe = list(full_batch(self.table.rules))
            self.random.shuffle(self.shoe)
        self.do(do, role, by, **args)

    def bring(self, step: NextStep) -> dict[str, str]:
        """What comes with the shoe and is not the staff's to say."""
        if step.do == "burn":
            return {"card": self.draw()}
        return {"commitment": SEAL} if step.do == "shuffle" else {}

    def draw(self) -> str:
        return self.shoe.pop().name

    def round(self) -> None:
        for name, player in self.table.state.players.items():
            self.do("place_wager", "player", name, box=player.boxes[0], amount="10")
        self.do("deal")
        while self.table.state.phase == "round":
            self.turn()
        self.do("collect_cards")

    def turn(self) -> None:
        steps = self.table.next_steps()
        assert self.table.state.round is not None
        need = self.table.state.round.next
        if steps[0].do == "card":
            self.do("card", card=self.draw())
        elif isinstance(need, Offer) and need.optional:
            self.do("decide", action="decline")
        else:
            says = {step.says for step in steps}
            box = next(option.box for option in need.options) if isinstance(need, Offer) else 1
            low = self.table.state.round.seen_by()["boxes"]
            total = next(row for row in low if row["box"] == box)["hands"][-1]["total"]
            action = "hit" if "hit" in says and total < 15 else "stand"
            self.do("decide", "player", steps[0].about, action=action)


def day_log(book: str) -> str:
    """The day as a floorperson's log: time, paragraph, who, what."""
    lines = []
    for event in Day(book).run().events:
        clock = f"{event.at // HOUR:02d}:{event.at % HOUR // 60:02d}"
        if event.kind == "agenda_set":
            continue
        if isinstance(event, RoundBegun | RoundEvent):
            lines += [f"{clock}  {inner.cite:46} {in_words(inner)}" for inner in event.events]
            continue
        data = event.to_json().get("data", {})
        said = ", ".join(f"{key} {value}" for key, value in data.items() if key != "hands")
        lines.append(
            f"{clock}  {event.cite:46} {event.kind.replace('_', ' ')} by {event.by}{': ' if said else ''}{said}"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in BOOKS:
        (FOLDER / f"day-{name}.txt").write_text(day_log(name), encoding="utf-8")
