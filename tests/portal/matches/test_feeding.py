"""Matches of bots: rotations, deals, each game once, limits, and what stops a match."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from portal.bots.models import BotAccount
from portal.bots.refusals import BotNotAtPace, BotNotFound, BotNotTaking, BotUnrated
from portal.bots.services import change_bot, close_bot
from portal.clubs.models import DuplicateSet
from portal.common import maintenance
from portal.matches import feeding, refusals, services, tasks
from portal.matches.feeding import feed, step
from portal.matches.models import Game, Match
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import refusals as table_refusals
from portal.tables.models import Seat, Table
from portal.tables.pace import Pace
from portal.tables.reveal import abandon
from portal.tables.services import leave_table
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def sitters(game):
    return [seat.user.username if seat.user else seat.bot_level for seat in Seat.objects.filter(table=game.table).select_related("user")]


def running(match):
    return list(match.rows.filter(ended_at=None).order_by("number"))


# Seats and deals


def test_every_player_takes_every_seat_of_a_shared_deal(match_of, gilga):
    match = match_of("gilga", levels=["scribe", "apprentice"], games=5)
    assert (match.games, match.is_paired) == (6, True)
    assert feed() == 3
    games = running(match)
    assert [sitters(game) for game in games] == [
        ["gilga", "scribe", "apprentice"],
        ["apprentice", "gilga", "scribe"],
        ["scribe", "apprentice", "gilga"],
    ]
    assert len({bytes(game.table.secret) for game in games}) == len({game.table.duplicate_id for game in games}) == 1
    for game in games:
        end(game.table_id)
    assert feed() == 3
    assert [game.number for game in running(match)] == [3, 4, 5]
    assert bytes(running(match)[0].table.secret) != bytes(games[0].table.secret)


@pytest.mark.parametrize("values", [{"levels": ["scribe"], "is_rated": True}, {"levels": ["scribe"], "at_once": 1}])
def test_deals_are_not_shared_where_it_would_matter(match_of, gilga, values):
    match = match_of("gilga", **values)
    assert not match.is_paired
    feed()
    secrets = [bytes(game.table.secret) for game in running(match)]
    assert len(set(secrets)) == len(secrets) == values.get("at_once", 4)
    assert not DuplicateSet.objects.exists()


def test_among_bots_of_strangers_each_game_has_its_own_deal(match_of, gilga, shamash):
    match = match_of("gilga", "shamash")
    assert not match.is_paired
    feed()
    assert [sitters(game) for game in running(match)] == [["gilga", "shamash"], ["shamash", "gilga"]] * 2
    assert len({bytes(game.table.secret) for game in running(match)}) == 4


# Once each


def test_a_match_is_played_to_its_end_and_each_game_is_written_once(match_of, gilga, play_all):
    match, opened = play_all(match_of("gilga", levels=["apprentice"], games=6))
    assert opened == [[0, 1, 2, 3], [4, 5]]
    assert match.state == "done"
    assert match.ended_at is not None
    before = list(Game.objects.order_by("number").values())
    assert [row["number"] for row in before] == list(range(6))
    assert all(sorted(row["places"])[0] == 1 and len(row["scores"]) == 2 for row in before)
    assert feed() == 0
    assert step(match.pk) == 0
    assert list(Game.objects.order_by("number").values()) == before
    assert Table.objects.count() == 6


def test_results_are_those_of_the_seats(match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    for game in running(match):
        end(game.table_id, seed=game.number)
    feed()
    for game in match.rows.select_related("table"):
        seats = list(game.table.seats.order_by("index"))
        assert game.scores == [seats[(player + game.number) % 2].score for player in range(2)]
        assert game.places == [seats[(player + game.number) % 2].place for player in range(2)]


def test_a_step_that_breaks_off_opens_nothing_and_the_next_one_all(match_of, gilga, monkeypatch):
    match = match_of("gilga", levels=["apprentice"])
    opened = feeding._open_deal

    def killed(*args):
        opened(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(feeding, "_open_deal", killed)
    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        step(match.pk)
    assert (Table.objects.count(), Game.objects.count(), DuplicateSet.objects.count()) == (0, 0, 0)
    monkeypatch.setattr(feeding, "_open_deal", opened)
    assert step(match.pk) == 4
    assert step(match.pk) == 0
    assert Table.objects.count() == Game.objects.count() == 4


def test_during_maintenance_nothing_is_opened(match_of, gilga, monkeypatch):
    match_of("gilga", levels=["apprentice"])
    monkeypatch.setattr(maintenance, "is_on", lambda: True)
    assert tasks.feed() == 0
    assert not Table.objects.exists()
    monkeypatch.setattr(maintenance, "is_on", lambda: False)
    assert tasks.feed() == 4


def test_a_game_that_is_broken_off_has_no_result(match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    abandon(Table.objects.all())
    feed()
    match.refresh_from_db()
    assert match.state == "done"
    assert [(game.places, game.ended_at is not None) for game in match.rows.all()] == [([], True)] * 2


def test_the_results_of_a_shared_deal_come_when_it_is_over(match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    first, second = running(match)
    end(first.table_id)
    feed()
    assert [game.number for game in running(match)] == [0, 1]
    assert Table.objects.get(pk=first.table_id).finish_number is None
    end(second.table_id)
    feed()
    assert running(match) == []
    assert Table.objects.filter(finish_number=None).count() == 0


# Ratings


@pytest.mark.parametrize("is_rated", [False, True])
def test_a_match_is_rated_if_it_says_so(match_of, gilga, play_all, is_rated):
    play_all(match_of("gilga", levels=["apprentice"], games=2, is_rated=is_rated))
    apply_pending()
    assert RatingChange.objects.exists() is is_rated


# Room


def test_no_more_games_run_than_match_bot_and_site_allow(match_of, gilga, enkidu, monkeypatch):
    change_bot(gilga, at_once=2)
    match_of("gilga", levels=["apprentice"], games=8, is_rated=True)
    assert feed() == 2
    other = match_of("enkidu", levels=["apprentice"], games=8, is_rated=True, at_once=3)
    assert feed() == 3
    Game.objects.filter(match=other).update(ended_at=timezone.now())
    monkeypatch.setattr(feeding, "GAMES_AT_ONCE", 3)
    assert feed() == 1


def test_three_matches_run_and_the_others_wait(match_of, gilga):
    change_bot(gilga, at_once=20)
    made = [match_of("gilga", levels=["apprentice"], games=2) for _ in range(4)]
    feed()
    states = [match.state for match in Match.objects.order_by("pk")]
    assert states == ["running", "running", "running", "queued"]
    services.cancel(made[0].pk, by=made[0].owner)
    feed()
    assert Match.objects.get(pk=made[3].pk).state == "running"


def test_the_eleventh_match_is_refused_with_what_to_do(match_of, gilga):
    for _ in range(services.MOST_OPEN):
        match_of("gilga", levels=["apprentice"])
    with pytest.raises(refusals.TooManyMatches, match="Cancel one"):
        match_of("gilga", levels=["apprentice"])
    assert Match.objects.count() == services.MOST_OPEN


# Refusals


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"games": 10**6}, refusals.BadGameCount),
        ({"games": 0}, refusals.BadGameCount),
        ({"at_once": 11}, refusals.BadAtOnceInMatch),
        ({"levels": []}, refusals.BadPlayerCount),
        ({"levels": ["scribe"] * 6}, refusals.BadPlayerCount),
        ({"levels": ["king"]}, table_refusals.BadSetting),
        ({"game": "chess"}, table_refusals.NoSuchGame),
        ({"options": {"stars": 1}}, table_refusals.BadSetting),
        ({"pace": Pace()}, refusals.BadMatchPace),
        ({"pace": Pace("days", days=14)}, refusals.BadMatchPace),
        ({"pace": Pace("live", bank_s=1)}, table_refusals.BadPace),
    ],
)
def test_a_wrong_match_is_refused(match_of, gilga, values, refusal):
    with pytest.raises(refusal):
        match_of("gilga", **{"levels": ["scribe"], **values})
    assert not Match.objects.exists()


def test_who_may_make_a_match_of_which_bots(match_of, alice, bob, gilga, shamash):
    with pytest.raises(refusals.NoBotAccount):
        match_of(levels=["scribe", "scribe"])
    with pytest.raises(refusals.SameBotTwice):
        match_of("gilga", "Gilga")
    with pytest.raises(BotNotFound):
        match_of("gilga", "bob")
    with pytest.raises(refusals.BotsStartNoMatches):
        match_of("gilga", "shamash", owner=gilga.user)
    for rules, values, refusal in (
        ({"from_whom": "nobody"}, {}, BotNotTaking),
        ({"paces": ["days"]}, {}, BotNotAtPace),
        ({"rated": False}, {"is_rated": True}, BotUnrated),
    ):
        change_bot(shamash, from_whom="everyone", paces=[], rated=True)
        change_bot(shamash, **rules)
        with pytest.raises(refusal):
            match_of("gilga", "shamash", **values)
    assert not Match.objects.exists()
    change_bot(gilga, from_whom="nobody", paused=True)  # one's own always play
    match_of("gilga", levels=["scribe"])


def test_a_guest_makes_no_match(match_of, gilga, bob):
    bob.is_guest = True
    with pytest.raises(refusals.NeedsAccountForMatches):
        match_of("gilga", levels=["scribe"], owner=bob)


# Ends before the end


def test_cancelling_lets_the_running_games_end_and_count(match_of, alice, gilga):
    match = match_of("gilga", levels=["apprentice"], games=8, at_once=2)
    feed()
    services.cancel(match.pk, by=alice)
    assert feed() == 0
    assert Match.objects.get(pk=match.pk).ended_at is None
    for game in running(match):
        end(game.table_id)
    assert feed() == 0
    match.refresh_from_db()
    assert (match.state, match.ended_at is not None) == ("cancelled", True)
    assert [bool(game.places) for game in match.rows.all()] == [True, True]
    with pytest.raises(refusals.MatchIsOver):
        services.cancel(match.pk, by=alice)


def test_makers_and_owners_of_bots_can_cancel(match_of, bob, charlie, gilga, shamash):
    match = match_of("gilga", "shamash")
    with pytest.raises(refusals.NotYourMatch):
        services.cancel(match.pk, by=charlie)
    with pytest.raises(refusals.MatchNotFound):
        services.cancel(match.pk + 1, by=bob)
    assert services.cancel(match.pk, by=bob).ended_at is not None


def test_three_games_out_of_time_in_a_row_stop_the_match(match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=8, is_rated=True, at_once=1)
    for lost in range(3):
        assert feed() == 1, lost
        (game,) = running(match)
        leave_table(table_id=game.table_id, user=gilga.user)
        end(game.table_id)
    assert feed() == 0
    match.refresh_from_db()
    assert (match.state, match.reason, match.reason_name) == ("stopped", "silent", "gilga")
    assert [(game.left, game.places) for game in match.rows.all()] == [([True, False], [2, 1])] * 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda bot: change_bot(bot, games=["babel"]), "rules"),
        (lambda bot: change_bot(bot, at_once=1), "no_room"),
        (close_bot, "closed"),
    ],
)
def test_a_bot_that_no_longer_plays_stops_the_match(match_of, gilga, change, reason):
    match = match_of("gilga", levels=["apprentice"], at_once=2)
    change(BotAccount.objects.get(pk=gilga.pk))
    assert feed() == 0
    match.refresh_from_db()
    assert (match.state, match.reason, match.ended_at is not None) == ("stopped", reason, True)


def test_a_closed_bot_leaves_its_name_in_no_match(match_of, gilga, play_all):
    match, _opened = play_all(match_of("gilga", levels=["apprentice"], games=2))
    close_bot(gilga)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM matches_player WHERE name = 'gilga'")
        assert cursor.fetchone() == (0,)
    assert match.players.count() == 2
