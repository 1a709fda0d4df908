"""Context that every page gets."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from games.registry import GAMES


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the games (the first where there is only one link), the languages of the switch, and the reader's theme and colours."""
    return {
        "all_games": list(GAMES.values()),
        "interface_languages": [(code, dict(settings.LANGUAGES)[code]) for code in settings.INTERFACE_LANGUAGES],
        "theme": _theme(request),
        "colours": _colours(request),
    }


def _theme(request: HttpRequest) -> str:
    """The chosen theme, from the profile, or from a cookie for visitors; empty = as the device."""
    user = getattr(request, "user", None)
    chosen = user.theme if user is not None and user.is_authenticated else request.COOKIES.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""


def _colours(request: HttpRequest) -> str:
    """The colours of pieces if the reader has chosen others than the usual ones. A visitor's choice stays in the browser (`visitor.js`)."""
    user = getattr(request, "user", None)
    chosen = user.colours if user is not None and user.is_authenticated else "standard"
    return "" if chosen == "standard" else str(chosen)
