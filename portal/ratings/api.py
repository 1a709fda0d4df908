"""The API of the standings: leaderboards, what a person's results say, and what they say of seats and of the ratings themselves."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import GAMES, Entry
from portal.accounts.api import person_or_404
from portal.accounts.models import User
from portal.clubs.models import Club, Season
from portal.clubs.selectors import club_for
from portal.common.api_views import CURSOR, READS, ApiView, Output, address_after, cursor_of, limit_of
from portal.ratings import formula, rules, selectors, statistics
from portal.ratings.books import ALL_GAMES
from portal.ratings.models import Pool
from portal.ratings.selectors import Filters, Players
from portal.ratings.statistics import EffectLine, Share
from portal.ratings.views import ALL

POOL_CHOICES: Final = [("people", "Games of people without a bot."), ("bots", "Games with a bot in them.")]
RECORD_CHOICES: Final = [
    ("highest", "The highest score of somebody who played to the end."),
    ("closest", "The smallest lead of a winner."),
    ("widest", "The largest lead of a winner."),
]
KIND_CHOICES: Final = [
    ("win", "The chance to win."),
    ("ahead", "The chance that one of two players finishes ahead of the other."),
    ("place", "The mean place, as a share of the places."),
]
VERDICT_CHOICES: Final = [
    ("more", "The seat wins more often than the ratings predict."),
    ("less", "The seat wins less often than that."),
    ("none", "The difference may be chance."),
]
POOL: Final = OpenApiParameter(
    "pool", OpenApiTypes.STR, enum=Pool.values, default="people", description="`people`, or `bots`: games with a bot."
)
FILTERS: Final = [
    POOL,
    OpenApiParameter(
        "players",
        OpenApiTypes.STR,
        enum=Players.CHOICES,
        default="all",
        description="`all` (without guests), `established` (whose rating isn't provisional) or `guests` (with guests).",
    ),
    OpenApiParameter("name", OpenApiTypes.STR, description="Only lines whose name contains this."),
    OpenApiParameter("days", OpenApiTypes.INT, description="Only those who played in the last 30, 90 or 365 days."),
    *CURSOR,
]


class StandingAnswer(Output):
    """A line of a leaderboard: a person or a level of bots."""

    rank = serializers.IntegerField(help_text="Among everybody on the ladder, listed or not; equal ratings share it.")
    username = serializers.CharField(allow_blank=True, help_text="Empty for bots.")
    bot_level = serializers.CharField(allow_blank=True, help_text="Empty for people.")
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField(help_text="Somebody's bot account; false for levels of bots.")
    is_me = serializers.BooleanField()
    points = serializers.IntegerField()
    plus_minus = serializers.IntegerField(help_text="How uncertain the points are.")
    is_provisional = serializers.BooleanField()
    games = serializers.IntegerField()
    wins_percent = serializers.IntegerField(help_text="Shared wins count in part.")
    mean_place = serializers.FloatField(allow_null=True, help_text="Null for bots.")
    mean_seats = serializers.FloatField(allow_null=True, help_text="Players at the tables of those games; null for bots.")
    trend = serializers.ListField(child=serializers.IntegerField(), help_text="Points after each of the last games, the oldest first.")
    last_at = serializers.DateTimeField(allow_null=True)


class LeaderboardAnswer(Output):
    """A page of a leaderboard."""

    players = serializers.IntegerField(help_text="Ratings on the ladder, those that aren't listed too.")
    mine = StandingAnswer(allow_null=True, help_text="Your own line, wherever it is.")
    next = serializers.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")
    results = StandingAnswer(many=True)


class ShareAnswer(Output):
    """How often somebody won, in per cent, with the 95 % interval."""

    games = serializers.IntegerField()
    wins = serializers.FloatField(help_text="Shared ones count in part.")
    percent = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    even = serializers.FloatField(help_text="If all seats won equally often.")


class SizeAnswer(ShareAnswer):
    """A person at tables of one size."""

    seats = serializers.IntegerField()
    mean_place = serializers.FloatField()
    left = serializers.IntegerField(help_text="Games that they left to a bot.")


class SeatShareAnswer(ShareAnswer):
    """A person in one seat, at tables of any size."""

    seat = serializers.IntegerField(help_text="From 0.")
    is_favourite = serializers.BooleanField(help_text="Whether they sat there most often.")


class PastAnswer(Output):
    """A rated game and the rating after it. Whatever identifies a game that you may not see is null."""

    points = serializers.IntegerField()
    plus_minus = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id", allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    left = serializers.BooleanField(help_text="Whether they left it to a bot.")


class PersonInGameAnswer(Output):
    """How a person did in a game."""

    pool = serializers.ChoiceField(choices=POOL_CHOICES)
    pools = serializers.ListField(child=serializers.ChoiceField(choices=POOL_CHOICES), help_text="In which they have rated games.")
    points = serializers.IntegerField()
    plus_minus = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.FloatField(help_text="Shared ones count in part.")
    left = serializers.IntegerField(help_text="Games that they left to a bot.")
    mean_place = serializers.FloatField()
    mean_seats = serializers.FloatField()
    mean_score = serializers.FloatField(allow_null=True, help_text="Of the games in `history` whose score you may see.")
    best_score = serializers.IntegerField(allow_null=True, help_text="Of games that you may see.")
    best_table = serializers.IntegerField(allow_null=True)
    places = serializers.ListField(child=serializers.IntegerField(), help_text="How often they were first, second and so on.")
    sizes = SizeAnswer(many=True)
    seats = SeatShareAnswer(many=True)
    history = PastAnswer(many=True, help_text=f"The last {statistics.LAST_GAMES} rated games, the newest first.")


class ClubRecordAnswer(Output):
    """A record of a club. All but its kind is null, or empty, until you may see its table."""

    kind = serializers.ChoiceField(choices=RECORD_CHOICES)
    value = serializers.IntegerField(allow_null=True)
    username = serializers.CharField(allow_blank=True)
    table = serializers.IntegerField(source="table_id", allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class SizeRecordsAnswer(Output):
    """The records of a club in one game, at tables of one size."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    records = ClubRecordAnswer(many=True)


class RecordsAnswer(Output):
    """All records of a club."""

    results = SizeRecordsAnswer(many=True)


class SeatEffectAnswer(Output):
    """What a seat won beside what the ratings predicted; differences are in percentage points, with the 95 % interval."""

    seat = serializers.SerializerMethodField(help_text="From 0.")
    games = serializers.IntegerField()
    wins = serializers.FloatField()
    expected = serializers.FloatField(help_text="Wins that the ratings predicted.")
    difference = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    verdict = serializers.ChoiceField(choices=VERDICT_CHOICES)
    mean_place = serializers.FloatField()
    mean_score = serializers.FloatField(allow_null=True, help_text=f"Null for fewer than {statistics.LEAST_FOR_SCORES} games.")

    def get_seat(self, line: EffectLine) -> int:
        return line.number - 1


class SizeEffectAnswer(Output):
    """All seats at tables of one size."""

    seats = serializers.IntegerField()
    games = serializers.IntegerField()
    mean_score = serializers.FloatField(allow_null=True)
    hidden_below = serializers.FloatField(help_text="Smaller differences don't show with so few games.")
    lines = SeatEffectAnswer(many=True)


class SeatsAnswer(Output):
    """What the seats of a game win, by the size of the table."""

    results = SizeEffectAnswer(many=True)


class TenthAnswer(Output):
    """Predictions in one tenth of the scale; all in per cent."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()
    cases = serializers.IntegerField()
    predicted = serializers.FloatField(help_text="The mean of the predictions.")
    real = serializers.FloatField(help_text="What happened.")
    real_low = serializers.FloatField(help_text="95 % interval of what happened.")
    real_high = serializers.FloatField()
    is_off = serializers.BooleanField(help_text="Whether the prediction is outside that interval.")


class CurveAnswer(Output):
    """How one kind of prediction turned out; errors are in percentage points."""

    kind = serializers.ChoiceField(choices=KIND_CHOICES)
    cases = serializers.IntegerField()
    error = serializers.FloatField(help_text="The expected calibration error.")
    chance_error = serializers.FloatField(help_text="What perfect predictions would show on average with so many cases.")
    lines = TenthAnswer(many=True)


class CalibrationAnswer(Output):
    """How the predictions of the ratings turned out."""

    results = CurveAnswer(many=True)


class RatingExampleAnswer(Output):
    """A player of the worked example, before and after a game."""

    name = serializers.CharField()
    points = serializers.IntegerField()
    plus_minus = serializers.IntegerField()
    chance = serializers.FloatField(help_text="To win, in per cent.")
    expected_place = serializers.FloatField()
    place = serializers.IntegerField()
    new_points = serializers.IntegerField()
    new_plus_minus = serializers.IntegerField()
    least = serializers.IntegerField(help_text="By which leaderboards are ordered: the points less the uncertainty.")


class RulesAnswer(Output):
    """The numbers of the ratings. Points are `points_at_start + points_a_unit * (mu - mu_at_start)`, the uncertainty is `2 * points_a_unit * sigma`."""

    points_at_start = serializers.IntegerField()
    plus_minus_at_start = serializers.IntegerField()
    points_a_unit = serializers.IntegerField()
    mu_at_start = serializers.FloatField()
    sigma_at_start = serializers.FloatField()
    beta = serializers.FloatField(help_text="How much one game is up to chance.")
    provisional_above = serializers.IntegerField(help_text="A rating that is more uncertain is provisional.")
    example = RatingExampleAnswer(many=True, help_text="Calculated with the formula in use (Plackett-Luce, OpenSkill).")


class StandingsView(ApiView):
    """What everybody may read of the standings."""

    @property
    def viewer(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None

    def entry(self, key: str) -> Entry:
        if key not in GAMES:
            raise exceptions.NotFound(_("There is no game with this name."))
        return GAMES[key]

    def pool(self) -> str:
        return self.chosen("pool", Pool.values, Pool.PEOPLE)

    def chosen(self, name: str, choices: Any, usual: str) -> str:
        """Return a parameter that is one of some words. Raises ValidationError."""
        found = self.request.query_params.get(name, usual)
        if found not in choices:
            raise exceptions.ValidationError({name: _("Choose one of these: %(names)s.") % {"names": ", ".join(choices)}})
        return str(found)

    def board(self, game: str, club: Club | None = None, season: Season | None = None) -> Response:
        """Answer with a page of a ladder."""
        key = ALL_GAMES if game == ALL else self.entry(game).key
        pool = self.pool()
        days = self.chosen("days", ("0", *map(str, selectors.PERIODS)), "0")
        name = self.request.query_params.get("name", "").strip()
        if len(name) > selectors.NAME_CHARS or not name.isprintable():
            raise exceptions.ValidationError({"name": _("Nobody has such a name.")})
        filters = Filters(self.chosen("players", Players.CHOICES, Players.ALL), name, int(days))
        of = f"leaderboard.{pool}.{key}.{club.pk if club is not None else ''}.{season.pk if season is not None else ''}"
        cursor = cursor_of(self.request, of, 2)
        found = selectors.leaderboard(
            pool=pool,
            game=key,
            club=club,
            season=season,
            filters=filters,
            viewer=self.viewer,
            limit=limit_of(self.request),
            after=(float(cursor[0]), int(cursor[1])) if cursor is not None else None,
        )
        following = address_after(self.request, of, list(found.edge)) if found.has_next and found.edge is not None else None
        return Response(LeaderboardAnswer({"players": found.players, "mine": found.mine, "next": following, "results": found.lines}).data)


class LeaderboardView(StandingsView):
    @extend_schema(
        operation_id="leaderboard",
        summary="Read a leaderboard",
        parameters=FILTERS,
        responses={200: LeaderboardAnswer, **READS},
        tags=["standings"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Of a game, or of `all` games together, the best first. Filters keep the ranks of the whole ladder."""
        return self.board(game)


class ClubLeaderboardView(StandingsView):
    @extend_schema(
        operation_id="club_leaderboard",
        summary="Read a club's leaderboard",
        parameters=FILTERS,
        responses={200: LeaderboardAnswer, **READS},
        tags=["standings"],
    )
    def get(self, request: Request, slug: str, game: str) -> Response:
        """Of the club's own games: of a game, or of `all` games together."""
        return self.board(game, club_for(slug, self.viewer).club)


class ClubRecordsView(StandingsView):
    @extend_schema(
        operation_id="club_records", summary="Read a club's records", responses={200: RecordsAnswer, **READS}, tags=["standings"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """The highest score, the closest game and the widest one, by game and size of the table."""
        page = club_for(slug, self.viewer)
        found = [
            {"game": one.entry.key, "seats": size.seats, "records": size.lines}
            for one in statistics.club_records(page.club, page.user)
            for size in one.sizes
        ]
        return Response(RecordsAnswer({"results": found}).data)


class PersonInGameView(StandingsView):
    @extend_schema(
        operation_id="person_in_game",
        summary="See how somebody did in a game",
        parameters=[
            OpenApiParameter(
                "pool", OpenApiTypes.STR, enum=Pool.values, description="`people` if they have such games, or `bots`: games with a bot."
            ),
        ],
        responses={200: PersonInGameAnswer, **READS},
        tags=["standings"],
    )
    def get(self, request: Request, username: str, game: str) -> Response:
        """Their rating and its history, places, seats and sizes of tables. 404 before their first rated game."""
        person, entry = person_or_404(username), self.entry(game)
        pool = self.pool() if "pool" in request.query_params else None
        found = statistics.player_game(person, entry.key, pool=pool, viewer=self.viewer)
        if found is None:
            raise exceptions.NotFound(_("This player has no rated game of this kind yet."))
        told = {name: getattr(found, name) for name in PersonInGameAnswer().get_fields()}
        told["sizes"] = [_shares(one.share) | {"seats": one.seats, "mean_place": one.mean_place, "left": one.left} for one in found.sizes]
        told["seats"] = [_shares(one.share) | {"seat": one.number - 1, "is_favourite": one.is_favourite} for one in found.seats]
        return Response(PersonInGameAnswer(told).data)


def _shares(share: Share) -> dict[str, Any]:
    return {name: getattr(share, name) for name in ShareAnswer().get_fields()}


class SeatsView(StandingsView):
    @extend_schema(
        operation_id="seat_effects",
        summary="See what the seats win",
        parameters=[POOL],
        responses={200: SeatsAnswer, **READS},
        tags=["standings"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Each seat beside what the ratings of those who sat there predict, by the size of the table."""
        return Response(SeatsAnswer({"results": statistics.seat_effects(self.entry(game).key, self.pool())}).data)


class CalibrationView(StandingsView):
    @extend_schema(
        operation_id="calibration",
        summary="See how predictions turned out",
        parameters=[POOL],
        responses={200: CalibrationAnswer, **READS},
        tags=["standings"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Predicted and real results, by tenths of the scale."""
        return Response(CalibrationAnswer({"results": statistics.calibration(self.entry(game).key, self.pool())}).data)


class RulesView(StandingsView):
    @extend_schema(
        operation_id="rating_rules", summary="Read the numbers of the ratings", responses={200: RulesAnswer, **READS}, tags=["standings"]
    )
    def get(self, request: Request) -> Response:
        """The constants of the formula, and an example."""
        start, around = formula.shown(formula.MU, formula.SIGMA)
        found = {
            "points_at_start": start,
            "plus_minus_at_start": around,
            "points_a_unit": formula.POINTS_A_UNIT,
            "mu_at_start": formula.MU,
            "sigma_at_start": formula.SIGMA,
            "beta": formula.BETA,
            "provisional_above": selectors.PROVISIONAL,
            "example": rules.example(),
        }
        return Response(RulesAnswer(found).data)
