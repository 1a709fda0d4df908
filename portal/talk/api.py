"""The API of the chat at tables and of private notes: the same rooms for the same readers as on the pages."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.models import User
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged
from portal.tables.access import load_for
from portal.tables.api_base import TablesView
from portal.tables.watchers import watchers_of
from portal.talk import page, selectors, services
from portal.talk.models import MAX_LINE_CHARS, MAX_NOTE_CHARS, MAX_REASON_CHARS, Line, Room
from portal.talk.refusals import NoSuchLine
from portal.talk.rooms import rooms_for
from portal.talk.words import PHRASES

ROOMS: Final = {
    "players": "Players write here, and everyone who sees the table reads it.",
    "watchers": "Spectators write here; players read it when the game is over.",
}
REASONS: Final = {
    "rude": "Insults or hate.",
    "lewd": "Indecent or violent.",
    "tips": "Gives away hidden information.",
    "spam": "Advertising or spam.",
    "other": "Something else.",
}
REASON_CHOICES: Final = list(REASONS.items())
MAX_ID_DIGITS: Final = 18
MAX_ID: Final = 10**MAX_ID_DIGITS
ROOM: Final = OpenApiParameter(
    "room",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    enum=list(ROOMS),
    description="`players` (their chat, which everyone who sees the table reads) or `watchers` (the spectators' chat).",
)


class RoomAnswer(Output):
    """A room that you can read."""

    room = serializers.ChoiceField(choices=list(ROOMS.items()))
    may_write = serializers.BooleanField()


class PhraseAnswer(Output):
    """A quick message, which each reader reads in their own language."""

    key = serializers.CharField(help_text="Send it as `phrase`.")
    text = serializers.CharField()


class ChatAnswer(Output):
    """The chat of a table as you have it."""

    rooms = RoomAnswer(many=True, help_text="Empty where there is nobody to talk to.")
    unread = serializers.IntegerField(
        help_text="Messages of others that you haven't read, at most 99; 0 for visitors and where you muted the chat."
    )
    is_muted = serializers.BooleanField(help_text="Whether you muted the chat of this table. Then no messages are listed.")
    phrases = PhraseAnswer(many=True)


class ChatLineAnswer(Output):
    """One message."""

    id = serializers.IntegerField()
    room = serializers.ChoiceField(choices=list(ROOMS.items()))
    name = serializers.CharField(help_text="Who said it, in words if they have left.")
    username = serializers.CharField(allow_null=True, help_text="Null if they have left.")
    is_bot = serializers.BooleanField(help_text="Somebody's bot account.")
    text = serializers.CharField(help_text="What was said, in the language of the request if it is a quick message.")
    phrase = serializers.CharField(allow_null=True, help_text="The key of a quick message.")
    is_hidden = serializers.BooleanField(help_text="Whether a moderator removed it.")
    is_mine = serializers.BooleanField()
    at = serializers.DateTimeField()


class MuteRequest(Input):
    is_muted = serializers.BooleanField()


class SayRequest(Input):
    text = serializers.CharField(max_length=2 * MAX_LINE_CHARS, required=False, default="", allow_blank=True, help_text="One line.")
    phrase = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True, help_text="Instead of `text`: the key of a quick message."
    )


class ChatReadRequest(Input):
    line = serializers.IntegerField(min_value=1, max_value=MAX_ID, help_text="The `id` of the newest message that you have read.")


class ReportRequest(Input):
    reason = serializers.ChoiceField(choices=REASON_CHOICES)
    words = serializers.CharField(
        max_length=MAX_REASON_CHARS, required=False, default="", allow_blank=True, help_text="Details, for the moderators."
    )


class NoteRequest(Input):
    note = serializers.CharField(max_length=2 * MAX_NOTE_CHARS, allow_blank=True, trim_whitespace=False)


class NoteAnswer(Output):
    """What you note for yourself at a table. Nobody else reads it."""

    note = serializers.CharField(allow_blank=True)


def line_json(line: Line, user: User | None) -> dict[str, Any]:
    """Return a message as a reader may read it: a removed one keeps its place."""
    told = page.told([line], user)[0]
    is_there = line.writer is not None and line.writer.is_active
    return {
        **{key: told[key] for key in ("id", "name", "text", "is_hidden", "is_mine", "at")},
        "room": line.room,
        "username": line.writer.username if is_there and line.writer is not None else None,
        "is_bot": line.writer is not None and line.writer.is_bot,
        "phrase": (line.phrase or None) if not line.hidden_at else None,
    }


class SpectatorsAnswer(Output):
    """The spectators of a table now."""

    names = serializers.ListField(child=serializers.CharField(), help_text="Of those who show their names; at most 50, none for visitors.")
    bots = serializers.ListField(child=serializers.CharField(), help_text="Those of `names` that are somebody's bot accounts.")
    others = serializers.IntegerField(help_text="How many more watch.")


class SpectatorsView(TablesView):
    @extend_schema(operation_id="spectators", summary="See who watches", responses={200: SpectatorsAnswer, **READS}, tags=["tables"])
    def get(self, request: Request, pk: int) -> Response:
        """People with the event stream of a table open that have no seat there: within seconds, and for a minute after a lost connection."""
        return Response(SpectatorsAnswer(watchers_of(load_for(pk, self.person), self.person)).data)


class ChatView(TablesView):
    @extend_schema(operation_id="chat", summary="See which chats there are", responses={200: ChatAnswer, **READS}, tags=["chat"])
    def get(self, request: Request, pk: int) -> Response:
        """The rooms of a table that you can read, and how much you haven't read. Nothing is marked as read."""
        loaded, user = load_for(pk, self.person), self.person
        return self.state(loaded, user)

    @extend_schema(
        operation_id="mute_chat", summary="Mute the chat", request=MuteRequest, responses={200: ChatAnswer, **WRITES}, tags=["chat"]
    )
    def put(self, request: Request, pk: int) -> Response:
        """For you alone: no messages are listed, and you aren't told of mentions."""
        user, values = self.signed_in, checked(MuteRequest, request.data)
        services.mute(table_id=pk, user=user, is_muted=values["is_muted"])
        return self.state(load_for(pk, user), user)

    def state(self, loaded: Any, user: User | None) -> Response:
        rooms, listener = rooms_for(loaded, user), selectors.listener_of(loaded, user)
        told = {
            "rooms": [{"room": room.value, "may_write": room in rooms.write} for room in rooms.read],
            "unread": selectors.unread_at(loaded, user) if user is not None and rooms.read else 0,
            "is_muted": listener.is_muted,
            "phrases": [{"key": key, "text": _(text)} for key, text in PHRASES.items()],
        }
        return Response(ChatAnswer(told).data)


class RoomView(TablesView):
    @extend_schema(
        operation_id="chat_lines",
        summary="Read a chat",
        parameters=[
            ROOM,
            *CURSOR,
            OpenApiParameter("since", OpenApiTypes.INT, description="List only messages after the one with this `id`."),
        ],
        responses={200: paged(ChatLineAnswer), **READS},
        tags=["chat"],
    )
    def get(self, request: Request, pk: int, room: str) -> Response:
        """Newest first, without messages of people whom you block. Nothing is marked as read."""
        loaded, user = load_for(pk, self.person), self.person
        if room not in rooms_for(loaded, user).read:
            raise exceptions.NotFound(_("There is no such chat here, or you can't read it now."))
        lines = selectors.heard(loaded, user, [Room(room)]).filter(pk__gt=self.since(request)).select_related("writer")
        if selectors.listener_of(loaded, user).is_muted:
            lines = lines.none()
        rows, following = page_of(lines, request, of=f"chat.{room}", by=("-pk",))
        return Response({"next": following, "results": [ChatLineAnswer(line_json(line, user)).data for line in rows]})

    def since(self, request: Request) -> int:
        raw = request.query_params.get("since", "0")
        if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_ID_DIGITS):
            raise exceptions.ValidationError({"since": _("Use the id of a message.")})
        return int(raw)

    @extend_schema(
        operation_id="say",
        summary="Write in a chat",
        parameters=[ROOM],
        request=SayRequest,
        responses={201: ChatLineAnswer, **WRITES},
        tags=["chat"],
    )
    def post(self, request: Request, pk: int, room: str) -> Response:
        """One line of text, or a quick message. `@name` tells somebody who sits or has written there."""
        user, values = self.signed_in, checked(SayRequest, request.data)
        line = services.say(table_id=pk, user=user, room=room, text=values["text"], phrase=values["phrase"])
        return Response(ChatLineAnswer(line_json(line, user)).data, status=201)


class ReadView(TablesView):
    @extend_schema(
        operation_id="read_chat",
        summary="Mark messages as read",
        request=ChatReadRequest,
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["chat"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """All up to one message, in all rooms; and the notices of mentions there."""
        user, values = self.signed_in, checked(ChatReadRequest, request.data)
        loaded = load_for(pk, user)
        services.mark_read(loaded, user, selectors.line_for(loaded, user, values["line"]).pk)
        return Response(status=204)


class ReportView(TablesView):
    @extend_schema(
        operation_id="report_line",
        summary="Report a message",
        request=ReportRequest,
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["chat"],
    )
    def post(self, request: Request, pk: int, line: int) -> Response:
        """To the moderators. The writer doesn't learn who did. The same message again changes nothing."""
        user, values = self.signed_in, checked(ReportRequest, request.data)
        if line > MAX_ID:
            raise NoSuchLine
        services.report(table_id=pk, user=user, line_id=line, reason=values["reason"], words=values["words"])
        return Response(status=204)


class NoteView(TablesView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="note", summary="Read your notes", responses={200: NoteAnswer, **READS}, tags=["play"])
    def get(self, request: Request, pk: int) -> Response:
        """What you noted for yourself at a table."""
        return Response({"note": selectors.listener_of(load_for(pk, self.signed_in), self.signed_in).note})

    @extend_schema(
        operation_id="keep_note", summary="Keep your notes", request=NoteRequest, responses={200: NoteAnswer, **WRITES}, tags=["play"]
    )
    def put(self, request: Request, pk: int) -> Response:
        """They replace what you noted before."""
        user, values = self.signed_in, checked(NoteRequest, request.data)
        services.keep_note(table_id=pk, user=user, text=values["note"])
        return Response({"note": selectors.listener_of(load_for(pk, user), user).note})
