"""The pages, each an address and a function that answers with markup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Response

from twentyone.web.pages import (
    account,
    compare,
    coupons,
    desk,
    game,
    law,
    law_review,
    login,
    odds,
    people,
    pit,
    report,
    rounds,
    server,
    shoes,
    simulate,
    strategy,
    submission,
    table,
    tables,
    you,
)  # fmt: skip

__all__ = ["add_pages"]

PAGES: dict[str, Callable[..., Awaitable[Response]]] = {
    "/": tables.show_tables,
    "/login": login.show_login,
    "/account": account.show_account,
    "/people": people.show_people,
    "/coupons": coupons.show_coupons,
    "/pit": pit.show_pit,
    "/server": server.show_server,
    "/table/{name}": table.show_table,
    "/game/{name}": game.show_game,
    "/you": you.show_you,
    "/rounds": rounds.show_rounds,
    "/rounds/{name}/{number}": rounds.show_round,
    "/report": report.show_report,
    "/report/{name}.csv": report.take_csv,
    "/submission": submission.show_submission,
    "/submission/submission.toml": submission.take_toml,
    "/shoes/{name}": shoes.show_shoes,
    "/shoes/{name}/{version}": shoes.show_shoe,
    "/desk": desk.show_desk,
    "/odds": odds.show_odds,
    "/simulate": simulate.show_simulate,
    "/strategy": strategy.show_strategy,
    "/strategy/{job}.csv": strategy.show_csv,
    "/law": law.show_contents,
    "/compare": compare.show_compare,
    "/law/{rulebook}": law.show_book,
    "/review": law_review.show_review,
}
"""Every address of a page."""


def add_pages(app: FastAPI) -> None:
    """Add the pages to the application."""
    for path, shown in PAGES.items():
        app.add_api_route(path, shown, methods=["GET", "HEAD"], response_model=None)
