"""The API of leagues: the table, the rounds and their pairings, playing one's own, and what officers decide."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.pseudonyms import shown
from portal.clubs.forms import MESSAGE_CHARS
from portal.clubs.models import NAME_CHARS
from portal.clubs.permissions import Verb
from portal.common.api_views import READS, WRITES, Input, Output, checked
from portal.contests import leagues as services
from portal.contests import season_selectors as selectors
from portal.contests.api import ContestsView
from portal.contests.league_draw import MAX_SEED_CHARS, MOST_DAYS, Draw, Wish
from portal.contests.league_views import CHANGES_PER_HOUR, LEAGUES_PER_HOUR, new_seed
from portal.contests.models import Entrant
from portal.contests.pairings import MOST_ENTRANTS
from portal.tables.lobby_views import TABLES_PER_HOUR

PAIRING_CHOICES: Final = [
    ("open", "Nobody has opened its table."),
    ("late", "Its deadline has passed, and it will be void."),
    ("playing", "Its game is being played."),
    ("counting", "Its game is over, and its result is being entered."),
    ("played", "It has a result."),
    ("void", "It isn't played; nobody gets points."),
]


class EntrantAnswer(Output):
    """Somebody in a league: a member, or a bot."""

    id = serializers.IntegerField(source="pk")
    name = serializers.SerializerMethodField()
    bot_level = serializers.CharField(allow_blank=True, help_text="Empty for people.")
    withdrawn_at = serializers.DateTimeField(allow_null=True)

    def get_name(self, entrant: Entrant) -> str:
        return shown(entrant.name)


class LeagueLineAnswer(Output):
    """A line of the table of a league."""

    rank = serializers.IntegerField(source="line.rank")
    entrant = EntrantAnswer()
    games = serializers.IntegerField(source="line.games")
    points = serializers.FloatField(source="line.points", help_text="One for everybody left behind, half for an equal place.")
    wins = serializers.FloatField(source="line.wins", help_text="Shared ones count in part.")
    direct = serializers.FloatField(
        source="line.direct", allow_null=True, help_text="Points against those who are level in points and wins; null if nobody is."
    )
    opponents = serializers.FloatField(source="line.opponents", help_text="Points of everybody they met, which decide last.")
    is_me = serializers.BooleanField()


class PairingSeatAnswer(Output):
    """A seat of a pairing, in the order of the table."""

    entrant = serializers.IntegerField(source="entrant.pk")
    name = serializers.SerializerMethodField()
    place = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    is_me = serializers.BooleanField()

    def get_name(self, seat: selectors.SeatOf) -> str:
        return shown(seat.entrant.name)


class PairingAnswer(Output):
    """One game of a league."""

    id = serializers.IntegerField(source="pairing.pk")
    number = serializers.IntegerField(source="pairing.number", help_text="In its round, from 1.")
    deadline = serializers.DateTimeField(source="pairing.deadline")
    state = serializers.ChoiceField(choices=PAIRING_CHOICES)
    table = serializers.IntegerField(source="table_id", allow_null=True, help_text="Once somebody has opened it.")
    seats = PairingSeatAnswer(many=True)
    is_mine = serializers.BooleanField()
    can_play = serializers.BooleanField(help_text="Whether you can open its table now.")


class RoundAnswer(Output):
    """A round of a league."""

    number = serializers.IntegerField(help_text="From 1.")
    deadline = serializers.DateTimeField(help_text="The latest of its pairings.")
    is_done = serializers.BooleanField()
    resting = serializers.ListField(child=serializers.CharField(), help_text="Who has no game in it.")
    pairings = PairingAnswer(many=True)


class LeagueAnswer(Output):
    """A league: everybody meets the others as evenly as possible."""

    id = serializers.IntegerField(source="league.pk")
    season = serializers.IntegerField(source="season.pk")
    name = serializers.CharField(source="league.name")
    game = serializers.CharField(source="league.game")
    seats = serializers.IntegerField(source="league.seats", help_text="At each table.")
    options = serializers.DictField(source="league.options")
    is_running = serializers.BooleanField()
    ended_at = serializers.DateTimeField(source="league.ended_at", allow_null=True)
    played = serializers.IntegerField(help_text="Games with a result.")
    to_play = serializers.IntegerField(help_text="Games that can still get one.")
    table = LeagueLineAnswer(many=True)
    rounds = RoundAnswer(many=True)


class DrawnRoundAnswer(Output):
    """A round as it would be."""

    number = serializers.IntegerField()
    deadline = serializers.DateTimeField()
    tables = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), help_text="Names by seat.")


class DrawAnswer(Output):
    """A league as it would be; nothing of it is kept."""

    name = serializers.CharField()
    game = serializers.CharField()
    seats = serializers.IntegerField()
    seed = serializers.CharField(help_text="The same wish with the same seed gives the same draw.")
    games_each = serializers.IntegerField()
    fair_rounds = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of rounds after which all have played equally often."
    )
    rounds = DrawnRoundAnswer(many=True)


class LeagueRequest(Input):
    name = serializers.CharField(help_text=f"At most {NAME_CHARS} characters.")
    game = serializers.CharField(max_length=40)
    form = serializers.CharField(max_length=20, help_text="`once` or `twice` (tables of two), or `rounds-4` for tables of four.")
    members = serializers.ListField(
        child=serializers.CharField(max_length=150), max_length=MOST_ENTRANTS, help_text="Names of members of the club."
    )
    bots = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_ENTRANTS),
        required=False,
        default=dict,
        help_text="How many of each level.",
    )
    rounds = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=999_999,
        help_text="The fewest fair ones, if you leave it out.",
    )
    days = serializers.IntegerField(required=False, default=7, min_value=1, max_value=MOST_DAYS, help_text="For each round.")
    options = serializers.DictField(required=False, default=dict, help_text="The game's options by key. The rest keep their defaults.")
    seed = serializers.RegexField(
        r"^[0-9A-Za-z]*$",
        required=False,
        allow_blank=True,
        default="",
        max_length=MAX_SEED_CHARS,
        help_text="Of the draw; a new one if empty.",
    )


class DeadlineRequest(Input):
    deadline = serializers.DateTimeField(help_text="Within the season. Without an offset, in your time zone.")
    reason = serializers.CharField(required=False, allow_blank=True, default="", help_text="For the club's log.")


class ReasonRequest(Input):
    reason = serializers.CharField(help_text=f"For the club's log: at most {MESSAGE_CHARS} characters.")


class OpenedAnswer(Output):
    """The table of a pairing."""

    table = serializers.IntegerField()


class LeaguesView(ContestsView):
    """Of a season."""

    def wish(self) -> Wish:
        """Return what the body asks for. Raises ValidationError."""
        values: dict[str, Any] = checked(LeagueRequest, self.request.data)
        return Wish(**values | {"seed": values["seed"] or new_seed()})


class DrawView(LeaguesView):
    @extend_schema(
        operation_id="draw_league", summary="Try a draw", request=LeagueRequest, responses={200: DrawAnswer, **WRITES}, tags=["seasons"]
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """For officers. Changes nothing: send the same with its `seed` to start that league."""
        page = self.officers(Verb.SEASONS, "league-change", CHANGES_PER_HOUR)
        wish = self.wish()
        return Response(draw_json(services.draw(club=page.club, actor=self.user, season_id=pk, wish=wish), wish.seed))


class StartView(LeaguesView):
    @extend_schema(
        operation_id="start_league",
        summary="Start a league",
        request=LeagueRequest,
        responses={201: LeagueAnswer, **WRITES},
        tags=["seasons"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """For officers. Draws all rounds; whoever is paired in the first one is told."""
        page = self.officers(Verb.SEASONS, "league", LEAGUES_PER_HOUR)
        made = services.start_league(club=page.club, actor=self.user, season_id=pk, wish=self.wish())
        return Response(LeagueAnswer(selectors.league_of(page.club, made.pk, self.user)).data, status=201)


def draw_json(drawn: Draw, seed: str) -> dict[str, Any]:
    """Return a draw with its names."""
    rounds = [
        {"number": number, "deadline": deadline, "tables": [[drawn.entrants[one].name for one in table] for table in tables]}
        for number, (tables, deadline) in enumerate(zip(drawn.rounds, drawn.deadlines, strict=True), start=1)
    ]
    found = {"name": drawn.name, "game": drawn.game, "seats": drawn.seats, "seed": seed, "games_each": drawn.games_each}
    return dict(DrawAnswer(found | {"fair_rounds": drawn.fair, "rounds": rounds}).data)


class OneLeagueView(ContestsView):
    """Of one league."""

    def league(self, pk: int) -> Response:
        """Answer with it as its reader sees it now."""
        page = self.page
        return Response(LeagueAnswer(selectors.league_of(page.club, pk, page.user)).data)


class LeagueView(OneLeagueView):
    @extend_schema(operation_id="league", summary="See a league", responses={200: LeagueAnswer, **READS}, tags=["seasons"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Its table, and all its rounds with their results."""
        return self.league(pk)


class PlayView(ContestsView):
    scope: ClassVar[str] = "play"

    @extend_schema(
        operation_id="play_pairing", summary="Open your table", request=None, responses={200: OpenedAnswer, **WRITES}, tags=["seasons"]
    )
    def post(self, request: Request, slug: str, pk: int, pairing: int) -> Response:
        """Everybody who is paired sits there at once. If one of them has opened it, you get the same table."""
        self.count("table", limit=TABLES_PER_HOUR)
        return Response({"table": services.play(club=self.page.club, user=self.user, league_id=pk, pairing_id=pairing)})


class DeadlineView(OneLeagueView):
    @extend_schema(
        operation_id="move_deadline",
        summary="Move a deadline",
        request=DeadlineRequest,
        responses={200: LeagueAnswer, **WRITES},
        tags=["seasons"],
    )
    def put(self, request: Request, slug: str, pk: int, pairing: int) -> Response:
        """For officers. A pairing that is void for its deadline is on again."""
        page = self.officers(Verb.SEASONS, "league-change", CHANGES_PER_HOUR)
        values = checked(DeadlineRequest, request.data)
        services.move_deadline(club=page.club, actor=self.user, league_id=pk, pairing_id=pairing, **values)
        return self.league(pk)


class VoidView(OneLeagueView):
    @extend_schema(
        operation_id="void_pairing",
        summary="Declare a pairing void",
        request=ReasonRequest,
        responses={200: LeagueAnswer, **WRITES},
        tags=["seasons"],
    )
    def post(self, request: Request, slug: str, pk: int, pairing: int) -> Response:
        """For officers. Nobody gets points for it."""
        page = self.officers(Verb.SEASONS, "league-change", CHANGES_PER_HOUR)
        services.void_pairing(club=page.club, actor=self.user, league_id=pk, pairing_id=pairing, **checked(ReasonRequest, request.data))
        return self.league(pk)


class WithdrawView(OneLeagueView):
    @extend_schema(
        operation_id="withdraw_entrant",
        summary="Withdraw an entrant",
        request=ReasonRequest,
        responses={200: LeagueAnswer, **WRITES},
        tags=["seasons"],
    )
    def post(self, request: Request, slug: str, pk: int, entrant: int) -> Response:
        """For officers. Games that were played count; those that haven't started are void."""
        page = self.officers(Verb.SEASONS, "league-change", CHANGES_PER_HOUR)
        services.withdraw(club=page.club, actor=self.user, league_id=pk, entrant_id=entrant, **checked(ReasonRequest, request.data))
        return self.league(pk)
