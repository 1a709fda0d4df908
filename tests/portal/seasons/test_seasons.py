"""Seasons: how they are created, changed, ended and frozen; and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from portal.clubs.models import Club, ClubEntry, Membership, Season
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import BadValue, NotAllowed, WrongMoment
from portal.contests import seasons
from portal.contests.models import Honour
from portal.contests.tasks import freeze_due
from portal.ratings.models import Rating
from portal.ratings.services import apply_pending
from tests.portal.ratings.games import person
from tests.portal.seasons.builders import WEEK, game_of, make_season, next_number

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def rows(season):
    """The ladders of a season, as they are stored."""
    fields = ("ladder__key", "user_id", "bot_level", "mu", "sigma", "games", "wins", "place_sum", "trend")
    return sorted(Rating.objects.filter(ladder__season=season).values_list(*fields), key=str)


def over(season):
    """Move the end of a season to a moment ago."""
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() - WEEK, ends_at=timezone.now())


def test_an_officer_makes_a_season_and_the_log_says_so(club, olga):
    season = make_season(club, olga, "Autumn  2026 ", game="ra")
    assert (season.name, season.game, season.frozen_at) == ("Autumn 2026", "ra", None)
    assert season.starts_at <= timezone.now() < season.ends_at
    assert list(ClubEntry.objects.values_list("verb", "actor__username", "values")) == [("season_made", "olga", {"name": "Autumn 2026"})]


@pytest.mark.parametrize("role", ["owner", "officer", "member", "stranger", "visitor"])
def test_who_may_make_change_and_end_a_season(club, people, role):
    user, standing = people[role], make_season(club, people["owner"], "First")
    deeds = [
        lambda: make_season(club, user, "Second"),
        lambda: seasons.edit_season(club=club, actor=user, season_id=standing.pk, name="Third"),
        lambda: seasons.end_season(club=club, actor=user, season_id=standing.pk),
    ]
    if role in ("owner", "officer"):
        for deed in deeds:
            deed()
        assert set(Season.objects.values_list("name", flat=True)) == {"Second", "Third"}
        return
    before = list(Season.objects.values_list())
    for deed in deeds:
        with pytest.raises(NotAllowed):
            deed()
    Club.objects.update(is_private=True)
    club.refresh_from_db()
    for deed in deeds:
        with pytest.raises(NotAllowed if role == "member" else ClubNotFound):
            deed()
    assert list(Season.objects.values_list()) == before


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"ends_at": timedelta(days=-1)}, "ends_at"),
        ({"starts_at": timedelta(days=5), "ends_at": timedelta(days=4)}, "ends_at"),
        ({"starts_at": timedelta(days=5), "ends_at": timedelta(days=5)}, "ends_at"),
        ({"starts_at": timedelta(minutes=-1)}, "starts_at"),
        ({"starts_at": timedelta(days=400), "ends_at": timedelta(days=410)}, "starts_at"),
        ({"ends_at": timedelta(days=3650)}, "ends_at"),
        ({"name": ""}, "name"),
        ({"name": "x" * 10_000}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "  AUTUMN "}, "name"),
        ({"game": "chess"}, "game"),
    ],
)
def test_an_impossible_season_is_refused_and_nothing_changes(club, olga, values, field):
    standing = make_season(club, olga, "Autumn")
    later = make_season(club, olga, "Later", starts_at=timezone.now() + DAY)
    now = timezone.now()
    dates = {key: now + value for key, value in values.items() if isinstance(value, timedelta)}
    wanted = {"name": "Winter", **values, **dates}
    before = list(Season.objects.values_list()), ClubEntry.objects.count()
    with pytest.raises(BadValue) as refused:
        make_season(club, olga, wanted.pop("name"), **wanted)
    assert refused.value.field == field
    with pytest.raises(BadValue) as refused:
        seasons.edit_season(club=club, actor=olga, season_id=later.pk, **{"name": "Winter", **values, **dates})
    assert refused.value.field == field
    assert (list(Season.objects.values_list()), ClubEntry.objects.count()) == before
    assert standing.frozen_at is None


def test_dates_without_a_time_zone_are_refused(club, olga):
    for values in ({"ends_at": datetime(2030, 1, 1)}, {"starts_at": datetime(2030, 1, 1)}):
        with pytest.raises(BadValue):
            make_season(club, olga, **values)


def test_a_club_has_a_few_open_seasons_at_most(club, olga):
    for number in range(seasons.MOST_OPEN):
        make_season(club, olga, f"Season {number}")
    with pytest.raises(WrongMoment, match="at most"):
        make_season(club, olga, "One more")
    Season.objects.filter(name="Season 0").update(frozen_at=timezone.now())
    make_season(club, olga, "One more")


def test_nothing_changes_in_a_closed_club(club, olga, season):
    Club.objects.update(closed_at=timezone.now())
    club.refresh_from_db()
    for deed in (
        lambda: make_season(club, olga, "Winter"),
        lambda: seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Winter"),
        lambda: seasons.end_season(club=club, actor=olga, season_id=season.pk),
    ):
        with pytest.raises(WrongMoment):
            deed()


def test_what_has_passed_stays_as_it_is(club, olga, season):
    now = timezone.now()
    with pytest.raises(WrongMoment, match="has started"):
        seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", starts_at=now + DAY)
    with pytest.raises(WrongMoment, match="has started"):
        seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", game="ra")
    edited = seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", ends_at=now + DAY)
    assert edited.ends_at == now + DAY
    over(season)
    with pytest.raises(WrongMoment, match="is over"):
        seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", ends_at=now + DAY)
    with pytest.raises(WrongMoment, match="is over"):
        seasons.end_season(club=club, actor=olga, season_id=season.pk)
    freeze_due()
    with pytest.raises(WrongMoment, match="final"):
        seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Winter")


def test_a_planned_season_is_changed_in_all_things_but_not_ended(club, olga):
    now = timezone.now()
    planned = make_season(club, olga, starts_at=now + DAY)
    with pytest.raises(WrongMoment, match="not started"):
        seasons.end_season(club=club, actor=olga, season_id=planned.pk)
    edited = seasons.edit_season(
        club=club, actor=olga, season_id=planned.pk, name="Spring", starts_at=now + 2 * DAY, ends_at=now + WEEK, game="ra"
    )
    assert (edited.name, edited.starts_at, edited.ends_at, edited.game) == ("Spring", now + 2 * DAY, now + WEEK, "ra")


def test_a_season_of_another_club_is_not_there(club, olga, season):
    other = Club.objects.create(slug="other", name="Other", link_code="y")
    Membership.objects.create(club=other, user=olga, role="owner")
    for deed in (
        lambda: seasons.end_season(club=other, actor=olga, season_id=season.pk),
        lambda: seasons.edit_season(club=other, actor=olga, season_id=season.pk, name="Mine"),
        lambda: seasons.end_season(club=club, actor=olga, season_id=0),
    ):
        with pytest.raises(ClubNotFound):
            deed()


# Counting and freezing


def test_games_of_the_club_from_begin_to_end_count(club, olga):
    early = timezone.now()
    next_number()
    season = make_season(club, olga)
    other = Club.objects.create(slug="other", name="Other", link_code="y")
    game_of(club, [("bob", 1), ("dora", 2)], at=early)  # ended before the start
    game_of(other, [("bob", 1), ("dora", 2)])
    game_of(None, [("bob", 1), ("dora", 2)])
    game_of(club, [("bob", 1), ("dora", 2)], is_rated=False)
    game_of(club, [("bob", 1), ("dora", 2)], at=season.ends_at)  # at the end: too late
    apply_pending()
    assert rows(season) == []
    game_of(club, [("bob", 1), ("dora", 2)])
    apply_pending()
    assert {row[0] for row in rows(season)} == {f"people/ra/season/{season.pk}", f"people//season/{season.pk}"}
    assert {row[5] for row in rows(season)} == {1}


def test_a_game_that_ended_before_the_season_was_made_never_counts(club, olga):
    game_of(club, [("bob", 1), ("dora", 2)], at=timezone.now() + timedelta(seconds=5))  # another machine's clock runs ahead
    season = make_season(club, olga)
    assert season.after_number == 1
    Season.objects.update(starts_at=timezone.now() - WEEK)
    apply_pending()
    assert rows(season) == []


def test_a_season_is_frozen_when_its_end_has_come_and_not_before(club, olga, season):
    game_of(club, [("bob", 1), ("dora", 2), ("scribe", 3)])
    assert freeze_due() == 0
    over(season)
    assert freeze_due() == 1
    season.refresh_from_db()
    assert season.frozen_number == 1, "what was pending is in it"
    assert season.frozen_at is not None


def test_freezing_twice_does_nothing_the_second_time(club, olga, season):
    game_of(club, [("bob", 1), ("dora", 2)], at=season.starts_at)
    apply_pending()
    over(season)
    assert [freeze_due(), freeze_due(), seasons.freeze(season.pk), seasons.freeze(10**9)] == [1, 0, False, False]
    assert Honour.objects.filter(season=season, game="ra").count() == 2


def test_nothing_of_a_freeze_that_is_interrupted_stays(club, olga, season, monkeypatch):
    game_of(club, [("bob", 1), ("dora", 2)])
    over(season)

    def killed(_season):
        raise RuntimeError("the power is off")

    with monkeypatch.context() as patch:
        patch.setattr(seasons, "_honours", killed)
        with pytest.raises(RuntimeError):
            freeze_due()
    season.refresh_from_db()
    assert (season.frozen_at, season.frozen_number, Honour.objects.count()) == (None, None, 0)
    assert freeze_due() == 1


def test_a_frozen_table_never_moves_again(club, olga, season):
    game_of(club, [("bob", 1), ("dora", 2)])
    apply_pending()
    in_season = timezone.now()
    seasons.end_season(club=club, actor=olga, season_id=season.pk)
    freeze_due()
    before, honours = rows(season), list(Honour.objects.values_list())
    game_of(club, [("dora", 1), ("bob", 2)], at=in_season)  # ended in the season, but its number came after the freeze
    game_of(club, [("dora", 1), ("bob", 2)])
    apply_pending()
    assert rows(season) == before
    assert before
    from portal.ratings import recount

    recount.rebuild()
    assert rows(season) == before
    assert list(Honour.objects.values_list()) == honours


def test_a_season_of_one_game_counts_only_that(club, olga):
    season = make_season(club, olga, game="babel")
    game_of(club, [("bob", 1), ("dora", 2)])
    game_of(club, [("bob", 2), ("dora", 1)], game="babel")
    apply_pending()
    over(season)
    freeze_due()
    assert set(Honour.objects.values_list("pool", "game")) == {("people", "babel")}, "all games would be the same list again"
    assert list(Honour.objects.values_list("rank", "name")) == [(1, "dora"), (2, "bob")]


def test_honours_name_the_first_three_of_each_ladder(club, olga, season):
    for name in ("erik", "fred"):
        Membership.objects.create(club=club, user=person(name))
    for _ in range(3):
        game_of(club, [("bob", 1), ("dora", 2), ("erik", 3), ("fred", 4)])
        game_of(club, [("scribe", 1), ("dora", 2)], game="babel")
    apply_pending()
    over(season)
    freeze_due()
    found = {}
    for honour in Honour.objects.filter(season=season):
        found.setdefault((honour.pool, honour.game), []).append((honour.rank, honour.name, honour.games))
    assert found[("people", "ra")] == found[("people", "")] == [(1, "bob", 3), (2, "dora", 3), (3, "erik", 3)]
    assert found[("bots", "babel")] == found[("bots", "")] == [(1, "bot:scribe", 3), (2, "dora", 3)]
    assert "±" in Honour.objects.first().value


def test_equal_ratings_share_an_honour(club, olga, season):
    names = ["bob", "dora", "erik", "fred", "gina"]
    game_of(club, [(name, 1) for name in names])
    apply_pending()
    over(season)
    freeze_due()
    shared = Honour.objects.filter(season=season, game="ra")
    assert sorted(shared.values_list("rank", "name")) == [(1, name) for name in names]


def test_closed_accounts_get_no_honour(club, olga, season):
    game_of(club, [("bob", 1), ("dora", 2)])
    apply_pending()
    person("bob")
    type(olga).objects.filter(username="bob").update(is_active=False)
    over(season)
    freeze_due()
    assert set(Honour.objects.values_list("rank", "name")) == {(2, "dora")}


def test_a_season_without_games_is_frozen_without_honours(club, season):
    over(season)
    assert freeze_due() == 1
    assert Honour.objects.count() == 0
