"""Study from here: a practice table from a step of a finished game."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core.records import verify_record
from games.registry import GAMES, game
from portal.clubs.models import Club, Membership
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import selectors, services
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.replay import replay_of
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

pytestmark = pytest.mark.django_db


@pytest.fixture(params=GAMES)
def finished(request, alice, fixed_secret):
    return play(opened(alice, request.param))


@pytest.fixture
def ended(alice, fixed_secret):
    return play(opened(alice, "babel"))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def steps_of(loaded):
    return replay_of(loaded, selectors.page_of(loaded, None))


def test_it_starts_there_is_unrated_and_its_record_can_be_checked(finished, bob):
    replay = steps_of(finished)
    step = replay.count // 2
    address = f"/tables/{finished.table.pk}/study/"
    page = signed_in(bob).get(f"{address}?step={step}").content.decode()
    assert f"Step {step} of {replay.count}" in page
    answer = signed_in(bob).post(address, {"step": step, "seat": "2", "level": "apprentice"})
    made = Table.objects.latest("pk")
    assert answer.url == f"/tables/{made.pk}/"
    opened = load(made.pk)
    as_json = finished.game.state_to_json
    assert as_json(steps_of(opened).state(0)) == as_json(replay.state(step))
    assert [seat.user == bob for seat in opened.seats] == [index == 1 for index in range(made.seat_count)]
    assert bytes(made.secret) != b"" and made.status == "playing"
    assert not selectors.page_of(opened, bob).is_rated
    over = play(made.pk, seed=3)
    verdict = verify_record(selectors.record_of(over.table.pk), game)
    assert verdict.is_good, verdict.problems
    apply_pending()
    assert not RatingChange.objects.filter(table=made.pk).exists()


def test_what_is_drawn_from_there_is_not_what_was_drawn_then(alice):
    """Every table has a secret of its own, so knowing the finished game tells nothing of the draws to come."""
    ended = play(opened(alice, "babel"))
    signed_in(alice).post(f"/tables/{ended.table.pk}/study/", {"step": 4, "seat": "1"})
    made = Table.objects.latest("pk")
    assert bytes(made.secret) != bytes(Table.objects.get(pk=ended.table.pk).secret)


def test_a_visitor_becomes_a_guest_on_the_way(ended):
    client = Client()
    answer = client.post(f"/tables/{ended.table.pk}/study/", {"step": 10, "seat": "1"})
    assert answer.status_code == 302
    made = Table.objects.latest("pk")
    assert made.owner.is_guest
    assert client.get(answer.url).status_code == 200


def test_only_revealed_games_are_studied(alice, bob, fixed_secret):
    running = play(opened(alice, "ra"), records=30)
    unstarted = services.create_table(owner=alice, game_key="ra", seats=3)
    before = Table.objects.count()
    for table_id, status in ((running.table.pk, 409), (unstarted.table.pk, 404), (999999, 404)):
        for client in (signed_in(alice), signed_in(bob), Client()):
            address = f"/tables/{table_id}/study/"
            assert client.get(f"{address}?step=1").status_code == status
            assert client.post(address, {"step": 1, "seat": "1"}).status_code == status
    assert Table.objects.count() == before


def test_odd_wishes_are_refused_in_words(ended, bob):
    address, count = f"/tables/{ended.table.pk}/study/", steps_of(ended).count
    before = Table.objects.count()
    client = signed_in(bob)
    for query, status in (("step=x", 400), ("step=-1", 400), (f"step={count + 1}", 404), (f"step={count}", 409)):
        assert client.get(f"{address}?{query}").status_code == status, query
    for fields, status in (
        ({"step": count, "seat": "1"}, 409),
        ({"step": 5, "seat": "0"}, 404),
        ({"step": 5, "seat": "3"}, 404),
        ({"step": 5}, 400),
        ({"step": 5, "seat": "1", "level": "god"}, 400),
    ):
        assert client.post(address, fields).status_code == status, fields
    assert Table.objects.count() == before


def test_what_happened_in_a_private_club_stays_there(ended, alice, bob):
    club = Club.objects.create(slug="quiet", name="Quiet", is_private=True, link_code="c0de")
    Membership.objects.create(club=club, user=alice, role="owner")
    Table.objects.filter(pk=ended.table.pk).update(club=club)
    address = f"/tables/{ended.table.pk}/study/"
    assert signed_in(bob).post(address, {"step": 5, "seat": "1"}).status_code == 404
    assert signed_in(alice).post(address, {"step": 5, "seat": "1"}).status_code == 302
    made = Table.objects.latest("pk")
    assert made.club == club
    assert signed_in(bob).get(f"/tables/{made.pk}/").status_code == 404


def test_too_many_tables_in_an_hour(ended, bob, monkeypatch):
    monkeypatch.setattr("portal.tables.study_views.TABLES_PER_HOUR", 1)
    client = signed_in(bob)
    sent = {"step": 5, "seat": "1"}
    assert [client.post(f"/tables/{ended.table.pk}/study/", sent).status_code for _ in range(2)] == [302, 429]
