"""The people whom the owner of a study chooses, its title, its link, and its end."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from portal.accounts.blocks import may_invite
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.accounts.pseudonyms import name_of
from portal.clubs.models import Club
from portal.studies import refusals
from portal.studies.access import NO_CODES, Opened, Role
from portal.studies.models import Guest, Study
from portal.studies.services import changing, new_code, title_of

MAX_GUESTS: Final = 50
Visibility = Study.Visibility


def set_up(*, study_id: int, user: User | None, title: str, visibility: str, club: str = "") -> None:
    """Change the title of a study and who may look.

    Raises OwnerOnly, NoTitle, TitleTooLong, UnknownVisibility, GuestsShareNothing, NotYourClub, and TableTooPrivate if a study would be open to
    everyone whose table is not.
    """
    with changing(study_id, user, NO_CODES, least=Role.OWNER) as opened:
        study = opened.study
        study.title = title_of(title)
        if visibility not in Visibility.values:
            raise refusals.UnknownVisibility
        if visibility != Visibility.ME:
            _require_account(user)
        if visibility == Visibility.PUBLIC and not opened.is_public:
            raise refusals.TableTooPrivate
        study.club = _club_of(user, club) if visibility == Visibility.CLUB else None
        study.visibility = visibility
        study.save(update_fields=["title", "visibility", "club"])


def let_in(*, study_id: int, user: User | None, name: str, may_add: bool) -> User:
    """Let somebody look, or add to the study as well; somebody who is in gets the other right. Nobody learns whether they are blocked.

    The study is then open to chosen people, if it was open to nobody. Raises OwnerOnly, GuestsShareNothing, NobodyOfThatName, IsOwner, NotReachable
    and TooManyGuests.
    """
    with changing(study_id, user, NO_CODES, least=Role.OWNER) as opened:
        owner = _require_account(user)
        person = person_named(name)
        if person is None:
            raise refusals.NobodyOfThatName
        if person.pk == owner.pk:
            raise refusals.IsOwner
        guests = Guest.objects.filter(study=opened.study)
        if not guests.filter(user=person).exists():
            if not may_invite(owner, person):
                raise refusals.NotReachable(name=name_of(person))
            if guests.count() >= MAX_GUESTS:
                raise refusals.TooManyGuests(limit=MAX_GUESTS)
        Guest.objects.update_or_create(study=opened.study, user=person, defaults={"may_add": may_add})
        _open_to_people(opened)
        return person


def put_out(*, study_id: int, user: User | None, person_id: int) -> None:
    """Take somebody out again; twice is once. Raises OwnerOnly."""
    with changing(study_id, user, NO_CODES, least=Role.OWNER) as opened:
        Guest.objects.filter(study=opened.study, user=person_id).delete()


def renew_link(*, study_id: int, user: User | None) -> None:
    """Give a study a new link; the old one stops working at once, also for those who have followed it. Raises OwnerOnly."""
    with changing(study_id, user, NO_CODES, least=Role.OWNER) as opened:
        opened.study.link_code = new_code()
        opened.study.save(update_fields=["link_code"])


def delete_study(*, study_id: int, user: User | None) -> None:
    """Delete a study with all its lines. Raises OwnerOnly."""
    with transaction.atomic():
        with changing(study_id, user, NO_CODES, least=Role.OWNER) as opened:
            study = opened.study
        study.delete()


def _require_account(user: User | None) -> User:
    if user is None or user.is_guest:
        raise refusals.GuestsShareNothing
    return user


def _club_of(user: User | None, slug: str) -> Club:
    found = Club.objects.filter(slug=slug, closed_at=None, memberships__user=user).first()
    if found is None:
        raise refusals.NotYourClub
    return found


def _open_to_people(opened: Opened) -> None:
    if opened.study.visibility == Visibility.ME:
        opened.study.visibility = Visibility.PEOPLE
        opened.study.save(update_fields=["visibility"])
