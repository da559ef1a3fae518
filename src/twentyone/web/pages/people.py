"""People: the accounts of the service, for the administrator."""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.ledger.timestamps import moment
from twentyone.service.approvals import Approval
from twentyone.service.passwords import SHORTEST
from twentyone.service.people import ROLES, Account, People, Person
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["field", "said_wrong", "show_people"]

DOES = {
    "player": "plays, with a permanent purse",
    "dealer": "works the dealer's console",
    "floorperson": "opens tables, handles irregularities",
    "auditor": "reads everything, changes nothing",
    "administrator": "keeps tables and accounts",
}
"""What each role is for."""
WAITS = (
    "It is done as soon as you approve it, in the name of whoever asked: changes of accounts; coupons, fills and "
    "credits above what one person may give in a day; limits raised above the built-in ones. What nobody answers in "
    "a day is void."
)


async def show_people(service: ServiceHere, looker: LookerHere) -> Response:
    """The page of accounts."""
    person = looker.person
    if person is None or person.role != "administrator":
        only = h.p(".tw-note")["Accounts are kept by the administrator. ", h.a(href="/login")["Log in"]]
        return show("People", "People", looker, h.main("#main.tw-main")[h.h1["People"], only])
    rows = service.people.accounts.listed()
    waiting = service.people.approvals.listed()
    main = h.main("#main.tw-main")[
        h.h1["People"],
        _lead(rows, person),
        _closed(service.people.held.closed),
        _waiting(waiting, person),
        _listed(rows, person, service.people),
        _opening(),
    ]
    return show("People", "People", looker, main, styles=("people",), scripts=("people",))


def _lead(rows: list[Account], person: Person) -> h.Element:
    """Advice for an administrator who came by the one-time link, before his session ends."""
    says = "Guests need no account."
    if person.name not in [row.name for row in rows]:
        says += (
            " The link that the server printed works once: open an account for yourself, with the role administrator, "
            "before this session ends."
        )
    return h.p(".tw-note")[says]


def _closed(differing: dict[str, str]) -> h.Element | None:
    """Accounts that are not what the ledger says, and how each is set right."""
    if not differing:
        return None
    items = [
        h.p(data_closed=name)[h.b[name], " was changed behind the program: ", h.span(".loss")[what]]
        for name, what in sorted(differing.items())
    ]
    says = (
        "Nobody comes in with these accounts until they are what the ledger says: give the role, set a new password, "
        "remove the second factor, open anew what is gone, remove what nobody opened. Find out who writes there."
    )
    return h.section(".tw-panel", aria_labelledby="closed")[
        h.h2("#closed")["Closed accounts"], h.p(".tw-note")[says], items
    ]


def _waiting(rows: list[Approval], person: Person) -> h.Element | None:
    """What somebody asked for, and an administrator who is somebody else approves."""
    if not rows:
        return None
    items = [
        h.li(data_approval=row.number)[
            h.span[h.b[f"To {row.what}"], f", asked for by {row.by}, {moment(row.at)} UTC"],
            h.div(".tw-row.tw-does")[
                None if row.by == person.name else _button("Approve", "approve", row.number, f"Approve to {row.what}"),
                _button("Decline", "decline", row.number, f"Decline to {row.what}"),
            ],
        ]
        for row in rows
    ]
    return h.section(".tw-panel", aria_labelledby="waiting")[
        h.h2("#waiting")["Waiting for a second person"],
        h.p(".tw-note")[WAITS],
        h.ul(".tw-people", data_part="approvals")[items],
    ]


def _listed(rows: list[Account], person: Person, people: People) -> h.Element:
    if not rows:
        return h.p(".tw-panel", data_part="accounts")["Nobody has an account yet."]
    return h.ul(".tw-panel.tw-people", data_part="accounts")[
        [_row(row, person, people.factor_changes.may_remove(row.name)) for row in rows]
    ]


def _row(account: Account, person: Person, factor: bool) -> h.Element:
    own = account.name == person.name
    return h.li(data_account=account.name)[
        h.span(".tw-who")[h.b[account.name], " ", h.span(".tw-kind")[account.role]],
        h.span(class_="loss" if account.locked else "tw-note")[_state(account, own)],
        h.div(".tw-row.tw-does")[
            _button("Unlock", "unlock", account.name) if account.locked else None,
            h.a(href="/account")["Your account"] if own else _folded("New password", _password_form(account.name)),
            None if own else _folded("Role", _role_form(account)),
            _button("Remove the second factor", "drop-factor", account.name) if factor and not own else None,
            None if own else _folded("Remove", _removal(account.name)),
        ],
    ]


def _state(account: Account, own: bool) -> str:
    if account.locked:
        return "somebody waits after wrong passwords"
    if own:
        return "you"
    return {0: "not logged in", 1: "logged in"}.get(account.sessions, f"logged in {account.sessions} times")


def _folded(label: str, form: h.Element) -> h.Element:
    return h.details[h.summary(".tw-link")[label], form]


def _password_form(name: str) -> h.Element:
    return h.form(".tw-row", data_ask="password", data_name=name)[
        field("New password", "password", "password", "new-password", minlength=SHORTEST),
        h.button(".tw-button", type="submit", aria_label=f"Change the password of {name}")["Change"],
        said_wrong(),
    ]


def _role_form(account: Account) -> h.Element:
    chosen = [h.option(value=role, selected=role == account.role)[role] for role in ROLES]
    return h.form(".tw-row", data_ask="role", data_name=account.name)[
        h.label(".tw-label")["Role", h.select(".tw-field", name="role")[chosen]],
        h.button(".tw-button", type="submit", aria_label=f"Change the role of {account.name}")["Change"],
        said_wrong(),
    ]


def _removal(name: str) -> h.Element:
    says = f"{name} will no longer be able to log in; what {name} did stays in the ledger."
    return h.p(".tw-note")[says, " ", _button(f"Remove {name}", "remove", name)]


def _button(label: str, ask: str, name: str, says: str = "") -> h.Element:
    spoken = says or (label if name in label else f"{label} {name}")
    return h.button(".tw-button", type="button", data_ask=ask, data_name=name, aria_label=spoken)[label]


def _opening() -> h.Element:
    roles = [h.option(value=role)[f"{role}: {DOES[role]}"] for role in ROLES]
    chosen = h.select(".tw-field", name="role")[roles]
    return h.form(".tw-panel.tw-login", data_ask="open")[
        h.h2["Open an account"],
        field("Name", "name", "text", "off", maxlength=31),
        h.label(".tw-label")["Role", chosen],
        field(f"Password, {SHORTEST} characters or more", "password", "password", "new-password", minlength=SHORTEST),
        h.button(".tw-button.gold", type="submit")["Open the account"],
        said_wrong(),
    ]


def field(label: str, name: str, kind: str, complete: str, **rest: str | int | bool) -> h.Element:
    """A field with its label."""
    given = h.input(".tw-field", name=name, type=kind, required=True, autocomplete=complete, **rest)
    return h.label(".tw-label")[label, given]


def said_wrong() -> h.Element:
    """Where a form says what is wrong."""
    return h.p(".loss", role="alert", data_part="wrong")
