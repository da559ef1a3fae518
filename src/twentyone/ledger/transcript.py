"""One round as the ledger has it: every event in words with its paragraph, and the players' chips before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.ledger.codec import COMMAND, CREATED, decode_round_event, read_body
from twentyone.ledger.reading import Chips, readable
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store
from twentyone.money import NOTHING, Amount, dollars
from twentyone.round.words import in_words

__all__ = ["Line", "Transcript", "transcript"]

Body = Mapping[str, Any]


class Line(NamedTuple):
    """One thing that happened."""

    version: int
    """The version of the stream."""
    ts: int
    """When."""
    by: str
    """Who did it."""
    words: str
    """What happened."""
    cite: str
    """Under which paragraph; empty for what only the ledger knows."""

    def to_json(self) -> dict[str, Any]:
        """The line for a program."""
        return {"version": self.version, "at": self.ts, "by": self.by, "words": self.words, "cite": self.cite}


@dataclass
class Transcript:
    """A round, dealt before the reader's eyes."""

    row: RoundRow
    """The round."""
    for_play: bool = True
    """Whether its shoe was for play."""
    before: dict[str, Amount] | None = None
    """The players' chips before their wagers."""
    after: dict[str, Amount] | None = None
    """The players' chips after the round."""
    lines: tuple[Line, ...] = ()
    """Everything that happened, in order."""

    def to_json(self) -> dict[str, Any]:
        """The transcript for a program."""
        return {
            **self.row.to_json(),
            "replay": True,
            "for_play": self.for_play,
            "before": {name: str(amount) for name, amount in (self.before or {}).items()},
            "after": {name: str(amount) for name, amount in (self.after or {}).items()},
            "events": [line.to_json() for line in self.lines],
        }


def transcript(store: Store, row: RoundRow) -> Transcript:
    """Read a round from the ledger's events."""
    told, chips, lines = Transcript(row), Chips(), list[Line]()
    for event in store.read(row.table):
        if event.ver > row.last:
            break
        if event.ver == row.first:
            told.before = _purses(chips, row)
        with readable(event):
            body = read_body(event)
            if event.type == CREATED:
                told.for_play = body["for_play"]
            elif event.type != COMMAND:
                chips.follow(event.type, body)
            if event.ver >= row.first:
                lines += _lines(event, body)
    told.after, told.lines = _purses(chips, row), tuple(lines)
    return told


def _purses(chips: Chips, row: RoundRow) -> dict[str, Amount]:
    return {player: chips.accounts.get(player, NOTHING) for player in row.net}


def _lines(event: StoredEvent, body: Body) -> Iterator[Line]:
    def line(words: str, cite: str) -> Line:
        return Line(event.ver, event.ts, body.get("by", ""), words, cite)

    if event.type == COMMAND:
        yield Line(event.ver, event.ts, body["by"], _asked(body), "")
    elif "cite" not in body:
        yield line(_ledgers_own(event.type, body), "")
    elif event.type in ("round_begun", "round_event"):
        if event.type == "round_begun":
            yield line(f"round {body['data']['number']} begins, the wagers are closed", body["cite"])
        for inner in body["data"]["events"]:
            yield line(in_words(decode_round_event(inner)), inner["cite"])
    else:
        yield line(_at_table(event.type, body.get("data", {})), body["cite"])


def _asked(body: Body) -> str:
    args = ", ".join(f"{_plain(name)} {_said(name, value)}" for name, value in sorted(body["args"].items()))
    return f"the {body['role']} gives the command {_plain(body['do'])}{f' ({args})' if args else ''}"


def _ledgers_own(kind: str, body: Body) -> str:
    mark = f", commitment {body['commitment'][:16]}" if "commitment" in body else ""
    return f"{_plain(kind)}{mark}"


def _at_table(kind: str, data: Body) -> str:
    own = _WORDS.get(kind)
    if own is not None:
        return own(data)
    said = ", ".join(f"{_plain(name)} {_said(name, value)}" for name, value in data.items() if value not in (None, ""))
    return f"{_plain(kind)}{': ' if said else ''}{said}"


def _wager(data: Body) -> str:
    ways = [word for word, on in (("in words, with cash", data["cash"]), ("with a coupon", data["coupon"])) if on]
    what = " ".join([_plain(data["wager"]), *ways])
    return f"{data['player']} lays {_money(data['amount'])} on box {data['box']}: {what}"


def _collected(data: Body) -> str:
    hands = "; ".join(" ".join(hand) for hand in data["hands"] if hand)
    removed = f"; taken out of play: {' '.join(data['removed'])}" if data["removed"] else ""
    return f"the cards go to the discard rack: {hands}{removed}"


def _chips(data: Body) -> str:
    cash = f", {_money(data['cash'])} in cash to the drop box" if data.get("cash") else ""
    return f"{_money(data['amount'])} in chips from {data['source']} to {data['target']}: {data['why']}{cash}"


def _ended(data: Body) -> str:
    effects = f": {', '.join(map(_plain, data['effects']))}" if data["effects"] else ""
    return f"the round is {'void' if data['void'] else 'settled'}{effects}"


_WORDS: dict[str, Callable[[Body], str]] = {
    "wager_laid": _wager,
    "wager_taken_back": lambda data: f"{data['player']} takes the wagers on box {data['box']} back",
    "wager_confirmed": lambda data: f"the {data['role']} confirms the verbal wager of {data['player']}",
    "chips_moved": _chips,
    "coupon_settled": _chips,
    "round_ended": _ended,
    "cards_collected": _collected,
    "meter_contributed": lambda data: f"the meter {_plain(data['meter'])} gets {_share(data['added'])}",
    "meter_paid": lambda data: f"the meter {_plain(data['meter'])} pays {_money(data['paid'])}",
    "agenda_set": lambda data: f"to be done next: {', '.join(_plain(' '.join(todo).strip()) for todo in data['todo'])}",
}


def _money(thousandths: int) -> str:
    return dollars(Amount(thousandths))


def _share(thousandths: str) -> str:
    """A contribution, to the last fraction of a thousandth."""
    exact = Fraction(thousandths)
    return _money(int(exact)) if exact.denominator == 1 else f"{exact} thousandths of a dollar"


def _said(name: str, value: Any) -> str:
    if name in ("amount", "coupon", "cash", "paid", "base") and type(value) is int:
        return _money(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _plain(name: str) -> str:
    return name.replace("_", " ")
