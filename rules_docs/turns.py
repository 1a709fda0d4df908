"""How a game plays: one turn from a recorded game, told in a few steps. The front page shows its board, and a page of its own plays it.

`content/<game>/how.json` has the position before the turn (`position`), the players' names by language (`names`), what was played
(`steps`, each with its `actions`, its `rule` and its `text` by language), the number of steps after which the front page shows the board
(`picture`), and in `source` where the turn is from. A game without the file has no such page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from games import registry
from games.core.contract import ActionFormatError, Event, IllegalAction, PositionError
from games.core.records import start_of_position
from rules_docs import content

FILE: Final = "how.json"


class TurnError(ValueError):
    """A turn cannot be read or played: one line with file and field."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """What happened in one step, in a sentence or two by language, and the state after it."""

    actor: int  # of its first action
    rule: str
    text: Mapping[str, str]
    events: Sequence[Event]
    state: Any


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn of a game with the state before it."""

    game: str
    names: Mapping[str, Sequence[str]]
    picture: int
    start: Any
    steps: Sequence[TurnStep]

    @property
    def pictured(self) -> Any:
        """The state whose board stands on the front page."""
        return self.steps[self.picture - 1].state if self.picture else self.start


@cache
def turn_of(game: str, root: Path = content.ROOT) -> ShownTurn | None:
    """Return the turn that shows how a game plays, played by its rules; None without a file. Raises TurnError."""
    file = root / game / FILE
    if not file.exists():
        return None
    try:
        return _played(game, json.loads(file.read_text("utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise TurnError(f"{game}/{FILE}: {error}") from error


def _played(game: str, data: Mapping[str, Any]) -> ShownTurn:
    if data["position"]["game"] != game:
        raise PositionError(f"position.game: expected {game!r}")
    rules, state = start_of_position(data["position"], registry.game)
    start, steps = state, []
    for at, step in enumerate(data["steps"]):
        events: list[Event] = []
        for actor, text in step["actions"]:
            if actor not in rules.actors(state):
                raise PositionError(f"steps[{at}]: {actor} is not due")
            try:
                state, happened = rules.apply(state, actor, rules.parse_action(text))
            except (IllegalAction, ActionFormatError) as error:
                raise PositionError(f"steps[{at}]: {text!r} is not possible ({error})") from None
            events += happened
        steps.append(TurnStep(step["actions"][0][0], step["rule"], step["text"], tuple(events), state))
    if not 0 <= data["picture"] <= len(steps):
        raise PositionError("picture: is no step")
    return ShownTurn(game, data["names"], data["picture"], start, tuple(steps))
