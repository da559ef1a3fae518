"""Our engine on the pipe of the conformance suite: a request per line in, an answer per line out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from twentyone.cards import parse_cards
from twentyone.errors import Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.round.event_base import as_json
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.script import COMMAND_FORMAT, FORMAT, FORMAT_2, deal, parse, result
from twentyone.script.commands import carry_out, finish
from twentyone.script.perft import PERFT_FORMAT, perft
from twentyone.table.script import TABLE_FORMAT, carry_out_at_table, summary
from twentyone.version import __version__

__all__ = ["FIGURES", "PROTOCOL", "answer", "answers"]

PROTOCOL = "twentyone-conformance/1"
LEVELS = ("rounds", "irregularities", "table", "figures")

Body = Mapping[str, Any]
Answer = dict[str, Any]


def answers(lines: Iterable[str]) -> Iterator[str]:
    """The answer to each request, as a line; a line that is no request is answered with an error."""
    for line in lines:
        try:
            request = json.loads(line)
            reply = answer(request) if isinstance(request, dict) else {"error": "a request is an object"}
        except (ValueError, RecursionError) as wrong:
            reply = {"error": f"not JSON: {wrong}"}
        yield json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def answer(request: Body) -> Answer:
    """What our engine answers to a request."""
    if "hello" in request:
        return _hello()
    script = request.get("script")
    form = script.get("format") if isinstance(script, dict) else None
    if form not in FORMATS:
        return {"id": request.get("id"), "unsupported": f"no script of the format {form!r} is played here"}
    try:
        return {"id": request.get("id"), **FORMATS[form](request["script"])}
    except Refused as refused:
        return {"id": request.get("id"), **_refusal(refused)}
    except (TwentyoneError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        return {"id": request.get("id"), "error": f"{type(wrong).__name__}: {wrong}"}


def _hello() -> Answer:
    return {
        "protocol": PROTOCOL,
        "engine": f"twentyone {__version__}",
        "levels": list(LEVELS),
        "rulebooks": list(rulebook_ids()),
    }


def _refusal(refused: Refused, done: int | None = None) -> Answer:
    at = {} if done is None else {"at": done}
    return {"refused": {"paragraph": refused.cite, "why": str(refused), **at}}


# -- scripts


def _round(script: Body) -> Answer:
    """A round script; its text is read again, because a number with a point is refused where it stands."""
    return {"result": result(deal(parse(json.dumps(script))))}


def _commands(script: Body) -> Answer:
    round_, done, refused = carry_out(script)
    if refused is not None:
        return _refusal(refused, done)
    round_ = finish(round_)
    return {
        "result": result(round_),
        "events": [as_json(event) for event in round_.events],
        "view": round_.seen_by("player"),
    }


def _table(script: Body) -> Answer:
    table, done, refused = carry_out_at_table(script)
    if refused is not None:
        return _refusal(refused, done)
    return {"table": summary(table), "events": [event.to_json() for event in table.events]}


# -- figures


def _rules(script: Body) -> Rules:
    return Rulebook.load(script["rulebook"]).under(script.get("submission", {}))


def _perft(script: Body) -> Answer:
    cards = parse_cards(script["cards"])
    found = perft(_rules(script), cards, Amount(script["wager"]), script.get("any_order", False))
    return {"figure": found.body()}


def _side_wager(script: Body) -> Answer:
    from twentyone.odds.side_wagers import side_wagers

    price = side_wagers(_rules(script))[script["wager"]]
    return {"figure": {"edge": None if price.edge is None else str(price.edge), "wins": str(price.wins)}}


def _house_edge(script: Body) -> Answer:
    from twentyone.odds.edges import edge_of

    return {"figure": {"house_edge": f"{edge_of(_rules(script)):.12f}"}}


def _shoe(script: Body) -> Answer:
    from twentyone.table.shoe import after_cut, commitment, shoe_order

    seed = bytes.fromhex(script["seed"])
    dealt = after_cut(shoe_order(seed, parse_cards(script["cards"])), script["cut"])
    return {"figure": {"commitment": commitment(seed), "dealt": " ".join(card.name for card in dealt)}}


def _wheel(script: Body) -> Answer:
    from twentyone.table.shoe import commitment
    from twentyone.table.wheel import draw_hot_spot, draw_symbol, spin_words

    seed, spins = bytes.fromhex(script["seed"]), []
    for number, spin in enumerate(script["spins"], 1):
        drawn = spin_words(seed, number)
        symbol = draw_symbol(dict(sorted(script["weights"][spin["wheel"]].items())), drawn)
        spins.append({"symbol": symbol, "hot_spot": draw_hot_spot(spin["boxes"], drawn) if spin["boxes"] else None})
    return {"figure": {"commitment": commitment(seed), "spins": spins}}


FIGURES: dict[str, Callable[[Body], Answer]] = {
    PERFT_FORMAT: _perft,
    "side-wager/1": _side_wager,
    "house-edge/1": _house_edge,
    "shoe/1": _shoe,
    "wheel/1": _wheel,
}
"""Format of a figure to what works it out."""

FORMATS: dict[str, Callable[[Body], Answer]] = {
    FORMAT: _round,
    FORMAT_2: _round,
    COMMAND_FORMAT: _commands,
    TABLE_FORMAT: _table,
    **FIGURES,
}
