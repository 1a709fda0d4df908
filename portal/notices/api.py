"""The API of notices: the inbox, how many are unread, and marking them as read."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.api import OwnView
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged, problems
from portal.notices import inbox, unread

KINDS: Final = {
    "turn": "It is your turn.",
    "time": "Your time is running out.",
    "invitation": "You are invited to a table, or somebody has answered.",
    "game": "A game starts or ends.",
    "club": "Something in a club.",
    "season": "Something in a season or league.",
    "mention": "Somebody mentions you in a chat.",
    "friend": "Somebody asks to be friends, or has accepted.",
    "test": "A test that you asked for.",
}
KIND_CHOICES: Final = list(KINDS.items())
SHOW: Final = ("unread", "failed")
MAX_ID: Final = 10**18


class NoticeAnswer(Output):
    """Something that you were told."""

    id = serializers.IntegerField(source="notice.pk")
    kind = serializers.ChoiceField(choices=KIND_CHOICES, source="notice.kind")
    text = serializers.CharField(help_text="In the language of the request.")
    game = serializers.SerializerMethodField(help_text="The game that it is about.")
    table = serializers.IntegerField(source="notice.table_id", allow_null=True)
    path = serializers.CharField(source="notice.path", help_text="Of the page that it leads to.")
    made_at = serializers.DateTimeField(source="notice.made_at")
    is_new = serializers.BooleanField(help_text="Whether you haven't read it, and it is still true.")
    is_over = serializers.SerializerMethodField(help_text="Whether it is no longer true: the turn was taken, the invitation answered.")
    sent = serializers.SerializerMethodField(help_text="What became of it by mail, push and webhook, in words.")

    def get_game(self, line: inbox.Line) -> str | None:
        return line.entry.key if line.entry is not None else None

    def get_is_over(self, line: inbox.Line) -> bool:
        return line.notice.withdrawn_at is not None

    def get_sent(self, line: inbox.Line) -> list[str]:
        return [fate.text for fate in line.fates]


class UnreadAnswer(Output):
    """How many notices you haven't read."""

    unread = serializers.IntegerField()


class ReadRequest(Input):
    notice = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_ID, help_text="Only this one."
    )
    table = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_ID,
        help_text="Only what is about this table, mentions apart.",
    )


class NoticesView(OwnView):
    @extend_schema(
        operation_id="notices",
        summary="Read your notices",
        parameters=[
            OpenApiParameter(
                "show",
                OpenApiTypes.STR,
                enum=SHOW,
                description="Only those that you haven't read (`unread`), or that did not reach you by mail, push or webhook (`failed`).",
            ),
            *CURSOR,
        ],
        responses={200: paged(NoticeAnswer), **READS},
        tags=["notices"],
    )
    def get(self, request: Request) -> Response:
        """Newest first. Nothing is marked as read."""
        show = request.query_params.get("show", "")
        if show not in ("", *SHOW):
            raise exceptions.ValidationError({"show": _("Choose one of these: %(names)s.") % {"names": ", ".join(SHOW)}})
        rows, following = page_of(inbox.notices_of(self.user, show), request, of=f"notices.{show}", by=("-made_at", "-pk"))
        return Response({"next": following, "results": NoticeAnswer(inbox.told(self.user, rows), many=True).data})


class UnreadView(OwnView):
    @extend_schema(
        operation_id="unread", summary="Count unread notices", responses={200: UnreadAnswer, **problems(401, 403, 429)}, tags=["notices"]
    )
    def get(self, request: Request) -> Response:
        """Cheap: it is counted when it changes."""
        return Response({"unread": unread.counted(self.user.pk)})


class ReadView(OwnView):
    @extend_schema(
        operation_id="read_notices",
        summary="Mark notices as read",
        request=ReadRequest,
        responses={200: UnreadAnswer, **WRITES},
        tags=["notices"],
    )
    def post(self, request: Request) -> Response:
        """One, those of a table, or without either, all. What isn't yours or was read before is left alone."""
        values = checked(ReadRequest, request.data)
        inbox.read(self.user, values["notice"], table_id=values["table"])
        return Response({"unread": unread.counted(self.user.pk)})
