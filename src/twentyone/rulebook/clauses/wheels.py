"""Prize wheels and progressive meters."""

from typing import Annotated, Literal

from twentyone.money import Amount
from twentyone.rulebook.clauses.base import Clause, clause
from twentyone.rulebook.vocabulary import Name, NameOf, Wheel

__all__ = [
    "Community",
    "CommunityPay",
    "CommunityTo",
    "Contribution",
    "MeterFloor",
    "MeterPaid",
    "Paytables",
    "Symbol",
    "WheelPrize",
    "WheelSpin",
]


@clause("symbol")
class Symbol(Clause):
    """A symbol of a prize wheel."""

    wheel: Wheel
    """bonus_spin or xtreme_16."""
    name: Name
    """As a round script writes it."""
    pays: Amount | None = None
    """To the player who spun; absent: the meter."""
    meter: Annotated[str, NameOf("meter")] | None = None
    """The meter it pays in full."""
    others: Amount | None = None
    """To each other player with the wager (Community Pay)."""


@clause("paytables")
class Paytables(Clause):
    """A submission may select a paytable of a wheel for each amount that may be wagered; without it, one a table."""

    wheel: Wheel
    """The wheel."""


@clause("spin")
class WheelSpin(Clause):
    """For whom a prize wheel is spun."""

    wheel: Wheel
    """The wheel."""
    spins: Literal["one", "each"]
    """`each` player whose wager wins, or `one` of them: the hot spot."""


@clause("prize")
class WheelPrize(Clause):
    """What becomes of a wager on which a wheel pays a prize."""

    wheel: Wheel
    """The wheel."""
    wager: Literal["kept", "returned"]
    """`kept`: the prize is all that is paid; `returned`: the wager goes back beside it."""


@clause("community")
class Community(Clause):
    """A Community Pay that may stand beside any symbol of a wheel."""

    wheel: Wheel
    """The wheel."""
    pays: Amount
    """To each other player with the wager."""


@clause("community_pay")
class CommunityPay(Clause):
    """Which Community Pay amounts a wheel may show."""

    wheel: Wheel
    """The wheel."""


@clause("community_to")
class CommunityTo(Clause):
    """To whom the Community Pay of a wheel goes."""

    wheel: Wheel
    """The wheel."""
    each: Literal["player", "wager"]
    """Once to each other `player` with the wager, or to each other `wager`: it wins then, and no spin goes without."""


@clause("meter")
class MeterFloor(Clause):
    """The least initial and reset amount of a progressive meter."""

    name: Name
    """The meter."""
    least: Amount
    """Its least initial and reset amount."""


@clause("meter_paid")
class MeterPaid(Clause):
    """A jackpot pays what its meter shows at that moment."""

    wheel: Wheel
    """The wheel."""
    unit: Amount
    """A meter shows whole units of this; what is below one carries on unseen."""


@clause("contribution")
class Contribution(Clause):
    """A wager adds its share to the meters of its wheel."""

    wheel: Wheel
    """The wheel."""
    returned: Literal["stays", "taken_back"]
    """What becomes of the share of a wager that is returned: it `stays` in the meter, or is `taken_back`."""
