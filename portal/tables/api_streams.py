"""The API's streams for programs: newline-delimited JSON of one table, or of all tables at which a person sits."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from portal.common.api_views import READS, problems
from portal.live.programs import OPENED, POSSIBLE, Opening
from portal.live.tokens import Pass
from portal.tables import serializers as s
from portal.tables.access import load_for
from portal.tables.api_base import TablesView
from portal.tables.feed import Feed, Reader, watches_as
from portal.tables.loading import MAX_ID

NDJSON: Final = "application/x-ndjson"
MOST_TABLES: Final = 500  # in `since`
_ASKED_AGAIN: Final[tuple[str, ...]] = (
    "HTTP_AUTHORIZATION",
    "HTTP_HOST",
    "HTTP_X_FORWARDED_FOR",
    "REMOTE_ADDR",
    "SERVER_NAME",
    "SERVER_PORT",
    "wsgi.url_scheme",
)
STREAMS: Final = {(200, NDJSON): s.MoveLineAnswer, **READS, **problems(503)}


class NdjsonRenderer(JSONRenderer):
    """Lets programs ask for what the streams are. Errors are one object, as elsewhere."""

    media_type = NDJSON
    format = JSONRenderer.format  # `?format=` has nothing to choose


class ProgramView(TablesView):
    """A view whose answer stays open where the server can hold it, and otherwise has what is new by now.

    Programs send a token: a session can't be asked again whether it is still valid.
    """

    authentication_classes = tuple(
        kind
        for kind in map(import_string, settings.REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"])
        if not issubclass(kind, SessionAuthentication)
    )
    renderer_classes = (NdjsonRenderer, JSONRenderer)

    def opened(self, request: Request, table: int | None, had: dict[int, int], watches: Pass | None = None) -> HttpResponse:
        """Hand the stream over to the server, or answer at once. Whoever watches is counted among the spectators for as long as it is open."""
        environ = request._request.META
        asked: dict[str, Any] = {name: environ[name] for name in _ASKED_AGAIN if name in environ}
        person = self.person
        reader = Reader(person, translation.get_language() or "en", lambda: True)
        reader.again = partial(_is_still, reader, type(self), self.kwargs, request.path_info, asked)
        opening = Opening(person.pk if person is not None else 0, table, had, reader, watches)
        if environ.get(POSSIBLE):
            environ[OPENED] = opening
            return HttpResponse(content_type=NDJSON)
        return HttpResponse(_now(opening), content_type=NDJSON)


class MyStreamView(ProgramView):
    @extend_schema(
        operation_id="my_stream",
        summary="Follow all your tables",
        parameters=[
            OpenApiParameter(
                "since", OpenApiTypes.STR, description="The version that you know of each table: `17:42,18:7`. You hear only what is newer."
            )
        ],
        responses=STREAMS,
        tags=["play"],
    )
    def get(self, request: Request) -> HttpResponse:
        """One connection for all tables at which you sit, new ones too. Each line is a JSON object: first one for each table, then `alive`, then one whenever a table moves on, and `alive` every 15 s. If you read slowly, you get the newest state of a table and the events up to it. A token that you revoke ends the stream within 30 s. Needs a token."""
        self.signed_in  # noqa: B018 (raises)
        return self.opened(request, None, _versions(request.query_params.get("since", "")))


class MovesView(ProgramView):
    @extend_schema(
        operation_id="moves",
        summary="Follow one table",
        parameters=[OpenApiParameter("since", OpenApiTypes.INT, description="The version that you know. You hear only what is newer.")],
        responses=STREAMS,
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Like `stream/` for a single table that you can see, from your seat or as a spectator. It ends with the game. As long as you watch, you count among the table's spectators, by name unless you chose otherwise."""
        loaded = load_for(pk, self.person)
        raw = request.query_params.get("since", "")
        if raw and not _is_version(raw):
            raise exceptions.ValidationError({"since": _("Use a version of the table: a whole number.")})
        return self.opened(request, loaded.table.pk, {loaded.table.pk: int(raw)} if raw else {}, watches_as(loaded, self.person))


def _versions(raw: str) -> dict[int, int]:
    """Return the versions of `17:42,18:7`. Raises ValidationError."""
    found: dict[int, int] = {}
    for part in raw.split(",") if raw else ():
        table, _colon, version = part.partition(":")
        if not (_is_version(version) and table.isascii() and table.isdigit() and 0 < len(table) < 20 and 0 < int(table) <= MAX_ID):
            raise exceptions.ValidationError({"since": _("Use tables and versions like this: 17:42,18:7.")})
        found[int(table)] = int(version)
    if len(found) > MOST_TABLES:
        raise exceptions.ValidationError({"since": _("At most %(most)d tables.") % {"most": MOST_TABLES}})
    return found


def _is_version(raw: str) -> bool:
    return raw.isascii() and raw.isdigit() and len(raw) < 11 and int(raw) <= s.MAX_VERSION


def _is_still(reader: Reader, kind: type[ProgramView], kwargs: dict[str, Any], path: str, asked: dict[str, Any]) -> bool:
    """Ask again, by the classes that let the request in, who reads and whether they may."""
    again = HttpRequest()
    again.method, again.META, again.path, again.path_info = "GET", dict(asked), path, path
    again.is_check = True  # type: ignore[attr-defined] # neither a request of the reader's nor a guess
    view = kind()
    view.setup(again, **kwargs)
    request = view.initialize_request(again, **kwargs)
    view.request = request
    with translation.override(reader.language), timezone.override(None):
        try:
            APIView.perform_authentication(view, request)  # without counting, which can refuse before anything is asked
            view.check_permissions(request)
        except (exceptions.AuthenticationFailed, exceptions.NotAuthenticated, exceptions.PermissionDenied):
            return False
        reader.user = view.person
    return True


def _now(opening: Opening) -> bytes:
    """Return what a stream would tell at first."""
    feed = Feed()
    single = [] if opening.table is None else [opening.table]
    theirs, versions = feed.look([opening.person] if opening.table is None else [], single)
    now = theirs.get(opening.person, {}) if opening.table is None else versions
    told = []
    for table in sorted({*now, *opening.had, *single}):
        (line,) = feed.lines(table, [(opening, opening.had.get(table))])
        told.append(line.body if line is not None else b"")
    return b"".join([*told, feed.alive()])
