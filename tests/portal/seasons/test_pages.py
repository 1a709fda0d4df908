"""Pages of seasons and leagues: what they show to whom, what they refuse, and their number of statements."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import User
from portal.clubs.models import Club, Membership, Season
from portal.common.limits import Use
from portal.contests import leagues, seasons
from portal.contests.models import Honour, League, Pairing
from portal.contests.tasks import freeze_due, tend_leagues
from portal.tables.models import Table
from tests.portal.ratings.games import person
from tests.portal.seasons.builders import WEEK, finish, game_of, make_season, play_out, start

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
DUEL = {"form": "once", "members": ["alice", "bob", "dora"]}


@pytest.fixture
def league(club, olga, season):
    return start(club, olga, season, bots={"apprentice": 1}, **DUEL)


@pytest.fixture
def secretary(client, olga):
    client.force_login(olga)
    return client


def text_of(answer):
    """The words of a page, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).replace("&#x27;", "'").split())


def to(name, club, *args):
    return reverse(name, args=[club.slug, *args])


def date_in(days):
    """Return a day as people type it who have chosen no time zone; in UTC it may still be the day before."""
    return (timezone.localdate(timezone=ZoneInfo(User().time_zone)) + days * DAY).isoformat()


def everything():
    return [list(model.objects.order_by("pk").values_list()) for model in (Season, League, Pairing, Table, Honour)]


# Who sees and may do what


def pages_to_read(club, season, league):
    return [to("club-seasons", club), to("season", club, season.pk), to("club-honours", club), to("league", club, league.pk)]


def pages_of_officers(club, season, league):
    pairing, entrant = league.pairings.first().pk, league.entrants.first().pk
    return [
        to("season-new", club),
        to("season-edit", club, season.pk),
        to("league-new", club, season.pk),
        to("league-draw", club, season.pk) + "?form=once&game=ra&who=alice&who=bob&name=New&days=7&seed=a1",
        to("league-pairing", club, league.pk, pairing),
        to("league-entrant", club, league.pk, entrant),
    ]


def posts(club, season, league):
    """Every form with valid values of an officer."""
    pairing, entrant = league.pairings.first().pk, league.entrants.first().pk
    wish = {"form": "once", "game": "ra", "who": ["alice", "bob"], "name": "New", "days": "7", "seed": "a1"}
    return [
        (to("season-new", club), {"name": "Winter", "starts_at": date_in(0), "ends_at": date_in(30)}),
        (to("season-edit", club, season.pk), {"name": "Late autumn", "ends_at": date_in(20)}),
        (to("league-draw", club, season.pk), wish),
        (to("league-deadline", club, league.pk, pairing), {"deadline": date_in(3), "reason": "ill"}),
        (to("league-void", club, league.pk, pairing), {"reason": "ill"}),
        (to("league-entrant", club, league.pk, entrant), {"reason": "ill"}),
        (to("season-end", club, season.pk), {}),
    ]


@pytest.mark.parametrize("role", ["owner", "officer", "member", "stranger", "visitor"])
@pytest.mark.parametrize("is_private", [False, True])
def test_each_role_gets_what_it_may(client, club, people, season, league, role, is_private):
    Club.objects.update(is_private=is_private)
    if people[role] is not None:
        client.force_login(people[role])
    is_in, is_officer = role in ("owner", "officer", "member"), role in ("owner", "officer")
    seen = 200 if is_in or not is_private else 404
    for url in pages_to_read(club, season, league):
        answer = client.get(url)
        assert answer.status_code == seen, url
        if seen == 200:
            assert ("no-cache" in answer.get("Cache-Control", "")) == (is_private or people[role] is not None)
    barred = 403 if seen == 200 else 404
    for url in pages_of_officers(club, season, league):
        assert client.get(url).status_code == (200 if is_officer else barred), url
    before = everything()
    for url, values in posts(club, season, league):
        answer = client.post(url, values)
        assert answer.status_code == (303 if is_officer else barred), (url, answer.content.decode()[-500:])
    assert (everything() == before) == (not is_officer)


def test_only_officers_see_the_ways_to_change(client, club, season, league, alice, bob):
    pages = pages_to_read(club, season, league)
    for user, sees in ((bob, False), (alice, True)):
        client.force_login(user)
        found = " ".join(client.get(url).content.decode() for url in pages)
        for name in (to("season-new", club), to("season-edit", club, season.pk), to("season-end", club, season.pk),
                     to("league-new", club, season.pk), f"{to('league', club, league.pk)}entrants/"):  # fmt: skip
            assert (name in found) is sees, name


def test_what_belongs_to_another_club_is_not_found(secretary, club, olga, season, league):
    other = Club.objects.create(slug="other", name="Other", link_code="y")
    Membership.objects.create(club=other, user=olga, role="owner")
    for url in [*pages_to_read(other, season, league)[1::2], *pages_of_officers(other, season, league)[1:]]:
        assert secretary.get(url).status_code == 404, url
    for url, values in posts(other, season, league)[1:]:
        assert secretary.post(url, values).status_code == 404, url


# Seasons


def test_a_season_is_made_by_its_days(secretary, club):
    page = secretary.get(to("season-new", club))
    assert f'value="{date_in(0)}"' in page.content.decode()
    values = {"name": "Autumn 2026", "game": "ra", "starts_at": date_in(2), "ends_at": date_in(30)}
    answer = secretary.post(to("season-new", club), values)
    made = Season.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, to("season", club, made.pk))
    zone = timezone.zoneinfo.ZoneInfo("Europe/Budapest")
    first, last = made.starts_at.astimezone(zone), made.ends_at.astimezone(zone)
    assert (str(first.date()), first.hour, str(last.date()), last.hour, last.minute) == (date_in(2), 0, date_in(30), 23, 59)
    assert "Planned" in text_of(secretary.get(answer["Location"]))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"ends_at": -3}, "must end after it starts"),
        ({"starts_at": 10, "ends_at": 9}, "must end after it starts"),
        ({"starts_at": -1}, "start in the past"),
        ({"ends_at": 3650}, "a year at most"),
        ({"starts_at": 600, "ends_at": 610}, "within a year"),
        ({"name": "autumn"}, "already has a season with this name"),
        ({"name": ""}, "Enter a name"),
        ({"name": "x" * 300}, "too long"),
        ({"name": "a\tb\x07"}, "be displayed"),
        ({"ends_at": "tomorrow"}, "Enter a valid date"),
        ({"ends_at": "31.12.2026"}, "Enter a valid date"),
        ({"ends_at": "2026-02-31"}, "Enter a valid date"),
        ({"ends_at": "99999-01-01"}, "Enter a valid date"),
        ({"ends_at": "9999-12-31"}, "date in this century"),
        ({"starts_at": "0001-01-01"}, "date in this century"),
        ({"ends_at": ""}, "required"),
        ({"game": "chess"}, "Choose one of these."),
    ],
)
def test_a_season_that_is_not_possible_comes_back_with_the_reason(secretary, club, season, values, said):
    before = everything()
    wanted = {"name": "Winter", "game": "", "starts_at": 0, "ends_at": 30, **values}
    answer = secretary.post(to("season-new", club), {key: date_in(one) if isinstance(one, int) else one for key, one in wanted.items()})
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert "<form" in answer.content.decode()
    assert everything() == before


def test_a_running_season_offers_its_name_and_end_alone(secretary, club, season):
    page = secretary.get(to("season-edit", club, season.pk)).content.decode()
    assert 'name="ends_at"' in page and 'name="starts_at"' not in page and 'name="game"' not in page
    before = season.ends_at
    answer = secretary.post(to("season-edit", club, season.pk), {"name": "Late autumn", "ends_at": timezone.localtime(before).date()})
    assert answer.status_code == 303
    season.refresh_from_db()
    assert (season.name, season.ends_at) == ("Late autumn", before), "an unchanged day keeps its hour"
    answer = secretary.post(to("season-edit", club, season.pk), {"name": "Late autumn", "ends_at": date_in(-1)})
    assert answer.status_code == 422


def test_a_planned_season_can_begin_today(secretary, club, olga):
    planned = make_season(club, olga, starts_at=timezone.now() + 5 * DAY)
    answer = secretary.post(
        to("season-edit", club, planned.pk), {"name": "Autumn", "game": "", "starts_at": date_in(0), "ends_at": date_in(60)}
    )
    assert answer.status_code == 303
    planned.refresh_from_db()
    assert planned.starts_at <= timezone.now()


def test_progress_is_told_in_weeks_or_days(client, club, olga):
    season = make_season(club, olga, ends_at=timezone.now() + 13 * WEEK)
    Season.objects.update(starts_at=timezone.now() - 8 * WEEK - DAY, ends_at=timezone.now() + 5 * WEEK - DAY)
    for url in (to("club-seasons", club), to("season", club, season.pk)):
        assert "Week 9 of 13, ends on" in text_of(client.get(url))
    Season.objects.update(starts_at=timezone.now() - DAY / 2, ends_at=timezone.now() + 2 * DAY)
    assert "Day 1 of 3, ends on" in text_of(client.get(to("season", club, season.pk)))


def test_the_ladder_of_a_season_by_game_and_pool(client, club, olga, season, bob):
    game_of(club, [("bob", 1), ("dora", 2)])
    game_of(club, [("dora", 1), ("scribe", 2)], game="babel")
    from portal.ratings.services import apply_pending

    apply_pending()
    client.force_login(bob)
    url = to("season", club, season.pk)
    page = text_of(client.get(url))
    assert "bob (you)" in page and "Bot, scribe" not in page
    assert "Bot, scribe" in text_of(client.get(url + "?game=babel&pool=bots"))
    page = client.get(url + "?game=babel")
    assert "No rated games without bots have ended in this season yet" in text_of(page)
    for wrong in ("?game=chess", "?pool=cats", "?game=ra&pool=people'--"):
        assert client.get(url + wrong).status_code == 404


def test_a_season_with_games_of_bots_alone_opens_with_those(client, club, season):
    game_of(club, [("dora", 1), ("scribe", 2)])
    from portal.ratings.services import apply_pending

    apply_pending()
    assert "Bot, scribe" in text_of(client.get(to("season", club, season.pk)))


def test_a_frozen_season_shows_the_frozen_table_and_the_honours(client, club, olga, season, bob):
    game_of(club, [("bob", 1), ("dora", 2)])
    client.force_login(olga)
    in_season = timezone.now()
    answer = client.post(to("season-end", club, season.pk))
    assert answer.status_code == 303
    assert "being worked out" in text_of(client.get(to("season", club, season.pk)))
    freeze_due()
    client.force_login(bob)
    page = client.get(to("season", club, season.pk))
    assert "The standings became final" in text_of(page) and "Honours" in text_of(page)
    game_of(club, [("dora", 1), ("bob", 2)], at=in_season)
    from portal.ratings.services import apply_pending

    apply_pending()
    assert re.findall(r"<tr.*?</tr>", client.get(to("season", club, season.pk)).content.decode(), re.S) == re.findall(
        r"<tr.*?</tr>", page.content.decode(), re.S
    )
    hall = text_of(client.get(to("club-honours", club)))
    assert "bob" in hall and "dora" in hall and "Autumn" in hall
    assert "Ra: bob" in text_of(client.get(to("club-seasons", club))) or "All games: bob" in text_of(client.get(to("club-seasons", club)))
    client.force_login(olga)
    assert client.post(to("season-end", club, season.pk)).status_code == 409
    assert client.post(to("season-edit", club, season.pk), {"name": "Mine", "ends_at": date_in(9)}).status_code == 409
    assert client.get(to("league-new", club, season.pk)).status_code == 409


def test_an_empty_club_says_what_seasons_are(client, club, alice):
    page = text_of(client.get(to("club-seasons", club)))
    assert "No season is in progress" in page and "Create a season" not in page
    assert "Nobody is here yet" in text_of(client.get(to("club-honours", club)))
    client.force_login(alice)
    assert "Create a season" in text_of(client.get(to("club-seasons", club)))


# Leagues


def test_a_league_takes_three_clicks(secretary, club, season):
    """The form as it is, with all members ticked; then the draw; then the start."""
    new = to("league-new", club, season.pk)
    assert new in secretary.get(to("club-seasons", club)).content.decode()
    fields = fields_of(secretary.get(new).content.decode())
    assert [value for name, value in fields if name == "who"] == ["alice", "bob", "dora", "olga"]
    before = everything()
    draw = secretary.get(to("league-draw", club, season.pk), query(fields))
    assert draw.status_code == 200
    assert everything() == before
    hidden = fields_of(draw.content.decode())
    answer = secretary.post(to("league-draw", club, season.pk), query(hidden))
    league = League.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, to("league", club, league.pk))
    drawn = re.findall(r'<span class="season-names">(.*?)</span></li>', draw.content.decode(), re.S)
    names = [re.findall(r"<bdi>(.*?)</bdi>", table) for table in drawn]
    stored = [[seat.entrant.name for seat in pairing.seats.all()] for pairing in league.pairings.order_by("round", "number")]
    assert names == stored


def fields_of(html):
    """The fields of the first form in the main part, as they would be sent."""
    main = html.split("<main", 1)[1]
    form = next(one for one in re.findall(r"<form.*?</form>", main, re.S) if 'name="seed"' in one)
    found = []
    for tag in re.findall(r"<input[^>]*>|<option[^>]*selected[^>]*>", form):
        values = dict(re.findall(r'(\w[\w-]*)="([^"]*)"', tag))
        if values.get("type") in ("radio", "checkbox") and " checked" not in tag:
            continue
        if "name" in values and values["name"] != "csrfmiddlewaretoken":
            found.append((values["name"], values.get("value", "on")))
    return found


def query(fields):
    found = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


def test_the_same_address_shows_the_same_draw(secretary, club, season):
    url = to("league-draw", club, season.pk) + "?form=rounds-3&game=ra&who=alice&who=bob&who=dora&bot-scribe=2&name=L&days=7&seed=abc"
    first, again = secretary.get(url), secretary.get(url)
    parts = [re.findall(r'<ol class="row-list">.*?</ol>', answer.content.decode(), re.S) for answer in (first, again)]
    assert parts[0] == parts[1] and len(parts[0]) == 5
    assert "everyone has a bye in 2 rounds" in text_of(first)
    other = secretary.get(url.replace("seed=abc", "seed=abd"))
    assert re.findall(r'<ol class="row-list">.*?</ol>', other.content.decode(), re.S) != parts[0]
    links = re.findall(r'href="([^"]*rounds=[^"]*)"', first.content.decode())
    assert any("rounds=10" in link for link in links)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"who": []}, "at least one member"),
        ({"who": ["alice"]}, "at least 2 entrants"),
        ({"who": ["alice", "charlie"]}, "These are not members: charlie"),
        ({"others": "bob, nobody"}, "These are not members: nobody"),
        ({"form": "rounds-3"}, "at least 3 entrants"),
        ({"form": "rounds-7"}, "a format that this game offers"),
        ({"form": "rounds-3", "bot-scribe": "2", "rounds": "5"}, "4, 8, 12"),
        ({"form": "rounds-3", "bot-scribe": "1", "rounds": "many"}, "must be a number"),
        ({"bot-scribe": "99"}, "at most 32 entrants"),
        ({"bot-scribe": "-1"}, "must be a number"),
        ({"days": "0"}, "1 to 60 days"),
        ({"days": "soon"}, "must be a number"),
        ({"rounds": "7" * 7}, "must be a number"),
        ({"game": "babel", "option-start_hands": "lots", "days": "soon"}, "options that this game offers"),
        ({"name": "x" * 61}, "too long"),
        ({"seed": "<script>"}, "letters and digits"),
    ],
)
def test_a_league_that_is_not_possible_comes_back_with_the_reason(secretary, club, season, changes, said):
    values = {"form": "once", "game": "ra", "who": ["alice", "bob"], "name": "New", "days": "7", "seed": "a1", **changes}
    before = everything()
    for send in (secretary.get, secretary.post):
        answer = send(to("league-draw", club, season.pk), values)
        assert answer.status_code == 422, said
        assert said in text_of(answer)
        assert "<script>" not in answer.content.decode()
    assert everything() == before


def test_five_hundred_entrants_are_refused(secretary, club, season):
    before = everything()
    values = {"form": "once", "game": "ra", "who": [f"p{n}" for n in range(500)], "name": "New", "days": "7", "seed": "a1"}
    assert secretary.post(to("league-draw", club, season.pk), values).status_code == 400
    values |= {"who": [], "others": ",".join(f"p{n}" for n in range(500))}
    answer = secretary.post(to("league-draw", club, season.pk), values)
    assert answer.status_code == 422
    assert "at most 32 entrants" in text_of(answer)
    assert everything() == before


def test_a_large_club_ticks_nobody_beforehand_and_takes_further_names(secretary, club, season):
    for number in range(70):
        Membership.objects.create(club=club, user=person(f"member{number:02}"))
    page = secretary.get(to("league-new", club, season.pk)).content.decode()
    assert page.count('name="who"') == 60 and 'name="others"' in page
    assert not re.search(r'name="who"[^>]*checked', page)
    values = {"form": "once", "game": "ra", "who": ["alice"], "others": "member69, olga", "name": "New", "days": "7", "seed": "a1"}
    answer = secretary.get(to("league-draw", club, season.pk), values)
    assert answer.status_code == 200
    assert {"alice", "member69", "olga"} <= set(re.findall(r"<bdi>(.*?)</bdi>", answer.content.decode()))
    again = re.search(r'href="([^"]*leagues/new/[^"]*)"[^>]*>\s*Change settings', answer.content.decode())
    back = secretary.get(again[1].replace("&amp;", "&")).content.decode()
    assert re.search(r'name="others" value="member69, olga"', back)


def test_play_opens_the_table_and_shows_it_to_others(client, club, season, league, alice, bob):
    client.force_login(bob)
    page = client.get(to("league", club, league.pk)).content.decode()
    urls = set(re.findall(r'action="([^"]*/play/)"', page))
    assert len(urls) == 3, "three games of Bob's"
    answer = client.post(sorted(urls)[0])
    table = Table.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, reverse("table", args=[table.pk]))
    assert client.post(sorted(urls)[0])["Location"] == answer["Location"]
    page = client.get(to("league", club, league.pk)).content.decode()
    assert f'href="{reverse("table", args=[table.pk])}"' in page


def test_somebody_elses_pairing_is_refused(client, club, league, bob, charlie):
    pairing = next(one for one in league.pairings.all() if not one.seats.filter(entrant__user=bob).exists())
    for user, status in ((bob, 403), (charlie, 403), (None, 403)):
        client.logout()
        if user:
            client.force_login(user)
        assert client.post(to("league-play", club, league.pk, pairing.pk)).status_code == status
    assert client.get(to("league-play", club, league.pk, pairing.pk)).status_code == 405
    assert Table.objects.count() == 0


def test_opening_tables_without_end_is_refused(client, club, league, bob, monkeypatch):
    monkeypatch.setattr("portal.common.limits.use", lambda *_args, **_limits: Use(-1, 1234))
    client.force_login(bob)
    answer = client.post(to("league-play", club, league.pk, league.pairings.first().pk))
    assert answer.status_code == 429
    assert answer["Retry-After"] == "1234"


def test_the_table_of_a_league_with_its_tie_breaks_and_who_met_whom(client, club, olga, season, dora):
    league = start(club, olga, season, **DUEL)
    play_out(league, club, ["dora", "bob", "alice"])
    client.force_login(dora)
    page = client.get(to("league", club, league.pk))
    rows = re.findall(r"<tr class=\"table__row.*?</tr>", page.content.decode(), re.S)
    words = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]
    assert words[0].startswith("1 dora (you) 2 2 2")
    assert words[1].startswith("2 bob 2 1 1")
    assert words[3:] == ["1 dora × 1 1", "2 bob 0 × 1", "3 alice 0 0 ×"]
    for said in ("How places are decided", "Against tied players", "they share the place", "place 1, points 1"):
        assert said in text_of(page)
    tend_leagues()
    assert "Finished" in text_of(client.get(to("league", club, league.pk)))
    assert "Points: 2" in text_of(client.get(to("club-honours", club)))


def test_a_large_league_shows_the_rounds_of_now_and_the_one_that_is_asked_for(secretary, club, olga, season):
    league = start(club, olga, season, form="twice", members=["alice", "bob"], bots={"apprentice": 15, "scribe": 15})
    assert league.pairings.count() == 992
    url = to("league", club, league.pk)
    page = secretary.get(url).content.decode()
    assert page.count('id="pairing-') == 2 * 16
    assert len(page) < 250_000
    asked = re.search(r'href="(\?round=40#round-40)"', page)[1].partition("#")[0]
    page = secretary.get(url + asked).content.decode()
    assert page.count('id="pairing-') == 3 * 16 and 'id="round-40" open' in page
    for wrong in ("?round=0", "?round=63", "?round=x", "?round=-1"):
        assert secretary.get(url + wrong).status_code == 404


def test_an_officer_changes_a_pairing_by_its_page(secretary, club, season, league):
    pairing = league.pairings.first()
    url = to("league-pairing", club, league.pk, pairing.pk)
    assert "Move deadline" in text_of(secretary.get(url))
    for values, said in (
        ({"deadline": date_in(-1)}, "in the future"),
        ({"deadline": date_in(300)}, "before the season ends"),
        ({"deadline": "soon"}, "valid date"),
        ({"deadline": "9999-12-31"}, "in this century"),
    ):
        answer = secretary.post(to("league-deadline", club, league.pk, pairing.pk), values)
        assert answer.status_code == 422
        assert said in text_of(answer)
    answer = secretary.post(to("league-void", club, league.pk, pairing.pk), {"reason": " "})
    assert answer.status_code == 422
    assert "Give a reason" in text_of(answer)
    pairing.refresh_from_db()
    assert pairing.void_at is None
    last = timezone.localtime(season.ends_at).date().isoformat()
    assert secretary.post(to("league-deadline", club, league.pk, pairing.pk), {"deadline": last}).status_code == 303
    pairing.refresh_from_db()
    assert pairing.deadline == season.ends_at, "the last day of the season ends with the season"
    assert secretary.post(to("league-void", club, league.pk, pairing.pk), {"reason": "ill"}).status_code == 303
    assert "makes it valid again" in text_of(secretary.get(url))


def test_a_played_pairing_cannot_be_voided_by_its_page(secretary, club, season, league, bob):
    pairing = league.pairings.filter(seats__entrant__user=bob).first()
    finish(leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk), [1, 2])
    assert "This pairing can no longer be changed" in text_of(secretary.get(to("league-pairing", club, league.pk, pairing.pk)))
    answer = secretary.post(to("league-void", club, league.pk, pairing.pk), {"reason": "ill"})
    assert answer.status_code == 409
    assert "Its result stands" in text_of(answer)


def test_the_log_of_the_club_tells_reasons(secretary, club, season, league):
    pairing, entrant = league.pairings.first(), league.entrants.get(name="dora")
    secretary.post(to("league-void", club, league.pk, pairing.pk), {"reason": "the power was off"})
    secretary.post(to("league-entrant", club, league.pk, entrant.pk), {"reason": "moved away"})
    log = text_of(secretary.get(to("club-log", club)))
    for said in ("created the season", "started the league", "the power was off", "withdrew dora", "moved away"):
        assert said in log


# Statements


def count(client, url, django_assert_max_num_queries, most):
    with django_assert_max_num_queries(most) as found:
        assert client.get(url).status_code == 200
    return len(found)


def test_pages_make_the_same_number_of_statements_however_much_there_is(client, club, olga, bob, django_assert_max_num_queries):
    client.force_login(bob)
    season = make_season(club, olga)
    league = start(club, olga, season, **DUEL)
    urls = pages_to_read(club, season, league)
    game_of(club, [("bob", 1), ("dora", 2)])
    play_out(league, club, ["alice", "bob", "dora"])
    few = {url: count(client, url, django_assert_max_num_queries, 20) for url in urls}
    for number in range(3):
        start(club, olga, season, name=f"League {number}", form="twice", members=["alice", "bob", "dora", "olga"], bots={"scribe": 3})
        old = make_season(club, olga, f"Old {number}")
        play_out(start(club, olga, old, **DUEL), club, ["alice", "bob", "dora"])
        seasons.end_season(club=club, actor=olga, season_id=old.pk)
    freeze_due()
    assert {url: count(client, url, django_assert_max_num_queries, 20) for url in urls} == few
    big = League.objects.get(name="League 0")
    pairing = big.pairings.filter(seats__entrant__user=bob).first()
    leagues.play(club=club, user=bob, league_id=big.pk, pairing_id=pairing.pk)
    assert count(client, to("league", club, big.pk), django_assert_max_num_queries, 20) == few[urls[3]]


def test_a_new_league_gets_a_name_that_is_free_however_many_there_are(secretary, club, season):
    names = ["Ra league", *(f"Ra league {number}" for number in range(2, 121))]
    League.objects.bulk_create(League(season=season, name=name, game="ra", form="rounds", seats=3, rounds=3) for name in names)
    answer = secretary.get(to("league-new", club, season.pk))
    assert answer.status_code == 200 and 'value="Ra league 121"' in answer.content.decode()
