"""Estimate what each event of History of the World brings beyond what a seat expects of it, for the file `data/event_worths.json`.

python -m games.history_of_the_world.event_worths FOLDER .. > games/history_of_the_world/data/event_worths.json

Each FOLDER has games that bots played against themselves (`manage.py train history_of_the_world`: var/training/history_of_the_world/0/scribe-4-1
and the like). The final lead is regressed on the event and the empire taken in an epoch, on the lead that the kept weights expected when the epoch
before was over, on the number of players, and on how much more than usual the map promised of the event. The table in use is from 1,000 games of
scribes with each number of players, seed 1, those with three first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from games.core.learner import found
from games.core.net import Net
from games.core.selfplay import Recorded, read_chunk, replayed
from games.history_of_the_world import game
from games.history_of_the_world.actions import Take
from games.history_of_the_world.components import EMPIRES_BY_EPOCH, EPOCHS, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.drafting import Drafter
from games.history_of_the_world.evaluation import Outlook
from games.history_of_the_world.features import features
from games.history_of_the_world.learner import LEARNER, margin
from games.history_of_the_world.master import EVENT_SHARE, LEARNED
from games.history_of_the_world.state import DRAFT, SCORING, State
from games.history_of_the_world.view import known_state

STEPS: Final = 3000  # of a plan, as for a scribe
BY_HAND: Final = replace(LEARNED, draft_event=1.0, draft_events=())  # what a seat expects of an event without this file
JUDGED: Final = 5_000  # choices whose event is judged on the map of its moment; the rest, for which that would take long, count as usual
DOUBT: Final = 200  # choices that speak for the expected worth, so that those seldom seen do not count as certainty
NO_EVENT: Final = -1


@dataclass(slots=True)
class Taken:
    """What a seat took in an epoch, and what came of it."""

    epoch: int
    seats: int
    before: float  # the final lead expected when the epoch before was over
    event: int = NO_EVENT
    empire: int = NO_EVENT
    worth: float | None = None  # expected of the event on the map of that moment; None: not judged
    lead: float = 0.0  # at the end of the game


def taken_in(recorded: Recorded, net: Net, is_judged: bool) -> list[Taken]:
    """Return what every seat took in each epoch of a game, if it had a choice of both cards."""
    takes: dict[tuple[int, int], Taken] = {}
    scored: State | None = None  # the position before the last scoring
    moves = iter(recorded.moves)
    state: State
    for state in replayed(game, recorded):
        if state.phase == SCORING:
            scored = state
        actor, text = next(moves, (NO_EVENT, ""))
        if actor < 0 or state.phase != DRAFT:
            continue
        action = game.parse_action(text)
        if not isinstance(action, Take):
            continue
        key = (state.epoch, actor)
        if key not in takes:
            before = net.value(features(scored, actor)) if state.epoch > 1 and scored is not None else 0.0
            takes[key] = Taken(state.epoch, state.seats, before)
        if action.is_event:
            takes[key].event = action.card
            if is_judged:
                known = known_state(game.view_for(state, actor))
                takes[key].worth = Drafter(known, Outlook(known, actor, weights=BY_HAND), STEPS).event_worth(action.card)
        else:
            takes[key].empire = action.card
    for (_, seat), taken in takes.items():
        taken.lead = margin(state, state, seat)
    return [taken for taken in takes.values() if NO_EVENT not in (taken.event, taken.empire)]


def learned(rows: Sequence[Taken], epoch: int) -> Iterator[tuple[str, float]]:
    """Yield the events of an epoch with the points that each brings beyond `EVENT_SHARE` of what is expected of it, compared with the others."""
    events, empires = EVENTS_BY_EPOCH[epoch], EMPIRES_BY_EPOCH[epoch]
    own = [row for row in rows if row.epoch == epoch]
    event, empire, seats = (np.array([getattr(row, name) for row in own]) for name in ("event", "empire", "seats"))
    before, lead = (np.array([getattr(row, name) for row in own]) for name in ("before", "lead"))
    worth = np.array([np.nan if row.worth is None else row.worth for row in own])
    counts = np.array([(event == card).sum() for card in events])
    judged = [worth[(event == card) & np.isfinite(worth)] for card in events]
    usual = np.array([worths.mean() if len(worths) else np.nan for worths in judged])
    usual[np.isnan(usual)] = np.nanmean(usual)
    more = np.nan_to_num(worth - usual[[events.index(card) for card in event]])
    is_kingdom = np.array([EVENTS[card].realm is not None for card in event])
    columns = [
        *[event == card for card in events],
        *[empire == card for card in empires[1:]],
        before,
        *[seats == count for count in sorted(set(seats))[1:]],
        more * is_kingdom,
        more * ~is_kingdom,
    ]
    slopes = np.linalg.lstsq(np.array(columns, dtype=float).T, lead, rcond=None)[0]
    brought = slopes[: len(events)] - slopes[: len(events)].mean()
    expected = EVENT_SHARE * (usual - usual.mean())
    brought = (counts * brought + DOUBT * expected) / (counts + DOUBT)
    for card, points in zip(events, brought - brought.mean() - expected, strict=True):
        yield EVENTS[card].name, round(float(points), 1)


def main(folders: Sequence[str]) -> None:
    """Print the table. Games are read in order, so that the same games give the same table."""
    net = found(LEARNER, 0)
    if not isinstance(net, Net):
        sys.exit(f"No weights to judge positions by: {net}")
    rows: list[Taken] = []
    for folder in folders:
        paths = sorted(Path(folder).glob("*.json.gz"))
        if not paths:
            sys.exit(f"{folder}: no games; manage.py train history_of_the_world plays them")
        for number, path in enumerate(paths, 1):
            for recorded in read_chunk(path):
                rows += taken_in(recorded, net, len(rows) < JUDGED)
            sys.stderr.write(f"\r{folder}: {number} of {len(paths)} files")
        sys.stderr.write("\n")
    table = {name: points for epoch in range(1, EPOCHS + 1) for name, points in learned(rows, epoch)}
    sys.stdout.write("{\n" + ",\n".join(f'  "{name}": {json.dumps(points)}' for name, points in table.items()) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
