"""The API of duplicate sets: tables with the same deal; nothing of how they stand is told before the last one is over."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.clubs.models import NAME_CHARS
from portal.clubs.permissions import Verb
from portal.clubs.selectors import ClubPage
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged
from portal.contests import duplicate_selectors, duplicates
from portal.contests.api import ContestsView
from portal.contests.duplicate_selectors import Result, SetPage
from portal.contests.duplicate_views import SETS_PER_HOUR
from portal.contests.league_views import CHANGES_PER_HOUR
from portal.tables.lobby_views import JOINS_PER_HOUR
from portal.tables.serializers import STATUS_CHOICES


class SetRowAnswer(Output):
    """A duplicate set in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.CharField(source="entry.key")
    tables = serializers.IntegerField(source="n_tables")
    tables_open = serializers.IntegerField(source="n_open")
    tables_ended = serializers.IntegerField(source="n_ended")
    created_at = serializers.DateTimeField()
    is_revealed = serializers.BooleanField()


class SetSeatAnswer(Output):
    """A seat as at the start of its game."""

    seat = serializers.IntegerField(source="index", help_text="From 0.")
    name = serializers.CharField(allow_blank=True, help_text="Empty for a free seat.")
    bot_level = serializers.CharField(allow_blank=True, help_text="Empty for people.")
    is_me = serializers.BooleanField()
    took_over = serializers.CharField(allow_blank=True, help_text="The bot that replaced them, after the reveal.")


class SetTableAnswer(Output):
    """A table of a set."""

    id = serializers.IntegerField(allow_null=True, help_text="For members; for everybody who sees the club, after the reveal.")
    number = serializers.IntegerField(help_text="In the set, from 1.")
    status = serializers.ChoiceField(choices=STATUS_CHOICES)
    seats = SetSeatAnswer(many=True)
    is_mine = serializers.BooleanField()


class SetResultAnswer(Output):
    """A seat of one table, beside the same seat at the other tables."""

    table = serializers.IntegerField(source="table.id")
    name = serializers.CharField(source="seat.name")
    score = serializers.IntegerField()
    place = serializers.IntegerField()
    beaten = serializers.SerializerMethodField(help_text="Other tables at which the same seat did worse; equal ones count half.")
    others = serializers.IntegerField(help_text="Other tables that were finished.")

    def get_beaten(self, result: Result) -> float:
        return float(result.beaten)


class SetRankAnswer(Output):
    """A person's line in the order of duplicate points."""

    rank = serializers.IntegerField()
    name = serializers.CharField(source="result.seat.name")
    seat = serializers.IntegerField(source="result.seat.index")
    table = serializers.IntegerField(source="result.table.id")
    points = serializers.SerializerMethodField(help_text="From 0 to 1: the share of the other tables that were beaten.")

    def get_points(self, line: duplicate_selectors.Ranked) -> float:
        return float(line.result.share)


class SetAnswer(Output):
    """A duplicate set as you may see it."""

    id = serializers.IntegerField(source="duplicate.pk")
    name = serializers.CharField(source="duplicate.name")
    game = serializers.CharField(source="entry.key")
    seats = serializers.IntegerField(source="duplicate.seats")
    options = serializers.DictField(source="duplicate.options")
    created_at = serializers.DateTimeField(source="duplicate.created_at")
    commitment = serializers.CharField(source="duplicate.commitment", help_text="Of the sealed draws.")
    is_revealed = serializers.BooleanField()
    secret = serializers.CharField(allow_null=True, help_text="Null until the reveal.")
    has_sat = serializers.BooleanField(help_text="Whether you sit, or have sat, at one of the tables.")
    tables = SetTableAnswer(many=True)
    comparison = serializers.ListField(
        child=serializers.ListField(child=SetResultAnswer()), help_text="By seat, the best first; empty until the reveal."
    )
    ranking = SetRankAnswer(many=True, help_text="People who played to the end; empty until the reveal.")


class SetRequest(Input):
    name = serializers.CharField(help_text=f"At most {NAME_CHARS} characters.")
    game = serializers.CharField(max_length=40)
    seats = serializers.IntegerField(min_value=1, max_value=6)
    tables = serializers.IntegerField(
        min_value=duplicates.FEWEST_TABLES, max_value=duplicates.MOST_TABLES, help_text="How many, with the same deal."
    )
    bots = serializers.ListField(
        child=serializers.CharField(max_length=20, allow_blank=True),
        required=False,
        default=list,
        max_length=6,
        help_text="The level of the bot in each seat, empty for a free one; the same at every table.",
    )
    options = serializers.DictField(required=False, default=dict, help_text="The game's options by key. The rest keep their defaults.")
    is_rated = serializers.BooleanField(required=False, default=True)


class SitRequest(Input):
    table = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    seat = serializers.IntegerField(min_value=0, max_value=5)


class SetTableRequest(Input):
    table = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class SetsView(ContestsView):
    @extend_schema(
        operation_id="duplicate_sets",
        summary="List a club's duplicate sets",
        parameters=CURSOR,
        responses={200: paged(SetRowAnswer), **READS},
        tags=["duplicates"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The last one first."""
        rows, following = page_of(duplicate_selectors.counted(self.page.club), request, of="sets", by=("-created_at", "-id"))
        return Response({"next": following, "results": SetRowAnswer([duplicate_selectors.row_of(row) for row in rows], many=True).data})

    @extend_schema(
        operation_id="make_duplicate_set",
        summary="Open duplicate tables",
        request=SetRequest,
        responses={201: SetAnswer, **WRITES},
        tags=["duplicates"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """For officers: 2 to 12 tables with the same game, seats, options and bots, all with the same deal."""
        page = self.officers(Verb.DUPLICATES, "duplicate-set", SETS_PER_HOUR)
        values: dict[str, Any] = checked(SetRequest, request.data)
        made = duplicates.create_set(club=page.club, actor=self.user, n_tables=values.pop("tables"), **values)
        return Response(set_json(page, made.pk), status=201)


class OneSetView(ContestsView):
    """Of one set."""

    def told_set(self, pk: int) -> Response:
        """Answer with it as its reader may see it now."""
        return Response(set_json(self.page, pk))


class SetView(OneSetView):
    @extend_schema(operation_id="duplicate_set", summary="See a duplicate set", responses={200: SetAnswer, **READS}, tags=["duplicates"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The people in its seats, and how many tables are over; once all are, how the seats compare."""
        return self.told_set(pk)


def set_json(page: ClubPage, pk: int) -> dict[str, Any]:
    """Return a set of a club as one reader may see it, with three statements. Raises ClubNotFound."""
    found: SetPage = duplicate_selectors.set_page(duplicate_selectors.set_of(page.club, pk), page.user)
    told = {name: getattr(found, name) for name in ("duplicate", "entry", "is_revealed", "secret", "has_sat", "ranking")}
    is_told = page.is_member or found.is_revealed
    told["tables"] = [{name: getattr(table, name) for name in SetTableAnswer().get_fields()} for table in found.tables]
    for table in told["tables"]:
        table["id"] = table["id"] if is_told or table["is_mine"] else None
    return dict(SetAnswer(told | {"comparison": [seat.results for seat in found.comparison]}).data)


class SitView(OneSetView):
    scope: ClassVar[str] = "play"

    @extend_schema(
        operation_id="sit_down",
        summary="Take a seat in a set",
        request=SitRequest,
        responses={200: SetAnswer, **WRITES},
        tags=["duplicates"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """At one table of the set. Its game starts when the last seat is taken."""
        self.count("join", limit=JOINS_PER_HOUR)
        found = duplicate_selectors.set_of(self.page.club, pk)
        values = checked(SitRequest, request.data)
        duplicates.take_seat(duplicate=found, table_id=values["table"], user=self.user, seat=values["seat"])
        return self.told_set(pk)


class StartView(OneSetView):
    @extend_schema(
        operation_id="start_duplicate",
        summary="Start a table of a set",
        request=SetTableRequest,
        responses={200: SetAnswer, **WRITES},
        tags=["duplicates"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """For officers: bots take the free seats. At least one person sits there."""
        page = self.officers(Verb.DUPLICATES, "league-change", CHANGES_PER_HOUR)
        found = duplicate_selectors.set_of(page.club, pk)
        duplicates.start_table(duplicate=found, table_id=checked(SetTableRequest, request.data)["table"], actor=self.user)
        return self.told_set(pk)


class CloseView(OneSetView):
    @extend_schema(
        operation_id="close_duplicates",
        summary="Close the open tables of a set",
        request=None,
        responses={200: SetAnswer, **WRITES},
        tags=["duplicates"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """For officers. The set is revealed when all others are over."""
        page = self.officers(Verb.DUPLICATES, "league-change", CHANGES_PER_HOUR)
        duplicates.close_open_tables(duplicate=duplicate_selectors.set_of(page.club, pk), actor=self.user)
        return self.told_set(pk)


class EndView(OneSetView):
    @extend_schema(
        operation_id="end_duplicates", summary="End a set", request=None, responses={200: SetAnswer, **WRITES}, tags=["duplicates"]
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """For officers. Open tables are closed, running ones stopped without a result, and the deal is revealed."""
        page = self.officers(Verb.DUPLICATES, "league-change", CHANGES_PER_HOUR)
        duplicates.end_set(duplicate=duplicate_selectors.set_of(page.club, pk), actor=self.user)
        return self.told_set(pk)
