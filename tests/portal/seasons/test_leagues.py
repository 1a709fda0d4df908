"""Leagues: how they are drawn, started, played, tended and ended; and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.clubs.models import Club, ClubEntry, Membership, Season
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import BadValue, NotAllowed, WrongMoment
from portal.contests import leagues, seasons
from portal.contests.models import Entrant, Honour, League, Pairing, PairingSeat
from portal.contests.pairings import MOST_ENTRANTS
from portal.contests.tasks import freeze_due, tend_leagues
from portal.ratings.services import apply_pending
from portal.tables.models import Table
from tests.portal.ratings.games import person
from tests.portal.seasons.builders import WEEK, finish, make_season, play_out, start, wish

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
DUEL = {"form": "once", "members": ["alice", "bob", "dora"]}


@pytest.fixture
def league(club, olga, season):
    """Alice, Bob and Dora meet once each at tables of two."""
    return start(club, olga, season, **DUEL)


def everything():
    return [list(model.objects.order_by("pk").values_list()) for model in (League, Entrant, Pairing, PairingSeat, ClubEntry, Table, Honour)]


def pairing_of(league, *names):
    pairings = league.pairings.prefetch_related("seats__entrant")
    return next(one for one in pairings if {seat.entrant.name for seat in one.seats.all()} == set(names))


def play(club, league, user, *names):
    return leagues.play(club=club, user=user, league_id=league.pk, pairing_id=pairing_of(league, *names).pk)


def late(pairing):
    Pairing.objects.filter(pk=pairing.pk).update(deadline=timezone.now() - timedelta(seconds=1))


# Draw and start


def test_a_draw_changes_nothing_and_is_the_same_each_time(club, olga, season):
    before = everything()
    first = leagues.draw(club=club, actor=olga, season_id=season.pk, wish=wish(bots={"scribe": 2}))
    again = leagues.draw(club=club, actor=olga, season_id=season.pk, wish=wish(bots={"scribe": 2}))
    assert (first.rounds, first.entrants, first.deadlines) == (again.rounds, again.entrants, again.deadlines)
    assert everything() == before
    assert [(one.name, one.bot_level) for one in first.entrants] == [
        ("alice", ""), ("bob", ""), ("dora", ""), ("Nabu", "scribe"), ("Ninsun", "scribe"),
    ]  # fmt: skip
    assert (len(first.rounds), first.games_each, first.rests_each) == (5, 3, 2)


def test_a_league_is_stored_as_it_was_drawn(club, olga, season):
    drawn = leagues.draw(club=club, actor=olga, season_id=season.pk, wish=wish(bots={"apprentice": 1}))
    league = start(club, olga, season, bots={"apprentice": 1})
    assert (league.seats, league.rounds, league.form, league.options) == (3, len(drawn.rounds), "rounds", {"open_fame": False})
    stored = {}
    for seat in PairingSeat.objects.filter(pairing__league=league).select_related("pairing", "entrant").order_by("pairing_id", "seat"):
        stored.setdefault((seat.pairing.round, seat.pairing.number), []).append(seat.entrant.number)
    assert [stored[key] for key in sorted(stored)] == [list(table) for tables in drawn.rounds for table in tables]
    assert list(league.entrants.values_list("name", "user__username", "bot_level")) == [
        ("alice", "alice", ""), ("bob", "bob", ""), ("dora", "dora", ""), ("Nabu", None, "apprentice"),
    ]  # fmt: skip
    assert ClubEntry.objects.filter(verb="league_started").count() == 1


def test_deadlines_follow_the_days_and_stop_at_the_end_of_the_season(club, olga):
    season = make_season(club, olga, ends_at=timezone.now() + 10 * DAY)
    drawn = leagues.draw(club=club, actor=olga, season_id=season.pk, wish=wish(form="twice", days=3))
    today = timezone.localdate()
    assert [timezone.localtime(deadline).date() for deadline in drawn.deadlines[:3]] == [today + 3 * DAY, today + 6 * DAY, today + 9 * DAY]
    assert set(drawn.deadlines[3:]) == {season.ends_at}
    assert drawn.is_cut
    planned = make_season(club, olga, "Spring", starts_at=timezone.now() + 30 * DAY)
    drawn = leagues.draw(club=club, actor=olga, season_id=planned.pk, wish=wish(form="twice", days=3))
    assert timezone.localtime(drawn.deadlines[0]).date() == timezone.localtime(planned.starts_at).date() + 3 * DAY


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"members": []}, "members"),
        ({"members": [], "bots": {"scribe": 5}}, "members"),
        ({"members": ["alice"], "form": "once"}, "members"),
        ({"members": ["alice", "bob"]}, "members"),
        ({"members": ["alice", "bob", "charlie"]}, "members"),
        ({"members": ["alice", "bob", "nobody"]}, "members"),
        ({"members": [f"person{number}" for number in range(500)]}, "members"),
        ({"bots": {"scribe": 500}}, "members"),
        ({"bots": {"scribe": MOST_ENTRANTS - 2}}, "members"),
        ({"bots": {"scribe": -1}}, "bots"),
        ({"bots": {"grandmaster": 1}}, "bots"),
        ({"form": "rounds-9"}, "form"),
        ({"form": "once", "game": "after_the_flood"}, "form"),
        ({"form": ""}, "form"),
        ({"game": "chess"}, "game"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 1000}, "rounds"),
        ({"rounds": 3, "bots": {"scribe": 1}}, "rounds"),
        ({"days": 0}, "days"),
        ({"days": 10**6}, "days"),
        ({"name": ""}, "name"),
        ({"name": "x" * 10_000}, "name"),
        ({"name": "standing LEAGUE"}, "name"),
        ({"options": {"open_fame": "perhaps"}}, "options"),
        ({"options": {"no_such": 1}}, "options"),
        ({"seed": ""}, "seed"),
        ({"seed": "x" * 100}, "seed"),
        ({"seed": "a b"}, "seed"),
    ],
)
def test_an_impossible_league_is_refused_and_nothing_changes(club, olga, season, values, field):
    start(club, olga, season, name="Standing league")
    before = everything()
    for deed in (leagues.draw, leagues.start_league):
        with pytest.raises(BadValue) as refused:
            deed(club=club, actor=olga, season_id=season.pk, wish=wish(**values))
        assert refused.value.field == field, refused.value
        assert str(refused.value).endswith((".", "characters."))
    assert everything() == before


def test_an_unfair_number_of_rounds_is_refused_with_the_fair_ones(club, olga, season):
    with pytest.raises(BadValue, match=r"4 entrants at tables of 3.*4, 8, 12"):
        start(club, olga, season, bots={"scribe": 1}, rounds=3)
    assert start(club, olga, season, bots={"scribe": 1}, rounds=8).rounds == 8


def test_a_season_of_one_game_has_leagues_of_that_game(club, olga):
    season = make_season(club, olga, game="babel")
    with pytest.raises(BadValue, match="counts in this season"):
        start(club, olga, season)
    start(club, olga, season, game="babel", form="once")


def test_a_season_that_is_over_takes_no_league_and_none_too_many(club, olga, season):
    for number in range(leagues.MOST_LEAGUES):
        start(club, olga, season, name=f"League {number}", form="once", members=["alice", "bob"])
    with pytest.raises(WrongMoment, match="at most"):
        start(club, olga, season)
    Season.objects.update(starts_at=timezone.now() - DAY, ends_at=timezone.now())
    League.objects.all().delete()
    with pytest.raises(WrongMoment, match="over"):
        start(club, olga, season)


@pytest.mark.parametrize("role", ["owner", "officer", "member", "stranger", "visitor"])
def test_who_may_do_what_in_a_league(club, people, season, role):
    user, league = people[role], start(club, people["owner"], season, **DUEL)
    pairing, entrant = pairing_of(league, "alice", "dora"), league.entrants.get(name="dora")
    deeds = [
        lambda: leagues.draw(club=club, actor=user, season_id=season.pk, wish=wish(name="New")),
        lambda: leagues.start_league(club=club, actor=user, season_id=season.pk, wish=wish(name="New")),
        lambda: leagues.move_deadline(
            club=club, actor=user, league_id=league.pk, pairing_id=pairing.pk, deadline=timezone.now() + DAY, reason="ill"
        ),
        lambda: leagues.void_pairing(club=club, actor=user, league_id=league.pk, pairing_id=pairing.pk, reason="ill"),
        lambda: leagues.withdraw(club=club, actor=user, league_id=league.pk, entrant_id=entrant.pk, reason="ill"),
    ]
    if role in ("owner", "officer"):
        for deed in deeds:
            deed()
        verbs = list(ClubEntry.objects.order_by("pk").values_list("verb", flat=True))
        assert verbs[-4:] == ["league_started", "league_deadline", "league_voided", "league_withdrawn"]
        return
    before = everything()
    for deed in deeds:
        with pytest.raises(NotAllowed):
            deed()
    Club.objects.update(is_private=True)
    club.refresh_from_db()
    for deed in deeds:
        with pytest.raises(NotAllowed if role == "member" else ClubNotFound):
            deed()
    assert everything() == before


# Playing


def test_playing_ones_pairing_seats_everybody_and_starts(club, olga, season, bob):
    league = start(club, olga, season, bots={"apprentice": 1}, rounds=4)
    pairing = league.pairings.filter(seats__entrant__name="bob").filter(seats__entrant__name="Nabu").first()
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    table = Table.objects.get(pk=table_id)
    assert (table.status, table.club, table.is_rated, table.seat_count) == ("playing", club, True, 3)
    seated = [(seat.user.username if seat.user else seat.bot_name) for seat in table.seats.order_by("index")]
    assert seated == [seat.entrant.name for seat in pairing.seats.order_by("seat")]
    assert leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk) == table_id, "the table is opened once"
    assert Table.objects.count() == 1


@pytest.mark.parametrize("who", ["dora", "charlie", "olga", None])
def test_somebody_elses_pairing_is_not_played(club, league, who):
    before = everything()
    with pytest.raises(NotAllowed, match="players in this pairing"):
        play(club, league, person(who) if who else None, "alice", "bob")
    assert everything() == before


def test_a_pairing_that_is_void_late_or_of_another_time_is_not_played(club, olga, league, bob):
    leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing_of(league, "alice", "bob").pk, reason="ill")
    with pytest.raises(WrongMoment, match="void"):
        play(club, league, bob, "alice", "bob")
    late(pairing_of(league, "bob", "dora"))
    with pytest.raises(WrongMoment, match="deadline"):
        play(club, league, bob, "bob", "dora")
    planned = make_season(club, olga, "Spring", starts_at=timezone.now() + DAY)
    spring = start(club, olga, planned, **DUEL)
    with pytest.raises(WrongMoment, match="not started"):
        play(club, spring, bob, "bob", "dora")
    Club.objects.update(closed_at=timezone.now())
    with pytest.raises(WrongMoment, match="closed"):
        play(club, spring, bob, "bob", "dora")


def test_a_pairing_of_another_club_or_league_is_not_there(club, olga, season, league, bob):
    other = Club.objects.create(slug="other", name="Other", link_code="y")
    Membership.objects.create(club=other, user=bob, role="owner")
    second = start(club, olga, season, name="Second", **DUEL)
    pairing = pairing_of(league, "alice", "bob")
    with pytest.raises(ClubNotFound):
        leagues.play(club=other, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    with pytest.raises(ClubNotFound):
        leagues.play(club=club, user=bob, league_id=second.pk, pairing_id=pairing.pk)


def test_results_make_the_table_and_the_last_one_ends_the_league(club, league, bob):
    play_out(league, club, ["dora", "bob", "alice"])
    assert [(line.rank, line.points, line.wins) for line in leagues.standings(league)] == [(1, 2, 2), (2, 1, 1), (3, 0, 0)]
    league.refresh_from_db()
    assert league.ended_at is None
    assert tend_leagues() == 1
    league.refresh_from_db()
    assert league.ended_at is not None
    honours = list(Honour.objects.filter(league=league).values_list("rank", "name", "value", "games"))
    assert honours == [(1, "dora", "2", 2), (2, "bob", "1", 2), (3, "alice", "0", 2)]
    assert tend_leagues() == 0
    assert Honour.objects.filter(league=league).count() == 3


def test_who_leaves_a_game_is_last_in_it(club, olga, season, alice):
    league = start(club, olga, season, members=["alice", "bob", "dora"], form="rounds-3")
    table_id = play(club, league, alice, "alice", "bob", "dora")
    table = Table.objects.get(pk=table_id)
    seat = table.seats.get(user=alice)
    seat.left_user, seat.user, seat.bot_level = alice, None, "apprentice"
    seat.save()
    order = [one.entrant.name for one in pairing_of(league, "alice", "bob", "dora").seats.order_by("seat")]
    finish(table_id, [1 + ["alice", "bob", "dora"].index(name) for name in order])  # the bot won
    entrants = {one.pk: one.name for one in league.entrants.all()}
    points = {entrants[line.entrant]: line.points for line in leagues.standings(league)}
    assert points == {"bob": 2, "dora": 1, "alice": 0}  # the others have their places among themselves


# Tending


def test_a_deadline_that_passed_makes_a_pairing_void_but_not_one_that_has_begun(club, league, bob):
    begun, missed = pairing_of(league, "alice", "bob"), pairing_of(league, "bob", "dora")
    table_id = play(club, league, bob, "alice", "bob")
    late(begun)
    late(missed)
    assert tend_leagues() == 1
    begun.refresh_from_db()
    missed.refresh_from_db()
    assert begun.void_at is None
    assert missed.void_at is not None
    finish(table_id, [1, 2])
    assert sum(line.games for line in leagues.standings(league)) == 2


def test_games_of_bots_alone_are_opened_some_at_a_time(club, olga, season):
    league = start(club, olga, season, members=["bob"], bots={"apprentice": 5}, form="once")
    assert Table.objects.count() == 0
    tend_leagues()
    assert Table.objects.filter(status="playing").count() == leagues.BOT_TABLES
    tend_leagues()
    assert Table.objects.count() == leagues.BOT_TABLES
    finish(Table.objects.first().pk, [1, 2])
    tend_leagues()
    assert Table.objects.count() == leagues.BOT_TABLES + 1
    start(club, olga, season, name="Second", members=["bob"], bots={"apprentice": 5}, form="once")
    tend_leagues()
    assert Table.objects.count() == leagues.BOT_TABLES + 1, "all leagues of a club share the bots' tables"
    rounds = league.pairings.exclude(table=None).values_list("round", flat=True)
    assert max(rounds) <= 3, "in the order of the rounds"
    assert not Table.objects.filter(seats__user__isnull=False).exists()


def test_bots_wait_for_the_begin_of_the_season(club, olga):
    season = make_season(club, olga, starts_at=timezone.now() + DAY)
    start(club, olga, season, members=["bob"], bots={"apprentice": 2}, form="once")
    assert tend_leagues() == 0
    assert Table.objects.count() == 0


def test_who_leaves_the_club_is_withdrawn(club, league, bob):
    play_id = play(club, league, bob, "alice", "bob")
    Membership.objects.get(club=club, user=bob).delete()
    tend_leagues()
    assert league.entrants.get(name="bob").withdrawn_at is not None
    assert pairing_of(league, "bob", "dora").void_at is not None
    assert pairing_of(league, "alice", "bob").void_at is None, "a game that runs is played out"
    assert pairing_of(league, "alice", "dora").void_at is None
    assert list(ClubEntry.objects.filter(verb="league_left").values_list("subject__username", flat=True)) == ["bob"]
    finish(play_id, [1, 2])
    assert sum(line.games for line in leagues.standings(league)) == 2


def test_nobody_is_seated_who_has_just_left_the_club(club, league, bob, dora):
    """Before the worker has seen it: people leave, close their account, or the account is gone."""
    Membership.objects.get(club=club, user=dora).delete()
    with pytest.raises(WrongMoment, match="left the club"):
        play(club, league, bob, "bob", "dora")
    with pytest.raises(NotAllowed):
        play(club, league, dora, "alice", "dora")
    Membership.objects.create(club=club, user=dora)
    type(dora).objects.filter(pk=dora.pk).update(is_active=False)
    with pytest.raises(WrongMoment, match="left the club"):
        play(club, league, bob, "bob", "dora")
    dora.delete()
    with pytest.raises(WrongMoment, match="left the club"):
        play(club, league, bob, "bob", "dora")
    assert Table.objects.count() == 0
    tend_leagues()
    assert league.entrants.get(name="dora").withdrawn_at is not None


def test_a_table_that_cannot_be_opened_does_not_hold_up_other_leagues(club, olga, season, monkeypatch):
    start(club, olga, season, name="First", members=["bob"], bots={"apprentice": 2}, form="once")
    start(club, olga, season, name="Second", members=["bob"], bots={"apprentice": 2}, form="once")
    real, calls = leagues._open, []

    def sometimes(club, league, pairing, seats):
        calls.append(league.name)
        if league.name == "First":
            raise WrongMoment
        return real(club, league, pairing, seats)

    monkeypatch.setattr(leagues, "_open", sometimes)
    assert tend_leagues() == 1
    assert calls == ["First", "Second"]
    assert Table.objects.count() == 1


# Officers


def test_a_deadline_is_moved_and_a_missed_pairing_is_on_again(club, olga, league, bob):
    missed = pairing_of(league, "bob", "dora")
    late(missed)
    tend_leagues()
    moved = timezone.now() + DAY
    leagues.move_deadline(club=club, actor=olga, league_id=league.pk, pairing_id=missed.pk, deadline=moved, reason="Bob was ill")
    missed.refresh_from_db()
    assert (missed.void_at, missed.deadline) == (None, moved)
    entry = ClubEntry.objects.get(verb="league_deadline")
    assert entry.values["reason"] == "Bob was ill"
    play(club, league, bob, "bob", "dora")


def test_deadlines_move_with_the_begin_of_the_season_and_none_lies_after_its_end(club, olga):
    now = timezone.now()
    season = make_season(club, olga, starts_at=now + DAY, ends_at=now + 60 * DAY)
    league = start(club, olga, season, days=10, **DUEL)
    before = list(league.pairings.values_list("deadline", flat=True))
    seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", starts_at=now + 6 * DAY)
    assert list(league.pairings.values_list("deadline", flat=True)) == [deadline + 5 * DAY for deadline in before]
    seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", ends_at=now + 20 * DAY)
    moved = list(league.pairings.values_list("deadline", flat=True))
    assert moved == [min(deadline + 5 * DAY, now + 20 * DAY) for deadline in before]
    assert moved[-1] == now + 20 * DAY


def test_a_season_keeps_the_games_of_its_leagues(club, olga):
    season = make_season(club, olga, starts_at=timezone.now() + DAY)
    start(club, olga, season, **DUEL)
    with pytest.raises(BadValue, match="league in another game"):
        seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", game="babel")
    assert seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", game="ra").game == "ra"


def test_impossible_deadlines_are_refused(club, olga, season, league, bob):
    pairing = pairing_of(league, "bob", "dora")
    for deadline in (timezone.now() - DAY, season.ends_at + DAY, timezone.now().replace(tzinfo=None)):
        with pytest.raises(BadValue) as refused:
            leagues.move_deadline(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, deadline=deadline)
        assert refused.value.field == "deadline"
    play(club, league, bob, "bob", "dora")
    with pytest.raises(WrongMoment, match="has started"):
        leagues.move_deadline(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, deadline=timezone.now() + DAY)
    leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="x")
    with pytest.raises(WrongMoment, match="void"):
        leagues.move_deadline(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, deadline=timezone.now() + DAY)


def test_a_played_pairing_is_not_voided(club, olga, league, bob):
    pairing = pairing_of(league, "alice", "bob")
    finish(play(club, league, bob, "alice", "bob"), [1, 2], count=False)
    before = everything()
    for _ in range(2):  # before and after the scoring worker has counted it
        with pytest.raises(WrongMoment, match="result stands"):
            leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="x")
        assert everything() == before
        apply_pending()
        before = everything()


def test_a_voided_game_gives_no_points_when_it_ends(club, olga, league, bob):
    table_id = play(club, league, bob, "alice", "bob")
    pairing = pairing_of(league, "alice", "bob")
    leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="wrong seats")
    with pytest.raises(WrongMoment, match="already void"):
        leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="again")
    finish(table_id, [1, 2])
    assert sum(line.points for line in leagues.standings(league)) == 0


def test_a_reason_is_needed_and_is_a_line(club, olga, league):
    pairing, entrant = pairing_of(league, "alice", "bob"), league.entrants.first()
    before = everything()
    for reason in ("", "   ", "\x00", "x" * 5000):
        with pytest.raises(BadValue) as refused:
            leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason=reason)
        assert refused.value.field == "reason"
        with pytest.raises(BadValue):
            leagues.withdraw(club=club, actor=olga, league_id=league.pk, entrant_id=entrant.pk, reason=reason)
    assert everything() == before


def test_withdrawing_voids_what_has_not_begun_and_keeps_what_was_played(club, olga, league, bob):
    finish(play(club, league, bob, "alice", "bob"), [1, 2])
    entrant = league.entrants.get(name="bob")
    leagues.withdraw(club=club, actor=olga, league_id=league.pk, entrant_id=entrant.pk, reason="moved away")
    assert sum(line.games for line in leagues.standings(league)) == 2
    assert pairing_of(league, "bob", "dora").void_at is not None
    with pytest.raises(WrongMoment, match="already"):
        leagues.withdraw(club=club, actor=olga, league_id=league.pk, entrant_id=entrant.pk, reason="again")
    pairing = pairing_of(league, "bob", "dora")
    with pytest.raises(WrongMoment, match="withdrawn"):
        leagues.move_deadline(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, deadline=timezone.now() + DAY)
    with pytest.raises(ClubNotFound):
        leagues.withdraw(club=club, actor=olga, league_id=league.pk, entrant_id=0, reason="x")


def test_a_league_in_which_all_is_void_ends(club, olga, league):
    for pairing in league.pairings.all():
        leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="called off")
    league.refresh_from_db()
    assert league.ended_at is not None
    assert Honour.objects.count() == 0, "nobody has played"
    with pytest.raises(WrongMoment, match="over"):
        leagues.withdraw(club=club, actor=olga, league_id=league.pk, entrant_id=league.entrants.first().pk, reason="x")


# The end of the season


def test_freezing_the_season_ends_its_leagues_for_good(club, olga, season, league, bob, alice):
    finish(play(club, league, bob, "alice", "bob"), [1, 2])
    running = play(club, league, alice, "alice", "dora")
    seasons.end_season(club=club, actor=olga, season_id=season.pk)
    assert freeze_due() == 1
    league.refresh_from_db()
    assert league.ended_at is not None
    assert pairing_of(league, "alice", "dora").void_at is not None
    assert pairing_of(league, "bob", "dora").void_at is not None
    assert pairing_of(league, "alice", "bob").void_at is None
    before, honours = leagues.standings(league), list(Honour.objects.values_list())
    finish(running, [1, 2])
    assert leagues.standings(league) == before
    from portal.ratings import recount

    recount.rebuild()
    assert leagues.standings(league) == before
    assert tend_leagues() == 0
    assert list(Honour.objects.values_list()) == honours
    assert Honour.objects.filter(league=league).count() == 2


def test_a_league_game_that_ended_after_the_season_does_not_count(club, season, league, bob):
    table_id = play(club, league, bob, "alice", "bob")
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() - WEEK, ends_at=timezone.now())
    finish(table_id, [1, 2])
    freeze_due()
    assert pairing_of(league, "alice", "bob").void_at is not None
    assert sum(line.games for line in leagues.standings(league)) == 0


def test_deadlines_are_days_of_the_reader_and_not_of_greenwich(club, olga):
    with time_machine.travel(datetime(2026, 11, 2, 23, 30, tzinfo=UTC), tick=False), timezone.override("Europe/Budapest"):
        drawn = leagues.draw(club=club, actor=olga, season_id=make_season(club, olga).pk, wish=wish(form="twice", days=3))
    assert drawn.deadlines[0] == datetime(2026, 11, 6, 22, 59, 59, 999999, tzinfo=UTC)
