"""What operators and moderators do about people, tables and clubs. Each is done completely or not at all; done twice, it is done once.

The admin's actions call these, and log who did it and why. They return whether something was changed.
"""

from __future__ import annotations

import re
import secrets
from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from portal.accounts import sign_ins
from portal.accounts.models import User
from portal.accounts.pseudonyms import is_pseudonym
from portal.accounts.signals import person_forgotten
from portal.clubs import services as clubs
from portal.clubs.models import Club, Membership
from portal.notices.reach import address_of
from portal.tables.access import circle_of
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.reveal import abandon
from portal.tables.telling import tell_ended_by_site
from portal.tables.wake import enqueue_due

DRAWN_PREFIX: Final = "player-"  # of the names that replace others
DRAWN_BYTES: Final = 4


@transaction.atomic
def deactivate(user: User) -> bool:
    """Close an account until it is opened again: nobody can sign in to it, and its sessions end. Its games and clubs stay as they are.

    The person's bots are closed and opened with it.
    """
    found = _person(user)
    if found is None or not found.is_active:
        return False
    found.is_active = False
    found.save(update_fields=["is_active"])
    sign_ins.end_all(found)
    _bots_of(found).update(is_active=False)
    return True


@transaction.atomic
def reactivate(user: User) -> bool:
    """Open an account again; not one that its owner has deleted."""
    found = _person(user)
    if found is None or found.is_active or is_pseudonym(found.username):
        return False
    if found.is_bot and not found.bot_account.owner.is_active:
        return False
    found.is_active = True
    found.save(update_fields=["is_active"])
    _bots_of(found).update(is_active=True)
    return True


def _bots_of(person: User) -> QuerySet[User]:
    return User.objects.filter(bot_account__owner=person)


def end_sessions(user: User) -> bool:
    """Sign a person out everywhere."""
    return sign_ins.end_all(user) > 0


def rename(user: User) -> bool:
    """Give a person a drawn name in place of theirs, in the logs of their games too, and tell them by mail. A drawn name stays."""
    with transaction.atomic():
        found = _person(user)
        if found is None or found.is_guest or is_pseudonym(found.username) or _is_drawn(found.username):
            return False
        old, new = found.username, _drawn()
        found.username = new
        found.save(update_fields=["username"])
        person_forgotten.send(User, user_id=found.pk, old=old, new=new)
        address = address_of(found) or found.email
        if address:
            with translation.override(found.language or "en"):
                words = _(
                    "The operators of the site have replaced your name, because it isn't one that others should have to read. "
                    "Your new name is %(name)s. Sign in with it, or with your email address. Your games and ratings stay yours."
                )
                subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("Your name was changed")
                send_mail(subject, words % {"name": new}, None, [address])
    return True


def may_be_ended(table: Table) -> bool:
    """Whether operators may end a table without a result: games of leagues and of duplicate sets are played to the end, as by a vote."""
    if table.status != Table.Status.PLAYING or table.duplicate_id is not None:
        return False
    circle = circle_of(table, None)
    return circle is None or circle.league_id is None


@transaction.atomic
def end_table(table_id: int) -> bool:
    """End a running game without a result, as its players can by a vote, and tell them. Raises TableBusy."""
    loaded = load(table_id, lock=True)
    if not may_be_ended(loaded.table):
        return False
    tell_ended_by_site(loaded)
    return abandon(Table.objects.filter(pk=table_id)) > 0


def wake_bots(table_id: int) -> bool:
    """Ask again for what a running game waits for from the site: a bot's move, or the points. It is dropped if it has come meanwhile."""
    loaded = load(table_id)
    table = loaded.table
    if table.status != Table.Status.PLAYING or table.waits_for not in (Table.Waits.BOT, Table.Waits.SCORER):
        return False
    person = next((seat.user_id for seat in loaded.seats if seat.user_id is not None), None)
    enqueue_due(table_id, table.version, list(table.due), table.waits_for, person, is_overdue=True)
    return True


@transaction.atomic
def close_club(club: Club) -> bool:
    """Close a club, as its owner can."""
    found = clubs.lock(club)
    if found.closed_at is not None:
        return False
    clubs.close_club(club=found, actor=None, by_site=True)
    return True


@transaction.atomic
def pass_on_club(club: Club) -> bool:
    """Give a club whose owner's account is closed to the officer who has been a member for longest."""
    found = clubs.lock(club)
    members = Membership.objects.filter(club=found)
    has_owner = members.filter(role=Membership.Role.OWNER, user__is_active=True).exists()
    heir = members.filter(role=Membership.Role.OFFICER, user__is_active=True).select_related("user").order_by("pk").first()
    if found.closed_at is not None or has_owner or heir is None:
        return False
    clubs.hand_over(club=found, actor=None, member=heir.user, by_site=True)
    return True


def _person(user: User) -> User | None:
    return User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()


def _is_drawn(name: str) -> bool:
    """Say whether a name looks drawn; anybody may call themselves "player-something"."""
    return re.fullmatch(rf"{DRAWN_PREFIX}[0-9a-f]{{{2 * DRAWN_BYTES}}}", name) is not None


def _drawn() -> str:
    while User.objects.filter(username__iexact=(name := f"{DRAWN_PREFIX}{secrets.token_hex(DRAWN_BYTES)}")).exists():
        pass
    return name
