"""Figures against a plain count of the same games, the openings included; few positions are held however many games there are."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from archives import figures
from archives.figures import ALL, DEPTH, PEOPLE, WIN, Game, figures_of
from archives.glance import games_of
from tests.archives.conftest import rows_of, written

SEATS = 3


def made(count, seed=1, moves="abcdefgh"):
    rng = random.Random(seed)
    games = []
    for number in range(count):
        places = rng.choice([[1, 2, 3], [3, 1, 2], [1, 1, 3], [2, 3, 1], [1, 1, 1]])
        kinds = rng.choice([["person"] * 3, ["person", "bot", "guest"], ["bot"] * 3, ["deleted", "guest", "person"]])
        opening = [(ply % SEATS, rng.choice(moves)) for ply in range(rng.choice([2, DEPTH]))]
        scores = [rng.randrange(20) for _ in places]
        games.append(
            Game(number, kinds, [rng.random() < 0.1, False, False], places, scores, rng.choice("xy"), rng.randrange(5, 9), opening)
        )
    return games


def of_people(game):
    return "bot" not in game.kinds and not any(game.left)


def test_totals_are_those_of_a_plain_count():
    games = made(400)
    found = figures_of(lambda: games)
    assert set(found.totals) == {(SEATS, ALL), (SEATS, PEOPLE)}
    for who, counted in ((ALL, games), (PEOPLE, [game for game in games if of_people(game)])):
        totals = found.totals[(SEATS, who)]
        assert totals.games == len(counted) > 100
        assert totals.lengths == Counter(game.length for game in counted)
        assert totals.scores == Counter(score for game in counted for score in game.scores)
        assert totals.reasons == Counter(game.reason for game in counted)
        for seat, sums in enumerate(totals.seats):
            assert sums.games == len(counted)
            assert sums.wins == sum(Fraction(WIN, game.places.count(1)) for game in counted if game.places[seat] == 1)
            assert sums.places == sum(game.places[seat] for game in counted)
            assert sums.squares == sum(game.places[seat] ** 2 for game in counted)
            assert sums.scores == sum(game.scores[seat] for game in counted)
        assert sum(sums.wins for sums in totals.seats) == WIN * len(counted)


def test_openings_are_those_of_a_plain_count():
    games = made(3000)
    found = figures_of(lambda: games).moves[(SEATS, ALL)]
    for depth in range(1, DEPTH + 1):
        counted = Counter(tuple(text for _, text in game.opening[:depth]) for game in games if len(game.opening) >= depth)
        level = {line: sums for line, sums in found.items() if len(line) == depth}
        assert level
        for line, sums in level.items():
            played = [game for game in games if tuple(text for _, text in game.opening[:depth]) == line]
            assert sums.games == counted[line] == len(played)
            seat = played[0].opening[depth - 1][0]
            assert sums.wins == sum(game.win for game in played if game.places[seat] == 1)
            assert sums.places == sum(game.places[seat] for game in played)
            assert sums.table == played[-1].table
    assert {line for line in found if len(line) == 1} == {(move,) for move in "abcdefgh"}


def test_rare_moves_are_left_out_and_frequent_ones_kept(monkeypatch):
    monkeypatch.setattr(figures, "MOVES", 3)
    monkeypatch.setattr(figures, "OPENED", 2)
    games = made(2000)
    found = figures_of(lambda: games).moves[(SEATS, ALL)]
    first = Counter(game.opening[0][1] for game in games)
    best = sorted(first, key=lambda move: (-first[move], move))[:3]
    assert [line for line in found if len(line) == 1] == [(move,) for move in best]
    assert {line[:1] for line in found if len(line) == 2} == {(move,) for move in best[:2]}
    assert max(Counter(line[:-1] for line in found).values()) == 3


def test_what_a_pass_holds_follows_from_the_positions_not_the_games(monkeypatch):
    monkeypatch.setattr(figures, "OPENED", 4)
    sizes = []
    kept = figures._kept
    monkeypatch.setattr(figures, "_kept", lambda moves: sizes.append(len(moves)) or kept(moves))
    games = made(1500, moves="abc")
    for times in (1, 8):
        sizes.clear()
        figures_of(lambda times=times: (game for _ in range(times) for game in games))
        assert len(sizes) == 2 * DEPTH
        assert sizes == [3, 3] + [3 * 3] * 2 + [4 * 3] * 4


def test_games_are_read_from_archives_as_they_are(tmp_path):
    rows = rows_of("tigris_euphrates")
    out = written(tmp_path, rows, "tigris_euphrates-2026-10", "tigris_euphrates")
    games = list(games_of([tmp_path / file.name for file in out.manifest.files if file.kind == "parquet"]))
    assert [game.table for game in games] == [0, 1, 2]
    for game, row in zip(games, rows, strict=True):
        acted = [(actor, text) for actor, text in row["actions"] if actor >= 0]
        assert game.length == len(acted)
        assert list(game.opening) == acted[:DEPTH]
        assert (game.places, game.scores, game.reason) == tuple(row["result"][name] for name in ("places", "scores", "reason"))
