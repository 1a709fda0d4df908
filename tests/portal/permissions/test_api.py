"""Every operation of the API, by everybody, each with a token: what each gets as an answer, and that a refusal changes nothing.

A new operation belongs in `api_verbs.py`; the test fails until it is there.
"""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

from portal.accounts.services import token_for_sign_in
from tests.portal.permissions import api_verbs, verbs
from tests.portal.permissions.test_at_tables import ALIKE
from tests.portal.permissions.trying import faults_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clients(world) -> dict[str, Client]:
    tokens = {role: token_for_sign_in(user=person) for role, person in world.people.items() if person is not None}
    return {role: Client(headers={"authorization": f"Token {tokens[role]}"} if role in tokens else None) for role in world.people}


@pytest.mark.parametrize("key", ["public", "club", "link"])
def test_operations_at_tables(world, clients, unlimited, key):
    place = next(place for place in world.places if place.key == key)
    roles = [role for role in verbs.ROLES if role not in ALIKE[key]]
    faults = []
    for verb in api_verbs.AT_TABLES:
        if key in verb.only_at:
            at_open = {"invited"} if verb.at in ("open", "invitation") else set()
            sees = place.sees | at_open if verb.sees is None else verb.sees
            faults += faults_of(verb, world, place, sees, roles, clients)
    assert not faults, "\n".join(faults)


def test_operations_elsewhere(world, clients, unlimited):
    faults = []
    for verb in api_verbs.ELSEWHERE:
        faults += faults_of(verb, world, SimpleNamespace(key="site"), verbs.ALL, clients=clients)
    assert not faults, "\n".join(faults)


def test_every_operation_of_the_schema_is_listed():
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    listed = {(verb.method, verb.name) for verb in (*api_verbs.AT_TABLES, *api_verbs.ELSEWHERE)}
    found = {
        (method.upper(), resolve(re.sub(r"\{\w+\}", "1", path)).url_name)
        for path, methods in paths.items()
        for method in methods
        if method in ("get", "post", "put", "patch", "delete")
    }
    assert found == listed
