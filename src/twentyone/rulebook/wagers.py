"""Wagers before the first card: who may wager where, and how much (headings "Wagers" of the texts)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import Amount, dollars
from twentyone.rulebook.clauses import Boxes, FixedWager, SeveralBoxes, SubmissionKey, Wager, WagerLimit
from twentyone.rulebook.rules import Rules

__all__ = ["Wagers", "check_own_boxes", "check_unit", "check_wagers", "key_cite"]


@dataclass(frozen=True)
class Wagers:
    """One player's wagers on one box."""

    box: int
    """The box, 1 the farthest to the dealer's left."""
    player: str
    """Who wagers."""
    main: Amount
    """The wager that takes part in the round."""
    sides: Mapping[str, Amount] = field(default_factory=dict)
    """Side wagers by kind."""


def check_wagers(rules: Rules, wagers: Sequence[Wagers]) -> None:
    """Whether a round may begin with these wagers."""
    if not wagers:
        raise Refused("a round needs at least one wager", rules.wagers["main"].cite, "wagers")
    for index, row in enumerate(wagers):
        try:
            _check_row(rules, row, wagers[:index])
        except Refused as refused:
            raise Refused(refused.why, refused.cite, f"wagers[{index}]") from None
    _check_boxes(rules, wagers)


@carries("wager", "wager_limit", "fixed_wager", "boxes", "cards")
def _check_row(rules: Rules, row: Wagers, before: Sequence[Wagers]) -> None:
    boxes = rules.one(Boxes)
    if not 1 <= row.box <= rules.boxes:
        raise Refused(f"there is no box {row.box}: boxes are 1 to {rules.boxes}", boxes.counted)
    main = rules.wagers["main"]
    if row.player.startswith("("):
        raise Refused(f"{row.player} is no player: names in brackets are accounts of the table")
    if not row.main and row.sides:
        raise Refused(f"{row.player} has no {main.title} on box {row.box}", main.cite)
    _check_amount(main, row.main)
    check_unit(rules, row.main)
    _check_table_limits(rules, row.main)
    for kind, amount in row.sides.items():
        _check_side(rules, kind, amount, row.main)
    if not before:
        return
    shared = [other for other in before if other.box == row.box]
    if any(other.player == row.player for other in shared):
        raise Refused(f"{row.player} has wagered on box {row.box} already")
    most = rules.submission.get("players_per_box", 1)
    if len(shared) >= most:
        why = f"box {row.box} is wagered on by more than {most} player{'s' if most > 1 else ''}"
        raise Refused(why, key_cite(rules, "players_per_box"))


def key_cite(rules: Rules, key: str) -> str:
    """The paragraph under which a submission key stands; empty where the text has none."""
    for clause in rules.rulebook.clauses:
        if isinstance(clause, SubmissionKey) and clause.name == key:
            return clause.cite
    return ""


def _check_amount(clause: Wager, amount: Amount) -> None:
    if amount <= 0:
        raise Refused(f"a {clause.title} of {dollars(amount)} is no wager", clause.cite)


def check_unit(rules: Rules, amount: Amount) -> None:
    """A wager is laid in chips."""
    unit = rules.submission["chip_unit"]
    if amount % unit:
        raise Refused(
            f"{dollars(amount)} is not a multiple of the chip unit {dollars(unit)}", key_cite(rules, "chip_unit")
        )


def _check_table_limits(rules: Rules, amount: Amount) -> None:
    low, high = rules.submission.get("table_minimum"), rules.submission.get("table_maximum")
    if low is not None and amount < low:
        raise Refused(
            f"{dollars(amount)} is below the table minimum of {dollars(low)}", key_cite(rules, "table_minimum")
        )
    if high is not None and amount > high:
        raise Refused(
            f"{dollars(amount)} is above the table maximum of {dollars(high)}", key_cite(rules, "table_maximum")
        )


def _check_side(rules: Rules, kind: str, amount: Amount, main: Amount) -> None:
    clause = rules.wagers.get(kind)
    if clause is None:
        title = kind.replace("_", " ")
        raise Refused(f"the {title} wager is not offered here", _side_cite(rules, kind))
    _check_amount(clause, amount)
    if clause.least is not None and amount < clause.least:
        raise Refused(
            f"a {clause.title} of {dollars(amount)} is below the least of {dollars(clause.least)}", clause.cite
        )
    for limit in rules.all(WagerLimit):
        if limit.wager == kind and amount > main:
            raise Refused(
                f"a {clause.title} of {dollars(amount)} exceeds the main wager of {dollars(main)}", limit.cite
            )
    posted = rules.submission.get(f"{kind}_maximum")
    if posted is not None and amount > posted:
        why = f"a {clause.title} of {dollars(amount)} exceeds the posted maximum of {dollars(posted)}"
        raise Refused(why, key_cite(rules, f"{kind}_maximum"))
    _check_size(rules, clause, amount)


def _check_size(rules: Rules, clause: Wager, amount: Amount) -> None:
    """A wager whose size the text fixes has one of its sizes, whatever the smallest chip is; any other is in chips."""
    fixed = [row for row in rules.all(FixedWager) if row.wager == clause.name]
    if not fixed:
        check_unit(rules, amount)
    elif all(amount != row.amount for row in fixed):
        sizes = " or ".join(str(row.amount) for row in fixed)
        raise Refused(f"a {clause.title} is exactly {sizes}, not {amount}", fixed[0].cite)


def _side_cite(rules: Rules, kind: str) -> str:
    """Where a rulebook says whether a side wager is offered; empty where it knows none of that name."""
    for clause in rules.rulebook.clauses:
        if isinstance(clause, SubmissionKey) and clause.name == kind:
            return clause.cite
    main = rules.wagers["main"]
    return main.cite if main.no_others else ""


def _check_boxes(rules: Rules, wagers: Sequence[Wagers]) -> None:
    if len({row.player for row in wagers}) == len(wagers):
        return
    by_player: dict[str, list[int]] = {}
    last: dict[str, str] = {}
    for index, row in enumerate(wagers):
        by_player.setdefault(row.player, []).append(row.box)
        last[row.player] = f"wagers[{index}]"
    for player, boxes in by_player.items():
        check_own_boxes(rules, player, boxes, last[player])


@carries("several_boxes")
def check_own_boxes(rules: Rules, player: str, boxes: Sequence[int], where: str = "") -> None:
    """Whether one player may have all these boxes: not too many, and side by side where the text says so."""
    most = rules.submission.get("boxes_per_player", 1)
    if len(boxes) > most:
        why = f"{player} has {len(boxes)} boxes, {most} allowed"
        raise Refused(why, key_cite(rules, "boxes_per_player"), where)
    several = rules.maybe(SeveralBoxes)
    if several is not None and several.adjacent and max(boxes) - min(boxes) != len(boxes) - 1:
        why = f"{player}'s boxes {', '.join(map(str, sorted(boxes)))} are not adjacent"
        raise Refused(why, several.cite, where)
