"""What a decision costs and leads to, in the words of its button and of its sentence; every number from the clauses."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.money import ZERO, Amount
from twentyone.round import Option, Round
from twentyone.round.events import HandRef
from twentyone.round.play import UNSEEN, Play, Speaker
from twentyone.round.state import HandWager
from twentyone.rulebook import HandFacts, Rules
from twentyone.service.phrases import begin, cash, odds_words, plain

__all__ = ["priced"]


class _Asked:
    """One decision that is open to somebody, with the hand it is about."""

    def __init__(self, round_: Round, option: Option) -> None:
        self.rules: Rules = round_.rules
        self.round = round_
        self.most = option.most or ZERO
        self.least = option.least or self.most
        play, speaker = Play(round_.rules, round_.state), Speaker(HandRef(option.box, option.hand or 1), option.player)
        self.facts: HandFacts = play.facts(speaker.hand)
        self.wager: HandWager = play.wager_of(speaker)

    @property
    def up_to(self) -> str:
        """The amount, or the most of it."""
        return cash(self.most) if self.least >= self.most else f"up to {cash(self.most)}"

    @property
    def chips(self) -> Amount:
        """All chips that lie on the hand."""
        return self.wager.amount + self.wager.double + self.wager.chance


def _insure(asked: _Asked) -> tuple[str, str]:
    return asked.up_to, f"pays {odds_words(asked.rules.pay('insurance', UNSEEN, UNSEEN).odds)}"


def _even_money(asked: _Asked) -> tuple[str, str]:
    odds = asked.rules.pay("even_money", asked.facts, UNSEEN).odds
    return "", f"your Blackjack is paid {odds_words(odds)} now, {cash(odds.pays(asked.wager.amount))}"


def _rescue(asked: _Asked) -> tuple[str, str]:
    return "", f"take back {cash(asked.wager.double)}, give up {cash(asked.wager.amount)}"


def _second_chance(asked: _Asked) -> tuple[str, str]:
    amount = asked.rules.chance_wager(asked.wager.amount, asked.wager.double)
    return cash(amount), f"one card is subtracted from {asked.facts.points}"


def _surrender(asked: _Asked) -> tuple[str, str]:
    share = asked.rules.decisions["surrender"].share
    lost = asked.wager.amount.part(share) if share is not None else asked.wager.amount
    return "", f"give up {cash(lost)}, keep {cash(asked.wager.amount - lost)}"


def _double(asked: _Asked) -> tuple[str, str]:
    return asked.up_to, "one more card"


def _split(asked: _Asked) -> tuple[str, str]:
    return cash(asked.most or asked.wager.amount), "the pair becomes two hands"


def _late_card(_: _Asked) -> tuple[str, str]:
    return "", "the card that was missed is dealt after the others"


def _call_dead(asked: _Asked) -> tuple[str, str]:
    return "", f"{cash(asked.chips)} goes back"


def _accept(asked: _Asked) -> tuple[str, str]:
    held = asked.round.state.held
    total = asked.rules.hand((*asked.facts.cards, held), asked.facts.split).points if held is not None else 0
    return "", f"{held.symbol} makes {total}" if held is not None else ""


def _refuse(asked: _Asked) -> tuple[str, str]:
    return "", f"you stay at {asked.facts.points} and draw no more"


def _stand(asked: _Asked) -> tuple[str, str]:
    return "", f"stay at {asked.facts.points}"


def _hit(_: _Asked) -> tuple[str, str]:
    return "", "one more card"


PRICES: dict[str, Callable[[_Asked], tuple[str, str]]] = {
    "insure": _insure,
    "even_money": _even_money,
    "rescue": _rescue,
    "second_chance": _second_chance,
    "surrender": _surrender,
    "double": _double,
    "split": _split,
    "late_card": _late_card,
    "call_dead": _call_dead,
    "accept": _accept,
    "refuse": _refuse,
    "stand": _stand,
    "hit": _hit,
}
"""What each decision costs, and what it leads to."""

NAMES = {"insure": "insurance", "call_dead": "dead hand", "accept": "take the card", "refuse": "refuse the card"}
"""Decisions whose names say too little."""


def priced(round_: Round, option: Option, turn: bool = False) -> dict[str, str]:
    """The name and the price of a decision in words: `says` is the sentence, `short` what its button has room for.

    On a player's turn there are many buttons: only what it costs is on them.
    """
    name = begin(plain(NAMES.get(option.action, option.action)))
    if option.action not in PRICES or not round_.state.hands.get(option.box):
        return {"name": name, "short": "", "says": name}
    price, leads = PRICES[option.action](_Asked(round_, option))
    joins = " " if option.action == "insure" else ": "
    says = f"{name}{f' {price}' if price else ''}{f'{joins}{leads}' if leads else ''}"
    costs = price or (leads.partition(",")[0] if option.action == "surrender" else "")
    return {"name": name, "short": costs if turn else ", ".join(filter(None, (price, leads))), "says": says}
