"""Questions to a dealer: what happens now, what is paid, what is said; the engine's answer among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from twentyone.money import Amount, dollars, gained
from twentyone.round import Draw, Need, Offer, Over, Round, Told, events
from twentyone.round.effects import ANSWERS, alternatives
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.round.play import Play
from twentyone.round.words import in_words
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Irregularity, Pay
from twentyone.service.shift.chance import Chance
from twentyone.training.drill_rounds import Moment, dealt_round

__all__ = ["DrillQuestion", "questions_of"]

CHOICES = 4
"""Answers among which the right one stands."""
STORY = 6
"""The last events that are told."""
REMEDY_WORDS = {
    "set_aside": "set the card aside, unused",
    "burn": "burn the card",
    "destroy": "put the card out of the game; a floorperson destroys it",
    "use_as_next": "use the card as the next card",
    "no_more_cards": "the player gets no more cards in this round",
    "deal_late": "deal the missed card after all others",
    "hand_dead": "call the hand dead",
    "hands_dead": "call all hands dead",
    "open_hands_dead": "call every hand dead that is not settled",
    "hands_dead_undone": "call all hands dead, with nothing settled",
    "return_wager": "give the wagers back",
    "void_round": "the round is void, all wagers go back",
    "collect_cards": "collect the cards",
    "go_on": "go on with the round",
    "without_reader": "go on without the card reader",
    "notify_floorperson": "tell the floorperson",
    "shuffle_rack": "shuffle the cards of the discard rack",
    "reshuffle": "reshuffle all cards",
    "remove_decks": "take the decks out of the game",
    "cut": "offer the cut",
}
"""What each effect of a paragraph has the dealer do."""
MISHAP_WORDS = {
    "face_up": "The next card lies face up in the shoe.",
    "ten": "A card comes out that does not belong into this shoe.",
    "card_drawn_in_error": "You draw a card that nobody asked for, face down.",
    "exposed": "You draw a card that nobody asked for, and everybody sees it.",
    "dealer_drew_past_17": "You have drawn a card for yourself although you stand.",
    "dealer_card_missed": "You find that you missed your own card.",
    "box_missed": "You find that you missed a box.",
    "requested_card_missed": "You find that you did not deal the card that was asked for.",
    "hole_card_read": "You have put the hole card into the reader without cause.",
    "wrong_range": "You have shown the wrong range of the hole card.",
    "reader_failed": "The card reader fails.",
}
"""What went wrong, as the trainee sees it."""


class DrillQuestion(NamedTuple):
    """Something that a dealer must know at one moment of a round."""

    kind: str
    """`mishap`, `refuse`, `next`, `pay` or `say`."""
    asks: str
    """The question."""
    table: tuple[str, ...]
    """The layout as the dealer sees it."""
    story: tuple[str, ...]
    """What happened last."""
    choices: tuple[str, ...]
    """The answers among which the right one is."""
    right: int
    """Which one the engine gives."""
    cite: str
    """The paragraph under which it does."""


def questions_of(rules: Rules, seed: str) -> Iterator[DrillQuestion]:
    """The questions of a round, in its order."""
    chance = Chance("questions", seed)
    last: object = None
    for moment in dealt_round(rules, seed):
        if moment.mishap:
            yield from _of_mishap(moment, chance)
        elif moment.wish is not None:
            yield _of_wish(moment, chance)
        elif _whose(moment.before.next) != last:
            yield _of_next(moment, chance)
        last = _whose(moment.before.next)
        yield from _of_events(moment, chance)


# -- what went wrong


def _of_mishap(moment: Moment, chance: Chance) -> Iterator[DrillQuestion]:
    clause = _clause(moment)
    if clause is None:
        return
    known = moment.before.rules.irregularities.values()
    others = [_remedy(other) for other in known] + [_begin(REMEDY_WORDS[word]) for word in ("void_round", "go_on")]
    exposed = getattr(moment.command, "exposed", False)
    happened = MISHAP_WORDS["exposed" if exposed else moment.mishap]
    box = getattr(moment.command, "box", None)
    asks = f"{happened}{f' It is box {box}.' if box else ''} What happens now?"
    yield _question("mishap", asks, moment.before, _remedy(clause), others, clause.cite, chance)


def _clause(moment: Moment) -> Irregularity | None:
    """The paragraph that the round follows: a round that is void names it; else that of the mishap."""
    known = moment.before.rules.irregularities
    void = [event.cite for event in moment.events if isinstance(event, events.RoundVoided)]
    if void:
        return next(
            (clause for clause in known.values() if clause.cite == void[0] and "void_round" in clause.effects), None
        )
    name = IRREGULARITIES[moment.mishap][0] if moment.mishap in IRREGULARITIES else moment.mishap
    if name == "card_drawn_in_error":
        exposed = getattr(moment.command, "exposed", False)
        name = "drawn_in_error_exposed" if exposed else "drawn_in_error_unexposed"
    if name == "one_card" and getattr(moment.command, "box", None) in moment.before.state.missed:
        return known.get("no_cards")
    clause = known.get(name)
    cites = {event.cite for event in moment.events}
    return clause if clause is not None and clause.cite in cites else None


def _remedy(clause: Irregularity) -> str:
    """What a paragraph has the dealer do, in words."""
    if clause.choice is None or not set(clause.effects) & set(ANSWERS):
        return _begin("; ".join(REMEDY_WORDS[word] for word in clause.effects))
    ways = [", ".join(REMEDY_WORDS[word] for word in words) for words in alternatives(clause).values()]
    return _begin(f"the {clause.choice} chooses: {'; or '.join(ways)}")


# -- what is asked for, and what comes next


def _of_wish(moment: Moment, chance: Chance) -> DrillQuestion:
    wish, refused = moment.wish, moment.refused
    assert wish is not None
    assert refused is not None
    asks = f"{wish.player} at box {wish.box} says: {wish.action.replace('_', ' ')}. What happens now?"
    right, other = f"It is not allowed: ask {wish.player} again", f"It is allowed: {wish.action.replace('_', ' ')}"
    return _question("refuse", asks, moment.before, right, [other], refused.cite, chance)


def _whose(need: Need) -> object:
    return (type(need), getattr(need, "box", None), getattr(need, "kind", None))


def _of_next(moment: Moment, chance: Chance) -> DrillQuestion:
    round_ = moment.before
    needs: list[Need] = [Draw(box) for box in round_.state.boxes]
    needs += [Draw(None), Draw(None, face_down=True), Over()]
    asked = [f"Ask the player at box {box} for a decision" for box in round_.state.boxes]
    others = [*map(_need_words, needs), *asked]
    return _question("next", "What happens now?", round_, _need_words(round_.next), others, round_.cite, chance)


def _need_words(need: Need) -> str:
    if isinstance(need, Draw):
        down = ", face down" if need.face_down else ""
        return f"Deal a card to box {need.box}{down}" if need.box is not None else f"Deal a card to yourself{down}"
    if isinstance(need, Offer) and need.kind == "turn":
        return f"Ask the player at box {need.options[0].box} for a decision"
    if isinstance(need, Offer):
        return f"Ask about {need.kind.replace('_', ' ')}"
    if isinstance(need, Told):
        return "Wait until the floorperson has confirmed it"
    return "Settle the wagers and collect the cards"


# -- what is paid and said


def _of_events(moment: Moment, chance: Chance) -> Iterator[DrillQuestion]:
    for event in moment.events:
        make = MAKERS.get(type(event))
        if make is not None:
            found = make(event, moment.after, chance)
            if found is not None:
                yield found


def _of_payment(row: events.WagerSettled, round_: Round, chance: Chance) -> DrillQuestion | None:
    if row.outcome == "void" or row.box is None:
        return None
    name = f"box {row.box}" + (f", hand {row.hand}" if row.hand not in (None, 1) else "")
    asks = f"{name}: {row.player} has {dollars(row.amount)} on {row.wager.replace('_', ' ')}. What do you pay or take?"
    odds = {(pay.odds.win, pay.odds.lay) for pay in round_.rules.all(Pay)} | {(1, 1), (3, 2)}
    nets = [Amount(int(row.amount) * win // lay) for win, lay in sorted(odds)]
    nets += [Amount(0), Amount(-int(row.amount)), Amount(-int(row.amount) // 2)]
    return _question("pay", asks, round_, _net(row.net), [_net(net) for net in nets], row.cite, chance)


def _net(net: Amount) -> str:
    if not net:
        return "Nothing: the wager goes back"
    return f"Pay {dollars(net)}" if net > 0 else f"Take {gained(net).removeprefix('−')}"


def _of_total(event: events.TotalAnnounced, round_: Round, chance: Chance) -> DrillQuestion:
    who = "your own hand" if event.box is None else f"box {event.box}"
    others = [str(event.total + more) for more in (-10, -1, 1, 10)]
    return _question("say", f"What do you say of {who}?", round_, str(event.total), others, event.cite, chance)


def _of_range(event: events.RangeAnnounced, round_: Round, chance: Chance) -> DrillQuestion:
    others = [f"The hole card is {row.name}" for row in round_.rules.ranges.values()]
    cards = f" The reader shows the {event.light} light."
    return _question(
        "say", f"What do you say?{cards}", round_, f"The hole card is {event.range}", others, event.cite, chance
    )


MAKERS: dict[type[events.Event], Callable[..., DrillQuestion | None]] = {
    events.WagerSettled: _of_payment,
    events.TotalAnnounced: _of_total,
    events.RangeAnnounced: _of_range,
}
"""Events that a dealer is asked about."""


# -- a question


def _question(
    kind: str, asks: str, round_: Round, right: str, others: Sequence[str], cite: str, chance: Chance
) -> DrillQuestion:
    wrong = [text for text in dict.fromkeys(others) if text != right]
    chosen: list[str] = []
    while wrong and len(chosen) < CHOICES - 1:
        chosen.append(wrong.pop(chance.below(len(wrong))))
    place = chance.below(len(chosen) + 1)
    choices = (*chosen[:place], right, *chosen[place:])
    told = [
        event
        for event in round_.events
        if not isinstance(event, events.StepBegun | events.WagerSettled | events.HandTakenAway)
    ]
    hidden = (events.TotalAnnounced, events.RangeAnnounced, events.CardsCollected)
    story = tuple(in_words(event) for event in told if not isinstance(event, hidden))[-STORY:]
    return DrillQuestion(kind, asks, _table(round_), story, choices, place, cite)


def _table(round_: Round) -> tuple[str, ...]:
    """The layout as the dealer sees it, without results."""
    state = round_.state
    cards = [card.symbol for card in state.dealer]
    if not state.shown and len(cards) > 1:
        cards[-1] = "a card face down"
    lines = [f"dealer: {' '.join(cards) or '–'}"]
    for ref, hand in Play(round_.rules, state).each_hand():
        name = f"box {ref.box}" + (f", hand {ref.number}" if len(state.hands[ref.box]) > 1 else "")
        wagers = ", ".join(f"{one.player} {dollars(one.amount)}" for one in hand.wagers)
        lines.append(f"{name}: {' '.join(card.symbol for card in hand.cards) or '–'}  [{wagers}]")
    return tuple(lines)


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]
