"""Pages of profiles: what somebody shows of themselves, and their picture."""

from __future__ import annotations

from typing import IO, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.common.refusals import Refusal
from portal.people import refusals, services
from portal.people.models import MAX_ABOUT_CHARS
from portal.people.selectors import picture_of, shown_by

YEAR_S = 365 * 24 * 3600


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    """Show and change the reader's own profile: `do` is `about`, `picture` or `remove`."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    if request.method != "POST":
        return _page(request, user)
    try:
        _change(request, user)
    except Refusal as refusal:
        return _page(request, user, refusal)
    messages.success(request, _("Saved."))
    return redirect("edit-profile")


def _change(request: HttpRequest, user: User) -> None:
    what = request.POST.get("do", "")
    if what == "picture":
        upload = request.FILES.get("picture")
        if upload is None or not upload.size:
            raise refusals.NoPicture
        services.set_picture(user=user, upload=cast(IO[bytes], upload), size=upload.size)
    elif what == "remove":
        services.remove_picture(user=user)
    else:
        services.set_about(user=user, text=request.POST.get("about", ""))


def _page(request: HttpRequest, user: User, refusal: Refusal | None = None) -> HttpResponse:
    given = {"shown": shown_by(user.pk), "limit": MAX_ABOUT_CHARS, "about": request.POST.get("about"), "refusal": refusal}
    return render(request, "people/edit.html", given, status=refusal.status if refusal else 200)


@require_safe
@cache_control(public=True, max_age=YEAR_S, immutable=True)
def picture(request: HttpRequest, digest: str) -> HttpResponse:
    """Send a picture. Its address names its content, so it can be kept."""
    found = picture_of(digest)
    if found is None:
        raise Http404
    return HttpResponse(found, content_type="image/webp")
