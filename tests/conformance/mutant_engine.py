"""Our own engine on the pipe with one fault in it: `python -m tests.conformance.mutant_engine FAULT`."""

from __future__ import annotations

import sys

from twentyone.errors import Refused
from twentyone.money import Amount, Odds
from twentyone.rulebook import HandFacts, Rules
from twentyone.suite.engine import answers

PAYS, DRAWS, SAYS = Odds.pays, Rules.dealer_draws, Refused.__init__


def overpay(odds: Odds, amount: Amount) -> Amount:
    return PAYS(odds, amount) + Amount("0.50")


def draw_on_17(rules: Rules, hand: HandFacts) -> bool:
    return DRAWS(rules, hand) or (hand.soft and hand.points == 17)


def cite_another(refused: Refused, why: str, cite: str = "", step: str = "") -> None:
    SAYS(refused, why, f"{cite}(z)", step)


def main() -> None:
    mutants = {"overpay": (Odds, "pays", overpay), "soft-17": (Rules, "dealer_draws", draw_on_17),
               "cites": (Refused, "__init__", cite_another)}  # fmt: skip
    owner, name, mutant = mutants[sys.argv[1]]
    setattr(owner, name, mutant)
    for line in answers(sys.stdin):
        print(line, flush=True)


if __name__ == "__main__":
    main()
