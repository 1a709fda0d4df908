"""Inviting people to an open table, by name, by mail and by its link, and their answers. Each verb locks the table like `services.join_table`.

Nobody is seated without having agreed: only the invited person's own answer takes a seat, or the owner's yes to what that person asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext, override

from portal.accounts import blocks
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.accounts.pseudonyms import name_of
from portal.common.limits import check_last_day, count_use
from portal.common.refusals import Refusal
from portal.tables import invited, refusals
from portal.tables.access import LET_IN, hold_membership, may_see
from portal.tables.loading import Loaded, load
from portal.tables.models import Invitation, Seat, Table
from portal.tables.seating import is_free
from portal.tables.selectors import TablePage
from portal.tables.services import bump, check_circle, own_open_table, take_seat
from portal.tables.wake import wake

LASTS: Final = timedelta(days=7)
PER_DAY: Final = 50  # invitations of one person
MAILS_PER_DAY: Final = 20
MAILS_PER_ADDRESS: Final = 3  # a day, whoever sends them
MAX_MESSAGE_CHARS: Final = 200
MAX_CODE_CHARS: Final = 24
# Each says why a bot account doesn't come to a table to which somebody invites it, or None. The app of bot accounts adds its rules.
BOT_RULES: Final[list[Callable[[User, User, Table], Refusal | None]]] = []


def invite(*, table_id: int, user: User, name: str) -> Invitation:
    """Invite a person, or a guest, to the owner's open table; a free seat is kept for them. A bot account sits down at once, or its rules refuse.

    Raises OwnerOnly, WrongStatus, TooManyInvitations, BadInvitation for a name that can't be invited, and NoSeatToKeep. Nobody learns whether
    the person blocks them.
    """
    with transaction.atomic():
        loaded = _inviting(table_id, user)
        person = person_named(name)
        if person is None:
            raise refusals.NobodyOfThatName(name=name)
        if loaded.seat_of(person) is not None:
            raise refusals.SitsAlready(name=name_of(person))
        if loaded.table.club_id is not None and not hold_membership(loaded.table.club_id, person):
            raise refusals.NotInTheClub(name=name_of(person))
        waiting = invited.open_invitations(loaded.table)
        if any(one.user_id == person.pk for one in waiting):
            raise refusals.AlreadyInvited(name=name_of(person))
        if not blocks.may_invite(user, person):
            raise refusals.TakesNoInvitations(name=name_of(person))
        return add_person(loaded, waiting, by=user, person=person)


def invite_somebody(*, table_id: int, user: User, who: str) -> Invitation:
    """Invite by email if there is an @ in what was typed, else by name. Raises what the two raise."""
    who = who.strip()
    if "@" in who:
        return invite_by_mail(table_id=table_id, user=user, email=who)
    return invite(table_id=table_id, user=user, name=who)


def invite_by_mail(*, table_id: int, user: User, email: str) -> Invitation:
    """Send an invitation to an email address. Whether somebody on this site has that address makes no difference that could be seen: where they
    block the sender, everything but the mail is as ever.

    Raises what `invite` raises, and GuestsSendNoMail.
    """
    if user.is_guest:
        raise refusals.GuestsSendNoMail
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise refusals.NoSuchAddress from None
    with transaction.atomic():
        loaded = _inviting(table_id, user)
        if loaded.table.club_id is not None:
            raise refusals.NoMailFromClubs
        waiting = invited.open_invitations(loaded.table)
        if any(one.email == address for one in waiting):
            raise refusals.AlreadyInvited(name=address)
        sent = Invitation.objects.filter(by=user, way=Invitation.Way.MAIL)
        check_last_day(sent, "made_at", limit=MAILS_PER_DAY, refusal=refusals.TooManyInvitations)
        count_use("invite-mail", address, limit=MAILS_PER_ADDRESS, window_s=86400, refusal=refusals.TooManyInvitations)
        invitation = add(loaded, waiting, by=user, way=Invitation.Way.MAIL, email=address, code=invited.new_code())
        if blocks.hears_at(address, user):
            _send(loaded, invitation, user)
        return invitation


def renew_link(*, table_id: int, user: User) -> Loaded:
    """Give the owner's open table a new link; the old one stops working at once, also for those who only watch by it."""
    with transaction.atomic():
        loaded = own_open_table(table_id, user)
        if loaded.table.club_id is not None:
            raise refusals.NoLinkForClubs
        loaded.table.link_code = invited.new_code()
        loaded.table.save(update_fields=["link_code"])
        Invitation.objects.filter(table=loaded.table, state=Invitation.State.WATCHING).delete()
        bump(loaded)
        wake(loaded.table)
    return loaded


def take_back(*, table_id: int, user: User, invitation_id: int) -> Loaded:
    """Take an unanswered invitation back; its seat is free again. Raises InvitationOver."""
    with transaction.atomic():
        loaded, invitation = _of_owner(table_id, user, invitation_id)
        _answer(loaded, invitation, Invitation.State.TAKEN_BACK, "taken_back")
    return loaded


def accept(*, invitation_id: int, user: User, terms: str, code: str = "") -> Loaded:
    """Take a seat by an invitation. Already sitting there is not an error.

    `terms` are the settings that the person agreed to (`terms_of`). Raises InvitationNotFound, InvitationOver, TermsChanged, and whatever taking a
    seat raises.
    """
    with transaction.atomic():
        loaded, invitation = _of_invited(invitation_id, user, code)
        if loaded.seat_of(user) is None:
            _require_open(invitation)
            _require_terms(loaded.table, terms)
            check_circle(loaded, user)
            take_seat(loaded, user, answered=invitation)
    return loaded


def decline(*, invitation_id: int, user: User | None, code: str = "") -> Loaded:
    """Decline an invitation; its seat is free again. With the code of a mail nobody has to be signed in."""
    with transaction.atomic():
        loaded, invitation = _of_invited(invitation_id, user, code)
        _require_open(invitation)
        _answer(loaded, invitation, Invitation.State.DECLINED, "declined")
    return loaded


def counter(*, invitation_id: int, user: User, seats: int, is_rated: bool, message: str = "", code: str = "") -> Loaded:
    """Ask the owner for another number of players, another rating, or say something. The seat stays kept until the owner answers.

    Raises BadSeatCount, BadMessage, NothingAsked.
    """
    said = _checked_message(message)
    with transaction.atomic():
        loaded, invitation = _of_invited(invitation_id, user, code)
        _require_open(invitation)
        if invitation.user_id is None and any(one.user_id == user.pk for one in invited.open_invitations(loaded.table)):
            raise refusals.AlreadyInvited(name=name_of(user))
        _ask(loaded, invitation, user, seats, said, is_rated=is_rated)
    return loaded


def counter_by_link(*, code: str, user: User, seats: int, is_rated: bool, message: str = "") -> Loaded:
    """Ask the owner of a table for other settings, as somebody who has its link. From then on a seat is kept for them, as if they had been invited.

    Raises InvitationNotFound, BadSeatCount, BadMessage, NothingAsked, NoSeatToKeep, AlreadyInvited, and TakesNoInvitations if the owner wants
    nothing from them.
    """
    said = _checked_message(message)
    table = table_of_link(code)
    with transaction.atomic():
        loaded = load(table.pk, lock=True)
        if not constant_time_compare(loaded.table.link_code, code):  # renewed at this moment
            raise refusals.InvitationNotFound
        _require_open_table(loaded.table)
        check_circle(loaded, user)
        owner, waiting = loaded.table.owner, invited.open_invitations(loaded.table)
        if any(one.user_id == user.pk for one in waiting):
            raise refusals.AlreadyInvited(name=name_of(user))
        if owner is None or not blocks.may_invite(user, owner):
            raise refusals.TakesNoInvitations(name=name_of(owner) if owner is not None else "")
        if sum(map(is_free, loaded.seats)) <= len(waiting):
            raise refusals.NoSeatToKeep
        now = timezone.now()
        _expire_late(loaded.table, now)
        invitation = Invitation(table=loaded.table, by=owner, way=Invitation.Way.NAME, user=user, made_at=now, expires_at=now + LASTS)
        _ask(loaded, invitation, user, seats, said, is_rated=is_rated)
    return loaded


def _checked_message(message: str) -> str:
    said = " ".join(message.split())
    if len(said) > MAX_MESSAGE_CHARS or not said.isprintable():
        raise refusals.BadMessage(limit=MAX_MESSAGE_CHARS)
    return said


def _ask(loaded: Loaded, invitation: Invitation, user: User, seats: int, said: str, *, is_rated: bool) -> None:
    """Write into an invitation what somebody asks for; a new one is stored."""
    table = loaded.table
    if seats not in loaded.game.meta.seats:
        raise refusals.BadSeatCount(game=gettext(loaded.game.meta.title), counts=", ".join(map(str, loaded.game.meta.seats)))
    if loaded.seat_of(user) is not None:
        raise refusals.SitsAlready(name=name_of(user))
    if seats == table.seat_count and is_rated == table.is_rated and not said:
        raise refusals.NothingAsked
    invitation.seats = seats if seats != table.seat_count else None
    invitation.is_rated = is_rated if is_rated != table.is_rated else None
    invitation.message, invitation.user = said, user
    if invitation.pk is None:
        invitation.save(force_insert=True)
    _answer(loaded, invitation, Invitation.State.COUNTERED, "countered", "seats", "is_rated", "message", "user")


def grant(*, table_id: int, user: User, invitation_id: int) -> Loaded:
    """Change the owner's table to what an invited person asked for, and seat them: they asked for it, so they have agreed.

    Raises OthersAgreed if somebody else has agreed to the present settings, and TooFewSeats.
    """
    with transaction.atomic():
        loaded, invitation = _countered(table_id, user, invitation_id)
        person = invitation.user
        if person is None or not person.is_active:
            raise refusals.InvitationOver
        if invitation.seats is not None or invitation.is_rated is not None:
            if any(seat.user_id not in (None, user.pk) for seat in loaded.seats):
                raise refusals.OthersAgreed
            if invitation.is_rated is not None:
                loaded.table.is_rated = invitation.is_rated
                loaded.table.save(update_fields=["is_rated"])
            if invitation.seats is not None:
                _resize(loaded, invitation.seats, len(invited.open_invitations(loaded.table)))
        if loaded.seat_of(person) is None:
            check_circle(loaded, person)
            take_seat(loaded, person, answered=invitation)
    return loaded


def insist(*, table_id: int, user: User, invitation_id: int) -> Loaded:
    """Leave the owner's table as it is; the person may still accept that."""
    with transaction.atomic():
        loaded, invitation = _countered(table_id, user, invitation_id)
        _answer(loaded, invitation, Invitation.State.PENDING, "invited")
    return loaded


def join_by_link(*, code: str, user: User, terms: str) -> Loaded:
    """Take a seat by the link of a table. Raises InvitationNotFound, TermsChanged, and whatever taking a seat raises."""
    table = table_of_link(code)
    with transaction.atomic():
        loaded = load(table.pk, lock=True)
        if not constant_time_compare(loaded.table.link_code, code):  # renewed at this moment
            raise refusals.InvitationNotFound
        if loaded.seat_of(user) is None:
            _require_open_table(loaded.table)
            _require_terms(loaded.table, terms)
            check_circle(loaded, user)
            take_seat(loaded, user)
    return loaded


def link_to(code: str) -> str:
    """Return the address of a table's link or of a mailed invitation, as it is sent to others; "" without a code."""
    return f"{settings.BASE_URL}{reverse('invitation-by-code', args=[code])}" if code else ""


def may_watch_by_link(loaded: Loaded, found: Invitation | None, user: User | None) -> bool:
    """Say whether the table's link (`found`: an invitation is none) lets somebody watch who can't see the table otherwise."""
    return found is None and loaded.table.status != Table.Status.ABANDONED and not may_see(loaded, user)


def tells_no_more(loaded: Loaded, found: Invitation | None, user: User | None) -> bool:
    """Say whether an invitation (None: the table's link) has ended for somebody who may not see the table: then it says so, and nothing of the table."""
    is_open = loaded.table.status == Table.Status.OPEN and found is not None and found.is_open
    return found is not None and not is_open and not may_see(loaded, user)


def watch_by_link(*, code: str, user: User) -> Loaded:
    """Let somebody who has the link of a table see it without sitting there. Raises InvitationNotFound."""
    table = table_of_link(code)
    with transaction.atomic():
        loaded = load(table.pk, lock=True)
        if not constant_time_compare(loaded.table.link_code, code):  # renewed at this moment
            raise refusals.InvitationNotFound
        now = timezone.now()
        if not may_see(loaded, user):
            Invitation.objects.create(
                table=loaded.table,
                way=Invitation.Way.LINK,
                user=user,
                state=Invitation.State.WATCHING,
                made_at=now,
                expires_at=now,
                answered_at=now,
            )
    return loaded


def forget(*, user: User) -> None:
    """Decline what a person who leaves for good is invited to, so that no seat is kept for them."""
    for pk in list(Invitation.objects.filter(invited.still_open(), user=user).values_list("pk", flat=True)):
        decline(invitation_id=pk, user=user)


def decline_blocked(*, user: User, person: User, **_signal: object) -> None:
    """Decline what a person is invited to by somebody whom they have just blocked."""
    for pk in list(Invitation.objects.filter(invited.still_open(), user=user, by=person).values_list("pk", flat=True)):
        decline(invitation_id=pk, user=user)


def free_kept() -> int:
    """Free the seats that are kept for invitations that have expired; return at how many tables."""
    now = timezone.now()
    late = Invitation.objects.filter(state__in=invited.OPEN, expires_at__lte=now)
    tables = list(late.order_by().values_list("table", flat=True).distinct())
    for table_id in tables:
        with transaction.atomic():
            loaded = load(table_id, lock=True)
            late.filter(table=table_id).update(state=Invitation.State.EXPIRED, answered_at=now)
            invited.recount(loaded.table)
            bump(loaded)
            wake(loaded.table)
    return len(tables)


def forgotten(before: datetime) -> QuerySet[Invitation]:
    """Return the invitations that are of no use any longer: those by which nobody may see a table, with the addresses in them."""
    is_over = ~Q(state__in=[*invited.OPEN, *LET_IN]) | ~Q(table__privacy=Table.Privacy.LINK, user__isnull=False)
    return Invitation.objects.filter(is_over, made_at__lt=before)


# Who is asked for what


def table_of_link(code: str) -> Table:
    """Return the table of a link. Raises InvitationNotFound.

    The index finds the row; an answer that comes later for a nearly right code would say nothing, because codes are compared as a whole.
    """
    found = Table.objects.only("pk", "link_code").filter(link_code=code).first() if 0 < len(code) <= MAX_CODE_CHARS else None
    if found is None or not constant_time_compare(found.link_code, code):
        raise refusals.InvitationNotFound
    return found


def invitation_of_code(code: str) -> Invitation:
    """Return the invitation that was mailed with this code. Raises InvitationNotFound."""
    found = Invitation.objects.filter(code=code).first() if 0 < len(code) <= MAX_CODE_CHARS else None
    if found is None or not constant_time_compare(found.code, code):
        raise refusals.InvitationNotFound
    return found


def invitation_for(pk: int, user: User | None) -> Invitation:
    """Return an invitation of a person by name. Raises InvitationNotFound, alike for those of others."""
    found = Invitation.objects.filter(pk=pk, user=user).exclude(way=Invitation.Way.LINK).first() if user is not None else None
    if found is None:
        raise refusals.InvitationNotFound
    return found


def terms_of(table: Table | TablePage) -> str:
    """Return what somebody agrees to who takes a seat: a form sends it back, so that nobody agrees to settings they didn't see."""
    return f"{table.seat_count} {'rated' if table.is_rated else 'unrated'}"


def _inviting(table_id: int, user: User) -> Loaded:
    loaded = own_open_table(table_id, user)
    check_day(user)
    return loaded


def check_day(user: User, more: int = 1) -> None:
    """Raise TooManyInvitations if somebody has no more than these left for today."""
    check_last_day(Invitation.objects.filter(by=user), "made_at", limit=PER_DAY, refusal=refusals.TooManyInvitations, more=more)


def add_person(loaded: Loaded, waiting: list[Invitation], *, by: User, person: User) -> Invitation:
    """Store an invitation by name to a locked open table. A bot account sits down at once: its rules agree for it, or refuse.

    Raises NoSeatToKeep, and what `BOT_RULES` say.
    """
    for why_not in BOT_RULES if person.is_bot else ():
        if (refusal := why_not(person, by, loaded.table)) is not None:
            raise refusal
    invitation = add(loaded, waiting, by=by, way=Invitation.Way.NAME, user=person)
    if person.is_bot:
        accept(invitation_id=invitation.pk, user=person, terms=terms_of(loaded.table))
        invitation.refresh_from_db()
    return invitation


def add(loaded: Loaded, waiting: list[Invitation], **fields: object) -> Invitation:
    """Store an invitation to a locked open table, whose other open ones are `waiting`, and keep a seat. Raises NoSeatToKeep."""
    if sum(map(is_free, loaded.seats)) <= len(waiting):
        raise refusals.NoSeatToKeep
    now = timezone.now()
    _expire_late(loaded.table, now)
    invitation = Invitation(table=loaded.table, made_at=now, expires_at=now + LASTS, **fields)
    invitation.save(force_insert=True)
    invited.keep(loaded.table, len(waiting) + 1)
    _tell(loaded, invitation, "invited")
    return invitation


def _expire_late(table: Table, now: datetime) -> None:
    """Let the invitations of a locked table expire whose time is over: they would be in the way of new ones."""
    late = Invitation.objects.filter(table=table, state__in=invited.OPEN, expires_at__lte=now)
    late.update(state=Invitation.State.EXPIRED, answered_at=now)


def _of_owner(table_id: int, user: User, invitation_id: int) -> tuple[Loaded, Invitation]:
    loaded = own_open_table(table_id, user)
    found = Invitation.objects.filter(invited.still_open(), table=loaded.table, pk=invitation_id).first()
    if found is None:
        raise refusals.InvitationOver
    return loaded, found


def _countered(table_id: int, user: User, invitation_id: int) -> tuple[Loaded, Invitation]:
    loaded, invitation = _of_owner(table_id, user, invitation_id)
    if invitation.state != Invitation.State.COUNTERED:
        raise refusals.InvitationOver
    return loaded, invitation


def _of_invited(invitation_id: int, user: User | None, code: str) -> tuple[Loaded, Invitation]:
    """Return the locked table and the invitation, read after the lock, of a person or of the code of a mail."""
    first = invitation_of_code(code) if code else invitation_for(invitation_id, user)
    loaded = load(first.table_id, lock=True)
    return loaded, Invitation.objects.get(pk=first.pk)


def _require_open(invitation: Invitation) -> None:
    if not invitation.is_open:
        raise refusals.InvitationOver


def _require_open_table(table: Table) -> None:
    if table.status != Table.Status.OPEN:
        raise (refusals.AlreadyStarted if table.status == Table.Status.PLAYING else refusals.TableClosed)


def _require_terms(table: Table, terms: str) -> None:
    if terms != terms_of(table):
        raise refusals.TermsChanged


def _answer(loaded: Loaded, invitation: Invitation, state: Invitation.State, what: str, *fields: str) -> None:
    invitation.state = state
    invitation.answered_at = None if state == Invitation.State.PENDING else timezone.now()
    invitation.save(update_fields=["state", "answered_at", *fields])
    invited.recount(loaded.table)
    _tell(loaded, invitation, what)


def _tell(loaded: Loaded, invitation: Invitation, what: str) -> None:
    """Tell who listens, and the open pages of the table."""
    invited.tell(invitation, what)
    bump(loaded)
    wake(loaded.table)


def _resize(loaded: Loaded, seats: int, kept: int) -> None:
    """Give an open table another number of seats. Raises TooFewSeats if those who sit there or are invited would not fit."""
    table = loaded.table
    free = [seat for seat in loaded.seats if is_free(seat)]
    more = seats - table.seat_count
    if len(free) + more < kept:
        raise refusals.TooFewSeats
    if more < 0:
        gone = free[more:]
        Seat.objects.filter(pk__in=[seat.pk for seat in gone]).delete()
        loaded.seats = [seat for seat in loaded.seats if seat not in gone]
        for index, seat in enumerate(loaded.seats):  # upwards, so that no two have the same index at any moment
            if seat.index != index:
                seat.index = index
                seat.save(update_fields=["index"])
    else:
        loaded.seats += Seat.objects.bulk_create(Seat(table=table, index=table.seat_count + n) for n in range(more))
    table.seat_count = seats
    table.save(update_fields=["seat_count"])


def _send(loaded: Loaded, invitation: Invitation, user: User) -> None:
    """Queue the mail, in the inviting person's language: nothing is known of the reader's. It has no words of the sender, so it can't be abused."""
    with override(user.language or settings.LANGUAGE_CODE):
        context = {
            "name": name_of(user),
            "game": gettext(loaded.game.meta.title),
            "link": link_to(invitation.code),
            "site": settings.BASE_URL,
            "days": LASTS.days,
        }
        subject = gettext("%(name)s invites you to a game of %(game)s") % context
        EmailMessage(subject, render_to_string("tables/email/invitation.txt", context), to=[invitation.email]).send()
