"""Challenges seat a bot at once if its rules allow; nothing else brings a bot to a table of others."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.bots import challenging, refusals
from portal.bots.challenging import challenge
from portal.bots.services import bot_named, change_bot, close_bot, make_bot
from portal.clubs.models import Club
from portal.clubs.refusals import BotsInNoClub
from portal.clubs.services import create_club
from portal.clubs.ways_in import invite as invite_to_club
from portal.clubs.ways_in import join as join_club
from portal.matching.services import look
from portal.tables import inviting, services
from portal.tables import refusals as table_refusals
from portal.tables.loading import load
from portal.tables.models import Invitation, Seat, Table
from portal.tables.pace import Pace
from portal.tables.rematching import rematch
from portal.tables.tasks import ring
from tests.portal.faults.test_races import behind

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def names_at(table):
    return [seat.user.username if seat.user else seat.bot_level for seat in Seat.objects.filter(table=table).select_related("user")]


def test_a_challenge_for_two_starts_at_once(bob, gilga):
    loaded = challenge(by=bob, bots=["gilga"], game="ra", seats=2)
    assert loaded.table.status == "playing"
    assert loaded.table.is_rated
    assert names_at(loaded.table) == ["bob", "gilga"]


def test_bots_of_several_owners_play_with_levels(bob, gilga):
    enkidu = make_bot(owner=bob, username="enkidu")
    loaded = challenge(by=enkidu.user, bots=["Gilga"], game="ra", seats=4, levels=["scribe"], pace=Pace("days", days=1))
    assert names_at(loaded.table) == ["enkidu", "gilga", "", "scribe"]
    assert loaded.table.status == "open"
    assert loaded.table.pace["kind"] == "days"


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"bots": ["alice"]}, refusals.BotNotFound),
        ({"bots": ["nobody"]}, refusals.BotNotFound),
        ({"bots": ["gilga", "gilga"]}, table_refusals.BadSetting),
        ({"levels": ["scribe"]}, refusals.TooManySeated),
        ({"seats": 3, "levels": ["king"]}, table_refusals.BadSetting),
        ({"game": "chess"}, refusals.BotDoesNotPlay),
        ({"pace": Pace("live", bank_s=1)}, table_refusals.BadSetting),
        ({"options": {"stars": 1}}, table_refusals.BadSetting),
    ],
)
def test_a_wrong_challenge_opens_no_table(bob, gilga, values, refusal):
    if len(values.get("bots", ())) == 2:
        values = {**values, "seats": 3}
    with pytest.raises(refusal):
        challenge(by=bob, **{"bots": ["gilga"], "game": "ra", "seats": 2, **values})
    assert not Table.objects.exists()


def test_one_bot_of_two_that_refuses_is_enough(bob, gilga):
    change_bot(make_bot(owner=bob, username="enkidu"), games=["babel"])
    with pytest.raises(refusals.BotDoesNotPlay, match="enkidu"):
        challenge(by=bob, bots=["gilga", "enkidu"], game="ra", seats=3)
    assert not Table.objects.exists()


def test_a_bot_that_closes_at_that_moment_is_not_seated(bob, gilga, monkeypatch):
    def named_and_then_closed(name):
        found = bot_named(name)
        close_bot(found)
        return found

    monkeypatch.setattr(challenging, "bot_named", named_and_then_closed)
    with pytest.raises(refusals.BotNotFound):
        challenge(by=bob, bots=["gilga"], game="ra", seats=2)
    assert not Table.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_closes_while_it_is_seated_leaves_the_table_too(bob, gilga):
    closed = behind(lambda: challenge(by=bob, bots=["gilga"], game="ra", seats=3), lambda: close_bot(gilga))
    assert closed is None
    assert names_at(Table.objects.get()) == ["bob", "", ""]


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_is_being_closed_is_seated_nowhere(bob, gilga):
    refused = behind(lambda: close_bot(gilga), lambda: challenge(by=bob, bots=["gilga"], game="ra", seats=3))
    assert isinstance(refused, refusals.BotNotFound), refused
    assert not Table.objects.exists()


def test_a_bot_does_not_challenge_itself(gilga):
    with pytest.raises(refusals.ChallengesItself):
        challenge(by=gilga.user, bots=["gilga"], game="ra", seats=2)


def test_a_bot_that_is_full_is_told_so(bob, gilga):
    change_bot(gilga, at_once=1)
    challenge(by=bob, bots=["gilga"], game="ra", seats=3)
    with pytest.raises(refusals.BotIsFull):
        challenge(by=bob, bots=["gilga"], game="ra", seats=2)


def test_who_invites_a_bot_gets_it_at_once_if_its_rules_allow(bob, gilga):
    loaded = services.create_table(owner=bob, game_key="ra", seats=2)
    change_bot(gilga, rated=False)
    with pytest.raises(refusals.BotUnrated):
        inviting.invite(table_id=loaded.table.pk, user=bob, name="gilga")
    assert not Invitation.objects.exists()
    change_bot(gilga, rated=True)
    assert inviting.invite(table_id=loaded.table.pk, user=bob, name="gilga").state == "accepted"
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.status, table.kept, names_at(table)) == ("playing", 0, ["bob", "gilga"])


def test_a_rematch_with_a_bot_starts_at_once(bob, gilga):
    loaded = challenge(by=bob, bots=["gilga"], game="ra", seats=2)
    Table.objects.filter(pk=loaded.table.pk).update(status="finished", finished_at=timezone.now())
    assert names_at(rematch(table_id=loaded.table.pk, user=bob)) == ["bob", "gilga"]


def test_a_bot_takes_no_seat_that_nobody_offers(bob, gilga):
    loaded = services.create_table(owner=bob, game_key="ra", seats=2)
    with pytest.raises(table_refusals.BotsAreChallenged):
        services.join_table(table_id=loaded.table.pk, user=gilga.user)
    with pytest.raises(table_refusals.BotsAreChallenged):
        inviting.join_by_link(code=loaded.table.link_code, user=gilga.user, terms="2 rated")
    with pytest.raises(table_refusals.BotsAreChallenged):
        look(user=gilga.user, game="ra", kind="live")
    assert names_at(loaded.table) == ["bob", ""]


def test_people_sit_down_at_a_bots_table(bob, gilga):
    loaded = services.create_table(owner=gilga.user, game_key="ra", seats=2)
    services.join_table(table_id=loaded.table.pk, user=bob)
    assert Table.objects.get().status == "playing"


def test_bots_stay_out_of_clubs(alice, gilga):
    club = create_club(owner=alice, name="Enlil", joining=Club.Joining.OPEN)
    for attempt in (
        lambda: join_club(club=club, user=gilga.user),
        lambda: invite_to_club(club=club, actor=alice, person=gilga.user),
        lambda: create_club(owner=gilga.user, name="Bots"),
    ):
        with pytest.raises(BotsInNoClub):
            attempt()
    assert not club.memberships.filter(user=gilga.user).exists()


def test_a_bot_that_never_answers_loses_on_time_like_anybody(bob, gilga):
    with time_machine.travel(NOON, tick=False) as clock:
        table_id = challenge(by=bob, bots=["gilga"], game="ra", seats=2, pace=Pace("live", bank_s=180, out="lost")).table.pk
        loaded = load(table_id)
        while loaded.table.due != [1]:
            action = str(loaded.game.legal_actions(loaded.state, 0)[0])
            loaded = services.submit_action(table_id=table_id, user=bob, action=action, expected_version=loaded.table.version)
        clock.shift(timedelta(seconds=200))
        ring(table_id)
    seat = Seat.objects.get(table=table_id, index=1)
    assert (seat.user_id, seat.left_user_id, seat.is_away, seat.bot_level) == (None, gilga.user_id, False, "apprentice")
