"""Works out the answers that readers wait for (`thoughts.py`), in a worker.

What takes long is done in slices of a second, each a task of its own, so that a bot that is due waits for a slice and not for an answer.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from games.core.prospects import places_from, prospects
from games.core.rng import SeededRng
from portal.common.later import LATER
from portal.tables import hint, refusals, report, selectors, thoughts, why
from portal.tables.loading import Loaded, load
from portal.tables.models import Thought
from portal.tables.past import state_after
from portal.tables.slices import Slice

log = logging.getLogger(__name__)
FAULT = "fault"  # no answer, and no use in trying again
SLICE_S: Final = 1.0
PLAYOUTS: Final = 24
ENOUGH_S: Final = 20.0  # of processor time for one evaluation; by then it must do with fewer playouts


def work(thought_id: int) -> None:
    """Answer a question, or go on with it; does nothing if it has been answered, or if its table may not be explained in that way (any more)."""
    thought = Thought.objects.filter(pk=thought_id, answer__isnull=True).first()
    if thought is None:
        return
    try:
        loaded = load(thought.table_id)
        _check(loaded, thought)
        answer, so_far = _answer(loaded, thought)
        if answer is None:
            thoughts.go_on(thought, so_far, thoughts.BEHIND if thought.kind == thoughts.REPORT else LATER)
        else:
            thoughts.give(thought, answer)
    except (OperationalError, refusals.TableNotFound):
        return  # whoever waits asks again
    except (SoftTimeLimitExceeded, Exception):
        log.exception("no answer: table %s record %s %s", thought.table_id, thought.seq, thought.kind)
        thoughts.give(thought, {"no": FAULT})


def _check(loaded: Loaded, thought: Thought) -> None:
    """Raise PermissionError if nobody may have such an answer."""
    if thought.seat == thoughts.EVERYTHING:
        if selectors.page_of(loaded, None).seal.secret is None:
            raise PermissionError("the game is not revealed")
    elif thought.kind in (thoughts.HINT, thoughts.VALUE) and not hint.is_practice(loaded):
        raise PermissionError("not a practice game of one person")


def _answer(loaded: Loaded, thought: Thought) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the answer, or what has been worked out of it so far."""
    if thought.kind == thoughts.WHY:
        return why.reasons_of(loaded, thought.seq, thought.seat), {}
    if thought.kind == thoughts.HINT:
        return hint.hint_of(loaded, thought.seq, thought.seat, thought.level), {}
    if thought.kind == thoughts.REPORT:
        so_far = report.go_on(loaded, thought.work, thought.level, SLICE_S)
        return (report.told(so_far), so_far) if so_far["done"] == so_far["of"] else (None, so_far)
    return _value(loaded, thought)


def _value(loaded: Loaded, thought: Thought) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Play on from positions that fit the view of the thought's seat."""
    game = loaded.game
    view = game.view_for(state_after(loaded, thought.seq), thought.seat)
    so_far = thought.work or {"places": [], "s": 0.0}
    places, spent = so_far["places"], so_far["s"]
    mine = Slice(SLICE_S)
    while len(places) < PLAYOUTS and spent < ENOUGH_S:
        rng = SeededRng(f"{loaded.table.commitment} {thought.seq} {len(places)}")
        places += places_from(game, lambda rng: game.sample_state(view, rng), thought.level, rng, 1)
        if mine.is_over:
            return None, {"places": places, "s": spent + mine.spent}
    told = [[one.place, one.low, one.high] for one in prospects(places)]
    return {"prospects": told, "playouts": len(places)}, {}
