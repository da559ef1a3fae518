"""The table's procedures, paragraph by paragraph: what is due, who may do it, what is refused and why."""

from __future__ import annotations

from typing import Any

import pytest

from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import Command, Table
from twentyone.table.card_events import CoverCardSeen
from twentyone.table.follow import Follower
from twentyone.table.play import COMMANDS

BOOKS = rulebook_ids()
SEAL = "0" * 64
BROUGHT: dict[str, dict[str, Any]] = {"shuffle": {"commitment": SEAL}, "burn": {"card": "2S"}}
COUPON: dict[str, Any] = {"box": 1, "player": "Ann", "number": "A-1", "amount": "10"}
FOLLOWER = Follower({"dealer": "Dan", "floorperson": "Fay"}, bring=lambda step: BROUGHT.get(step.do, {}))


class Staff:
    """Gives commands to a table and keeps the clock."""

    def __init__(self, book: str, **submission: Any) -> None:
        self.table = Table.new(Rulebook.load(book).under(submission))
        self.now = 0

    def do(self, name: str, role: str = "dealer", by: str = "Dan", **args: Any) -> Staff:
        self.now += 1
        self.table = self.table.apply(Command(name, role, by, self.now, args))
        return self

    def refused(self, name: str, role: str = "dealer", by: str = "Dan", **args: Any) -> Refused:
        before = self.table
        with pytest.raises(Refused) as refused:
            self.do(name, role, by, **args)
        assert self.table is before
        return refused.value

    def sit(self, *names: str) -> Staff:
        for index, name in enumerate(names):
            self.do("sit", "player", name, boxes=[index + 1]).do("buy_in", player=name, amount="1000")
        return self

    def until(self, task: str) -> Staff:
        """Follow the procedure up to a task."""
        while self.table.state.agenda and self.table.state.agenda[0].do != task:
            self.step()
        return self

    def step(self) -> None:
        do, role, by, _, args = FOLLOWER.command(self.table, self.table.next_steps()[0])
        self.do(do, role, by, **args)

    def ready(self, *names: str) -> Staff:
        return self.opened().sit(*(names or ("Ann",))).until("")

    def opened(self) -> Staff:
        return self.do("open_table", "floorperson", "Fay", dealer="Dan")

    def round(self, cards: str, *decisions: tuple[str, str]) -> Staff:
        """Deal a round with these cards; every player stands unless he decides otherwise."""
        said = list(decisions)
        deck = iter(cards.split())
        self.do("deal")
        while self.table.state.phase == "round":
            step = self.table.next_steps()[0]
            if step.do == "card":
                self.do("card", card=next(deck))
            elif said:
                player, action = said.pop(0)
                self.do("decide", "player", player, action=action)
            elif any(other.role == "dealer" for other in self.table.next_steps()):
                self.do("decide", action="decline")
            else:
                self.do("decide", "player", step.about, action="stand")
        return self.do("collect_cards")


@pytest.mark.parametrize("book", BOOKS)
def test_opening_runs_in_the_text_s_order(book: str) -> None:
    """From the receipt of the cards to the burn, nothing before its turn."""
    staff = Staff(book).opened().sit("Ann").until("")
    kinds = [event.kind for event in staff.table.events]
    wanted = [
        "cards_received", "cards_inspected", "inspection_verified", "cards_spread", "cards_shown", "cards_washed",
        "cards_stacked", "cards_shuffled", "cut_offered", "cut_made", "cover_card_inserted", "shoe_loaded",
        "card_burned",
    ]  # fmt: skip
    places = [kinds.index(kind) for kind in wanted]
    assert places == sorted(places)
    assert ("tens_removed" in kinds) == bool(staff.table.rules.cards.without)


def test_order_and_roles_are_held() -> None:
    """635a.4(a): the dealer inspects, the floorperson verifies; nothing is done out of turn."""
    staff = Staff("pa-spanish-21").opened()
    assert staff.refused("receive_cards").cite == "58 Pa. Code § 635a.2(d)"
    assert "for the floorperson" in str(staff.refused("inspect_device"))
    staff.do("inspect_device", "floorperson", "Fay").do("receive_cards").do("inspect_cards")
    assert "for the floorperson" in str(staff.refused("verify_inspection"))
    staff.do("verify_inspection", "floorperson", "Fay")
    assert staff.refused("spread_cards").cite == "58 Pa. Code § 635a.4(b)"
    assert staff.table.state.batches["red"].cards == 312
    staff.do("remove_tens")
    staff.do("destroy_tens", "floorperson", "Fay")
    assert staff.table.state.batches["red"].cards == 288
    staff.do("spread_cards")
    assert "no player has arrived" in str(staff.refused("show_cards"))


def test_preinspected_cards_take_the_short_way() -> None:
    """635a.4(e): inspection, spread and wash fall away; the tens are still removed, the first shuffle is not needed."""
    staff = Staff("pa-spanish-21", preinspected=True).opened().sit("Ann")
    todo = [item.do for item in staff.table.state.agenda]
    assert todo == [
        "inspect_device",
        "receive_cards",
        "remove_tens",
        "destroy_tens",
        "cut",
        "insert_cover_card",
        "load_shoe",
        "burn",
    ]


def test_two_batches_take_turns() -> None:
    """635a.3(d): with an automated shuffler two batches, one in the shoe, the other in the device."""
    staff = Staff("pa-spanish-21", shuffler="automated").ready("Ann")
    assert set(staff.table.state.batches) == {"red", "blue"}
    assert staff.table.state.shoe is not None
    assert staff.table.state.shoe.batch == "red"
    staff.do("reshuffle", "floorperson", "Fay").until("")
    assert staff.table.state.shoe.batch == "blue"


def test_cut_keeps_ten_cards_from_either_end() -> None:
    """635a.5(d)."""
    staff = Staff("pa-spanish-21").opened().sit("Ann").until("cut")
    assert staff.refused("cut", place=100).cite == "58 Pa. Code § 635a.5(b)"
    staff.do("offer_cut")
    for place in (9, 279, 0, -5):
        assert staff.refused("cut", "player", "Ann", place=place).cite == "58 Pa. Code § 635a.5(d)"
    assert "not offered to Bob" in str(staff.refused("cut", "player", "Bob", place=100))
    staff.do("cut", "player", "Ann", place=10)
    assert staff.refused("insert_cover_card", from_bottom=71).cite == "58 Pa. Code § 635a.5(d)"
    staff.do("insert_cover_card", from_bottom=72)


def test_dealer_cuts_when_everybody_declines() -> None:
    """635a.5(b), (c)(4): from the dealer's right, counterclockwise; then the dealer."""
    staff = Staff("pa-spanish-21").ready("Ann", "Bob", "Cy").do("reshuffle", "floorperson", "Fay").until("cut")
    asked = []
    for _ in range(3):
        staff.do("offer_cut")
        asked.append(staff.table.state.cut_offered)
        staff.do("decline_cut", "player", asked[-1])
    assert asked == ["Cy", "Bob", "Ann"]
    assert "has declined" in str(staff.refused("offer_cut"))
    staff.do("cut", place=20)


def test_section_13_rotates_the_offer_of_the_cut() -> None:
    """Section 13(d)(4)(ii): from shoe to shoe the first offer moves on, counterclockwise."""
    staff = Staff("s13-spanish-21").ready("Ann", "Bob", "Cy")
    first = []
    for _ in range(4):
        staff.do("reshuffle", "floorperson", "Fay").until("cut").do("offer_cut")
        first.append(staff.table.state.cut_offered)
        staff.do("cut", "player", first[-1], place=50).until("")
    assert [name in ("Ann", "Bob", "Cy") for name in first] == [True] * 4
    assert len(set(first[:3])) == 3
    assert first[3] == first[0]


def test_recut_between_cut_and_shoe() -> None:
    """635a.5(e): the floorperson may have the cards cut again, before the shoe."""
    staff = Staff("pa-spanish-21").opened().sit("Ann").until("load_shoe")
    staff.do("recut", "floorperson", "Fay")
    assert [item.do for item in staff.table.state.agenda] == ["cut", "insert_cover_card", "load_shoe", "burn"]
    staff.until("")
    assert staff.refused("recut", "floorperson", "Fay").cite == "58 Pa. Code § 635a.5(e)"


def test_section_13_mixes_again_when_a_card_shows() -> None:
    """Section 13(c)(3)."""
    staff = Staff("s13-spanish-21").opened().sit("Ann").until("wash_cards").do("wash_cards", exposed=True)
    assert staff.table.state.agenda[0].do == "wash_cards"
    assert staff.table.events[-1].kind == "cards_remixed"


def test_burn_for_each_new_dealer_and_on_request() -> None:
    """635a.7(c); Section 13(g)(3) shows the burn card to a player who asks, Pennsylvania does not say so."""
    staff = Staff("s13-spanish-21").ready("Ann").do("change_dealer", "floorperson", "Fay", dealer="Eve")
    assert staff.refused("deal", "dealer", "Eve").cite == "Section 13(g)(3)"
    assert "Eve deals here, not Dan" in str(staff.refused("burn", card="5H"))
    staff.do("burn", "dealer", "Eve", card="5H").do("ask_burn_card", "player", "Ann")
    staff.do("show_burn_card", "dealer", "Eve")
    assert staff.table.events[-1].to_json()["data"] == {"card": "5H", "player": "Ann"}
    other = Staff("pa-spanish-21").ready("Ann")
    assert "for nobody under this text" in str(other.refused("show_burn_card"))


def test_wagers_close_with_the_first_card() -> None:
    """635a.6(c); a player wagers only what he has."""
    staff = Staff("pa-spanish-21").ready("Ann")
    assert "does not have 2000" in str(staff.refused("place_wager", "player", "Ann", box=1, amount="2000"))
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    assert staff.table.state.chips["Ann"] == 990_000
    staff.do("deal")
    assert staff.refused("take_back_wager", "player", "Ann", box=1).cite == "58 Pa. Code § 635a.6(c)"
    assert staff.refused("place_wager", "player", "Ann", box=1, amount="10").cite == "58 Pa. Code § 635a.6(c)"


def test_round_is_dealt_settled_and_collected() -> None:
    """635a.7(q): the cards are picked up right to left, the dealer's last, and the hands can be rebuilt."""
    staff = Staff("pa-spanish-21").ready("Ann", "Bob")
    staff.do("place_wager", "player", "Ann", box=1, amount="10").do("place_wager", "player", "Bob", box=2, amount="10")
    staff.round("9S 8S 9H 9D 9C KD")
    state = staff.table.state
    assert state.chips == {"Ann": 990_000, "Bob": 990_000, "(inventory)": -1_980_000, "(layout)": 0}
    staff.do("reconstruct", "floorperson", "Fay")
    assert staff.table.events[-1].to_json()["data"]["rounds"] == [[["8S", "9C"], ["9S", "9D"], ["9H", "KD"]]]


def test_verbal_wagers_are_confirmed() -> None:
    """635a.6(a) by the dealer; Section 13(e)(3) by dealer and supervisor; Double Back Jack has none."""
    staff = Staff("s13-spanish-21").ready("Ann").do("place_wager", "player", "Ann", box=1, amount="10", cash=True)
    assert staff.refused("deal").cite == "Section 13(e)(3)"
    staff.do("confirm_verbal_wager", box=1, player="Ann")
    assert "floorperson" in str(staff.refused("deal"))
    staff.do("confirm_verbal_wager", "floorperson", "Fay", box=1, player="Ann").do("deal")
    none = Staff("pa-double-back-jack").ready("Ann")
    assert "no verbal wagers" in str(none.refused("place_wager", "player", "Ann", box=1, amount="10", cash=True))


def test_mid_shoe_entry_can_be_barred() -> None:
    """635a.6(b): who sat out a round waits for the reshuffle, or for the operator."""
    staff = Staff("pa-spanish-21").ready("Ann", "Bob").do("bar_mid_shoe_entry", "operator", "Olga")
    staff.do("place_wager", "player", "Ann", box=1, amount="10").round("9S 9H 9D KD")
    refused = staff.refused("place_wager", "player", "Bob", box=2, amount="10")
    assert refused.cite == "58 Pa. Code § 635a.6(b)"
    staff.do("reshuffle", "floorperson", "Fay").until("").do("place_wager", "player", "Bob", box=2, amount="10")


def test_cover_card_leads_to_a_reshuffle_and_to_the_box_s_cut() -> None:
    """635a.7(d), 635a.5(c)(2): the round is finished, then the cards are reshuffled; the cut goes to that box."""
    staff = Staff("pa-spanish-21").opened().sit("Ann", "Bob").until("insert_cover_card")
    staff.do("insert_cover_card", from_bottom=286).until("")
    staff.do("place_wager", "player", "Ann", box=1, amount="10").do("place_wager", "player", "Bob", box=2, amount="10")
    staff.round("9S 8S 9H 9D 9C KD")
    seen = next(event for event in staff.table.events if isinstance(event, CoverCardSeen))
    assert seen.box == 2
    assert staff.table.state.agenda[0].do == "shuffle"
    staff.until("cut").do("offer_cut")
    assert staff.table.state.cut_offered == "Bob"


def test_cards_are_changed_after_24_hours() -> None:
    """635a.3(b)."""
    staff = Staff("pa-spanish-21").ready("Ann").do("place_wager", "player", "Ann", box=1, amount="10")
    staff.now += 24 * 60 * 60
    assert staff.refused("deal").cite == "58 Pa. Code § 635a.3(b)"
    staff.do("change_cards").until("").do("deal")


def test_reader_out_of_order_stops_the_table() -> None:
    """635a.13(k): no dealing until it is repaired or replaced."""
    staff = Staff("pa-spanish-21").ready("Ann").do("place_wager", "player", "Ann", box=1, amount="10")
    staff.do("device_out_of_order", device="card_reader")
    assert "out of order" in str(staff.refused("deal"))
    staff.do("device_repaired", "floorperson", "Fay", device="card_reader").do("deal")


def test_section_13_goes_on_without_the_reader() -> None:
    """Section 13(o)(13): the dealing procedures without a card reader."""
    staff = Staff("s13-spanish-21").ready("Ann").do("place_wager", "player", "Ann", box=1, amount="10")
    staff.do("device_out_of_order", device="card_reader").do("deal")
    assert staff.table.state.round is not None
    assert staff.table.state.round.rules.submission["hole_card"] == "unread"


def test_shuffler_out_of_order_is_covered_first() -> None:
    """635a.13(l), (m): a jam means shuffling again; another method only after the device is covered."""
    staff = Staff("pa-spanish-21", shuffler="automated").opened().sit("Ann").until("shuffle")
    staff.do("shuffler_jammed")
    assert staff.table.state.agenda[0].do == "shuffle"
    staff.do("device_out_of_order", device="shuffler")
    assert staff.refused("shuffle", commitment=SEAL).cite == "58 Pa. Code § 635a.13(m)"
    staff.do("cover_device", device="shuffler").do("shuffle", commitment=SEAL)


def test_idle_table_wakes_when_a_player_comes() -> None:
    """635a.5(g): spread, shown, washed, stacked, shuffled and cut before the next round."""
    staff = Staff("pa-spanish-21").ready("Ann").do("leave", "player", "Ann").do("spread_idle")
    assert staff.refused("deal").why.startswith("the table is not ready")
    staff.sit("Bob")
    assert [item.do for item in staff.table.state.agenda][:4] == ["show_cards", "wash_cards", "stack_cards", "shuffle"]
    staff.until("")


def test_match_play_coupons_belong_to_section_13() -> None:
    staff = Staff("pa-spanish-21").ready("Ann")
    assert "coupon" in str(staff.refused("place_wager", "player", "Ann", box=1, amount="10", coupon="10"))
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    assert "for nobody" in str(staff.refused("lay_coupon", **COUPON))
    other = Staff("s13-spanish-21").ready("Ann")
    other.do("place_wager", "player", "Ann", box=1, amount="10").do("lay_coupon", **COUPON).round("KS 9H KH 8D")
    assert other.table.state.chips["Ann"] == 1_020_000
    assert any(event.kind == "coupon_settled" for event in other.table.events)


@pytest.mark.parametrize("book", BOOKS)
def test_every_procedure_paragraph_names_a_command(book: str) -> None:
    """A paragraph of kind `procedure` names, in back quotes, at least one command that the table knows."""
    entries = [entry for entry in Rulebook.load(book).entries.values() if entry.kind == "procedure"]
    said = {entry.paragraph: " ".join(note.text for note in entry.notes) for entry in entries}
    assert [name for name, text in said.items() if not any(f"`{command}`" in text for command in COMMANDS)] == []


def test_closed_table_does_nothing() -> None:
    staff = Staff("md-spanish-21")
    for name, role in (("deal", "dealer"), ("sit", "player"), ("shuffle", "dealer"), ("close_table", "floorperson")):
        staff.refused(name, role, boxes=[1], commitment=SEAL)
    assert "no command 'dance'" in str(staff.refused("dance"))


def test_meters_start_at_their_base_and_grow_exactly() -> None:
    """Md. 12.D(6): rate and reset from the submission; fractions of a cent carry on."""
    progressive = {"bonus_spin": {"rate": "0.1234567", "reset": "1500"}}
    staff = Staff("md-spanish-21", bonus_spin="A", progressive=progressive).ready("Ann")
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    staff.do("place_wager", "player", "Ann", box=1, wager="bonus_spin", amount="1").round("9S 9H 9D KD")
    meter = staff.table.state.meters["bonus_spin"]
    assert str(meter.amount) == "15001234567/10000"
    assert str(meter.shown) == "1500.12"


def test_order_never_depends_on_the_clock() -> None:
    """A clock that goes back an hour, or forward a little, changes no order, no chip and no card."""

    def day(*jumps: int) -> Table:
        staff = Staff("pa-spanish-21").ready("Ann")
        for jump in jumps:
            staff.now += jump
            staff.do("place_wager", "player", "Ann", box=1, amount="10").round("9S 9H 9D KD")
        return staff.table

    plain, jumping = day(0, 0, 0), day(-3600, 7200, -1)
    assert [event.kind for event in plain.events] == [event.kind for event in jumping.events]
    assert plain.state.chips == jumping.state.chips
    assert plain.state.rack == jumping.state.rack


def test_a_corrected_round_takes_back_what_its_coupon_won() -> None:
    """A coupon is paid with its wager, and what a correction makes of the wager it makes of the coupon."""
    staff = Staff("s13-spanish-21").ready("Ann")
    staff.do("place_wager", "player", "Ann", box=1, amount="10").do("lay_coupon", **COUPON).do("deal")
    for card in ("9S", "9H", "9D", "8D"):
        staff.do("card", card=card)
    staff.do("decide", "player", "Ann", action="stand")
    assert (staff.table.state.phase, staff.table.state.chips["Ann"]) == ("settled", Amount("1020"))
    staff.do("correct_entry", "floorperson", "Fay", wrong="8D", right="9C", why="misread")
    assert (staff.table.state.phase, staff.table.state.chips["Ann"]) == ("settled", Amount("1000"))
