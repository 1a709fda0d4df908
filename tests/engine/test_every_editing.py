"""Pieces put by hand, in every game: what is put is there, what is taken is gone, and what can't be is refused by name."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from games.core.contract import PositionError
from games.core.editing import LEFT_OUT, Misplaced, change
from games.core.records import POSITION_FORMAT, start_of_position
from games.core.rng import SeededRng
from games.registry import GAMES, game
from tests.engine.played import TABLES, every_table, random_games
from voice import glossary


def file_of(key: str, seats: int, state: dict[str, Any]) -> dict[str, Any]:
    meta = GAMES[key].game.meta
    head = {"format": POSITION_FORMAT, "game": key, "rules_version": meta.rules_version, "options": {}, "seats": seats}
    return {**head, "state": state, "fill": "1"}


def whole(key: str, seats: int, state: dict[str, Any]) -> dict[str, Any]:
    rules, found = start_of_position(file_of(key, seats, state), game)
    return rules.state_to_json(found)


def merged(state: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in (state | fields).items() if value is not LEFT_OUT}


def edited(key: str, seats: int, state: dict[str, Any], piece: str, place: str, *, is_put: bool = True) -> dict[str, Any]:
    editing = GAMES[key].game.editing()
    return merged(state, change(editing, whole(key, seats, state), piece=piece, place=place, is_put=is_put))


FIRST = {"treasure": {"treasures": "K1 B2"}, "growth_marker": {"cities": [["ur"], [], []]}}  # what a piece needs


@every_table
def test_every_piece_has_a_place_in_the_first_position_and_can_be_taken_from_it(key, seats):
    editing = GAMES[key].game.editing()
    rng = SeededRng(f"{key} {seats}")
    for piece in editing.pieces(seats):
        before: dict[str, Any] = FIRST.get(piece.key, {})
        if piece.noun == "army" and key == "after_the_flood":
            before = {"empires": [["akkad", None, None], [None, "guti", None], [None, None, "akkad"]][piece.seat], "ranking": [piece.seat]}
        first = whole(key, seats, before)
        places = list(editing.places(seats))
        for _ in range(len(places)):  # in any order, until one will do
            place = places.pop(rng.below(len(places), "place"))
            try:
                put = edited(key, seats, before, piece.key, place.key)
                with_it = whole(key, seats, put)
            except PositionError:
                continue
            if with_it == first:
                continue  # it lies there already
            if not piece.key.startswith("sun_"):
                taken = edited(key, seats, put, piece.key, place.key, is_put=False)
                assert whole(key, seats, taken) != with_it, (piece, place)
            break
        else:
            pytest.fail(f"{piece} goes nowhere")


@every_table
def test_positions_from_games_are_edited_without_other_faults_than_named_ones(key, seats):
    editing = GAMES[key].game.editing()
    pieces, places = editing.pieces(seats), editing.places(seats)
    rng = SeededRng(f"edit {key} {seats}")
    plies = [ply for plies in random_games(key, seats) for ply in plies]
    done = 0
    for _ in range(60):
        position = GAMES[key].game.state_to_json(plies[rng.below(len(plies), "ply")].after)
        kept = copy.deepcopy(position)
        piece, place = pieces[rng.below(len(pieces), "piece")], places[rng.below(len(places), "place")]
        try:
            fields = change(editing, position, piece=piece.key, place=place.key, is_put=bool(rng.below(2, "way")))
        except Misplaced as error:
            assert (error.piece, error.place) == (piece.key, place.key)
        else:
            assert set(fields) <= set(position)
            done += 1
            try:
                whole(key, seats, merged(position, fields))
            except PositionError as error:
                assert ":" in str(error)
        assert position == kept
    assert done > 3


@every_table
def test_the_names_are_nouns_and_the_targets_are_on_the_board(key, seats):
    rules = GAMES[key].game
    editing = rules.editing()
    state = rules.state_from_json(whole(key, seats, {}))
    targets = rules.scene(rules.view_for(state, 0))["targets"]
    for piece in editing.pieces(seats):
        assert glossary.noun(key, piece.noun, "en")
        assert piece.seat is None or piece.seat < seats
    for place in editing.places(seats):
        assert not place.target or place.target in targets
        assert place.seat is None or place.seat < seats
        if place.seat is not None:
            assert glossary.noun(key, place.noun, "en")
    for known in (editing.pieces(seats), editing.places(seats)):
        assert len({one.key for one in known}) == len(known)


@pytest.mark.parametrize(("key", "seats"), TABLES[:1])
def test_unknown_pieces_and_places_are_refused(key, seats):
    for piece, place in (("throne", "auction_track"), ("nile", "moon"), ("", "")):
        with pytest.raises(PositionError, match="none of the game"):
            edited(key, seats, {}, piece, place)


def test_tigris_and_euphrates_square_by_square():
    te = "tigris_euphrates"
    first = whole(te, 3, {})
    state = edited(te, 3, {}, "farm", "A4")  # the river
    assert state["tiles"]["farm"] == "A4"
    assert state["hands"] == first["hands"]  # what the reader saw stays
    with pytest.raises(PositionError, match="tiles"):
        whole(te, 3, edited(te, 3, {}, "farm", "A1"))  # no river
    state = edited(te, 3, state, "king_bull", "A2")  # beside the temple of B2
    assert state["leaders"] == [{}, {"king": "A2"}, {}]
    state = edited(te, 3, state, "settlement", "A2")  # in its place
    assert state["leaders"] == [{}, {}, {}]
    assert state["tiles"]["settlement"] == "A2"
    state = edited(te, 3, state, "treasure", "K1", is_put=False)
    assert "K1" not in state["treasures"].split()
    assert sum(whole(te, 3, state)["jokers"]) == 1  # it was taken by somebody
    with pytest.raises(Misplaced):
        edited(te, 3, state, "green_red", "P11")  # a monument needs four squares
    block = edited(te, 3, {}, "green_red", "E5")
    assert block["built"] == [["green_red", "E5", "market"]]
    assert whole(te, 3, edited(te, 3, block, "green_red", "F6", is_put=False))["built"] == []


def test_suns_of_ra_change_places_so_that_everybody_keeps_their_number():
    state = edited("ra", 3, {}, "sun_13", "centre_sun")
    assert state["centre"] == 13
    assert sorted(len(up) + len(down) for up, down in state["suns"]) == [4, 4, 4]
    turned = edited("ra", 3, state, "sun_13", "0.sun_down")
    assert turned["suns"][0][1] == [13]
    assert len(turned["suns"][0][0]) == 3
    assert whole("ra", 3, turned)["suns"] == turned["suns"]
    with pytest.raises(Misplaced):
        edited("ra", 3, {}, "sun_13", "auction_track")
    with pytest.raises(Misplaced):
        edited("ra", 3, {}, "flood", "ra_track")
