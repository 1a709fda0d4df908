"""The database of a site of release 0.2, brought to this release as `manage.py migrate` does it."""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from portal.common import backups
from portal.tables.models import Table
from tests.portal.upgrade.locks import Watch

RELEASE = Path(__file__).parent / "release_0_2.sql.xz"
KEY = "the key of an invented site of release 0.2, for tests"


@dataclass
class Before:
    """What the site knew before the update."""

    tables: dict[int, tuple[Any, ...]]  # rules_version, status, version, state, undone
    tokens: dict[str, str]  # token -> name
    sessions: list[str]
    mails: int
    migrations: set[tuple[str, str]]
    columns: set[tuple[str, str]]  # table, name
    watch: Watch = field(default_factory=Watch)


def rows(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


@pytest.fixture(scope="module")
def released(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The database as the release left it, in place of the suite's own for the tests of a module."""
    with django_db_blocker.unblock(), override_settings(SECRET_KEY=KEY):
        server, own = backups.database_params(), connection.settings_dict["NAME"]
        name = f"released_{os.getpid()}"
        with psycopg.connect(**{**server, "dbname": "postgres"}, autocommit=True) as outside:
            outside.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            outside.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8'")
            with psycopg.connect(**{**server, "dbname": name}) as session:
                session.execute(lzma.decompress(RELEASE.read_bytes()))
            _point_at(name)
            yield
            _point_at(own)
            outside.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _point_at(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
    ContentType.objects.clear_cache()
    cache.clear()


@pytest.fixture(scope="module")
def before(released: None) -> Before:
    """Bring it to this release, statement by statement watched; what it knew before."""
    found = Before(
        tables={pk: rest for pk, *rest in rows("SELECT id, rules_version, status, version, state, undone FROM tables_table")},
        tokens=dict(rows("SELECT key, username FROM authtoken_token t JOIN accounts_user u ON u.id = t.user_id")),
        sessions=[key for (key,) in rows("SELECT session_key FROM django_session ORDER BY expire_date")],
        mails=rows("SELECT count(*) FROM accounts_outgoingmail WHERE sent_at IS NULL")[0][0],
        migrations=set(rows("SELECT app, name FROM django_migrations")),
        columns=set(rows("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'")),
    )
    with connection.execute_wrapper(found.watch):
        call_command("migrate", verbosity=0)
    assert set(found.tables) == set(Table.objects.values_list("pk", flat=True))
    return found
