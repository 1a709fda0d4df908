"""The record of a finished game, and the page on which anyone checks one."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from games.core.contract import PositionError
from games.core.jsonio import fault
from games.core.records import Verdict, read_json, verify_record
from games.registry import game
from portal.accounts.models import User
from portal.tables import refusals, selectors
from portal.tables.faults import said

MAX_RECORD_BYTES = 60_000  # the front refuses bodies over 64 kB


@require_safe
def table_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the record of a finished game as a file; with ?full=1 the undone entries as well."""
    try:
        data = selectors.record_of(pk, _viewer(request), full=request.GET.get("full") == "1")
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.WrongStatus as error:
        return render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status)
    response = HttpResponse(json.dumps(data, ensure_ascii=False, indent=1), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="ziggurat-{data["game"]}-{pk}.json"'
    response["Cache-Control"] = "private, no-cache"  # a record never changes, but who may read that of a club's table does
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Check a record that somebody uploads, or that of a table of this site (?table=17)."""
    verdict: Verdict | None = None
    problem = ""
    table_id = request.GET.get("table", "")
    try:
        if request.method == "POST":
            verdict = verify_record(_uploaded(request), game)
        elif table_id:
            number = int(table_id) if table_id.isdecimal() and len(table_id) < 20 else 0
            verdict = verify_record(selectors.record_of(number, _viewer(request)), game)
    except refusals.TableRefusal as error:
        problem = str(error)
    except PositionError as error:
        problem = said(error)
    status = 422 if problem and request.method == "POST" else 200
    return render(request, "tables/verify.html", {"verdict": verdict, "problem": problem, "table_id": table_id}, status=status)


def _viewer(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _uploaded(request: HttpRequest) -> dict[str, Any]:
    upload = request.FILES.get("record")
    if upload is not None:
        if (upload.size or 0) > MAX_RECORD_BYTES:
            raise fault("file", gettext_noop("is larger than {n} bytes"), n=MAX_RECORD_BYTES)
        return read_json(upload.read())
    return read_json(request.POST.get("text", ""))
