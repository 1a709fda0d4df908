"""The API of "find me a table"."""

from __future__ import annotations

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import GAMES
from portal.accounts.api import OwnView
from portal.common.api_views import READS, WRITES, Input, Output, checked
from portal.common.limits import count_use
from portal.matching import refusals, services
from portal.matching.models import Search
from portal.matching.views import SEARCHES_PER_HOUR
from portal.tables.serializers import KINDS, PaceAnswer

SEARCH_PACES: Final = [(kind, KINDS[kind]) for kind in ("live", "days")]
MOST_SEATS: Final = 6


class SearchRequest(Input):
    pace = serializers.ChoiceField(choices=SEARCH_PACES)
    seats = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MOST_SEATS, help_text="Players; 0: any number.")
    is_rated = serializers.BooleanField(required=False, default=True)


class SearchAnswer(Output):
    """What you look for."""

    game = serializers.CharField()
    pace = PaceAnswer(help_text="Of the tables that are found.")
    seats = serializers.IntegerField(help_text="Players; 0: any number.")
    is_rated = serializers.BooleanField()
    made_at = serializers.DateTimeField()
    table = serializers.IntegerField(allow_null=True, help_text="The table that was found: you have a seat there.")
    offers_bots = serializers.BooleanField(help_text="Whether you have waited so long that the page would offer you bots.")


class LookersAnswer(Output):
    """How many people look for a game at one pace."""

    game = serializers.CharField(source="entry.key")
    pace = serializers.ChoiceField(choices=SEARCH_PACES, source="kind")
    count = serializers.IntegerField()


class SearchesAnswer(Output):
    """What you look for, one search a game at most, and who else looks, without names."""

    results = SearchAnswer(many=True)
    lookers = LookersAnswer(many=True)


def search_json(search: Search) -> dict[str, Any]:
    entry, tempo = GAMES[search.game], services.TEMPOS[search.kind]
    waited_s = (timezone.now() - search.made_at).total_seconds()
    return {
        "game": search.game,
        "pace": services.pace_for(entry, search.kind),
        "seats": search.seats,
        "is_rated": search.is_rated,
        "made_at": search.made_at,
        "table": search.table_id,
        "offers_bots": search.table_id is None and waited_s >= tempo.bots_after_s,
    }


class SearchesView(OwnView):
    @extend_schema(operation_id="searches", summary="See what you look for", responses={200: SearchesAnswer, **READS}, tags=["tables"])
    def get(self, request: Request) -> Response:
        """Ask every few seconds: a live game is only found for people who are there, and asking says that you are. A table that was found is told for some minutes."""
        found = services.of(self.user)
        for search in found:
            services.seen(search)
        told = {"results": [search_json(search) for search in found], "lookers": services.waiting(self.user).lookers}
        return Response(SearchesAnswer(told).data)


class SearchView(OwnView):
    @extend_schema(
        operation_id="look", summary="Look for a table", request=SearchRequest, responses={200: SearchAnswer, **WRITES}, tags=["tables"]
    )
    def put(self, request: Request, game: str) -> Response:
        """To look is to agree to be seated. Replaces your search for this game. A table that fits and is open already is taken at once: then `table` is set."""
        values = checked(SearchRequest, request.data)
        count_use("search", str(self.user.pk), limit=SEARCHES_PER_HOUR, window_s=3600, refusal=refusals.TooManySearches)
        search = services.look(user=self.user, game=game, kind=values["pace"], seats=values["seats"], is_rated=values["is_rated"])
        return Response(SearchAnswer(search_json(search)).data)

    @extend_schema(
        operation_id="stop_looking",
        summary="Stop looking",
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["tables"],
    )
    def delete(self, request: Request, game: str) -> Response:
        """Does nothing if you don't look. You stay at a table that was found."""
        services.stop(user=self.user, game=game)
        return Response(status=204)
