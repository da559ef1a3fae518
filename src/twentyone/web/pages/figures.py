"""Figures as pages write them: shares in per cent, chances, edges that favour the player."""

from __future__ import annotations

from twentyone.money import Amount, dollars

__all__ = ["chance", "edge_words", "net_words"]


def edge_words(edge: float | None) -> str:
    r"""A house edge in per cent.

    >>> edge_words(0.0042194), edge_words(-0.0004688), edge_words(None)
    ('0.422\xa0%', '−0.047\xa0% (in your favour)', 'is being worked out')
    """
    if edge is None:
        return "is being worked out"
    share = f"{abs(edge) * 100:,.3f}\u00a0%"
    return f"−{share} (in your favour)" if edge < 0 else share


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
