"""The person at the keyboard: questions with their keys, legal answers, and reasons why the others are not legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from twentyone.cli.output import undelivered
from twentyone.errors import Refused, SubmissionRefused
from twentyone.money import Amount, dollars
from twentyone.round import Decision, Offer, Option, Round
from twentyone.round.events import DecisionTaken

if TYPE_CHECKING:
    from twentyone.cli.table_screen import Screen
    from twentyone.cli.terminal_table import TerminalTable

__all__ = ["AskedPerson", "Barred", "KeyChoice", "Leave", "Question", "in_a_line", "read_amount", "read_line", "words"]

KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "insure": "i",
    "even_money": "e",
    "second_chance": "c",
    "rescue": "x",
    "decline": "n",
}
NAMES = {**{key: action for action, key in KEYS.items()}, "1": "designate 1", "2": "designate 2"}

HELP = (
    *((key, name.replace("_", " ").replace("decline", "no")) for name, key in KEYS.items()),
    ("1 2", "the hand that your wager stays on after another player has split"),
    ("d 5", "a key with an amount; without one you are asked for it, and Enter means the maximum"),
    ("l", "the rulebook's entry for the last paragraph cited; `l 635a.10(d)` for another"),
    ("q", "leave the table; a round in progress does not count"),
)

ASKS = {
    "turn": "your decision?",
    "insurance": "insurance?",
    "surrender": "surrender?",
    "double": "double too?",
    "split": "the pair was split: split too, or keep one hand?",
    "rescue": "rescue the double?",
    "second_chance": "a second chance?",
}
SHOWN = {"turn": ("hit", "stand", "double", "split", "surrender"), "insurance": ("insure", "even_money")}
"""Decisions that are shown with a question even if they are not allowed, where the text mentions them."""


class KeyChoice(NamedTuple):
    """A key that may be pressed now."""

    key: str
    """The key."""
    says: str
    """What it does."""


class Barred(NamedTuple):
    """A decision that is not allowed now."""

    key: str
    """Its key."""
    says: str
    """What it would do."""
    why: str
    """Why not."""
    cite: str
    """The paragraph that says so."""


class Question(NamedTuple):
    """What somebody is asked."""

    text: str
    """Who, where and what."""
    box: int
    """The box it is about."""
    hand: int
    """The hand it is about."""
    choices: tuple[KeyChoice, ...]
    """What may be answered."""
    barred: tuple[Barred, ...]
    """What may not, and why."""


class Leave(Exception):
    """A player leaves the table."""


def read_line() -> str:
    """Read a line; the end of input means leaving, and so does a screen that shows nothing more."""
    if undelivered() is not None:
        raise Leave
    try:
        return input("> ").strip()
    except EOFError:
        print()
        raise Leave from None
    except KeyboardInterrupt:
        print()
        raise


def in_a_line(refused: Exception) -> str:
    """A refusal in one line, without its position in a script: there is no script here."""
    if isinstance(refused, Refused) and not isinstance(refused, SubmissionRefused):
        return refused.with_cite
    return str(refused)


def read_amount(text: str) -> Amount:
    """An amount in dollars as a person types it; `ValueError` if it is not one."""
    return Amount(text.strip().removeprefix("$"))


def words(name: str) -> str:
    """An identifier as people write it."""
    return name.replace("_", " ")


class AskedHand(NamedTuple):
    """Who is asked about which hand."""

    box: int
    """The box."""
    hand: int
    """The hand of the box."""
    player: str
    """Who is asked."""

    def of(self, option: Option) -> bool:
        """Whether an option is this player's."""
        return (option.box, option.player) == (self.box, self.player)


class AskedPerson:
    """Asks the person at the keyboard and accepts only what the rulebook allows."""

    def __init__(self, table: TerminalTable, screen: Screen) -> None:
        self._table, self._screen = table, screen
        self._told = 0
        self.cite: str | None = None
        """The last paragraph cited."""

    def answer(self) -> None:
        """Ask the next player who has not answered."""
        round_ = self._table.round
        offer = round_.next
        assert isinstance(offer, Offer)
        self._ask(round_, offer, _asked_hands(round_, offer)[0])

    def _ask(self, round_: Round, offer: Offer, asked: AskedHand) -> None:
        question = _question(round_, offer, asked)
        self._screen.show_round(round_, self._table.chips, self._table.foot, question)
        self._screen.procedure(self._table)
        self.cite = self._screen.news(round_, self._told) or self.cite
        self._told = len(round_.events)
        while True:
            line = self._line(lambda: self._screen.question(round_, question))
            try:
                self._take(offer, asked, line)
                return
            except (Refused, ValueError) as wrong:
                self._explain(wrong)

    def _explain(self, wrong: Refused | ValueError) -> None:
        if isinstance(wrong, Refused):
            self.cite = wrong.cite or self.cite
        self._screen.refuse(in_a_line(wrong))

    def _line(self, ask: Callable[[], None]) -> str:
        """Read lines until one is an answer; after a help page the question is shown again."""
        while True:
            ask()
            line = read_line()
            key, _, rest = line.partition(" ")
            if key.lower() == "q":
                raise Leave
            if key == "?":
                self._screen.keys(HELP)
            elif key.lower() == "l":
                self._page(rest.strip())
            else:
                return line

    def _page(self, paragraph: str) -> None:
        if paragraph or self.cite:
            self._screen.entry(self._table.rules.rulebook, paragraph or self.cite or "")
        else:
            self._screen.refuse("no paragraph has been cited yet")

    def _take(self, offer: Offer, asked: AskedHand, line: str) -> None:
        action, amount = _understand(line)
        if action == "decline" and offer.optional:
            self._table.decide(Decision("decline", asked.box, asked.player))
            return
        option = _option(offer, asked, action)
        if option is None:
            self._table.decide(Decision(action.split()[0], asked.box, asked.player))
            return
        if option.most is None and amount is not None:
            raise ValueError(f"{words(option.action)} takes no amount")
        if option.most is not None and option.most != option.least and amount is None:
            amount = self._how_much(option, option.most)
        self._table.decide(option.decision(amount))

    def _how_much(self, option: Option, most: Amount) -> Amount:
        chips = f" in chips of {dollars(option.least)}" if option.least is not None else ""
        says = f"  {words(option.action)} for how much{chips}? Enter means the maximum, {dollars(most)}."
        line = self._line(lambda: self._screen.say(says, "bold"))
        return read_amount(line) if line else most

    def next_round(self) -> None:
        """Wait between rounds; the player may change the wager."""
        self._told = 0
        wager = dollars(self._table.wagers[0].main)
        says = f"Enter deals the next round; an amount changes the wager of {wager}; q leaves."
        while line := self._line(lambda: self._screen.say(says, "bold")):
            try:
                self._table.wager(read_amount(line))
                return
            except (Refused, ValueError) as wrong:
                self._explain(wrong)


def _asked_hands(round_: Round, offer: Offer) -> list[AskedHand]:
    """Everybody who is asked now."""
    ask = round_.state.ask
    hand = (ask.hand or 1) if ask is not None else None
    return list(
        dict.fromkeys(AskedHand(option.box, hand or option.hand or 1, option.player) for option in offer.options)
    )


def _understand(line: str) -> tuple[str, Amount | None]:
    """A key or a decision's name, and an amount if one follows."""
    said = line.lower()
    if said.replace(" ", "_") in KEYS:
        return said.replace(" ", "_"), None
    if said[:1] not in NAMES:
        raise ValueError(f"{line!r} is not one of the keys; ? explains them" if line else "press one of the keys")
    return NAMES[said[0]], read_amount(said[1:]) if said[1:] else None


def _option(offer: Offer, asked: AskedHand, action: str) -> Option | None:
    return next((option for option in offer.options if asked.of(option) and _name(option) == action), None)


def _name(option: Option) -> str:
    return f"designate {option.hand}" if option.action == "designate" else option.action


# -- questions


def _question(round_: Round, offer: Offer, asked: AskedHand) -> Question:
    own = {_name(option): option for option in offer.options if asked.of(option)}
    choices = [KeyChoice(key, _says(round_, own[action])) for key, action in NAMES.items() if action in own]
    if offer.optional:
        choices.append(KeyChoice(KEYS["decline"], "no"))
    known = {*round_.rules.decisions, *(clause.name for clause in round_.rules.may_nots)}
    shown = [action for action in SHOWN.get(offer.kind, ()) if action in known and action not in own]
    barred = [row for action in shown for row in _barred(round_, action, asked)]
    hand_name = f"box {asked.box}" if len(round_.state.hands[asked.box]) == 1 else f"box {asked.box}, hand {asked.hand}"
    text = f"{asked.player}, {hand_name}: {ASKS[offer.kind]}"
    return Question(text, asked.box, asked.hand, tuple(choices), tuple(barred))


def _barred(round_: Round, action: str, asked: AskedHand) -> Iterator[Barred]:
    refused = _refusal(round_, action, asked)
    if refused is not None:
        why = refused.why.partition(": ")[2] or refused.why
        yield Barred(KEYS[action], words(action), why, refused.cite)


def _refusal(round_: Round, action: str, asked: AskedHand) -> Refused | None:
    """Why this player may not take a decision; for his own box if several players are asked at once."""
    if round_.state.ask is None:
        return round_.refusal(action)
    try:
        round_.apply(Decision(action, asked.box, asked.player))
    except Refused as refused:
        return refused
    return None


def _says(round_: Round, option: Option) -> str:
    """A decision with what it costs."""
    if option.action == "designate":
        return f"keep hand {option.hand}"
    name = words(option.action)
    if option.most is not None:
        return f"{name} up to {dollars(option.most)}"
    after = round_.apply(option.decision())
    laid = [event.amount for event in after.events[len(round_.events) :] if isinstance(event, DecisionTaken)]
    return f"{name} for {dollars(laid[0])}" if laid and laid[0] else name
