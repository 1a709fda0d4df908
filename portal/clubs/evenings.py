"""What pages and calendar files say about club nights."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.calendar import LASTS
from portal.clubs.models import Attendance, Club, Evening

SHOWN: Final = 50  # upcoming club nights, and past ones, on a page
KEPT: Final = timedelta(days=90)  # how long past club nights stay in the file


@dataclass(frozen=True, slots=True)
class EveningRow:
    """A club night, who is coming, and the reader's answer ("" for none)."""

    evening: Evening
    game_title: str
    yes: list[str]
    maybe: list[str]
    no: list[str]
    mine: str
    is_over: bool


def evenings_of(club: Club, user: User | None, *, limit: int = SHOWN) -> list[EveningRow]:
    """Return the club nights that are upcoming or going on, soonest first."""
    return _rows(club, user, limit, is_past=False)


def past_evenings_of(club: Club, user: User | None, *, limit: int = SHOWN) -> list[EveningRow]:
    """Return the club nights that are over, newest first."""
    return _rows(club, user, limit, is_past=True)


def _rows(club: Club, user: User | None, limit: int, *, is_past: bool) -> list[EveningRow]:
    rows = held(club, is_past=is_past).order_by("-starts_at" if is_past else "starts_at", "id")
    return [row_of(evening, user, is_over=is_past) for evening in rows[:limit]]


def held(club: Club, *, is_past: bool) -> QuerySet[Evening]:
    """Return the club nights that are over, or those that are not, with their answers; in no order."""
    border = timezone.now() - LASTS
    rows = club.evenings.filter(starts_at__lt=border) if is_past else club.evenings.filter(starts_at__gte=border)
    return with_answers(rows)


def with_answers(rows: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return club nights with their answers, which takes one statement more."""
    return rows.prefetch_related(Prefetch("answers", queryset=Attendance.objects.select_related("user").order_by("user__username")))


def is_over(evening: Evening) -> bool:
    """Say whether a club night is among the past ones."""
    return evening.starts_at < timezone.now() - LASTS


def row_of(evening: Evening, user: User | None, *, is_over: bool) -> EveningRow:
    """Return a club night as a reader sees it; its answers are loaded."""
    names: dict[str, list[str]] = {answer: [] for answer in Attendance.Answer.values}
    mine = ""
    for found in evening.answers.all():
        names[found.answer].append(found.user.username)
        if user is not None and found.user_id == user.pk:
            mine = found.answer
    title = _(GAMES[evening.game].game.meta.title) if evening.game in GAMES else ""
    return EveningRow(evening, title, names["yes"], names["maybe"], names["no"], mine, is_over)


def ics_of(club: Club, address: str, host: str) -> str:
    """Return the calendar of a club as a file of RFC 5545; `address` is the URL of the calendar page."""
    evenings = club.evenings.filter(starts_at__gte=timezone.now() - KEPT).order_by("starts_at", "id")[:500]
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Ziggurat//Club evenings//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped(club.name)}",
    ]
    stamp = _utc(timezone.now())
    for evening in evenings:
        title = evening.title if not evening.game else _("%(title)s: %(game)s") % {"title": evening.title, "game": _game_title(evening)}
        lines += [
            "BEGIN:VEVENT",
            f"UID:evening-{evening.pk}@{host}",
            f"DTSTAMP:{stamp}",
            f"DTSTART:{_utc(evening.starts_at)}",
            f"SUMMARY:{_escaped(title)}",
            *([f"DESCRIPTION:{_escaped(evening.text)}"] if evening.text else []),
            f"URL:{address}",
            f"STATUS:{'CANCELLED' if evening.called_off else 'CONFIRMED'}",
            "END:VEVENT",
        ]
    return "".join(_folded(line) for line in [*lines, "END:VCALENDAR"])


def _game_title(evening: Evening) -> str:
    return _(GAMES[evening.game].game.meta.title) if evening.game in GAMES else evening.game


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """Return a text value with backslash, comma, semicolon and newline escaped (RFC 5545, 3.3.11)."""
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a content line with its end, folded into pieces of at most 75 octets (3.1); no character is split."""
    pieces: list[str] = []
    piece, size = "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > 75:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + character, size + octets
    return "\r\n".join([*pieces, piece]) + "\r\n"
