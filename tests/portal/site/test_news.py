"""Announcements under the header of every page: whom they are shown to, in which words, until when, and that no page needs a statement for them."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal import settings as real
from portal.accounts.models import User
from portal.common.visitors import shelf
from portal.site import news
from portal.site.models import Announcement

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def announce(text="The lions are asleep.", **more):
    now = timezone.now()
    row = Announcement.objects.create(**{"text_en": text, "since": now - HOUR, "until": now + HOUR} | more)
    news.kept.forget()
    return row


def shown(client, address="/lobby/", language="en"):
    return client.get(address, headers={"Accept-Language": language}).content.decode()


def test_it_is_on_every_page_for_its_time(client):
    announce("Now.")
    announce("Soon.", since=timezone.now() + HOUR, until=timezone.now() + 2 * HOUR)
    announce("Before.", since=timezone.now() - 2 * HOUR, until=timezone.now() - HOUR)
    for address in ("/", "/lobby/", "/clubs/", "/about/", "/nowhere/", "/accounts/login/", "/news/"):
        page = shown(client, address)
        assert "Now." in page and "Soon." not in page and "Before." not in page, address


def test_readers_of_another_language_read_theirs_or_english(client):
    announce("Lions.", text_hu="Oroszlánok.")
    assert '<p class="news__text" lang="hu">Oroszlánok.</p>' in shown(client, language="hu")
    page = shown(client, language="ru")
    assert '<p class="news__text" lang="en">Lions.</p>' in page


def test_a_time_is_that_of_the_reader(client):
    at = timezone.now()
    announce("Work begins at {time}.", about_at=at.replace(month=12, day=1, hour=12, minute=30))
    anna = User.objects.create_user("anna", password="correct horse", time_zone="Asia/Tokyo")
    assert "13:30" in shown(client), "visitors have the time zone of Budapest"
    client.force_login(anna)
    assert "21:30" in shown(client)


def test_text_is_text(client):
    announce("<script>alert(1)</script> {time} {user.password}")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {time} {user.password}" in shown(client)


def test_whoever_dismisses_it_does_not_see_it_again_in_this_browser(client):
    first, second = announce("First."), announce("Second.")
    answer = client.post(f"/news/{first.pk}/dismiss/", {"next": "/clubs/?q=1"})
    assert (answer.status_code, answer["Location"]) == (303, "/clubs/?q=1")
    page = shown(client)
    assert "First." not in page and "Second." in page
    client.post(f"/news/{second.pk}/dismiss/")
    client.post(f"/news/{second.pk}/dismiss/")
    assert 'class="news' not in shown(client)
    assert client.cookies["news"].value == f"{first.pk}-{second.pk}"
    assert "Third." in (announce("Third.") and shown(client))
    assert "First." in shown(Client())


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "", "relative"])
def test_it_leads_nowhere_else(client, back):
    assert client.post("/news/1/dismiss/", {"next": back})["Location"] == "/"


@pytest.mark.parametrize("cookie", ["x", "1-", "-1", "0", "1-1-" * 40 + "1", "9" * 30, "1 2"])
def test_a_cookie_that_is_not_ours_hides_nothing(client, cookie):
    announce("Now.")
    client.cookies["news"] = cookie
    assert "Now." in shown(client)


def test_a_look_at_the_address_changes_nothing(client):
    assert client.get("/news/1/dismiss/").status_code == 405
    assert client.post("/news/").status_code == 405


def test_visitors_who_have_dismissed_different_ones_get_different_pages(client, settings):
    settings.VISITOR_PAGES = real.VISITOR_PAGES
    shelf.clear()
    row = announce("Now.")
    assert "Now." in shown(client) and "Now." in shown(Client())
    client.post(f"/news/{row.pk}/dismiss/")
    assert "Now." not in shown(client)
    assert "Now." in shown(Client())
    shelf.clear()


def test_no_page_needs_a_statement(client, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("portal.common.briefly.monotonic", lambda: now[0])
    announce("Now.")

    def asked():
        with CaptureQueriesContext(connection) as statements:
            assert "Now." in shown(client) and "Now." in shown(client, "/about/")
        return sum("site_announcement" in one["sql"] for one in statements)

    assert [asked(), asked(), asked()] == [1, 0, 0]
    now[0] += news.KEPT_S
    assert asked() == 1


@pytest.fixture
def root(client):
    client.force_login(User.objects.create_superuser("root", password="correct horse"))
    return client


def form(**more):
    now = timezone.localtime(timezone=ZoneInfo("Europe/Budapest"))  # that of the person who types them
    times = {}
    for name, at in {"since": now - HOUR, "until": now + HOUR, **more.pop("times", {})}.items():
        times |= {f"{name}_0": at.strftime("%Y-%m-%d"), f"{name}_1": at.strftime("%H:%M:%S")}
    return {"level": "warning", "text_en": "Now.", "text_hu": "", "text_ru": "", "about_at_0": "", "about_at_1": ""} | times | more


def test_staff_write_it_in_the_admin_and_each_change_is_logged(root, monkeypatch):
    told = []
    monkeypatch.setattr("portal.site.admin.publish_news", lambda: told.append(1))
    assert root.post("/admin/site/announcement/add/", form()).status_code == 302
    assert "Now." in shown(root) and "news--warn" in shown(root)
    row = Announcement.objects.get()
    assert root.post(f"/admin/site/announcement/{row.pk}/change/", form(text_en="Later.")).status_code == 302
    assert "Later." in shown(Client())
    assert root.post(f"/admin/site/announcement/{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert "Later." not in shown(Client())
    assert LogEntry.objects.count() == 3 and len(told) == 3


@pytest.mark.parametrize("wrong", [{"text_en": ""}, {"text_en": "a\x07b"}, {"text_en": "x" * 300}, {"level": "shout"}])
def test_the_admin_refuses_what_can_not_be_shown(root, wrong):
    assert root.post("/admin/site/announcement/add/", form(**wrong)).status_code == 200
    assert not Announcement.objects.exists()


def test_an_end_before_the_start_is_refused(root):
    assert root.post("/admin/site/announcement/add/", form(times={"until": timezone.localtime() - 5 * HOUR})).status_code == 200
    assert not Announcement.objects.exists()
