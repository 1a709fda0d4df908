"""A Celery application as `portal.celery`, for workers of tests: bots and scorer can be held in the middle of their work.

`HOLD` names a folder. While it holds a file `bot` or `scorer`, whoever is at that work writes its process id into
`bot.pid` or `scorer.pid` and goes on when the file is gone. The bots' soft limit is LIMIT_S, where that is set.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import django

django.setup()

from games.core.contract import SCORER  # noqa: E402
from games.registry import game  # noqa: E402
from portal.celery import app  # noqa: E402
from portal.tables import tasks  # noqa: E402

__all__ = ["app"]

FOLDER = Path(os.environ["HOLD"])
rules = game("ra")
choose_action, apply = rules.choose_action, rules.apply


def hold(name: str) -> None:
    if (FOLDER / name).exists():
        (FOLDER / f"{name}.pid").write_text(str(os.getpid()))
        while (FOLDER / name).exists():
            time.sleep(0.02)


def held_choice(view, level, *args):
    hold(f"bot-{level}")
    hold("bot")
    return choose_action(view, level, *args)


def held_apply(state, actor, action):
    done = apply(state, actor, action)
    if actor == SCORER:
        hold("scorer")  # inside the transaction, with the row of the table locked
    return done


rules.choose_action, rules.apply = held_choice, held_apply
if "LIMIT_S" in os.environ:
    tasks.play_bot.soft_time_limit = float(os.environ["LIMIT_S"])
