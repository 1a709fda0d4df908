"""Positions of finished games in which a rule paragraph was cited: an index that is filled when games end, and read by the rule pages.

A step is that of the replay, so a release in which a game tells more or fewer of its events needs `manage.py index_citations --again`.
Only games that everybody may see are read, and whether everybody still may is asked again whenever one is shown. Of a paragraph the newest
positions are kept, few of each game: so what comes up all the time takes no more room than what is rare, and what is rare is found in old games.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.postgres.expressions import ArraySubquery
from django.db import OperationalError, transaction
from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value, When, Window
from django.db.models.functions import Coalesce, Concat, RowNumber
from django.urls import reverse

from games.core.contract import Event
from portal.tables import selectors
from portal.tables.access import visible
from portal.tables.loading import event_for, load
from portal.tables.models import Citation, CitationClock, Seat, Table
from portal.tables.replay import Replay, replay_of
from portal.tables.speaker import Speaker
from rules_docs import content
from rules_docs.when import Position
from voice import glossary, wording

log = logging.getLogger(__name__)

KEPT: Final = 50  # of a paragraph; some may be hidden later
OF_A_GAME: Final = 2  # of a paragraph
SHOWN: Final = 6
AT_ONCE: Final = 10  # games in a task: its worker has other things to do
_SHOWN_NAME: Final = Case(  # as `pseudonyms.marked`; the word is the same in all languages
    When(user__is_bot=True, then=Concat("user__username", Value(" (bot)"))), default=Coalesce("user__username", "bot_name")
)
SCORE: Final = "score."  # how the key of a line of the score breakdown starts


# Reading


def positions(game: str, anchor: str, lang: str) -> list[Position]:
    """Return the newest steps of public games that cite a paragraph, for readers of a language. One statement, which reads at most `KEPT` rows.

    A game is left out if one of its players has been removed since.
    """
    seats = Seat.objects.filter(table=OuterRef("pk"))
    names = seats.order_by("index").annotate(name=_SHOWN_NAME).values("name")
    removed = seats.filter(Q(user__is_active=False) | Q(user=None, bot_name=""))
    found = (
        _public()
        .filter(~Exists(removed), citations__game=game, citations__anchor=anchor)
        .order_by("-citations__number", "citations__step")
        .values_list("pk", "finished_at", "citations__step", "citations__said", ArraySubquery(names))
    )
    shown = []
    for table_id, at, step, said, names in found[:SHOWN]:
        try:
            text = _text(Speaker(game, lang, names, None), event_for(said, None))
        except (wording.WordingError, LookupError) as error:  # this release has no sentence for it
            log.warning("step %s of table %s can't be told: %s", step, table_id, error)
            continue
        shown.append(Position(f"{reverse('table-replay', args=[table_id])}?step={step}", text, glossary.and_list(names, lang), at))
    return shown


def _text(speaker: Speaker, event: Event) -> str:
    if not event.key.startswith(SCORE):
        return speaker.say(event)
    points = wording.fill("{n:signed}", {"n": event.params["points"]}, speaker.lang)
    return f"{speaker.names[event.params['seat']]}: {speaker.key(event.key)}, {points}"


def _public() -> QuerySet[Table]:
    """Return the finished games that everybody may see: no practice, no lesson, nothing of which the draws are still secret."""
    finished = Table.objects.filter(
        status=Table.Status.FINISHED, finish_number__isnull=False, position__isnull=True, by_hand=False, lesson=""
    )
    return visible(finished, None)


# Writing


def read_new() -> int:
    """Add games that ended since the last time, at most `AT_ONCE`; return how many there were. Running it twice does no harm."""
    done = 0
    while done < AT_ONCE and _read_next():
        done += 1
    return done


def is_behind() -> bool:
    """Say whether games have ended that `read_new` has not seen. One statement."""
    seen = Coalesce(Subquery(CitationClock.objects.values("up_to")[:1]), 0)
    return Table.objects.filter(finish_number__gt=seen).exists()


def read_old() -> bool:
    """Add the newest of the games that ended before there was this index; return False if all have been read."""
    with transaction.atomic():
        clock = _locked_clock()
        found = _public().filter(finish_number__lte=clock.down_to).order_by("-finish_number").first()
        if found is not None:
            full = Citation.objects.filter(game=found.game).values("anchor").annotate(n=Count("pk")).filter(n__gte=KEPT)
            _read(found, without=set(full.values_list("anchor", flat=True)))  # older ones would not be kept
        clock.down_to = found.finish_number - 1 if found is not None and found.finish_number else 0
        clock.save(update_fields=["down_to"])
    return found is not None


def left() -> int:
    """Return how many finish numbers are left for `read_old`."""
    return CitationClock.objects.values_list("down_to", flat=True).first() or 0


def start_again() -> None:
    """Empty the index, so that `read_old` fills it again."""
    with transaction.atomic():
        clock = _locked_clock()
        Citation.objects.all().delete()
        clock.up_to = clock.down_to = _last()
        clock.save()


def _read_next() -> bool:
    """Add the first of the games that have not been read; return False if there is none."""
    with transaction.atomic():
        clock = _locked_clock()
        last = _last()  # before the games: one that ends meanwhile is for the next time
        found = _public().filter(finish_number__gt=clock.up_to, finish_number__lte=last).order_by("finish_number").first()
        if found is not None:
            _read(found)
        clock.up_to = found.finish_number if found is not None and found.finish_number else max(last, clock.up_to)
        clock.save(update_fields=["up_to"])
    return found is not None


def _locked_clock() -> CitationClock:
    CitationClock.objects.get_or_create(pk=1)
    return CitationClock.objects.select_for_update().get(pk=1)


def _last() -> int:
    return Table.objects.aggregate(last=Max("finish_number"))["last"] or 0


def _read(table: Table, *, without: Collection[str] = ()) -> None:
    """Write the citations of a game, except those of the paragraphs `without`, in place of what there was of it.

    A game that can't be told any more has none, and stops nobody.
    """
    try:
        with transaction.atomic():
            loaded = load(table.pk)
            found = chosen(replay_of(loaded, selectors.page_of(loaded, None)))
            rows = [
                Citation(game=table.game, anchor=anchor, table=table, number=table.finish_number or 0, step=step, said=said)
                for anchor, steps in found.items()
                if anchor not in without
                for step, said in steps.items()
            ]
            Citation.objects.filter(table=table).delete()
            Citation.objects.bulk_create(rows)
            _trim(table.game, {row.anchor for row in rows})
    except (OperationalError, SoftTimeLimitExceeded):
        raise
    except Exception:
        log.exception("table %s can't be read for citations", table.pk)


def _trim(game: str, anchors: Collection[str]) -> None:
    """Keep the newest citations of these paragraphs."""
    newest = Window(RowNumber(), partition_by=F("anchor"), order_by=[F("number").desc(), F("step")])
    ranked = Citation.objects.filter(game=game, anchor__in=anchors).annotate(rank=newest)
    Citation.objects.filter(pk__in=ranked.filter(rank__gt=KEPT).values("pk")).delete()


def chosen(replay: Replay) -> dict[str, dict[int, dict[str, Any]]]:
    """Return by paragraph the steps to keep of a finished game, each with what is said there.

    A line of the score breakdown counts only where no event of the game cites its paragraph, and one without points only where no other
    does. Of what was cited often these are the middle one of the rarest kind, and of the second rarest if there are several kinds: by then
    there is something on the board.
    """
    game = replay.page.entry.key
    found: dict[str, list[tuple[int, Event]]] = {}
    if game not in content.book_keys():
        return {}
    for cited in (_in_log(replay), _in_scores(replay, with_points=True), _in_scores(replay, with_points=False)):
        fresh: dict[str, list[tuple[int, Event]]] = {}
        for rule, step, event in cited:
            if (anchor := _anchor(game, rule)) and anchor not in found:
                fresh.setdefault(anchor, []).append((step, event))
        found |= fresh
    return {
        anchor: {step: {"k": event.key, "p": dict(event.params)} for step, event in sorted(_few(cited), key=itemgetter(0))}
        for anchor, cited in found.items()
    }


def _in_log(replay: Replay) -> Iterator[tuple[str, int, Event]]:
    """Yield rule, step and event of each citation in the log, as a spectator may read it."""
    for number, step in enumerate(replay.steps, 1):
        if step.line.event.rule:
            yield step.line.event.rule, number, step.line.event


def _in_scores(replay: Replay, *, with_points: bool) -> Iterator[tuple[str, int, Event]]:
    """Yield rule, step and what is said of each line of the score breakdown."""
    outcome = replay.page.outcome
    assert outcome is not None
    rounds = [dict(rounds) for rounds in outcome.derivation]
    for (seat, key), step in replay.scored_rounds().items():
        for line in rounds[seat][key]:
            if bool(line.points) == with_points:
                yield line.rule, step, Event(f"{SCORE}{line.key}", {"seat": seat, "points": line.points})


def _anchor(game: str, rule: str) -> str | None:
    """Return the paragraph of a game's book that a rule names, or that took its place; None if there is none."""
    of, _, anchor = rule.partition("#")
    anchor = content.book(game).retired.get(anchor) or anchor
    return anchor if of == game and anchor in content.places(game) else None


def _few(cited: Sequence[tuple[int, Event]]) -> list[tuple[int, Event]]:
    if len(cited) <= OF_A_GAME:
        return list(cited)
    kinds: dict[str, list[tuple[int, Event]]] = {}
    for step, event in cited:
        kinds.setdefault(event.key, []).append((step, event))
    return [kind[len(kind) // 2] for kind in sorted(kinds.values(), key=len)[:OF_A_GAME]]
