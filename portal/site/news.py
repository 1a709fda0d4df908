"""What is shown under the header of every page: maintenance, and what operators announce. No page needs a statement for it.

A reader's browser keeps which announcements they have dismissed (the cookie `news`); a changed text is shown again as a new announcement only if
its operator makes a new one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal.common import maintenance
from portal.common.briefly import Briefly
from portal.common.models import Maintenance
from portal.common.templatetags.site import near
from portal.common.visitors import DISMISSED, dismissed
from portal.site.models import Announcement

KEPT_S: Final = 5.0
MOST: Final = 20  # announcements that are read; more than a few at a time is a mistake
COOKIE_AGE_S: Final = 180 * 24 * 3600
REMEMBERED: Final = 6  # the newest ones that a browser has dismissed


@dataclass(frozen=True, slots=True)
class Line:
    """A line under the header. Without a key it can't be dismissed."""

    text: str
    language: str
    is_warning: bool
    key: int | None = None
    more: str = ""  # in the operators' own words


def _read() -> Sequence[Announcement]:
    return list(Announcement.objects.filter(until__gt=timezone.now()).order_by("-level", "-pk")[:MOST])


kept: Final[Briefly[Sequence[Announcement]]] = Briefly(_read, KEPT_S, otherwise=())


def lines_for(request: HttpRequest) -> list[Line]:
    """Return what a reader is told now, warnings first."""
    now, language = timezone.now(), get_language() or "en"
    row = maintenance.current()
    lines = [] if row is None else [Line(_said(row), language, is_warning=True, more=row.message)]
    gone = dismissed(request)
    for one in kept.get():
        if not one.is_shown(now) or str(one.pk) in gone:
            continue
        text, written_in = one.text(language)
        if one.about_at is not None:
            text = text.replace("{time}", near(one.about_at))
        lines.append(Line(text, written_in, one.level == Announcement.Level.WARNING, one.pk))
    return lines


def _said(row: Maintenance) -> str:
    if row.expected_until is None or row.expected_until <= timezone.now():
        return _("The site is being worked on: for now you can read, but not play or write.")
    return _("The site is being worked on: you can read, but not play or write. Probably until %(time)s.") % {
        "time": near(row.expected_until)
    }


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Give the lines alone, to pages that were told that something has changed."""
    response = render(request, "site/_news.html", {"news": lines_for(request)})
    response["Cache-Control"] = "private, no-store"
    return response


@require_POST
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Don't show an announcement in this browser any more, and lead back to where the reader was."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if is_ours and re.match(r"/(?!/)", back) else reverse("home"), status=303)
    keys = [key for key in dismissed(request) if key != str(pk)]
    response.set_cookie(
        DISMISSED, "-".join([*keys, str(pk)][-REMEMBERED:]), max_age=COOKIE_AGE_S, samesite="Lax", httponly=True, secure=request.is_secure()
    )
    return response
