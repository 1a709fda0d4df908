"""The API of replays: a table's steps, and the view at each, as the page of the replay shows them to the same reader."""

from __future__ import annotations

from typing import Any, Final

from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.schemas import shown
from portal.common.api_views import READS, Output, problems
from portal.tables import refusals, selectors
from portal.tables.access import load_for
from portal.tables.api_base import TablesView, line_json
from portal.tables.replay import SPECTATORS, Replay, replay_of
from portal.tables.result import step_pictures
from portal.tables.serializers import LineAnswer
from portal.tables.speaker import Speaker

SPECTATOR: Final = "spectator"
MAX_DIGITS: Final = 2
MOST_RECORDS: Final = 10_000  # the longest known game has 611; a request reads all of them, which takes 0.2 s of the processor for so many
MARKS: Final = {"turn": "A turn starts.", "scoring": "Points begin to be counted.", "conflict": "A conflict begins."}
MARK_CHOICES: Final = list(MARKS.items())
SEAT: Final = [
    OpenApiParameter(
        "seat",
        OpenApiTypes.STR,
        description="From which seat to look: a number from 0, or `spectator`. Others than your own are open once the game is over and revealed.",
    )
]


class MarkAnswer(Output):
    """A step worth finding."""

    step = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=MARK_CHOICES)


class ReplayAnswer(Output):
    """The steps of a game that still count."""

    count = serializers.IntegerField(help_text="Steps; step 0 is the first position.")
    seat = serializers.IntegerField(allow_null=True, help_text="From where you look; null: as a spectator.")
    may_choose = serializers.BooleanField(help_text="Whether you may look from other seats.")
    marks = MarkAnswer(many=True)


class PicturesAnswer(Output):
    """Where the pictures of a position are. They show what every visitor sees, and take `theme`, `lang` and (PNG) `width`."""

    svg = serializers.URLField()
    png = serializers.URLField()


class StepAnswer(Output):
    """One step: what happened, and the position after it."""

    step = serializers.IntegerField()
    count = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    event = LineAnswer(allow_null=True, help_text="Null for the first position.")
    view = serializers.JSONField(help_text="What the seat could see of the position.")
    pictures = PicturesAnswer(allow_null=True, help_text="Null for a table that not everybody may see, and for a game without pictures.")


class _ReplayView(TablesView):
    def replay(self, request: Request, pk: int) -> Replay:
        """Return the replay as the reader asks for it. Raises TableNotFound, TooLongToReplay, NothingToReplay, BadStep, NoSuchStep and SeatHidden."""
        loaded = load_for(pk, self.person)
        if loaded.table.seq > MOST_RECORDS:
            raise refusals.TooLongToReplay(most=MOST_RECORDS)
        raw = request.query_params.get("seat", "")
        if raw in ("", SPECTATOR):
            seat = SPECTATORS if raw else ""
        elif raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS:
            seat = str(int(raw) + 1)
        else:
            raise refusals.BadStep
        return replay_of(loaded, selectors.page_of(loaded, self.person), seat=seat)


class ReplayView(_ReplayView):
    @extend_schema(
        operation_id="replay",
        summary="Get the outline of a replay",
        parameters=SEAT,
        responses={200: ReplayAnswer, **READS, **problems(409)},
        tags=["play"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """How many steps there are, and which are worth finding. A running game can be replayed too, with what you could see. 409 for a table with more than 10,000 moves, undone ones included."""
        replay = self.replay(request, pk)
        marks = [{"step": step, "kind": kind} for step, kind in replay.marks]
        told = {"count": replay.count, "seat": replay.seat, "may_choose": replay.may_choose, "marks": marks}
        return Response(ReplayAnswer(told).data)


class StepView(_ReplayView):
    @extend_schema(
        operation_id="replay_step",
        summary="See a step of a replay",
        parameters=SEAT,
        responses={200: StepAnswer, **READS, **problems(409)},
        tags=["play"],
    )
    def get(self, request: Request, pk: int, step: int) -> Response:
        """The event of the step, and the view of the position after it. One step a request."""
        replay = self.replay(request, pk)
        if step > replay.count:
            raise refusals.NoSuchStep
        page = replay.page
        speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, replay.seat)
        view = replay.loaded.game.view_for(replay.state(step), replay.seat)
        told: dict[str, Any] = {
            "step": step,
            "count": replay.count,
            "seat": replay.seat,
            "event": line_json(replay.steps[step - 1].line, speaker) if step else None,
            "view": shown(view),
            "pictures": step_pictures(page, step, speaker.lang) or None,
        }
        return Response(StepAnswer(told).data)
