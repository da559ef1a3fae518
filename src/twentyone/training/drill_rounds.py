"""Rounds that a trainee deals: the program plays everybody else and makes mishaps; the engine knows what follows.

Nothing here decides what is right: the round does, and it cites its paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.round import Confirmed, Decision, Draw, Drawn, Happened, Offer, Option, Over, Round, Told
from twentyone.round.commands import Command
from twentyone.round.events import CardSetAside, Event
from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.mishaps import of_round
from twentyone.service.shift.players import plain_choice

__all__ = ["Moment", "dealt_round"]

NAMES = ("Ann", "Ben", "Cleo")
WAGERS = ("10", "15", "20", "50")
"""Main wagers in dollars."""
MISHAP = 7
"""Something goes wrong once in so many moments."""
TRIES = 5
"""Of a decision one in so many is one that the text may refuse."""
WISHES = ("double", "split", "surrender", "hit")
"""What a player may ask for although he may not."""
MOST = 200
"""More moments than a round has."""


class Moment(NamedTuple):
    """A step of a round."""

    before: Round
    """The round before it."""
    command: Command | None
    """What somebody brought; none: nothing, he asked for what is refused."""
    after: Round
    """The round after it; the same where it was refused."""
    mishap: str = ""
    """What went wrong, as the shift names it; empty: nothing."""
    wish: Option | None = None
    """What a player asked for, where it was refused."""
    refused: Refused | None = None
    """Why."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in it."""
        return self.after.events[len(self.before.events) :]


def dealt_round(rules: Rules, seed: str, mishaps: bool = True) -> Iterator[Moment]:
    """A round by a seed, moment by moment; with mishaps, also of players who ask for what they may not."""
    chance = Chance("drill", seed)
    shoe = _shoe(rules)
    boxes = range(1, 1 + min(rules.boxes, 2 + chance.below(2)))
    wagers = [
        {"box": box, "player": name, "main": chance.among(WAGERS)} for box, name in zip(boxes, NAMES, strict=False)
    ]
    round_ = Round.start(rules, wagers)
    for _ in range(MOST):
        wrong = (_mishap(round_, shoe, chance) or _asks_too_much(round_, chance)) if mishaps else None
        moment = wrong or _next(round_, shoe, chance)
        if moment is None:
            return
        yield moment
        round_ = moment.after


def _shoe(rules: Rules) -> list[Card]:
    ranks = [rank for rank in RANKS if rank not in rules.cards.without]
    return [Card(rank + suit) for rank in ranks for suit in SUITS] * int(rules.submission["decks"])


def _top(shoe: list[Card], chance: Chance) -> Card:
    """The next card: any of those left, which lies last from now on."""
    place = chance.below(len(shoe))
    shoe[-1], shoe[place] = shoe[place], shoe[-1]
    return shoe[-1]


def _next(round_: Round, shoe: list[Card], chance: Chance) -> Moment | None:
    """What somebody brings where nothing goes wrong; none where the round is over, or a wheel is to be turned."""
    need = round_.next
    if isinstance(need, Draw):
        drawn = Drawn(_top(shoe, chance))
        shoe.pop()
        return Moment(round_, drawn, round_.apply(drawn))
    if isinstance(need, Told):
        told = Confirmed("Fay")
        return Moment(round_, told, round_.apply(told))
    if isinstance(need, Offer):
        said = _decision(round_, need, chance)
        return Moment(round_, said, round_.apply(said))
    return None


def _decision(round_: Round, need: Offer, chance: Chance) -> Decision:
    """What a player says, or the dealer where the text lets him choose."""
    if need.optional and chance.one_in(2):
        return Decision("decline")
    if need.kind != "turn" or chance.one_in(4):
        return chance.among(need.options).decision()
    return plain_choice(round_, need.options).decision()


def _asks_too_much(round_: Round, chance: Chance) -> Moment | None:
    """A player asks for what his hand may not do."""
    need = round_.next
    if not isinstance(need, Offer) or need.kind != "turn" or not chance.one_in(TRIES):
        return None
    first, may = need.options[0], {option.action for option in need.options}
    wishes = [name for name in WISHES if name not in may and name in round_.rules.decisions]
    if not wishes:
        return None
    wish = first._replace(action=chance.among(wishes), most=None, least=None)
    refused = round_.refusal(wish.action)
    return Moment(round_, None, round_, wish=wish, refused=refused) if refused is not None and refused.cite else None


def _mishap(round_: Round, shoe: list[Card], chance: Chance) -> Moment | None:
    """Something goes wrong, where the text has a paragraph for it."""
    over = isinstance(round_.next, Over)
    if not chance.one_in(2 if over else MISHAP) or (over and isinstance(round_.events[-1], CardSetAside)):
        return None
    kinds = [kind for kind in of_round(round_.rules, round_) if kind[0] != "device_out_of_order"]
    if not kinds:
        return None
    do, args = chance.among(kinds)
    command = _command(round_, do, args, _top(shoe, chance), chance)
    try:
        after = round_.apply(command)
    except Refused:
        return None
    if not isinstance(command, Happened) or command.card is not None:
        shoe.pop()
    return Moment(round_, command, after, mishap=args.get("name", do if do == "ten" else "face_up"))


def _command(round_: Round, do: str, args: dict[str, Any], card: Card, chance: Chance) -> Command:
    if do == "ten":
        return Drawn(Card(chance.among(round_.rules.cards.without) + chance.among(SUITS)))
    if do == "card":
        return Drawn(card, face_up=True)
    seen = args.get("exposed") or args["name"] == "dealer_drew_past_17"
    return Happened(card=card if seen else None, **args)
