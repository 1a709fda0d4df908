"""What may be said, how often, and what readers get: plain text, in order, only what is new, in their language."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.utils.translation import override

from portal.tables.loading import load
from portal.talk import selectors, services, views
from portal.talk.models import Line, Listener
from portal.talk.words import PHRASES, said

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("{{ 7*7 }} {% x %} %(name)s", "{{ 7*7 }} {% x %} %(name)s"),
        ("left \u202eright\u202c \u2066and\u2069", "left right and"),
        ("a\x07b\x1bc\x00d\ufeff", "abcd"),
        ("two\r\nlines\tand\u00a0more  blanks", "two lines and more blanks"),
        ("Z" + "\u0301" * 40, "\u0179\u0301\u0301\u0301"),
        ("szép jó napot, привет, مرحبا, 👨\u200d👩\u200d👧", "szép jó napot, привет, مرحبا, 👨\u200d👩\u200d👧"),
        ("x" * 500, "x" * 500),
    ],
)
def test_a_text_is_kept_without_what_cannot_be_seen(says, alice, typed, kept):
    assert says(alice, typed).status_code == 303
    assert Line.objects.get().text == kept


def test_nothing_is_markup(says, reads, alice, bob):
    says(alice, '<b onclick="x">bold</b> & "quoted" https://evil.example/')
    page = reads(bob)
    assert "<bdi>&lt;b onclick=&quot;x&quot;&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; https://evil.example/</bdi>" in page
    assert 'href="https://evil' not in page


@pytest.mark.parametrize(
    ("fields", "says_what"),
    [
        ({"text": ""}, "Write something first."),
        ({"text": " \u202e\u200b\u2800"[:3]}, "Write something first."),
        ({"text": "x" * 501}, "at most 500 characters, and this one has 501"),
        ({"phrase": "goodbye"}, "no such quick message"),
    ],
)
def test_what_cannot_be_said_is_refused_with_a_reason(duel, browser, alice, fields, says_what):
    address = f"/tables/{duel.pk}/talk/say/"
    answer = browser(alice).post(address, {"room": "players", **fields})
    assert answer.status_code == 422
    assert says_what in answer.content.decode()
    answer = browser(alice).post(address, {"room": "players", **fields}, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert answer["Content-Type"].startswith("text/plain")
    assert says_what in answer.content.decode()
    assert not Line.objects.exists()


def test_a_refused_text_is_still_in_the_form(says, alice):
    assert 'value="{}"'.format("x" * 501) in says(alice, "x" * 501).content.decode()


def test_a_huge_body_is_refused(duel, browser, alice):
    client = browser(alice)
    client.raise_request_exception = False
    assert client.post(f"/tables/{duel.pk}/talk/say/", {"room": "players", "text": "x" * 10_000_000}).status_code in (400, 413)
    assert not Line.objects.exists()


@pytest.mark.parametrize("phrase", PHRASES)
def test_each_reader_reads_a_phrase_in_their_own_language(says, reads, alice, bob, phrase):
    says(alice, "", phrase=phrase)
    assert Line.objects.get().text == ""
    told = set()
    for language in ("en", "hu", "ru"):
        with override(language):
            text = said("", phrase)
        assert f"<bdi>{text}</bdi>" in reads(bob, language)
        told.add(text)
    assert len(told) == 3


def test_a_person_may_say_so_much_and_others_are_not_held_up(says, alice, bob, monkeypatch):
    cache.clear()
    monkeypatch.setattr(services, "LINES_PER_MINUTE", 3)
    monkeypatch.setattr(services, "LINES_PER_DAY", 5)
    monkeypatch.setattr("portal.common.limits.time.time", lambda: 0.0)
    assert [says(alice).status_code for _ in range(4)] == [303, 303, 303, 429]
    assert says(bob).status_code == 303
    monkeypatch.setattr("portal.common.limits.time.time", lambda: 60.0)
    answers = [says(alice) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert answers[-1]["Retry-After"] == str(86400 - 60)


def test_what_is_refused_does_not_count(says, alice, monkeypatch):
    monkeypatch.setattr(services, "LINES_PER_MINUTE", 1)
    assert says(alice, "").status_code == 422
    assert says(alice).status_code == 303


def test_only_new_lines_are_sent(says, duel, browser, alice, bob):
    says(alice, "first")
    says(alice, "second")
    first, second = Line.objects.order_by("pk")
    address = f"/tables/{duel.pk}/talk/lines/"
    answer = browser(bob).get(address, {"room": "players", "since": first.pk})
    text = answer.content.decode()
    assert "second" in text
    assert "first" not in text
    assert "<html" not in text
    assert answer["Cache-Control"] == "private, no-store"
    assert browser(bob).get(address, {"room": "players", "since": second.pk}).status_code == 204
    assert Listener.objects.get(user=bob).seen == second.pk


@pytest.mark.parametrize(
    "query", ["", "?room=players&since=-1", "?room=players&since=x", "?room=players&since=" + "9" * 30, "?room=", "?room=x"]
)
def test_a_meaningless_question_finds_nothing(duel, browser, alice, query):
    assert browser(alice).get(f"/tables/{duel.pk}/talk/lines/{query}").status_code == 404


def test_long_chats_come_in_pages(says, duel, alice, bob, browser, monkeypatch):
    monkeypatch.setattr(selectors, "SHOWN", 3)
    for number in range(1, 6):
        says(alice, f"line-{number}")
    client = browser(bob)

    def shown(query=""):
        page = client.get(f"/tables/{duel.pk}/talk/{query}").content.decode()
        return [number for number in range(1, 6) if f"line-{number}" in page], page

    found, page = shown()
    assert found == [3, 4, 5]
    query = page.partition('href="?room=players&amp;before=')[2].partition('"')[0]
    assert shown(f"?room=players&before={query}")[0] == [1, 2]
    assert shown(f"?room=players&before={'9' * 40}")[0] == [3, 4, 5]


def test_the_panel_of_the_script_is_the_page_without_its_frame(says, duel, browser, alice):
    says(alice)
    answer = browser(alice).get(f"/tables/{duel.pk}/talk/", headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert "data-talk-panel" in text
    assert "<html" not in text


def test_addresses_that_write_lead_to_the_page_when_they_are_visited(duel, browser, alice):
    for verb in ("say", "mute", "note"):
        answer = browser(alice).get(f"/tables/{duel.pk}/talk/{verb}/")
        assert (answer.status_code, answer["Location"]) == (302, f"/tables/{duel.pk}/talk/")


def test_what_was_said_stays_when_its_writer_has_gone(says, reads, duel, charlie, alice, guest):
    says(guest, "so long", room="watchers")
    guest.delete()
    page = reads(charlie)
    assert "so long" in page
    assert "Somebody who has left" in page


def test_muting_hides_the_chat_for_one_person(says, reads, duel, browser, alice, bob):
    says(alice, "noise")
    browser(bob).post(f"/tables/{duel.pk}/talk/mute/", {"do": "mute"})
    assert "noise" not in reads(bob)
    assert "You have muted this chat" in reads(bob)
    assert browser(bob).get(f"/tables/{duel.pk}/talk/unread/").content == b"0"
    assert "noise" in reads(alice)
    browser(bob).post(f"/tables/{duel.pk}/talk/mute/", {"do": "unmute"})
    assert "noise" in reads(bob)


def test_notes_are_for_their_writer_alone(duel, browser, reads, alice, bob, charlie):
    typed = "  first \r\nsecond <b> \u202e"
    assert browser(alice).post(f"/tables/{duel.pk}/talk/note/", {"note": typed}).status_code == 303
    assert Listener.objects.get().note == "first\nsecond <b>"
    assert "second &lt;b&gt;</textarea>" in reads(alice)
    for user in (bob, charlie, None):
        assert "second" not in reads(user)
    answer = browser(alice).post(f"/tables/{duel.pk}/talk/note/", {"note": "x" * 2001})
    assert answer.status_code == 422
    assert "x" * 2001 + "</textarea>" in answer.content.decode()
    assert Listener.objects.get().note == "first\nsecond <b>"
    browser(alice).post(f"/tables/{duel.pk}/talk/note/", {"note": ""})
    assert Listener.objects.get().note == ""


def test_the_pages_cost_a_bounded_number_of_statements(says, duel, browser, alice, bob, charlie, django_assert_max_num_queries):
    for number in range(30):
        Line.objects.create(table=duel, room="players", writer=(alice, bob)[number % 2], text=str(number), at=duel.created_at)
    for user in (bob, charlie):
        client = browser(user)
        client.get(f"/tables/{duel.pk}/talk/")
        with django_assert_max_num_queries(6):  # session and person, table, listener, a room each
            client.get(f"/tables/{duel.pk}/talk/")
        with django_assert_max_num_queries(4):
            client.get(f"/tables/{duel.pk}/talk/unread/")


def test_the_open_table_page_has_no_statement_for_the_chat(duel, browser, says, alice, bob, django_assert_num_queries):
    client = browser(bob)
    client.get(f"/tables/{duel.pk}/")
    with django_assert_num_queries(2):  # the person, and the table with its seats
        page = client.get(f"/tables/{duel.pk}/").content.decode()
    assert f'href="/tables/{duel.pk}/talk/" data-talk-open' in page


def test_who_listens_is_told_of_players_and_not_of_spectators(says, duel, alice, charlie, monkeypatch, django_capture_on_commit_callbacks):
    told = []
    monkeypatch.setattr(services, "publish_talk", told.append)
    with django_capture_on_commit_callbacks(execute=True):
        says(charlie, room="watchers")
    assert told == []
    with django_capture_on_commit_callbacks(execute=True):
        says(alice)
    assert told == [duel.pk]


def test_numbers_are_read_as_numbers():
    assert [views.number(raw) for raw in ("7", "0", "", "-1", "٣", "9" * 19)] == [7, 0, None, None, None, None]


def test_reading_one_room_does_not_make_the_other_unread(says, alice, bob, duel):
    says(alice, "First")
    says(alice, "Second")
    first, second = Line.objects.order_by("pk")
    for line in (second, first):
        services.mark_read(load(duel.pk), bob, line.pk)
    assert Listener.objects.get(user=bob).seen == second.pk
    assert selectors.unread_at(load(duel.pk), bob) == 0
