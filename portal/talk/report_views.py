"""The page of one line: what somebody can do who doesn't want to read such things."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.common.refusals import NotFound, Refusal
from portal.talk import page, selectors, services
from portal.talk.models import MAX_REASON_CHARS, Report
from portal.talk.views import loaded_for, private, reader


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Report a line to the moderators, or block its writer (that button leads to their own address)."""
    loaded, user = loaded_for(request, pk), reader(request)
    assert user is not None
    fault: Refusal | None = None
    try:
        found = selectors.line_for(loaded, user, line)
        if request.method == "POST":
            reason, words = request.POST.get("reason", ""), request.POST.get("words", "")
            services.report(table_id=pk, user=user, line_id=line, reason=reason, words=words)
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("table-talk", pk=pk)
    except NotFound:
        raise Http404 from None
    except Refusal as refusal:
        fault = refusal
    told = page.told([found], user)[0]
    context = {
        "id": pk,
        "section": "play",
        "table_title": page.title_of(loaded),
        "line": told,
        "writer": found.writer,
        "reasons": [(value, label) for value, label in Report.Reason.choices if value != Report.Reason.LEWD],
        "chosen": request.POST.get("reason", ""),
        "words": request.POST.get("words", ""),
        "most": MAX_REASON_CHARS,
        "error": str(fault) if fault is not None else "",
    }
    return private(render(request, "talk/line.html", context, status=fault.status if fault is not None else 200))
