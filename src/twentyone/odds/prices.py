"""Prices: what every choice of the operator, every reading and every rule is worth, each changed alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from twentyone.errors import SubmissionRefused, TwentyoneError
from twentyone.odds.side_wagers import side_wagers
from twentyone.odds.variants import Variant, variants
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Clause, Step, SubmissionKey
from twentyone.rulebook.wheels import weights_of

__all__ = ["NO_PLAY", "Price", "changes", "given_in", "other_values", "play_of", "prices", "words_of"]

NOT_PLAY = (
    "announce", "arrival", "batches", "both_match", "burn", "change", "community", "community_pay", "community_to",
    "contribution", "coupon", "cover_card", "cut", "cut_goes_round", "cut_offer", "cut_passed", "device", "envy",
    "envy_in_play", "fixed_wager", "idle", "idle_when_empty", "irregularity", "layout", "loads_shoe",
    "made_when_laid", "match", "meter", "meter_paid", "no_effect", "off", "one_burn", "paytables", "prize", "reading",
    "relief_between_rounds", "settlement", "several_boxes", "shared", "side_pay", "spin", "submission", "symbol",
    "taken_away", "task", "verbal", "wager", "wager_limit", "waiting_batch",
)  # fmt: skip
"""Clauses of the table, of side wagers, of irregularities, of players who share a box: one player's main wager in a
round that goes as it should does not know them."""

SIDE_STEPS = ("settle_match", "settle_pairs", "settle_threes", "spin_bonus", "spin_xtreme")
NONE_TO_SEE = 1e-12
"""An effect below this is rounding."""
PLACE_FIELDS = ("cite", "paragraph", "when", "reading", "says", "start")
HANDS_TRIED = 4
"""Where a text sets no most, a box is tried with up to this many hands."""

Edge = Callable[[Rules], float]


@dataclass(frozen=True)
class Price:
    """One change and what it does."""

    kind: str
    """`submission`, `reading` or `rule`."""
    key: str
    """The submission key, the reading, or the rule's clause."""
    before: str
    """What is in force."""
    after: str
    """What it is changed to."""
    cite: str
    """The paragraph that leaves it open."""
    effect: float | None
    """House edge after less house edge before, in original wagers; none where the text refuses the change."""
    note: str = ""
    """Why there is no effect, or under what else the change was made."""
    sides: Mapping[str, float] = field(default_factory=dict)
    """Side wager to the change of its edge, as a share of that wager."""

    def body(self) -> dict[str, Any]:
        """The price as JSON."""
        return {name.name: getattr(self, name.name) for name in fields(self)} | {"sides": dict(self.sides)}


def prices(rules: Rules, edge: Edge, progress: Callable[[float], None] | None = None) -> tuple[Price, ...]:
    """The price of every change, `edge` being the house edge of some rules."""
    tell = progress or (lambda _: None)
    known: dict[object, float] = {}

    def edge_of(changed: Rules) -> float:
        play = play_of(changed)
        if play not in known:
            known[play] = edge(changed)
        return known[play]

    wanted, turned = list(changes(rules)), list(variants(rules))
    work = len(wanted) + len(turned)
    priced = []
    for number, (kind, key, value, cite) in enumerate(wanted):
        tell(number / work)
        priced.append(_price(rules, kind, key, value, cite, edge_of))
    for number, variant in enumerate(turned, len(wanted)):
        tell(number / work)
        priced.append(_price_of_rule(rules, variant, edge_of))
    tell(1.0)
    return tuple(priced)


def _price_of_rule(rules: Rules, variant: Variant, edge: Edge) -> Price:
    """The price of a rule of the text: the game with it against the game without."""
    try:
        effect: float | None = edge(variant.rules) - edge(rules)
        note = NO_GAIN if abs(effect or 0.0) < NONE_TO_SEE else ""
    except TwentyoneError as refused:
        effect, note = None, f"cannot be priced alone: {refused}"
    return Price("rule", variant.key, variant.says, variant.after, variant.cite, effect, note)


def changes(rules: Rules) -> Iterator[tuple[str, str, Any, str]]:
    """Every key and reading with another value: kind, key, value, citation."""
    for key in rules.rulebook.clauses:
        if isinstance(key, SubmissionKey) and not key.fixed and _is_read(rules, key):
            for value in other_values(rules, key):
                yield "submission", key.name, value, key.cite
    for reading in rules.rulebook.readings:
        for name in reading.values:
            if name != rules.submission.readings[reading.name]:
                yield "reading", reading.name, name, reading.cite


def _is_read(rules: Rules, key: SubmissionKey) -> bool:
    """Whether a key is that of the readings in force."""
    return all(rules.submission.readings[name] == value for name, value in key.reading.items())


def other_values(rules: Rules, key: SubmissionKey) -> list[Any]:
    now = rules.submission[key.name]
    if key.type == "boolean":
        return [not now]
    if key.choices:
        return [value for value in (*key.choices, *([None] if key.optional else [])) if value != now]
    if key.type == "integer":
        most = key.most if key.most is not None else max(HANDS_TRIED, key.least)
        return [value for value in range(key.least, most + 1) if value != now]
    return [next(iter(ANY)) if key.type == "amount" else list(ANY)[-1]]


NO_PLAY = "no clause of one player's round from a full shoe changes"
"""Said of a change that cannot change the odds: the clauses that are read are the same, and no side wager's edge."""
NO_GAIN = "worked out: it changes nothing under best play"
SIDE_ONLY = "changes side wagers only: `twentyone odds` with the submission prices them"
ONCE_EACH = "of the wheels with every symbol once"

ANY = {"any amount": NO_PLAY, "any other": SIDE_ONLY}
"""Stands for every other value of a key that has too many to try, amounts and tables: with what is to be said of it."""


def _price(rules: Rules, kind: str, key: str, value: Any, cite: str, edge: Edge) -> Price:
    before = rules.submission.readings[key] if kind == "reading" else rules.submission[key]
    words = (kind, key, words_of(before), words_of(value), cite)
    if value in ANY:
        return Price(*words, 0.0, ANY[value])
    try:
        changed = _changed(rules, kind, key, value)
    except SubmissionRefused as refused:
        return Price(*words, None, f"refused: {refused.why} ({refused.cite})")
    sides, note = _sides(rules, changed), ""
    if kind == "reading" and not sides:
        sides, note = _sides_of_all(rules, key, value)
    effect = edge(changed) - edge(rules) if play_of(changed) != play_of(rules) else 0.0
    if not sides and abs(effect) < NONE_TO_SEE:
        effect, note = _elsewhere(rules, kind, key, value, edge) or (effect, note)
    if not (sides or note) and abs(effect) < NONE_TO_SEE:
        note = NO_PLAY if play_of(changed) == play_of(rules) else NO_GAIN
    return Price(*words, effect, note, sides)


def _changed(rules: Rules, kind: str, key: str, value: Any) -> Rules:
    """The rules with one thing changed."""
    given = given_in(rules)
    if kind == "reading":
        given["readings"] = {**given.get("readings", {}), key: value}
    else:
        given[key] = value
    return rules.rulebook.under(given)


def given_in(rules: Rules) -> dict[str, Any]:
    """The submission as it was given: choices that were named, readings that are not the default."""
    named = {choice.key: choice.value for choice in rules.submission.choices if choice.given}
    defaults = {reading.name: reading.values[0] for reading in rules.rulebook.readings}
    readings = {name: value for name, value in rules.submission.readings.items() if value != defaults[name]}
    return {**named, "readings": readings} if readings else named


def _elsewhere(rules: Rules, kind: str, key: str, value: Any, edge: Edge) -> tuple[float, str] | None:
    """The price of what matters only under another choice of a kind, and under which."""
    kinds = {clause.name: clause.type for clause in rules.rulebook.clauses if isinstance(clause, SubmissionKey)}
    for which, other, choice, _ in changes(rules):
        if which != "submission" or kinds[other] != "choice" or other == key:
            continue
        base = _changed(rules, which, other, choice)
        changed = _changed(base, kind, key, value)
        if play_of(base) != play_of(rules) and play_of(base) != play_of(changed):
            effect = edge(changed) - edge(base)
            if abs(effect) >= NONE_TO_SEE:
                return effect, f"with {other} = {words_of(choice)}; otherwise none"
    return None


def _sides_of_all(rules: Rules, key: str, value: str) -> tuple[dict[str, float], str]:
    """What a reading does to side wagers that this submission does not offer, were they offered."""
    base = _with_every_wager(rules)
    if base is None:
        return {}, ""
    sides = _sides(base, _changed(base, "reading", key, value))
    return sides, ONCE_EACH if sides else ""


def _with_every_wager(rules: Rules) -> Rules | None:
    """The rules with every side wager offered that the text knows, on wheels with every symbol once."""
    given = given_in(rules)
    for kind, key, choice, _ in changes(rules):
        if kind == "submission" and key not in given and choice not in ANY:
            changed = _try(rules, {**given, key: choice})
            if changed is not None and set(changed.wagers) > set(_try(rules, given).wagers):  # type: ignore[union-attr]
                given[key] = choice
    if given == given_in(rules) or "wheel_weights" in given:
        return None
    return rules.rulebook.under({**given, "wheel_weights": weights_of(rules.rulebook.under(given))})


def _try(rules: Rules, given: Mapping[str, Any]) -> Rules | None:
    try:
        return rules.rulebook.under(given)
    except SubmissionRefused:
        return None


def _sides(rules: Rules, changed: Rules) -> dict[str, float]:
    """How the edges of the side wagers that both have change."""
    before, after = side_wagers(rules), side_wagers(changed)
    differences: dict[str, float] = {}
    for name, wager in before.items():
        now = after.get(name)
        if now is None or wager.edge is None or now.edge is None:
            continue
        difference: Fraction = now.edge - wager.edge
        if difference:
            differences[name] = float(difference)
    return differences


def play_of(rules: Rules) -> object:
    """What of the rules a plain round reads: two submissions with the same answer are the same game."""
    rows = [_said(clause) for clause in rules.clauses if clause.type_key not in NOT_PLAY and not _side_step(clause)]
    keys = {row.hands_key for row in rules.may_nots if row.hands_key}
    keys |= {row.hands_key for row in rules.decisions.values() if row.hands_key}
    values = tuple((key, rules.submission[key]) for key in sorted(keys | {"decks"}))
    return (rules.rulebook.id, tuple(sorted(rows)), values)


def _side_step(clause: Clause) -> bool:
    return isinstance(clause, Step) and clause.name in SIDE_STEPS


def _said(clause: Clause) -> str:
    told = {row.name: getattr(clause, row.name) for row in fields(clause) if row.name not in PLACE_FIELDS}
    return f"{clause.type_key} {told!r}"


def words_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
