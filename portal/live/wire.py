"""Names of keys and channels on the wire. Valkey's databases share their channels, so channel names contain the database number."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from django.conf import settings

VERSION_KEPT_S = 30 * 24 * 3600


def place_of_study(number: int) -> int:
    """Return the number by which a study is known where tables are known by theirs: tables have the positive numbers, studies the others."""
    return -number


def version_key(place: int) -> str:
    """Return the key that holds the last published version of a table or a study."""
    return f"table:{place}:version" if place > 0 else f"study:{-place}:version"


def channel_prefix(of: str = "table") -> str:
    """Return the prefix of this portal's channels: versions of tables, or of studies (`study`), chats (`talk`), spectators (`watch`), or the whole site (`news`)."""
    parts = urlsplit(settings.LIVE_REDIS_URL)
    number = parse_qs(parts.query).get("db", [parts.path.strip("/")])[-1] if parts.scheme == "unix" else parts.path.strip("/")
    return f"ziggurat:{number or 0}:{of}:"
