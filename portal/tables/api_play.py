"""The API of a running game: its log, moves, answers in advance, its stream and its record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from portal.common.api_views import MOST_ON_A_PAGE, READS, WRITES, checked, page_of, problems
from portal.tables import refusals, selectors, services
from portal.tables import serializers as s
from portal.tables.api_base import TablesView, line_json
from portal.tables.models import ActionRecord
from portal.tables.speaker import Speaker

MAX_DIGITS: Final = 9


def _since(request: Request) -> int:
    """Return the version after which to tell; -1 for all. Raises ValidationError."""
    raw = request.query_params.get("since", "-1")
    if raw != "-1" and not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS):
        raise exceptions.ValidationError({"since": _("Use a version of the table: a whole number.")})
    return int(raw)


class LogView(TablesView):
    @extend_schema(
        operation_id="log",
        summary="Read the full log",
        parameters=[
            OpenApiParameter("since", OpenApiTypes.INT, description="Only what happened after this version of the table."),
            OpenApiParameter(
                "limit",
                OpenApiTypes.INT,
                description=f"How many actions to list, each with all of its lines: up to {MOST_ON_A_PAGE}. Without `limit` and `cursor`, all of them.",
            ),
            OpenApiParameter("cursor", OpenApiTypes.STR, description="Where the page starts: follow the `Link` header of the page before."),
        ],
        responses={200: s.LineAnswer(many=True), **READS},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Newest first, showing only what you can see. Where there are older lines than a page has, the header `Link` has the address of the next one (`rel="next"`)."""
        page = selectors.table_page(pk, self.person)
        speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, page.my_seat)
        records = ActionRecord.objects.filter(table_id=pk, version__gt=_since(request)).order_by("-seq")
        found: Iterable[ActionRecord] = records
        following = None
        if not request.query_params.keys().isdisjoint(("limit", "cursor")):
            found, following = page_of(records, request, of=f"log.{pk}", by=("-seq",))
        lines = [line_json(line, speaker) for line in selectors.full_log(pk, self.person, found)]
        link = {} if following is None else {"Link": f'<{following}>; rel="next"'}
        return Response(s.LineAnswer(lines, many=True).data, headers=link)


class ActionView(TablesView):
    @extend_schema(
        operation_id="act",
        summary="Submit an action",
        request=s.ActionRequest,
        responses={200: s.TableAnswer, **WRITES},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """409 if the table has changed since `expected_version`; 422, with the paragraph, if the rules forbid the action."""
        values = checked(s.ActionRequest, request.data)
        loaded = services.submit_action(
            table_id=pk,
            user=self.signed_in,
            action=values["action"],
            expected_version=values["expected_version"],
            then=values["then"],
        )
        return self.answer(loaded)


class UndoView(TablesView):
    @extend_schema(
        operation_id="undo",
        summary="Undo your last move",
        request=s.UndoRequest,
        responses={200: s.TableAnswer, **WRITES},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Actions that were submitted together are undone together.

        Possible unless something hidden was shown, the game drew or rolled, or someone else has acted since.
        """
        values = checked(s.UndoRequest, request.data)
        return self.answer(services.undo_action(table_id=pk, user=self.signed_in, expected_version=values["expected_version"]))


class RedoView(TablesView):
    @extend_schema(
        operation_id="redo",
        summary="Redo the move you undid",
        request=s.UndoRequest,
        responses={200: s.TableAnswer, **WRITES},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Possible until someone acts otherwise. Each action is one like any other."""
        values = checked(s.UndoRequest, request.data)
        return self.answer(services.redo_action(table_id=pk, user=self.signed_in, expected_version=values["expected_version"]))


class OrderView(TablesView):
    @extend_schema(
        operation_id="set_order",
        summary="Give an answer in advance",
        request=s.OrderRequest,
        responses={200: s.TableAnswer, **WRITES},
        tags=["play"],
    )
    def put(self, request: Request, pk: int) -> Response:
        """One of `orders`. It replaces any earlier one. Nobody else can see it."""
        values = checked(s.OrderRequest, request.data)
        return self.answer(services.set_order(table_id=pk, user=self.signed_in, order=values["order"]))

    @extend_schema(
        operation_id="clear_order", summary="Withdraw an answer in advance", responses={200: s.TableAnswer, **WRITES}, tags=["play"]
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Does nothing if there is none."""
        return self.answer(services.clear_order(table_id=pk, user=self.signed_in))


class StreamView(TablesView):
    @extend_schema(
        operation_id="stream",
        summary="Get the address of the event stream",
        responses={200: s.StreamAnswer, **READS, **problems(409)},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Server-sent events that say only the new version. Fetch the table again to see what changed, and a new address when this one expires."""
        page = selectors.table_page(pk, self.person)
        if page.stream is None:
            raise refusals.GameOver
        return Response({"url": page.stream.url, "expires_in_s": page.stream.lifetime_s})


class RecordView(TablesView):
    @extend_schema(
        operation_id="record",
        summary="Get the record of a finished game",
        parameters=[OpenApiParameter("full", OpenApiTypes.STR, enum=["0", "1"], description="`1` includes undone entries, `0` doesn't.")],
        responses={200: s.RecordAnswer, **READS, **problems(409)},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Effective actions, chance outcomes, the result, and the secret behind the sealed draws."""
        return Response(selectors.record_of(pk, self.person, full=request.query_params.get("full") == "1"))
