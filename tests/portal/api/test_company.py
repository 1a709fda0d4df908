"""Votes, chat, notes, replays, bots and rematches by the API: the answers, what is refused, and what it costs."""

from __future__ import annotations

import pytest

from portal.accounts import blocks
from portal.accounts.models import User
from portal.tables import api_replay, inviting, selectors, services
from portal.tables.access import load_for
from portal.tables.models import Table
from portal.tables.pace import Kind, Pace
from portal.tables.replay import replay_of
from portal.talk.models import Line, Listener, Report
from tests.portal.api.asking import Person, code_of
from tests.portal.tables.driver import play_on, snapshot
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


# Votes


@pytest.fixture
def live(alice, bob, fixed_secret):
    loaded = services.create_table(owner=alice, game_key="ra", seats=2, pace=Pace(Kind.LIVE, bank_s=600, add_s=10))
    return services.join_table(table_id=loaded.table.pk, user=bob).table.pk


def test_a_question_is_asked_seen_by_players_and_refused(hers, his, strangers, live):
    assert {"what": "save", "about": None} in hers.get(f"tables/{live}/votes/").json()["may_ask"]
    asked = his.post(f"tables/{live}/votes/", {"what": "save"}).json()["vote"]
    assert (asked["seat"], asked["agreed"], asked["missing"]) == (1, [1], [0])
    for person in (strangers, Person()):
        assert person.get(f"tables/{live}/votes/").json() == {"results": [], "may_ask": []}
        assert person.get(f"tables/{live}/").json()["vote"] is None
    again = hers.post(f"tables/{live}/votes/", {"what": "no_clocks"})
    assert (again.status_code, code_of(again)) == (409, "wrong_status")
    assert hers.post(f"tables/{live}/votes/{asked['id'] + 1}/", {"agrees": True}).status_code == 409
    assert hers.post(f"tables/{live}/votes/{asked['id']}/", {"agrees": False}).json()["vote"] is None
    assert hers.get(f"tables/{live}/votes/").json()["results"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"what": "win"}, 400),
        ({"what": "resume"}, 409),
        ({"what": "time"}, 409),
        ({"what": "time", "about": 1}, 409),
        ({"what": "time", "about": 99}, 400),
        ({}, 400),
        ([], 400),
    ],
)
def test_what_cannot_be_asked(hers, live, body, status):
    due = play_on(live, until=lambda now: now.table.due == [0]).table
    before = snapshot(due.pk)
    assert hers.client.post(f"/api/v1/tables/{live}/votes/", body, content_type="application/json").status_code == status
    assert snapshot(due.pk) == before


# Chat and notes


def test_rooms_are_those_of_the_pages(hers, his, strangers, duel):
    room = f"tables/{duel.pk}/chat"
    assert [(one["room"], one["may_write"]) for one in hers.get(f"{room}/").json()["rooms"]] == [("players", True)]
    assert [(one["room"], one["may_write"]) for one in strangers.get(f"{room}/").json()["rooms"]] == [
        ("players", False),
        ("watchers", True),
    ]
    assert [(one["room"], one["may_write"]) for one in Person().get(f"{room}/").json()["rooms"]] == [("players", False)]
    assert strangers.post(f"{room}/watchers/", {"text": "Alice holds three suns"}).status_code == 201
    for person in (hers, Person()):
        assert person.get(f"{room}/watchers/").status_code == 404
        assert "three suns" not in person.get(f"{room}/players/").content.decode()
    assert hers.get(f"{room}/cellar/").status_code == 404
    end(duel.pk)
    assert hers.get(f"{room}/watchers/").json()["results"][0]["text"] == "Alice holds three suns"


@pytest.mark.parametrize(
    ("room", "body", "status", "code"),
    [
        ("players", {}, 422, "bad_value"),
        ("players", {"text": "x" * 501}, 422, "bad_value"),
        ("players", {"text": "x" * 1001}, 400, "invalid"),
        ("players", {"phrase": "insult"}, 422, "bad_value"),
        ("watchers", {"text": "Hello"}, 403, "not_allowed"),
        ("cellar", {"text": "Hello"}, 422, "bad_value"),
        ("players", {"text": ["Hello"]}, 400, "invalid"),
    ],
)
def test_what_is_not_said(hers, duel, room, body, status, code):
    answer = hers.post(f"tables/{duel.pk}/chat/{room}/", body)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert not Line.objects.exists()


def test_lines_have_pages_and_cost_the_same_however_many(hers, his, duel, django_assert_num_queries):
    room = f"tables/{duel.pk}/chat/players/"
    for number in range(5):
        (hers if number % 2 else his).post(room, {"text": f"Line {number}"})
    with django_assert_num_queries(4):  # the token, the table, whether it is muted, the lines
        page = hers.get(f"{room}?limit=2").json()
    texts = [line["text"] for line in page["results"]]
    while page["next"]:
        page = hers.client.get(page["next"]).json()
        texts += [line["text"] for line in page["results"]]
    assert texts == [f"Line {number}" for number in (4, 3, 2, 1, 0)]
    newest = hers.get(room).json()["results"][0]["id"]
    assert hers.get(f"{room}?since={newest}").json()["results"] == []
    assert [line["text"] for line in hers.get(f"{room}?since={newest - 1}").json()["results"]] == ["Line 4"]
    assert hers.get(f"{room}?since=x").status_code == hers.get(f"{room}?since={'9' * 5000}").status_code == 400


def test_reading_marks_nothing_until_it_is_said_and_muting_hides(hers, his, strangers, duel, alice):
    his.post(f"tables/{duel.pk}/chat/players/", {"text": "Hello @alice"})
    (line,) = hers.get(f"tables/{duel.pk}/chat/players/").json()["results"]
    assert hers.get(f"tables/{duel.pk}/chat/").json()["unread"] == 1
    assert not Listener.objects.exists()
    assert hers.post(f"tables/{duel.pk}/chat/read/", {"line": line["id"] + 1}).status_code == 404
    assert hers.post(f"tables/{duel.pk}/chat/read/", {"line": line["id"]}).status_code == 204
    assert hers.get(f"tables/{duel.pk}/chat/").json()["unread"] == 0
    assert hers.post(f"tables/{duel.pk}/chat/", {"is_muted": True}, "PUT").json()["is_muted"]
    assert hers.get(f"tables/{duel.pk}/chat/players/").json()["results"] == []


def test_no_words_of_a_blocked_person_and_reports_once(hers, his, duel, alice, bob):
    his.post(f"tables/{duel.pk}/chat/players/", {"text": "Rude"})
    line = Line.objects.get().pk
    for _ in range(2):
        assert hers.post(f"tables/{duel.pk}/chat/lines/{line}/report/", {"reason": "rude", "words": "See there."}).status_code == 204
    assert Report.objects.count() == 1
    assert code_of(his.post(f"tables/{duel.pk}/chat/lines/{line}/report/", {"reason": "rude"})) == "not_allowed"
    assert hers.post(f"tables/{duel.pk}/chat/lines/{10**40}/report/", {"reason": "rude"}).status_code == 404
    blocks.block(user=alice, person=bob)
    assert hers.get(f"tables/{duel.pk}/chat/players/").json()["results"] == []


def test_notes_are_ones_own(hers, his, duel):
    path = f"tables/{duel.pk}/note/"
    assert hers.post(path, {"note": "Bob counts suns.\nAsk him."}, "PUT").json()["note"] == "Bob counts suns.\nAsk him."
    assert (hers.get(path).json()["note"], his.get(path).json()["note"]) == ("Bob counts suns.\nAsk him.", "")
    assert Person().get(path).status_code == 401
    assert code_of(hers.post(path, {"note": "x" * 2001}, "PUT")) == "bad_value"
    assert "counts suns" not in his.get(f"tables/{duel.pk}/").content.decode()


# Replays


def test_each_step_is_the_view_that_its_reader_had(hers, his, strangers, duel, alice, bob):
    noted = {}

    def note(now):
        if now.table.seq not in noted:
            noted[now.table.seq] = {who: person.get(f"tables/{duel.pk}/").json()["view"] for who, person in people.items()}
        return len(noted) > 12

    people = {"alice": hers, "bob": his, "stranger": strangers}
    play_on(duel.pk, until=note)
    for who, user in (("alice", alice), ("bob", bob), ("stranger", None)):
        loaded = load_for(duel.pk, user)
        replay = replay_of(loaded, selectors.page_of(loaded, user))
        compared = 0
        for step in range(1, replay.count + 1):
            seq = replay.line[replay.entries_at(step) - 1].seq
            if seq in noted:
                told = people[who].get(f"tables/{duel.pk}/replay/{step}/").json()
                assert (told["view"], told["step"], told["count"]) == (noted[seq][who], step, replay.count)
                assert told["event"]["text"]
                compared += 1
        assert compared > 5


def test_other_seats_are_open_when_it_is_over(hers, strangers, duel):
    play_on(duel.pk, until=lambda now: now.table.seq > 12)
    outline = hers.get(f"tables/{duel.pk}/replay/").json()
    assert (outline["seat"], outline["may_choose"]) == (0, False)
    refused = strangers.get(f"tables/{duel.pk}/replay/3/?seat=0")
    assert (refused.status_code, code_of(refused)) == (404, "no_such_step")
    play_on(duel.pk)
    count = strangers.get(f"tables/{duel.pk}/replay/").json()["count"]
    seen = [strangers.get(f"tables/{duel.pk}/replay/{count // 2}/?seat={seat}").json() for seat in ("0", "1", "spectator")]
    assert [one["seat"] for one in seen] == [one["view"]["seat"] for one in seen] == [0, 1, None]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("replay/99999/", 404, "no_such_step"),
        ("replay/1/?seat=9", 404, "no_such_step"),
        ("replay/1/?seat=x", 400, "bad_step"),
        ("replay/1/?seat=-1", 400, "bad_step"),
        ("replay/1/?seat=²", 400, "bad_step"),
        ("replay/-1/", 404, "not_found"),
    ],
)
def test_steps_that_are_none(hers, duel, path, status, code):
    answer = hers.get(f"tables/{duel.pk}/{path}")
    assert (answer.status_code, code_of(answer)) == (status, code)


def test_a_table_with_very_many_moves_is_not_replayed_and_its_records_are_not_read(hers, duel, monkeypatch, django_assert_num_queries):
    play_on(duel.pk, until=lambda now: now.table.seq > 20)
    seq = load_for(duel.pk, None).table.seq
    monkeypatch.setattr(api_replay, "MOST_RECORDS", seq - 1)
    for path in ("replay/", "replay/5/"):
        with django_assert_num_queries(2):  # the token, the table
            refused = hers.get(f"tables/{duel.pk}/{path}")
        assert (refused.status_code, code_of(refused)) == (409, "too_long_to_replay")
        assert refused.json()["detail"].startswith(f"This game has more than {seq - 1} moves, counting those that were undone")
    monkeypatch.setattr(api_replay, "MOST_RECORDS", seq)
    assert hers.get(f"tables/{duel.pk}/replay/").status_code == 200


def test_nothing_to_replay_before_the_start_and_three_statements_later(hers, alice, duel, django_assert_num_queries):
    opened = services.create_table(owner=alice, game_key="ra", seats=3).table.pk
    assert code_of(hers.get(f"tables/{opened}/replay/")) == "no_such_step"
    play_on(duel.pk, until=lambda now: now.table.seq > 20)
    for path in ("replay/", "replay/5/"):
        with django_assert_num_queries(3):  # the token, the table, its records
            assert hers.get(f"tables/{duel.pk}/{path}").status_code == 200


# Bots and rematches


def test_bots_are_seated_and_removed_by_the_owner(hers, his, alice):
    pk = services.create_table(owner=alice, game_key="ra", seats=3).table.pk
    seated = hers.post(f"tables/{pk}/bots/", {"level": "scribe"}).json()
    assert [seat["bot_level"] for seat in seated["seats"]] == [None, "scribe", None]
    assert code_of(hers.post(f"tables/{pk}/bots/", {"level": "emperor"})) == "bad_setting"
    assert code_of(his.post(f"tables/{pk}/bots/", {"level": "scribe"})) == "not_your_seat"
    assert code_of(hers.post(f"tables/{pk}/bots/0/", method="DELETE")) == "bad_setting"
    assert hers.post(f"tables/{pk}/bots/1/", method="DELETE").json()["seats"][1]["is_free"]


def test_a_rematch_needs_a_finished_game_of_ones_own(hers, strangers, duel):
    early = hers.post(f"tables/{duel.pk}/rematch/")
    assert (early.status_code, code_of(early)) == (409, "no_rematch")
    end(duel.pk)
    assert strangers.post(f"tables/{duel.pk}/rematch/").status_code == 403
    again = hers.post(f"tables/{duel.pk}/rematch/").json()
    assert again["id"] != duel.pk and again["kept_seats"] == 1
    assert hers.post(f"tables/{duel.pk}/rematch/").json()["id"] == again["id"]


def test_a_rematch_with_other_settings_is_told_to_those_who_were_invited_alone(hers, his, strangers, alice, bob, charlie):
    """The rematch of a link's table was changed meanwhile: somebody without invitations was never invited, and may not see it."""
    old = services.create_table(owner=alice, game_key="ra", seats=3, privacy=Table.Privacy.LINK).table
    for person in (bob, charlie):
        inviting.join_by_link(code=old.link_code, user=person, terms=inviting.terms_of(old))
    end(old.pk)
    User.objects.filter(pk=charlie.pk).update(takes_invitations=False)
    new = hers.post(f"tables/{old.pk}/rematch/").json()["id"]
    Table.objects.filter(pk=new).update(is_rated=False)
    before = snapshot(new)
    found = strangers.post(f"tables/{old.pk}/rematch/")
    assert (found.status_code, code_of(found)) == (404, "table_not_found")
    assert strangers.get(f"tables/{new}/").status_code == 404
    changed = his.post(f"tables/{old.pk}/rematch/")
    assert (changed.status_code, code_of(changed)) == (409, "terms_changed")
    assert snapshot(new) == before
