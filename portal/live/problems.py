"""The one shape of the API's errors (RFC 9457, "problem details"), wherever in the server they arise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

CONTENT_TYPE: Final = "application/problem+json"
TYPES: Final = "/api/docs/"  # the page that explains each code
TITLES: Final[dict[int, str]] = {
    400: gettext_noop("Invalid request"),
    401: gettext_noop("Not signed in"),
    403: gettext_noop("Not allowed"),
    404: gettext_noop("Not found"),
    405: gettext_noop("Method not allowed"),
    406: gettext_noop("No such format"),
    408: gettext_noop("Too slow"),
    409: gettext_noop("Not possible now"),
    413: gettext_noop("Too large"),
    415: gettext_noop("JSON only"),
    422: gettext_noop("Refused"),
    429: gettext_noop("Too many requests"),
    500: gettext_noop("Server error"),
    503: gettext_noop("Not available now"),
}


def problem(
    status: int, code: str, reason: str, *, rule: str | None = None, rule_url: str | None = None, errors: Sequence[dict[str, str]] = ()
) -> dict[str, Any]:
    """Return the body of an error in the active language. `error` has what programs knew before there was the rest.

    `errors` names the values that are wrong: each with `field`, a path such as "pace.kind" ("" for the whole body), and `reason`.
    """
    return {
        "type": f"{settings.BASE_URL}{TYPES}#problem-{code}",
        "title": _(TITLES[status] if status in TITLES else TITLES[400 if status < 500 else 500]),
        "status": status,
        "detail": reason,
        "rule": rule,
        "errors": list(errors),
        "error": {"code": code, "reason": reason, "rule": rule, "rule_url": rule_url},
    }


def is_of_api(path: str) -> bool:
    """Say whether whoever asks for a path is a program."""
    return path.startswith("/api/")
