"""What the page says to the person who looks: what he may do, what it costs, what is waited for, what happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from twentyone.cards import UNKNOWN
from twentyone.money import ZERO
from twentyone.round import Draw, Need, Offer, Option, Round, Spin
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.rulebook.clauses import Boxes
from twentyone.service.clocks import looking
from twentyone.service.last_round import Played
from twentyone.service.offers import priced
from twentyone.service.phrases import Said, against, begin, listed, plain
from twentyone.service.results import dealer_words, parts, result
from twentyone.table import NextStep, Table
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import game_stopped, rules_in_force
from twentyone.table.rounds import DEALER

__all__ = ["saying"]

WAGERING = ("sit", "place_wager", "deal", "confirm_verbal_wager", "decline_verbal_wager", "show_burn_card")
"""Steps that are asked while wagers may be laid."""
OTHERS = {
    "turn": "plays",
    "exposed_card": "decides about the exposed card on",
    "late_card": "decides about a late card on",
}
"""What somebody else is doing, where its name alone does not tell it."""
BEFORE = {"late_card": "Your card was missed.", "second_chance": "Your hand is bust."}
"""Why somebody is asked, where the cards alone do not tell it."""


def saying(table: Table, steps: Sequence[NextStep], role: str, who: str, played: Played | None) -> list[Said]:
    """The sentences to one person: his last result, until he lays a wager, and what is to be done now."""
    told = result(played.round, who, played.coupons.get(who, ZERO)) if played is not None else []
    asked = _asked_of(table, steps, role, who)
    if asked:
        return asked
    if table.state.phase == "round" and table.state.round is not None and who in table.state.round.state.players:
        told = list(_so_far(table.state.round, who))
    if told and table.state.phase == "settled":
        return told
    return [*told, *_now(table, steps, role, who, bool(told))]


def _so_far(round_: Round, who: str) -> Iterator[Said]:
    """What has become of his hands and wagers while others play: what is settled, and a hand that is bust."""
    play = Play(round_.rules, round_.state)
    for ref, hand in play.each_hand():
        own = any(wager.player == who and not wager.settled for wager in hand.wagers)
        if own and hand.status == "closed" and (points := play.facts(ref).points) > round_.rules.limit:
            yield Said(f"{_which(round_, ref, who)}Bust with {points}.", "")
    yield from (part.said for part in parts(round_, who))


def _now(table: Table, steps: Sequence[NextStep], role: str, who: str, again: bool) -> Iterator[Said]:
    """What is waited for, whoever looks."""
    state, first = table.state, next(iter(steps), None)
    cite = first.cite if first is not None else ""
    if state.stopped:
        yield Said(f"{begin(state.stopped)}.", cite)
    elif state.phase == "closed":
        yield Said("The table is closed.", cite)
    elif state.phase == "round" and state.round is not None and isinstance(state.round.next, Offer | Spin):
        yield _others(state.round, state.round.next, who)
    elif state.phase == "round" and state.round is not None and role == "player" and first and first.do == "card":
        yield Said(_dealt(state.round, state.round.next, who), cite)
    elif state.phase == "open" and role == "player":
        yield _waiting(table, steps, who, again)
    else:
        if state.phase == "settled" and state.round is not None:
            yield from (Said(text, state.round.cite) for text in dealer_words(state.round))
        yield Said(_step(first, role), cite)


def _dealt(round_: Round, need: Need, who: str) -> str:
    """The card that is due, for those who wait for it."""
    if Play(round_.rules, round_.state).step.name == "deal":
        return "The cards are dealt."
    box = need.box if isinstance(need, Draw) else None
    if box is None:
        return "The dealer draws."
    hand = round_.state.hands[box][0]
    return "A card for your hand." if _plays(hand.wagers, who) else f"{hand.caller.player} plays box {box}."


def _step(step: NextStep | None, role: str) -> str:
    """The next step: to whoever does it, what to do; to all others, who does it."""
    if step is None:
        return "Nothing is to be done now."
    return f"{begin(step.says)}." if step.role == role != "player" else f"{begin(step.role)}: {step.says}."


def _waiting(table: Table, steps: Sequence[NextStep], who: str, again: bool) -> Said:
    """What a player may do while wagers are laid, or why not yet."""
    state, first = table.state, steps[0] if steps else None
    cite, player = first.cite if first is not None else "", state.players.get(who)
    if player is not None and is_barred(rules_in_force(table.rules, state), player):
        return Said("You sat out a round of this shoe: you may wager after the reshuffle.", cite)
    if (looks := looking(table)) is not None:
        return Said(f"{looks[0]} came first and looks at the cards.", cite)
    if first is not None and first.do not in WAGERING:
        return Said(f"{begin(first.role)}: {first.says}.", cite)
    if player is None:
        return Said("Take a box to play.", table.rules.one(Boxes).cite)
    if any(said.player == who for said in state.verbal):
        return Said("Your wager with cash waits to be confirmed.", cite)
    if any(placed.player == who for placed in state.placed):
        return Said("Your wager is laid: wait for the cards.", cite)
    if not state.chips.get(who):
        return Said("You have no chips at this table.", cite)
    return Said("Lay your next wager." if again else "Lay your wager.", cite)


def _others(round_: Round, need: Offer | Spin, who: str) -> Said:
    """Whom the table waits for."""
    if isinstance(need, Spin):
        to = f" for {'you' if need.player == who else need.player}" if need.player else ""
        return Said(f"The {plain(need.wheel)} wheel turns{to}.", round_.cite)
    names = list(dict.fromkeys(option.player for option in need.options))
    if not names or names == [DEALER]:
        return Said(f"The dealer {'decides' if names else f'closes {plain(need.kind)}'}.", round_.cite)
    if need.optional:
        may = "may answer" if len(names) > 1 else "is asked"
        return Said(f"{begin(plain(need.kind))}: {listed(names)} {may}.", round_.cite)
    box = need.options[0].box
    return Said(f"{listed(names)} {OTHERS.get(need.kind, 'answers on')} box {box}.", round_.cite)


# -- what he is asked


def _asked_of(table: Table, steps: Sequence[NextStep], role: str, who: str) -> list[Said]:
    """What this person alone is asked now."""
    state, round_ = table.state, table.state.round
    if role != "player" or not who:
        return []
    if state.agenda and state.agenda[0].do == "cut" and state.cut_offered == who:
        step = next((step for step in steps if step.do == "cut"), None)
        return [Said("You may cut the cards: choose where.", step.cite if step is not None else "")]
    if (looks := looking(table)) is not None and looks[0] == who:
        cite = next((step.cite for step in steps if step.do == "show_cards"), "")
        return [Said("Look at the cards, and say when you are done.", cite)]
    if state.phase != "round" or round_ is None or game_stopped(table.rules, state):
        return []
    need = round_.next
    mine = [option for option in need.options if option.player == who] if isinstance(need, Offer) else []
    return [Said(_question(round_, need, mine), round_.cite)] if mine and isinstance(need, Offer) else []


def _question(round_: Round, need: Offer, mine: list[Option]) -> str:
    ref = HandRef(mine[0].box, mine[0].hand or 1)
    hand = f"{_which(round_, ref, mine[0].player)}{_hand(round_, ref)}"
    if need.kind == "turn":
        return f"{hand}{_exposed(round_)} Your decision."
    first, *more = {option.action: priced(round_, option)["says"] for option in mine}.values()
    words = "; or ".join((first, *(says[:1].lower() + says[1:] for says in more)))
    return f"{hand}{_exposed(round_)} {f'{BEFORE[need.kind]} ' if need.kind in BEFORE else ''}{words}?"


def _which(round_: Round, ref: HandRef, who: str) -> str:
    """What tells the hand from his others; nothing where he has one."""
    own = [other for other, hand in Play(round_.rules, round_.state).each_hand() if _plays(hand.wagers, who)]
    words = [f"Box {ref.box}"] * (len({other.box for other in own}) > 1)
    words += [f"Hand {ref.number}"] * (sum(other.box == ref.box for other in own) > 1)
    return f"{', '.join(words)} · " if words else ""


def _plays(wagers: Iterable[object], who: str) -> bool:
    return any(getattr(wager, "player", "") == who for wager in wagers)


def _hand(round_: Round, ref: HandRef) -> str:
    """A hand against what is known of the dealer's."""
    facts, state = Play(round_.rules, round_.state).facts(ref), round_.state
    mine = "Blackjack" if facts.blackjack else f"{'soft ' if facts.soft else ''}{facts.points}"
    known = state.dealer if state.shown else state.dealer[:1]
    lies = f", hole card {state.range}" if state.range and len(known) < 2 else ""
    return f"Your {mine} against {against(card.rank for card in known if card is not UNKNOWN)}{lies}."


def _exposed(round_: Round) -> str:
    held = round_.state.held
    return f" {held.symbol} was drawn in error and is the next card." if held is not None else ""
