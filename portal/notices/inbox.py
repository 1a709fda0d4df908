"""What a person reads of their own notices. Everything here asks for the person: a notice of somebody else is as good as none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.notices.models import Kind, Notice
from portal.notices.refusals import NoSuchNotice
from portal.notices.sentences import sentence
from portal.notices.unread import recount_later

SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A notice as a line of the inbox."""

    notice: Notice
    text: str
    entry: Entry | None  # of the game it is about
    is_new: bool

    @property
    def icon(self) -> str:
        """The icon where there is no game."""
        return {Kind.CLUB: "club", Kind.SEASON: "club", Kind.INVITATION: "people"}.get(Kind(self.notice.kind), "bell")


def lines(user: User, *, page: int = 1, only_unread: bool = False) -> tuple[list[Line], bool]:
    """Return a page of the person's notices, newest first, and whether more follow."""
    rows = Notice.objects.filter(user=user)
    if only_unread:
        rows = rows.filter(read_at=None, withdrawn_at=None)
    first = (page - 1) * SHOWN
    found = list(rows.order_by("-made_at", "-pk")[first : first + SHOWN + 1])
    return [line_of(notice) for notice in found[:SHOWN]], len(found) > SHOWN


def line_of(notice: Notice) -> Line:
    """Return the line of one notice."""
    entry = GAMES.get(str(notice.facts.get("game", "")))
    return Line(notice, sentence(notice), entry, is_new=notice.read_at is None and notice.withdrawn_at is None)


def opened(user: User, notice_id: int) -> str:
    """Mark a notice as read, and return the path that it leads to. Raises NoSuchNotice."""
    notice = Notice.objects.filter(pk=notice_id, user=user).first()
    if notice is None:
        raise NoSuchNotice
    read(user, notice_id)
    return notice.path


def read(user: User, notice_id: int | None = None, *, table_id: int | None = None) -> None:
    """Mark as read: one notice, those of a table, or all. What isn't theirs or was read before is left alone."""
    rows = Notice.objects.filter(user=user, read_at=None)
    if notice_id is not None:
        rows = rows.filter(pk=notice_id)
    if table_id is not None:
        rows = rows.filter(table_id=table_id, withdrawn_at=None)
    if rows.update(read_at=timezone.now()):
        recount_later(user.pk)
