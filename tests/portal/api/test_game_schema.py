"""Schemas of views and events, and sample positions: what tables, replays and logs give fits what programs were told."""

from __future__ import annotations

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from games.registry import GAMES
from portal.tables import services
from portal.tables.loading import load
from rules_docs import examples
from tests.portal.api.asking import ROOT, Person, code_of
from tests.portal.sixth.conftest import nim

__all__ = ["nim"]
pytestmark = pytest.mark.django_db


def schema_of(game):
    told = Client().get(f"{ROOT}games/{game}/schema/?lang=en")
    assert (told.status_code, told["Cache-Control"]) == (200, "public, max-age=300")
    return told.json()


@pytest.mark.parametrize("game", GAMES)
def test_each_sample_position_fits_the_schema_from_every_seat(game, django_assert_num_queries):
    view = Draft202012Validator(schema_of(game)["view"])
    ids, following = [], f"{ROOT}games/{game}/positions/?lang=en&limit=30"
    while following:
        page = Client().get(following).json()
        ids += [row["id"] for row in page["results"]]
        following = page["next"]
    assert ids == examples.example_names(game)
    for position in ids[::6]:
        with django_assert_num_queries(0):
            told = Client().get(f"{ROOT}games/{game}/positions/{position}/?lang=en").json()
        assert [one["seat"] for one in told["seen"]] == [None, *range(told["seats"])]
        for one in told["seen"]:
            view.validate(one["view"])
            assert one["view"]["seat"] == one["seat"]
            assert bool(one["legal"]) == (one["seat"] in told["due"])


@pytest.mark.parametrize("game", GAMES)
def test_views_and_logs_of_a_table_fit_the_schema(game, alice, fixed_secret):
    told = schema_of(game)
    view, event = Draft202012Validator(told["view"]), Draft202012Validator(told["event"])
    seats = GAMES[game].game.meta.seats[0]
    table = services.create_table(owner=alice, game_key=game, seats=seats, bots=["apprentice"] * (seats - 1)).table
    loaded = load(table.pk)
    if (seat := loaded.seat_of(alice)) in loaded.table.due:
        action = str(loaded.game.legal_actions(loaded.state, seat)[0])
        services.submit_action(table_id=table.pk, user=alice, action=action, expected_version=loaded.table.version)
    for person in (Person(alice), Person()):
        shown = person.get(f"tables/{table.pk}/").json()
        view.validate(shown["view"])
        assert shown["log"]
        for line in shown["log"]:
            event.validate({"key": line["key"], "params": line["params"]})
        view.validate(person.get(f"tables/{table.pk}/replay/0/").json()["view"])


def test_what_bots_remember_is_in_no_answer(duel, alice):
    for path in (f"tables/{duel.pk}/", f"tables/{duel.pk}/replay/0/"):
        assert "remembered" not in Person(alice).get(path).json()["view"]


def test_games_and_positions_that_are_not_there_and_a_game_without_a_book(nim):
    for path in ("schema/", "positions/", "positions/building/"):
        assert code_of(Client().get(f"{ROOT}games/chess/{path}")) == "no_such_game"
    assert code_of(Client().get(f"{ROOT}games/ra/positions/nothing/")) == "not_written"
    assert Client().get(f"{ROOT}games/nim/positions/").json() == {"next": None, "results": []}
    assert schema_of("nim")["view"]["$defs"]["View"]["properties"].keys() == {"seat", "state"}
