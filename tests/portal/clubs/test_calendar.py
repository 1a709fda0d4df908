"""Club nights: times, answers, and the file for calendar programs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.clubs import calendar, members, services
from portal.clubs.models import Attendance, Evening
from portal.common.refusals import BadValue, WrongMoment
from tests.portal.clubs.test_services import refused

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def october():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def evening(club, olga):
    return calendar.create_evening(
        club=club, actor=olga, title="Thursday", text="Bring cake.", game="ra", starts_at=NOW + timedelta(days=7)
    )


def page(name, club, *args):
    return reverse(name, args=[club.slug, *args])


def test_a_time_is_that_of_the_writer_and_shown_in_that_of_the_reader(client, club, olga, bob):
    olga.time_zone = "Asia/Tokyo"
    olga.save()
    client.force_login(olga)
    answer = client.post(page("club-evening-new", club), {"title": "Early", "starts_at": "2026-11-05T08:30", "game": "", "text": ""})
    assert answer.status_code == 303
    assert Evening.objects.get().starts_at == datetime(2026, 11, 4, 23, 30, tzinfo=UTC)
    html = client.get(page("club-calendar", club)).content.decode()
    assert "08:30" in html and "Asia/Tokyo" in html
    assert 'value="2026-11-05T08:30"' in client.get(page("club-evening", club, Evening.objects.get().pk)).content.decode()
    bob.time_zone, bob.language = "Europe/Budapest", "en"
    bob.save()
    client.force_login(bob)
    html = client.get(page("club-calendar", club)).content.decode()
    assert "Thu 5 November 2026, 00:30" in html and "Europe/Budapest" in html and 'datetime="2026-11-05T00:30:00+01:00"' in html


@pytest.mark.parametrize(
    "typed",
    ["", "soon", "2026-02-30T20:00", "2026-09-30T20:00", "2029-01-01T20:00", "0001-01-01T00:00", "9999-12-31T23:59", "99999-01-01T00:00",
     "2027-03-28T02:30", "x" * 10_000],
    ids=lambda typed: ascii(typed)[:24],
)  # fmt: skip
def test_a_time_that_is_none_or_too_far_is_refused(client, club, olga, typed):
    client.force_login(olga)
    answer = client.post(page("club-evening-new", club), {"title": "Games", "starts_at": typed})
    assert answer.status_code == 422 and 'id="id_starts_at_error"' in answer.content.decode()
    assert not Evening.objects.exists()


@pytest.mark.parametrize("posted", [{"title": ""}, {"title": "x" * 121}, {"game": "chess"}, {"text": "x" * 2001}, {"text": "\x07"}])
def test_an_evening_with_a_bad_text_or_game_is_refused(client, club, olga, posted):
    client.force_login(olga)
    answer = client.post(page("club-evening-new", club), {"title": "Games", "starts_at": "2026-11-05T20:00", **posted})
    assert answer.status_code == 422
    assert not Evening.objects.exists()


def test_an_answer_replaces_the_one_before(client, club, evening, bob, alice):
    client.force_login(bob)
    for said in ("yes", "no", "maybe"):
        answer = client.post(page("club-evening-answer", club, evening.pk), {"answer": said})
        assert answer.status_code == 303 and answer["Location"].endswith(f"#evening-{evening.pk}")
    assert list(Attendance.objects.values_list("user", "answer")) == [(bob.pk, "maybe")]
    for bad in ("", "perhaps", "YES", "x" * 1000):
        with refused(BadValue):
            calendar.answer(club=club, user=bob, evening_id=evening.pk, answer=bad)
    html = client.get(page("club-calendar", club)).content.decode()
    assert html.count('aria-pressed="true"') >= 1 and "Maybe (1)" in html


def test_what_is_over_or_called_off_stays_as_it_is(club, olga, bob, evening):
    def deeds(pk):
        yield lambda: calendar.answer(club=club, user=bob, evening_id=pk, answer="yes")
        yield lambda: calendar.call_off(club=club, actor=olga, evening_id=pk)
        yield lambda: calendar.edit_evening(club=club, actor=olga, evening_id=pk, title="Later", starts_at=NOW + timedelta(days=9))

    other = calendar.create_evening(club=club, actor=olga, title="Next", starts_at=NOW + timedelta(days=1))
    calendar.call_off(club=club, actor=olga, evening_id=other.pk)
    for pk, words in ((other.pk, "been cancelled"), (10**9, "isn't in the calendar"), (10**30, "isn't in the calendar")):
        for deed in deeds(pk):
            with refused(WrongMoment, words):
                deed()
    with time_machine.travel(NOW + timedelta(days=7, hours=5), tick=False):  # while it is on
        calendar.answer(club=club, user=bob, evening_id=evening.pk, answer="yes")
    with time_machine.travel(NOW + timedelta(days=7, hours=7), tick=False):
        for deed in deeds(evening.pk):
            with refused(WrongMoment, "over"):
                deed()


def test_an_evening_of_another_club_is_out_of_reach(client, club, evening, charlie):
    other = services.create_club(owner=charlie, name="Ninlil")
    with refused(WrongMoment):
        calendar.call_off(club=other, actor=charlie, evening_id=evening.pk)
    client.force_login(charlie)
    assert client.get(page("club-evening", other, evening.pk)).status_code == 409
    assert client.post(page("club-evening-answer", other, evening.pk), {"answer": "yes"}).status_code == 409


def test_the_answer_of_somebody_who_left_is_still_told(club, evening, bob, client):
    calendar.answer(club=club, user=bob, evening_id=evening.pk, answer="yes")
    members.leave(club=club, user=bob)
    assert "bob" in client.get(page("club-calendar", club)).content.decode()


def test_the_file_says_what_the_calendar_says(client, club, olga, evening):
    long = calendar.create_evening(
        club=club, actor=olga, title="Ősz; tél, tavasz \\ " + "ő" * 90, text="one\ntwo", starts_at=NOW + timedelta(days=2)
    )
    calendar.call_off(club=club, actor=olga, evening_id=long.pk)
    answer = client.get(page("club-ics", club))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8" and 'attachment; filename="enlil.ics"' in answer["Content-Disposition"]
    lines = answer.content.split(b"\r\n")
    assert max(map(len, lines)) <= 75 and lines[-1] == b""
    unfolded = answer.content.decode().replace("\r\n ", "")
    assert "\n" not in unfolded.replace("\r\n", "")
    first, second = unfolded.split("BEGIN:VEVENT")[1:]
    assert "SUMMARY:Ősz\\; tél\\, tavasz \\\\ " + "ő" * 90 in first
    assert "DESCRIPTION:one\\ntwo" in first and "STATUS:CANCELLED" in first and "DTSTART:20261003T120000Z" in first
    assert "SUMMARY:Thursday: Ra" in second and "STATUS:CONFIRMED" in second and "DTSTART:20261008T120000Z" in second
    assert f"UID:evening-{evening.pk}@testserver" in second and "DTSTAMP:20261001T120000Z" in second
    assert unfolded.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") and unfolded.endswith("END:VEVENT\r\nEND:VCALENDAR\r\n")


def test_a_text_cannot_break_out_of_its_line_of_the_file(client, club, olga):
    calendar.create_evening(club=club, actor=olga, title="Games", text="x\nEND:VEVENT\nBEGIN:VEVENT", starts_at=NOW + timedelta(days=2))
    assert client.get(page("club-ics", club)).content.count(b"\r\nBEGIN:VEVENT") == 1


def test_a_time_without_a_zone_is_refused(club, olga):
    with refused(BadValue):
        calendar.create_evening(club=club, actor=olga, title="Thursday", starts_at=datetime(2026, 10, 8, 20))
