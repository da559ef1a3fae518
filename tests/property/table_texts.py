"""What the texts say of a table in figures: the opening in its order, who gives which command, which devices fail."""

from __future__ import annotations

from typing import NamedTuple

from tests.property.round_model import GAMES, Game

__all__ = ["COVERED", "DAILY", "READY", "SPREAD", "TEXTS", "WHO", "Text"]


class Text(NamedTuple):
    """What a text says in figures."""

    boxes: int
    deck: int
    """Cards of one deck in play."""
    opening: tuple[str, ...]
    """What is done from the receipt of the cards to the burn, with a shuffle by hand."""
    counts: bool
    """Whether the cards are counted before they are shuffled again."""
    game: Game
    """What players may answer in a round."""
    stops: bool = True
    """Whether a card reader that fails stops the game."""
    shares: bool = False
    """Whether several players may wager on a box."""
    covers: tuple[str, ...] = ()
    """The devices that are covered when they fail, and another method is used: 635a.13(m), Ch. 13.S.

    The other texts have two batches of cards wherever a shuffler is, which the model does not know.
    """


READY = ("shuffle", "cut", "insert_cover_card", "load_shoe", "burn")
SPREAD = ("spread_cards", "show_cards", "wash_cards", "stack_cards", *READY)
LOOK = ("receive_cards", "inspect_cards", "verify_inspection")
DAILY = ("inspect_device",)
TENS = ("remove_tens", "destroy_tens")

COVERED = ("shoe", "shuffler")

TEXTS = {
    "pa-spanish-21": Text(
        7, 48, (*DAILY, *LOOK, *TENS, *SPREAD), False, GAMES["pa-spanish-21"], covers=COVERED
    ),  # 635a.2(a), (d), 635a.3(a), 635a.4, 635a.5
    "pa-double-back-jack": Text(
        6, 52, (*DAILY, *LOOK, *SPREAD), True, GAMES["pa-double-back-jack"]
    ),  # 673a.2 to 673a.5
    "pa-down-under-blackjack": Text(
        6, 52, (*DAILY, *LOOK, *SPREAD), True, GAMES["pa-down-under-blackjack"]
    ),  # 685a.2 to 685a.5
    "md-spanish-21": Text(
        7, 48, (*DAILY, *LOOK, *TENS, *SPREAD), False, GAMES["md-spanish-21"], covers=COVERED
    ),  # Ch. 2.A, 2.F, 3.B, 4, 5
    "s13-spanish-21": Text(
        7, 48, (*LOOK, *TENS, *SPREAD), True, GAMES["s13-spanish-21"], stops=False, shares=True
    ),  # 13(b), (c), (d), (e)(4), (o)(13)
}

WHO = {
    "open_table": ("floorperson", "operator"),
    "close_table": ("floorperson", "operator"),
    "inspect_device": ("floorperson",),
    "destroy_tens": ("floorperson",),
    "verify_inspection": ("floorperson",),
    "change_dealer": ("floorperson",),
    "device_repaired": ("floorperson",),
    "device_out_of_order": ("dealer", "floorperson"),
    "cover_device": ("dealer",),
    "reshuffle": ("floorperson", "operator"),
    "sit": ("player",),
    "make_ready": ("player",),
    "stand_behind": ("player",),
    "consent": ("player",),
    "decide": ("player", "dealer"),
    "leave": ("player",),
    "tip": ("player",),
    "take_back_wager": ("player",),
    "place_wager": ("player",),
}
WHO |= dict.fromkeys(SPREAD, ("dealer",)) | {"cut": ("player", "dealer")}
WHO |= dict.fromkeys(("receive_cards", "inspect_cards", "remove_tens"), ("dealer",))
WHO |= dict.fromkeys(("deal", "card", "collect_cards", "buy_in", "spread_idle"), ("dealer",))
"""Who gives a command: the dealer handles the cards, the floorperson verifies, a player speaks for himself."""
