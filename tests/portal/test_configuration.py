"""The table of variables in the docs matches the code, and every fault names its variable."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from kombu import Connection

from portal.configuration import VARIABLES, broker_url, faults, redis_database

ROOT = Path(__file__).resolve().parent.parent.parent
GOOD = {
    "PORT": "80",
    "HOST": "::1",
    "ZIGGURAT_STATE": "/srv/my state",
    "DATABASE_URL": "postgres://me:p%40ss@db:5432/x",
    "REDIS_URL": "unix:///run/valkey.sock?db=3",
    "SECRET_KEY": "k" * 32,
    "ALLOWED_HOSTS": "a.example.org, .example.org",
    "BASE_URL": "https://a.example.org/",
    "EMAIL_URL": "smtp+tls://me:secret@mail.example.org:587",
    "DEFAULT_FROM_EMAIL": "Games <games@example.org>",
    "CONTACT_EMAIL": "o'brien+games@mail.example.org",
    "HOOKS_TO_PRIVATE": "no",
    "DEBUG": "On",
    "WEB_PROCESSES": "2",
    "BOT_PROCESSES": "64",
    "BACKUP_EVERY_H": "0",
    "BACKUP_KEEP": "30",
    "PROXY_COUNT": "1",
    "METRICS_TOKEN": "clay-tablet-from-nippur-7",
    "HSTS_S": "31536000",
}
BAD = {
    "PORT": ["0", "65536", "http", "-1", "8000 "],
    "HOST": ["two words"],
    "ZIGGURAT_STATE": ["a\nb"],
    "DATABASE_URL": ["sqlite:///x", "postgres", "postgres://host:port/x"],
    "REDIS_URL": ["localhost:6379", "http://x"],
    "SECRET_KEY": ["short"],
    "ALLOWED_HOSTS": ["https://a.example.org", "a,,b"],
    "BASE_URL": ["a.example.org", "https://a.example.org/games"],
    "EMAIL_URL": ["mail.example.org", "pop3://x"],
    "DEFAULT_FROM_EMAIL": ["games"],
    "CONTACT_EMAIL": [
        "games",
        "games@",
        "games@localhost",
        "@example.org",
        "a@b@example.org",
        "two words@example.org",
        "<games@example.org>",
        "games@example.org,others@example.org",
        "games@example.org\nContact: x",
        "j\u00e1t\u00e9k@example.org",
        "games@-x.org",
        "games@example.org.",
    ],
    "HOOKS_TO_PRIVATE": ["sometimes"],
    "DEBUG": ["maybe"],
    "WEB_PROCESSES": ["0", "many"],
    "BOT_PROCESSES": ["65"],
    "SMALL": ["tiny"],
    "BACKUP_EVERY_H": ["-1", "0.5", "8761"],
    "BACKUP_KEEP": ["0"],
    "PROXY_COUNT": ["-1"],
    "METRICS_TOKEN": ["short", "with a space, though it is long enough", "ékezetes-és-elég-hosszú"],
    "STREAMS_PER_ADDRESS": ["0"],
    "REQUESTS_PER_ADDRESS": ["501"],
    "RECALL_MS": ["-1", "soon", "10001"],
    "HSTS_S": ["-1", "a year", "63072001"],
    "SENTRY_DSN": ["https://key@sentry.example.org/1"],  # the package is not among our dependencies
}


def test_the_docs_list_every_variable_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.+?) \|", (ROOT / "docs" / "configuration.md").read_text(), re.MULTILINE)
    assert rows == [(variable.name, variable.default) for variable in VARIABLES]


def test_good_values_have_no_fault() -> None:
    assert faults(GOOD) == []
    assert faults(dict.fromkeys(GOOD, "")) == []


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_is_told_by_name(name: str, value: str) -> None:
    (line,) = faults({**GOOD, name: value})
    assert line.startswith(name)
    assert "\n" not in line.replace(value, "")


def test_secrets_are_not_repeated() -> None:
    assert "hush" not in "".join(faults({"DATABASE_URL": "mysql://me:hush@x/y", "EMAIL_URL": "pop3://me:hush@x", "SECRET_KEY": "hush"}))


def test_every_variable_has_a_bad_value_here() -> None:
    assert set(BAD) == {variable.name for variable in VARIABLES}


@pytest.mark.parametrize(
    ("url", "cache", "broker"),
    [
        ("redis://h:6379", "redis://h:6379/1", "redis://h:6379/0"),
        ("redis://:pw@h:6379/4", "redis://:pw@h:6379/5", "redis://:pw@h:6379/4"),
        ("rediss://h/2?ssl_cert_reqs=none", "rediss://h/3?ssl_cert_reqs=none", "rediss://h/2?ssl_cert_reqs=none"),
        ("rediss://:pw@h:6379/0", "rediss://:pw@h:6379/1", "rediss://:pw@h:6379/0?ssl_cert_reqs=required"),
        ("unix:///run/v.sock?db=0", "unix:///run/v.sock?db=1", "redis+socket:///run/v.sock?virtual_host=0"),
        ("unix:///run/v.sock", "unix:///run/v.sock?db=1", "redis+socket:///run/v.sock?virtual_host=0"),
    ],
)
def test_databases_lie_side_by_side(url: str, cache: str, broker: str) -> None:
    assert redis_database(url, 1) == cache
    assert broker_url(url) == broker


def test_the_broker_checks_the_servers_certificate() -> None:
    """Celery takes any certificate unless it is told not to; the other two users of the server check it by themselves."""
    assert Connection(broker_url("rediss://:pw@h:6379/0")).ssl == {"ssl_cert_reqs": ssl.CERT_REQUIRED}


@pytest.mark.parametrize("base", ["", "http://games.example.org"])
def test_browsers_insist_on_tls_only_where_there_is_some(base: str) -> None:
    assert faults({"HSTS_S": "0", "BASE_URL": base}) == []
    (line,) = faults({"HSTS_S": "300", "BASE_URL": base})
    assert line.startswith("HSTS_S")


def hsts(**environ: str) -> Any:
    """Return what the settings say about TLS in an environment."""
    wanted = "import json; from portal import settings as s; print(json.dumps([s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT]))"
    said = subprocess.run(
        [sys.executable, "-c", wanted], cwd=ROOT, env={"PATH": os.environ["PATH"], **environ}, capture_output=True, text=True, check=True
    )
    return json.loads(said.stdout)


def test_hsts_is_off_unless_asked_for(tmp_path: Path) -> None:
    state = str(tmp_path)
    assert hsts(ZIGGURAT_STATE=state, BASE_URL="https://games.example.org") == [0, False]
    assert hsts(ZIGGURAT_STATE=state, BASE_URL="https://games.example.org", HSTS_S="300") == [300, True]
    assert hsts(ZIGGURAT_STATE=state, HSTS_S="300") == [0, False]


@pytest.mark.django_db
def test_with_hsts_plain_requests_are_redirected_and_probes_are_not(settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS, settings.SECURE_SSL_REDIRECT = 300, True
    client = Client(headers={"host": "localhost"})
    plain = client.get("/robots.txt")
    assert (plain.status_code, plain["Location"]) == (301, "https://localhost/robots.txt")
    assert not plain.has_header("Strict-Transport-Security")
    assert client.get("/robots.txt", headers={"X-Forwarded-Proto": "https"})["Strict-Transport-Security"] == "max-age=300"
    assert client.get("/healthz").status_code == 200


def test_no_lock_names_a_registry() -> None:
    locks = sorted(ROOT.glob("requirements*.lock"))
    assert [lock.name for lock in locks] == ["requirements-test.lock", "requirements-uv.lock", "requirements.lock"]
    for lock in locks:
        assert "://" not in lock.read_text()
        assert "--hash=sha256:" in lock.read_text()


def test_pages_are_guarded_by_a_strict_policy(settings: Any) -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert "'unsafe-inline'" not in str(directives)
    assert "'unsafe-eval'" not in str(directives)
    assert directives["object-src"] == directives["frame-ancestors"] == ["'none'"]
