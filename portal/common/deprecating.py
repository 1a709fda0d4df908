"""How something leaves the API: it is deprecated first, and says so in the schema and in headers; half a year later it may be gone.

Headers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to what the page of the API says of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.http import http_date

NOTICE: Final = timedelta(days=182)
PAGE: Final = "/api/docs/"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Since when something is deprecated, and the first day on which it may be gone. Raises ValueError for less than half a year between them."""

    since: date
    until: date

    def __post_init__(self) -> None:
        if self.until - self.since < NOTICE:
            raise ValueError(f"programs need {NOTICE.days} days of notice, not {(self.until - self.since).days}")

    @property
    def headers(self) -> dict[str, str]:
        """What the answers of a deprecated operation say."""
        return {
            "Deprecation": f"@{_seconds(self.since)}",
            "Sunset": http_date(_seconds(self.until)),
            "Link": f'<{settings.BASE_URL}{PAGE}>; rel="deprecation"; type="text/html"',
        }

    @property
    def marks(self) -> dict[str, Any]:
        """What the schema says of it."""
        return {"deprecated": True, "x-sunset": self.until.isoformat()}


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
