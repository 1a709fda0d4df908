"""Everybody tries every verb in a public, a private and a closed club, through service and page. A refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs import announcements, calendar, members, selectors, services, ways_in
from portal.clubs.models import (
    Announcement,
    Attendance,
    Ban,
    Club,
    ClubEntry,
    DuplicateSet,
    Evening,
    Invitation,
    JoinRequest,
    Membership,
    Season,
)
from portal.clubs.permissions import MAY, STILL, Role, Verb, require
from portal.common.refusals import Refusal
from portal.contests import duplicates, seasons
from portal.contests.models import League
from portal.tables import services as tables
from portal.tables.models import Seat, Table
from tests.portal.clubs.conftest import person

pytestmark = pytest.mark.django_db

MEMBERS = {"owner", "officer", "member"}
OFFICERS = {"owner", "officer"}
OWNER = {"owner"}
ROLES = ("owner", "officer", "member", "outsider", "visitor", "guest", "banned")
STATES = ("public", "private", "closed", "closed private")
SOON = timezone.now() + timedelta(days=3)
SOON_TYPED = f"{SOON:%Y-%m-%dT%H:%M}"


@dataclass(frozen=True)
class Deed:
    """One way to do what a verb names. `call` is the service; `page` gives an address and the data to post (None: GET)."""

    verb: Verb
    name: str
    by: set[str]  # who may, in a public club
    call: Callable[[Any, Any], Any]
    page: Callable[[Any], tuple[str, dict[str, Any] | None]]
    reads: bool = False
    refusals: set[int] = field(default_factory=lambda: {403, 404, 409})
    others_errors: bool = False  # the service belongs to another app and has its own refusals


def url(name: str, world: Any, *args: Any) -> str:
    return reverse(name, args=[world.club.slug, *args])


def today_typed() -> str:
    """Return the day of people who have chosen no time zone; in UTC it may still be yesterday."""
    return f"{timezone.localdate(timezone=ZoneInfo(User().time_zone))}"


def texts(user: Any, world: Any) -> Any:
    return services.edit_texts(club=world.club, actor=user, about_en="New words.", about_hu="", about_ru="")


def babel_options() -> dict[str, str]:
    return {f"option-{spec.key}": str(spec.default) for spec in GAMES["babel"].game.meta.options}


DEEDS = [
    Deed(Verb.VIEW, "look", set(ROLES), lambda w, u: selectors.club_for(w.club.slug, u), lambda w: (url("club", w), None), reads=True),
    Deed(
        Verb.VIEW,
        "take the calendar along",
        set(ROLES),
        lambda w, u: selectors.club_for(w.club.slug, u),
        lambda w: (url("club-ics", w), None),
        reads=True,
    ),
    Deed(
        Verb.OPEN_TABLE,
        "open a table",
        MEMBERS,
        lambda w, u: tables.create_table(owner=u, game_key="babel", seats=2, club=w.club),
        lambda w: (reverse("table-new"), {"game": "babel", "seats": "2", "club": w.club.slug, **babel_options()}),
        refusals={422},
    ),
    Deed(
        Verb.SIT_DOWN,
        "take a seat",
        MEMBERS,
        lambda w, u: tables.join_table(table_id=w.table.pk, user=u),
        lambda w: (reverse("lobby-join", args=[w.table.pk]), {}),
        refusals={302, 404},
        others_errors=True,
    ),
    Deed(
        Verb.ANSWER,
        "answer",
        MEMBERS,
        lambda w, u: calendar.answer(club=w.club, user=u, evening_id=w.evening.pk, answer="yes"),
        lambda w: (url("club-evening-answer", w, w.evening.pk), {"answer": "yes"}),
    ),
    Deed(
        Verb.READ_LOG,
        "read the log",
        MEMBERS,
        lambda w, u: require(Verb.READ_LOG, w.club, u),
        lambda w: (url("club-log", w), None),
        reads=True,
    ),
    Deed(
        Verb.LEAVE,
        "leave",
        {"officer", "member"},
        lambda w, u: members.leave(club=w.club, user=u),
        lambda w: (url("club-leave", w), {"sure": "yes"}),
    ),
    Deed(Verb.EDIT, "edit the texts", OFFICERS, lambda w, u: texts(u, w), lambda w: (url("club-texts", w), {"about_en": "New words."})),
    Deed(
        Verb.EDIT,
        "open the settings",
        OFFICERS,
        lambda w, u: require(Verb.EDIT, w.club, u),
        lambda w: (url("club-settings", w), None),
        reads=True,
    ),
    Deed(
        Verb.INVITE,
        "invite",
        OFFICERS,
        lambda w, u: ways_in.invite(club=w.club, actor=u, person=w.stranger),
        lambda w: (url("club-invite", w), {"username": "stranger"}),
    ),
    Deed(
        Verb.INVITE,
        "take back an invitation",
        OFFICERS,
        lambda w, u: ways_in.withdraw_invitation(club=w.club, actor=u, invitation_id=w.invitation.pk),
        lambda w: (url("club-invitation-withdraw", w, w.invitation.pk), {}),
    ),
    Deed(
        Verb.DECIDE,
        "let in",
        OFFICERS,
        lambda w, u: ways_in.decide(club=w.club, actor=u, request_id=w.request.pk, granted=True),
        lambda w: (url("club-decide", w, w.request.pk), {"do": "grant"}),
    ),
    Deed(
        Verb.DECIDE,
        "decline",
        OFFICERS,
        lambda w, u: ways_in.decide(club=w.club, actor=u, request_id=w.request.pk, granted=False),
        lambda w: (url("club-decide", w, w.request.pk), {"do": "decline"}),
    ),
    Deed(
        Verb.REMOVE,
        "remove",
        OFFICERS,
        lambda w, u: members.remove(club=w.club, actor=u, member=w.dora),
        lambda w: (url("club-remove", w, w.dora.pk), {}),
    ),
    Deed(
        Verb.BAN,
        "ban a member",
        OFFICERS,
        lambda w, u: members.ban(club=w.club, actor=u, person=w.dora),
        lambda w: (url("club-ban", w), {"username": "dora", "reason": "Too loud."}),
    ),
    Deed(
        Verb.BAN,
        "ban a stranger",
        OFFICERS,
        lambda w, u: members.ban(club=w.club, actor=u, person=w.stranger),
        lambda w: (url("club-ban", w), {"username": "stranger"}),
    ),
    Deed(
        Verb.BAN,
        "lift a ban",
        OFFICERS,
        lambda w, u: members.lift_ban(club=w.club, actor=u, ban_id=w.ban.pk),
        lambda w: (url("club-ban-lift", w, w.ban.pk), {}),
    ),
    Deed(
        Verb.ANNOUNCE,
        "announce",
        OFFICERS,
        lambda w, u: announcements.announce(club=w.club, actor=u, title="News"),
        lambda w: (url("club-announce", w), {"title": "News", "text": "And more."}),
    ),
    Deed(
        Verb.ANNOUNCE,
        "pin",
        OFFICERS,
        lambda w, u: announcements.pin(club=w.club, actor=u, announcement_id=w.announcement.pk, is_pinned=True),
        lambda w: (url("club-announcement", w, w.announcement.pk), {"do": "pin"}),
    ),
    Deed(
        Verb.ANNOUNCE,
        "delete an announcement",
        OFFICERS,
        lambda w, u: announcements.delete_announcement(club=w.club, actor=u, announcement_id=w.announcement.pk),
        lambda w: (url("club-announcement", w, w.announcement.pk), {"do": "delete"}),
    ),
    Deed(
        Verb.CALENDAR,
        "plan an evening",
        OFFICERS,
        lambda w, u: calendar.create_evening(club=w.club, actor=u, title="Games", starts_at=SOON),
        lambda w: (url("club-evening-new", w), {"title": "Games", "starts_at": SOON_TYPED, "game": "ra"}),
    ),
    Deed(
        Verb.CALENDAR,
        "change an evening",
        OFFICERS,
        lambda w, u: calendar.edit_evening(club=w.club, actor=u, evening_id=w.evening.pk, title="Later", starts_at=SOON),
        lambda w: (url("club-evening", w, w.evening.pk), {"title": "Later", "starts_at": SOON_TYPED}),
    ),
    Deed(
        Verb.CALENDAR,
        "call off an evening",
        OFFICERS,
        lambda w, u: calendar.call_off(club=w.club, actor=u, evening_id=w.evening.pk),
        lambda w: (url("club-evening-call-off", w, w.evening.pk), {}),
    ),
    Deed(
        Verb.SETTINGS,
        "change the settings",
        OWNER,
        lambda w, u: services.change_settings(club=w.club, actor=u, name="Ninlil", is_private=w.club.is_private, joining="open"),
        lambda w: (url("club-owner-settings", w), {"name": "Ninlil", "joining": "open"}),
    ),
    Deed(
        Verb.SETTINGS,
        "make a new link",
        OWNER,
        lambda w, u: services.renew_link(club=w.club, actor=u),
        lambda w: (url("club-link", w), {}),
    ),
    Deed(
        Verb.ROLES,
        "make an officer",
        OWNER,
        lambda w, u: services.set_officer(club=w.club, actor=u, member=w.dora, is_officer=True),
        lambda w: (url("club-role", w, w.dora.pk), {"do": "officer"}),
    ),
    Deed(
        Verb.HAND_OVER,
        "hand over",
        OWNER,
        lambda w, u: services.hand_over(club=w.club, actor=u, member=w.dora),
        lambda w: (url("club-hand-over", w), {"username": "dora"}),
    ),
    Deed(
        Verb.CLOSE,
        "close",
        OWNER,
        lambda w, u: services.close_club(club=w.club, actor=u),
        lambda w: (url("club-close", w), {"name": w.club.name}),
    ),
    Deed(
        Verb.SEASONS,
        "make a season",
        OFFICERS,
        lambda w, u: seasons.make_season(club=w.club, actor=u, name="Spring", ends_at=SOON),
        lambda w: (url("season-new", w), {"name": "Spring", "starts_at": today_typed(), "ends_at": f"{SOON:%Y-%m-%d}"}),
    ),
    Deed(
        Verb.SEASONS,
        "change a season",
        OFFICERS,
        lambda w, u: seasons.edit_season(club=w.club, actor=u, season_id=w.season.pk, name="Autumn"),
        lambda w: (
            url("season-edit", w, w.season.pk),
            {"name": "Autumn", "starts_at": f"{SOON:%Y-%m-%d}", "ends_at": f"{SOON + timedelta(days=30):%Y-%m-%d}"},
        ),
    ),
    Deed(
        Verb.SEASONS,
        "delete a planned season",
        OFFICERS,
        lambda w, u: seasons.delete_season(club=w.club, actor=u, season_id=w.season.pk),
        lambda w: (url("season-delete", w, w.season.pk), {}),
    ),
    Deed(
        Verb.DUPLICATES,
        "open a duplicate set",
        OFFICERS,
        lambda w, u: duplicates.create_set(club=w.club, actor=u, name="Same deal", game="babel", seats=2, n_tables=2),
        lambda w: (
            url("club-duplicate-new", w),
            {"game": "babel", "seats": "2", "n_tables": "2", "name": "Same deal", "seat-0": "", "seat-1": "", **babel_options()},
        ),
    ),
]


@pytest.fixture
def world(club, alice, olga, bob, zoe, charlie, guest):
    """The club with a person and an object for each deed."""
    dora, stranger, asking, invited = person("dora"), person("stranger"), person("asking"), person("invited")
    ways_in.join_by_link(code=club.link_code, user=dora)
    return SimpleNamespace(
        club=club,
        dora=dora,
        stranger=stranger,
        people={
            "owner": alice,
            "officer": olga,
            "member": bob,
            "outsider": charlie,
            "visitor": None,
            "guest": guest,
            "banned": zoe,
        },
        request=ways_in.ask(club=club, user=asking),
        invitation=ways_in.invite(club=club, actor=olga, person=invited),
        ban=Ban.objects.get(club=club, user=zoe),
        announcement=announcements.announce(club=club, actor=olga, title="Welcome"),
        season=seasons.make_season(club=club, actor=olga, name="Summer", starts_at=SOON, ends_at=SOON + timedelta(days=30)),
        evening=calendar.create_evening(club=club, actor=olga, title="Thursday", starts_at=SOON + timedelta(days=1)),
        table=tables.create_table(owner=dora, game_key="history_of_the_world", seats=6, club=club).table,
    )


def bring(world: Any, state: str) -> None:
    """Bring the club of the world into a state."""
    alice = world.people["owner"]
    if "private" in state:
        services.change_settings(club=world.club, actor=alice, name=world.club.name, is_private=True, joining=world.club.joining)
    if "closed" in state:
        services.close_club(club=world.club, actor=alice)
    world.club = Club.objects.get(pk=world.club.pk)


KINDS = (
    Club, Membership, JoinRequest, Invitation, Ban, ClubEntry, Announcement, Evening, Attendance, Season, League, DuplicateSet, Seat,
)  # fmt: skip
ROWS = ", ".join(
    f"(SELECT coalesce(jsonb_agg({row} ORDER BY id), '[]')::text FROM {kind._meta.db_table} AS t)"
    for kind, row in [*((kind, "to_jsonb(t)") for kind in KINDS), (Table, "jsonb_build_array(id, status, club_id)")]
)


def everything() -> dict[str, str]:
    """Return all rows that a deed in a club could change, by the name of their model, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {ROWS}")
        return dict(zip([*(kind.__name__ for kind in KINDS), "Table"], cursor.fetchone(), strict=True))


@contextmanager
def taken_back() -> Iterator[None]:
    """Undo whatever happens inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def writes() -> Iterator[list[str]]:
    """Note the statements that write: without one, there is nothing to compare."""
    noted: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            noted.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield noted


def expected(deed: Deed, state: str, role: str) -> int:
    """Return 0 if the deed is allowed, else the status of the refusal."""
    inside = role in MEMBERS
    if not inside and "private" in state:
        return 404
    if "closed" in state and deed.verb not in STILL:
        return 409
    if role in deed.by:
        return 0
    return 409 if "closed" in state and role not in MEMBERS else 403


def test_each_verb_has_a_deed():
    assert {deed.verb for deed in DEEDS} == set(Verb)


def test_the_table_of_permissions_is_as_written_here():
    may = {role: {deed.verb for deed in DEEDS if role in deed.by} for role in MEMBERS}
    assert may == {role.value: set(MAY[role]) for role in Role}
    assert {Verb.VIEW} == {deed.verb for deed in DEEDS if "outsider" in deed.by} == STILL - {Verb.READ_LOG, Verb.LEAVE}


def in_each_state(world: Any, states: tuple[str, ...]) -> Iterator[str]:
    """Bring the club into each state in turn, each time from scratch and with an empty cache."""
    for state in states:
        cache.clear()
        with taken_back():
            bring(world, state)
            yield state
        world.club = Club.objects.get(pk=world.club.pk)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: f"{deed.verb}: {deed.name}")
def test_service(world, deed):
    for state in in_each_state(world, STATES):
        before = everything()
        for role in ROLES:
            refusal = expected(deed, state, role)
            with taken_back():
                if not refusal:
                    deed.call(world, world.people[role])
                    assert deed.reads or everything() != before, (state, role)
                elif deed.others_errors:
                    with transaction.atomic(), pytest.raises(Refusal):
                        deed.call(world, world.people[role])
                    assert everything() == before, (state, role)
                else:
                    with transaction.atomic(), pytest.raises(Refusal) as caught:
                        deed.call(world, world.people[role])
                    assert caught.value.status == refusal, (state, role)
                    assert str(caught.value)[-1] == "."
                    assert everything() == before, (state, role)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: f"{deed.verb}: {deed.name}")
def test_page(world, deed, client):
    for state in in_each_state(world, STATES[:3]):
        before = everything()
        address, posted = deed.page(world)
        for role in ROLES:
            refusal = expected(deed, state, role)
            with taken_back():
                client.cookies.clear()
                if world.people[role] is not None:
                    client.force_login(world.people[role])
                answer = client.get(address) if posted is None else client.post(address, posted)
                if not refusal:
                    assert answer.status_code in (200, 302, 303), (state, role)
                    assert deed.reads or everything() != before, (state, role)
                else:
                    wanted = {refusal} if refusal in deed.refusals else deed.refusals
                    assert answer.status_code in wanted, (state, role)
                    assert everything() == before, (state, role)
                if "private" in state and refusal == 404:
                    assert world.club.name not in answer.content.decode().replace("/enlil/", ""), (state, role)
