"""The API of matches of bots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import GAMES
from portal.accounts.api import OwnView, person_or_404
from portal.accounts.models import User
from portal.common.api_views import CURSOR, READS, WRITES, ApiView, Input, Output, checked, limit_of, page_of, paged
from portal.common.limits import count_use
from portal.matches import selectors, services
from portal.matches.models import MOST_AT_ONCE, MOST_GAMES, Match
from portal.matches.refusals import MatchNotFound, TooManyMatchesMade
from portal.matches.selectors import GameLine, MatchPage
from portal.tables.pace import Pace
from portal.tables.serializers import PaceAnswer, PaceRequest

STATES: Final = {
    "queued": "It waits until another match of the same person is over.",
    "running": "Games are opened as others end.",
    "done": "All games are over.",
    "cancelled": "No more games are opened; those that run are played to their end.",
    "stopped": "The same, for the `reason`.",
}
STATE_CHOICES: Final = list(STATES.items())
ON_A_PAGE: Final = 10  # each with the figures from up to 1000 games


class MatchSeatAnswer(Output):
    """A player in one seat."""

    seat = serializers.IntegerField(help_text="From 0.")
    games = serializers.IntegerField()
    wins = serializers.FloatField(help_text="Shared ones count in part.")


class MatchPlayerAnswer(Output):
    """A player of a match, with the figures from its games."""

    name = serializers.CharField(help_text="Of the bot account, or of the level.")
    username = serializers.CharField(allow_null=True, help_text="Of the bot account; null for a level, and for a bot that is closed.")
    level = serializers.CharField(allow_blank=True, help_text="Empty for a bot account.")
    games = serializers.IntegerField(help_text="With a result.")
    wins = serializers.FloatField(help_text="Shared ones count in part.")
    win_rate = serializers.FloatField(allow_null=True, help_text="From 0 to 1; null before the first result.")
    low = serializers.FloatField(help_text="The 95 % interval of the rate; by deals if the match is paired.")
    high = serializers.FloatField()
    mean_score = serializers.FloatField(allow_null=True)
    mean_place = serializers.FloatField(allow_null=True)
    by_seat = MatchSeatAnswer(many=True)


class MatchAnswer(Output):
    """A match of bots."""

    id = serializers.IntegerField(source="match.pk")
    owner = serializers.SerializerMethodField(help_text="The person who started it; null if they are gone.")
    game = serializers.CharField(source="match.game")
    options = serializers.DictField(source="match.options")
    pace = PaceAnswer()
    state = serializers.ChoiceField(source="match.state", choices=STATE_CHOICES)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was stopped, in the language of the request.")
    games = serializers.IntegerField(source="match.games", help_text="Whole rotations: each player takes every seat equally often.")
    played = serializers.IntegerField(help_text="Games with a result.")
    running = serializers.IntegerField()
    without_result = serializers.IntegerField(help_text="Games that were broken off.")
    at_once = serializers.IntegerField(source="match.at_once")
    is_rated = serializers.BooleanField(source="match.is_rated")
    is_paired = serializers.BooleanField(
        source="match.is_paired",
        help_text="Whether each deal is played once for every rotation of the seats. If not, each game has its own.",
    )
    players = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="match.made_at")
    ended_at = serializers.DateTimeField(source="match.ended_at", allow_null=True)

    def get_owner(self, page: MatchPage) -> str | None:
        return page.match.owner.username if page.match.owner is not None else None

    @extend_schema_field(MatchPlayerAnswer(many=True))
    def get_players(self, page: MatchPage) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "username": player.user.username if player.user is not None else None,
                "level": player.bot_level,
                "win_rate": line.win_rate,
                **{key: value for key, value in asdict(line).items() if key != "player"},
            }
            for player, name, line in zip(page.players, page.names, page.lines, strict=True)
        ]


class MatchGameAnswer(Output):
    """A game of a match. Lists are by seat."""

    number = serializers.IntegerField(help_text="From 1.")
    deal = serializers.IntegerField(help_text="From 1. Games with the same number share their draws.")
    table = serializers.IntegerField(
        allow_null=True, help_text="Null while another game with the same deal isn't over, and if it was broken off."
    )
    is_sealed = serializers.BooleanField(help_text="Whether another game with the same deal isn't over.")
    is_over = serializers.BooleanField(help_text="Whether its result, if it has one, may be known.")
    players = serializers.ListField(child=serializers.IntegerField(), help_text="Who sits there: places in the match's `players`, from 0.")
    places = serializers.ListField(child=serializers.IntegerField(), help_text="Empty without a result.")
    scores = serializers.ListField(child=serializers.IntegerField(), help_text="Empty without a result.")
    due = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Whose decision it waits for: places in the match's `players`, from 0. Empty while a shared deal isn't over.",
    )


class MatchInput(Input):
    game = serializers.ChoiceField(choices=[(key, f"{GAMES[key].game.meta.title}.") for key in sorted(GAMES)])
    bots = serializers.ListField(
        child=serializers.CharField(max_length=150), min_length=1, max_length=6, help_text="Names of bot accounts."
    )
    levels = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, default=list, max_length=5, help_text="Levels of the site's own bots."
    )
    games = serializers.IntegerField(help_text=f"1 to {MOST_GAMES}; rounded up to whole rotations of the seats.")
    pace = PaceRequest(help_text="Live, or one day for each move. A player who runs out of time is out for good.")
    options = serializers.DictField(required=False, default=dict, help_text="The game's options by key. The rest keep their defaults.")
    at_once = serializers.IntegerField(required=False, default=4, help_text=f"Games at the same time: 1 to {MOST_AT_ONCE}.")
    is_rated = serializers.BooleanField(
        required=False, default=False, help_text="Only if every bot plays rated games. Rated deals are never shared."
    )


class MatchesView(ApiView):
    @extend_schema(
        operation_id="matches",
        summary="List matches of bots",
        parameters=[
            CURSOR[0],
            OpenApiParameter(
                "limit", OpenApiTypes.INT, description=f"How many to list: up to {ON_A_PAGE}; if it asks for more, {ON_A_PAGE}."
            ),
            OpenApiParameter("owner", OpenApiTypes.STR, description="Only those that this person started."),
        ],
        responses={200: paged(MatchAnswer), **READS},
        tags=["bots"],
    )
    def get(self, request: Request) -> Response:
        """The latest first, with their results so far; ten on a page."""
        rows = selectors.matches()
        if owner := request.query_params.get("owner"):
            rows = rows.filter(owner=person_or_404(owner))
        found, following = page_of(rows, request, of="matches", by=("-id",), limit=min(limit_of(request), ON_A_PAGE))
        return Response({"next": following, "results": MatchAnswer([selectors.page_of_match(row) for row in found], many=True).data})

    @extend_schema(
        operation_id="make_match",
        summary="Start a match of bots",
        request=MatchInput,
        responses={201: MatchAnswer, **WRITES},
        tags=["bots"],
    )
    def post(self, request: Request) -> Response:
        """Its players are the bots, then the levels. Three matches of a person run at the same time; up to ten wait or run."""
        user = cast(User, request.user)
        values = checked(MatchInput, request.data)
        count_use("match", str(user.pk), limit=services.MADE_PER_HOUR, window_s=3600, refusal=TooManyMatchesMade)
        values["pace"] = Pace(**values["pace"])
        made = services.make_match(owner=user, **values)
        return Response(MatchAnswer(selectors.match_page(made.pk)).data, status=201)


class MatchView(ApiView):
    @extend_schema(operation_id="match", summary="See a match of bots", responses={200: MatchAnswer, **READS}, tags=["bots"])
    def get(self, _request: Request, pk: int) -> Response:
        """With the results that may be known: those of a shared deal when all its games are over."""
        return Response(MatchAnswer(selectors.match_page(pk)).data)


class CancelView(OwnView):
    @extend_schema(
        operation_id="cancel_match", summary="Cancel a match of bots", request=None, responses={200: MatchAnswer, **WRITES}, tags=["bots"]
    )
    def post(self, _request: Request, pk: int) -> Response:
        """For the person who started it, and owners of bots in it. Games that run are played to their end, and count."""
        services.cancel(pk, by=self.user)
        return Response(MatchAnswer(selectors.match_page(pk)).data)


class MatchGamesView(ApiView):
    @extend_schema(
        operation_id="match_games",
        summary="List the games of a match",
        parameters=CURSOR,
        responses={200: paged(MatchGameAnswer), **READS},
        tags=["bots"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """In their order, with tables and results."""
        if not Match.objects.filter(pk=pk).exists():
            raise MatchNotFound
        found, following = page_of(selectors.games_of(pk), request, of="match-games", by=("number",))
        rows: list[GameLine] = selectors.game_lines(found)
        return Response({"next": following, "results": MatchGameAnswer(rows, many=True).data})
