"""Hints and chances in practice games: from the player's own view, and for nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games.core.contract import Option, Phrase
from games.ra.scene import SUN
from games.registry import GAMES
from portal.tables import past, selectors, tasks, thinking, thoughts
from portal.tables.hint import best_level, hint_of, path_to
from portal.tables.loading import load
from portal.tables.models import Table, Thought
from portal.tables.speaker import Speaker
from portal.tables.thoughts_said import _kind, _place, hint_said
from tests.portal.leaks.secrets import VARY, change_secrets
from tests.portal.tables.driver import play_on
from tests.portal.tables.telling import play
from tests.portal.tables.test_why import MOVES, answered, opened, signed_in

pytestmark = pytest.mark.django_db


def due_in(table_id, records=MOVES):
    """Play until the person is due, some moves into the game."""
    return play_on(table_id, until=lambda loaded: loaded.table.seq >= records and loaded.table.due[:1] == [0])


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch):
    monkeypatch.setattr(thinking, "PLAYOUTS", 3)


@pytest.fixture(params=GAMES)
def practice(request, alice, fixed_secret):
    """An unrated game of each kind in which Alice is due."""
    return due_in(opened(alice, request.param, is_rated=False))


@pytest.fixture
def babel(alice, fixed_secret):
    return due_in(opened(alice, "babel", is_rated=False))


def test_a_hint_comes_in_three_steps_and_ends_with_the_move(practice, alice):
    client, address = signed_in(alice), f"/tables/{practice.table.pk}/hint/"
    first, second = answered(client, address)
    assert "being worked out" in first.content.decode()
    shown = second.content.decode()
    assert "Look here" in shown
    assert "This kind of move" not in shown
    assert "Tell me more" in shown
    answer = Thought.objects.get().answer
    legal = [str(action) for action in practice.game.legal_actions(practice.state, 0)]
    assert answer["action"] in legal
    assert "This kind of move" in client.get(f"{address}?n=2").content.decode()
    last = client.get(f"{address}?n=3&seq={practice.table.seq}").content.decode()
    assert "This move" in last
    assert "Tell me more" not in last
    assert Thought.objects.count() == 1
    assert "This kind" not in client.get(f"{address}?n=2&seq=3").content.decode(), "that was another position"


@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
def test_the_places_of_a_hint_have_names(practice, alice, lang):
    game, page = practice.game, selectors.page_of(practice, alice)
    speaker = Speaker(page.entry.key, lang, page.names, page.my_seat)
    action = str(game.legal_for_view(page.view)[0])
    for name in game.scene(page.view)["targets"]:
        told = hint_said({"action": action, "best": [], "marks": [name], "reasons": []}, page, speaker)
        assert not [place for place in told["places"] if "_" in place or ("-" in place and place == name)], name


@pytest.mark.parametrize(("lang", "places"), [("en", ["Sumer", "M5", "Nile", "sun 7"]), ("hu", ["Suméria", "M5", "Nílus", "napkő: 7"])])
def test_places_are_named_in_the_readers_language_without_the_move(lang, places):
    targets = [
        ("babel", {"word": "land_sumerians"}),
        ("tigris_euphrates", {"word": "M5"}),
        ("ra", {"noun": "nile"}),
        ("ra", {"short": Phrase(SUN, {"n": 7})}),
    ]
    assert [_place(target, Speaker(key, lang, (), None)) for key, target in targets] == places
    assert _place({"id": "rival-top"}, Speaker("babel", lang, (), None)) == ""


def test_a_heading_is_not_said_twice():
    trade, dilmun = Option("trade", Phrase("Trade: Dilmun"), group=Phrase("Trade")), Option("trade dilmun", Phrase("metal"))
    speaker = Speaker("after_the_flood", "en", (), None)
    assert _kind([trade, dilmun], speaker) == "Trade: Dilmun"
    assert _kind([Option("call", Phrase("Call Ra")), dilmun], speaker) == "Call Ra"
    assert _kind([Option("place", Phrase("grain"), group=Phrase("Workers")), dilmun], speaker) == "Workers: grain"


def test_every_move_can_be_said_by_the_question(practice):
    view = practice.game.view_for(practice.state, 0)
    for action in practice.game.legal_for_view(view)[:40]:
        assert path_to(practice.game, view, str(action)), action


@pytest.mark.parametrize("key", VARY)
def test_hints_and_chances_follow_from_the_players_own_view(alice, key, fixed_secret):
    loaded = due_in(opened(alice, key, is_rated=False), {"ra": 140, "babel": 15}.get(key, MOVES))
    seq = loaded.table.seq

    def told(now):
        thought = Thought(table=now.table, kind=thoughts.VALUE, seq=seq, seat=0, level="apprentice")
        value, _ = thinking._value(now, thought)
        return hint_of(now, seq, 0, "scribe"), value

    thinking.SLICE_S, before = 1e9, thinking.SLICE_S
    try:
        first = told(loaded)
        past._kept.clear()
        assert told(change_secrets(loaded.table.pk, 0, seed=5)) == first
    finally:
        thinking.SLICE_S = before


def test_chances_are_a_bar_for_each_player(practice, alice):
    client, address = signed_in(alice), f"/tables/{practice.table.pk}/chances/"
    client.get(address)
    while Thought.objects.filter(answer__isnull=True).exists():
        tasks.think(Thought.objects.get().pk)
    shown = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert shown.count("chances__span") == practice.table.seat_count
    answer = Thought.objects.get().answer
    assert answer["playouts"] == 3
    for place, low, high in answer["prospects"]:
        assert 1 <= low <= place <= high <= practice.table.seat_count
    assert "3 times" in shown


def test_a_worker_thinks_in_slices_and_goes_on_behind_others(babel, alice, monkeypatch):
    sent = []
    monkeypatch.setattr(thoughts, "enqueue", lambda task, *args, **more: sent.append(args))
    monkeypatch.setattr(thinking, "SLICE_S", 0.0)
    signed_in(alice).get(f"/tables/{babel.table.pk}/chances/")
    thought = Thought.objects.get()
    counts = []
    while Thought.objects.get().answer is None:
        tasks.think(thought.pk)
        counts.append(len((Thought.objects.get().work or {"places": [0] * 9})["places"]))
    assert counts == [1, 2, 3, 9]
    assert sent == [(thought.pk,)] * 4
    in_slices = Thought.objects.get().answer
    monkeypatch.setattr(thinking, "SLICE_S", 1e9)
    assert thinking._value(babel, Thought(seq=thought.seq, seat=0, level=thought.level))[0] == in_slices, "it is the same in one go"


def test_nobody_else_gets_help(babel, table, alice, bob):
    due_in(table.pk, 0)
    rated = opened(alice, "babel")
    over = play(opened(alice, "babel", is_rated=False)).table.pk
    for number, users in ((table.pk, (alice, bob)), (rated, (alice,)), (over, (alice,)), (babel.table.pk, (bob, None))):
        for user in users:
            client = signed_in(user) if user else Client()
            assert 'id="hint"' not in client.get(f"/tables/{number}/").content.decode()
            for what in ("hint", "chances"):
                assert client.get(f"/tables/{number}/{what}/").status_code == 409
    assert not Thought.objects.exists()
    assert 'id="hint"' in signed_in(alice).get(f"/tables/{babel.table.pk}/").content.decode()


def test_workers_help_nobody_in_a_game_that_counts(table, alice):
    rated = load(opened(alice, "babel"))
    for number, kind in ((table.pk, thoughts.HINT), (rated.table.pk, thoughts.HINT), (rated.table.pk, thoughts.VALUE)):
        asked = Thought.objects.create(table_id=number, kind=kind, seq=0, seat=0, level="apprentice", asked_at=timezone.now())
        thinking.work(asked.pk)
        asked.refresh_from_db()
        assert asked.answer == {"no": thinking.FAULT}


def test_there_is_a_hint_only_for_ones_own_move(alice):
    loaded = play_on(opened(alice, "babel", is_rated=False), until=lambda now: now.table.due[:1] == [1])
    client = signed_in(alice)
    assert client.get(f"/tables/{loaded.table.pk}/hint/").status_code == 409
    assert client.get(f"/tables/{loaded.table.pk}/chances/").status_code == 200
    assert client.get(f"/tables/{loaded.table.pk}/hint/?n=x").status_code == 409
    assert client.get("/tables/999999/hint/").status_code == 404


def test_odd_steps_are_refused_in_words(babel, alice):
    client = signed_in(alice)
    assert client.get(f"/tables/{babel.table.pk}/hint/?n=x").status_code == 400
    assert client.get(f"/tables/{babel.table.pk}/hint/?n=99&seq=zz").status_code == 200


def test_a_study_by_hand_helps_each_seat_in_turn(alice, fixed_secret):
    over = play(opened(alice, "babel"))
    client = signed_in(alice)
    client.post(f"/tables/{over.table.pk}/study/", {"step": 20, "seat": "1", "level": "hand"})
    made = load(Table.objects.latest("pk").pk)
    seat = selectors.page_of(made, alice).my_seat
    _, second = answered(client, f"/tables/{made.table.pk}/hint/")
    assert "Look here" in second.content.decode()
    thought = Thought.objects.get()
    assert (thought.seat, thought.level) == (seat, best_level(made.game))


def test_a_hint_costs_two_statements(babel, alice, django_assert_num_queries):
    client, address = signed_in(alice), f"/tables/{babel.table.pk}/hint/"
    answered(client, address)
    with django_assert_num_queries(3):  # reader, table, answer
        client.get(address)
