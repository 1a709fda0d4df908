"""Bots that move in studies. The task may run twice or late without harm; whoever looks at the study asks again for one that was lost."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from celery import shared_task
from django.db import OperationalError, transaction
from django.utils import timezone

from games.core.rng import SeededRng
from games.registry import game
from portal.common.later import LATER, enqueue
from portal.common.refusals import Refusal
from portal.live.publish import publish_study
from portal.studies import lines, services
from portal.studies.access import open_study
from portal.studies.models import Study, Wish
from portal.tables.choosing import choose

log = logging.getLogger(__name__)
ASK_AGAIN_S: Final = 15  # a task that nobody has done by then is enqueued again


@shared_task(soft_time_limit=8, time_limit=12)
def move(wish_id: int) -> None:
    """Let a bot move as somebody wishes, from the view of its seat; nothing if that has happened, or they may no longer add to the study."""
    wish = Wish.objects.filter(pk=wish_id, failed=False).select_related("by").first()
    if wish is None:
        return
    try:
        services.move_of_bot(wish=wish, text=_chosen(wish))
    except OperationalError:
        return  # whoever waits asks again
    except Refusal as error:
        log.info("a bot's move in study %s was dropped: %s", wish.study_id, type(error).__name__)
        Wish.objects.filter(pk=wish.pk).delete()
    except Exception:
        log.exception("bot failed in study %s: seat %s level %s", wish.study_id, wish.seat, wish.level)
        _fail(wish)


def ask_again(wish: Wish) -> None:
    """Enqueue a wish again if nobody has worked on it for long; of those who look, one does."""
    now = timezone.now()
    late = now - timedelta(seconds=ASK_AGAIN_S)
    if wish.asked_at < late and Wish.objects.filter(pk=wish.pk, failed=False, asked_at__lt=late).update(asked_at=now):
        enqueue(services.MOVE, wish.pk, priority=LATER)


def _chosen(wish: Wish) -> str:
    study = open_study(wish.study_id, wish.by).study
    rules, path = game(study.game), services.tree(study).path(wish.after)
    view = rules.view_for(lines.state_after(study, path), wish.seat)
    rng = SeededRng(f"{lines.key_of(study, path)} {wish.seat} {wish.level}")
    return str(choose(rules, view, wish.level, rng).action)


def _fail(wish: Wish) -> None:
    """Note that the bot has failed, and tell the pages that wait for it."""
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).filter(pk=wish.study_id).first()
        if study is not None and Wish.objects.filter(pk=wish.pk).update(failed=True):
            study.version += 1
            study.save(update_fields=["version"])
            number, version = study.pk, study.version
            transaction.on_commit(lambda: publish_study(number, version), robust=True)
