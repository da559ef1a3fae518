"""The result of a round, as the exchange format writes it, and the comparison with what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.events import HandRef, WagerSettled
from twentyone.round.play import Play
from twentyone.round.state import Hand
from twentyone.rulebook import HandFacts

__all__ = ["differences", "result", "settlement"]


def result(round_: Round) -> dict[str, Any]:
    """The result of a round that is over."""
    state = round_.state
    dealer = _dealer(round_)
    return {
        "rulebook": round_.rules.rulebook.id,
        "void": state.void,
        "dealer": {
            "cards": [card.name for card in state.dealer],
            "total": dealer.points,
            "blackjack": dealer.blackjack,
        },
        "hands": [
            _hand(round_, box, number, hand) for box in state.boxes for number, hand in enumerate(state.hands[box], 1)
        ],
        "wagers": [_row(row) for row in sorted(state.rows, key=_printed_order)],
        "net": {player: str(net) for player, net in round_.net.items()},
        "cards_used": state.used,
    }


def _dealer(round_: Round) -> HandFacts:
    """The dealer's hand, as far as anybody has seen it."""
    return round_.rules.dealer_hand(tuple(card for card in round_.state.dealer if card is not UNKNOWN))


def _printed_order(row: WagerSettled) -> tuple[bool, int, bool, int]:
    """Box by box, the wagers on the box before those on its hands; what belongs to no box last."""
    return row.box is None, row.box or 0, row.hand is not None, row.hand or 0


def _row(row: WagerSettled) -> dict[str, Any]:
    return {"box": row.box, "hand": row.hand, **settlement(row)}


def settlement(row: WagerSettled) -> dict[str, Any]:
    """How a wager was settled, wherever it lay."""
    return {
        "player": row.player,
        "wager": row.wager,
        "amount": str(row.amount),
        "outcome": row.outcome,
        "odds": str(row.odds) if row.odds is not None else None,
        "net": str(row.net),
        "cite": row.cite,
    }


def _hand(round_: Round, box: int, number: int, hand: Hand) -> dict[str, Any]:
    cards = [*hand.cards, *((hand.chance,) if hand.chance is not None else ())]
    return {
        "box": box,
        "hand": number,
        "cards": [card.name for card in cards],
        "total": Play(round_.rules, round_.state).facts(HandRef(box, number)).points,
        "outcome": _outcome(round_, box, number, hand),
    }


def _outcome(round_: Round, box: int, number: int, hand: Hand) -> str:
    """The outcome of a hand: its caller's."""
    caller = hand.wagers[0].player
    rows = {row.wager: row for row in round_.state.rows if (row.box, row.hand, row.player) == (box, number, caller)}
    if "double" in rows and rows["double"].outcome == "rescued":
        return "rescued"
    if "second_chance" in rows and rows["second_chance"].outcome == "win":
        return "win"
    own = next(rows[wager].outcome for wager in ("main", "split", "even_money") if wager in rows)
    beaten = own == "push" and _dealer(round_).blackjack
    return "lose" if beaten and hand.split else own


# -- expectations


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[str]:
    """Where the actual result does not show what was expected; given keys must match."""
    if isinstance(expected, Mapping):
        yield from _object_differences(expected, actual, path)
    elif isinstance(expected, list) and expected and isinstance(expected[0], Mapping):
        yield from _row_differences(expected, actual, path)
    elif not _same(expected, actual):
        yield f"{path}: expected {_show(expected)}, got {_show(actual)}"


def _object_differences(expected: Mapping[str, Any], actual: Any, path: str) -> Iterator[str]:
    if not isinstance(actual, Mapping):
        yield f"{path}: expected an object, got {_show(actual)}"
        return
    for key, value in expected.items():
        where = f"{path}.{key}" if path else key
        if key not in actual:
            yield f"{where}: expected {_show(value)}, but there is no such key"
        else:
            yield from differences(value, actual[key], where)


def _row_differences(expected: list[Any], actual: Any, path: str) -> Iterator[str]:
    """Every expected row must be one of the actual rows, each actual row used once."""
    left = list(actual) if isinstance(actual, list) else []
    for index, row in enumerate(expected):
        match = next((other for other in left if not list(differences(row, other))), None)
        if match is None:
            yield f"{path}[{index}]: no row is {_show(row)}; left are {_show(left)}"
        else:
            left.remove(match)


def _same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, str) and isinstance(actual, str) and expected != actual:
        return _as_amount(expected) is not None and _as_amount(expected) == _as_amount(actual)
    return bool(expected == actual) and type(expected) is type(actual)


def _as_amount(text: str) -> Amount | None:
    try:
        return Amount(text)
    except ValueError:
        return None


def _show(value: Any) -> str:
    return str(value) if value != ZERO or isinstance(value, str | bool) else "0"
