"""Every round of a small shoe: how many there are, what they win together, and a digest to compare two engines by.

One player on one box. A round is a row of cards and a row of decisions that the rulebook deals to its end; whoever is
asked takes each decision that is legal, an offer is also declined, and a wager that is added is as large as allowed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.errors import TwentyoneError
from twentyone.money import ZERO, Amount
from twentyone.round import Decision, Draw, Drawn, Offer, Over, Round
from twentyone.rulebook import Rules
from twentyone.script.deal import check_cards

__all__ = ["MOST_ROUNDS", "PERFT_FORMAT", "Perft", "PerftRounds", "figures_of", "perft", "perft_lines"]

PERFT_FORMAT = "perft/1"
MOST_ROUNDS = 1_000_000
"""More rounds than these are not collected unless somebody asks for them."""
PLAYER = "p1"

Tell = Callable[[float], None]


class Perft(NamedTuple):
    """All rounds of some cards, in figures."""

    rounds: int
    """How many rounds are dealt to their end."""
    unfinished: int
    """How many end because a card is due and none is left."""
    net: Amount
    """What the player wins in all rounds together."""
    digest: str
    """SHA-256 over the lines of the rounds, sorted, each with its line feed."""

    def body(self) -> dict[str, Any]:
        """The figures as JSON."""
        return {**self._asdict(), "net": str(self.net)}


class PerftRounds(NamedTuple):
    """All rounds of some cards, a line each."""

    rounds: list[str]
    """Sorted: cards that left the shoe, decisions, the player's net."""
    unfinished: int
    """How many more end because a card is due and none is left."""
    net: Amount
    """What the player wins in all of them together."""


class PerftStep(NamedTuple):
    """Where a walk through the rounds stands."""

    round: Round
    """The round so far."""
    out: tuple[Card, ...]
    """The cards that left the shoe."""
    left: tuple[Card, ...]
    """Those that are still in it."""
    said: tuple[str, ...]
    """The decisions, offers that were declined left out."""


def perft(
    rules: Rules,
    cards: Sequence[Card],
    wager: Amount,
    any_order: bool = False,
    most: int = MOST_ROUNDS,
    progress: Tell | None = None,
) -> Perft:
    """Count every round of some cards: in their order, or with `any_order` in every order that they can come in.

    >>> from twentyone.cards import parse_cards
    >>> from twentyone.rulebook import Rulebook
    >>> found = perft(Rulebook.load("classic-blackjack").under(), parse_cards("8S 7H 9C KD 4D 5S"), Amount("10"))
    >>> found.rounds, found.unfinished, str(found.net)
    (3, 0, '30')
    """
    return figures_of(perft_lines(rules, cards, wager, any_order, most, progress))


def figures_of(lines: PerftRounds) -> Perft:
    """The rounds in figures."""
    text = "".join(f"{line}\n" for line in lines.rounds)
    return Perft(len(lines.rounds), lines.unfinished, lines.net, hashlib.sha256(text.encode()).hexdigest())


def perft_lines(
    rules: Rules,
    cards: Sequence[Card],
    wager: Amount,
    any_order: bool = False,
    most: int = MOST_ROUNDS,
    progress: Tell | None = None,
) -> PerftRounds:
    """The rounds themselves, a line each."""
    check_cards(rules, [Drawn(card) for card in cards])
    start = Round.start(rules, [{"box": 1, "player": PLAYER, "main": wager}])
    rounds, unfinished, net = [], 0, ZERO
    for walk, share in _ends(PerftStep(start, (), tuple(cards), ()), any_order, 0.0, 1.0):
        if not isinstance(walk.round.next, Over):
            unfinished += 1
            continue
        rounds.append(_line(walk))
        net = net + walk.round.net[PLAYER]
        if len(rounds) > most:
            raise TwentyoneError(f"these cards have more than {most} rounds: give fewer cards, or allow more rounds")
        if progress is not None:
            progress(share)
    return PerftRounds(sorted(rounds), unfinished, net)


def _ends(walk: PerftStep, any_order: bool, low: float, high: float) -> Iterator[tuple[PerftStep, float]]:
    """Every end of a walk, each with the share of all that is then done."""
    onward = list(_onward(walk, any_order))
    if not onward:
        yield walk, high
    step = (high - low) / max(len(onward), 1)
    for index, following in enumerate(onward):
        yield from _ends(following, any_order, low + index * step, low + (index + 1) * step)


def _onward(walk: PerftStep, any_order: bool) -> Iterator[PerftStep]:
    need = walk.round.next
    if isinstance(need, Draw):
        for card in dict.fromkeys(walk.left if any_order else walk.left[:1]):
            at = walk.left.index(card)
            left = walk.left[:at] + walk.left[at + 1 :]
            yield PerftStep(walk.round.apply(Drawn(card)), (*walk.out, card), left, walk.said)
    elif isinstance(need, Offer):
        for option in need.options:
            said = option.action if option.most is None else f"{option.action}:{option.most}"
            yield walk._replace(round=walk.round.apply(option), said=(*walk.said, said))
        if need.optional:
            yield walk._replace(round=walk.round.apply(Decision("decline")))


def _line(walk: PerftStep) -> str:
    """Cards, decisions and net of a round."""
    cards = " ".join(card.name for card in walk.out)
    return f"{cards};{' '.join(walk.said)};{walk.round.net[PLAYER]}"
