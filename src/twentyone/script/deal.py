"""Dealing a script again: its cards and decisions, brought to a round in the order the procedure asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import NoSuchEdition, NoSuchRulebook, NotAScript, Refused
from twentyone.law import carries
from twentyone.round import Corrected, Decision, Draw, Drawn, Offer, Over, Round, Spin, Spun, State
from twentyone.round.citing import barred_by
from twentyone.round.correcting import corrected
from twentyone.round.dealing import card_cite
from twentyone.round.play import Play
from twentyone.round.steps import Step
from twentyone.round.wagers import key_cite
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import InfiniteDeck, Symbol
from twentyone.script.parse import Script
from twentyone.script.steps import ScriptStep

__all__ = ["bring", "check_cards", "deal", "declines", "rules_of", "stay_silent"]


def rules_of(script: Script, rulebook: Rulebook | None = None) -> Rules:
    """The rules a script is played under; `rulebook`: the one that it was written under, else that of the shelf."""
    try:
        rulebook = rulebook or Rulebook.load(script.rulebook, at=script.edition or None)
    except NoSuchRulebook as unknown:
        raise NotAScript("rulebook", str(unknown)) from None
    except NoSuchEdition as unknown:
        raise NotAScript("edition", str(unknown)) from None
    if script.edition not in ("", rulebook.edition):
        raise NotAScript(
            "edition", f"no text begins on {script.edition}; law on that day is that of {rulebook.edition}"
        )
    return rulebook.under(script.submission)


def deal(script: Script, rulebook: Rulebook | None = None) -> Round:
    """Deal the round that a script writes down; refused where the rulebook does not allow it."""
    rules = rules_of(script, rulebook)
    _check_wheel_keys(rules, script)
    _check_hot_spot(rules, script)
    check_cards(rules, script.cards)
    round_ = Round.start(rules, script.wagers, script.meters, script.waits)
    if script.steps is not None:
        return _deal_steps(round_, script.steps)
    cards, decisions, wheel = iter(script.cards), list(enumerate(script.decisions)), list(script.wheel or ())
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            drawn = next(cards, None)
            if drawn is None:
                _check_no_decision_waits(round_, need, decisions)
                raise _ran_out(round_, need, "cards")
            round_ = round_.apply(drawn)
        elif isinstance(need, Spin):
            round_ = _spin(round_, need, script, wheel)
        else:
            assert isinstance(need, Offer), "every card of a round script is named"
            round_ = _answer(round_, need, decisions, len(script.decisions))
    _check_left_over(round_, decisions, wheel)
    return round_


def _check_no_decision_waits(round_: Round, need: Draw, decisions: Sequence[tuple[int, Decision]]) -> None:
    """Where only the dealer still draws, a decision that is left over is the fault to name."""
    if decisions and need.box is None and round_.rules.steps[round_.state.step].name == "draw":
        index, decision = decisions[0]
        bar = barred_by(Play(round_.rules, round_.state), decision)
        why = f"{decision.action} of box {decision.box} is left over{f': {bar.why}' if bar.why else ''}"
        raise Refused(why, bar.cite, f"decisions[{index}]")


def _ran_out(round_: Round, need: Draw, key: str) -> Refused:
    who = f"box {need.box}" if need.box is not None else "the dealer"
    cite = card_cite(Play(round_.rules, round_.state), need)
    return Refused(f"the cards run out: one is due to {who}", cite, key)


def _spin(round_: Round, need: Spin, script: Script, wheel: list[str]) -> Round:
    key = f"wheel[{len(script.wheel or ()) - len(wheel)}]"
    if not wheel:
        raise _not_spun(round_, need, key)
    hot_spot = script.hot_spot if need.wheel == "xtreme_16" else None
    try:
        return round_.apply(Spun(wheel.pop(0), hot_spot))
    except Refused as refused:
        raise Refused(refused.why, refused.cite, key) from None


def _not_spun(round_: Round, need: Spin, key: str) -> Refused:
    cite = round_.rules.steps[round_.state.step].cite
    return Refused(f"the {need.wheel} wheel is spun here and no symbol is listed", cite, key)


def _answer(round_: Round, need: Offer, decisions: list[tuple[int, Decision]], said: int) -> Round:
    decision = decisions[0][1] if decisions else None
    if declines(round_, need, decision):
        return round_.apply(Decision("decline"))
    if decision is None:
        raise _not_answered(round_, need, f"decisions[{said}]")
    index, _ = decisions.pop(0)
    try:
        return round_.apply(decision)
    except Refused as refused:
        raise Refused(refused.why, refused.cite, f"decisions[{index}]") from None


def _not_answered(round_: Round, need: Offer, key: str) -> Refused:
    who = ", ".join(dict.fromkeys(f"box {option.box}" for option in need.options))
    cite = round_.rules.rulebook.options_cite if round_.state.ask is None else round_.state.ask.cite
    return Refused(f"a decision is missing: {who} is asked", cite, key)


def declines(round_: Round, need: Offer, decision: Decision | None) -> bool:
    """Whether an offer that need not be answered is passed over: the next decision is about something else."""
    if not need.optional:
        return False
    if decision is None:
        return True
    if need.kind == "insurance":
        return decision.action not in ("insure", "even_money")
    if decision.action != need.kind:
        return True
    ask = round_.state.ask
    assert ask is not None
    asked = [player for box, player in ask.players if box == decision.box]
    if need.kind != "double":
        return not asked
    if decision.player is not None:
        return decision.player not in asked
    caller = round_.state.hands[ask.players[0][0]][(ask.hand or 1) - 1].caller.player
    return caller not in asked


# -- step by step


def _deal_steps(round_: Round, steps: Sequence[ScriptStep]) -> Round:
    for path, command in steps:
        try:
            round_ = bring(round_, command)
        except Refused as refused:
            raise Refused(refused.why, refused.cite, path) from None
    round_ = stay_silent(round_)
    need = round_.next
    if isinstance(need, Draw):
        raise _ran_out(round_, need, "steps")
    if isinstance(need, Spin):
        raise _not_spun(round_, need, "steps")
    if isinstance(need, Offer):
        raise _not_answered(round_, need, "steps")
    if not isinstance(need, Over):
        raise Refused(f"the round is not over: {need}", round_.events[-1].cite, "steps")
    check_cards(round_.rules, [Drawn(card) for card in _on_layout(round_.state) if card is not UNKNOWN], "steps")
    return round_


def _on_layout(state: State) -> Iterator[Card]:
    """Every card that left the shoe."""
    for hands in state.hands.values():
        for hand in hands:
            yield from hand.cards
            yield from (hand.chance,) if hand.chance is not None else ()
    yield from (*state.dealer, *state.set_aside)
    yield from (state.held,) if state.held is not None else ()


def bring(round_: Round, command: Step) -> Round:
    """The round after a step; an optional offer that it is not about is passed over first."""
    if isinstance(command, Corrected):
        return corrected(round_, command, "")
    decision = command if isinstance(command, Decision) else None
    if isinstance(command, Drawn | Spun) or (decision is not None and decision.action != "decline"):
        while isinstance(round_.next, Offer) and declines(round_, round_.next, decision):
            round_ = round_.apply(Decision("decline"))
    return round_.apply(command)


def stay_silent(round_: Round) -> Round:
    """The round after every offer that need not be answered."""
    while isinstance(round_.next, Offer) and round_.next.optional:
        round_ = round_.apply(Decision("decline"))
    return round_


def _check_left_over(round_: Round, decisions: Sequence[tuple[int, Decision]], wheel: Sequence[str]) -> None:
    if decisions:
        index, decision = decisions[0]
        try:
            round_.apply(decision)
        except Refused as refused:
            why = f"{decision.action} of box {decision.box} is left over: {refused.why}"
            raise Refused(why, refused.cite, f"decisions[{index}]") from None
    if wheel:
        step = "spin_xtreme" if round_.rules.submission.get("xtreme_16") else "spin_bonus"
        wager = round_.rules.wagers.get(step.replace("spin_xtreme", "xtreme_16").replace("spin_bonus", "bonus_spin"))
        cite = wager.cite if wager is not None else ""
        raise Refused(f"the symbol {wheel[0]!r} is left over: the wheel is not spun for it", cite, "wheel")


def _check_wheel_keys(rules: Rules, script: Script) -> None:
    """Wheel, hot spot and meters belong to rulebooks with a prize wheel."""
    if any(isinstance(clause, Symbol) for clause in rules.rulebook.clauses):
        return
    for key in ("wheel", "hot_spot", "meters", "waits"):
        if getattr(script, key) is not None or key in script.source:
            raise Refused(f"this game has no prize wheel and no {key}", step=key)


def _check_hot_spot(rules: Rules, script: Script) -> None:
    """The hot spot is a box with the wager."""
    boxes = [row.box for row in script.wagers if "xtreme_16" in row.sides]
    if script.hot_spot is not None and script.hot_spot not in boxes:
        cite = rules.wagers["xtreme_16"].cite if "xtreme_16" in rules.wagers else ""
        raise Refused(f"box {script.hot_spot} has no such wager and cannot be the hot spot", cite, "hot_spot")


@carries("infinite_deck")
def check_cards(rules: Rules, cards: Sequence[Drawn], key: str = "cards") -> None:
    """No card stands in a script more often than the decks hold it."""
    decks = rules.submission["decks"]
    clause = rules.cards
    for card, count in Counter(drawn.card for drawn in cards).items():
        if card.rank in clause.without and "ten" not in rules.irregularities:
            raise Refused(f"the decks hold no {card}", clause.cite, key)
        if count > decks and rules.maybe(InfiniteDeck) is None:
            why = f"{card} stands {count} times, {decks} decks hold it {decks} times"
            raise Refused(why, key_cite(rules, "decks"), key)
