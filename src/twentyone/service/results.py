"""What a round brought somebody, in sentences: hand by hand and wager by wager, each with its paying paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twentyone.cards import UNKNOWN
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.events import HandRef, WagerSettled
from twentyone.round.play import Play
from twentyone.rulebook import HandFacts
from twentyone.rulebook.totals import dealer_limit
from twentyone.service.phrases import Said, begin, cash, odds_words, plain, signed

__all__ = ["ResultPart", "dealer_words", "paid_by", "parts", "result"]

PLAYED = ("even_money", "main", "split", "double", "second_chance")
"""The wagers that a hand decides; the first that it has is the one by which it is told."""


class ResultPart(NamedTuple):
    """What one hand or one wager brought."""

    text: str
    """What happened."""
    net: Amount
    """What it won or lost."""
    staked: Amount
    """The chips that lay for it."""
    cite: str
    """The paragraph that pays or takes."""

    @property
    def said(self) -> Said:
        """The sentence with what it won or lost, or that the chips go back."""
        ends = signed(self.net) if self.net or not self.staked else f"{cash(self.staked)} back"
        return Said(f"{self.text}: {ends}.", self.cite)


def result(round_: Round, who: str, coupon: Amount = ZERO) -> list[Said]:
    """The result of a round for somebody: the sum, where there are several parts, then each with its paragraph."""
    each = parts(round_, who)
    if coupon:
        each.append(ResultPart("Your coupon wins", coupon, ZERO, ""))
    if len(each) < 2:
        return [part.said for part in each]
    total = sum((part.net for part in each), ZERO)
    return [Said(f"Together {signed(total)}.", ""), *(part.said._replace(part=True) for part in each)]


def paid_by(round_: Round, who: str) -> str:
    """The paragraph that paid or took most."""
    return max(parts(round_, who), key=lambda part: abs(part.net), default=ResultPart("", ZERO, ZERO, "")).cite


def parts(round_: Round, who: str) -> list[ResultPart]:
    """Everything that was settled for somebody in a round: his hands in their order, then what lay beside them."""
    own = [row for row in round_.state.rows if row.player == who]
    hands: dict[HandRef, list[WagerSettled]] = {}
    for row in own:
        if row.wager in PLAYED and row.box is not None and row.hand is not None:
            hands.setdefault(HandRef(row.box, row.hand), []).append(row)
    beside: dict[tuple[int | None, str], list[WagerSettled]] = {}
    for row in own:
        if row.wager not in PLAYED or row.hand is None:
            beside.setdefault((row.box, row.wager), []).append(row)
    names = _names(round_, hands)
    told = [_told(names[ref], _hand(round_, ref, hands[ref])) for ref in sorted(hands)]
    boxes = {ref.box for ref in hands}
    return [*told, *(_told(_box(box, boxes), _beside(wager, rows)) for (box, wager), rows in beside.items())]


def _told(where: str, part: ResultPart) -> ResultPart:
    return part._replace(text=f"{where}{part.text}")


def _box(box: int | None, boxes: Iterable[int]) -> str:
    return f"Box {box} · " if box is not None and len(set(boxes)) > 1 else ""


def _names(round_: Round, hands: Iterable[HandRef]) -> dict[HandRef, str]:
    """What tells his hands apart; nothing where he has one."""
    refs = list(hands)
    boxes = {ref.box for ref in refs}
    names = {}
    for ref in refs:
        split = len(round_.state.hands[ref.box]) > 1
        words = [f"Box {ref.box}"] * (len(boxes) > 1) + [f"Hand {ref.number}"] * split
        names[ref] = f"{', '.join(words)} · " if words else ""
    return names


# -- one hand


class _Fate(NamedTuple):
    """A settled hand: its rows by wager, and both hands as the rules see them."""

    rows: dict[str, WagerSettled]
    mine: HandFacts
    dealer: HandFacts | None
    """The dealer's hand; none where it was not shown."""
    limit: int
    """The total over which a player is out."""
    dealer_limit: int
    """The total over which the dealer is."""
    dead: bool = False
    """Whether the hand was called dead."""

    @property
    def busts(self) -> bool:
        """Whether the dealer was shown to go over."""
        return self.dealer is not None and self.dealer.points > self.dealer_limit

    @property
    def head(self) -> WagerSettled:
        """The wager by which the hand is told."""
        return next(self.rows[wager] for wager in PLAYED if wager in self.rows)

    @property
    def points(self) -> str:
        """The player's total."""
        return _total(self.mine)

    @property
    def against(self) -> str:
        """The dealer's total, where it was shown."""
        return f" against the dealer's {_total(self.dealer)}" if self.dealer is not None else ""


def _hand(round_: Round, ref: HandRef, rows: list[WagerSettled]) -> ResultPart:
    rules, state = round_.rules, round_.state
    play = Play(rules, state)
    seen = state.shown and len(state.dealer) > 1 and UNKNOWN not in state.dealer
    dealer = play.dealer() if seen else None
    by_wager, dead = {row.wager: row for row in rows}, state.hand(ref).status == "dead"
    fate = _Fate(by_wager, play.facts(ref), dealer, rules.limit, dealer_limit(rules), dead)
    surrendered = any(wager.surrendered for wager in state.hand(ref).wagers if wager.player == fate.head.player)
    text, told = _fate(fate, surrendered, state.void)
    net = sum((row.net for row in rows), ZERO)
    return ResultPart(text, net, sum((row.staked for row in rows), ZERO), told.cite)


def _fate(fate: _Fate, surrendered: bool, void: bool) -> tuple[str, WagerSettled]:
    """How a hand ended, and the row whose paragraph says so."""
    head, rows = fate.head, fate.rows
    double, chance = rows.get("double"), rows.get("second_chance")
    if head.outcome == "void":
        return ("The round is void" if void else "Your hand is dead" if fate.dead else "A card was refused"), head
    if head.wager == "even_money":
        return "Even money for your Blackjack", head
    if surrendered:
        lost = " against the dealer's Blackjack" if head.outcome == "lose" else ""
        return f"Surrendered{lost}", head
    if double is not None and double.outcome == "rescued":
        return f"Rescued, {cash(double.amount)} taken back", double
    if chance is not None and (chance.outcome, head.outcome) == ("push", "lose"):
        return f"{_lost(fate)}, the second chance goes back", head
    if chance is not None:
        return _chance(fate, chance), chance
    if head.outcome == "win":
        return _won(fate), head
    if head.outcome == "lose":
        spared = ", the double goes back" if double is not None and double.outcome == "push" else ""
        return f"{_lost(fate)}{spared}", head
    return _tied(fate), head


def _chance(fate: _Fate, chance: WagerSettled) -> str:
    """A hand with a second chance is told by that wager and what was left; only below the limit was it compared."""
    how = {"win": "wins", "lose": "loses"}.get(chance.outcome, "is a push")
    against = fate.against if fate.mine.points < fate.limit else ""
    if against and fate.busts and fate.dealer is not None:
        against = f", the dealer busts with {fate.dealer.points}"
    back = sum((row.staked for row in fate.rows.values() if row is not chance and row.outcome == "push"), ZERO)
    returned = f"; your first {cash(back)} comes back" if back and chance.outcome != "push" else ""
    return f"Second chance {how} with {fate.mine.points}{against}{returned}"


def _won(fate: _Fate) -> str:
    odds, dealer = fate.head.odds, fate.dealer
    if odds is not None and odds.win != odds.lay:
        return f"{'' if fate.mine.blackjack else 'Your '}{fate.points} pays {odds_words(odds)}"
    if dealer is not None and fate.busts:
        return f"Dealer busts with {dealer.points}"
    if dealer is not None and fate.mine.points > dealer.points:
        return f"Your {fate.points} beats the dealer's {dealer.points}"
    return f"Your {fate.points} wins{fate.against}"


def _lost(fate: _Fate) -> str:
    if fate.mine.points > fate.limit:
        return f"Bust with {fate.mine.points}"
    if fate.dealer is None:
        return f"Your {fate.points} loses"
    return f"Dealer's {_total(fate.dealer)} beats your {fate.points}"


def _tied(fate: _Fate) -> str:
    if fate.dealer is not None and fate.dealer.blackjack and not fate.mine.blackjack:
        return "Spared by the dealer's Blackjack"
    if fate.dealer is None or _total(fate.dealer) == fate.points:
        return f"Push, your {fate.points} ties"
    return f"Push, your {fate.points}{fate.against}"


# -- beside the hands


def _beside(wager: str, rows: list[WagerSettled]) -> ResultPart:
    """A side wager, insurance or a bonus."""
    name, net = begin(plain(wager)), sum((row.net for row in rows), ZERO)
    last, staked = rows[-1], sum((row.staked for row in rows), ZERO)
    return ResultPart(f"{name}{_verb(last, bool(staked))}", net, staked, last.cite)


def _verb(row: WagerSettled, staked: bool) -> str:
    if row.odds is not None:
        return f" pays {odds_words(row.odds)}"
    if not staked:
        return ""
    if row.outcome == "win" and row.net < 0:
        return " is kept beside its prize"
    return {"win": " wins", "lose": " loses"}.get(row.outcome, "")


def dealer_words(round_: Round) -> Iterator[str]:
    """How the dealer's hand ended, for everybody; nothing where it was not shown."""
    state = round_.state
    if not state.void and state.shown and len(state.dealer) > 1 and UNKNOWN not in state.dealer:
        facts = round_.rules.dealer_hand(state.dealer)
        bust = facts.points > dealer_limit(round_.rules)
        yield f"Dealer busts with {facts.points}." if bust else f"Dealer has {_total(facts)}."


def _total(facts: HandFacts) -> str:
    return "Blackjack" if facts.blackjack else str(facts.points)
