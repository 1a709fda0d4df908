"""Reports of profiles and studies: who may report what, what moderators see of it, and what their decisions do."""

from __future__ import annotations

import base64
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.accounts.pseudonyms import is_pseudonym
from portal.people.models import Profile
from portal.studies.models import Guest, Move, Study
from portal.talk import services
from portal.talk.models import Report, Silence
from tests.portal.clubs.conftest import alice, bob, charlie, fixed_secret, guest, person
from tests.portal.notices.conftest import browser
from tests.portal.studies.conftest import ended, game_key, legal, plays, starts

__all__ = ["alice", "bob", "browser", "charlie", "ended", "fixed_secret", "game_key", "guest", "legal", "plays", "starts"]
pytestmark = pytest.mark.django_db
QUEUE = "/admin/talk/report/"
PICTURE = b"RIFF-a-picture"
OF_BOB = "/report/people/bob/"
THANKS = "Thank you. A moderator will look at it."


def without_tokens(answer):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())


@pytest.fixture
def profile(bob):
    return Profile.objects.create(user=bob, about="Alice cheats.", picture=PICTURE, digest="ab" * 16)


@pytest.fixture
def study(alice, bob, ended, starts, plays):
    """Alice's, open to everyone; she has commented on the first move and Bob, who may add, on the second."""
    found = starts(alice, ended.table.pk, title="Bob is a fool")
    Study.objects.filter(pk=found.pk).update(visibility="public")
    Guest.objects.create(study=found, user=bob, may_add=True)
    plays(alice, found)
    plays(alice, found, after=1)
    Move.objects.filter(study=found, number=1).update(comment="Rude words", commented_by=alice)
    Move.objects.filter(study=found, number=2).update(comment="Words of Bob's", commented_by=bob)
    return found


@pytest.fixture
def moderator(db):
    clerk = person("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(content_type__app_label="talk", codename__in=["view_report", "change_report"]))
    return clerk


@pytest.fixture
def decide(moderator):
    """Let a moderator decide all reports by an action; returns the page that follows."""

    def act(action, user=moderator):
        client = Client()
        client.force_login(user)
        chosen = list(Report.objects.values_list("pk", flat=True))
        return client.post(QUEUE, {"action": action, "_selected_action": chosen}, follow=True).content.decode()

    return act


@pytest.mark.parametrize(("what", "text", "picture"), [("name", "bob", b""), ("about", "Alice cheats.", b""), ("picture", "", PICTURE)])
def test_a_part_of_a_profile_is_reported_as_it_is_now(profile, alice, bob, browser, what, text, picture):
    client = browser(alice)
    assert f'href="{OF_BOB}"' in client.get("/people/bob/").content.decode()
    page = client.get(OF_BOB).content.decode()
    assert "Alice cheats." in page and profile.digest in page
    answer = client.post(OF_BOB, {"what": what, "reason": "rude", "words": "every day"}, follow=True)
    assert THANKS in answer.content.decode()
    Profile.objects.update(about="Something nice.", picture=b"", digest="")
    report = Report.objects.get()
    assert (report.what, report.person, report.by, report.text, bytes(report.picture)) == (what, bob, alice, text, picture)
    assert (report.reason, report.words, report.path, report.state) == ("rude", "every day", "/people/bob/", "waiting")


def test_only_what_there_is_can_be_reported(bob, alice, browser):
    client = browser(alice)
    for what in ("about", "picture", "study", "line"):  # there is only the name, so that is meant
        client.post(OF_BOB, {"what": what, "reason": "spam"})
    assert Report.objects.get().what == "name"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"what": "about"},
        {"what": "x", "reason": "rude"},
        {"what": "about", "reason": "x"},
        {"what": "about", "reason": "rude", "words": "x" * 301},
    ],
)
def test_a_report_that_says_too_little_or_too_much_is_refused(profile, alice, browser, sent):
    assert browser(alice).post(OF_BOB, sent).status_code == 422
    assert not Report.objects.exists()


def test_nobody_reports_themselves(profile, study, alice, bob, browser):
    for user, address in (
        (bob, OF_BOB),
        (alice, f"/report/studies/{study.pk}/"),
        (alice, f"/report/studies/{study.pk}/1/"),
        (bob, f"/report/studies/{study.pk}/2/"),
    ):
        answer = browser(user).post(address, {"what": "about", "reason": "rude"})
        assert answer.status_code == 403
        assert "This is yours" in answer.content.decode()
    assert "/report/" not in browser(bob).get("/people/bob/").content.decode()
    assert "/report/" not in browser(alice).get(f"/studies/{study.pk}/1/").content.decode()
    assert not Report.objects.exists()


def test_visitors_sign_in_first_and_guests_and_strangers_to_the_site_are_nowhere(guest, alice, bob, client, browser):
    assert client.get(OF_BOB).url.startswith("/accounts/login/")
    assert "/report/" not in client.get("/people/bob/").content.decode()
    for name in (guest.username, "nobody"):
        assert browser(alice).get(f"/report/people/{name}/").status_code == 404
        assert browser(alice).post(f"/report/people/{name}/", {"reason": "rude"}).status_code == 404


def test_a_study_and_its_comments_are_reported(study, charlie, browser, bob, alice):
    client = browser(charlie)
    page = client.get(f"/studies/{study.pk}/2/").content.decode()
    assert f'href="/report/studies/{study.pk}/"' in page and f'href="/report/studies/{study.pk}/2/"' in page
    for number, text, whose, what in (
        ("", "Bob is a fool", alice, "study"),
        ("1/", "Rude words", alice, "comment"),
        ("2/", "Words of Bob&#x27;s", bob, "comment"),
    ):
        address = f"/report/studies/{study.pk}/{number}"
        assert text in client.get(address).content.decode()
        assert THANKS in client.post(address, {"reason": "lewd"}, follow=True).content.decode()
        report = Report.objects.latest("pk")
        assert (report.what, report.person, report.text) == (what, whose, text.replace("&#x27;", "'"))
        assert report.path == f"/studies/{study.pk}/{number}"


def test_what_a_person_may_not_see_answers_like_nothing(study, charlie, browser):
    Study.objects.update(visibility="me")
    client = browser(charlie)
    for number in ("", "1/"):
        hidden, missing = (client.post(f"/report/studies/{pk}/{number}", {"reason": "rude"}) for pk in (study.pk, 10**9))
        assert hidden.status_code == missing.status_code == 404
        told = [without_tokens(answer).replace(f"/studies/{pk}/", "/studies/") for answer, pk in ((hidden, study.pk), (missing, 10**9))]
        assert told[0] == told[1]
    Study.objects.update(visibility="public")
    assert client.post(f"/report/studies/{study.pk}/3/", {"reason": "rude"}).status_code == 404
    assert not Report.objects.exists()


def test_the_same_counts_once_while_it_waits_and_there_is_a_limit_a_day(profile, alice, charlie, browser, monkeypatch, decide):
    for user in (alice, alice, charlie):
        browser(user).post(OF_BOB, {"what": "about", "reason": "rude"})
    assert Report.objects.count() == 2
    decide("leave_lines")
    browser(alice).post(OF_BOB, {"what": "about", "reason": "rude"})  # what was left may have changed since
    assert Report.objects.count() == 3
    monkeypatch.setattr(services, "REPORTS_PER_DAY", 2)
    assert browser(alice).post(OF_BOB, {"what": "picture", "reason": "rude"}).status_code == 429
    assert Report.objects.count() == 3


def test_the_person_learns_nothing(profile, study, alice, bob, charlie, browser):
    pages = ("/people/bob/", "/settings/profile/", "/notices/")
    before = [without_tokens(browser(bob).get(page)) for page in pages]
    for what in ("name", "about", "picture"):
        browser(charlie).post(OF_BOB, {"what": what, "reason": "rude"})
    browser(charlie).post(f"/report/studies/{study.pk}/2/", {"reason": "rude"})
    assert before == [without_tokens(browser(bob).get(page)) for page in pages]
    assert "charlie" not in browser(bob).get(f"/studies/{study.pk}/2/").content.decode()


def test_moderators_see_it_with_the_link_and_the_picture_of_then(profile, study, alice, charlie, moderator):
    for what in ("about", "picture"):
        client = Client()
        client.force_login(alice)
        client.post(OF_BOB, {"what": what, "reason": "rude"})
    client.force_login(charlie)
    client.post(f"/report/studies/{study.pk}/1/", {"reason": "rude"})
    Profile.objects.update(about="", picture=b"", digest="")
    client.force_login(moderator)
    queue = client.get(QUEUE).content.decode()
    for text in ("Alice cheats.", base64.b64encode(PICTURE).decode(), "Rude words", "alice", "bob"):
        assert text in queue
    page = client.get(f"{QUEUE}{Report.objects.get(what='comment').pk}/change/").content.decode()
    assert f'href="/studies/{study.pk}/1/"' in page and "Bob is a fool" not in page


def test_removing_removes_what_was_reported_and_is_logged(profile, study, alice, bob, charlie, browser, decide):
    for what in ("name", "about", "picture"):
        browser(charlie).post(OF_BOB, {"what": what, "reason": "rude"})
    browser(charlie).post(f"/report/studies/{study.pk}/", {"reason": "rude"})
    browser(charlie).post(f"/report/studies/{study.pk}/1/", {"reason": "rude"})
    version = Study.objects.get().version
    assert "5 reports were decided." in decide("hide_lines")
    profile.refresh_from_db()
    assert (profile.about, bytes(profile.picture), profile.digest) == ("", b"", "")
    assert User.objects.get(pk=bob.pk).username.startswith("player-")
    found = Study.objects.get()
    assert found.hidden_at is not None and found.version == version + 1
    assert browser(charlie).get(f"/studies/{study.pk}/").status_code == 404
    assert list(Move.objects.order_by("number").values_list("comment", flat=True)) == ["", "Words of Bob's"]
    assert set(Report.objects.values_list("state", flat=True)) == {"hidden"}
    assert LogEntry.objects.count() == 5
    assert not Silence.objects.exists()
    decide("leave_lines")
    assert browser(charlie).get(f"/studies/{study.pk}/").status_code == 200, "what was only hidden is shown again"


def test_one_decision_is_for_all_reports_of_it_and_can_stop_the_person(profile, alice, bob, charlie, browser, decide, moderator):
    browser(alice).post(OF_BOB, {"what": "about", "reason": "rude"})
    first = Report.objects.get()
    browser(charlie).post(OF_BOB, {"what": "about", "reason": "spam"})
    browser(charlie).post(OF_BOB, {"what": "picture", "reason": "spam"})
    client = browser(moderator)
    client.post(QUEUE, {"action": "silence_for_a_day", "_selected_action": [first.pk]})
    assert sorted(Report.objects.values_list("what", "state")) == [("about", "hidden"), ("about", "hidden"), ("picture", "waiting")]
    assert Silence.objects.get().user == bob


def test_nobody_decides_about_themselves_nor_about_the_name_of_other_staff(alice, moderator, browser, decide):
    other = person("clerk2", is_staff=True)
    browser(alice).post("/report/people/clerk/", {"reason": "rude"})
    browser(alice).post("/report/people/clerk2/", {"reason": "rude"})
    assert "A superuser decides" in decide("hide_lines")
    assert set(Report.objects.values_list("state", flat=True)) == {"waiting"}
    decide("hide_lines", person("root", is_staff=True, is_superuser=True))
    other.refresh_from_db()
    assert other.username.startswith("player-")


def test_staff_without_the_right_have_no_queue(alice, bob, browser):
    clerk = person("clerk3", is_staff=True)
    browser(alice).post(OF_BOB, {"reason": "rude"})
    assert browser(clerk).get(QUEUE).status_code == 403


def test_reports_go_with_the_account(profile, alice, bob, browser):
    browser(alice).post(OF_BOB, {"what": "picture", "reason": "rude"})
    delete_person(user=bob)
    assert not Report.objects.exists()
    assert not is_pseudonym("bob")
