"""Front page, lobby, new table: what Alice, Bob, Charlie and a visitor see and may do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from games.registry import GAMES
from portal.accounts.models import User
from portal.ratings.models import Ladder, Rating
from portal.tables import inviting, lobby_views, services
from portal.tables.models import Invitation, Table
from portal.tables.pace import Pace
from rules_docs import content
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def main_of(response) -> str:
    return response.content.decode().partition("<main")[2]


def open_table(owner, seats=3, **more) -> Table:
    return services.create_table(owner=owner, game_key="ra", seats=seats, **more).table


def test_the_front_page_offers_each_game_at_one_click_and_nothing_that_does_not_work(client):
    page = main_of(client.get(reverse("home")))
    for key in GAMES:
        assert f'method="post" action="{reverse("play-now", args=[key])}"' in page
        assert f"/en/rules/{key}/" in page
    assert ("History of the World" in page) == ("history_of_the_world" in GAMES)
    for later in ("Club", "master"):
        assert later not in page


def test_my_tables_say_whose_turn_it_is(client, alice, bob, duel):
    duel = play_on(duel.pk, until=lambda now: now.table.due == [0]).table
    client.force_login(alice)
    page = main_of(client.get(reverse("home")))
    assert "One table is waiting for you." in page
    assert "Your move" in page
    client.force_login(bob)
    page = main_of(client.get(reverse("home")))
    assert "waiting for you" not in page
    assert "Waiting for alice" in page


def test_a_stranger_does_not_see_the_tables_of_others_as_theirs(client, charlie, duel):
    client.force_login(charlie)
    page = main_of(client.get(reverse("home")))
    assert f"/tables/{duel.pk}/" not in page


def test_finished_games_stand_on_the_front_page(client, alice, bob, duel):
    end(duel.pk)
    page = main_of(client.get(reverse("home")))
    assert f"/tables/{duel.pk}/" in page
    assert "1. " in page


def test_the_lobby_offers_a_seat_to_others_and_not_to_oneself(client, alice, bob):
    table = open_table(alice)
    join = reverse("lobby-join", args=[table.pk])
    client.force_login(bob)
    assert join in main_of(client.get(reverse("lobby")))
    client.force_login(alice)
    page = main_of(client.get(reverse("lobby")))
    assert join not in page
    assert f"/tables/{table.pk}/" in page


def test_joining_takes_the_seat(client, alice, bob):
    table = open_table(alice)
    client.force_login(bob)
    assert client.post(reverse("lobby-join", args=[table.pk])).url == reverse("table", args=[table.pk])
    assert table.seats.get(index=1).user == bob


def test_a_visitor_joins_as_a_guest(client, alice):
    table = open_table(alice)
    assert client.post(reverse("lobby-join", args=[table.pk])).url == reverse("table", args=[table.pk])
    assert table.seats.get(index=1).user.is_guest


def test_a_table_that_has_started_says_so(client, alice, bob, charlie, duel):
    client.force_login(charlie)
    response = client.post(reverse("lobby-join", args=[duel.pk]), follow=True)
    assert "The game has already started." in response.content.decode()
    assert not duel.seats.filter(user=charlie).exists()


@pytest.mark.parametrize("pk", [999, 2**63, 10**30])
def test_a_table_that_is_not_there_cannot_be_joined(client, bob, pk):
    client.force_login(bob)
    assert client.post(f"/lobby/{pk}/join/").status_code == 404


def test_joining_and_playing_are_posts_with_a_token(alice):
    table = open_table(alice)
    strict = Client(enforce_csrf_checks=True)
    for address in (reverse("lobby-join", args=[table.pk]), reverse("play-now", args=["ra"]), reverse("table-new")):
        refused = strict.post(address)
        assert refused.status_code == 403
        assert "too old" in refused.content.decode()
    assert strict.get(reverse("lobby-join", args=[table.pk])).status_code == 405
    assert User.objects.count() == 1


NEW = {"game": "ra", "seats": "4", "seat-1": "scribe", "seat-2": "open", "seat-3": "apprentice", "word": "zápor", "option-open_fame": "on"}


def test_a_new_table_has_what_was_chosen(client, alice):
    client.force_login(alice)
    response = client.post(reverse("table-new"), NEW)
    table = Table.objects.get()
    assert response.url == reverse("table", args=[table.pk])
    assert (table.seat_count, table.options, table.status) == (4, {"open_fame": True}, "open")
    assert sorted(seat.bot_level for seat in table.seats.all()) == ["", "", "apprentice", "scribe"]
    assert table.seats.get(index=0).word == "zápor"


def test_rows_beyond_the_chosen_seats_do_not_count(client, alice):
    client.force_login(alice)
    client.post(reverse("table-new"), NEW | {"seats": "2"})
    table = Table.objects.get()
    assert [seat.bot_level for seat in table.seats.all()] == ["", "scribe"]
    assert table.status == "playing"


def test_filling_with_bots_starts_at_once(client, alice):
    client.force_login(alice)
    client.post(reverse("table-new"), NEW | {"fill": "bots"})
    assert Table.objects.get().status == "playing"


def test_the_defaults_open_a_table_for_four(client, alice):
    client.force_login(alice)
    page = main_of(client.get(reverse("table-new")))
    assert 'value="4" checked' in page
    client.post(reverse("table-new"), {"game": "ra", "seats": "4"})
    table = Table.objects.get()
    assert (table.status, table.options, table.seats.filter(user=None).count()) == ("open", {"open_fame": False}, 3)


@pytest.mark.parametrize(
    "bad",
    [
        {"seats": "9"},
        {"seats": ""},
        {"seats": "four"},
        {"seats": "-1"},
        {"seats": "9" * 5000},
        {"seat-1": "emperor"},
        {"seat-1": "random"},
        {"seat-1": "\x00"},
        {"word": "x" * 61},
        {"word": "a\x00b"},
        {"word": "a\nb"},
    ],
)
def test_what_cannot_be_is_refused_with_the_form(client, alice, bad):
    client.force_login(alice)
    response = client.post(reverse("table-new"), NEW | bad)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert not Table.objects.exists()


@pytest.mark.parametrize("game", ["chess", "x" * 500, "ra\x00"])
def test_a_game_that_cannot_be_played_is_not_found(client, alice, game):
    client.force_login(alice)
    assert client.post(reverse("table-new"), NEW | {"game": game}).status_code == 404
    assert not Table.objects.exists()


def test_nobody_opens_tables_without_end(client, alice, monkeypatch):
    monkeypatch.setattr(lobby_views, "TABLES_PER_HOUR", 2)
    client.force_login(alice)
    answers = [client.post(reverse("play-now", args=["ra"])).status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    assert Table.objects.count() == 2


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 40, "2", "1.5", "%00", "１"])
def test_a_page_that_is_not_there(client, page):
    assert client.get(f"{reverse('lobby')}?page={page}").status_code in (400, 404)


def test_home_and_lobby_cost_the_same_with_more_tables(client, alice, bob, charlie, django_assert_num_queries):
    client.force_login(alice)
    client.get(reverse("home"))
    for round_ in range(2):
        for _ in range(3 * round_ + 1):
            open_table(alice)
            open_table(bob, bots=["scribe"])
            services.create_table(owner=charlie, game_key="ra", seats=2, bots=["apprentice"])
            finished = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
            Table.objects.filter(pk=finished.pk).update(status="finished")
        # the person; invitations; tables and seats of three lists; the top of the leaderboard; the games that are known
        with django_assert_num_queries(10):
            client.get(reverse("home"))
        with django_assert_num_queries(7):  # and who looks for a table
            client.get(reverse("lobby"))
    client.logout()
    with django_assert_num_queries(5):
        client.get(reverse("home"))
    with django_assert_num_queries(3):
        client.get(reverse("lobby"))


@pytest.mark.parametrize(
    ("lang", "addresses"), [("ru", ["/en/rules/ra/", "/ru/rules/babel/"]), ("hu", ["/hu/rules/ra/", "/en/rules/babel/"])]
)
def test_the_front_page_leads_to_a_rule_book_that_there_is(client, monkeypatch, lang, addresses):
    """A book in the reader's language, where there is one; else in English."""
    written, whole = {"ra": ("hu", "en"), "babel": ("ru", "en")}, content.book
    monkeypatch.setattr(
        content, "book", lambda game, *root: replace(whole(game, *root), languages=written.get(game, whole(game, *root).languages))
    )
    page = client.get(reverse("home"), headers={"Accept-Language": lang}).content.decode()
    assert [address for address in addresses if f'href="{address}"' not in page] == []


def test_the_lobby_is_filtered_by_game_seats_rating_and_bots(client, alice, bob):
    tables = {
        "large": open_table(alice, seats=5),
        "small": open_table(alice, seats=2, is_rated=False),
        "bots": open_table(alice, seats=3, bots=["scribe"]),
        "babel": services.create_table(owner=alice, game_key="babel", seats=2).table,
    }
    client.force_login(bob)

    def shown(**query) -> set[str]:
        page = main_of(client.get(reverse("lobby"), query))
        return {name for name, table in tables.items() if reverse("lobby-join", args=[table.pk]) in page}

    assert shown() == set(tables)
    assert shown(game="babel") == {"babel"}
    assert shown(seats="2") == {"large"}
    assert shown(rated="unrated") == {"small"}
    assert shown(rated="rated", game="ra") == {"large", "bots"}
    assert shown(people="on") == {"large", "small", "babel"}
    assert shown(game="chess") == shown(seats="x") == shown(rated="maybe") == shown(pace="slow") == shown(language="xx") == set()
    inviting.invite(table_id=tables["large"].pk, user=alice, name="bob")
    assert shown(seats="3") == {"large"}, "three of the four free seats are for anyone"
    assert shown(seats="4") == set()


def test_the_lobby_is_filtered_by_pace_and_language(client, alice, bob, charlie):
    type(alice).objects.filter(pk=alice.pk).update(language="hu")
    tables = {
        "relaxed": services.create_table(owner=alice, game_key="ra", seats=2).table,
        "live": services.create_table(owner=charlie, game_key="ra", seats=2, pace=Pace("live", bank_s=900, add_s=20)).table,
        "days": services.create_table(owner=alice, game_key="ra", seats=2, pace=Pace("days", days=3)).table,
    }
    client.force_login(bob)

    def shown(**query) -> set[str]:
        page = client.get(reverse("lobby-open"), query).content.decode()
        assert "<html" not in page
        return {name for name, table in tables.items() if reverse("lobby-join", args=[table.pk]) in page}

    assert {pace: shown(pace=pace) for pace in tables} == {pace: {pace} for pace in tables}
    assert shown(language="hu") == {"relaxed", "days"}
    assert shown(language="hu", pace="days") == {"days"}
    assert client.get(reverse("lobby-open"), {"page": "7"}).status_code == 404


def test_the_lobby_finds_tables_of_people_of_about_ones_rating(client, alice, bob, charlie, django_assert_num_queries):
    ladder = Ladder.objects.create(key="people/ra", pool="people", game="ra")

    def rate(user, points):
        mu = 25 + (points - 1500) / 40
        Rating.objects.update_or_create(ladder=ladder, user=user, defaults={"mu": mu, "sigma": 1, "order_value": mu - 2})

    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    babel = services.create_table(owner=alice, game_key="babel", seats=2).table
    client.force_login(bob)

    def shown() -> set[int]:
        page = client.get(reverse("lobby-open"), {"near": "on"}).content.decode()
        return {one.pk for one in (table, babel) if reverse("lobby-join", args=[one.pk]) in page}

    assert shown() == {table.pk, babel.pk}, "newcomers are of the same strength"
    rate(alice, 1750)
    assert shown() == {babel.pk}
    rate(bob, 1600)
    assert shown() == {table.pk, babel.pk}
    services.join_table(table_id=table.pk, user=charlie)
    rate(charlie, 1350)
    assert shown() == {babel.pk}, "everybody who sits there counts"
    with django_assert_num_queries(4):  # the person, their ratings, tables, seats
        client.get(reverse("lobby-open"), {"near": "on"})


def test_a_new_table_invites_those_who_are_named_for_its_seats(client, alice, bob):
    client.force_login(alice)
    sent = {"game": "ra", "seats": "4", "seat-1": "invite", "person-1": "bob", "seat-2": "scribe", "seat-3": "open", "person-3": "nobody"}
    answer = client.post(reverse("table-new"), sent)
    table = Table.objects.get()
    assert answer["Location"] == reverse("table", args=[table.pk])
    assert [(one.user, one.state) for one in table.invitations.all()] == [(bob, "pending")]
    assert (table.status, table.kept) == ("open", 1)
    assert [seat.bot_level for seat in table.seats.all() if seat.bot_level] == ["scribe"]


def test_the_front_page_leads_to_a_table_for_friends(client, alice):
    client.force_login(alice)
    services.create_table(owner=alice, game_key="ra", seats=4, bots=["scribe", "apprentice", "scribe"])
    address = f"{reverse('table-new')}?who=link"
    assert address in client.get("/").content.decode()
    for game, fewest in (("ra", 2), ("history_of_the_world", 3)):
        page = client.get(f"{address}&game={game}").content.decode()
        assert re.findall(r'name="seats" value="(\d)"\s+checked', page) == [str(fewest)]
        assert re.findall(r'name="who" value="(\w+)"[^>]* checked', page) == ["link"]
        chosen = re.findall(r'<option value="(\w+)" selected', page)
        assert {"scribe", "apprentice"}.isdisjoint(chosen)
        assert len(re.findall(r'href="\?game=\w+\s*&amp;who=link', page)) == len(GAMES)


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        (["bob", "zzz"], "nobody of the name “zzz”"),
        (["bob", ""], "nobody of the name"),
        (["bob", "bob"], "already invited"),
        (["alice"], "already has a seat"),
        (["x" * 300], "The table’s settings|settings"),
    ],
)
def test_if_one_of_them_can_not_be_invited_no_table_is_opened(client, alice, bob, people, reason):
    client.force_login(alice)
    sent = {"game": "ra", "seats": "3"} | {f"seat-{n}": "invite" for n in range(1, len(people) + 1)}
    answer = client.post(reverse("table-new"), sent | {f"person-{n}": name for n, name in enumerate(people, 1)})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert re.search(reason, page)
    assert 'value="invite" selected' in page
    assert f'value="{people[0]}"' in page
    assert not Table.objects.exists()
    assert not Invitation.objects.exists()


def test_bots_take_the_free_seats_and_not_those_of_invited_people(client, alice, bob):
    client.force_login(alice)
    client.post(reverse("table-new"), {"game": "ra", "seats": "3", "seat-1": "invite", "person-1": "bob", "seat-2": "open", "fill": "bots"})
    table = Table.objects.get()
    assert (table.status, table.kept, table.seats.filter(bot_level="scribe").count()) == ("open", 1, 1)
