"""Pages that say what the site is and does: about, help, privacy, terms, contact; and the file `security.txt`."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.site import helping, keeping

VALID: Final = timedelta(days=180)  # of security.txt from today; RFC 9116 recommends less than a year


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What the site is, whose games they are, and where to read more."""
    return render(request, "site/about.html")


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Answers to what newcomers ask."""
    numbers = helping.numbers()
    groups = [(group, [(one, [str(answer) % numbers for answer in one.answers]) for one in group.questions]) for group in helping.GROUPS]
    return render(request, "site/help.html", {"groups": groups})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, for how long, who sees it, and what deletion does."""
    return render(request, "site/privacy.html", {"kept": keeping.kept(), "cookies": keeping.cookies()})


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What people who use the site agree to."""
    return render(request, "site/terms.html")


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """How to reach the operators, as far as they have said so."""
    return render(request, "site/contact.html", {"address": settings.CONTACT_EMAIL, "mailto": _mailto()})


@require_safe
@cache_control(max_age=86400, public=True)
def security(request: HttpRequest) -> HttpResponse:
    """Tell finders of security holes whom to write to (RFC 9116). Raises Http404 where the operators give no address."""
    if not settings.CONTACT_EMAIL:
        raise Http404
    until = datetime.combine(timezone.now().astimezone(UTC).date() + VALID, time(), UTC)
    lines = [
        f"Contact: {_mailto()}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(settings.INTERFACE_LANGUAGES)}",
    ]
    if settings.BASE_URL.startswith("https://"):  # no other address may be named there
        lines.append(f"Canonical: {settings.BASE_URL}{reverse('security')}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


def _mailto() -> str:
    return f"mailto:{quote(settings.CONTACT_EMAIL, safe='@+')}" if settings.CONTACT_EMAIL else ""
