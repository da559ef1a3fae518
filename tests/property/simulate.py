"""A fast seeded driver: random rounds of any rulebook, with irregularities, checked after every event.

rules = random_rules(Rulebook.load("..."), Random(1))
played = play_random(rules, Random(2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.property.chance import Shoe, random_meters, random_rules, random_spin, random_wagers
from tests.property.invariants import Ledger, check_refusal
from tests.property.irregular import (
    count_fired,
    is_missed_again,
    random_found,
    random_irregularity,
    random_stranger,
)

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import (
    Command,
    Confirmed,
    Decision,
    Draw,
    Drawn,
    Happened,
    Offer,
    Option,
    Over,
    Round,
    Spin,
    Told,
    Wagers,
)
from twentyone.round.actions import ACTIONS
from twentyone.rulebook import Rulebook, Rules

__all__ = ["Fault", "Played", "again", "play_number", "play_random"]

A_SUBMISSION = 20
"""Rounds that `play_number` plays under one submission."""

MOST = 12
"""Irregular commands after which a round goes on without."""

ACE = Card("AS")
TOO_LATE = (
    Happened("card_drawn_in_error"),
    Happened("card_drawn_in_error", card=ACE, exposed=True),
    Happened("dealer_card_missed"),
    Happened("requested_card_missed"),
    Happened("hole_card_read"),
    Happened("insufficient_cards"),
)
"""Irregularities that cannot befall a round that is over."""


@dataclass
class Played:
    """A round that was played, and how."""

    rules: Rules
    wagers: Sequence[Wagers]
    meters: Mapping[str, Amount]
    commands: list[Command] = field(default_factory=list)
    """What was brought to it, in order; nothing that was refused."""
    rounds: list[Round] = field(default_factory=list)
    """The round at the start and after each command."""
    fired: Counter[str] = field(default_factory=Counter)
    """How often each irregularity of the text happened."""
    reads: int = 0
    """How often the hole card was read without cause."""
    irregular: int = 0
    """How many commands were irregular."""

    @property
    def round(self) -> Round:
        """The round as it stands."""
        return self.rounds[-1]

    def bring(self, command: Command) -> None:
        """Bring a command to the round."""
        self.commands.append(command)
        self.rounds.append(self.round.apply(command))
        self.reads += isinstance(command, Happened) and command.name == "hole_card_read"
        self.irregular += isinstance(command, Happened) or (isinstance(command, Drawn) and command.face_up)


class Fault(AssertionError):
    """A round that broke an invariant, with everything needed to play it again."""

    def __init__(self, why: str, played: Played) -> None:
        super().__init__(why)
        self.played = played
        self.number: int | None = None
        """The number of the round, where it has one: its seed."""

    def __str__(self) -> str:
        played = self.played
        given = {choice.key: choice.value for choice in played.rules.submission.choices if choice.given}
        lines = [
            str(self.args[0]),
            f"rulebook: {played.rules.rulebook.id}",
            f"seed: round {self.number}",
            f"submission: {given}",
            f"readings: {dict(played.rules.submission.readings)}",
            f"meters: {dict(played.meters)}",
            *(f"wager: {row}" for row in played.wagers),
            *(f"command: {command}" for command in played.commands),
        ]
        return "\n".join(lines)


def play_number(rulebook: Rulebook, number: int, irregularities: float = 0.05, rules: Rules | None = None) -> Played:
    """Play the round of this number: the same one whenever it is asked for."""
    rules = rules or rules_number(rulebook, number)
    try:
        return play_random(rules, Random(f"{rulebook.id}/{number}"), irregularities)
    except Fault as fault:
        fault.number = number
        raise


def rules_number(rulebook: Rulebook, number: int) -> Rules:
    """The rules under which `play_number` plays a round."""
    return random_rules(rulebook, Random(f"{rulebook.id}/submission {number // A_SUBMISSION}"))


def play_random(rules: Rules, rng: Random, irregularities: float = 0.05) -> Played:
    """Deal a random round to its end and check it after every event; a broken invariant is a `Fault`."""
    played = Played(rules, random_wagers(rules, rng), random_meters(rules, rng))
    try:
        _play(played, Shoe(rules, rng), rng, irregularities)
    except Exception as wrong:
        raise Fault(f"{type(wrong).__name__}: {wrong}", played) from wrong
    if played.irregular or played.round.state.set_aside:
        played.fired = count_fired(rules, played.round.events, played.reads)
    return played


def _play(played: Played, shoe: Shoe, rng: Random, irregularities: float) -> None:
    round_ = Round.start(played.rules, played.wagers, played.meters)
    played.rounds.append(round_)
    ledger = Ledger(round_)
    over = False
    while not over:
        over = isinstance(round_.next, Over)
        told = isinstance(round_.next, Told)
        rate = irregularities if played.irregular < MOST and not told else 0
        if rng.random() < rate:
            _must_be_refused(round_, rng)
        command: Command | None = _try_irregularity(played, shoe, rng, rate)
        if command is None:
            if over:
                return
            command = _random_command(round_, shoe, rng, rate)
            played.bring(command)
        round_ = played.round
        ledger.follow(round_, command)


def _random_command(round_: Round, shoe: Shoe, rng: Random, irregularities: float) -> Command:
    need = round_.next
    if isinstance(need, Draw):
        return _random_card(shoe, rng, irregularities)
    if isinstance(need, Spin):
        return random_spin(round_.rules, round_.state, need, rng)
    if isinstance(need, Told):
        return Confirmed("Fay")
    assert isinstance(need, Offer), need
    if need.optional and rng.random() < 0.4:
        return _random_no(need, rng)
    option = rng.choice(_leave_it(round_, rng) or need.options)
    return option.decision(random_amount(option, rng))


def _random_no(need: Offer, rng: Random) -> Decision:
    """The no of one player, or the dealer's end of the offer."""
    option = rng.choice(need.options)
    return rng.choice((Decision("decline"), Decision("decline", option.box, option.player)))


def _random_card(shoe: Shoe, rng: Random, irregularities: float) -> Command:
    if not shoe.is_empty:
        return random_found(shoe, rng, irregularities)
    shoe.refill()
    return Happened("insufficient_cards")


def _leave_it(round_: Round, rng: Random) -> list[Option]:
    """Now and then a card that was drawn in error is left lying by everyone."""
    if round_.state.held is None or rng.random() < 0.2:
        return []
    return [option for option in round_.legal() if option.action in ("refuse", "stand")]


def random_amount(option: Option, rng: Random) -> Amount | None:
    """A wager that an option allows; None (the most) where it takes none or half of the time."""
    if option.most is None or option.least is None or rng.random() < 0.5:
        return None
    return option.least * rng.choice(range(1, option.most // option.least + 1)) + Amount(0)


# -- irregularities and refusals


def _try_irregularity(played: Played, shoe: Shoe, rng: Random, irregularities: float) -> Happened | None:
    """Report a random irregularity; where the text refuses it, the refusal is checked and nothing has happened."""
    round_ = played.round
    rare = isinstance(round_.next, Over) or is_missed_again(round_)
    odds = min(irregularities * 8, 0.5) if rare else irregularities
    happened = None
    if rng.random() < odds:
        happened = random_stranger(round_, shoe, rng) or random_irregularity(round_, shoe, rng)
    if happened is None:
        return None
    try:
        played.bring(happened)
    except Refused as refused:
        played.commands.pop()
        check_refusal(round_.rules.rulebook, refused)
        if happened.card is not None:
            shoe.put_back(happened.card)
        return None
    if happened.name == "insufficient_cards":
        shoe.refill()
    return happened


def _must_be_refused(round_: Round, rng: Random) -> None:
    """Say something that nobody may say now; it must be refused, with a paragraph."""
    command = _nonsense(round_, rng)
    listed = {(option.action, option.box, option.player) for option in round_.legal()}
    if isinstance(command, Decision) and (command.action, command.box, command.player) in listed:
        return
    try:
        round_.apply(command)
    except Refused as refused:
        check_refusal(round_.rules.rulebook, refused)
        return
    raise AssertionError(f"{command} was not refused; {round_.next} is due")


def _nonsense(round_: Round, rng: Random) -> Command:
    if isinstance(round_.next, Over) and rng.random() < 0.5:
        return rng.choice(TOO_LATE)
    if not isinstance(round_.next, Draw) and rng.random() < 0.1:
        return Drawn(ACE)
    boxes = [*round_.state.boxes, 1, 7]
    players = [*round_.state.players, "nobody"]
    return Decision(rng.choice(sorted(ACTIONS)), rng.choice(boxes), rng.choice(players))


def again(played: Played, commands: Sequence[Command]) -> list[Round]:
    """The rounds that other commands lead to from the same wagers."""
    rounds: list[Any] = [Round.start(played.rules, played.wagers, played.meters)]
    for command in commands:
        rounds.append(rounds[-1].apply(command))
    return rounds
