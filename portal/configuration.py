"""The environment variables of the portal: one table, checked before anything starts (docs/configuration.md repeats it)."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
MAIL_SCHEMES = ("consolemail", "filemail", "memorymail", "dummymail", "smtp", "smtps", "smtp+tls", "smtp+ssl")


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable. `fault` says what a value must be, or returns None when it is good."""

    name: str
    default: str  # as the docs show it
    fault: Callable[[str], str | None]


def _number(low: int, high: int) -> Callable[[str], str | None]:
    def fault(value: str) -> str | None:
        good = value.isascii() and value.isdigit() and low <= int(value) <= high
        return None if good else f"a number from {low} to {high}"

    return fault


def _address(*schemes: str, example: str) -> Callable[[str], str | None]:
    def fault(value: str) -> str | None:
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 (raises ValueError when it is none)
        except ValueError:
            return f"an address such as {example}"
        return None if parts.scheme in schemes and (parts.netloc or parts.path) else f"an address such as {example}"

    return fault


def _base(value: str) -> str | None:
    wrong = _address("http", "https", example="https://games.example.org")(value)
    return wrong or ("an address without a path" if urlsplit(value).path not in ("", "/") else None)


def _truth(value: str) -> str | None:
    return None if value.lower() in TRUE + FALSE else "on or off"


def _word(value: str) -> str | None:
    return None if value and not any(sign.isspace() for sign in value) else "one word without spaces"


def _folder(value: str) -> str | None:
    return None if value and "\0" not in value and "\n" not in value else "a path"


def _hosts(value: str) -> str | None:
    good = all(name.strip() and "/" not in name and not any(sign.isspace() for sign in name.strip()) for name in value.split(","))
    return None if good else "host names with commas between them, such as games.example.org,localhost"


def _secret(value: str) -> str | None:
    return None if len(value) >= 32 else "at least 32 characters long"


def _token(value: str) -> str | None:
    good = len(value) >= 20 and value.isascii() and value.isprintable() and " " not in value
    return None if good else "at least 20 characters long, letters and digits best"


def _sentry(value: str) -> str | None:
    if importlib.util.find_spec("sentry_sdk") is None:
        return "left out, or the package sentry-sdk installed: .venv/bin/python -m pip install sentry-sdk"
    return _address("https", "http", example="https://key@sentry.example.org/1")(value)


def _sender(value: str) -> str | None:
    return None if "@" in value and "\n" not in value else "a sender such as Ziggurat <games@example.org>"


# As in RFC 5322 without quotes, and a host with a dot. Nothing that a header, a line of a file or a page would read otherwise.
_MAILBOX = re.compile(
    r"(?=.{1,254}\Z)[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]\Z", re.ASCII | re.IGNORECASE
)


def _mailbox(value: str) -> str | None:
    return None if _MAILBOX.match(value) else "an email address such as games@example.org"


VARIABLES = (
    Variable("PORT", "8000", _number(1, 65535)),
    Variable("HOST", "127.0.0.1", _word),
    Variable("ZIGGURAT_STATE", "var/", _folder),
    Variable(
        "DATABASE_URL", "embedded PostgreSQL", _address("postgres", "postgresql", example="postgres://user:password@host:5432/ziggurat")
    ),
    Variable("REDIS_URL", "embedded Valkey", _address("redis", "rediss", "unix", example="redis://host:6379/0")),
    Variable("SECRET_KEY", "made once", _secret),
    Variable("ALLOWED_HOSTS", "HOST and the host of BASE_URL", _hosts),
    Variable("BASE_URL", "http://HOST:PORT", _base),
    Variable("EMAIL_URL", "consolemail://", _address(*MAIL_SCHEMES, example="smtp+tls://user:password@mail.example.org:587")),
    Variable("DEFAULT_FROM_EMAIL", "Ziggurat <ziggurat@localhost>", _sender),
    Variable("CONTACT_EMAIL", "none", _mailbox),
    Variable("HOOKS_TO_PRIVATE", "off", _truth),
    Variable("DEBUG", "off", _truth),
    Variable("WEB_PROCESSES", "2; with SMALL or a single core 1", _number(1, 64)),
    Variable("BOT_PROCESSES", "1", _number(1, 64)),
    Variable("SMALL", "off", _truth),
    Variable("BACKUP_EVERY_H", "24", _number(0, 8760)),
    Variable("BACKUP_KEEP", "7", _number(1, 10_000)),
    Variable("RECALL_MS", "2000", _number(0, 10_000)),
    Variable("PROXY_COUNT", "0", _number(0, 10)),
    Variable("STREAMS_PER_ADDRESS", "300", _number(1, 15_000)),
    Variable("REQUESTS_PER_ADDRESS", "50", _number(1, 500)),
    Variable("METRICS_TOKEN", "none", _token),
    Variable("HSTS_S", "0", _number(0, 63_072_000)),
    Variable("SENTRY_DSN", "none", _sentry),
)


# How long one kind of work may hold up others in the database, in milliseconds: waiting for somebody's lock, one statement, and a
# transaction in which nothing happens. Commands that a person starts (a recount, a migration) have no limits, unless they are called an
# update: while a migration waits for a lock, everybody who needs the same table waits behind it, so it stops waiting before pages do.
DATABASE_LIMITS = {
    "pages": {"lock_timeout": 1_000, "statement_timeout": 10_000, "idle_in_transaction_session_timeout": 15_000},
    "tasks": {"lock_timeout": 2_000, "statement_timeout": 60_000, "idle_in_transaction_session_timeout": 15_000},
    "update": {"lock_timeout": 500},
}
# A machine that is cut off says no goodbye. Both ends notice within some 15 s, and the server then gives back what it had locked.
_SERVER_NOTICES = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 3, "tcp_keepalives_count": 3, "tcp_user_timeout": 12_000}
CLIENT_NOTICES = {"keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 12_000}


def is_remote(database: Mapping[str, Any]) -> bool:
    """Return whether a database of Django's settings is reached by TCP."""
    return bool(database.get("HOST")) and not str(database["HOST"]).startswith("/")


def database_session(work: str, *, remote: bool) -> dict[str, str]:
    """Return what a session in PostgreSQL is set to for a kind of work in `DATABASE_LIMITS`; any other has no limits.

    The portal sets it when it has connected: options in the address, which would do the same, do not pass through a connection pooler.
    """
    numbers = DATABASE_LIMITS.get(work, {}) | (_SERVER_NOTICES if remote else {})
    # For `portal.common.prepared`: statements are planned once for all values.
    return {"plan_cache_mode": "force_generic_plan"} | {name: str(number) for name, number in numbers.items()}


def worker_options(worker: str) -> dict[str, str]:
    """Return the options of Celery's transport for a worker of this name; none without a name.

    It keeps what it has not acknowledged under its own name, and requeues it when it restarts.
    """
    return {f"unacked{part}_key": f"unacked{part}:{worker}" for part in ("", "_index", "_mutex")} if worker else {}


def faults(environ: Mapping[str, str]) -> list[str]:
    """Return one line for each variable with an unusable value; an empty value counts as not set."""
    found = []
    for variable in VARIABLES:
        if value := environ.get(variable.name, ""):
            needed = variable.fault(value)
            if needed:
                shown = (
                    ""
                    if variable.name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SENTRY_DSN", "METRICS_TOKEN")
                    else f"={value!r}"
                )
                found.append(f"{variable.name}{shown} is no use: it must be {needed}.")
    if not found and int(environ.get("HSTS_S") or 0) and not environ.get("BASE_URL", "").startswith("https://"):
        found.append("HSTS_S is no use unless BASE_URL starts with https://: browsers would ask for pages that nobody serves.")
    return found


def web_processes(*, small: bool) -> int:
    """Return how many web processes run unless `WEB_PROCESSES` says so: two halve the wait where one would keep a core busy."""
    return 1 if small or os.cpu_count() == 1 else 2


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the state folder: ZIGGURAT_STATE, or `var` beside the code."""
    return Path(environ.get("ZIGGURAT_STATE") or Path(__file__).resolve().parent.parent / "var").absolute()


def redis_database(url: str, offset: int) -> str:
    """Return `url` with its database number raised by `offset`: broker, cache and live versions are side by side."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.scheme == "unix":
        query["db"] = str(int(query.get("db", 0)) + offset)
        return f"unix://{parts.netloc}{parts.path}?{urlencode(query)}"
    number = int(query.pop("db", parts.path.strip("/") or 0)) + offset
    return urlunsplit(parts._replace(path=f"/{number}", query=urlencode(query)))


def broker_url(url: str) -> str:
    """Return `url` in the form that Celery reads. With TLS the server has to prove who it is, unless `url` says otherwise: Celery would not ask."""
    url = redis_database(url, 0)
    parts = urlsplit(url)
    if parts.scheme == "rediss":
        query = {"ssl_cert_reqs": "required"} | {name: values[-1] for name, values in parse_qs(parts.query).items()}
        return urlunsplit(parts._replace(query=urlencode(query)))
    if parts.scheme != "unix":
        return url
    password = f":{parts.password}@" if parts.password else ""
    return f"redis+socket://{password}{parts.path}?virtual_host={parse_qs(parts.query)['db'][-1]}"
