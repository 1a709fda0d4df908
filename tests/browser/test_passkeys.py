"""Passkeys: added, used as the second factor, used alone, and removed. Chromium plays the device."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PASSWORD, Visitor, somewhere


@pytest.fixture
def visitor(visitors: Visitors) -> Visitor:
    """Somebody at the site's name, because passkeys belong to names and not to numbers, whose device takes every finger for the right one."""
    visitor = visitors(base=visitors.portal.url.replace("127.0.0.1", "localhost"))
    browser = visitor.page.context.new_cdp_session(visitor.page)
    browser.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }  # fmt: skip
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return visitor


def test_a_passkey_is_added_signs_in_and_is_removed(visitor: Visitor) -> None:
    name = somewhere("Nisaba")
    visitor.sign_up(name)
    page = visitor.go("/accounts/two-factor/")
    visitor.press("Add passkey", role="link")
    if page.locator("input[name=password]").count():
        page.locator("input[name=password]").fill(PASSWORD)
        visitor.press("Continue")
    visitor.press("Add passkey")
    expect(page.locator(".codes__code")).to_have_count(10)
    visitor.press("Done", role="link")
    expect(page.get_by_text("works without a password")).to_be_visible()
    visitor.sign_out()

    visitor.sign_in(name)
    visitor.press("Use a passkey")
    expect(page.locator(".site-menu > summary")).to_contain_text(name)
    visitor.sign_out()

    visitor.go("/accounts/login/")
    visitor.press("Sign in with a passkey")
    expect(page.locator(".site-menu > summary")).to_contain_text(name)

    visitor.go("/accounts/two-factor/")
    page.get_by_role("link", name="Remove:").click()
    visitor.press("Remove passkey")
    expect(page.get_by_text("The passkey has been removed.")).to_be_visible()
    expect(page.get_by_text("works without a password")).to_have_count(0)


def test_without_script_the_page_says_what_passkeys_need(visitors: Visitors) -> None:
    quiet = visitors(script=False)
    quiet.sign_up(somewhere("Nanna"))
    quiet.go("/accounts/two-factor/passkeys/add/")
    quiet.page.locator("input[name=password]").fill(PASSWORD)
    quiet.press("Continue")
    expect(quiet.page.get_by_text("Passkeys need JavaScript")).to_be_visible()
    expect(quiet.page.get_by_role("button", name="Add passkey")).to_be_hidden()
    quiet.sign_out()
    quiet.go("/accounts/login/")
    expect(quiet.page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
