"""A Celery application like `portal.celery`, for test workers: bots and scorer can be held in the middle of their work.

`HOLD` names a folder. While it has a file `bot` or `scorer`, a worker at that task writes its process id into `bot.pid` or `scorer.pid` and
continues when the file is gone; with a file `deaf`, a held bot ignores its soft limit. The bots' soft limit is LIMIT_S, if set, the hard one HARD_S.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import django

django.setup()

from celery.exceptions import SoftTimeLimitExceeded  # noqa: E402

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
            try:
                time.sleep(0.02)
            except SoftTimeLimitExceeded:
                if not (FOLDER / "deaf").exists():
                    raise


def held_choice(view, level, *args):
    hold(f"bot-{level}")
    hold("bot")
    return choose_action(view, level, *args)


def held_apply(state, actor, action):
    done = apply(state, actor, action)
    if actor == SCORER:
        hold("scorer")  # inside the transaction, with the row of the table locked
    return done


for name, held in (("choose_action", held_choice), ("apply", held_apply)):
    object.__setattr__(rules, name, held)  # a game is frozen, except for this process
if "LIMIT_S" in os.environ:
    tasks.play_bot.soft_time_limit = float(os.environ["LIMIT_S"])
if "HARD_S" in os.environ:
    tasks.play_bot.time_limit = float(os.environ["HARD_S"])
