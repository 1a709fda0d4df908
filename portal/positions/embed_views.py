"""Boards in the pages of others: a replay, or one position, in a frame; and what such pages ask before they show it (oEmbed)."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.core.contract import PositionError
from games.registry import GAMES, Entry
from portal.common.api import problem_response
from portal.common.limits import client_network, count_use
from portal.positions.codes import code_of, position_of, written
from portal.positions.editing import names_of, placed, said_due, shown
from portal.positions.pictures import height_of, svg_of
from portal.tables import outside, refusals, selectors
from portal.tables.access import load_for
from portal.tables.faults import said
from portal.tables.loading import Loaded
from portal.tables.page import sprite_symbols
from portal.tables.replay import Replay, replay_of, steps_of, whole
from portal.tables.replay_page import Ways, control_of
from portal.tables.result import picture_address
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker
from rules_docs import heads

FRAMES_A_MINUTE: Final = 240
THUMBNAIL: Final = 600  # width in px


@require_safe
@outside.for_other_sites
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the replay of a table that everybody may see, as a spectator, from ?step= on (without: the last one)."""
    try:
        replay = _replay(request, pk)
        step = whole(request.GET.get("step", "") or str(replay.count))
        if step > replay.count:
            raise refusals.NoSuchStep
    except refusals.TableRefusal as error:
        return _without(request, str(error), error.status)
    looks = outside.looks_of(request)
    page, lang = replay.page, looks["lang"]
    ways = Ways("embed-table", "embed-steps", looks)
    context = {
        **_looks(request, page.entry),
        "page": page,
        "title": _title(page),
        "replay": control_of(replay, step, Speaker(page.entry.key, lang, page.names, replay.seat), ways),
        "home": heads.absolute(f"{reverse('table-replay', args=[pk])}?step={step}"),
    }
    return render(request, "positions/frame.html", context)


@require_safe
@outside.for_other_sites
def steps(request: HttpRequest, pk: int) -> HttpResponse:
    """Give as JSON some steps of such a replay from ?step= on."""
    try:
        replay = _replay(request, pk)
        step = whole(request.GET.get("step", "") or "1")
        if not 1 <= step <= replay.count:
            raise refusals.NoSuchStep
    except refusals.TableRefusal as error:
        return JsonResponse({"error": {"code": error.code, "reason": str(error)}}, status=error.status)
    speaker = Speaker(replay.page.entry.key, outside.language_of(request), replay.page.names, replay.seat)
    response = JsonResponse(steps_of(replay, speaker, step, have=request.headers.get("X-Have", "")))
    response["Vary"] = "X-Have"
    return response


@require_safe
@outside.for_other_sites
def position(request: HttpRequest, game: str) -> HttpResponse:
    """Show the position in ?p=, as ?seat= sees it (0: a spectator)."""
    if game not in GAMES:
        raise Http404
    entry, lang = GAMES[game], outside.language_of(request)
    _count(request)
    try:
        found = shown(entry, written(position_of(request.GET.get("p", ""))), lang, request.GET.get("seat", "0"))
    except PositionError as error:
        return _without(request, gettext("This position can't be shown: %(fault)s.") % {"fault": said(error)}, 422)
    context = {
        **_looks(request, entry),
        "title": gettext("%(game)s: a position") % {"game": gettext(entry.game.meta.title)},
        "shown": found,
        "said": said_due(found),
        "home": outside.position_page(entry.key, found.code),
    }
    return render(request, "positions/frame.html", context)


def _looks(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    return {"entry": entry, "theme": outside.theme_of(request), "symbols": sprite_symbols(entry)}


def _without(request: HttpRequest, reason: str, status: int) -> HttpResponse:
    """Answer with a frame that says why there is nothing to see."""
    context = {"theme": outside.theme_of(request), "title": "Ziggurat", "reason": reason, "home": heads.absolute("/")}
    response = render(request, "positions/frame.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _replay(request: HttpRequest, pk: int) -> Replay:
    """Return the replay as any visitor sees it. Raises TableNotFound, alike for a hidden table and for one that does not exist."""
    _count(request)
    loaded = load_for(pk, None)
    return replay_of(loaded, selectors.page_of(loaded, None), seat="")


def _count(request: HttpRequest) -> None:
    count_use("frame", client_network(request), limit=FRAMES_A_MINUTE, window_s=60)


def _title(page: TablePage) -> str:
    return gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id}


# oEmbed (https://oembed.com/)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Say how the page at ?url= is embedded: its frame, at most ?maxwidth= and ?maxheight= CSS px.

    404 for an address of which there is no frame, 501 for XML, 400 for any other format and for sizes that can't be.
    """
    if (form := request.GET.get("format", "json")) != "json":  # for XML, oEmbed wants 501
        reason = gettext("This address answers in JSON only. Leave out format, or use format=json.")
        return problem_response(501 if form == "xml" else 400, "json_only", reason)
    try:
        width, height = _size(request, "maxwidth", outside.WIDTH), _size(request, "maxheight", outside.HEIGHT)
    except ValueError:
        reason = gettext("Give maxwidth and maxheight as whole numbers, at least %(least)d.")
        return problem_response(400, "bad_size", reason % {"least": outside.LEAST})
    _count(request)
    with translation.override(outside.language_of(request)):
        found = _embedded(request, request.GET.get("url", ""))
    if found is None:
        return problem_response(404, "nothing_to_embed", gettext("There's nothing to embed at this address."))
    title, address, more = found
    told = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Ziggurat",
        "provider_url": heads.absolute("/"),
        "title": title,
        "width": width,
        "height": height,
        "html": outside.frame(address, title, width, height),
        "cache_age": outside.SHOWN_S,
        **more,
    }
    response = JsonResponse(told, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = f"public, max-age={outside.SHOWN_S}"
    response["Access-Control-Allow-Origin"] = "*"  # the same for everybody, whoever asks
    return response


def _size(request: HttpRequest, name: str, usual: int) -> int:
    """Return a size of the frame. Raises ValueError."""
    raw = request.GET.get(name, "")
    if not raw:
        return usual
    if not (raw.isascii() and raw.isdecimal() and len(raw) <= 5 and int(raw) >= outside.LEAST):
        raise ValueError(name)
    return min(int(raw), usual)


def _embedded(request: HttpRequest, url: str) -> tuple[str, str, dict[str, Any]] | None:
    """Return title, address of the frame, and what else is told of a page of this site; None if there is no frame of it."""
    try:
        parts = urlsplit(url)
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        return None
    home = urlsplit(settings.BASE_URL)
    if parts.scheme not in ("http", "https") or parts.netloc != home.netloc:
        return None
    asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    query = {"lang": outside.language_of(request)}
    if found.url_name in ("table", "table-replay", "embed-table"):
        return _table_embedded(found.kwargs["pk"], asked.get("step", ""), query)
    if found.url_name in ("position-editor", "embed-position") and found.kwargs["game"] in GAMES and asked.get("p"):
        return _position_embedded(GAMES[found.kwargs["game"]], asked, query)
    return None


def _table_embedded(pk: int, step: str, query: dict[str, str]) -> tuple[str, str, dict[str, Any]] | None:
    try:
        loaded: Loaded = load_for(pk, None)
    except refusals.TableRefusal:
        return None
    page = selectors.page_of(loaded, None)
    if page.view is None:
        return None
    if step.isascii() and step.isdecimal() and len(step) <= 6:
        query = query | {"step": step}
    more: dict[str, Any] = {}
    if page.outcome is not None:
        picture = heads.absolute(picture_address(page, query["lang"]))
        more = {"thumbnail_url": picture, "thumbnail_width": 1200, "thumbnail_height": 630}
    elif (svg := svg_of(page.entry, page.view, page.names, lang=query["lang"])) is not None:
        more = _thumbnail(outside.table_picture(pk, "png", query | {"width": str(THUMBNAIL)}), svg)
    return _title(page), outside.table_frame(pk, query), more


def _position_embedded(entry: Entry, asked: dict[str, str], query: dict[str, str]) -> tuple[str, str, dict[str, Any]] | None:
    try:
        text = written(position_of(asked["p"]))
        file, rules, state, _ = placed(entry, text, "0")
        svg = svg_of(entry, rules.view_for(state, None), names_of(int(file["seats"])), lang=query["lang"])
    except PositionError:
        return None
    if asked.get("seat", "").isdecimal():
        query = query | {"seat": asked["seat"][:3]}
    title = gettext("%(game)s: a position") % {"game": gettext(entry.game.meta.title)}
    code = code_of(file)
    picture = outside.position_picture(entry.key, code, "png", {"lang": query["lang"], "width": str(THUMBNAIL)})
    return title, outside.position_frame(entry.key, code, query), {} if svg is None else _thumbnail(picture, svg)


def _thumbnail(address: str, svg: str) -> dict[str, Any]:
    return {"thumbnail_url": address, "thumbnail_width": THUMBNAIL, "thumbnail_height": height_of(svg, THUMBNAIL)}
