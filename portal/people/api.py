"""The API of people: finding them, what they show, their games, and oneself; as on the pages for the same reader."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.api import OwnView, person_or_404
from portal.accounts.models import User
from portal.common.api_views import CURSOR, READS, WRITES, ApiView, Input, Output, checked, page_of, paged, problems
from portal.common.limits import client_network, count_use
from portal.notices import unread
from portal.people import refusals
from portal.people.finding_views import FROM_ONE_ADDRESS, SEARCHES_PER_MINUTE
from portal.people.games import RATED, RESULTS, Filters, NoSuchFilter, filtered
from portal.people.profiles import ProfilePage, profile_page
from portal.ratings import statistics
from portal.ratings.api import POOL_CHOICES
from portal.ratings.selectors import PlayerRating
from portal.ratings.statistics import games_of
from portal.tables.lists import FinishedRow, finished_rows
from portal.tables.naming import FEWEST_LETTERS, names_like

TIES: Final = {
    "": "Nothing, as far as you may know.",
    "friends": "You are friends.",
    "asked": "You have asked, and there is no answer yet.",
    "asks": "They wait for your answer.",
}
TIE_CHOICES: Final = list(TIES.items())


class NameAnswer(Output):
    """Somebody who was found."""

    username = serializers.CharField()
    is_bot = serializers.BooleanField(help_text="Somebody's bot account.")


class NamesAnswer(Output):
    """At most eight people: friends first, then people you have played with, members of your clubs, and others."""

    results = NameAnswer(many=True)


class RatingAnswer(Output):
    """A rating on one of the site's ladders."""

    game = serializers.SerializerMethodField(help_text="Null for all games together.")
    pool = serializers.ChoiceField(choices=POOL_CHOICES)
    points = serializers.IntegerField()
    plus_minus = serializers.IntegerField(help_text="How uncertain the points are.")
    is_provisional = serializers.BooleanField()
    games = serializers.IntegerField()
    wins_percent = serializers.IntegerField()
    mean_place = serializers.FloatField()
    mean_seats = serializers.FloatField()

    def get_game(self, rating: PlayerRating) -> str | None:
        return rating.entry.key if rating.entry is not None else None


class TotalAnswer(Output):
    """Rated games of one game."""

    game = serializers.CharField(source="entry.key")
    games = serializers.IntegerField()
    wins = serializers.FloatField(help_text="Shared ones count in part.")


class ResultAnswer(Output):
    """How one seat ended."""

    name = serializers.CharField()
    place = serializers.IntegerField()
    score = serializers.IntegerField()


class FinishedAnswer(Output):
    """A finished game that you may see."""

    id = serializers.IntegerField(help_text="Of the table.")
    game = serializers.CharField(source="entry.key")
    results = serializers.SerializerMethodField()
    place = serializers.IntegerField(source="my_place", allow_null=True, help_text="Of the person; null if a bot had taken over.")
    score = serializers.IntegerField(source="my_score", allow_null=True)
    finished_at = serializers.DateTimeField()
    club = serializers.SerializerMethodField()
    is_rated = serializers.BooleanField()

    @extend_schema_field(ResultAnswer(many=True))
    def get_results(self, row: FinishedRow) -> list[dict[str, Any]]:
        return [{"name": name, "place": place, "score": score} for name, place, score in row.results]

    def get_club(self, row: FinishedRow) -> str | None:
        return row.club.slug if row.club is not None else None


class ProfileAnswer(Output):
    """What a person shows of themselves to you."""

    username = serializers.CharField()
    about = serializers.CharField(source="shown.about", allow_blank=True)
    picture = serializers.CharField(source="shown.picture", allow_blank=True, help_text="Its path; empty without one.")
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField(help_text="Somebody's bot account: see `bots/{username}/`.")
    is_me = serializers.BooleanField()
    is_blocked = serializers.BooleanField(help_text="Whether you block them.")
    tie = serializers.ChoiceField(choices=TIE_CHOICES, help_text="What they are to you.")
    since = serializers.SerializerMethodField(help_text="The day on which they signed up.")
    games_played = serializers.IntegerField(help_text="Rated ones.")
    wins = serializers.FloatField(help_text="Shared ones count in part.")
    ratings = RatingAnswer(many=True)
    totals = TotalAnswer(many=True)
    last_games = FinishedAnswer(many=True)

    @extend_schema_field(OpenApiTypes.DATE)
    def get_since(self, page: Any) -> str:
        return timezone.localdate(page.since).isoformat()


class MeetingAnswer(Output):
    """Two people in one game."""

    game = serializers.SerializerMethodField(help_text="Null for all games together.")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="Games in which the first of the two finished ahead.")
    behind = serializers.IntegerField()
    level = serializers.IntegerField(help_text="Equal places.")

    def get_game(self, line: statistics.MeetingLine) -> str | None:
        return line.entry.key if line.entry is not None else None


class AgainstAnswer(Output):
    """Two people: all games together first; empty before they met."""

    lines = MeetingAnswer(many=True)
    last_games = FinishedAnswer(many=True)


class MeAnswer(Output):
    """You."""

    username = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField()
    language = serializers.CharField(allow_blank=True, help_text="Empty: as the request says.")
    time_zone = serializers.CharField(help_text="In which times are given.")
    takes_invitations = serializers.BooleanField(help_text="Whether people may invite you to games.")
    shows_presence = serializers.BooleanField(help_text="Whether friends who show the same see that you are here.")
    shows_watching = serializers.BooleanField(help_text="Whether others see your name when you watch a game; if not, you are only counted.")
    unread_notices = serializers.SerializerMethodField()

    def get_unread_notices(self, user: User) -> int:
        return unread.counted(user.pk)


class MeRequest(Input):
    takes_invitations = serializers.BooleanField(required=False)
    shows_presence = serializers.BooleanField(required=False, help_text="Guests have no friends, so it stays off.")
    shows_watching = serializers.BooleanField(required=False)


class PeopleView(OwnView):
    @extend_schema(
        operation_id="find_people",
        summary="Find people",
        parameters=[OpenApiParameter("q", OpenApiTypes.STR, required=True, description="The start of a name: two letters or more.")],
        responses={200: NamesAnswer, **READS},
        tags=["people"],
    )
    def get(self, request: Request) -> Response:
        """By the start of a name. Guests are found only by people who have played with them."""
        wanted = request.query_params.get("q", "").strip()
        if len(wanted) < FEWEST_LETTERS:
            raise exceptions.ValidationError({"q": _("Use at least %(fewest)d letters of a name.") % {"fewest": FEWEST_LETTERS}})
        count_use("people", str(self.user.pk), limit=SEARCHES_PER_MINUTE, window_s=60, refusal=refusals.TooManySearches)
        count_use("people-address", client_network(request._request), limit=FROM_ONE_ADDRESS, window_s=60, refusal=refusals.TooManySearches)
        return Response({"results": [{"username": found.name, "is_bot": found.is_bot} for found in names_like(self.user, wanted)]})


class _PersonView(ApiView):
    @property
    def viewer(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None


class PersonView(_PersonView):
    @extend_schema(operation_id="person", summary="See a profile", responses={200: ProfileAnswer, **READS}, tags=["people"])
    def get(self, request: Request, username: str) -> Response:
        """What the person's page shows you: ratings, totals and the last games that you may see."""
        page: ProfilePage | None = profile_page(username, viewer=self.viewer)
        if page is None:
            raise refusals.NobodyOfThatName
        return Response(ProfileAnswer(page).data)


class GamesView(_PersonView):
    @extend_schema(
        operation_id="person_games",
        summary="List somebody's games",
        parameters=[
            *CURSOR,
            OpenApiParameter("game", OpenApiTypes.STR, description="Only of this game."),
            OpenApiParameter("rated", OpenApiTypes.STR, enum=RATED[1:], description="Only `rated` or `unrated` ones."),
            OpenApiParameter(
                "result", OpenApiTypes.STR, enum=RESULTS[1:], description="Only those that the person `won`, `lost`, or `left` to a bot."
            ),
            OpenApiParameter("opponent", OpenApiTypes.STR, description="Only those with this person."),
        ],
        responses={200: paged(FinishedAnswer), **READS},
        tags=["people"],
    )
    def get(self, request: Request, username: str) -> Response:
        """Finished games that you may see, newest first."""
        person = person_or_404(username)
        try:
            filters = Filters.of(request.query_params)
        except NoSuchFilter:
            raise exceptions.ValidationError({"game": _("A filter has a value that doesn't exist.")}) from None
        rows, following = page_of(
            filtered(games_of(person, self.viewer), person, filters), request, of="person-games", by=("-finished_at", "-id")
        )
        return Response({"next": following, "results": FinishedAnswer(finished_rows(rows, person), many=True).data})


class AgainstView(_PersonView):
    @extend_schema(operation_id="head_to_head", summary="Compare two people", responses={200: AgainstAnswer, **READS}, tags=["people"])
    def get(self, request: Request, username: str, other: str) -> Response:
        """Who finished ahead in their rated games, and their latest games together that you may see."""
        one, two = person_or_404(username), person_or_404(other)
        if one.pk == two.pk:
            raise refusals.NobodyOfThatName
        games = statistics.common_games(one, two, self.viewer)[: statistics.COMMON_GAMES]
        found = {"lines": statistics.head_to_head(one, two), "last_games": finished_rows(games, one)}
        return Response(AgainstAnswer(found).data)


class MeView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(operation_id="me", summary="See who you are", responses={200: MeAnswer, **problems(401, 403, 429)}, tags=["people"])
    def get(self, request: Request) -> Response:
        """Whom your token belongs to, and what you chose."""
        return Response(MeAnswer(self.user).data)

    @extend_schema(
        operation_id="change_me", summary="Change what you chose", request=MeRequest, responses={200: MeAnswer, **WRITES}, tags=["people"]
    )
    def patch(self, request: Request) -> Response:
        """What you leave out stays."""
        user, values = self.user, checked(MeRequest, request.data)
        if user.is_guest:
            values.pop("shows_presence", None)
        for name, value in values.items():
            setattr(user, name, value)
        if values:
            user.save(update_fields=list(values))
        return Response(MeAnswer(user).data)
