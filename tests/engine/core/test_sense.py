"""Counting in whole games of bots: what is counted adds up, and the intervals are those of games."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from games.core import sense
from games.core.selfplay import CHUNK, SelfPlay, record_game
from games.core.sense import Goal, found
from games.core.simulate import wilson
from games.registry import GAMES, game
from tests.engine.played import every_table


def steps(key, seats, number=1):
    play = SelfPlay(key, seats, 5, "random", "random", 0.0)
    return sense.steps_of(game(key), record_game(game(key), play, number))


# Figures


def test_the_mean_is_over_all_numbers_and_its_interval_over_games():
    (each,) = found([{"suns": [1.0, 3.0]}, {"suns": [2.0]}, {"suns": [5.0, 7.0, 6.0]}], {"suns": Goal(below=4.5)})
    assert (each.mean, each.numbers, each.games) == (4.0, 6, 3)
    error = ((4 - 8) ** 2 + (2 - 4) ** 2 + (18 - 12) ** 2) * 3 / 2
    assert each.high - each.mean == pytest.approx(1.959964 * error**0.5 / 6)
    assert each.mean - each.low == pytest.approx(each.high - each.mean)
    assert each.report()["is_met"] is True
    assert each.report()["goal"] == "below 4.5"


def test_a_share_has_wilsons_interval_for_as_many_cases_as_games_are_worth():
    (alone,) = found([{"won": [n % 4 == 0]} for n in range(400)], {})
    assert alone.mean == 0.25
    assert (alone.low, alone.high) == pytest.approx(wilson(100, 400), abs=1e-3)
    (alike,) = found([{"won": [n % 4 == 0] * 5} for n in range(400)], {})  # five cases that say the same are worth one
    assert (alike.low, alike.high) == pytest.approx((alone.low, alone.high), abs=1e-3)
    (never,) = found([{"won": [False]} for _ in range(50)], {})
    assert (never.low, never.high) == pytest.approx(wilson(0, 50))


def test_a_single_game_tells_no_interval_and_a_measure_without_numbers_is_left_out():
    assert [each.name for each in found([{"a": [1.5], "b": []}], {})] == ["a"]
    assert found([{"a": [1.5]}], {})[0].high == float("inf")


@pytest.mark.parametrize(("goal", "value", "is_met"), [(Goal(below=0.5), 0.5, False), (Goal(at_least=9.5), 9.5, True)])
def test_goals_say_whether_they_are_met(goal, value, is_met):
    assert goal.is_met(value) == is_met


# What games count


@every_table
def test_what_is_counted_fits_the_game(key, seats):
    played = steps(key, seats)
    counts = GAMES[key].game.sense().count(played)
    assert counts
    assert all(isinstance(number, int | float) for numbers in counts.values() for number in numbers)
    assert set(GAMES[key].game.sense().goals) <= set(counts)


def test_unused_suns_are_those_face_up_when_an_epoch_ends():
    played = steps("ra", 3)
    counts = GAMES["ra"].game.sense().count(played)
    last = [step for step in played if str(step.action) == "score"][-1].before
    assert counts["unused suns in epoch 3, a seat"] == [len(suns) for suns in game("ra").view_for(last, None).suns_up]


def test_exactly_one_colour_is_the_weakest_of_each_seat_in_all():
    counts = GAMES["tigris_euphrates"].game.sense().count(steps("tigris_euphrates", 4))
    shares = [numbers for name, numbers in counts.items() if name.endswith("a seat's weakest colour")]
    assert [sum(seat) for seat in zip(*shares, strict=True)] == pytest.approx([1.0] * 4)


@pytest.mark.parametrize("order", ["first", "last"])
def test_each_game_of_after_the_flood_is_won_from_one_place(order):
    counts = GAMES["after_the_flood"].game.sense().count(steps("after_the_flood", 3))
    won = [numbers for name, numbers in counts.items() if name.startswith("won by") and name.endswith(f"{order} order of play")]
    assert len(won) == 3
    assert sum(map(sum, won)) == 1


def test_what_empires_are_beyond_their_epochs_mean_adds_up_to_nothing():
    counts = GAMES["history_of_the_world"].game.sense().count(steps("history_of_the_world", 4))
    for what in ("points", "armies"):
        beyond = [sum(numbers) for name, numbers in counts.items() if name.startswith(what) and name.endswith("beyond the epoch's mean")]
        assert sum(beyond) == pytest.approx(0)


def test_babel_ends_in_one_of_three_ways():
    counts = GAMES["babel"].game.sense().count(steps("babel", 2))
    assert sum([sum(numbers) for name, numbers in counts.items() if name.startswith("ended by")]) == 1


# The command


def told(capsys, *args):
    call_command("sense", *args, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_command_counts_the_same_however_many_processes_play_and_plays_no_game_twice(capsys, settings, tmp_path, monkeypatch):
    args = ("ra", "--level", "apprentice", "--seats", "2", "--games", str(CHUNK + 1), "--seed", "3")
    answers = []
    for jobs in ("1", "2"):
        settings.STATE_DIR = tmp_path / jobs
        answers.append(told(capsys, *args, "--jobs", jobs))
    assert answers[0] == answers[1]
    (table,) = answers[0]["tables"]
    suns = next(row for row in table["measures"] if row["measure"] == "unused suns in epoch 3, a seat")
    assert (suns["numbers"], suns["games"]) == (2 * (CHUNK + 1), CHUNK + 1)
    assert suns["ci95"][0] < suns["mean"] < suns["ci95"][1]
    monkeypatch.setattr("games.core.selfplay.record_game", None)
    assert told(capsys, *args, "--jobs", "1") == answers[0]


def test_people_read_the_goal_and_whether_it_is_met(capsys, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    call_command("sense", "ra", "--level", "apprentice", "--seats", "2", "--games", "3", "--jobs", "1")
    out = capsys.readouterr().out
    assert out.startswith("Ra, 2 seats, 3 games, apprentice in every seat, seed 1\n")
    assert "goal: below 0.25" in out


@pytest.mark.parametrize("args", [("senet",), ("ra", "--level", "sage"), ("ra", "--seats", "9")])
def test_what_cannot_be_counted_is_refused_in_one_line(args, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    with pytest.raises(CommandError) as error:
        call_command("sense", *args)
    assert error.value.returncode == 2
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_a_game_that_counts_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing to count"):
        sense.run(lambda key: replace(game(key), sense=None), SelfPlay("ra", 2, 1, "random", "random", 0.0), None, 1)
