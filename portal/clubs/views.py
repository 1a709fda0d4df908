"""The pages of one club that everybody sees who may see it: home, tables, finished games, members, log."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.clubs.models import Club
from portal.clubs.pages import of_club, viewer_of
from portal.clubs.selectors import ClubPage

LISTED = 50


def club_context(page: ClubPage, tab: str) -> dict[str, object]:
    """Return what the head and the tabs of a club's page need."""
    return {"section": "clubs", "page": page, "club": page.club, "role": page.role, "may": page.may, "tab": tab}


@require_GET
@of_club
def club(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The home of a club."""
    return render(request, "clubs/club.html", club_context(page, "home"))


@require_GET
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs that anybody may look at, and one's own."""
    viewer = viewer_of(request)
    mine = Club.objects.filter(memberships__user=viewer).order_by("name") if viewer is not None else Club.objects.none()
    public = Club.objects.filter(is_private=False, closed_at=None).order_by("-member_count", "id")[:LISTED]
    return render(request, "clubs/list.html", {"section": "clubs", "mine": list(mine), "public": list(public)})
