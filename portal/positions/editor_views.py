"""The page on which a position is made: its text, how it looks, and what can be done with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.core.contract import PositionError
from games.core.editing import Misplaced
from games.core.records import POSITION_FORMAT
from games.registry import GAMES, Entry
from portal.common.limits import client_network, count_use
from portal.common.refusals import Refusal, TooMany
from portal.positions.codes import MOST_TEXT, code_of, position_of, written
from portal.positions.editing import Shown, example_file, first_text, pieces_and_places, said_due, shown, why_not, with_field, with_piece
from portal.tables import outside, refusals, selectors, services
from portal.tables.access import load_for, may_see
from portal.tables.faults import language_of
from portal.tables.faults import said as fault_said
from portal.tables.forms import QUICK_LEVEL
from portal.tables.lobby_views import TABLES_PER_HOUR, arriving, viewer_of
from portal.tables.page import sprite_symbols
from portal.tables.replay import replay_of, whole
from portal.tables.study import position_of as studied
from portal.tables.study_views import BY_HAND
from rules_docs import heads
from rules_docs.examples import ExampleError, example, example_names

LOOKS_A_MINUTE: Final = 120
TAKE: Final = "take "
PUT: Final = "put"
BY_PIECE: Final = (PUT, "remove")


@require_safe
def editors(request: HttpRequest) -> HttpResponse:
    """Lead to the editor of the first game."""
    return redirect("position-editor", next(iter(GAMES)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def editor(request: HttpRequest, game: str) -> HttpResponse:
    """Show a position and its text; ?p= is one from a link, ?example= one of the rule book, ?table=17&step=3 one of a replay.

    A POST shows the text in it, or does what its button says: puts a piece on the board or takes it away, takes a field into the text, opens a
    practice table, gives a file. A piece that can't be put changes nothing and is answered with the reason.
    """
    if game not in GAMES:
        raise Http404
    count_use("position", client_network(request), limit=LOOKS_A_MINUTE, window_s=60)
    entry = GAMES[game]
    asked: Mapping[str, Any] = request.POST if request.method == "POST" else request.GET
    seat, wish = str(asked.get("seat", "")), str(request.POST.get("do", ""))
    text, found, fault, fault_lang, reason, refused = "", None, "", "", "", ""
    imported: list[dict[str, Any]] = []
    try:
        text = str(request.POST.get("text", "")) if request.method == "POST" else _text(request, entry)
        imported, position = _imported(entry, text)
        found = shown(entry, position, str(request.LANGUAGE_CODE), seat)
        if wish == "play":
            return _play(request, entry, found)
        if wish == "file":
            return _file(found, entry)
        if wish.startswith(TAKE):
            text = with_field(position, wish.removeprefix(TAKE), found)
            imported = []
            found = shown(entry, text, str(request.LANGUAGE_CODE), seat)
        if wish in BY_PIECE:
            text, found, refused = _with_piece(request, entry, text, found, seat)
            imported = imported if refused else []
    except PositionError as error:
        fault, fault_lang, found = fault_said(error), language_of(error), None
    except TooMany:
        raise
    except Refusal as error:
        reason = str(error)
    context = {
        "section": "play",
        "entry": entry,
        "games": GAMES.values(),
        "text": text,
        "fault": fault,
        "fault_lang": fault_lang,
        "refused": refused,
        "reason": reason,
        "imported": imported if found else [],
        "examples": _examples(entry, str(request.LANGUAGE_CODE)),
        "levels": [{"key": level, "is_chosen": level == QUICK_LEVEL} for level in entry.game.meta.bot_levels],
        "by_hand": BY_HAND,
        "head": _head(entry, found, str(request.LANGUAGE_CODE)) if found and request.GET.get("p") else None,
        "oembed": outside.oembed_address(outside.position_page(entry.key, found.code)) if found and request.GET.get("p") else "",
        **(_outcome(entry, found, asked, str(request.LANGUAGE_CODE)) if found else {}),
    }
    is_part = getattr(request, "htmx", False) and wish in ("", *BY_PIECE)
    context["is_changed"] = is_part and bool(wish)  # then the text goes along, too
    if not is_part:
        context["symbols"] = sprite_symbols(entry)
    return render(
        request,
        "positions/editor.html#outcome" if is_part else "positions/editor.html",
        context,
        status=422 if fault or reason or refused else 200,
    )


def _imported(entry: Entry, text: str) -> tuple[list[dict[str, Any]], str]:
    """Return the positions of a game that somebody has written down, and the text of the last one; of any other text, nothing and the text.

    Raises PositionError naming the line.
    """
    if not entry.imports or len(text) > MOST_TEXT or not text.strip() or text.lstrip().startswith(("{", "[")):
        return [], text
    found = entry.imported(text)
    steps = [{"line": one.line, "text": one.text, "link": outside.position_page(entry.key, code_of(one.position))} for one in found]
    return steps, written(found[-1].position)


def _text(request: HttpRequest, entry: Entry) -> str:
    """Return the text with which a page begins. Raises PositionError, and what may not be seen of a table."""
    code, name, table = (request.GET.get(key, "") for key in ("p", "example", "table"))
    if code:
        return written(position_of(code))
    if name:
        try:
            return written(example(entry.key, name).position)
        except ExampleError:
            raise Http404 from None
    if table:
        return written(_of_table(request, entry, table, request.GET.get("step", "")))
    return first_text(entry)


def _of_table(request: HttpRequest, entry: Entry, table: str, step: str) -> dict[str, Any]:
    """Return the position of a step, if the reader may study that game."""
    user = viewer_of(request)
    if not (table.isascii() and table.isdecimal() and len(table) <= 18):
        raise Http404
    try:
        loaded = load_for(int(table), user)
    except refusals.TableNotFound:
        raise Http404 from None
    if loaded.game.meta.key != entry.key or not may_see(loaded, None):  # what is made of it here is for everybody
        raise Http404
    state = studied(replay_of(loaded, selectors.page_of(loaded, user)), whole(step or "0"))
    return {
        "format": POSITION_FORMAT,
        "game": entry.key,
        "rules_version": loaded.table.rules_version,
        "options": loaded.table.options,
        "seats": loaded.table.seat_count,
        "state": loaded.game.state_to_json(state),
    }


def _with_piece(request: HttpRequest, entry: Entry, text: str, found: Shown, seat: str) -> tuple[str, Shown, str]:
    """Return text and position after a piece was put or taken, or those from before with the reason why not."""
    piece, place = (str(request.POST.get(name, "")) for name in ("piece", "place"))
    try:
        new = with_piece(entry, found, piece, place, is_put=request.POST.get("do") == PUT)
        return new, shown(entry, new, str(request.LANGUAGE_CODE), seat), ""
    except Misplaced as error:
        return text, found, why_not(entry, found, error, str(request.LANGUAGE_CODE))
    except PositionError as error:
        return text, found, fault_said(error)


def _outcome(entry: Entry, found: Shown, asked: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return what the templates show of a position that can be."""
    pieces, places = pieces_and_places(entry, found, lang)
    looks = {"lang": lang} | ({} if found.seat is None else {"seat": str(found.seat + 1)})
    frame = outside.position_frame(entry.key, found.code, looks)
    has_pictures = entry.game.picture is not None and len(found.code) <= outside.LONGEST_CODE
    forms = ("svg", "png") if has_pictures else ()
    return {
        "shown": found,
        "whole": written(found.position),
        "said": said_due(found),
        "pieces": pieces,
        "places": places,
        "piece": str(asked.get("piece", "")),
        "place": str(asked.get("place", "")),
        "seats": [{"number": seat + 1, "name": name, "is_shown": seat == found.seat} for seat, name in enumerate(found.names)],
        "link": outside.position_page(entry.key, found.code),
        "is_long": len(found.code) > outside.LONGEST_CODE,
        "frame": outside.frame(frame, gettext(entry.game.meta.title)),
        "pictures": {form: outside.position_picture(entry.key, found.code, form, looks) for form in forms},
    }


def _head(entry: Entry, found: Shown, lang: str) -> heads.Head:
    """Return what other sites show beside a link to a position: whose decision it is, and its picture as everybody sees it."""
    title = gettext("%(game)s: a position") % {"game": gettext(entry.game.meta.title)}
    path = reverse("position-editor", args=[entry.key], query={"p": found.code})
    head = heads.of_page(path, lang, title, said_due(found), entry.key)
    if entry.game.picture is None:
        return head
    query = {"lang": lang, "width": str(outside.PREVIEW)}
    return replace(head, picture=outside.position_picture(entry.key, found.code, "png", query), size=None)


def _examples(entry: Entry, lang: str) -> list[tuple[str, str]]:
    """Return (name, title) of the examples of the rule book, by title."""
    titles = ((name, example(entry.key, name).title) for name in example_names(entry.key))
    return sorted(((name, title.get(lang) or title["en"]) for name, title in titles), key=lambda it: it[1])


def _play(request: HttpRequest, entry: Entry, found: Shown) -> HttpResponse:
    """Open a practice table from the position. A visitor becomes a guest on the way."""
    seat, level = whole(str(request.POST.get("as", ""))), str(request.POST.get("level", ""))
    seats = int(found.position["seats"])
    if not 1 <= seat <= seats:
        raise refusals.NoSuchStep
    if found.is_over:
        raise refusals.NothingToStudy
    with arriving(request) as user:
        count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=refusals.TooManyTables)
        opened = services.create_table(
            owner=user,
            game_key=entry.key,
            seats=seats,
            options=found.position["options"],
            bots=[] if level == BY_HAND else [level or QUICK_LEVEL] * (seats - 1),
            position=found.position,
            owner_seat=seat - 1,
            by_hand=level == BY_HAND,
        )
    return redirect("table", opened.table.pk)


def _file(found: Shown, entry: Entry) -> HttpResponse:
    text = json.dumps(example_file(found), ensure_ascii=False, indent=2)
    response = HttpResponse(text + "\n", content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{entry.key}-example.json"'
    return response
