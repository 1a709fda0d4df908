"""Works out the answers that readers wait for (`thoughts.py`), in a worker."""

from __future__ import annotations

import logging
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from portal.tables import refusals, selectors, thoughts, why
from portal.tables.loading import Loaded, load
from portal.tables.models import Thought

log = logging.getLogger(__name__)
FAULT = "fault"  # no answer, and no use in trying again


def work(thought_id: int) -> None:
    """Answer a question; does nothing if it has been answered, or if its table may not be explained in that way (any more)."""
    thought = Thought.objects.filter(pk=thought_id, answer__isnull=True).first()
    if thought is None:
        return
    try:
        loaded = load(thought.table_id)
        thoughts.give(thought, _answer(loaded, thought))
    except (OperationalError, refusals.TableNotFound):
        return  # whoever waits asks again
    except (SoftTimeLimitExceeded, Exception):
        log.exception("no answer: table %s record %s %s", thought.table_id, thought.seq, thought.kind)
        thoughts.give(thought, {"no": FAULT})


def _answer(loaded: Loaded, thought: Thought) -> dict[str, Any]:
    if thought.seat == thoughts.EVERYTHING and selectors.page_of(loaded, None).seal.secret is None:
        raise PermissionError("the game is not revealed")
    return why.reasons_of(loaded, thought.seq, thought.seat)
