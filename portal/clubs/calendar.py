"""Club nights: officers create, change and cancel them; members say whether they are coming."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs import refusals
from portal.clubs.journal import note
from portal.clubs.models import TITLE_CHARS, Attendance, Club, Evening
from portal.clubs.permissions import Verb, require
from portal.clubs.services import lock
from portal.clubs.telling import tell_evening
from portal.clubs.texts import clean_name, clean_text

FURTHEST: Final = timedelta(days=2 * 366)
LASTS: Final = timedelta(hours=6)  # how long after its start a club night still counts as upcoming


@transaction.atomic
def create_evening(*, club: Club, actor: User | None, title: str, starts_at: datetime, text: str = "", game: str = "") -> Evening:
    """Add a club night to the calendar. `game` is a key of the registry, or empty for any. Raises BadValue."""
    club = lock(club)
    require(Verb.CALENDAR, club, actor)
    evening = Evening(club=club)
    _fill(evening, title, text, game, starts_at)
    evening.save()
    note(club, "evening_made", actor, title=evening.title)
    tell_evening(club, evening, actor)
    return evening


@transaction.atomic
def edit_evening(
    *, club: Club, actor: User | None, evening_id: int, title: str, starts_at: datetime, text: str = "", game: str = ""
) -> Evening:
    """Change an upcoming club night. The answers are kept."""
    club = lock(club)
    require(Verb.CALENDAR, club, actor)
    evening = _evening_to_come(club, evening_id)
    _fill(evening, title, text, game, starts_at)
    evening.save()
    note(club, "evening_edited", actor, title=evening.title)
    return evening


@transaction.atomic
def call_off(*, club: Club, actor: User | None, evening_id: int) -> None:
    """Cancel an upcoming club night; it stays in the calendar, marked as cancelled."""
    club = lock(club)
    require(Verb.CALENDAR, club, actor)
    evening = _evening_to_come(club, evening_id)
    evening.called_off = True
    evening.save(update_fields=["called_off"])
    note(club, "evening_called_off", actor, title=evening.title)
    tell_evening(club, evening, actor, cancelled=True)


@transaction.atomic
def answer(*, club: Club, user: User | None, evening_id: int, answer: str) -> None:
    """Answer whether one is coming; a later answer replaces an earlier one."""
    club = lock(club)
    require(Verb.ANSWER, club, user)
    evening = _evening_to_come(club, evening_id)
    if answer not in Attendance.Answer.values:
        raise refusals.BadAnswer
    Attendance.objects.update_or_create(evening=evening, user=user, defaults={"answer": answer})


def _evening_to_come(club: Club, evening_id: int) -> Evening:
    """Return a club night of the club. Raises WrongMoment when it is over, cancelled, or not this club's."""
    evening = Evening.objects.filter(club=club, pk=evening_id).first()
    if evening is None:
        raise refusals.NoSuchEvening
    if evening.called_off:
        raise refusals.EveningCalledOff
    if evening.starts_at + LASTS < timezone.now():
        raise refusals.EveningOver
    return evening


def _fill(evening: Evening, title: str, text: str, game: str, starts_at: datetime) -> None:
    evening.title = clean_name(title, field="title", limit=TITLE_CHARS)
    evening.text = clean_text(text)
    if game and game not in GAMES:
        raise refusals.NoSuchGame
    evening.game = game
    now = timezone.now()
    if timezone.is_naive(starts_at) or not now - LASTS < starts_at < now + FURTHEST:
        raise refusals.EveningTooFar
    evening.starts_at = starts_at
