"""The vocabulary of the fences: one frozen type a kind of clause, plain fields, one citation each.

A clause is in force when its `when` (submission keys) and its `reading` (reading ids) hold.
"""

from __future__ import annotations

from twentyone.rulebook.clauses.base import NAMED, Clause, Ranks
from twentyone.rulebook.clauses.choices import (
    Irregularity,
    Reading,
    SubmissionKey,
)
from twentyone.rulebook.clauses.facts import (
    Ace,
    Blackjack,
    Boxes,
    Cards,
    FixedStake,
    LayoutItem,
    Range,
    SharedBox,
    Value,
    Wager,
    WagerLimit,
)
from twentyone.rulebook.clauses.play import (
    Announce,
    BlackjackEnds,
    Deal,
    Dealer,
    DealerStops,
    Decision,
    DecisionCards,
    Expose,
    InsuranceCloses,
    InsuranceLimit,
    MayNot,
    Step,
)
from twentyone.rulebook.clauses.results import (
    Band,
    BothMatch,
    ChanceResult,
    ChanceSettled,
    Envy,
    Match,
    NotPayable,
    Outcome,
    PaidAtOnce,
    Pay,
    PayBlackjack,
    Settlement,
    Spared,
    SuperBonus,
    SurrenderSettled,
)
from twentyone.rulebook.clauses.table import (
    Arrival,
    Batches,
    Burn,
    CardChange,
    Coupon,
    CoverCard,
    Cut,
    CutOffer,
    Device,
    Idle,
    Task,
    Verbal,
)
from twentyone.rulebook.clauses.wheels import (
    Community,
    CommunityPay,
    MeterFloor,
    MeterPaid,
    Symbol,
)

__all__ = [
    "NAMED",
    "TYPES",
    "Ace",
    "Announce",
    "Arrival",
    "Band",
    "Batches",
    "Blackjack",
    "BlackjackEnds",
    "BothMatch",
    "Boxes",
    "Burn",
    "CardChange",
    "Cards",
    "ChanceResult",
    "ChanceSettled",
    "Clause",
    "Community",
    "CommunityPay",
    "Coupon",
    "CoverCard",
    "Cut",
    "CutOffer",
    "Deal",
    "Dealer",
    "DealerStops",
    "Decision",
    "DecisionCards",
    "Device",
    "Envy",
    "Expose",
    "FixedStake",
    "Idle",
    "InsuranceCloses",
    "InsuranceLimit",
    "Irregularity",
    "LayoutItem",
    "Match",
    "MayNot",
    "MeterFloor",
    "MeterPaid",
    "NotPayable",
    "Outcome",
    "PaidAtOnce",
    "Pay",
    "PayBlackjack",
    "Range",
    "Ranks",
    "Reading",
    "Settlement",
    "SharedBox",
    "Spared",
    "Step",
    "SubmissionKey",
    "SuperBonus",
    "SurrenderSettled",
    "Symbol",
    "Task",
    "Value",
    "Verbal",
    "Wager",
    "WagerLimit",
]


def _types() -> dict[str, type[Clause]]:
    return {kind.type_key: kind for kind in Clause.__subclasses__()}


TYPES = _types()
"""Fence key to clause type."""
