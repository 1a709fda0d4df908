"""Studies: one of a running practice game follows from what its player saw; one of a table that is not for everybody reaches nobody else."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.test import Client

from games.core.rng import SeededRng
from games.registry import GAMES
from portal.studies import lines, services
from portal.studies import views as study_views
from portal.studies.models import Study
from portal.tables import past, refusals, selectors, study
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.replay import replay_of
from tests.portal.api.asking import Person
from tests.portal.leaks.secrets import VARY
from tests.portal.tables.conftest import alice, bob, charlie, fixed_secret
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

pytestmark = pytest.mark.django_db

__all__ = ["alice", "bob", "charlie", "fixed_secret"]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def practice(alice, key):
    table_id = opened(alice, key)
    Table.objects.filter(pk=table_id).update(is_rated=False)
    return play(table_id, records=25)


@pytest.mark.parametrize("key", [key for key in GAMES if key in VARY])
def test_a_study_of_a_running_game_shows_nothing_that_its_player_did_not_see(alice, fixed_secret, monkeypatch, key):
    """Everything hidden from the player is changed: the study, its pages and the bot's move stay the same, byte for byte."""
    monkeypatch.setattr(study, "secrets", SimpleNamespace(token_hex=lambda: "same"))
    loaded = practice(alice, key)
    client = signed_in(alice)
    programs = Person(alice)

    def seen():
        past._kept.clear()
        lines._kept.clear()  # the seed below is that of another study
        found = load(loaded.table.pk)
        replay = replay_of(found, selectors.page_of(found, alice))
        made = services.start(replay=replay, step=replay.count, user=alice, title="A study")
        Study.objects.filter(pk=made.pk).update(seed="22" * 32)
        pages = [client.get(f"/studies/{made.pk}/0/as/{seat}/").content for seat in range(loaded.table.seat_count + 1)]
        pages += [
            programs.get(f"studies/{made.pk}/positions/0/?seat={seat}").content for seat in (*range(loaded.table.seat_count), "spectator")
        ]
        position = Study.objects.get(pk=made.pk).position
        number = made.pk
        made.delete()
        varying = rb'csrfmiddlewaretoken" value="[^"]*|token=[^"]*|nonce="[^"]*'
        assert b'"view":' in pages[-1]
        return position, [re.sub(varying, b"", page).replace(b"/studies/%d/" % number, b"N") for page in pages]

    before = seen()
    state = loaded.game.state_from_json(loaded.table.state)
    seat = loaded.seat_of(alice)
    varied = VARY[key](state, seat, SeededRng(5))
    assert loaded.game.view_for(varied, seat) == loaded.game.view_for(state, seat)
    Table.objects.filter(pk=loaded.table.pk).update(state=loaded.game.state_to_json(varied))
    assert seen() == before


def test_a_game_with_other_people_is_not_studied_while_it_runs(alice, bob, fixed_secret):
    from portal.tables import services as tables

    table = tables.create_table(owner=alice, game_key="ra", seats=2).table
    tables.join_table(table_id=table.pk, user=bob)
    for client in (signed_in(alice), signed_in(bob), Client()):
        assert client.get(f"/tables/{table.pk}/studies/new/?step=0").status_code == 409
        assert client.post(f"/tables/{table.pk}/studies/new/", {"step": 0, "title": "T"}).status_code == 409
    assert not Study.objects.exists()


def test_a_rated_game_against_bots_is_not_studied_while_it_runs(alice, fixed_secret):
    table_id = opened(alice, "babel")
    loaded = load(table_id)
    with pytest.raises(refusals.NotRevealed):
        study.position_of(replay_of(loaded, selectors.page_of(loaded, alice)), 0)
    assert signed_in(alice).get(f"/tables/{table_id}/studies/new/?step=0").status_code == 409


def test_of_a_hidden_table_nobody_starts_a_study(alice, charlie, fixed_secret):
    """The same bytes as at a number that no table has."""
    loaded = practice(alice, "babel")
    Table.objects.filter(pk=loaded.table.pk).update(privacy="link")
    client = signed_in(charlie)

    def answer(number):
        found = [
            client.get(f"/tables/{number}/studies/new/?step=1"),
            client.post(f"/tables/{number}/studies/new/", {"step": 1, "title": "T"}),
        ]
        plain = [re.sub(rb'csrfmiddlewaretoken" value="[^"]*', b"", one.content).replace(b"/%d/" % number, b"/N/") for one in found]
        return [one.status_code for one in found], plain

    assert answer(loaded.table.pk) == answer(999_999)
    assert answer(999_999)[0] == [404, 404]


def test_answers_are_kept_by_nobody(alice, fixed_secret):
    loaded = practice(alice, "babel")
    made = services.start(replay=replay_of(loaded, selectors.page_of(loaded, alice)), step=3, user=alice, title="A study")
    client = signed_in(alice)
    for address in (f"/studies/{made.pk}/", f"/studies/{made.pk}/settings/", "/studies/", f"/tables/{loaded.table.pk}/studies/new/?step=3"):
        assert client.get(address)["Cache-Control"] == "private, no-store", address
    page = client.get(f"/studies/{made.pk}/").content.decode()
    assert made.seed not in page
    assert made.link_code not in page
    assert study_views.LINKS not in page
