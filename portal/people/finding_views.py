"""Pages on which people are found: by the start of a name, and by the games they played."""

from __future__ import annotations

from typing import Final, cast
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.common.limits import client_network, count_use
from portal.common.refusals import Refusal
from portal.people import refusals
from portal.people.games import Filters, NoSuchFilter, games_page
from portal.tables.lists import FinishedRow
from portal.tables.naming import FEWEST_LETTERS, Found, names_like

MAX_DIGITS: Final = 5  # of the number of a page
SEARCHES_PER_MINUTE: Final = 60
FROM_ONE_ADDRESS: Final = 300  # a school has one address


@login_required
@never_cache
@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """List people whose name begins with ?q=, those whom the reader has met first."""
    user = cast(User, request.user)
    wanted = request.GET.get("q", "").strip()
    names: list[Found] = []
    if wanted:
        count_use("people", str(user.pk), limit=SEARCHES_PER_MINUTE, window_s=60, refusal=refusals.TooManySearches)
        count_use("people-address", client_network(request), limit=FROM_ONE_ADDRESS, window_s=60, refusal=refusals.TooManySearches)
        names = names_like(user, wanted)
    given = {"wanted": wanted, "names": names, "is_short": 0 < len(wanted) < FEWEST_LETTERS, "fewest": FEWEST_LETTERS}
    return render(request, "people/find.html", given)


@require_safe
def games(request: HttpRequest, username: str) -> HttpResponse:
    """List the finished games of a person that the reader may see, with filters and pages."""
    person = person_named(username)
    number = request.GET.get("page", "1")
    if person is None or not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS and int(number)):
        raise Http404
    try:
        filters = Filters.of(request.GET)
    except NoSuchFilter:
        raise Http404 from None
    viewer = request.user if isinstance(request.user, User) else None
    rows: list[FinishedRow] = []
    error, has_next = "", False
    try:
        rows, has_next = games_page(person, viewer, filters, int(number))
    except Refusal as refusal:
        error = str(refusal)
    if not rows and int(number) > 1:
        raise Http404
    kept = urlencode(filters.used)
    given = {
        "person": person,
        "rows": rows,
        "filters": filters,
        "games": list(GAMES.values()),
        "number": int(number),
        "previous_url": f"?{kept}&page={int(number) - 1}" if int(number) > 1 else "",
        "next_url": f"?{kept}&page={int(number) + 1}" if has_next else "",
        "error": error,
    }
    return render(request, "people/games.html", given, status=404 if error else 200)
