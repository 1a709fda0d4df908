"""What programs are told of views and events is true of games that were played, in every game and for every number of players."""

from __future__ import annotations

import json

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError

from games.core.contract import CHANCE, SCORER
from games.core.options import full_options
from games.core.rng import SeededRng
from games.core.schemas import event_schema, seen, shown, view_schema
from games.registry import GAMES
from tests.engine.played import every_game, every_table, plies


@every_table
def test_the_view_of_each_seat_fits_the_schema(key, seats):
    game = GAMES[key].game
    schema = view_schema(game)
    Draft202012Validator.check_schema(schema)
    fits = Draft202012Validator(schema)
    for number, ply in enumerate(plies(key, seats)):
        seat = (None, *range(seats))[number % (seats + 1)]
        fits.validate(json.loads(json.dumps(shown(game.view_for(ply.after, seat)))))


@every_table
def test_each_event_fits_the_schema(key, seats):
    schema = event_schema(GAMES[key].game)
    Draft202012Validator.check_schema(schema)
    fits = Draft202012Validator(schema)
    for ply in plies(key, seats):
        for event in ply.events:
            fits.validate(json.loads(json.dumps({"key": event.key, "params": dict(event.params)})))


@every_game
def test_a_view_or_event_with_a_field_more_less_or_of_another_kind_does_not_fit(key):
    game = GAMES[key].game
    fits = Draft202012Validator(view_schema(game))
    ply = next(one for one in plies(key, game.meta.seats[0]) if one.events and one.events[0].params)
    view = json.loads(json.dumps(shown(game.view_for(ply.after, 0))))
    for name in view:
        lacking = {other: value for other, value in view.items() if other != name}
        assert not fits.is_valid(lacking), name
        assert not fits.is_valid({**view, name: 0.5}), name
    assert not fits.is_valid({**view, "secret": 1})
    events = Draft202012Validator(event_schema(game))
    assert not events.is_valid({"key": "nothing", "params": {}})
    with pytest.raises(ValidationError):
        events.validate({"key": ply.events[0].key})


@every_game
def test_schemas_explain_fields(key):
    schema = view_schema(GAMES[key].game)
    assert any("description" in one for one in schema["$defs"]["View"]["properties"].values())


def test_what_bots_remember_of_ra_is_in_no_answer():
    game = GAMES["ra"].game
    ply = [one for one in plies("ra", 3) if game.view_for(one.after, 0).remembered][-1]
    assert "remembered" not in shown(game.view_for(ply.after, 0))
    assert "remembered" not in view_schema(game)["$defs"]["View"]["properties"]


@every_game
def test_a_view_comes_back_from_its_values_and_bots_choose_from_it_alike(key):
    """What a program reads of a table is enough for the package's own bots, but for what they remember."""
    game = GAMES[key].game
    rng, compared = SeededRng(7), 0
    state = game.setup(game.meta.seats[0], full_options(game.meta, {}))
    for _ in range(80):
        actors = game.actors(state)
        if not actors:
            break
        actor = actors[0]
        if actor == CHANCE:
            action = game.sample_chance(state, rng)
        elif actor == SCORER:
            action = game.legal_actions(state, actor)[0]
        else:
            view = game.view_for(state, actor)
            again = seen(game, json.loads(json.dumps(shown(view))))
            assert shown(again) == shown(view)
            assert game.legal_for_view(again) == game.legal_for_view(view)
            level = "apprentice"
            chosen = [str(game.choose_action(one, level, SeededRng(3)).action) for one in (view, again)]
            assert chosen[0] == chosen[1]
            compared += 1
            action = game.sample_action(state, actor, rng)
        state = game.apply(state, actor, action)[0]
    assert compared > 20
    with pytest.raises(msgspec.ValidationError):
        seen(game, {"nothing": 1})
