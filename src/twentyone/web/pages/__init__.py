"""The pages: Tables, Table, Rounds, Law, Coupons, People. NiceGUI serves them; their content is our own markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from nicegui import ui

from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import SESSION_COOKIE
from twentyone.web.pages import coupons, law, login, people, rounds, table, tables

__all__ = ["add_pages"]

STATIC = Path(__file__).parent.parent / "static"


def add_pages(app: FastAPI, service: Service) -> None:
    """Add the pages to the application."""

    def who(request: Request) -> Person | None:
        session = service.people.whose(request.cookies.get(SESSION_COOKIE))
        return session[0] if session is not None else None

    @ui.page("/")
    def tables_page(request: Request) -> None:
        tables.show_tables(service, who(request))

    @ui.page("/login")
    def login_page(request: Request) -> None:
        login.show_login(who(request))

    @ui.page("/table/{name}")
    def table_page(name: str, request: Request) -> Any:
        return table.show_table(service, name, who(request))

    @ui.page("/rounds")
    def rounds_page(request: Request) -> None:
        rounds.show_rounds(service, dict(request.query_params), who(request))

    @ui.page("/rounds/{name}/{number}")
    def round_page(name: str, number: int, request: Request) -> Any:
        return rounds.show_round(service, name, number, who(request))

    @ui.page("/law")
    def law_page(request: Request) -> None:
        law.show_contents(request.query_params.get("q", ""), who(request))

    @ui.page("/law/{rulebook}")
    def book_page(rulebook: str, request: Request) -> Any:
        asked = request.query_params
        return law.show_book(rulebook, asked.get("q", ""), asked.get("kind", ""), who(request))

    _add_staff_pages(service, who)
    ui.run_with(
        app,
        title="twentyone",
        favicon=STATIC / "favicon.svg",
        language="en-US",
        show_welcome_message=False,
        reconnect_timeout=30.0,
        tailwind=False,
    )


def _add_staff_pages(service: Service, who: Callable[[Request], Person | None]) -> None:
    @ui.page("/people")
    def people_page(request: Request) -> None:
        people.show_people(service, who(request))

    @ui.page("/coupons")
    def coupons_page(request: Request) -> None:
        coupons.show_coupons(service, who(request))
