"""The page of friends, and the buttons there and on profiles."""

from __future__ import annotations

from typing import Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.accounts.pseudonyms import name_of
from portal.accounts.views import next_address
from portal.common.refusals import Refusal, TooMany
from portal.friends import refusals, services
from portal.friends.models import Friendship
from portal.notices import inbox
from portal.notices.models import Kind
from portal.people.friends_page import friends_page

VERBS: Final = ("ask", "accept", "decline", "withdraw", "end")


@login_required
@never_cache
@require_safe
def friends(request: HttpRequest) -> HttpResponse:
    """List the reader's friends and requests. What they were told of them has been read then."""
    user = cast(User, request.user)
    if not user.is_guest:
        inbox.read(user, kind=Kind.FRIEND)
    return render(request, "people/friends.html", {"page": friends_page(user)})


@login_required
@never_cache
@require_POST
def presence(request: HttpRequest) -> HttpResponse:
    """Say whether friends see that the reader is here."""
    user = cast(User, request.user)
    user.shows_presence = "shows_presence" in request.POST and not user.is_guest
    user.save(update_fields=["shows_presence"])
    messages.success(request, _("Saved."))
    return redirect("friends")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def friend(request: HttpRequest, username: str) -> HttpResponse:
    """Ask a person to be friends (`do=ask`), answer, withdraw or end it, and go back."""
    user = cast(User, request.user)
    person = person_named(username)
    if person is None:
        raise Http404
    back = reverse("profile", args=[person.username])
    if request.method != "POST":
        return redirect(back)
    do = request.POST.get("do", "")
    if do not in VERBS:
        raise Http404
    try:
        said = _carry_out(do, user, person)
    except refusals.GuestsHaveNone as refusal:
        messages.error(request, str(refusal))
        return redirect("friends")  # with the way to an account
    except TooMany:
        raise
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said % {"name": name_of(person)})
    return redirect(next_address(request, back))


def _carry_out(do: str, user: User, person: User) -> str:
    """Do what was asked, and return what to say."""
    if do == "ask":
        row = services.ask(user=user, person=person)
        if row.state == Friendship.State.FRIENDS:
            return _("You and %(name)s are friends now.")
        return _("You have asked %(name)s. You will be told if they accept.")
    if do == "accept":
        services.accept(user=user, person=person)
        return _("You and %(name)s are friends now.")
    if do == "decline":
        services.decline(user=user, person=person)
        return _("You have declined. %(name)s isn't told.")
    if do == "withdraw":
        services.withdraw(user=user, person=person)
        return _("You have withdrawn your request to %(name)s.")
    services.end(user=user, person=person)
    return _("You and %(name)s are no longer friends. They aren't told.")
