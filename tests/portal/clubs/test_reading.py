"""What readers of a club's pages rely on: where they are, whose time zone it is, and no loss through a single slip."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from portal.clubs import calendar, services, ways_in
from portal.clubs.models import Membership
from portal.clubs.templatetags.clubs import until
from portal.contests import duplicates, leagues, seasons
from portal.contests.league_draw import Wish
from portal.tables.models import Table

BUDAPEST = ZoneInfo("Europe/Budapest")


def page(client, address, user=None):
    if user is not None:
        client.force_login(user)
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


PAGES = (
    *("", "members/", "announcements/", "calendar/", "calendar/new/", "tables/", "games/", "log/", "settings/", "seasons/", "seasons/new/"),
    *("honours/", "duplicates/", "duplicates/new/", "leaderboard/all/", "leaderboard/ra/?pool=bots", "records/"),
)


@pytest.mark.parametrize("part", PAGES)
def test_each_page_says_in_its_title_which_club_it_is_of(client, club, alice, part):
    html = page(client, f"/clubs/enlil/{part}", alice)
    assert "Enlil" in re.search(r"<title>(.*?)</title>", html, re.S)[1]
    assert '<a class="breadcrumbs__item breadcrumbs__link" href="/clubs/">' in html


def test_pages_of_a_season_say_in_their_titles_where_one_is(client, club, alice):
    season = seasons.make_season(club=club, actor=alice, name="Autumn", ends_at=timezone.now() + timedelta(days=90))
    for address in (f"seasons/{season.pk}/", f"seasons/{season.pk}/leagues/new/"):
        title = re.search(r"<title>(.*?)</title>", page(client, f"/clubs/enlil/{address}", alice), re.S)[1]
        assert "Autumn" in title and "Enlil" in title


@pytest.mark.parametrize("part", ["", "log/", "calendar/"])
def test_times_are_given_with_their_zone(client, club, alice, part):
    calendar.create_evening(club=club, actor=alice, title="Evening", starts_at=timezone.now() + timedelta(days=3))
    alice.time_zone = "Asia/Yekaterinburg"
    alice.save()
    assert "Asia/Yekaterinburg" in page(client, f"/clubs/enlil/{part}", alice)


def test_a_deadline_is_a_day_where_it_ends_with_the_day_and_else_a_time():
    end = datetime(2027, 1, 4, 23, 59, 59, tzinfo=BUDAPEST)
    with translation.override("en"):
        with timezone.override(BUDAPEST):
            assert until(end) == "4 Jan 2027"
            assert until(end, "DATE_FORMAT") == "4 January 2027"
        with timezone.override(ZoneInfo("Asia/Yekaterinburg")):
            assert until(end) == "5 Jan 2027, 03:59"
    with translation.override("hu"), timezone.override(BUDAPEST):
        assert until(end) == "2027.01.04."


def test_a_member_is_removed_after_a_question_that_says_what_it_means(client, club, alice, bob):
    html = page(client, "/clubs/enlil/members/", alice)
    form = re.search(
        rf'<details class="club-sure"><summary[^>]*>Remove</summary>(<form[^>]*/members/{bob.pk}/remove/.*?</form>)', html, re.S
    )
    assert form is not None and "have not started become void" in form[1]
    assert client.post(f"/clubs/enlil/members/{bob.pk}/remove/").status_code == 303
    assert not Membership.objects.filter(club=club, user=bob).exists()


def test_open_tables_of_a_set_are_closed_after_a_question(client, club, alice):
    found = duplicates.create_set(club=club, actor=alice, name="Set", game="ra", seats=3, n_tables=2)
    address = f"/clubs/enlil/duplicates/{found.pk}/"
    html = page(client, address, alice)
    assert re.search(rf'<summary>Close open tables</summary><form[^>]*action="{address}close/"', html)
    assert client.post(f"{address}close/").status_code == 303
    assert set(Table.objects.filter(duplicate=found).values_list("status", flat=True)) == {"abandoned"}


@pytest.mark.parametrize(
    ("address", "posted", "field"),
    [
        ("members/ban/", {"username": "nobody", "reason": "noise"}, "ban_username"),
        ("members/invite/", {"username": "nobody"}, "invite_username"),
        ("settings/close/", {"name": "Ur"}, "close_name"),
        ("seasons/new/", {"name": "Autumn", "starts_at": "2027-05-02", "ends_at": "2027-05-01"}, "id_ends_at"),
    ],
)
def test_the_field_that_was_refused_has_the_focus_and_names_its_fault(client, club, alice, address, posted, field):
    client.force_login(alice)
    answer = client.post(f"/clubs/enlil/{address}", posted)
    assert answer.status_code == 422
    focused = re.findall(r"<(?:input|textarea|select)[^>]*\bautofocus[^>]*>", answer.content.decode())
    assert len(focused) == 1 and f'id="{field}"' in focused[0] and f'aria-describedby="{field}_error"' in focused[0]


def test_a_league_that_cannot_be_says_so_beside_its_field(client, club, alice):
    season = seasons.make_season(club=club, actor=alice, name="Autumn", ends_at=timezone.now() + timedelta(days=90))
    client.force_login(alice)
    wish = {"game": "babel", "form": "once", "name": "League", "days": "0", "who": ["alice", "bob"]}
    html = client.get(f"/clubs/enlil/seasons/{season.pk}/leagues/draw/", wish).content.decode()
    assert re.search(r'<input[^>]*name="days"[^>]*aria-describedby="fault-days"[^>]*><p class="field__error" id="fault-days">', html)
    wish |= {"days": "7", "who": []}
    html = client.get(f"/clubs/enlil/seasons/{season.pk}/leagues/draw/", wish).content.decode()
    assert re.search(r'<legend[^>]*>Members taking part</legend><p class="field__error" id="fault-members">', html)


def test_many_games_of_ones_own_in_a_league_do_not_push_its_table_down(client, club, alice):
    season = seasons.make_season(club=club, actor=alice, name="Autumn", ends_at=timezone.now() + timedelta(days=90))
    wish = Wish(name="League", game="babel", form="twice", members=["alice", "bob"], bots={"scribe": 2}, seed="s1")
    league = leagues.start_league(club=club, actor=alice, season_id=season.pk, wish=wish)
    html = page(client, f"/clubs/enlil/leagues/{league.pk}/", alice)
    own, rest = re.search(r'aria-labelledby="mine">(.*?)<details[^>]*><summary>(.*?)</section>', html, re.S).groups()
    assert own.count("season-pairing__end") == 4
    assert rest.startswith("2 more of your games</summary>") and rest.count("season-pairing__end") == 2


def test_an_invitation_leads_to_a_public_club_and_not_to_a_private_one(client, club, charlie, alice):
    ways_in.invite(club=club, actor=alice, person=charlie)
    assert page(client, "/clubs/", charlie).count('href="/clubs/enlil/"') == 2  # the invitation, the list
    services.change_settings(club=club, actor=alice, name=club.name, is_private=True, joining="invitation")
    assert 'href="/clubs/enlil/"' not in page(client, "/clubs/", charlie)
