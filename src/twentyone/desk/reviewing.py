"""Rounds and sessions reviewed for a page: the figures of `twentyone analyse`, event by event, and what if."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from twentyone.cards import parse_cards
from twentyone.desk.answers import Asked, Tell
from twentyone.errors import NotAScript, Refused, TwentyoneError
from twentyone.review.model import PlayerReview, RoundReview
from twentyone.review.rounds import Reviewer, Reviewers
from twentyone.review.seen import cards_left
from twentyone.review.session import session_of
from twentyone.review.what_if import OtherEnd, what_ifs
from twentyone.round import Round
from twentyone.round.retelling import standing
from twentyone.script import replay
from twentyone.service.script_frames import round_frames
from twentyone.service.sent_laws import law_of

__all__ = ["review", "session"]

REVIEWED = 0.4
"""The share of the work on a round after which it is reviewed, and every other choice is to be played."""


def review(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """One player's round: his review, the layout after every event, and how each other choice would have ended."""
    options = asked.get("options", {})
    round_ = _dealt(asked, {"script": asked.get("script", ""), **options})
    player = str(options.get("player") or next(iter(round_.state.players)))
    if player not in round_.state.players:
        raise Refused(f"{player[:40]} did not play in this round", round_.events[-1].cite)
    reviewer, before = _reviewers().of(round_.rules), cards_left(round_.rules, _cards(options.get("out", "")))
    whole = reviewer.review(round_, str(options.get("name", "")), before, player)
    tell(REVIEWED, at_once=True)
    mine = _of(whole, player)
    body = {**whole.body(), "player": player, "all_players": list(round_.state.players)}
    body |= {"at": list(mine.at) if mine is not None else []}
    body |= round_frames(round_.rules, standing(round_.events))
    closed = bool(options.get("closed")) or mine is None
    others = [] if closed else _others(reviewer, round_, mine, before, tell)
    return body | {"what_ifs": others, "closed": bool(options.get("closed"))}


def _others(reviewer: Reviewer, round_: Round, mine: PlayerReview | None, before: Any, tell: Tell) -> list[Any]:
    assert mine is not None
    ends = what_ifs(reviewer, round_, mine, before, lambda share: tell(REVIEWED + (1 - REVIEWED) * share))
    return [_end(end, _along(reviewer, end, before, mine.player)) for end in ends]


def _along(reviewer: Reviewer, end: OtherEnd, before: Any, player: str) -> PlayerReview | None:
    """The review of a round that was played on to its end."""
    return None if end.why else _of(reviewer.review(end.round, "", before, player), player)


def _of(review: RoundReview, player: str) -> PlayerReview | None:
    return next((one for one in review.players if one.player == player), None)


def _end(end: OtherEnd, along: PlayerReview | None) -> dict[str, Any]:
    kept = {name: getattr(end, name) for name in ("event", "box", "hand", "choice", "net", "strange", "why")}
    kept |= {"at": [], "steps": []} if along is None else {"at": list(along.at), "steps": along.body()["steps"]}
    return {**kept, "frames": round_frames(end.round.rules, end.round.events, end.event - 1)["frames"]}


def session(asked: Asked, tell: Tell, _: str) -> dict[str, Any]:
    """Many rounds of one player summed up, as `twentyone analyse` sums up a ledger."""
    options = asked.get("options", {})
    rows = options.get("rounds", [])
    return session_of(_each(asked, rows, options.get("player"), tell), options.get("player")).body()


def _each(asked: Asked, rows: list[Mapping[str, str]], player: str | None, tell: Tell) -> Iterator[RoundReview]:
    for done, row in enumerate(rows):
        tell(done / len(rows))
        round_ = _dealt(asked, row)
        try:
            before = cards_left(round_.rules, _cards(row.get("out", "")))
        except Refused as refused:
            yield RoundReview(row["name"], (), {"": str(refused)})
            continue
        yield _reviewers().of(round_.rules).review(round_, row["name"], before, player)


@lru_cache(maxsize=1)
def _reviewers() -> Reviewers:
    """Reviewers are kept: the next round of the same game begins at once."""
    return Reviewers()


def _dealt(asked: Asked, row: Mapping[str, str]) -> Round:
    """The round of a script, by its own law where that came along; refused with its paragraph, where it is."""
    verdict = replay(row["script"], law_of(asked, row.get("law", "")))
    if verdict.round is not None:
        return verdict.round
    if verdict.cite:
        raise Refused(verdict.error.removesuffix(f" ({verdict.cite})"), verdict.cite)
    raise NotAScript("script", verdict.error)


def _cards(text: str) -> Any:
    try:
        return parse_cards(text)
    except ValueError as wrong:
        raise TwentyoneError(f"cards that had left the shoe: {wrong}") from None
