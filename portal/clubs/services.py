"""What changes a club itself: founding, texts, settings, its link, who owns it, its end. Members: members.py and ways_in.py.

Each service locks the club's row first, asks `permissions`, and writes a line of the log. A refusal changes nothing.
"""

from __future__ import annotations

import secrets
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.clubs import refusals
from portal.clubs.journal import note
from portal.clubs.models import Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Role, Verb, require
from portal.clubs.signals import club_closing
from portal.clubs.texts import clean_name, clean_text, slug_of
from portal.clubs.waiting import recount

RESERVED: Final = frozenset({"new", "join", "invitations"})  # words used in URLs in the place of a club's address
MAX_SLUG_TRIES: Final = 50
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
DRAWN_LETTERS: Final = 6


def lock(club: Club | int) -> Club:
    """Return the club with its row locked until the end of the transaction. Raises ClubNotFound."""
    pk = club.pk if isinstance(club, Club) else club
    found = Club.objects.select_for_update().filter(pk=pk).first()
    if found is None:
        raise refusals.ClubNotFound
    return found


def require_account(user: User | None) -> User:
    """Return the person. Raises NotAllowed to visitors, guests, bots and closed accounts: only a person's account can be in a club."""
    if user is None or not user.pk or user.is_guest or not user.is_active:
        raise refusals.AccountNeeded
    if user.is_bot:
        raise refusals.BotsInNoClub
    return user


def create_club(
    *,
    owner: User | None,
    name: str,
    about_en: str = "",
    about_hu: str = "",
    about_ru: str = "",
    is_private: bool = False,
    joining: str = Club.Joining.REQUEST,
) -> Club:
    """Found a club, whose owner is its first member.

    Part of a private club's address is random: otherwise the address of the next club of that name would reveal it.

    Raises NotAllowed to guests and visitors, BadValue when a text is invalid or the name is taken.
    """
    person = require_account(owner)
    club = Club(
        name=clean_name(name),
        about_en=clean_text(about_en, field="about_en"),
        about_hu=clean_text(about_hu, field="about_hu"),
        about_ru=clean_text(about_ru, field="about_ru"),
        is_private=bool(is_private),
        joining=_checked_joining(joining),
        member_count=1,
    )
    base = slug_of(club.name)
    for number in range(1, MAX_SLUG_TRIES):
        club.slug = f"{base}-{_drawn()}" if club.is_private else base if number == 1 else f"{base}-{number}"
        if club.slug in RESERVED or Club.objects.filter(slug=club.slug).exists():
            continue
        club.pk, club.link_code = None, _new_code()
        try:
            with transaction.atomic():
                _refuse_taken(club)
                _refuse_own(club, person)
                club.save(force_insert=True)
                Membership.objects.create(club=club, user=person, role=Role.OWNER)
                note(club, "founded", person)
            return club
        except IntegrityError:  # somebody else took the name or the address at this moment: check again
            continue
    raise refusals.TooManySimilarNames


@transaction.atomic
def edit_texts(*, club: Club, actor: User | None, about_en: str, about_hu: str, about_ru: str) -> Club:
    """Change the club's description in each language."""
    club = lock(club)
    require(Verb.EDIT, club, actor)
    given = {"about_en": about_en, "about_hu": about_hu, "about_ru": about_ru}
    changed = [field for field, text in given.items() if _set(club, field, clean_text(text, field=field))]
    if changed:
        club.save(update_fields=changed)
        note(club, "edited", actor)
    return club


@transaction.atomic
def change_settings(*, club: Club, actor: User | None, name: str, is_private: bool, joining: str) -> Club:
    """Change the name, who may see the club, and how people join it. The address does not change."""
    club = lock(club)
    require(Verb.SETTINGS, club, actor)
    old = club.name
    changed = []
    if _set(club, "name", clean_name(name)):
        changed.append("name")
    if _set(club, "is_private", bool(is_private)):
        changed.append("is_private")
    if changed:
        _refuse_taken(club)
    if _set(club, "joining", _checked_joining(joining)):
        changed.append("joining")
    if changed:
        try:
            with transaction.atomic():
                club.save(update_fields=changed)
        except IntegrityError:
            raise refusals.NameTaken from None
    if "name" in changed:
        note(club, "renamed", actor, old=old, new=club.name)
    if "is_private" in changed:
        note(club, "made_private" if club.is_private else "made_public", actor)
    if "joining" in changed:
        note(club, f"joining_{club.joining}", actor)
    return club


@transaction.atomic
def renew_link(*, club: Club, actor: User | None) -> Club:
    """Make a new link; the old one no longer works."""
    club = lock(club)
    require(Verb.SETTINGS, club, actor)
    club.link_code = _new_code()
    club.save(update_fields=["link_code"])
    note(club, "link_renewed", actor)
    return club


@transaction.atomic
def set_officer(*, club: Club, actor: User | None, member: User, is_officer: bool) -> None:
    """Make a member an officer, or an officer a member. Doing it twice changes nothing."""
    club = lock(club)
    require(Verb.ROLES, club, actor)
    membership = membership_of(club, member)
    if membership.role == Role.OWNER:
        raise refusals.OwnerStays
    role = Role.OFFICER if is_officer else Role.MEMBER
    if membership.role != role:
        membership.role = role
        membership.save(update_fields=["role"])
        note(club, "officer_made" if is_officer else "officer_unmade", actor, member)


@transaction.atomic
def hand_over(*, club: Club, actor: User | None, member: User, by_site: bool = False) -> None:
    """Give the club to another member; the old owner becomes an officer. `by_site`: the site's operators do it, who need no role."""
    club = lock(club)
    _require(Verb.HAND_OVER, club, actor, by_site=by_site)
    heir = membership_of(club, member)
    if heir.role == Role.OWNER:
        raise refusals.AlreadyOwner
    if not member.is_active:
        raise refusals.AccountClosed
    Membership.objects.filter(club=club, role=Role.OWNER).update(role=Role.OFFICER)  # first: a club has one owner at any moment
    heir.role = Role.OWNER
    heir.save(update_fields=["role"])
    note(club, "handed_by_site" if by_site else "handed_over", actor, member)


@transaction.atomic
def close_club(*, club: Club, actor: User | None, by_site: bool = False) -> Club:
    """Close a club: open tables close, requests and invitations go, and it can no longer change; running games are played out.

    `by_site`: the site's operators do it, who need no role.
    """
    club = lock(club)
    _require(Verb.CLOSE, club, actor, by_site=by_site)
    club_closing.send(Club, club=club)
    JoinRequest.objects.filter(club=club).delete()
    invited = list(Invitation.objects.filter(club=club).values_list("user_id", flat=True))
    Invitation.objects.filter(club=club).delete()
    club.closed_at = timezone.now()
    club.save(update_fields=["closed_at"])
    note(club, "closed_by_site" if by_site else "closed", actor)
    recount(*invited)
    return club


def membership_of(club: Club, user: User) -> Membership:
    """Return the membership of a person. Raises BadValue when they are in another club or in none."""
    found = Membership.objects.filter(club=club, user=user).first()
    if found is None:
        raise refusals.NoSuchMember
    return found


def club_by_code(code: str) -> Club:
    """Return the club that a link leads to. Raises ClubNotFound."""
    club = Club.objects.filter(link_code=code).first() if code else None
    if club is None:
        raise refusals.DeadLink
    return club


def _require(verb: Verb, club: Club, actor: User | None, *, by_site: bool) -> None:
    if not by_site:
        require(verb, club, actor)
    elif club.closed_at is not None:
        raise refusals.ClosedForGood


def _set(club: Club, field: str, value: object) -> bool:
    """Set a field and say whether its value changed."""
    if getattr(club, field) == value:
        return False
    setattr(club, field, value)
    return True


def _checked_joining(joining: str) -> str:
    if joining not in Club.Joining.values:
        raise refusals.BadJoining
    return joining


def _drawn() -> str:
    """Return the random part of a private club's address."""
    return "".join(secrets.choice(LETTERS) for _ in range(DRAWN_LETTERS))


def _new_code() -> str:
    return secrets.token_urlsafe(16)


def _refuse_own(club: Club, person: User) -> None:
    """Refuse the name of a club that its founder belongs to: the two would be confused, and a form is easily sent twice."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if Membership.objects.filter(user=person, club__name__iexact=club.name, club__closed_at=None).exists():
        raise refusals.NameTaken


def _refuse_taken(club: Club) -> None:
    """Refuse a name that another public club has, ignoring case. A private club may have any name. Raises BadValue."""
    if club.is_private:
        return
    if Club.objects.filter(is_private=False, name__iexact=club.name).exclude(pk=club.pk).exists():
        raise refusals.NameTaken
