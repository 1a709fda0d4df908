"""The page of quiet hours and vacations."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts import rest
from portal.accounts.models import User
from portal.accounts.refusals import BadQuietHours, BadVacation
from portal.common.refusals import Refusal


class QuietForm(forms.Form):
    quiet_from = forms.TimeField(
        required=False, label=gettext_lazy("From"), widget=forms.TimeInput(attrs={"type": "time", "class": "input"})
    )
    quiet_to = forms.TimeField(required=False, label=gettext_lazy("To"), widget=forms.TimeInput(attrs={"type": "time", "class": "input"}))


class VacationForm(forms.Form):
    first = forms.DateField(label=gettext_lazy("First day"), widget=forms.DateInput(attrs={"type": "date", "class": "input"}))
    last = forms.DateField(label=gettext_lazy("Last day"), widget=forms.DateInput(attrs={"type": "date", "class": "input"}))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def quiet(request: HttpRequest) -> HttpResponse:
    """Show quiet hours and vacations; a POST sets the quiet hours."""
    user = cast(User, request.user)
    if request.method != "POST":
        return _page(request, user)
    form = QuietForm(request.POST)
    try:
        if not form.is_valid():
            raise BadQuietHours
        rest.set_quiet_hours(user, form.cleaned_data["quiet_from"], form.cleaned_data["quiet_to"])
    except BadQuietHours as refusal:
        return _page(request, user, refusal, quiet=form)
    return _saved(request)


@login_required
@require_POST
def vacation(request: HttpRequest) -> HttpResponse:
    """Enter a vacation, or end one (`end`)."""
    user = cast(User, request.user)
    ended = request.POST.get("end", "")
    if ended:
        if ended.isdecimal() and len(ended) < 12:
            rest.end_vacation(user, int(ended))
        return _saved(request)
    form = VacationForm(request.POST)
    try:
        if not form.is_valid():
            raise BadVacation
        rest.add_vacation(user, form.cleaned_data["first"], form.cleaned_data["last"])
    except BadVacation as refusal:
        return _page(request, user, refusal, vacation=form)
    return _saved(request)


def _saved(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("rest")


def _page(request: HttpRequest, user: User, refusal: Refusal | None = None, **forms_: Any) -> HttpResponse:
    context = {
        "quiet": QuietForm(initial={"quiet_from": user.quiet_from, "quiet_to": user.quiet_to}),
        "vacation": VacationForm(),
        "vacations": rest.vacations(user),
        "most_days": rest.VACATION_DAYS,
        "error": str(refusal) if refusal else "",
        **forms_,
    }
    return render(request, "accounts/rest.html", context, status=refusal.status if refusal else 200)
