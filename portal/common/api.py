"""How the API reads bodies, and how it says what was wrong: always in the shape of `portal.live.problems`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions, pagination, parsers
from rest_framework.response import Response

from portal.common.refusals import Refusal, ScopeMissing
from portal.live.problems import CONTENT_TYPE, is_of_api, problem


class JSONParser(parsers.JSONParser):
    """JSON bodies only, at most 64 kB, nested no deeper than Python reads, with characters that can be written back."""

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise exceptions.ParseError(_("The JSON body is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise exceptions.ParseError(_("The JSON body contains an unpaired surrogate.")) from None
        except LookupError:
            raise exceptions.ParseError(_("The JSON body is in an unknown encoding.")) from None
        return data


class TooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_big"


def problem_response(status: int, code: str, reason: str) -> HttpResponse:
    """Return an error outside the framework's views."""
    return JsonResponse(problem(status, code, reason), status=status, content_type=CONTENT_TYPE, json_dumps_params={"ensure_ascii": False})


def refused(refusal: Refusal, reason: str = "", rule_url: str | None = None) -> Response:
    """Return a refusal of a service as an answer; `reason` says more than its own sentence does."""
    wait = {} if refusal.retry_after_s is None else {"Retry-After": str(refusal.retry_after_s)}
    reason = reason or str(refusal)
    errors = [{"field": refusal.field, "reason": reason}] if refusal.field else ()
    told = problem(refusal.status, refusal.code, reason, rule=refusal.rule, rule_url=rule_url, errors=errors)
    return Response(told, status=refusal.status, headers=wait, content_type=CONTENT_TYPE)


def unnamed_problem(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Give an error of the API that nobody put into the one shape (405 of a page, a refusal of Django's) that shape; its headers stay."""
    if response.status_code < 400 or not is_of_api(request.path):
        return response
    if response["Content-Type"].startswith(CONTENT_TYPE) and response.content.startswith(b"{"):  # the schema's view writes YAML
        return response
    reasons = {404: _("There is nothing at this address."), 405: _("This address doesn't take such requests.")}
    codes = {401: "not_authenticated", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_big", 429: "too_many"}
    status = response.status_code
    told = problem_response(
        status, codes.get(status, "bad_request" if status < 500 else "fault"), reasons.get(status, _("The request can't be read."))
    )
    response.content = told.content
    response["Content-Type"] = told["Content-Type"]
    return response


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what Django and the framework raise into the one shape."""
    from rest_framework.views import exception_handler as default_handler  # the framework imports this module first

    if isinstance(error, Refusal):
        answer = refused(error)
        if isinstance(error, ScopeMissing) and _is_of_an_application(context):
            answer["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{error.values["scope"]}"'  # RFC 6750, 3.1
        return answer
    if isinstance(error, Http404):
        error = exceptions.NotFound(_("There is nothing at this address."))
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, RequestDataTooBig):
        error = TooLarge(_("The request is larger than 64 kB."))
    response: Response | None = default_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        return response
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "invalid"
    errors = list(_fields(error.detail)) if isinstance(error, exceptions.ValidationError) else ()
    response.data = problem(response.status_code, code, _sentence(error.detail), errors=errors)
    response.content_type = CONTENT_TYPE
    return response


def _is_of_an_application(context: dict[str, Any]) -> bool:
    request = context.get("request")
    return request is not None and request.META.get("HTTP_AUTHORIZATION", "").lower().startswith("bearer ")


def _fields(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Yield each wrong value of nested field errors with its path: {"field": "pace.kind", "reason": "..."}."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from _fields(value, path if key == "non_field_errors" else f"{path}.{key}" if path else str(key))
    elif isinstance(detail, list) and any(
        isinstance(value, dict | list) for value in detail
    ):  # rows of a list: those that are in order have {}
        for index, value in enumerate(detail):
            yield from _fields(value, f"{path}.{index}" if path else str(index))
    elif isinstance(detail, list):
        for value in detail:
            yield from _fields(value, path)
    else:
        yield {"field": path, "reason": str(detail)}


def _sentence(detail: Any, path: str = "") -> str:
    """Return nested field errors as one line: "seats: A valid integer is required."."""
    if isinstance(detail, dict):
        return " ".join(_sentence(value, f"{path}.{key}" if path else str(key)) for key, value in detail.items())
    if isinstance(detail, list):
        return " ".join(_sentence(value, path) for value in detail)
    bare = path.removesuffix(".non_field_errors").removeprefix("non_field_errors")
    return f"{bare}: {detail}" if bare else str(detail)


class Pages(pagination.LimitOffsetPagination):
    """`limit` up to 100 and `offset` up to 100 000; larger values are cut to that."""

    default_limit = 50
    max_limit = 100
    max_offset = 100_000

    def get_offset(self, request: Any) -> int:
        return min(super().get_offset(request), self.max_offset)
