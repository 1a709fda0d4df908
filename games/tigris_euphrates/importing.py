"""Reads games that were written down in a notation of others, as a list of positions (docs/import.md).

A line is a command of the assistant in github.com/0b01/tigris-and-euphrates (`bga-bot`), as its help lists them: two players, and nothing of what
is behind the screens. So hands are made to fit while the lines are played, and left out of the positions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from games.core import jsonio
from games.core.contract import CHANCE, SCORER, ActionFormatError, IllegalAction, Phrase, PositionError
from games.core.phrases import N_
from games.core.records import POSITION_FORMAT
from games.core.rng import SeededRng
from games.tigris_euphrates import position, rules
from games.tigris_euphrates.actions import parse_action
from games.tigris_euphrates.components import COLOURS, KINDS, LABELS, MONUMENT_COLOURS, MONUMENT_OF, N_COLOURS, RED, ROLES, SQUARE_OF
from games.tigris_euphrates.meta import META, RULES_VERSION
from games.tigris_euphrates.phrases import PHRASES
from games.tigris_euphrates.state import MONUMENT, NOWHERE, REVOLT, TREASURE, State

MOST_LINES: Final = 400
SEATS: Final = 2
UNKNOWN: Final = ("hands", "bag")  # the notation doesn't tell them
OF_THE_FILE: Final = ("rules_version", "seats", "options")
SHORT: Final = {"t": "tile", "l": "leader", "w": "withdraw", "c": "catastrophe", "cat": "catastrophe", "p": "pass", "s": "support"}
A_SQUARE: Final = N_("{command} is followed by a square")
A_SQUARE_AND_A_COLOUR: Final = N_("{command} is followed by a square and a colour")
NOTHING: Final = N_("nothing follows {command}")
VALUES: Final = {  # how many values a command has, and what they are
    "tile": (2, A_SQUARE_AND_A_COLOUR),
    "leader": (2, A_SQUARE_AND_A_COLOUR),
    "withdraw": (1, A_SQUARE),
    "catastrophe": (1, A_SQUARE),
    "pass": (0, NOTHING),
    "support": (1, N_("{command} is followed by a number from 0 to 6")),
    "treasure": (1, A_SQUARE),
    "monument": (1, N_("{command} is followed by two colours, such as red-black")),
    "decline": (0, NOTHING),
    "war": (1, N_("{command} is followed by a colour")),
}
NO_MONUMENT: Final = N_("no such monument can be built now")
LETTER_FIRST: Final = re.compile(r"([A-P])(\d{1,2})")
NUMBER_FIRST: Final = re.compile(r"(\d{1,2})([A-P])")
SUPPORTERS: Final = "0123456"
LETTERS: Final = "krbg"  # of the colours, in our order; k is black


@dataclass(frozen=True, slots=True)
class Imported:
    """The position after a line; line 0 is the start."""

    line: int
    text: str
    position: dict[str, Any]


def positions(text: str) -> list[Imported]:
    """Return the positions of a written game, from the start to its end or its last line.

    Empty lines and lines that start with # say nothing. Raises PositionError naming the first line that can't be played.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if len(lines) > MOST_LINES:
        raise jsonio.fault("", N_("line {line}: at most {n} lines are read"), line=lines[MOST_LINES][0], n=MOST_LINES)
    state = _waiting(rules.setup(SEATS, {"open_totals": False}))
    found = [Imported(0, "", _file(state))]
    for number, line in lines:
        try:
            state = _played(state, line.lower())
        except (PositionError, ActionFormatError, IllegalAction) as error:
            raise _unplayable(number, line, error) from None
        found.append(Imported(number, line, _file(state)))
    return found


def _unplayable(number: int, line: str, error: PositionError | ActionFormatError | IllegalAction) -> PositionError:
    """Return the fault of a line, which says why in the reader's language if the reason has a sentence."""
    why: Phrase | str = str(error)
    if isinstance(error, IllegalAction):
        why = Phrase(PHRASES[error.reason], error.params)
    elif isinstance(error, PositionError) and error.what is not None:
        why = error.what
    what = Phrase(N_("line {line}: {text}: {why}"), {"line": number, "text": repr(line[:40]), "why": why})
    return PositionError(f"line {number}: {line[:40]!r}: {error}", what=what, game=META.key)


def _file(state: State) -> dict[str, Any]:
    told = position.state_to_json(state)
    return {
        "format": POSITION_FORMAT,
        "game": META.key,
        "rules_version": RULES_VERSION,
        "options": {},
        "seats": SEATS,
        "state": {name: value for name, value in told.items() if name not in UNKNOWN + OF_THE_FILE},
        "fill": "1",
    }


def _waiting(state: State) -> State:
    """Return the position in which somebody is asked, after draws of any tiles; the first player is the one who starts."""
    while (due := rules.actors(state)) and due[0] in (CHANCE, SCORER):
        text = "score" if due[0] == SCORER else "start 0" if state.turn == 0 and state.active < 0 else ""
        action = parse_action(text) if text else rules.sample_chance(state, SeededRng(state.turn))
        state, _ = rules.apply(state, due[0], action)
    return state


def _played(state: State, line: str) -> State:
    word, *values = line.split()
    word = SHORT.get(word, word)
    if word not in VALUES:
        raise jsonio.fault("", N_("the commands are {choices}"), choices=", ".join(VALUES))
    count, wanted = VALUES[word]
    if len(values) != count:
        raise jsonio.fault("", wanted, command=word)
    if not rules.actors(state):
        raise jsonio.fault("", N_("the game has ended before this line"))
    if state.phase == TREASURE and word != "treasure":  # not written where there is nothing to choose
        choices = rules.legal_actions(state, state.due)
        if len(choices) == 1:
            state = _waiting(rules.apply(state, state.due, choices[0])[0])
    if word == "pass" and state.actions_left > 1:  # there it is one action, here it ends the turn
        rules.apply(state, state.due, parse_action("pass"))  # refused where nobody may pass
        state.actions_left -= 1
        return state
    text = _as_here(state, word, values)
    return _waiting(rules.apply(state, state.due, parse_action(text))[0])


def _as_here(state: State, word: str, values: list[str]) -> str:
    """Return a command as one of our actions, after giving the seat the tiles that it shows."""
    seat = state.due
    match word:
        case "tile":
            kind = _colour(values[1])
            _give(state, seat, kind, 1)
            return f"tile {KINDS[kind]} {_square(values[0])}"
        case "leader":
            return f"leader {ROLES[_colour(values[1])]} {_square(values[0])}"
        case "withdraw":
            return f"withdraw {ROLES[_leader_on(state, seat, _square(values[0]))]}"
        case "war":
            return f"war {ROLES[_colour(values[0])]}"
        case "support":
            return _support(state, seat, values[0])
        case "monument":
            return _monument(state, seat, values[0])
        case "catastrophe" | "treasure":
            return f"{word} {_square(values[0])}"
    return word


def _square(text: str) -> str:
    """Return the label of a square; the assistant takes D2 and 2D."""
    text = text.upper()
    if found := LETTER_FIRST.fullmatch(text):
        label = f"{found[1]}{int(found[2])}"
    elif found := NUMBER_FIRST.fullmatch(text):
        label = f"{found[2]}{int(found[1])}"
    else:
        label = ""
    if label not in SQUARE_OF:
        raise jsonio.fault("", N_("{found} is no square; they are A1 to P11"), found=repr(text))
    return label


def _colour(text: str) -> int:
    """Return a colour by its name, its letter, its tile or its leader."""
    for names in (COLOURS, LETTERS, KINDS, ROLES):
        if text in names:
            return names.index(text)
    raise jsonio.fault("", N_("{found} is no colour; they are {choices}"), found=repr(text), choices=", ".join(COLOURS))


def _leader_on(state: State, seat: int, label: str) -> int:
    for role in range(N_COLOURS):
        square = state.leaders[seat * N_COLOURS + role]
        if square != NOWHERE and LABELS[square] == label:
            return role
    raise jsonio.fault("", N_("no leader of the player is on {square}"), square=label)


def _support(state: State, seat: int, text: str) -> str:
    if len(text) != 1 or text not in SUPPORTERS:
        raise jsonio.fault("", VALUES["support"][1], command="support")
    count = int(text)
    kind = RED if state.conflict == REVOLT else max(state.colour, 0)
    _give(state, seat, kind, count)
    return f"support {count} {KINDS[kind]}"


def _monument(state: State, seat: int, text: str) -> str:
    pair = {_colour(part) for part in text.split("-")}
    name = next((name for name, index in MONUMENT_OF.items() if set(MONUMENT_COLOURS[index]) == pair), None)
    if name is None or state.phase != MONUMENT:
        raise jsonio.fault("", NO_MONUMENT)
    fitting = [str(action) for action in rules.legal_actions(state, seat) if str(action).startswith(f"build {name} ")]
    if len(fitting) != 1:
        raise jsonio.fault("", N_("it could be built at several places") if fitting else NO_MONUMENT)
    return fitting[0]


def _give(state: State, seat: int, kind: int, count: int) -> None:
    """Exchange tiles of the seat, which nobody has seen, for those that it shows: from the bag, else from the other hand. Raises PositionError."""
    here = seat * N_COLOURS
    there = (1 - seat) * N_COLOURS
    while state.hands[here + kind] < count:
        other = max((one for one in range(N_COLOURS) if one != kind), key=lambda one: state.hands[here + one])
        if not state.hands[here + other]:
            raise jsonio.fault("", N_("the player has fewer tiles in hand"))
        tiles, at = (state.bag, kind) if state.bag[kind] else (state.hands, there + kind)
        if not tiles[at]:
            raise jsonio.fault("", N_("no {kind} is left"), kind=KINDS[kind])
        tiles[at] -= 1
        tiles[at - kind + other] += 1
        state.hands[here + other] -= 1
        state.hands[here + kind] += 1
