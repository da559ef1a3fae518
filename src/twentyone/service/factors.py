"""The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes that work once each.

A code is taken within one step of the clock before or after, and never a second time.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import NamedTuple

import pyotp

from twentyone.service.attempts import digest
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed
from twentyone.service.sealed_factors import code_digest, opened, sealed

__all__ = ["Enrolment", "Factors"]

STEP = 30
"""Seconds for which a code stands."""
DRIFT = 1
"""Steps by which the clock of a telephone may differ."""
CODES = 8
"""Recovery codes."""
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # pragma: allowlist secret
"""Characters of recovery codes: none looks like another."""
ISSUER = "twentyone"
TAKE = "UPDATE people_factors SET used = ? WHERE name = ? AND used < ?"
BEGIN = (
    "INSERT INTO people_factors (name, secret, used, since) VALUES (?, ?, 0, 0) "
    "ON CONFLICT (name) DO UPDATE SET secret = excluded.secret, used = 0 WHERE people_factors.since = 0"
)


class Enrolment(NamedTuple):
    """What an authenticator has to know, shown to its owner once."""

    secret: str
    """To be typed."""
    address: str
    """The same for a camera, as an `otpauth` address."""


class Factors:
    """The second factors of all accounts."""

    def __init__(self, records: Records, clock: Callable[[], int], key: bytes = b"") -> None:
        self._records, self._clock, self._key = records, clock, key

    def has(self, name: str) -> bool:
        """Whether an account has one."""
        return bool(self._records.rows("SELECT 1 FROM people_factors WHERE name = ? AND since > 0", (name,)))

    def begin(self, name: str) -> Enrolment:
        """Begin to set one up; it counts once a code was entered."""
        if self.has(name):
            raise NotAllowed("you have a second factor: remove it before you set up another", 409)
        secret = pyotp.random_base32()
        self._records.run(BEGIN, (name, sealed(self._key, name, secret)))
        return _enrolment(name, secret)

    def begun(self, name: str) -> Enrolment | None:
        """What was begun and is not confirmed yet."""
        rows = self._records.rows("SELECT secret FROM people_factors WHERE name = ? AND since = 0", (name,))
        return _enrolment(name, opened(self._key, name, rows[0][0])) if rows else None

    def confirmed(self, name: str, code: str) -> list[str]:
        """The first code was entered: the recovery codes, told this once; the factor counts once they are kept."""
        if self.begun(name) is None:
            raise NotAllowed("begin to set up a second factor first", 409)
        if not self._take(name, code):
            raise NotAllowed("this is not the code that the authenticator shows now: look at both clocks", 422)
        return ["-".join(_letters() for _ in range(2)) for _ in range(CODES)]

    def keep(self, name: str, codes: list[str]) -> None:
        """From now on a code is asked for."""
        self._records.run("DELETE FROM people_codes WHERE name = ?", (name,))
        for each in codes:
            self.give_back(name, each)
        self._records.run("UPDATE people_factors SET since = ? WHERE name = ?", (self._clock(), name))

    def secret(self, name: str) -> str:
        """The secret of an account, set up or begun; empty: it has none."""
        rows = self._records.rows("SELECT secret FROM people_factors WHERE name = ?", (name,))
        return opened(self._key, name, rows[0][0]) if rows else ""

    def codes(self, name: str, fresh: list[str] | None = None) -> list[str]:
        """What is stored of the recovery codes that are left, or will be of fresh ones."""
        if fresh is not None:
            return [code_digest(self._key, name, code) for code in fresh]
        return [code for (code,) in self._records.rows("SELECT code FROM people_codes WHERE name = ?", (name,))]

    def give_back(self, name: str, code: str) -> None:
        """Let a recovery code be used."""
        add = "INSERT INTO people_codes (name, code) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._records.run(add, (name, code_digest(self._key, name, code)))

    def _take(self, name: str, code: str) -> bool:
        """Whether this is a code of now that nobody has used; it is used by that, in all processes."""
        return any(self._records.run(TAKE, (step, name, step)) > 0 for step in self._steps(name, code))

    def _steps(self, name: str, code: str) -> list[int]:
        """The steps of now at which the authenticator shows this code, used or not."""
        now, given = self._clock() // STEP, code.replace(" ", "").encode()
        made = pyotp.TOTP(self.secret(name) or pyotp.random_base32())
        steps = [now + off for off in range(-DRIFT, DRIFT + 1)]
        try:
            return [step for step in steps if hmac.compare_digest(made.at(step * STEP).encode(), given)]
        except ValueError:  # a secret that cannot be read lets nobody in
            return []

    def shows(self, name: str, code: str) -> bool:
        """Whether the authenticator shows this code now, though it may be used: then nobody guessed."""
        return bool(self._steps(name, code))

    def passes(self, name: str, code: str) -> bool:
        """Whether a log-in may go on: its account has no second factor, or this is a code of it."""
        taken = self._take(name, code) if code else False
        return taken or not self.has(name)

    def recovers(self, name: str, code: str) -> int | None:
        """How many recovery codes are left after this one was used; none if it is none, or was used before."""
        forms = (code_digest(self._key, name, code), digest(code.strip()))  # the second is an earlier version's
        gone = self._records.run("DELETE FROM people_codes WHERE name = ? AND code IN (?, ?)", (name, *forms))
        return len(self.codes(name)) if gone and self.has(name) else None

    def remove(self, name: str) -> bool:
        """Remove the second factor of an account; false if it has none."""
        gone = self._records.run("DELETE FROM people_factors WHERE name = ?", (name,)) > 0
        self._records.run("DELETE FROM people_codes WHERE name = ?", (name,))
        return gone


def _enrolment(name: str, secret: str) -> Enrolment:
    return Enrolment(secret, pyotp.TOTP(secret).provisioning_uri(name, issuer_name=ISSUER))


def _letters() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(5))
