"""Reports, and what moderators make of them in the admin."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.utils import timezone

from portal.talk import services
from portal.talk.models import Line, Report, Silence
from tests.portal.clubs.conftest import person

pytestmark = pytest.mark.django_db

QUEUE = "/admin/talk/report/"


@pytest.fixture
def line(says, bob):
    says(bob, "you are a fool")
    return Line.objects.get()


@pytest.fixture
def reported(line, alice):
    return services.report(table_id=line.table_id, user=alice, line_id=line.pk, reason="rude", words="twice today")


@pytest.fixture
def moderator(db):
    clerk = person("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(content_type__app_label="talk", codename__in=["view_report", "change_report"]))
    return clerk


def address(line):
    return f"/tables/{line.table_id}/talk/{line.pk}/"


def test_a_line_is_reported_and_the_reporter_thanked(line, browser, alice, reads):
    assert f'href="{address(line)}"' in reads(alice)
    client = browser(alice)
    assert "you are a fool" in client.get(address(line)).content.decode()
    answer = client.post(address(line), {"reason": "rude", "words": " please \u202e look "}, follow=True)
    assert "Thank you. A moderator will look at it." in answer.content.decode()
    report = Report.objects.get()
    assert (report.line, report.by, report.reason, report.words, report.state) == (line, alice, "rude", "please look", "waiting")


def test_the_same_line_counts_once_for_each_person(line, browser, alice, charlie):
    for user in (alice, alice, charlie):
        browser(user).post(address(line), {"reason": "spam"})
    assert Report.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "status"),
    [({}, 422), ({"reason": "x"}, 422), ({"reason": "rude", "words": "x" * 301}, 422)],
)
def test_a_report_without_a_reason_is_refused(line, browser, alice, fields, status):
    assert browser(alice).post(address(line), fields).status_code == status
    assert not Report.objects.exists()


def test_nobody_reports_their_own_line(line, browser, bob, reads):
    assert address(line) not in reads(bob)
    assert browser(bob).post(address(line), {"reason": "rude"}).status_code == 403
    assert not Report.objects.exists()


def test_there_is_a_limit_a_day(line, says, browser, alice, bob, monkeypatch):
    monkeypatch.setattr(services, "REPORTS_PER_DAY", 1)
    says(bob, "another")
    answers = [browser(alice).post(address(one), {"reason": "rude"}).status_code for one in Line.objects.order_by("pk")]
    assert answers == [302, 429]


def test_only_moderators_see_the_queue(reported, browser, alice, moderator):
    for user in (None, alice, person("staff", is_staff=True)):
        assert browser(user).get(QUEUE).status_code in (302, 403)
        assert browser(user).post(QUEUE, {"action": "hide_lines", "_selected_action": reported.pk}).status_code in (302, 403)
    assert Line.objects.get().hidden_at is None
    for page in (QUEUE, f"{QUEUE}{reported.pk}/change/"):
        text = browser(moderator).get(page).content.decode()
        assert "you are a fool" in text
        assert "twice today" in text
    assert browser(moderator).get(f"{QUEUE}add/").status_code == 403
    assert browser(moderator).post(f"{QUEUE}{reported.pk}/delete/", {"post": "yes"}).status_code == 403


def test_somebody_who_may_only_look_decides_nothing(reported, browser):
    looker = person("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(content_type__app_label="talk", codename="view_report"))
    browser(looker).post(QUEUE, {"action": "hide_lines", "_selected_action": reported.pk})
    assert Line.objects.get().hidden_at is None


@pytest.mark.parametrize(
    ("action", "is_hidden", "days", "state"),
    [
        ("hide_lines", True, 0, "hidden"),
        ("leave_lines", False, 0, "left"),
        ("silence_for_a_day", True, 1, "hidden"),
        ("silence_for_a_week", True, 7, "hidden"),
    ],
)
def test_a_decision_is_carried_out_and_logged(
    reported, browser, moderator, reads, says, alice, bob, charlie, action, is_hidden, days, state
):
    other = services.report(table_id=reported.line.table_id, user=charlie, line_id=reported.line_id, reason="spam")
    answer = browser(moderator).post(QUEUE, {"action": action, "_selected_action": reported.pk}, follow=True)
    assert "1 report was decided." in answer.content.decode()
    for report in (reported, other):
        report.refresh_from_db()
        assert report.state == state
    page = reads(alice)
    assert ("you are a fool" in page) is not is_hidden
    assert ("Removed by a moderator." in page) is is_hidden
    assert says(bob).status_code == (403 if days else 303)
    if days:
        assert timedelta(days=days) - timedelta(minutes=5) < Silence.objects.get(user=bob).until - timezone.now() <= timedelta(days=days)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (moderator, str(reported.pk))
    assert entry.change_message


def test_a_shorter_silence_does_not_end_a_longer_one(reported, browser, moderator, bob):
    client = browser(moderator)
    for action in ("silence_for_a_week", "silence_for_a_day"):
        client.post(QUEUE, {"action": action, "_selected_action": reported.pk})
    assert Silence.objects.get(user=bob).until > timezone.now() + timedelta(days=6)


def test_a_hidden_line_can_be_shown_again(reported, browser, moderator, reads, alice):
    client = browser(moderator)
    for action in ("hide_lines", "leave_lines"):
        client.post(QUEUE, {"action": action, "_selected_action": reported.pk})
    assert "you are a fool" in reads(alice)
