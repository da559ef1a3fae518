"""The parts of the analysis board: a player's account, his decisions with every other choice, the bar of value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import htpy as h

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.web.pages.figures import net_words
from twentyone.web.pages.odds_figures import data_table
from twentyone.web.pages.shell import chip

__all__ = ["account", "decisions", "exact", "left_out", "value_bar", "worst"]

Body = Mapping[str, Any]
Ends = Mapping[tuple[Any, ...], Body]
"""How the round would have ended, by event, box, hand and choice."""
SUMS = (
    ("deal", "Value of the deal", "what the wagers were worth before the first card"),
    ("luck", "Luck", "what the cards did, every decision the best"),
    ("mistakes", "Mistakes", "what decisions gave away"),
    ("net", "Net", "deal and luck less mistakes"),
)


def exact(value: float) -> str:
    """Dollars of an expectation, to the hundredth of a cent, with their sign.

    >>> exact(-0.30125), exact(12.5), exact(0.00001)
    ('−$0.3013', '+$12.5000', '$0.0000')
    """
    rounded = round(value, 4) + 0.0
    sign = "−" if rounded < 0 else "+" if rounded else ""
    return f"{sign}${abs(rounded):,.4f}"


def account(body: Body) -> h.Element:
    """Deal, luck, mistakes and net of a round or a session."""
    told = {name: exact(value) for name, value in (("deal", body["deal"]), ("luck", body["luck"]))}
    told |= {"mistakes": exact(-body["mistakes"]), "net": net_words(Amount(body["net"]))}
    rows = [(title, h.span(data_figure=name)[told[name]], says) for name, title, says in SUMS]
    return data_table(("Account", "Dollars", "What it is"), rows, "Deal, luck, mistakes, net")


def value_bar() -> h.Element:
    """Where the script draws the value of a player's wagers now; the middle is nothing won and nothing lost."""
    return h.div(".tw-value", data_part="bar")[
        h.svg(viewBox="0 0 20 200", preserveAspectRatio="none", aria_hidden="true")[
            h.rect(".tw-level", x=0, width=20, y=100, height=0, data_part="level"),
            h.path(d="M0 100h20"),
        ],
        h.output(data_part="worth", aria_label="value of your wagers now"),
    ]


def decisions(body: Body, review: Body, book: str, prefix: str) -> h.Element:
    """Every decision with the value of every choice, and how the round ends with it."""
    ends = {(end["event"], end["box"], end["hand"], end["choice"]): end for end in body["what_ifs"]}
    numbers = [frame["event"] for frame in body["frames"]]
    shown = [
        _decision(at, bisect_left(numbers, at) + 1, step, ends, (book, prefix))
        for at, step in zip(body["at"], review["steps"], strict=True)
        if "chosen" in step
    ]
    note = (
        "A card of this round was never shown: other choices have their value, but are not played on."
        if body["closed"]
        else "Values are for what the player could know. Played on, the cards come as they came, then others that "
        "nobody had seen, and everybody decides best."
    )
    return h.section(".tw-panel", data_part="decisions")[
        h.h2["Decisions, and what if"],
        [h.p(".tw-note")[note], shown] if shown else h.p["Nothing was to be decided."],
    ]


def _hand(step: Body) -> str:
    return f"{' '.join(Card(name).symbol for name in step['cards'])} against {Card(step['up']).symbol}"


def _decision(at: int, told: int, step: Body, ends: Ends, law: tuple[str, str]) -> h.Element:
    """One decision: the event of the round, and the one of those that are told."""
    hole = f", hole card {step['hole']}" if step["hole"] else ""
    wrong = step["cost"] > 0
    mark = f"mistake, {exact(-step['cost_dollars'])}" if wrong else "best"
    cite = step["cite"].removeprefix(law[1])
    return h.article(data_event=told, data_mark="mistake" if wrong else "best")[
        h.h3[
            h.a(href=f"#event-{told}")[f"Event {told}"],
            f", {_plain(step['offer'])}: {_hand(step)}{hole} ",
            chip(law[0], cite),
            " ",
            h.span(class_="tw-kind")[mark],
        ],
        _choices(at, told, step, ends),
    ]


def _choices(at: int, told: int, step: Body, ends: Ends) -> h.Element:
    best = step["values"][step["best"]]
    rows = []
    for name, value in sorted(step["values"].items(), key=lambda row: -row[1]):
        apart = "best" if name == step["best"] else f"{value - best:+.6f}".replace("-", "−")
        end = ends.get((at, step["box"], step["hand"], name))
        rows.append((_name(name, step), f"{value:+.6f}".replace("-", "−"), apart, _end(at, step, name, end)))
    head = ("Choice", "Value in wagers", "Against the best", "Played on")
    return data_table(head, rows, f"Choices at event {told}", 3)


def _name(name: str, step: Body) -> h.Node:
    return h.b[f"{_plain(name)}, chosen"] if name == step["chosen"] else _plain(name)


def _end(at: int, step: Body, name: str, end: Body | None) -> h.Node:
    if end is None:
        return "as it was" if name == step["chosen"] else "–"
    if end["net"] is None:
        return str(end["why"])
    says = f"{_plain(name)}: net {end['net']}"
    drawn = f", {end['strange']} drawn" if end["strange"] else ""
    where = {"data_act": "what-if", "data_at": at, "data_box": step["box"], "data_hand": step["hand"]}
    return h.button(".tw-button", type="button", data_choice=name, aria_label=f"play on with {says}", **where)[
        f"{net_words(Amount(end['net']))}{drawn}"
    ]


def _plain(name: str) -> str:
    return name.replace("_", " ")


def left_out(why: Mapping[str, str | int]) -> h.Node:
    """What was not reviewed, and why."""
    return [h.p(".tw-note")[f"Left out: {says}" + (f" ({many})" if many else "")] for says, many in _reasons(why)]


def _reasons(why: Mapping[str, str | int]) -> list[tuple[str, str]]:
    return [
        (name, str(said)) if isinstance(said, int) else (f"{name} {said}".strip(), "") for name, said in why.items()
    ]


def worst(rows: Sequence[Body]) -> h.Element | None:
    """The costliest mistakes of a session, each with the way to its round."""
    if not rows:
        return None
    told = [
        (
            h.a(href=f"/board/{row['round'].replace(':', '/')}")[row["round"]],
            _hand(row),
            f"{_plain(row['chosen'])}, best {_plain(row['best'])}",
            exact(-row["cost_dollars"]),
        )
        for row in rows
    ]
    return data_table(("Round", "Hand", "Decision", "Cost"), told, "The costliest mistakes", 1)
