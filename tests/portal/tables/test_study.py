"""Study from here: a practice table from a step of a finished game."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from games.core.records import start_of_position, verify_record
from games.core.rng import SeededRng
from games.registry import GAMES, game
from portal.clubs.models import Club, Membership
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import reel, refusals, selectors, services, study
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.replay import replay_of
from portal.tables.speaker import Speaker
from tests.portal.leaks.secrets import VARY
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
    for seat in ("1", "2"):  # the one from which the replay was seen
        offered = signed_in(bob).get(f"{address}?step={step}&seat={seat}").content.decode()
        assert re.findall(r'name="seat" value="(\d)"\s+checked', offered) == [seat]
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


# All seats by hand


@pytest.fixture
def by_hand(finished, bob):
    """A study that Bob plays from both sides, from the middle of a finished game."""
    sent = {"step": steps_of(finished).count // 2, "seat": "1", "level": "hand"}
    assert signed_in(bob).post(f"/tables/{finished.table.pk}/study/", sent).status_code == 302
    return load(Table.objects.latest("pk").pk)


def test_each_seats_turn_is_played_from_that_seat(by_hand, alice, bob):
    game, table_id, seats = by_hand.game, by_hand.table.pk, set()
    assert (by_hand.table.by_hand, by_hand.table.is_rated) == (True, False)
    client = signed_in(bob)
    now = by_hand
    for _ in range(400):
        page = selectors.page_of(now, bob)
        if now.table.waits_for == "scorer":
            now = services.submit_action(table_id=table_id, actor=-2, action="score", expected_version=now.table.version, by="scorer")
            continue
        if now.table.status != "playing":
            break
        assert now.table.waits_for == "person", "no bot is asked"
        assert page.my_seat == now.table.due[0]
        assert page.view == game.view_for(now.state, page.my_seat)
        assert page.turn.ask is not None
        other = selectors.page_of(now, alice)
        assert (other.my_seat, other.view) == (None, game.view_for(now.state, None)), "others watch"
        if page.my_seat not in seats:
            seats.add(page.my_seat)
            html = client.get(f"/tables/{table_id}/").content.decode()
            assert "one person plays all seats" in html
            assert 'id="action"' in html
            assert "data-mine" in html
        action = game.choose_action(page.view, "apprentice", SeededRng(f"{now.table.version}")).action
        before = now.table.version
        now = services.submit_action(table_id=table_id, user=bob, action=str(action), expected_version=before)
        told = reel.reel_of(now, selectors.page_of(now, bob), Speaker(now.table.game, "en", now.names, None), since=before)
        assert told is None or str(action) not in [step["text"] for step in told["steps"]]
    assert len(seats) == by_hand.table.seat_count
    assert {row.by for row in now.table.records.filter(actor__gte=0)} <= {"player", "auto"}


def test_who_plays_all_seats_has_a_record_and_no_rating(ended, bob):
    signed_in(bob).post(f"/tables/{ended.table.pk}/study/", {"step": steps_of(ended).count // 2, "seat": "2", "level": "hand"})
    made = Table.objects.latest("pk")
    over = play(made.pk, seed=3)
    assert over.table.status == "finished"
    record = selectors.record_of(made.pk)
    assert record["players"] == [f"{over.names[0]} (by hand)", bob.username]
    assert verify_record(record, game).is_good
    apply_pending()
    assert not RatingChange.objects.filter(table=made.pk).exists()
    for address in (f"/tables/{made.pk}/", f"/tables/{made.pk}/replay/", "/", reverse("lobby")):
        assert signed_in(bob).get(address).status_code == 200


def test_leaving_closes_it(by_hand, bob):
    assert "the table is closed when you leave" in signed_in(bob).get(f"/tables/{by_hand.table.pk}/").content.decode()
    left = services.leave_table(table_id=by_hand.table.pk, user=bob)
    assert left.table.status == "abandoned" == load(by_hand.table.pk).table.status


# One's own practice game while it runs


@pytest.fixture(params=GAMES)
def practice(request, alice, fixed_secret):
    """An unrated game of Alice against bots, some records old."""
    seats = min(3, max(game(request.param).meta.seats))
    made = services.create_table(owner=alice, game_key=request.param, seats=seats, bots=["apprentice"] * (seats - 1), is_rated=False)
    return play(made.table.pk, records=75)


def test_a_running_practice_game_is_studied_from_what_its_player_saw(practice, alice, bob):
    address = f"/tables/{practice.table.pk}/"
    replay = replay_of(practice, selectors.page_of(practice, alice))
    step = replay.count - 2
    assert f"{address}study/?step={step}" in signed_in(alice).get(f"{address}replay/?step={step}").content.decode()
    assert "dealt again" in signed_in(alice).get(f"{address}study/?step={step}").content.decode()
    for client in (signed_in(bob), Client()):
        assert client.post(f"{address}study/", {"step": step, "seat": "1"}).status_code == 409
        assert "study/" not in client.get(f"{address}replay/?step={step}").content.decode()
    assert signed_in(alice).post(f"{address}study/", {"step": step, "seat": "1", "level": "hand"}).status_code == 302
    made = Table.objects.latest("pk")
    _, start = start_of_position(made.position, game)
    rules = practice.game
    _, real = start_of_position({**made.position, "state": rules.state_to_json(replay.state(step))}, game)
    views = [rules.view_for(state, 0) for state in (start, real)]
    if practice.table.game == "ra":  # how the fame came about before isn't told in the study
        views = [replace(view, derivations=None, remembered=None) for view in views]
    assert views[0] == views[1]


def test_nothing_hidden_of_a_running_game_is_in_its_study(practice, alice, monkeypatch):
    """With everything that Alice can't see changed, the study starts from the same position."""
    monkeypatch.setattr(study.secrets, "token_hex", lambda: "same")
    replay = replay_of(practice, selectors.page_of(practice, alice))
    rules, key = practice.game, practice.table.game
    vary = VARY.get(key, lambda state, seat, rng: state)  # After the Flood has no secret
    changed = 0
    for step in range(1, replay.count + 1, 3):
        state = replay.state(step)
        other = vary(state, 0, SeededRng(step))
        changed += other != state
        found = []
        for real in (state, other):
            monkeypatch.setattr(type(replay), "state", lambda _self, _step, real=real: real)
            found.append(rules.state_to_json(study.position_of(replay, step)))
        monkeypatch.undo()
        monkeypatch.setattr(study.secrets, "token_hex", lambda: "same")
        assert found[0] == found[1], step
    assert changed or key not in VARY


def test_a_game_that_counts_or_concerns_others_is_not_studied_while_it_runs(alice, bob, fixed_secret):
    rated = services.create_table(owner=alice, game_key="babel", seats=2, bots=["apprentice"])
    shared = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"], is_rated=False)
    services.join_table(table_id=shared.table.pk, user=bob)
    for table_id in (rated.table.pk, shared.table.pk):
        loaded = play(table_id, records=30)
        replay = replay_of(loaded, selectors.page_of(loaded, alice))
        with pytest.raises(refusals.NotRevealed):
            study.position_of(replay, 3)
