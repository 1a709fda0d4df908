"""Whatever anyone sends to an address of a club: an answer, never a server error, and no word about a private club."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone

from portal.clubs import announcements, calendar, entry_views, members, services, ways_in
from portal.clubs.models import Ban, Invitation, JoinRequest, Season
from portal.common.limits import Use
from portal.contests import duplicates
from portal.contests.league_draw import Wish
from portal.contests.leagues import start_league
from portal.contests.models import Entrant, League, Pairing
from portal.contests.seasons import make_season
from portal.tables import services as tables
from portal.tables.models import Table
from tests.portal.clubs.conftest import person
from tests.portal.clubs.test_permissions import everything, taken_back, writes

pytestmark = pytest.mark.django_db
HUGE = 10**25
VALUES = ("a\x00b", "x" * 10_000, "\u202eabc", "-1", "9" * 400, "9999-12-31T23:59", "0001-01-01")
READS_ADDRESS = ("seasons/<int:pk>/leagues/draw/", "duplicates/new/")  # a GET there repeats the form's values
DAY = timezone.now().date()
TEXTS = {"about_en": "a", "about_hu": "b", "about_ru": "c"}
RULES = {"name": "Ninlil", "joining": "open"}
EVENING = {"title": "One", "starts_at": f"{DAY + timedelta(days=9)}T20:00", "game": "ra", "text": "Come."}
SEASON = {"name": "Summer", "game": "ra", "starts_at": str(DAY + timedelta(days=2)), "ends_at": str(DAY + timedelta(days=40))}
LEAGUE = {
    "game": "ra",
    "form": "once",
    "name": "More",
    "rounds": "",
    "days": "7",
    "who": "alice",
    "others": "bob, olga",
    "bot-scribe": "1",
    "seed": "s",
}
TABLES = {"name": "Week 2", "game": "ra", "seats": "2", "n_tables": "2", "seat-0": "", "seat-1": "scribe", "unrated": "on"}
FORMS: dict[str, dict[str, str]] = {  # what the form of an address sends when it is valid
    "clubs/new/": RULES | TEXTS,
    "join/": {},
    "ask/": {"message": "Let me in."},
    "withdraw/": {},
    "leave/": {"sure": "no"},
    "members/invite/": {"username": "charlie"},
    "members/ban/": {"username": "charlie", "reason": "Rude."},
    "members/<int:pk>/remove/": {},
    "members/<int:pk>/role/": {"do": "officer"},
    "requests/<int:pk>/": {"do": "decline"},
    "invitations/<int:pk>/withdraw/": {},
    "bans/<int:pk>/lift/": {},
    "announcements/new/": {"title": "Two", "text": "Text.", "is_pinned": "on"},
    "announcements/<int:pk>/": {"do": "pin"},
    "calendar/new/": EVENING,
    "calendar/<int:pk>/": EVENING,
    "calendar/<int:pk>/call-off/": {},
    "calendar/<int:pk>/answer/": {"answer": "yes"},
    "settings/texts/": TEXTS,
    "settings/rules/": RULES,
    "settings/link/": {},
    "settings/hand-over/": {"username": "olga"},
    "settings/close/": {"name": "Enlil"},
    "seasons/new/": SEASON,
    "seasons/<int:pk>/edit/": SEASON,
    "seasons/<int:pk>/leagues/draw/": LEAGUE,
    "leagues/<int:pk>/pairings/<int:pairing>/deadline/": {"deadline": str(DAY + timedelta(days=9)), "reason": "Ill."},
    "leagues/<int:pk>/pairings/<int:pairing>/void/": {"reason": "Ill."},
    "leagues/<int:pk>/entrants/<int:entrant>/": {"reason": "Ill."},
    "duplicates/new/": TABLES,
    "duplicates/<int:pk>/sit/": {"table": "1", "seat": "0"},
    "duplicates/<int:pk>/start/": {"table": "1"},
}


@pytest.fixture
def full(club, alice, olga, bob, charlie):
    """The club with one of everything that an address can refer to."""
    ways_in.ask(club=club, user=person("asking"))
    ways_in.invite(club=club, actor=olga, person=person("invited"))
    announcements.announce(club=club, actor=olga, title="One")
    calendar.create_evening(club=club, actor=olga, title="One", starts_at=timezone.now() + timedelta(days=3))
    season = make_season(club=club, actor=alice, name="Spring", ends_at=timezone.now() + timedelta(days=60))
    wish = Wish(name="Ra", game="ra", form="once", members=["alice", "bob", "olga"], seed="s")
    start_league(club=club, actor=olga, season_id=season.pk, wish=wish)
    duplicates.create_set(club=club, actor=olga, name="Week 1", game="ra", seats=2, n_tables=2)
    tables.create_table(owner=bob, game_key="ra", seats=3, club=club)
    return club


def routes() -> Iterator[str]:
    """Every page of the site below a club; the API has its own tests."""
    for pattern in get_resolver().url_patterns:
        for part in getattr(pattern, "url_patterns", []):
            if not str(pattern.pattern) and str(part.pattern).startswith("clubs/<slug:slug>/"):
                yield str(part.pattern).removeprefix("clubs/<slug:slug>/")


def number_of(route, club, bob):
    """Return the id of the object of this club for the first number in a route."""
    kinds = {
        "members/": bob.pk,
        "requests/": JoinRequest.objects.get().pk,
        "invitations/": Invitation.objects.get().pk,
        "bans/": Ban.objects.get().pk,
        "announcements/": club.announcements.get().pk,
        "calendar/": club.evenings.get().pk,
        "seasons/": Season.objects.get().pk,
        "leagues/": League.objects.get().pk,
        "duplicates/": club.duplicate_sets.get().pk,
    }
    return next(pk for start, pk in kinds.items() if route.startswith(start))


def filled(route, club, bob):
    """Return the address of a route, with ids of existing objects."""
    if "<int:pk>" in route:
        route = route.replace("<int:pk>", str(number_of(route, club, bob)))
    route = route.replace("<int:pairing>", str(Pairing.objects.first().pk)).replace("<int:entrant>", str(Entrant.objects.first().pk))
    return f"/clubs/{club.slug}/{re.sub(r'<(str|slug):game>', 'ra', route)}"


@pytest.fixture
def unlimited(monkeypatch):
    monkeypatch.setattr("portal.common.limits.use", lambda *_args, **_limits: Use(1, 1))
    monkeypatch.setattr(entry_views, "CLUBS_PER_DAY", 10**6)


def test_every_form_is_known_here(full, bob):
    buttons = {route for route in routes() if route.endswith(("/play/", "/end/", "/delete/", "/close/")) and route not in FORMS}
    client = Client()
    client.force_login(bob)
    silent = {route for route in routes() if client.post(filled(route, full, bob)).status_code == 405}
    assert {route for route in routes() if route not in silent} - buttons == set(FORMS) - {"clubs/new/"}


def test_a_form_in_order_is_carried_out(full, alice, bob, charlie, unlimited):
    """So that the refusals below come from the one changed value."""
    refused = {}
    for route, sent in FORMS.items():
        with taken_back():
            client = Client()
            client.force_login(charlie if route in ("join/", "ask/", "withdraw/") else alice)
            status = client.post(f"/{route}" if route == "clubs/new/" else filled(route, full, bob), sent).status_code
            if status != 303:
                refused[route] = status
    assert refused == {"join/": 403, "withdraw/": 409, "leave/": 422, "duplicates/<int:pk>/sit/": 404, "duplicates/<int:pk>/start/": 404}


@pytest.mark.parametrize("value", VALUES, ids=lambda value: ascii(value)[:20])
def test_no_value_of_any_field_is_a_fault(full, alice, bob, unlimited, value):
    """Each field of each form in turn; a refusal changes nothing."""
    client = Client()
    client.force_login(alice)
    before = everything()
    for route, sent in FORMS.items():
        address = f"/{route}" if route == "clubs/new/" else filled(route, full, bob)
        for field in sent:
            with taken_back(), writes() as written:
                answer = client.post(address, {**sent, field: value})
                assert answer.status_code in (303, 400, 403, 404, 409, 422), (route, field)
                if answer.status_code != 303 and written:
                    assert everything() == before, (route, field)
        if route in READS_ADDRESS and "\x00" not in value:
            for field in sent:
                answer = client.get(f"{address}?{urlencode({**sent, field: value})}")
                assert answer.status_code in (200, 302, 303, 400, 404, 405, 422), (route, field)
    assert everything() == before


def test_a_form_without_its_fields_is_refused_and_changes_nothing(full, alice, bob, unlimited):
    client = Client()
    client.force_login(alice)
    for route, sent in FORMS.items():
        address = f"/{route}" if route == "clubs/new/" else filled(route, full, bob)
        for left_out in sent:
            with taken_back():
                answer = client.post(address, {field: value for field, value in sent.items() if field != left_out})
                assert answer.status_code in (302, 303, 400, 403, 404, 409, 422), (route, left_out)


def test_no_number_of_an_address_is_a_fault(full, alice, bob, unlimited):
    """Ids of nothing, of another kind, of another club, and beyond the range of the database."""
    client = Client()
    client.force_login(alice)
    other = services.create_club(owner=bob, name="Other")
    evening = calendar.create_evening(club=other, actor=bob, title="One", starts_at=timezone.now() + timedelta(days=3))
    before = everything()
    for route in routes():
        if "<int:" not in route:
            continue
        for number in ("0", str(evening.pk + 10**6), str(2**63 - 1), str(2**63), str(HUGE), "9" * 5000):
            address = f"/clubs/{full.slug}/{re.sub('<int:[a-z]+>', number, route)}"
            for method in (client.get, client.post):
                assert method(address, FORMS.get(route, {})).status_code in (400, 404, 405, 409), (route, number)
    assert everything() == before


# Outsiders learn nothing about a private club


def told(answer, slug):
    """Return an answer without the parts that vary; the requested address may differ."""
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    headers = {key: value.replace(slug, "SLUG") for key, value in answer.headers.items() if key not in ("Set-Cookie", "Content-Length")}
    return answer.status_code, headers, body.replace(slug, "SLUG")


def test_hidden_and_missing_clubs_answer_alike_and_cost_the_same(full, alice, bob, charlie, guest, zoe, unlimited):
    """Visitors, guests, strangers, and people who are banned, were members, ask to join or are invited: status, headers, body, statements."""
    members.leave(club=full, user=bob)
    asking, invited = JoinRequest.objects.get().user, Invitation.objects.get().user
    services.change_settings(club=full, actor=alice, name=full.name, is_private=True, joining="open")
    missing = "n" * len(full.slug)
    addresses = {route: filled(route, full, bob) for route in routes()}
    assert len(addresses) >= 45
    client = Client()
    client.force_login(alice)
    answers = set()  # routes with the methods that they know; each other method is tried by one of the people
    for route, address in addresses.items():
        for method in ("get", "post"):
            with taken_back():
                if getattr(client, method)(address).status_code != 405:
                    answers.add((route, method))
    assert len(answers) > len(addresses)
    for number, user in enumerate((None, guest, charlie, zoe, bob, asking, invited)):
        client = Client()
        if user is not None:
            client.force_login(user)
        client.get("/")
        for at, (route, address) in enumerate(addresses.items()):
            for method in ("get", "post", *(["options"] if at % 7 == number else [])):
                if (route, user, method) == ("withdraw/", asking, "post"):
                    continue  # people can withdraw their request even when the club has become private
                if (route, method) not in answers and at % 7 != number:
                    continue
                found = []
                for slug in (full.slug, missing):
                    with CaptureQueriesContext(connection) as queries, taken_back():
                        answer = getattr(client, method)(address.replace(f"/{full.slug}/", f"/{slug}/", 1))
                    found.append((told(answer, slug), len(queries)))
                assert found[0] == found[1], (user, route, method)
                if method != "options":
                    assert found[0][0][0] in (302, 404, 405, 409), (
                        user,
                        route,
                        method,
                    )  # a page that asks people to sign in may come first


def test_bodies_that_cannot_be_read_are_refused(full, alice, bob, unlimited):
    client = Client()
    client.force_login(alice)
    before = everything()
    for route in ("settings/texts/", "announcements/new/", "members/invite/", "duplicates/new/", "seasons/new/"):
        address = filled(route, full, bob)
        for kind, body in (
            ("application/x-www-form-urlencoded", b"title=%ED%A0%80&username=%FF%FE&name=%C3%28&about_en=%00"),
            ("application/x-www-form-urlencoded", b"&".join(b"x%d=1" % n for n in range(5000))),
            ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=title\r\n\r\nhalf"),
            ("application/json", b'{"name": "One"}'),
            ("text/plain", b"\x00\xff"),
        ):
            with taken_back():
                assert client.post(address, body, content_type=kind).status_code in (303, 400, 404, 413, 422), (route, kind, body[:20])
    assert everything() == before


def test_tables_that_nobody_may_know_of_have_no_place_in_what_others_get(full, alice, bob, charlie):
    services.change_settings(club=full, actor=alice, name=full.name, is_private=True, joining="open")
    client = Client()
    client.force_login(charlie)
    numbers = list(Table.objects.values_list("pk", flat=True))
    for address in (
        "/",
        "/lobby/",
        "/clubs/",
        "/people/bob/",
        "/people/bob/ra/",
        "/people/bob/against/alice/",
        "/leaderboards/all/",
        "/settings/",
    ):
        html = client.get(address).content.decode()
        assert "Enlil" not in html and full.slug not in html, address
        assert not any(f"/tables/{number}/" in html for number in numbers), address


def test_lists_with_tables_of_private_clubs_are_kept_by_nobody_on_the_way(full, alice, bob):
    services.change_settings(club=full, actor=alice, name=full.name, is_private=True, joining="open")
    client = Client()
    addresses = ("/", "/lobby/", "/clubs/", "/people/bob/", "/people/bob/against/alice/", "/tables/new/", "/leaderboards/all/")
    assert not any(client.get(address).has_header("Cache-Control") for address in addresses)
    client.force_login(bob)
    assert "Enlil" in client.get("/lobby/").content.decode()
    for address in addresses:
        assert client.get(address)["Cache-Control"] == "private, no-cache", address
    assert client.get("/robots.txt")["Cache-Control"] == "max-age=86400, public"
