"""Every other verb of the site, by everybody; and that no verb is missing.

A new address that takes a POST belongs in `verbs.py`, `elsewhere.py` or `clubs.py`; the test fails until it is there.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.urls import resolve

from portal.tables.models import Table
from tests.portal.hostile.addresses import addresses
from tests.portal.permissions import clubs, elsewhere, verbs
from tests.portal.permissions.trying import browser_of, faults_of

pytestmark = pytest.mark.django_db
APPS = (
    *("accounts", "notices", "clubs", "tables", "talk", "studies", "people", "ratings", "contests"),
    *("matching", "matches", "bots", "site"),
)
ALIKE_TO_ALL = {"metrics"}  # not for people: 404 to whatever they send
CREDENTIALS = ("account_", "mfa_")  # what one signs in with: tests/portal/accounts


def test_every_address_that_takes_a_post_is_listed(world, unlimited):
    """What is in no list answers 405 to a POST, even of somebody who may see it."""
    listed = {verb.name for verb in (*verbs.VERBS, *elsewhere.VERBS)} | {resolve(verb.path(world, None)).url_name for verb in clubs.VERBS}
    client, place = browser_of(world.people["player"]), world.places[0]
    tables = tuple(Table.objects.get(pk=pk) for pk in (place.playing, place.open, place.ended))
    missing, found = [], set()
    for app in APPS:
        for pattern in import_module(f"portal.{app}.urls").urlpatterns:
            name = getattr(pattern, "name", None)
            if name is None or name.startswith(CREDENTIALS):
                continue
            found.add(name)
            address = next(addresses(str(pattern.pattern), world.club, world.people["opponent"], tables, {}))
            if name not in listed | ALIKE_TO_ALL and client.post(f"/{address}").status_code != 405:
                missing.append(name)
    assert not missing
    assert listed <= found


def test_verbs_elsewhere(world, unlimited):
    faults = []
    for verb in elsewhere.VERBS:
        faults += faults_of(verb, world, SimpleNamespace(key="site"), verbs.ALL)
    assert not faults, "\n".join(faults)


def test_verbs_of_a_private_club(world, unlimited):
    faults = []
    for verb in clubs.VERBS:
        faults += faults_of(verb, world, SimpleNamespace(key="club"), elsewhere.MEMBERS)
    assert not faults, "\n".join(faults)
