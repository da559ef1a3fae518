"""The pages, each an address and a function that answers with markup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Response

from twentyone.web.pages import (
    account,
    board,
    board_session,
    compare,
    coupons,
    desk,
    drill,
    game,
    law,
    law_review,
    learn,
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
    trainer,
    trainer_counts,
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
    "/learn": learn.show_games,
    "/learn/{rulebook}": learn.show_learn,
    "/you": you.show_you,
    "/rounds": rounds.show_rounds,
    "/rounds/{name}/{number}": rounds.show_round,
    "/board": board.show_board,
    "/board/session": board_session.show_session,
    "/board/{name}/{number}": board.show_round_board,
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
    "/trainer": trainer.show_trainer,
    "/trainer/counts": trainer_counts.show_counts,
    "/drill": drill.show_drill,
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
