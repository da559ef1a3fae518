"""The yardstick: PokerKit, the model rules engine of the field, dealing heads-up hold'em checked down."""

from __future__ import annotations

from pokerkit import Automation, NoLimitTexasHoldem

_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def hold_em_hand() -> None:
    """Deal one hand; both players check or call to the end."""
    state = NoLimitTexasHoldem.create_state(_AUTOMATIONS, True, 0, (1, 2), 2, (200, 200), 2)
    while state.status:
        state.check_or_call()
