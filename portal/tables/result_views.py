"""The picture of a result, for sites that show a link to it and for people who keep it."""

from __future__ import annotations

import hashlib
from datetime import UTC
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.tables import refusals, selectors
from portal.tables.result import is_for_others
from portal.tables.result_picture import Row, drawn, has_letters_for

KEPT_S: Final = 24 * 3600
SHOWN_S: Final = 3600  # elsewhere; a name may change


@require_safe
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the result of a finished game as a picture, in the language ?lang=; with ?save=1 as a file to keep."""
    user = request.user if isinstance(request.user, User) else None
    lang = request.GET.get("lang", "")
    if lang not in settings.INTERFACE_LANGUAGES:
        raise Http404
    try:
        page = selectors.table_page(pk, user)
    except refusals.TableNotFound:
        raise Http404 from None
    if page.outcome is None or page.finished_at is None:
        raise Http404
    with translation.override(lang):
        title = gettext(page.entry.game.meta.title)
        day = date_format(page.finished_at.astimezone(UTC), "DATE_FORMAT")  # one picture for everybody
        lines = [day, gettext("Ziggurat, table %(id)s") % {"id": page.id}]
        names = [
            name if has_letters_for(name) else gettext("Player %(number)s") % {"number": number}
            for number, name in enumerate(page.names, 1)
        ]
    outcome = page.outcome
    order = sorted(range(page.seat_count), key=lambda seat: (outcome.places[seat], seat))
    rows = [Row(outcome.places[seat], seat + 1, names[seat], outcome.scores[seat]) for seat in order]
    facts = repr((page.entry.key, title, lines, rows))
    key = f"result-picture:{hashlib.sha256(facts.encode()).hexdigest()}"
    png = cache.get(key)
    if png is None:
        png = drawn(page.entry.key, title, lines, rows)
        cache.set(key, png, KEPT_S)
    response = HttpResponse(png, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={SHOWN_S}" if is_for_others(page) else "private, no-store"
    if request.GET.get("save") == "1":
        response["Content-Disposition"] = f'attachment; filename="ziggurat-{page.entry.key}-{pk}.png"'
    return response
