"""The page of the people whom somebody blocks, and the buttons that block them."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts import blocks
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.accounts.pseudonyms import name_of
from portal.accounts.views import next_address
from portal.common.refusals import Refusal

MAX_DIGITS = 18


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """List whom the reader blocks; a POST unblocks one (`unblock`), or says whether the reader takes invitations,
    whether friends see that they are here, and others that they watch."""
    user = cast(User, request.user)
    if request.method != "POST":
        return render(request, "accounts/blocks.html", {"blocked": blocks.blocked_by(user)})
    raw = request.POST.get("unblock", "")
    if raw:
        if raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS:
            blocks.unblock(user=user, person_id=int(raw))
    else:
        user.takes_invitations = "takes_invitations" in request.POST
        user.shows_presence = "shows_presence" in request.POST and not user.is_guest
        user.shows_watching = "shows_watching" in request.POST
        user.save(update_fields=["takes_invitations", "shows_presence", "shows_watching"])
    messages.success(request, _("Saved."))
    return redirect("blocks")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def block(request: HttpRequest, username: str) -> HttpResponse:
    """Block a person, or unblock them (`do=unblock`), and go back."""
    user = cast(User, request.user)
    person = person_named(username)
    if person is None:
        raise Http404
    address = reverse("profile", args=[person.username])
    if request.method != "POST":
        return redirect(address)
    if request.POST.get("do") == "unblock":
        blocks.unblock(user=user, person_id=person.pk)
        messages.success(request, _("You no longer block %(name)s.") % {"name": name_of(person)})
        return redirect(next_address(request, address))
    try:
        blocks.block(user=user, person=person)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect(address)
    messages.success(
        request, _("You have blocked %(name)s. You won't see what they write, and they can't invite you.") % {"name": name_of(person)}
    )
    return redirect(next_address(request, address))
