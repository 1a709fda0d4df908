"""Context that every page gets."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from games.registry import GAMES

USUAL_LOOKS: Final = {"colours": "standard", "pieces": "fine", "board_size": "usual"}


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the games (the first where there is only one link), the languages of the switch, the reader's theme, and how boards look to them."""
    return {
        "all_games": list(GAMES.values()),
        "interface_languages": [(code, dict(settings.LANGUAGES)[code]) for code in settings.INTERFACE_LANGUAGES],
        "theme": _theme(request),
        "looks": _looks(request),
    }


def _theme(request: HttpRequest) -> str:
    """The chosen theme, from the profile, or from a cookie for visitors; empty = as the device."""
    user = getattr(request, "user", None)
    chosen = user.theme if user is not None and user.is_authenticated else request.COOKIES.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""


def _looks(request: HttpRequest) -> dict[str, str]:
    """Return what the reader has chosen otherwise than usual: colours, pieces, size of the board. Visitors keep it in the browser (`visitor.js`)."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    chosen = {name: str(getattr(user, name)) for name in USUAL_LOOKS}
    return {name: value for name, value in chosen.items() if value != USUAL_LOOKS[name]}
