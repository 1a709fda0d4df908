"""Announcements of a club."""

from __future__ import annotations

from django.db import transaction

from portal.accounts.models import User
from portal.clubs.journal import note
from portal.clubs.models import TITLE_CHARS, Announcement, Club
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import NoSuchAnnouncement
from portal.clubs.services import lock
from portal.clubs.texts import clean_name, clean_text


@transaction.atomic
def announce(*, club: Club, actor: User | None, title: str, text: str = "", is_pinned: bool = False) -> Announcement:
    """Publish an announcement; pinned ones come first."""
    club = lock(club)
    require(Verb.ANNOUNCE, club, actor)
    found = Announcement.objects.create(
        club=club,
        author=actor,
        title=clean_name(title, field="title", limit=TITLE_CHARS),
        text=clean_text(text),
        is_pinned=bool(is_pinned),
    )
    note(club, "announced", actor, title=found.title)
    return found


@transaction.atomic
def pin(*, club: Club, actor: User | None, announcement_id: int, is_pinned: bool) -> None:
    """Pin an announcement, or unpin it. Doing it twice changes nothing."""
    club = lock(club)
    require(Verb.ANNOUNCE, club, actor)
    found = _announcement(club, announcement_id)
    if found.is_pinned != is_pinned:
        found.is_pinned = is_pinned
        found.save(update_fields=["is_pinned"])
        note(club, "announcement_pinned" if is_pinned else "announcement_unpinned", actor, title=found.title)


@transaction.atomic
def delete_announcement(*, club: Club, actor: User | None, announcement_id: int) -> None:
    """Delete an announcement; the log keeps its title."""
    club = lock(club)
    require(Verb.ANNOUNCE, club, actor)
    found = _announcement(club, announcement_id)
    found.delete()
    note(club, "announcement_deleted", actor, title=found.title)


def _announcement(club: Club, announcement_id: int) -> Announcement:
    found = Announcement.objects.filter(club=club, pk=announcement_id).first()
    if found is None:
        raise NoSuchAnnouncement
    return found
