"""What entrants are told of a league: that their game of a round waits, and that a deadline is near."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max
from django.urls import reverse

from portal.clubs.models import Club
from portal.contests.models import League, Pairing, PairingSeat
from portal.notices import outbox
from portal.notices.models import Kind, Notice

NEAR: Final = timedelta(hours=24)
BEGUN: Final = timedelta(days=2)  # as long as a portal may stand still without anybody missing the start of a round


def tell_paired(club: Club, league: League, pairing: Pairing, seats: Sequence[PairingSeat], key: str = "pairing") -> None:
    """Tell the people of a pairing of it."""
    for seat in seats:
        entrant = seat.entrant
        if entrant.user_id is None or entrant.withdrawn_at is not None:
            continue
        names = [other.entrant.name for other in seats if other != seat]
        facts = {"league": league.name, "game": league.game, "names": names, "at": pairing.deadline.isoformat(), "pairing": pairing.pk}
        outbox.tell([entrant.user_id], kind=Kind.SEASON, key=key, path=_path(club, league), facts=facts)


def tell_round(club: Club, league: League, now: datetime) -> int:
    """Tell the people of the round that has just begun of their games, once; return how many games those were.

    A round begins when the one before is over. The first one is told when the league starts, and one that begins with its deadline near by
    `tell_deadlines`. After BEGUN nobody is told of it: the notices that would say who knows may be forgotten by then.
    """
    ends = dict(league.pairings.values_list("round").annotate(Max("deadline")).order_by("round"))
    begun = max((number for number in ends if number - 1 in ends and now - BEGUN < ends[number - 1] <= now), default=None)
    if begun is None:
        return 0
    found = league.pairings.filter(round=begun, table=None, void_at=None, deadline__gt=now + NEAR)
    told = 0
    for pairing in found.prefetch_related("seats__entrant"):
        seats = list(pairing.seats.all())
        people = [seat.entrant.user_id for seat in seats if seat.entrant.user_id is not None]
        known = Notice.objects.filter(user__in=people, kind=Kind.SEASON, key="pairing", path=_path(club, league), facts__pairing=pairing.pk)
        if people and not known.exists():
            tell_paired(club, league, pairing, seats)
            told += 1
    return told


def tell_deadlines(club: Club, league: League, now: datetime) -> int:
    """Tell the people of pairings that nobody has opened and whose deadline is near, once; return how many pairings those were."""
    near = league.pairings.filter(table=None, void_at=None, deadline__gt=now, deadline__lte=now + NEAR)
    told = 0
    for pairing in near.prefetch_related("seats__entrant"):
        seats = list(pairing.seats.all())
        people = [seat.entrant.user_id for seat in seats if seat.entrant.user_id is not None]
        at = pairing.deadline.isoformat()
        known = Notice.objects.filter(user__in=people, kind=Kind.SEASON, key="deadline", path=_path(club, league), facts__at=at)
        if people and not known.exists():
            tell_paired(club, league, pairing, seats, "deadline")
            told += 1
    return told


def _path(club: Club, league: League) -> str:
    return reverse("league", args=[club.slug, league.pk])
