"""The inbox and the number in the header: for their reader alone, and right without script."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.utils import timezone

from portal.notices import inbox, outbox, unread
from portal.notices.models import Kind, Notice
from portal.notices.sentences import SENTENCES, sentence

pytestmark = pytest.mark.django_db
FACTS = {
    "game": "ra",
    "names": ["Bob", "Anna"],
    "winners": ["Bob"],
    "who": "Bob",
    "club": "Enlil",
    "title": "Thursday",
    "league": "Autumn",
    "at": "2026-12-01T18:00:00+00:00",
}


@pytest.fixture
def told(alice, django_capture_on_commit_callbacks):
    """Two notices of Alice's, counted."""
    with django_capture_on_commit_callbacks(execute=True):
        outbox.tell([alice.pk], kind=Kind.CLUB, key="invited", path="/clubs/", facts={"who": "bob", "club": "Enlil"})
        outbox.turns(table_id=7, version=3, path="/tables/7/", due={alice.pk: {"game": "ra", "names": ["bob"]}}, over=[])
    return list(Notice.objects.order_by("pk"))


def number_in(page):
    text = page.content.decode()
    return text.partition('id="bell"')[2].partition('data-unread="')[2].partition('"')[0]


@pytest.mark.parametrize("language", ["en", "hu", "ru"])
@pytest.mark.parametrize(("kind", "key"), SENTENCES)
def test_every_sentence_is_said_in_every_language(kind, key, language):
    from django.utils.translation import override

    with override(language):
        text = sentence(Notice(kind=kind, key=key, facts=FACTS, made_at=timezone.now()))
    assert "%(" not in text
    assert text.strip()
    assert language == "en" or text != sentence(Notice(kind=kind, key=key, facts=FACTS, made_at=timezone.now()))


def test_a_sentence_of_a_later_release_says_its_kind():
    assert sentence(Notice(kind=Kind.GAME, key="something_new", facts={})) == "A game starts or ends"


def test_a_notice_is_listed_and_counted_on_every_page(told, alice, browser):
    client = browser(alice)
    page = client.get("/notices/")
    text = page.content.decode()
    assert "bob invites you to the club Enlil." in text
    assert "your turn in Ra with bob." in text
    assert number_in(page) == "2"
    assert number_in(client.get("/clubs/")) == "2"


def test_no_page_asks_the_database_for_the_number(told, alice, browser, django_assert_num_queries):
    client = browser(alice)
    client.get("/settings/")
    with django_assert_num_queries(3):  # the person, the profile, the second factor
        assert number_in(client.get("/settings/")) == "2"


def test_with_an_emptied_cache_the_script_asks_and_the_number_is_back(told, alice, browser):
    client = browser(alice)
    cache.clear()
    assert number_in(client.get("/settings/")) == ""
    assert client.get("/notices/unread/").content == b"2"
    assert number_in(client.get("/settings/")) == "2"


def test_opening_a_notice_marks_it_read_and_leads_to_what_it_is_about(told, alice, browser, django_capture_on_commit_callbacks):
    client = browser(alice)
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.get(f"/notices/{told[1].pk}/")
    assert answer.status_code == 302
    assert answer["Location"] == "/tables/7/"
    assert client.get("/notices/unread/").content == b"1"
    shown = client.get("/notices/?show=unread").content.decode()
    assert "Enlil" in shown
    assert "your turn" not in shown


def test_one_and_all_can_be_marked_as_read(told, alice, browser, django_capture_on_commit_callbacks):
    client = browser(alice)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/notices/read/", {"notice": told[0].pk}).status_code == 302
    assert unread.known(alice.pk) == 1
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/notices/read/")
    assert unread.known(alice.pk) == 0
    assert "You have read everything" in client.get("/notices/?show=unread").content.decode()


def test_what_is_about_the_table_in_view_has_been_seen(told, alice, browser, django_capture_on_commit_callbacks):
    client = browser(alice)
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/notices/unread/", {"table": 8})
    assert unread.known(alice.pk) == 2
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/notices/unread/", {"table": 7})
    assert unread.known(alice.pk) == 1


def test_nobody_reads_or_marks_the_notices_of_others(told, charlie, browser, client):
    stranger = browser(charlie)
    missing = stranger.get("/notices/999999999/")
    for notice in told:
        answer = stranger.get(f"/notices/{notice.pk}/")
        assert answer.status_code == missing.status_code == 404
        stranger.post("/notices/read/", {"notice": notice.pk})
    stranger.post("/notices/read/")
    stranger.post("/notices/unread/", {"table": 7})
    assert "Enlil" not in stranger.get("/notices/").content.decode()
    assert stranger.get("/notices/unread/").content == b"0"
    assert not Notice.objects.exclude(read_at=None).exists()
    for path in ("/notices/", f"/notices/{told[0].pk}/"):
        assert client.get(path).status_code == 302, "visitors sign in first"
    assert client.get("/notices/unread/").status_code == 204


@pytest.mark.parametrize("raw", ["0", "-1", "x", "²", "9" * 30])
def test_odd_numbers_are_no_pages_and_no_notices(told, alice, browser, raw):
    client = browser(alice)
    assert client.get("/notices/", {"page": raw}).status_code == 404
    assert client.post("/notices/unread/", {"table": raw}).content == b"2"
    assert client.post("/notices/read/", {"notice": raw}).status_code == 404
    assert not Notice.objects.exclude(read_at=None).exists()


def test_a_long_inbox_has_pages(alice, browser):
    for _ in range(inbox.SHOWN + 1):
        outbox.tell([alice.pk], kind=Kind.CLUB, key="granted", path="/clubs/", facts={"club": "Enlil"})
    client = browser(alice)
    assert "?page=2" in client.get("/notices/").content.decode()
    assert client.get("/notices/?page=2").status_code == 200
    assert client.get("/notices/?page=3").status_code == 404


def test_a_rolled_back_change_tells_nothing(alice):
    from django.db import transaction

    def tell_and_fail():
        with transaction.atomic():
            outbox.tell([alice.pk], kind=Kind.CLUB, key="granted", path="/clubs/", facts={"club": "Enlil"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        tell_and_fail()
    assert not Notice.objects.exists()


def test_a_name_with_markup_is_text(alice, browser):
    outbox.tell([alice.pk], kind=Kind.CLUB, key="granted", path="/clubs/", facts={"club": "<b>Enlil</b>"})
    page = browser(alice).get("/notices/").content.decode()
    assert "&lt;b&gt;Enlil" in page
    assert "<b>Enlil" not in page


def test_the_panel_of_the_bell_has_what_is_still_true_and_no_more_than_fits(told, alice, bob, browser, django_assert_num_queries):
    client = browser(alice)
    page = client.get("/notices/panel/", {"next": "/lobby/"}).content.decode()
    assert "<html" not in page
    assert "bob invites you to the club Enlil." in page
    assert "your turn in Ra with bob." in page
    assert 'name="next" value="/lobby/"' in page
    outbox.withdraw(table_id=7, kind=Kind.TURN, people=[alice.pk])
    for _ in range(inbox.LATEST):
        outbox.tell([alice.pk], kind=Kind.CLUB, key="granted", path="/clubs/", facts={"club": "Enlil"})
    with django_assert_num_queries(2):  # the person, the notices
        page = client.get("/notices/panel/").content.decode()
    assert "your turn" not in page
    assert page.count("You are now a member") == page.count("<li") == inbox.LATEST
    assert "No notices yet" in browser(bob).get("/notices/panel/").content.decode()


def test_the_panel_leads_nowhere_else_and_is_for_people_who_are_signed_in(told, alice, browser):
    page = browser(alice).get("/notices/panel/", {"next": "https://elsewhere.example/"}).content.decode()
    assert "elsewhere" not in page
    assert browser().get("/notices/panel/").status_code == 302
