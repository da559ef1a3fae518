"""Questions to a dealer: what happens now, what is paid, what is said; the engine's answer among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from twentyone.money import Amount, dollars, gained
from twentyone.round import Draw, Need, Offer, Over, Round, Spin, Told, events
from twentyone.round.effects import ANSWERS, alternatives
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Irregularity, Pay
from twentyone.service.shift.chance import Chance
from twentyone.training.drill_asking import DrillQuestion, RoundScene, ask, begin
from twentyone.training.drill_rounds import Moment, dealt_round

__all__ = ["question_of_payment", "questions_of"]

REMEDY_WORDS = {
    "set_aside": "set the card aside, unused",
    "burn": "burn the card",
    "destroy": "put the card out of the game; a floorperson destroys it",
    "use_as_next": "use the card as the next card",
    "no_more_cards": "the player gets no more cards in this round",
    "no_more_cards_to_hand": "the hand gets no more cards in this round",
    "deal_late": "deal the missed card after all others",
    "hand_dead": "call the hand dead",
    "hands_dead": "call all hands dead",
    "open_hands_dead": "call every hand dead that is not settled",
    "hands_dead_undone": "call all hands dead, with nothing settled",
    "return_wager": "give the wagers back",
    "return_original": "give the original wager back, collect what was laid beside it",
    "return_bought": "give the wager back that bought the card",
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
    others = [_remedy(other) for other in known] + [begin(REMEDY_WORDS[word]) for word in ("void_round", "go_on")]
    exposed = getattr(moment.command, "exposed", False)
    happened = MISHAP_WORDS["exposed" if exposed else moment.mishap]
    box = getattr(moment.command, "box", None)
    asks = f"{happened}{f' It is box {box}.' if box else ''} What happens now?"
    yield ask("mishap", asks, RoundScene(moment.before), _remedy(clause), others, clause.cite, chance)


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


@lru_cache(maxsize=1024)
def _remedy(clause: Irregularity) -> str:
    """What a paragraph has the dealer do, in words."""
    if clause.choice is None or not set(clause.effects) & set(ANSWERS):
        return begin("; ".join(REMEDY_WORDS[word] for word in clause.effects))
    ways = [", ".join(REMEDY_WORDS[word] for word in words) for words in alternatives(clause).values()]
    return begin(f"the {clause.choice} chooses: {'; or '.join(ways)}")


# -- what is asked for, and what comes next


def _of_wish(moment: Moment, chance: Chance) -> DrillQuestion:
    wish, refused = moment.wish, moment.refused
    assert wish is not None
    assert refused is not None
    asks = f"{wish.player} at box {wish.box} says: {wish.action.replace('_', ' ')}. What happens now?"
    right, other = f"It is not allowed: ask {wish.player} again", f"It is allowed: {wish.action.replace('_', ' ')}"
    return ask("refuse", asks, RoundScene(moment.before), right, [other], refused.cite, chance)


def _whose(need: Need) -> object:
    return (type(need), getattr(need, "box", None), getattr(need, "kind", None))


def _of_next(moment: Moment, chance: Chance) -> DrillQuestion:
    round_ = moment.before
    needs: list[Need] = [Draw(box) for box in round_.state.boxes]
    needs += [Draw(None), Draw(None, face_down=True), Over()]
    asked = [f"Ask the player at box {box} for a decision" for box in round_.state.boxes]
    others = [*map(_need_words, needs), *asked]
    return ask("next", "What happens now?", RoundScene(round_), _need_words(round_.next), others, round_.cite, chance)


def _need_words(need: Need) -> str:
    if isinstance(need, Draw):
        down = ", face down" if need.face_down else ""
        return f"Deal a card to box {need.box}{down}" if need.box is not None else f"Deal a card to yourself{down}"
    if isinstance(need, Offer) and need.kind == "turn":
        return f"Ask the player at box {need.options[0].box} for a decision"
    if isinstance(need, Offer):
        return f"Ask about {need.kind.replace('_', ' ')}"
    if isinstance(need, Spin):
        return "Spin the wheel"
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


def question_of_payment(row: events.WagerSettled, round_: Round, chance: Chance) -> DrillQuestion | None:
    """What is paid or taken for a wager; none where it was void, or lay on no box."""
    if row.outcome == "void" or row.box is None:
        return None
    name = f"box {row.box}" + (f", hand {row.hand}" if row.hand not in (None, 1) else "")
    laid = f"{name}: {row.player} has {dollars(row.amount)} on {row.wager.replace('_', ' ')}."
    if row.odds is None and row.net > 0 and row.net != row.amount:
        return _of_prize(row, laid, round_, chance)
    asks = f"{laid} What do you pay or take?"
    odds = {(pay.odds.win, pay.odds.lay) for pay in round_.rules.all(Pay)} | {(1, 1), (3, 2)}
    nets = [Amount.from_thousandths(int(row.amount) * win // lay) for win, lay in sorted(odds)]
    nets += [Amount(0), Amount.from_thousandths(-int(row.amount)), Amount.from_thousandths(-int(row.amount) // 2)]
    return ask("pay", asks, RoundScene(round_), _net(row.net), [_net(net) for net in nets], row.cite, chance)


def _of_prize(row: events.WagerSettled, laid: str, round_: Round, chance: Chance) -> DrillQuestion:
    """A prize is paid for the wager and not beside it: what is gained is less than what the wheel shows."""
    others = [row.net + row.amount, row.net - row.amount, row.net * 2, row.amount]
    asks = f"{laid} What has {row.player} gained once it is settled?"
    return ask("pay", asks, RoundScene(round_), dollars(row.net), [*map(dollars, others)], row.cite, chance)


def _net(net: Amount) -> str:
    if not net:
        return "Nothing: the wager goes back"
    return f"Pay {dollars(net)}" if net > 0 else f"Take {gained(net).removeprefix('−')}"


def _of_total(event: events.TotalAnnounced, round_: Round, chance: Chance) -> DrillQuestion:
    who = "your own hand" if event.box is None else f"box {event.box}"
    others = [str(event.total + more) for more in (-10, -1, 1, 10)]
    return ask("say", f"What do you say of {who}?", RoundScene(round_), str(event.total), others, event.cite, chance)


def _of_range(event: events.RangeAnnounced, round_: Round, chance: Chance) -> DrillQuestion:
    others = [f"The hole card is {row.name}" for row in round_.rules.ranges.values()]
    cards = f" The reader shows the {event.light} light."
    return ask(
        "say",
        f"What do you say?{cards}",
        RoundScene(round_),
        f"The hole card is {event.range}",
        others,
        event.cite,
        chance,
    )


def _of_blackjack(event: events.BlackjackAnnounced, round_: Round, chance: Chance) -> DrillQuestion:
    up = round_.state.dealer[0]
    asks = f"The turn comes to box {event.box}: Blackjack, against your {up.symbol}. What do you say and do?"
    now, later = "Announce the Blackjack and pay it now", "Announce the Blackjack; it is paid later"
    right = now if round_.rules.blackjack_paid_on_turn(up) else later
    others = [now, later, "Say nothing, and go on to the next box", "Announce the Blackjack and give the wager back"]
    return ask("say", asks, RoundScene(round_), right, others, event.cite, chance)


def _of_words(event: events.Announced, round_: Round, chance: Chance) -> DrillQuestion:
    asks = "All players have decided. What do you do before your next card leaves the shoe?"
    others = ["Nothing: draw it", "Say the total of every player", "Turn the last burn card up"]
    return ask("say", asks, RoundScene(round_), f"Say: {event.words}", others, event.cite, chance)


MAKERS: dict[type[events.Event], Callable[..., DrillQuestion | None]] = {
    events.WagerSettled: question_of_payment,
    events.TotalAnnounced: _of_total,
    events.RangeAnnounced: _of_range,
    events.BlackjackAnnounced: _of_blackjack,
    events.Announced: _of_words,
}
"""Events that a dealer is asked about."""
