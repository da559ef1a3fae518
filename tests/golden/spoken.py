"""What a screen reader says to a player in one round of each game; `make golden` writes it anew.

The live region says the sentences that are new, a result whole; before each decision the buttons are read.
"""

from __future__ import annotations

from typing import Any

from tests.golden.day import BOOKS, Day
from tests.golden.transcripts import FOLDER

from twentyone.service.last_round import LastRounds
from twentyone.service.people import Person
from twentyone.service.view_cache import ViewCache

__all__ = ["spoken"]

ANN = Person("Ann", "player")


class Listener(Day):
    """Ann at box 1 and Bob at box 3; what Ann hears."""

    def __init__(self, book: str) -> None:
        super().__init__(book)
        self.lines: list[str] = []
        self._last, self._said, self._over = LastRounds(), list[str](), 0

    def do(self, name: str, role: str = "dealer", by: str = "", **args: Any) -> None:
        """A command; then what is new is said."""
        super().do(name, role, by, **args)
        self._last.note(self.table.state)
        table = self.table
        steps = table.next_steps()
        view = ViewCache("t", table, 1, steps, entered=True, last_rounds=self._last).seen_by(ANN)
        said = [one["text"] for one in view["saying"]]
        over = (view["last"] or {}).get("round", 0)
        news = [text for text in said if text not in self._said or over > self._over]
        self._said, self._over = said, over
        if news:
            self.lines.append(" ".join(news))
            self.lines += [f"  {_button(one)}" for one in (view["offer"] or {}).get("decisions", [])]
            self.lines += ["  No"] * bool((view["offer"] or {}).get("yours") and view["offer"]["optional"])

    def listen(self) -> list[str]:
        """One round, from an open table to the next wager."""
        self.do("open_table", "floorperson", dealer="Dan")
        self.follow("show_cards")
        self.seat("Ann", 1)
        self.seat("Bob", 3)
        self.follow("")
        self.lines.clear()
        self._said = []
        self.round()
        self.do("place_wager", "player", "Ann", box=1, amount="10")
        return self.lines


def _button(decision: dict[str, Any]) -> str:
    """A button as it is read: its name and its price, or why it is not for now."""
    if not decision["allowed"]:
        return f"{decision['action'].capitalize()}, unavailable: {decision['why']}"
    return " ".join(filter(None, (decision["name"], decision["short"])))


def spoken(book: str) -> str:
    """The transcript of one round."""
    return "\n".join((*Listener(book).listen(), ""))


if __name__ == "__main__":
    for name in BOOKS:
        (FOLDER / f"spoken-{name}.txt").write_text(spoken(name), encoding="utf-8")
