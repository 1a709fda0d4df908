"""A club and its people: somebody asks to join, is accepted, becomes an officer and plans a club night; the pages at all sizes."""

from __future__ import annotations

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, somewhere
from tests.browser.test_accessibility import findings


def test_somebody_asks_is_let_in_and_plans_an_evening(visitors: Visitors) -> None:
    host, guest = visitors(size=DESK), visitors(size=PHONE)
    city = somewhere("Kish")
    name, club = f"Ősi {city}", f"/clubs/osi-{city.lower()}/"
    host.sign_up(f"Anna-of-{city}")
    page = host.go("/clubs/new/")
    page.locator("#id_name").fill(name)
    page.locator("#id_about_en").fill("Thursdays at eight.\nBring cake.")
    host.press("Create club")
    page.wait_for_url(f"**{club}")

    guest.sign_up(f"Ben-of-{city}")
    guest.go(f"/clubs/?q={city}").get_by_role("link", name=name).click()
    guest.page.get_by_label("Message to the officers").fill("I play Ra since 1999.")
    guest.press("Ask to join")
    expect(guest.page.get_by_role("button", name="Withdraw request")).to_be_visible()

    expect(host.go(club).get_by_text("1 person has asked to join.")).to_be_visible()
    host.press("Answer", role="link")
    expect(page.get_by_text("I play Ra since 1999.")).to_be_visible()
    host.press(f"Accept Ben-of-{city}")
    row = page.get_by_role("row", name=f"Ben-of-{city}")
    row.locator("summary").first.click()
    host.press(f"Make Ben-of-{city} an officer")
    expect(row).to_contain_text("officer")

    guest.go(f"{club}calendar/")
    guest.press("Plan an event", role="link")
    guest.page.locator("#id_title").fill("First evening")
    guest.page.locator("#id_starts_at").fill(f"{timezone.now() + timedelta(days=7):%Y-%m-%dT20:00}")
    guest.press("Save")
    guest.press("I'm coming")
    expect(guest.page.get_by_role("button", name="I'm coming")).to_have_attribute("aria-pressed", "true")
    expect(host.go(club).get_by_text("First evening")).to_be_visible()

    guest.go(f"{club}announcements/")
    guest.page.locator("#id_title").fill("Welcome")
    guest.press("Post announcement", exact=True)
    expect(guest.page.get_by_role("heading", name="Welcome")).to_be_visible()

    faults: list[str] = []
    for visitor in (host, guest):
        for part in ("", "members/", "announcements/", "calendar/", "calendar/new/", "tables/", "games/", "log/", "settings/"):
            look = visitor.go(f"{club}{part}")
            look.evaluate("() => document.querySelectorAll('main details').forEach((it) => { it.open = true })")
            faults += findings(look, f"club, {part}")
        for path in ("/clubs/", "/clubs/new/"):
            faults += findings(visitor.go(path), path)
    assert not faults, "\n".join(faults)

    page = host.go(f"{club}settings/")
    page.get_by_text("Close club").click()
    page.locator("#close_name").fill(name)
    host.press("Close for good")
    expect(page.get_by_text(re.compile("It can no longer change"))).to_be_visible()
    expect(page.get_by_role("link", name="New club table")).to_have_count(0)
    assert not findings(page, "closed club")


def test_long_names_fit_on_a_phone(visitors: Visitors) -> None:
    host = visitors(lang="hu", size=PHONE)
    person, name = f"{somewhere('Wm')}{'Wm' * 8}", f"{somewhere('Wm')}{'Wm' * 26}"
    host.sign_up(person)
    page = host.go("/clubs/new/")
    page.locator("#id_name").fill(name)
    page.locator("form.columns button[type=submit]").click()
    page.wait_for_url(re.compile("/clubs/wm"))
    club = re.sub("^https?://[^/]*", "", page.url)
    page = host.go(f"{club}seasons/new/")
    page.locator("#id_name").fill("S" * 60)
    page.locator("form.club-form button").first.click()
    page.wait_for_url(re.compile(r"/seasons/\d+/$"))
    season = re.sub("^https?://[^/]*", "", page.url)
    faults: list[str] = []
    for path in (
        *(f"{club}{part}" for part in ("", "members/", "seasons/", "leaderboard/all/", "records/", "duplicates/new/", "log/")),
        season,
    ):
        faults += findings(host.go(path), path)
    faults += findings(host.go(f"{season}leagues/new/"), "new league")
    faults += findings(host.go(f"/people/{person}/"), "profile")
    assert not faults, "\n".join(faults)
