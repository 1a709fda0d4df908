"""Each address of the API: what Alice, Bob and Charlie get, and what it refuses."""

from __future__ import annotations

import json

import pytest
import time_machine
from django.test import Client
from django.utils.html import escape

from games.registry import GAMES
from portal.accounts.models import ApiToken
from portal.common.limits import Use
from portal.tables import services
from portal.tables.models import Table
from tests.portal.api.asking import NOON, ROOT, Person, code_of
from tests.portal.tables.driver import play_on, snapshot
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(duel):
    """The duel at a moment when Alice is due."""
    return play_on(duel.pk, until=lambda now: now.table.due == [0]).table


# Sign-in


def test_name_and_password_give_a_token_that_works(alice):
    answer = Person().post("token/", {"username": "alice", "password": "correct horse"})
    assert answer.status_code == 200
    assert answer.json()["username"] == "alice"
    client = Client(headers={"authorization": f"Token {answer.json()['token']}"})
    assert client.get(ROOT + "tables/?list=mine").status_code == 200


@pytest.mark.parametrize("body", [{"username": "alice", "password": "wrong"}, {"username": "nobody", "password": "correct horse"}])
def test_a_wrong_password_gives_none(alice, body):
    answer = Person().post("token/", body)
    assert answer.status_code == 401
    assert code_of(answer) == "wrong_password"
    assert not ApiToken.objects.exists()


def test_sign_in_is_throttled(alice):
    visitor = Person()
    with time_machine.travel(NOON, tick=False):  # all in one minute
        answers = [visitor.post("token/", {"username": f"name{n}", "password": "x"}).status_code for n in range(11)]
    assert answers == [401] * 10 + [429]


def test_wrong_passwords_lock_the_name_here_too(alice):
    visitor = Person()
    for _ in range(5):
        last = visitor.post("token/", {"username": "alice", "password": "wrong"})
    assert last.status_code == 429
    assert code_of(last) == "locked_out"
    assert visitor.post("token/", {"username": "alice", "password": "correct horse"}).status_code == 429


@pytest.mark.parametrize("token", ["Token nonsense", "Token " + "0" * 40, "Token a b", "Token", "Token \x00", "Token é", "Basic YTpi"])
def test_a_wrong_token_is_refused(token, turn):
    client = Client(headers={"authorization": token})
    assert client.get(ROOT + "tables/?list=mine").status_code == 401
    body = json.dumps({"action": "draw", "expected_version": turn.version})
    assert client.post(f"{ROOT}tables/{turn.pk}/actions/", body, content_type="application/json").status_code == 401


def test_a_session_without_csrf_token_cannot_write(alice, turn):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    answer = client.post(f"{ROOT}tables/{turn.pk}/leave/", "{}", content_type="application/json")
    assert answer.status_code == 403
    assert Table.objects.get(pk=turn.pk).version == turn.version


# Lists and new tables


@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        ("en", ["Ra", "Tigris & Euphrates", "Babel", "After the Flood", "History of the World"]),
        ("hu", ["Ra", "Tigris és Eufrátesz", "Bábel", "Az áradás után", "A világ története"]),
        ("ru", ["Ра", "Тигр и Евфрат", "Вавилон", "После потопа", "История мира"]),
    ],
)
def test_games_are_named_in_the_language_of_the_request(client, lang, titles):
    headers = {"Accept-Language": lang}
    assert [game["title"] for game in client.get(f"{ROOT}games/", headers=headers).json()] == titles
    home = client.get("/", headers=headers).content.decode()
    assert all(escape(title) in home for title in titles)


def test_games_tell_what_a_table_may_have():
    games = {game["key"]: game for game in Person().get("games/").json()}
    assert list(games) == list(GAMES)
    assert [games[key]["seats"] for key in ("ra", "tigris_euphrates")] == [[2, 3, 4, 5], [2, 3, 4]]
    for key, option in (("ra", "open_fame"), ("tigris_euphrates", "open_totals")):
        assert games[key]["bot_levels"] == list(GAMES[key].game.meta.bot_levels)
        assert games[key]["options"] == [{"key": option, "default": False, "choices": [False, True]}]


def test_lists_are_ones_own_or_everybodys(hers, his, strangers, turn, alice):
    services.create_table(owner=alice, game_key="ra", seats=3)
    assert [row["status"] for row in hers.get("tables/?list=open").json()["results"]] == ["open"]
    mine = hers.get("tables/?list=mine").json()["results"]
    assert {row["id"] for row in mine} == set(Table.objects.values_list("pk", flat=True))
    assert mine[0]["is_due"]
    assert [row["is_due"] for row in his.get("tables/?list=mine").json()["results"]] == [False]
    assert strangers.get("tables/?list=mine").json()["count"] == 0
    assert Person().get("tables/").status_code == 200
    assert Person().get("tables/?list=mine").status_code == 401


def test_finished_tables_are_listed(hers, duel):
    assert hers.get("tables/?list=finished").json()["count"] == 0
    end(duel.pk)
    assert [row["id"] for row in hers.get("tables/?list=finished&game=ra").json()["results"]] == [duel.pk]


@pytest.mark.parametrize("query", ["list=all", "list=%00", "game=chess", "game=%00"])
def test_a_list_that_is_none(hers, query):
    assert hers.get("tables/?" + query).status_code == 400


@pytest.mark.parametrize("query", ["limit=9999999999999999999999", "offset=" + "9" * 30, "limit=-1", "offset=-5", "limit=x&offset=y"])
def test_limits_are_cut_to_what_can_be(hers, query):
    assert hers.get("tables/?" + query).status_code == 200


def test_a_table_is_opened_and_seen_from_seat_0(hers):
    answer = hers.post("tables/", {"game": "ra", "seats": 3, "bots": ["scribe"], "options": {"open_fame": True}, "word": "reed"})
    data = answer.json()
    assert answer.status_code == 201
    assert data["status"] == "open"
    assert data["my_seat"] == 0
    assert data["options"] == {"open_fame": True}
    assert [seat["bot_level"] for seat in data["seats"]] == [None, None, "scribe"]
    assert data["view"] is None
    assert data["secret"] is None
    assert len(data["commitment"]) == 64


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess", "seats": 2}, "invalid"),
        ({"game": "ra", "seats": 6}, "bad_setting"),
        ({"game": "ra", "seats": 10**400}, "invalid"),
        ({"game": "ra", "seats": True}, "invalid"),
        ({"game": "ra", "seats": None}, "invalid"),
        ({"game": "ra", "seats": 3, "bots": ["emperor"]}, "bad_setting"),
        ({"game": "ra", "seats": 3, "bots": ["random"]}, "bad_setting"),
        ({"game": "ra", "seats": 3, "bots": ["scribe"] * 3}, "bad_setting"),
        ({"game": "ra", "seats": 3, "bots": "scribe"}, "invalid"),
        ({"game": "ra", "seats": 3, "options": {"x": 1}}, "bad_setting"),
        ({"game": "ra", "seats": 3, "options": {"open_fame": [{}]}}, "bad_setting"),
        ({"game": "ra", "seats": 3, "options": []}, "invalid"),
        ({"game": "ra", "seats": 3, "word": "a\x00b"}, "invalid"),
        ({"game": "ra", "seats": 3, "word": "\ud800"}, "parse_error"),
        ({"game": "ra", "seats": 3, "word": "x" * 61}, "invalid"),
        ({}, "invalid"),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(hers, body, code):
    answer = hers.post("tables/", body)
    assert answer.status_code == 400
    assert code_of(answer) == code
    assert not Table.objects.exists()


def test_a_visitor_opens_no_table():
    assert Person().post("tables/", {"game": "ra", "seats": 3}).status_code == 401
    assert not Table.objects.exists()


def test_join_start_and_leave(hers, his, strangers):
    pk = hers.post("tables/", {"game": "ra", "seats": 3}).json()["id"]
    assert his.get(f"tables/{pk}/").json()["can_join"]
    joined = his.post(f"tables/{pk}/join/", {"word": "papyrus"}).json()
    assert joined["my_seat"] == 1
    assert not joined["can_start"]
    refused = his.post(f"tables/{pk}/start/")
    assert refused.status_code == 403
    assert code_of(refused) == "not_your_seat"
    started = hers.post(f"tables/{pk}/start/").json()
    assert started["status"] == "playing"
    assert [seat["is_free"] for seat in started["seats"]] == [False] * 3
    late = strangers.post(f"tables/{pk}/join/")
    assert late.status_code == 409
    assert code_of(late) == "wrong_status"
    left = his.post(f"tables/{pk}/leave/").json()
    assert left["my_seat"] is None
    assert left["seats"][1]["bot_level"]
    again = his.post(f"tables/{pk}/leave/")
    assert again.status_code == 403


def test_the_word_of_another_is_not_shown_before_the_start(hers, his):
    pk = hers.post("tables/", {"game": "ra", "seats": 3, "word": "reed"}).json()["id"]
    assert hers.get(f"tables/{pk}/").json()["seats"][0]["word"] == "reed"
    assert his.get(f"tables/{pk}/").json()["seats"][0]["word"] == ""


# Playing


def test_who_is_due_gets_question_and_legal_actions(hers, his, strangers, turn):
    mine = hers.get(f"tables/{turn.pk}/").json()
    assert mine["my_seat"] == 0
    assert mine["legal"]
    assert mine["question"]
    assert mine["version"] == turn.version
    other = his.get(f"tables/{turn.pk}/").json()
    assert other["my_seat"] == 1
    assert other["legal"] == []
    assert other["question"] is None
    assert other["waiting_for"] == ["alice"]
    assert strangers.get(f"tables/{turn.pk}/").json()["my_seat"] is None


def test_nobody_reads_the_hidden_fame_or_the_secret(hers, his, strangers, turn):
    for person, seat in ((hers, 0), (his, 1), (strangers, None), (Person(), None)):
        answer = person.get(f"tables/{turn.pk}/")
        view = answer.json()["view"]
        assert view["seat"] == seat
        assert [fame is not None for fame in view["fame"]] == [index == seat for index in range(2)]
        text = answer.content.decode()
        assert bytes(turn.secret).hex() not in text
        assert '"bag"' not in text


def test_an_action_is_played_and_the_answer_is_the_new_table(hers, turn):
    answer = hers.post(f"tables/{turn.pk}/actions/", {"action": "draw", "expected_version": turn.version})
    assert answer.status_code == 200
    assert answer.json()["version"] > turn.version
    assert any(line["actor"] == 0 and line["text"] for line in answer.json()["log"])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"action": "bid 99", "expected_version": 0}, 409, "stale"),
        ({"action": "fly", "expected_version": None}, 400, "invalid"),
        ({"action": "draw"}, 400, "invalid"),
        ({"action": "draw", "expected_version": "soon"}, 400, "invalid"),
        ({"action": "draw", "expected_version": -1}, 400, "invalid"),
        ({"action": "draw", "expected_version": 10**30}, 400, "invalid"),
        ({"action": "draw", "expected_version": 1e999}, 400, "parse_error"),
        ({"action": ["draw"], "expected_version": "now"}, 400, "invalid"),
        ({"action": "", "expected_version": "now"}, 400, "invalid"),
        ({"action": "x" * 401, "expected_version": "now"}, 400, "invalid"),
        ({"action": "draw\x00", "expected_version": "now"}, 400, "invalid"),
        ({"action": "\ud83d", "expected_version": "now"}, 400, "parse_error"),
        ({"action": "fly to the moon", "expected_version": "now"}, 400, "bad_action"),
        ({"action": "bid 12", "expected_version": "now"}, 422, "refused"),
        ({"action": "draw", "expected_version": "later"}, 409, "stale"),
        ({"action": "draw", "expected_version": "now", "then": "nonsense"}, 400, "bad_action"),
        ([], 400, "invalid"),
        ("draw", 400, "invalid"),
    ],
)
def test_a_bad_action_changes_nothing(hers, turn, body, status, code):
    before = snapshot(turn.pk)
    if isinstance(body, dict):
        times = {"now": turn.version, "later": turn.version + 1}
        wanted = body.get("expected_version")
        body = body | ({"expected_version": times[wanted]} if wanted in times else {})
    raw = json.dumps(body)
    answer = hers.client.post(f"{ROOT}tables/{turn.pk}/actions/", raw, content_type="application/json")
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert snapshot(turn.pk) == before


def test_a_refusal_names_the_paragraph_in_the_readers_language(hers, turn):
    body = {"action": "bid 12", "expected_version": turn.version}
    error = hers.post(f"tables/{turn.pk}/actions/", body).json()["error"]
    assert error["rule"].startswith("ra#")
    assert error["rule_url"] == f"/en/rules/ra/p/{error['rule'].partition('#')[2]}/"
    hers.client.cookies["django_language"] = "hu"
    assert hers.post(f"tables/{turn.pk}/actions/", body).json()["error"]["rule_url"].startswith("/hu/rules/ra/p/")


@pytest.mark.parametrize(("who", "status", "code"), [("his", 409, "not_due"), ("strangers", 403, "not_your_seat")])
def test_nobody_plays_for_another(request, turn, who, status, code):
    person = request.getfixturevalue(who)
    before = snapshot(turn.pk)
    answer = person.post(f"tables/{turn.pk}/actions/", {"action": "draw", "expected_version": turn.version})
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert snapshot(turn.pk) == before


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        ("no json", "application/json", 400),
        ("", "application/json", 400),
        ("{", "application/json", 400),
        ("[" * 30_000, "application/json", 400),
        ('{"action": NaN}', "application/json", 400),
        ('{"expected_version": ' + "9" * 20_000 + "}", "application/json", 400),
        (b"\xff\xfe{}", "application/json", 400),
        ("action=draw", "application/x-www-form-urlencoded", 415),
        ("<a/>", "application/xml", 415),
        ('{"action": "' + "x" * 1_000_000 + '"}', "application/json", 413),
    ],
)
def test_a_body_that_cannot_be_read(hers, turn, raw, kind, status):
    before = snapshot(turn.pk)
    for path in (f"tables/{turn.pk}/actions/", "tables/", "token/"):
        answer = hers.client.generic("POST", ROOT + path, raw, content_type=kind)
        assert answer.status_code == status
        assert code_of(answer)
    assert snapshot(turn.pk) == before


@pytest.mark.parametrize("pk", [0, 999_999, 2**63, 2**64, 10**40])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("GET", "log/", None),
        ("GET", "stream/", None),
        ("GET", "record/", None),
        ("POST", "join/", {}),
        ("POST", "leave/", {}),
        ("POST", "start/", {}),
        ("POST", "actions/", {"action": "draw", "expected_version": 1}),
        ("POST", "undo/", {"expected_version": 1}),
        ("PUT", "order/", {"order": "pass"}),
        ("DELETE", "order/", None),
    ],
)
def test_a_table_that_is_not_there(hers, method, path, body, pk):
    answer = hers.post(f"tables/{pk}/{path}", body, method)
    assert answer.status_code == 404
    assert code_of(answer) in ("table_not_found", "not_found")


def test_what_was_revealed_is_not_taken_back(hers, his, turn):
    played = hers.post(f"tables/{turn.pk}/actions/", {"action": "draw", "expected_version": turn.version}).json()
    refused = hers.post(f"tables/{turn.pk}/undo/", {"expected_version": played["version"]})
    assert refused.status_code == 409
    assert code_of(refused) in ("nothing_to_undo", "stale")
    assert his.post(f"tables/{turn.pk}/undo/", {"expected_version": played["version"]}).status_code == 409


def test_ones_own_last_action_is_taken_back(hers, duel, alice):
    def stands(now):
        legal = [str(action) for action in now.game.legal_actions(now.state, 0)] if now.table.due == [0] else []
        return any(text.startswith("god ") for text in legal) or "call" in legal

    table = play_on(duel.pk, until=stands).table
    legal = hers.get(f"tables/{table.pk}/").json()["legal"]
    action = next(text for text in legal if text == "call" or text.startswith("god "))
    played = hers.post(f"tables/{table.pk}/actions/", {"action": action, "expected_version": table.version}).json()
    assert played["can_undo"]
    back = hers.post(f"tables/{table.pk}/undo/", {"expected_version": played["version"]})
    assert back.status_code == 200
    assert back.json()["legal"] == legal
    assert back.json()["can_redo"]
    again = hers.post(f"tables/{table.pk}/redo/", {"expected_version": back.json()["version"]})
    assert again.status_code == 200
    assert (again.json()["can_undo"], again.json()["can_redo"]) == (True, False)


def test_an_answer_in_advance_is_given_and_taken_back_and_seen_by_nobody_else(hers, his, strangers, duel):
    def waits(now):
        return now.table.due == [0] and bool(now.game.orders(now.game.view_for(now.state, 1)))

    table = play_on(duel.pk, until=waits).table
    offered = his.get(f"tables/{table.pk}/").json()["orders"]
    order = offered[0]["order"]
    assert all(not item["is_set"] and item["label"] for item in offered)
    given = his.post(f"tables/{table.pk}/order/", {"order": order}, "PUT").json()
    assert [item["order"] for item in given["orders"] if item["is_set"]] == [order]
    before = hers.get(f"tables/{table.pk}/").json()
    assert before["orders"] == []
    assert before["version"] == table.version
    gone = his.post(f"tables/{table.pk}/order/", None, "DELETE").json()
    assert not any(item["is_set"] for item in gone["orders"])
    assert hers.get(f"tables/{table.pk}/").json() == before, "nobody else notices"
    assert code_of(his.post(f"tables/{table.pk}/order/", {"order": "fly"}, "PUT")) == "bad_action"
    assert code_of(hers.post(f"tables/{table.pk}/order/", {"order": order}, "PUT")) == "not_due"
    assert strangers.post(f"tables/{table.pk}/order/", {"order": order}, "PUT").status_code == 403


def test_the_log_is_whole_and_cut_to_the_reader(hers, turn):
    lines = hers.get(f"tables/{turn.pk}/log/").json()
    assert [line["seq"] for line in lines] == sorted((line["seq"] for line in lines), reverse=True)
    assert lines[-1]["seq"] == 1
    assert all(line["text"] for line in lines)


def test_the_stream_has_an_address_while_the_game_lasts(hers, turn):
    answer = hers.get(f"tables/{turn.pk}/stream/").json()
    assert answer["url"].startswith(f"/events/tables/{turn.pk}/?token=")
    assert answer["expires_in_s"] == 12 * 3600
    end(turn.pk)
    assert code_of(hers.get(f"tables/{turn.pk}/stream/")) == "wrong_status"


def test_the_record_is_given_when_the_game_is_over(hers, strangers, turn):
    early = hers.get(f"tables/{turn.pk}/record/")
    assert early.status_code == 409
    assert bytes(turn.secret).hex() not in early.content.decode()
    play_on(turn.pk)
    record = strangers.get(f"tables/{turn.pk}/record/").json()
    assert record["chance"]["secret"] == bytes(turn.secret).hex()
    assert record["actions"]
    assert "log" not in record
    assert "log" in strangers.get(f"tables/{turn.pk}/record/?full=1").json()
    seen = strangers.get(f"tables/{turn.pk}/").json()
    assert seen["outcome"]["places"]
    assert seen["secret"] == record["chance"]["secret"]
    over = hers.post(f"tables/{turn.pk}/actions/", {"action": "draw", "expected_version": seen["version"]})
    assert over.status_code == 409
    assert code_of(over) == "wrong_status"


def test_a_view_costs_two_queries_and_an_action_as_few_at_any_move(hers, turn, django_assert_max_num_queries, django_assert_num_queries):
    with django_assert_num_queries(2):  # token with its person; table with seats and people
        hers.get(f"tables/{turn.pk}/")
    with django_assert_max_num_queries(8):  # five of the move, the token, two savepoint lines
        hers.post(f"tables/{turn.pk}/actions/", {"action": "draw", "expected_version": turn.version})


def test_everybody_is_held_to_a_number_of_requests(hers, monkeypatch):
    monkeypatch.setattr("portal.common.api_views.use", lambda *_args, **_options: Use(-1, 17))
    answer = hers.get("tables/")
    assert answer.status_code == 429
    assert code_of(answer) == "throttled"
    assert answer["Retry-After"] == "17"


def test_an_answer_copies_no_fields(hers, table, monkeypatch):
    """A new serializer copies all its fields; half the time of an answer went there."""
    from rest_framework.fields import Field

    hers.get(f"tables/{table.pk}/")
    copies = []
    monkeypatch.setattr(Field, "__deepcopy__", lambda field, memo: copies.append(field))
    assert hers.get(f"tables/{table.pk}/").status_code == 200
    assert copies == []
