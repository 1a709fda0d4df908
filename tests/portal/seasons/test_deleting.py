"""A planned season can be deleted entirely; one that has started cannot."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.clubs.models import Club, ClubEntry, Membership, Season
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import NotAllowed, WrongMoment
from portal.contests import leagues, seasons
from portal.contests.models import Entrant, League, Pairing, PairingSeat
from portal.contests.tasks import freeze_due
from portal.ratings import recount
from portal.ratings.models import Ladder
from portal.ratings.services import apply_pending
from tests.portal.seasons.builders import game_of, make_season, start

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def planned(club, olga):
    """A season that starts tomorrow."""
    return make_season(club, olga, "Spring", starts_at=timezone.now() + DAY)


def everything():
    return [list(model.objects.order_by("pk").values_list()) for model in (Season, League, Entrant, Pairing, PairingSeat, ClubEntry)]


def test_a_planned_season_goes_with_its_leagues_and_the_log_keeps_its_name(club, olga, season, planned):
    kept = start(club, olga, season)
    start(club, olga, planned, bots={"scribe": 1})
    seasons.delete_season(club=club, actor=olga, season_id=planned.pk)
    assert list(Season.objects.all()) == [season]
    assert list(League.objects.all()) == [kept]
    for rows in (
        Entrant.objects.exclude(league=kept),
        Pairing.objects.exclude(league=kept),
        PairingSeat.objects.exclude(pairing__league=kept),
    ):
        assert not rows.exists()
    entry = ClubEntry.objects.latest("pk")
    assert (entry.verb, entry.actor, entry.values) == ("season_deleted", olga, {"name": "Spring"})
    make_season(club, olga, "Spring")  # the name is free again
    with pytest.raises(ClubNotFound, match="season doesn't exist"):
        seasons.delete_season(club=club, actor=olga, season_id=planned.pk)


@pytest.mark.parametrize("state", ["running", "over", "frozen"])
def test_a_season_that_has_begun_stays(club, olga, season, state):
    game_of(club, [("bob", 1), ("dora", 2)])
    apply_pending()
    if state != "running":
        Season.objects.filter(pk=season.pk).update(ends_at=timezone.now())
    if state == "frozen":
        assert freeze_due() == 1
    before = everything()
    with pytest.raises(WrongMoment, match="has started"):
        seasons.delete_season(club=club, actor=olga, season_id=season.pk)
    assert everything() == before
    assert Ladder.objects.filter(season=season).count() == 2


def test_games_count_on_as_if_the_deleted_season_had_never_been(club, olga, season, planned):
    game_of(club, [("bob", 1), ("dora", 2)])
    seasons.delete_season(club=club, actor=olga, season_id=planned.pk)
    game_of(club, [("bob", 1), ("dora", 2)], at=planned.starts_at + DAY)
    apply_pending()
    assert set(Ladder.objects.exclude(season=None).values_list("season", flat=True)) == {season.pk}
    assert recount.check()[1] == []


def test_a_season_of_another_club_or_a_closed_one_is_not_deleted(club, olga, planned):
    other = Club.objects.create(slug="other", name="Other", link_code="y")
    Membership.objects.create(club=other, user=olga, role="owner")
    with pytest.raises(ClubNotFound):
        seasons.delete_season(club=other, actor=olga, season_id=planned.pk)
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now())
    club.refresh_from_db()
    with pytest.raises(WrongMoment, match="closed"):
        seasons.delete_season(club=club, actor=olga, season_id=planned.pk)
    assert Season.objects.filter(pk=planned.pk).exists()


@pytest.mark.parametrize("role", ["owner", "officer", "member", "stranger", "visitor"])
def test_who_may_delete(club, people, planned, role):
    deed = lambda: seasons.delete_season(club=club, actor=people[role], season_id=planned.pk)  # noqa: E731
    if role in ("owner", "officer"):
        deed()
        assert not Season.objects.exists()
        return
    with pytest.raises(NotAllowed):
        deed()
    Club.objects.update(is_private=True)
    club.refresh_from_db()
    with pytest.raises(NotAllowed if role == "member" else ClubNotFound):
        deed()
    assert Season.objects.filter(pk=planned.pk).exists()


def test_the_page_of_a_planned_season_offers_it_to_officers_alone(client, club, olga, bob, season, planned):
    pages = {one: reverse("season", args=[club.slug, one.pk]) for one in (season, planned)}
    address = reverse("season-delete", args=[club.slug, planned.pk])
    client.force_login(bob)
    assert address not in client.get(pages[planned]).content.decode()
    assert client.post(address).status_code == 403
    client.force_login(olga)
    assert "/delete/" not in client.get(pages[season]).content.decode()
    page = client.get(pages[planned]).content.decode()
    assert f'action="{address}"' in page
    assert "/end/" not in page
    assert client.get(address).status_code == 405
    assert client.post(reverse("season-delete", args=[club.slug, season.pk])).status_code == 409
    answer = client.post(address, follow=True)
    assert answer.redirect_chain == [(reverse("club-seasons", args=[club.slug]), 303)]
    assert "The season has been deleted." in answer.content.decode()
    assert client.post(address).status_code == 404
    log = client.get(reverse("club-log", args=[club.slug])).content.decode()
    assert "olga deleted the planned season “Spring”." in log


def test_no_league_of_a_season_to_come_has_a_table(club, olga, bob, planned):
    """So deleting it takes no game away."""
    league = start(club, olga, planned, form="once", members=["bob"], bots={"scribe": 2})
    leagues.tend_all()
    pairing = league.pairings.filter(seats__entrant__user=bob).first()
    with pytest.raises(WrongMoment, match="not started"):
        leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    assert not league.pairings.exclude(table=None).exists()
