"""A running site of release 0.2 is updated with games in play: nothing is lost, and everybody plays on."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.core import mail
from django.core.management import call_command
from django.db.models import Max
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils.module_loading import import_string

from games.core.records import verify_record
from games.core.rng import SeededRng
from games.registry import GAMES, game
from portal.accounts.mail import deliver_due
from portal.accounts.models import OutgoingMail, User
from portal.clubs.models import Club, DuplicateSet
from portal.contests import leagues
from portal.contests.models import League
from portal.ratings import recount
from portal.ratings.services import apply_pending
from portal.tables import citations, refusals, selectors, services
from portal.tables.loading import load
from portal.tables.models import ActionRecord, CitationClock, Seat, Table
from tests.portal.tables.driver import play_on, step
from tests.portal.upgrade.conftest import Before, rows

STEPS = 12


def signed_in(key: str) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


def test_no_migration_stops_people_for_long(before: Before) -> None:
    done = set(rows("SELECT app, name FROM django_migrations")) - before.migrations
    assert done, "there is nothing to update: store a newer release"
    assert before.watch.statements > len(done)
    assert before.watch.faults == []


def test_the_old_release_finds_all_its_columns_and_may_leave_out_the_new_ones(before: Before) -> None:
    """It can be returned to, and works until the last process of it has been restarted."""
    columns = rows(
        "SELECT table_name, column_name, is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS'"
        " FROM information_schema.columns WHERE table_schema = 'public'"
    )
    now = {(table, column) for table, column, _ in columns}
    assert before.columns - now == set()
    old = {table for table, _ in before.columns}
    needed = {(table, column) for table, column, is_optional in columns if table in old and not is_optional} - before.columns
    assert needed == set()
    configurations = {name for (name,) in rows("SELECT cfgname FROM pg_ts_config")}
    assert {"hu_un", "words_un"} <= configurations


def test_the_site_has_games_at_every_kind_of_point(before: Before) -> None:
    """Otherwise the tests below would show little."""
    points = {(table.game, table.status, table.waits_for) for table in Table.objects.all()}
    for key in GAMES:
        assert {(key, "open", ""), (key, "finished", "")} <= points
        assert {(key, "playing", waits) for waits in ("person", "bot", "scorer")} <= points
    running = Table.objects.filter(status="playing")
    assert {table.game for table in running.exclude(undone=[])} == set(GAMES)
    assert {table.game for table in running.filter(seats__left_user__isnull=False)} == set(GAMES)
    assert Seat.objects.exclude(order="").exists()
    assert running.filter(position__isnull=False).exists()
    assert {duplicate.revealed_at is None for duplicate in DuplicateSet.objects.all()} == {True, False}


def test_stored_positions_and_versions_stay_as_they_were(before: Before) -> None:
    now = {row[0]: list(row[1:]) for row in rows("SELECT id, rules_version, status, version, state, undone FROM tables_table")}
    assert now == before.tables


def test_finished_records_verify(before: Before) -> None:
    checked = set()
    for table in Table.objects.filter(status="finished"):
        try:
            record = selectors.record_of(table.pk, User.objects.get(username="alice"), full=True)
        except refusals.Sealed:
            continue
        verdict = verify_record(json.loads(json.dumps(record)), game)
        assert verdict.is_good, (table.game, verdict.problems)
        assert record["rules_version"] == before.tables[table.pk][0]
        checked.add(table.game)
    assert checked == set(GAMES)


def test_the_games_of_before_are_found_by_the_rule_pages_when_they_have_been_read(before: Before) -> None:
    """Those that everybody may see, and nothing of an unrevealed set. Reading them is a command of its own, which may be stopped."""
    numbered = Table.objects.filter(finish_number__isnull=False)
    last = numbered.aggregate(last=Max("finish_number"))["last"]
    assert list(CitationClock.objects.values_list("up_to", "down_to")) == [(last, last)]
    assert not citations.is_behind()
    call_command("index_citations", "--games", "1", stdout=StringIO())
    call_command("index_citations", stdout=StringIO())
    read = Table.objects.filter(citations__isnull=False).distinct()
    wanted = numbered.filter(position__isnull=True, status="finished").exclude(club__is_private=True)
    assert set(read.values_list("pk", flat=True)) == set(wanted.values_list("pk", flat=True)) != set()
    assert {table.game for table in read} == set(GAMES)


def test_sessions_stay_open(before: Before) -> None:
    found = []
    for key in before.sessions:
        request = HttpRequest()
        request.session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(key)
        found.append(get_user(request))
    assert {user.get_username() for user in found if not user.is_guest} == {"alice", "bob", "charlie", "dora", "Вера"}
    assert [user.is_guest for user in found].count(True) == 1
    assert signed_in(before.sessions[0]).get("/settings/").status_code == 200


def test_api_tokens_still_work(before: Before) -> None:
    assert len(before.tokens) == 2
    for token, name in before.tokens.items():
        client = Client(headers={"authorization": f"Token {token}"})
        playing = Table.objects.filter(status="playing", seats__user__username=name).first()
        seen = client.get(f"/api/v1/tables/{playing.pk}/").json()
        assert seen["seats"][seen["my_seat"]]["name"] == name
    assert rows("SELECT count(*) FROM authtoken_token") == [(0,)]


def test_waiting_mail_is_delivered(before: Before) -> None:
    assert before.mails > 0
    OutgoingMail.objects.update(due_at="2026-01-01T00:00Z")
    with override_settings(EMAIL_DELIVERY_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        mail.outbox = []
        deliver_due()
    assert len(mail.outbox) == before.mails
    assert not OutgoingMail.objects.filter(sent_at=None).exists()


@pytest.fixture(scope="module")
def standings(before: Before) -> int:
    """Rate the game that had not been rated, and compare; number of games counted."""
    assert apply_pending() == 1
    count, differences = recount.check()
    assert differences == []
    return count.games


def test_standings_are_as_their_games_say(standings: int) -> None:
    assert standings == Table.objects.filter(finish_number__isnull=False).count()


def test_everybody_due_plays_on(before: Before, standings: int) -> None:
    """At every running table: what was undone is redone, each seat due acts, and then some steps more."""
    acted = set()
    for table in Table.objects.filter(status="playing"):
        rng = SeededRng(table.pk)
        loaded = load(table.pk)
        if table.undone:
            user = loaded.seats[table.undone[-1][0]].user
            services.redo_action(table_id=table.pk, user=user, expected_version=table.version)
        for _ in range(STEPS):
            now = load(table.pk).table
            acted |= {(now.game, now.waits_for)} if now.waits_for else set()
            if not step(table.pk, rng):
                break
        after = load(table.pk).table
        assert after.version > table.version
        assert after.rules_version == before.tables[table.pk][0]
    assert acted >= {(key, waits) for key in GAMES for waits in ("person", "bot", "scorer")}
    assert ActionRecord.objects.filter(by="order").exists(), "the answer in advance was given"


def test_open_tables_start(before: Before) -> None:
    for table in Table.objects.filter(status="open"):
        loaded = services.start_table(table_id=table.pk, user=table.owner)
        assert loaded.table.status == "playing"
        assert loaded.table.rules_version == before.tables[table.pk][0]


@pytest.mark.parametrize("key", ["babel", "ra"])
def test_a_game_is_played_to_its_end_and_counts(before: Before, standings: int, key: str) -> None:
    table = (
        Table.objects.filter(game=key, status="playing", position__isnull=True, duplicate=None, version__gt=2).order_by("-version").first()
    )
    apply_pending()  # what the tests above have finished
    play_on(table.pk)
    assert apply_pending() == 1
    assert recount.check()[1] == []
    assert verify_record(json.loads(json.dumps(selectors.record_of(table.pk, table.owner))), game).is_good


def test_the_club_goes_on(before: Before) -> None:
    club, league = Club.objects.get(name="Enlil"), League.objects.get()
    alice = User.objects.get(username="alice")
    client = signed_in(next(key for key in before.sessions if "Enlil" in signed_in(key).get("/clubs/").content.decode()))
    for address in (
        "",
        "seasons/",
        f"seasons/{league.season_id}/",
        f"leagues/{league.pk}/",
        "duplicates/",
        "calendar/",
        "honours/",
        "log/",
        "leaderboard/all/",
    ):
        assert client.get(f"/clubs/{club.slug}/{address}").status_code == 200, address
    pairing = league.pairings.filter(table=None, seats__entrant__user=alice).first()
    opened = leagues.play(club=club, user=alice, league_id=league.pk, pairing_id=pairing.pk)
    assert Table.objects.get(pk=opened).status == "playing"
    hidden = DuplicateSet.objects.get(revealed_at=None)
    over = hidden.tables.get(status="finished")
    with pytest.raises(refusals.Sealed):
        selectors.record_of(over.pk, alice)
