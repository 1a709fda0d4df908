"""Open tables for people of about one's own strength."""

from __future__ import annotations

from typing import Final

from django.db.models import Case, Exists, FloatField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from games.registry import GAMES
from portal.accounts.models import User
from portal.ratings.books import ladder_key
from portal.ratings.formula import MU, POINTS_A_UNIT
from portal.ratings.models import Pool, Rating
from portal.tables.models import Seat, Table

NEAR_POINTS: Final = 200


def near(user: User | None, tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return the tables where nobody's rating in the game differs from the reader's by more than `NEAR_POINTS`; newcomers count as such."""
    keys = {ladder_key(Pool.PEOPLE, game): game for game in GAMES}
    mine = dict.fromkeys(GAMES, MU)
    if user is not None:
        rows = Rating.objects.filter(user=user, ladder__key__in=keys).values_list("ladder__key", "mu")
        mine.update({keys[key]: mu for key, mu in rows})
    theirs = Subquery(
        Rating.objects.filter(user=OuterRef("user"), ladder__key__in=keys, ladder__game=OuterRef("table__game")).values("mu")[:1]
    )
    own = Case(*(When(table__game=game, then=Value(mu)) for game, mu in mine.items()), default=Value(MU), output_field=FloatField())
    far = Seat.objects.filter(table=OuterRef("pk"), user__isnull=False).annotate(away=Coalesce(theirs, Value(MU)) - own)
    range_ = NEAR_POINTS / POINTS_A_UNIT
    return tables.exclude(Exists(far.filter(away__gt=range_))).exclude(Exists(far.filter(away__lt=-range_)))
