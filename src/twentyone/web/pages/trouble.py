"""What is shown instead of a page: it is not there, it is refused, something failed. Each says where to go on."""

from __future__ import annotations

import htpy as h
from fastapi import Request
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from twentyone.errors import Refused, TwentyoneError
from twentyone.web.api.common import status_of, visitor
from twentyone.web.outages import AGAIN, outage, said, wait_of
from twentyone.web.pages.shell import Looker, looker, show

__all__ = ["missing", "page_broken", "page_refused", "page_unknown", "show_trouble"]

TABLES = ("All tables", "/")
TITLES = {
    401: "Not for you",
    403: "Not for you",
    404: "Not there",
    405: "Not possible here",
    429: "Wait a moment",
    503: "The ledger is not available",
}
OTHER = "Something went wrong"
UNKNOWN = {404: "There is no page at this address.", 405: "This address shows a page; nothing can be sent to it."}
FAILED = "The server could not make this page. Nothing was changed by it. Try again, or tell whoever keeps the server."


def show_trouble(looker: Looker, status: int, says: str, on: tuple[str, str] = TABLES) -> Response:
    """A page that says what is wrong, with a link by which to go on."""
    title = TITLES.get(status, OTHER)
    label, target = on
    main = h.main("#main.tw-main", data_page="trouble")[
        h.h1[title],
        h.div(".tw-panel")[
            h.p[says], h.p[h.a(".tw-button.gold", href=target)[label]], h.p(".tw-note")[f"status {status}"]
        ],
    ]
    return show(title, "", looker, main, status=status)


def missing(looker: Looker, says: str, on: tuple[str, str] = TABLES) -> Response:
    """The page of something that does not exist."""
    return show_trouble(looker, 404, says, on)


async def page_unknown(request: Request, wrong: Exception) -> Response:
    """The answer to an unknown address or method."""
    assert isinstance(wrong, HTTPException)
    if request.url.path.startswith("/static/"):
        return JSONResponse({"why": str(wrong.detail).lower()}, wrong.status_code)
    says = UNKNOWN.get(wrong.status_code, str(wrong.detail))
    answer = show_trouble(await _looker(request), wrong.status_code, says)
    answer.headers.update(wrong.headers or {})
    return answer


async def page_refused(request: Request, wrong: Exception) -> Response:
    """The answer of a page whose content is refused: by a role, by the law, by a ledger that failed."""
    assert isinstance(wrong, TwentyoneError)
    says = wrong.why if isinstance(wrong, Refused) else said(wrong)
    begins = says.partition(" ")[0]
    words = f"{says[:1].upper()}{says[1:]}." if begins.isalpha() else says
    answer = show_trouble(await _looker(request), status_of(wrong), words)
    answer.headers.update({"retry-after": str(wait)} if (wait := wait_of(wrong)) else {})
    return answer


def page_broken(_: Request, fault: Exception) -> Response:
    """The answer to an internal error, or to a fault that passes: it asks nothing of the service, which has failed."""
    why = outage(fault)
    answer = show_trouble(Looker(None), 503 if why else 500, f"{why[:1].upper()}{why[1:]}." if why else FAILED)
    answer.headers.update({"retry-after": str(AGAIN)} if why else {})
    return answer


async def _looker(request: Request) -> Looker:
    return await looker(request, await visitor(request))
