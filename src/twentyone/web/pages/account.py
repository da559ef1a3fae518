"""Your account: when you logged in before, another password, a second factor."""

from __future__ import annotations

import htpy as h
import segno
from fastapi import Request
from fastapi.responses import Response

from twentyone.service.factors import Enrolment
from twentyone.service.passwords import SHORTEST
from twentyone.service.people import NotAllowed, People, Person
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.figures import counted
from twentyone.web.pages.people import field, said_wrong
from twentyone.web.pages.shell import LookerHere, last_login, show
from twentyone.web.security import FIRST

__all__ = ["show_account"]


async def show_account(service: ServiceHere, looker: LookerHere, request: Request) -> Response:
    """The page of whoever looks."""
    person = looker.person
    if person is None:
        raise NotAllowed("log in first", 401)
    people, before = service.people, last_login(service, request, whence=True)
    main = h.main("#main.tw-main")[
        h.h1["Your account"],
        h.p(".tw-alarm", role="alert")[f"{FIRST[:1].upper()}{FIRST[1:]}."] if people.needs_factor(person) else None,
        h.p(".tw-note", data_part="before")[f"{before[:1].upper()}{before[1:]}."],
        _guessed(people.code_tries.wrong(person.name)),
        _parts(people, person) if people.has_account(person) else _none(person),
    ]
    return show("Your account", "", looker, main, styles=("people",), scripts=("people",))


def _guessed(wrong: int) -> h.Element | None:
    """Somebody has the password, and guesses at the second factor."""
    says = f"{counted(wrong, 'wrong code')} came with your right password lately: if not from you, change it."
    return h.p(".tw-alarm", role="alert", data_part="guessed")[says] if wrong else None


def _none(person: Person) -> h.Element:
    way = h.a(href="/people")["Open one"] if person.role == "administrator" else "Guests need none."
    return h.p(".tw-panel")["This session has no account, so it has neither a password nor a second factor. ", way]


def _parts(people: People, person: Person) -> h.Fragment:
    return h.fragment[_password(person), _factor(people, person)]


def _password(person: Person) -> h.Element:
    return h.form(".tw-panel.tw-login", data_ask="own-password")[
        h.h2["Another password"],
        _name(person),
        field("Your password until now", "old", "password", "current-password"),
        field(f"New password, {SHORTEST} characters or more", "password", "password", "new-password"),
        h.p(".tw-note")["It must be hard to guess and not contain your name. All your other sessions end."],
        h.button(".tw-button.gold", type="submit")["Change the password"],
        said_wrong(),
    ]


def _name(person: Person) -> h.VoidElement:
    """For whoever keeps passwords: whose they are."""
    return h.input(type="text", autocomplete="username", value=person.name, readonly=True, hidden=True)


def _factor(people: People, person: Person) -> h.Element:
    begun, name = people.factors.begun(person.name), person.name
    if begun is not None:
        inside = _confirming(begun)
    elif people.factors.has(name):
        inside = _removing(len(people.factors.codes(name)))
    else:
        inside = _beginning()
    return h.section(".tw-panel", aria_labelledby="factor", data_part="factor")[
        h.h2("#factor")["Second factor"],
        inside,
    ]


def _beginning() -> h.Fragment:
    says = "With an authenticator on your telephone a log-in also needs the code that it shows (TOTP)."
    return h.fragment[
        h.p(".tw-note")[says],
        h.form(".tw-login", data_ask="factor")[
            field("Your password", "old", "password", "current-password"),
            h.button(".tw-button.gold", type="submit")["Set it up"],
            said_wrong(),
        ],
    ]


def _confirming(begun: Enrolment) -> h.Fragment:
    picture = segno.make(begun.address, error="m").svg_data_uri(scale=5, border=4, light="#fff")
    return h.fragment[
        h.p["Scan this with your authenticator, or type the secret. Then enter the code that it shows."],
        h.img(".tw-qr", src=picture, alt="The secret as a QR code", width=245, height=245),
        h.p["Secret: ", h.code(".tw-secret", data_part="secret")[" ".join(_fours(begun.secret))]],
        h.form(".tw-login", data_ask="confirm")[
            field("Code", "code", "text", "one-time-code", inputmode="numeric", maxlength=12),
            h.button(".tw-button.gold", type="submit")["Confirm"],
            said_wrong(),
        ],
        h.div(data_part="recovery", hidden=True, tabindex=-1)[
            h.p["It is set up. Keep these recovery codes on paper: each works once, and they are not shown again."],
            h.pre(data_part="codes", tabindex=0, aria_label="recovery codes"),
            h.a(".tw-button", href="/account")["I have written them down"],
        ],
    ]


def _fours(secret: str) -> list[str]:
    return [secret[start : start + 4] for start in range(0, len(secret), 4)]


def _removing(left: int) -> h.Fragment:
    return h.fragment[
        h.p[f"It is set up; {left} recovery {'code is' if left == 1 else 'codes are'} left."],
        h.details[
            h.summary(".tw-link")["Remove it, to set up another"],
            h.form(".tw-login", data_ask="remove-factor")[
                field("Your password", "old", "password", "current-password"),
                field("Code", "code", "text", "one-time-code", inputmode="numeric", maxlength=12),
                h.button(".tw-button", type="submit")["Remove the second factor"],
                said_wrong(),
            ],
        ],
    ]
