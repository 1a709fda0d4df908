"""Games in the notation of others: what is written is played, what can't be is refused with its line, and every position loads."""

from __future__ import annotations

import random

import pytest

from games.core.contract import CHANCE, SCORER, PositionError
from games.core.records import start_of_position
from games.core.rng import SeededRng
from games.registry import game
from games.tigris_euphrates import importing, position, rules
from games.tigris_euphrates.actions import parse_action
from games.tigris_euphrates.components import COLOURS, KINDS, LABELS, N_COLOURS, ROLES

OPENING = """# two turns
leader B3 red
t 3C k

leader K2 red
pass
withdraw B3
"""


def test_squares_colours_and_short_words_are_read_as_the_assistant_reads_them():
    found = importing.positions(OPENING)
    assert [(one.line, one.text) for one in found] == [
        (0, ""),
        (2, "leader B3 red"),
        (3, "t 3C k"),
        (5, "leader K2 red"),
        (6, "pass"),
        (7, "withdraw B3"),
    ]
    assert [one.position["state"]["active"] for one in found] == [0, 0, 1, 1, 0, 0]
    assert found[2].position["state"]["tiles"]["settlement"] == "C3"
    assert found[3].position["state"]["leaders"] == [{"priest": "B3"}, {"priest": "K2"}]
    assert found[5].position["state"]["leaders"] == [{}, {"priest": "K2"}]
    assert not {"hands", "bag"} & set(found[5].position["state"])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("leader B3 red\nswap red\n", "line 2: 'swap red': the commands are"),
        ("tile B3\n", "line 1: 'tile B3': tile is followed by a square and a colour"),
        ("tile Q3 red\n", "line 1: 'tile Q3 red': 'Q3' is no square"),
        ("tile B3 pink\n", "line 1: 'tile B3 pink': 'pink' is no colour"),
        ("\ntile E1 red\n", "line 2: 'tile E1 red': "),
        ("leader H8 red\n", "line 1: 'leader H8 red': "),
        ("withdraw B3\n", "line 1: 'withdraw B3': no leader of the player is on B3"),
        ("support 1\n", "line 1: 'support 1': "),
        ("support many\n", "line 1: 'support many': support is followed by a number from 0 to 6"),
        ("support 7\n", "line 1: 'support 7': support is followed by a number from 0 to 6"),
        ("support 12\n", "line 1: 'support 12': support is followed by a number from 0 to 6"),
        ("pass 2\n", "line 1: 'pass 2': nothing follows pass"),
        ("monument red-black\n", "line 1: 'monument red-black': no such monument can be built now"),
        ("decline\n", "line 1: 'decline': "),
        ("treasure B2\n", "line 1: 'treasure B2': "),
        ("war red\n", "line 1: 'war red': "),
        ("pass\n" * 500, "line 401: at most 400 lines are read"),
    ],
)
def test_what_can_t_be_played_is_refused_with_its_line(text, fault):
    with pytest.raises(PositionError) as refused:
        importing.positions(text)
    assert str(refused.value).startswith(fault)
    assert "\n" not in str(refused.value)


def played(seed: int) -> tuple[list[str], dict]:
    """Play a game at random; return it as somebody would write it down, and its last position."""
    dice, rng, lines = random.Random(seed), SeededRng(seed), []
    state = rules.setup(2, {"open_totals": False})
    while due := rules.actors(state):
        seat = due[0]
        if seat == SCORER:
            action = parse_action("score")
        elif seat == CHANCE:
            action = parse_action("start 0") if not lines and state.active < 0 else rules.sample_chance(state, rng)
        else:
            legal = [one for one in rules.legal_actions(state, seat) if not str(one).startswith("swap")]
            action = dice.choice([one for one in legal if str(one) != "pass"] or legal)
            lines += as_written(state, seat, str(action))
        state, _ = rules.apply(state, seat, action)
    return lines, position.state_to_json(state)


def as_written(state, seat: int, text: str) -> list[str]:
    word, *values = text.split()
    match word:
        case "tile":
            return [f"tile {values[1]} {COLOURS[KINDS.index(values[0])]}"]
        case "leader":
            return [f"l {values[1]} {importing.LETTERS[ROLES.index(values[0])]}"]
        case "withdraw":
            return [f"w {LABELS[state.leaders[seat * N_COLOURS + ROLES.index(values[0])]]}"]
        case "war":
            return [f"war {COLOURS[ROLES.index(values[0])]}"]
        case "support":
            return [f"support {values[0]}"]
        case "build":
            return [f"monument {values[0].replace('_', '-')}"]
        case "pass":
            return ["pass"] * state.actions_left
    return [text]


@pytest.mark.parametrize("seed", range(1, 7))
def test_whole_games_that_are_written_down_come_to_the_same_end(seed):
    lines, last = played(seed)
    found = importing.positions("\n".join(lines))
    assert len(found) == len(lines) + 1
    told = found[-1].position["state"]
    assert told == {name: last[name] for name in told}
    assert told["phase"] == "end"
    for one in found:
        start_of_position(one.position, game)


def test_a_line_after_the_end_is_refused():
    lines, _last = played(1)
    with pytest.raises(PositionError, match=f"line {len(lines) + 1}: 'pass': the game has ended before this line"):
        importing.positions("\n".join([*lines, "pass"]))
