"""A second engine, the smallest that plays plain rounds of Blackjack: its own code, the standard library, the pipe.

    python second_engine.py [FAULT ...]

A fault is planted: `even-blackjack` pays a Blackjack 1 to 1, `soft-17` has the dealer draw on a soft 17, `deaf` answers
nothing, `dies` ends at the third case, `raves` writes what is no answer, `lost` answers for another case.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

Body = dict[str, Any]
Choose = Callable[[int, list[str]], str]

FAULTS = set(sys.argv[1:])
HELLO: Body = {
    "protocol": "twentyone-conformance/1",
    "engine": "second",
    "levels": ["rounds", "figures"],
    "rulebooks": ["classic-blackjack"],
    "knows": ["mark:must", "wager:main", "action:*", "boxes:several", "figure:perft"],
    "cites": False,
}


class OutOfCards(Exception):
    """A card is due and none is left."""


def money(amount: Fraction) -> str:
    return f"{(Decimal(amount.numerator) / amount.denominator).normalize():f}"


def value(card: str) -> int:
    return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(card[:-1]) or int(card[:-1])


def total(cards: list[str]) -> int:
    low = sum(map(value, cards))
    return low + 10 if low <= 11 and any(card[0] == "A" for card in cards) else low


def natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


class Hand:
    def __init__(self, cards: list[str], wager: Fraction, split: bool = False, aces: bool = False) -> None:
        self.cards, self.wager, self.split, self.aces, self.double = cards, wager, split, aces, Fraction(0)


class Round:
    """One round: `draw` brings a card, `choose` answers with one of some options, or none where it may."""

    def __init__(self, wagers: list[Body], draw: Callable[[], str], choose: Choose) -> None:
        self.draw, self.choose = draw, choose
        self.boxes = {row["box"]: row for row in sorted(wagers, key=lambda row: row["box"])}
        self.hands = {box: [Hand([], Fraction(row["main"]))] for box, row in self.boxes.items()}
        self.dealer, self.insured = list[str](), dict[int, Fraction]()
        for _ in range(2):
            for box in self.boxes:
                self.hands[box][0].cards.append(draw())
            self.dealer.append(draw())
        self.play()
        self.rows = [row for box in self.boxes for row in self.settle(box)]

    def play(self) -> None:
        if self.dealer[0][0] == "A":
            for box in self.boxes:
                most = -(-self.hands[box][0].wager // 1) / Fraction(2)
                said = self.choose(box, [f"insure:{money(most)}", ""])
                if said:
                    self.insured[box] = Fraction(said.partition(":")[2])
        if natural(self.dealer):
            return
        for box in self.boxes:
            at = 0
            while at < len(self.hands[box]):
                self.turn(box, at)
                at += 1
        if any(total(h.cards) <= 21 and not self.blackjack(h) for hands in self.hands.values() for h in hands):
            while total(self.dealer) < 17 or self.draws_on_soft_17():
                self.dealer.append(self.draw())

    def draws_on_soft_17(self) -> bool:
        return "soft-17" in FAULTS and total(self.dealer) == 17 and sum(map(value, self.dealer)) == 7

    def blackjack(self, hand: Hand) -> bool:
        return natural(hand.cards) and not hand.split

    def turn(self, box: int, at: int) -> None:
        hand = self.hands[box][at]
        if len(hand.cards) == 1:
            hand.cards.append(self.draw())
        while total(hand.cards) < 21 and not hand.aces and not hand.double:
            said = self.choose(box, self.options(box, hand))
            action, _, amount = said.partition(":")
            if action == "stand":
                return
            if action == "split":
                aces = hand.cards[0][0] == "A"
                self.hands[box].insert(at + 1, Hand([hand.cards.pop()], hand.wager, True, aces))
                hand.split, hand.aces = True, aces
            hand.double = Fraction(amount or hand.wager) if action == "double" else hand.double
            hand.cards.append(self.draw())

    def options(self, box: int, hand: Hand) -> list[str]:
        options, two = ["hit", "stand"], len(hand.cards) == 2
        if two:
            options.append(f"double:{money(hand.wager)}")
        if two and value(hand.cards[0]) == value(hand.cards[1]) and len(self.hands[box]) < 4:
            options.append("split")
        return options

    def outcome(self, hand: Hand) -> str:
        mine, his = total(hand.cards), total(self.dealer)
        if mine > 21:
            return "lose"
        if natural(self.dealer) or self.blackjack(hand):
            mine, his = self.blackjack(hand), natural(self.dealer)
        if mine == his:
            return "push"
        return "win" if mine > his or (his > 21) else "lose"

    def settle(self, box: int) -> Iterator[Body]:
        def row(hand: int | None, wager: str, amount: Fraction, outcome: str, odds: Fraction) -> Body:
            gain = {"win": amount * odds, "lose": -amount, "push": Fraction(0)}[outcome]
            told = f"{odds.numerator}:{odds.denominator}" if outcome == "win" else None
            player = self.boxes[box]["player"]
            return {"box": box, "hand": hand, "player": player, "wager": wager, "amount": money(amount),
                    "outcome": outcome, "odds": told, "net": money(gain), "gain": gain}  # fmt: skip

        if box in self.insured:
            yield row(None, "insurance", self.insured[box], "win" if natural(self.dealer) else "lose", Fraction(2))
        for number, hand in enumerate(self.hands[box], 1):
            pays = Fraction(3, 2) if self.blackjack(hand) and "even-blackjack" not in FAULTS else Fraction(1)
            yield row(number, "main" if number == 1 else "split", hand.wager, self.outcome(hand), pays)
            if hand.double:
                yield row(number, "double", hand.double, self.outcome(hand), Fraction(1))

    def net(self, player: str) -> Fraction:
        return sum((row["gain"] for row in self.rows if row["player"] == player), Fraction(0))

    def result(self, used: int) -> Body:
        hands = [
            {"box": box, "hand": number, "cards": hand.cards, "total": total(hand.cards), "outcome": self.outcome(hand)}
            for box, hands in self.hands.items()
            for number, hand in enumerate(hands, 1)
        ]
        return {
            "rulebook": "classic-blackjack",
            "void": False,
            "dealer": {"cards": self.dealer, "total": total(self.dealer), "blackjack": natural(self.dealer)},
            "hands": hands,
            "wagers": [{key: value for key, value in row.items() if key != "gain"} for row in self.rows],
            "net": {row["player"]: money(self.net(row["player"])) for row in self.boxes.values()},
            "cards_used": used,
        }


def dealt(script: Body) -> Body:
    """The result of a round script."""
    cards, said = script["cards"].split(), list(script["decisions"])
    left = iter(cards)

    def choose(box: int, options: list[str]) -> str:
        fits = said and said[0]["box"] == box and ("" not in options or said[0]["action"] == "insure")
        if not fits:
            return ""
        row = said.pop(0)
        return f"{row['action']}:{row['amount']}" if "amount" in row else row["action"]

    round_ = Round(script["wagers"], lambda: next(left), choose)
    return round_.result(len(cards) - len(list(left)))


def walked(script: Body, path: list[tuple[int, int]]) -> tuple[Fraction, str, str]:
    """One round along a path of choices, which it lengthens by the first of each further choice."""
    left, out, said = script["cards"].split(), list[str](), list[str]()
    taken = iter(list(path))

    def pick(options: list[str]) -> str:
        index, _ = next(taken, (-1, 0))
        if index < 0:
            index = 0
            path.append((0, len(options)))
        return options[index]

    def draw() -> str:
        if not left:
            raise OutOfCards
        card = pick(list(dict.fromkeys(left))) if script.get("any_order") else left[0]
        left.remove(card)
        out.append(card)
        return card

    def choose(_: int, options: list[str]) -> str:
        option = pick(options)
        said.extend([option] if option else [])
        return option

    round_ = Round([{"box": 1, "player": "p1", "main": script["wager"]}], draw, choose)
    return round_.net("p1"), " ".join(out), " ".join(said)


def perft(script: Body) -> Body:
    lines, path = list[str](), list[tuple[int, int]]()
    unfinished, net = 0, Fraction(0)
    while True:
        try:
            won, cards, said = walked(script, path)
            lines.append(f"{cards};{said};{money(won)}\n")
            net += won
        except OutOfCards:
            unfinished += 1
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            digest = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
            return {"rounds": len(lines), "unfinished": unfinished, "net": money(net), "digest": digest}
        path[-1] = (path[-1][0] + 1, path[-1][1])


def answer(request: Body) -> Body:
    if "hello" in request:
        return HELLO
    script = request["script"]
    if script["format"] == "perft/1":
        return {"id": request["id"], "figure": perft(script)}
    return {"id": request["id"], "result": dealt(script)}


def main() -> None:
    for number, line in enumerate(sys.stdin):
        if "deaf" in FAULTS and number:
            time.sleep(600)
        if "dies" in FAULTS and number == 3:
            sys.exit(7)
        reply = answer(json.loads(line))
        if "lost" in FAULTS and number:
            reply["id"] += 1
        print("thinking ..." if "raves" in FAULTS and number else json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
