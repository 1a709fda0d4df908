"""The API: the same services and the same view of a table as the pages, in JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
from django.contrib.auth import authenticate
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.registry import GAMES
from portal.accounts import second_factor
from portal.accounts.models import User
from portal.accounts.refusals import TokenNeedsSettings
from portal.accounts.services import token_for_sign_in
from portal.clubs.selectors import club_for
from portal.common.api import Pages, error_body
from portal.common.limits import allow, client_address
from portal.common.refusals import Refusal
from portal.tables import handing, refusals, selectors, services
from portal.tables import serializers as s
from portal.tables.access import load_for, may_see, told_to
from portal.tables.lists import table_rows
from portal.tables.loading import Loaded
from portal.tables.lobby_views import JOINS_PER_HOUR, TABLES_PER_HOUR
from portal.tables.pace import Pace
from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker

SIGN_INS_A_MINUTE = 10
LISTS = ("open", "mine", "finished")
REFUSALS = {400: s.ErrorAnswer, 401: s.ErrorAnswer, 403: s.ErrorAnswer, 404: s.ErrorAnswer, 429: s.ErrorAnswer}
CONFLICTS = {**REFUSALS, 409: s.ErrorAnswer, 413: s.ErrorAnswer, 415: s.ErrorAnswer, 503: s.ErrorAnswer}
READING = {404: s.ErrorAnswer, 401: s.ErrorAnswer, 429: s.ErrorAnswer}


class TablesView(APIView):
    """Turns refusals of the services into the one shape of errors. Anything a person may not see is answered as if it did not exist."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, refusals.TableRefusal):
            return self._refusal(told_to(self.person, int(self.kwargs.get("pk", 0)), exc))
        if isinstance(exc, Refusal):
            wait = {} if exc.retry_after_s is None else {"Retry-After": str(exc.retry_after_s)}
            return Response(error_body(exc.code, str(exc)), status=exc.status, headers=wait)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep one viewer's answers from all others: nothing here may be cached."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    def _refusal(self, error: refusals.TableRefusal) -> Response:
        reason, rule, rule_url = str(error), None, None
        lang = translation.get_language() or "en"
        if error.cause is not None:
            loaded = load_for(int(self.kwargs["pk"]), self.person)
            reason = Speaker(loaded.table.game, lang, loaded.names, loaded.seat_of(self.person)).say(error.cause)
        if error.rule is not None:
            rule = error.rule
            game, _hash, anchor = rule.partition("#")
            rule_url = reverse("rules:paragraph", args=[lang, game, anchor])
        wait = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
        return Response(error_body(error.code, reason, rule=rule, rule_url=rule_url), status=error.status, headers=wait)

    @property
    def person(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def signed_in(self) -> User:
        if (user := self.person) is None:
            raise exceptions.NotAuthenticated
        return user

    def answer(self, loaded: Loaded, status: int = 200) -> Response:
        return Response(table_json(selectors.page_of(loaded, self.person)), status=status)


def table_json(page: TablePage) -> dict[str, Any]:
    """Return a table as one viewer may see it, entirely from that viewer's `TablePage`."""
    speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, page.my_seat)
    data = {
        "id": page.id,
        "game": page.entry.key,
        "status": page.status,
        "version": page.version,
        "options": page.options,
        "seat_count": page.seat_count,
        "seats": page.seats,
        "my_seat": page.my_seat,
        "view": msgspec.to_builtins(page.view, str_keys=True) if page.view is not None else None,
        "question": speaker.say(page.turn.ask.title) if page.turn.ask is not None else None,
        "legal": page.turn.legal,
        "due": [seat for seat in page.turn.due if seat >= 0],
        "due_since": page.turn.due_since,
        "waiting_for": page.turn.waiting_for,
        "can_undo": page.may.undo,
        "can_redo": page.may.redo,
        "can_join": page.may.join,
        "can_leave": page.may.leave,
        "can_start": page.may.start,
        "orders": [{"order": option.text, "label": speaker.say(option.label), "is_set": is_set} for option, is_set in page.turn.orders],
        "log": [line_json(line, speaker) for line in page.log.lines],
        "commitment": page.seal.commitment,
        "secret": page.seal.secret,
        "outcome": msgspec.to_builtins(page.outcome, str_keys=True) if page.outcome is not None else None,
        "club": page.circle.slug if page.circle is not None else None,
        "is_rated": page.is_rated,
        "pace": asdict(page.pace),
        "can_come_back": page.may.come_back,
        "duplicate_set": page.circle.set_id if page.circle is not None else None,
        "is_sealed": page.is_sealed,
        "created_at": page.created_at,
        "started_at": page.started_at,
        "finished_at": page.finished_at,
    }
    return dict(s.TableAnswer(data).data)


def line_json(line: LogLine, speaker: Speaker) -> dict[str, Any]:
    """Return an event of the log with its sentence."""
    return {
        "seq": line.seq,
        "version": line.version,
        "at": line.at,
        "actor": line.actor,
        "by": line.by,
        "key": line.event.key,
        "params": dict(line.event.params),
        "rule": line.event.rule,
        "text": speaker.say(line.event),
    }


class TokenView(APIView):
    """Sign in with name and password."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="sign_in",
        summary="Get a token with your name and password",
        request=s.TokenRequest,
        responses={200: s.TokenAnswer, **CONFLICTS},
        auth=[],
        tags=["people"],
    )
    def post(self, request: Request) -> Response:
        """You get a new token each time; the newest ten work until you renew or revoke them in the settings. Too many wrong passwords block sign-in for a while. Accounts with a second factor get 403: create a token in the settings."""
        if not allow("api-sign-in", client_address(request._request), limit=SIGN_INS_A_MINUTE, window_s=60):
            raise exceptions.Throttled(60)
        values = s.checked(s.TokenRequest, request.data)
        user = authenticate(request._request, username=values["username"], password=values["password"])
        if not isinstance(user, User):
            return Response(error_body("wrong_password", _("Wrong name or password.")), status=401)
        if second_factor.is_on(user):
            return Response(error_body("second_factor", str(TokenNeedsSettings())), status=403)
        return Response({"token": token_for_sign_in(user=user), "username": user.username})


class GamesView(TablesView):
    @extend_schema(
        operation_id="games",
        summary="List the games you can play",
        responses={200: s.GameAnswer(many=True), 401: s.ErrorAnswer, 429: s.ErrorAnswer},
        tags=["tables"],
    )
    def get(self, request: Request) -> Response:
        """Each with its player counts, options and bot levels, in the form that `create_table` takes."""
        metas = [entry.game.meta for entry in GAMES.values()]
        return Response(s.GameAnswer(metas, many=True).data)


class TableListView(TablesView):
    @extend_schema(
        operation_id="tables",
        summary="List tables",
        parameters=[
            OpenApiParameter("list", OpenApiTypes.STR, enum=LISTS, default="open", description="Which tables to list."),
            OpenApiParameter("game", OpenApiTypes.STR, description="List only tables of this game."),
            OpenApiParameter("limit", OpenApiTypes.INT, description="How many tables to list, at most 100."),
            OpenApiParameter("offset", OpenApiTypes.INT),
        ],
        responses={200: s.RowsAnswer, **REFUSALS},
        tags=["tables"],
    )
    def get(self, request: Request) -> Response:
        """Open tables you could join, your own open tables and games in progress, or finished tables you can see. Newest first."""
        wanted = request.query_params.get("list", "open")
        if wanted not in LISTS:
            raise exceptions.ValidationError({"list": _("Choose one of these: open, mine, finished.")})
        game = request.query_params.get("game") or None
        if game is not None and game not in GAMES:
            raise exceptions.ValidationError({"game": _("This game doesn't exist.")})
        if wanted == "open":
            tables = selectors.open_tables(self.person, game)
        elif wanted == "finished":
            tables = selectors.recent_finished(game, viewer=self.person)
        else:
            tables = selectors.my_tables(self.signed_in)
            tables = tables.filter(game=game) if game else tables
        pages = Pages()
        found = pages.paginate_queryset(tables, request, view=self)
        rows = table_rows(found or (), self.person)
        return pages.get_paginated_response(s.RowAnswer(rows, many=True).data)

    @extend_schema(
        operation_id="create_table",
        summary="Open a table",
        request=s.TableRequest,
        responses={201: s.TableAnswer, **CONFLICTS},
        tags=["tables"],
    )
    def post(self, request: Request) -> Response:
        """You take seat 0 and the bots take the last seats. The game starts when no seat is free. Only members can open a club table."""
        user = self.signed_in
        values = s.checked(s.TableRequest, request.data)
        if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(3600)
        loaded = services.create_table(
            owner=user,
            game_key=values["game"],
            seats=values["seats"],
            options=values["options"],
            bots=values["bots"],
            word=values["word"],
            club=club_for(values["club"], user).club if values["club"] else None,
            is_rated=values["is_rated"],
            pace=Pace(**values["pace"]) if "pace" in values else None,
        )
        return self.answer(loaded, 201)


class TableView(TablesView):
    @extend_schema(
        operation_id="table",
        summary="See a table from your seat",
        responses={200: s.TableAnswer, **READING},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """What your seat can see, your legal actions, and the version to send with an action."""
        return Response(table_json(selectors.table_page(pk, self.person)))


class LogView(TablesView):
    @extend_schema(
        operation_id="log",
        summary="Read the full log",
        responses={200: s.LineAnswer(many=True), **READING},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Newest first, showing only what you can see."""
        page = selectors.table_page(pk, self.person)
        speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, page.my_seat)
        lines = [line_json(line, speaker) for line in selectors.full_log(pk, self.person)]
        return Response(s.LineAnswer(lines, many=True).data)


class JoinView(TablesView):
    @extend_schema(
        operation_id="join",
        summary="Take a seat",
        request=s.JoinRequest,
        responses={200: s.TableAnswer, **CONFLICTS},
        tags=["tables"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take the first free seat at an open table. The game starts when the last seat is taken."""
        user = self.signed_in
        values = s.checked(s.JoinRequest, request.data)
        if not allow("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(3600)
        return self.answer(services.join_table(table_id=pk, user=user, word=values["word"]))


class LeaveView(TablesView):
    @extend_schema(
        operation_id="leave",
        summary="Leave table",
        request=None,
        responses={200: s.TableAnswer, 204: OpenApiResponse(description="Done. You can no longer see the table."), **CONFLICTS},
        tags=["tables"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """At an open table your seat becomes free, and the table closes if you own it. In a running game, a bot takes over."""
        loaded = services.leave_table(table_id=pk, user=self.signed_in)
        return self.answer(loaded) if may_see(loaded, self.person) else Response(status=204)


class ComeBackView(TablesView):
    @extend_schema(
        operation_id="come_back", summary="Take your seat back", request=None, responses={200: s.TableAnswer, **CONFLICTS}, tags=["tables"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """After you ran out of time, a bot plays in your seat until you come back, if the table's pace says so."""
        return self.answer(handing.come_back(table_id=pk, user=self.signed_in))


class StartView(TablesView):
    @extend_schema(
        operation_id="start", summary="Start your table", request=None, responses={200: s.TableAnswer, **CONFLICTS}, tags=["tables"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Bots take the free seats at your open table, and the game starts."""
        return self.answer(services.start_table(table_id=pk, user=self.signed_in))


class ActionView(TablesView):
    @extend_schema(
        operation_id="act",
        summary="Submit an action",
        request=s.ActionRequest,
        responses={200: s.TableAnswer, **CONFLICTS, 422: s.ErrorAnswer},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """409 if the table has changed since `expected_version`; 422, with the paragraph, if the rules forbid the action."""
        values = s.checked(s.ActionRequest, request.data)
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
        responses={200: s.TableAnswer, **CONFLICTS},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Actions that were submitted together are undone together.

        Possible unless something hidden was shown, the game drew or rolled, or someone else has acted since.
        """
        values = s.checked(s.UndoRequest, request.data)
        return self.answer(services.undo_action(table_id=pk, user=self.signed_in, expected_version=values["expected_version"]))


class RedoView(TablesView):
    @extend_schema(
        operation_id="redo",
        summary="Redo the move you undid",
        request=s.UndoRequest,
        responses={200: s.TableAnswer, **CONFLICTS},
        tags=["play"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Possible until someone acts otherwise. Each action is one like any other."""
        values = s.checked(s.UndoRequest, request.data)
        return self.answer(services.redo_action(table_id=pk, user=self.signed_in, expected_version=values["expected_version"]))


class OrderView(TablesView):
    @extend_schema(
        operation_id="set_order",
        summary="Give an answer in advance",
        request=s.OrderRequest,
        responses={200: s.TableAnswer, **CONFLICTS},
        tags=["play"],
    )
    def put(self, request: Request, pk: int) -> Response:
        """One of `orders`. It replaces any earlier one. Nobody else can see it."""
        values = s.checked(s.OrderRequest, request.data)
        return self.answer(services.set_order(table_id=pk, user=self.signed_in, order=values["order"]))

    @extend_schema(
        operation_id="clear_order", summary="Withdraw an answer in advance", responses={200: s.TableAnswer, **CONFLICTS}, tags=["play"]
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Does nothing if there is none."""
        return self.answer(services.clear_order(table_id=pk, user=self.signed_in))


class StreamView(TablesView):
    @extend_schema(
        operation_id="stream",
        summary="Get the address of the event stream",
        responses={200: s.StreamAnswer, **READING, 409: s.ErrorAnswer},
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
        parameters=[OpenApiParameter("full", OpenApiTypes.STR, enum=["0", "1"], description="1 includes undone entries.")],
        responses={200: s.RecordAnswer, **READING, 409: s.ErrorAnswer},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Effective actions, chance outcomes, the result, and the secret behind the sealed draws."""
        return Response(selectors.record_of(pk, self.person, full=request.query_params.get("full") == "1"))
