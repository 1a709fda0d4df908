"""Pictures of positions at addresses of their own: a step of a table that everybody may see, or a position file, as SVG or PNG."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.core.contract import PositionError
from games.registry import GAMES
from portal.common.limits import client_network, count_use
from portal.positions import pictures
from portal.positions.codes import position_of, written
from portal.positions.editing import names_of, placed
from portal.tables import outside, refusals, selectors
from portal.tables.access import load_for
from portal.tables.faults import said
from portal.tables.replay import replay_of, whole

PICTURES_A_MINUTE: Final = 120
PNG: Final = "png"
TYPES: Final = {"svg": "image/svg+xml", PNG: "image/png"}
POLICY: Final = "default-src 'none'; frame-ancestors *; sandbox"  # opened by itself, a picture can do nothing


@require_safe
@outside.for_other_sites
def table(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Give the picture of a table that everybody may see, at ?step= (without: the last one), as a visitor sees it."""
    _check(request, form)
    try:
        loaded = load_for(pk, None)
        replay = replay_of(loaded, selectors.page_of(loaded, None), seat="")
        step = whole(request.GET.get("step", "") or str(replay.count))
        if step > replay.count:
            raise refusals.NoSuchStep
    except refusals.TableRefusal as error:
        return _refused(str(error), error.status)
    entry, names = replay.page.entry, replay.page.names
    note = gettext("Table %(id)s, step %(step)s") % {"id": pk, "step": step}
    return _answer(request, form, entry.key, loaded.game.view_for(replay.state(step), None), names, note)


@require_safe
@outside.for_other_sites
def position(request: HttpRequest, game: str, form: str) -> HttpResponse:
    """Give the picture of the position in ?p=, as ?seat= sees it (0: a spectator)."""
    if game not in GAMES:
        raise Http404
    _check(request, form)
    try:
        file, rules, state, seat = placed(GAMES[game], written(position_of(request.GET.get("p", ""))), request.GET.get("seat", "0"))
    except PositionError as error:
        return _refused(gettext("This position can't be shown: %(fault)s.") % {"fault": said(error)}, 422)
    return _answer(request, form, game, rules.view_for(state, seat), names_of(int(file["seats"])), "")


def _check(request: HttpRequest, form: str) -> None:
    """Raises Http404 for a form that there is none of, and TooMany."""
    if form not in TYPES:
        raise Http404
    count_use("picture", client_network(request), limit=PICTURES_A_MINUTE, window_s=60)


def _answer(request: HttpRequest, form: str, game: str, view: object, names: list[str], note: str) -> HttpResponse:
    width = _width(request)
    if form != PNG:
        width = 0  # of no matter to an SVG
    if width is None:
        reason = gettext("Give width as a whole number from %(least)d to %(most)d, in steps of %(step)d.")
        return _refused(reason % {"least": pictures.LEAST, "most": pictures.MOST, "step": pictures.STEP}, 400)
    shown = pictures.names_in_fonts(names) if form == PNG else names
    svg = pictures.svg_of(GAMES[game], view, shown, lang=outside.language_of(request), theme=outside.theme_of(request), note=note)
    if svg is None:
        raise Http404
    response = HttpResponse(content_type=TYPES[form])
    response["ETag"] = quote_etag(pictures.tag_of(svg, width))
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    held = get_conditional_response(request, etag=response["ETag"], response=response)
    if held is not response:
        assert isinstance(held, HttpResponse)
        return held
    try:
        response.content = pictures.png_of(svg, width, client_network(request)) if form == PNG else svg.encode()
    except pictures.Busy:
        busy = _refused(gettext("Too many pictures are being drawn. Try again in a moment."), 503)
        busy["Retry-After"] = "5"
        return busy
    return response


def _width(request: HttpRequest) -> int | None:
    """Return the width that the address asks for, in px; None if there can't be such a picture."""
    raw = request.GET.get("width", "") or str(pictures.USUAL)
    if not (raw.isascii() and raw.isdecimal() and len(raw) <= 4):
        return None
    width = int(raw)
    return width if width in range(pictures.LEAST, pictures.MOST + 1, pictures.STEP) else None


def _refused(reason: str, status: int) -> HttpResponse:
    response = HttpResponse(reason + "\n", status=status, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response
