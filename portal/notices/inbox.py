"""What a person reads of their own notices. Everything here asks for the person: a notice of somebody else is as good as none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.common.templatetags.site import moment
from portal.notices.answering import FINDERS, Question, questions_of
from portal.notices.models import Channel, Delivery, Kind, Notice
from portal.notices.refusals import NoSuchNotice
from portal.notices.sentences import sentence
from portal.notices.unread import recount_later

SHOWN: Final = 50
LATEST: Final = 7  # in the panel
ANSWERED_FOR: Final = timedelta(days=1)  # the panel still shows an invitation, with the answer
WHY_DROPPED: Final = {
    "moved": gettext_noop("%(channel)s withdrawn: the turn was over"),
    "read": gettext_noop("%(channel)s not sent: you had read it here"),
    "off": gettext_noop("%(channel)s not sent: it was switched off"),
}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a notice by one channel, in words."""

    icon: str
    text: str
    look: str  # "good", "bad" or "" for what is neither


@dataclass(frozen=True, slots=True)
class Line:
    """A notice as a line of the inbox."""

    notice: Notice
    text: str
    entry: Entry | None  # of the game it is about
    is_new: bool
    fates: Sequence[Fate] = ()
    question: Question | None = None  # of an invitation

    @property
    def icon(self) -> str:
        """The icon where there is no game."""
        return {Kind.CLUB: "club", Kind.SEASON: "club", Kind.INVITATION: "people", Kind.FRIEND: "people"}.get(
            Kind(self.notice.kind), "bell"
        )


def lines(user: User, *, page: int = 1, show: str = "") -> tuple[list[Line], bool]:
    """Return a page of the person's notices ("unread", "failed" or all), newest first, and whether more follow."""
    first = (page - 1) * SHOWN
    found = list(notices_of(user, show).order_by("-made_at", "-pk")[first : first + SHOWN + 1])
    return told(user, found[:SHOWN]), len(found) > SHOWN


def notices_of(user: User, show: str = "") -> QuerySet[Notice]:
    """Return the person's notices: "unread", "failed" or all."""
    rows = Notice.objects.filter(user=user)
    if show == "unread":
        rows = rows.filter(read_at=None, withdrawn_at=None)
    if show == "failed":
        rows = rows.filter(pk__in=Delivery.objects.filter(user=user, status=Delivery.Status.FAILED).values("notice"))
    return rows


def told(user: User, notices: Sequence[Notice]) -> list[Line]:
    """Return notices of a person as lines; one statement, and another for each kind of invitation among them."""
    deliveries = defaultdict(list)
    for row in Delivery.objects.filter(notice__in=notices).order_by("pk"):
        deliveries[row.notice_id].append(row)
    asked = questions_of(user, notices)
    return [_line(notice, deliveries[notice.pk], asked.get(notice.pk)) for notice in notices]


def latest(user: User) -> list[Line]:
    """Return the person's last notices that are still true, and invitations that they answered lately, newest first, without what became of
    them elsewhere; one statement, and another for each kind of invitation among them."""
    rows = Notice.objects.filter(user=user).order_by("-made_at", "-pk")
    is_lately = Q(
        kind__in={kind for kind, _key in FINDERS}, key__in={key for _kind, key in FINDERS}, withdrawn_at__gt=timezone.now() - ANSWERED_FOR
    )
    found = list(rows.filter(Q(withdrawn_at=None) | is_lately)[:LATEST])
    asked = questions_of(user, found)
    return [_line(notice, (), asked.get(notice.pk)) for notice in found]


def _line(notice: Notice, deliveries: Sequence[Delivery], question: Question | None = None) -> Line:
    entry = GAMES.get(str(notice.facts.get("game", "")))
    latest = {row.channel: row for row in deliveries if row.version == notice.version}
    is_new = notice.read_at is None and notice.withdrawn_at is None
    fates = [_fate(row) for row in latest.values()]
    return Line(notice, sentence(notice), entry, is_new=is_new, fates=fates, question=question)


def _fate(row: Delivery) -> Fate:
    """Say what became of a delivery."""
    icon = {Channel.MAIL: "mail", Channel.PUSH: "phone", Channel.HOOK: "hook"}[Channel(row.channel)]
    name = str(Channel(row.channel).label)
    if row.status == Delivery.Status.SENT:
        return Fate(icon, _("%(channel)s: sent") % {"channel": name}, "good")
    if row.status == Delivery.Status.FAILED:
        said = _("the address was refused") if row.why == "refused" else row.why
        return Fate(icon, _("%(channel)s failed: %(why)s") % {"channel": name, "why": said}, "bad")
    if row.status == Delivery.Status.DROPPED:
        text = WHY_DROPPED.get(row.why, WHY_DROPPED["off"])
        return Fate(icon, _(text) % {"channel": name}, "")
    if row.status == Delivery.Status.HANDED:
        return Fate(icon, _("%(channel)s: on its way") % {"channel": name}, "")
    if row.attempts:
        return Fate(icon, _("%(channel)s failed (%(why)s), next attempt: %(at)s") % _when(name, row), "bad")
    if row.is_held:
        return Fate("night", _("%(channel)s: held by quiet hours until %(at)s") % _when(name, row), "")
    if row.is_digest:
        return Fate(icon, _("%(channel)s: in the daily digest, %(at)s") % _when(name, row), "")
    return Fate(icon, _("%(channel)s: waits until %(at)s") % _when(name, row), "")


def _when(name: str, row: Delivery) -> dict[str, str]:
    return {"channel": name, "at": moment(row.due_at), "why": row.why}


def opened(user: User, notice_id: int) -> str:
    """Mark a notice as read, and return the path that it leads to. Raises NoSuchNotice."""
    notice = Notice.objects.filter(pk=notice_id, user=user).first()
    if notice is None:
        raise NoSuchNotice
    read(user, notice_id)
    return notice.path


def read(user: User, notice_id: int | None = None, *, table_id: int | None = None, kind: Kind | None = None) -> None:
    """Mark as read: one notice, those of a table or of a kind, or all. What isn't theirs or was read before is left alone.

    Who looks at a table has not read its chat yet: of a table, mentions are read only if they are asked for as a `kind`.
    """
    rows = Notice.objects.filter(user=user, read_at=None)
    if notice_id is not None:
        rows = rows.filter(pk=notice_id)
    if table_id is not None:
        rows = rows.filter(table_id=table_id, withdrawn_at=None)
    if kind is not None:
        rows = rows.filter(kind=kind)
    elif table_id is not None:
        rows = rows.exclude(kind=Kind.MENTION)
    if rows.update(read_at=timezone.now()):
        recount_later(user.pk)
