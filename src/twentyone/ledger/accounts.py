"""Chips as double entry, seen from the stored events alone, without the engine: a second pair of eyes.

A wager is pending between a player and the layout; its settlement posts it, a void gives it back, a correction is a new
entry. Every entry takes from one account what it gives to another, so that all balances add up to zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.ledger.carried import meters_carried

__all__ = ["DROP", "INVENTORY", "LAYOUT", "OUTSIDE", "Accounts", "Posting"]

LAYOUT, INVENTORY, DROP, OUTSIDE = "(layout)", "(inventory)", "(drop)", "(outside)"
METER, FUND = "(meter {})", "(meter fund)"

Body = Mapping[str, Any]


class Posting(NamedTuple):
    """One movement between two accounts, in thousandths."""

    kind: str
    """`move`, `pending` (a wager laid), `post` (settled), `void` (given back), `correction` (a settlement undone)."""
    source: str
    """The account it is taken from."""
    target: str
    """The account it is given to."""
    amount: int | Fraction
    """How much; never negative. Only meters hold fractions of a thousandth."""


class Accounts:
    """All accounts of one table."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        """Chips and cash by account; they add up to zero."""
        self.meters: dict[str, Fraction] = {}
        """Progressive meters with what waits above their limits, exact."""
        self.placed: dict[tuple[int, str, str], int] = {}
        """Wagers that wait for the deal, by box, player and kind."""
        self._bases: dict[str, int] = {}
        self._won: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()

    @property
    def pending(self) -> int:
        """Chips on the layout: wagered and not yet settled."""
        return self.balances[LAYOUT]

    def follow(self, kind: str, body: Body) -> list[str]:
        """Book an event; answers everything about it that breaks double entry."""
        book = _BOOK.get(kind)
        if book is None:
            return []
        faults: list[str] = []
        before = self.balances.copy() if kind == "round_event" else None
        touched = set()
        for entry in book(self, body.get("data", {}), faults):
            if entry.amount < 0:
                faults.append(f"an entry from {entry.source} to {entry.target} is negative: {entry.amount}")
            if isinstance(entry.amount, int):
                self.balances[entry.source] -= entry.amount
                self.balances[entry.target] += entry.amount
                touched |= {entry.source, entry.target}
        if before is not None:
            faults += self._differing(before, body["data"]["chips"])
        return faults + self._overdrawn(touched)

    def _differing(self, before: Counter[str], chips: Iterable[tuple[str, int]]) -> list[str]:
        """Where the chips that an event moved are not those that its settlements and wagers move."""
        moved: Counter[str] = Counter()
        for account, change in chips:
            moved[account] += change
        names = sorted({*moved, *self.balances})
        booked = {name: self.balances[name] - before[name] for name in names}
        sums = [f"its chips add up to {total}, not to zero"] if (total := sum(moved.values())) else []
        return sums + [
            f"{name} moves by {moved[name]}, the settlements and wagers say {booked[name]}"
            for name in names
            if moved[name] != booked[name]
        ]

    def _overdrawn(self, names: Iterable[str]) -> list[str]:
        players = sorted(name for name in names if not name.startswith("("))
        return [f"{name} has {self.balances[name]}, less than zero" for name in players if self.balances[name] < 0]

    def carry(self, body: Body) -> list[str]:
        """Begin with what the period before left; answers everything about it that breaks double entry."""
        state = body["state"]
        faults = [
            f"the {what} that are carried over add up to {total}, not to zero"
            for what in ("chips", "cash")
            if (total := sum(state[what].values()))
        ]
        for account, amount in (*state["chips"].items(), *state["cash"].items()):
            self.balances[account] += amount
        held = meters_carried(body)
        faults += [
            f"the meter {name} that is carried over is not the one that was set up"
            for name in sorted({*held, *self._bases})
            if name not in held or held[name][1] != self._bases.get(name)
        ]
        self.meters = {name: amount for name, (amount, _) in held.items()}
        return faults + self._overdrawn(state["chips"])

    # -- what each event books

    def chips_moved(self, data: Body, _: list[str]) -> list[Posting]:
        """Chips change hands; cash goes into the drop box."""
        entries = [Posting("move", data["source"], data["target"], data["amount"])]
        return [*entries, Posting("move", OUTSIDE, DROP, data["cash"])] if data.get("cash") else entries

    def wager_laid(self, data: Body, _: list[str]) -> list[Posting]:
        """A wager is pending."""
        key = (data["box"], data["player"], data["wager"])
        self.placed[key] = self.placed.get(key, 0) + data["amount"]
        return [Posting("pending", data["player"], LAYOUT, data["amount"])]

    def wager_taken_back(self, data: Body, faults: list[str]) -> list[Posting]:
        """A pending wager is void: the one that is named, or all of its player on its box."""
        box, player, named = data["box"], data["player"], data.get("wager", "")
        meant = [key for key in self.placed if key[:2] == (box, player) and named in ("", key[2])]
        if not meant:
            faults.append(f"{player} takes back a wager that does not lie on box {box}")
        return [Posting("void", LAYOUT, player, sum(self.placed.pop(key) for key in meant))]

    def round_begun(self, data: Body, faults: list[str]) -> list[Posting]:
        """The round takes exactly the wagers that lie there."""
        laid: dict[tuple[int, str, str], int] = {}
        for event in data["events"]:
            if event["event"] == "wager_placed":
                key = (event["box"], event["player"], event["wager"])
                laid[key] = laid.get(key, 0) + event["amount"]
        if laid != self.placed:
            faults.append("the round does not begin with the wagers that lie on the layout")
        self.placed = {}
        self._won, self._taken = Counter(), Counter()
        return []

    def round_event(self, data: Body, _: list[str]) -> list[Posting]:
        """Settlements post pending wagers; any other chips that go from a player to the layout are a new wager."""
        self._count_jackpots(data["events"])
        entries = [entry for event in data["events"] for entry in _settlement(event)]
        settled: Counter[str] = Counter()
        for entry in entries:
            settled[entry.source] -= int(entry.amount)
            settled[entry.target] += int(entry.amount)
        for account, change in data["chips"]:
            settled[account] -= change
        for account, laid in sorted(settled.items()):
            if not account.startswith("(") and laid > 0:
                entries.insert(0, Posting("pending", account, LAYOUT, laid))
        return entries

    def _count_jackpots(self, events: Iterable[Body]) -> None:
        """The jackpots won in the round; in a void round whose settlements are undone none was."""
        for event in events:
            if event["event"] == "meter_reset":
                self._won[event["meter"]] += event["paid"]
            elif event["event"] == "meter_restored":
                self._won[event["meter"]] -= event["paid"]
        if {"round_voided", "settlement_undone"} <= {event["event"] for event in events}:
            self._won.clear()

    def round_ended(self, _: Body, faults: list[str]) -> list[Posting]:
        """When a round ends nothing is pending, and its meters have paid what was won in it."""
        if self.pending:
            faults.append(f"the round is over and {self.pending} still lies on the layout")
        for meter in sorted({*self._won, *self._taken}):
            paid, won = self._taken[meter], self._won[meter]
            if paid != won:
                faults.append(f"the meter {meter} has paid {paid} for a round in which {won} was won of it")
        return []

    def meter_set(self, data: Body, _: list[str]) -> list[Posting]:
        """A meter starts at its base."""
        self._bases[data["meter"]] = data["base"]
        self.meters[data["meter"]] = Fraction(data["base"])
        return [Posting("move", FUND, METER.format(data["meter"]), Fraction(data["base"]))]

    def meter_contributed(self, data: Body, _: list[str]) -> list[Posting]:
        """A wager adds its share to a meter."""
        added = Fraction(data["added"])
        self.meters[data["meter"]] += added
        return [Posting("move", FUND, METER.format(data["meter"]), added)]

    def meter_paid(self, data: Body, faults: list[str]) -> list[Posting]:
        """A jackpot takes what the meter holds, and the base comes back."""
        name, paid = data["meter"], Fraction(data["paid"])
        if paid > self.meters[name]:
            faults.append(f"the meter {name} pays {paid} and holds {self.meters[name]}")
        self.meters[name] += self._bases[name] - paid
        self._taken[name] += data["paid"]
        meter = METER.format(name)
        return [Posting("post", meter, FUND, paid), Posting("move", FUND, meter, Fraction(self._bases[name]))]


def _meter_restored(accounts: Accounts, data: Body, _: list[str]) -> list[Posting]:
    """A jackpot is undone: the meter has again what it paid, and gives back the base that it started from."""
    name, paid = data["meter"], Fraction(data["paid"])
    accounts.meters[name] += paid - accounts._bases[name]
    accounts._taken[name] -= data["paid"]
    meter, base = METER.format(name), Fraction(accounts._bases[name])
    return [Posting("correction", FUND, meter, paid), Posting("correction", meter, FUND, base)]


def _share_taken_back(accounts: Accounts, data: Body, faults: list[str]) -> list[Posting]:
    """The share of a wager that went back leaves its meter, which never holds less than its base."""
    name, taken = data["meter"], Fraction(data["taken"])
    accounts.meters[name] -= taken
    if accounts.meters[name] < accounts._bases[name]:
        faults.append(f"the meter {name} holds {accounts.meters[name]}, less than its base of {accounts._bases[name]}")
    return [Posting("correction", METER.format(name), FUND, taken)]


def _settlement(event: Body) -> list[Posting]:
    if event["event"] == "wager_settled":
        return _posted(event, "void" if event["outcome"] == "void" else "post")
    if event["event"] == "settlement_undone":
        return [
            Posting("correction", entry.target, entry.source, entry.amount) for entry in _posted(event["row"], "post")
        ]
    return []


def _posted(row: Body, kind: str) -> list[Posting]:
    """A settled wager: the chips that lay there go back, and the gain or the loss between player and inventory."""
    player, net = row["player"], row["net"]
    back = [Posting(kind, LAYOUT, player, row["staked"])] if row["staked"] else []
    if not net:
        return back
    return [*back, Posting(kind, INVENTORY, player, net) if net > 0 else Posting(kind, player, INVENTORY, -net)]


_BOOK: dict[str, Callable[[Accounts, Body, list[str]], list[Posting]]] = {
    "chips_moved": Accounts.chips_moved,
    "coupon_settled": Accounts.chips_moved,
    "wager_laid": Accounts.wager_laid,
    "wager_taken_back": Accounts.wager_taken_back,
    "round_begun": Accounts.round_begun,
    "round_event": Accounts.round_event,
    "round_ended": Accounts.round_ended,
    "meter_set": Accounts.meter_set,
    "meter_contributed": Accounts.meter_contributed,
    "meter_paid": Accounts.meter_paid,
    "meter_restored": _meter_restored,
    "meter_share_taken_back": _share_taken_back,
}
