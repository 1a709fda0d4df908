"""Every verb at tables and in studies, by everybody: what each gets as an answer, and that a refusal changes nothing."""

from __future__ import annotations

import pytest

from tests.portal.permissions.trying import faults_of
from tests.portal.permissions.verbs import ROLES, VERBS

pytestmark = pytest.mark.django_db
ALIKE = {  # roles that are like others there: strangers, members, spectators
    "public": set(),
    "club": {"guest", "officer", "spectator"},
    "link": {"guest", "officer", "stranger"},
}


@pytest.mark.parametrize("key", ["public", "club", "link"])
def test_verbs_at_tables_and_in_studies(world, unlimited, key):
    place = next(place for place in world.places if place.key == key)
    roles = [role for role in ROLES if role not in ALIKE[key]]
    faults = []
    for verb in VERBS:
        if key in verb.only_at:
            at_open = {"invited"} if verb.at in ("open", "invitation") else set()
            sees = place.sees | at_open if verb.sees is None else verb.sees
            faults += faults_of(verb, world, place, sees, roles)
    assert not faults, "\n".join(faults)
