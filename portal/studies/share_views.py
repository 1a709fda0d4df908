"""The settings of a study: its title, who may look and who may add, its link, its end; and the address behind the link."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.accounts.names import MAX_NAME_CHARS
from portal.accounts.pseudonyms import name_of
from portal.clubs.models import Club
from portal.common.limits import Guesses
from portal.common.refusals import Refusal
from portal.studies import refusals, sharing
from portal.studies.access import Opened, Visibility, open_study
from portal.studies.models import MAX_TITLE_CHARS, Guest, Study
from portal.studies.page import link_of, node_url
from portal.studies.views import LINKS, opened_for, private, reader

WRONG: Final = Guesses("study-link", limit=30, window_s=3600)
MOST_LINKS: Final = 50  # that a session remembers, the newest
MAX_CODE_CHARS: Final = 24


@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the owner whom a study is open to; a POST changes it (`do`). For others who see the study the page isn't there."""
    opened, user = opened_for(request, pk), reader(request)
    if user is None:
        return redirect_to_login(reverse("study", args=[pk]))
    if not opened.is_owner:
        raise Http404
    if request.method != "POST":
        return private(_shown(request, opened, user))
    try:
        told = _done(request, pk, user)
    except refusals.StudyNotFound:
        raise Http404 from None
    except Refusal as fault:
        response = private(_shown(request, opened_for(request, pk), user, fault=fault))
        if fault.retry_after_s is not None:
            response["Retry-After"] = str(fault.retry_after_s)
        return response
    messages.success(request, told)
    is_gone = request.POST.get("do") == "delete"
    return private(HttpResponseRedirect(reverse("studies") if is_gone else reverse("study-settings", args=[pk]), status=303))


@require_safe
def by_link(request: HttpRequest, code: str) -> HttpResponse:
    """Remember the link of a study and go there; 404 for a link that leads nowhere, or that its reader may not use."""
    WRONG.check(request)
    study = Study.objects.only("pk", "link_code").filter(link_code=code).first() if 0 < len(code) <= MAX_CODE_CHARS else None
    if study is None:
        WRONG.count(request)
        raise Http404
    try:
        opened = open_study(study.pk, reader(request), {str(study.pk): code})
    except refusals.StudyNotFound:
        WRONG.count(request)
        raise Http404 from None
    if opened.study.visibility == Visibility.LINK and not opened.is_owner:
        known = request.session.get(LINKS, {})
        kept = {key: value for key, value in known.items() if key != str(study.pk)}
        request.session[LINKS] = dict([*kept.items(), (str(study.pk), code)][-MOST_LINKS:])
    response = private(redirect(node_url(study, 0)))
    response["Referrer-Policy"] = "same-origin"
    return response


# Parts


def _done(request: HttpRequest, pk: int, user: User) -> str:
    """Do what a form of the page asks for, and return what is said then."""
    form, wanted = request.POST, request.POST.get("do", "")
    if wanted == "share":
        sharing.set_up(
            study_id=pk, user=user, title=form.get("title", ""), visibility=form.get("visibility", ""), club=form.get("club", "")
        )
        return _("Saved.")
    if wanted == "let_in":
        name = form.get("who", "").strip()
        person = sharing.let_in(study_id=pk, user=user, name=name, may_add=form.get("right") == "add")
        return _("%(name)s can see this study now.") % {"name": name_of(person)}
    if wanted == "renew":
        sharing.renew_link(study_id=pk, user=user)
        return _("The study has a new link. The old one no longer works.")
    if wanted == "delete":
        sharing.delete_study(study_id=pk, user=user)
        return _("The study is deleted.")
    number = form.get("put_out", "")
    if number.isascii() and number.isdecimal() and len(number) <= 18:
        sharing.put_out(study_id=pk, user=user, person_id=int(number))
        return _("Saved.")
    raise Refusal


def _shown(request: HttpRequest, opened: Opened, user: User, *, fault: Refusal | None = None) -> HttpResponse:
    study = opened.study
    guests = Guest.objects.filter(study=study).select_related("user").order_by("user__username")
    clubs = Club.objects.filter(memberships__user=user, closed_at=None).order_by("name")
    context: dict[str, Any] = {
        "study": study,
        "section": "play",
        "title": request.POST.get("title", study.title) if fault is not None else study.title,
        "visibilities": [
            {"key": key, "label": label, "is_set": key == study.visibility}
            for key, label in Visibility.choices
            if key != Visibility.CLUB or clubs
        ],
        "clubs": [{"slug": club.slug, "name": club.name, "is_set": club.pk == study.club_id} for club in clubs],
        "guests": [{"id": guest.user_id, "name": name_of(guest.user), "may_add": guest.may_add} for guest in guests],
        "link": link_of(study) if study.visibility == Visibility.LINK else "",
        "is_guest": user.is_guest,
        "is_narrow": not opened.is_public,
        "most_title": MAX_TITLE_CHARS,
        "most_name": MAX_NAME_CHARS,
        "study_url": node_url(study, 0),
        "error": str(fault) if fault is not None else "",
    }
    return render(request, "studies/settings.html", context, status=fault.status if fault is not None else 200)
