"""The API of archives: which there are, and the figures from them; for everybody."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from archives.figures import ALL, COMPANY, PEOPLE, WIN
from archives.manifest import JSONL, LICENCE, PARQUET
from games.registry import GAMES
from portal.archives import pages
from portal.archives.models import Archive
from portal.archives.views import asked_group, checked_line
from portal.common.api_views import CURSOR, READS, ApiView, Output, page_of, paged

KIND_CHOICES: Final = [(JSONL, "One line of JSON a game, packed with zstd."), (PARQUET, "The same games by column.")]
COMPANY_CHOICES: Final = [(ALL, "Every archived game."), (PEOPLE, "Only games of people who played to the end.")]
GROUP: Final = [
    OpenApiParameter("seats", OpenApiTypes.INT, description="Number of players; without it, the one with most games."),
    OpenApiParameter(
        "company",
        OpenApiTypes.STR,
        enum=COMPANY,
        default=ALL,
        description="`all` games, or only those that `people` played among themselves to the end.",
    ),
]


class FileAnswer(Output):
    """A file of an archive."""

    url = serializers.CharField()
    kind = serializers.ChoiceField(choices=KIND_CHOICES)
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()


class ArchiveAnswer(Output):
    """The public games of one game that ended in one month."""

    id = serializers.IntegerField(source="pk")
    game = serializers.CharField()
    month = serializers.SerializerMethodField(help_text="As `2026-10`, in UTC.")
    games = serializers.IntegerField(source="rows")
    made_at = serializers.DateTimeField(help_text="When it was written last.")
    manifest_url = serializers.SerializerMethodField(help_text="Where columns and checksums are explained.")
    licence = serializers.SerializerMethodField(help_text="Name of the licence, as SPDX writes it.")
    files = serializers.SerializerMethodField()

    def get_month(self, row: Archive) -> str:
        return f"{row.month:%Y-%m}"

    def get_manifest_url(self, row: Archive) -> str:
        return _address(row.game, f"{row.manifest['name']}.json")

    def get_licence(self, row: Archive) -> str:
        return LICENCE["id"]

    @extend_schema_field(FileAnswer(many=True))
    def get_files(self, row: Archive) -> list[dict[str, Any]]:
        files: list[dict[str, Any]] = row.manifest["files"]
        return [{"url": _address(row.game, file["name"]), **{name: file[name] for name in ("kind", "bytes", "sha256")}} for file in files]


class RateAnswer(Output):
    """How often it was won, and how it ended."""

    games = serializers.IntegerField()
    wins = serializers.FloatField(help_text="Shared ones count in part.")
    win_rate = serializers.FloatField(help_text="From 0 to 1.")
    win_rate_low = serializers.FloatField(help_text="The 95 % interval of the rate (Wilson).")
    win_rate_high = serializers.FloatField()
    mean_place = serializers.FloatField()
    mean_place_by = serializers.FloatField(allow_null=True, help_text="Half of the 95 % interval; null for a single game.")


class SeatFiguresAnswer(RateAnswer):
    """A seat."""

    seat = serializers.IntegerField(help_text="From 0.")
    mean_score = serializers.FloatField()


class CountAnswer(Output):
    """How often a value came up."""

    value = serializers.IntegerField()
    count = serializers.IntegerField()


class ReasonAnswer(Output):
    """How often games ended in one way."""

    reason = serializers.CharField()
    count = serializers.IntegerField()


class FiguresAnswer(Output):
    """Figures of a group of archived games."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    company = serializers.ChoiceField(choices=COMPANY_CHOICES)
    games = serializers.IntegerField()
    by_seat = SeatFiguresAnswer(many=True)
    lengths = CountAnswer(many=True, help_text="Games by their number of moves; draws aren't counted.")
    scores = CountAnswer(many=True, help_text="Seats by score.")
    winning_scores = CountAnswer(many=True, help_text="Winners by score.")
    reasons = ReasonAnswer(many=True)


class OpeningMoveAnswer(RateAnswer):
    """A move, with the figures of the players who made it."""

    move = serializers.CharField(help_text="Its text, as in `legal` of a table.")
    table = serializers.IntegerField(help_text="The latest game with it.")


class OpeningAnswer(Output):
    """A position of the openings."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    company = serializers.ChoiceField(choices=COMPANY_CHOICES)
    line = serializers.ListField(child=serializers.CharField(), help_text="The moves that led there; draws don't tell positions apart.")
    games = serializers.IntegerField(help_text="That came there.")
    other = serializers.IntegerField(help_text="That went on with rarer moves, or ended.")
    moves = OpeningMoveAnswer(many=True)


class ArchivesView(ApiView):
    @extend_schema(
        operation_id="archives",
        summary="List archives of games",
        parameters=[*CURSOR, OpenApiParameter("game", OpenApiTypes.STR, description="Only of this game.")],
        responses={200: paged(ArchiveAnswer), **READS},
        tags=["archives"],
    )
    def get(self, request: Request) -> Response:
        """The archives of all finished public games by game and month, the newest first, with their files."""
        rows = Archive.objects.all()
        if game := request.query_params.get("game"):
            rows = rows.filter(game=_game(game))
        found, following = page_of(rows, request, of="archives", by=("-month", "game"))
        return Response({"next": following, "results": ArchiveAnswer(found, many=True).data})


class FiguresView(ApiView):
    @extend_schema(
        operation_id="archive_figures",
        summary="See figures from the archives",
        parameters=GROUP,
        responses={200: FiguresAnswer, **READS},
        tags=["archives"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Win rates by seat, lengths, scores and reasons of the end."""
        try:
            found = pages.figures_of(_game(game), *_group(request, game))
        except pages.NoFigures:
            raise Http404 from None
        data = {
            "game": game,
            "seats": found.seats,
            "company": found.company,
            "games": found.games,
            "by_seat": [{"seat": line.number - 1, "mean_score": line.score, **_rate(line)} for line in found.by_seat],
            "lengths": _counts(found.lengths),
            "scores": _counts(found.scores),
            "winning_scores": _counts(found.winning),
            "reasons": [{"reason": reason, "count": count} for reason, count in found.reasons],
        }
        return Response(FiguresAnswer(data).data)


class OpeningsView(ApiView):
    @extend_schema(
        operation_id="archive_openings",
        summary="Explore openings",
        parameters=[
            *GROUP,
            OpenApiParameter(
                "move", OpenApiTypes.STR, many=True, description="A move of the line, as text; once for each, in order. None: the start."
            ),
        ],
        responses={200: OpeningAnswer, **READS},
        tags=["archives"],
    )
    def get(self, request: Request, game: str) -> Response:
        """The most frequent moves of a position, and how often those who made them won."""
        try:
            groups = pages.groups_of(_game(game))
            group = groups.chosen(*asked_group(request.query_params.get("seats", ""), request.query_params.get("company", "")))
            found = pages.opening_of(game, group, groups.games[group], checked_line(request.query_params.getlist("move")))
        except pages.NoFigures:
            raise Http404 from None
        data = {
            "game": game,
            "seats": group[0],
            "company": group[1],
            "line": found.line,
            "games": found.games,
            "other": found.other,
            "moves": [{"move": move.text, "table": move.table, **_rate(move)} for move in found.moves],
        }
        return Response(OpeningAnswer(data).data)


def _game(key: str) -> str:
    if key not in GAMES:
        raise Http404
    return key


def _group(request: Request, game: str) -> tuple[int, str]:
    asked = asked_group(request.query_params.get("seats", ""), request.query_params.get("company", ""))
    return pages.groups_of(game).chosen(*asked)


def _address(game: str, name: str) -> str:
    return f"{settings.BASE_URL}{reverse('archive-file', args=[game, name])}"


def _rate(line: pages.SeatLine | pages.MoveLine) -> dict[str, Any]:
    share, place = line.share, line.place
    return {
        "games": share.games,
        "wins": round(share.wins * WIN) / WIN,
        "win_rate": share.percent / 100,
        "win_rate_low": share.low / 100,
        "win_rate_high": share.high / 100,
        "mean_place": place.value,
        "mean_place_by": place.by,
    }


def _counts(pairs: Any) -> list[dict[str, int]]:
    return [{"value": value, "count": count} for value, count in pairs]
