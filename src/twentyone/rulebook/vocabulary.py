"""The closed vocabulary of the fences: every word that a field may have, by the type of the field.

A field of a clause is a number, a truth value, an amount, odds, a share, a hand, one of the words of a `Literal` here,
the name of another clause of the same book (`NameOf`), a name that the clause itself gives (`Name`), or free text
(`Text`), which speaks to people only.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

__all__ = [
    "BACKS",
    "KNOWN_KEYS",
    "Announcement",
    "Chooser",
    "DecisionName",
    "DeviceName",
    "Effect",
    "Face",
    "InsuranceBefore",
    "IrregularityName",
    "LayoutKind",
    "Light",
    "Name",
    "NameOf",
    "RangeName",
    "Rank",
    "Ranks",
    "Result",
    "Role",
    "RowName",
    "Side",
    "SideHand",
    "StepName",
    "SubmissionName",
    "Suits",
    "TaskName",
    "Text",
    "TomlValue",
    "WagerName",
    "Wheel",
]


class NameOf(NamedTuple):
    """Marks a field that names a clause of the same book."""

    type_key: str
    """The type of the clause that it names."""


Text = Annotated[str, "text"]
"""Words for people: nothing is decided by them."""
Name = Annotated[str, "name"]
"""A name that the clause gives itself, for others to refer to."""
RowName = Annotated[str, "row"]
"""The name of an outcome or pay row, or a paragraph."""
SubmissionName = Annotated[str, NameOf("submission")]
"""A submission key of the same book."""
TomlValue = Any
"""A value of a submission key, checked by the key's own type."""

Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
"""The rank of a card."""
Ranks = tuple[Rank, ...]
"""Ranks of cards, written `"J Q K"` in a fence."""
Suits = Literal["same", "mixed", "S", "H", "D", "C"]
"""All cards of one suit, of several, or of this one."""
Side = Literal["left", "right"]
"""A side of the dealer's."""
Face = Literal["up", "down"]
"""How a card lies."""
SideHand = Literal[
    "perfect_pair", "coloured_pair", "mixed_pair", "suited_trips", "straight_flush", "trips", "straight", "flush"
]
"""What the cards of a side wager are: two cards of one rank (of one suit, of one colour, of two), or three cards with
the up card, each kind without those before it."""
Result = Literal["win", "lose", "push"]
"""How a wager fares."""
Role = Literal["player", "dealer", "floorperson", "operator"]
"""Who acts at the table."""
Chooser = Literal["player", "dealer"]
"""Who chooses what follows an irregularity."""
Light = Literal["blue", "red", "yellow"]
"""The colour of a light of the Masque reader."""
RangeName = Literal["small", "medium", "large"]
"""A value range that the Masque reader tells."""
Wheel = Literal["bonus_spin", "xtreme_16"]
"""A prize wheel."""

WagerName = Literal[
    "main", "match_the_dealer", "perfect_pairs", "twenty_one_plus_three", "bonus_spin", "xtreme_16", "insurance",
    "even_money", "double", "split", "second_chance",
]  # fmt: skip
"""A kind of wager."""
DecisionName = Literal[
    "hit", "stand", "double", "split", "surrender", "rescue", "insure", "even_money", "second_chance"
]
"""A decision that a player may take."""
StepName = Literal[
    "deal", "settle_match", "settle_pairs", "settle_threes", "spin_bonus", "offer_insurance", "pay_blackjacks",
    "read_hole", "offer_surrender", "announce_range", "collect_insurance", "decide", "second_card", "reveal", "draw",
    "settle", "spin_xtreme", "collect",
]  # fmt: skip
"""A step of a round."""
TaskName = Literal[
    "admit_player", "ask_batch_spread", "ask_burn_card", "ask_face_up", "bar_mid_shoe_entry", "burn",
    "change_cards", "change_dealer", "collect_cards", "confirm_notification", "confirm_verbal_wager", "consent",
    "count_cards", "cover_card_seen", "cover_device", "cut", "deal", "decline_cut", "decline_verbal_wager",
    "destroy_found_ten", "destroy_tens", "device_out_of_order", "device_repaired", "handle_cards_refused",
    "insert_cover_card", "inspect_cards", "inspect_device", "lay_coupon", "load_shoe", "offer_cut", "place_wager",
    "receive_cards", "reconstruct", "recut", "remove_device", "remove_tens", "reshuffle", "show_burn_card",
    "show_cards", "shuffle", "shuffler_jammed", "spin", "spread_cards", "spread_idle", "stack_cards",
    "take_back_wager", "turn_cards_up", "verify_inspection", "wash_cards",
]  # fmt: skip
"""A command of the table that a text speaks of."""
IrregularityName = Literal[
    "called_dead", "dealer_card_missed", "dealer_past_17", "drawn_in_error_exposed", "drawn_in_error_refused",
    "drawn_in_error_unexposed", "drawn_in_error_unusable", "face_up", "hole_card_read", "insufficient_cards",
    "late_card", "more_face_up", "more_tens", "no_cards", "one_card", "reader_failed", "reader_hides",
    "reader_reveals", "requested_card_missed", "ten", "wrong_range",
]  # fmt: skip
"""Something that can go wrong in a round."""
Effect = Literal[
    "set_aside", "burn", "destroy", "use_as_next", "no_more_cards", "no_more_cards_to_hand", "deal_late", "hand_dead",
    "hands_dead", "open_hands_dead", "hands_dead_undone", "return_wager", "return_original", "return_bought",
    "void_round", "reshuffle", "remove_decks", "shuffle_rack", "cut", "notify_floorperson", "go_on", "collect_cards",
    "without_reader",
]  # fmt: skip
"""What follows an irregularity."""
DeviceName = Literal[
    "card_reader", "masque_reader", "shuffler", "shoe", "cover_card", "discard_rack", "drop_box", "tip_box", "lock_out",
    "progressive_system", "wagering_device",
]  # fmt: skip
"""A device of the table."""
LayoutKind = Literal[
    "approval", "name", "area", "dealer_area", "inscription", "sign_or_inscription", "odds", "sign", "device"
]
"""What a thing on the layout or at the table is."""
Announcement = Literal["dealer_total", "dealer_final", "player_total", "new_total", "split_total", "dealers_card"]
"""What the dealer says aloud."""
InsuranceBefore = Literal["read_hole", "announce_range", "decide"]
"""The step before which insurance closes."""

BACKS = ("red", "blue", "green", "yellow")
"""The colours of the backs of batches, which are told apart by them."""

KNOWN_KEYS = (
    "blackjack_pays", "bonus_spin", "boxes", "boxes_per_player", "chip_unit", "dealer_blackjack_takes",
    "dealer_hits_soft_17", "decks", "double_after_split", "double_on", "gaming_day_begins", "hole_card",
    "match_the_dealer", "match_the_dealer_maximum", "match_the_dealer_odds", "max_split_ace_hands", "max_split_hands",
    "mid_shoe_entry", "payout_limit", "players_per_box", "preinspected", "progressive", "reader_reveals", "settlement",
    "shuffler", "split_aces_one_card", "surrender", "table_maximum", "table_minimum", "tens", "wheel_weights",
    "xtreme_16",
)  # fmt: skip
"""The submission keys that the exchange format knows; a book may have others, where its own clauses ask for them."""
