"""One's own account in a browser: a second factor from its QR code to the log-in that needs it."""

from __future__ import annotations

import pyotp
from playwright.sync_api import expect

from tests.web.axe import axe_finds
from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from twentyone.service.factors import CODES

PASSWORD = "correct horse"


def test_a_second_factor_from_its_picture_to_the_log_in(server: Server, admin: Api, enter: Enter) -> None:
    olga = admin.account(server.base, "Olga Secondfactor", "auditor")
    page = enter(f"{server.base}/account", olga, size="phone", faults_count=False)
    factor = page.locator("[data-part=factor]")
    factor.get_by_label("Your password").fill("wrong horse")
    factor.get_by_role("button", name="Set it up").click()
    expect(factor.get_by_role("alert")).to_contain_text("this is not your password")
    factor.get_by_label("Your password").fill(PASSWORD)
    factor.get_by_role("button", name="Set it up").click()
    expect(factor.get_by_alt_text("The secret as a QR code")).to_be_visible()
    assert not axe_finds(page)
    totp = pyotp.TOTP(page.locator("[data-part=secret]").inner_text().replace(" ", ""))
    factor.get_by_label("Code", exact=True).fill(totp.now())
    factor.get_by_role("button", name="Confirm").click()
    codes = page.locator("[data-part=codes]")
    expect(codes).to_be_visible()
    recovery = codes.inner_text().split()
    assert len(recovery) == CODES
    assert not axe_finds(page)
    page.get_by_role("link", name="I have written them down").click()
    expect(factor).to_contain_text(f"{CODES} recovery codes are left")

    other = enter(f"{server.base}/login", faults_count=False)
    other.get_by_label("Name", exact=True).fill("Olga Secondfactor")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Log in").click()
    expect(other.locator("form[data-act=login]").get_by_role("alert")).to_contain_text("wrong password or code")
    other.get_by_label("Code of your authenticator").fill(recovery[0])
    other.get_by_role("button", name="Log in").click()
    expect(other.locator(".tw-me")).to_contain_text("auditor “Olga Secondfactor”")
    expect(other.locator("[data-part=last-login]")).to_contain_text("Your last log-in 2")
    assert admin.send("DELETE", "/accounts/Olga Secondfactor").status_code == 204
