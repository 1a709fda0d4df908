"""What a person chooses: stored as a whole, refused as a whole, and nobody else's."""

from __future__ import annotations

import pytest

from portal.notices.models import Channel, Kind, Reach
from portal.notices.reach import channels_of

pytestmark = pytest.mark.django_db


def test_without_a_choice_turn_invitation_and_time_come_by_mail(alice, browser):
    mailed = {kind for kind in Kind if Channel.MAIL in channels_of(None, kind)}
    assert mailed == {Kind.TURN, Kind.TIME, Kind.INVITATION}
    page = browser(alice).get("/notices/settings/").content.decode()
    assert page.count(" checked") == 3 * len(mailed) + 1, "all channels, and lack of time breaks through"


def test_a_form_is_stored_as_a_whole(alice, browser):
    client = browser(alice)
    form = {"turn.hook": "on", "club.mail": "on", "club.when": "digest", "quiet_from": "22:00", "quiet_to": "07:30"}
    assert client.post("/notices/settings/", form).status_code == 302
    reach = Reach.objects.get(user=alice)
    assert channels_of(reach, Kind.TURN) == {Channel.HOOK}
    assert channels_of(reach, Kind.INVITATION) == frozenset()
    assert reach.digests == ["club"]
    alice.refresh_from_db()
    assert (alice.quiet_from.hour, alice.quiet_to.minute) == (22, 30), "for clocks and notices alike"
    assert not reach.time_breaks_through
    page = client.get("/notices/settings/").content.decode()
    assert 'value="22:00"' in page
    assert page.count(" checked") == 2


@pytest.mark.parametrize(
    "times", [("22:00", ""), ("", "07:00"), ("07:00", "07:00"), ("25:00", "07:00"), ("noon", "one"), ("22:00\x00", "7")]
)
def test_half_or_odd_quiet_hours_are_refused_and_change_nothing(alice, browser, times):
    answer = browser(alice).post("/notices/settings/", {"quiet_from": times[0], "quiet_to": times[1]})
    assert answer.status_code == 422
    assert "Give both times, at most twelve hours apart" in answer.content.decode()
    assert not Reach.objects.exists()
    alice.refresh_from_db()
    assert alice.quiet_from is None


@pytest.mark.parametrize("path", ["/notices/settings/", "/notices/settings/hook/", "/notices/settings/test/", "/notices/settings/mail/"])
def test_visitors_sign_in_first(client, path):
    answer = client.post(path, {"url": "https://example.org/", "channel": "mail"})
    assert answer.status_code == 302
    assert "/accounts/login/" in answer["Location"]


def test_a_guest_is_told_that_there_is_no_mail(guest, browser):
    assert "Guests get no email" in browser(guest).get("/notices/settings/").content.decode()


@pytest.mark.parametrize("language", ["hu", "ru"])
def test_the_page_is_translated(alice, browser, language):
    client = browser(alice, language)
    alice.language = language
    alice.save()
    page = client.get("/notices/settings/").content.decode()
    for english in ("Notice settings", "Quiet hours", "At once", "Webhook address"):
        assert english not in page
