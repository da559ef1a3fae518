"""The most that one command may move: the operator's own bounds, beside what the text and a player's chips allow."""

from __future__ import annotations

from twentyone.money import Amount, dollars
from twentyone.table import wager_events as w
from twentyone.table.play import NO_TEXT, TablePlay, command

__all__ = ["LIMITS", "MOST", "check_limit", "limits_of"]

MOST = Amount("1000000000")
"""No amount of any command is larger, and no bound can be set higher."""

LIMITS = {
    "buy_in": Amount("100000"),
    "verbal_wager": Amount("100000"),
    "fill": Amount("1000000"),
    "credit": Amount("1000000"),
    "tip": Amount("10000"),
    "lay_coupon": Amount("1000"),
}
"""The bounds of a table whose operator has set none."""


def limits_of(limits: dict[str, Amount]) -> dict[str, Amount]:
    """The bounds in force where an operator has set these."""
    return {**LIMITS, **limits}


def check_limit(play: TablePlay, amount: Amount, about: str) -> None:
    """Refuse an amount above the bound of its command."""
    most = limits_of(play.state.limits).get(about, MOST)
    if amount > most:
        who = "" if about not in LIMITS else "; the operator raises it with set_limit"
        raise play.refuse(f"{about.replace('_', ' ')}: {dollars(amount)} is above the limit of {dollars(most)}{who}")


@command("set_limit", roles=("operator",), takes={"about": str, "amount": Amount})
def set_limit(play: TablePlay) -> None:
    """The operator sets the most that one sale, fill, credit, tip, verbal wager or coupon may be at this table."""
    about, amount = play.need("about", str), play.need("amount", Amount)
    if about not in LIMITS:
        raise play.refuse(f"there is no limit for {about!r}; there are {', '.join(LIMITS)}")
    play.emit(w.LimitSet, NO_TEXT, about=about, most=_bound(play, amount))


def _bound(play: TablePlay, text: str) -> Amount:
    try:
        most = Amount(text)
    except ValueError as wrong:
        raise play.refuse(str(wrong)) from None
    if not 0 < most <= MOST:
        raise play.refuse(f"a limit is more than nothing and at most {dollars(MOST)}, not {dollars(most)}")
    return most
