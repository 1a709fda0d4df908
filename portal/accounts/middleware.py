"""The reader's language: rule pages have it in the URL, all other pages take it from profile, cookie or browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


class LanguageMiddleware:
    """Activates the language and time zone of the request. Order: address, profile, cookie, Accept-Language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        speak_to(request, request.user)
        response = self.get_response(request)
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


def speak_to(request: HttpRequest, reader: Any) -> None:
    """Activate language and time zone for a reader: whoever has the session, or, once it has been read, the token."""
    language = _from_request(request, reader)
    translation.activate(language)
    request.LANGUAGE_CODE = language
    timezone.activate(getattr(reader, "time_zone", None) or "Europe/Budapest")


def _from_request(request: HttpRequest, reader: Any) -> str:
    first = request.path_info.split("/", 2)[1]
    for candidate in (
        first if first in dict(settings.LANGUAGES) else None,
        getattr(reader, "language", None) if reader.is_authenticated else None,
        request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME),
    ):
        if candidate in settings.INTERFACE_LANGUAGES:
            return str(candidate)
    wanted = translation.get_language_from_request(request)
    return wanted if wanted in settings.INTERFACE_LANGUAGES else "en"
