"""Who may see a study and who may change it: the one place that decides, for pages, lists, streams and workers.

A study shows a position of a game. So nobody sees one who may not see its table, whatever the owner chose: sharing can only be narrower than
that. To everybody else it does not exist. A position that the owner has set up is of no table and hides nothing. Moderators see no more than
other people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from games.registry import Entry, entry
from portal.accounts.models import User
from portal.clubs.models import Club, Membership
from portal.studies.models import Guest, Study
from portal.studies.refusals import StudyNotFound
from portal.tables.access import may_see, visible
from portal.tables.loading import Loaded, load
from portal.tables.models import Table
from portal.tables.refusals import TableNotFound

Codes = Mapping[str, str]  # the links that a reader has followed: study -> code
NO_CODES: Final[Codes] = {}
Visibility = Study.Visibility


class Role(IntEnum):
    """What a reader may do; each may do what those before it may."""

    READER = 1
    CONTRIBUTOR = 2  # adds moves and comments
    OWNER = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """A study as one person has opened it, with the table it is from."""

    study: Study
    loaded: Loaded | None  # None if the table is gone; then only the owner sees the study, unless the position was set up
    role: Role

    @property
    def entry(self) -> Entry:
        return entry(self.study.game)

    @property
    def may_add(self) -> bool:
        return self.role >= Role.CONTRIBUTOR

    @property
    def is_owner(self) -> bool:
        return self.role == Role.OWNER

    @property
    def is_public(self) -> bool:
        """Say whether everybody may see what the study is from."""
        return self.study.is_set_up or (self.loaded is not None and may_see(self.loaded, None))

    @property
    def names(self) -> list[str]:
        """Return the players' names, as their table tells them now."""
        if self.loaded is not None:
            return self.loaded.names
        return [gettext("Player %(n)s") % {"n": number} for number in range(1, int(self.study.position["seats"]) + 1)]


def open_study(pk: Any, user: User | None, codes: Codes = NO_CODES, *, lock: bool = False) -> Opened:
    """Return a study that `user` may see. Raises StudyNotFound, alike for one that is hidden and one that doesn't exist.

    Two statements, and another if the table is not public. `lock` locks the study until the end of the transaction.
    """
    viewer = user.pk if user is not None and user.pk else 0
    found = Study.objects.filter(pk=pk).select_related("owner", "club")
    found = found.annotate(
        guest_adds=Subquery(Guest.objects.filter(study=OuterRef("pk"), user=viewer).values("may_add")[:1]),
        in_club=Exists(Membership.objects.filter(club=OuterRef("club"), user=viewer, club__closed_at=None)),
        owner_in_club=Exists(Membership.objects.filter(club=OuterRef("club"), user=OuterRef("owner"))),
    )
    if lock:
        found = found.select_for_update(of=("self",), no_key=True)
    study = found.first()
    role = _role(study, viewer, codes) if study is not None else None
    if study is None or role is None:
        raise StudyNotFound
    loaded = _table_of(study)
    is_seen = study.is_set_up or role == Role.OWNER if loaded is None else may_see(loaded, user)
    if not is_seen:
        raise StudyNotFound
    return Opened(study, loaded, role)


def _role(study: Any, viewer: int, codes: Codes) -> Role | None:
    """Return what the owner lets somebody do; None for nothing at all."""
    if study.owner_id == viewer:
        return Role.OWNER
    if study.hidden_at is not None or study.visibility == Visibility.ME:
        return None
    if study.guest_adds is not None:
        return Role.CONTRIBUTOR if study.guest_adds else Role.READER
    is_open = {
        Visibility.PUBLIC: lambda: True,
        Visibility.LINK: lambda: constant_time_compare(codes.get(str(study.pk), ""), study.link_code),
        Visibility.CLUB: lambda: study.in_club and study.owner_in_club,
    }.get(Visibility(study.visibility), lambda: False)
    return Role.READER if is_open() else None


def _table_of(study: Study) -> Loaded | None:
    if study.table_id is None:
        return None
    try:
        return load(study.table_id)
    except TableNotFound:
        return None


def listed(user: User | None) -> QuerySet[Study]:
    """Return the studies that a list may show `user`: their own, those shared with them or with their clubs, and those open to everyone.

    Those behind a link are in no list of others.
    """
    public = Q(visibility=Visibility.PUBLIC)
    told = public
    if user is not None and user.pk:
        clubs = Membership.objects.filter(user=user, club__closed_at=None).values("club_id")
        of_owner = Exists(Membership.objects.filter(club=OuterRef("club"), user=OuterRef("owner")))
        invited = ~Q(visibility=Visibility.ME) & Q(Exists(Guest.objects.filter(study=OuterRef("pk"), user=user)))
        told = public | invited | (Q(visibility=Visibility.CLUB, club__in=clubs) & Q(of_owner))
    own = Q(owner=user) if user is not None and user.pk else Q(pk__in=())
    seen = Q(table__in=visible(Table.objects.all(), user).values("pk")) | Q(is_set_up=True)
    viewer = user.pk if user is not None and user.pk else 0
    in_club = Exists(Membership.objects.filter(club=OuterRef("club"), user=viewer, club__closed_at=None))
    found = Study.objects.annotate(in_club=in_club)
    return found.filter((own & (seen | Q(table=None))) | (told & Q(hidden_at=None) & seen))


def in_clubs_of(user: User | None) -> Q:
    """Return the condition for studies that are shared with a club of `user`."""
    viewer = user.pk if user is not None and user.pk else 0
    return Q(visibility=Visibility.CLUB, club__in=Membership.objects.filter(user=viewer, club__closed_at=None).values("club_id"))


def club_told(study: Study, user: User | None) -> Club | None:
    """Return the club that sees a study, as `user` may know of it: its people and the study's owner. The study is from `listed` or `open_study`."""
    if study.visibility != Visibility.CLUB:
        return None
    is_told = bool(getattr(study, "in_club", False)) or (user is not None and study.owner_id == user.pk)
    return study.club if is_told else None
