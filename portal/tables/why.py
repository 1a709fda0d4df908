"""Why a bot moved: the terms that it weighed, worked out again from the position in which it chose.

Nothing is stored when a bot moves, so a running game holds nothing that could be shown too early. A worker lets the same level choose again,
from the same view with the same generator, and says something only if the same move comes out (a later release may choose differently).

A game that is over and revealed is explained from the bot's own view, which is no longer secret. In a running game of one
person against bots the hands of the bots are still hidden, so the move is explained from outside: the level chooses from positions that fit
what the reader's seat saw, and its reasons count when the reader would have seen the same move. So the answer follows from what the reader
saw and nothing else. Nobody gets an explanation of any other running game.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.urls import reverse

from games.core.contract import Choice, Event
from games.core.rng import SeededRng
from portal.tables.choosing import SUBSTITUTE_LEVEL, choose, rng_for
from portal.tables.loading import Loaded, event_for, event_to_json
from portal.tables.past import Entry, line_of, state_at
from portal.tables.selectors import TablePage
from portal.tables.thoughts import EVERYTHING

BY_BOTS: Final = frozenset({"bot", "substitute"})
MOST_REASONS: Final = 5
GUESSES: Final = 8  # positions that fit what the reader saw
GUESSING_S: Final = 2.0
ONLY: Final = "only"  # the reason that every level gives for the only legal move
CHANGED, UNSEEN = "changed", "unseen"  # why there are no reasons


def is_own_practice(page: TablePage) -> bool:
    """Whether this is a running game of the reader that counts for nothing, at which nobody else sits."""
    if page.my_seat is None or page.status != "playing" or page.is_rated or page.is_sealed:
        return False
    me = page.seats[page.my_seat].user_id
    return all(seat.user_id in (None, me) for seat in page.seats) or page.by_hand


def explained_for(page: TablePage) -> int | None:
    """Return from whose view the bots' moves are explained to the reader of `page`: a seat or EVERYTHING; None: not at all."""
    if page.lesson is not None:  # its bots follow a script
        return None
    if page.seal.secret is not None:
        return EVERYTHING
    return page.my_seat if is_own_practice(page) and not page.by_hand else None


def why_address(page: TablePage, actor: int, by: str, seq: int) -> str | None:
    """Return where a move is explained to the reader of `page`; None for what no bot chose, and where nothing is explained."""
    if by not in BY_BOTS or actor < 0 or explained_for(page) is None:
        return None
    return reverse("table-why", args=[page.id, seq])


def reasons_of(loaded: Loaded, seq: int, seat: int) -> dict[str, Any]:
    """Work out why a bot made the move of record `seq`, from `seat`'s view or from EVERYTHING.

    The answer has `reasons` [[key, value, rule], ...], `marks`, and `weighed` [place of the move, how many]; or `no`: why there are none.
    """
    line = line_of(loaded)
    at = next(number for number, entry in enumerate(line) if entry.seq == seq)
    entry, before = line[at], state_at(loaded, line, at)
    level = SUBSTITUTE_LEVEL if entry.by == "substitute" else loaded.seats[entry.actor].bot_level
    choice = _same(loaded, entry, before, level) if seat == EVERYTHING else _alike(loaded, entry, before, level, seat)
    if choice is None:
        return {"no": CHANGED if seat == EVERYTHING else UNSEEN}
    return told_of(choice)


def told_of(choice: Choice[Any]) -> dict[str, Any]:
    """Return reasons, marks and rank of a choice as they are kept."""
    ranked = dict(choice.ranked)
    return {
        "reasons": [[key, tidy(value), rule] for key, value, rule in choice.reasons[:MOST_REASONS]],
        "marks": list(choice.marks),
        "weighed": [1 + sum(worth > ranked[choice.action] for worth in ranked.values()), len(ranked)] if choice.action in ranked else None,
    }


def tidy(value: float) -> int | float:
    """Return a value as it is said.

    >>> tidy(2.0), tidy(0.123), tidy(-3.45)
    (2, 0.1, -3.5)
    """
    rounded = round(value + (1e-9 if value > 0 else -1e-9), 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _same(loaded: Loaded, entry: Entry, before: Any, level: str) -> Choice[Any] | None:
    """Let the bot choose again as it did; None if another move comes out, or its level is gone."""
    table, game = loaded.table, loaded.game
    position = json.loads(json.dumps(game.state_to_json(before))) if table.duplicate_id is not None else None
    rng = rng_for(table, entry.version - 1, position, entry.actor)
    try:
        choice = choose(game, game.view_for(before, entry.actor), level, rng)
    except ValueError:
        return None
    return choice if str(choice.action) == entry.text else None


def _alike(loaded: Loaded, entry: Entry, before: Any, level: str, seat: int) -> Choice[Any] | None:
    """Let the bot choose from positions that fit what `seat` saw; return the first choice that looks like the move, None if none does."""
    game = loaded.game
    view = game.view_for(before, seat)
    wanted = _seen(entry.events, seat)
    begin = time.perf_counter()
    for number in range(GUESSES):
        if time.perf_counter() - begin > GUESSING_S:
            break
        name = hashlib.sha256(f"{loaded.table.commitment} {entry.seq} {number}".encode()).hexdigest()
        rng = SeededRng(name)
        guess = game.sample_state(view, rng)
        if entry.actor not in game.actors(guess):
            continue
        choice = choose(game, game.view_for(guess, entry.actor), level, rng)
        if choice.reasons and choice.reasons[0][0] == ONLY:  # of this guess: nobody knows whether the bot had a choice
            continue
        _, events = game.apply(guess, entry.actor, choice.action)
        if _seen([event_to_json(event) for event in events], seat) == wanted:
            return choice
    return None


def _seen(events: Sequence[Mapping[str, Any]], seat: int) -> list[tuple[str, Any]]:
    """Return events as `seat` read them."""
    seen: list[Event] = [event_for(json.loads(json.dumps(event)), seat) for event in events]
    return [(event.key, dict(event.params)) for event in seen]
