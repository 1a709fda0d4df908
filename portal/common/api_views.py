"""What all views of the API share: what may be cached, pages of lists, and the words in which the schema tells of errors and pages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, ClassVar, Final, TypeVar, cast

from django.conf import settings
from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from portal.common.deprecating import Deprecation
from portal.common.limits import Use, client_address, use
from portal.common.scopes import READ, HasScope
from portal.live.problems import CONTENT_TYPE

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")
ON_A_PAGE: Final = 50
MOST_ON_A_PAGE: Final = 100
REQUESTS_A_MINUTE: Final = 600  # of each token, person with a session, or address


class ApiView(APIView):
    """A view whose answers are one viewer's alone.

    `reads` and `scope` are the scopes that a token needs to look at it, and to change something (`portal.common.scopes`). `leaving` has what
    is deprecated, by method.
    """

    leaving: ClassVar[Mapping[str, Deprecation]] = {}

    reads: ClassVar[str] = READ
    scope: ClassVar[str] = "play"

    used: Use | None = None

    def perform_authentication(self, request: Request) -> None:
        """Count the request before anything is refused: for its token, else for the person of the session, else for the address. Raises Throttled."""
        try:
            super().perform_authentication(request)
        finally:
            self.used = use("api", _counted_as(request), limit=REQUESTS_A_MINUTE, window_s=60)
            if not self.used.is_allowed:
                raise exceptions.Throttled(self.used.reset_s)

    def get_permissions(self) -> list[Any]:
        """Return the view's own permissions and, after them, the scopes: no view can leave those out."""
        return [*super().get_permissions(), HasScope()]

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep one viewer's answers from all others: nothing here may be cached."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        leaving = self.leaving.get(request.method or "")
        for name, value in (leaving.headers if leaving is not None else {}).items():
            response[name] = value
        if self.used is not None:
            response["RateLimit-Policy"] = f'"api";q={REQUESTS_A_MINUTE};w=60'
            response["RateLimit"] = f'"api";r={max(self.used.left, 0)};t={self.used.reset_s}'
        return response


def _counted_as(request: Request) -> str:
    token: Any = request.auth
    if token is not None:
        return f"token-{token.counted_as}"
    return f"user-{request.user.pk}" if request.user is not None and request.user.is_authenticated else client_address(request._request)


class ConditionalView(ApiView):
    """A view whose answers carry an ETag, a digest of the body: whoever sends it in `If-None-Match` gets 304 while the answer would be the same."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and send no body that the client has."""
        response = cast(Response, super().dispatch(request, *args, **kwargs))
        if request.method not in ("GET", "HEAD") or response.status_code != 200:
            return response
        etag = f'"{hashlib.sha256(response.render().content).hexdigest()[:32]}"'
        response["ETag"] = etag
        answer = get_conditional_response(request, etag=etag, response=response)
        assert answer is not None
        if answer is not response:
            for name in ("Cache-Control", "RateLimit", "RateLimit-Policy"):
                if name in response:
                    answer[name] = response[name]
            patch_vary_headers(answer, [name.strip() for name in response.get("Vary", "").split(",") if name.strip()])
        return answer


LANG: Final = OpenApiParameter(
    "lang",
    OpenApiTypes.STR,
    enum=list(settings.INTERFACE_LANGUAGES),
    description="Language of texts: `en`, `hu` or `ru`; without it, that of the request. With it, the answer is the same for everybody, and may be cached.",
)


class PublicView(ConditionalView):
    """A view whose answers are the same for everybody who asks in the same language; they may be cached if the address names it."""

    FRESH_S: ClassVar[int] = 300

    @property
    def lang(self) -> str:
        """The language of `?lang=`, else the caller's. Raises ValidationError for one that the site doesn't have."""
        wanted = self.request.query_params.get("lang")
        if wanted is None:
            return translation.get_language() or settings.LANGUAGE_CODE
        if wanted not in settings.INTERFACE_LANGUAGES:
            known = ", ".join(settings.INTERFACE_LANGUAGES)
            raise exceptions.ValidationError({"lang": _("Choose one of these: %(known)s.") % {"known": known}})
        return wanted

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Let caches keep what is nobody's own: all but errors, and answers whose language is the caller's."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code == 200:
            is_for_all = "lang" in request.query_params
            response["Cache-Control"] = f"public, max-age={self.FRESH_S}" if is_for_all else "private, no-cache"
            if is_for_all:  # what is left for one reader means nothing to those who get the answer from a cache
                del response["RateLimit"], response["RateLimit-Policy"]
            else:
                patch_vary_headers(response, ["Accept-Language", "Authorization"])
        return response


class Input(serializers.Serializer):
    """The body of a request; `leaving` has the fields that are deprecated."""

    leaving: ClassVar[Mapping[str, Deprecation]] = {}


class Output(serializers.Serializer):
    """The body of an answer, or a part of it; `leaving` has the fields that are deprecated."""

    leaving: ClassVar[Mapping[str, Deprecation]] = {}


def checked(kind: type[Input], data: Any) -> dict[str, Any]:
    """Return the validated values of a body. Raises ValidationError."""
    form = kind(data=data)
    form.is_valid(raise_exception=True)
    values: dict[str, Any] = form.validated_data
    return values


class ErrorDetail(Output):
    """What an error said before it had the other fields."""

    code = serializers.CharField(help_text="Stable name of the error: the end of `type`.")
    reason = serializers.CharField(help_text="The same as `detail`.")
    rule = serializers.CharField(allow_null=True, help_text="The paragraph that forbids it, such as `ra#auction-3`.")
    rule_url = serializers.CharField(allow_null=True, help_text="Where that paragraph can be read.")


class WrongValue(Output):
    """A value of the body or the address that is wrong."""

    field = serializers.CharField(allow_blank=True, help_text="Its path, such as `pace.kind`; empty for the whole body.")
    reason = serializers.CharField(help_text="What is wrong with it, in the language of the request.")


class ErrorAnswer(Output):
    """Every error, as `application/problem+json` (RFC 9457)."""

    type = serializers.CharField(help_text="Address that explains the error; it ends with its stable name.")
    title = serializers.CharField(help_text="A few words for the status, in the language of the request.")
    status = serializers.IntegerField(help_text="The HTTP status.")
    detail = serializers.CharField(help_text="What is wrong and what to do, in the language of the request.")
    rule = serializers.CharField(allow_null=True, help_text="The paragraph that forbids it, such as `ra#auction-3`.")
    errors = WrongValue(many=True, help_text="The values that are wrong; empty if it isn't about one.")  # type: ignore[assignment]
    error = ErrorDetail()


def problems(*statuses: int) -> dict[tuple[int, str], Any]:
    """Return errors as the schema describes them."""
    return {(status, CONTENT_TYPE): ErrorAnswer for status in statuses}


READS: Final = problems(400, 401, 403, 404, 429)
WRITES: Final = problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
FORBIDDEN: Final = problems(403)  # of what only some may read
DONE: Final[dict[Any, Any]] = {204: OpenApiResponse(description="Done."), **WRITES}


# Pages of lists

CURSOR: Final = [
    OpenApiParameter("cursor", OpenApiTypes.STR, description="Where the page starts: as in `next` of the page before."),
    OpenApiParameter("limit", OpenApiTypes.INT, description=f"How many to list: {ON_A_PAGE}, or up to {MOST_ON_A_PAGE}."),
]


def paged(row: type[Output]) -> type[Output]:
    """Return the answer that is a page of such rows."""
    fields = {
        "__doc__": "A page of a list.",
        "next": serializers.CharField(allow_null=True, help_text="Address of the next page; null on the last one."),
        "results": row(many=True),
    }
    return type(row.__name__.replace("Answer", "PageAnswer"), (Output,), fields)


def page_of(rows: QuerySet[Row], request: Request, *, of: str, by: Sequence[str], limit: int | None = None) -> tuple[list[Row], str | None]:
    """Return a page of a list and the address of the next one, with one statement.

    `by` orders it, as in `order_by`; the last field tells any two rows apart, and none may be null. `of` names the list: its cursors are signed, and
    fit no other one. `limit` is how many to list, if the request doesn't say so as other lists have it. Raises ValidationError for a cursor or limit
    that can't be.
    """
    after = cursor_of(request, of, len(by))
    limit = limit_of(request) if limit is None else limit
    if after is not None:
        rows = rows.filter(_beyond(by, after))
    found = list(rows.order_by(*by)[: limit + 1])
    if len(found) <= limit:
        return found, None
    last = [getattr(found[limit - 1], field.lstrip("-")) for field in by]
    return found[:limit], address_after(request, of, [value.isoformat() if isinstance(value, date) else value for value in last])


def page_of_sorted(items: Sequence[tuple[str, Item]], request: Request, *, of: str) -> tuple[list[Item], str | None]:
    """Return the same of a list in memory, of (key, item) sorted by keys that differ."""
    after = cursor_of(request, of, 1)
    limit = limit_of(request)
    found = [(key, item) for key, item in items if after is None or key > after[0]]
    following = address_after(request, of, [found[limit - 1][0]]) if len(found) > limit else None
    return [item for _key, item in found[:limit]], following


def limit_of(request: Request) -> int:
    """Return how many rows to list. Raises ValidationError."""
    raw = request.query_params.get("limit", str(ON_A_PAGE))
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 3 and 1 <= int(raw) <= MOST_ON_A_PAGE):
        raise exceptions.ValidationError({"limit": _("Use a whole number from 1 to %(most)d.") % {"most": MOST_ON_A_PAGE}})
    return int(raw)


def cursor_of(request: Request, of: str, fields: int) -> list[Any] | None:
    """Return the values of the last row of the page before; None on the first page. Raises ValidationError."""
    raw = request.query_params.get("cursor")
    if not raw:
        return None
    try:
        values = signing.Signer(salt=f"cursor.{of}").unsign_object(raw)
    except signing.BadSignature:
        values = None
    if not isinstance(values, list) or len(values) != fields:
        raise exceptions.ValidationError({"cursor": _("This isn't a cursor of this list. Start again without one.")})
    return values


def address_after(request: Request, of: str, values: list[Any]) -> str:
    """Return the address of the page after the row with these values."""
    cursor = signing.Signer(salt=f"cursor.{of}").sign_object(values)  # without the time, so that equal pages have equal ETags
    return str(replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def _beyond(by: Sequence[str], values: Sequence[Any]) -> Q:
    """Return the condition for rows after the one with these values."""
    found, same = Q(pk__in=[]), Q()
    for field, value in zip(by, values, strict=True):
        name = field.lstrip("-")
        found |= same & Q(**{f"{name}__{'lt' if field.startswith('-') else 'gt'}": value})
        same &= Q(**{name: value})
    return found
