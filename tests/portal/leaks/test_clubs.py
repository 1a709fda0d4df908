"""Tables of private clubs and of unrevealed duplicate sets: for everybody else they do not exist, byte for byte."""

from __future__ import annotations

import secrets
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from games.core.rng import SeededRng
from portal.clubs import members, ways_in
from portal.clubs import services as clubs
from portal.clubs.models import Club, DuplicateSet
from portal.contests import duplicates
from portal.live.tokens import CLUB_LIFETIME_S, LIFETIME_S, ExpiredToken, read_token
from portal.ratings.services import apply_pending
from portal.tables import citations, selectors, services
from portal.tables.loading import load
from portal.tables.models import Table
from rules_docs import loader
from rules_docs.models import Book
from tests.portal.clubs.conftest import person
from tests.portal.tables.driver import play_on, step
from tests.portal.tables.ending import end

from .eyes import HEADER_MASKS, Eyes, differences, masked

pytestmark = pytest.mark.django_db
MISSING = 987_654_321


@pytest.fixture(scope="module", autouse=True)
def _book(django_db_setup, django_db_blocker):
    """The rule book of Ra, whose pages tell of finished games."""
    with django_db_blocker.unblock():
        loader.load("ra")
    yield
    with django_db_blocker.unblock():
        Book.objects.all().delete()


@pytest.fixture
def dora(db):
    return person("dora")


@pytest.fixture
def club(alice, bob, dora):
    """Private: Alice owns it, Bob and Dora are members, Charlie is a stranger."""
    found = clubs.create_club(owner=alice, name="Enlil")
    clubs.change_settings(club=found, actor=alice, name="Enlil", is_private=True, joining="request")
    for user in (bob, dora):
        ways_in.join_by_link(code=found.link_code, user=user)
    return Club.objects.get(pk=found.pk)


@pytest.fixture
def public(club, alice):
    return clubs.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining="open")


@pytest.fixture
def hidden(club, alice, bob, fixed_secret):
    """Alice and Bob play Ra in the private club."""
    table_id = services.create_table(owner=alice, game_key="ra", seats=2, club=club).table.pk
    return services.join_table(table_id=table_id, user=bob).table.pk


@pytest.fixture
def made(public, alice, bob, fixed_secret):
    """Two tables of Ra in a public club, each with one person and a bot: Alice at the first, Bob at the second."""
    found = duplicates.create_set(club=public, actor=alice, name="Week 1", game="ra", seats=2, n_tables=2, bots=("", "apprentice"))
    for table_id, user in zip(ids(found), (alice, bob), strict=True):
        duplicates.take_seat(duplicate=found, table_id=table_id, user=user, seat=0)
    return found


def ids(duplicate):
    return list(Table.objects.filter(duplicate=duplicate).order_by("pk").values_list("pk", flat=True))


def steps(table_id, count, seed):
    rng = SeededRng(seed)
    for _ in range(count):
        step(table_id, rng)


CLUB_PAGES = ("", "tables/", "games/", "members/", "duplicates/", "log/", "leaderboard/all/", "records/", "seasons/")
CITED = ("end-1", "end-2", "score-2")  # paragraphs that every end of a game of Ra cites, one of the first two
LISTS = (
    "/", "/lobby/", "/clubs/", "/people/alice/", "/people/bob/", "/leaderboards/ra/",
    *(f"/en/rules/ra/when/{anchor}/" for anchor in CITED),
)  # fmt: skip
API_LISTS = ("/api/v1/tables/", "/api/v1/tables/?list=mine", "/api/v1/tables/?list=finished")


def look(eyes, *paths, bearer_paths=API_LISTS):
    """Return what somebody gets at these addresses, at all lists and at the pages of the club."""
    cache.clear()
    citations.read_new()  # as the worker does when a game has ended
    seen = {}
    for path in (*paths, *LISTS, *(f"/clubs/enlil/{page}" for page in CLUB_PAGES)):
        seen[path] = answer(eyes.client.get(path))
    for path in bearer_paths:
        seen[f"api {path}"] = answer(eyes.client.get(path, headers=eyes.bearer))
    return seen


def answer(response):
    headers = tuple(sorted((key, value) for key, value in response.headers.items() if key not in HEADER_MASKS))
    return response.status_code, headers, masked(response.content)


# Private clubs


@pytest.mark.parametrize("who", ["charlie", "visitor"])
def test_a_private_table_answers_like_one_that_is_not_there(hidden, charlie, who):
    """Pages, fragments, log, record, verification, API, streams and every refused request; no list mentions it."""
    eyes = Eyes(charlie if who == "charlie" else None)
    before = eyes.see(hidden)
    for name, (status, _headers, _body) in before.items():
        if f"/{hidden}/" in name:
            assert status == 404, name
    steps(hidden, 25, seed=3)
    assert differences(before, eyes.see(hidden)) == []
    end(hidden)
    assert differences(before, eyes.see(hidden)) == []  # before the ratings count it
    assert not any(b"Enlil" in body for _, _, body in before.values())


def test_the_same_requests_find_the_same_at_a_table_that_is_not_there(hidden, charlie):
    eyes = Eyes(charlie)
    page, api = "/tables/{}/", "/api/v1/tables/{}/"
    posts = {
        "act/": {"action": "draw", "expected_version": "1"},
        "undo/": {"expected_version": "1"},
        "redo/": {"expected_version": "x"},
        "order/": {"order": "pass"},
        "join/": {"word": "x" * 99},
        "leave/": {},
        "start/": {},
        "add-bot/": {"level": "scribe"},
        "remove-bot/": {"seat": "1"},
    }
    for client in (eyes.client, Eyes().client):
        for path in (page, f"{page}?a=god", f"{page}region/", f"{page}region/?v=1", f"{page}log/", f"{page}record/", "/verify/?table={}"):
            assert same(client.get(path.format(hidden)), client.get(path.format(MISSING)), hidden), path
        for path, data in posts.items():
            if path == "join/" and client is not eyes.client:
                continue  # a visitor is asked to sign in first, whatever the number
            for headers in ({}, {"HX-Request": "true"}):
                there, missing = (client.post(page.format(number) + path, data, headers=headers) for number in (hidden, MISSING))
                assert there.status_code == 404, path
                assert same(there, missing, hidden), path
        assert same(client.post(f"/lobby/{hidden}/join/"), client.post(f"/lobby/{MISSING}/join/"), hidden)
    for path in (api, f"{api}log/", f"{api}stream/", f"{api}record/", f"{api}record/?full=1"):
        there, missing = (eyes.client.get(path.format(number), headers=eyes.bearer) for number in (hidden, MISSING))
        assert (there.status_code, there.content) == (404, missing.content), path
    bodies = {
        "actions/": {"action": "draw", "expected_version": 1},
        "undo/": {"expected_version": 1},
        "redo/": {"expected_version": 1},
        "join/": {},
        "leave/": {},
        "start/": {},
    }
    for path, body in bodies.items():
        there, missing = (
            eyes.client.post(api.format(number) + path, body, content_type="application/json", headers=eyes.bearer)
            for number in (hidden, MISSING)
        )
        assert (there.status_code, there.content) == (404, missing.content), path
    for method in ("put", "delete"):
        there, missing = (
            getattr(eyes.client, method)(
                f"{api.format(number)}order/", {"order": "pass"}, content_type="application/json", headers=eyes.bearer
            )
            for number in (hidden, MISSING)
        )
        assert (there.status_code, there.content) == (404, missing.content), method


def same(there, missing, number):
    """Compare two answers; only the number that was asked for may differ."""
    one, other = (masked(response.content) for response in (there, missing))
    return (there.status_code, one) == (missing.status_code, other.replace(str(MISSING).encode(), str(number).encode()))


def test_members_see_the_private_table_so_the_comparison_would_find_it(hidden, dora):
    eyes = Eyes(dora)
    before = look(eyes, f"/tables/{hidden}/", f"/tables/{hidden}/region/")
    steps(hidden, 5, seed=3)
    changed = [line.split(": ", 1)[0] for line in differences(before, look(eyes, f"/tables/{hidden}/", f"/tables/{hidden}/region/"))]
    assert f"/tables/{hidden}/" in changed
    assert "/clubs/enlil/tables/" in changed
    end(hidden)
    after = look(eyes, f"/tables/{hidden}/", f"/tables/{hidden}/region/")
    changed = [line.split(": ", 1)[0] for line in differences(before, after)]
    assert not any(path.startswith("/en/rules/") for path in changed), "the rule pages tell everybody the same"


def test_lists_of_a_stranger_do_not_depend_on_private_tables(club, hidden, alice, bob, charlie):
    viewers = (Eyes(charlie), Eyes())
    before = [look(eyes) for eyes in viewers]
    services.create_table(owner=bob, game_key="babel", seats=2, club=club)
    services.create_table(owner=alice, game_key="ra", seats=3, club=club)
    end(hidden)
    for eyes, seen in zip(viewers, before, strict=True):
        assert differences(seen, look(eyes)) == []


def test_who_is_removed_sees_no_more_and_gets_no_new_token(club, hidden, alice, dora, charlie):
    """A token keeps giving version numbers for its few minutes; the versions themselves are refused."""
    client = Eyes(dora).client
    version = load(hidden).table.version
    for v in (version, version - 1):
        renewed = client.head(f"/tables/{hidden}/region/?v={v}&stream=1")["X-Stream"]
        assert said_by(renewed, hidden) == (dora.pk, pytest.approx(CLUB_LIFETIME_S, abs=5))
    assert "X-Stream" not in client.get(f"/tables/{hidden}/region/?v=1")
    url = selectors.table_page(hidden, dora).stream.url
    assert read_token(token_of(url), hidden)
    members.remove(club=club, actor=alice, member=dora)
    for path in ("", "region/", "region/?v=1", f"region/?v={version}&stream=1", "log/", "record/"):
        answer = client.get(f"/tables/{hidden}/{path}")
        assert answer.status_code == 404 and "X-Stream" not in answer
    with time_machine.travel(timezone.now() + timedelta(seconds=CLUB_LIFETIME_S)), pytest.raises(ExpiredToken):
        read_token(token_of(url), hidden)
    assert Eyes(dora).client.get(f"/api/v1/tables/{hidden}/stream/").status_code == 404
    before = Eyes(dora).see(hidden)
    steps(hidden, 10, seed=1)
    assert differences(before, Eyes(dora).see(hidden)) == []


def token_of(url):
    return parse_qs(urlsplit(url).query)["token"][0]


def said_by(url, table_id):
    """The viewer and the seconds of a stream's address."""
    found = read_token(token_of(url), table_id)
    return found.viewer, found.left_s


def test_addresses_of_streams_live_short_at_tables_of_clubs(public, hidden, alice, bob, charlie):
    """Also for a public club, which may become private; a table without a club is unaffected."""
    of_nobody = services.create_table(owner=bob, game_key="ra", seats=3).table.pk
    for table_id, user, lifetime in ((hidden, bob, CLUB_LIFETIME_S), (hidden, charlie, CLUB_LIFETIME_S), (of_nobody, bob, LIFETIME_S)):
        eyes = Eyes(user)
        answer = eyes.client.get(f"/api/v1/tables/{table_id}/stream/", headers=eyes.bearer).json()
        assert answer["expires_in_s"] == lifetime
        assert said_by(answer["url"], table_id) == (user.pk, pytest.approx(lifetime, abs=5))


def test_a_table_moves_out_of_sight_when_its_club_becomes_private(public, alice, bob, charlie):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=public).table.pk
    eyes = Eyes(charlie)
    assert eyes.client.get(f"/tables/{table_id}/").status_code == 200
    clubs.change_settings(club=public, actor=alice, name=public.name, is_private=True, joining="open")
    assert eyes.client.get(f"/tables/{table_id}/").status_code == 404


# Duplicate sets


def others(made, dora, charlie, bob):
    """Everybody but the people at the first table: another table's player, a member, a stranger, a visitor."""
    return {"bob": Eyes(bob), "dora": Eyes(dora), "charlie": Eyes(charlie), "visitor": Eyes()}


def paths_of(made, name):
    one, two = ids(made)
    own = [f"/tables/{two}/", f"/tables/{two}/log/"] if name == "bob" else []
    return [*own, f"/clubs/enlil/duplicates/{made.pk}/", *(f"/tables/{one}/{path}" for path in ("", "region/", "log/", "record/")),
            f"/verify/?table={one}", f"/api/v1/tables/{one}/", f"/api/v1/tables/{one}/log/", f"/api/v1/tables/{one}/stream/"]  # fmt: skip


def test_what_happens_at_an_unrevealed_table_reaches_nobody_else(made, alice, bob, dora, charlie):
    """Moves, chance, a person who leaves: not a byte changes for the player of another table, members, strangers, visitors."""
    one, _two = ids(made)
    viewers = others(made, dora, charlie, bob)
    for eyes in viewers.values():  # a page also records that its reader has seen it
        eyes.client.get(f"/tables/{ids(made)[1]}/")
    before = {name: look(eyes, *paths_of(made, name)) for name, eyes in viewers.items()}
    for name, seen in before.items():
        for path, (status, _headers, _body) in seen.items():
            if f"/{one}/" in path and path.startswith(("/tables/", "/api/")):
                assert status == 404, (name, path)
    steps(one, 40, seed=5)
    for name, eyes in viewers.items():
        assert differences(before[name], look(eyes, *paths_of(made, name))) == [], name
    services.leave_table(table_id=one, user=alice)
    steps(one, 10, seed=5)
    for name, eyes in viewers.items():
        found = differences(before[name], look(eyes, *paths_of(made, name)))
        assert found == [], name


def test_every_request_of_others_is_answered_alike_while_the_table_plays(made, bob, charlie):
    one, _two = ids(made)
    for eyes in (Eyes(bob), Eyes(charlie)):
        before = eyes.see(one)
        steps(one, 15, seed=2)
        assert differences(before, eyes.see(one)) == []


def test_how_an_unrevealed_table_ended_is_told_to_its_players_alone(made, bob, dora, charlie):
    """Only the fact that it is over is shown: no places, points, ratings, honours or totals."""
    one, _two = ids(made)
    end(one, seed=1)
    apply_pending()
    viewers = others(made, dora, charlie, bob)
    for eyes in viewers.values():
        eyes.client.get(f"/tables/{ids(made)[1]}/")
    before = {name: look(eyes, *paths_of(made, name)) for name, eyes in viewers.items()}
    turn_over(one)
    apply_pending()
    for name, eyes in viewers.items():
        assert differences(before[name], look(eyes, *paths_of(made, name))) == [], name


def turn_over(table_id):
    """Write another end for a table: places, points, position, log."""
    table = load(table_id).table
    seats = list(table.seats.order_by("index"))
    for seat, other in zip(seats, reversed([(seat.place, seat.score) for seat in seats]), strict=True):
        seat.place, seat.score = other[0], other[1] + 7
        seat.save()
    outcome = {**table.outcome, "places": table.outcome["places"][::-1], "scores": [score + 7 for score in table.outcome["scores"][::-1]]}
    Table.objects.filter(pk=table_id).update(outcome=outcome, recent=[], version=table.version + 5, seq=table.seq + 5)
    table.records.all().delete()


def test_the_player_of_a_finished_table_learns_nothing_of_the_secret(made, alice):
    """Their pages, log and refusals are the same with another secret."""
    one, _two = ids(made)
    play_on(one, seed=1)
    eyes = Eyes(alice)
    before = eyes.see(one)
    secret = bytes(made.secret).hex().encode()
    assert not any(secret in body.lower() for _, _, body in before.values())
    other = secrets.token_bytes(32)
    Table.objects.filter(duplicate=made).update(secret=other, counters={"bag": 3})
    DuplicateSet.objects.filter(pk=made.pk).update(secret=other)
    assert differences(before, eyes.see(one)) == []
    for path in (f"/tables/{one}/record/", f"/api/v1/tables/{one}/record/", f"/api/v1/tables/{one}/record/?full=1"):
        assert eyes.client.get(path).status_code == 409


def test_after_the_reveal_everything_is_there(made, charlie):
    """The same check finds secret, log and record then, so it would have found them before."""
    one, two = ids(made)
    end(one)
    end(two)
    secret = bytes(made.secret).hex().encode()
    client = Eyes(charlie).client
    for path in (f"/tables/{one}/", f"/tables/{one}/record/", f"/api/v1/tables/{one}/", f"/clubs/enlil/duplicates/{made.pk}/"):
        assert secret in client.get(path).content, path
    assert client.get(f"/tables/{one}/log/").status_code == 200
    seen = look(Eyes(charlie))
    for table_id in (one, two):
        assert any(f"/tables/{table_id}/replay/".encode() in seen[f"/en/rules/ra/when/{anchor}/"][2] for anchor in CITED)


def test_no_answer_about_a_hidden_table_may_be_kept(made, hidden, alice, bob):
    for user, table_id in ((alice, hidden), (alice, ids(made)[0]), (bob, hidden)):
        client = Eyes(user).client
        for path in ("", "region/", "log/"):
            control = client.get(f"/tables/{table_id}/{path}")["Cache-Control"]
            assert "private" in control and "no-cache" in control
