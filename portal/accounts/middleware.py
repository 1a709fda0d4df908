"""The reader's language: rule pages have it in the URL, all other pages take it from profile, cookie or browser."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


class LanguageMiddleware:
    """Activates the language and time zone of the request. Order: address, profile, cookie, Accept-Language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = _from_request(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        zone = getattr(request.user, "time_zone", None) or "Europe/Budapest"
        timezone.activate(zone)
        response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


def _from_request(request: HttpRequest) -> str:
    first = request.path_info.split("/", 2)[1]
    for candidate in (
        first if first in dict(settings.LANGUAGES) else None,
        getattr(request.user, "language", None) if request.user.is_authenticated else None,
        request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME),
    ):
        if candidate in settings.INTERFACE_LANGUAGES:
            return str(candidate)
    wanted = translation.get_language_from_request(request)
    return wanted if wanted in settings.INTERFACE_LANGUAGES else "en"
