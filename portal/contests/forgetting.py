"""Names that contests have written down are replaced when a person is gone."""

from __future__ import annotations

from django.db.models import F, Func, JSONField, Value

from portal.clubs.models import ClubEntry
from portal.contests.models import Entrant, Honour


def forget_name(*, user_id: int, old: str, new: str, **_signal: object) -> None:
    """Write a pseudonym into leagues, honours and the clubs' logs of leagues. Bots may have the same name as a person: theirs stay."""
    for model in (Entrant, Honour):
        model.objects.filter(name=old, user=user_id).update(name=new)
    renamed = Func(F("values"), Value("{entrant}"), Value(new, JSONField()), function="jsonb_set")
    ClubEntry.objects.filter(values__entrant=old, subject=user_id).update(values=renamed)
