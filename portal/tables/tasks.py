"""Work outside a request: bots, scoring and the reconciler. Every task may run twice or late without harm."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any, Final

from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded, TimeLimitExceeded
from django.db import OperationalError
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from structlog.contextvars import bind_contextvars

from games.core.contract import SCORER
from portal.common import maintenance
from portal.common.later import LATER, enqueue
from portal.metrics.definitions import BOT_FAULTS, BOT_SECONDS
from portal.tables import appointed, citations, handing, passing, posted, refusals, services, soon, standstill, thinking, upkeep
from portal.tables.choosing import SUBSTITUTE_LEVEL, choose, rng_for
from portal.tables.lesson import place_of
from portal.tables.loading import Loaded, load
from portal.tables.models import Seat, Table
from portal.tables.reveal import abandon
from portal.tables.signals import reconciled
from portal.tables.wake import CITE, PLAY_BOT, enqueue_due

log = logging.getLogger(__name__)

# A move is there within 5 s, whatever a bot does: a master stops by itself, the soft limit interrupts what Python can interrupt, and the hard
# limit ends the process and asks for a substitute. What is left after each is for the substitute.
BOT_SOFT_LIMIT_S = 3.5
BOT_HARD_LIMIT_S = 4.25
SILENT_AFTER_S = 5
RING: Final = "portal.tables.tasks.ring"
FOLLOW: Final = "portal.tables.tasks.follow"
OVERDUE_AT_ONCE = 20  # tables that were woken in vain and now come first: few enough for those who wait to hardly notice
NUDGES_BEFORE_SUBSTITUTE = 6  # half a minute
NUDGES_IN_A_LONG_QUEUE = 60  # five minutes: a long queue must not by itself replace a healthy bot
WITHOUT_THOUGHT = 2  # of `substitute`: the first legal action
_MOVED_ON = (refusals.StaleTable, refusals.WrongStatus, refusals.NotDue, refusals.TableNotFound)
_LATER = (refusals.TableBusy, OperationalError)


class BotTask(Task):  # type: ignore[misc]
    """Asks for a substitute when a bot's process had to be ended: it may have caught the soft limit, or been deep in a library."""

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """Runs in the worker's main process, which is told that the time is over."""
        if isinstance(exc, TimeLimitExceeded):
            table_id, version, seat, *substitute = args
            enqueue(PLAY_BOT, table_id, version, seat, min(int(*substitute) + 1, WITHOUT_THOUGHT))


@shared_task(base=BotTask, soft_time_limit=BOT_SOFT_LIMIT_S, time_limit=BOT_HARD_LIMIT_S)
def play_bot(table_id: int, version: int, seat: int, substitute: int = 0) -> None:
    """Play one action of a bot from its view; dropped when the table has moved on since `version`.

    A bot that fails or runs over its time is replaced for this move by the apprentice (`substitute` is 1), and if that one does, too, by the
    first legal action (2); the log says so. If the database is away or the table is locked for too long, nothing is played: the reconciler
    asks again.
    """
    bind_contextvars(table=table_id)
    if maintenance.is_on():  # the reconciler asks again when it is over
        return
    try:
        loaded = load(table_id)
    except refusals.TableNotFound:
        return
    except OperationalError as error:
        log.warning("table %s can't be read, left for later: %s", table_id, type(error).__name__)
        return
    table = loaded.table
    if substitute and table.version > version and not table.by_hand:
        # the process may have been ended after its move, before it could tell the next bot
        person = next((seat.user_id for seat in loaded.seats if seat.user_id is not None), None)
        enqueue_due(table_id, table.version, table.due, table.waits_for, person)
        return
    if table.version != version or seat not in table.due or loaded.seats[seat].user_id is not None or table.by_hand:
        return
    place = place_of(table)
    if place is not None and place.lesson is None:  # its script has changed, so nobody can say what comes next
        abandon(Table.objects.filter(pk=table_id))
        return
    level = loaded.seats[seat].bot_level
    reason = "asked"
    if not substitute:
        try:
            _play(loaded, seat, _chosen(loaded, seat, level), "bot")
            return
        except _MOVED_ON:
            return
        except _LATER as error:
            log.warning("table %s is busy, left for later: %s", table_id, error)
            return
        except SoftTimeLimitExceeded:
            reason = "over_time"
            log.error("bot over its time: table %s version %s seat %s level %s", table_id, version, seat, level)
        except Exception:
            reason = "failed"
            log.exception("bot failed: table %s version %s seat %s level %s", table_id, version, seat, level)
    BOT_FAULTS.labels(table.game, level, reason).inc()
    if substitute < WITHOUT_THOUGHT:
        try:
            _play(loaded, seat, _chosen(loaded, seat, SUBSTITUTE_LEVEL), "substitute")
            return
        except (*_MOVED_ON, *_LATER):
            return
        except Exception:
            log.exception("substitute failed: table %s version %s seat %s", table_id, version, seat)
    legal = loaded.game.legal_actions(loaded.state, seat)
    try:
        _play(loaded, seat, str(legal[0]), "substitute")
    except (*_MOVED_ON, *_LATER) as error:
        log.info("substitute of table %s at version %s dropped: %s", table_id, version, error)


def _chosen(loaded: Loaded, seat: int, level: str) -> str:
    table = loaded.table
    place = place_of(table)
    if place is not None:  # nobody chooses in a lesson; another seat may come first
        scripted = place.next_of(seat)
        if scripted is None:
            raise refusals.NotDue
        return scripted
    rng = rng_for(table, table.version, table.state, seat)
    view = loaded.game.view_for(loaded.state, seat)
    begin = time.perf_counter()
    action = str(choose(loaded.game, view, level, rng).action)
    BOT_SECONDS.labels(table.game, level).observe(time.perf_counter() - begin)
    return action


def _play(loaded: Loaded, seat: int, action: str, by: str) -> None:
    services.submit_action(table_id=loaded.table.pk, actor=seat, action=action, expected_version=loaded.table.version, by=by)


@shared_task(soft_time_limit=20, time_limit=30)
def score(table_id: int, version: int) -> None:
    """Apply the scoring that is due; dropped when the table has moved on since `version`."""
    bind_contextvars(table=table_id)
    if maintenance.is_on():
        return
    try:
        services.submit_action(table_id=table_id, actor=SCORER, action="score", expected_version=version, by="scorer")
    except (*_MOVED_ON, *_LATER) as error:
        log.info("scoring of table %s at version %s dropped: %s", table_id, version, error)


@shared_task(soft_time_limit=20, time_limit=30)
def reconcile() -> int:
    """Wake every table that has waited too long for a bot or for scoring, or whose clocks ask for it, and finished games not yet rated.

    Returns how many were woken. This repairs what a lost broker, worker or web process left behind. A table that was woken before may
    also wait behind others that always come first while all bots are busy; some of those play at once each time. A bot that is silent for
    long is replaced, later if the queue is long. During maintenance nobody is woken, and a sign is left, so that this time doesn't count twice.
    """
    if maintenance.is_unfollowed():
        enqueue(FOLLOW, expires_s=SILENT_AFTER_S)
    if maintenance.is_on():
        standstill.beat()
        return 0
    before = timezone.now() - timedelta(seconds=SILENT_AFTER_S)
    silent = Table.objects.filter(
        status=Table.Status.PLAYING, waits_for__in=[Table.Waits.BOT, Table.Waits.SCORER], due_since__lt=before
    ).order_by("due_since")
    somebody = Seat.objects.filter(table=OuterRef("pk"), user__isnull=False).order_by("index").values("user")[:1]
    rows = silent.annotate(person=Subquery(somebody)).values_list("pk", "version", "due", "waits_for", "nudges", "person")
    woken = overdue = 0
    silent_now = list(rows[:500])
    is_long = sum(nudges > 0 for *_, nudges, _person in silent_now) > OVERDUE_AT_ONCE
    patience = NUDGES_IN_A_LONG_QUEUE if is_long else NUDGES_BEFORE_SUBSTITUTE
    for table_id, version, due, waits_for, nudges, person in silent_now:
        if passing.nudge(table_id, version) is None:
            continue
        is_overdue = nudges > 0 and overdue < OVERDUE_AT_ONCE
        enqueue_due(table_id, version, due, waits_for, person, substitute=nudges >= patience, is_overdue=is_overdue)
        overdue += is_overdue
        woken += 1
    standstill.beat()
    for table_id in ringing():
        enqueue(RING, table_id, expires_s=SILENT_AFTER_S)
    reconciled.send(Table)
    if citations.is_behind():
        enqueue(CITE, priority=LATER, expires_s=SILENT_AFTER_S)
    return woken


def ringing() -> list[int]:
    """Return the tables whose clocks ask for something now, those that have waited longest first."""
    due = Table.objects.filter(alarm_at__lte=timezone.now()).order_by("alarm_at")
    return list(due.values_list("pk", flat=True)[:500])


@shared_task(soft_time_limit=20, time_limit=30)
def ring(table_id: int) -> None:
    """Warn whose clock is low, let a bot take over where one has run out, and start a table whose time has come; running twice does no harm."""
    bind_contextvars(table=table_id)
    if maintenance.is_on():
        return
    try:
        if not appointed.ring(table_id):
            handing.ring(table_id)
    except (refusals.TableNotFound, *_LATER) as error:
        log.info("clocks of table %s left for later: %s", table_id, error)


@shared_task(soft_time_limit=280, time_limit=300)
def follow() -> None:
    """After maintenance has begun or ended, bring clocks and open pages up to date; running twice does no harm."""
    try:
        upkeep.follow()
    except OperationalError as error:  # the reconciler asks again
        log.info("maintenance left for later: %s", error)


@shared_task(soft_time_limit=30, time_limit=40)
def post_moves() -> int:
    """Post tables that wait for people to their webhooks; running twice does no harm. Returns how many were taken."""
    soon.begin()
    return posted.post_due()


@shared_task(soft_time_limit=50, time_limit=60)
def cite() -> int:
    """Add games that have ended to the index of cited paragraphs; running twice does no harm. Returns how many were read."""
    try:
        return citations.read_new()
    except OperationalError as error:  # the reconciler asks again
        log.info("citations left for later: %s", error)
        return 0


@shared_task(soft_time_limit=8, time_limit=12)
def think(thought_id: int) -> None:
    """Answer what a reader wants to know of a position: a hint, the reasons of a bot. Its queue is that of the bots, behind their moves."""
    thinking.work(thought_id)
