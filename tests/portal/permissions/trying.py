"""Tries a verb as everybody, and tells what is not as it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.portal.clubs.test_permissions import taken_back
from tests.portal.permissions.verbs import LOGIN, ROLES, Verb

DONE: Final = (200, 201, 204, 302, 303)
READS: Final = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def rows() -> dict[str, str]:
    """Return a digest of each table of the site but the sessions."""
    names = sorted({model._meta.db_table for model in apps.get_models()} - {"django_session"})
    digest = "(SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM {} AS t)"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(digest.format(connection.ops.quote_name(name)) for name in names)}")
        return dict(zip(names, cursor.fetchone(), strict=True))


@contextmanager
def writes() -> Iterator[list[str]]:
    """Note the statements that write anything but a session: without one, there is nothing to compare."""
    noted: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(READS) and "django_session" not in sql:
            noted.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield noted


def expected(verb: Verb, role: str, sees: frozenset[str]) -> tuple[int, bool]:
    """Return the answer (0: any of DONE) and whether something changes."""
    if role not in sees:
        return verb.hidden.get(role, 404), False
    if role in verb.by or role in verb.idle:
        return 0, role in verb.by
    return verb.answers.get(role, verb.refused), False


def browser_of(user: Any) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def answer_to(client: Client, address: str, sent: Any, method: str = "") -> int:
    """Return the status of an answer to the form of a page, or with a method to a request of the API."""
    if method:
        return client.generic(method, address, json.dumps(sent), content_type="application/json").status_code
    answer = client.post(address, sent)
    asks = answer.status_code == 302 and answer.url.startswith(
        (reverse("account_login"), reverse("account_signup"), reverse("delete-guest"))
    )
    return LOGIN if asks else answer.status_code


def faults_of(
    verb: Verb,
    world: Any,
    place: Any,
    sees: frozenset[str],
    roles: Iterable[str] = ROLES,
    clients: Mapping[str, Client] | None = None,
) -> Iterator[str]:
    """Try a verb as everybody, each time from the same state; yield what is not as it is written. Without `clients`, everybody has a browser."""
    with taken_back():
        if verb.before is not None:
            verb.before(world, place)
        numbers = [getattr(place, verb.at, None) or getattr(world, verb.at)] if verb.at else []
        args = verb.args(world, place) if verb.args is not None else numbers
        address = verb.path(world, place) if verb.path is not None else reverse(verb.name, args=args)
        sent = verb.sent(world, place) if callable(verb.sent) else verb.sent
        for role in roles:
            status, is_done = expected(verb, role, sees)
            client = clients[role] if clients is not None else browser_of(world.people[role])
            after = None
            with taken_back():
                with writes() as noted:
                    given = answer_to(client, address, sent, verb.method)
                if noted and not is_done:
                    after = rows()
            if (given != status) if status else (given not in DONE):
                yield f"{place.key}: {verb} as {role}: {given}, not {status or 'done'}"
            if is_done and not noted:
                yield f"{place.key}: {verb} as {role} changed nothing"
            if after is not None:
                before = rows()
                if changed := [name for name in before if before[name] != after[name]]:
                    yield f"{place.key}: {verb} as {role} changed {changed}"
