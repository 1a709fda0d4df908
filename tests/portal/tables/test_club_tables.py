"""Tables of clubs: who may open, join and see them; unrated tables; tables that a league seats."""

from __future__ import annotations

import itertools
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts.services import token_for_sign_in
from portal.clubs import members, ways_in
from portal.clubs import services as clubs
from portal.clubs.models import Club
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import NotAllowed, WrongMoment
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import refusals, selectors, services
from portal.tables.access import load_for, may_see, visible
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.services import Bot
from tests.portal.clubs.conftest import person
from tests.portal.leaks.eyes import masked

from .driver import play_on
from .ending import end

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(db):
    return person("olga")


@pytest.fixture
def club(alice, olga, bob):
    """Public. Alice owns it, Olga is an officer, Bob a member, Charlie a stranger."""
    found = clubs.create_club(owner=alice, name="Enlil", joining="open")
    for user in (olga, bob):
        ways_in.join_by_link(code=found.link_code, user=user)
    clubs.set_officer(club=found, actor=alice, member=olga, is_officer=True)
    return Club.objects.get(pk=found.pk)


@pytest.fixture
def private(club, alice):
    return clubs.change_settings(club=club, actor=alice, name=club.name, is_private=True, joining="invitation")


@pytest.fixture
def opened(private, bob):
    """An open table of Ra for three in the private club; Bob opened it."""
    return services.create_table(owner=bob, game_key="ra", seats=3, club=private).table


@pytest.fixture
def running(private, bob, alice):
    """Bob and Alice play Ra in the private club."""
    table_id = services.create_table(owner=bob, game_key="ra", seats=2, club=private).table.pk
    return services.join_table(table_id=table_id, user=alice).table


@pytest.fixture
def signed_in(client):
    def sign_in(user):
        client.logout()
        if user is not None:
            client.force_login(user)
        return client

    return sign_in


def bearer(user):
    return {"Authorization": f"Token {token_for_sign_in(user=user)}"}


# Who opens and who sits down


def test_owner_officer_and_member_open_tables(club, alice, olga, bob):
    for user in (alice, olga, bob):
        assert services.create_table(owner=user, game_key="ra", seats=3, club=club).table.club_id == club.pk


def test_outsiders_guests_and_the_banned_open_none(club, alice, charlie):
    zoe = person("zoe")
    ways_in.join_by_link(code=club.link_code, user=zoe)
    members.ban(club=club, actor=alice, person=zoe)
    guest = person("guest-abcde", is_guest=True)
    for user in (charlie, guest, zoe):
        with pytest.raises(NotAllowed):
            services.create_table(owner=user, game_key="ra", seats=3, club=club)
    assert not Table.objects.exists()


def test_a_private_club_is_not_there_for_outsiders_who_open_a_table(private, charlie):
    with pytest.raises(ClubNotFound):
        services.create_table(owner=charlie, game_key="ra", seats=3, club=private)


def test_nobody_opens_a_table_in_a_closed_club_or_starts_one(club, alice, bob):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    Club.objects.filter(pk=club.pk).update(closed_at="2026-01-01T00:00Z")  # as between two requests
    club.refresh_from_db()
    with pytest.raises(WrongMoment):
        services.create_table(owner=alice, game_key="ra", seats=3, club=club)
    for call in (
        lambda: services.join_table(table_id=table_id, user=alice),
        lambda: services.start_table(table_id=table_id, user=bob),
        lambda: services.add_bot(table_id=table_id, user=bob, level="apprentice"),
    ):
        with pytest.raises(refusals.WrongStatus):
            call()


def test_members_alone_sit_down(club, alice, bob, charlie):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    with pytest.raises(refusals.MembersOnly):
        services.join_table(table_id=table_id, user=charlie)
    assert load(table_id).seat_of(charlie) is None
    assert services.join_table(table_id=table_id, user=alice).seat_of(alice) == 1
    ways_in.join(club=club, user=charlie)
    assert services.join_table(table_id=table_id, user=charlie).table.status == "playing"


def test_who_owns_a_club_table_adds_bots_and_starts_as_before(club, bob):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    services.add_bot(table_id=table_id, user=bob, level="scribe")
    services.remove_bot(table_id=table_id, user=bob, seat=1)
    assert services.start_table(table_id=table_id, user=bob).table.status == "playing"


def test_a_stranger_watches_a_public_club_and_is_told_why_there_is_no_seat(club, bob, charlie, signed_in):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    client = signed_in(charlie)
    page = client.get(f"/tables/{table_id}/").content.decode()
    assert "Only club members can join" in page
    assert "Take seat</button>" not in page
    assert '<a href="/clubs/enlil/"><bdi>Enlil</bdi></a>' in page
    refused = client.post(f"/tables/{table_id}/join/")
    assert refused.status_code == 403
    assert "Only its members can take a seat" in refused.content.decode()
    assert client.post(f"/lobby/{table_id}/join/")["Location"] == "/lobby/"
    api = client.post(f"/api/v1/tables/{table_id}/join/", {}, content_type="application/json", headers=bearer(charlie))
    assert (api.status_code, api.json()["error"]["code"]) == (403, "members_only")
    assert client.get(f"/api/v1/tables/{table_id}/").json()["can_join"] is False
    assert load(table_id).seat_of(charlie) is None


# Who sees


def test_visible_and_may_see_agree(club, private, alice, bob, charlie):
    """Open, private and no club; seated or not; members, outsiders and visitors."""
    other = clubs.create_club(owner=charlie, name="Nabu", is_private=True)
    rows = [
        services.create_table(owner=alice, game_key="ra", seats=3),
        services.create_table(owner=bob, game_key="ra", seats=3, club=private),
        services.create_table(owner=charlie, game_key="ra", seats=3, club=other),
    ]
    public = clubs.create_club(owner=charlie, name="Utu")
    rows.append(services.create_table(owner=charlie, game_key="ra", seats=3, club=public))
    stranger = person("stranger")
    seen = {}
    for user in (alice, bob, charlie, stranger, None):
        found = set(visible(Table.objects.all(), user).values_list("pk", flat=True))
        seen[user] = [loaded.table.pk in found for loaded in rows]
        for loaded in rows:
            expected = loaded.table.pk in found
            assert may_see(load(loaded.table.pk), user) is expected
            assert may_see(Table.objects.get(pk=loaded.table.pk), user) is expected
    assert seen == {
        alice: [True, True, False, True],
        bob: [True, True, False, True],
        charlie: [True, False, True, True],
        stranger: [True, False, False, True],
        None: [True, False, False, True],
    }


def test_who_leaves_the_club_keeps_the_game_in_play_and_nothing_else(private, running, alice, bob, signed_in):
    opened = services.create_table(owner=alice, game_key="ra", seats=3, club=private).table
    services.join_table(table_id=opened.pk, user=bob)
    members.leave(club=private, user=bob)
    client = signed_in(bob)
    assert client.get(f"/tables/{opened.pk}/").status_code == 404
    page = client.get(f"/tables/{running.pk}/").content.decode()
    assert "Enlil" in page
    assert 'href="/clubs/enlil/"' not in page  # it would lead nowhere
    loaded = load(running.pk)
    if loaded.seats[loaded.table.due[0]].user != bob:
        services.submit_action(table_id=running.pk, user=alice, action="draw", expected_version=loaded.table.version)
        loaded = play_on(running.pk, until=lambda now: now.table.due and now.table.due[0] >= 0 and now.seats[now.table.due[0]].user == bob)
    data = {"action": str(loaded.game.legal_actions(loaded.state, loaded.table.due[0])[0]), "expected_version": loaded.table.version}
    assert client.post(f"/tables/{running.pk}/act/", data).status_code == 303
    end(running.pk)
    assert client.get(f"/tables/{running.pk}/").status_code == 200
    assert client.get(f"/tables/{running.pk}/record/").status_code == 200
    assert running.pk in {table.pk for table in selectors.recent_finished(viewer=bob)}


def test_who_leaves_table_and_club_is_led_to_the_lobby(private, running, bob, signed_in):
    members.leave(club=private, user=bob)
    client = signed_in(bob)
    answer = client.post(f"/tables/{running.pk}/leave/")
    assert (answer.status_code, answer["Location"]) == (303, "/lobby/")
    assert client.get(f"/tables/{running.pk}/").status_code == 404


def test_leaving_by_the_api_shows_nothing_more(private, running, bob, client):
    members.leave(club=private, user=bob)
    answers = [client.post(f"/api/v1/tables/{running.pk}/leave/", headers=bearer(bob)).status_code for _ in range(2)]
    assert answers == [204, 404]


def test_leaving_a_hidden_table_by_fragment_leads_away(private, running, bob, signed_in):
    members.leave(club=private, user=bob)
    answer = signed_in(bob).post(f"/tables/{running.pk}/leave/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, "/lobby/")


def test_load_for_says_the_same_of_a_hidden_and_a_missing_table(opened, charlie):
    said = []
    for table_id in (opened.pk, 10**9):
        with pytest.raises(refusals.TableNotFound) as error:
            load_for(table_id, charlie)
        said.append(str(error.value))
    assert len(set(said)) == 1


def test_tables_without_a_club_cost_no_statement_more_and_private_ones_one(
    duel, running, alice, charlie, signed_in, django_assert_num_queries
):
    client = signed_in(alice)
    for table_id, count in ((duel.pk, 2), (running.pk, 3)):
        client.get(f"/tables/{table_id}/")
        with django_assert_num_queries(count):
            client.get(f"/tables/{table_id}/region/")
    client = signed_in(charlie)
    with django_assert_num_queries(3):  # the person, the table, the club with the role
        assert client.get(f"/tables/{running.pk}/region/").status_code == 404


def test_a_move_at_a_private_table_costs_one_statement_more(duel, running):
    def statements(table_id):
        loaded = load(table_id)
        user = loaded.seats[loaded.table.due[0]].user
        with CaptureQueriesContext(connection) as captured:
            after = services.submit_action(table_id=table_id, user=user, action="draw", expected_version=loaded.table.version)
            selectors.page_of(after, user)
        return len(captured)

    assert statements(running.pk) == statements(duel.pk) + 1


# Lists


def names_in(client, path):
    return client.get(path).content.decode()


def test_the_lobby_shows_tables_of_a_club_to_its_members_alone(club, alice, bob, charlie, signed_in):
    table_id = services.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    for user, shown in ((alice, True), (charlie, False), (None, False)):
        for path in ("/lobby/", "/"):
            page = names_in(signed_in(user), path)
            assert (f"/lobby/{table_id}/join/" in page) == shown, (user, path)
            assert ("Enlil" in page) == shown, (user, path)
        headers = bearer(user) if user is not None else {}
        rows = signed_in(None).get("/api/v1/tables/", headers=headers).json()["results"]
        assert [(row["id"], row["club"]) for row in rows] == ([(table_id, "enlil")] if shown else [])


def test_tables_of_a_closed_club_are_not_offered(club, alice, bob):
    services.create_table(owner=bob, game_key="ra", seats=3, club=club)
    Club.objects.filter(pk=club.pk).update(closed_at="2026-01-01T00:00Z")
    assert not selectors.open_tables(alice).exists()


def test_finished_games_of_a_private_club_are_listed_for_members_alone(private, running, bob, alice, charlie, signed_in):
    end(running.pk)
    for user, shown in ((bob, True), (charlie, False), (None, False)):
        assert (f'href="/tables/{running.pk}/"' in names_in(signed_in(user), "/")) == shown
        assert (f'href="/tables/{running.pk}/"' in names_in(signed_in(user), "/people/alice/")) == shown
        headers = bearer(user) if user is not None else {}
        rows = signed_in(None).get("/api/v1/tables/?list=finished", headers=headers).json()["results"]
        assert ([row["id"] for row in rows] == [running.pk]) == shown


def test_lists_cost_the_same_with_many_clubs(club, private, alice, bob, signed_in):
    def cost(path):
        client = signed_in(alice)
        client.get(path)
        with CaptureQueriesContext(connection) as captured:
            client.get(path)
        return len(captured)

    services.create_table(owner=bob, game_key="ra", seats=3, club=private)
    before = {path: cost(path) for path in ("/", "/lobby/", "/api/v1/tables/")}
    for number in range(4):
        other = clubs.create_club(owner=bob, name=f"Club {number}", is_private=True)
        ways_in.join_by_link(code=other.link_code, user=alice)
        services.create_table(owner=bob, game_key="ra", seats=3, club=other)
    assert {path: cost(path) for path in before} == before


# The record


def test_the_record_of_a_private_table_is_given_to_members_and_kept_by_nobody(running, olga, charlie, signed_in):
    end(running.pk)
    answer = signed_in(olga).get(f"/tables/{running.pk}/record/")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-cache"
    for user in (charlie, None):
        client = signed_in(user)
        assert client.get(f"/tables/{running.pk}/record/").status_code == 404
        assert client.get(f"/api/v1/tables/{running.pk}/record/").status_code == 404
        there, missing = (masked(client.get(f"/verify/?table={number}").content) for number in (running.pk, 999999))
        # Only where the other page has its number: every page lists codes of answers and sizes, and a table may have such a number.
        parts = [re.escape(part) for part in missing.split(b"999999")]
        assert len(parts) > 1
        assert re.fullmatch((b"%d" % running.pk).join(parts), there)
    with pytest.raises(refusals.TableNotFound):
        selectors.record_of(running.pk)


# Opening a table by the page and the API


def test_the_new_table_page_offers_my_clubs(club, alice, bob, charlie, signed_in):
    clubs.create_club(owner=charlie, name="Nabu")
    page = names_in(signed_in(bob), "/tables/new/?game=ra&club=enlil")
    assert '<option value="enlil" selected>Enlil</option>' in page
    assert "Nabu" not in page
    assert "?game=babel&amp;club=enlil" in page
    assert '<option value="enlil">Enlil</option>' in names_in(signed_in(bob), "/tables/new/")
    for user in (charlie, None):
        assert "Enlil" not in names_in(signed_in(user), "/tables/new/?club=enlil")
    Club.objects.filter(pk=club.pk).update(closed_at="2026-01-01T00:00Z")
    assert "Enlil" not in names_in(signed_in(bob), "/tables/new/?club=enlil")


def test_a_club_table_is_opened_by_the_form(club, bob, signed_in):
    answer = signed_in(bob).post("/tables/new/", {"game": "ra", "seats": "3", "club": "enlil", "unrated": "on"})
    table = Table.objects.get()
    assert answer["Location"] == f"/tables/{table.pk}/"
    assert (table.club_id, table.is_rated) == (club.pk, False)


def test_the_form_without_more_opens_a_rated_table_for_everybody(bob, signed_in):
    signed_in(bob).post("/tables/new/", {"game": "ra", "seats": "3"})
    table = Table.objects.get()
    assert (table.club_id, table.is_rated) == (None, True)


@pytest.mark.parametrize("slug", ["enlil", "nowhere", "x" * 500, "../admin", "\x00"])
def test_a_club_that_is_not_mine_comes_back_with_the_same_reason(private, charlie, signed_in, slug):
    answer = signed_in(charlie).post("/tables/new/", {"game": "ra", "seats": "3", "club": slug})
    assert answer.status_code == 422
    assert "Enlil" not in answer.content.decode()
    assert not Table.objects.exists()


def test_the_api_opens_club_tables_and_unrated_ones(club, bob, client):
    answer = client.post(
        "/api/v1/tables/",
        {"game": "ra", "seats": 3, "club": "enlil", "is_rated": False},
        content_type="application/json",
        headers=bearer(bob),
    )
    assert answer.status_code == 201
    assert (answer.json()["club"], answer.json()["is_rated"], answer.json()["duplicate_set"]) == ("enlil", False, None)
    plain = client.post("/api/v1/tables/", {"game": "ra", "seats": 3}, content_type="application/json", headers=bearer(bob)).json()
    assert (plain["club"], plain["is_rated"]) == (None, True)


def test_the_api_refuses_clubs_of_others(club, charlie, client, alice):
    def post(slug):
        body = {"game": "ra", "seats": 3, "club": slug}
        return client.post("/api/v1/tables/", body, content_type="application/json", headers=bearer(charlie))

    assert post("enlil").status_code == 403
    clubs.change_settings(club=club, actor=alice, name=club.name, is_private=True, joining="open")
    assert (post("enlil").status_code, post("enlil").json()) == (404, post("nowhere").json())
    assert post("no slug").status_code == post("x" * 81).status_code == 400
    assert not Table.objects.exists()


# Unrated tables


def test_an_unrated_game_changes_no_rating(alice, bob, duel):
    table_id = services.create_table(owner=alice, game_key="ra", seats=2, is_rated=False).table.pk
    services.join_table(table_id=table_id, user=bob)
    end(table_id)
    end(duel.pk)
    apply_pending()
    assert set(RatingChange.objects.values_list("table_id", flat=True)) == {duel.pk}


def test_the_page_and_the_lists_say_that_a_table_is_unrated(alice, bob, signed_in):
    table_id = services.create_table(owner=alice, game_key="ra", seats=2, is_rated=False).table.pk
    client = signed_in(bob)
    for path in (f"/tables/{table_id}/", "/lobby/"):
        assert "unrated" in names_in(client, path)
    rated = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
    assert "unrated" not in names_in(client, f"/tables/{rated}/")


# Tables that somebody else seats


def test_a_seated_table_starts_at_once(club, alice, bob):
    loaded = services.open_table(game_key="ra", sitters=[bob, Bot("scribe", "Ishtar"), alice], owner=bob, club=club, may_play=True)
    assert loaded.table.status == "playing"
    assert loaded.names == ["bob", "Ishtar", "alice"]
    assert loaded.table.owner == bob
    assert loaded.table.club == club
    assert load(loaded.table.pk).names == loaded.names


def test_bots_alone_play_a_seated_table(club):
    loaded = services.open_table(game_key="babel", sitters=[Bot("apprentice"), Bot("scribe", "Nabu")], club=club, may_play=True)
    assert loaded.table.owner is None
    assert loaded.table.waits_for == "bot"
    assert len(set(loaded.names)) == 2
    end(loaded.table.pk)
    assert load(loaded.table.pk).table.status == "finished"


@pytest.mark.parametrize(
    "changed",
    [
        {"game_key": "chess"},
        {"sitters": [Bot("scribe")]},
        {"sitters": [Bot("scribe")] * 6},
        {"sitters": [Bot("scribe"), Bot("grandmaster"), Bot("scribe")]},
        {"sitters": [Bot("scribe", "Nabu"), Bot("scribe", "Nabu"), Bot("scribe")]},
        {"sitters": [Bot("scribe", "x" * 21), Bot("scribe"), Bot("scribe")]},
        {"sitters": [Bot("scribe", "a\nb"), Bot("scribe"), Bot("scribe")]},
        {"options": {"nothing": 1}},
    ],
)
def test_a_seated_table_that_cannot_be_is_refused(db, changed):
    values = {"game_key": "ra", "sitters": [Bot("scribe")] * 3, **changed}
    with pytest.raises(refusals.BadSetting):
        services.open_table(**values)
    assert not Table.objects.exists()


def test_nobody_is_seated_twice(alice, bob):
    for sitters in itertools.permutations([alice, alice, bob]):
        with pytest.raises(refusals.BadSetting):
            services.open_table(game_key="ra", sitters=list(sitters))
    with pytest.raises(refusals.BadSetting):
        services.open_table(game_key="ra", sitters=[alice, Bot("scribe", "alice"), bob])
