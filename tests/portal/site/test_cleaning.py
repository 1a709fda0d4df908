"""The daily cleaning removes what is old, keeps everything else, and corrects the numbers that people see."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.utils import timezone

from portal.accounts.models import ApiToken, User
from portal.clubs.models import Club, Invitation, JoinRequest
from portal.clubs.waiting import invitations_of, recount
from portal.notices.models import Notice
from portal.site import cleaning
from portal.site.tasks import clean_up
from portal.tables import inviting, services
from portal.tables.models import Invitation as Asked
from portal.tables.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows():
    """For each kind an old row (its primary key) and a young one."""
    now = timezone.now()
    people = [User.objects.create_user(name) for name in ("anna", "ben")]
    club = Club.objects.create(slug="ur", name="Ur")
    found = {}
    sessions = [
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(hours=hours))
        for key, hours in (("old", -1), ("new", 1))
    ]
    found[Session] = sessions
    found[AccessAttempt] = [AccessAttempt.objects.create(username=name, failures_since_start=1) for name in ("old", "new")]
    found[ApiToken] = [
        ApiToken.objects.create(user=people[0], digest=str(days), expires_at=now - timedelta(days=days)) for days in (31, 29)
    ]
    found[JoinRequest] = [JoinRequest.objects.create(club=club, user=person) for person in people]
    found[Invitation] = [Invitation.objects.create(club=club, user=person) for person in people]
    told = {"user": people[0], "kind": "club", "key": "granted", "path": "/"}
    found[Notice] = [Notice.objects.create(**told, made_at=now - timedelta(days=days)) for days in (61, 59)]
    AccessAttempt.objects.filter(username="old").update(attempt_time=now - timedelta(days=31))
    for model in (JoinRequest, Invitation):
        model.objects.filter(user=people[0]).update(at=now - timedelta(days=91))
        model.objects.filter(user=people[1]).update(at=now - timedelta(days=89))
    return found


@pytest.mark.parametrize("batch", [1, 1000])
def test_what_is_old_goes_and_the_rest_stays(rows, batch, monkeypatch):
    monkeypatch.setattr(cleaning, "BATCH", batch)
    assert clean_up() == {
        "sessions": 1,
        "sign_ins": 0,
        "tokens": 1,
        "codes": 0,
        "refresh_tokens": 0,
        "access_tokens": 0,
        "attempts": 1,
        "requests": 1,
        "notices": 1,
        "tables": 0,
        "seats": 0,
        "posted_moves": 0,
        "asked": 0,
        "invitations": 1,
    }
    for model, (_, young) in rows.items():
        assert [row.pk for row in model.objects.all()] == [young.pk]
    assert set(clean_up().values()) == {0}


def test_the_menu_no_longer_counts_an_invitation_that_is_gone(rows, django_capture_on_commit_callbacks):
    invited = [row.user_id for row in rows[Invitation]]
    with django_capture_on_commit_callbacks(execute=True):
        recount(*invited)
    assert [invitations_of(user_id) for user_id in invited] == [1, 1]
    with django_capture_on_commit_callbacks(execute=True):
        clean_up()
    assert [invitations_of(user_id) for user_id in invited] == [0, 1]


def test_open_tables_that_nobody_joined_are_closed_and_others_stay(people):
    anna, ben = people
    old, playing, young, asked = (services.create_table(owner=anna, game_key="ra", seats=2).table.pk for _ in range(4))
    services.join_table(table_id=playing, user=ben)
    invitation = inviting.invite(table_id=old, user=anna, name="ben")
    Table.objects.exclude(pk__in=[young, asked]).update(created_at=timezone.now() - timedelta(days=31))
    assert clean_up()["tables"] == 1
    assert dict(Table.objects.values_list("pk", "status")) == {old: "abandoned", playing: "playing", young: "open", asked: "open"}
    invitation.refresh_from_db()
    assert invitation.state == "expired"


def test_seats_of_expired_invitations_are_free_again_and_old_ones_are_forgotten(people):
    anna, ben = people
    table = services.create_table(owner=anna, game_key="ra", seats=3).table.pk
    hidden = services.create_table(owner=anna, game_key="ra", seats=2, privacy="link").table
    inviting.invite(table_id=table, user=anna, name="ben")
    inviting.watch_by_link(code=hidden.link_code, user=ben)
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert clean_up()["seats"] == 1
        assert Table.objects.get(pk=table).kept == 0
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert clean_up()["asked"] == 1
    assert [row.state for row in Asked.objects.all()] == ["watching"], "by this one somebody sees a table"


@pytest.fixture
def people(db):
    return [User.objects.create_user(name) for name in ("anna", "ben")]
