"""The API: the same services and the same view of a table as the pages, in JSON. Here: signing in, and tables up to the start."""

from __future__ import annotations

from datetime import date

from django.contrib.auth import authenticate
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import GAMES
from portal.accounts import second_factor
from portal.accounts.models import User
from portal.accounts.refusals import TokenNeedsSettings, WrongSignIn
from portal.accounts.services import token_for_sign_in
from portal.clubs.selectors import club_for
from portal.common.api import Pages
from portal.common.api_views import CURSOR, ON_A_PAGE, READS, WRITES, ApiView, ConditionalView, checked, page_of
from portal.common.deprecating import Deprecation
from portal.common.limits import allow, client_address, seconds_left
from portal.tables import handing, inviting, refusals, rematching, selectors, services
from portal.tables import serializers as s
from portal.tables.access import may_see
from portal.tables.api_base import TablesView, table_json
from portal.tables.lists import table_rows
from portal.tables.loading import load
from portal.tables.lobby_views import JOINS_PER_HOUR, TABLES_PER_HOUR
from portal.tables.models import Table
from portal.tables.pace import Pace

SIGN_INS_A_MINUTE = 10
LISTS = ("open", "mine", "finished")
OFFSETS = Deprecation(since=date(2026, 11, 28), until=date(2027, 6, 1))


class TokenView(ApiView):
    """Sign in with name and password."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="sign_in",
        summary="Get a token with your name and password",
        request=s.TokenRequest,
        responses={200: s.TokenAnswer, **WRITES},
        auth=[],
        tags=["people"],
    )
    def post(self, request: Request) -> Response:
        """You get a new token each time; with all scopes; the newest ten work until you revoke them in the settings. Too many wrong passwords block sign-in for a while. Accounts with a second factor get 403: create a token in the settings."""
        if not allow("api-sign-in", client_address(request._request), limit=SIGN_INS_A_MINUTE, window_s=60):
            raise exceptions.Throttled(seconds_left(60))
        values = checked(s.TokenRequest, request.data)
        user = authenticate(request._request, username=values["username"], password=values["password"])
        if not isinstance(user, User):
            raise WrongSignIn
        if second_factor.is_on(user):
            raise TokenNeedsSettings
        return Response({"token": token_for_sign_in(user=user), "username": user.username})


class GamesView(TablesView):
    @extend_schema(
        operation_id="games",
        summary="List the games you can play",
        responses={200: s.GameAnswer(many=True), **READS},
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
            OpenApiParameter(
                "list",
                OpenApiTypes.STR,
                enum=LISTS,
                default="open",
                description="`open` (tables with free seats), `mine` (open or running, with your seat) or `finished`.",
            ),
            OpenApiParameter("game", OpenApiTypes.STR, description="List only tables of this game."),
            OpenApiParameter("limit", OpenApiTypes.INT, description="How many tables to list, at most 100."),
            CURSOR[0],
            OpenApiParameter(
                "offset",
                OpenApiTypes.INT,
                deprecated=True,
                extensions={"x-sunset": OFFSETS.marks["x-sunset"]},
                description="How many tables to skip. With it, `next` and `previous` have offsets, too; follow `next` without it instead.",
            ),
        ],
        responses={200: s.RowsAnswer, **READS},
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
        return self._page(request, tables, wanted)

    def _page(self, request: Request, tables: QuerySet[Table], wanted: str) -> Response:
        pages = Pages()
        if "offset" in request.query_params and not request.query_params.get("cursor"):
            found = pages.paginate_queryset(tables, request, view=self)
            response = pages.get_paginated_response(s.RowAnswer(table_rows(found or (), self.person), many=True).data)
            for name, value in OFFSETS.headers.items():
                response[name] = value
            return response
        limit = pages.get_limit(request) or ON_A_PAGE  # as lenient as it was before there were cursors
        rows, following = page_of(
            selectors.in_order(tables, wanted), request, of=f"tables.{wanted}", by=selectors.IN_ORDER[wanted], limit=limit
        )
        count = len(rows) if following is None and not request.query_params.get("cursor") else tables.count()
        told = s.RowAnswer(table_rows(rows, self.person), many=True).data
        return Response({"count": count, "next": following, "previous": None, "results": told})

    @extend_schema(
        operation_id="create_table",
        summary="Open a table",
        request=s.TableRequest,
        responses={201: s.TableAnswer, **WRITES},
        tags=["tables"],
    )
    def post(self, request: Request) -> Response:
        """You take seat 0 and the bots take the last seats. The game starts when no seat is free, not before `starts_at`. Only members can open a club table."""
        user = self.signed_in
        values = checked(s.TableRequest, request.data)
        if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(seconds_left(3600))
        with transaction.atomic():
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
                privacy=values["privacy"],
                starts_at=values["starts_at"],
            )
            for who in values["invite"]:
                inviting.invite_somebody(table_id=loaded.table.pk, user=user, who=who)
        return self.answer(load(loaded.table.pk) if values["invite"] else loaded, 201)


class TableView(TablesView, ConditionalView):
    @extend_schema(
        operation_id="table",
        summary="See a table from your seat",
        responses={200: s.TableAnswer, **READS},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """What your seat can see, your legal actions, and the version to send with an action. While nothing has changed for you, `If-None-Match` is answered with 304."""
        return Response(table_json(selectors.table_page(pk, self.person)))


class JoinView(TablesView):
    @extend_schema(
        operation_id="join",
        summary="Take a seat",
        request=s.JoinRequest,
        responses={200: s.TableAnswer, **WRITES},
        tags=["tables"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take the first free seat at an open table. The game starts when the last seat is taken."""
        user = self.signed_in
        values = checked(s.JoinRequest, request.data)
        if not allow("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(seconds_left(3600))
        return self.answer(services.join_table(table_id=pk, user=user, word=values["word"]))


class LeaveView(TablesView):
    @extend_schema(
        operation_id="leave",
        summary="Leave table",
        request=None,
        responses={200: s.TableAnswer, 204: OpenApiResponse(description="Done. You can no longer see the table."), **WRITES},
        tags=["tables"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """At an open table your seat becomes free, and the table closes if you own it. In a running game, a bot takes over."""
        loaded = services.leave_table(table_id=pk, user=self.signed_in)
        return self.answer(loaded) if may_see(loaded, self.person) else Response(status=204)


class ComeBackView(TablesView):
    @extend_schema(
        operation_id="come_back", summary="Take your seat back", request=None, responses={200: s.TableAnswer, **WRITES}, tags=["tables"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """After you ran out of time, a bot plays in your seat until you come back, if the table's pace says so."""
        return self.answer(handing.come_back(table_id=pk, user=self.signed_in))


class StartView(TablesView):
    @extend_schema(
        operation_id="start", summary="Start your table", request=None, responses={200: s.TableAnswer, **WRITES}, tags=["tables"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Bots take the free seats at your open table, and the game starts."""
        return self.answer(services.start_table(table_id=pk, user=self.signed_in))


class BotsView(TablesView):
    @extend_schema(
        operation_id="add_bot", summary="Seat a bot", request=s.BotRequest, responses={200: s.TableAnswer, **WRITES}, tags=["tables"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """A bot takes the first free seat at your open table."""
        values = checked(s.BotRequest, request.data)
        return self.answer(services.add_bot(table_id=pk, user=self.signed_in, level=values["level"]))


class BotView(TablesView):
    @extend_schema(operation_id="remove_bot", summary="Remove a bot", responses={200: s.TableAnswer, **WRITES}, tags=["tables"])
    def delete(self, request: Request, pk: int, seat: int) -> Response:
        """Its seat at your open table is free again."""
        return self.answer(services.remove_bot(table_id=pk, user=self.signed_in, seat=seat))


class RematchView(TablesView):
    @extend_schema(operation_id="rematch", summary="Play again", request=None, responses={200: s.TableAnswer, **WRITES}, tags=["tables"])
    def post(self, request: Request, pk: int) -> Response:
        """A table like the finished one: the first player who asks opens it and invites the others, who take their seats by the same request. The answer is the new table. 409 `terms_changed` if it has other settings by now: see your invitations."""
        user = self.signed_in
        if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(seconds_left(3600))
        page = selectors.table_page(rematching.rematch(table_id=pk, user=user).pk, user)  # somebody who wasn't invited may not see it
        if page.my_seat is None:
            raise refusals.TermsChanged
        return Response(table_json(page))
