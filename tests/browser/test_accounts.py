"""Accounts: sign up, out and in, and reset a forgotten password with the mail that the portal sends."""

from __future__ import annotations

import email
import email.policy
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import PASSWORD, Visitor, somewhere
from tests.running import RunningPortal, wait_until


def mails_to(portal: RunningPortal, address: str) -> list[str]:
    """Return the texts of the mails to an address, oldest first."""
    found = []
    for file in sorted((portal.folder / "mail").glob("*"), key=lambda path: path.stat().st_mtime_ns):
        for raw in Path(file).read_bytes().split(b"-" * 79):
            mail = email.message_from_bytes(raw.strip(), policy=email.policy.default)
            if address in (mail["To"] or ""):
                body = mail.get_body()
                assert body is not None
                found.append(f"{mail['Subject']}\n{body.get_content()}")
    return found


def test_an_account_is_made_left_and_entered_again(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.press("Sign in", role="link")
    visitor.press("Sign up", role="link")
    name = somewhere("Ninlil")
    visitor.sign_up(name)
    visitor.sign_out()
    expect(visitor.page.get_by_text("You have signed out.")).to_be_visible()
    expect(visitor.page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    visitor.sign_in(name, "a wrong password")
    expect(visitor.page.get_by_role("alert")).to_be_visible()
    visitor.sign_in(name)
    expect(visitor.page.locator(".site-menu > summary")).to_contain_text(name)


def test_faults_of_the_form_stand_at_their_fields(visitor: Visitor) -> None:
    page = visitor.go("/accounts/signup/")
    page.locator("#id_username").fill("guest-ninurta")
    page.locator("#id_password1").fill("12345678")
    visitor.press("Sign up")
    expect(page.locator("#id_username")).to_have_attribute("aria-invalid", "true")
    note = page.locator("#" + (page.locator("#id_username").get_attribute("aria-describedby") or "none"))
    expect(note).to_be_visible()
    assert note.inner_text().strip()
    assert page.locator("#id_username").input_value() == "guest-ninurta"


def test_a_forgotten_password_is_replaced_by_a_link_in_a_mail(visitor: Visitor, portal: RunningPortal) -> None:
    name = somewhere("Enheduanna")
    address = f"{name}@example.org".lower()
    visitor.sign_up(name, email=address)
    visitor.sign_out()
    visitor.go("/accounts/login/")
    visitor.press("Forgot your password?", role="link")
    page = visitor.page
    page.locator("#id_email").fill(address)
    visitor.press("Send link")

    def link() -> str | None:
        mails = [mail for mail in mails_to(portal, address) if "/password/reset/key/" in mail]
        found = re.search(r"https?://\S+/password/reset/key/\S+", mails[-1]) if mails else None
        return found[0] if found else None

    wait_until(link)
    page.goto(link() or "")
    page.locator("#id_password1").fill("a-tablet-of-basalt")
    if page.locator("#id_password2").count():
        page.locator("#id_password2").fill("a-tablet-of-basalt")
    visitor.press("Save password")
    page.wait_for_url("**/done/")
    visitor.sign_in(name, PASSWORD)
    expect(page.get_by_role("alert")).to_be_visible()
    visitor.sign_in(name, "a-tablet-of-basalt")
    expect(page.locator(".site-menu > summary")).to_contain_text(name)


def test_language_and_light_are_kept_in_the_profile(visitor: Visitor) -> None:
    name = somewhere("Gudea")
    visitor.sign_up(name)
    visitor.go("/lobby/")
    page = visitor.page
    page.get_by_role("banner").get_by_role("button", name="magyar").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    assert page.url.endswith("/lobby/")
    visitor.open_menu()
    page.locator("#site-menu button[name=theme][value=dark]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    visitor.context.clear_cookies()
    visitor.sign_in(name)
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    visitor.go("/settings/")
    expect(page.locator("select[name=language]")).to_have_value("hu")
