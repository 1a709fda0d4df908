"""Every address that changes something, with input it must refuse: a clear 4xx with a reason, nothing changed, no server error."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from portal.accounts.services import token_for_sign_in
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.tables.driver import play_on

pytestmark = pytest.mark.django_db

WATCHED = (
    "accounts.User",
    "tables.Table",
    "tables.Seat",
    "tables.ActionRecord",
    "ratings.Rating",
    "ratings.RatingChange",
    "accounts.ApiToken",
)
NOISE = {"accounts.User": {"last_login"}}
PAGE_POSTS = ("act", "undo", "redo", "order", "join", "leave", "start", "add-bot", "remove-bot")
API_POSTS = ("api-act", "api-undo", "api-redo", "api-join", "api-leave", "api-start")
SITE_POSTS = (
    "/play/ra/",
    "/tables/new/",
    "/settings/",
    "/settings/tokens/",
    "/settings/delete-guest/",
    "/language/",
    "/theme/",
    "/accounts/logout/",
)
HUGE = "9" * 400
ODD_TEXTS = [
    "",
    " ",
    "\0",
    "draw\0",
    "x" * 5000,
    HUGE,
    "-1",
    "1e9",
    "٣",
    "<script>alert(1)</script>",
    "draw\r\nSet-Cookie: a=b",
    "\u202edraw",
    "bid",
    "bid bid",
    "bid -1",
    f"bid {HUGE}",
    "bid ٣",
    "god",
    "god ra",
    "discard",
    "deal",
    "tile",
    "draw draw",
    "{{7*7}}",
]
GAME_WORDS = ("bid", "god", "discard", "deal", "tile", "draw draw")
ODD_WORDS = [text for text in ODD_TEXTS if not text.startswith(GAME_WORDS)]  # outside games one word is as good as another
ODD_VALUES = [None, True, [], {}, ["draw"], {"a": 1}, 1.5, -1, 10**30, "", "x", "\0", "\ud800", [[[[]]]]]


def everything():
    """All rows that a request to the site can change, as they are stored."""
    rows = {}
    for label in WATCHED:
        model = apps.get_model(label)
        fields = [field.attname for field in model._meta.concrete_fields if field.name not in NOISE.get(label, ())]
        rows[label] = sorted(map(repr, model.objects.values_list(*fields)))
    return rows


def signed_in(user, **kwargs):
    client = Client(raise_request_exception=False, **kwargs)
    client.force_login(user)
    return client


def assert_refused(response, *statuses):
    """The answer is a refusal that says why, in the site's words, without internals."""
    text = response.content.decode()
    assert 400 <= response.status_code < 500, (response.status_code, text[:300])
    assert not statuses or response.status_code in statuses, (response.status_code, text[:300])
    assert "Traceback" not in text
    assert "DoesNotExist" not in text
    if response.headers["Content-Type"] == "application/problem+json":
        assert set(response.json()["error"]) == {"code", "reason", "rule", "rule_url"}
        assert len(response.json()["error"]["reason"]) > 5
    else:
        assert "<script>alert" not in text
        assert "<h1" in text or 'id="table"' in text or "notice" in text, text[:300]


@pytest.fixture
def game(duel):
    return duel


@pytest.fixture
def due(game):
    return load(game.pk).seats[game.due[0]].user


@pytest.mark.parametrize("htmx", [False, True])
def test_odd_actions_on_the_page(game, due, htmx):
    client, before = signed_in(due), everything()
    headers = {"HX-Request": "true"} if htmx else {}
    for text in ODD_TEXTS:
        response = client.post(f"/tables/{game.pk}/act/", {"action": text, "expected_version": game.version}, headers=headers)
        assert_refused(response, 400, 422)
    assert everything() == before


def test_odd_versions_and_answers_on_the_page(game, due):
    client, before = signed_in(due), everything()
    for text in [text for text in ODD_TEXTS if text != "٣"]:
        assert_refused(client.post(f"/tables/{game.pk}/act/", {"action": "draw", "expected_version": text}), 400)
        assert_refused(client.post(f"/tables/{game.pk}/undo/", {"expected_version": text}), 400)
        if text:
            assert_refused(client.post(f"/tables/{game.pk}/order/", {"order": text}), 400, 409)
            assert_refused(client.post(f"/tables/{game.pk}/act/", {"action": "draw", "then": text, "expected_version": game.version}), 400)
    for stale in (0, game.version - 1, game.version + 1, 999_999_999):
        assert_refused(client.post(f"/tables/{game.pk}/act/", {"action": "draw", "expected_version": stale}), 409)
        assert_refused(client.post(f"/tables/{game.pk}/undo/", {"expected_version": stale}), 409)
    assert everything() == before


def test_odd_bodies_of_the_api(game, due):
    client, before = signed_in(due), everything()
    version = game.version
    bodies = [{"action": value, "expected_version": version} for value in [*ODD_VALUES, *ODD_TEXTS]]
    bodies += [{"action": "draw", "expected_version": value} for value in ODD_VALUES]
    bodies += [{"action": "draw", "expected_version": version, "then": value} for value in [*ODD_VALUES, "at most 13"] if value != ""]
    bodies += [*ODD_VALUES, {"action": "draw"}, {"expected_version": version}]
    for body in bodies:
        response = client.post(reverse("api-act", args=[game.pk]), json.dumps(body), content_type="application/json")
        assert_refused(response, 400, 409, 422)
    for value in ODD_VALUES:
        order = client.put(reverse("api-order", args=[game.pk]), json.dumps({"order": value}), content_type="application/json")
        assert_refused(order, 400, 409)
        undo = client.post(reverse("api-undo", args=[game.pk]), json.dumps({"expected_version": value}), content_type="application/json")
        assert_refused(undo, 400, 409)
    assert everything() == before


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 50_000, "application/json", 400),
        (b'{"action": NaN}', "application/json", 400),
        (b'{"expected_version": ' + b"9" * 5000 + b"}", "application/json", 400),
        (b"action=draw", "application/x-www-form-urlencoded", 415),
        (b"<a/>", "text/xml", 415),
        (b"x", "nonsense", 415),
        (b"x", "multipart/form-data; boundary=x", 415),
        (b"x", "application/json; charset=klingon", 400),
        (b" " * 65_537, "application/json", 413),
    ],
)
def test_broken_bodies_of_the_api(game, due, body, kind, status):
    client, before = signed_in(due), everything()
    for name in API_POSTS:
        if name in ("api-leave", "api-start"):
            continue  # read no body
        if name == "api-join" and not body:
            continue  # a word is optional
        assert_refused(client.generic("POST", reverse(name, args=[game.pk]), body, content_type=kind), status)
    assert_refused(client.generic("PUT", reverse("api-order", args=[game.pk]), body, content_type=kind), status)
    assert_refused(client.generic("POST", reverse("api-tables"), body, content_type=kind), status)
    assert_refused(client.generic("POST", reverse("api-token"), body, content_type=kind), status)
    assert everything() == before


def test_new_tables_that_cannot_be(alice):
    client, before = signed_in(alice), everything()
    good = {"game": "ra", "seats": 4, "bots": ["scribe"]}
    changes = [{"game": value} for value in ODD_VALUES] + [{"seats": value} for value in [*ODD_VALUES, 0, 6, 7]]
    changes += [{"bots": value} for value in ODD_VALUES if value != []] + [
        {"bots": ["oracle"]},
        {"bots": ["scribe"] * 4},
        {"bots": ["random"]},
    ]
    changes += [{"options": value} for value in ODD_VALUES if value != {}] + [
        {"options": {"open_fame": value}} for value in ODD_VALUES if value is not True
    ]
    changes += [
        {"options": {"\ud800": 1}},
        {"options": {"x" * 5000: 1}},
        {"word": "x" * 61},
        {"word": "a\nb"},
        {"word": "\0"},
        {"word": "\ud800"},
        {"word": []},
    ]
    for change in changes:
        response = client.post(reverse("api-tables"), json.dumps(good | change), content_type="application/json")
        assert_refused(response, 400)
    page = {"game": "ra", "seats": "4", "seat-1": "scribe"}
    for change in (
        {"seats": "x"},
        {"seats": "99"},
        {"seats": "\0"},
        {"seats": ""},
        {"seat-1": "oracle"},
        {"seat-1": "\0"},
        {"word": "x" * 61},
        {"word": "a\0"},
    ):
        assert_refused(client.post("/tables/new/", page | change), 400, 422)
    assert_refused(client.post("/tables/new/", page | {"game": "\0"}), 404)
    assert_refused(client.post("/tables/new/", page | {"game": "chess"}), 404)
    assert everything() == before


def test_tables_that_are_not_there(alice):
    client, before = signed_in(alice), everything()
    for number in ("0", "999999", str(2**63), HUGE, "9" * 5000):
        for name in PAGE_POSTS:
            assert_refused(client.post(f"/tables/{number}/{name}/", {"expected_version": 1, "action": "draw", "order": "x"}), 404)
        for part in ("", "log/", "stream/", "record/"):
            assert_refused(client.get(f"/api/v1/tables/{number}/{part}"), 404)
        for part in ("actions/", "undo/", "join/", "leave/", "start/"):
            body = {"expected_version": 1, "action": "draw"}
            assert_refused(client.post(f"/api/v1/tables/{number}/{part}", json.dumps(body), content_type="application/json"), 404)
        assert_refused(client.get(f"/tables/{number}/record/"), 404)
        assert_refused(client.get(f"/tables/{number}/"), 404)
    for number in ("-1", "1.5", "x", "٣", "%00"):
        assert_refused(client.post(f"/tables/{number}/act/", {}), 400, 404)
        assert_refused(client.post(f"/api/v1/tables/{number}/actions/", {}, content_type="application/json"), 400, 404)
    assert everything() == before


def test_strangers_and_visitors_change_nothing(game, charlie):
    before = everything()
    data = {"action": "draw", "expected_version": game.version, "order": "at most 13", "level": "scribe", "seat": "0"}
    for client in (signed_in(charlie), Client(raise_request_exception=False)):
        for name in PAGE_POSTS:
            response = client.post(f"/tables/{game.pk}/{name}/", data)
            if response.status_code == 302:  # asked to sign in first
                assert response.url.startswith("/accounts/login/")
            else:
                assert_refused(response, 403, 409)
        for name in API_POSTS:
            assert_refused(client.post(reverse(name, args=[game.pk]), json.dumps(data), content_type="application/json"), 401, 403, 409)
        assert_refused(client.put(reverse("api-order", args=[game.pk]), json.dumps(data), content_type="application/json"), 401, 403)
        assert_refused(client.delete(reverse("api-order", args=[game.pk])), 401, 403)
    assert everything() == before


def test_the_seat_that_is_not_due_changes_nothing(game, due, alice, bob):
    other, before = bob if due == alice else alice, everything()
    client = signed_in(other)
    assert_refused(client.post(f"/tables/{game.pk}/act/", {"action": "draw", "expected_version": game.version}), 409)
    body = json.dumps({"action": "draw", "expected_version": game.version})
    assert_refused(client.post(reverse("api-act", args=[game.pk]), body, content_type="application/json"), 409)
    assert everything() == before


def test_a_finished_table_changes_no_more(game, due, alice, charlie):
    play_on(game.pk)
    before = everything()
    version = Table.objects.get(pk=game.pk).version
    data = {"action": "draw", "expected_version": version, "order": "at most 13", "level": "scribe", "seat": "0"}
    for user in (alice, charlie):
        client = signed_in(user)
        for name in PAGE_POSTS:
            assert_refused(client.post(f"/tables/{game.pk}/{name}/", data), 403, 409)
        for name in API_POSTS:
            assert_refused(client.post(reverse(name, args=[game.pk]), json.dumps(data), content_type="application/json"), 403, 409)
    assert everything() == before


@pytest.mark.parametrize(
    "header",
    [
        "Token x",
        "Token",
        "Token  ",
        "Token a b",
        f"Token {'0' * 40}",
        "Token \u00e9",
        "Token ' OR 1=1",
        f"Token {HUGE}",
        "Bearer x y",
        "Token %00",
    ],
)
def test_wrong_tokens(game, header):
    before = everything()
    client = Client(raise_request_exception=False)
    for name in API_POSTS:
        body = json.dumps({"action": "draw", "expected_version": game.version})
        response = client.post(reverse(name, args=[game.pk]), body, content_type="application/json", headers={"Authorization": header})
        assert_refused(response, 401)
    assert everything() == before


def test_a_token_of_another_person_acts_for_that_person_only(game, due, charlie):
    token = token_for_sign_in(user=charlie)
    before = everything()
    body = json.dumps({"action": "draw", "expected_version": game.version})
    client = signed_in(due)  # the session has the seat, the token does not: the token counts
    response = client.post(
        reverse("api-act", args=[game.pk]), body, content_type="application/json", headers={"Authorization": f"Token {token}"}
    )
    assert_refused(response, 403)
    assert everything() == before


def test_nothing_is_posted_without_its_csrf_token(game, due):
    client = signed_in(due, enforce_csrf_checks=True)
    before = everything()
    data = {
        "action": "draw",
        "expected_version": game.version,
        "word": "",
        "level": "scribe",
        "seat": "0",
        "language": "hu",
        "theme": "dark",
    }
    posts = [f"/tables/{game.pk}/{name}/" for name in PAGE_POSTS] + [
        *SITE_POSTS,
        "/verify/",
        f"/lobby/{game.pk}/join/",
        "/accounts/login/",
        "/accounts/signup/",
    ]
    for path in posts:
        for extra in ({}, {"csrfmiddlewaretoken": "x"}, {"csrfmiddlewaretoken": "a" * 64}):
            assert_refused(client.post(path, data | extra), 403)
    for name in API_POSTS:
        assert_refused(client.post(reverse(name, args=[game.pk]), json.dumps(data), content_type="application/json"), 403)
    assert_refused(client.put(reverse("api-order", args=[game.pk]), json.dumps(data), content_type="application/json"), 403)
    assert_refused(client.post(reverse("api-tables"), json.dumps({"game": "ra", "seats": 3}), content_type="application/json"), 403)
    assert everything() == before


def test_a_get_changes_nothing(game, due):
    client, before = signed_in(due), everything()
    data = {"action": "draw", "expected_version": game.version, "order": "at most 13", "level": "scribe", "seat": "0"}
    for name in PAGE_POSTS:
        assert client.get(f"/tables/{game.pk}/{name}/", data).status_code in (302, 405)
    for name in API_POSTS:
        assert_refused(client.get(reverse(name, args=[game.pk]), data), 405)
    for path in SITE_POSTS:
        assert client.get(path, data).status_code in (200, 302, 403, 405), path
    for method in ("put", "delete", "patch"):
        assert_refused_or_405(getattr(client, method)(f"/tables/{game.pk}/act/", data))
        assert_refused(getattr(client, method)(reverse("api-act", args=[game.pk]), json.dumps(data), content_type="application/json"), 405)
    assert everything() == before


def assert_refused_or_405(response):
    assert response.status_code == 405 or 400 <= response.status_code < 500


def test_odd_texts_in_the_forms_of_people(client, db):
    client.raise_request_exception = False
    before = everything()
    for text in ODD_WORDS:
        for path, data in (
            ("/accounts/login/", {"login": text, "password": text}),
            ("/accounts/signup/", {"username": text + "!", "password1": text, "email": text}),
            ("/language/", {"language": text, "next": text}),
            ("/theme/", {"theme": text, "next": text}),
        ):
            response = client.post(path, data)
            assert response.status_code < 500, (path, text)
            assert "\n" not in response.headers.get("Location", "")
            assert not response.headers.get("Location", "/").startswith(("//", "http"))
        sign_in = client.post("/api/v1/token/", json.dumps({"username": text, "password": text}), content_type="application/json")
        assert sign_in.status_code in (400, 401, 403, 429), (sign_in.status_code, text)
    assert everything() == before


def test_seats_of_bots_that_are_not_there(alice, bob):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    services.join_table(table_id=table_id, user=bob)
    client, before = signed_in(alice), everything()
    for seat in ["", "-1", "0", "1", "2", "9", "999", "9999", "x", HUGE, "\0"]:
        assert_refused(client.post(f"/tables/{table_id}/remove-bot/", {"seat": seat}), 400)
    for level in ["", "oracle", "random", "\0", "x" * 500]:
        assert_refused(client.post(f"/tables/{table_id}/add-bot/", {"level": level}), 400)
    for word in ["x" * 61, "a\0", "a\nb"]:
        assert_refused(signed_in(bob).post(f"/tables/{table_id}/act/", {"action": "draw", "expected_version": 1, "word": word}), 409)
    assert everything() == before
