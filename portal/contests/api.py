"""The API of the seasons of a club: their dates, leaderboards, leagues and honours, and what officers do with them."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.clubs.api import ClubsView
from portal.clubs.models import NAME_CHARS, Season
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.common.api_views import CURSOR, DONE, READS, WRITES, Input, Output, checked, page_of, paged
from portal.contests import season_selectors as selectors
from portal.contests import seasons as services
from portal.contests.models import Honour
from portal.contests.season_selectors import HonourGroup, SeasonRow, honour_name
from portal.contests.season_views import CHANGES_PER_HOUR
from portal.ratings.api import FILTERS, POOL_CHOICES, LeaderboardAnswer, StandingsView

STATE_CHOICES: Final = [
    ("planned", "It hasn't started."),
    ("running", "Games that end now count."),
    ("over", "It has ended; its standings are being worked out."),
    ("frozen", "Its standings are final."),
]


class LeagueRowAnswer(Output):
    """A league of a season."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.CharField()
    seats = serializers.IntegerField(help_text="At each table.")
    ended_at = serializers.DateTimeField(allow_null=True)


class HonourAnswer(Output):
    """A first place, as it was then."""

    rank = serializers.IntegerField()
    name = serializers.SerializerMethodField(help_text="Of a person, or of a level of bots.")
    value = serializers.CharField(help_text="Points of the league, or the rating.")
    games = serializers.IntegerField()

    def get_name(self, honour: Honour) -> str:
        return honour_name(honour)


class HonoursAnswer(Output):
    """The first places of a league, or of a leaderboard of a season."""

    league = serializers.SerializerMethodField(help_text="Null for a leaderboard.")
    game = serializers.SerializerMethodField(help_text="Null for all games together.")
    pool = serializers.ChoiceField(choices=POOL_CHOICES, allow_blank=True, help_text="Of a leaderboard; empty for a league.")
    lines = HonourAnswer(many=True)

    def get_league(self, group: HonourGroup) -> int | None:
        return group.league.pk if group.league is not None else None

    def get_game(self, group: HonourGroup) -> str | None:
        return group.entry.key if group.entry is not None else None


class SeasonAnswer(Output):
    """A season of a club."""

    id = serializers.IntegerField(source="season.pk")
    name = serializers.CharField(source="season.name")
    game = serializers.CharField(source="season.game", allow_blank=True, help_text="Whose games count; empty for all games.")
    state = serializers.ChoiceField(choices=STATE_CHOICES)
    starts_at = serializers.DateTimeField(source="season.starts_at")
    ends_at = serializers.DateTimeField(source="season.ends_at")
    leagues = LeagueRowAnswer(many=True)
    honours = HonoursAnswer(many=True, help_text="Of leagues that have ended, and of the whole season once it is frozen.")


class SeasonFields(Input):
    name = serializers.CharField(required=False, help_text=f"At most {NAME_CHARS} characters.")
    game = serializers.CharField(required=False, allow_blank=True, max_length=40, help_text="Whose games count; empty for all games.")
    starts_at = serializers.DateTimeField(required=False, help_text="Without an offset, in your time zone.")
    ends_at = serializers.DateTimeField(required=False, help_text="Without an offset, in your time zone.")


class SeasonRequest(SeasonFields):
    name = serializers.CharField(help_text=f"At most {NAME_CHARS} characters.")
    starts_at = serializers.DateTimeField(required=False, help_text="Now, if you leave it out.")
    ends_at = serializers.DateTimeField(help_text="Without an offset, in your time zone.")


class ContestsView(ClubsView):
    """About a club's contests."""

    def officers(self, verb: Verb, what: str, limit: int) -> ClubPage:
        """Return the club of a change that officers make, counted as one `what` of this hour. Raises as `require` does, and TooMany."""
        self.count(what, limit=limit)
        page = self.page
        require(verb, page.club, self.user)
        return page

    def season(self, season: Season, status: int = 200) -> Response:
        """Answer with a season as it is now."""
        return Response(SeasonAnswer(selectors.season_of(season.club, season.pk)).data, status=status)


class SeasonsView(ContestsView):
    @extend_schema(
        operation_id="seasons",
        summary="List a club's seasons",
        parameters=CURSOR,
        responses={200: paged(SeasonAnswer), **READS},
        tags=["seasons"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The last one first, each with its leagues and honours."""
        seasons, following = page_of(selectors.with_parts(self.page.club), request, of="seasons", by=("-starts_at", "-id"))
        return Response({"next": following, "results": SeasonAnswer(selectors.rows_of(seasons), many=True).data})

    @extend_schema(
        operation_id="make_season",
        summary="Create a season",
        request=SeasonRequest,
        responses={201: SeasonAnswer, **WRITES},
        tags=["seasons"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """For officers. Club games that end in it count for its leaderboards."""
        page = self.officers(Verb.SEASONS, "season", CHANGES_PER_HOUR)
        return self.season(services.make_season(club=page.club, actor=self.user, **checked(SeasonRequest, request.data)), 201)


class SeasonView(ContestsView):
    @extend_schema(operation_id="season", summary="See a season", responses={200: SeasonAnswer, **READS}, tags=["seasons"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """With its leagues and honours."""
        return Response(SeasonAnswer(selectors.season_of(self.page.club, pk)).data)

    @extend_schema(
        operation_id="change_season",
        summary="Change a season",
        request=SeasonFields,
        responses={200: SeasonAnswer, **WRITES},
        tags=["seasons"],
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """What you leave out stays, and so does what has begun. Deadlines move with its start, and none is after its end."""
        page = self.officers(Verb.SEASONS, "season", CHANGES_PER_HOUR)
        row: SeasonRow = selectors.season_of(page.club, pk)
        values: dict[str, Any] = {"name": row.season.name} | checked(SeasonFields, request.data)
        return self.season(services.edit_season(club=page.club, actor=self.user, season_id=pk, **values))

    @extend_schema(operation_id="delete_season", summary="Delete a planned season", responses=DONE, tags=["seasons"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """With its leagues. Possible until it starts."""
        page = self.officers(Verb.SEASONS, "season", CHANGES_PER_HOUR)
        services.delete_season(club=page.club, actor=self.user, season_id=pk)
        return Response(status=204)


class EndView(ContestsView):
    @extend_schema(
        operation_id="end_season", summary="End a running season", request=None, responses={200: SeasonAnswer, **WRITES}, tags=["seasons"]
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Now, for good. Its standings are frozen as soon as they are worked out."""
        page = self.officers(Verb.SEASONS, "season", CHANGES_PER_HOUR)
        return self.season(services.end_season(club=page.club, actor=self.user, season_id=pk))


class SeasonLeaderboardView(ContestsView, StandingsView):
    @extend_schema(
        operation_id="season_leaderboard",
        summary="Read a season's leaderboard",
        parameters=FILTERS,
        responses={200: LeaderboardAnswer, **READS},
        tags=["seasons"],
    )
    def get(self, request: Request, slug: str, pk: int, game: str) -> Response:
        """Of the games that count in it: of a game, or of `all` games together."""
        club = self.page.club
        return self.board(game, club, selectors.season_of(club, pk).season)
