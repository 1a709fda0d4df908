"""What is tested in every game in the same way: its interpretations have tests, and its board can be drawn for everybody.

A game gives `tests/engine/<game>/facts.py`: `READINGS`, the number of rows in the table of interpretations in `games/<game>/README.md`, and
`UNTESTED`, those that name no test; `check_drawing(drawing, state, seat)`, which compares a drawing with the position; and what
`test_every_bot` needs.
"""

from __future__ import annotations

import re
from importlib import import_module
from itertools import cycle
from pathlib import Path

from games.registry import GAMES
from tests.engine.played import every_game, every_table, plies, random_games

ROOT = Path(__file__).parents[2]


def facts(key):
    return import_module(f"tests.engine.{key}.facts")


@every_game
def test_every_reading_has_a_test_that_exists(key):
    readme = (ROOT / "games" / key / "README.md").read_text(encoding="utf-8")
    files = (Path(__file__).parent / key).glob("test_*.py")
    tests = {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)}
    rows = dict(re.findall(r"^\| ([A-Z]?\d+a?) \|.*\| (.*) \|$", readme, re.M))
    assert len(rows) == facts(key).READINGS
    assert len({int(re.sub(r"\D", "", number)) for number in rows}) == int(re.sub(r"\D", "", list(rows)[-1])), "a number is missing"
    assert {number for number, cell in rows.items() if "`test_" not in cell} == getattr(facts(key), "UNTESTED", set())
    assert set(re.findall(r"`(test_\w+)`", readme)) <= tests
    if getattr(facts(key), "NAMES_EVERY_MODULE", False):
        files = readme.partition("## Files\n\n")[2].partition("\n\n")[0]
        assert set(re.findall(r"`(\w+)`", files)) == {file.stem for file in (ROOT / "games" / key).glob("*.py")} - {"__init__"}


@every_table
def test_every_position_can_be_drawn_for_everybody(key, seats):
    """Every place and piece that an answer may point at is a target, and the drawing matches the position."""
    game, check = GAMES[key].game, getattr(facts(key), "check_drawing", None)
    everybody = cycle((None, *range(seats)))
    ends = [line[-1].after for line in random_games(key, seats)]
    for state in [ply.before for ply in list(plies(key, seats))[::6]] + ends:
        due = [actor for actor in game.actors(state) if actor >= 0]
        for seat in {next(everybody), next(everybody), *due[:1]}:
            view = game.view_for(state, seat)
            drawing = game.scene(view)
            if check is not None:
                check(drawing, state, seat)
            if seat in due and not getattr(facts(key), "TARGETS_IN_TEMPLATE", False):
                asked = game.ask(view)
                pointed = {option.target for option in asked.options if option.target} | set(asked.closed) | set(asked.held)
                assert pointed <= set(drawing["targets"])


@every_game
def test_what_a_players_area_shows_is_named_so_that_a_change_of_it_is_sent(key):
    """A page sends a part again only when one of the values that the scene names under `held` has changed."""
    game = GAMES[key].game
    board = (ROOT / "templates" / "games" / key / "board.html").read_text(encoding="utf-8")
    partials = dict(re.findall(r"{% partialdef (\w+)[^%]*%}(.*?){% endpartialdef", board, re.S))
    drawing = game.scene(game.view_for(game.setup(max(game.meta.seats), {}), None))
    for name, values in drawing["held"].items():
        assert set(re.findall(r"\bplayer\.(\w+)", partials[name])) - {"number"} == set(values)


@every_game
def test_no_two_questions_read_alike(key):
    modules = [import_module(f"games.{key}.{file.stem}") for file in (ROOT / "games" / key).glob("*phrases.py")]
    questions = [text for module in modules for name, text in vars(module).items() if name.startswith("ASK_")]
    assert len(set(questions)) == len(questions)
