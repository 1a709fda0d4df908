"""Pages on which people decide about their account as a whole: where they are signed in, and deleting it."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from portal.accounts import sign_ins
from portal.accounts.deleting import delete_person
from portal.accounts.guessing import PASSWORDS
from portal.accounts.models import User
from portal.accounts.refusals import NotSignedIn, StillOwner, WrongPassword


@login_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete the account of this session, after a page that says what will happen and asks for the password."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("delete-guest")
    if request.method != "POST":
        return render(request, "accounts/delete_account.html")
    try:
        check_password(request, user)
        delete_person(user=user)
    except (WrongPassword, StillOwner) as refusal:
        return render(request, "accounts/delete_account.html", {"error": str(refusal)}, status=refusal.status)
    logout(request)
    messages.success(request, _("Your account has been deleted."))
    return redirect("home")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_ins_page(request: HttpRequest) -> HttpResponse:
    """List the browsers in which the person is signed in; a POST signs out in one (`end`) or in all others (`others`)."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    current = request.session.session_key
    if request.method == "POST":
        pk = request.POST.get("end", "")
        if "others" in request.POST:
            sign_ins.end_all(user, but=current)
        elif not (pk.isascii() and pk.isdigit() and len(pk) < 19 and sign_ins.end(user, int(pk))):
            return render(request, "accounts/sign_ins.html", _listed(user, current) | {"error": str(NotSignedIn())}, status=404)
        messages.success(request, _("You have signed out there."))
        return redirect("sign-ins")
    return render(request, "accounts/sign_ins.html", _listed(user, current))


def _listed(user: User, current: str | None) -> dict[str, object]:
    return {"sign_ins": [{"row": one, "is_this": one.key == current} for one in sign_ins.of(user, current)]}


def check_password(request: HttpRequest, user: User) -> None:
    """Raise WrongPassword unless the form has the person's password, and TooManyGuesses for an address that guesses."""
    PASSWORDS.check(request)
    if not user.check_password(request.POST.get("password", "")):
        PASSWORDS.count(request)
        raise WrongPassword
