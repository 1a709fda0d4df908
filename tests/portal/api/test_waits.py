"""How long somebody has to wait who did something too often: until the limit has room, not as long as its window is."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone, translation

from portal.clubs.models import Club, ClubEntry
from portal.clubs.refusals import TooManyClubs
from portal.common.limits import check_last_day
from portal.common.refusals import Refusal, TooMany, every_refusal, waiting
from portal.matching.api import SEARCHES_PER_HOUR
from portal.talk.services import LINES_PER_MINUTE

CODE = sorted(Path(settings.BASE_DIR, "portal").rglob("*.py"))
for _file in CODE:
    if _file.name == "refusals.py":
        import_module(".".join(_file.relative_to(settings.BASE_DIR).with_suffix("").parts))
KINDS = {(kind.__module__.split(".")[1], kind.__name__) for kind in every_refusal(TooMany)}
OTHERS = {(kind.__module__.split(".")[1], kind.__name__) for kind in every_refusal(Refusal)} - KINDS
NOBODY_KNOWS = {"TooManyGames"}  # until one of them is over
NOON = datetime(2026, 3, 4, 12, 20, 15, tzinfo=UTC)


def test_each_refusal_of_a_limit_says_how_long_it_holds():
    counted = 0
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("count_use", "check_last_day"):
                counted += 1
            if isinstance(node, ast.Raise) and node.exc is not None:
                raised = ast.unparse(node.exc)
                kind = raised.partition("(")[0].rpartition(".")[2]
                is_one = kind in {name for _app, name in KINDS} and (path.relative_to(settings.BASE_DIR).parts[1], kind) not in OTHERS
                if is_one and kind not in NOBODY_KNOWS:
                    assert "retry_after_s=" in raised, f"{path}:{node.lineno}: {raised}"
    assert counted > 40


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "Try again in 1 second."),
        (59, "Try again in 59 seconds."),
        (60, "Try again in 1 minute."),
        (61, "Try again in 2 minutes."),
        (3540, "Try again in 59 minutes."),
        (3541, "Try again in 1 hour."),
        (3601, "Try again in 2 hours."),
        (86400, "Try again in 24 hours."),
    ],
)
def test_the_time_is_said_in_full_units_and_never_too_short(seconds, said):
    with translation.override("en"):
        assert waiting(seconds) == said


@pytest.mark.django_db
def test_the_answer_has_the_seconds_that_are_left(hers, duel):
    with time_machine.travel(NOON, tick=False):
        for _ in range(LINES_PER_MINUTE):
            assert hers.post(f"tables/{duel.pk}/chat/players/", {"text": "Hello"}).status_code == 201
        refused = hers.post(f"tables/{duel.pk}/chat/players/", {"text": "Hello"})
        assert (refused.status_code, refused["Retry-After"]) == (429, "45")
        assert refused.json()["error"]["reason"] == "You have written a lot in a short time. Try again in 45 seconds."
        for _ in range(SEARCHES_PER_HOUR):
            assert hers.post("searches/ra/", {"pace": "live"}, "PUT").status_code == 200
        refused = hers.post("searches/ra/", {"pace": "live"}, "PUT")
        assert (refused.status_code, refused["Retry-After"]) == (429, str(39 * 60 + 45))
        assert refused.json()["error"]["reason"] == "You have started many searches in a short time. Try again in 40 minutes."


@pytest.mark.django_db
def test_a_limit_of_the_last_day_has_room_when_the_oldest_that_counts_is_a_day_old(alice, django_assert_num_queries):
    club = Club.objects.create(name="Ur", slug="ur")
    founded = ClubEntry.objects.filter(verb="founded")

    def waits_s(limit: int, more: int = 1) -> int | None:
        with django_assert_num_queries(1):
            try:
                check_last_day(founded, "at", limit=limit, refusal=TooManyClubs, more=more)
            except TooManyClubs as refusal:
                return refusal.retry_after_s
        return None

    with time_machine.travel(timezone.now(), tick=False):
        for hours in (30, 20, 10, 1):
            row = ClubEntry.objects.create(club=club, actor=alice, verb="founded")
            ClubEntry.objects.filter(pk=row.pk).update(at=timezone.now() - timedelta(hours=hours))
        assert waits_s(4) is None
        assert waits_s(3) == 4 * 3600
        assert waits_s(2) == 14 * 3600
        assert waits_s(4, more=2) == 4 * 3600
        assert waits_s(5, more=2) is None
    with pytest.raises(TooManyClubs) as never:
        check_last_day(founded, "at", limit=3, refusal=TooManyClubs, more=4)
    assert never.value.retry_after_s == 86400
