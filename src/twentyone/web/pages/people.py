"""People: the accounts of the service, for the administrator."""

from __future__ import annotations

from twentyone.service.people import ROLES, SHORTEST, Account, Person
from twentyone.service.service import Service
from twentyone.web.html import Markup, h
from twentyone.web.pages.shell import show

__all__ = ["show_people"]

DOES = {
    "player": "plays, with a permanent purse",
    "dealer": "works the dealer's console",
    "floorperson": "opens tables, handles irregularities",
    "auditor": "reads everything, changes nothing",
    "administrator": "keeps tables and accounts",
}
"""What each role is for."""


def show_people(service: Service, person: Person | None) -> None:
    """The page of accounts."""
    if person is None or person.role != "administrator":
        only = h("p", "Accounts are kept by the administrator. ", h("a", "Log in", href="/login"), class_="tw-note")
        show("People", "People", person, h("main", h("h1", "People"), only, class_="tw-main", id="main"))
        return
    rows = service.people.accounts()
    main = h(
        "main", h("h1", "People"), _lead(rows, person), _listed(rows, person), _opening(), class_="tw-main", id="main"
    )
    show("People", "People", person, main, styles=("people",), scripts=("people",))


def _lead(rows: list[Account], person: Person) -> Markup:
    """Advice for an administrator who came by the one-time link, before his session ends."""
    says = "Guests need no account."
    if person.name not in [row.name for row in rows]:
        says += (
            " The link that the server printed works once: open an account for yourself, with the role administrator, "
            "before this session ends."
        )
    return h("p", says, class_="tw-note")


def _listed(rows: list[Account], person: Person) -> Markup:
    if not rows:
        return h("p", "Nobody has an account yet.", class_="tw-panel", data_part="accounts")
    return h("ul", [_row(row, person) for row in rows], class_="tw-panel tw-people", data_part="accounts")


def _row(account: Account, person: Person) -> Markup:
    own = account.name == person.name
    return h(
        "li",
        h("span", h("b", account.name), " ", h("span", account.role, class_="tw-kind"), class_="tw-who"),
        h("span", _state(account, own), class_="loss" if account.locked else "tw-note"),
        h(
            "div",
            _button("Unlock", "unlock", account.name) if account.locked else None,
            _folded("New password", _password_form(account.name)),
            None if own else _folded("Remove", _removal(account.name)),
            class_="tw-row tw-does",
        ),
        data_account=account.name,
    )


def _state(account: Account, own: bool) -> str:
    if account.locked:
        return "somebody waits after wrong passwords"
    if own:
        return "you"
    return {0: "not logged in", 1: "logged in"}.get(account.sessions, f"logged in {account.sessions} times")


def _folded(label: str, form: Markup) -> Markup:
    return h("details", h("summary", label, class_="tw-link"), form)


def _password_form(name: str) -> Markup:
    return h(
        "form",
        _field("New password", "password", "password", "new-password", minlength=SHORTEST),
        h("button", "Change", class_="tw-button", type="submit", aria_label=f"Change the password of {name}"),
        _wrong(),
        data_ask="password",
        data_name=name,
        class_="tw-row",
    )


def _removal(name: str) -> Markup:
    says = f"{name} will no longer be able to log in; what {name} did stays in the ledger."
    return h("p", says, " ", _button(f"Remove {name}", "remove", name), class_="tw-note")


def _button(label: str, ask: str, name: str) -> Markup:
    spoken = label if name in label else f"{label} {name}"
    return h("button", label, class_="tw-button", type="button", data_ask=ask, data_name=name, aria_label=spoken)


def _opening() -> Markup:
    roles = [h("option", f"{role}: {DOES[role]}", value=role) for role in ROLES]
    chosen = h("select", roles, class_="tw-field", name="role")
    return h(
        "form",
        h("h2", "Open an account"),
        _field("Name", "name", "text", "off", maxlength=31),
        h("label", "Role", chosen, class_="tw-label"),
        _field(f"Password, {SHORTEST} characters or more", "password", "password", "new-password", minlength=SHORTEST),
        h("button", "Open the account", class_="tw-button gold", type="submit"),
        _wrong(),
        class_="tw-panel tw-login",
        data_ask="open",
    )


def _field(label: str, name: str, kind: str, complete: str, **rest: object) -> Markup:
    given = h("input", class_="tw-field", name=name, type=kind, required=True, autocomplete=complete, **rest)
    return h("label", label, given, class_="tw-label")


def _wrong() -> Markup:
    return h("p", "", class_="loss", role="alert", data_part="wrong")
