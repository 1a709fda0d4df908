"""The demo club of `manage.py seed_demo`."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from portal.accounts.models import User
from portal.clubs import announcements, calendar, services, ways_in
from portal.clubs.models import Club
from portal.contests import seasons

NAME = "Enlil"


def demo_club(owner: User, officer: User) -> Club:
    """Return the club, created if missing: with an announcement, a club night next week and a running season."""
    if (found := Club.objects.filter(name=NAME, is_private=False).first()) is not None:
        return found
    club = services.create_club(
        owner=owner,
        name=NAME,
        about_en="Budapest and Kazan, Thursdays at eight. Who wants to play with us asks.",
        about_hu="Budapest és Kazany, csütörtökönként nyolckor. Aki velünk játszana, kérje a felvételét.",
        about_ru="Будапешт и Казань, по четвергам в восемь. Кто хочет играть с нами, подаёт просьбу.",
        joining=Club.Joining.REQUEST,
    )
    ways_in.join_by_link(code=club.link_code, user=officer)
    services.set_officer(club=club, actor=owner, member=officer, is_officer=True)
    announcements.announce(club=club, actor=owner, title="Welcome", text="New here? Take a seat at the open table.", is_pinned=True)
    next_week = timezone.localtime(timezone=ZoneInfo(owner.time_zone)) + timedelta(days=7)
    calendar.create_evening(
        club=club, actor=officer, title="Club evening", starts_at=next_week.replace(hour=20, minute=0, second=0, microsecond=0), game="ra"
    )
    seasons.make_season(club=club, actor=owner, name="First season", ends_at=timezone.now() + timedelta(days=90))
    return Club.objects.get(pk=club.pk)
