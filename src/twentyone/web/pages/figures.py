"""Figures as pages write them: shares in per cent, chances, edges that favour the player."""

from __future__ import annotations

from twentyone.money import Amount, dollars

__all__ = ["chance", "counted", "edge_words", "figure_said", "net_words", "points", "share", "source_below"]


def source_below(title: str, source: str) -> str:
    """The source of a law that stands below its title; nothing where the title ends with it.

    >>> source_below("Spanish 21, Pennsylvania", "58 Pa. Code Ch. 635a"), source_below("Blackjack, Classic", "Classic")
    ('58 Pa. Code Ch. 635a', '')
    """
    return "" if title.endswith(source) else source


def edge_words(edge: float | None) -> str:
    r"""A house edge in per cent.

    >>> edge_words(0.0042194), edge_words(-0.0004688), edge_words(None)
    ('0.422\xa0%', '−0.047\xa0% (in\xa0your\xa0favour)', 'is being worked out')
    """
    if edge is None:
        return "is being worked out"
    share = f"{abs(edge) * 100:,.3f}\u00a0%"
    return f"−{share} (in\u00a0your\u00a0favour)" if edge < 0 else share


def chance(wins: float) -> str:
    r"""How often something happens.

    >>> chance(0.1541), chance(1.0), chance(0.0418)
    ('15.4\xa0%', 'always', '4.18\xa0%')
    """
    return "always" if wins == 1 else f"{wins * 100:.3g}\u00a0%"


def net_words(net: Amount) -> str:
    """A gain or a loss with its sign.

    >>> net_words(Amount("37.5")), net_words(Amount("-25")), net_words(Amount("0"))
    ('+$37.50', '−$25.00', '$0.00')
    """
    said = dollars(Amount(abs(net)))
    return f"+{said}" if net > 0 else f"−{said}" if net < 0 else said


def share(value: float) -> str:
    r"""A share in per cent, as the commands print it.

    >>> share(0.0042194), share(-0.0004688)
    ('0.4219\xa0%', '−0.0469\xa0%')
    """
    return f"{value * 100:.4f}\u00a0%".replace("-", "−")


def points(difference: float) -> str:
    r"""A difference of two shares, with its sign.

    >>> points(0.00123), points(-0.5), points(0.0)
    ('+0.1230\xa0%', '−50.0000\xa0%', '0\xa0%')
    """
    if abs(difference) < 5e-7:
        return "0\u00a0%"
    return f"{difference * 100:+.4f}\u00a0%".replace("-", "−")


def figure_said(form: str, value: float) -> str:
    r"""A figure of a game: in per cent, as a chance, as a number.

    >>> figure_said("chance", 1 / 668382), figure_said("number", 1.17)
    ('once in 668,382', '1.17000')
    """
    if form == "percent":
        return share(value)
    if form == "chance":
        return f"once in {1 / value:,.0f}" if value else "never"
    return f"{value:.5f}"


def counted(number: int, what: str = "answer") -> str:
    """So many of something, in words.

    >>> counted(1), counted(1_200, "round")
    ('1 answer', '1,200 rounds')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
