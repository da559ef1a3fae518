"""Analysis board: a round replayed with the value of a player's wagers beside it, luck, mistakes and what if."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import htpy as h
from fastapi import Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rulebook, loaded_rulebooks
from twentyone.service.boards import round_question
from twentyone.service.kept_answers import KeptAnswer
from twentyone.service.people import NotAllowed
from twentyone.service.questions import LEDGER, DeskQuestion
from twentyone.service.sent_laws import law_of
from twentyone.web.api.common import ServiceHere, address_of, asker
from twentyone.web.api.rounds import finished
from twentyone.web.pages.asking import refusal, waiting
from twentyone.web.pages.boards import account, decisions, left_out, value_bar
from twentyone.web.pages.shell import Looker, LookerHere, show
from twentyone.web.pages.strategy import JobId
from twentyone.web.pages.table import FELT_STYLES, stage

__all__ = ["show_board", "show_round_board"]

STYLES, SCRIPTS = (*FELT_STYLES, "rounds", "board"), ("desk", "board")
EXAMPLE = """{"format": "round-script/1", "rulebook": "%s",
 "wagers": [{"box": 1, "player": "Ann", "main": "10"}],
 "cards": "8S 7H 9C KD 4D",
 "decisions": [{"box": 1, "action": "hit"}]}"""
Player = Annotated[str, Query(max_length=60)]


async def show_board(service: ServiceHere, looker: LookerHere, own: JobId = "") -> Response:
    """A script to be pasted; or one that was, under its own link."""
    if not own:
        main = h.main("#main.tw-main.tw-desk", data_page="paste")[h.h1["Analysis board"], _paste(), _ways(looker)]
        return show("Board", "Board", looker, main, styles=("desk", "board"), scripts=SCRIPTS)
    kept = service.jobs.answers.get(own)
    if kept is None or kept.kind != "review" or LEDGER in kept.asked:
        raise NotAllowed("this round is no longer kept: paste its script again", 404)
    return _board(looker, own, kept, "a pasted script")


async def show_round_board(
    request: Request,
    service: ServiceHere,
    looker: LookerHere,
    name: str,
    number: Annotated[int, Path(ge=1, le=2**53 - 1)],
    player: Player = "",
    seen: Literal["shoe", "round"] = "shoe",
) -> Response:
    """The board of a round of the ledger: for those who wagered in it, each his own, and for staff."""
    row = await run_in_threadpool(finished, service, looker.person, name, number)
    person = asker(request, looker.person)
    who = person.name if person.role == "player" else player or next(iter(row.net), "")
    if who not in row.net:
        raise NotAllowed(f"{who[:60]} did not play in this round", 404)
    title = f"round {row.id}"
    try:
        question = await run_in_threadpool(round_question, service, row, person, who, seen)
    except TwentyoneError as refused:
        return _page(looker, title, [refusal(refused)])
    service.jobs.admit(question.id, person)
    kept = service.jobs.answers.get(question.id)
    if kept is None:
        service.jobs.ask(question, person, address_of(request))
        return _page(looker, title, [_waits(question)])
    others = list(row.net) if person.role != "player" else [who]
    return _board(looker, question.id, kept, title, _choose(who, others, seen))


def _page(looker: Looker, title: str, parts: list[h.Element]) -> Response:
    main = h.main("#main.tw-main.tw-desk", data_page="waiting")[h.h1[f"Analysis board: {title}"], parts]
    return show(title.capitalize(), "Board", looker, main, styles=("desk",), scripts=("desk",))


def _waits(question: DeskQuestion) -> h.Element:
    """A question that the server has asked: its script may name a card that the page may not."""
    return waiting(question, "The round is being analysed beside the tables.", asked=True)


def _paste() -> h.Element:
    told = json.dumps({"kind": "review", "options": {}})
    return h.section(".tw-panel.tw-work.tw-paste", data_ask=told, data_later=True, data_opens="/board?own=")[
        h.label(".tw-label.tw-grow")[
            "A round script",
            h.textarea(".tw-field", rows=12, maxlength=60_000, spellcheck="false", data_part="script")[
                EXAMPLE % loaded_rulebooks()[0][0].id
            ],
        ],
        h.div(".tw-choices")[
            h.label(".tw-label")[
                "Player (the first where empty)", h.input(".tw-field", data_part="player", maxlength=60)
            ],
            h.label(".tw-label")["Cards that had left the shoe", h.input(".tw-field", data_part="out", maxlength=2000)],
        ],
        h.p[h.button(".tw-button.gold", type="button", data_act="analyse")["Analyse"]],
        h.progress(max="1", aria_label="analysis", hidden=True),
        h.p(data_part="says", role="status"),
        h.p(".loss", role="alert", data_part="wrong"),
    ]


def _ways(looker: Looker) -> h.Element:
    own = (
        h.a(href="/you")["your rounds"] if looker.role == "player" else h.a(href="/rounds")["the rounds of the ledger"]
    )
    return h.p(".tw-note")["Any round that you may read can be analysed from its replay: see ", own, "."]


def _choose(who: str, players: list[str], seen: str) -> h.Element:
    """Whose round, and which cards he remembers."""
    known = {"shoe": "all that lay face up since the shoe began", "round": "those of this round"}
    return h.form(".tw-row.tw-whose", method="get")[
        h.label(".tw-label")[
            "Player",
            h.select(".tw-field", name="player")[
                [h.option(value=name, selected=name == who)[name] for name in players]
            ],
        ],
        h.label(".tw-label")[
            "Cards remembered",
            h.select(".tw-field", name="seen")[
                [h.option(value=name, selected=name == seen)[says] for name, says in known.items()]
            ],
        ],
        h.button(".tw-button", type="submit")["Show"],
    ]


def _board(looker: Looker, job: str, kept: KeptAnswer, title: str, choose: h.Element | None = None) -> Response:
    body: Mapping[str, Any] = kept.body
    script = json.loads(kept.asked["script"])
    law = law_of(kept.asked, kept.asked.get("options", {}).get("law", ""))
    book = law or Rulebook.load(script["rulebook"], at=script.get("edition"))
    rules = book.under(script.get("submission", {}))
    review = next((one for one in body["players"] if one["player"] == body["player"]), None)
    told: list[h.Node] = [left_out(body["left_out"])]
    if review is not None:
        told = [h.section(".tw-panel", data_part="account")[h.h2["Account"], account(review)], *told]
        told.append(decisions(body, review, book.id, book.prefix))
    main = h.main("#main.tw-table-page.tw-board", data_page="board", data_job=job, data_rulebook=book.id)[
        h.h1(".sr")[f"Analysis board: {title}"],
        h.section(".tw-play")[h.div(".tw-beside")[stage(rules), value_bar()], _controls()],
        _side(body["player"], title, choose),
        h.div(".tw-reviewed", data_part="told")[told],
    ]
    about = f"{book.title} · {title} · {body['player']}"
    return show(f"Board: {title}", "Board", looker, main, styles=STYLES, scripts=SCRIPTS, about=about)


def _controls() -> h.Element:
    """The slider over the events, and the way back from what if."""

    def button(says: str, act: str, label: str | None = None, kind: str = "tw-button") -> h.Element:
        return h.button(class_=kind, type="button", data_act=act, aria_label=label)[says]

    bar = h.div(".tw-bar")[
        button("◀", "back", "one event back"),
        h.input(".tw-slider", type="range", min=0, max=0, value=0, data_part="slider", aria_label="event"),
        button("▶", "on", "one event forward"),
        button("Play", "play", kind="tw-button gold"),
        h.button(".tw-button", type="button", data_act="as-it-was", hidden=True)["As it was"],
    ]
    return h.div(".tw-controls")[h.p(".tw-say", data_part="say", aria_live="polite"), bar]


def _side(player: str, title: str, choose: h.Element | None) -> h.Element:
    return h.aside(".tw-panel.tw-side", aria_label="what happened, and what it was worth")[
        h.h2[f"{player}, {title}"],
        choose,
        h.p(".tw-note", data_part="branch", role="status"),
        h.div(".tw-law", data_part="why"),
        h.ol(".tw-story.long", data_part="story"),
    ]
